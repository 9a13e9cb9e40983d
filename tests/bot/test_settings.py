"""Settings: a malformed or misspelt one is named in one sentence, without its value."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from bot.settings import Settings
from storage.settings import DatabaseSettings, SettingsError

TOKEN = "123456:ABCdefGHIjklMNOpqrSTUvwxYZ-0123456789"  # noqa: S105 - of nobody
SECRET = TOKEN.partition(":")[2]


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder, and an environment without settings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    for name in list(os.environ):
        if name.upper() in Settings.defaults():
            monkeypatch.delenv(name)


MALFORMED = [
    ("BOT_TOKEN", "nonsense"),
    ("BOT_TOKEN", f"{TOKEN} {TOKEN}"),
    ("BOT_TOKEN", f"bot{TOKEN}"),
    ("BOT_TOKEN", f"{TOKEN}/../x"),
    ("BOT_API_URL", "api.telegram.org"),
    ("BOT_API_URL", "ftp://api.telegram.org"),
    ("BOT_API_URL", "https://"),
    ("BOT_API_URL", "https://api telegram.org"),
    ("BOT_API_URL", "https://api.telegram.org/?x=1"),
    ("BOT_API_URL", "https://api.telegram.org/电报"),
    ("BOT_API_URL", "https://api.telegram.org:99999"),
    ("BOT_API_URL", "https://[::1"),
    ("BOT_API_URL", "https://api..telegram.org"),
    ("BOT_API_URL", "https://user:password@api.telegram.org"),
    ("BOT_API_URL", "https://api.telegram.org/bot{TOKEN}/test"),
    ("BOT_API_URL", "https://api.telegram.org/bot{token/test"),
    ("BOT_API_URL", "https://{token}.telegram.org"),
    ("DATABASE_URL", "nonsense"),
    ("DATABASE_URL", "mysql://oxo:hunter2@127.0.0.1/oxo"),
    ("DATABASE_URL", "postgresql://oxo:hunter2@127.0.0.1:port/oxo"),
    ("DATABASE_URL", "postgresql://oxo:a@b:hunter2@127.0.0.1/oxo"),
    ("DATABASE_URL", "postgresql+asyncpg://oxo:hunter2@127.0.0.1/oxo"),
    ("DATABASE_URL", "sqlite+aiosqlite:///oxo.db"),
    ("DATABASE_URL", "sqlite://"),
    ("DATABASE_URL", "sqlite:///:memory:"),
    ("FORGOTTEN_FILE", "/"),
    ("LOG_LEVEL", "LOUD"),
    ("LOG_FORMAT", "xml"),
    ("CALLS_PER_SECOND", "many"),
    ("CALLS_PER_SECOND", "-1"),
    ("EDITS_PER_MINUTE", "1.5"),
    ("HTTP_PORT", "65536"),
    ("HTTP_HOST", "http://127.0.0.1"),
    ("HTTP_HOST", "127.0.0.1, ::1"),
    ("HTTP_HOST", "[::1]"),
    ("WEBHOOK_SECRET", "spaces are not allowed"),
    ("WEBHOOK_SECRET", "x" * 257),
    ("WEBHOOK_URL", "oxo.example.org/webhook"),
    ("WEBHOOK_URL", "https://oxo.example.org/metrics"),
    ("MOVE_TTL", "0"),
    ("MOVE_TTL", "3 weeks"),
    ("PROXY_URL", "proxy.example.org:3128"),
    ("PROXY_URL", "ftp://ann:hunter2@proxy.example.org"),
    ("PROXY_URL", "http://ann:hunter2/x@proxy.example.org"),
    ("PROXY_URL", "http://ann:hunter2@proxy.example.org:99999"),
    ("PROXY_URL", "socks5h://ann:hunter2@:1080"),
    ("HTTP_PROXY", "socks4://proxy.example.org"),
    ("HTTPS_PROXY", "http://[::1"),
    ("https_proxy", "http://ann:hunter2@proxy.example.org:port"),
    ("ALL_PROXY", "a proxy"),
]


@pytest.mark.parametrize("where", ["environment", ".env"])
@pytest.mark.parametrize(("name", "value"), MALFORMED)
def test_a_malformed_setting_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, name: str, value: str
) -> None:
    if where == "environment":
        monkeypatch.setenv(name, value)
    else:
        (tmp_path / ".env").write_text(f"{name}={value}\n")
    with pytest.raises(SettingsError) as caught:
        Settings.read()
    sentence = str(caught.value)
    assert sentence.startswith(f"{name.upper()} is malformed: ")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert "hunter2" not in sentence
    assert SECRET not in sentence


@pytest.mark.parametrize("where", ["environment", ".env"])
@pytest.mark.parametrize(
    "names",
    [
        ("BOT_TOKN", "BOT_TOKEN"),
        ("BOTTOKEN", "BOT_TOKEN"),
        ("BOT_TOKENS", "BOT_TOKEN"),
        ("bot_tokn", "BOT_TOKEN"),
        ("DATABSE_URL", "DATABASE_URL"),
        ("DATABASE_URI", "DATABASE_URL"),
        ("BOT_API_URI", "BOT_API_URL"),
        ("LOG_LEVL", "LOG_LEVEL"),
        ("LOGFORMAT", "LOG_FORMAT"),
        ("CALLS_PER_SECONDS", "CALLS_PER_SECOND"),
        ("PROXY_URI", "PROXY_URL"),
        ("LOGLEVEL", "LOG_LEVEL"),
        ("MOVE_TLT", "MOVE_TTL"),
    ],
)
def test_a_misspelt_setting_is_named_with_the_one_meant(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    where: str,
    names: tuple[str, str],
) -> None:
    """In the environment it may be another program's, so that it stops nothing."""
    wrong, meant = names
    if where == "environment":
        monkeypatch.setenv(wrong, "x")
        Settings.read()
        said = caplog.text
    else:
        (tmp_path / ".env").write_text(f"{wrong}=x\n")
        with pytest.raises(SettingsError) as caught:
            Settings.read()
        said = str(caught.value)
    assert wrong.upper() in said
    assert meant in said.replace(wrong.upper(), "")


