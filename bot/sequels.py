"""The use cases that need more of the database than one game: the next game, the takeback's leave, the level."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from bot import acts, play
from bot.play import Refusal
from storage import chats, games

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from bot.context import Asker
    from bot.tapped import Tapped
    from storage.game import Game


async def follow(asker: Asker, game_id: int, action: str) -> Refusal | None:
    """Begin the game after a finished one; between two people, once both want it (`action` is rematch)."""
    services = asker.services
    finished, following, refusal = await services.store.run(
        partial(_follow, asker=asker, game_id=game_id, action=action)
    )
    if refusal is not Refusal.NOT_YOURS:
        services.publisher.show(finished)
    if following is not None:
        services.publisher.show(following)
    return refusal


async def is_rematch(asker: Asker, game_id: int, ply: int) -> bool:
    """Whether saying yes in this game, as it was shown at `ply`, means another one."""
    return await asker.services.store.run(partial(_is_rematch, game_id=game_id, ply=ply))


async def undo(asker: Asker, game_id: int, ply: int) -> Refusal | None:
    """Take back a move, or ask the other person to allow it."""
    game, refusal = await asker.services.store.run(partial(_undo, asker=asker, game_id=game_id, ply=ply))
    if refusal is not Refusal.NOT_YOURS:
        asker.services.publisher.show(game)
    return refusal


async def level_of(asker: Asker, message: Tapped | None) -> str:
    """The level of new games in the chat of a message."""
    if message is None:
        return play.DEFAULT_LEVEL
    chat = await asker.services.store.run(partial(chats.load, chat_id=message.chat_id))
    return chat.level or play.DEFAULT_LEVEL


def _is_rematch(connection: Connection, *, game_id: int, ply: int) -> bool:
    game = games.load(connection, game_id)
    offer = acts.offer_of(game)
    return offer is not None and offer.kind == acts.REMATCH and game.ply == ply


def _follow(
    connection: Connection, *, asker: Asker, game_id: int, action: str
) -> tuple[Game, Game | None, Refusal | None]:
    """Store the game that follows; or find it, if this update has made it before."""
    game = games.load(connection, game_id)
    if (made := games.of_update(connection, asker.update_id)) is not None:
        return game, made, None
    if game.has_taken(asker.update_id):
        return game, None, None
    person = asker.user.id
    if refusal := play.refuse_to_follow(game, person):
        return game, None, refusal
    if not game.is_against_computer and not acts.wants_rematch(game, person):
        asked, refusal = acts.ask_rematch(game, person=person)
        return (games.save(connection, asked, asker.update_id) if refusal is None else game), None, refusal
    now = int(time.time())
    patience = asker.services.patience
    following = play.follow(
        game,
        swap=action != "again",
        update_id=asker.update_id,
        now=now,
        due_at=now + (patience.computer if game.is_against_computer else patience.reminder),
        rng=asker.services.rng,
    )
    finished = replace(game, offer=None)
    if game.inline_message_id is not None:
        # The message passes on to the next game, because the bot cannot send another one there.
        finished = games.save(connection, replace(finished, inline_message_id=None))
    following = games.add(connection, following)
    return games.save(connection, replace(finished, next_game=following.id)), following, None


def _undo(connection: Connection, *, asker: Asker, game_id: int, ply: int) -> tuple[Game, Refusal | None]:
    game = games.load(connection, game_id)
    if game.has_taken(asker.update_id):
        return game, None
    mark = game.mark_of(asker.user.id)
    other = None if mark is None else game.seat(mark.other)
    allowed = other is not None and chats.allows_takebacks(connection, other)
    changed, refusal = acts.undo(game, person=asker.user.id, ply=ply, allowed=allowed, now=int(time.time()))
    return (games.save(connection, changed, asker.update_id) if refusal is None else game), refusal
