"""A modified client can send any data to any message, and ids can be guessed: nothing happens (D1)."""

from __future__ import annotations

import asyncio

import pytest

from bot.boards import buttons
from bot.boards.buttons import Begin, Button
from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.carried import carried_by
from tests.people import tap_cell
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


SEEN = ("editMessageText", "sendMessage", "deleteMessage", "getChatMember")
"""The calls that other people or Telegram would notice."""


def everything(game: int) -> list[str]:
    """All data that a game's buttons can carry at its plies so far, and data that they can't."""
    of_a_game: list[Button] = [*carried_by(game), Begin(f"me:{game}:AAAAAAAA:AAAAAAAAAAAA")]
    return [*(buttons.write(button) for button in of_a_game), f"2remind:{game}:0", f"2expire:{game}"]


def number_of(message: Message) -> int:
    """The game that a message's buttons belong to."""
    game = buttons.game_of(str(message.keyboard[0][0]["callback_data"]))
    assert game is not None
    return game


async def test_a_stranger_in_a_chat_of_their_own_does_nothing_to_the_games_of_others(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    dee = shared.playground.add_person("Dee", started=True)
    deleted = await ann.ask("/newgame", in_=group)
    open_ = await ann.ask("/newgame", in_=group)
    running = await ann.ask("/newgame easy", in_=group)
    private = await ann.ask("/newgame easy")
    games = [number_of(message) for message in (deleted, open_, running, private)]
    await tap_cell(ann, running, 4)
    ann.delete(deleted)
    own = await dee.ask("/start")
    boards = [open_, running, private]
    before = [(board.text, board.keyboard, board.revision) for board in boards]
    calls = {method: len(shared.playground.calls_of(method)) for method in SEEN}
    messages = len(group.messages), len(ann.private.messages), len(dee.private.messages)
    taps = [dee.press(own, data) for game in games for data in everything(game)]
    answers = await asyncio.wait_for(asyncio.gather(*(tap.answer for tap in taps)), 60)
    assert all(answer.text for answer in answers)
    assert len({answer.text for answer in answers}) <= 3, "the answer doesn't depend on the game"
    await shared.has_answered(group, bo)
    await shared.has_answered(ann.private, ann)
    now = {method: len(shared.playground.calls_of(method)) for method in SEEN}
    assert now == {**calls, "sendMessage": calls["sendMessage"] + 2}, "but for the answers to /difficulty"
    assert (len(group.messages), len(ann.private.messages)) == (messages[0] + 2, messages[1] + 2)
    assert len(dee.private.messages) == messages[2]
    assert [(board.text, board.keyboard, board.revision) for board in boards] == before
    assert (await bo.tap(open_, "Accept")).text is None
    await tap_cell(ann, private, 4)
