"""The commands for a running game: moving boards down, lists, and typed moves."""

import pytest

from playground.chats import Chat, Message
from playground.groups import Group
from playground.people import Person
from tests.people import (
    X_WINS,
    begun,
    begun_by_link,
    boards_in,
    data_of,
    is_board,
    is_chinese,
    mentioned,
    offered,
    plain,
    played,
    position_of,
    pressed,
    put,
    put_both,
    put_out_of_sight,
    told,
)
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_of_several_boards_one_is_chosen(ann: Person, bo: Person, cem: Person, group: Group) -> None:
    with_bo, with_cem = await begun(ann, bo, group), await begun(ann, cem, group)
    menu = await ann.ask("/board", in_=group)
    assert [len(row) for row in menu.labels] == [1, 1]
    assert "Cem" in menu.labels[0][0], "the newest first"
    assert "小波" in menu.labels[1][0]
    assert "someone else" in await told(cem, menu, menu.labels[1][0])
    await ann.tap(menu, menu.labels[1][0])
    await with_bo.until(lambda message: message.deleted)
    assert is_board(with_cem)
    board = await group.wait_for(is_board, after=menu)
    assert mentioned(board) == [ann.id]
    await played(ann, bo, board, X_WINS)
    assert "over" in await told(ann, menu, menu.labels[1][0])


async def test_a_reply_says_which_board(shared: World, ann: Person, bo: Person, cem: Person, group: Group) -> None:
    first, second = await begun(ann, bo, group), await begun(ann, bo, group)
    assert is_board(await ann.ask("/board", in_=group, reply_to=first))
    await first.until(lambda message: message.deleted)
    assert "someone else" in (await cem.ask("/board", in_=group, reply_to=second)).text
    await shared.has_answered(group, ann)
    assert is_board(second)
    await put(ann, second, 4)
    await bo.say("/undo", in_=group, reply_to=second)
    await shared.has_answered(group, ann)
    assert "asks" not in second.text
    said = await ann.say("/undo", in_=group, reply_to=second)
    below = await group.wait_for(is_board, after=said)
    assert "Ann asks to undo" in plain(below), "it had scrolled out of sight"
    finished = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    assert "over" in (await ann.ask("/board", in_=group, reply_to=finished)).text


async def test_games_are_listed_with_whose_turn_it_is(ann: Person, bo: Person, cem: Person, group: Group) -> None:
    assert "no game in progress" in (await ann.ask("/games", in_=group)).text
    assert "no game in progress" in (await ann.ask("/board", in_=group)).text
    await ann.ask("/newgame", in_=group)
    assert "no game in progress" in (await ann.ask("/games", in_=group)).text, "a challenge isn't a game yet"
    await put(ann, await begun(ann, bo, group), 4)
    await begun(ann, cem, group)
    await ann.ask("/newgame easy", in_=group)
    await ann.ask("/newgame easy")
    menu = await ann.ask("/games", in_=group)
    listed = [label for (label,) in menu.labels]
    assert ["OXO" in listed[0], "Cem" in listed[1], "小波" in listed[2]] == [True] * 3
    assert [line[0] for line in listed] == ["👉", "👉", "⏳"]
    assert listed[2].endswith(" · just now")
    numbers = [line.split()[1] for line in listed]
    assert len(set(numbers)) == 3
    assert (await ann.tap(menu, listed[1])).text is None
    assert is_board(await group.wait_for(is_board, after=menu))
    his = await bo.ask("/games", in_=group)
    assert is_chinese(his.text)
    assert len(his.labels) == 1


