"""What the buttons do: each tap is read, taken to one use case, and answered."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from bot import buttons, commands, play, views
from bot.buttons import Again, ChooseFirst, ChooseLevel, SetFirst, SetLevel, Tap
from bot.play import Refusal
from bot.publisher import Message
from bot.texts import texts
from bot.views import N_
from storage import chats, games
from storage.errors import CorruptGame, GameNotFound

if TYPE_CHECKING:
    from gettext import NullTranslations
    from random import Random

    from sqlalchemy import Connection
    from telegram import CallbackQuery, Update

    from bot.context import Context, Services
    from storage.game import Game

log = logging.getLogger(__name__)

REFUSALS: Final = {
    Refusal.NOT_YOURS: N_("This is somebody else's game. Start your own with /newgame."),
    Refusal.OVER: N_("This game is over."),
    Refusal.STALE: N_("The board has moved on. Here is how it stands now."),
    Refusal.TAKEN: N_("That cell is taken. Choose an empty one."),
    Refusal.NOT_YOUR_TURN: N_("It is not your turn yet."),
    Refusal.BEGUN: N_("The game has begun. You can choose anew in the next one."),
    Refusal.FOLLOWED: N_("The next game is already there, further down."),
}
"""What a person is told when something is not done."""

UNKNOWN_BUTTON: Final = N_("I do not know this button. /newgame gives you a fresh board.")
UNKNOWN_GAME: Final = N_("I do not know this game any more. /newgame starts another.")
BROKEN_GAME: Final = N_("I cannot read my notes of this game. Sorry! /newgame starts another.")


async def on_button(update: Update, context: Context) -> None:
    """Take a tap on any button."""
    query = update.callback_query
    if query is None:
        return
    services = context.services
    t = texts(query.from_user.language_code)
    button = buttons.read(query.data)
    try:
        match button:
            case Tap(game_id, ply, cell):
                tap = partial(play.tap, person=query.from_user.id, ply=ply, cell=cell, rng=services.rng)
                words = await _change(services, query, game_id, tap)
            case SetLevel(game_id, level) if level in views.LEVELS:
                change = partial(play.set_level, person=query.from_user.id, level=level, rng=services.rng)
                words = await _change(services, query, game_id, change)
            case SetFirst(game_id, first) if first in ("me", "bot"):
                change = partial(play.set_first, person=query.from_user.id, first=first, rng=services.rng)
                words = await _change(services, query, game_id, change)
            case Again():
                words = await _again(services, query, button, update.update_id)
            case ChooseLevel(level) if level in views.LEVELS:
                words = await _choose(services, query, "level", level, t)
            case ChooseFirst(first) if first in play.FIRSTS:
                words = await _choose(services, query, "first", first, t)
            case _:
                words = UNKNOWN_BUTTON
    except GameNotFound:
        words = UNKNOWN_GAME
    except CorruptGame as error:
        log.error("%s", error, extra={"game_id": error.game_id, "update_id": update.update_id})  # noqa: TRY400
        words = BROKEN_GAME
    services.publisher.answer(query.id, t.gettext(words) if words else None)


async def _change(services: Services, query: CallbackQuery, game_id: int, change: play.Change) -> str | None:
    """Change a game and show it; the result is what the person is told if it was refused."""
    game, refusal = await services.store.change(game_id, change)
    if refusal is not Refusal.NOT_YOURS:
        game = await _adopted(services, query, game)
    if refusal in (None, Refusal.STALE, Refusal.OVER, Refusal.BEGUN):
        services.publisher.show(game)
    return REFUSALS[refusal] if refusal else None


async def _adopted(services: Services, query: CallbackQuery, game: Game) -> Game:
    """Let the message that a player taps be the game's board.

    It already is, except where the stored message never got its confirmation: the process ended, or the call timed
    out, between Telegram's sending it and our hearing of it.
    """
    message = query.message
    if message is None or message.chat.id != game.chat_id or message.message_id == game.message_id:
        return game
    place = partial(games.place, game_id=game.id, message_id=message.message_id, shown=0)
    await services.store.run(place)
    return replace(game, message_id=message.message_id)


async def _again(services: Services, query: CallbackQuery, button: Again, update_id: int) -> str | None:
    follow = partial(
        _follow,
        button=button,
        person=query.from_user.id,
        update_id=update_id,
        rng=services.rng,
    )
    finished, following, refusal = await services.store.run(follow)
    if refusal is not Refusal.NOT_YOURS:
        services.publisher.show(finished)
    if following is not None:
        services.publisher.show(following)
    return REFUSALS[refusal] if refusal else None


def _follow(
    connection: Connection, *, button: Again, person: int, update_id: int, rng: Random
) -> tuple[Game, Game | None, Refusal | None]:
    """Store the game that follows a finished one; or find it, if this update has made it before."""
    game = games.load(connection, button.game_id)
    if (made := games.of_update(connection, update_id)) is not None:
        return game, made, None
    if refusal := play.refuse_to_follow(game, person):
        return game, None, refusal
    now = int(time.time())
    following = games.add(connection, play.follow(game, swap=button.swap, update_id=update_id, now=now, rng=rng))
    finished = games.next_version(replace(game, next_game=following.id), now)
    games.save_many(connection, [(finished, game.version)])
    return finished, following, None


async def _choose(
    services: Services, query: CallbackQuery, kind: str, value: str, t: NullTranslations
) -> str | None:
    """Save a chat's choice and mark it in the menu."""
    message = query.message
    if message is None:
        return UNKNOWN_BUTTON
    chat = await services.store.run(partial(chats.choose, chat_id=message.chat.id, choices={kind: value}))
    view = views.choices(kind, commands.chosen(kind, chat), query.from_user.language_code)
    services.publisher.say(Message(message.chat.id, view, message_id=message.message_id))
    return commands.confirmation(kind, chat, t)
