"""Boards of every size, misère, vanishing and ultimate: chosen by words and buttons, and played to the end."""

from random import Random

import pytest

from bot.boards.view import FADING
from bot.game.pages import ShowRegion
from bot.game.play import SetRules
from engine import Level, Mark, choose, parse_rules
from engine.rules.ultimate import UltimatePosition
from playground.chats import Message
from playground.groups import Group
from playground.people import Person
from tests.carried import data_with
from tests.people import (
    accepted,
    is_board,
    offered,
    plain,
    played,
    ply_of,
    position_on,
    pressed,
    put,
    styled,
    told,
    turned,
)
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

FIVE = parse_rules("5x5x4")


async def test_a_whole_game_against_the_computer_on_five_by_five(ann: Person) -> None:
    board = await ann.ask("/newgame 5x5 beginner")
    assert "5×5, four in a row" in board.text
    rng = Random(5)
    while (position := position_on(board, FIVE)).outcome is None:
        await put(ann, board, choose(Level.HARD, position, rng))
        await board.until(lambda shown: ply_of(shown) % 2 == 0 or "Play again" in offered(shown))
    assert position.outcome.winner is Mark.X, "a beginner moves at random"
    assert "You win! Four in a row, well played." in plain(board)
    assert styled(board, "success") == {cell for line in position.outcome.lines for cell in line}
    await pressed(ann, board, "Play again")
    again = await ann.private.wait_for(after=board)
    assert "5×5, four in a row" in again.text
    assert position_on(again, FIVE).ply == 1, "sides alternate"


async def test_in_misere_a_line_loses(ann: Person, bo: Person, group: Group) -> None:
    board = await accepted(bo, await ann.ask("/newgame misère", in_=group))
    assert "Misère on 3×3: make three in a row and you lose." in plain(board)
    await played(ann, bo, board, (0, 3, 1, 7, 2))
    assert plain(board).startswith("🏆 🟡 小波 wins · 5 moves\n\n🟦🟦🟦\n🟡⬜⬜\n⬜🟡⬜\n"), (
        "the line that loses is blue"
    )


async def test_every_board_of_the_menu_can_be_chosen_on_a_fresh_game_until_one_moves(ann: Person) -> None:
    board = await ann.ask("/newgame")
    await pressed(ann, board, "Options")
    await turned(ann, board, "rules")
    assert board.labels[0] == ["✓ 3×3", "4×4"]
    assert board.labels[-1] == ["‹ Back"]
    assert board.text.startswith("What shall we play?")
    await turned(ann, board, "all")
    assert is_board(board)
    await pressed(ann, board, "Options")
    for label in ("Misère 4×4", "8×8", "Ultimate", "5×5"):
        await turned(ann, board, "rules")
        if label not in offered(board):
            await pressed(ann, board, "More")
            assert board.text.startswith("What shall we play?")
            assert board.labels == [["Misère", "Misère 4×4"], ["Misère 5×5", "Ultimate"], ["‹ Back"]]
        await pressed(ann, board, label)
        await pressed(ann, board, "Options")
        assert label in offered(board)
    choice = next(each for row in board.keyboard for each in row if each["text"] == label)
    await put(ann, board, 12)
    assert "The board has changed" in await told(ann, board, data=str(choice["callback_data"]))
    assert "The game has begun" in await told(ann, board, data=data_with(board, SetRules("6x6x4")))


# Vanishing.


def fading_on(board: Message) -> dict[int, str]:
    """The cells of marks shown as about to vanish."""
    labels = [label for row in board.labels[:3] for label in row]
    return {cell: label for cell, label in enumerate(labels) if FADING in label}


async def test_two_people_see_the_oldest_mark_go_as_the_fourth_is_placed(
    ann: Person, bo: Person, group: Group
) -> None:
    challenge = await ann.ask(f"/newgame vanishing @{bo.username}", in_=group)
    board = await accepted(bo, challenge)
    await played(ann, bo, board, (4, 0, 8, 2, 1))
    assert fading_on(board) == {4: "❌⏳"}, "O places a third mark, and none vanishes"
    await played(ann, bo, board, (7,))
    assert fading_on(board) == {4: "❌⏳", 0: "🟡⏳"}
    assert "⏳ Vanishes next: ❌ centre, 🟡 top left" in board.text
    refused = await ann.tap(board, board.labels[1][1])
    assert refused.text, "a player's oldest mark stays until they move"
    await played(ann, bo, board, (5,))
    assert board.labels[1][1] == "·"
    assert fading_on(board) == {0: "🟡⏳", 8: "❌⏳"}
    assert "⏳ Vanishes next: 🟡 top left, ❌ bottom right" in board.text
    await played(ann, bo, board, (3, 6))
    assert set(fading_on(board)) == {2, 1}


# Ultimate.


START = UltimatePosition(0, 0, 0, 0, 0, None, None)


async def begun(ann: Person, bo: Person, group: Group) -> Message:
    challenge = await ann.ask("/newgame ultimate", in_=group)
    assert "Ultimate: three boards in a row win." in plain(challenge)
    return await accepted(bo, challenge)


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
            assert "or any other open board" in board.text
            choices += 1
        await put(person, board, cell)
        position = position.play(cell)
    assert choices > 3, "the game has free choices besides its first"
    assert position.outcome is not None
    name = "Ann" if position.outcome.winner == "X" else "小波"
    assert f"{name} wins · {position.ply} moves" in plain(board)
    assert plain(board).count("❎" if position.outcome.winner == "X" else "🟢") >= 3, "its line is to be seen"
    assert "over" in await told(ann, board, data=data_with(board, ShowRegion(0, 4)))
