"""Lanes: boards go first, a newer state replaces older ones, each chat has its pace; in virtual time."""

from __future__ import annotations

import asyncio
import functools
import itertools
import logging
import math
import random
import statistics
from collections.abc import Awaitable, Callable, Hashable
from typing import NamedTuple

import pytest

from benchmarks import virtual
from bot.delivery.lanes import LONGEST, Lanes
from bot.delivery.pace import SEVERAL, Chat, Kind, Pace

BOARD, NEW, UNPROMPTED = Kind.TAPPED, Kind.NEW, Kind.UNPROMPTED
GROUP, PRIVATE = -7, 7


def in_virtual_time(test: Callable[[], Awaitable[None]]) -> Callable[[], None]:
    """Run a test on a loop that skips time while everything waits."""

    @functools.wraps(test)
    def run() -> None:
        async def main() -> None:
            await test()

        virtual.run(main())

    return run


class Item(NamedTuple):
    """An entry of a lane: a text, or a number."""

    key: Hashable
    content: str | int
    kind: Kind = Kind.BOARD
    for_whom: int | None = None
    is_send: bool = False


class Sender:
    """Lanes, and a Telegram that records what it gets; calls take 50 ms, or until it is opened."""

    def __init__(
        self, *, calls_per_second: int | None = None, edits_per_minute: int | None = None, most: int = 10_000
    ) -> None:
        self.lanes: Lanes[Item] = Lanes(
            self._deliver, Pace(calls_per_second=calls_per_second, edits_per_minute=edits_per_minute), most=most
        )
        self.sent: list[str] = []
        self.times: list[float] = []
        self.refuse: dict[str, float] = {}
        """What is refused once, and for how many seconds."""
        self.open = asyncio.Event()
        self.open.set()
        self.entered = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def put(self, chat: Chat, key: Hashable, text: str, kind: Kind, person: int | None = None) -> float | None:
        """Put a text in a lane."""
        return self.lanes.put(chat, Item(key, text, kind, person))

    async def _deliver(self, chat: Chat, item: Item) -> None:
        entry = str(item.content)
        self.entered.set()
        begun = self._loop.time()
        await asyncio.sleep(0.05)
        await self.open.wait()
        if entry in self.refuse:
            self.lanes.refused(chat, self.refuse.pop(entry))
            self.lanes.put_back(chat, item)
        else:
            self.sent.append(entry)
            self.times.append(begun)


def refuse_all(sender: Sender, seconds: float) -> None:
    """Refuse several chats together, which closes every chat."""
    for chat in range(-SEVERAL, 0):
        sender.lanes.refused(chat, seconds)


@in_virtual_time
async def test_entries_of_one_chat_go_in_order() -> None:
    sender = Sender(edits_per_minute=0)
    for number in range(50):
        assert sender.put(1, number, str(number), BOARD) == 0.0
    await sender.lanes.close(5)
    assert sender.sent == [str(number) for number in range(50)]


@in_virtual_time
async def test_the_newest_state_takes_the_place_of_one_that_waits() -> None:
    sender = Sender()
    sender.open.clear()
    sender.put(1, "a", "a1", BOARD)
    await sender.entered.wait()
    for key, entry in (("b", "b1"), ("a", "a2"), ("b", "b2"), ("a", "a3")):
        sender.put(1, key, entry, BOARD)
    assert sender.lanes.waiting_for(1, "b") == Item("b", "b2", BOARD)
    sender.open.set()
    await sender.lanes.close(5)
    assert sender.sent == ["a1", "b2", "a3"]


@in_virtual_time
async def test_what_changes_while_a_chat_is_closed_is_sent_as_it_is_then() -> None:
    sender = Sender()
    sender.lanes.pause(GROUP, 30)
    for number in range(29):
        sender.put(GROUP, "board", str(number), BOARD)
        await asyncio.sleep(1)
    await sender.lanes.close(5)
    assert sender.sent == ["28"]


@in_virtual_time
async def test_boards_go_before_replies_and_replies_before_what_nobody_asked_for() -> None:
    sender = Sender()
    sender.open.clear()
    sender.put(1, 0, "first", BOARD)
    await sender.entered.wait()
    for entry, kind in (
        ("reminder", UNPROMPTED),
        ("help", NEW),
        ("board", BOARD),
        ("stats", NEW),
        ("other", BOARD),
    ):
        sender.put(1, entry, entry, kind)
    sender.open.set()
    await sender.lanes.close(5)
    assert sender.sent == ["first", "board", "other", "help", "stats", "reminder"]


