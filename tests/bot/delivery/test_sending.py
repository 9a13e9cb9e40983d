"""What is sent: entries of lanes, answers to taps, tasks that nobody awaits, and known chats."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest
from telegram import Bot
from telegram.error import BadRequest, NetworkError

from bot.boards.links import Me
from bot.boards.view import View
from bot.delivery.boards import Boards, Showing
from bot.delivery.calls import Answers, Calls, Reply
from bot.delivery.entries import File, OutgoingMessage, Prompt, first_of, person_of, priority_of, saying
from bot.delivery.lanes import LONGEST_LANE, Lanes
from bot.delivery.messages import FORBIDDEN_SECONDS, STALE_SECONDS, Messages
from bot.delivery.pace import Pace, Priority
from bot.delivery.recovery import Reach, Recovery
from bot.delivery.tasks import Tasks
from bot.metrics import Metrics
from bot.network.transport import Unanswered
from bot.workers.pool import Workers
from storage.games.game import Game, GameKind, Limits, Side
from storage.games.record import Board, Changed, Notice, NoticeKind, Record
from storage.games.versions import Stored
from storage.store import Store

ANN, BO, GROUP = 1, 2, -3
GAME = Game(1, None, "3x3x3", GameKind.PAIR, Side(ANN), Side(BO))
BOS = Board(1, 1, BO, message_id=7, viewer=BO)


@pytest.mark.parametrize(
    ("person", "there", "priority"),
    [(BO, BO, Priority.TAPPED), *((ANN, there, Priority.BOARD) for there in (ANN, GROUP, None))],
)
def test_a_board_counts_as_tapped_only_where_somebody_tapped_and_else_it_is_whose_chat_it_is(
    person: int, there: int | None, priority: Priority
) -> None:
    prompt = Prompt(person, 0.0, Priority.TAPPED, there)
    assert (priority_of(BOS, GAME, prompt), person_of(BOS, GAME, prompt)) == (priority, person)
    assert person_of(BOS._replace(viewer=None), GAME, None) == BO


def test_the_tap_at_a_board_comes_before_one_elsewhere_whichever_was_first() -> None:
    hers = Prompt(ANN, 0.0, Priority.TAPPED, ANN)
    for his in (Prompt(BO, 1.0, Priority.TAPPED, BO), Prompt(BO, 1.0, Priority.NEW, BO)):
        for earlier, later in ((hers, his), (his, hers), (None, his), (his, None)):
            assert first_of(earlier, later, BOS) is his


def test_the_next_board_of_a_cup_that_people_wait_for_comes_before_others_that_call_somebody() -> None:
    calling, cups = BOS._replace(message_id=None, called=True), GAME._replace(time_limits=Limits.CUP)
    assert [priority_of(calling, game, None) for game in (cups, GAME)] == [Priority.NEW, Priority.UNPROMPTED]


def test_a_board_stays_as_urgent_as_what_it_replaces_also_when_it_comes_from_its_rest() -> None:
    def showing(board: Board, prompt: Prompt | None = None) -> Showing:
        return Showing(
            chat=BO,
            key=board.id,
            priority=priority_of(board, GAME, prompt),
            person=person_of(board, GAME, prompt),
            is_send=False,
            chat_id=BO,
            prompt=prompt,
            by=cast("Boards", None),
            board=board,
            game=GAME,
        )

    going = showing(BOS._replace(leaving=True))
    going.follow(showing(BOS))
    going.follow(going)  # it is put in again once it has rested
    assert going.priority is Priority.BOARD
    shown = showing(BOS)
    shown.follow(showing(BOS, Prompt(BO, 0.0, Priority.TAPPED, BO)))
    assert (shown.priority, shown.person, shown.prompt and shown.prompt.person) == (Priority.TAPPED, BO, BO)


@pytest.mark.virtual_time
async def test_work_is_counted_while_it_is_under_way_and_what_hangs_is_given_up_at_the_close() -> None:
    tasks, ended = Tasks(), []

    async def wait(seconds: float) -> None:
        try:
            await asyncio.sleep(seconds)
        finally:
            ended.append((seconds, asyncio.get_running_loop().time()))

    tasks.start(wait(3))
    tasks.later(1, lambda: wait(60))
    await asyncio.sleep(2)
    assert len(tasks) == 2
    await tasks.close(5)
    await asyncio.sleep(1)
    assert (len(tasks), ended) == (0, [(3, 3), (60, 7)])


@pytest.mark.virtual_time
async def test_work_that_fails_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise KeyError("x")

    Tasks().later(1, fail)
    await asyncio.sleep(2)
    assert [(record.getMessage(), bool(record.exc_info)) for record in caplog.records] == [
        ("Background work failed", True)
    ]


def test_there_is_room_for_one_answer_while_the_request_is_open_and_somebody_waits() -> None:
    reply, closed, unheard = Reply(lambda: True), Reply(lambda: True), Reply(lambda: False)
    closed.close()
    answered = [each.answer({"callback_query_id": "7"}) for each in (reply, reply, closed, unheard)]
    assert answered == [True, False, False, False]
    assert json.loads(reply.body or b"") == {"method": "answerCallbackQuery", "callback_query_id": "7"}
    assert closed.body is unheard.body is None


class Telegram:
    """What was answered; the answers may hang."""

    bot = None

    def __init__(self, *, hangs: bool = False) -> None:
        self.heard: list[dict[str, Any]] = []
        self.hangs = hangs

    async def call(self, _method: str, parameters: dict[str, Any]) -> None:
        self.heard.append(parameters)
        if self.hangs:
            await asyncio.Event().wait()


async def test_of_an_answer_only_what_is_given_is_sent() -> None:
    answers = Answers(cast("Calls", telegram := Telegram()), Metrics())
    answers.answer("1", reply=Reply(lambda: False))
    answers.answer("2", "Taken.", alert=True, reply=Reply(lambda: True))
    answers.answer("3", "Taken.", alert=True)
    answers.answer("4", url="https://t.me/oxo")
    await answers.close(1)
    assert telegram.heard == [
        {"callback_query_id": "1"},
        {"callback_query_id": "3", "text": "Taken.", "show_alert": True},
        {"callback_query_id": "4", "url": "https://t.me/oxo"},
    ]


async def test_beyond_so_many_answers_under_way_none_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.delivery.calls.MOST_ANSWERS", 2)
    metrics = Metrics()
    answers = Answers(cast("Calls", telegram := Telegram(hangs=True)), metrics)
    for number in range(3):
        answers.answer(str(number))
    answers.offer("3", [])
    await asyncio.sleep(0)
    assert telegram.heard == [{"callback_query_id": "0"}, {"callback_query_id": "1"}]
    assert b"oxo_dropped_total 2.0" in metrics.text()
    await answers.close(0)


class Refusing:
    """A Telegram that takes nothing."""

    bot = SimpleNamespace(username="oxo")
    me = Me()

    async def edit(self, *_: object, **__: object) -> None:
        raise NetworkError("502")

    async def send(self, *_: object, **__: object) -> int:
        raise Unanswered("the connection ended without an answer")


class Forgetful:
    """A database that keeps nothing."""

    async def run(self, _work: object, **_given: object) -> list[Any]:
        return []

    async def read(self, _work: object, **_given: object) -> dict[str, int]:
        return {}


class Strict:
    """A Telegram, and a database, of a group that forbids some kinds of pictures."""

    username = "oxo"

    @property
    def bot(self) -> "Strict":
        return self

    def __init__(self, forbidden: Sequence[str]) -> None:
        self.forbidden = forbidden
        self.tried: list[str] = []

    async def take(self, kind: str) -> SimpleNamespace:
        self.tried.append(kind)
        if kind in self.forbidden:
            raise BadRequest(f"Not enough rights to send {kind}s to the chat")
        return SimpleNamespace(animation=None, photo=None, message_id=9)

    async def send_animation(self, *_: object, **__: object) -> SimpleNamespace:
        return await self.take("animation")

    async def send_photo(self, *_: object, **__: object) -> SimpleNamespace:
        return await self.take("photo")

    async def send(self, *_: object, **__: object) -> int:
        self.tried.append("text")
        return 9

    async def run(self, _work: object, **_given: object) -> bool:
        return True


async def picture_of(notice: Notice) -> OutgoingMessage:
    return OutgoingMessage(notice.chat_id, View("a picture"), notice=notice)


async def nobody(person: int) -> None:
    raise AssertionError(f"{person} has blocked nobody")


class Sending:
    """The parts that send, on a Telegram and a database that keep nothing."""

    def __init__(
        self,
        telegram: object = None,
        database: object = None,
        make: Callable[[Notice], Awaitable[OutgoingMessage | None]] = picture_of,
    ) -> None:
        calls, store = cast("Calls", telegram or Refusing()), cast("Store", database or Forgetful())
        tasks = Tasks()
        metrics, self.pace = Metrics(), Pace()
        reach = Reach(calls.bot, store, tasks)
        self.lanes = Lanes(self.pace, Recovery(self.pace, store, reach, metrics))
        self.messages = Messages(
            calls=calls, store=store, lanes=self.lanes, metrics=metrics, tasks=tasks, make=make
        )
        self.boards = Boards(
            calls=calls,
            store=store,
            lanes=self.lanes,
            reach=reach,
            messages=self.messages,
            workers=Workers(metrics),
            tasks=tasks,
            gone=nobody,
        )

    @property
    def held(self) -> tuple[bool, bool]:
        """Whether the first board, and the first notice, are kept from other processes."""
        return 0 in self.boards.ownership.held(), 1 in self.messages.notices


@pytest.mark.virtual_time
async def test_what_finds_no_room_when_its_pause_ends_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board is then left to the sweep, a person may ask again, and a notice is made again."""
    monkeypatch.setattr("bot.delivery.recovery.FIRST_CALL_PAUSE_SECONDS", 2.0)
    chat, now = -5, int(time.time())
    sending = Sending()

    def show(number: int) -> None:
        game = Game(
            number, chat, "3x3x3", GameKind.PAIR, Side(1000 + number), Side(2000), created_at=now, changed_at=now
        )
        old = Board(number, number, chat, message_id=1000 + number, wanted=1, shown=1)
        new = old._replace(wanted=2, look_at=now + 5)
        sending.boards.show_stored(Stored(Record(game, (new,)), new, old))

    show(0)
    sending.messages.say(OutgoingMessage(chat, View("a reply"), person=7))
    sending.messages.tell(Notice(1, NoticeKind.STILL, 1, None, chat, None, None, now))
    await asyncio.sleep(0.05)
    assert sending.held == (True, True)
    for number in range(1, 2 * LONGEST_LANE):
        show(number)
        await asyncio.sleep(0)
    await asyncio.sleep(2)
    assert sending.held == (False, False)
    await sending.lanes.close(0)


