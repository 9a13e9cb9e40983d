"""Challenges in a group: who may accept, decline and withdraw them."""

import pytest

from bot.features.play import READING_SECONDS
from playground.accounts import CHANNEL
from playground.chats import Message, Service
from playground.errors import Json
from playground.groups import Group
from playground.people import Person
from tests.people import (
    accepted,
    data_of,
    is_board,
    is_chinese,
    mentioned,
    offered,
    plain,
    pressed,
    told,
)
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

TO_ALL, TO_ONE = {"Accept", "Cancel", "Options"}, {"Accept", "Decline", "Options"}


def over_name(text: str, person: Person) -> list[Json]:
    offset = len(text[: text.index(person.first_name)].encode("utf-16-le")) // 2
    length = len(person.first_name.encode("utf-16-le")) // 2
    command = {"type": "bot_command", "offset": 0, "length": len(text.split(maxsplit=1)[0])}
    return [command, {"type": "text_mention", "offset": offset, "length": length, "user": person.as_json()}]


async def mentioning(one: Person, other: Person, group: Group) -> Message:
    text = f"/newgame {other.first_name}"
    return await group.wait_for(after=await one.say(text, in_=group, entities=over_name(text, other)))


async def test_in_a_group_an_answer_quotes_its_command(ann: Person, group: Group) -> None:
    said = await ann.say("/games", in_=group)
    assert (await group.wait_for(after=said)).reply_to is said
    assert (await ann.ask("/games")).reply_to is None


async def test_a_level_or_the_bots_name_starts_a_game_against_the_computer_immediately(
    ann: Person, bo: Person, group: Group
) -> None:
    await ann.ask("/difficulty hard", in_=group)
    assert "OXO (hard)" in plain(await ann.ask("/newgame @oxo_playground_bot", in_=group))
    said = await bo.say("hello", in_=group)
    for reply_to in (None, said, await ann.say("mine", in_=group)):
        board = await ann.ask("/newgame easy", in_=group, reply_to=reply_to)
        assert is_board(board)
        assert "OXO (easy)" in plain(board)
        assert is_chinese(await told(bo, board, data=data_of(board, 4)))


@pytest.mark.parametrize("way", ["username", "USERNAME", "mention", "reply"])
async def test_a_challenge_that_names_somebody_is_theirs_alone(
    ann: Person, bo: Person, cem: Person, group: Group, way: str
) -> None:
    if way == "reply":
        challenge = await ann.ask("/newgame", in_=group, reply_to=await bo.say("who plays?", in_=group))
    elif way == "mention":
        challenge = await mentioning(ann, bo, group)
    else:
        name = bo.username or ""
        challenge = await ann.ask(f"/challenge @{name.upper() if way == 'USERNAME' else name}", in_=group)
    if way in ("mention", "reply"):
        assert "小波, Ann challenges you" in plain(challenge)
        assert mentioned(challenge) == [bo.id]
    assert offered(challenge) == TO_ONE
    assert await told(cem, challenge, "Accept")
    assert "own challenge" in await told(ann, challenge, "Accept")
    await accepted(bo, challenge)


async def test_a_challenge_tells_nothing_that_the_bot_knows_of_the_person_it_names(
    shared: World, ann: Person, bo: Person, cem: Person
) -> None:
    """Not that somebody has used it, nor their name, id or language: it is as if nobody had the username."""
    await bo.ask("/newgame easy")
    await bo.ask("/settings hidden on")
    away = shared.playground.add_group("Elsewhere", [ann, cem])
    for command in ("/challenge", "/newgame"):
        known, unknown = [
            await ann.ask(f"{command} @{name}", in_=away) for name in (bo.username, "nobody_has_this_name")
        ]
        assert known.text.replace(str(bo.username), "nobody_has_this_name") == unknown.text
        assert known.labels == unknown.labels
        assert mentioned(known) == mentioned(unknown) == []
        await pressed(ann, known, "Decline")
        await pressed(ann, unknown, "Decline")
        assert known.text.replace(str(bo.username), "nobody_has_this_name") == unknown.text
    assert "challenges you" in (await mentioning(ann, bo, away)).text, "in the challenger's language"
    theirs, nobodys = [
        await ann.ask(f"/stats @{name}", in_=away) for name in (bo.username, "nobody_has_this_name")
    ]
    assert theirs.text == nobodys.text


async def test_a_person_whose_username_ends_like_a_bots_may_be_challenged(
    shared: World, ann: Person, group: Group
) -> None:
    abbot = shared.playground.add_person("Abbot", username="the_Abbot", started=True)
    group.add(abbot)
    challenge = await ann.ask("/challenge @the_abbot", in_=group)
    assert "@the_abbot, Ann challenges you" in plain(challenge)
    assert "🟡 Abbot" in plain(await accepted(abbot, challenge))


