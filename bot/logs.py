"""Logging: one handler on standard error, as text or JSON, that never prints a secret, nor what people write.

Others' loggers print what they work on, and exceptions quote it: python-telegram-bot logs a whole batch of updates
that it cannot parse, `int` the text that is no number, PostgreSQL the row that breaks a rule.
"""

from __future__ import annotations

import json
import logging
import traceback
from base64 import b64encode
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote, urlsplit

from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

REDACTED: Final = "<secret>"

SHORTEST: Final = 4
"""A secret of fewer characters is in many a word: taking it out there would give it away."""

FIELDS: Final = ("update_id", "game_id", "chat_id", "method")
"""What a record may carry as `extra`; names and texts of people are never among them."""


PRIVATE: Final = "private"
"""What stands for a private chat, whose id is its person's: who is forgotten must not stay in a log."""

QUOTING_NOTHING: Final = (
    AttributeError,
    ImportError,
    NameError,
    OSError,
    RuntimeError,
    TypeError,
    StorageError,
)
"""Exceptions whose message is about the program or its machine; of others, only the kind is printed."""


def _is_private(chat: object) -> bool:
    """Whether a chat is a person's own."""
    return isinstance(chat, int) and chat > 0


def _without_content(record: logging.LogRecord) -> bool:
    """Take what it worked on out of another library's record; a filter, which lets all records pass."""
    library = record.name.partition(".")[0]
    if library == "telegram":
        record.args = ()  # what remains is the sentence, with its placeholders
    elif library == "asyncio":
        record.msg = record.getMessage().partition("\n")[0]  # behind it stand tasks with their exceptions
        record.args = ()
    return True


def _told(error: BaseException, *later: BaseException) -> Iterator[str]:
    """The lines of a traceback, with those of what the error came from first; `later` came from it."""
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
    """What is secret in a setting, in each form in which a library might write it."""
    if "://" not in secret:
        return {secret.partition(":")[2] or secret}  # of a token, what follows the bot's id
    user, _, password = urlsplit(secret).netloc.rpartition("@")[0].partition(":")
    plain = unquote(password)
    basic = b64encode(f"{unquote(user)}:{plain}".encode()).decode()
    return {password, plain, quote(plain), quote(plain, safe=""), basic} if plain else set()


class _Formatter(logging.Formatter):
    """Formats a record; removes secrets from what it says and from its traceback."""

    def __init__(self, secrets: Iterable[str], *, as_json: bool) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
        forms = {form for secret in secrets for form in _forms(secret) if len(form) >= SHORTEST}
        self._secrets = sorted(forms, key=len, reverse=True)  # one may be a part of another
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        context = {name: value for name in FIELDS if (value := getattr(record, name, None)) is not None}
        if _is_private(context.get("chat_id")):
            context["chat_id"] = PRIVATE
        if self._as_json:
            line = json.dumps(
                {
                    "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
                    "level": record.levelname,
                    "logger": record.name,
                    "message": self._redacted(record.getMessage()),
                    **context,
                    **(
                        {"exception": self._redacted(self.formatException(record.exc_info))}
                        if record.exc_info
                        else {}
                    ),
                },
                ensure_ascii=False,
            )
        else:
            line = self._redacted(super().format(record))
            if context:
                first, *rest = line.split("\n")
                words = " ".join(f"{name}={value}" for name, value in context.items())
                line = "\n".join([f"{first} ({words})", *rest])
        return line

    def _redacted(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, REDACTED)
        return text

    def formatException(  # noqa: N802 - the library's name
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        return "" if ei[1] is None else "".join(_told(ei[1])).rstrip()


def configure(level: str, style: str, secrets: Iterable[str] = ()) -> None:
    """Send all logs to standard error.

    Args:
        level: The least that is logged.
        style: "text" or "json".
        secrets: Settings that hold something secret: a token, a word, or a URL with a password.
    """
    handler = logging.StreamHandler()
    handler.addFilter(_without_content)
    handler.setFormatter(_Formatter(secrets, as_json=style == "json"))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    # Their chatter at INFO is about every request; the bot logs what matters itself.
    for name in ("aiohttp", "httpx", "httpcore", "hyper_util", "reqwest", "telegram", "alembic"):
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLevelName(level)))
