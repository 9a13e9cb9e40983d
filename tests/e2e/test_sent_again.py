"""An app that reconnects may send a message or a tap again, as a new update: it has one effect."""

from __future__ import annotations

import pytest

from playground.messages import Message
from playground.people import Person
from tests.people import boards_in, data_of, position_of, tap_cell
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

CHANGED = "The board has changed. Here's how it looks now."


async def sent_again(oxo: World, message: Message) -> None:
    """Deliver a message as a new update, and wait until the bot is done with it."""
    oxo.playground.world.deliver(message)
    await oxo.has_answered(message.chat, oxo.playground.world.persons[message.sender.id])


def undo_of(board: Message) -> str:
    """The data of the button that takes a move back."""
    return str(board.button("Undo")["callback_data"])


async def move(ann: Person, board: Message, cell: int) -> str:
    """Tap a cell; returns the data that was tapped."""
    data = data_of(board, cell)
    await tap_cell(ann, board, cell)
    return data


@pytest.mark.parametrize("command", ["/newgame easy", "/challenge", "/help", "/play", "/puzzle", "hello"])
async def test_a_command_sent_again_is_answered_once(shared: World, ann: Person, command: str) -> None:
    said = await ann.say(command)
    await ann.private.wait_for(after=said)
    answers = len(shared.sent(ann.private))
    await sent_again(shared, said)
    assert len(shared.sent(ann.private)) == answers + 1, "only the menu that came after it"


async def test_a_typed_move_and_an_undo_sent_again_count_once(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame beginner me")
    typed = await ann.say("5")
    await board.until(lambda message: position_of(message).ply == 2)
    undo = await ann.say("/undo")
    await board.until(lambda message: position_of(message).ply == 0)
    await sent_again(shared, typed)
    assert position_of(boards_in(ann.private)[-1]).ply == 0
    await sent_again(shared, undo)
    assert "nothing to take back" not in "".join(message.text for message in ann.private.messages.values())


async def test_a_move_and_an_undo_sent_again_are_told_that_the_board_has_changed(ann: Person) -> None:
    board = await ann.ask("/newgame beginner me")
    first = await move(ann, board, 4)
    undo = undo_of(board)
    await ann.tap(board, data=undo)
    await board.until(lambda message: position_of(message).ply == 0)
    assert (await ann.tap(board, data=first)).text == CHANGED
    assert position_of(board).ply == 0
    await move(ann, board, 4)
    assert (await ann.tap(board, data=undo)).text == CHANGED
    assert position_of(board).ply == 2


async def test_a_move_meant_for_another_board_is_not_played_on_the_one_chosen_since(ann: Person) -> None:
    board = await ann.ask("/newgame 5x5 beginner me")
    meant = data_of(board, 0)
    picker = str(board.button("Board: 5×5")["callback_data"])
    await ann.tap(board, data=picker)
    await board.changed()
    await ann.tap(board, "3×3")
    await board.until(lambda message: [len(row) for row in message.labels[:3]] == [3, 3, 3])
    assert (await ann.tap(board, data=meant)).text == CHANGED
    assert position_of(board).ply == 0


@pytest.mark.parametrize("label", ["Play", "Play a friend"])
async def test_a_tap_that_begins_something_begins_it_once(shared: World, ann: Person, label: str) -> None:
    greeting = await ann.ask("/start")
    data = str(greeting.button(row=0 if label == "Play" else 1, column=0)["callback_data"])
    await ann.tap(greeting, data=data)
    board = await ann.private.wait_for(after=greeting)
    if label == "Play":
        await move(ann, board, 4)
    answers = len(shared.sent(ann.private))
    assert "just done that" in ((await ann.tap(greeting, data=data)).text or "")
    await shared.has_answered(ann.private, ann)
    assert len(shared.sent(ann.private)) == answers + 1


async def test_a_tap_that_was_refused_may_be_repeated_once_the_reason_is_gone(ann: Person) -> None:
    greeting = await ann.ask("/start")
    invitations = [await ann.ask("/challenge") for _ in range(3)]
    data = str(greeting.button("Play a friend")["callback_data"])
    for _ in range(2):
        assert "Cancel one to make another" in ((await ann.tap(greeting, data=data)).text or "")
    await ann.tap(invitations[0], "Cancel")
    await invitations[0].until(lambda message: "Cancel" not in str(message.labels))
    assert (await ann.tap(greeting, data=data)).text is None
    assert "https://t.me/" in (await ann.private.wait_for(after=invitations[2])).text
    assert "just done that" in ((await ann.tap(greeting, data=data)).text or "")
