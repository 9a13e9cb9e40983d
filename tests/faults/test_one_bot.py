"""What one bot does, stores and says when time passes, answers get lost, boards wait and updates are odd."""

import time
from typing import Final

import pytest
from sqlalchemy import func, select

from bot.boards import buttons
from bot.boards.buttons import OnGame, Play, Setting, read
from bot.context.acting import SLOW
from bot.dispatch import FEATURES
from bot.dispatch import WORDS as TYPED
from bot.features.basics import Topic
from bot.features.privacy import erasing
from bot.features.puzzle.handlers import remind
from bot.features.stats import Stats
from bot.features.top import Top
from bot.game.actions import Action
from bot.game.exhibitions import Stop
from bot.game.new_game import Accept
from bot.game.pages import Bring
from bot.game.play import Move, SetLevel
from bot.language import read_texts
from engine import Level
from playground.chats import Chat, Message
from storage.games.game import Termination
from storage.schema import DONE, GROUP_PUZZLES, METADATA
from tests.bots import LIMITS
from tests.flights import EDIT, SEND, Point
from tests.people import is_board, result_named
from tests.world import Room


async def test_an_idle_bot_writes_nothing(room: Room) -> None:
    """Nothing, whether a game waits for a person or there is none."""
    await room.game_of_two()
    await room.bot.look()  # the first one stores the time to which the clock was set back
    written = len(room.bot.steps)
    for work in (room.bot.sweep(), room.bot.hold(), room.bot.look()):
        await work
    store, services = room.bot.store, room.bot.services
    assert not await erasing.go_on(services)
    await services.languages.read(store)
    assert room.bot.steps[written:] == []


# Endings.


@pytest.mark.parametrize("words", ["/challenge", "/newgame easy me"])
async def test_a_board_that_somebody_has_deleted_does_not_come_back_when_its_time_is_over(
    room: Room, words: str
) -> None:
    board = await room.said(room.ann, words, room.group)
    await room.house.quiet()
    room.group.delete(board)
    before = len(room.group.messages)
    await room.house.skip(LIMITS.computer + 1)
    await room.bot.look()
    await room.house.heal()
    assert room.house.newest().game.termination is Termination.EXPIRED
    assert len(room.group.messages) == before
    assert not room.house.lagging()


# Messages sent at most once.


async def test_words_whose_answer_was_lost_are_not_said_again(room: Room) -> None:
    for point in (Point.UNDER_WAY, Point.ANSWERED):
        room.house.hold(room.bot, SEND, point)
        before = len(room.playground.calls)
        await room.ann.say("/help", in_=room.group)
        await room.house.given(room.bot)
        call = room.house.stopped_call(room.bot, SEND)
        call.lose_answer()
        call.let_go()
        await room.house.heal()
        assert room.calls(SEND, before) == 1


async def test_asking_again_while_telegram_refuses_does_not_silence_the_bot(room: Room) -> None:
    for _ in range(4):
        before = room.calls(SEND)
        room.house.hold(room.bot, SEND, Point.UNDER_WAY)
        await room.ann.say("/help", in_=room.group)
        await room.house.given(room.bot)
        await room.ann.say("/help", in_=room.group)
        await room.house.given(room.bot)
        room.playground.faults.add(kind="429", method=SEND, times=1, retry_after=3)
        room.house.stopped_call(room.bot, SEND).let_go()
        await room.house.skip(4)
        await room.house.quiet()
        assert room.calls(SEND) == before + 2, "one is refused, and one is sent"


