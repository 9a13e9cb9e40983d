"""Lanes: boards first, the newest state in the place of older ones, at the pace of each chat, in virtual time."""

from __future__ import annotations

import asyncio
import functools
import logging
import random
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from benchmarks import virtual
from bot.delivery.lane import Kind
from bot.delivery.lanes import LONGEST, Lanes
from bot.delivery.pace import Chat, Pace

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable

BOARD, REPLY, UNPROMPTED = Kind.BOARD, Kind.REPLY, Kind.UNPROMPTED
GROUP, PRIVATE = -7, 7


def in_virtual_time(test: Callable[[], Awaitable[None]]) -> Callable[[], None]:
    """Run a test on a loop whose time passes while everything waits."""

    @functools.wraps(test)
    def run() -> None:
        async def main() -> None:
            await test()

        virtual.run(main())

    return run


class Sender:
    """Lanes, and a Telegram that writes down what it is given; calls take 50 ms, or until it is opened."""

    def __init__(
        self, *, calls_per_second: int | None = None, edits_per_minute: int | None = None, most: int = 10_000
    ) -> None:
        self.lanes: Lanes[str] = Lanes(
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

    async def _deliver(self, chat: Chat, key: Hashable, entry: str) -> None:
        self.entered.set()
        begun = self._loop.time()
        await asyncio.sleep(0.05)
        await self.open.wait()
        if entry in self.refuse:
            self.lanes.refused(chat, self.refuse.pop(entry))
            self.lanes.put_back(chat, key, entry)
        else:
            self.sent.append(entry)
            self.times.append(begun)


@in_virtual_time
async def test_entries_of_one_chat_go_in_order() -> None:
    sender = Sender(edits_per_minute=0)
    for number in range(50):
        assert sender.lanes.put(1, number, str(number), BOARD) == 0.0
    await sender.lanes.close(5)
    assert sender.sent == [str(number) for number in range(50)]


@in_virtual_time
async def test_the_newest_state_takes_the_place_of_one_that_waits() -> None:
    sender = Sender()
    sender.open.clear()
    sender.lanes.put(1, "a", "a1", BOARD)
    await sender.entered.wait()
    for key, entry in (("b", "b1"), ("a", "a2"), ("b", "b2"), ("a", "a3")):
        sender.lanes.put(1, key, entry, BOARD)
    assert sender.lanes.waiting_for(1, "b") == "b2"
    sender.open.set()
    await sender.lanes.close(5)
    assert sender.sent == ["a1", "b2", "a3"]


@in_virtual_time
async def test_what_changes_while_a_chat_is_closed_is_sent_as_it_is_then() -> None:
    sender = Sender()
    sender.lanes.pause(GROUP, 30)
    for number in range(29):
        sender.lanes.put(GROUP, "board", str(number), BOARD)
        await asyncio.sleep(1)
    await sender.lanes.close(5)
    assert sender.sent == ["28"]


@in_virtual_time
async def test_boards_go_before_replies_and_replies_before_what_nobody_asked_for() -> None:
    sender = Sender()
    sender.open.clear()
    sender.lanes.put(1, 0, "first", BOARD)
    await sender.entered.wait()
    for entry, kind in (
        ("reminder", UNPROMPTED),
        ("help", REPLY),
        ("board", BOARD),
        ("stats", REPLY),
        ("other", BOARD),
    ):
        sender.lanes.put(1, entry, entry, kind)
    sender.open.set()
    await sender.lanes.close(5)
    assert sender.sent == ["first", "board", "other", "help", "stats", "reminder"]


@in_virtual_time
async def test_thirty_replies_do_not_delay_a_board() -> None:
    sender = Sender()
    for number in range(30):
        sender.lanes.put(GROUP, f"help {number}", f"help {number}", REPLY)
    await asyncio.sleep(20)
    wait = sender.lanes.put(GROUP, "board", "board", BOARD)
    assert wait is not None
    assert wait < 7
    await asyncio.sleep(wait + 0.2)
    assert sender.sent[-1] == "board"
    await sender.lanes.close(0)


@in_virtual_time
async def test_equal_replies_to_one_person_merge_by_their_key() -> None:
    sender = Sender()
    sender.open.clear()
    for _ in range(30):
        sender.lanes.put(GROUP, ("ann", "help"), "help", REPLY)
    assert sender.lanes.waiting == 1
    sender.open.set()
    await sender.lanes.close(5)
    assert sender.sent == ["help"]


@in_virtual_time
async def test_who_puts_something_is_told_how_long_it_will_wait() -> None:
    sender = Sender()
    sender.open.clear()
    told = [sender.lanes.put(GROUP, 0, "0", BOARD)]
    await sender.entered.wait()
    told += [sender.lanes.put(GROUP, number, str(number), BOARD) for number in range(1, 14)]
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
        sender.lanes.put(PRIVATE, number, str(number), REPLY)
    assert sender.lanes.put(PRIVATE, "board", "board", BOARD) == 0.0
    assert (sender.lanes.put(PRIVATE, "more", "more", REPLY) or 0) > 4
    await sender.lanes.close(60)


@in_virtual_time
async def test_a_chat_that_hangs_or_waits_holds_up_no_other() -> None:
    sender = Sender()
    sender.lanes.pause(GROUP, 300)
    sender.lanes.put(GROUP, "x", "stuck", BOARD)
    for chat in range(1, 101):
        assert sender.lanes.put(chat, "x", str(chat), BOARD) == 0.0
    await asyncio.sleep(0.06)
    assert sorted(map(int, sender.sent)) == [*range(1, 101)]
    assert set(sender.times) == {0.0}, "a hundred people at the same moment do not wait for one another"
    await sender.lanes.close(0)


@in_virtual_time
async def test_a_refused_entry_waits_as_long_as_asked_and_goes_before_others() -> None:
    sender = Sender()
    sender.refuse = {"a1": 30.0}
    for key, entry in (("a", "a1"), ("b", "b1"), ("c", "c1")):
        sender.lanes.put(GROUP, key, entry, BOARD)
    await sender.lanes.close(60)
    assert sender.sent == ["a1", "b1", "c1"]
    assert sender.times[0] == pytest.approx(30.3)


@in_virtual_time
async def test_what_is_put_back_gives_way_to_a_newer_one_and_keeps_its_kind() -> None:
    sender = Sender()
    sender.open.clear()
    sender.refuse = {"reply": 1.0, "a1": 1.0}
    sender.lanes.put(1, "r", "reply", REPLY)
    sender.lanes.put(2, "a", "a1", BOARD)
    await sender.entered.wait()
    await asyncio.sleep(0.01)
    sender.lanes.put(1, "b", "board", BOARD)
    sender.lanes.put(2, "a", "a2", BOARD)
    sender.open.set()
    await sender.lanes.close(5)
    assert [entry for entry in sender.sent if entry in {"board", "reply"}] == ["board", "reply"]
    assert [entry for entry in sender.sent if entry in {"a1", "a2"}] == ["a2"]


@in_virtual_time
async def test_a_refusal_of_everything_holds_up_all_and_then_they_go_on_in_turn() -> None:
    sender = Sender()
    sender.lanes.refused(None, 10)
    for chat in range(1, 301):
        assert sender.lanes.put(chat, "x", str(chat), BOARD) == pytest.approx(10.25)
    await sender.lanes.close(60)
    assert sender.sent == [str(chat) for chat in range(1, 301)], "who came first goes first"
    assert sender.times[0] == pytest.approx(10.25)
    assert sender.times[1] > 10.29, "the first one finds out whether the refusal is over"
    assert sum(time < 15 for time in sender.times) < 120
    assert sender.times[-1] < 30


@in_virtual_time
async def test_a_cap_in_all_is_shared_by_turns() -> None:
    sender = Sender(calls_per_second=5)
    for number in range(4):
        for chat in range(1, 11):
            sender.lanes.put(chat, number, f"{chat}.{number}", BOARD)
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
        sender.lanes.put(chat, "r", "reminder", UNPROMPTED)
    for chat in range(11, 31):
        sender.lanes.put(chat, "b", "board", BOARD)
    await sender.lanes.close(60)
    assert sender.sent == ["board"] * 20 + ["reminder"] * 10


@in_virtual_time
async def test_reminders_go_three_at_a_time_and_boards_do_not_wait_for_them() -> None:
    sender = Sender()
    sender.open.clear()
    for chat in range(1, 101):
        sender.lanes.put(chat, "r", f"reminder {chat}", UNPROMPTED)
    await asyncio.sleep(1)
    sender.lanes.put(50, "b", "board", BOARD)
    sender.lanes.put(200, "b", "board", BOARD)
    assert sender.sent == []
    sender.open.set()
    await asyncio.sleep(0.06)
    assert sorted(sender.sent[:5]) == ["board", "board", "reminder 1", "reminder 2", "reminder 3"]
    await sender.lanes.close(60)
    assert len(sender.sent) == 102
    reminders = [time for entry, time in zip(sender.sent, sender.times, strict=True) if entry != "board"]
    assert max(sum(begin <= time < begin + 0.999 for time in reminders) for begin in reminders) <= 25


@in_virtual_time
async def test_reminders_to_one_person_do_not_hold_up_those_to_others() -> None:
    sender = Sender()
    for number in range(4):
        for chat in range(1, 7):
            sender.lanes.put(chat, number, str(chat), UNPROMPTED)
    await sender.lanes.close(60)
    thirds = [set(sender.sent[begin : begin + 3]) for begin in range(0, 24, 3)]
    assert thirds == [{"1", "2", "3"}, {"4", "5", "6"}] * 4


@in_virtual_time
async def test_who_is_alone_in_waiting_for_a_turn_gets_the_next() -> None:
    sender = Sender()
    for number in range(4):
        for chat in range(1, 5):
            sender.lanes.put(chat, number, str(chat), UNPROMPTED)
    await sender.lanes.close(60)
    assert "4" in sender.sent[3:6]


@in_virtual_time
async def test_a_pause_holds_up_what_was_put_a_moment_ago() -> None:
    sender = Sender()
    sender.lanes.put(1, "a", "paused", BOARD)
    sender.lanes.pause(1, 5)
    sender.lanes.put(2, "a", "refused", BOARD)
    sender.lanes.refused(2, 10)
    await sender.lanes.close(60)
    assert sender.sent == ["paused", "refused"]
    assert sender.times == pytest.approx([5, 10.25])


@in_virtual_time
async def test_a_board_keeps_its_place_when_something_unasked_changes_it() -> None:
    sender = Sender()
    sender.open.clear()
    sender.lanes.put(1, 0, "first", BOARD)
    await sender.entered.wait()
    sender.lanes.put(1, "a", "a1", BOARD)
    sender.lanes.put(1, "b", "b1", BOARD)
    sender.lanes.put(1, "a", "a2", UNPROMPTED)
    sender.open.set()
    await sender.lanes.close(5)
    assert sender.sent == ["first", "a2", "b1"]


@in_virtual_time
async def test_a_lane_is_bounded_but_newer_states_still_find_their_place() -> None:
    sender = Sender()
    told = [sender.lanes.put(1, number, f"old {number}", BOARD) for number in range(2 * LONGEST)]
    assert [seconds is not None for seconds in told] == [True] * LONGEST + [False] * LONGEST
    assert sender.lanes.put(1, 0, "new", BOARD) is not None
    await sender.lanes.close(1000)
    assert sender.sent == ["new", *(f"old {number}" for number in range(1, LONGEST))]


@in_virtual_time
async def test_lanes_are_bounded_and_vanish_when_empty() -> None:
    sender = Sender(most=10)
    assert sum(sender.lanes.put(chat, "x", "x", BOARD) is not None for chat in range(1, 101)) == 10
    assert (len(sender.lanes), sender.lanes.waiting, [*sender.lanes.entries()]) == (10, 10, ["x"] * 10)
    await sender.lanes.close(5)
    assert (len(sender.lanes), sender.lanes.waiting, [*sender.lanes.entries()]) == (0, 0, [])


@in_virtual_time
async def test_whether_something_waits_or_is_under_way_can_be_asked() -> None:
    sender = Sender()
    assert not sender.lanes.waits(1, "a")
    sender.lanes.put(1, "a", "a", BOARD)
    assert sender.lanes.waits(1, "a")
    await sender.entered.wait()
    assert sender.lanes.waits(1, "a"), "it is being sent"
    assert sender.lanes.waiting_for(1, "a") is None
    await sender.lanes.close(5)
    assert not sender.lanes.waits(1, "a")


def test_nothing_is_learnt_from_a_call_that_has_only_begun() -> None:
    times = []

    async def main() -> None:
        async def deliver(_chat: Chat, _key: Hashable, _entry: str) -> bool:
            times.append(asyncio.get_running_loop().time())
            return True

        lanes: Lanes[str] = Lanes(deliver, Pace())
        lanes.refused(None, 10)
        for chat in range(1, 6):
            lanes.put(chat, "file", "file", REPLY)
        await lanes.close(60)

    virtual.run(main())
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert min(gaps) > 0.45, "whether the refusal is over, nobody knows yet"


def test_an_error_is_logged_and_the_lane_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    sent = []

    async def main() -> None:
        async def deliver(_chat: Chat, _key: Hashable, entry: str) -> None:
            if entry == "odd":
                raise LookupError("nobody expected this")
            sent.append(entry)

        lanes: Lanes[str] = Lanes(deliver, Pace())
        lanes.put(1, "a", "odd", BOARD)
        lanes.put(1, "b", "even", BOARD)
        await lanes.close(5)

    with caplog.at_level(logging.ERROR):
        virtual.run(main())
    assert sent == ["even"]
    assert [record.getMessage() for record in caplog.records] == ["Delivery failed"]


@in_virtual_time
async def test_closing_at_once_drops_what_was_put_a_moment_ago() -> None:
    sender = Sender()
    sender.lanes.put(1, "a", "a", BOARD)
    await sender.lanes.close(0)
    assert (len(sender.lanes), sender.lanes.waiting, sender.sent) == (0, 0, [])


@in_virtual_time
async def test_closing_gives_up_on_what_hangs_and_takes_nothing_more() -> None:
    sender = Sender()
    sender.open.clear()
    sender.lanes.put(1, "a", "a", BOARD)
    sender.lanes.refused(None, 100)
    for chat in range(2, 5):
        sender.lanes.put(chat, "b", "b", BOARD)
        sender.lanes.put(chat, "c", "c", UNPROMPTED)
    await sender.lanes.close(5)
    assert asyncio.get_running_loop().time() == pytest.approx(5)
    assert sender.sent == []
    assert len(sender.lanes) == 0
    assert sender.lanes.put(2, "b", "b", BOARD) is None
    sender.lanes.put_back(2, "b", "b")
    assert len(sender.lanes) == 0


@pytest.mark.parametrize("seed", range(10))
def test_whatever_is_refused_the_newest_of_everything_is_sent_and_nothing_into_what_is_closed(seed: int) -> None:
    chance = random.Random(seed)
    chats: list[Chat] = [1, 2, 3, 4, -1, -2, "5"]

    async def main() -> None:
        loop = asyncio.get_running_loop()
        newest: dict[tuple[Chat, Hashable], int] = {}
        sent: dict[tuple[Chat, Hashable], int] = {}
        closed: dict[Chat | None, float] = {}
        broken: list[str] = []

        async def deliver(chat: Chat, key: Hashable, entry: int) -> None:
            if loop.time() < max(closed.get(chat, 0.0), closed.get(None, 0.0)) - 1e-6:
                broken.append(f"{chat} is closed")
            if entry < sent.get((chat, key), 0):
                broken.append(f"{chat} has had something newer")
            await asyncio.sleep(chance.choice((0.05, 0.05, 0.05, 0.3, 4.0)))
            match chance.randrange(8):
                case 0:
                    refuse(chat, chance.randrange(1, 40))
                    lanes.put_back(chat, key, entry)
                case 1:
                    lanes.pause(chat, 0.5)
                    lanes.put_back(chat, key, entry)
                case _:
                    sent[chat, key] = entry

        def refuse(chat: Chat | None, seconds: float) -> None:
            lanes.refused(chat, seconds)
            closed[chat] = max(closed.get(chat, 0.0), loop.time() + seconds)

        lanes: Lanes[int] = Lanes(deliver, Pace(calls_per_second=chance.choice((None, 3))))
        for number in range(1500):
            chat, key, kind = chance.choice(chats), chance.randrange(4), chance.choice([*Kind])
            if lanes.put(chat, key, number, kind) is not None:
                newest[chat, key] = number
            if not chance.randrange(300):
                refuse(None, chance.randrange(1, 10))
            await asyncio.sleep(chance.choice((0.0, 0.0, 0.01, 1.0)))
        await lanes.close(10_000)
        assert sent == newest
        assert broken == []

    virtual.run(main())


async def asked_for_words(sender: Sender, number: int, *, every: float = 1.0) -> None:
    """Ask for so many different answers in a group, one after another."""
    for each in range(number):
        sender.lanes.put(GROUP, f"words {each}", f"words {each}", REPLY)
        await asyncio.sleep(every)


@in_virtual_time
async def test_words_leave_room_for_boards() -> None:
    sender = Sender()
    await asked_for_words(sender, 10)
    assert len(sender.sent) == 6
    for number in range(4):
        sender.lanes.put(GROUP, number, f"board {number}", BOARD)
        await asyncio.sleep(0.1)
    assert sender.sent[6:] == [f"board {number}" for number in range(4)], "a board goes at once, though words wait"
    await sender.lanes.close(120)
    assert len(sender.sent) == 14, "and all is said in the end"


@in_virtual_time
async def test_a_player_never_waits_for_what_others_go_on_asking_for() -> None:
    sender = Sender()
    asking = asyncio.create_task(asked_for_words(sender, 300))
    loop = asyncio.get_running_loop()
    waits = []
    await asyncio.sleep(20)
    for number in range(30):
        begun = loop.time()
        sender.lanes.put(GROUP, "board", str(number), BOARD)
        await asyncio.sleep(8)
        waits.append(sender.times[sender.sent.index(str(number))] - begun)
    asking.cancel()
    assert max(waits) < 1.0
    assert len(sender.sent) - 30 > 8, "nor are the words forgotten"


@in_virtual_time
async def test_where_boards_take_all_that_a_group_may_take_a_question_is_answered_still() -> None:
    sender = Sender()
    for number in range(60):
        sender.lanes.put(GROUP, "board", str(number), BOARD)
        if number in (30, 32):
            sender.lanes.put(GROUP, f"words {number}", f"words {number}", REPLY)
        await asyncio.sleep(4)
    times = dict(zip(sender.sent, sender.times, strict=True))
    assert times["words 30"] - 30 * 4 < 4
    assert times["words 32"] - times["words 30"] < 35


@in_virtual_time
async def test_what_nobody_asked_for_does_not_wait_for_words_that_have_to() -> None:
    sender = Sender()
    await asked_for_words(sender, 8)
    sender.lanes.put(GROUP, "reminder", "reminder", UNPROMPTED)
    await asyncio.sleep(0.2)
    assert sender.sent[-1] == "reminder"
    await sender.lanes.close(0)
