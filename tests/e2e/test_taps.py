"""Taps and commands that may do nothing, or nothing more; and none waits for another."""

import pytest

from bot.context.acting import REDRAWN
from bot.context.services import DOUBLE_SECONDS
from bot.game.pages import ShowRegion
from bot.game.play import Move
from bot.game.questions import UNDONE
from playground.chats import Message
from playground.people import Person
from tests.carried import action_of
from tests.flights import ANSWER, EDIT, Point
from tests.people import boards_in, data_of, position_of, pressed, put, tap_cell
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


OUT_OF_DATE = "That button is out of date. Send /newgame for a fresh board."
CARRIED = {
    "set:level:easy": "Difficulty: easy",
    "set:nothing:on": OUT_OF_DATE,
    **dict.fromkeys(("help:friends", "stats:5:0::0", "top:0:0::9999")),
    **dict.fromkeys(("", "m:1:0:0\n", "1t:1:0:0", "\ud800"), REDRAWN),
}
"""What buttons of other messages carry, or none, and what one is told."""


async def test_buttons_of_other_messages_and_made_up_ones_leave_a_board_alone(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame easy me")
    before = (board.text, board.keyboard, board.revision)
    for data, words in CARRIED.items():
        answer = await ann.tap(board, data=data.encode("utf-8", "surrogatepass"))
        assert answer.text == words, data
    await shared.has_answered(ann.private, ann)
    assert (board.text, board.keyboard, board.revision) == before


async def test_an_edit_and_its_answer_wait_for_each_other_no_more_than_other_chats_do(
    shared: World, ann: Person, bo: Person
) -> None:
    slow, other = await ann.ask("/newgame"), await bo.ask("/newgame")
    shared.hold(shared.living[0], ANSWER, Point.UNDER_WAY)
    tap = ann.press(slow, data_of(slow, 4))
    await slow.changed()
    assert (tap.answer.done(), position_of(slow).ply) == (False, 2)
    shared.stopped_call(None, ANSWER).let_go()
    assert (await tap.answer).text is None
    shared.hold(shared.living[0], EDIT, Point.UNDER_WAY)
    free = position_of(slow).legal_moves[0]
    assert (await ann.tap(slow, data=data_of(slow, free))).text is None
    await shared.still()
    await tap_cell(bo, other, 0)
    assert (position_of(slow).ply, position_of(other).ply) == (2, 2)
    shared.stopped_call(None, EDIT).let_go()
    await slow.changed()


# Double taps in ultimate: the cell that appears under the finger meanwhile isn't played.


SOON = "A different board just came up"


def under(board: Message, row: int, column: int) -> Move | ShowRegion:
    """The data of the button under a finger."""
    found = action_of(board.keyboard[row][column])
    assert isinstance(found, Move | ShowRegion)
    return found


async def test_the_second_tap_plays_no_cell_of_the_board_that_the_first_has_opened(
    shared: World, ann: Person
) -> None:
    board = await ann.ask("/newgame ultimate beginner me")
    assert isinstance(under(board, 1, 1), ShowRegion)
    assert (await ann.tap(board, row=1, column=1)).text is None
    await board.until(lambda shown: isinstance(under(shown, 1, 1), Move))
    assert SOON in ((await ann.tap(board, row=1, column=1)).text or "")
    assert under(board, 1, 1).ply == 0, "nothing was played"
    await shared.skip(DOUBLE_SECONDS)  # she looks
    assert (await ann.tap(board, row=1, column=1)).text is None
    await board.until(lambda shown: under(shown, 1, 1).ply == 2)


# An app that reconnects may send a message or a tap again, as a new update: it has one effect.


CHANGED = "The board has changed. Here's how it looks now."


async def sent_again(oxo: World, message: Message) -> None:
    """Deliver a message as a new update, and wait until the bot is done with it."""
    message.deliver()
    await oxo.has_answered(message.chat, oxo.playground.world.persons[message.sender.id])


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
    assert "nothing to undo" not in "".join(message.text for message in ann.private.messages.values())


async def test_the_first_undo_that_is_typed_says_what_it_costs_as_its_button_does(
    shared: World, ann: Person
) -> None:
    await ann.ask("/newgame easy me")
    for _ in range(2):
        await put(ann, boards_in(ann.private)[-1], 4)
        await ann.say("/undo")
        await shared.has_answered(ann.private, ann)
        assert position_of(boards_in(ann.private)[-1]).ply == 0
    assert [message.text for message in ann.private.messages.values()].count(UNDONE) == 1


async def test_a_move_and_an_undo_sent_again_are_told_that_the_board_has_changed(ann: Person) -> None:
    board = await ann.ask("/newgame beginner me")
    first = await move(ann, board, 4)
    undo = str(board.button("Undo")["callback_data"])
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
    await pressed(ann, board, "Options")
    picker = str(board.button("5×5")["callback_data"])
    await ann.tap(board, data=picker)
    await board.changed()
    await ann.tap(board, "3×3")
    await board.until(lambda message: [len(row) for row in message.labels[:3]] == [3, 3, 3])
    assert (await ann.tap(board, data=meant)).text == CHANGED
    assert position_of(board).ply == 0


@pytest.mark.parametrize("data", ["play", "invite"])
async def test_a_tap_that_begins_something_begins_it_once(shared: World, ann: Person, data: str) -> None:
    greeting = await ann.ask("hi")
    await ann.tap(greeting, data=data)
    await ann.private.wait_for(after=greeting)
    answers = len(shared.sent(ann.private))
    assert "just did that" in ((await ann.tap(greeting, data=data)).text or "")
    await shared.has_answered(ann.private, ann)
    assert len(shared.sent(ann.private)) == answers + 1


async def test_a_tap_that_was_refused_may_be_repeated_once_the_reason_is_gone(ann: Person) -> None:
    greeting, data = await ann.ask("hi"), "invite"
    invitations = [await ann.ask("/challenge") for _ in range(3)]
    for _ in range(2):
        assert "Cancel one to send a new one" in ((await ann.tap(greeting, data=data)).text or "")
    await ann.tap(invitations[0], "Cancel")
    await invitations[0].until(lambda message: "Cancel" not in str(message.labels))
    assert (await ann.tap(greeting, data=data)).text is None
    assert "https://t.me/" in (await ann.private.wait_for(after=invitations[2])).text
