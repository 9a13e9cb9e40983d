"""Text as Telegram keeps it: parsed, cleaned, trimmed, measured in UTF-16 units, with its entities.

The markup is HTML (Bot API, formatting options), and of that only tags without attributes, links and times. What
Telegram marks by itself (mentions, commands, tags, addresses, e-mails, phone numbers) is found by the patterns of
TDLib (MessageEntity.cpp), slightly simplified, except for phone numbers: only Telegram's servers find them, and
nobody says how.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NoReturn

from playground.accounts import User
from playground.errors import Json, bad_request

MAXIMUM_LENGTH = 4096
"""Characters of a message after parsing (Bot API, sendMessage)."""
_MAXIMUM_INPUT = 1 << 15
_MAXIMUM_ENTITIES = 100

_TAGS = {
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
    "tg-time": "date_time",
}
_GIVEN = {"a": {"href"}, "tg-time": {"unix", "format"}}
"""The attributes of a tag."""
_TOKEN = re.compile(
    r"""[^<]+|<(?P<tag>[a-z-]+)(?P<given>(?:\s+[a-z]+=(?:"[^"]*"|'[^']*'))*)\s*>|</(?P<end>[a-z-]*)\s*>|<""",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([a-z]+)=(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_TIME_FORMAT = re.compile(r"r|w?[dD]?[tT]?")
_REFERENCE = re.compile(r"&(?:#(\d{1,8})|#x([0-9a-fA-F]{1,8})|(lt|gt|amp|quot));?")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_MAXIMUM_CODE_POINT = 0x10FFFF
_ADDRESS = re.compile(r"(?:https?|tg|ton)://\S+$|[\w-]+(?:\.[\w-]+)+\S*$")
_USER_LINK = re.compile(r"tg://user\?id=(\d+)$")

# TDLib drops line and paragraph separators and the directional embeddings, but not the isolates (misc.cpp).
_DROPPED = re.compile("[\r\u030a\u0333\u033f\u2028-\u202e]")
_MARKS = re.compile("[\u200e\u200f](?=[\u200e\u200f])")
"""Marks of direction before another, which become joiners."""
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f]")
_AROUND_OTHERS = frozenset({"bold", "italic", "underline", "strikethrough", "spoiler", "blockquote"})
"""Entities in which Telegram still marks commands, mentions and addresses."""

_TAGGED = r"\w\u200c\u00b7\u0d80-\u0dff"
_ENDINGS = (
    "ae|ai|app|ar|at|au|biz|br|ca|ch|club|cn|co|com|cz|de|dev|edu|es|eu|fi|fr|gg|gov|id|in|info|int|io|ir|it|jp|kr|"
    "link|live|ly|me|mx|net|nl|no|online|org|pl|pro|pt|ru|sa|se|shop|site|store|to|ton|top|tr|tv|tw|ua|uk|us|xyz|"
    "рф|рус|ایران|भारत|中国"
)
"""Top-level domains by which an address is known that has no scheme; TDLib's own list is longer."""
_LABEL = r"[^\W_][\w-]*"
_PATH = r"(?::\d+)?(?:[/?#](?:[^\s<>\"]*[^\s<>\".,;:!?)])?)?"
_PATTERNS = {
    "bot_command": r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/<>])",
    "mention": r"(?<!\w)@(?:[A-Za-z0-9_]{4,32}|gif|pic|vid)(?!\w)",
    "hashtag": rf"(?<![{_TAGGED}])#(?=[{_TAGGED}]*[^\W\d_])[{_TAGGED}]{{1,256}}(?![{_TAGGED}]*\#)",
    "cashtag": rf"(?<![{_TAGGED}$])\$(?:1INCH|[A-Z]{{1,8}})(?![{_TAGGED}$])",
    "email": (
        r"(?<![\w.+@-])(?:[A-Za-z0-9_-]{0,26}[.+]){0,10}[A-Za-z0-9_-]{1,35}"
        r"@(?:[A-Za-z0-9](?:[A-Za-z0-9_-]{0,28}[A-Za-z0-9])?\.){1,6}[A-Za-z]{2,8}(?![\w-])"
    ),
    "phone_number": r"(?<![\w+.-])(?:\+\d(?:[ ().-]{0,2}\d){6,14}|\d(?:[ ().-]{0,2}\d){9,14})(?![\w:])",
    "url": (
        r"(?<!\w)(?:(?i:https?|ftp)://[^\s<>\"]+[^\s<>\".,;:!?)]|(?i:tg|ton|tonsite)://[\w-]+(?:[/?#][^\s<>\"]*)?)"
        rf"|(?<![\w@/#.:-])(?:(?:{_LABEL}\.)+(?i:{_ENDINGS})|(?:\d{{1,3}}\.){{3}}\d{{1,3}})(?![\w@-]|\.\w){_PATH}"
    ),
}
_COMPILED = {kind: re.compile(pattern) for kind, pattern in _PATTERNS.items()}
_SIGN = re.compile(r"[/@.#$:]|\d{3}")


