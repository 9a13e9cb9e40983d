"""Lanes: boards go first, a newer state replaces older ones, each chat has its pace; in virtual time."""

import asyncio
import itertools
import logging
import math
import random
import statistics
from collections.abc import Hashable
from dataclasses import dataclass
from typing import cast

import pytest
from telegram import Bot
from telegram.error import RetryAfter

from bot.delivery.entries import Entry
from bot.delivery.lanes import LONGEST_LANE, Lanes
from bot.delivery.pace import SEVERAL, Chat, Pace, Priority
from bot.delivery.recovery import Reach, Recovery
from bot.delivery.tasks import Tasks
from bot.metrics import Metrics
from storage.store import Store

pytestmark = pytest.mark.virtual_time

BOARD, NEW, UNPROMPTED = Priority.TAPPED, Priority.NEW, Priority.UNPROMPTED
GROUP, PRIVATE = -7, 7


@dataclass(kw_only=True, eq=False)
class Item(Entry):
    """An entry of a lane."""

    by: "Sender"
    content: str | int

    async def send(self) -> None:
        await self.by.send(self)

    def dropped(self) -> None:
        self.by.lost.append(self.content)


class Sender:
    """Lanes, and a Telegram that records what it gets; calls take 50 ms, or until it is opened."""

    def __init__(self, *, calls_per_second: int | None = None, most: int = 10_000) -> None:
        self.pace, store = Pace(calls_per_second=calls_per_second), cast("Store", None)
        recovery = Recovery(self.pace, store, Reach(cast("Bot", None), store, Tasks()), Metrics())
        self.lanes = Lanes(self.pace, recovery, most=most)
        self.sent: list[str] = []
        self.lost: list[str | int] = []
        self.times: list[float] = []
        self.refuse: dict[str, int] = {}
        """What is refused once, and for how many seconds."""
        self.open = asyncio.Event()
        self.open.set()
        self.entered = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def item(
        self,
        chat: Chat,
        key: Hashable,
        content: str | int = "",
        priority: Priority = BOARD,
        person: int | None = None,
        *,
        is_send: bool = False,
    ) -> Item:
        return Item(
            chat=chat,
            key=key,
            priority=priority,
            person=person,
            is_send=is_send,
            chat_id=None,
            by=self,
            content=content or str(key),
        )

    def put(self, chat: Chat, text: str, priority: Priority = BOARD, person: int | None = None) -> bool:
        """Put a text in a lane; it replaces one that differs only in the number at its end, as "a2" does "a1"."""
        return self.lanes.put(self.item(chat, text.rstrip("0123456789") or text, text, priority, person))

    def close_chat(self, chat: Chat, seconds: float) -> None:
        self.pace.refused(chat, seconds, self._loop.time())

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

    async def send(self, entry: Item) -> None:
        text = str(entry.content)
        self.entered.set()
        begun = self._loop.time()
        await asyncio.sleep(0.05)
        await self.open.wait()
        if text in self.refuse:
            raise RetryAfter(self.refuse.pop(text))
        self.sent.append(text)
        self.times.append(begun)


@pytest.fixture
async def sender() -> Sender:
    return Sender()


def refuse_all(sender: Sender, seconds: float) -> None:
    """Refuse several chats together, which closes every chat."""
    for chat in range(-SEVERAL, 0):
        sender.close_chat(chat, seconds)


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
    sender: Sender, waiting: list[tuple[str, Priority, int]], sent: str
) -> None:
    await sender.begin(GROUP, "a1")
    for each in waiting:
        sender.put(GROUP, *each)
    assert await sender.end() == sent.split()


@pytest.mark.parametrize(("chat", "sent", "is_slow"), [(PRIVATE, 10, False), (GROUP, 10, True), (GROUP, 9, False)])
async def test_who_waits_is_to_be_told_where_the_chat_takes_nothing_for_a_while(
    sender: Sender, chat: int, sent: int, *, is_slow: bool
) -> None:
    assert not any(sender.put(chat, f"{number}") for number in range(sent)), "nothing slows it down yet"
    await asyncio.sleep(2.01)
    assert len(sender.sent) == sent
    assert sender.put(chat, "board") is is_slow
    sender.close_chat(chat, 2)
    assert sender.put(chat, "another")
    await sender.end()


async def test_a_board_is_not_told_to_wait_for_replies_that_it_overtakes(sender: Sender) -> None:
    for number in range(9):
        sender.put(GROUP, f"{number}", NEW)
    await asyncio.sleep(2.01)
    assert not sender.put(GROUP, "board")
    assert sender.put(GROUP, "a reply", NEW)
    await sender.end()


async def test_a_chat_that_hangs_or_waits_holds_up_no_other(sender: Sender) -> None:
    sender.close_chat(GROUP, 300)
    sender.put(GROUP, "stuck")
    for chat in range(1, 101):
        assert not sender.put(chat, f"{chat}")
    await asyncio.sleep(0.06)
    assert sorted(map(int, sender.sent)) == [*range(1, 101)]
    assert set(sender.times) == {0.0}, "a hundred people who act together do not wait for one another"
    await sender.end(0)


