"""Challenges to the players of a shared game: the link below it, the choice of a player, and the challenge.

Anybody who opens the link may challenge them, a few at a time, and nobody is told of more than a few. People who
have turned reminders off are told of none; the challenger can still send them the link of the challenge.
"""

from __future__ import annotations

import secrets
import time
from functools import partial
from typing import Final

from sqlalchemy import Connection

from bot.boards import names
from bot.boards.buttons import ChallengePlayer
from bot.boards.refusals import REFUSALS
from bot.boards.rules import rules_name
from bot.boards.translations import N_
from bot.boards.view import View, button, keyboard
from bot.context import links
from bot.context.acting import MEANINGLESS, Done
from bot.context.requests import CommandRequest, Requester
from bot.game.attempt import Player
from bot.game.challenges import MOST_OPEN
from bot.game.new_game import challenge as new_challenge
from bot.game.refusals import Refusal
from storage.games import boards, games, lookups
from storage.games.board import Place
from storage.games.game import is_erased
from storage.games.record import Made
from storage.people import chats, people, preferences

NOBODY: Final = N_("Anyone who opens this link can challenge you. Send it to your friends.")
ENOUGH: Final = N_("They have plenty of challenges waiting. Please try again later.")


async def offer(request: CommandRequest, game_id: int) -> None:
    """Ask somebody who has opened the link of a game which of its players they want to challenge.

    Raises:
        StorageError: if the game is not there, or cannot be read.
    """
    await request.reply_with(partial(_offer, request, game_id))


async def _offer(request: CommandRequest, game_id: int) -> View:
    t, services = request.t, request.services
    game = (await services.store.read(partial(games.load, game_id=game_id))).game
    people = links.players_of(game)
    others = [mark for mark in people if game.seat(mark) != request.requester.user.id]
    if not others:
        return View(t.gettext(NOBODY if people else REFUSALS[Refusal.LEFT]))
    sign = links.write(game_id, 0, services.key, links.CHALLENGE).rpartition(f"{game_id}-")[2]
    rows = []
    for mark in others:
        label = t.gettext("Challenge {name}").format(name=names.plain(game.name(mark), t.gettext("Player")))
        rows.append([button(label, ChallengePlayer(game_id, mark, sign), "primary")])
    asked = t.gettext("⚔️ <b>Who do you want to challenge?</b> Board: {board}.")
    return View(asked.format(board=rules_name(game.rules, t)), keyboard(rows))


async def challenge(requester: Requester, chosen: ChallengePlayer) -> str | None:
    """Challenge a player of a shared game to the same board; returns what the tapper is told.

    Raises:
        StorageError: if the game is not there, or cannot be read.
    """
    text = f"{links.CHALLENGE}{chosen.shared}-{chosen.sign}"
    if links.read(text, 0, requester.services.key, links.CHALLENGE) is None:
        return MEANINGLESS
    if requester.where.chat_id != requester.user.id:
        return N_("That only works in our private chat.")
    made = await requester.services.store.run(partial(_challenge, requester=requester, chosen=chosen))
    if isinstance(made, str):
        return made
    return Done(made.record, None, requester.services.publisher.show_made(made)).words


def _challenge(connection: Connection, *, requester: Requester, chosen: ChallengePlayer) -> Made | str:
    """Store a challenge with a board for each of the two; or say why not."""
    if (found := games.of_update(connection, requester.update_id)) is not None:
        return Made(found, is_new=False)
    player = requester.player
    played, mark = games.load(connection, chosen.shared).game, chosen.mark
    rival = played.seat(mark)
    if is_erased(rival):
        return REFUSALS[Refusal.LEFT]
    if mark not in links.players_of(played) or rival is None or rival == player.id:
        return MEANINGLESS
    if lookups.open_challenges(connection, player.id, player.id) >= MOST_OPEN:
        return requester.t.gettext(
            "You already have {count} open challenges here. Cancel one to make another."
        ).format(count=MOST_OPEN)
    waiting = lookups.challenges_of_others(connection, rival)
    if any(game.mark_of(player.id) is not None for game in waiting) or len(waiting) >= MOST_OPEN:
        return ENOUGH
    chats.choose(connection, player.id, {})
    people.see(connection, player)
    game = new_challenge(
        player,
        first=True,
        chat_id=player.id,
        now=int(time.time()),
        limits=requester.services.limits,
        rules=played.rules,
        update_id=requester.update_id,
        rival=Player(rival, played.name(mark) or requester.t.gettext("Player")),
        link=secrets.token_urlsafe(16),
    )
    places = [Place(player.id, viewer=player.id, language=player.language)]
    if preferences.wants_notices(connection, rival, in_group=False):
        known = people.find(connection, rival)
        places.append(Place(rival, viewer=rival, language=known.language if known else None))
    return Made(boards.add(connection, game, places))
