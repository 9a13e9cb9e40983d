"""Settings: a malformed or misspelt one is named in one sentence, without its value."""

import os
from pathlib import Path
from typing import Final

import pytest

from bot.settings import Settings
from storage.settings import DatabaseSettings, SettingsError
from tests.relays import SECRET, TOKEN


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder, and an environment without settings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    for name in list(os.environ):
        if name.upper() in Settings.fields():
            monkeypatch.delenv(name)


def write(text: str) -> None:
    Path(".env").write_text(text, "utf-8")


def complaint(kind: type[DatabaseSettings] = Settings) -> str:
    with pytest.raises(SettingsError) as caught:
        kind.read()
    return str(caught.value)


IN_EITHER = pytest.mark.parametrize("where", ["environment", ".env"])
MALFORMED = f"""
BOT_TOKEN=nonsense | {TOKEN} {TOKEN} | bot{TOKEN} | {TOKEN}/../x
BOT_API_URL=api.telegram.org | ftp://api.telegram.org | https:// | https://api telegram.org | https://[::1
BOT_API_URL=https://api.telegram.org/?x=1 | https://api.telegram.org/电报 | https://api.telegram.org:99999
BOT_API_URL=https://api..telegram.org | https://user:password@api.telegram.org | https://{{token}}.telegram.org
BOT_API_URL=https://api.telegram.org/bot{{TOKEN}}/test | https://api.telegram.org/bot{{token/test
DATABASE_URL=nonsense | sqlite+aiosqlite:///oxo.db | sqlite:// | sqlite:///:memory: | mysql://oxo:hunter2@127.0.0.1/oxo
DATABASE_URL=postgresql://oxo:hunter2@127.0.0.1:port/oxo | postgresql://oxo:a@b:hunter2@127.0.0.1/oxo
DATABASE_URL=postgresql+asyncpg://oxo:hunter2@127.0.0.1/oxo | sqlite://data/oxo.db
FORGOTTEN_FILE=/
LOG_LEVEL=LOUD
LOG_FORMAT=xml
CALLS_PER_SECOND=many | -1
EDITS_PER_MINUTE=1.5
HTTP_PORT=65536
HTTP_HOST=http://127.0.0.1 | 127.0.0.1, ::1 | [::1]
WEBHOOK_SECRET=spaces are not allowed | {"x" * 257}
WEBHOOK_URL=oxo.example.org/webhook | https://oxo.example.org/metrics
MOVE_TTL=0 | 3 weeks
RETENTION_DAYS=0 | a year
PROXY_URL=proxy.example.org:3128 | ftp://ann:hunter2@proxy.example.org | http://ann:hunter2/x@proxy.example.org
PROXY_URL=http://ann:hunter2@proxy.example.org:99999 | socks5h://ann:hunter2@:1080
HTTP_PROXY=socks4://proxy.example.org
HTTPS_PROXY=http://[::1
https_proxy=http://ann:hunter2@proxy.example.org:port
ALL_PROXY=a proxy
"""
"""Settings with values that are none, with | between."""


@IN_EITHER
@pytest.mark.parametrize(
    ("name", "value"),
    [
        (name, value)
        for name, _, values in (line.partition("=") for line in MALFORMED.strip().split("\n"))
        for value in values.split(" | ")
    ],
)
def test_a_malformed_setting_is_named(monkeypatch: pytest.MonkeyPatch, where: str, name: str, value: str) -> None:
    if where == "environment":
        monkeypatch.setenv(name, value)
    else:
        write(f"{name}={value}\n")
    sentence = complaint()
    assert sentence.startswith(f"{name.upper()} is malformed: ")
    assert sentence.endswith(".")
    assert not [secret for secret in ("\n", "hunter2", SECRET) if secret in sentence]


