"""A game of two in a group: the board, whose turn it is, how it ends, the rematch, and a series."""

import pytest

from playground.groups import Group
from playground.people import Person
from tests.people import (
    NOBODY_WINS,
    O_WINS,
    X_WINS,
    accepted,
    begun,
    data_of,
    is_chinese,
    mentioned,
    next_board,
    offered,
    plain,
    played,
    position_of,
    pressed,
    put,
    styles_of,
    told,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("cells", "winner", "line"),
    [(X_WINS, "❌ Ann wins", (0, 1, 2)), (O_WINS, "🟡 小波 wins", (3, 4, 5)), (NOBODY_WINS, "Draw", ())],
)
async def test_the_result_names_the_winner_and_marks_the_line(
    ann: Person, bo: Person, group: Group, *, cells: tuple[int, ...], winner: str, line: tuple[int, ...]
) -> None:
    board = await played(ann, bo, await begun(ann, bo, group), cells)
    assert winner in plain(board)
    assert sorted(cell for cell, style in styles_of(board).items() if style == "success") == list(line)
    assert offered(board) == {"Rematch", "Share", "Review", "Our games"} | ({"Play the winner"} if line else set())
    assert mentioned(board) == []
    assert "over" in await told(ann, board, data=data_of(board, 8))


async def test_rematches_swap_sides_and_count_the_series(ann: Person, bo: Person, group: Group) -> None:
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    assert "Score: ❌" not in plain(board)
    assert "\nScore: Ann 1 – 0 小波\n📈 Ann " in plain(board)
    await pressed(bo, board, "Rematch")
    assert "小波 wants a rematch" in plain(board)
    assert offered(board) == {"Rematch", "Play the winner", "Accept", "Decline", "Share", "Review", "Our games"}
    await told(bo, board, "Accept")
    await pressed(ann, board, "Accept")
    assert offered(board) == {"Share", "Review", "Our games"}
    second = await next_board(group, board)
    assert "❌ 小波   🟡 Ann" in plain(second)
    assert plain(second).endswith("Score: 小波 0 – 1 Ann")
    await played(bo, ann, second, NOBODY_WINS)
    assert "\nScore: 小波 0 – 1 Ann, 1 draw\n" in plain(second)
    await pressed(ann, second, "Rematch")
    await pressed(bo, second, "Accept")
    third = await next_board(group, second)
    assert "❌ Ann   🟡 小波" in plain(third)
    assert plain(third).endswith("Score: Ann 1 – 0 小波, 1 draw")
    await played(ann, bo, third, O_WINS)
    assert "\nScore: Ann 1 – 1 小波, 1 draw\n" in plain(third)


async def test_undo_asks_names_the_move_and_is_the_others_to_allow(ann: Person, bo: Person, group: Group) -> None:
    board = await begun(ann, bo, group)
    assert "Undo" not in offered(board)
    await played(ann, bo, board, (4, 0))
    await pressed(ann, board, "Undo")
    assert "Ann asks to take back ❌ " in plain(board)
    assert "小波, OK with you?" in plain(board)
    assert offered(board) == {"Undo", "Resign", "Accept", "Decline"}
    await told(ann, board, "Accept")
    await pressed(bo, board, "Decline")
    assert position_of(board).ply == 2
    assert "小波 declined Ann's takeback" in plain(board)
    await pressed(ann, board, "Undo")
    assert "declined" not in plain(board)
    await pressed(bo, board, "Accept")
    assert position_of(board).ply == 0, "back to before Ann's own move"
    assert mentioned(board) == [ann.id]


async def test_takebacks_can_be_switched_off(ann: Person, bo: Person, group: Group) -> None:
    assert is_chinese((await bo.ask("/takebacks off")).text)
    board = await begun(ann, bo, group)
    await put(ann, board, 4)
    assert "takebacks off" in await told(ann, board, "Undo")
    await bo.ask("/takebacks on")
    await pressed(ann, board, "Undo")
    await bo.ask("/takebacks off")
    await pressed(bo, board, "Accept")
    assert position_of(board).ply == 0
    assert "/settings takebacks" in (await ann.ask("/takebacks maybe")).text


async def test_below_a_finished_board_of_a_group_the_next_one_challenges_the_winner(
    ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    assert "can't challenge yourself" in await told(ann, board, "Play the winner")
    await cem.tap(board, "Play the winner")
    challenge = await group.wait_for(lambda message: "Accept" in str(message.labels), after=board)
    assert "Cem" in plain(challenge)
    assert "Nobody has accepted" in await told(cem, board, "Play the winner")
    following = await accepted(ann, challenge)
    assert "Cem" in plain(following)
    assert "Ann" in plain(following)
    assert "Rematch" in offered(board), "both may still play on"
