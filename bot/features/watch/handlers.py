"""/watch: exhibitions, in which the computer plays itself, and their buttons and commands."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from sqlalchemy import Connection
from telegram import Update

from bot.boards.refusals import words_for
from bot.boards.translations import N_
from bot.boards.typed_rules import WordError
from bot.context.acting import Done, act
from bot.context.requests import CommandRequest, Requester, request_of
from bot.context.services import Context
from bot.features.watch import words as watch_words
from bot.features.watch.words import Lineup
from bot.game import actions
from bot.game.actions import OfExhibition
from bot.game.exhibitions import MOST, PACES, exhibition, is_watched, pace_of
from bot.game.new_game import ADAPTIVE, USUAL_LEVEL
from storage.games import boards, games, lookups
from storage.games.board import Place
from storage.games.game import Game
from storage.games.record import Made
from storage.people import chats, people

SOON_SECONDS: Final = 600
"""A time by which the next move of every running exhibition is due."""

GOING_ON: Final = N_(
    "A computer game is already running here. Only the person who started it or an admin can stop it."
)
TOO_MANY: Final = N_("Too many computer games are running right now. Try again in a minute.")
NOTHING_TO_WATCH: Final = N_("There's no computer game here. Send /watch to start one.")

COMMANDS: Final[Mapping[str, OfExhibition]] = {
    "stop": actions.Stop(),
    "faster": actions.GoFaster(),
    "play_winner": actions.PlayWinner(),
}
"""The commands that do what the buttons do."""


async def watch(update: Update, context: Context) -> None:
    """Start an exhibition; one that is running here ends, if the person may stop it."""
    if (request := request_of(update, context)) is None:
        return
    try:
        lineup = watch_words.read(context.args or [], request.t)
    except WordError as error:
        request.reply(watch_words.complaint(error, request.t))
        return
    requester = request.requester
    if refusal := await _make_room(requester):
        request.reply(request.t.gettext(refusal))
        return
    made = await request.services.store.run(
        partial(_begin, requester=requester, chat_id=request.chat_id, lineup=lineup)
    )
    if made is None:
        request.reply(request.t.gettext(GOING_ON))
        return
    request.services.publisher.show_made(made)
    if is_watched(made.record.game):
        request.services.exhibitions.go_on(made.record.game.id, made.record.game.ply, PACES[-1])


async def tapped(requester: Requester, game_id: int, action: OfExhibition) -> str | None:
    """Do what a button of an exhibition says; returns what the tapper is told."""
    done = await _done(requester, game_id, action)
    return done.words if isinstance(done, Done) else done


async def _asked(requester: Requester, game_id: int, action: OfExhibition, below: int | None = None) -> str | None:
    """Do what a command asks of an exhibition; returns why not, if it can't."""
    done = await _done(requester, game_id, action, below=below)
    return words_for(done.refusal) if isinstance(done, Done) else done


async def _done(
    requester: Requester,
    game_id: int,
    action: OfExhibition,
    *,
    below: int | None = None,
) -> Done | str:
    """Do what somebody asks of an exhibition, or say why another can't start."""
    exhibitions = requester.services.exhibitions
    again = isinstance(action, actions.WatchAgain)
    if again and (refusal := await _no_room(requester)) is not None:
        return refusal
    done = await act(requester, game_id, action, below=below)
    game = done.record.game
    if done.refusal is not None:
        return done
    if again and game.next_game is not None:
        exhibitions.go_on(game.next_game, 0, PACES[-1])
    elif is_watched(game):
        exhibitions.go_on(game.id, game.ply, pace_of(game))
    else:
        exhibitions.leave(game.id)
    return done


async def typed(update: Update, context: Context) -> None:
    """Apply a command to the newest exhibition here that it fits."""
    request = request_of(update, context)
    message = update.effective_message
    if request is None or message is None:
        return
    action = COMMANDS[(message.text or "")[1:].split()[0].partition("@")[0].lower()]
    game_id = await request.services.store.read(partial(_meant, chat_id=request.chat_id, action=action))
    refusal = (
        NOTHING_TO_WATCH
        if game_id is None
        else await _asked(request.requester, game_id, action, message.message_id)
    )
    if refusal:
        request.reply(request.t.gettext(refusal))


async def again(request: CommandRequest) -> bool:
    """Start the exhibition again, if the newest game here was one; False if it wasn't."""
    action = actions.WatchAgain()
    game_id = await request.services.store.read(partial(_meant, chat_id=request.chat_id, action=action))
    if game_id is None:
        return False
    below = request.message.message_id
    if refusal := await _asked(request.requester, game_id, action, below):
        request.reply(request.t.gettext(refusal))
    return True


async def _going_on(requester: Requester) -> Sequence[Game]:
    """The running exhibitions in all chats."""
    return await requester.services.store.read(_going_on_now)


def _going_on_now(connection: Connection) -> Sequence[Game]:
    return lookups.watched(connection, by=int(time.time()) + SOON_SECONDS, limit=MOST)


async def _no_room(requester: Requester) -> str | None:
    """Why no exhibition can start in a chat now; None if one can."""
    games_ = await _going_on(requester)
    if any(game.chat_id == requester.where.chat_id for game in games_):
        return GOING_ON
    return TOO_MANY if len(games_) >= MOST else None


async def _make_room(requester: Requester) -> str | None:
    """End the chat's exhibition if the person may; else say why no other can start."""
    for game in await _going_on(requester):
        if game.chat_id == requester.where.chat_id and game.update_id != requester.update_id:
            await _asked(requester, game.id, actions.Stop())
        elif game.chat_id == requester.where.chat_id:
            return None  # a second delivery of the command
    return await _no_room(requester)


def _begin(connection: Connection, *, requester: Requester, chat_id: int, lineup: Lineup) -> Made | None:
    """Store a new exhibition, or find the one that this update has already made.

    None if another process has started one in the chat meanwhile.
    """
    if (made := games.of_update(connection, requester.update_id)) is not None:
        return Made(made, is_new=False)
    player, services = requester.player, requester.services
    chat = chats.choose(connection, chat_id, {})
    chats.hold(connection, chat_id)
    if any(game.chat_id == chat_id for game in _going_on_now(connection)):
        return None
    people.see(connection, player)
    usual = USUAL_LEVEL if chat.level in (None, ADAPTIVE) else chat.level
    players = (lineup.x or usual, lineup.o or lineup.x or usual)
    rules = lineup.rules or watch_words.board_for(players, chat.rules)
    game = exhibition(
        player,
        *players,
        rules=rules,
        chat_id=chat_id,
        now=int(time.time()),
        limits=services.limits,
        rng=services.rng,
        update_id=requester.update_id,
    )
    viewer = player.id if chat_id > 0 else None
    place = Place(chat_id, requester.where.thread_id, viewer=viewer, language=player.language)
    return Made(boards.add(connection, game, [place]))


def _meant(connection: Connection, *, chat_id: int, action: OfExhibition) -> int | None:
    """The exhibition that a command means: the newest of the chat that it fits."""
    for record in lookups.newest(connection, chat_id):
        game = record.game
        if game.is_exhibition and game.is_over is isinstance(action, actions.WatchAgain | actions.PlayWinner):
            return game.id
        if isinstance(action, actions.WatchAgain):
            return None
    return None