MISSPELT = {
    "BOT_TOKEN": ["BOT_TOKN", "BOTTOKEN", "BOT_TOKENS", "bot_tokn"],
    "DATABASE_URL": ["DATABSE_URL", "DATABASE_URI"],
    "BOT_API_URL": ["BOT_API_URI"],
    "LOG_LEVEL": ["LOG_LEVL", "LOGLEVEL"],
    "LOG_FORMAT": ["LOGFORMAT"],
    "CALLS_PER_SECOND": ["CALLS_PER_SECONDS"],
    "PROXY_URL": ["PROXY_URI"],
    "MOVE_TTL": ["MOVE_TLT"],
}


@IN_EITHER
@pytest.mark.parametrize(("wrong", "meant"), [(wrong, meant) for meant in MISSPELT for wrong in MISSPELT[meant]])
def test_a_misspelt_setting_is_named_with_the_one_meant(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, where: str, wrong: str, meant: str
) -> None:
    """In the environment it may be another program's, so that it stops nothing."""
    if where == "environment":
        monkeypatch.setenv(wrong, "x")
        Settings.read()
        said = caplog.text
    else:
        write(f"{wrong}=x\n")
        said = complaint()
    assert wrong.upper() in said
    assert meant in said.replace(wrong.upper(), "")


def test_everything_that_is_wrong_is_named_together() -> None:
    write("LOG_LEVEL=LOUD\nLOG_FORMAT=xml\nGREETING=hello\n")
    said = complaint()
    assert all(name in said for name in ("LOG_LEVEL", "LOG_FORMAT", "GREETING"))


