"""The bot's settings, from the environment or `.env`; the README's table explains each."""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal, Self, TypeAlias
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, SecretStr, field_validator, model_validator
from pydantic_settings import SettingsConfigDict

from bot.deadlines import DAY
from storage.settings import DatabaseSettings

TOKEN: Final = re.compile(r"[0-9]{1,20}:[A-Za-z0-9_-]{1,200}")

SECRET: Final = re.compile(r"[A-Za-z0-9_-]{1,256}")
"""What Telegram takes as a webhook's secret (Bot API, setWebhook)."""

TAKEN_PATHS: Final = ("/healthz", "/readyz", "/metrics")
"""Where the bot's own pages are, so that no webhook can be there."""


UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": DAY}


def _seconds(value: object) -> object:
    """Read a time such as `90`, `90s`, `15m`, `24h` or `3d` as seconds."""
    if isinstance(value, str) and (found := re.fullmatch(r"([0-9]{1,9})([smhd]?)", value.strip().lower())):
        return int(found[1]) * UNITS[found[2] or "s"]
    if isinstance(value, str):
        raise ValueError("it is not a time such as 90s, 15m, 24h or 3d")  # noqa: TRY004 - the value, not its type
    return value


Seconds: TypeAlias = Annotated[int, BeforeValidator(_seconds), Field(ge=1)]


class Settings(DatabaseSettings):
    """Everything that a host can set; `.env` holds nothing else."""

    model_config = SettingsConfigDict(extra="forbid")

    bot_token: SecretStr | None = None
    bot_api_url: str = "https://api.telegram.org"
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    calls_per_second: int = Field(default=28, ge=0)
    edits_per_minute: int = Field(default=18, ge=0)
    challenge_ttl: Seconds = DAY
    move_ttl: Seconds = 3 * DAY
    computer_ttl: Seconds = 30 * DAY
    webhook_url: str | None = None
    webhook_secret: SecretStr | None = None
    http_host: str = "127.0.0.1"
    http_port: int = Field(default=8081, ge=0, le=65535)

    @field_validator("bot_token")
    @classmethod
    def _looks_like_a_token(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not TOKEN.fullmatch(value.get_secret_value()):
            raise ValueError("it does not look like a bot token, which is digits, a colon and a long word")
        return value

    @field_validator("bot_api_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        if not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", value):
            raise ValueError("it is not an address such as https://api.telegram.org")
        return value.rstrip("/")

    @field_validator("webhook_url")
    @classmethod
    def _is_a_webhook(cls, value: str | None) -> str | None:
        if value is None:
            return None
        if not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", value):
            raise ValueError("it is not an address such as https://oxo.example.org/webhook")
        if urlsplit(value).path in TAKEN_PATHS:
            raise ValueError(f"its path is one of the bot's own pages: {', '.join(TAKEN_PATHS)}")
        return value

    @field_validator("webhook_secret")
    @classmethod
    def _is_a_secret(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not SECRET.fullmatch(value.get_secret_value()):
            raise ValueError("it must be 1 to 256 of the characters A-Z a-z 0-9 _ -")
        return value

    @model_validator(mode="after")
    def _webhook_has_a_secret(self) -> Self:
        if self.webhook_url is not None and self.webhook_secret is None:
            raise ValueError("WEBHOOK_URL needs WEBHOOK_SECRET, or anybody could pretend to be Telegram")
        return self

    @field_validator("log_level", mode="before")
    @classmethod
    def _in_any_case(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @field_validator("log_format", mode="before")
    @classmethod
    def _in_any_case_too(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value