@pytest.mark.parametrize(
    ("refused", "priority", "others", "sent"),
    [("a1", BOARD, "b1 c1", "a1 b1 c1"), ("a1", BOARD, "a2", "a2"), ("reply", NEW, "b1", "b1 reply")],
)
async def test_what_is_refused_waits_as_asked_goes_first_among_its_kind_and_gives_way_to_a_newer_one(
    sender: Sender, refused: str, priority: Priority, others: str, sent: str
) -> None:
    sender.open.clear()
    sender.refuse = {refused: 30}
    sender.put(GROUP, refused, priority)
    await sender.entered.wait()
    for text in others.split():
        sender.put(GROUP, text)
    assert await sender.end() == sent.split()
    assert sender.times[0] == pytest.approx(30.3)


async def test_a_refusal_of_everything_stops_all_chats_and_then_they_go_on_in_turn(sender: Sender) -> None:
    refuse_all(sender, 10)
    for chat in range(1, 301):
        assert sender.put(chat, f"{chat}")
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
    assert told == [False] * LONGEST_LANE + [True] * LONGEST_LANE
    assert sender.lost == [f"{number}" for number in range(LONGEST_LANE, 2 * LONGEST_LANE)]
    assert not sender.lanes.put(sender.item(1, "0", "new"))
    assert await sender.end(1000) == ["new", *map(str, range(1, LONGEST_LANE))]


async def test_lanes_are_bounded_and_vanish_when_empty() -> None:
    sender = Sender(most=10)

    def held() -> tuple[int, int, list[Hashable]]:
        return len(sender.lanes), sender.lanes.waiting, [entry.key for entry in sender.lanes.entries()]

    assert sum(not sender.put(chat, "x") for chat in range(1, 101)) == 10
    assert held() == (10, 10, ["x"] * 10)
    await sender.end()
    assert held() == (0, 0, [])


async def test_whether_something_waits_or_is_under_way_can_be_asked(sender: Sender) -> None:
    assert not sender.lanes.waits(1, "a")
    sender.lanes.put(item := sender.item(1, "a", "a1"))
    assert sender.lanes.waits(1, "a")
    assert sender.lanes.waiting_for(1, "a") is item
    await sender.entered.wait()
    assert sender.lanes.waits(1, "a"), "it is being sent"
    assert sender.lanes.waiting_for(1, "a") is None
    await sender.end()
    assert not sender.lanes.waits(1, "a")


@pytest.mark.parametrize("is_newer", [False, True])
async def test_what_has_rested_and_finds_no_room_is_dropped_and_that_is_told(
    sender: Sender, *, is_newer: bool
) -> None:
    sender.lanes.put_back(sender.item(GROUP, "old", "old", Priority.BOARD), after=5)
    sender.close_chat(GROUP, 60)
    for number in range(LONGEST_LANE):
        sender.put(GROUP, f"{number}", person=number)
    assert not sender.lost
    if is_newer:
        sender.lanes.put(sender.item(GROUP, "old", "new", Priority.BOARD))
    else:
        await asyncio.sleep(6)
    assert not sender.lanes.waits(GROUP, "old")
    await sender.end(0)
    assert sender.lost == ["new" if is_newer else "old"]


async def test_what_rests_after_a_failure_holds_up_nothing_and_gives_way_to_what_is_newer(sender: Sender) -> None:
    for key in ("a", "b"):
        assert sender.lanes.put_back(sender.item(GROUP, key, f"{key}1"), after=5)
        late = sender.item(GROUP, key, f"{key}0")
        assert not sender.lanes.put_back(late, after=1), "an older one that failed late"
    for text in ("c1", "b2"):
        sender.put(GROUP, text)
    await asyncio.sleep(1)
    assert sender.sent == ["c1", "b2"]
    await asyncio.sleep(5)
    assert sender.sent == ["c1", "b2", "a1"]


async def test_what_may_wait_a_moment_gives_way_to_what_is_newer_and_comes_when_the_lanes_close(
    sender: Sender,
) -> None:
    sender.lanes.put(sender.item(1, "move", "a move"), after=0.3)
    await asyncio.sleep(0.2)
    sender.lanes.put(sender.item(1, "move", "the move and its answer"), after=0.3)
    await asyncio.sleep(0.1)
    assert sender.sent == ["the move and its answer"], "what replaces something waits no longer"
    sender.lanes.put(sender.item(1, "move", "another move"), after=0.3)
    await asyncio.sleep(0.2)
    assert len(sender.sent) == 1
    await asyncio.sleep(0.2)
    sender.lanes.put(sender.item(1, "move", "the last move"), after=3)
    assert await sender.end(1) == ["the move and its answer", "another move", "the last move"]


async def test_what_is_put_back_from_outside_wakes_a_lane_that_waits(sender: Sender) -> None:
    for number in range(7):  # what nobody asked for leaves room for others
        sender.put(GROUP, f"{number}x", Priority.UNPROMPTED)
    await asyncio.sleep(5)
    waited = len(sender.sent)
    assert sender.lanes.put_back(sender.item(GROUP, "picture", priority=NEW))
    await asyncio.sleep(1)
    assert sender.sent[waited:] == ["picture"]


