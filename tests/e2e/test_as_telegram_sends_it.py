"""What Telegram sends besides commands and taps: forwards, old messages, comments, groups with few rights."""

import pytest

from playground.groups import Group
from playground.people import Person
from tests.people import begun, boards_in, position_of, put
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

ONLY_SENT = "I only play tic-tac-toe. Send /newgame to start."


async def test_a_forwarded_message_is_no_command_no_move_and_no_word(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    own = await ann.ask("/newgame beginner me")
    board, elsewhere = await begun(ann, bo, group, "me"), shared.playground.add_meeting(ann, bo)
    for text in ("/forget", "/forget yes", "5", "undo", "/newgame", "/newgame@oxo_playground_bot"):
        theirs = await bo.say(text, in_=elsewhere)
        ann.forward(theirs, group)
        assert (await ann.private.wait_for(after=ann.forward(theirs))).text == ONLY_SENT
    await shared.has_answered(group, ann)
    assert (boards_in(ann.private), boards_in(group)) == ([own], [board])
    assert position_of(own).ply == position_of(board).ply == 0
    assert shared.value("SELECT count(*) FROM erasures") == 0
    await put(ann, board, 4)
