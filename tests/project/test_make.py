"""The Makefile's targets, used as the README says."""

from __future__ import annotations

import re
import signal
import socket
from pathlib import Path

import pytest
from playwright.async_api import Browser

from playground import Playground
from tests.project.commands import PAGES, ROOT, Checkout, readme_command
from tests.project.page import RESULTS, enter, new_game, play_to_the_end

TARGETS = ["play", "run", "test", "lint", "format", "texts", "screenshots", "bench", "migrate", "help"]


async def test_make_play_is_a_game_in_the_browser_to_its_result(
    checkout: Checkout, browser: Browser, port: int, tmp_path: Path
) -> None:
    command = readme_command("make play")
    page = await browser.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    async with checkout.start(*command, f"PORT={port}", HTTP_PORT="0") as terminal:
        assert await terminal.says(r"Play at \S+") == f"Play at http://127.0.0.1:{port}"
        await enter(page, f"http://127.0.0.1:{port}")
        ending = await play_to_the_end(await new_game(page, "beginner me"))
        picture = tmp_path / "finished.png"
        await page.screenshot(path=picture)
        status, rest = await terminal.ctrl_c()
    assert any(result in ending for result in RESULTS)
    assert picture.stat().st_size > 10_000
    assert complaints == []
    # the signal ends make itself, as usual for a command that Ctrl-C interrupts, and it reports no error
    assert status == -signal.SIGINT
    assert [line for line in rest if "Stopped" not in line] == []


async def test_the_page_can_be_at_another_port(checkout: Checkout, port: int) -> None:
    command = readme_command("make play PORT=8090")
    command[-1] = command[-1].replace("8090", str(port))
    async with checkout.start(*command, HTTP_PORT="0") as terminal:
        assert await terminal.says(r"Play at \S+") == f"Play at http://127.0.0.1:{port}"


def test_a_port_in_use_is_one_sentence(checkout: Checkout) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = checkout.run("make", "play", f"PORT={port}")
    assert ended.returncode != 0
    sentence, *rest = ended.stderr.splitlines()
    assert sentence.startswith(f"Port {port} on 127.0.0.1 can't be used")
    assert [line for line in rest if not line.startswith("make: ***")] == []
    assert ended.stdout == ""


@pytest.mark.parametrize("target", ["play", "test"])
def test_a_python_too_old_is_one_sentence(checkout: Checkout, python_of_the_past: str, target: str) -> None:
    ended = checkout.run("make", target, "VENV=nowhere", PATH=python_of_the_past)
    sentence, *rest = ended.stderr.splitlines()
    assert sentence.startswith("OXO needs Python 3.11 or newer, and python3 is older or missing.")
    assert [line for line in rest if not line.startswith("make: ***")] == []
    assert not (checkout.folder / "nowhere").exists()


def test_a_python_that_is_missing_is_the_same_sentence(checkout: Checkout) -> None:
    ended = checkout.run("make", "play", "VENV=nowhere", "PYTHON=python9")
    assert ended.stderr.startswith("OXO needs Python 3.11 or newer, and python9 is older or missing.")


def test_a_python_without_venv_is_one_sentence(checkout: Checkout, tmp_path: Path) -> None:
    python = tmp_path / "without"
    python.write_text('#!/bin/sh\ncase "$2" in *venv*) exit 1;; esac\n')
    python.chmod(0o755)
    ended = checkout.run("make", "play", "VENV=nowhere", f"PYTHON={python}")
    assert "apt install python3-venv" in ended.stderr.splitlines()[0]


def test_an_interrupted_set_up_is_started_again(checkout: Checkout, tmp_path: Path) -> None:
    """The stand-in for Python makes an empty environment, so that nothing needs to be downloaded."""
    half = checkout.folder / "half"
    (half / "bin").mkdir(parents=True)
    (half / "bin" / "python").write_text("#!/bin/sh\necho The half-made environment was used >&2\nexit 1\n")
    (half / "bin" / "python").chmod(0o755)
    python = tmp_path / "python"
    python.write_text(
        "#!/bin/sh\n"
        'if [ "$2" = venv ]; then\n'
        '  test "$3" = --clear && rm -r "$4" && mkdir -p "$4/bin" && cp "$0" "$4/bin/python"\n'
        "fi\n"
    )
    python.chmod(0o755)
    ended = checkout.run("make", "migrate", "VENV=half", f"PYTHON={python}")
    assert (ended.returncode, ended.stderr) == (0, "Setting up OXO in half ...\n")
    assert checkout.run("make", "migrate", "VENV=half", f"PYTHON={python}").stderr == ""


async def test_the_bot_runs_with_the_settings_in_env(checkout: Checkout) -> None:
    assert checkout.run(*readme_command("cp .env.example .env")).returncode == 0
    settings = checkout.folder / ".env"
    async with Playground() as playground:
        written = settings.read_text().replace("BOT_TOKEN=", f"BOT_TOKEN={playground.token}")
        settings.write_text(f"{written}\nBOT_API_URL={playground.url}\nHTTP_PORT=0\n")
        async with checkout.start(*readme_command("make run")) as terminal:
            await terminal.says("updates by long polling")
            board = await playground.people["ann"].ask("/newgame")
            status, rest = await terminal.ctrl_c()
    assert "Your turn" in board.text
    assert status == -signal.SIGINT
    assert "Stopped" in rest[-1]
    assert (checkout.folder / "data" / "oxo.db").exists()


def test_without_a_token_one_sentence_says_where_to_get_one(checkout: Checkout) -> None:
    checkout.run(*readme_command("cp .env.example .env"))
    ended = checkout.run(*readme_command("make run"))
    sentence, *rest = ended.stderr.splitlines()
    assert "@BotFather" in sentence
    assert "make play" in sentence
    assert [line for line in rest if not line.startswith("make: ***")] == []


