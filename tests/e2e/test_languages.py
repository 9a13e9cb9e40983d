"""Every text is in the person's language: Chinese if their Telegram is Chinese, else English.

`tests/bot/test_every_language.py` has all texts in all languages.
"""

from __future__ import annotations

import re

import pytest

from engine import Level
from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.people import LOSS, data_for, data_of, play_to, position_of, tap_cell

pytestmark = pytest.mark.asyncio(loop_scope="module")

OURS = re.compile(
    rf"/\w+|\d+x\d+(?:x\d+)?|telegram\.org\S*|\b(?:OXO|Telegram|{'|'.join(Level)}|me|bot|random|nightmare|ABC|id|hidden|on)\b"
)
"""Commands, names and the words of commands, which are the same in every language."""


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
    "said", ["/start", "/help", "/privacy", "/newgame nightmare", "/difficulty hard", "/first nightmare", "hello"]
)
async def test_commands_are_answered_in_chinese(bo: Person, said: str) -> None:
    check(await bo.ask(said))


async def test_a_whole_game_is_chinese(bo: Person) -> None:
    board = await bo.ask("/newgame perfect")
    check(board)
    old = data_of(board, 0)
    await tap_cell(bo, board, 1)
    taken = next(cell for cell in range(9) if cell not in position_of(board).legal_moves)
    toasts = [await bo.tap(board, data=old), await bo.tap(board, data=data_of(board, taken))]
    check(board)
    await play_to(LOSS, bo, board, "perfect")
    check(board)
    assert "赢" in board.text
    made_up = ("nonsense", data_for(999999, "undo"))
    toasts += [await bo.tap(board, row=0, column=0), *[await bo.tap(board, data=data) for data in made_up]]
    again = str(board.keyboard[3][0]["callback_data"])
    await bo.tap(board, data=again)
    check(await bo.private.wait_for(after=board))
    toasts.append(await bo.tap(board, data=again))
    assert all(is_chinese(toast.text) for toast in toasts), toasts
    menu = await bo.ask("/difficulty")
    check(menu)
    assert is_chinese((await bo.tap(menu, row=0, column=0)).text)


async def test_a_group_is_answered_in_its_language_and_a_tapper_in_their_own(
    ann: Person, bo: Person, group: Group
) -> None:
    check(await ann.ask("/settings language zh", in_=group))
    check(await ann.ask("/newgame nightmare", in_=group))
    board = await ann.ask("/newgame easy", in_=group)
    check(await ann.ask("/settings", in_=group))
    assert not is_chinese((await ann.tap(board, data="nonsense")).text)
    assert is_chinese((await bo.tap(board, row=0)).text)
    assert (await ann.ask("/newgame")).text.startswith("Your turn")
    for said in ("centre", "左上"):
        assert "一步棋" in (await ann.ask(f"/move {said} {said}", in_=group)).text
    await ann.say("/move 左上", in_=group)
    await board.until(lambda message: message.deleted or "❌" in message.labels[0])