async def test_what_nobody_asked_for_is_not_said_again_and_again_while_its_answer_is_lost(room: Room) -> None:
    puzzle = await room.said(room.ann, "/puzzle", room.ann.private)
    for label in ("✕", "🔔 Remind me daily"):
        await room.pressed(room.ann, puzzle, label)
        await room.house.quiet()
    await room.house.skip(24 * 3600)
    before = room.calls(SEND)
    for _ in range(20):
        room.house.hold(room.bot, SEND, Point.ANSWERED)
        await room.bot.do(remind(room.bot.services))
        await room.bot.sweep()
        await room.house.skip(30)
    assert room.calls(SEND) - before <= 3, "in ten minutes"
    room.house.release()
    before = room.calls(SEND)
    for _ in range(3):
        await room.house.skip(2 * 3600)
        await room.bot.sweep()
    assert room.calls(SEND) == before + 1, "a message that got through is not repeated"


async def test_a_board_that_reminds_is_sent_once_though_that_it_was_sent_cannot_be_stored(room: Room) -> None:
    await room.game_of_two()
    await room.house.skip(55 * 3600)
    before = room.calls(SEND)
    room.house.hold(room.bot, SEND, Point.ANSWERED)
    await room.bot.look()
    room.house.vanish()
    room.house.stopped_call(room.bot, SEND).let_go()
    await room.house.still()
    room.house.reappear()
    for _ in range(5):
        await room.house.skip(10)
        await room.bot.sweep()
    assert room.calls(SEND) == before + 1


async def test_a_watched_game_goes_on_after_a_lost_answer_though_nobody_asks_for_anything(room: Room) -> None:
    await room.ann.say("/watch", in_=room.ann.private)
    await room.house.given(room.bot)
    room.house.hold(room.bot, SEND, Point.ANSWERED)
    await room.ann.say("/help", in_=room.group)
    await room.house.given(room.bot)
    room.house.stopped_call(room.bot, SEND).lose_answer()
    await room.house.still()
    for _ in range(30):
        await room.house.skip(0.5)
        await room.bot.fire()
        await room.bot.look()
    assert room.house.newest().game.ply > 1


async def test_a_channel_hears_nothing_when_the_bot_is_made_its_administrator(room: Room) -> None:
    bot = room.playground.bot.as_json()
    change = {
        "from": room.ann.as_json(),
        "date": int(time.time()),
        "old_chat_member": {"status": "left", "user": bot},
        "new_chat_member": {"status": "member", "user": bot},
    }
    for kind, identifier in (("channel", -1_009_000_000_001), ("group", room.group.id)):
        chat = {"id": identifier, "type": kind, "title": "News"}
        before = len(room.playground.calls)
        room.playground.world.push("my_chat_member", {**change, "chat": chat}, ("chat", identifier))
        await room.house.given(room.bot)
        assert room.calls(SEND, before) == (kind == "group"), kind


async def test_a_board_stays_where_it_is_as_long_as_it_cannot_be_brought_down(room: Room) -> None:
    board = await room.game_of_two()
    fault = room.playground.faults.add(kind="5xx", method="sendMessage")
    await room.said(room.ann, "/board", room.group)
    for _ in range(10):
        await room.house.skip(4)
        await room.bot.sweep()
        await room.bot.fire()
        assert is_board(board)
        assert await room.put(room.cem, board, 4), "it is alive"
    room.playground.faults.remove(fault)
    await room.house.heal()
    assert board.deleted
    assert is_board(room.last(room.group))
    assert not room.house.wrong()


# Inline mode.


async def test_typing_after_the_bots_name_stores_nothing(room: Room) -> None:
    before = kept(room)
    for text in ("", "h", "ha", "har", "hard"):
        query = room.ann.inline_query(text, room.group)
        await room.house.given(room.bot)
        assert query.answer.done()
    assert kept(room) == before


async def test_one_offer_begins_one_game_however_often_it_is_sent_around(room: Room) -> None:
    room.playground.bot.inline_feedback = False
    meeting = room.playground.add_meeting(room.ann, room.bo)
    query = room.ann.inline_query("", meeting)
    await room.house.given(room.bot)
    offer = result_named(query.answer.result(), "Challenge")
    first = room.ann.choose(offer, in_=meeting)
    data = str(first.keyboard[0][0]["callback_data"])
    assert await room.tapped(room.bo, first, data) is None
    await room.house.heal()
    assert is_board(first)
    again = room.ann.choose(offer, in_=meeting)
    assert await room.tapped(room.bo, again, data)
    assert await room.tapped(room.ann, again, data)
    await room.house.heal()
    assert len(room.house.records()) == 1
    assert again.keyboard == []
    assert again.text == "This invite has already been used."


