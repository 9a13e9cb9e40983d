"""Challenges in a group: who may accept, decline and withdraw them."""

from __future__ import annotations

import asyncio

import pytest

from bot.features.play import READING_SECONDS
from playground.accounts import CHANNEL
from playground.errors import Json
from playground.groups import Group
from playground.people import Person
from tests.people import (
    accepted,
    begun,
    data,
    data_of,
    is_board,
    is_chinese,
    mentioned,
    offered,
    plain,
    position_of,
    pressed,
    put,
    told,
)
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


def over_name(text: str, person: Person) -> list[Json]:
    """The entities of a command with a text mention of a person."""
    offset = len(text[: text.index(person.first_name)].encode("utf-16-le")) // 2
    length = len(person.first_name.encode("utf-16-le")) // 2
    command = {"type": "bot_command", "offset": 0, "length": len(text.split(maxsplit=1)[0])}
    return [command, {"type": "text_mention", "offset": offset, "length": length, "user": person.as_json()}]


@pytest.mark.parametrize("command", ["/newgame", "/challenge", "/newgame@oxo_playground_bot"])
async def test_a_command_in_a_group_challenges_everybody(
    ann: Person, bo: Person, group: Group, command: str
) -> None:
    challenge = await ann.ask(command, in_=group)
    assert plain(challenge).startswith("⚔️ Ann is looking for an opponent. Who's in?")
    assert "Ann plays ❌ and moves first" in plain(challenge)
    assert offered(challenge) == {"Accept", "Play OXO", "Cancel", "Board: 3×3", "Clock: none", "One game"}
    board = await accepted(bo, challenge)
    assert position_of(board).ply == 0
    assert "❌ Ann" in plain(board)
    assert "🟡 小波" in plain(board)


async def test_the_challenger_may_have_the_other_side_move_first(ann: Person, bo: Person, group: Group) -> None:
    challenge = await ann.ask("/challenge bot", in_=group)
    assert "Ann plays 🟡" in plain(challenge)
    board = await accepted(bo, challenge)
    assert "❌ 小波" in plain(board)
    assert mentioned(board) == [bo.id]
    await put(bo, board, 4)


async def test_the_chats_choice_says_who_starts(ann: Person, bo: Person, group: Group) -> None:
    await ann.ask("/first bot", in_=group)
    board = await begun(ann, bo, group)
    assert "❌ 小波" in plain(board)


async def test_a_level_starts_a_game_against_the_computer_immediately(
    ann: Person, bo: Person, group: Group
) -> None:
    said = await bo.say("hello", in_=group)
    for reply_to in (None, said, await ann.say("mine", in_=group)):
        board = await ann.ask("/newgame easy", in_=group, reply_to=reply_to)
        assert is_board(board)
        assert "OXO" in plain(board)
        assert is_chinese(await told(bo, board, data=data_of(board, 4)))


async def test_naming_the_bot_plays_the_computer_at_the_chats_level(ann: Person, group: Group) -> None:
    await ann.ask("/difficulty hard", in_=group)
    board = await ann.ask("/newgame @oxo_playground_bot", in_=group)
    assert is_board(board)
    assert "OXO (hard)" in plain(board)


@pytest.mark.parametrize("way", ["username", "USERNAME", "mention", "reply"])
async def test_a_challenge_that_names_somebody_is_theirs_alone(
    ann: Person, bo: Person, cem: Person, group: Group, way: str
) -> None:
    if way == "reply":
        challenge = await ann.ask("/newgame", in_=group, reply_to=await bo.say("who plays?", in_=group))
    elif way == "mention":
        text = f"/newgame {bo.first_name} bot"
        said = await ann.say(text, in_=group, entities=over_name(text, bo))
        challenge = await group.wait_for(after=said)
    else:
        name = bo.username or ""
        challenge = await ann.ask(f"/challenge @{name.upper() if way == 'USERNAME' else name}", in_=group)
    if way in ("mention", "reply"):
        assert "小波, Ann challenges you" in plain(challenge)
        assert mentioned(challenge) == [bo.id]
    assert offered(challenge) == {
        "Accept",
        "Decline",
        "Play OXO",
        "Cancel",
        "Board: 3×3",
        "Clock: none",
        "One game",
    }
    for label in ("Accept", "Decline", "Cancel", "Play OXO"):
        await told(cem, challenge, label)
    assert "own challenge" in await told(ann, challenge, "Accept")
    await told(ann, challenge, "Decline")
    assert is_chinese(await told(bo, challenge, "Cancel"))
    assert is_chinese(await told(bo, challenge, "Play OXO"))
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
        await pressed(ann, known, "Cancel")
        await pressed(ann, unknown, "Cancel")
        assert known.text.replace(str(bo.username), "nobody_has_this_name") == unknown.text
    said = await ann.say(
        f"/newgame {bo.first_name}", in_=away, entities=over_name(f"/newgame {bo.first_name}", bo)
    )
    assert "challenges you" in (await away.wait_for(after=said)).text, "in the challenger's language"
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