async def test_a_fourth_open_challenge_is_refused_with_the_reason(ann: Person, bo: Person, group: Group) -> None:
    challenges = [await ann.ask("/newgame", in_=group) for _ in range(3)]
    refused = await ann.ask("/challenge", in_=group)
    assert "most open challenges here (3)" in refused.text
    assert is_board(await ann.ask("/newgame easy", in_=group)), "a game against the computer isn't a challenge"
    assert is_chinese((await bo.ask("/newgame", in_=group)).text), "others may still challenge"
    await accepted(bo, challenges[0])
    assert "Accept" in offered(await ann.ask("/newgame", in_=group))


@pytest.mark.parametrize("word", ["cancel", "withdraw"])
async def test_a_challenge_is_withdrawn_by_a_word_and_without_one_that_is_said(
    ann: Person, group: Group, word: str
) -> None:
    challenge = await ann.ask("/newgame", in_=group)
    await ann.say(f"/{word}", in_=group)
    await challenge.until(lambda message: "withdr" in message.text)
    assert "nothing to answer" in (await ann.ask(f"/{word}", in_=group)).text


async def test_nobody_is_called_again_and_again_by_challenges_that_are_withdrawn(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    await bo.ask("/newgame easy")
    ways = [
        await ann.ask(f"/newgame @{bo.username}", in_=group),
        await ann.ask("/newgame", in_=group, reply_to=await bo.say("hello", in_=group)),
    ]
    for challenge in ways:
        await pressed(ann, challenge, "Decline")
    for _ in range(4):
        await pressed(bo, await ann.ask(f"/challenge @{bo.username}", in_=group), "Decline")
    for refused in (
        await ann.ask(f"/newgame @{bo.username}", in_=group),
        await ann.ask("/newgame", in_=group, reply_to=await bo.say("hello", in_=group)),
    ):
        assert "enough challenges" in refused.text
    await accepted(bo, await cem.ask(f"/newgame @{bo.username}", in_=group))
    await shared.forgets(ann)
    again = await ann.ask(f"/newgame @{bo.username}", in_=group)
    assert "enough challenges for today" in again.text, "deleting what is counted gives no more of them"
    await accepted(bo, await ann.ask("/newgame", in_=group))


async def test_opponents_that_cannot_be_are_refused_with_their_own_sentences(
    ann: Person, bo: Person, group: Group
) -> None:
    rows = (
        ("", group.other_bot_says("I am a bot"), "Bots can't be opponents"),
        (f"@{ann.username}", None, "yourself"),
        ("", await ann.say("me", in_=group), "yourself"),
        (f"@{bo.username} @{ann.username}", None, "One opponent"),
        (f"easy @{bo.username}", None, "either a level"),
        ("", await bo.say("hidden", in_=group, anonymous=True), "group or channel"),
        ("", await bo.say("news", in_=group, channel="News"), "group or channel"),
        ("Cem", None, "I don't know the word Cem"),
        ("Cem", None, "@username"),
        ("Cem", None, "reply to one of their messages"),
    )
    for words, reply_to, answer in rows:
        said = f"/newgame@oxo_playground_bot {words}".strip()
        assert answer in (await ann.ask(said, in_=group, reply_to=reply_to)).text
    assert "I don't know the word Cem" in (await ann.ask("/challenge Cem", in_=group)).text
    assert is_chinese((await bo.ask("/newgame Cem", in_=group)).text)
    for words in ("Cem", f"@{bo.username}"):
        assert "/challenge" in (await ann.ask(f"/newgame {words}")).text, "in private it is told about links"


async def test_a_reply_to_the_bot_or_to_a_channels_post_names_nobody(
    ann: Person, bo: Person, group: Group
) -> None:
    news = {
        "is_automatic_forward": True,
        "text": "News",
        "sender_chat": {"id": -1, "type": "channel", "title": "N"},
    }
    forwarded = group.post(Message(group, CHANNEL, service=Service(news, "News")))
    for replied in (await ann.ask("/newgame easy", in_=group), forwarded):
        challenge = await ann.ask("/newgame", in_=group, reply_to=replied)
        assert offered(challenge) == TO_ALL
        await accepted(bo, challenge)


async def test_nobody_accepts_by_typing_what_has_just_changed(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    await ann.ask("/settings text on", in_=group)
    challenge = await ann.ask("/newgame", in_=group)
    await pressed(ann, challenge, "Clock: none")
    await shared.skip(READING_SECONDS - 2)
    assert "/accept" in (await bo.ask("/accept", in_=group, reply_to=challenge)).text
    assert "Accept" in offered(challenge)
    await shared.skip(READING_SECONDS)
    await bo.say("/accept", in_=group)
    await group.wait_for(is_board, after=challenge)