@in_virtual_time
async def test_equal_replies_to_one_person_merge_by_their_key() -> None:
    sender = Sender()
    sender.open.clear()
    for _ in range(30):
        sender.put(GROUP, ("ann", "help"), "help", NEW)
    assert sender.lanes.waiting == 1
    sender.open.set()
    await sender.lanes.close(5)
    assert sender.sent == ["help"]


@in_virtual_time
async def test_putting_something_returns_how_long_it_will_wait() -> None:
    sender = Sender()
    sender.open.clear()
    told = [sender.put(GROUP, 0, "0", BOARD)]
    await sender.entered.wait()
    told += [sender.put(GROUP, number, str(number), BOARD) for number in range(1, 14)]
    sender.open.set()
    assert told[:10] == [0.0] * 10
    await sender.lanes.close(60)
    for seconds, begun in zip(told[10:], sender.times[10:], strict=True):
        assert seconds == pytest.approx(begun, abs=1)
    assert sender.times[13] > 20


@in_virtual_time
async def test_a_board_is_not_told_to_wait_for_replies_that_it_overtakes() -> None:
    sender = Sender()
    for number in range(14):
        sender.put(PRIVATE, number, str(number), NEW)
    assert sender.put(PRIVATE, "board", "board", BOARD) == 0.0
    assert (sender.put(PRIVATE, "more", "more", NEW) or 0) > 4
    await sender.lanes.close(60)


@in_virtual_time
async def test_a_chat_that_hangs_or_waits_holds_up_no_other() -> None:
    sender = Sender()
    sender.lanes.pause(GROUP, 300)
    sender.put(GROUP, "x", "stuck", BOARD)
    for chat in range(1, 101):
        assert sender.put(chat, "x", str(chat), BOARD) == 0.0
    await asyncio.sleep(0.06)
    assert sorted(map(int, sender.sent)) == [*range(1, 101)]
    assert set(sender.times) == {0.0}, "a hundred people who act together do not wait for one another"
    await sender.lanes.close(0)


@in_virtual_time
async def test_a_refused_entry_waits_as_long_as_asked_and_goes_before_others() -> None:
    sender = Sender()
    sender.refuse = {"a1": 30.0}
    for key, entry in (("a", "a1"), ("b", "b1"), ("c", "c1")):
        sender.put(GROUP, key, entry, BOARD)
    await sender.lanes.close(60)
    assert sender.sent == ["a1", "b1", "c1"]
    assert sender.times[0] == pytest.approx(30.3)


@in_virtual_time
async def test_what_is_put_back_gives_way_to_a_newer_one_and_keeps_its_kind() -> None:
    sender = Sender()
    sender.open.clear()
    sender.refuse = {"reply": 1.0, "a1": 1.0}
    sender.put(1, "r", "reply", NEW)
    sender.put(2, "a", "a1", BOARD)
    await sender.entered.wait()
    await asyncio.sleep(0.01)
    sender.put(1, "b", "board", BOARD)
    sender.put(2, "a", "a2", BOARD)
    sender.open.set()
    await sender.lanes.close(5)
    assert [entry for entry in sender.sent if entry in {"board", "reply"}] == ["board", "reply"]
    assert [entry for entry in sender.sent if entry in {"a1", "a2"}] == ["a2"]


@in_virtual_time
async def test_a_refusal_of_everything_stops_all_chats_and_then_they_go_on_in_turn() -> None:
    sender = Sender()
    refuse_all(sender, 10)
    for chat in range(1, 301):
        assert sender.put(chat, "x", str(chat), BOARD) == pytest.approx(10.25)
    await sender.lanes.close(60)
    tens = [sorted(map(int, sender.sent[begin : begin + 10])) for begin in range(0, 100, 10)]
    assert tens == [[*range(begin, begin + 10)] for begin in range(1, 101, 10)], "first come, first served"
    assert sender.times[0] == pytest.approx(10.25)
    assert sum(time < 15 for time in sender.times) <= 60
    assert sender.times[-1] < 21


@in_virtual_time
async def test_a_cap_in_all_is_shared_by_turns() -> None:
    sender = Sender(calls_per_second=5)
    for number in range(4):
        for chat in range(1, 11):
            sender.put(chat, number, f"{chat}.{number}", BOARD)
    await sender.lanes.close(60)
    assert len(sender.sent) == 40
    assert max(sum(begin <= time < begin + 0.999 for time in sender.times) for begin in sender.times) == 5
    assert sender.times[-1] == pytest.approx(7, abs=0.3)
    for number in range(4):
        assert {entry.split(".")[1] for entry in sender.sent[10 * number : 10 * number + 10]} == {str(number)}


