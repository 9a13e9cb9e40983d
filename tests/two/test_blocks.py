"""Blocks: whoever is blocked reaches nobody, sees nothing of it, and may be let back."""

from __future__ import annotations

import pytest

from bot.boards.links import CHALLENGE
from playground.chats import Message
from playground.groups import Group
from playground.people import Person
from tests.people import (
    X_WINS,
    accepted,
    begun,
    begun_by_link,
    is_board,
    mentioned,
    offered,
    opened,
    plain,
    played,
    played_both,
    pressed,
    put_both,
    result_named,
    token_of,
    told,
)
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def bo(shared: World) -> Person:
    """Who blocks Ann; he speaks English here."""
    return shared.playground.add_person("Bo", username="bo_blocks", started=True)


async def blocked(one: Person, other: Person, group: Group) -> None:
    """Let somebody block another by a reply in a group."""
    answer = await one.ask("/block", in_=group, reply_to=await other.say("hello", in_=group))
    assert "Got it" in answer.text


def heard(world: World, group: Group) -> bool:
    """Whether the bot's newest message there makes a sound."""
    return not world.sent(group)[-1].parameters.get("disable_notification")


async def test_a_group_reads_the_same_whatever_was_done_and_the_list_is_private(
    ann: Person, bo: Person, group: Group
) -> None:
    await blocked(bo, ann, group)
    await blocked(bo, ann, group)
    listed = await bo.ask("/block")
    assert "Blocked: 1" in listed.text
    assert offered(listed) == {"Unblock \u2068Ann\u2069", "‹ Back"}
    assert str(ann.id) not in str(listed.keyboard)
    assert "Got it" in (await bo.ask("/unblock", in_=group, reply_to=await ann.say("hi", in_=group))).text
    assert "Blocked: 0" in (await bo.ask("/block")).text
    for words in ("/block", "/block @nobody_has_this_name", f"/block @{bo.username}"):
        assert "reply" in (await bo.ask(words, in_=group)).text


async def test_the_last_opponents_are_offered_to_be_blocked(ann: Person, bo: Person, group: Group) -> None:
    assert offered(await bo.ask("/block")) == {"‹ Back"}
    await begun(ann, bo, group)
    listed = await bo.ask("/block")
    assert offered(listed) == {"Block \u2068Ann\u2069", "‹ Back"}
    assert str(ann.id) not in str(listed.keyboard)
    assert "Blocked" in (await told(bo, listed, "Block \u2068Ann\u2069"))
    await listed.until(lambda shown: offered(shown) == {"Unblock \u2068Ann\u2069", "‹ Back"})
    await pressed(bo, listed, "Unblock \u2068Ann\u2069")
    assert offered(listed) == {"Block \u2068Ann\u2069", "‹ Back"}