@pytest.mark.virtual_time
async def test_where_no_new_message_goes_for_long_a_reply_is_let_go_and_what_is_stored_waits() -> None:
    sending = Sending()
    sending.pace.hold_sends(GROUP, 2 * STALE_SECONDS, asyncio.get_running_loop().time())
    sending.messages.say(OutgoingMessage(GROUP, View("a reply"), person=ANN))
    sending.messages.tell(Notice(1, NoticeKind.STILL, 1, None, GROUP, None, None, 0))
    await asyncio.sleep(1)
    assert [each.person for each in sending.lanes.entries(GROUP)] == [None]
    await sending.lanes.close(0)


async def test_only_a_message_in_the_topic_that_was_refused_shows_that_it_may_be_open_again() -> None:
    tasks = Tasks()
    reach = Reach(cast("Bot", None), cast("Store", Forgetful()), tasks)
    reach.lose(GROUP, 5)
    looks = []
    for topic in (6, None, 5, 5):
        reach.find(GROUP, topic)
        looks.append(len(tasks))
    assert looks == [0, 0, 1, 1]
    await tasks.close(1)


@pytest.mark.virtual_time
async def test_an_inline_message_keeps_the_pace_of_its_chat_however_many_there_were_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.delivery.boards.CHATS_KNOWN", 2)
    sending = Sending()
    for number in range(5):
        sending.boards.know_chat(f"message {number}", f"chat {number}")
    sending.pace.refused("chat 4", 60, asyncio.get_running_loop().time())
    board = Board(1, 1, None, inline_message_id="message 4", look_at=int(time.time()) + 5)
    assert sending.boards.show(Changed(Record(GAME, (board,)), {}))
    await sending.lanes.close(0)


