"""A bot that was away for 20 hours: nothing is dropped unseen, nothing old begins, nobody gets six of a thing."""

import pytest

from tests.world import Room

AWAY_SECONDS = 20 * 3600
WORDS = ("/newgame", "/challenge me", "/cup", "/watch", "/newgame", "/start", "/newgame")
SEND_AGAIN = "I was away when you sent that."


async def said_while_away(room: Room, *words: str, private: bool = False) -> None:
    """Ann says this while the bot is away, some minutes apart, and then it comes back."""
    for each in words:
        await room.ann.say(each, in_=room.ann.private if private else room.group)
        await room.house.skip(minutes=4)
    await room.house.skip(AWAY_SECONDS)
    await room.house.given(room.bot)
    await room.house.quiet()


def heard(room: Room, *, private: bool = False) -> list[str]:
    chat = room.ann.private if private else room.group
    return [message.text for message in chat.messages.values() if message.from_bot]


async def test_in_a_group_nothing_hours_old_begins_and_its_sender_is_told_once(room: Room) -> None:
    await said_while_away(room, *WORDS)
    assert room.house.games() == {}
    (told,) = heard(room)
    assert told.startswith(SEND_AGAIN)
    await room.said(room.ann, "/newgame", room.group)
    assert len(room.house.games()) == 1


async def test_in_private_what_was_said_six_times_counts_once(room: Room) -> None:
    await said_while_away(room, *["/newgame", "/help"] * 6, private=True)
    assert len(room.house.games()) == 1
    assert len(heard(room, private=True)) == 2
    await room.said(room.ann, "/newgame", room.ann.private)
    assert len(room.house.games()) == 2, "a command that comes at once counts"


@pytest.mark.parametrize("word", ["/play", "/start play-5x5x4"])
async def test_whoever_looked_for_an_opponent_hours_ago_is_not_paired_but_told(room: Room, word: str) -> None:
    await said_while_away(room, word, private=True)
    assert heard(room, private=True)[0].startswith(SEND_AGAIN)
    await room.said(room.bo, "/play any", room.bo.private)
    await room.house.quiet()
    assert [(game.x.seat, game.o.seat) for game in room.house.games().values()] == [(room.bo.id, None)]


async def test_with_a_clock_that_is_hours_ahead_a_group_is_told_once_and_then_plays(room: Room) -> None:
    room.playground.world.clock.skipped -= 3 * 3600
    assert (await room.said(room.ann, "/newgame", room.group)).text.startswith(SEND_AGAIN)
    await room.house.quiet()
    await room.said(room.ann, "/newgame", room.group)
    assert len(room.house.games()) == 1


@pytest.mark.parametrize(("hours", "greetings"), [(20, 0), (0, 1)])
async def test_a_group_to_which_the_bot_was_added_hours_ago_is_not_greeted(
    room: Room, hours: float, greetings: int
) -> None:
    room.group.set_bot("left")
    await room.house.given(room.bot)
    room.group.set_bot("member")
    await room.house.skip(hours=hours)
    await room.house.given(room.bot)
    await room.house.quiet()
    assert len(heard(room)) == greetings
