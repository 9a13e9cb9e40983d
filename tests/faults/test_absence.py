"""When somebody can't be there: what becomes of whatever is theirs, as the table in docs/results.md has it.

What happens to deleted messages, and while the bot may not write, is in `test_nothing_repeats`.
"""

import math
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

import pytest

from bot.background.clock import Deadlines
from bot.features.puzzle.view import current_day
from engine.puzzles import puzzle_of, solution
from playground.chats import Message
from storage.columns import DAY
from storage.games.game import Offer, Termination
from tests.bots import Everything
from tests.people import boards_in, plain
from tests.world import Room

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
REMOVED: Final = "👋 小波 was removed from this group."
SEND_AGAIN: Final = "I was away when you sent that."

Begin = Callable[[Room], Awaitable[Message]]


def ended(room: Room) -> Termination | None:
    return room.house.newest().game.termination


def any_ended(room: Room) -> bool:
    return any(game.is_over for game in room.house.games().values())


def texts(room: Room) -> str:
    return " ".join(message.text for message in room.group.messages.values() if message.from_bot)


def newest(room: Room) -> Message:
    """The bot's newest message, in the group or in Ann's private chat, but for that of a cup that goes on."""
    chat = room.group if texts(room) else room.ann.private
    said = [each for each in chat.messages.values() if each.from_bot and each.labels != [["My game ↗"]]]
    return said[-1]


# What is begun; it returns its message.


async def a_game(room: Room, words: str = "10m") -> Message:
    """Ann has moved."""
    await room.said(room.ann, "/settings language en", room.group)
    board = await room.game_of_two(words)
    await room.put(room.ann, board, 4)
    await room.house.quiet()
    return board


async def a_game_of_a_day(room: Room) -> Message:
    return await a_game(room, "1d")


async def a_question(room: Room) -> Message:
    board = await a_game(room)
    await room.pressed(room.ann, board, "Undo")
    await room.house.quiet()
    return board


async def a_challenge(room: Room) -> Message:
    await room.said(room.ann, "/settings language en", room.group)
    return await room.said(room.bo, "/challenge", room.group)


async def a_wait(room: Room) -> Message:
    board = await room.said(room.ann, "/play", room.ann.private)
    await room.passes([MINUTE] * 10)
    assert room.last(room.ann.private).id > board.id, "asked whether she's still there"
    return room.last(room.ann.private)


async def an_announced_cup(room: Room) -> Message:
    cup = await room.said(room.ann, "/cup", room.group)
    dee = room.house.joins("Dee", room.group)
    for person in (room.bo, room.cem, dee):
        await room.pressed(person, cup, "Join")
    await room.house.quiet()
    return cup


async def a_game_of_a_cup(room: Room) -> Message:
    """It is Ann's and Bo's."""
    cup = await room.said(room.cem, "/cup", room.group)
    for person in (room.ann, room.bo):
        await room.pressed(person, cup, "Join")
    await room.pressed(room.cem, cup, "Start")
    await room.passes([1, 1, 1])
    game = room.house.newest().game
    assert {game.x.seat, game.o.seat} == {room.ann.id, room.bo.id}
    return boards_in(room.group)[-1]


# (a), (b), (c): nobody is heard for a while, or a clock is wrong.


async def the_bot_is_down(room: Room, seconds: float) -> None:
    room.bot.kill()
    await room.house.skip(seconds)
    room.bot = await room.house.start()


class Unheard(Everything):
    """No update can come in."""

    async def heard(self) -> float:
        return -math.inf


async def telegram_cannot_be_reached(room: Room, seconds: float) -> None:
    clock, room.bot.clock = room.bot.clock, Deadlines(room.bot.services, Unheard())
    for _ in range(3):
        await room.house.skip(seconds / 3, heard=False)
        await room.bot.look()
    room.bot.clock = clock


async def a_clock_is_ahead_for_a_while(room: Room, seconds: float) -> None:
    room.house.clock.ahead = seconds
    await room.bot.clock.beat()
    await room.passes([5, 5])
    room.house.clock.ahead = 0


async def a_clock_is_set_back(room: Room, seconds: float) -> None:
    room.house.clock.ahead = -seconds