@pytest.mark.virtual_time
@pytest.mark.parametrize(
    ("forbidden", "tried", "later"),
    [
        ((), ["animation"], ["animation"]),
        (["animation"], ["animation", "photo"], ["photo"]),
        (["animation", "photo"], ["animation", "photo", "text"], ["text"]),
    ],
    ids=["all are allowed", "no animations", "none is allowed"],
)
async def test_a_picture_that_a_group_forbids_becomes_another_or_a_text_and_is_not_tried_again_soon(
    forbidden: Sequence[str], tried: Sequence[str], later: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "monotonic", asyncio.get_running_loop().time)
    moving = Notice(1, NoticeKind.ANIMATION, 1, None, GROUP, None, None, 0, ANN)

    async def message_of(notice: Notice) -> OutgoingMessage:
        say = saying(notice)
        if notice.kind is NoticeKind.STILL:
            return say(View(""), file=File("file", "replay.png", instead=say(View("No pictures here."))))
        still = notice._replace(kind=NoticeKind.STILL)
        return say(View(""), file=File("file", "replay.gif", "animation", still))

    telegram = Strict(forbidden)
    sending = Sending(telegram, telegram, message_of)
    for pause, expected in ((60, tried), (FORBIDDEN_SECONDS, later), (60, tried)):
        telegram.tried.clear()
        sending.messages.tell(moving := moving._replace(id=moving.id + 1))
        await asyncio.sleep(pause)
        assert telegram.tried == expected
    await sending.lanes.close(0)