Users = Callable[[int], User | None]
"""Finds the account of an id."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text with its entities, whose offsets and lengths count UTF-16 units."""

    text: str
    entities: list[Json] = field(default_factory=list)


def utf16_length(text: str) -> int:
    """The length of a text as Telegram counts it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def detect(text: str) -> list[Json]:
    """What Telegram marks in a text, from left to right; of two that overlap, the one that begins first."""
    if not _SIGN.search(text):
        return []
    found = [(match, kind) for kind, pattern in _COMPILED.items() for match in pattern.finditer(text)]
    entities, end = [], 0
    for match, kind in sorted(found, key=lambda each: (each[0].start(), -each[0].end())):
        if match.start() >= end:
            offset = utf16_length(text[: match.start()])
            entities.append({"type": kind, "offset": offset, "length": utf16_length(match.group())})
            end = match.end()
    return entities


def clean(text: str) -> str:
    """The text without what Telegram takes out: separators, embeddings, control characters, rings above."""
    return _MARKS.sub("\u200c", _CONTROL.sub(" ", _DROPPED.sub("", text)))


def typed(text: str) -> Text:
    """What becomes of a text that somebody types."""
    plain = clean(text).strip()
    return Text(plain, detect(plain))


@dataclass(frozen=True, slots=True)
class _Open:
    tag: str
    given: dict[str, str]
    begin: int
    place: int
    """Where its entity belongs: what begins earlier comes first."""


def parse_html(source: str, users: Users) -> tuple[str, list[Json]]:
    """The clean text and the entities of an HTML text, not yet trimmed."""
    text = ""
    entities: list[Json | None] = []
    opened: list[_Open] = []
    for token in _TOKEN.finditer(source):
        if token["tag"] is not None:
            tag = token["tag"].lower()
            given = {
                name.lower(): _decoded(one or other) for name, one, other in _ATTRIBUTE.findall(token["given"])
            }
            if tag not in _TAGS:
                _fail(f'Unsupported start tag "{tag}"')
            if given.keys() - _GIVEN.get(tag, set()):
                _fail("Unsupported or unclosed start tag")
            opened.append(_Open(tag, given, len(text), len(entities)))
            entities.append(None)
        elif token["end"] is not None:
            if not opened:
                _fail("Unexpected end tag")
            top, name = opened.pop(), token["end"].lower()
            if name not in {"", top.tag}:
                _fail(f'Unmatched end tag, expected "</{top.tag}>", found "</{name}>"')
            entities[top.place] = _entity(top, opened, text, users)
        elif token.group() == "<":
            _fail("Unsupported or unclosed start tag")
        else:
            text += clean(_decoded(token.group()))
    if opened:
        _fail(f'Can\'t find end tag corresponding to start tag "{opened[-1].tag}"')
    return text, [entity for entity in entities if entity is not None]


def _fail(reason: str) -> NoReturn:
    raise bad_request(f"can't parse entities: {reason}")


def _decoded(source: str) -> str:
    def character(match: re.Match[str]) -> str:
        decimal, hexadecimal, name = match.groups()
        if name:
            return _NAMED[name]
        code = int(decimal) if decimal else int(hexadecimal, 16)
        return chr(code) if 0 < code <= _MAXIMUM_CODE_POINT else match.group()

    return _REFERENCE.sub(character, source)


def _entity(top: _Open, around: list[_Open], text: str, users: Users) -> Json | None:
    marked = text[top.begin :]
    if not marked or (top.tag == "code" and around and around[-1].tag == "pre"):
        return None
    entity = {"type": _TAGS[top.tag], "offset": utf16_length(text[: top.begin]), "length": utf16_length(marked)}
    if top.tag == "tg-time":
        unix, form = top.given.get("unix", ""), top.given.get("format", "")
        if not unix.isdecimal() or not _TIME_FORMAT.fullmatch(form):
            _fail("Invalid date-time")
        return {**entity, "unix_time": int(unix), "date_time_format": form}
    if top.tag != "a":
        return entity
    url = top.given.get("href") or marked
    user = _USER_LINK.match(url)
    if user:
        known = users(int(user.group(1)))
        return None if known is None else {**entity, "type": "text_mention", "user": known.as_json()}
    return {**entity, "url": url} if _ADDRESS.match(url) else None


def with_mentions(text: str, mentions: list[Json], users: Users) -> list[Json]:
    """The entities of a text in which a person names others by their account, as those without a username are.

    A mention is `{"offset", "length", "user"}` with a user's id, of which `users` finds the account.
    """
    given = [_checked({**mention, "type": "text_mention"}, text) for mention in mentions]
    named = [{**entity, "user": user.as_json()} for entity in given if (user := users(entity["user"])) is not None]
    return sorted(_merged(named, detect(text)), key=lambda entity: entity["offset"])


def formatted(text: str, parse_mode: str, users: Users) -> Text:
    """The text of a message that the bot sends, perhaps marked up as HTML, the one parse mode known here.

    `users` finds the account of an id; mentions of people whom it does not find vanish.
    """
    if not text:
        raise bad_request("message text is empty")
    if len(text.encode("utf-8", "replace")) > _MAXIMUM_INPUT:
        raise bad_request("message is too long")
    if parse_mode.lower() not in {"", "html"}:
        raise bad_request("unsupported parse_mode: the playground only knows HTML")
    plain, marked = parse_html(text, users) if parse_mode else (clean(text), [])
    result = _trimmed(clean(plain), marked)  # again, as marks around a tag are side by side now
    if not result.text:
        raise bad_request("text must be non-empty")
    if utf16_length(result.text) > MAXIMUM_LENGTH:
        raise bad_request("message is too long")
    return result


def _checked(mention: Json, text: str) -> Json:
    offset, length = mention.get("offset"), mention.get("length")
    if type(offset) is not int or type(length) is not int:
        raise ValueError("A mention has an offset and a length.")
    if length <= 0 or not 0 <= offset <= utf16_length(text) - length:
        raise ValueError("A mention must be within its text.")
    return mention


def _trimmed(plain: str, entities: list[Json]) -> Text:
    body = plain.strip()
    end = utf16_length(body)
    skipped = utf16_length(plain[: len(plain) - len(plain.lstrip())])
    kept = []
    for entity in entities:
        start = max(entity["offset"] - skipped, 0)
        stop = min(entity["offset"] + entity["length"] - skipped, end)
        if stop > start:
            kept.append({**entity, "offset": start, "length": stop - start})
    kept = _merged(kept, detect(body))
    kept.sort(key=lambda entity: (entity["offset"], -entity["length"]))
    return Text(body, kept[:_MAXIMUM_ENTITIES])


def _merged(given: list[Json], found: list[Json]) -> list[Json]:
    """Given entities with the found ones among them, as TDLib merges them (MessageEntity.cpp, merge_new_entities).

    What is found within a link, code or the like is none; what sticks out of bold text and its like splits that.
    """
    entities = given
    for new in found:
        first, last = new["offset"], new["offset"] + new["length"]
        closed = (entity for entity in entities if entity["type"] not in _AROUND_OTHERS)
        if any(entity["offset"] < last and first < entity["offset"] + entity["length"] for entity in closed):
            continue
        entities = [part for entity in entities for part in _split(entity, first, last)]
        entities.append(new)
    return entities


def _split(entity: Json, first: int, last: int) -> list[Json]:
    start, stop = entity["offset"], entity["offset"] + entity["length"]
    if start < first < stop < last:
        cut = first
    elif first < start < last < stop:
        cut = last
    else:
        return [entity]
    return [{**entity, "length": cut - start}, {**entity, "offset": cut, "length": stop - cut}]