@in_virtual_time
async def test_what_nobody_asked_for_waits_for_what_somebody_did() -> None:
    sender = Sender(calls_per_second=5)
    for chat in range(1, 11):
        sender.put(chat, "r", "reminder", UNPROMPTED)
    for chat in range(11, 31):
        sender.put(chat, "b", "board", BOARD)
    await sender.lanes.close(60)
    assert sender.sent == ["board"] * 20 + ["reminder"] * 10


@in_virtual_time
async def test_a_pause_holds_up_what_was_put_a_moment_ago() -> None:
    sender = Sender()
    sender.put(1, "a", "paused", BOARD)
    sender.lanes.pause(1, 5)
    sender.put(2, "a", "refused", BOARD)
    sender.lanes.refused(2, 10)
    await sender.lanes.close(60)
    assert sender.sent == ["paused", "refused"]
    assert sender.times == pytest.approx([5, 10.25])


@in_virtual_time
async def test_a_board_keeps_its_place_when_something_unasked_changes_it() -> None:
    sender = Sender()
    sender.open.clear()
    sender.put(1, 0, "first", BOARD)
    await sender.entered.wait()
    sender.put(1, "a", "a1", BOARD)
    sender.put(1, "b", "b1", BOARD)
    sender.put(1, "a", "a2", UNPROMPTED)
    sender.open.set()
    await sender.lanes.close(5)
    assert sender.sent == ["first", "a2", "b1"]


@in_virtual_time
async def test_a_lane_is_bounded_but_newer_states_still_find_their_place() -> None:
    sender = Sender()
    told = [sender.put(1, number, f"old {number}", BOARD) for number in range(2 * LONGEST)]
    assert [seconds is not None for seconds in told] == [True] * LONGEST + [False] * LONGEST
    assert sender.put(1, 0, "new", BOARD) is not None
    await sender.lanes.close(1000)
    assert sender.sent == ["new", *(f"old {number}" for number in range(1, LONGEST))]


@in_virtual_time
async def test_lanes_are_bounded_and_vanish_when_empty() -> None:
    sender = Sender(most=10)
    assert sum(sender.put(chat, "x", "x", BOARD) is not None for chat in range(1, 101)) == 10
    assert (len(sender.lanes), sender.lanes.waiting, [item.content for item in sender.lanes.entries()]) == (
        10,
        10,
        ["x"] * 10,
    )
    await sender.lanes.close(5)
    assert (len(sender.lanes), sender.lanes.waiting, [item.content for item in sender.lanes.entries()]) == (
        0,
        0,
        [],
    )


@in_virtual_time
async def test_whether_something_waits_or_is_under_way_can_be_asked() -> None:
    sender = Sender()
    assert not sender.lanes.waits(1, "a")
    sender.put(1, "a", "a", BOARD)
    assert sender.lanes.waits(1, "a")
    await sender.entered.wait()
    assert sender.lanes.waits(1, "a"), "it is being sent"
    assert sender.lanes.waiting_for(1, "a") is None
    await sender.lanes.close(5)
    assert not sender.lanes.waits(1, "a")


@pytest.mark.parametrize("is_newer", [False, True])
def test_what_has_rested_and_finds_no_room_is_dropped_and_that_is_told(*, is_newer: bool) -> None:
    dropped: list[str | int] = []

    @in_virtual_time
    async def run() -> None:
        sender = Sender()
        sender.lanes.on_dropped = lambda item: dropped.append(item.content)
        sender.lanes.put_back(GROUP, Item("old", "old"), after=5)
        sender.lanes.pause(GROUP, 60)
        for number in range(LONGEST):
            assert sender.put(GROUP, number, str(number), BOARD, number) is not None
        if is_newer:
            assert sender.put(GROUP, "old", "new", BOARD) is None
        else:
            await asyncio.sleep(6)
        assert not sender.lanes.waits(GROUP, "old")
        await sender.lanes.close(0)

    run()
    assert dropped == ["old"]


