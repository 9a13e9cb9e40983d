"""Topics, in forums and in private chats: answers come where they were asked, and a game stays where it is."""

from __future__ import annotations

import pytest

from playground.chats import Chat, Topic
from playground.people import Person
from tests.people import boards_in, position_of, tap_cell
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(params=["forum", "private"])
def place(request: pytest.FixtureRequest, shared: World, ann: Person) -> tuple[Chat, Topic, Topic]:
    """A chat of Ann's with two topics."""
    if request.param == "private":
        return ann.private, ann.add_topic("Games"), ann.add_topic("Puzzles")
    forum = shared.playground.add_group("Forum", [ann], forum=True)
    return forum, forum.add_topic("Games"), forum.add_topic("Puzzles")


COMMANDS = (
    "/help /newgame /challenge /play /stats /top /settings /games /privacy /undo /watch /puzzle /start /review "
    "/export /forget /hint /resign /board /nonsense"
)


@pytest.mark.parametrize("command", COMMANDS.split())
async def test_a_command_is_answered_in_its_topic(ann: Person, command: str) -> None:
    topic = ann.add_topic("Games")
    answer = await ann.ask(command, topic=topic)
    assert answer.thread == topic.thread


async def test_a_tap_is_answered_in_its_topic(shared: World, ann: Person) -> None:
    topic = ann.add_topic("Games")
    menu = await ann.ask("/privacy", topic=topic)
    asked = await ann.tap(menu, "Delete my data")
    assert asked.text is None
    assert (await ann.private.wait_for(after=menu)).thread == topic.thread
    greeting = await ann.ask("/start", topic=topic)
    for row, column in ((0, 0), (1, 0), (1, 1)):
        last = max(ann.private.messages.values(), key=lambda message: message.id)
        await ann.tap(greeting, row=row, column=column)
        assert (await ann.private.wait_for(after=last)).thread == topic.thread
    await shared.has_answered(ann.private, ann)


async def test_a_typed_move_means_the_game_of_its_topic(
    shared: World, ann: Person, place: tuple[Chat, Topic, Topic]
) -> None:
    chat, games, others = place
    one = await ann.ask("/newgame beginner me", in_=chat, topic=games)
    other = await ann.ask("/newgame beginner me", in_=chat, topic=others)
    assert (one.thread, other.thread) == (games.thread, others.thread)
    for command, ply in (("/move 5", 2), ("/undo", 0), ("/move 1", 2)):
        said = await ann.say(command, in_=chat, topic=games)
        await shared.has_answered(chat, ann)
        await shared.has_settled(chat)
        plies = {board.thread: position_of(board).ply for board in boards_in(chat)}
        assert plies == {games.thread: ply, others.thread: 0}, said
    said = await ann.say("/resign", in_=chat, topic=games)
    await chat.wait_for(lambda message: "resign" in message.text.lower() and message.thread == games.thread)
    assert boards_in(chat)[0].text == other.text


async def test_a_typed_move_drags_no_board_from_another_topic(
    shared: World, ann: Person, place: tuple[Chat, Topic, Topic]
) -> None:
    chat, games, others = place
    board = await ann.ask("/newgame beginner me", in_=chat, topic=games)
    await shared.has_settled(chat)
    asked = await ann.ask("/move 5", in_=chat, topic=others)
    assert asked.thread == others.thread
    assert asked.text.startswith("Which board")
    assert boards_in(chat) == [board]
    assert position_of(board).ply == 0
    await ann.tap(asked, row=0, column=0)
    brought = await chat.wait_for(after=asked)
    assert brought.thread == others.thread
    await tap_cell(ann, brought, 4)
