"""The HTML parse mode of the Bot API (formatting options; TDLib's MessageEntity.cpp for the refusals)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from playground.errors import Json, bad_request

_TYPES = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "code": "code",
    "pre": "pre",
    "tg-spoiler": "spoiler",
    "blockquote": "blockquote",
    "a": "text_link",
    "span": "spoiler",
    "tg-emoji": "custom_emoji",
    "tg-time": "date_time",
}
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_ENTITY = re.compile(r"&(?:#(\d{1,8})|#x([0-9a-fA-F]{1,8})|(lt|gt|amp|quot));?")
_ATTRIBUTE = re.compile(r"""\s+([a-zA-Z0-9-]+)(?:\s*=\s*("[^"]*"|'[^']*'|[a-zA-Z0-9.-]+))?""")
_TAG_NAME = re.compile(r"[^\s>/]*")
_MAXIMUM_CODE_POINT = 0x10FFFF
_ADDRESS = re.compile(r"(?:https?|tg|ton)://\S+$|[\w-]+(?:\.[\w-]+)+\S*$")
_USER_LINK = re.compile(r"tg://user\?id=(\d+)$")


@dataclass(slots=True)
class _Open:
    tag: str
    attributes: dict[str, str]
    begin: int
    at: int


def _fail(reason: str) -> NoReturn:
    raise bad_request(f"can't parse entities: {reason}")


def _decoded(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name:
        return _NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if 0 < code <= _MAXIMUM_CODE_POINT else match.group()


def parse_html(source: str) -> tuple[str, list[Json]]:
    """The plain text and the entities of an HTML text, not yet trimmed.

    Raises:
        ApiError: "can't parse entities: ..." with the byte offset, in TDLib's words.
    """
    pieces: list[str] = []
    length = 0
    entities: list[tuple[int, Json]] = []
    opened: list[_Open] = []
    position = 0

    def offset(index: int) -> int:
        return len(source[:index].encode("utf-8", "replace"))

    while position < len(source):
        next_tag = source.find("<", position)
        stop = len(source) if next_tag < 0 else next_tag
        if stop > position:
            piece = _ENTITY.sub(_decoded, source[position:stop])
            pieces.append(piece)
            length += len(piece.encode("utf-16-le", "surrogatepass")) // 2
            position = stop
            continue
        end = _tag_end(source, position)
        if end < 0:
            _fail(f"Unclosed start tag at byte offset {offset(position)}")
        if source.startswith("</", position):
            name = source[position + 2 : end].strip().lower()
            if not opened:
                _fail(f"Unexpected end tag at byte offset {offset(position)}")
            top = opened.pop()
            if name and name != top.tag:
                _fail(
                    f"Unmatched end tag at byte offset {offset(position)}, "
                    f'expected "</{top.tag}>", found "</{name}>"'
                )
            text = "".join(pieces).encode("utf-16-le", "surrogatepass")[2 * top.begin :]
            entity = _entity(top, length - top.begin, text.decode("utf-16-le", "surrogatepass"), opened)
            if entity is not None:
                entities.append((top.at, entity))
        else:
            opened.append(_start(source, position, end, length, offset(position)))
        position = end + 1
    if opened:
        _fail(f'Can\'t find end tag corresponding to start tag "{opened[-1].tag}"')
    entities.sort(key=lambda pair: pair[0])
    return "".join(pieces), [entity for _, entity in entities]


def _tag_end(source: str, begin: int) -> int:
    quote = ""
    for index in range(begin + 1, len(source)):
        character = source[index]
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'" and "=" in source[begin:index]:
            quote = character
        elif character == ">":
            return index
    return -1


def _start(source: str, begin: int, end: int, length: int, at: int) -> _Open:
    named = _TAG_NAME.match(source, begin + 1)
    tag = named.group().lower() if named else ""
    if tag not in _TYPES:
        _fail(f'Unsupported start tag "{tag}" at byte offset {at}')
    attributes = {
        match.group(1).lower(): _ENTITY.sub(_decoded, (match.group(2) or "").strip("\"'"))
        for match in _ATTRIBUTE.finditer(source, begin + 1 + len(tag), end)
    }
    if tag == "span" and attributes.get("class") != "tg-spoiler":
        _fail(f'Tag "span" must have class "tg-spoiler" at byte offset {at}')
    return _Open(tag, attributes, length, begin)


def _seconds(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() else 0


def _link(entity: Json, url: str) -> Json | None:
    user = _USER_LINK.match(url)
    if user:
        return {**entity, "type": "text_mention", "user": {"id": int(user.group(1))}}
    return {**entity, "url": url} if _ADDRESS.match(url) else None


def _entity(top: _Open, length: int, text: str, opened: list[_Open]) -> Json | None:
    if length == 0:
        return None
    kind = _TYPES[top.tag]
    entity: Json = {"type": kind, "offset": top.begin, "length": length}
    if kind == "text_link":
        return _link(entity, top.attributes.get("href") or text)
    if kind == "custom_emoji":
        entity["custom_emoji_id"] = top.attributes.get("emoji-id", "")
    elif kind == "date_time":
        entity["unix_time"] = _seconds(top.attributes.get("unix", ""))
        if top.attributes.get("format"):
            entity["date_time_format"] = top.attributes["format"]
    elif kind == "blockquote" and "expandable" in top.attributes:
        entity["type"] = "expandable_blockquote"
    elif kind == "code" and opened and opened[-1].tag == "pre":
        language = top.attributes.get("class", "")
        if language.startswith("language-"):
            opened[-1].attributes["language"] = language.removeprefix("language-")
        return None
    elif kind == "pre" and top.attributes.get("language"):
        entity["language"] = top.attributes["language"]
    return entity