def test_strangers_in_the_environment_are_let_be(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TOKEN", "URL", "BOT", "DATABASE", "LOG", "DJANGO_LOG_LEVEL", "PGDATABASE", "FTP_PROXY"):
        monkeypatch.setenv(name, "x")
    assert Settings.read().bot_token is None


API, DAY = "https://api.telegram.org", 86400


@pytest.mark.parametrize(
    ("name", "given", "meant"),
    [
        ("BOT_API_URL", f"{API}/", API),
        ("BOT_API_URL", "http://127.0.0.1:8080//", "http://127.0.0.1:8080"),
        ("BOT_API_URL", "http://[::1]:8081/tg/", "http://[::1]:8081/tg"),
        ("BOT_API_URL", f"{API}/a/b", f"{API}/a/b"),
        ("BOT_API_URL", f"{API}.", f"{API}."),
        ("BOT_API_URL", f"{API}/bot{{token}}/test/", f"{API}/bot{{token}}/test"),
        *(("MOVE_TTL", "90", 90), ("MOVE_TTL", "90s", 90), ("MOVE_TTL", "15m", 900)),
        *(("MOVE_TTL", "24H", DAY), ("MOVE_TTL", "3d", 3 * DAY)),
        *(("RETENTION_DAYS", "90", 90), ("RETENTION_DAYS", "90d", 90), ("EDITS_PER_MINUTE", "0", 0)),
        ("HTTP_PORT", "65535", 65535),
    ],
)
def test_addresses_may_have_a_path_and_a_slash_and_times_their_unit(
    monkeypatch: pytest.MonkeyPatch, name: str, given: str, meant: object
) -> None:
    monkeypatch.setenv(name, given)
    settings = Settings.read()
    assert getattr(settings, name.lower()) == meant
    assert settings.given == {name.lower()}


def test_the_environment_counts_more_than_env_and_empty_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    write(f'BOT_TOKEN="{TOKEN}"\nLOG_LEVEL=debug\nLOG_FORMAT=\n')
    monkeypatch.setenv("LOG_LEVEL", "error")
    settings = Settings.read()
    assert settings.bot_token is not None
    assert settings.bot_token.text == TOKEN
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
    assert "WEBHOOK_URL needs WEBHOOK_SECRET" in complaint()
    monkeypatch.setenv("WEBHOOK_SECRET", "a-secret-word")
    assert Settings.read().webhook_url == "https://oxo.example.org/webhook"


def test_a_file_that_is_no_text_is_told() -> None:
    Path(".env").write_bytes(b"BOT_TOKEN=\xff\xfe")
    assert complaint() == ".env is not a text file in UTF-8."


@pytest.mark.parametrize(
    "line", ["BOT_TOKEN", f"BOT_TOKEN:{TOKEN}", f'BOT_TOKEN="{TOKEN}', f"BOT TOKEN={TOKEN}", "=x", "MOVE_TTL: 3d"]
)
def test_a_line_that_is_no_setting_is_told_by_its_number(line: str) -> None:
    write(f"\ufeff# mine\n\nLOG_LEVEL='DEBUG' # more\n{line}\nexport LOG_FORMAT=json\n")
    assert complaint() == "Line 4 of .env is not a setting such as LOG_LEVEL=DEBUG."


def test_commands_for_the_database_ignore_the_bots_other_settings_but_not_a_misspelt_database() -> None:
    write(f"BOT_TOKEN={TOKEN}\nDATABASE_URL=sqlite:///games.db\nLOG_LEVEL=LOUD\n")
    assert DatabaseSettings.read().database.database == "games.db"
    write(f"BOT_TOKEN={TOKEN}\nDATABSE_URL=sqlite:///games.db\n")
    told = "DATABSE_URL is not a setting of OXO; you probably meant DATABASE_URL."
    assert complaint(DatabaseSettings) == told


NEAR: Final = "http://127.0.0.1:8081"
EVERYWHERE: Final = {
    "HTTP_PROXY": "http://one.example.org",
    "HTTPS_PROXY": "http://two.example.org",
    "ALL_PROXY": "socks5h://three.example.org",
}
FOUR: Final = "http://four.example.org"
OTHERS: Final = EVERYWHERE | {"NO_PROXY": "legram.org,10.0.0.0/8"}


@pytest.mark.parametrize(
    ("address", "environment", "proxy"),
    [
        (API, {}, None),
        (API, EVERYWHERE, "http://two.example.org"),
        (API, {"https_proxy": "two.example.org:3128"}, "http://two.example.org:3128"),
        (API, {"https_proxy": "http://two.example.org", "HTTPS_PROXY": "http://x"}, "http://two.example.org"),
        (API, {"all_proxy": "socks5://ann:a%40b@three.example.org"}, "socks5://ann:a%40b@three.example.org"),
        (API, {"HTTP_PROXY": "http://one.example.org"}, None),
        ("http://api.example.org", EVERYWHERE, "http://one.example.org"),
        *((near, EVERYWHERE, None) for near in (NEAR, "http://[::1]:8081", "http://localhost:8081")),
        (NEAR, {"PROXY_URL": "https://four.example.org"}, "https://four.example.org"),
        (API, EVERYWHERE | {"PROXY_URL": FOUR}, FOUR),
        (API, {"PROXY_URL": FOUR, "NO_PROXY": "*"}, FOUR),
        (API, {"PROXY_URL": FOUR, "ALL_PROXY": "nonsense://"}, FOUR),
        (API, EVERYWHERE | {"NO_PROXY": "example.org, telegram.org"}, None),
        (API, EVERYWHERE | {"no_proxy": "*.telegram.org"}, None),
        (API, EVERYWHERE | {"no_proxy": "API.Telegram.org."}, None),
        (API, EVERYWHERE | {"no_proxy": "api.telegram.org:443"}, None),
        (API, OTHERS, "http://two.example.org"),
        ("https://10.1.2.3", OTHERS, None),
        ("https://[fd00::5]", EVERYWHERE | {"NO_PROXY": "[fd00::5]"}, None),
    ],
)
def test_the_proxy_is_the_one_that_was_set_for_an_address(
    monkeypatch: pytest.MonkeyPatch, address: str, environment: dict[str, str], proxy: str | None
) -> None:
    for name, text in {"BOT_API_URL": address, **environment}.items():
        monkeypatch.setenv(name, text)
    found = Settings.read().proxy
    assert (found and found.text) == proxy


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_certificates_that_cannot_be_read_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None
) -> None:
    file = tmp_path / "certificates.pem"
    if content is not None:
        file.write_text(content)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    assert complaint() == "SSL_CERT_FILE is not a readable file of certificates."
