"""What Telegram marks in a text by itself: mentions, commands, tags, addresses, e-mails and phone numbers.

The patterns are those of TDLib (MessageEntity.cpp), slightly simplified, except for phone numbers: only Telegram's
servers find them, and nobody says how.
"""

import re

from playground.errors import Json

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
ENTITY_KINDS = frozenset(_PATTERNS)
_COMPILED = {kind: re.compile(pattern) for kind, pattern in _PATTERNS.items()}
_SIGN = re.compile(r"[/@.#$:]|\d{3}")


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