async def test_commands_act_on_the_newest_game(ann: Person, bo: Person, cem: Person, group: Group) -> None:
    older, newer = await begun(ann, bo, group), await begun(ann, cem, group)
    for board in (older, newer):
        await put(ann, board, 4)
    await ann.say("/undo", in_=group)
    await newer.until(lambda message: "asks to undo" in message.text)
    await pressed(ann, newer, "Decline")
    await ann.say("/resign", in_=group)
    await newer.until(lambda message: "really want to" in message.text)
    asked = await group.wait_for(is_board, after=await ann.say("/resign", in_=group))
    assert "really want to" in asked.text, "it comes once more"
    assert "asks" not in older.text
    assert "only give hints" in (await ann.ask("/hint", in_=group)).text
    board = await ann.ask("/newgame easy", in_=group)
    hint = await ann.ask("/hint", in_=group)
    assert hint.text.startswith("💡 Hint: ")
    await ann.say("/move 5", in_=group)
    await board.until(lambda message: position_of(message).ply == 2)
    below = await group.wait_for(is_board, after=await ann.say("/undo", in_=group))
    assert position_of(below).ply == 0


async def test_a_typed_move_is_played_on_the_lowest_board(ann: Person, bo: Person, cem: Person) -> None:
    (hers, with_ann), (theirs, with_cem) = await begun_by_link(ann, bo), await begun_by_link(cem, bo)
    await put_both(ann, hers, with_ann, 4)
    await put_both(cem, theirs, with_cem, 4)
    below = await bo.ask("/board", reply_to=with_ann)
    await bo.say("9")
    await below.until(lambda message: position_of(message).ply == 2)
    assert position_of(with_cem).ply == 1


