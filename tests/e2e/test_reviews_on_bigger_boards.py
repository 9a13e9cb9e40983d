"""Games and reviews on bigger boards, which worker processes search."""

from __future__ import annotations

import pytest

from bot.game.actions import Move
from playground.messages import Message
from playground.people import Person
from tests.carried import action_of
from tests.e2e.test_reviews import lines
from tests.people import EMPTY, offered, ply_of, pressed, put_on
from tests.world import World

LOOKED = 30.0
"""Seconds in which a game is looked at, on a machine that does other things too."""


@pytest.fixture
def ann(oxo: World) -> Person:
    """Ann, in the test's own playground."""
    return oxo.playground.people["ann"]


def free(board: Message) -> list[int]:
    """The cells that a keyboard offers."""
    buttons = [(action_of(each), each["text"]) for row in board.keyboard for each in row]
    return [found.cell for found, label in buttons if isinstance(found, Move) and label == EMPTY]


async def moved(person: Person, board: Message, cell: int) -> None:
    """Play a cell, and wait for the computer's answer or the end."""
    ply = ply_of(board)
    await put_on(person, board, cell)
    await board.until(lambda shown: ply_of(shown) == ply + 2 or "Review" in offered(shown), within=60)


async def reviewed(person: Person, board: Message) -> None:
    """Open a review, and wait for its verdicts."""
    await person.tap(board, "Review")
    await board.until(
        lambda shown: shown.text.startswith("🔎 Review.") and "Analysing" not in shown.text, within=LOOKED
    )


async def test_a_lost_game_on_five_by_five_is_analysed_and_tried_again(oxo: World, ann: Person) -> None:
    board = await ann.ask("/newgame 5x5 perfect me")
    while "Review" not in offered(board):
        await moved(ann, board, free(board)[-1])
    assert "I win" in board.text
    await reviewed(ann, board)
    await board.until(lambda shown: any(label.startswith("⚡") for label in offered(shown)), within=LOOKED)
    slip = next(label for label in offered(board) if label.startswith("⚡"))
    await ann.tap(board, slip)
    await board.until(lambda shown: "This was the turning point" in shown.text, within=LOOKED)
    await ann.tap(board, "Try again")
    await board.until(lambda shown: shown.text.startswith("🤔 Which cell is better"))
    row, column = next((row, board.labels[row].index(EMPTY)) for row in range(5) if EMPTY in board.labels[row])
    await ann.tap(board, row=row, column=column)
    await board.until(lambda shown: shown.text.startswith(("✖️", "🎉")), within=LOOKED)
    if board.text.startswith("✖️"):
        await ann.tap(board, "Show me")
        await board.until(lambda shown: shown.text.startswith("💡"), within=LOOKED)
    await ann.tap(board, "✕")
    await board.until(lambda shown: "I win" in shown.text.splitlines()[0])
    assert "Traceback" not in oxo.logged()


async def test_a_game_of_ultimate_is_analysed_and_stepped_through(oxo: World, ann: Person) -> None:
    board = await ann.ask("/newgame ultimate easy me")
    await ann.say("/move 5 5")
    await board.until(lambda shown: "Resign" in offered(shown) and "Your turn" in shown.text, within=60)
    await pressed(ann, board, "Resign")
    await pressed(ann, board, "Yes, resign")
    await reviewed(ann, board)
    for ply in (1, 2):
        await pressed(ann, board, "›")
        assert f"Move {ply} of 2." in lines(board)[0]
        assert [len(row) for row in board.labels[:3]] == [3, 3, 3]
        assert "🟦" in board.text or ply == 2, "the nine boards are drawn"
    assert "Traceback" not in oxo.logged()
