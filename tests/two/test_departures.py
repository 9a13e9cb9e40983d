"""A player who leaves the group in the middle of a game: the board says so, and the opponent may end it."""

import pytest

from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.people import X_WINS, begun, offered, plain, played, pressed, put, told
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

HAS_LEFT = "👋 小波 left this group."


async def left(world: World, who: Person, board: Message, group: Group, *, by: Person | None = None) -> None:
    group.remove(who, by=by)
    await board.until(lambda message: HAS_LEFT in plain(message))
    assert not {"Claim win", "Close the game"} & offered(board)
    await world.skip(30)
    assert not {"Claim win", "Close the game"} & offered(board)
    await world.skip(31)
    await world.until(lambda: {"Claim win", "Close the game"} & offered(board))


@pytest.mark.parametrize("thrown_out", [False, True])
async def test_who_leaves_loses_if_the_other_wants_it_and_is_not_listed(
    shared: World, ann: Person, bo: Person, group: Group, *, thrown_out: bool
) -> None:
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS[:4])
    await left(shared, bo, board, group, by=ann if thrown_out else None)
    assert "❌ Ann's turn" in plain(board)
    await pressed(ann, board, "Claim win")
    assert plain(board).splitlines()[0] == f"🏆 ❌ Ann wins. {HAS_LEFT}"
    assert "📈" in board.text, "it is rated like a resignation"
    top = await ann.ask("/top", in_=group)
    assert "Ann" in top.text
    assert "小波" not in top.text


async def test_a_game_that_has_hardly_begun_is_closed_without_a_result(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS[:3])
    await left(shared, bo, board, group)
    await pressed(ann, board, "Close the game")
    assert plain(board).splitlines()[0] == f"{HAS_LEFT} This game is closed."
    assert "No finished games" in (await ann.ask("/stats", in_=group)).text


async def test_whoever_comes_back_and_moves_takes_the_button_away(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS[:4])
    await left(shared, bo, board, group)
    group.add(bo)
    await put(ann, board, 8)
    assert "Claim win" in offered(board)
    await told(cem, board, "Claim win")
    await told(bo, board, "Claim win")
    await put(bo, board, 7)
    assert "Claim win" not in offered(board)
    assert HAS_LEFT not in plain(board)


async def test_nothing_is_said_of_people_who_play_no_game_there(
    ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    board = await begun(ann, bo, group)
    before = board.revision
    group.remove(cem)
    await ann.ask("/help", in_=group)
    assert board.revision == before
