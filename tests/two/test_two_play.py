"""A game of two in a group: the board, whose turn it is, how it ends, the rematch, and a series."""

import pytest

from bot.game.pages import LeaveReview, LookBack
from playground.chats import Message
from playground.groups import Group
from playground.people import Person
from tests.bot.games import LATE
from tests.people import (
    X_WINS,
    begun,
    is_chinese,
    led,
    mentioned,
    offered,
    opened,
    plain,
    played,
    position_of,
    pressed,
    put,
    told,
)
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_undo_asks_names_the_move_and_is_the_others_to_allow(ann: Person, bo: Person, group: Group) -> None:
    board = await begun(ann, bo, group)
    assert "Undo" not in offered(board)
    await played(ann, bo, board, (4, 0))
    await pressed(ann, board, "Undo")
    assert "Ann asks to undo ❌ " in plain(board)
    assert "小波, OK with you?" in plain(board)
    assert offered(board) == {"Accept", "Decline"}
    await told(ann, board, "Accept")
    await pressed(bo, board, "Decline")
    assert position_of(board).ply == 2
    assert "小波 said no: the move stands" in plain(board)
    await pressed(ann, board, "Undo")
    assert "declined" not in plain(board)
    await pressed(bo, board, "Accept")
    assert position_of(board).ply == 0, "back to before Ann's own move"
    assert mentioned(board) == [ann.id]


async def test_from_move_ten_on_two_people_can_agree_on_a_draw_on_a_big_board(
    ann: Person, bo: Person, group: Group
) -> None:
    board = await begun(ann, bo, group, "4x4")
    moves = [int(cell, 16) for cell in LATE]
    await played(ann, bo, board, moves[:9])
    assert "Draw?" not in offered(board)
    assert "from move 10" in plain(await ann.ask("/draw", in_=group, reply_to=board))
    await put(bo, board, moves[9])
    height = len(board.labels)
    await pressed(bo, board, "Draw?")
    assert "小波 offers a draw. Ann, OK with you?" in plain(board)
    assert (board.labels[-1], len(board.labels)) == (["Decline", "Accept"], height)
    await told(bo, board, "Accept")
    await pressed(ann, board, "Decline")
    assert "Ann said no: the game goes on." in plain(board)
    await pressed(ann, board, "Draw?")
    await pressed(bo, board, "Accept")
    assert "Draw by agreement" in plain(board)
    assert board.labels == [["Rematch", "Send", "🔎"]]
    assert "1 draw" in plain(await ann.ask("/stats", in_=group))


async def test_takebacks_can_be_switched_off(ann: Person, bo: Person, group: Group) -> None:
    assert is_chinese((await bo.ask("/takebacks off")).text)
    board = await begun(ann, bo, group)
    await put(ann, board, 4)
    assert "doesn't allow undoing" in await told(ann, board, "Undo")
    await bo.ask("/takebacks on")
    await pressed(ann, board, "Undo")
    await bo.ask("/takebacks off")
    await pressed(bo, board, "Accept")
    assert position_of(board).ply == 0
    assert "/settings takebacks" in (await ann.ask("/takebacks maybe")).text


# Somebody who leaves the group: the board says so, and the opponent may end the game.


HAS_LEFT = "👋 小波 left this group."
WAS_REMOVED = "👋 小波 was removed from this group."


async def left(world: World, who: Person, board: Message, group: Group, *, by: Person | None = None) -> None:
    group.remove(who, by=by)
    await board.until(lambda message: (HAS_LEFT if by is None else WAS_REMOVED) in plain(message))
    assert not {"Claim win", "Close the game"} & offered(board)
    await world.skip(30)
    assert not {"Claim win", "Close the game"} & offered(board)
    await world.skip(31)
    await world.until(lambda: {"Claim win", "Close the game"} & offered(board))


async def test_who_leaves_loses_if_the_other_wants_it_and_is_not_listed(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS[:4])
    await left(shared, bo, board, group)
    assert "❌ Ann's turn" in plain(board)
    await pressed(ann, board, "Claim win")
    assert plain(board).splitlines()[0] == f"🏆 ❌ Ann wins. {HAS_LEFT}"
    top = await ann.ask("/top", in_=group)
    assert "Ann" in top.text
    assert "小波" not in top.text


@pytest.mark.parametrize("words", ["", "@bo_who_stays"])
async def test_the_challenge_of_somebody_who_leaves_ends(ann: Person, group: Group, words: str) -> None:
    challenge = await ann.ask(f"/challenge {words}", in_=group)
    assert "Accept" in offered(challenge)
    group.remove(ann)
    await challenge.until(lambda message: plain(message) == "👋 Ann left this group. This challenge is closed.")
    assert "Accept" not in offered(challenge)


