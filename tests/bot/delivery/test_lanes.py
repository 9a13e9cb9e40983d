"""Lanes: boards go first, a newer state replaces older ones, each chat has its pace; in virtual time."""

import asyncio
import itertools
import logging
import math
import random
import statistics
from collections.abc import Hashable
from typing import NamedTuple

import pytest

from bot.delivery.lanes import LONGEST_LANE, Lanes
from bot.delivery.pace import SEVERAL, Chat, Kind, Pace

pytestmark = pytest.mark.virtual_time

BOARD, NEW, UNPROMPTED = Kind.TAPPED, Kind.NEW, Kind.UNPROMPTED
GROUP, PRIVATE = -7, 7


class Item(NamedTuple):
    """An entry of a lane."""

    key: Hashable
    content: str | int
    kind: Kind = BOARD
    for_whom: int | None = None
    is_send: bool = False
    tap: None = None


class Sender:
    """Lanes, and a Telegram that records what it gets; calls take 50 ms, or until it is opened."""

    def __init__(self, *, calls_per_second: int | None = None, most: int = 10_000) -> None:
        self.lanes = Lanes(Pace(calls_per_second=calls_per_second), most=most)
        self.sent: list[str] = []
        self.lost: list[str | int] = []
        self.times: list[float] = []
        self.refuse: dict[str, float] = {}
        """What is refused once, and for how many seconds."""
        self.open = asyncio.Event()
        self.open.set()
        self.entered = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def put(self, chat: Chat, text: str, kind: Kind = BOARD, person: int | None = None) -> float:
        """Put a text in a lane; it replaces one that differs only in the number at its end, as "a2" does "a1"."""
        return self.lanes.put(chat, Item(text.rstrip("0123456789") or text, text, kind, person), self)

    async def begin(self, chat: Chat, text: str) -> None:
        """Let this text be under way until it is opened."""
        self.open.clear()
        self.put(chat, text)
        await self.entered.wait()

    async def end(self, seconds: float = 60) -> list[str]:
        """Let everything be sent; returns what was, in order."""
        self.open.set()
        await self.lanes.close(seconds)
        return self.sent

    def dropped(self, entry: Item) -> None:
        self.lost.append(entry.content)

    async def deliver(self, chat: Chat, entry: Item) -> None:
        text = str(entry.content)
        self.entered.set()
        begun = self._loop.time()
        await asyncio.sleep(0.05)
        await self.open.wait()
        if text in self.refuse:
            self.lanes.refused(chat, self.refuse.pop(text))
            self.lanes.put_back(chat, entry, self)
        else:
            self.sent.append(text)
            self.times.append(begun)


@pytest.fixture
async def sender() -> Sender:
    return Sender()


def refuse_all(sender: Sender, seconds: float) -> None:
    """Refuse several chats together, which closes every chat."""
    for chat in range(-SEVERAL, 0):
        sender.lanes.refused(chat, seconds)


@pytest.mark.parametrize(
    ("waiting", "sent"),
    [
        ([("b1",), ("c1",), ("d1",), ("e1",)], "a1 b1 c1 d1 e1"),
        ([("b1",), ("a2",), ("b2",), ("a3",)], "a1 b2 a3"),
        ([("help", NEW)] * 30, "a1 help"),
        ([("news", UNPROMPTED), ("help", NEW), ("b1",), ("stats", NEW), ("c1",)], "a1 b1 c1 help stats news"),
        ([("b1",), ("c1",), ("b2", UNPROMPTED)], "a1 b2 c1"),
        (
            [("x", NEW, 1), ("y", NEW, 1), ("b", BOARD, 1), ("c", BOARD, 1), ("d", BOARD, 2), ("z", NEW, 3)],
            "a1 b d c z x y",
        ),
    ],
    ids=[
        "in order",
        "the newest state takes the place of one that waits",
        "equal replies merge",
        "boards before replies and replies before what nobody asked for",
        "a board keeps its place when something unasked changes it",
        "tapped boards first, and by person in turn",
    ],
)
async def test_while_a_chats_call_is_under_way_the_others_wait_in_order(
    sender: Sender, waiting: list[tuple[str, Kind, int]], sent: str
) -> None:
    await sender.begin(GROUP, "a1")
    for each in waiting:
        sender.put(GROUP, *each)
    assert await sender.end() == sent.split()


