"""Logging: one handler on standard error, as text or JSON, that never prints secrets or what people write.

Other libraries' log lines and exceptions quote what they work on: python-telegram-bot logs a whole batch of
updates it can't parse, `int` the text that is no number, PostgreSQL the row that violates a constraint.
"""

import json
import logging
import sys
import traceback
from base64 import b64encode
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Final, TextIO
from urllib.parse import quote, unquote

from storage.errors import StorageError

REDACTED: Final = "<secret>"

SHORTEST: Final = 4
"""Shorter secrets aren't removed: they occur in ordinary words, and removing them there would give them away."""

FIELDS: Final = ("update_id", "game_id", "chat_id", "method")
"""The fields that a record may carry as `extra`; never names or texts of people."""


PRIVATE: Final = "private"
"""Printed for a private chat, whose id is its person's, as no log may keep somebody who was deleted."""

QUOTING_NOTHING: Final = (
    AttributeError,
    ImportError,
    NameError,
    OSError,
    RuntimeError,
    TypeError,
    StorageError,
)
"""Exceptions whose message is about the program or its machine; of any other, only the type is printed."""


def _is_private(chat: object) -> bool:
    return isinstance(chat, int) and chat > 0


def _without_content(record: logging.LogRecord) -> bool:
    """A logging filter that removes quoted data from another library's record, and lets all records pass."""
    library = record.name.partition(".")[0]
    if library == "telegram":
        record.args = ()  # the sentence remains, with its placeholders
    elif library == "asyncio":
        record.msg = record.getMessage().partition("\n")[0]  # the lines below have tasks with exceptions
        record.args = ()
    return True


def _told(error: BaseException, *later: BaseException) -> Iterator[str]:
    """The lines of a traceback, causes first; `later` are the lines of what this error led to."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    for other in (before, *(error.exceptions if isinstance(error, BaseExceptionGroup) else ())):
        if other is not None and other not in later:
            yield from _told(other, error, *later)
            yield "\nwhich led to\n\n"
    yield "Traceback (most recent call last):\n"
    yield from traceback.format_tb(error.__traceback__)
    yield type(error).__qualname__
    yield f": {error}\n" if isinstance(error, QUOTING_NOTHING) else "\n"


def _forms(secret: str) -> set[str]:
    """The secrets in a setting, in every form in which a library might write them."""
    if "://" not in secret:
        return {secret.partition(":")[2] or secret}  # the part of a token after the bot's id
    user, _, password = secret.partition("://")[2].rpartition("@")[0].partition(":")
    plain = unquote(password)
    basic = b64encode(f"{unquote(user)}:{plain}".encode()).decode()
    return {password, plain, quote(plain), quote(plain, safe=""), basic} if plain else set()


class _Formatter(logging.Formatter):
    """Formats a record, and removes secrets from its message and its traceback."""

    def __init__(self, secrets: Iterable[str], *, as_json: bool) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
        forms = {form for secret in secrets for form in _forms(secret) if len(form) >= SHORTEST}
        self._secrets = sorted(forms, key=len, reverse=True)  # longest first, as one may be part of another
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        context = {name: value for name in FIELDS if (value := getattr(record, name, None)) is not None}
        if _is_private(context.get("chat_id")):
            context["chat_id"] = PRIVATE
        if self._as_json:
            fields = {
                "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
                "level": record.levelname,
                "logger": record.name,
                "message": self._redacted(record.getMessage()),
                **context,
            }
            if record.exc_info:
                fields["exception"] = self._redacted(self.formatException(record.exc_info))
            return json.dumps(fields, ensure_ascii=False)
        first, *rest = self._redacted(super().format(record)).split("\n")
        words = " ".join(f"{name}={value}" for name, value in context.items())
        return "\n".join([f"{first} ({words})" if words else first, *rest])

    def _redacted(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, REDACTED)
        return text

    def formatException(  # noqa: N802 - the library's name
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        return "" if ei[1] is None else "".join(_told(ei[1])).rstrip()


def writing(stream: TextIO, style: str, secrets: Iterable[str] = ()) -> logging.Handler:
    """What writes logs into a stream, as "text" or "json", without the secrets."""
    handler = logging.StreamHandler(stream)
    handler.addFilter(_without_content)
    handler.setFormatter(_Formatter(secrets, as_json=style == "json"))
    return handler


def configure(level: str, style: str, secrets: Iterable[str] = ()) -> None:
    """Send all logs from this level on to standard error, as "text" or "json", without the secrets."""
    logging.basicConfig(level=level, handlers=[writing(sys.stderr, style, secrets)], force=True)
    # At INFO they log every request; the bot itself logs what matters.
    for name in ("aiohttp", "httpx", "httpcore", "hyper_util", "reqwest", "telegram", "alembic"):
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLevelName(level)))
