"""Whatever answers in Telegram's place, boards recover and nothing is lost; only known refusals are final.

Time is skipped, so that half a minute of trouble passes in a moment.
"""

import json
import logging
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

import pytest

from bot.delivery.pace import UNPROMPTED_PER_SECOND
from playground.chats import Message
from playground.errors import ApiError, bad_request, forbidden
from playground.people import Person
from storage.games import outbox
from storage.games.game import Termination
from storage.games.record import Notice, NoticeKind
from tests.bots import LIMITS
from tests.flights import EDIT, Point
from tests.people import data_of, position_of
from tests.soak import SOAK
from tests.world import Room

HEALED_SECONDS: Final = 45


class Answer(NamedTuple):
    """An answer in Telegram's place."""

    status: int
    body: bytes
    is_passing: bool
    """Whether all is well once Telegram is back; otherwise, the table of final refusals applies."""


def _telegrams(status: int, description: str) -> bytes:
    return json.dumps({"ok": False, "error_code": status, "description": description}).encode()


def _answers() -> list[Answer]:
    """Every status, as HTML and JSON, with known and unknown descriptions."""
    answers = []
    gone, blocked = "Bad Request: message to edit not found", "Forbidden: bot was blocked by the user"
    for status in range(200, 600) if SOAK else (200, 302, 400, 401, 403, 404, 500, 502):
        known = {400: gone, 403: blocked}.get(status)
        answers += [Answer(status, f"<html><body>{known or gone}</body></html>".encode(), is_passing=True)]
        answers += [Answer(status, json.dumps({"description": known or gone}).encode(), is_passing=True)]
        answers += [
            Answer(status, _telegrams(status, words), is_passing=words != known)
            for words in (gone, blocked, "Oh dear")
        ]
    # Python's own server can't send some of them, and others have no body.
    return [answer for answer in answers if SOAK or answer.status not in (204, 205, 304)]


@pytest.mark.timeout(3600 if SOAK else 300)
async def test_no_answer_but_telegrams_known_words_leaves_a_board_wrong_or_loses_a_message(
    room: Room,
) -> None:
    boards: list[tuple[Answer, Person, Message]] = []
    for number, answer in enumerate(_answers()):
        person = room.playground.add_person(f"P{number}", started=True)
        boards.append((answer, person, await room.said(person, "/newgame easy me", person.private)))
    await room.house.quiet()
    by_chat = {}
    for answer, person, board in boards:
        by_chat[person.private.id] = answer
        room.playground.faults.add(kind="answer_before", chat=person.id, status=answer.status, body=answer.body)
        person.press(board, str(board.keyboard[0][0]["callback_data"]))
    records = room.house.records()
    with room.house.engine.begin() as connection:
        for game, shown in records.values():
            chat_id = shown[0].chat_id or 0
            outbox.add(connection, Notice(0, NoticeKind.BEATEN, game.id, 2, chat_id, None, None, 0))
    await room.house.given(room.bot)
    await room.pass_time(10)
    room.playground.faults.clear()
    await room.pass_time(HEALED_SECONDS)
    wrong = [by_chat[board.chat_id or 0] for board in room.house.wrong()]
    assert [answer for answer in wrong if answer.is_passing] == [], "every board is right"
    assert all(record.game.ply == 2 and not record.game.is_over for record in room.house.records().values())
    await room.pass_time(2 * len(boards) / UNPROMPTED_PER_SECOND, step=1.0)
    silent = [
        answer
        for answer, person, board in boards
        if answer.is_passing and not any(message.id > board.id for message in person.private.messages.values())
    ]
    assert silent == [], "every message has come"
    assert room.house.sql("SELECT id FROM outbox WHERE NOT said") == []