@pytest.mark.parametrize("chat", [PRIVATE, GROUP])
async def test_in_a_chat_that_is_slowed_down_putting_something_returns_about_how_long_it_waits(
    sender: Sender, chat: int
) -> None:
    await sender.begin(chat, "a1")
    assert {sender.put(chat, f"{number}") for number in range(9)} == {0.0}
    sender.open.set()
    await asyncio.sleep(0.51)
    assert len(sender.sent) == 10
    told = [sender.put(chat, f"{number}") for number in range(10, 14)]
    assert told == sorted(told)
    await sender.end()
    assert told[0] == pytest.approx(sender.times[10] - 0.51)
    for seconds, begun in zip(told, sender.times[10:], strict=True):
        assert begun / 2 < seconds < 2 * begun


async def test_a_board_is_not_told_to_wait_for_replies_that_it_overtakes(sender: Sender) -> None:
    for number in range(10):
        sender.put(PRIVATE, f"{number}", NEW)
    await asyncio.sleep(0.51)
    for number in range(10, 14):
        sender.put(PRIVATE, f"{number}", NEW)
    assert sender.put(PRIVATE, "board") < 1.1
    assert sender.put(PRIVATE, "yet more", NEW) > 4
    await sender.end()


async def test_a_chat_that_hangs_or_waits_holds_up_no_other(sender: Sender) -> None:
    sender.lanes.refused(GROUP, 300)
    sender.put(GROUP, "stuck")
    for chat in range(1, 101):
        assert sender.put(chat, f"{chat}") == 0.0
    await asyncio.sleep(0.06)
    assert sorted(map(int, sender.sent)) == [*range(1, 101)]
    assert set(sender.times) == {0.0}, "a hundred people who act together do not wait for one another"
    await sender.end(0)


@pytest.mark.parametrize(
    ("refused", "kind", "others", "sent"),
    [("a1", BOARD, "b1 c1", "a1 b1 c1"), ("a1", BOARD, "a2", "a2"), ("reply", NEW, "b1", "b1 reply")],
)
async def test_what_is_refused_waits_as_asked_goes_first_among_its_kind_and_gives_way_to_a_newer_one(
    sender: Sender, refused: str, kind: Kind, others: str, sent: str
) -> None:
    sender.open.clear()
    sender.refuse = {refused: 30.0}
    sender.put(GROUP, refused, kind)
    await sender.entered.wait()
    for text in others.split():
        sender.put(GROUP, text)
    assert await sender.end() == sent.split()
    assert sender.times[0] == pytest.approx(30.3)


async def test_a_refusal_of_everything_stops_all_chats_and_then_they_go_on_in_turn(sender: Sender) -> None:
    refuse_all(sender, 10)
    for chat in range(1, 301):
        assert sender.put(chat, f"{chat}") == pytest.approx(10.25)
    await sender.end()
    tens = [sorted(map(int, sender.sent[begin : begin + 10])) for begin in range(0, 100, 10)]
    assert tens == [[*range(begin, begin + 10)] for begin in range(1, 101, 10)], "first come, first served"
    assert sender.times[0] == pytest.approx(10.25)
    assert sum(time < 15 for time in sender.times) <= 60
    assert sender.times[-1] < 21


async def test_a_cap_in_all_is_shared_by_turns_and_what_nobody_asked_for_comes_last() -> None:
    sender = Sender(calls_per_second=5)
    for number in range(4):
        for chat in range(1, 11):
            sender.put(chat, f"{number}.{chat}", UNPROMPTED if number == 3 else BOARD)
    await sender.end()
    assert max(sum(begin <= time < begin + 0.999 for time in sender.times) for begin in sender.times) == 5
    assert sender.times[-1] == pytest.approx(7, abs=0.3)
    assert [entry[0] for entry in sender.sent] == [f"{number}" for number in range(4) for _ in range(10)]


async def test_a_lane_is_bounded_but_newer_states_still_find_their_place(sender: Sender) -> None:
    told = [sender.put(1, f"{number}") for number in range(2 * LONGEST_LANE)]
    assert [seconds < math.inf for seconds in told] == [True] * LONGEST_LANE + [False] * LONGEST_LANE
    assert sender.lost == [f"{number}" for number in range(LONGEST_LANE, 2 * LONGEST_LANE)]
    assert sender.lanes.put(1, Item("0", "new"), sender) < math.inf
    assert await sender.end(1000) == ["new", *map(str, range(1, LONGEST_LANE))]


