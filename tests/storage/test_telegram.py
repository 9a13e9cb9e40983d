"""Chats that Telegram has closed for a while, shared by all processes."""

from __future__ import annotations

from functools import partial

from storage import telegram
from storage.store import Store


async def test_a_pause_is_known_until_it_is_over_and_then_forgotten(store: Store) -> None:
    await store.run(partial(telegram.note_pause, chat="-100", until=50))
    await store.run(partial(telegram.note_pause, chat="7", until=90))
    assert await store.run(partial(telegram.current_pauses, now=49)) == {"-100": 50, "7": 90}
    assert await store.run(partial(telegram.current_pauses, now=50)) == {"7": 90}
    assert await store.run(partial(telegram.current_pauses, now=0)) == {"7": 90}


async def test_the_later_end_of_two_counts(store: Store) -> None:
    for until in (50, 90, 60):
        await store.run(partial(telegram.note_pause, chat="-100", until=until))
    assert await store.run(partial(telegram.current_pauses, now=0)) == {"-100": 90}


async def test_a_pause_that_was_written_before_the_clock_was_set_back_is_over(store: Store) -> None:
    await store.run(partial(telegram.note_pause, chat="-100", until=7230))
    assert await store.run(partial(telegram.current_pauses, now=0)) == {}


async def test_what_is_set_in_a_place_is_known_until_something_else_is(store: Store) -> None:
    async def is_set(place: str, content: str) -> bool:
        return await store.read(telegram.is_set, place=place, content=content)

    assert not await is_set(place="menu", content="a")
    for content in ("a", "b"):
        await store.run(telegram.note_set, place="menu", content=content)
        assert await is_set(place="menu", content=content)
        assert not await is_set(place="another", content=content)
    assert not await is_set(place="menu", content="a"), "as the place has b now"