def test_everything_that_is_wrong_is_named_together(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=LOUD\nLOG_FORMAT=xml\nGREETING=hello\n")
    with pytest.raises(SettingsError) as caught:
        Settings.read()
    assert all(name in str(caught.value) for name in ("LOG_LEVEL", "LOG_FORMAT", "GREETING"))


def test_strangers_in_the_environment_are_let_be(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TOKEN", "URL", "BOT", "DATABASE", "LOG", "DJANGO_LOG_LEVEL", "PGDATABASE", "FTP_PROXY"):
        monkeypatch.setenv(name, "x")
    assert Settings.read().bot_token is None


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("https://api.telegram.org", "https://api.telegram.org"),
        ("https://api.telegram.org/", "https://api.telegram.org"),
        ("http://127.0.0.1:8080//", "http://127.0.0.1:8080"),
        ("http://[::1]:8081/tg/", "http://[::1]:8081/tg"),
        ("https://proxy.example.org/a/b", "https://proxy.example.org/a/b"),
        ("https://api.telegram.org.", "https://api.telegram.org."),
        ("https://api.telegram.org/bot{token}/test/", "https://api.telegram.org/bot{token}/test"),
    ],
)
def test_the_address_of_the_api_may_have_a_path_and_a_slash(
    monkeypatch: pytest.MonkeyPatch, given: str, address: str
) -> None:
    monkeypatch.setenv("BOT_API_URL", given)
    assert Settings.read().bot_api_url == address


def test_the_defaults_are_those_of_the_readme() -> None:
    settings = Settings.read()
    assert settings.bot_api_url == "https://api.telegram.org"
    assert settings.database.database == "data/oxo.db"
    assert (settings.log_level, settings.log_format) == ("INFO", "text")


def test_the_environment_counts_more_than_env_and_empty_counts_as_unset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text(f'BOT_TOKEN="{TOKEN}"\nLOG_LEVEL=debug\nLOG_FORMAT=\n')
    monkeypatch.setenv("LOG_LEVEL", "error")
    settings = Settings.read()
    assert settings.bot_token is not None
    assert settings.bot_token.get_secret_value() == TOKEN
    assert (settings.log_level, settings.log_format) == ("ERROR", "text")


def test_no_secret_is_in_what_the_settings_show_of_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_TOKEN", TOKEN)
    monkeypatch.setenv("WEBHOOK_SECRET", "a-secret-word")
    monkeypatch.setenv("DATABASE_URL", "postgresql://oxo:hunter2@127.0.0.1/oxo")
    monkeypatch.setenv("HTTPS_PROXY", "http://ann:hunter2@proxy.example.org")
    settings = Settings.read()
    shown = repr(settings) + str(settings) + repr(settings.proxy) + repr(settings.database)
    assert not [word for word in (SECRET, "a-secret-word", "hunter2") if word in shown]


def test_a_webhook_needs_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBHOOK_URL", "https://oxo.example.org/webhook")
    with pytest.raises(SettingsError, match="WEBHOOK_URL needs WEBHOOK_SECRET"):
        Settings.read()
    monkeypatch.setenv("WEBHOOK_SECRET", "a-secret-word")
    assert Settings.read().webhook_url == "https://oxo.example.org/webhook"


@pytest.mark.parametrize(
    ("given", "seconds"), [("90", 90), ("90s", 90), ("15m", 900), ("24H", 86400), ("3d", 259200)]
)
def test_a_time_is_written_in_its_unit(monkeypatch: pytest.MonkeyPatch, given: str, seconds: int) -> None:
    monkeypatch.setenv("MOVE_TTL", given)
    assert Settings.read().move_ttl == seconds


