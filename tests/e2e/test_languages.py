"""Every text is in the person's language: Chinese if their Telegram is Chinese, else English."""

from __future__ import annotations

import re

import pytest

from bot.boards.translations import LANGUAGES
from engine import Level
from playground.messages import Message
from playground.people import Person
from tests.people import data_of, play_to, position_of, steer, tap_cell
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

OURS = re.compile(
    rf"/\w+|\d+x\d+(?:x\d+)?|telegram\.org\S*|\b(?:OXO|Telegram|{'|'.join(Level)}|me|bot|random|nightmare|ABC|id|hidden|on)\b"
)
"""Commands, names and the words of commands, which are the same in every language."""


NOT_SPOKEN = [tag for tag in ("de", "ar", "fa", "pt-br", "vo") if tag.partition("-")[0] not in LANGUAGES]


def is_chinese(text: str | None) -> bool:
    """Whether a text is only Chinese, apart from words that have no translation."""
    left = OURS.sub("", text or "")
    return bool(re.search(r"[\u4e00-\u9fff]", left)) and not re.search(r"[A-Za-z]", left)


def check(message: Message) -> None:
    """The message and every button with a word on it are Chinese."""
    assert is_chinese(message.text), message.text
    for label in (label for row in message.labels for label in row):
        assert is_chinese(label) or not any(map(str.isalpha, OURS.sub("", label))), label


@pytest.mark.parametrize(
    "said",
    [
        "/start",
        "/help",
        "/privacy",
        "/newgame",
        "/newgame perfect bot",
        "/newgame nightmare",
        "/newgame easy hard",
        "/difficulty",
        "/difficulty nightmare",
        "/difficulty hard",
        "/first",
        "/first nightmare",
        "/first me",
        "/first bot",
        "/first random",
        "hello",
        "/unknown",
    ],
)
async def test_every_command_answers_in_chinese(bo: Person, said: str) -> None:
    check(await bo.ask(said))


@pytest.mark.parametrize(
    ("result", "level", "words"),
    [("You win", "easy", "赢"), ("I win", "perfect", "赢"), ("Draw", "perfect", "平")],
)
async def test_a_whole_game_is_chinese(shared: World, bo: Person, result: str, level: str, words: str) -> None:
    board = await bo.ask(f"/newgame {level}")
    check(board)
    old = data_of(board, 0)
    cell = steer(position_of(board), level, result)
    assert cell is not None
    await tap_cell(bo, board, cell)
    taken = next(cell for cell in range(9) if cell not in position_of(board).legal_moves)
    toasts = [await bo.tap(board, data=old), await bo.tap(board, data=data_of(board, taken))]
    check(board)
    await play_to(result, bo, board, level)
    check(board)
    assert words in board.text
    toasts += [await bo.tap(board, row=0, column=0), await bo.tap(board, data="nonsense")]
    toasts += [await bo.tap(board, data="2m:999999:0:0")]
    assert all(is_chinese(toast.text) for toast in toasts), toasts
    again = str(board.keyboard[3][0]["callback_data"])
    await bo.tap(board, data=again)
    check(await bo.private.wait_for(after=board))
    late = await bo.tap(board, data=again)
    assert is_chinese(late.text)
    await shared.has_answered(bo.private, bo)


@pytest.mark.parametrize("command", ["/difficulty", "/first"])
async def test_the_menus_and_their_toasts_are_chinese(bo: Person, command: str) -> None:
    menu = await bo.ask(command)
    check(menu)
    for button in [button for row in menu.keyboard for button in row][:-1]:
        answer = await bo.tap(menu, data=str(button["callback_data"]))
        assert is_chinese(answer.text)
        check(menu)


async def test_other_peoples_boards_are_refused_in_chinese(shared: World, ann: Person, bo: Person) -> None:
    group = shared.playground.add_group("Both", [ann, bo])
    board = await ann.ask("/newgame easy", in_=group)
    assert is_chinese((await bo.tap(board, row=0)).text)
    said = await bo.say("/newgame@oxo_playground_bot easy", in_=group, channel="ABC")
    assert (await group.wait_for(after=said)).text


async def test_a_group_is_answered_in_its_language_and_a_tapper_in_their_own(
    shared: World, ann: Person, bo: Person
) -> None:
    group = shared.playground.add_group("Ours", [ann, bo])
    check(await ann.ask("/settings language zh", in_=group))
    check(await ann.ask("/newgame nightmare", in_=group))
    board = await ann.ask("/newgame easy", in_=group)
    check(await ann.ask("/settings", in_=group))
    toast = await ann.tap(board, data="nonsense")
    assert not is_chinese(toast.text)
    assert (await ann.ask("/newgame")).text.startswith("Your turn")
    for said in ("centre", "左上"):
        assert "一步棋" in (await ann.ask(f"/move {said} {said}", in_=group)).text
    await ann.say("/move 左上", in_=group)
    await board.until(lambda message: message.deleted or "❌" in message.labels[0])


async def test_what_follows_a_command_may_be_said_in_the_persons_language(shared: World) -> None:
    oleg = shared.playground.add_person("Олег", language="ru")
    for words in ("Напоминания да", "reminders ON"):
        assert ": да" in (await oleg.ask(f"/settings {words}")).text
    assert "Türkçe" in (await oleg.ask("/settings язык türkçe")).text
    assert "Русский" in (await oleg.ask("/settings dil РУССКИЙ")).text
    nothing = (await oleg.ask("/share")).text
    assert (await oleg.ask("/share картинка")).text == nothing != (await oleg.ask("/share музыка")).text
    await oleg.ask("/forget")
    refused = (await oleg.ask("/forget нет")).text
    assert refused == (await oleg.ask("/forget no")).text


@pytest.mark.parametrize("tag", ["zh", "zh-hans", "zh-hant", "zh-CN", "ZH-hans", "zh_Hans", "zh-hans-raw"])
async def test_all_ways_of_saying_chinese_are_understood(shared: World, tag: str) -> None:
    check(await shared.playground.add_person("小波", language=tag).ask("/start"))


@pytest.mark.parametrize("tag", [*NOT_SPOKEN, "en", "en-GB", "zhx", "z", "../zh", "C", "x" * 300, None])
async def test_english_for_everybody_else(shared: World, tag: str | None) -> None:
    person = shared.playground.add_person("Cem", language=tag)
    assert "Let's play" in (await person.ask("/start")).text
    board = await person.ask("/newgame")
    assert "Your turn" in board.text
    await tap_cell(person, board, 0)
