"""Challenging who has played a shared game: the link below it, the choice among its players, and the challenge.

Whoever opens the link may challenge them, but only a few at a time, and nobody hears of more than a few: who wants
no notices hears of none, and can still be sent the link of the challenge by whoever made it.
"""

from __future__ import annotations

import secrets
import time
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.game.acts import Player
from bot.game.challenges import MOST_OPEN
from bot.game.new_game import challenge as new_challenge
from bot.game.refusals import Refusal
from bot.handlers import review_links
from bot.handlers.acting import Done
from bot.views import names
from bot.views.buttons import Dare
from bot.views.refusals import REFUSALS
from bot.views.rules import rules_name
from bot.views.texts import N_
from bot.views.view import View, button, keyboard
from engine import Mark
from storage import boards, chats, games, lookups
from storage.board import Place
from storage.chats import Person
from storage.game import COMPUTER, has_left
from storage.record import Made

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from bot.handlers.requests import CommandRequest, Sender
    from storage.game import Game

NOBODY: Final = N_("Whoever opens this link can challenge you. It is for your friends.")
ENOUGH: Final = N_("Enough challenges wait for them already. Please try again later.")
STALE: Final = N_("I do not know this button. /newgame gives you a fresh board.")


def link(sender: Sender, game: Game) -> str | None:
    """The link that leads to challenging the people who have played a game; None if nobody has."""
    if not _people(game):
        return None
    services = sender.services
    return services.publisher.link_to(review_links.write(game.id, 0, services.key, review_links.CHALLENGE))


async def offer(request: CommandRequest, game_id: int) -> None:
    """Ask who has opened the link of a game which of its players they challenge.

    Raises:
        StorageError: if the game is not there, or cannot be read.
    """
    await request.reply_with(partial(_offer, request, game_id))


async def _offer(request: CommandRequest, game_id: int) -> View:
    t, services = request.t, request.services
    game = (await services.store.run(partial(games.load, game_id=game_id))).game
    people = _people(game)
    others = [mark for mark in people if game.seat(mark) != request.sender.user.id]
    if not others:
        return View(t.gettext(NOBODY if people else REFUSALS[Refusal.LEFT]))
    sign = review_links.write(game_id, 0, services.key, review_links.CHALLENGE).rpartition(f"{game_id}-")[2]
    rows = []
    for mark in others:
        label = t.gettext("Challenge {name}").format(name=names.plain(game.name(mark), t.gettext("Player")))
        rows.append([button(label, Dare(game_id, str(mark), sign), "primary")])
    asked = t.gettext("⚔️ <b>Whom do you challenge?</b> The board is {board}.")
    return View(asked.format(board=rules_name(game.rules, t)), keyboard(rows))


async def challenge(sender: Sender, dare: Dare) -> str | None:
    """Challenge somebody to the game that they have played; the result is what the tapper is told.

    Raises:
        StorageError: if the game is not there, or cannot be read.
    """
    text = f"{review_links.CHALLENGE}{dare.game}-{dare.sign}"
    if review_links.read(text, 0, sender.services.key, review_links.CHALLENGE) is None:
        return STALE
    if sender.where.chat_id != sender.user.id:
        return N_("That works in our private chat.")
    made = await sender.services.store.run(partial(_challenge, sender=sender, dare=dare))
    if isinstance(made, str):
        return made
    return Done(made.record, None, sender.services.publisher.show_made(made)).words


def _challenge(connection: Connection, *, sender: Sender, dare: Dare) -> Made | str:
    """Store a challenge with a board for each of the two; or say why not."""
    if (found := games.of_update(connection, sender.update_id)) is not None:
        return Made(found, is_new=False)
    player = sender.player
    played, mark = games.load(connection, dare.game).game, Mark(dare.mark)
    rival = played.seat(mark)
    if has_left(rival):
        return REFUSALS[Refusal.LEFT]
    if mark not in _people(played) or rival is None or rival == player.id:
        return STALE
    if lookups.open_challenges(connection, player.id, player.id) >= MOST_OPEN:
        return sender.t.gettext(
            "{count} of your challenges are waiting here already. Cancel one, and you can make another."
        ).format(count=MOST_OPEN)
    waiting = lookups.challenges_of_others(connection, rival)
    if any(game.mark_of(player.id) is not None for game in waiting) or len(waiting) >= MOST_OPEN:
        return ENOUGH
    chats.choose(connection, player.id, {})
    chats.see(connection, Person(player.id, player.name, player.language, player.username))
    game = new_challenge(
        player,
        first=True,
        chat_id=player.id,
        now=int(time.time()),
        limits=sender.services.limits,
        rules=played.rules,
        update_id=sender.update_id,
        rival=Player(rival, played.name(mark) or sender.t.gettext("Player")),
        token=secrets.token_urlsafe(16),
    )
    places = [Place(player.id, viewer=player.id, language=player.language)]
    if chats.wants_notices(connection, rival, in_group=False):
        known = chats.find_person(connection, rival)
        places.append(Place(rival, viewer=rival, language=known.language if known else None))
    return Made(boards.add(connection, game, places))


def _people(game: Game) -> list[Mark]:
    """The marks that people have played in a finished game; not of who was forgotten."""
    if not game.is_over or game.is_challenge or game.host is not None:
        return []
    return [mark for mark in Mark if (game.seat(mark) or COMPUTER) > COMPUTER]
