"""Long polling: offsets, kinds, lifetimes and conflicts."""

from __future__ import annotations

import asyncio

import pytest

from playground import Playground
from playground.people import Person
from tests.playground.client import Api, Json


def texts(updates: list[Json]) -> list[str]:
    return [update["message"]["text"] for update in updates]


async def test_updates_come_again_until_an_offset_confirms_them(api: Api, ann: Person) -> None:
    for text in "abc":
        await ann.say(text)
    first, second, third = await api("getUpdates")
    assert [second["update_id"], third["update_id"]] == [first["update_id"] + 1, first["update_id"] + 2]
    assert await api("getUpdates") == [first, second, third]
    assert await api("getUpdates", offset=second["update_id"]) == [second, third]
    await ann.say("d")
    assert texts(await api("getUpdates", offset=third["update_id"] + 1)) == ["d"]
    assert texts(await api("getUpdates")) == ["d"]
    for text in "efg":
        await ann.say(text)
    assert texts(await api("getUpdates", offset=-1)) == ["g"]
    assert texts(await api("getUpdates")) == ["g"]


async def test_the_limit_is_kept(api: Api, ann: Person) -> None:
    for number in range(103):
        await ann.say(str(number))
    for limit, given in ((2, 2), (0, 100), (100, 100), (1000, 100)):
        assert len(await api("getUpdates", limit=limit)) == given


@pytest.mark.parametrize("offset", [0, 5])
async def test_a_short_poll_that_repeats_its_offset_waits_a_little(
    api: Api, ann: Person, playground: Playground, offset: int
) -> None:
    assert await api("getUpdates", offset=offset) == []
    repeated = asyncio.create_task(api("getUpdates", offset=offset))
    await api("getMe")
    assert not repeated.done()
    await ann.say("hello")
    assert texts(await repeated) == ["hello"]
    await api.updates()
    playground.world.updates.repeat_pause = 0.2
    before = asyncio.get_running_loop().time()
    assert [await api("getUpdates", offset=api.offset) for _ in range(2)] == [[], []]
    assert asyncio.get_running_loop().time() - before >= 0.2


async def test_what_the_bot_has_not_confirmed_is_counted(api: Api, ann: Person, playground: Playground) -> None:
    for expected in range(2):
        assert (await api("getWebhookInfo"))["pending_update_count"] == expected
        await ann.say("hello")
    await api.updates()
    with pytest.raises(TimeoutError, match="2 updates to be confirmed"):
        await playground.confirmed(within=0.01)
    await api("getUpdates", offset=api.offset - 1)
    assert (await api("getWebhookInfo"))["pending_update_count"] == 1
    await api.updates()
    await playground.confirmed(within=0.01)


async def test_a_second_poller_ends_the_first_with_a_conflict(
    api: Api, ann: Person, playground: Playground
) -> None:
    first = asyncio.create_task(api.refused("getUpdates", timeout=50))
    await playground.telegram.changes.until(lambda: playground.calls or None, 5, lambda: "the first poll")
    second = asyncio.create_task(api.updates(wait=50))
    refusal = await first
    assert (refusal.status, refusal.description) == (
        409,
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    )
    await ann.say("hello")
    assert texts(await second) == ["hello"]


async def test_kinds_that_were_not_asked_for_are_not_kept_and_the_choice_persists(
    api: Api, ann: Person, playground: Playground
) -> None:
    playground.world.updates.repeat_pause = 0
    assert await api("getUpdates", allowed_updates=["callback_query", "no_such_kind"]) == []
    await ann.say("unheard")
    assert await api("getUpdates") == []
    assert (await api("getWebhookInfo"))["allowed_updates"] == ["callback_query"]
    assert await api("getUpdates", allowed_updates=[]) == []
    await ann.say("heard")
    assert texts(await api("getUpdates")) == ["heard"]


@pytest.mark.parametrize(("seconds", "kept"), [(149, 2), (151, 1), (86_401, 0)])
async def test_taps_are_kept_150_seconds_and_messages_a_day(
    api: Api, ann: Person, playground: Playground, seconds: int, kept: int
) -> None:
    board = await ann.say("a message to tap on")
    ann.press(board, "1")
    playground.clock.advance(seconds)
    assert len(await api("getUpdates")) == kept


async def test_after_an_idle_week_update_ids_start_again(api: Api, ann: Person, playground: Playground) -> None:
    ids = []
    for week in range(6):
        await ann.say(f"week {week}")
        (update,) = await api.updates()
        assert update["message"]["text"] == f"week {week}"
        ids.append(update["update_id"])
        playground.clock.advance(7 * 86_400)
    assert ids != sorted(ids)


async def test_edits_deep_links_and_odd_names_arrive_as_they_are(
    api: Api, ann: Person, playground: Playground
) -> None:
    await ann.edit(await ann.say("/newgam"), "/newgame")
    _, update = await api.updates()
    assert (update["edited_message"]["text"], update["edited_message"]["edit_date"] > 0) == ("/newgame", True)
    playground.people["bo"].start("token_1")
    assert texts(await api.updates()) == ["/start token_1"]
    for name in ("", "\u202eevil", "אבג <b>", "x" * 5000):
        person = playground.add_person(name, key=f"odd {name}", language=None)
        await person.say("hi")
        (update,) = await api.updates()
        assert update["message"]["from"] == {"id": person.id, "is_bot": False, "first_name": name}