async def test_boards_become_right_after_telegram_was_away_which_is_logged_once(
    room: Room,
) -> None:
    boards = []
    for number in range(20):
        person = room.playground.add_person(f"P{number}", started=True)
        boards.append((person, await room.said(person, "/newgame easy me", person.private)))
    await room.house.quiet()
    await room.playground.stop()
    for person, board in boards:
        person.press(board, data_of(board, 4))
        await person.say("/newgame easy me")
    await room.house.brought_again(room.bot)
    await room.pass_time(60)
    assert len(room.house.lagging()) == 2 * len(boards)
    await room.playground.start()
    await room.pass_time(HEALED_SECONDS)
    assert not room.house.wrong()
    assert sorted(map(len, room.moves())) == [0] * len(boards) + [2] * len(boards)
    assert room.house.logged().count("Can't reach Telegram") == 1


async def test_a_reply_is_said_once_more_where_its_connection_ended_without_an_answer(room: Room) -> None:
    fault = room.playground.faults.add(kind="drop_before", method="sendMessage", times=1)
    await room.ann.say("/help", in_=room.ann.private)
    await room.house.given(room.bot)
    await room.house.quiet()
    await room.pass_time(2)
    assert fault.struck == 1
    (reply,) = [message for message in room.ann.private.messages.values() if message.from_bot]
    assert "/newgame" in reply.text


async def test_a_menu_whose_edit_fails_in_passing_shows_what_was_chosen(room: Room) -> None:
    menu = await room.said(room.ann, "/settings", room.ann.private)
    before = menu.labels
    room.playground.faults.add(kind="answer_before", method="editMessageText", status=502, body=b"Bad Gateway")
    await room.tapped(room.ann, menu, str(menu.keyboard[0][0]["callback_data"]))
    await room.pass_time(6)
    assert menu.labels == before
    room.playground.faults.clear()
    await room.pass_time(16)
    assert menu.labels != before


async def test_a_reply_is_tried_for_as_long_as_the_first_one_whatever_became_of_that(room: Room) -> None:
    faults, private = room.playground.faults, room.ann.private
    faults.add(kind="answer_before", method="sendMessage", status=403, body=PAGE, times=1)
    faults.add(kind="answer_before", method="sendMessage", status=502, body=PAGE, times=1)
    for seconds in (200, 10):
        await room.ann.say("/help", in_=private)
        await room.house.given(room.bot)
        await room.pass_time(seconds)
        faults.add(kind="answer_before", method="sendMessage", status=403, body=PAGE, times=2)
    assert len([message for message in private.messages.values() if message.from_bot]) == 1


async def test_the_answer_to_a_tap_outlasts_a_moment_of_trouble(room: Room) -> None:
    board = await room.game_of_two()
    room.playground.faults.add(kind="answer_before", method="answerCallbackQuery", status=502, body=b"")
    tap = room.cem.press(board, str(board.keyboard[0][0]["callback_data"]))
    await room.house.given(room.bot)
    await room.house.skip(0.5)
    room.playground.faults.clear()
    await room.house.skip(2)
    assert tap.answer.result().text


async def met(room: Room) -> tuple[tuple[Person, Message], tuple[Person, Message]]:
    """Two people paired by the queue who have moved once each; the player to move comes first."""
    people = (room.ann, room.bo)
    for person in people:
        await room.said(person, "/play", person.private)
    await room.bot.look()
    await room.house.quiet()
    boards = [(person, room.last(person.private)) for person in people]
    first, second = boards if boards[0][1].text.startswith("Your turn") else reversed(boards)
    await room.put(*first, 0)
    await room.house.quiet()
    await room.put(*second, 4)
    await room.house.quiet()
    return first, second


FINAL: Final = (
    forbidden("bot was kicked from the supergroup chat"),
    forbidden("user is deactivated"),
    bad_request("have no write access to the chat"),
    bad_request("chat not found"),
    bad_request("message can't be edited"),
)
"""Refusals after which a chat is left alone."""
PAGE: Final = b"<html><body>Forbidden: bot was blocked by the user</body></html>"


