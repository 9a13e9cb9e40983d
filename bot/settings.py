"""The bot's settings, from the environment or `.env`; the README's table explains each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final
from urllib.parse import urlsplit

from bot.game.time_limits import DAY_SECONDS
from bot.views.rights import DEFAULT_GROUP_DAYS
from storage.settings import DatabaseSettings, SettingsError, setting

if TYPE_CHECKING:
    from collections.abc import Callable

TOKEN: Final = re.compile(r"[0-9]{1,20}:[A-Za-z0-9_-]{1,200}")

SECRET: Final = re.compile(r"[A-Za-z0-9_-]{1,256}")
"""What Telegram takes as a webhook's secret (Bot API, setWebhook)."""

ADDRESS: Final = re.compile(r"https?://[^\s/?#]+(/[^\s?#]*)?")

TAKEN_PATHS: Final = ("/healthz", "/readyz", "/metrics")
"""Where the bot's own pages are, so that no webhook can be there."""

UNITS: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": DAY_SECONDS}


def _seconds(text: str) -> int:
    """Read a time such as `90`, `90s`, `15m`, `24h` or `3d` as seconds."""
    found = re.fullmatch(r"([0-9]{1,9})([smhd]?)", text.strip().lower())
    if found is None or not int(found[1]):
        raise ValueError("it is not a time such as 90s, 15m, 24h or 3d")
    return int(found[1]) * UNITS[found[2]]


def _days(text: str) -> int:
    if not re.fullmatch("[0-9]{1,5}d?", text.strip()) or not int(text.strip().removesuffix("d")):
        raise ValueError("it is not a number of days, such as 365")
    return int(text.strip().removesuffix("d"))


def _number(highest: int = 10**9) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not re.fullmatch("[0-9]{1,10}", text.strip()) or int(text) > highest:
            raise ValueError(f"it is not a whole number from 0 to {highest}")
        return int(text)

    return read


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        for word in words:
            if word.lower() == text.lower():
                return word
        raise ValueError(f"it is none of {', '.join(words)}")

    return read


def _token(text: str) -> str:
    if not TOKEN.fullmatch(text):
        raise ValueError("it does not look like a bot token, which is digits, a colon and a long word")
    return text


def _api(text: str) -> str:
    if not ADDRESS.fullmatch(text) or not text.isascii() or not _has_host(text):
        raise ValueError("it is not an address such as https://api.telegram.org")
    if "@" in urlsplit(text).netloc:
        raise ValueError("a user and a password in it would not be sent")
    return text.rstrip("/")


def _has_host(address: str) -> bool:
    """Whether an address names a host, and no port that there cannot be."""
    try:
        parts = urlsplit(address)
        return bool(parts.hostname and all(parts.hostname.removesuffix(".").split("."))) and parts.port != 0
    except ValueError:
        return False


def _webhook(text: str) -> str:
    if not ADDRESS.fullmatch(text):
        raise ValueError("it is not an address such as https://oxo.example.org/webhook")
    if urlsplit(text).path in TAKEN_PATHS:
        raise ValueError(f"its path is one of the bot's own pages: {', '.join(TAKEN_PATHS)}")
    return text


def _secret(text: str) -> str:
    if not SECRET.fullmatch(text):
        raise ValueError("it must be 1 to 256 of the characters A-Z a-z 0-9 _ -")
    return text


@dataclass(frozen=True, kw_only=True)
class Settings(DatabaseSettings):
    """Everything that a host can set; `.env` holds nothing else."""

    FILE_IS_OURS: ClassVar = True

    bot_token: str | None = setting(_token, None, secret=True)
    bot_api_url: str = setting(_api, "https://api.telegram.org")
    log_level: str = setting(_one_of("DEBUG", "INFO", "WARNING", "ERROR"), "INFO")
    log_format: str = setting(_one_of("text", "json"), "text")
    calls_per_second: int = setting(_number(), 0)
    edits_per_minute: int | None = setting(_number(), None)
    challenge_ttl: int = setting(_seconds, DAY_SECONDS)
    move_ttl: int = setting(_seconds, 3 * DAY_SECONDS)
    computer_ttl: int = setting(_seconds, 30 * DAY_SECONDS)
    retention_days: int | None = setting(_days, None)
    group_retention_days: int = setting(_days, DEFAULT_GROUP_DAYS)
    webhook_url: str | None = setting(_webhook, None)
    webhook_secret: str | None = setting(_secret, None, secret=True)
    http_host: str = setting(str, "127.0.0.1")
    http_port: int = setting(_number(65535), 8081)

    def __post_init__(self) -> None:
        if self.webhook_url is not None and self.webhook_secret is None:
            raise SettingsError("WEBHOOK_URL needs WEBHOOK_SECRET, or anybody could pretend to be Telegram.")
