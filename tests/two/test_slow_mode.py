"""A group with slow mode: Telegram refuses new messages there, and edits go on."""

from __future__ import annotations

import pytest

from bot.context.acting import NO_NEW
from bot.delivery.messages import HELD
from playground.groups import Group
from playground.people import Person
from tests.people import X_WINS, begun, next_board, played, pressed, put
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def dee(shared: World) -> Person:
    """Somebody who speaks English, as Ann does."""
    return shared.playground.add_person("Dee", started=True)


@pytest.fixture
def room(shared: World, ann: Person, dee: Person) -> Group:
    """A group of both."""
    return shared.playground.add_group("Slow", [ann, dee])


async def test_running_boards_go_on_and_whoever_asks_for_a_new_one_learns_why(
    shared: World, ann: Person, dee: Person, room: Group
) -> None:
    board = await begun(ann, dee, room)
    room.slow_down(3600)
    earlier = len(shared.sent(room))
    said = await ann.say("/help", in_=room)
    private = await ann.private.wait_for(lambda message: message.text == HELD, after=said)
    await played(ann, dee, board, X_WINS)
    await ann.say("/newgame", in_=room)
    await pressed(dee, board, "Rematch")
    assert (await ann.tap(board, "Accept")).text == NO_NEW
    assert len(shared.sent(room)) == earlier + 1, "it was asked once"
    assert (await ann.ask("/newgame easy")).id > private.id, "other chats don't wait"
    assert len([message for message in ann.private.messages.values() if message.text == HELD]) == 1


async def test_what_waits_comes_when_telegram_takes_it_and_the_board_that_was_to_move_stays_in_use(
    shared: World, ann: Person, dee: Person, room: Group
) -> None:
    board = await begun(ann, dee, room)
    room.slow_down(30)
    await ann.say("/board", in_=room)
    await shared.still()
    await put(ann, board, 4)
    await put(dee, board, 0)
    await shared.pass_by(40, step=5)
    below = await next_board(room, board)
    await board.until(lambda message: message.deleted)
    await put(ann, below, 2)
