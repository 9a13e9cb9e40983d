"""The bot's settings, from the environment or `.env`; docs/hosting.md explains each."""

import os
import re
import ssl
from collections.abc import Callable
from typing import Annotated, Any, Final, Self, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, model_validator
from pydantic_settings import SettingsConfigDict

from bot.context.services import DEFAULT_GROUP_DAYS
from bot.language import LANGUAGES
from bot.network.proxies import is_direct, proxy_address
from storage.columns import DAY
from storage.settings import DatabaseSettings

S = TypeVar("S", str, SecretStr)

ADDRESS: Final = re.compile(r"https?://[^\s/?#]+(/[^\s?#]*)?")

TAKEN_PATHS: Final = ("/healthz", "/readyz", "/metrics")
"""The paths of the bot's own pages, where no webhook can be."""

SHARED_SETTINGS: Final = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
"""Settings that other programs use, too: their names are often in small letters, and those then win."""

UNITS: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": DAY}


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


def _matching(form: str, complaint: str) -> AfterValidator:
    """Refuse a setting, which may be a secret, that doesn't have this form as a whole."""

    def check(setting: S) -> S:
        text = setting.get_secret_value() if isinstance(setting, SecretStr) else setting
        if not re.fullmatch(form, text):
            raise ValueError(complaint)
        return setting

    return AfterValidator(check)


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


def _proxy(secret: SecretStr) -> SecretStr:
    return SecretStr(proxy_address(secret.get_secret_value()))


def _environment_proxy(secret: SecretStr) -> SecretStr:
    """Read a proxy variable that other programs use, too: an address without a scheme is an HTTP proxy's."""
    text = secret.get_secret_value().strip()
    return SecretStr(proxy_address(text if "://" in text else f"http://{text}"))


Api = Annotated[str, AfterValidator(_api)]
Days = Annotated[int, BeforeValidator(_days)]
EnvironmentProxy = Annotated[SecretStr, AfterValidator(_environment_proxy)]
Host = Annotated[
    str, _matching("[A-Za-z0-9.:%_-]+", "it is not an address of this machine, such as 0.0.0.0 or ::1")
]
Number = Annotated[int, Field(ge=0, le=10**9)]
Port = Annotated[int, Field(ge=0, le=65535)]
Proxy = Annotated[SecretStr, AfterValidator(_proxy)]
# What Telegram accepts (Bot API, setWebhook).
Secret = Annotated[
    SecretStr, _matching("[A-Za-z0-9_-]{1,256}", "it must be 1 to 256 of the characters A-Z a-z 0-9 _ -")
]
Seconds = Annotated[int, BeforeValidator(_seconds)]
Token = Annotated[
    SecretStr,
    _matching(
        "[0-9]{1,20}:[A-Za-z0-9_-]{1,200}",
        "it does not look like a bot token, which is digits, a colon and a long word",
    ),
]
WebhookUrl = Annotated[str, AfterValidator(_webhook)]


class Settings(DatabaseSettings):
    """All settings of a host; `.env` may hold nothing else."""

    model_config = SettingsConfigDict(extra="forbid")

    bot_token: Token | None = None
    bot_api_url: Api = "https://api.telegram.org"
    proxy_url: Proxy | None = None
    http_proxy: EnvironmentProxy | None = None
    https_proxy: EnvironmentProxy | None = None
    all_proxy: EnvironmentProxy | None = None
    no_proxy: str | None = None
    log_level: Annotated[str, AfterValidator(_one_of("DEBUG", "INFO", "WARNING", "ERROR"))] = "INFO"
    log_format: Annotated[str, AfterValidator(_one_of("text", "json"))] = "text"
    default_language: Annotated[str, AfterValidator(_one_of(*LANGUAGES))] = "en"
    calls_per_second: Number = 0
    edits_per_minute: Number | None = None
    challenge_ttl: Seconds = DAY
    move_ttl: Seconds = 3 * DAY
    computer_ttl: Seconds = 30 * DAY
    retention_days: Days | None = None
    group_retention_days: Days = DEFAULT_GROUP_DAYS
    webhook_url: WebhookUrl | None = None
    webhook_secret: Secret | None = None
    http_host: Host = "127.0.0.1"
    http_port: Port = 8081

    @property
    def proxy(self) -> SecretStr | None:
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
        values = [getattr(self, name) for name in type(self).model_fields]
        return [value.get_secret_value() for value in values if isinstance(value, SecretStr)]

    @model_validator(mode="before")
    @classmethod
    def _choose_among_proxies(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Drop the environment's proxies if PROXY_URL is set; otherwise prefer names in small letters."""
        if given.get("proxy_url"):
            return {name: text for name, text in given.items() if name not in SHARED_SETTINGS}
        return given | {name: text for name in SHARED_SETTINGS if (text := os.environ.get(name))}

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        if self.webhook_url is not None and self.webhook_secret is None:
            raise ValueError("WEBHOOK_URL needs WEBHOOK_SECRET, or anybody could pretend to be Telegram.")
        if certificates := os.environ.get("SSL_CERT_FILE"):
            try:
                ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(certificates)
            except OSError:
                raise ValueError("SSL_CERT_FILE is not a readable file of certificates.") from None
        return self
