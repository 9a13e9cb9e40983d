"""The Makefile's targets, used as the README says."""

import re
import signal
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page

from playground import Playground
from tests.project.commands import PAGES, ROOT, Checkout, readme_command


def executable(file: Path, script: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return file


def sentence_of(complaint: str) -> str:
    """The one sentence of what make printed to standard error."""
    (sentence,) = [line for line in complaint.splitlines() if not line.startswith("make: ***")]
    return sentence


async def played(page: Page, url: str) -> str:
    """What the bot says at the end of a game that Ann plays on the page."""
    await page.goto(url)
    await page.locator("[data-person-id]", has_text="Ann").click()
    await page.locator("#chats [data-chat-id]").first.click()
    await page.locator("#start").click()
    board = page.locator("[data-message-id]", has=page.locator("[data-row='2'][data-column='2']")).last
    text = await board.inner_text()
    while not re.search("You win|I win|Draw", text):
        await board.locator("[data-row]", has_text="·").first.click()
        changed = "([node, before]) => node.innerText !== before"
        await page.wait_for_function(changed, arg=[await board.element_handle(), text], timeout=10_000)
        text = await board.inner_text()
    return text


async def test_make_play_is_a_game_in_the_browser_to_its_result(
    checkout: Checkout, browser: Browser, port: int
) -> None:
    page = await browser.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    async with checkout.start(*readme_command("make play"), f"PORT={port}", HTTP_PORT="0") as terminal:
        assert await terminal.says(r"Play at \S+") == f"Play at http://127.0.0.1:{port}"
        await played(page, f"http://127.0.0.1:{port}")
        status, rest = await terminal.ctrl_c()
    assert complaints == []
    # the signal ends make itself, as usual for a command that Ctrl-C interrupts, and it reports no error
    assert status == -signal.SIGINT
    assert [line for line in rest if "Stopped" not in line] == []


def test_a_python_that_will_not_do_is_one_sentence(checkout: Checkout, tmp_path: Path) -> None:
    for name, script, words in (
        ("missing", "", "OXO needs Python 3.11 or newer, and {python} is older or missing."),
        ("old", "exit 1", "OXO needs Python 3.11 or newer, and {python} is older or missing."),
        ("bare", 'case "$2" in *venv*) exit 1;; esac', "On Debian and Ubuntu: apt install python3-venv"),
    ):
        python = tmp_path / name
        if script:
            executable(python, script)
        ended = checkout.run("make", "test", "VENV=nowhere", f"PYTHON={python}")
        assert words.format(python=python) in sentence_of(ended.stderr)
        assert not (checkout.folder / "nowhere").exists()


def test_an_interrupted_set_up_is_started_again(checkout: Checkout, tmp_path: Path) -> None:
    """The stand-in for Python makes an empty environment, so that nothing needs to be downloaded."""
    executable(checkout.folder / "half" / "bin" / "python", "echo The half-made environment was used >&2; exit 1")
    made = 'test "$3" = --clear && rm -r "$4" && mkdir -p "$4/bin" && cp "$0" "$4/bin/python"'
    python = executable(tmp_path / "python", f'if [ "$2" = venv ]; then {made}; fi')
    ended = checkout.run("make", "migrate", "VENV=half", f"PYTHON={python}")
    assert (ended.returncode, ended.stderr) == (0, "Setting up OXO in half ...\n")
    assert checkout.run("make", "migrate", "VENV=half", f"PYTHON={python}").stderr == ""


async def test_the_bot_runs_with_the_settings_in_env(checkout: Checkout) -> None:
    assert checkout.run(*readme_command("cp .env.example .env")).returncode == 0
    sentence = sentence_of(checkout.run(*readme_command("make run")).stderr)
    assert "@BotFather" in sentence
    assert "make play" in sentence
    assert not (checkout.folder / "data").exists(), "nothing was begun"
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


def test_the_database_is_looked_after(checkout: Checkout) -> None:
    migrated = checkout.run(*readme_command("make migrate"))
    assert migrated.stdout.startswith("The database was upgraded to schema")
    copied = checkout.run(*readme_command(".venv/bin/python -m storage backup oxo-backup.db"))
    assert copied.stdout.startswith("The database was copied to oxo-backup.db")
    check = readme_command(".venv/bin/python -m storage check")
    checked = checkout.run(*check, DATABASE_URL="sqlite:///oxo-backup.db")
    assert checked.stdout == "0 games were replayed; 0 cannot be read.\n"
    rewritten = checkout.run(*readme_command(".venv/bin/python -m storage vacuum"))
    assert rewritten.stdout.startswith("The database was rewritten")


def test_help_lists_every_target_that_a_page_names(checkout: Checkout) -> None:
    ended = checkout.run(*readme_command("make help"))
    listed = dict(line.split(maxsplit=1) for line in ended.stdout.splitlines())
    named = set(re.findall(r"(?:^|`)make ([a-z]+)", "\n".join(PAGES.values()), re.MULTILINE))
    assert {"play", "run", "test"} <= named <= set(listed)
    assert checkout.run("make").stdout == ended.stdout


def test_make_test_runs_the_tests(checkout: Checkout) -> None:
    ended = checkout.run(*readme_command("make test"), "--dry-run")
    assert re.fullmatch(r"\S+/python -m pytest -n \d+ --dist worksteal", ended.stdout.strip()), ended.stderr


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
        assert taken[:10] == (ROOT / "docs" / name).read_bytes()[:10], "a picture of the same kind"


def test_without_a_browser_there_are_no_pictures_but_a_sentence(checkout: Checkout) -> None:
    ended = checkout.run(".venv/bin/python", "-m", "tools.screenshots", PATH="")
    assert (ended.returncode, ended.stderr) == (1, "No Chromium is on the PATH. On Debian: apt install chromium\n")


def texts_of(checkout: Checkout) -> dict[str, bytes]:
    """All catalogues, by their paths."""
    locales = checkout.folder / "bot" / "locales"
    return {str(file.relative_to(locales)): file.read_bytes() for file in locales.rglob("*") if file.is_file()}


def test_a_language_is_begun_with_one_command_and_a_second_run_changes_nothing(checkout: Checkout) -> None:
    """A language that the bot won't support soon."""
    ended = checkout.run(*readme_command("make texts"), LANGUAGE="en_GB:en")
    assert ended.returncode == 0, ended.stderr
    before = texts_of(checkout)
    assert readme_command("make texts LANGUAGE=de")[:2] == ["make", "texts"]
    ended = checkout.run("make", "texts", "LANGUAGE=vo")
    assert re.search(r"^Without a translation:.* \d{3,} in vo", ended.stdout), ended.stderr
    begun = texts_of(checkout)
    assert {*begun.items()} - {*before.items()} == {("vo/LC_MESSAGES/oxo.po", begun["vo/LC_MESSAGES/oxo.po"])}
    assert 'msgid "English"\nmsgstr "Volapük"\n' in begun["vo/LC_MESSAGES/oxo.po"].decode()
    code = "from bot import language as t; print(t.language_of('vo-XX'), t.read_texts('vo').gettext('Hint'))"
    assert checkout.run(".venv/bin/python", "-c", code).stdout == "vo Hint\n"


def test_a_language_that_cannot_be_begun_is_one_sentence(checkout: Checkout) -> None:
    before = texts_of(checkout)
    for language, words in (
        ("xx-nonsense", "xx-nonsense is not a language"),
        ("en", "English is in the code"),
        ("pt_PT", "pt already exists, as pt_BR"),
    ):
        ended = checkout.run("make", "texts", f"LANGUAGE={language}")
        assert sentence_of(ended.stderr).startswith(words)
        assert texts_of(checkout) == before


def test_a_new_text_is_asked_for_and_one_that_is_gone_is_forgotten(checkout: Checkout) -> None:
    module = checkout.folder / "bot" / "features" / "hints.py"
    code = module.read_text()
    assert "it blocks OXO's line" in code
    module.write_text(code.replace("it blocks OXO's line", "an entirely different sentence"))
    before = texts_of(checkout)
    released = checkout.run("make", "release")
    assert released.returncode != 0
    assert released.stderr.startswith("Run make texts: it changes ar,"), "before anything is built"
    assert texts_of(checkout) == before
    ended = checkout.run("make", "texts")
    for said in (released.stderr, ended.stdout):
        assert re.search(r"^Without a translation: .*\d in zh_Hant\.$", said, re.MULTILINE)
        assert "\n  'an entirely different sentence'\n" in said
    written = texts_of(checkout)["zh_Hans/LC_MESSAGES/oxo.po"].decode()
    assert 'msgid "an entirely different sentence"\nmsgstr ""\n' in written
    assert "it blocks OXO's line" not in written
    released = checkout.run("make", "release")
    assert released.stderr.startswith("Without a translation: "), "so that a release has them all"
    assert texts_of(checkout)["zh_Hans/LC_MESSAGES/oxo.po"].decode() == written
