"""Sharing a finished game: an animation of it, or a still of its end, drawn once and then sent by its id.

Nobody's tap waits for a drawing. A picture goes to the chat where the game is shown, for who plays there; whoever
may only look on, or sees it where the bot cannot write (inline mode), gets it in their private chat.
"""

from __future__ import annotations

import base64
import hashlib
import json
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bot.delivery.entries import Picture, Words
from bot.game.acts import Act
from bot.game.gate import Access
from bot.game.machine import decide
from bot.game.refusals import Refusal
from bot.game.reviews import is_reviewable
from bot.handlers import review_links, rivals
from bot.handlers.requests import request_of
from bot.handlers.reviews import Link
from bot.thinking.workers import Job, NoAnswer
from bot.views import replays as views
from bot.views.looks import marks_of
from bot.views.people import Eyes
from bot.views.refusals import REFUSALS, words_for
from bot.views.texts import N_, language_of, texts
from bot.views.view import View, keyboard
from storage import board_messages, chats, forgotten, games, lookups, replays
from storage.errors import GameNotFound, StorageError
from storage.record import Record
from storage.replays import Key

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection
    from telegram import Update

    from bot.context import Context
    from bot.game.acts import Wish
    from bot.handlers.requests import CommandRequest, Sender
    from storage.board import Board
    from storage.game import Game

SECONDS: Final = 30.0
"""What drawing may take; it takes about one, unless others need the processor."""
STYLE: Final = 1
"""Counts the ways in which games have been drawn: what Telegram keeps of an earlier one is drawn anew."""
DRAWING: Final = N_("I am drawing it.")
HERE: Final = N_("It is here already. In a moment you can share it again.")
CANNOT: Final = N_("I cannot draw it now. Please try again in a minute.")
NOTHING: Final = N_("There is no finished game here to share.")
ELSEWHERE: Final = N_("I can send it to you in our private chat.")
FORMS: Final = {Act.SHARE: "animation", Act.STILL: "still"}
STILLS: Final = frozenset({"still", "picture", "photo"})
"""The words after /share that ask for the still."""


class Asked(NamedTuple):
    """What became of the wish to share a game."""

    game: Game
    board: Board | None = None
    """The board that it was asked on; None in a chat that has none."""
    look: str = ""
    refusal: Refusal | None = None
    elsewhere: bool = False
    """Whether this person gets it in their private chat alone."""
    claimed: bool = False
    """Whether it is to be sent now."""


async def tapped(sender: Sender, act: Act, game_id: int) -> str | Link | None:
    """Share a game from a button; the result is what its tapper is told, or where they are led.

    Raises:
        StorageError: if the game is not there, or cannot be read.
    """
    ask = partial(_ask, game_id=game_id, wish=sender.wish(act), update_id=sender.update_id)
    asked = await sender.services.store.run(ask)
    if asked.elsewhere:
        return Link(_link(sender, game_id))
    if asked.refusal is not None:
        return words_for(asked.refusal)
    if not asked.claimed:
        return HERE
    sender.services.publisher.say_later(_made(sender, asked, act))
    return DRAWING


async def share(update: Update, context: Context) -> None:
    """Share the game whose message is answered, else the newest finished one here; with a word, as a still."""
    if (request := request_of(update, context)) is None:
        return
    t, words = request.t, [word.lower() for word in context.args or []]
    if not set(words) <= STILLS:
        request.reply(t.gettext("Say <code>/share</code>, or <code>/share picture</code> for a still."))
        return
    act = Act.STILL if words else Act.SHARE
    game_id = await request.services.store.run(partial(_find, request=request))
    if game_id is None:
        request.reply(t.gettext(NOTHING))
        return
    done = await tapped(request.sender, act, game_id)
    if isinstance(done, Link):
        there = keyboard([[{"text": t.gettext("Share"), "url": done.url}]])
        request.reply(View(t.gettext(ELSEWHERE), there))
    elif done is not None and done != DRAWING:
        request.reply(t.gettext(done))


async def follow(request: CommandRequest, game_id: int) -> None:
    """Send a game to a person's private chat, who has seen it elsewhere.

    Raises:
        StorageError: if the game is not there, or cannot be read.
    """
    sender = request.sender
    asked = await request.services.store.run(partial(_ask_aside, game_id=game_id, sender=sender))
    if asked.refusal is not None:
        request.reply(request.t.gettext(REFUSALS[asked.refusal]))
    elif asked.claimed:
        request.services.publisher.say_later(_made(sender, asked, Act.SHARE))
    else:
        request.reply(request.t.gettext(HERE))


def _ask(connection: Connection, *, game_id: int, wish: Wish, update_id: int) -> Asked:
    """Decide about a wish to share, and claim the sending."""
    record = games.load(connection, game_id)
    game, where = record.game, wish.where
    ruling = decide(record, wish).result
    if ruling.access is Access.NOTHING:
        return Asked(game, refusal=Refusal.NOT_YOURS)
    if not is_reviewable(game):
        return Asked(game, refusal=Refusal.NOT_FINISHED)
    if ruling.access is Access.SEE or where.chat_id is None:
        return Asked(game, elsewhere=True)
    board = _board_in(record, where.chat_id)
    claimed = replays.claim(connection, game_id, where.chat_id, FORMS[wish.act], wish.now, update_id=update_id)
    chosen = chats.load(connection, where.chat_id).look if board is None else None
    return Asked(game, board, views.look_of(board, chosen), claimed=claimed)


