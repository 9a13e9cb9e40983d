"""Bots get silence, anonymous administrators may do what administrators may, and everybody one greeting."""

from __future__ import annotations

import pytest

from playground.groups import Group
from playground.people import Person
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_other_bots_get_no_answer(shared: World, ann: Person, group: Group) -> None:
    group.promote_bot()
    for text in ("/newgame@oxo_playground_bot easy", "/help@oxo_playground_bot", "/cancel", "/nonsense", "5"):
        group.other_bot_says(text, to_ours=True)
    await shared.has_answered(group, ann)
    assert len(shared.sent(group)) == 1, "the menu at the end"


async def test_what_somebody_sends_through_a_bot_is_no_command(shared: World, ann: Person, group: Group) -> None:
    for chat in (ann.private, group):
        said = await ann.say("hi", in_=chat)
        for text in ("/newgame@oxo_playground_bot easy", "5"):
            body = {"message_id": said.id + 1000, "date": said.date, "chat": chat.as_json(), "from": ann.as_json()}
            entity = {"type": "bot_command", "offset": 0, "length": len(text.split()[0])}
            body |= {"text": text, "entities": [entity], "via_bot": shared.playground.bot.as_json()}
            shared.playground.world.push("message", body, ("chat", chat.id))
        sent = len(shared.sent(chat))
        await shared.has_answered(chat, ann)
        assert len(shared.sent(chat)) <= sent + 2, "the answer to hi, and the menu"
        assert not any(len(message.keyboard) > 8 or "easy" in message.text for message in chat.messages.values())


async def test_posts_of_a_channel_and_its_direct_messages_are_left_alone(shared: World, ann: Person) -> None:
    news = shared.playground.add_direct_messages("News", [ann])
    for text in ("/start", "/newgame easy", "hello", "5"):
        await ann.say(text, in_=news)
    board = await ann.ask("/newgame beginner me")
    assert board.labels
    assert shared.playground.calls_of("sendMessage", chat=news) == []


async def test_an_anonymous_administrator_chooses_for_the_group(ann: Person, group: Group) -> None:
    said = await ann.say("/difficulty@oxo_playground_bot hard", in_=group, anonymous=True)
    assert (await group.wait_for(after=said)).text == "Difficulty: hard"
    group.hide(ann)
    menu = await ann.ask("/settings@oxo_playground_bot", in_=group)
    told = await ann.tap(menu, row=0, column=0)
    assert "admin" not in (told.text or ""), "the list of administrators knows the owner"


async def test_whoever_telegram_does_not_know_is_told_what_to_do(shared: World, ann: Person, group: Group) -> None:
    menu = await ann.ask("/settings@oxo_playground_bot", in_=group)
    dee = shared.playground.add_person("Dee")
    group.add(dee)
    assert (await dee.tap(menu, row=0, column=0)).text == "In a group, only admins can change this."
    cem = shared.playground.add_person("Cem")
    group.add(cem)
    group.hide(cem)
    assert "make me an admin" in ((await cem.tap(menu, row=0, column=0)).text or "")
