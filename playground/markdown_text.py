"""The MarkdownV2 parse mode of the Bot API (formatting options; TDLib's MessageEntity.cpp for the refusals)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from playground.errors import bad_request

if TYPE_CHECKING:
    from playground.errors import Json

_RESERVED = "_*[]()~`>#+-=|{}.!"
_ESCAPABLE_LIMIT = 126
_NAMES = {
    "bold": "Bold",
    "italic": "Italic",
    "underline": "Underline",
    "strikethrough": "Strikethrough",
    "spoiler": "Spoiler",
    "text_link": "TextUrl",
    "custom_emoji": "CustomEmoji",
}
_MARKS = (
    ("__", "underline"),
    ("||", "spoiler"),
    ("_", "italic"),
    ("*", "bold"),
    ("~", "strikethrough"),
)
_LANGUAGE = re.compile(r"[^\s`]+(?=\n)")


@dataclass(slots=True)
class _Open:
    kind: str
    begin: int
    at: int


def _fail(reason: str) -> NoReturn:
    raise bad_request(f"can't parse entities: {reason}")


def _reserved(character: str) -> NoReturn:
    _fail(f"Character '{character}' is reserved and must be escaped with the preceding '\\'")


class _Parser:
    def __init__(self, source: str) -> None:
        self.source = source
        self.index = 0
        self.pieces: list[str] = []
        self.length = 0
        self.opened: list[_Open] = []
        self.entities: list[tuple[int, Json]] = []
        self.quote: _Open | None = None

    def put(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text.encode("utf-16-le", "surrogatepass")) // 2

    def offset(self, index: int) -> int:
        return len(self.source[:index].encode("utf-8", "replace"))

    def add(self, kind: str, begin: int, at: int, **extra: str) -> None:
        if self.length > begin:
            entity = {"type": kind, "offset": begin, "length": self.length - begin, **extra}
            self.entities.append((at, entity))

    def parse(self) -> tuple[str, list[Json]]:
        source = self.source
        while self.index < len(source):
            if self.index == 0 or source[self.index - 1] == "\n":
                self._line_start()
                if self.index >= len(source):
                    break
            character = source[self.index]
            if (
                character == "\\"
                and self.index + 1 < len(source)
                and ord(source[self.index + 1]) <= _ESCAPABLE_LIMIT
            ):
                self.put(source[self.index + 1])
                self.index += 2
            elif character == "`":
                self._code()
            elif character in _RESERVED:
                self._mark(character)
            else:
                self.put(character)
                self.index += 1
        self._end_quote()
        if self.opened:
            top = self.opened[-1]
            _fail(f"Can't find end of {_NAMES[top.kind]} entity at byte offset {self.offset(top.at)}")
        self.entities.sort(key=lambda pair: pair[0])
        return "".join(self.pieces), [entity for _, entity in self.entities]

    def _line_start(self) -> None:
        source = self.source
        if source.startswith("**>", self.index):
            self._end_quote()
            self.quote = _Open("expandable_blockquote", self.length, self.index)
            self.index += 3
        elif source.startswith(">", self.index):
            if self.quote is None:
                self.quote = _Open("blockquote", self.length, self.index)
            self.index += 1
        else:
            self._end_quote()

    def _end_quote(self) -> None:
        if self.quote is not None:
            self.add(self.quote.kind, self.quote.begin, self.quote.at)
            self.quote = None

    def _code(self) -> None:
        source, start = self.source, self.index
        fence = "```" if source.startswith("```", start) else "`"
        self.index += len(fence)
        kind, extra = ("pre", {}) if fence == "```" else ("code", {})
        if kind == "pre":
            language = _LANGUAGE.match(source, self.index)
            if language:
                extra = {"language": language.group()}
                self.index = language.end() + 1
            elif source.startswith("\n", self.index):
                self.index += 1
        begin = self.length
        while not source.startswith(fence, self.index):
            if self.index >= len(source):
                name = "Code" if kind == "code" else "PreCode" if extra else "Pre"
                _fail(f"Can't find end of {name} entity at byte offset {self.offset(start)}")
            if source[self.index] == "\\" and self.index + 1 < len(source):
                self.index += 1
            self.put(source[self.index])
            self.index += 1
        self.index += len(fence)
        self.add(kind, begin, start, **extra)

    def _mark(self, character: str) -> None:
        source = self.source
        top = self.opened[-1] if self.opened else None
        if character == "]" and top is not None and top.kind in {"text_link", "custom_emoji"}:
            self._link(self.opened.pop())
            return
        if character == "[" or source.startswith("![", self.index):
            kind = "text_link" if character == "[" else "custom_emoji"
            self.opened.append(_Open(kind, self.length, self.index))
            self.index += 1 if kind == "text_link" else 2
            return
        if self.quote is not None and source.startswith("||", self.index):
            after = source[self.index + 2 : self.index + 3]
            spoiler_open = any(mark.kind == "spoiler" for mark in self.opened)
            if after in {"", "\n"} and not spoiler_open:
                self.quote.kind = "expandable_blockquote"
                self.index += 2
                return
        for mark, kind in _MARKS:
            if not source.startswith(mark, self.index):
                continue
            if top is not None and top.kind == kind:
                self.opened.pop()
                self.add(kind, top.begin, top.at)
            elif top is not None and any(other.kind == kind for other in self.opened):
                _fail(f"Can't find end of {_NAMES[top.kind]} entity at byte offset {self.offset(top.at)}")
            else:
                self.opened.append(_Open(kind, self.length, self.index))
            self.index += len(mark)
            return
        _reserved(character)

    def _link(self, top: _Open) -> None:
        source = self.source
        self.index += 1
        if not source.startswith("(", self.index):
            if top.kind == "custom_emoji":
                _fail("Custom emoji entity must contain a tg://emoji URL")
            return
        self.index += 1
        url = ""
        while not source.startswith(")", self.index):
            if self.index >= len(source):
                _fail(f"Can't find end of a URL at byte offset {self.offset(top.at)}")
            if source[self.index] == "\\" and self.index + 1 < len(source):
                self.index += 1
            url += source[self.index]
            self.index += 1
        self.index += 1
        user = re.match(r"tg://user\?id=(\d+)$", url)
        if user and self.length > top.begin:
            entity: Json = {"type": "text_mention", "offset": top.begin, "length": self.length - top.begin}
            self.entities.append((top.at, {**entity, "user": {"id": int(user.group(1))}}))
        elif top.kind == "custom_emoji":
            self.add("custom_emoji", top.begin, top.at, custom_emoji_id=url.partition("?id=")[2])
        elif url:
            self.add("text_link", top.begin, top.at, url=url)


def parse_markdown(source: str) -> tuple[str, list[Json]]:
    """The plain text and the entities of a MarkdownV2 text, not yet trimmed.

    Raises:
        ApiError: "can't parse entities: ..." in TDLib's words.
    """
    return _Parser(source).parse()