async def test_what_rests_for_long_is_tried_at_once_if_somebody_asks(sender: Sender) -> None:
    sender.lanes.put_back(sender.item(1, "soon"), after=10)
    sender.lanes.put_back(sender.item(1, "late"), after=3000)
    for key in ("soon", "late", "unknown"):
        sender.lanes.hurry(1, key, 15)
    await asyncio.sleep(1)
    assert sender.sent == ["late"]


async def test_an_error_is_logged_and_the_lane_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    class Odd(Sender):
        async def send(self, entry: Item) -> None:
            if entry.content == "odd":
                raise LookupError("nobody expected this")
            await super().send(entry)

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
    assert sender.put(2, "b1")
    assert not sender.lanes.put_back(sender.item(2, "b", "b1"))
    assert (sender.sent, len(sender.lanes)) == ([], 0)
    other = Sender()
    other.put(1, "a1")
    assert (await other.end(0), len(other.lanes), other.lanes.waiting) == ([], 0, 0), (
        "without a wait, nothing goes"
    )


class Rough(Sender):
    """A Telegram that refuses by chance, and notes what it should never see."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(calls_per_second=chance.choice((None, 3)))
        self._chance = chance
        self.shown: dict[tuple[Chat, Hashable], int] = {}
        self.broken: list[str] = []
        self._closed: dict[Chat, float] = {}

    async def send(self, entry: Item) -> None:
        number = int(entry.content)
        if self._loop.time() < self._closed.get(entry.chat, 0.0) - 1e-6:
            self.broken.append(f"{entry.chat} is closed")
        if number < self.shown.get(entry.id, 0):
            self.broken.append(f"{entry.chat} has had something newer")
        await asyncio.sleep(self._chance.choice((0.05, 0.05, 0.05, 0.3, 4.0)))
        match self._chance.randrange(8):
            case 0 | 1 as drawn:
                seconds = 1 if drawn else self._chance.randrange(1, 40)
                self.note_closed(entry.chat, seconds)
                raise RetryAfter(seconds)
            case _:
                self.shown[entry.id] = number

    def note_closed(self, chat: Chat, seconds: float) -> None:
        self._closed[chat] = max(self._closed.get(chat, 0.0), self._loop.time() + seconds)

    def close_chat(self, chat: Chat, seconds: float) -> None:
        super().close_chat(chat, seconds)
        self.note_closed(chat, seconds)


@pytest.mark.parametrize("seed", range(10))
async def test_whatever_is_refused_the_newest_of_everything_is_sent_and_nothing_into_what_is_closed(
    seed: int,
) -> None:
    chance = random.Random(seed)
    chats: list[Chat] = [1, 2, 3, 4, -1, -2, "5"]
    newest: dict[tuple[Chat, Hashable], int] = {}
    rough = Rough(chance)
    for number in range(1, 1501):
        item = rough.item(chance.choice(chats), chance.randrange(4), number, chance.choice([*Priority]))
        rough.lanes.put(item)
        if number not in rough.lost:
            newest[item.id] = number
        if not chance.randrange(20):
            rough.close_chat(item.chat, 0.5)
        if not chance.randrange(300):
            seconds = chance.randrange(1, 10)
            for several in chance.sample(chats, SEVERAL):
                rough.close_chat(several, seconds)
        await asyncio.sleep(chance.choice((0.0, 0.0, 0.01, 1.0)))
    await rough.lanes.close(10_000)
    assert rough.shown == newest
    assert rough.broken == []


@pytest.mark.parametrize("words_every", [math.inf, 60])
@pytest.mark.parametrize("boards", [1, 3])
@pytest.mark.parametrize("players", [1, 2])
async def test_one_persons_flood_of_taps_seldom_makes_others_wait_and_they_are_told(
    sender: Sender, players: int, boards: int, words_every: float
) -> None:
    """It may, once the burst with which it began leaves the window."""
    loop, waits, untold = asyncio.get_running_loop(), [], 0

    async def flood() -> None:
        for number in itertools.count():
            sender.lanes.put(sender.item(GROUP, ("flood", number % boards), f"flood {number}", BOARD, 9))
            if number % (2 * words_every) == 0:
                sender.lanes.put(sender.item(GROUP, "words", f"words {number}", NEW, 9))
            await asyncio.sleep(0.5)

    flooding = asyncio.create_task(flood())
    await asyncio.sleep(30)
    for number in range(40):
        begun, player = loop.time(), number % players
        told = sender.lanes.put(sender.item(GROUP, ("player", number), f"{number}", BOARD, player))
        await asyncio.sleep(10)
        shown = sender.times[sender.sent.index(str(number))] if str(number) in sender.sent else loop.time()
        waits.append(shown - begun)
        untold += not told and waits[-1] >= 2
        assert not told or waits[-1] > 0.5, "who doesn't isn't"
    flooding.cancel()
    await sender.end(0)
    assert untold <= 2, "who waits is mostly told"
    assert statistics.median(waits) < 0.1
    assert sum(wait > 2 for wait in waits) <= 4
