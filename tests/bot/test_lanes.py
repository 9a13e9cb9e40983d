"""Lanes: in order within a chat, side by side between chats, the newest state in the place of older ones."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bot.lanes import LONGEST, Lane, Lanes

if TYPE_CHECKING:
    from collections.abc import Hashable


class Recorder:
    """A delivery that writes down what it is given, and waits where it is told to."""

    def __init__(self) -> None:
        self.delivered: list[tuple[Hashable, str]] = []
        self.open = asyncio.Event()
        self.open.set()
        self.entered = asyncio.Event()
        self.refuse: list[tuple[float, str]] = []
        """What is not to be delivered at first, with the seconds of silence that it brings."""

    async def __call__(self, lane: Lane[str], key: Hashable, entry: str) -> None:
        """Deliver an entry."""
        self.entered.set()
        await self.open.wait()
        for refusal in self.refuse:
            if refusal[1] == entry:
                self.refuse.remove(refusal)
                lane.be_quiet(refusal[0])
                lane.put_back(key, entry)
                return
        self.delivered.append((key, entry))


def lanes_for(recorder: Recorder, *, most: int = 10_000) -> Lanes[str]:
    return Lanes(recorder, per_second=0, group_per_minute=0, most=most)


async def test_entries_of_one_chat_go_in_order() -> None:
    recorder = Recorder()
    lanes = lanes_for(recorder)
    for number in range(50):
        assert lanes.put(1, number, str(number))
    await lanes.close(5)
    assert recorder.delivered == [(number, str(number)) for number in range(50)]


async def test_the_newest_state_takes_the_place_of_one_that_waits() -> None:
    recorder = Recorder()
    recorder.open.clear()
    lanes = lanes_for(recorder)
    lanes.put(1, "a", "a1")
    await recorder.entered.wait()
    lanes.put(1, "b", "b1")
    lanes.put(1, "a", "a2")
    lanes.put(1, "b", "b2")
    lanes.put(1, "a", "a3")
    recorder.open.set()
    await lanes.close(5)
    assert recorder.delivered == [("a", "a1"), ("b", "b2"), ("a", "a3")]


async def test_a_chat_that_hangs_holds_up_no_other() -> None:
    recorder = Recorder()
    lanes = lanes_for(recorder)
    stuck = asyncio.Event()
    free: list[str] = []

    async def deliver(_lane: Lane[str], _key: Hashable, entry: str) -> None:
        if entry == "stuck":
            await stuck.wait()
        free.append(entry)

    lanes = Lanes(deliver, per_second=0, group_per_minute=0)
    lanes.put(1, "x", "stuck")
    lanes.put(2, "x", "free")
    await asyncio.sleep(0)
    while not free:  # noqa: ASYNC110 - other tasks run meanwhile, and nothing tells when
        await asyncio.sleep(0)
    assert free == ["free"]
    stuck.set()
    await lanes.close(5)
    assert free == ["free", "stuck"]


async def test_what_is_put_back_goes_before_what_waits_and_gives_way_to_a_newer_one() -> None:
    recorder = Recorder()
    recorder.open.clear()
    recorder.refuse = [(0.0, "a1"), (0.0, "b1")]
    lanes = lanes_for(recorder)
    lanes.put(1, "a", "a1")
    await recorder.entered.wait()
    lanes.put(1, "b", "b1")
    lanes.put(1, "c", "c1")
    recorder.open.set()
    await lanes.close(5)
    assert recorder.delivered == [("a", "a1"), ("b", "b1"), ("c", "c1")]

    lane: Lane[str] = Lane(None)
    lane.put("a", "new")
    lane.put_back("a", "old")
    assert lane.waiting_for("a") == "new"


async def test_a_quiet_chat_waits_and_then_goes_on() -> None:
    recorder = Recorder()
    recorder.refuse = [(0.05, "a")]
    lanes = lanes_for(recorder)
    loop = asyncio.get_running_loop()
    begun = loop.time()
    lanes.put(1, "a", "a")
    await lanes.close(5)
    assert recorder.delivered == [("a", "a")]
    assert loop.time() - begun >= 0.05


async def test_a_lane_is_bounded_but_newer_states_still_find_their_place() -> None:
    recorder = Recorder()
    recorder.open.clear()
    lanes = lanes_for(recorder)
    taken = sum(lanes.put(1, number, "old") for number in range(2 * LONGEST))
    assert taken == LONGEST
    assert lanes.put(1, 0, "new")
    recorder.open.set()
    await lanes.close(5)
    assert dict(recorder.delivered)[0] == "new"


async def test_lanes_are_bounded_and_vanish_when_empty() -> None:
    recorder = Recorder()
    recorder.open.clear()
    lanes = lanes_for(recorder, most=10)
    assert sum(lanes.put(chat, "x", "x") for chat in range(100)) == 10
    assert len(lanes) == 10
    recorder.open.set()
    await lanes.close(5)
    assert len(lanes) == 0


async def test_whether_something_waits_or_is_under_way_can_be_asked() -> None:
    recorder = Recorder()
    recorder.open.clear()
    lanes = lanes_for(recorder)
    assert not lanes.waits(1, "a")
    lanes.put(1, "a", "a")
    assert lanes.waits(1, "a")
    await recorder.entered.wait()
    assert lanes.waits(1, "a"), "it is being sent"
    recorder.open.set()
    await lanes.close(5)
    assert not lanes.waits(1, "a")


async def test_closing_gives_up_on_what_hangs_and_takes_nothing_more() -> None:
    recorder = Recorder()
    recorder.open.clear()
    lanes = lanes_for(recorder)
    lanes.put(1, "a", "a")
    await lanes.close(0.05)
    assert recorder.delivered == []
    assert not lanes.put(2, "b", "b")