def test_the_database_is_looked_after(checkout: Checkout) -> None:
    migrated = checkout.run(*readme_command("make migrate"))
    assert migrated.stdout.startswith("The database was upgraded to schema")
    copied = checkout.run(*readme_command(".venv/bin/python -m storage backup oxo-backup.db"))
    assert copied.stdout.startswith("The database was copied to oxo-backup.db")
    checked = checkout.run(
        *readme_command(".venv/bin/python -m storage check"), DATABASE_URL="sqlite:///oxo-backup.db"
    )
    assert checked.stdout == "0 games were replayed; 0 cannot be read.\n"
    rewritten = checkout.run(*readme_command(".venv/bin/python -m storage vacuum"))
    assert rewritten.stdout.startswith("The database was rewritten")


def test_help_lists_the_targets(checkout: Checkout) -> None:
    ended = checkout.run(*readme_command("make help"))
    listed = dict(line.split(maxsplit=1) for line in ended.stdout.splitlines())
    assert set(listed) >= set(TARGETS)
    assert checkout.run("make").stdout == ended.stdout


def test_every_target_that_a_page_names_exists() -> None:
    named = set(re.findall(r"(?:^|`)make ([a-z]+)", "\n".join(PAGES.values()), re.MULTILINE))
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert named
    assert named <= targets


def test_make_test_runs_the_tests(checkout: Checkout) -> None:
    few = "tests/engine/rules/test_geometry.py -p no:cacheprovider"
    ended = checkout.run(*readme_command("make test"), "WORKERS=0", PYTEST_ADDOPTS=few)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert re.search(r"^=+ \d+ passed in ", ended.stdout, re.MULTILINE)


@pytest.mark.soak
def test_the_pictures_of_the_readme_are_taken_again(checkout: Checkout, chromium: str) -> None:
    assert chromium
    pictures = {name: checkout.folder / "docs" / name for name in ("group.png", "game.gif")}
    for picture in pictures.values():
        picture.unlink()
    ended = checkout.run(*readme_command("make screenshots"))
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    for name, picture in pictures.items():
        taken = picture.read_bytes()
        assert 10_000 < len(taken) < 250_000
        was = (ROOT / "docs" / name).read_bytes()
        assert taken[:10] == was[:10], "a picture of the same kind"
        assert f"docs/{name}" in PAGES["README.md"]


def test_without_a_browser_there_are_no_pictures_but_a_sentence(checkout: Checkout) -> None:
    ended = checkout.run(".venv/bin/python", "-m", "tools.screenshots", PATH="")
    assert ended.returncode == 1
    assert ended.stderr == "No Chromium is on the PATH. On Debian: apt install chromium\n"


def texts_of(checkout: Checkout) -> dict[str, bytes]:
    """All catalogues, source and compiled, by their paths."""
    locales = checkout.folder / "bot" / "locales"
    return {str(file.relative_to(locales)): file.read_bytes() for file in locales.rglob("*") if file.is_file()}


def test_texts_that_are_up_to_date_stay_as_they_are(checkout: Checkout) -> None:
    before = texts_of(checkout)
    ended = checkout.run(*readme_command("make texts"), LANGUAGE="en_GB:en")
    assert ended.returncode == 0, ended.stderr
    assert texts_of(checkout) == before
    assert len(before) >= 2


def test_a_language_is_begun_with_one_command(checkout: Checkout) -> None:
    """A language that the bot won't support soon."""
    assert readme_command("make texts LANGUAGE=de")[:2] == ["make", "texts"]
    ended = checkout.run("make", "texts", "LANGUAGE=vo")
    assert ended.returncode == 0, ended.stderr
    assert re.search(r"^vo: \d+ texts, \d+ without a translation\.$", ended.stdout, re.MULTILINE)
    assert {"vo/LC_MESSAGES/oxo.po", "vo/LC_MESSAGES/oxo.mo"} <= set(texts_of(checkout))
    assert 'msgid "English"\nmsgstr "Volapük"\n' in texts_of(checkout)["vo/LC_MESSAGES/oxo.po"].decode()
    code = "from bot.boards import translations as t; print(t.language_of('vo-XX'), t.texts('vo').gettext('Hint'))"
    assert checkout.run(".venv/bin/python", "-c", code).stdout == "vo Hint\n"
    begun = texts_of(checkout)
    assert checkout.run("make", "texts").returncode == 0
    assert texts_of(checkout) == begun


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("xx-nonsense", "xx-nonsense is not a language"),
        ("en", "English is in the code"),
        ("zh_Hant", "zh already exists, as zh_Hans"),
    ],
)
def test_a_language_that_cannot_be_begun_is_one_sentence(checkout: Checkout, language: str, words: str) -> None:
    before = texts_of(checkout)
    ended = checkout.run("make", "texts", f"LANGUAGE={language}")
    sentence, *rest = ended.stderr.splitlines()
    assert sentence.startswith(words)
    assert [line for line in rest if not line.startswith("make: ***")] == []
    assert texts_of(checkout) == before


def test_a_new_text_is_asked_for_and_one_that_is_gone_is_forgotten(checkout: Checkout) -> None:
    module = checkout.folder / "bot" / "features" / "hints.py"
    code = module.read_text()
    assert "it blocks my line" in code
    module.write_text(code.replace("it blocks my line", "an entirely different sentence"))
    ended = checkout.run("make", "texts")
    assert "zh_Hans:" in ended.stdout
    assert "1 without a translation" in ended.stdout
    written = texts_of(checkout)["zh_Hans/LC_MESSAGES/oxo.po"].decode()
    assert 'msgid "an entirely different sentence"\nmsgstr ""\n' in written
    assert "it blocks my line" not in written
    module.write_text(code)
