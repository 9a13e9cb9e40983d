"""The publisher and its parts: entries of lanes, answers to taps, tasks that nobody awaits, and known chats."""

import asyncio
import json
import time
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest
from telegram import Bot
from telegram.error import BadRequest, NetworkError

from bot.boards.view import View
from bot.delivery.calls import Answers, Calls, Reply
from bot.delivery.entries import OutgoingMessage, Picture, Showing, first_of, saying
from bot.delivery.lanes import LONGEST_LANE, Tap
from bot.delivery.messages import FORBIDDEN_SECONDS
from bot.delivery.pace import Kind, Pace
from bot.delivery.publisher import Publisher
from bot.delivery.recovery import Ties
from bot.delivery.tasks import Tasks
from bot.metrics import Metrics
from bot.network.transport import Unanswered
from bot.workers.pool import Workers
from storage.games.game import Game, GameKind, Side
from storage.games.record import Board, Notice, NoticeKind, Record
from storage.games.versions import Stored
from storage.store import Store

ANN, BO, GROUP = 1, 2, -3
GAME = Game(1, None, "3x3x3", GameKind.PAIR, Side(ANN), Side(BO))
BOS = Board(1, 1, BO, message_id=7, viewer=BO)


@pytest.mark.parametrize(
    ("person", "there", "kind"),
    [(BO, BO, Kind.TAPPED), (ANN, ANN, Kind.BOARD), (ANN, GROUP, Kind.BOARD), (ANN, None, Kind.BOARD)],
)
def test_a_board_counts_as_tapped_only_where_somebody_tapped_and_else_it_is_whose_chat_it_is(
    person: int, there: int | None, kind: Kind
) -> None:
    showing = Showing(BO, BOS, GAME, tap=Tap(person, 0.0, Kind.TAPPED, there))
    assert (showing.kind, showing.for_whom) == (kind, person)
    assert Showing(BO, BOS._replace(viewer=None), GAME).for_whom == BO


def test_the_tap_at_a_board_comes_before_one_elsewhere_whichever_was_first() -> None:
    hers, his = Tap(ANN, 0.0, Kind.TAPPED, ANN), Tap(BO, 1.0, Kind.TAPPED, BO)
    for earlier, later in ((hers, his), (his, hers), (None, his), (his, None)):
        assert first_of(earlier, later, BOS) is his


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

    def __init__(self, *, hangs: bool = False) -> None:
        self.heard: list[dict[str, Any]] = []
        self.hangs = hangs

    async def call(self, _method: str, parameters: dict[str, Any]) -> None:
        self.heard.append(parameters)
        if self.hangs:
            await asyncio.Event().wait()


async def test_of_an_answer_only_what_is_given_is_sent() -> None:
    answers = Answers(cast("Bot", None), cast("Calls", telegram := Telegram()), Metrics())
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
    answers = Answers(cast("Bot", None), cast("Calls", telegram := Telegram(hangs=True)), metrics)
    for number in range(3):
        answers.answer(str(number))
    answers.offer("3", [])
    await asyncio.sleep(0)
    assert telegram.heard == [{"callback_query_id": "0"}, {"callback_query_id": "1"}]
    assert b"oxo_dropped_total 2.0" in metrics.text()
    await answers.close(0)


class Refusing:
    """A Telegram that takes nothing."""

    async def edit(self, *_: object, **__: object) -> None:
        raise NetworkError("502")

    async def send(self, *_: object, **__: object) -> int:
        raise Unanswered("the connection ended without an answer")


class Forgetful:
    """A database that keeps nothing, and notes what was held last."""

    held: Any = None

    async def run(self, _work: object, **given: Any) -> list[Any]:  # noqa: ANN401 - any function's arguments
        if {"held", "notices"} <= {*given}:
            self.held = 0 in given["held"], 1 in given["notices"]
        return []

    async def read(self, _work: object, **_given: object) -> dict[str, int]:
        return {}


class Strict:
    """A Telegram, and a database, of a group that forbids some kinds of pictures."""

    username = "oxo"

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


def publishing(
    calls: object = None, store: object = None, pace: Pace | None = None, bot: object = None
) -> Publisher:
    metrics = Metrics()
    return Publisher(
        cast("Bot", bot or SimpleNamespace(username="oxo")),
        cast("Calls", calls),
        cast("Store", store),
        pace=pace or Pace(),
        metrics=metrics,
        workers=Workers(metrics),
    )


@pytest.mark.virtual_time
async def test_what_finds_no_room_when_its_pause_ends_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board is then left to the sweep, a person may ask again, and a notice is made again."""
    monkeypatch.setattr("bot.delivery.recovery.FIRST_CALL_PAUSE_SECONDS", 2.0)
    chat, now = -5, int(time.time())
    publisher = publishing(Refusing(), store := Forgetful())

    def show(number: int) -> None:
        game = Game(
            number, chat, "3x3x3", GameKind.PAIR, Side(1000 + number), Side(2000), created_at=now, changed_at=now
        )
        old = Board(number, number, chat, message_id=1000 + number, wanted=1, shown=1)
        new = old._replace(wanted=2, look_at=now + 5)
        publisher.show_stored(Stored(Record(game, (new,)), new, old))

    show(0)
    publisher.say(OutgoingMessage(chat, View("a reply"), person=7))
    picture = Notice(1, NoticeKind.STILL, 1, None, chat, None, None, now)
    publisher.say(OutgoingMessage(chat, View("a picture"), notice=picture))
    await asyncio.sleep(0.05)
    await publisher.keep_in_step()
    assert store.held == (True, True)
    for number in range(1, 2 * LONGEST_LANE):
        show(number)
        await asyncio.sleep(0)
    await asyncio.sleep(2)
    await publisher.keep_in_step()
    assert store.held == (False, False)
    await publisher.close(0)


@pytest.mark.virtual_time
async def test_an_inline_message_keeps_the_pace_of_its_chat_however_many_there_were_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.delivery.boards.CHATS_KNOWN", 2)
    pace = Pace()
    publisher = publishing(pace=pace)
    for number in range(5):
        publisher.know_chat(f"message {number}", f"chat {number}")
    pace.refused("chat 4", 60, asyncio.get_running_loop().time())
    board = Board(1, 1, None, inline_message_id="message 4")
    assert publisher.wait(Record(GAME, (board,)), None) > 50


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
            return say(View(""), picture=Picture("file", "replay.png", say(View("No pictures here."))))
        still = notice._replace(kind=NoticeKind.STILL)
        return say(View(""), picture=Picture("file", "replay.gif", still, moving=True))

    telegram = Strict(forbidden)
    publisher = publishing(telegram, telegram, bot=telegram)
    publisher.tie(Ties(message_of, cast("Any", None), cast("Any", None)))
    for pause, expected in ((60, tried), (FORBIDDEN_SECONDS, later), (60, tried)):
        telegram.tried.clear()
        publisher.tell(moving := moving._replace(id=moving.id + 1))
        await asyncio.sleep(pause)
        assert telegram.tried == expected
    await publisher.close(0)