async def test_in_a_group_an_answer_quotes_its_command(ann: Person, group: Group) -> None:
    said = await ann.say("/games", in_=group)
    answer = await group.wait_for(lambda message: message.from_bot, after=said)
    assert answer.reply_to is said
    assert (await ann.ask("/games")).reply_to is None


async def test_a_named_person_may_decline(shared: World, ann: Person, bo: Person, group: Group) -> None:
    challenge = await ann.ask(f"/newgame @{bo.username}", in_=group)
    accept = data_of_button(challenge.keyboard[0][0])
    await pressed(bo, challenge, "Decline")
    assert plain(challenge) == "小波 declined Ann's challenge."
    assert challenge.labels == []
    text = challenge.text
    assert is_chinese(await told(bo, challenge, data=accept))
    await shared.has_answered(group, ann)
    assert challenge.text == text


def data_of_button(button: Json) -> str:
    """A button's data."""
    return str(button["callback_data"])


async def test_an_open_challenge_cannot_be_declined(ann: Person, bo: Person, group: Group) -> None:
    challenge = await ann.ask("/newgame", in_=group)
    data = data_of_button(challenge.keyboard[0][0]).replace("accept", "decline")
    await told(bo, challenge, data=data)
    await accepted(bo, challenge)


async def test_only_the_challenger_and_administrators_cancel(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    first, second, third = [await cem.ask("/newgame", in_=group) for _ in range(3)]
    dee = shared.playground.add_person("Dee", language="zh-hans")
    group.add(dee)
    assert is_chinese(await told(dee, first, "Cancel"))
    assert "Accept" in offered(first)
    await pressed(cem, first, "Cancel")
    assert plain(first) == "Cem withdrew the challenge."
    await pressed(ann, second, "Cancel")
    assert plain(second) == "Ann, an admin, closed Cem's challenge."
    group.promote(bo)
    await pressed(bo, third, "Cancel")
    assert third.labels == []


async def test_an_administrator_of_another_group_cannot_cancel_here(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    challenge = await cem.ask("/newgame", in_=group)
    his_own = shared.playground.add_group("Elsewhere", [bo, cem])
    other = await bo.ask("/newgame", in_=his_own)
    await told(bo, other, data=data_of_button(challenge.button("Cancel")))
    await shared.has_answered(group, ann)
    assert "Accept" in offered(challenge)


async def test_a_challenge_cannot_be_taken_up_from_another_chat(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    challenge = await ann.ask("/newgame", in_=group)
    stranger = shared.playground.add_person("Dee", started=True)
    other = await stranger.ask("/newgame easy")
    await told(stranger, other, data=data_of_button(challenge.button("Accept")))
    await accepted(bo, challenge)
    assert "小波" in plain(challenge)


async def test_of_many_who_accept_together_one_gets_the_seat(shared: World, ann: Person) -> None:
    people = [shared.playground.add_person(f"P{number}") for number in range(12)]
    group = shared.playground.add_group("Crowd", [ann, *people])
    challenge = await ann.ask("/newgame", in_=group)
    carried = data_of_button(challenge.button("Accept"))
    taps = [person.press(challenge, carried) for person in people]
    answers = await asyncio.gather(*(tap.answer for tap in taps))
    seated = [person for person, answer in zip(people, answers, strict=True) if answer.text is None]
    assert len(seated) == 1
    assert all("no longer open" in (answer.text or "no longer open") for answer in answers)
    await challenge.until(is_board)
    assert f"🟡 {seated[0].first_name}" in plain(challenge)
    await put(ann, challenge, 0)
    await put(seated[0], challenge, 4)


async def test_the_challenger_may_play_the_computer_instead(ann: Person, bo: Person, group: Group) -> None:
    await ann.ask("/difficulty beginner", in_=group)
    challenge = await ann.ask("/newgame bot", in_=group)
    await told(bo, challenge, "Play OXO")
    await pressed(ann, challenge, "Play OXO")
    assert is_board(challenge)
    assert position_of(challenge).ply == 1, "the computer has begun"
    assert "❌ OXO (beginner)   🟡 Ann" in plain(challenge)


async def test_a_fourth_open_challenge_is_refused_with_the_reason(ann: Person, bo: Person, group: Group) -> None:
    challenges = [await ann.ask("/newgame", in_=group) for _ in range(3)]
    refused = await ann.ask("/challenge", in_=group)
    assert "3 open challenges" in refused.text
    assert is_board(await ann.ask("/newgame easy", in_=group)), "a game against the computer isn't a challenge"
    assert is_chinese((await bo.ask("/newgame", in_=group)).text), "others may still challenge"
    await accepted(bo, challenges[0])
    assert "Accept" in offered(await ann.ask("/newgame", in_=group))


async def test_nobody_is_called_again_and_again_by_challenges_that_are_withdrawn(
    ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    await bo.ask("/newgame easy")
    ways = [
        await ann.ask(f"/newgame @{bo.username}", in_=group),
        await ann.ask("/newgame", in_=group, reply_to=await bo.say("hello", in_=group)),
    ]
    for challenge in ways:
        await pressed(ann, challenge, "Cancel")
    for _ in range(4):
        await pressed(bo, await ann.ask(f"/challenge @{bo.username}", in_=group), "Decline")
    for refused in (
        await ann.ask(f"/newgame @{bo.username}", in_=group),
        await ann.ask("/newgame", in_=group, reply_to=await bo.say("hello", in_=group)),
    ):
        assert "enough challenges" in refused.text
    await accepted(bo, await cem.ask(f"/newgame @{bo.username}", in_=group))
    await accepted(bo, await ann.ask("/newgame", in_=group))


async def test_opponents_that_cannot_be_are_refused_with_their_own_sentences(
    ann: Person, bo: Person, group: Group
) -> None:
    another_bot = group.other_bot_says("I am a bot")
    told_so = [
        (await ann.ask(f"/newgame@oxo_playground_bot {words}".strip(), in_=group, reply_to=reply_to)).text
        for words, reply_to in (
            ("", another_bot),
            ("", another_bot),
            (f"@{ann.username}", None),
            ("", await ann.say("me", in_=group)),
            (f"@{bo.username} @{ann.username}", None),
            (f"easy @{bo.username}", None),
            ("", await bo.say("hidden", in_=group, anonymous=True)),
            ("", await bo.say("news", in_=group, channel="News")),
        )
    ]
    assert "Bots can't be opponents" in told_so[0]
    assert told_so[1] == told_so[0]
    assert "yourself" in told_so[2]
    assert told_so[3] == told_so[2]
    assert "One opponent" in told_so[4]
    assert "either a level" in told_so[5]
    assert "group or channel" in told_so[6]
    assert told_so[7] == told_so[6]


async def test_a_name_alone_is_answered_with_how_people_are_named(ann: Person, bo: Person, group: Group) -> None:
    for command in ("/newgame", "/challenge"):
        told_so = (await ann.ask(f"{command} Cem", in_=group)).text
        assert "I don't know the word Cem" in told_so
        assert "@username" in told_so
        assert "reply to one of their messages" in told_so
    assert is_chinese((await bo.ask("/newgame Cem", in_=group)).text)
    assert "/challenge" in (await ann.ask("/newgame Cem")).text


async def test_a_reply_to_the_bot_names_nobody(ann: Person, bo: Person, group: Group) -> None:
    board = await ann.ask("/newgame easy", in_=group)
    challenge = await ann.ask("/newgame", in_=group, reply_to=board)
    assert "Decline" not in offered(challenge)
    await accepted(bo, challenge)


async def test_in_a_private_chat_a_named_opponent_is_told_about_links(ann: Person, bo: Person) -> None:
    assert "/challenge" in (await ann.ask(f"/newgame @{bo.username}")).text


async def test_nobody_accepts_by_typing_what_has_just_changed(ann: Person, bo: Person, group: Group) -> None:
    await ann.ask("/settings text on", in_=group)
    challenge = await ann.ask("/newgame", in_=group)
    await pressed(ann, challenge, "Clock: none")
    assert "/accept" in (await bo.ask("/accept", in_=group, reply_to=challenge)).text
    assert "Accept" in offered(challenge)
    await asyncio.sleep(READING_SECONDS)
    await bo.say("/accept", in_=group)
    await group.wait_for(is_board, after=challenge)


async def test_a_name_of_markup_is_shown_literally(shared: World, bo: Person) -> None:
    odd = shared.playground.add_person('<b>&"', started=True)
    group = shared.playground.add_group("Odd", [odd, bo])
    board = await begun(odd, bo, group)
    assert '❌ <b>&"' in plain(board)


async def test_a_forged_move_on_a_challenge_changes_nothing(ann: Person, bo: Person, group: Group) -> None:
    challenge = await ann.ask("/newgame", in_=group)
    for action in ("undo", "resign", "giveup", "goon", "yes", "no", "hint", "rematch", "again", "swap"):
        await told(ann, challenge, data=data(challenge, action))
        await told(bo, challenge, data=data(challenge, action))
    game = data(challenge, "accept").split(":")[1]
    for forged in (f"2m:{game}:0:0", f"2level:{game}:easy", f"2first:{game}:0"):
        await told(ann, challenge, data=forged)
        await told(bo, challenge, data=forged)
    await accepted(bo, challenge)


async def test_in_the_comments_under_a_channels_post_the_post_names_nobody(
    ann: Person, bo: Person, group: Group
) -> None:
    news = {
        "is_automatic_forward": True,
        "text": "News",
        "sender_chat": {"id": -1, "type": "channel", "title": "N"},
    }
    post = group.post_service(CHANNEL, news, "News")
    challenge = await ann.ask("/newgame", in_=group, reply_to=post)
    assert offered(challenge) == {"Accept", "Play OXO", "Cancel", "Board: 3×3", "Clock: none", "One game"}
    await accepted(bo, challenge)