async def test_an_answer_is_to_the_question_not_to_a_challenge_that_came_after_it(
    ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    board = await played(ann, bo, await begun(ann, bo, group), (4, 0))
    await ann.say("/undo", in_=group)
    await board.until(lambda message: "OK with you?" in message.text)
    assert "Then the game won't be rated." in board.text
    challenge = await cem.ask("/challenge", in_=group)
    await bo.say("/yes", in_=group)
    await group.changes.until(
        lambda: [each for each in boards_in(group) if position_of(each).ply == 0], 10, lambda: "a move less"
    )
    assert "Accept" in offered(challenge)


async def test_an_answer_to_a_challenge_does_not_resign_an_older_game(
    ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    board = await played(ann, bo, await begun(ann, bo, group), (4, 0))
    await ann.say("/resign", in_=group)
    await board.until(lambda message: "really want to" in message.text)
    challenge = await cem.ask("/challenge", in_=group)
    await ann.say("/yes", in_=group)
    await challenge.until(lambda message: "Accept" not in offered(message))
    assert "really want to" in board.text


async def test_a_cell_in_reply_to_what_is_no_board_is_no_move(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    board = await begun(ann, bo, group)
    menus = [await cem.ask(command, in_=group) for command in ("/puzzle", "/help", "/settings")]
    stored = int(str(shared.value("SELECT count(*) FROM done")))
    for menu in (*menus, None):
        await ann.say("3", in_=group, reply_to=menu)
    await shared.has_answered(group, ann)
    assert position_of(board).ply == 0
    kept = int(str(shared.value("SELECT count(*) FROM done"))) - stored
    assert kept < len(menus) + 1, "those of commands alone, whose keys are stored after their answers"


async def typed(person: Person, board: Message, text: str, *, reply: bool = True) -> Message:
    """Type a move; returns the board that shows it, which is a new one if this one was out of sight."""
    group, ply = board.chat, position_of(board).ply + 1

    def shown() -> Message | None:
        boards = boards_in(group)
        return boards[-1] if len(boards) == 1 and position_of(boards[0]).ply == ply else None

    await person.say(text, in_=group, reply_to=board if reply else None)
    return await group.changes.until(shown, 10, lambda: f"the board with {text}")


async def test_moves_can_be_typed_by_command_and_in_answer_to_a_board(
    ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    board = await begun(ann, bo, group)
    board = await typed(ann, board, "/move 2,3", reply=False)
    board = await typed(bo, board, "/move b2", reply=False)
    board = await typed(ann, board, "a1")
    board = await typed(bo, board, "3")
    board = await typed(ann, board, "/move@oxo_playground_bot 3, 3", reply=False)
    await bo.say("３，１", in_=group, reply_to=board)
    await board.until(lambda message: "🟡 小波 wins" in plain(message))
    await cem.say("4", in_=group)
    await cem.say("4", in_=group, reply_to=await ann.say("pick a number", in_=group))


TALK = ("well played!", "2 nice moves in a row", "100% yours", "1st!", "👍")


async def test_an_answer_to_a_board_that_is_no_move_and_an_edited_one_are_left_alone(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    board = await begun(ann, bo, group)
    sent = len(shared.sent(group))
    for text in (*TALK, "Right!", "middle", "右", "2:1", "12:30"):
        await bo.say(text, in_=group, reply_to=board)
    await ann.edit(await ann.say("hm", in_=group, reply_to=board), "5")
    await ann.edit(await ann.say("/nothing", in_=group), "/move 5")
    await shared.has_answered(group, ann)
    assert len(shared.sent(group)) == sent + 1
    assert position_of(board).ply == 0


# A player who must act gets a new message once until they act; and commands move boards down.


async def a_minute_passes(oxo: World, chat: Chat) -> None:
    await oxo.has_settled(chat)
    await oxo.skip(60)


async def tapped(person: Person, board: Message, cell: int) -> None:
    answer = await person.tap(board, data=data_of(board, cell))
    assert answer.text is None, answer.text


async def test_somebody_who_is_not_looking_gets_the_board_again_once(
    shared: World, ann: Person, bo: Person
) -> None:
    hers, his = await begun_by_link(ann, bo)
    await a_minute_passes(shared, bo.private)
    await tapped(ann, hers, 4)
    below = await bo.private.wait_for(is_board, after=his)
    assert position_of(below).ply == 1
    await his.until(lambda message: message.deleted)
    await a_minute_passes(shared, bo.private)
    await hers.until(lambda message: "Undo" in offered(message))
    await ann.tap(hers, "Undo")
    await below.until(lambda message: "Ann" in message.text and "🟡" in message.text and "↩️" in message.text)
    assert boards_in(bo.private) == [below], "a second call would come before he has acted"
    await bo.tap(below, below.labels[3][1])
    await hers.until(lambda message: position_of(message).ply == 0)
    await a_minute_passes(shared, bo.private)
    await tapped(ann, hers, 0)
    again = await bo.private.wait_for(is_board, after=below)
    assert position_of(again).ply == 1


async def test_who_waits_for_half_a_day_finds_a_nudge_on_the_board_they_bring_down_and_sends_one_a_day(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    board = await begun(ann, bo, group)
    await tapped(ann, board, 0)
    assert "Nudge" not in str((await ann.ask("/board", in_=group)).labels)
    assert "12 hours" in (await ann.ask("/nudge", in_=group)).text
    await shared.skip(hours=13)
    down = await ann.ask("/board", in_=group)
    assert "👋 Nudge" in offered(down)
    assert is_chinese(await told(bo, down, "👋 Nudge")), "it is his own turn"
    await ann.tap(down, "👋 Nudge")
    below = await group.wait_for(is_board, after=down)
    assert "👋 小波, Ann is waiting for your move." in plain(below)
    assert "One nudge a day" in (await ann.ask("/nudge", in_=group)).text
    await tapped(bo, below, 4)
    await below.until(lambda message: "👋" not in message.text)


async def test_a_command_brings_a_board_down_that_is_out_of_sight(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    board = await begun(ann, bo, group)
    sent = len(shared.sent(group))
    await ann.say("b2", in_=group, reply_to=board)
    await board.until(lambda message: position_of(message).ply == 1)
    await ann.say("/resign", in_=group)
    await board.until(lambda message: "really want to" in message.text)
    assert len(shared.sent(group)) == sent, "it is in sight, and nothing else is said"
    for _ in range(2):  # asked twice, moved down twice
        await put_out_of_sight(board, cem)
        below = await group.wait_for(is_board, after=await ann.say("/resign", in_=group))
        assert "really want to" in below.text
        await board.until(lambda message: message.deleted)
        board = below
    await put_out_of_sight(board, cem)
    last = await group.wait_for(is_board, after=await bo.say("/move b1", in_=group))
    assert position_of(last).ply == 2
    await board.until(lambda message: message.deleted)
    assert boards_in(group) == [last]