class Waiting(NamedTuple):
    """Something that people wait for, or that waits for them."""

    begin: Begin
    had: int
    """The seconds of its time that are over when nobody is heard any more."""
    left: int
    lost: int
    again: int | None
    """The seconds after which it ends if it begins again; None if it only goes on."""
    offered: str
    """What its message offers until then."""
    over: Callable[[Room], object]


WAITING: Final = {
    "a question": Waiting(a_question, 300, 300, HOUR, 600, "Accept", ended),
    "a challenge": Waiting(a_challenge, 20 * HOUR, 4 * HOUR, 7 * HOUR, None, "Accept", ended),
    "a wait for an opponent": Waiting(a_wait, 90, 90, HOUR, 13 * MINUTE, "Still here", ended),
    "an announced cup": Waiting(an_announced_cup, 300, 300, HOUR, 600, "Join", lambda room: room.house.games()),
    "a running cup's game": Waiting(a_game_of_a_cup, 150, 150, HOUR, 300, "·", any_ended),
    "a reminder": Waiting(
        a_game_of_a_day, 9 * HOUR, 9 * HOUR, 7 * HOUR, 18 * HOUR, "·", lambda room: "⏰" in texts(room)
    ),
}


@pytest.mark.parametrize("waiting", WAITING.values(), ids=WAITING)
@pytest.mark.parametrize(
    ("happens", "begins_again"),
    [
        (the_bot_is_down, True),
        (telegram_cannot_be_reached, True),
        (a_clock_is_ahead_for_a_while, True),
        (a_clock_is_set_back, False),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
async def test_what_people_wait_for_waits_as_long_as_nobody_is_heard_and_goes_by_no_wrong_clock(
    room: Room, waiting: Waiting, happens: Callable[[Room, float], Awaitable[None]], *, begins_again: bool
) -> None:
    await waiting.begin(room)
    await room.passes([waiting.had / 4] * 4)
    assert not waiting.over(room)
    await happens(room, waiting.lost)
    await room.bot.clock.beat()
    await room.passes([1] * 3)
    left = waiting.again if begins_again and waiting.again is not None else waiting.left
    await room.passes([left * 0.18] * 5)
    assert waiting.offered in str(newest(room).labels)
    assert not waiting.over(room)
    await room.passes([left * 0.06] * 5)
    assert waiting.over(room)


@pytest.mark.parametrize("happens", [a_clock_is_ahead_for_a_while, a_clock_is_set_back])
async def test_a_puzzle_comes_at_its_time_of_day_whatever_a_clock_says(
    room: Room, happens: Callable[[Room, float], Awaitable[None]]
) -> None:
    page = await room.said(room.ann, "/puzzle", room.ann.private)
    for label in ("✕", "🔔 Remind me daily"):
        await room.pressed(room.ann, page, label)
        await room.house.quiet()
    await happens(room, 30 * DAY)
    await room.bot.clock.beat()
    before = room.last(room.ann.private)
    await room.passes([HOUR] * 23)
    assert room.last(room.ann.private) is before
    await room.passes([HOUR] * 2)
    assert "🧩 #" in plain(room.last(room.ann.private))
    assert room.last(room.ann.private) is not before


# (f): Bo was removed from the group.


class Removed(NamedTuple):
    """What is said of something of Bo's after he was removed, and some time later."""

    begin: Begin
    steps: Sequence[int]
    said: str
    offers: str = ""
    is_over: bool = False


OF_THE_REMOVED: Final = {
    "a running game": Removed(a_game, [10] * 8, REMOVED, "Close the game"),
    "a question": Removed(a_question, [10] * 8, REMOVED, "Close the game"),
    "a challenge": Removed(a_challenge, [2], f"{REMOVED} This challenge is closed.", is_over=True),
    "an announced cup": Removed(an_announced_cup, [2], "Who's in? Ann, Cem Öz, Dee", "Join"),
    "a running cup's game": Removed(a_game_of_a_cup, [2], f"{REMOVED} This game is closed.", is_over=True),
    "a reminder": Removed(a_game_of_a_day, [HOUR] * 60, f"{REMOVED} This game is closed.", is_over=True),
}


@pytest.mark.parametrize("of", OF_THE_REMOVED.values(), ids=OF_THE_REMOVED)
async def test_whoever_is_removed_from_a_group_loses_nothing_and_keeps_nobody_waiting(
    room: Room, of: Removed
) -> None:
    message = await of.begin(room)
    room.group.remove(room.bo, by=room.ann)
    await room.passes(of.steps)
    assert of.said in plain(message)
    assert of.offers in str(message.labels)
    assert "⏰" not in texts(room)
    his = [game for game in room.house.games().values() if game.mark_of(room.bo.id) is not None]
    assert {game.is_over for game in his} <= {of.is_over}
    if of.offers == "Close the game":
        await room.pressed(room.ann, message, of.offers)
        await room.house.quiet()
        assert f"{REMOVED} This game is closed." in plain(message)
        assert "Accept" not in str(message.labels)
    assert {room.house.games()[game.id].termination for game in his} <= {Termination.EXPIRED}
    assert room.house.sql("SELECT * FROM results") == []
    assert "Ann · 1" not in texts(room), "who removes them gets no point in the cup"
    assert not room.house.wrong()


# (g): what somebody said is handled hours later.


class Late(NamedTuple):
    """What somebody says hours before the bot hears it, and what is so then."""

    begin: Begin | None
    by: str
    words: str
    holds: Callable[[Room], object]
    is_told: bool = False
    """Whether they are told to send it again, as it begins nothing."""


async def a_declined_question(room: Room) -> Message:
    board = await a_question(room)
    await room.pressed(room.bo, board, "Decline")
    await room.house.quiet()
    return board


async def a_puzzle_an_hour_before_midnight(room: Room) -> Message:
    await room.house.skip(-(time.time() + HOUR) % DAY)
    return await room.said(room.ann, "/puzzle", room.ann.private)


def tried_on_its_day(room: Room) -> bool:
    (row,) = room.house.sql("SELECT day, moves FROM puzzles")
    return row.day == current_day() - 1 and bool(row.moves)


def plies(number: int) -> Callable[[Room], bool]:
    return lambda room: room.house.newest().game.ply == number


def no_game(room: Room) -> bool:
    return not room.house.games()


def no_game_and_no_cup(room: Room) -> bool:
    return no_game(room) and "🏆" not in texts(room)


LATE: Final = {
    "a move": Late(a_game, "bo", "/move a1", plies(2)),
    "a move out of turn": Late(a_game, "ann", "/move a1", plies(1)),
    "an answer": Late(a_question, "bo", "/accept", plies(0)),
    "an answer to nothing": Late(a_declined_question, "bo", "/accept", plies(1)),
    "a resignation": Late(a_game, "bo", "/resign", lambda room: room.house.newest().game.offer is Offer.RESIGN),
    "a challenge": Late(None, "ann", "/challenge", no_game, is_told=True),
    "a wait for an opponent": Late(None, "ann", "/play", no_game, is_told=True),
    "a cup": Late(None, "ann", "/cup", no_game_and_no_cup, is_told=True),
    "a cup's start": Late(an_announced_cup, "ann", "/cup start", no_game, is_told=True),
    "a move in a cup": Late(a_game_of_a_cup, "ann", "/move b2", plies(1)),
    "a try at the puzzle": Late(a_puzzle_an_hour_before_midnight, "ann", "/puzzle {cell}", tried_on_its_day),
}


@pytest.mark.parametrize("late", LATE.values(), ids=LATE)
async def test_what_was_said_hours_ago_counts_if_it_still_can_and_begins_nothing(room: Room, late: Late) -> None:
    message = None if late.begin is None else await late.begin(room)
    person, in_private = room.playground.people[late.by], late.words.startswith(("/play", "/puzzle"))
    chat = person.private if in_private else room.group
    before, puzzle = len(chat.messages), puzzle_of(current_day())
    said = late.words.format(cell=puzzle.position.rules.name_of(solution(puzzle)[0]))
    await person.say(said, in_=chat, reply_to=None if in_private else message)
    await the_bot_is_down(room, 7 * HOUR)
    await room.house.given(room.bot)
    await room.bot.clock.beat()
    await room.passes([1] * 3)
    assert late.holds(room)
    told = [each.text for each in list(chat.messages.values())[before:] if each.text.startswith(SEND_AGAIN)]
    assert len(told) == late.is_told