async def test_lanes_are_bounded_and_vanish_when_empty() -> None:
    sender = Sender(most=10)

    def held() -> tuple[int, int, list[Hashable]]:
        return len(sender.lanes), sender.lanes.waiting, [entry.key for entry in sender.lanes.entries()]

    assert sum(sender.put(chat, "x") < math.inf for chat in range(1, 101)) == 10
    assert held() == (10, 10, ["x"] * 10)
    await sender.end()
    assert held() == (0, 0, [])


async def test_whether_something_waits_or_is_under_way_can_be_asked(sender: Sender) -> None:
    assert not sender.lanes.waits(1, "a")
    sender.put(1, "a1")
    assert sender.lanes.waits(1, "a")
    assert sender.lanes.waiting_for(1, "a") == Item("a", "a1")
    await sender.entered.wait()
    assert sender.lanes.waits(1, "a"), "it is being sent"
    assert sender.lanes.waiting_for(1, "a") is None
    await sender.end()
    assert not sender.lanes.waits(1, "a")


@pytest.mark.parametrize("is_newer", [False, True])
async def test_what_has_rested_and_finds_no_room_is_dropped_and_that_is_told(
    sender: Sender, *, is_newer: bool
) -> None:
    sender.lanes.put_back(GROUP, Item("old", "old", Kind.BOARD), sender, after=5)
    sender.lanes.refused(GROUP, 60)
    for number in range(LONGEST_LANE):
        assert sender.put(GROUP, f"{number}", person=number) < math.inf
    if is_newer:
        assert sender.lanes.put(GROUP, Item("old", "new", Kind.BOARD), sender) == math.inf
    else:
        await asyncio.sleep(6)
    assert not sender.lanes.waits(GROUP, "old")
    await sender.end(0)
    assert sender.lost == ["new" if is_newer else "old"]


async def test_what_rests_after_a_failure_holds_up_nothing_and_gives_way_to_what_is_newer(sender: Sender) -> None:
    for key in ("a", "b"):
        assert sender.lanes.put_back(GROUP, Item(key, f"{key}1"), sender, after=5)
        assert not sender.lanes.put_back(GROUP, Item(key, f"{key}0"), sender, after=1), (
            "an older one that failed late"
        )
    assert sender.lanes.waiting_for(GROUP, "a") == Item("a", "a1")
    for text in ("c1", "b2"):
        sender.put(GROUP, text)
    await asyncio.sleep(1)
    assert sender.sent == ["c1", "b2"]
    await asyncio.sleep(5)
    assert sender.sent == ["c1", "b2", "a1"]


async def test_what_is_put_back_from_outside_wakes_a_lane_that_waits(sender: Sender) -> None:
    for number in range(7):  # what nobody asked for leaves room for others
        sender.put(GROUP, f"{number}x", Kind.UNPROMPTED)
    await asyncio.sleep(5)
    waited = len(sender.sent)
    assert sender.lanes.put_back(GROUP, Item("picture", "picture", NEW), sender)
    await asyncio.sleep(1)
    assert sender.sent[waited:] == ["picture"]


async def test_what_rests_for_long_is_tried_at_once_if_somebody_asks(sender: Sender) -> None:
    sender.lanes.put_back(1, Item("soon", "soon"), sender, after=10)
    sender.lanes.put_back(1, Item("late", "late"), sender, after=3000)
    for key in ("soon", "late", "unknown"):
        sender.lanes.hurry(1, key, 15)
    await asyncio.sleep(1)
    assert sender.sent == ["late"]


async def test_an_error_is_logged_and_the_lane_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    class Odd(Sender):
        async def deliver(self, chat: Chat, entry: Item) -> None:
            if entry.content == "odd":
                raise LookupError("nobody expected this")
            await super().deliver(chat, entry)

    sender = Odd()
    for text in ("odd", "even"):
        sender.put(1, text)
    with caplog.at_level(logging.ERROR):
        await sender.lanes.close(5)
    assert sender.sent == ["even"]
    assert [record.getMessage() for record in caplog.records] == ["Delivery failed"]


