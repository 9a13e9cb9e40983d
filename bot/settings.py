"""The bot's settings, from the environment or `.env`; the README's table explains each."""

from __future__ import annotations

import re
from typing import Final, Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import SettingsConfigDict

from storage.settings import DatabaseSettings

TOKEN: Final = re.compile(r"[0-9]{1,20}:[A-Za-z0-9_-]{1,200}")


class Settings(DatabaseSettings):
    """Everything that a host can set; `.env` holds nothing else."""

    model_config = SettingsConfigDict(extra="forbid")

    bot_token: SecretStr | None = None
    bot_api_url: str = "https://api.telegram.org"
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    calls_per_second: int = Field(default=28, ge=0)
    edits_per_minute: int = Field(default=18, ge=0)

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

    @field_validator("log_level", mode="before")
    @classmethod
    def _in_any_case(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @field_validator("log_format", mode="before")
    @classmethod
    def _in_any_case_too(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value
