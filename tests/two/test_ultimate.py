"""Whole games of ultimate: by buttons with every free choice, by text only, and what others can't do."""

from __future__ import annotations

from random import Random

import pytest

from bot.boards.cells import NAMED, short_name
from bot.game.actions import Move, ShowRegion
from engine.rules.ultimate import ULTIMATE, UltimatePosition
from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.carried import data_with
from tests.people import accepted, plain, ply_of, put, told, turned
from tests.world import World

START = UltimatePosition(0, 0, 0, 0, 0, None, None)

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def begun(ann: Person, bo: Person, group: Group) -> Message:
    """A game of the two in their group; Ann has X."""
    challenge = await ann.ask("/newgame ultimate", in_=group)
    assert "Ultimate: three boards in a row win." in plain(challenge)
    return await accepted(bo, challenge)


def page_data(board: Message, region: int) -> str:
    """The data of a page's button now."""
    return data_with(board, ShowRegion(max(0, ply_of(board)), region))


def game(seed: int) -> list[int]:
    """The cells of a random whole game."""
    rng, position, cells = Random(seed), START, list[int]()
    while position.outcome is None:
        cells.append(rng.choice(position.legal_moves))
        position = position.play(cells[-1])
    return cells


async def test_a_whole_game_by_buttons_with_free_choices(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    board = await begun(ann, bo, group)
    position, choices = START, 0
    for ply, cell in enumerate(game(2)):
        person = (ann, bo)[ply % 2]
        if position.board is None:
            assert "any open board" in board.text
            await turned(person, board, str(cell // 9), skip=shared.skip)
            assert "or any other open one" in board.text
            choices += 1
        await put(person, board, cell)
        position = position.play(cell)
    assert choices > 3, "the game has free choices besides its first"
    assert position.outcome is not None
    name = "Ann" if position.outcome.winner == "X" else "小波"
    assert f"{name} wins. Three boards in a row, well played." in plain(board)
    won = {label for row in board.labels[:3] for label in row}
    assert {"❌", "🟡"} <= won
    styles = [each.get("style") for row in board.keyboard[:3] for each in row]
    assert styles.count("success") >= 3
    assert "over" in await told(ann, board, data=page_data(board, 4))


async def test_a_page_is_of_its_ply_and_of_the_board_that_must_be_played(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    board = await begun(ann, bo, group)
    await turned(ann, board, "4", skip=shared.skip)
    assert board.labels[:3] == [["·"] * 3] * 3
    opened = page_data(board, 4)
    await turned(ann, board, "all")
    await turned(ann, board, "8", skip=shared.skip)
    await put(ann, board, 80)
    assert "bottom right" in board.text
    assert "已经变了" in await told(bo, board, data=opened), "of an earlier ply"
    assert await told(bo, board, data=page_data(board, 4)), "there is no choice now"
    assert await told(bo, board, data=data_with(board, Move(1, 0))), "a cell of another board"
    assert ply_of(board) == 1


async def test_a_whole_game_by_text_alone(ann: Person) -> None:
    await ann.ask("/settings text on")
    answer = await ann.ask("/newgame ultimate beginner")
    assert "  a b c  d e f  g h i" in answer.text
    position, rng, turn = START, Random(1), 0
    while "/again" not in answer.text:
        assert "Your turn." in answer.text
        cell = rng.choice(position.legal_moves)
        board, small = divmod(cell, 9)
        ways = [f"/move {board + 1} {small + 1}", short_name(cell, ULTIMATE), f"{board + 1},{small + 1}"]
        ways += [NAMED[small], str(small + 1)] if position.board is not None else []
        answer = await ann.ask(ways[turn % len(ways)])
        assert answer.labels == []
        turn, position = turn + 1, position.play(cell)
        if position.outcome is None and "/again" not in answer.text:
            position = seen(answer.text, position)
    assert "/again, /swap" in answer.text
    assert turn > 8


def seen(text: str, before: UltimatePosition) -> UltimatePosition:
    """The position after the computer's answer, which the first line of the text names."""
    said = text.partition(".")[0].removeprefix("OXO: ")
    board, _, small = said.partition(" board, ")
    return before.play(9 * NAMED.index(board) + NAMED.index(small))