def _ask_aside(connection: Connection, *, game_id: int, sender: Sender) -> Asked:
    """Likewise for a person's private chat, into which a link of theirs has led."""
    record, person = games.load(connection, game_id), sender.user.id
    if not is_reviewable(record.game):
        return Asked(record.game, refusal=Refusal.NOT_FINISHED)
    board = _board_in(record, person)
    # Of who was forgotten, and only looks on, not even that is noted.
    claimed = forgotten.is_gone(connection, person) or replays.claim(
        connection, game_id, person, FORMS[Act.SHARE], int(time.time()), update_id=sender.update_id
    )
    return Asked(record.game, board, views.look_of(board, chats.load(connection, person).look), claimed=claimed)


def _find(connection: Connection, *, request: CommandRequest) -> int | None:
    """The game that a command means."""
    replied = request.message.reply_to_message
    said = None if replied is None else lookups.on_message(connection, request.chat_id, replied.message_id)
    found = lookups.newest(connection, request.chat_id) if said is None else [said]
    return next((record.game.id for record in found if is_reviewable(record.game)), None)


def _board_in(record: Record, chat_id: int) -> Board | None:
    here = [board for board in record.boards if board.chat_id == chat_id and not board.leaving]
    return here[-1] if here else None


async def _made(sender: Sender, asked: Asked, act: Act) -> Words:
    """The message with the picture, drawn now if Telegram does not keep it; or that it cannot be drawn."""
    services, game, board = sender.services, asked.game, asked.board
    chat_id = sender.where.chat_id or sender.user.id
    shared = board is not None and board.viewer is None
    t = texts(board.language) if board is not None and shared else sender.t
    language = board.language if board is not None and shared else sender.player.language
    drawn = views.scene(game, asked.look, t)
    key = Key(game.id, FORMS[act], asked.look, language_of(language))
    digest = _digest(drawn)
    say = partial(Words, chat_id, thread_id=sender.where.thread_id, person=sender.user.id)
    try:
        content = await _content(sender, key, digest, drawn)
    except (NoAnswer, StorageError):
        with suppress(StorageError):
            await services.store.run(partial(replays.release, game_id=game.id, chat_id=chat_id, form=key.form))
        return say(View(sender.t.gettext(CANNOT)))
    scene = partial(views.scene, look=asked.look, t=t)
    picture = Picture(
        content,
        "replay.gif" if act is Act.SHARE else "replay.png",
        moving=act is Act.SHARE,
        sent=partial(_sent, sender, key, scene, digest, chat_id),
        lost=partial(_lost, sender, asked, act, key),
        holds=partial(_holds, sender, asked, act, lambda current: scene(current) == drawn),
    )
    eyes = Eyes(None, t, marks_of(asked.look))
    text = views.caption(game, eyes, rivals.link(sender, game), as_text=board is not None and board.as_text)
    plays = board is not None or game.mark_of(sender.user.id) is not None
    return say(views.below(text, game, t, moving=picture.moving and plays), picture=picture)


async def _content(sender: Sender, key: Key, digest: str, drawn: dict[str, Any]) -> bytes | str:
    """The id of a picture that Telegram keeps, else the picture itself.

    Raises:
        NoAnswer: if it cannot be drawn.
        StorageError: if the database cannot be used.
    """
    services = sender.services
    if file_id := await services.store.run(partial(replays.find, key=key, digest=digest)):
        return file_id
    arguments = {**drawn, "moving": key.form == FORMS[Act.SHARE], "seconds": SECONDS}
    # Whoever waits for a move comes first; and each person's drawing is a job of its own.
    about = ("replay", key, sender.user.id)
    job = Job(about, "replay", arguments, urgent=False, whose=sender.user.id)
    return base64.b64decode(await services.workers.run(job))


async def _holds(sender: Sender, asked: Asked, act: Act, shows: Callable[[Game], bool]) -> bool:
    """Whether a picture that comes to its turn shows the game as it is now.

    Where somebody in it was forgotten meanwhile, it is drawn anew; where the game is gone, nothing is sent.
    """
    try:
        current = (await sender.services.store.run(partial(games.load, game_id=asked.game.id))).game
    except GameNotFound:
        return False
    if shows(current):
        return True
    sender.services.publisher.say_later(_made(sender, asked._replace(game=current), act))
    return False


async def _sent(  # noqa: PLR0917 - the last two are delivery's
    sender: Sender,
    key: Key,
    scene: Callable[[Game], dict[str, Any]],
    digest: str,
    chat_id: int,
    message_id: int,
    file_id: str,
) -> None:
    """Remember what Telegram keeps now, and that its message belongs to the game.

    Nothing of what shows somebody who was forgotten meanwhile, nor of their chat.
    """

    def store(connection: Connection) -> None:
        replays.note_sent(connection, key.game_id, chat_id, key.form, sender.update_id)
        record = games.load_many(connection, [key.game_id]).get(key.game_id)
        if isinstance(record, Record) and _digest(scene(record.game)) == digest:
            replays.keep(connection, key, digest, file_id)
        if chat_id < 0 or not forgotten.is_gone(connection, chat_id):
            board_messages.remember(connection, chat_id, message_id, key.game_id)

    await sender.services.store.run(store)


def _lost(sender: Sender, asked: Asked, act: Act, key: Key, file_id: str) -> None:
    """Draw anew what Telegram does not keep any more."""

    async def anew() -> Words:
        await sender.services.store.run(partial(replays.lose, key=key, file_id=file_id))
        return await _made(sender, asked, act)

    sender.services.publisher.say_later(anew())


def _digest(drawn: dict[str, Any]) -> str:
    """What stands for all that a picture shows."""
    return hashlib.sha256(json.dumps([STYLE, drawn], sort_keys=True).encode()).hexdigest()[:16]


def _link(sender: Sender, game_id: int) -> str:
    services = sender.services
    return services.publisher.link_to(
        review_links.write(game_id, sender.user.id, services.key, review_links.SHARE)
    )
