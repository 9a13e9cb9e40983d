"""The bot's settings, from the environment or `.env`; docs/hosting.md explains each."""

import os
import re
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Self
from urllib.parse import urlsplit

from bot.language import LANGUAGES
from bot.network.proxies import is_direct, proxy_address
from storage.columns import DAY
from storage.settings import DatabaseSettings, Secret, SettingsError, setting

ADDRESS: Final = re.compile(r"https?://[^\s/?#]+(/[^\s?#]*)?")

TAKEN_PATHS: Final = ("/healthz", "/readyz", "/metrics")
"""The paths of the bot's own pages, where no webhook can be."""

SHARED_SETTINGS: Final = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
"""Settings that other programs use, too."""

UNITS: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": DAY}


def _seconds(text: str) -> int:
    """Read a time such as `90`, `90s`, `15m`, `24h` or `3d` as seconds."""
    match = re.fullmatch(r"([0-9]{1,9})([smhd]?)", text.strip().lower())
    if match is None or not int(match[1]):
        raise ValueError("it is not a time such as 90s, 15m, 24h or 3d")
    return int(match[1]) * UNITS[match[2]]


def _days(text: str) -> int:
    if not re.fullmatch("[0-9]{1,5}d?", text.strip()) or not int(text.strip().removesuffix("d")):
        raise ValueError("it is not a number of days, such as 365")
    return int(text.strip().removesuffix("d"))


def _number(most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not re.fullmatch("[0-9]{1,12}", text.strip()) or int(text) > most:
            raise ValueError(f"it is not a whole number from 0 to {most}")
        return int(text)

    return read


def _matching(form: str, complaint: str) -> Callable[[str], str]:
    """Refuse what doesn't have this form as a whole."""

    def read(text: str) -> str:
        if not re.fullmatch(form, text):
            raise ValueError(complaint)
        return text

    return read


def _secret(read: Callable[[str], str]) -> Callable[[str], Secret]:
    return lambda text: Secret(read(text))


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        for word in words:
            if word.lower() == text.lower():
                return word
        raise ValueError(f"it is not one of {', '.join(words)}")

    return read


def _api(text: str) -> str:
    if not ADDRESS.fullmatch(text) or not text.isascii() or not _has_host(text):
        raise ValueError("it is not an address such as https://api.telegram.org")
    if "@" in urlsplit(text).netloc:
        raise ValueError("a user and a password in it would not be sent")
    if re.search("[{}]", urlsplit(text).netloc + urlsplit(text).path.replace("{token}", "")):
        raise ValueError("the only braces it may have are those of {token} in its path")
    return text.rstrip("/")


def _has_host(address: str) -> bool:
    """Whether an address names a host, and no impossible port."""
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


def _environment_proxy(text: str) -> str:
    """Read a proxy variable that other programs use, too: an address without a scheme is an HTTP proxy's."""
    return proxy_address(text if "://" in text else f"http://{text.strip()}")


# What Telegram accepts (Bot API, setWebhook).
_secret_word = _matching("[A-Za-z0-9_-]{1,256}", "it must be 1 to 256 of the characters A-Z a-z 0-9 _ -")
_token = _matching(
    "[0-9]{1,20}:[A-Za-z0-9_-]{1,200}",
    "it does not look like a bot token, which is digits, a colon and a long word",
)
_host = _matching("[A-Za-z0-9.:%_-]+", "it is not an address of this machine, such as 0.0.0.0 or ::1")


@dataclass(frozen=True, kw_only=True)
class Settings(DatabaseSettings):
    """All settings of a host."""

    alone: ClassVar[bool] = True

    bot_token: Secret | None = setting(_secret(_token))
    bot_api_url: str = setting(_api, "https://api.telegram.org")
    proxy_url: Secret | None = setting(_secret(proxy_address))
    http_proxy: Secret | None = setting(_secret(_environment_proxy))
    https_proxy: Secret | None = setting(_secret(_environment_proxy))
    all_proxy: Secret | None = setting(_secret(_environment_proxy))
    no_proxy: str | None = setting(str)
    log_level: str = setting(_one_of("DEBUG", "INFO", "WARNING", "ERROR"), "INFO")
    log_format: str = setting(_one_of("text", "json"), "text")
    default_language: str = setting(_one_of(*LANGUAGES), "en")
    calls_per_second: int = setting(_number(10**9), 0)
    edits_per_minute: int | None = setting(_number(10**9))
    challenge_ttl: int = setting(_seconds, DAY)
    move_ttl: int = setting(_seconds, 3 * DAY)
    computer_ttl: int = setting(_seconds, 30 * DAY)
    retention_days: int | None = setting(_days)
    group_retention_days: int = setting(_days, 30)
    webhook_url: str | None = setting(_webhook)
    webhook_secret: Secret | None = setting(_secret(_secret_word))
    http_host: str = setting(_host, "127.0.0.1")
    http_port: int = setting(_number(65535), 8081)

    @property
    def proxy(self) -> Secret | None:
        if self.proxy_url is not None:
            return self.proxy_url
        if is_direct(self.bot_api_url, self.no_proxy or ""):
            return None
        of_scheme = self.https_proxy if self.bot_api_url.startswith("https:") else self.http_proxy
        return of_scheme or self.all_proxy

    @property
    def takes_port_of_api(self) -> bool:
        """Whether the bot's own web server and a Bot API server on this machine would share a port."""
        api = urlsplit(self.bot_api_url)
        port = api.port or (443 if api.scheme == "https" else 80)
        return port == self.http_port and is_direct(self.bot_api_url, "")

    @property
    def secrets(self) -> list[str]:
        """The settings that contain secrets, which no log may show."""
        values = [getattr(self, each.name) for each in self.fields().values()]
        return [value.text for value in values if isinstance(value, Secret)]

    @classmethod
    def of(cls, written: Mapping[str, str]) -> Self:
        if written.get("PROXY_URL"):
            written = {name: text for name, text in written.items() if name not in SHARED_SETTINGS}
        settings = super().of(written)
        if settings.webhook_url is not None and settings.webhook_secret is None:
            raise SettingsError("WEBHOOK_URL needs WEBHOOK_SECRET, or anybody could pretend to be Telegram.")
        return settings

    @classmethod
    def read(cls) -> Self:
        if certificates := os.environ.get("SSL_CERT_FILE"):
            try:
                ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(certificates)
            except OSError:
                raise SettingsError("SSL_CERT_FILE is not a readable file of certificates.") from None
        return super().read()
