"""Challenges by link: whoever opens it first plays the challenger, each in their own chat with the bot."""

from __future__ import annotations

import secrets
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from bot import challenges, placing, play
from bot.play import Board, Refusal
from bot.texts import texts
from storage import chats, games, lookups
from storage.chats import Person

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from bot.asking import Asking
    from bot.context import Asker
    from storage.game import Game


async def invite(asker: Asker, chat_id: int, first: str | None = None) -> str | None:
    """Make a challenge by link in a person's private chat; the result is why not, if it is not made."""
    t = asker.t
    if chat_id != asker.user.id:
        return t.gettext("That works in our private chat.")
    game = await asker.services.store.run(partial(_invite, asker=asker, first=first))
    if game is None:
        return t.gettext(
            "{count} of your challenges are waiting here already. Cancel one, and you can make another."
        ).format(count=challenges.MOST_OPEN)
    asker.services.publisher.show(game)
    return None


async def follow(asked: Asking, token: str) -> None:
    """Take up the challenge behind a link."""
    game, refusal = await asked.services.store.run(partial(_follow, asker=asked.asker, token=token))
    t, person = asked.t, asked.asker.user.id
    if game is not None and refusal is Refusal.NOT_OPEN and not game.is_over and game.mark_of(person) is not None:
        # Who plays already looks for the board, or the link comes a second time after a crash.
        placing.bring_down(asked.services, game, guest=person == game.guest_chat_id)
    elif game is None or refusal is Refusal.NOT_OPEN:
        asked.reply(t.gettext("This link does not work any more: somebody was faster, or it was withdrawn."))
    elif refusal is Refusal.OWN_CHALLENGE:
        asked.reply(t.gettext("This is your own link. Send it to a friend: whoever opens it first plays you."))
    else:
        # The challenger hears of it by a new message; an edit would not notify.
        taken_up = texts(game.language).gettext("Your challenge was taken up. The board is further down.")
        placing.bring_down(asked.services, game, farewell=taken_up)


def _invite(connection: Connection, *, asker: Asker, first: str | None) -> Game | None:
    if (made := games.of_update(connection, asker.update_id)) is not None:
        return made
    player, services = asker.player, asker.services
    if lookups.open_challenges(connection, player.id, player.id) >= challenges.MOST_OPEN:
        return None
    chat = chats.choose(connection, player.id, {})
    chats.see(connection, Person(player.id, player.name, player.language))
    now = int(time.time())
    game = challenges.challenge(
        player,
        first=play.goes_first(first or chat.first or play.DEFAULT_FIRST, services.rng),
        board=Board(player.id),
        language=player.language,
        now=now,
        due_at=now + services.patience.challenge,
        update_id=asker.update_id,
        token=secrets.token_urlsafe(16),
    )
    return games.add(connection, game)


def _follow(connection: Connection, *, asker: Asker, token: str) -> tuple[Game | None, Refusal | None]:
    """Seat whoever opens a link first; the link leads nobody else in."""
    player = asker.player
    game = lookups.by_token(connection, token)
    if game is None:
        return None, None
    now = int(time.time())
    taken, refusal = challenges.accept(game, player, now=now, due_at=now + asker.services.patience.reminder)
    if refusal is not None:
        return game, refusal
    chats.see(connection, Person(player.id, player.name, player.language))
    joined = replace(taken, guest_chat_id=player.id, guest_language=player.language)
    return games.save(connection, joined), None