# An outage.


SORRY = "Something's wrong on my side"


async def test_an_apology_is_said_in_the_topic_of_what_it_is_for(room: Room) -> None:
    forum = room.playground.add_group("Talks", [room.ann, room.bo], kind="forum")
    topic = forum.add_topic("Games")
    await room.house.given(room.bot)
    room.house.vanish()
    await room.ann.say("/newgame easy", in_=forum, topic=topic)
    (asked,) = room.house.mail
    await room.bot.poll(asked)
    await room.house.still()
    apology = room.last(forum)
    assert SORRY in apology.text
    assert apology.thread == topic.thread


async def test_a_board_whose_message_cannot_be_stored_is_not_held_but_left_to_the_sweep(room: Room) -> None:
    room.house.hold(room.bot, SEND, Point.ANSWERED)
    await room.ann.say("/newgame easy", in_=room.group)
    await room.house.given(room.bot)
    room.house.vanish()
    room.house.stopped_call(room.bot, SEND).let_go()
    await room.house.still()
    room.house.reappear()
    for _ in range(25):  # twice as long as the sweep needs
        await room.house.skip(2)
        await room.bot.hold()
        await room.bot.sweep()
    await room.house.quiet()
    assert not room.house.lagging()
    assert not room.house.wrong()
    assert room.calls(SEND) == 1


async def test_sorry_is_said_once_telegram_no_longer_delivers_it(room: Room) -> None:
    room.house.vanish()
    await room.ann.say("/newgame easy", in_=room.group)
    (asked,) = room.house.mail
    await room.bot.take(asked)
    assert room.calls(SEND) == 0
    await room.house.skip(24 * 3600 + 1)
    await room.bot.take(asked)
    await room.house.still()
    assert SORRY in room.last(room.group).text


# Messages that nobody knows of, and groups that have moved.


@pytest.mark.parametrize("where", ["group", "private chat", "topic"])
@pytest.mark.parametrize("words", ["", "ultimate"])
async def test_of_two_boards_that_were_sent_for_one_game_a_tap_counts_on_either_and_the_older_goes(
    room: Room, where: str, words: str
) -> None:
    chat: Chat = room.group if where == "group" else room.ann.private
    topic = None
    if where == "topic":
        chat = forum = room.playground.add_group("Forum", [room.ann], kind="forum")
        topic = forum.add_topic("Games")
    room.playground.faults.add(kind="answer_after", method=SEND, status=502, body=b"<html>", times=1)
    await room.ann.say(f"/newgame {words} easy me", in_=chat, topic=topic)
    await room.house.given(room.bot)
    await room.house.quiet()
    older, newer = (message for message in chat.messages.values() if message.from_bot)
    assert newer.thread == older.thread
    before = newer.labels
    assert await room.put(room.ann, older, 4) is None
    await room.house.quiet()
    assert newer.labels != before
    assert [message for message in chat.messages.values() if message.from_bot] == [newer]
    assert not room.house.wrong()


async def test_games_and_choices_follow_a_group_of_whose_move_nobody_told(room: Room) -> None:
    await room.said(room.ann, "/difficulty perfect", room.group)
    board = await room.said(room.ann, "/newgame easy me", room.group)
    await room.house.quiet()
    new = room.group.migrate()
    room.house.mail.clear()
    await room.tapped(room.ann, board, str(board.keyboard[0][0]["callback_data"]))
    await room.house.heal()  # the edit, then the new message, fail in the dead group
    game = room.house.newest().game
    assert (game.chat_id, game.ply) == (new.id, 2)
    assert not room.house.wrong()
    challenge = await room.said(room.ann, "/newgame", new)
    for label in ("Options", "Play OXO"):
        await room.pressed(room.ann, challenge, label)
    assert "perfect" in challenge.text


