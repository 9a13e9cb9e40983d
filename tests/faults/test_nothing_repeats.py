"""Nothing repeats for ever: what Telegram has refused for good is asked a few times, whatever reminds of it.

For each kind of message: somebody deletes it, or its chat takes nothing any more. Then days pass, in which the
clock and the sweep look, people tap all the time, and the bot is started again.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import pytest

from bot.game.pages import Share
from playground.accounts import Status
from playground.chats import Chat, Message
from playground.errors import ApiError, bad_request, forbidden
from playground.people import Person
from storage.games.game import Termination
from tests.carried import data_with
from tests.people import boards_in, is_board, plain, result_named
from tests.world import Room

HANDFUL: Final = 8
TIMES: Final = [10] * 20 + [1200] * 6 + [12 * 3600] * 12
CLOSED: Final = bad_request("CHAT_WRITE_FORBIDDEN")
GONE: Final = bad_request("MESSAGE_ID_INVALID")

Again = Callable[[], object]


def tapping(person: Person, board: Message) -> Again:
    data = str(board.keyboard[0][0]["callback_data"])
    return lambda: person.press(board, data)


def close(room: Room, *chats: Chat, error: ApiError = CLOSED) -> None:
    for chat in chats:
        for method in (
            "sendMessage",
            "editMessageText",
            "deleteMessage",
            "sendAnimation",
            "sendPhoto",
            "sendDocument",
        ):
            room.playground.faults.add(kind="error", chat=chat.id, method=method, error=error)


async def sent_inline(room: Room, title: str = "Challenge") -> tuple[Chat, Message]:
    """What Ann has sent to Bo through inline mode; it knows nothing of a clock, so that each game gets one."""
    meeting = room.playground.add_meeting(room.ann, room.bo)
    query = room.ann.inline_query("", meeting)
    await room.house.given(room.bot)
    message = room.ann.choose(result_named(query.answer.result(), title), in_=meeting)
    await room.house.given(room.bot)
    await room.house.quiet()
    return meeting, message


async def game_inline(room: Room) -> tuple[Chat, Message]:
    meeting, message = await sent_inline(room)
    await room.pressed(room.bo, message, "Accept")
    room.house.sql("UPDATE games SET clock = 30, due_at = 0")
    await room.house.quiet()
    return meeting, message


# For each kind, what is begun; it returns what somebody does again and again.


async def a_board_of_a_group(room: Room) -> Again:
    board = await room.game_of_two("30s")
    close(room, room.group)
    await room.put(room.ann, board, 4)
    return tapping(room.bo, board)


async def a_board_that_only_the_opponent_changes(room: Room) -> Again:
    invitation = await room.said(room.ann, "/challenge me", room.ann.private)
    link = plain(invitation).partition("?start=")[2].split()[0]
    await room.said(room.bo, f"/start {link}", room.bo.private)
    await room.house.quiet()
    close(room, room.bo.private)
    own = room.last(room.ann.private)
    await room.put(room.ann, own, 4)
    numbers = iter(range(10_000))
    labels = ("Undo", "Withdraw", "Call off", "No, keep playing")
    return lambda: (
        room.ann.press(own, str(own.button(label)["callback_data"]))
        if (label := labels[next(numbers) % 4]) in {each for row in own.labels for each in row}
        else None
    )


async def an_inline_board(room: Room) -> Again:
    meeting, message = await game_inline(room)
    meeting.delete(message)
    return lambda: None


async def an_inline_board_of_people_who_have_never_started_the_bot(room: Room) -> Again:
    room.ann.started = room.bo.started = False
    return await an_inline_board(room)


async def an_inline_board_of_a_chat_that_takes_nothing(room: Room) -> Again:
    meeting, _ = await game_inline(room)
    close(room, meeting)
    return lambda: None


async def an_inline_board_against_the_computer(room: Room) -> Again:
    meeting, message = await sent_inline(room, "Play OXO")
    room.house.sql("UPDATE games SET moved_at = 0, due_at = 0")
    meeting.delete(message)
    return lambda: None


async def an_inline_challenge(room: Room) -> Again:
    meeting, message = await sent_inline(room)
    meeting.delete(message)
    return lambda: None


async def a_watched_game(room: Room) -> Again:
    board = await room.said(room.ann, "/watch", room.group)
    close(room, room.group)
    await room.passes([1] * 5)
    return tapping(room.ann, board)


async def a_wait(room: Room) -> Again:
    await room.said(room.ann, "/play", room.ann.private)
    await room.house.quiet()
    close(room, room.ann.private)
    return lambda: None


async def a_reminder_in_a_group(room: Room) -> Again:
    board = await room.game_of_two("1d")
    close(room, room.group)
    return tapping(room.bo, board)


async def a_puzzle_every_day(room: Room) -> Again:
    page = await room.said(room.ann, "/puzzle", room.ann.private)
    for label in ("✕", "🔔 Remind me daily"):
        await room.pressed(room.ann, page, label)
        await room.house.quiet()
    close(room, room.ann.private, error=bad_request("chat not found"))
    return lambda: None


async def a_cup_and_its_games(room: Room, homes: Sequence[str] = ()) -> Again:
    cup = await room.said(room.ann, "/cup", room.group)
    for person in (room.bo, room.cem):
        await room.pressed(person, cup, "Join")
    await room.pressed(room.ann, cup, "Start")
    await room.passes([1, 1, 1])
    for person in (room.playground.people[name] for name in homes):
        await room.said(person, "/cup", person.private)
    await room.passes([1, 1])
    room.group.set_bot("kicked")
    own = [board for name in homes for board in boards_in(room.playground.people[name].private)]
    return tapping(room.ann, [*boards_in(room.group), *own][-1])


async def a_board_that_moves_down(room: Room) -> Again:
    board = await room.game_of_two()
    close(room, room.group)
    await room.said(room.ann, "/board", room.group)
    return tapping(room.bo, board)


async def a_shared_game(room: Room) -> Again:
    board = await room.game_of_two()
    for ply, cell in enumerate((4, 0, 3, 1, 5)):
        await room.put((room.ann, room.bo)[ply % 2], board, cell)
        await room.house.quiet()
    close(room, room.group, error=bad_request("CHAT_SEND_GIFS_FORBIDDEN"))
    await room.tapped(room.ann, board, data_with(board, Share()))
    return lambda: None


async def a_menu(room: Room) -> Again:
    menu = await room.said(room.ann, "/settings", room.ann.private)
    close(room, room.ann.private, error=GONE)
    await room.tapped(room.ann, menu, str(menu.keyboard[0][0]["callback_data"]))
    return lambda: None


async def the_last_word(room: Room) -> Again:
    await room.game_of_two()
    await room.said(room.ann, "/forget", room.ann.private)
    close(room, room.ann.private, error=forbidden("bot was blocked by the user"))
    await room.said(room.ann, "/forget yes", room.ann.private)
    return lambda: None


KINDS: Final[tuple[Callable[[Room], Awaitable[Again]], ...]] = (
    a_board_of_a_group,
    a_board_that_only_the_opponent_changes,
    a_board_that_moves_down,
    an_inline_board,
    an_inline_board_of_people_who_have_never_started_the_bot,
    an_inline_board_of_a_chat_that_takes_nothing,
    an_inline_board_against_the_computer,
    an_inline_challenge,
    a_watched_game,
    a_wait,
    a_reminder_in_a_group,
    a_puzzle_every_day,
    a_cup_and_its_games,
    a_shared_game,
    a_menu,
    the_last_word,
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
async def test_what_was_refused_for_good_is_asked_a_handful_of_times_whatever_reminds_of_it(
    room: Room, kind: Callable[[Room], Awaitable[Again]]
) -> None:
    again = await kind(room)
    await room.passes(TIMES, again)
    refused = Counter(
        (call.method, call.chat, call.parameters.get("message_id") or str(call.parameters.get("text"))[:12])
        for call in room.playground.calls
        if call.error is not None
    )
    assert refused, "it was tried"
    assert max(refused.values()) <= HANDFUL, refused
    room.bot.kill()
    before, room.bot = refused.total(), await room.house.start()
    await room.passes([10] * 10)
    later = sum(call.error is not None for call in room.playground.calls)
    assert later - before <= HANDFUL, "nor after a start"


# What becomes of it: docs/results.md has the table.


async def a_running_game(room: Room, words: str = "30s") -> Message:
    board = await room.game_of_two(words)
    await room.put(room.ann, board, 4)
    await room.house.quiet()
    return board


def ended(room: Room) -> Termination | None:
    return room.house.newest().game.termination


@pytest.mark.parametrize("who", ["ann", "bo"])
async def test_a_game_whose_inline_message_is_deleted_goes_on_in_the_private_chats_of_both(
    room: Room, who: str
) -> None:
    _, message = await game_inline(room)
    for ply, cell in enumerate((4, 0, 3, 8)):
        await room.put((room.ann, room.bo)[ply % 2], message, cell)
        await room.house.quiet()
    room.playground.people[who].delete(message)
    while not boards_in(room.ann.private):
        await room.passes([1])
    (hers,) = boards_in(room.ann.private)
    assert "The message with this game is gone, so it goes on here." in plain(hers)
    await room.passes([1] * 20)
    assert "Time's running out" not in hers.text, "it began again"
    await room.put(room.ann, hers, 5)
    await room.passes([2] * 2)
    assert "is gone" not in hers.text
    assert ended(room) is Termination.LINE
    await room.pressed(room.ann, hers, "Rematch")
    await room.house.quiet()
    await room.pressed(room.bo, boards_in(room.bo.private)[-1], boards_in(room.bo.private)[-1].labels[-1][0])
    await room.passes([2] * 2)
    for own in (boards_in(person.private)[-1] for person in (room.ann, room.bo)):
        assert "🏠" not in own.text, "nothing is gone of the rematch"
        assert "·" in str(own.labels)
    assert not room.house.wrong()


@pytest.mark.parametrize("away", ["ann", "bo"])
async def test_a_game_whose_inline_message_is_deleted_ends_without_a_result_where_it_cannot_go_on(
    room: Room, away: str
) -> None:
    _, message = await game_inline(room)
    for ply, cell in enumerate((4, 0, 3, 8)):
        await room.put((room.ann, room.bo)[ply % 2], message, cell)
        await room.house.quiet()
    room.playground.people[away].started = False
    room.ann.delete(message)
    await room.passes([2] * 30)
    (other,) = {room.ann, room.bo} - {room.playground.people[away]}
    assert (ended(room), room.house.sql("SELECT * FROM results")) == (Termination.CANCELLED, [])
    assert (
        "💤" in boards_in(other.private)[-1].text
        if boards_in(other.private)
        else "💤" in room.last(other.private).text
    )


async def test_a_game_that_has_gone_on_in_private_is_lost_in_time_by_whoever_blocks_the_bot(
    room: Room,
) -> None:
    meeting, message = await sent_inline(room)
    await room.pressed(room.bo, message, "Accept")
    for ply, cell in enumerate((4, 0, 3)):
        await room.put((room.ann, room.bo)[ply % 2], message, cell)
        await room.house.quiet()
    meeting.delete(message)
    await room.put(room.bo, message, 8)
    while not boards_in(room.ann.private):
        await room.passes([1])
    await room.put(room.ann, boards_in(room.ann.private)[-1], 1)
    await room.house.quiet()
    room.bo.block()
    await room.house.given(room.bot)
    await room.passes([6 * 3600] * 16)
    assert ended(room) is Termination.TIMEOUT


@pytest.mark.parametrize("out", ["restricted", "kicked"])
async def test_a_running_game_waits_for_the_bot_for_three_days_and_ends_without_a_result(
    room: Room, out: Status
) -> None:
    await a_running_game(room)
    room.group.set_bot(out)
    await room.passes([6 * 3600] * 11)
    assert ended(room) is None
    await room.passes([6 * 3600] * 2)
    assert ended(room) is Termination.EXPIRED


async def test_a_running_game_comes_again_that_was_deleted_and_its_time_begins_again(room: Room) -> None:
    board = await a_running_game(room)
    room.group.delete(board)
    await room.passes([2] * 15)
    assert "小波's turn" in plain(boards_in(room.group)[-1])
    assert ended(room) is None
    await room.passes([2] * 15)
    assert ended(room) is Termination.TIMEOUT


@pytest.mark.parametrize("how", ["deleted", "restricted"])
async def test_a_question_is_still_asked_once_its_board_is_there_again(room: Room, how: str) -> None:
    board = await a_running_game(room)
    await room.pressed(room.ann, board, "Undo")
    await room.house.quiet()
    if how == "deleted":
        room.group.delete(board)
        await room.passes([2] * 15)
    else:
        room.group.set_bot("restricted")
        await room.passes([600] * 6)
        room.group.set_bot("member")
        await room.passes([2] * 4)
    await room.pressed(room.bo, boards_in(room.group)[-1], "Accept")
    assert room.house.newest().game.ply == 0


@pytest.mark.parametrize("how", ["deleted", "restricted", "kicked"])
async def test_a_challenge_ends_in_its_time_and_says_so_only_where_its_message_is(room: Room, how: str) -> None:
    board = await room.said(room.ann, "/challenge", room.group)
    await room.house.quiet()
    before = len(room.group.messages)
    if how == "deleted":
        room.group.delete(board)
    else:
        room.group.set_bot(how)  # type: ignore[arg-type] # a status
    await room.passes([12 * 3600] * 3)
    assert ended(room) is Termination.EXPIRED
    if how != "deleted":
        room.group.set_bot("member")
        await room.passes([2] * 4)
        assert board.keyboard == [] or "Accept" not in str(board.labels)
    assert not [each for each in list(room.group.messages.values())[before:] if is_board(each)]


async def test_somebody_who_waits_is_asked_below_if_they_have_deleted_the_message(room: Room) -> None:
    board = await room.said(room.ann, "/play", room.ann.private)
    await room.house.quiet()
    room.ann.private.delete(board)
    await room.passes([60] * 11)
    assert room.last(room.ann.private).id > board.id
    assert ended(room) is None
    await room.passes([60] * 4)
    assert ended(room) is Termination.EXPIRED


async def test_whoever_blocks_the_bot_waits_no_more(room: Room) -> None:
    await room.said(room.ann, "/play", room.ann.private)
    await room.house.quiet()
    room.ann.block()
    await room.passes([1] * 3)
    assert ended(room) is Termination.CANCELLED


async def test_a_reminder_that_was_deleted_does_not_come_again(room: Room) -> None:
    await a_running_game(room, "1d")
    await room.passes([3600] * 19)
    reminder = room.last(room.group)
    assert "⏰" in reminder.text
    room.group.delete(reminder)
    await room.passes([3600] * 6)
    assert ended(room) is Termination.TIMEOUT
    said = [
        each for each in room.group.messages.values() if "Time" not in each.text and each.text.startswith("⏰")
    ]
    assert not said


@pytest.mark.parametrize("out", ["restricted", "kicked"])
async def test_who_could_not_be_reminded_has_all_the_time_again_and_is_reminded_then(
    room: Room, out: Status
) -> None:
    await a_running_game(room, "1d")
    room.group.set_bot(out)
    await room.passes([3600] * 20)
    room.group.set_bot("member")
    await room.passes([3600] * 16)
    assert ended(room) is None
    assert not [each for each in room.group.messages.values() if "⏰" in each.text]
    await room.passes([3600] * 4)
    assert [each for each in room.group.messages.values() if "⏰" in each.text]
    await room.passes([3600] * 6)
    assert ended(room) is Termination.TIMEOUT


async def test_in_a_cup_whoever_sees_their_board_in_private_is_on_the_clock_while_the_bot_is_out(
    room: Room,
) -> None:
    await a_cup_and_its_games(room, homes=("ann", "bo", "cem"))
    game = room.house.newest().game
    mover = next(person for person in (room.ann, room.bo, room.cem) if game.mark_of(person.id) is game.turn)
    await room.put(mover, boards_in(mover.private)[-1], 4)
    await room.passes([10] * 40)
    assert room.house.games()[game.id].termination is Termination.TIMEOUT


async def test_in_a_cup_whoever_sees_no_board_loses_nothing_and_three_days_later_it_goes_on(room: Room) -> None:
    await a_cup_and_its_games(room)
    game = room.house.newest().game
    await room.passes([6 * 3600] * 11)
    assert not room.house.games()[game.id].is_over
    await room.passes([6 * 3600] * 2)
    assert room.house.games()[game.id].termination is Termination.EXPIRED
    await room.passes([12 * 3600] * 80)
    assert all(each.is_over for each in room.house.games().values()), "the cup is over, too"


async def test_a_board_in_comments_comes_again_once_anything_gets_through_in_that_group(room: Room) -> None:
    room.group = room.playground.add_group("News", [room.ann, room.bo], kind="supergroup")
    post = room.group.channel_post("Who plays?")
    board = await room.said(room.ann, "/newgame me", room.group, post)
    await room.pressed(room.bo, board, "Accept")
    await room.house.quiet()
    close(room, room.group)
    await room.put(room.ann, board, 4)
    await room.passes([10] * 90, tapping(room.bo, board))
    room.playground.faults.clear()
    await room.said(room.ann, "/help", room.group)
    await room.passes([1] * 2)
    assert not room.house.wrong()


async def test_a_second_hint_and_a_new_cup_are_edited_only_if_something_has_changed(room: Room) -> None:
    cup = await room.said(room.ann, "/cup", room.group)
    board = await room.said(room.ann, "/newgame", room.ann.private)
    await room.put(room.ann, board, 0)
    await room.passes([1] * 10)
    for label in ("Hint, no 🏅", "Hint", "Hint"):
        assert "💡" in str(await room.pressed(room.ann, board, label))
        await room.house.quiet()
    assert room.calls("editMessageText") == 2, "a move, a hint"
    await room.pressed(room.bo, cup, "Join")
    await room.house.quiet()
    assert room.calls("editMessageText") == 3
    assert [call.error for call in room.playground.calls if call.error is not None] == []
