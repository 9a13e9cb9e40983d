"""Vanishing, from the first tap to the review: every board shows which mark is about to vanish."""

from __future__ import annotations

import pytest

from bot.boards.view import FADING
from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.people import accepted_on, offered, plain, played_on, ply_of, pressed, put_on

pytestmark = pytest.mark.asyncio(loop_scope="module")


def fading_on(board: Message) -> dict[int, str]:
    """The cells of marks shown as about to vanish."""
    labels = [label for row in board.labels[:3] for label in row]
    return {cell: label for cell, label in enumerate(labels) if FADING in label}


async def test_two_people_see_the_oldest_mark_go_as_the_fourth_is_placed(
    ann: Person, bo: Person, group: Group
) -> None:
    challenge = await ann.ask(f"/newgame vanishing @{bo.username}", in_=group)
    board = await accepted_on(bo, challenge)
    await played_on(ann, bo, board, 4, 0, 8, 2, 1)
    assert not fading_on(board), "O places a third mark, and none vanishes"
    await played_on(ann, bo, board, 7)
    assert set(fading_on(board)) == {4}
    refused = await ann.tap(board, board.labels[1][1])
    assert refused.text, "a player's oldest mark stays until they move"
    await played_on(ann, bo, board, 5)
    assert board.labels[1][1] == "·"
    assert set(fading_on(board)) == {0}
    await played_on(ann, bo, board, 3, 6)
    assert set(fading_on(board)) == {2}


async def test_a_game_against_oxo_ends_and_is_reviewed(ann: Person) -> None:
    board = await ann.ask("/newgame vanishing easy")
    for _ in range(40):
        free = [cell for cell in range(9) if board.labels[cell // 3][cell % 3] == "·"]
        await put_on(ann, board, free[0])
        await board.until(lambda shown: ply_of(shown) % 2 == 0 or "Play again" in offered(shown))
        if "Play again" in offered(board):
            break
    else:
        raise AssertionError("playing the first free cell ends the game within 80 plies")
    await pressed(ann, board, "Review")
    await board.until(lambda shown: "Review" not in offered(shown))
    assert plain(board)