# Nothing is stored about people who only look around.


BEGIN: Final = frozenset({"start", "newgame", "challenge", "play", "watch", "cup", "text", "export", "forget"})
"""The commands that begin something: a game, a setting, or what is noted until it is done."""
WORDS: Final = tuple(sorted(FEATURES.commands.keys() - BEGIN | TYPED | FEATURES.words.keys()))


def kept(room: Room) -> dict[str, int]:
    """The number of rows of each table that isn't empty.

    For a day, a digest tells that a message was taken up already (`storage.once`); it says nothing of anybody. Nor
    does what is kept of the one message that a group has of the puzzle.
    """
    with room.house.engine.connect() as connection:
        counts = {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in METADATA.sorted_tables
            if table not in (DONE, GROUP_PUZZLES)
        }
    return {name: count for name, count in counts.items() if count}


def leafing(message: Message) -> list[str]:
    """The data of a message's buttons that only turn pages."""
    carried = [str(button.get("callback_data")) for row in message.keyboard for button in row]
    return [
        data
        for data in carried
        if isinstance(found := read(data), Topic | Stats | Top) or (isinstance(found, Setting) and not found.value)
    ]


@pytest.mark.parametrize("place", ["private", "group"])
async def test_asking_alone_leaves_nothing_behind(room: Room, place: str) -> None:
    chat: Chat = room.ann.private if place == "private" else room.group
    before = kept(room)
    for word in WORDS:
        answer = await room.said(room.ann, f"/{word}", chat)
        for data in leafing(answer):
            await room.tapped(room.ann, answer, data)
        await room.house.quiet()
        assert kept(room) == before, word


async def test_a_group_in_which_nothing_was_begun_may_come_change_and_go(room: Room) -> None:
    before = kept(room)
    group = room.playground.add_group("Visited", [room.ann, room.bo])
    await room.house.given(room.bot)
    await room.said(room.ann, "/help", group)
    group.migrate()
    await room.house.given(room.bot)
    assert kept(room) == before


# If the board must wait, the toast says so.


CLOSED_SECONDS: Final = 30
WISHES: Final[dict[str, tuple[str, Action | None]]] = {
    "a level": ("/newgame easy me", SetLevel(Level.HARD)),
    "a move that takes a search": ("/newgame 5x5 hard me", Move(0, 12)),
    "an acceptance": ("/challenge", Accept()),
    "a board that comes down": ("/games", Bring()),
    "the end of a watched game": ("/watch", Stop()),
    "a first game": ("/start", None),
}
"""What Ann says, and the button that is then tapped; None begins a game."""


@pytest.mark.parametrize(("said", "action"), WISHES.values(), ids=WISHES)
async def test_a_tap_whose_board_has_to_wait_is_told_so(room: Room, said: str, action: Action | None) -> None:
    person = room.bo if isinstance(action, Accept) else room.ann
    if said == "/games":
        await room.said(room.ann, "/newgame easy me", room.group)
    chat = room.group if action else room.ann.private
    message = await room.said(room.ann, said, chat)
    button = OnGame(room.house.newest().game.id, action) if action else Play()
    another = await room.said(room.ann, "/newgame easy me", chat)
    room.playground.faults.add(kind="429", method=EDIT, times=1, retry_after=CLOSED_SECONDS)
    await room.tapped(room.ann, another, buttons.write(OnGame(room.house.newest().game.id, Move(0, 0))))
    told = await room.tapped(person, message, buttons.write(button))
    assert told is not None
    assert read_texts(person.language).gettext(SLOW) in told
    await room.house.skip(CLOSED_SECONDS + 1)
    await room.house.becomes_right()