async def test_only_who_has_met_the_person_can_be_named(
    ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    await cem.ask("/newgame easy", in_=group)
    assert "challenged you or played you" in (await bo.ask(f"/block @{cem.username}")).text
    await cem.ask(f"/challenge @{bo.username}", in_=group)
    assert "Blocked: Cem" in plain(await bo.ask(f"/block @{cem.username}"))
    assert "Unblocked: Cem" in plain(await bo.ask("/unblock cem"))
    await begun(ann, bo, group)
    assert "Blocked: Ann" in plain(await bo.ask(f"/block @{ann.username}"))
    assert "Unblocked: Ann" in plain(await bo.ask(f"/unblock @{ann.username}"))


async def test_a_name_that_is_like_somebody_elses_lets_nobody_back_in_their_place(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    dee = shared.joins(f"@{ann.username}", group)
    eve = shared.joins("Cem", group)
    await begun(ann, bo, group)
    for person in (ann, dee, cem, eve):
        await blocked(bo, person, group)
    assert "Unblocked: Ann" in plain(await bo.ask(f"/unblock @{ann.username}"))
    listed = await bo.ask("/unblock cem")
    assert "Blocked: 3" in listed.text, "nobody knows which of the two is meant"
    await bo.tap(listed, row=1, column=0)
    assert "Unblocked: Cem" in plain(await bo.ask("/unblock cem"))
    assert "Blocked: 1" in (await bo.ask("/block")).text


async def test_the_settings_lead_to_the_list_and_back(ann: Person, bo: Person, group: Group) -> None:
    await blocked(bo, ann, group)
    menu = await pressed(bo, await bo.ask("/settings"), "More ›")
    await pressed(bo, menu, "Blocked: 1")
    await pressed(bo, menu, "Unblock \u2068Ann\u2069")
    assert "Blocked: 0" in menu.text
    await pressed(bo, menu, "‹ Back")
    assert "More ›" in offered(menu)


@pytest.mark.parametrize("way", ["username", "reply"])
async def test_a_challenge_in_a_group_looks_as_always_and_makes_no_sound(
    shared: World, ann: Person, bo: Person, group: Group, way: str
) -> None:
    async def challenge() -> Message:
        if way == "username":
            return await ann.ask(f"/challenge @{bo.username}", in_=group)
        return await ann.ask("/newgame", in_=group, reply_to=await bo.say("who plays?", in_=group))

    await bo.ask("/newgame easy")
    usual = await challenge()
    assert heard(shared, group)
    await blocked(bo, ann, group)
    quiet = await challenge()
    assert (quiet.text, quiet.entities, offered(quiet)) == (usual.text, usual.entities, offered(usual))
    assert (mentioned(quiet) == [bo.id]) is (way == "reply")
    assert not heard(shared, group)


async def test_a_link_or_an_open_challenge_of_the_blocker_is_gone_for_whoever_is_blocked(
    ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    await blocked(bo, ann, group)
    invitation = await bo.ask("/challenge")
    assert "someone was faster" in (await opened(ann, token_of(invitation))).text
    assert is_board(await opened(cem, token_of(invitation)))
    challenge = await bo.ask("/newgame", in_=group)
    assert "no longer open" in await told(ann, challenge, "Accept")
    await accepted(cem, challenge)
    await accepted(ann, await bo.ask(f"/challenge @{ann.username}", in_=group))


async def test_a_challenge_below_a_shared_game_goes_unseen(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    await played(cem, bo, await begun(cem, bo, group), X_WINS)
    link = shared.link_below(CHALLENGE)
    await cem.tap(await opened(cem, link), "Challenge \u2068Bo\u2069")
    others = await bo.private.wait_for(lambda message: "Block" in offered(message))
    await ann.tap(await opened(ann, link), "Challenge \u2068Bo\u2069")
    named = await bo.private.wait_for(lambda message: "Block" in offered(message), after=others)
    assert "plenty of challenges" in await told(ann, await opened(ann, link), "Challenge \u2068Bo\u2069")
    assert await bo.tap(named, "Block")
    await named.until(lambda message: message.deleted)
    assert not others.deleted
    last = await bo.ask("/help")
    await ann.tap(asked := await opened(ann, link), "Challenge \u2068Bo\u2069")
    assert "You challenged Bo" in plain(await ann.private.wait_for(after=asked))
    await shared.has_settled(ann.private)
    assert bo.private.messages[max(bo.private.messages)] is last


async def test_a_running_game_goes_on_and_its_questions_are_seen_by_who_asks_alone(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    hers, his = await begun_by_link(ann, bo)
    await put_both(ann, hers, his, X_WINS[0])
    await put_both(bo, his, hers, X_WINS[1])
    await blocked(bo, ann, group)
    await pressed(ann, hers, "Undo")
    assert "Withdraw" in offered(hers)
    await shared.has_settled(bo.private)
    assert offered(his) == {"Undo", "Resign"}
    assert "already answered" in (await bo.ask("/yes")).text
    await pressed(bo, his, "Undo")
    assert "Withdraw" in offered(his), "he may ask himself"
    await pressed(bo, his, "Withdraw")
    await played_both((ann, hers), (bo, his), X_WINS[2:])
    below = await bo.ask("/help")
    await pressed(ann, hers, "Rematch")
    assert "Waiting for Bo" in plain(hers)
    await shared.has_settled(bo.private)
    assert offered(his) == {"Rematch", "Send", "🔎"}
    assert bo.private.messages[max(bo.private.messages)] is below, "nothing calls him"


async def test_an_inline_offer_is_the_same_whether_or_not_one_is_blocked(
    ann: Person, bo: Person, group: Group
) -> None:
    await bo.ask("/newgame easy")
    seen = []
    for _ in range(2):
        offer = result_named(await ann.inline(f"@{bo.username}", in_=group), "Challenge")
        message = ann.choose(offer, in_=group)
        seen.append((message.text, message.entities))
        await accepted(bo, message)
        await blocked(bo, ann, group)
    assert seen[0] == seen[1]


async def test_play_never_pairs_the_two_even_if_one_has_deleted_their_data(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    await blocked(bo, ann, group)
    await shared.forgets(ann)
    await shared.until(lambda: shared.value("SELECT count(*) FROM erasures") == 0)
    await ann.ask("/play 8x8")
    waiting = await bo.ask("/play 8x8")
    assert "Leave" in offered(waiting)
    assert "Leave" not in offered(await cem.ask("/play 8x8")), "Ann, who has waited longer, plays him"
    await bo.tap(waiting, "Leave")
    listed = await bo.ask("/block")
    await pressed(bo, listed, "Unblock \u2068Somebody who left\u2069")
    assert "Blocked: 0" in listed.text