@pytest.mark.parametrize(
    ("body", "times", "resigns"),
    [
        (PAGE, 5, False),
        (_telegrams(403, "Forbidden: something that nobody has heard of"), 5, False),
        (_telegrams(403, "Forbidden: bot was blocked by the user"), 1, False),
        (_telegrams(403, "Forbidden: bot was blocked by the user"), 2, True),
    ],
    ids=["a page", "unknown words", "blocked, seen once", "blocked, seen twice"],
)
async def test_nobody_resigns_for_a_403_in_passing(room: Room, body: bytes, times: int, *, resigns: bool) -> None:
    """Whoever blocked the bot resigns once Telegram has said so twice."""
    mover, (other, _) = await met(room)
    room.playground.faults.add(kind="answer_before", chat=other.id, status=403, body=body, times=times)
    await room.put(*mover, 8)
    await room.pass_time(30)
    (game,) = (each for each in room.house.games().values() if not each.is_wait)
    if resigns:
        assert (game.termination, game.winner) == (Termination.RESIGNATION, game.mark_of(mover[0].id))
    else:
        assert (game.ply, game.termination) == (3, None)
        assert not room.house.wrong()


async def test_a_chat_that_takes_nothing_is_left_alone_and_its_game_is_kept(room: Room) -> None:
    tried = []
    for number, refusal in enumerate(FINAL):
        person = room.playground.add_person(f"P{number}", started=True)
        board = await room.said(person, "/newgame easy me", person.private)
        await room.house.quiet()
        fault = room.playground.faults.add(kind="error", chat=person.id, error=refusal)
        person.press(board, str(board.keyboard[0][0]["callback_data"]))
        tried.append((refusal, fault))
    await room.house.given(room.bot)
    await room.pass_time(120, step=12)
    # An edit, and a new board in place of one that is gone.
    assert [fault.struck for _, fault in tried] == [2 if "edited" in each.description else 1 for each, _ in tried]
    assert {len(moves) for moves in room.moves()} == {2}