@in_virtual_time
async def test_what_somebody_else_changes_all_the_time_keeps_nobody_waiting_in_their_own_chat() -> None:
    sender = Sender()
    loop = asyncio.get_running_loop()
    for number in range(240):
        sender.put(PRIVATE, f"game {number % 3}", f"theirs {number}", Kind.BOARD, PRIVATE + 1)
        if number > 40 and number % 4 == 0:
            sender.put(PRIVATE, f"own {number}", f"own {number}", (NEW, BOARD)[number % 8 // 4], PRIVATE)
            asked = loop.time()
            await asyncio.sleep(0.5)
            assert f"own {number}" in sender.sent, f"asked at {asked:.1f}"
        else:
            await asyncio.sleep(0.5)
    await sender.lanes.close(60)
    assert "theirs 239" in sender.sent


@in_virtual_time
async def test_what_rests_for_long_is_tried_at_once_if_somebody_asks() -> None:
    sender = Sender()
    sender.lanes.put_back(1, Item("soon", "soon"), after=10)
    sender.lanes.put_back(1, Item("late", "late"), after=3000)
    for key in ("soon", "late", "unknown"):
        sender.lanes.hurry(1, key, 15)
    await asyncio.sleep(1)
    assert sender.sent == ["late"]


@in_virtual_time
async def test_an_older_state_that_fails_late_doesnt_replace_a_newer_one_that_rests() -> None:
    sender = Sender()
    assert sender.lanes.put_back(1, Item("a", "new"), after=5)
    assert not sender.lanes.put_back(1, Item("a", "old"), after=1)
    await asyncio.sleep(6)
    assert sender.sent == ["new"]


def test_an_error_is_logged_and_the_lane_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    sent = []

    async def main() -> None:
        async def deliver(_chat: Chat, item: Item) -> None:
            if item.content == "odd":
                raise LookupError("nobody expected this")
            sent.append(item.content)

        lanes: Lanes[Item] = Lanes(deliver, Pace())
        lanes.put(1, Item("a", "odd", BOARD))
        lanes.put(1, Item("b", "even", BOARD))
        await lanes.close(5)

    with caplog.at_level(logging.ERROR):
        virtual.run(main())
    assert sent == ["even"]
    assert [record.getMessage() for record in caplog.records] == ["Delivery failed"]


@in_virtual_time
async def test_closing_without_a_wait_drops_what_was_put_a_moment_ago() -> None:
    sender = Sender()
    sender.put(1, "a", "a", BOARD)
    await sender.lanes.close(0)
    assert (len(sender.lanes), sender.lanes.waiting, sender.sent) == (0, 0, [])


@in_virtual_time
async def test_closing_gives_up_on_what_hangs_and_takes_nothing_more() -> None:
    sender = Sender()
    sender.open.clear()
    sender.put(1, "a", "a", BOARD)
    refuse_all(sender, 100)
    for chat in range(2, 5):
        sender.put(chat, "b", "b", BOARD)
        sender.put(chat, "c", "c", UNPROMPTED)
    await sender.lanes.close(5)
    assert asyncio.get_running_loop().time() == pytest.approx(5)
    assert sender.sent == []
    assert len(sender.lanes) == 0
    assert sender.put(2, "b", "b", BOARD) is None
    sender.lanes.put_back(2, Item("b", "b"))
    assert len(sender.lanes) == 0


@pytest.mark.parametrize("seed", range(10))
def test_whatever_is_refused_the_newest_of_everything_is_sent_and_nothing_into_what_is_closed(seed: int) -> None:
    chance = random.Random(seed)
    chats: list[Chat] = [1, 2, 3, 4, -1, -2, "5"]

    async def main() -> None:
        loop = asyncio.get_running_loop()
        newest: dict[tuple[Chat, Hashable], int] = {}
        sent: dict[tuple[Chat, Hashable], int] = {}
        closed: dict[Chat, float] = {}
        broken: list[str] = []

        async def deliver(chat: Chat, item: Item) -> None:
            key, number = item.key, int(item.content)
            if loop.time() < closed.get(chat, 0.0) - 1e-6:
                broken.append(f"{chat} is closed")
            if number < sent.get((chat, key), 0):
                broken.append(f"{chat} has had something newer")
            await asyncio.sleep(chance.choice((0.05, 0.05, 0.05, 0.3, 4.0)))
            match chance.randrange(8):
                case 0:
                    refuse(chat, chance.randrange(1, 40))
                    lanes.put_back(chat, item)
                case 1:
                    lanes.pause(chat, 0.5)
                    lanes.put_back(chat, item)
                case _:
                    sent[chat, key] = number

        def refuse(chat: Chat, seconds: float) -> None:
            lanes.refused(chat, seconds)
            closed[chat] = max(closed.get(chat, 0.0), loop.time() + seconds)

        lanes: Lanes[Item] = Lanes(deliver, Pace(calls_per_second=chance.choice((None, 3))))
        for number in range(1500):
            chat, key, kind = chance.choice(chats), chance.randrange(4), chance.choice([*Kind])
            if lanes.put(chat, Item(key, number, kind)) is not None:
                newest[chat, key] = number
            if not chance.randrange(300):
                seconds = chance.randrange(1, 10)
                for several in chance.sample(chats, SEVERAL):
                    refuse(several, seconds)
            await asyncio.sleep(chance.choice((0.0, 0.0, 0.01, 1.0)))
        await lanes.close(10_000)
        assert sent == newest
        assert broken == []

    virtual.run(main())


@in_virtual_time
async def test_tapped_boards_go_first_and_by_person_in_turn() -> None:
    sender = Sender()
    sender.open.clear()
    sender.put(GROUP, 0, "first", NEW, 9)
    await sender.entered.wait()
    for number in range(3):
        sender.put(GROUP, ("new", number), f"new {number}", NEW, 1)
    for number in range(5):
        sender.put(GROUP, ("ann", number), f"ann {number}", BOARD, 1)
    sender.put(GROUP, "bo", "bo", BOARD, 2)
    sender.put(GROUP, "cem's new", "cem's new", NEW, 3)
    sender.open.set()
    await sender.lanes.close(120)
    assert sender.sent[:4] == ["first", "ann 0", "bo", "ann 1"]
    assert sender.sent.index("cem's new") < sender.sent.index("new 1")


@pytest.mark.parametrize("flooders", [1, 3])
def test_a_players_board_follows_within_two_seconds_whoever_floods_the_group(flooders: int) -> None:
    async def main() -> list[float]:
        sender, loop, waits = Sender(), asyncio.get_running_loop(), []

        async def flood(person: int) -> None:
            for number in range(2000):
                sender.put(GROUP, (person, number), f"{person}.{number}", NEW, person)
                await asyncio.sleep(0.1)

        floods = [asyncio.create_task(flood(person)) for person in range(10, 10 + flooders)]
        await asyncio.sleep(20)
        for number in range(20):
            begun = loop.time()
            assert sender.put(GROUP, "board", str(number), BOARD, 1) is not None
            await asyncio.sleep(6.7)
            waits.append(sender.times[sender.sent.index(str(number))] - begun)
        for each in floods:
            each.cancel()
        await sender.lanes.close(0)
        return waits

    assert max(virtual.run(main())) <= 2


@pytest.mark.parametrize("words_every", [math.inf, 60])
@pytest.mark.parametrize("boards", [1, 3])
@pytest.mark.parametrize("players", [1, 2])
def test_one_persons_flood_of_taps_seldom_makes_others_wait(players: int, boards: int, words_every: float) -> None:
    """It may, once the burst with which it began leaves the window."""

    async def main() -> list[float]:
        sender, loop, waits = Sender(), asyncio.get_running_loop(), []

        async def flood() -> None:
            for number in itertools.count():
                sender.put(GROUP, ("flood", number % boards), f"flood {number}", BOARD, 9)
                if number % (2 * words_every) == 0:
                    sender.put(GROUP, "words", f"words {number}", NEW, 9)
                await asyncio.sleep(0.5)

        flooding = asyncio.create_task(flood())
        await asyncio.sleep(30)
        for number in range(40):
            begun = loop.time()
            asked = sender.lanes.expect(GROUP, number % players)
            told = sender.put(GROUP, ("player", number), str(number), BOARD, number % players)
            await asyncio.sleep(10)
            shown = sender.times[sender.sent.index(str(number))] if str(number) in sender.sent else loop.time()
            waits.append(shown - begun)
            assert asked == pytest.approx(waits[-1], abs=4)
            assert told == pytest.approx(waits[-1], abs=4)
        flooding.cancel()
        await sender.lanes.close(0)
        return waits

    waits = virtual.run(main())
    assert statistics.median(waits) < 0.1
    assert sum(wait > 2 for wait in waits) <= 4


@in_virtual_time
async def test_what_rests_after_a_failure_holds_up_nothing_and_gives_way_to_what_is_newer() -> None:
    sender = Sender()
    sender.lanes.put_back(GROUP, Item("a", "a1", BOARD, 1), after=5)
    sender.lanes.put_back(GROUP, Item("b", "b1", BOARD, 1), after=5)
    assert sender.lanes.waiting_for(GROUP, "a") == Item("a", "a1", BOARD, 1)
    sender.put(GROUP, "c", "c1", BOARD, 1)
    sender.put(GROUP, "b", "b2", BOARD, 1)
    await asyncio.sleep(1)
    assert sender.sent == ["c1", "b2"]
    await asyncio.sleep(5)
    assert sender.sent == ["c1", "b2", "a1"]
