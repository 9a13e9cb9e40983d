"""An update whose process was killed is redelivered after another process has handled later ones."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.boards.buttons import Setting, write
from bot.features.exporting import PAUSE_SECONDS
from playground import Playground
from storage.people import chats, people
from storage.privacy import erasure, exports
from storage.privacy.erasure import Stage
from tests.faults.rooms import Room
from tests.flights import Point
from tests.people import is_board
from tests.world import world

COMMAND = (0, 4)
"""The steps of a command: it is taken up first (`storage.taken`), and then what it asks for is stored."""

KILLED = pytest.mark.parametrize("step", [0, 1], ids=["killed before it is stored", "killed after it is stored"])


async def killed(room: Room, step: int) -> None:
    """Let a process take the waiting updates and kill it at a step; Telegram will redeliver them."""
    a = await room.house.start()
    a.dies_at = step
    await room.house.given(a)
    assert a.dead
    assert room.playground.world.updates.pending()


async def brought_again(room: Room) -> None:
    """Deliver them to the live process, and let everything settle."""
    await room.house.brought_again(room.bot)
    await room.house.quiet()
    await room.house.heal()
    assert not room.house.wrong()


@pytest.fixture
async def room(postgres_url: str) -> AsyncIterator[Room]:
    """A setup of the test's own, with a live process."""
    async with Playground() as playground, world(playground, postgres_url) as rooms:
        room = Room(rooms, await rooms.start())
        room.ann.started = True
        yield room


@KILLED
@pytest.mark.parametrize(
    ("name", "first", "then"),
    [
        ("hidden", "on", "off"),
        ("takebacks", "off", "on"),
        ("reminders", "off", "on"),
        ("level", "hard", "easy"),
        ("language", "zh", "en"),
    ],
)
async def test_what_was_chosen_last_holds(room: Room, step: int, name: str, first: str, then: str) -> None:
    ann = room.ann
    menu = await room.said(ann, "/settings", ann.private)
    tap = ann.press(menu, write(Setting(name, first)))
    await killed(room, step)
    await room.said(ann, f"/settings {name} {then}", ann.private)
    await brought_again(room)
    with room.house.engine.connect() as connection:
        chat = chats.load(connection, ann.id)
        held = {
            "hidden": people.is_hidden(connection, ann.id),
            "takebacks": people.allows_takebacks(connection, ann.id),
            "reminders": people.notices_of(connection, ann.id),
            "level": chat.level,
            "language": chat.language,
        }
    assert held[name] == {"on": True, "off": False}.get(then, then)
    told = tap.answer.result().text
    kept = (await room.said(ann, f"/settings {name} {then}", ann.private)).text
    assert told == kept, "the person who tapped is told the current state"


@KILLED
async def test_an_older_choice_about_reminders_is_answered_with_the_newer_one(room: Room, step: int) -> None:
    ann = room.ann
    await ann.say("/notify off", in_=ann.private)
    await killed(room, step)
    kept = (await room.said(ann, "/notify on", ann.private)).text
    await brought_again(room)
    with room.house.engine.connect() as connection:
        assert people.notices_of(connection, ann.id)
    assert room.last(ann.private).text == kept


@KILLED
async def test_what_was_chosen_last_holds_though_everything_else_was_chosen_since(room: Room, step: int) -> None:
    ann = room.ann
    await ann.say("/settings level hard", in_=ann.private)
    await killed(room, step)
    chosen = ("level easy", "board 4x4", "first bot", "look sky", "text on", "comments off", "language en")
    for words in (*chosen, "reminders off", "takebacks off", "hidden on"):
        await room.said(ann, f"/settings {words}", ann.private)
    await brought_again(room)
    with room.house.engine.connect() as connection:
        assert chats.load(connection, ann.id).level == "easy"


@KILLED
async def test_another_setting_is_chosen_all_the_same(room: Room, step: int) -> None:
    ann = room.ann
    menu = await room.said(ann, "/settings", ann.private)
    ann.press(menu, write(Setting("level", "hard")))
    await killed(room, step)
    await room.said(ann, "/settings theme sky", ann.private)
    await brought_again(room)
    with room.house.engine.connect() as connection:
        chat = chats.load(connection, ann.id)
    assert (chat.level, chat.theme) == ("hard", "sky")


@KILLED
async def test_a_forgetting_that_was_confirmed_begins_once(room: Room, step: int) -> None:
    ann = room.ann
    await ann.say("/forget", in_=ann.private)
    await killed(room, COMMAND[step])
    await room.said(ann, "/forget yes", ann.private)
    await room.house.brought_again(room.bot)
    with room.house.engine.connect() as connection:
        stage = erasure.stage_of(connection, ann.id)
    assert stage is (Stage.GOING if step else Stage.ASKED), "nobody is forgotten without being asked"


@KILLED
async def test_of_two_wishes_for_an_export_one_file_comes(room: Room, step: int) -> None:
    ann = room.ann
    await ann.say("/export", in_=ann.private)
    await killed(room, COMMAND[step])
    await room.said(ann, "/export", ann.private)
    await room.house.brought_again(room.bot)
    await room.house.heal()
    await ann.private.wait_for(lambda message: message.document is not None, within=60)
    await room.house.quiet()
    assert sum(message.document is not None for message in ann.private.messages.values()) == 1


async def make_file(room: Room) -> None:
    """Let the pauses between an export's portions pass."""
    for _ in range(2 * len(exports.SECTIONS)):
        await room.house.skip(2 * PAUSE_SECONDS)


async def test_a_file_that_is_still_on_its_way_when_its_hold_lapses_comes_once(room: Room) -> None:
    """A process that stood still, as one of a machine that slept, finds its own work among what waits."""
    ann = room.ann
    room.house.hold(room.bot, "sendDocument", Point.UNDER_WAY)
    await ann.say("/export", in_=ann.private)
    await room.house.given(room.bot)
    await make_file(room)
    assert room.house.stopped(room.bot, "sendDocument")
    await room.house.skip(10)
    await room.bot.sweep()
    await make_file(room)
    await room.house.heal()
    assert sum(message.document is not None for message in ann.private.messages.values()) == 1


@KILLED
async def test_a_new_game_that_was_given_up_is_not_made_twice(room: Room, step: int) -> None:
    ann = room.ann
    await ann.say("/newgame easy", in_=ann.private)
    await killed(room, COMMAND[step])
    for words in ("/move 1", "/resign", "/yes"):
        await room.said(ann, words, ann.private)
    await brought_again(room)
    (record,) = room.house.records().values()
    assert record.game.is_over is bool(step)


@KILLED
async def test_a_board_is_brought_down_once_and_shows_the_move_that_came_before_it(room: Room, step: int) -> None:
    board = await room.game_of_two()
    await room.ann.say("/board", in_=room.group)
    await killed(room, step)
    await room.put(room.ann, board, 4)
    await brought_again(room)
    (record,) = room.house.records().values()
    assert record.game.moves == "4"
    boards = [message for message in room.group.messages.values() if is_board(message)]
    assert len(boards) == 1
