"""Deadlines over HTTP: an abandoned game ends by itself, once, whatever restarts meanwhile."""

import pytest

from playground.chats import Chat
from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.bots import LIMITS
from tests.people import (
    accepted,
    begun,
    begun_by_link,
    is_board,
    mentioned,
    offered,
    plain,
    position_of,
    put,
    result_named,
    told,
)
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


def reminders(chat: Chat) -> list[Message]:
    return [message for message in chat.messages.values() if "it's your move" in message.text]


async def the_reminder(chat: Chat) -> Message:
    return await chat.wait_for(lambda message: "it's your move" in message.text)


async def chosen(person: Person, chat: Chat) -> Message:
    """A challenge in a message of inline mode."""
    return person.choose(result_named(await person.inline("", in_=chat), "Challenge"), in_=chat)


async def passed(oxo: World, seconds: float) -> None:
    """Let this much time pass, and the minute in which the bot sees that nothing is on its way."""
    await oxo.skip(seconds)
    await oxo.pass_by(60, step=5)


async def test_games_are_lost_on_time_after_one_reminder_unless_somebody_moves(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    meeting, other = shared.playground.add_meeting(ann, bo), shared.playground.add_group("Slow", [ann, bo])
    board, kept = await begun(ann, bo, group), await begun(ann, bo, other)
    inline, untouched = [await accepted(bo, await chosen(ann, meeting)) for _ in range(2)]
    for each in (board, kept, inline):
        await put(ann, each, 4)
    eve, dee = [shared.playground.add_person(name, started=True) for name in ("Eve", "Dee")]
    _, theirs = await begun_by_link(eve, dee, "bot")
    alone = await ann.ask("/newgame easy", in_=group)
    await passed(shared, LIMITS.reminder)
    reminder = await the_reminder(group)
    assert "小波, it's your move" in plain(reminder)
    assert mentioned(reminder) == [bo.id]
    assert "Dee, it's your move" in plain(await the_reminder(dee.private))
    await the_reminder(other)
    await put(bo, kept, 0)
    await inline.until(lambda message: "⏰" in message.text)
    await passed(shared, LIMITS.move - LIMITS.reminder)
    for message in (board, inline):
        await message.until(lambda message: "❌ Ann wins" in plain(message))
        assert "小波 ran out of time" in plain(message)
    assert offered(board) == {"Rematch", "Play the winner", "Share", "Review"}
    assert "over" in await told(ann, board, data=str(board.keyboard[0][0]["callback_data"]))
    await untouched.until(lambda message: "closed" in message.text)
    assert "wins" not in untouched.text, "an offer whose maker never moves is nobody's loss"
    await theirs.until(lambda message: "You ran out of time" in message.text)
    won = await eve.private.wait_for(lambda message: is_board(message) and "You win" in message.text)
    assert "Dee ran out of time" in plain(won)
    assert position_of(kept).outcome is None
    await passed(shared, LIMITS.computer)
    await alone.until(lambda message: "closed" in message.text)
    assert offered(alone) == {"Play again", "Swap sides"}
    assert (len(reminders(group)), len(reminders(other))) == (1, 2)
