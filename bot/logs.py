"""Logging: one handler on standard error, as text or JSON, that can never print the bot's token."""

from __future__ import annotations

import json
import logging
from typing import Final

REDACTED: Final = "<token>"

FIELDS: Final = ("update_id", "game_id", "chat_id", "method")
"""What a record may carry as `extra`; names and texts of people are never among them."""


class _Formatter(logging.Formatter):
    """Formats a record; removes the secret from the finished line, so from tracebacks and URLs too."""

    def __init__(self, secret: str | None, *, as_json: bool) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
        self._secret = secret
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        context = {name: value for name in FIELDS if (value := getattr(record, name, None)) is not None}
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


def configure(level: str, style: str, token: str | None = None) -> None:
    """Send all logs to standard error; `style` is text or json."""
    handler = logging.StreamHandler()
    secret = token.partition(":")[2] if token else None
    handler.setFormatter(_Formatter(secret, as_json=style == "json"))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    # Their chatter at INFO is about every request; the bot logs what matters itself.
    for name in ("httpx", "httpcore", "aiohttp.access", "telegram", "alembic", "uvicorn"):
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLevelName(level)))