async def test_closing_gives_up_on_what_hangs_and_takes_nothing_more(sender: Sender) -> None:
    sender.open.clear()
    sender.put(1, "a1")
    refuse_all(sender, 100)
    for chat in range(2, 5):
        sender.put(chat, "b1")
        sender.put(chat, "c1", UNPROMPTED)
    await sender.lanes.close(5)
    assert asyncio.get_running_loop().time() == pytest.approx(5)
    assert sender.put(2, "b1") == math.inf
    sender.lanes.put_back(2, Item("b", "b1"), sender)
    assert (sender.sent, len(sender.lanes)) == ([], 0)
    other = Sender()
    other.put(1, "a1")
    assert (await other.end(0), len(other.lanes), other.lanes.waiting) == ([], 0, 0), (
        "without a wait, nothing goes"
    )


@pytest.mark.parametrize("seed", range(10))
async def test_whatever_is_refused_the_newest_of_everything_is_sent_and_nothing_into_what_is_closed(
    seed: int,
) -> None:
    chance, loop = random.Random(seed), asyncio.get_running_loop()
    chats: list[Chat] = [1, 2, 3, 4, -1, -2, "5"]
    newest: dict[tuple[Chat, Hashable], int] = {}
    sent: dict[tuple[Chat, Hashable], int] = {}
    closed: dict[Chat, float] = {}
    broken: list[str] = []

    def close(chat: Chat, seconds: float) -> None:
        lanes.refused(chat, seconds)
        closed[chat] = max(closed.get(chat, 0.0), loop.time() + seconds)

    class Refusing(Sender):
        async def deliver(self, chat: Chat, entry: Item) -> None:
            key, number = entry.key, int(entry.content)
            if loop.time() < closed.get(chat, 0.0) - 1e-6:
                broken.append(f"{chat} is closed")
            if number < sent.get((chat, key), 0):
                broken.append(f"{chat} has had something newer")
            await asyncio.sleep(chance.choice((0.05, 0.05, 0.05, 0.3, 4.0)))
            match chance.randrange(8):
                case 0:
                    close(chat, chance.randrange(1, 40))
                    lanes.put_back(chat, entry, self)
                case 1:
                    close(chat, 0.5)
                    lanes.put_back(chat, entry, self)
                case _:
                    sent[chat, key] = number

    lanes, refusing = Lanes(Pace(calls_per_second=chance.choice((None, 3)))), Refusing()
    for number in range(1500):
        chat, key, kind = chance.choice(chats), chance.randrange(4), chance.choice([*Kind])
        if lanes.put(chat, Item(key, number, kind), refusing) < math.inf:
            newest[chat, key] = number
        if not chance.randrange(20):
            close(chat, 0.5)
        if not chance.randrange(300):
            seconds = chance.randrange(1, 10)
            for several in chance.sample(chats, SEVERAL):
                close(several, seconds)
        await asyncio.sleep(chance.choice((0.0, 0.0, 0.01, 1.0)))
    await lanes.close(10_000)
    assert sent == newest
    assert broken == []


@pytest.mark.parametrize("words_every", [math.inf, 60])
@pytest.mark.parametrize("boards", [1, 3])
@pytest.mark.parametrize("players", [1, 2])
async def test_one_persons_flood_of_taps_seldom_makes_others_wait_and_they_are_told_how_long(
    sender: Sender, players: int, boards: int, words_every: float
) -> None:
    """It may, once the burst with which it began leaves the window."""
    loop, waits = asyncio.get_running_loop(), []

    async def flood() -> None:
        for number in itertools.count():
            sender.lanes.put(GROUP, Item(("flood", number % boards), f"flood {number}", BOARD, 9), sender)
            if number % (2 * words_every) == 0:
                sender.lanes.put(GROUP, Item("words", f"words {number}", NEW, 9), sender)
            await asyncio.sleep(0.5)

    flooding = asyncio.create_task(flood())
    await asyncio.sleep(30)
    for number in range(40):
        begun, player = loop.time(), number % players
        told = sender.lanes.put(GROUP, Item(("player", number), number, BOARD, player), sender)
        await asyncio.sleep(10)
        shown = sender.times[sender.sent.index(str(number))] if str(number) in sender.sent else loop.time()
        waits.append(shown - begun)
        assert told > 1.5 or waits[-1] < 2, "who waits is told"
        assert told == 0 or waits[-1] > 0.5, "who doesn't isn't"
    flooding.cancel()
    await sender.end(0)
    assert statistics.median(waits) < 0.1
    assert sum(wait > 2 for wait in waits) <= 4
