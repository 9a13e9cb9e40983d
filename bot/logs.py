"""Logging: one handler on standard error, as text or JSON, that never prints the token, nor what people write.

Others' loggers print what they work on, and exceptions quote it: python-telegram-bot logs a whole batch of updates
that it cannot parse, `int` the text that is no number, PostgreSQL the row that breaks a rule.
"""

from __future__ import annotations

import json
import logging
import traceback
from typing import TYPE_CHECKING, Final

from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

REDACTED: Final = "<token>"

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


class _Formatter(logging.Formatter):
    """Formats a record; removes the secret from the finished line, so from tracebacks and URLs too."""

    def __init__(self, secret: str | None, *, as_json: bool) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
        self._secret = secret
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
                    "message": record.getMessage(),
                    **context,
                    **({"exception": self.formatException(record.exc_info)} if record.exc_info else {}),
                },
                ensure_ascii=False,
            )
        else:
            line = super().format(record)
            if context:
                first, *rest = line.split("\n")
                words = " ".join(f"{name}={value}" for name, value in context.items())
                line = "\n".join([f"{first} ({words})", *rest])
        return line.replace(self._secret, REDACTED) if self._secret else line

    def formatException(  # noqa: N802 - the library's name
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        return "" if ei[1] is None else "".join(_told(ei[1])).rstrip()


def configure(level: str, style: str, token: str | None = None) -> None:
    """Send all logs to standard error; `style` is text or json."""
    handler = logging.StreamHandler()
    secret = token.partition(":")[2] if token else None
    handler.addFilter(_without_content)
    handler.setFormatter(_Formatter(secret, as_json=style == "json"))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    # Their chatter at INFO is about every request; the bot logs what matters itself.
    for name in ("httpx", "httpcore", "telegram", "alembic"):
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLevelName(level)))