def test_that_nothing_was_chosen_is_told_apart_from_none_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings.read().edits_per_minute is None
    monkeypatch.setenv("EDITS_PER_MINUTE", "0")
    settings = Settings.read()
    assert settings.edits_per_minute == 0
    assert settings.model_fields_set == {"edits_per_minute"}


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"BOT_TOKEN=\xff\xfe")
    with pytest.raises(SettingsError, match=r"^\.env is not a text file in UTF-8\.$"):
        Settings.read()


@pytest.mark.parametrize(
    "line", ["BOT_TOKEN", f"BOT_TOKEN:{TOKEN}", f'BOT_TOKEN="{TOKEN}', f"BOT TOKEN={TOKEN}", "=x", "MOVE_TTL: 3d"]
)
def test_a_line_that_is_no_setting_is_told_by_its_number(tmp_path: Path, line: str) -> None:
    (tmp_path / ".env").write_text(f"\ufeff# mine\n\nLOG_LEVEL='DEBUG' # more\n{line}\nexport LOG_FORMAT=json\n")
    with pytest.raises(SettingsError, match=r"^Line 4 of \.env is not a setting such as LOG_LEVEL=DEBUG\.$"):
        Settings.read()


def test_commands_for_the_database_ignore_the_bots_other_settings(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"BOT_TOKEN={TOKEN}\nDATABASE_URL=sqlite:///games.db\nLOG_LEVEL=LOUD\n")
    assert DatabaseSettings.read().database.database == "games.db"


def test_a_misspelt_database_is_told_to_commands_for_the_database_too(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"BOT_TOKEN={TOKEN}\nDATABSE_URL=sqlite:///games.db\n")
    with pytest.raises(
        SettingsError, match=r"^DATABSE_URL is not a setting of OXO; you probably meant DATABASE_URL\.$"
    ):
        DatabaseSettings.read()


def proxy_for(monkeypatch: pytest.MonkeyPatch, address: str, **environment: str) -> str | None:
    """The proxy that calls to this address go through."""
    monkeypatch.setenv("BOT_API_URL", address)
    for name, text in environment.items():
        monkeypatch.setenv(name, text)
    proxy = Settings.read().proxy
    return None if proxy is None else proxy.get_secret_value()


FAR: Final = "https://api.telegram.org"
NEAR: Final = "http://127.0.0.1:8081"
EVERYWHERE: Final = {
    "HTTP_PROXY": "http://one.example.org",
    "HTTPS_PROXY": "http://two.example.org",
    "ALL_PROXY": "socks5h://three.example.org",
}


@pytest.mark.parametrize(
    ("address", "environment", "proxy"),
    [
        (FAR, {}, None),
        (FAR, EVERYWHERE, "http://two.example.org"),
        (FAR, {"https_proxy": "two.example.org:3128"}, "http://two.example.org:3128"),
        (FAR, {"https_proxy": "http://two.example.org", "HTTPS_PROXY": "http://x"}, "http://two.example.org"),
        (FAR, {"all_proxy": "socks5://ann:a%40b@three.example.org"}, "socks5://ann:a%40b@three.example.org"),
        (FAR, {"HTTP_PROXY": "http://one.example.org"}, None),
        ("http://api.example.org", EVERYWHERE, "http://one.example.org"),
        (NEAR, EVERYWHERE, None),
        ("http://[::1]:8081", EVERYWHERE, None),
        ("http://localhost:8081", EVERYWHERE, None),
        (NEAR, {"PROXY_URL": "https://four.example.org"}, "https://four.example.org"),
        (FAR, EVERYWHERE | {"PROXY_URL": "http://four.example.org"}, "http://four.example.org"),
        (FAR, {"PROXY_URL": "http://four.example.org", "NO_PROXY": "*"}, "http://four.example.org"),
        (FAR, {"PROXY_URL": "http://four.example.org", "ALL_PROXY": "nonsense://"}, "http://four.example.org"),
        (FAR, EVERYWHERE | {"NO_PROXY": "example.org, telegram.org"}, None),
        (FAR, EVERYWHERE | {"no_proxy": "*.telegram.org"}, None),
        (FAR, EVERYWHERE | {"no_proxy": "API.Telegram.org."}, None),
        (FAR, EVERYWHERE | {"no_proxy": "api.telegram.org:443"}, None),
        (FAR, EVERYWHERE | {"NO_PROXY": "legram.org,10.0.0.0/8"}, "http://two.example.org"),
        ("https://10.1.2.3", EVERYWHERE | {"NO_PROXY": "legram.org,10.0.0.0/8"}, None),
        ("https://[fd00::5]", EVERYWHERE | {"NO_PROXY": "[fd00::5]"}, None),
    ],
)
def test_the_proxy_is_the_one_that_was_set_for_an_address(
    monkeypatch: pytest.MonkeyPatch, address: str, environment: dict[str, str], proxy: str | None
) -> None:
    assert proxy_for(monkeypatch, address, **environment) == proxy


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_certificates_that_cannot_be_read_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None
) -> None:
    file = tmp_path / "certificates.pem"
    if content is not None:
        file.write_text(content)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    with pytest.raises(SettingsError, match=r"^SSL_CERT_FILE is not a readable file of certificates\.$"):
        Settings.read()
