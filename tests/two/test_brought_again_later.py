"""An update whose process was killed is redelivered after another process has handled later ones."""

from typing import NamedTuple

import pytest
from sqlalchemy import Connection

from bot.boards.buttons import Setting, write
from bot.features.privacy.handlers import EXPORT_PAUSE_SECONDS
from storage.people import chats, people
from storage.privacy import erasure, exports
from storage.privacy.erasure import Stage
from tests.flights import Point
from tests.people import boards_in
from tests.world import Room

pytestmark = pytest.mark.parametrize("room", ["postgres_url"], indirect=True)

KILLED = pytest.mark.parametrize("step", [0, 1], ids=["killed before it is stored", "killed after it is stored"])


async def killed(room: Room, step: int) -> None:
    """Let a process take the waiting updates and kill it at a step; Telegram will redeliver them."""
    a = await room.house.start()
    a.dies_at = step
    await room.house.given(a)
    assert a.dead
    assert room.playground.world.updates.pending()


async def brought_again(room: Room) -> None:
    await room.house.brought_again(room.bot)
    await room.house.quiet()
    await room.house.becomes_right()


class Story(NamedTuple):
    """What Ann does as a process is killed, what she says to another one meanwhile, and what holds in the end."""

    first: Setting | str
    then: tuple[str, ...]
    holds: dict[str, object]


ALL_ELSE = ("board 4x4", "first bot", "look sky", "text on", "comments off", "language en", "reminders off")
STORED = 4
"""The steps until what somebody asks for is stored."""
STORIES = {
    "results": Story(Setting("hidden", "on"), ("/settings hidden off",), {"hidden": False}),
    "takebacks": Story(Setting("takebacks", "off"), ("/settings takebacks on",), {"takebacks": True}),
    "reminders": Story(Setting("reminders", "off"), ("/settings reminders on",), {"reminders": True}),
    "reminders by a command": Story("/notify off", ("/notify on",), {"reminders": True}),
    "a level": Story(Setting("level", "hard"), ("/settings level easy",), {"level": "easy"}),
    "a language": Story(Setting("language", "zh"), ("/settings language en",), {"language": "en"}),
    "a level and then everything else": Story(
        "/settings level hard", tuple(f"/settings {each}" for each in ("level easy", *ALL_ELSE)), {"level": "easy"}
    ),
    "another setting": Story(
        Setting("level", "hard"), ("/settings theme sky",), {"level": "hard", "theme": "sky"}
    ),
}


def chosen(connection: Connection, person: int) -> dict[str, object]:
    return {
        "hidden": people.is_hidden(connection, person),
        "takebacks": people.chosen(connection, person, "takebacks"),
        "reminders": people.chosen(connection, person, "notices"),
        **chats.load(connection, person)._asdict(),
    }


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
async def test_what_was_stored_is_not_stored_again_over_what_was_chosen_since(room: Room, story: Story) -> None:
    ann, tap = room.ann, None
    if isinstance(story.first, Setting):
        tap = ann.press(await room.said(ann, "/settings", ann.private), write(story.first))
    else:
        await ann.say(story.first)
    await killed(room, STORED)
    for words in story.then:
        kept = (await room.said(ann, words, ann.private)).text
    await brought_again(room)
    with room.house.engine.connect() as connection:
        assert chosen(connection, ann.id).items() >= story.holds.items()
    if len(story.then) == len(story.holds) == 1:
        told = room.last(ann.private).text if tap is None else tap.answer.result().text
        assert told == kept, "she is told the current state"


@KILLED
async def test_a_forgetting_that_was_confirmed_begins_once(room: Room, step: int) -> None:
    ann = room.ann
    await ann.say("/forget", in_=ann.private)
    await killed(room, STORED * step)
    await room.said(ann, "/forget yes", ann.private)
    await room.house.brought_again(room.bot)
    with room.house.engine.connect() as connection:
        stage = erasure.stage_of(connection, ann.id)
    assert stage is (Stage.GOING if step else Stage.ASKED), "nobody is forgotten without being asked"


@KILLED
async def test_a_new_game_that_was_given_up_is_not_made_twice(room: Room, step: int) -> None:
    ann = room.ann
    await ann.say("/newgame easy", in_=ann.private)
    await killed(room, STORED * step)
    for words in ("/move 1", "/resign", "/yes"):
        await room.said(ann, words, ann.private)
    await brought_again(room)
    (record,) = room.house.records().values()
    assert record.game.is_over is bool(step)


@KILLED
async def test_a_computer_game_is_not_ended_by_the_command_that_began_it(room: Room, step: int) -> None:
    await room.ann.say("/watch easy", in_=room.ann.private)
    await killed(room, STORED * step)
    await room.house.brought_again(room.bot)
    (record,) = room.house.records().values()
    assert record.game.termination is None


@KILLED
async def test_of_two_wishes_for_an_export_one_file_comes(room: Room, step: int) -> None:
    ann = room.ann
    said = await ann.say("/export", in_=ann.private)
    await killed(room, STORED * step)
    await room.said(ann, "/export", ann.private)
    await room.house.brought_again(room.bot)
    await room.house.heal()
    await room.house.comes(ann.private, said, lambda message: message.document)
    await room.house.quiet()
    assert sum(message.document is not None for message in ann.private.messages.values()) == 1


async def make_file(room: Room) -> None:
    """Let the pauses between an export's portions pass."""
    for _ in range(2 * len(exports.SECTIONS)):
        await room.house.skip(2 * EXPORT_PAUSE_SECONDS)


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
async def test_a_board_is_brought_down_once_and_shows_the_move_that_came_before_it(room: Room, step: int) -> None:
    board = await room.game_of_two()
    await room.ann.say("/board", in_=room.group)
    await killed(room, step)
    await room.put(room.ann, board, 4)
    await brought_again(room)
    (record,) = room.house.records().values()
    assert record.game.moves == "4"
    assert len(boards_in(room.group)) == 1
