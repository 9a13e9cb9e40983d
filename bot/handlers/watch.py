"""/watch: the computer plays itself in a chat; and the buttons and commands of such a game."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from bot.game.acts import Act
from bot.game.new_game import DEFAULT_LEVEL
from bot.game.states import free_seat
from bot.game.watched import MOST, PACES, is_watched, pace_of, watched
from bot.handlers.acting import Done, act
from bot.handlers.requests import request_of
from bot.views import watch_words, words
from bot.views.refusals import words_for
from bot.views.texts import N_
from storage import boards, chats, games, lookups
from storage.board import Place
from storage.chats import Person
from storage.record import Made

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection
    from telegram import Update

    from bot.context import Context
    from bot.handlers.requests import CommandRequest, Sender
    from bot.views.watch_words import Wished
    from storage.game import Game

SOON_SECONDS: Final = 600
"""By when the next move of every game that goes on is due."""

GOING_ON: Final = N_(
    "I am playing myself here already. Only who let me begin that, or an administrator, can stop it."
)
TOO_MANY: Final = N_("I am playing myself in too many chats just now. Please try again in a minute.")
NOTHING_TO_WATCH: Final = N_("I am not playing myself here. /watch lets me begin.")

COMMANDS: Final = {
    "stop": Act.STOP,
    "faster": Act.FASTER,
    "take_x": Act.TAKE_X,
    "take_o": Act.TAKE_O,
    "play_winner": Act.WINNER,
}
"""What buttons do, for who types."""


async def watch(update: Update, context: Context) -> None:
    """Let the computer play itself; what it plays here already ends, if the person may stop that."""
    if (request := request_of(update, context)) is None:
        return
    try:
        wished = watch_words.read(context.args or [], request.t)
    except words.WordError as error:
        request.reply(watch_words.complaint(error, request.t))
        return
    sender = request.sender
    if refusal := await _make_room(sender):
        request.reply(request.t.gettext(refusal))
        return
    made = await request.services.store.run(partial(_begin, sender=sender, chat_id=request.chat_id, wished=wished))
    if made is None:
        request.reply(request.t.gettext(GOING_ON))
        return
    request.services.publisher.show_made(made)
    if is_watched(made.record.game):
        request.services.watching.go_on(made.record.game.id, made.record.game.ply, PACES[-1])


async def tapped(sender: Sender, game_id: int, what: Act, arrived: float, *, ply: int) -> str | None:
    """Do what a button of such a game says; the result is what its tapper is told."""
    done = await _wished(sender, game_id, what, arrived=arrived, ply=ply)
    return done.words if isinstance(done, Done) else done


async def _asked(sender: Sender, game_id: int, what: Act, below: int | None = None) -> str | None:
    """Do what somebody asks of such a game in words; the result is why not."""
    done = await _wished(sender, game_id, what, below=below)
    return words_for(done.refusal) if isinstance(done, Done) else done


async def _wished(sender: Sender, game_id: int, what: Act, **details: Any) -> Done | str:  # noqa: ANN401 - as `act`
    """Do what somebody asks of a game that the computer plays against itself, or say why it cannot begin."""
    watching = sender.services.watching
    if what is Act.WATCH and (refusal := await _no_room(sender)) is not None:
        return refusal
    done = await act(sender, game_id, what, **details)
    game = done.record.game
    if done.refusal is not None:
        return done
    if what is Act.WATCH and game.next_game is not None:
        watching.go_on(game.next_game, 0, PACES[-1])
    elif is_watched(game):
        watching.go_on(game.id, game.ply, pace_of(game))
    else:
        watching.leave(game.id)
    return done


async def typed(update: Update, context: Context) -> None:
    """Do what a command says with the newest game here that it fits."""
    request = request_of(update, context)
    message = update.effective_message
    if request is None or message is None:
        return
    what = COMMANDS[(message.text or "")[1:].split()[0].partition("@")[0].lower()]
    game_id = await request.services.store.run(partial(_meant, chat_id=request.chat_id, what=what))
    refusal = (
        NOTHING_TO_WATCH if game_id is None else await _asked(request.sender, game_id, what, message.message_id)
    )
    if refusal:
        request.reply(request.t.gettext(refusal))


async def again(request: CommandRequest) -> bool:
    """Let the computer play itself once more, if the newest game here was such a one; False if it was not."""
    game_id = await request.services.store.run(partial(_meant, chat_id=request.chat_id, what=Act.WATCH))
    if game_id is None:
        return False
    below = request.message.message_id
    if refusal := await _asked(request.sender, game_id, Act.WATCH, below):
        request.reply(request.t.gettext(refusal))
    return True


async def _going_on(sender: Sender) -> Sequence[Game]:
    """What the computer plays against itself, in all chats."""
    return await sender.services.store.run(_going_on_now)


def _going_on_now(connection: Connection) -> Sequence[Game]:
    return lookups.watched(connection, by=int(time.time()) + SOON_SECONDS, limit=MOST)


async def _no_room(sender: Sender) -> str | None:
    """Why the computer cannot begin to play against itself in a chat now."""
    games_ = await _going_on(sender)
    if any(game.chat_id == sender.where.chat_id for game in games_):
        return GOING_ON
    return TOO_MANY if len(games_) >= MOST else None


async def _make_room(sender: Sender) -> str | None:
    """End what the computer plays against itself in a chat, if the person may; else why it cannot begin anew."""
    for game in await _going_on(sender):
        if game.chat_id == sender.where.chat_id and game.update_id != sender.update_id:
            await _asked(sender, game.id, Act.STOP)
        elif game.chat_id == sender.where.chat_id:
            return None  # the command comes a second time
    return await _no_room(sender)


def _begin(connection: Connection, *, sender: Sender, chat_id: int, wished: Wished) -> Made | None:
    """Store a game of the computer against itself, or find the one that this update has made before.

    None where another process has begun one in the chat meanwhile.
    """
    if (made := games.of_update(connection, sender.update_id)) is not None:
        return Made(made, is_new=False)
    player, services = sender.player, sender.services
    chat = chats.choose(connection, chat_id, {})
    chats.hold(connection, chat_id)
    if any(game.chat_id == chat_id for game in _going_on_now(connection)):
        return None
    chats.see(connection, Person(player.id, player.name, player.language))
    usual = chat.level or DEFAULT_LEVEL
    players = (wished.x or usual, wished.o or wished.x or usual)
    rules = wished.rules or watch_words.board_for(players, chat.rules)
    game = watched(
        player,
        *players,
        rules=rules,
        chat_id=chat_id,
        now=int(time.time()),
        limits=services.limits,
        rng=services.rng,
        update_id=sender.update_id,
    )
    viewer = player.id if chat_id > 0 else None
    place = Place(chat_id, sender.where.thread_id, viewer=viewer, language=player.language)
    return Made(boards.add(connection, game, [place]))


def _meant(connection: Connection, *, chat_id: int, what: Act) -> int | None:
    """The game that a command means: the newest of the chat in which it can mean something."""
    for record in lookups.newest(connection, chat_id):
        game = record.game
        fits = game.host is not None and game.is_over is (what in (Act.WATCH, Act.WINNER))
        if fits or (what in (Act.TAKE_X, Act.TAKE_O) and not game.is_over and free_seat(game) is not None):
            return game.id
        if what is Act.WATCH:
            return None
    return None