@pytest.mark.parametrize(
    ("refusal", "returns"),
    [
        (forbidden("bot was kicked from the supergroup chat"), "let back in"),
        (bad_request("not enough rights to send text messages to the chat"), "unmuted"),
        (bad_request("CHAT_WRITE_FORBIDDEN"), "tapped"),
        (bad_request("TOPIC_CLOSED"), "spoken to"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_board_that_was_unreachable_becomes_right_once_its_chat_is_heard_from(
    room: Room, refusal: ApiError, returns: str
) -> None:
    board = await room.game_of_two()
    fault = room.playground.faults.add(kind="error", chat=room.group.id, error=refusal)
    await room.put(room.ann, board, 4)
    await room.house.quiet()
    struck = fault.struck
    await room.pass_time(120, step=12)
    assert fault.struck == struck, "a chat that accepts nothing is left alone"
    room.playground.faults.clear()
    await room.pass_time(120, step=12)
    assert len(room.house.wrong()) == 1, "nobody has told the bot yet"
    match returns:
        case "let back in":
            room.group.set_bot("kicked", room.ann)
            room.group.set_bot("member", room.ann)
        case "unmuted":
            room.group.set_bot("restricted", room.ann)
            room.group.set_bot("member", room.ann)
        case "tapped":
            await room.put(room.ann, board, 4)
        case _:
            await room.cem.say("/help", in_=room.group)
    await room.house.given(room.bot)
    await room.pass_time(HEALED_SECONDS)
    assert not room.house.wrong()


async def test_a_refusal_that_is_heard_after_the_bot_was_let_back_in_does_not_count(room: Room) -> None:
    board = await room.game_of_two()
    room.house.hold(room.bot, EDIT, Point.ANSWERED)
    room.group.set_bot("kicked", room.ann)
    room.ann.press(board, str(board.keyboard[0][0]["callback_data"]))
    await room.house.given(room.bot)
    room.group.set_bot("member", room.ann)
    await room.house.given(room.bot)
    room.house.stopped_call(room.bot).let_go()
    await room.pass_time(HEALED_SECONDS)
    assert not room.house.wrong()


@pytest.mark.parametrize("kept_out", ["kicked", "muted", "blocked", "its topic closed"])
async def test_a_board_whose_deadline_passes_while_the_bot_is_kept_out_is_right_once_it_is_back(
    room: Room, kept_out: str
) -> None:
    ann = room.ann
    group = room.playground.add_group("Forum", [ann, room.bo], kind="forum")
    topic = group.add_topic("Games")
    ways: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "kicked": (partial(group.set_bot, "kicked"), partial(group.set_bot, "member", ann)),
        "muted": (partial(group.set_bot, "restricted"), partial(group.set_bot, "member")),
        "blocked": (ann.block, partial(ann.block, on=False)),
        "its topic closed": (partial(group.close_topic, topic), partial(group.close_topic, topic, on=False)),
    }
    out, back = ways[kept_out]
    chat, asked = (ann.private, "/newgame easy me") if kept_out == "blocked" else (group, "/challenge me")
    await ann.say(asked, in_=chat, topic=topic if kept_out == "its topic closed" else None)
    await room.house.given(room.bot)
    board = room.last(chat)
    if chat is group:
        await room.pressed(room.bo, board, "Accept")
    await room.house.quiet()
    out()
    await room.house.given(room.bot)
    for _ in ("the reminder", "the end"):
        await room.house.skip(LIMITS.computer + 1)
        await room.bot.look()
        await room.pass_time(120, step=12)
    assert room.house.newest().game.is_over
    is_shown = "turn" not in board.text
    assert is_shown is (kept_out == "its topic closed"), "there a board can still be edited"
    back()
    await room.house.given(room.bot)
    await room.pass_time(HEALED_SECONDS)
    assert not room.house.wrong()
    assert "turn" not in room.last(chat).text


async def test_a_revoked_token_is_said_once_a_minute_and_nothing_is_given_up(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    board = await room.game_of_two()
    room.playground.faults.add(kind="answer_before", status=401, body=_telegrams(401, "Unauthorized"))
    with caplog.at_level(logging.ERROR):
        room.ann.press(board, str(board.keyboard[0][0]["callback_data"]))
        await room.house.given(room.bot)
        await room.pass_time(600, step=10)
    said = [record for record in caplog.records if "token" in record.getMessage()]
    assert 9 <= len(said) <= 11
    await room.pass_time(25 * 3600, step=1800)
    room.playground.faults.clear()
    await room.pass_time(HEALED_SECONDS)
    assert not room.house.wrong()


async def test_what_fails_for_a_day_counts_as_unreachable(room: Room) -> None:
    board = await room.game_of_two()
    fault = room.playground.faults.add(kind="answer_before", chat=room.group.id, status=403, body=PAGE)
    await room.put(room.ann, board, 4)
    await room.pass_time(25 * 3600, step=900)
    struck = fault.struck
    await room.pass_time(600)
    assert fault.struck == struck
    assert [board.is_unreachable for board in room.house.newest().boards] == [True]


@pytest.mark.parametrize("status", [400, 403])
async def test_unknown_words_of_telegrams_own_are_tried_ever_more_rarely_and_at_once_for_a_tap(
    room: Room, status: int
) -> None:
    board = await room.game_of_two()
    fault = room.playground.faults.add(kind="error", method=EDIT, error=ApiError(status, "Oh dear: SOMETHING_NEW"))
    await room.put(room.ann, board, 4)
    await room.pass_time(600)
    assert fault.struck < 25, "once in 15 s would be 45 times"
    before = fault.struck
    await room.put(room.ann, board, 4)  # it isn't her turn, so that nothing changes
    await room.house.quiet()
    assert fault.struck > before
    room.playground.faults.remove(fault)
    await room.put(room.ann, board, 4)
    await room.house.quiet()
    assert position_of(board).ply == 1
