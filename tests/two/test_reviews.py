"""Reviews with several viewers: the person who opened one steps through it; others get their own by a link."""

import pytest

from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.people import X_WINS, begun, offered, opened, plain, played, position_of, pressed
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def led(person: Person, board: Message, label: str) -> str:
    """Tap a button that opens the private chat; returns its start parameter."""
    before = board.revision
    answer = await person.tap(board, label)
    assert answer.text is None
    assert answer.url is not None
    assert board.revision == before
    start, _, parameter = answer.url.partition("?start=")
    assert start == "https://t.me/oxo_playground_bot"
    return parameter


async def test_the_opener_steps_and_others_have_their_own(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    finished = board.keyboard
    await pressed(bo, board, "Review")
    assert plain(board).startswith("🔎 Move 2 of 5."), "where the game turned"
    await pressed(bo, board, "‹")
    assert position_of(board).ply == 1
    # Ann and Cem get links to theirs, and Bo's stays as it is.
    parameters = {person: await led(person, board, "›") for person in (ann, cem)}
    hers = await opened(ann, parameters[ann])
    his = await opened(cem, parameters[cem])
    for own in (hers, his):
        assert plain(own).startswith("🔎 Move 2 of 5.")
        assert "Rematch" not in offered(own)
    await pressed(cem, his, "»")
    await pressed(cem, his, "‹")
    await pressed(ann, hers, "‹")
    assert [position_of(each).ply for each in (board, hers, his)] == [1, 1, 4]
    # Bo made a mistake, so only he may try again.
    slip = next(label for row in board.labels for label in row if label.startswith("⚡"))
    await pressed(bo, board, slip)
    await pressed(cem, his, slip)
    assert "Find a better move" in offered(board)
    assert "Find a better move" not in offered(his)
    # Each leaves; a review of one's own goes with it.
    await cem.tap(his, "✕")
    await his.until(lambda message: message.deleted)
    await pressed(bo, board, "✕")
    assert board.keyboard == finished
    assert "Traceback" not in shared.logged()


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
    assert (await cem.ask("/next", in_=group)).text == "There's no finished game here to review."
    assert position_of(board).ply == 3