@pytest.mark.parametrize(
    ("moves", "thrown_out"), [((4, 0, 8), False), (X_WINS[:4], True)], ids=["hardly begun", "removed"]
)
async def test_a_game_that_nobody_has_lost_by_it_is_closed_without_a_result(
    shared: World, ann: Person, bo: Person, group: Group, moves: tuple[int, ...], *, thrown_out: bool
) -> None:
    """Or else whoever owns a group would win any game there by removing the opponent."""
    board = await played(ann, bo, await begun(ann, bo, group), moves)
    await left(shared, bo, board, group, by=ann if thrown_out else None)
    await pressed(ann, board, "Close the game")
    said = WAS_REMOVED if thrown_out else HAS_LEFT
    assert plain(board).splitlines()[0] == f"{said} This game is closed."
    assert "No finished games" in (await ann.ask("/stats", in_=group)).text


@pytest.mark.parametrize("thrown_out", [False, True])
@pytest.mark.parametrize("is_admin", [False, True])
async def test_whoever_is_back_has_not_left_also_while_the_other_is_to_move(
    shared: World, ann: Person, bo: Person, group: Group, *, thrown_out: bool, is_admin: bool
) -> None:
    """Where the bot is an administrator, it knows also what no message announces."""
    if is_admin:
        group.set_bot("administrator")
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS[:4])
    by, said = (ann, WAS_REMOVED) if thrown_out else (None, HAS_LEFT)
    group.remove(bo, by, announced=not is_admin)
    await board.until(lambda message: said in plain(message))
    group.add(bo, by, announced=not is_admin)
    await board.until(lambda message: "👋" not in message.text)
    await shared.skip(61)
    assert not {"Claim win", "Close the game"} & offered(board)
    await left(shared, bo, board, group)
    group.add(bo)
    await board.until(lambda message: "👋" not in message.text)
    assert not {"Claim win", "Close the game"} & offered(board)
    group.remove(ann)
    await board.until(lambda message: "👋 Ann left this group." in plain(message))


# Reviews: the person who opened one steps through it; others get their own by a link.


async def test_the_opener_steps_and_others_have_their_own(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    finished = board.keyboard
    await pressed(bo, board, "🔎")
    assert plain(board).startswith("🔎 Move 2 of 5."), "where the game turned"
    await pressed(bo, board, "‹")
    assert position_of(board).ply == 1
    # Ann and Cem get links to theirs, and Bo's stays as it is.
    parameters = {person: await led(person, board, LookBack(2)) for person in (ann, cem)}
    hers = await opened(ann, parameters[ann])
    his = await opened(cem, parameters[cem])
    for own in (hers, his):
        assert plain(own).startswith("🔎 Move 2 of 5.")
        assert "Rematch" not in offered(own)
    await pressed(cem, his, "›")
    await pressed(cem, his, "›")
    await pressed(ann, hers, "‹")
    assert [position_of(each).ply for each in (board, hers, his)] == [1, 1, 4]
    # Bo made a mistake, so only he may try again.
    await pressed(bo, board, "›")
    for _ in range(2):
        await pressed(cem, his, "‹")
    assert "Find a better move" in offered(board)
    assert "Find a better move" not in offered(his)
    # Each leaves; a review of one's own goes with it.
    await cem.tap(his, "✕")
    await his.until(lambda message: message.deleted)
    await pressed(bo, board, "✕")
    assert board.keyboard == finished
    assert "Traceback" not in shared.logged()


async def test_either_player_closes_a_review_that_hides_their_rematch_and_nobody_else_does(
    ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    finished = board.keyboard
    await pressed(bo, board, "🔎")
    assert "Rematch" not in offered(board)
    await led(cem, board, LeaveReview())
    assert board.keyboard != finished
    await pressed(ann, board, "✕")
    assert board.keyboard == finished
    assert "Rematch" in offered(board)


async def test_commands_in_a_group(ann: Person, bo: Person, cem: Person, group: Group) -> None:
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    await ann.say("/review", in_=group)
    await board.until(lambda message: plain(message).startswith("🔎 Move 2 of 5."))
    await ann.say("/next", in_=group)
    await board.until(lambda message: position_of(message).ply == 3)
    answer = await cem.ask("/review", in_=group, reply_to=board)
    assert "our private chat" in answer.text
    (button,) = answer.keyboard[0]
    own = await opened(cem, button["url"].partition("?start=")[2])
    assert plain(own).startswith("🔎 Move 2 of 5.")
    second = await opened(cem, button["url"].partition("?start=")[2])
    await own.until(lambda message: message.deleted)
    assert plain(second).startswith("🔎 Move 2 of 5."), "a second link brings the review that one has"
    assert (
        await cem.ask("/next", in_=group)
    ).text == "There's no finished game here to review. Send /newgame for a fresh board."
    assert position_of(board).ply == 3
