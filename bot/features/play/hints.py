"""Hints: the best cell, marked on the board, and its reason in words; right away, or after a search."""

from __future__ import annotations

from collections.abc import Coroutine
from functools import partial
from typing import Final, NamedTuple

from bot.boards.refusals import REFUSALS
from bot.boards.translations import N_
from bot.context.requests import Requester
from bot.features.play.hint_words import words_for_hint
from bot.game import actions
from bot.game.gate import permit
from bot.game.hints import Hint
from bot.game.hints import hint as best_cell
from bot.game.refusals import Refusal
from bot.workers import jobs
from bot.workers.pool import Job, NoAnswer, Superseded
from storage.errors import StorageError
from storage.games import games
from storage.games.game import Game, rules_of
from storage.games.record import Record

SECONDS: Final = 1.0
"""How many seconds the search may take; a tap has to be answered soon."""
BUSY: Final = N_("I'm too busy thinking right now. Please ask again in a moment.")


class Later(NamedTuple):
    """An answer that takes a search."""

    words: Coroutine[None, None, str | None]
    """Searches, and gives the answer; None if the same was asked again, and is answered then."""


async def hint(requester: Requester, game_id: int) -> str | Later:
    """The best cell of a game for a person, in words, which it also marks on the board; or why there is none.

    Raises:
        StorageError: if the game is not there, or cannot be read.
    """
    record = await requester.services.store.read(partial(games.load, game_id=game_id))
    found = permit(record, actions.Hint(), requester.attempt()).refusal or best_cell(record.game)
    if isinstance(found, Refusal):
        return REFUSALS[found]
    if found is not None:
        return _shown(requester, record, found)
    return Later(_searched(requester, record.game))


async def _searched(requester: Requester, game: Game) -> str | None:
    """Search for the cell, and show it if the game is still at the same position."""
    work = partial(jobs.best_advice, game.rules, game.moves)
    try:
        cell, why = await requester.services.workers.run(
            Job(("hint", game.id), work, SECONDS, whose=requester.user.id)
        )
        record = await requester.services.store.read(partial(games.load, game_id=game.id))
    except Superseded:
        return None
    except (NoAnswer, StorageError):
        return requester.t.gettext(BUSY)
    if record.game.moves == game.moves and not record.game.is_over:
        return _shown(requester, record, Hint(cell, why))
    return requester.t.gettext(REFUSALS[Refusal.STALE])


def _shown(requester: Requester, record: Record, found: Hint) -> str:
    """Mark the cell on all boards but text boards; returns the hint in words."""
    for board in record.boards:
        if board.message_id is not None and not board.leaving and not board.as_text:
            requester.services.publisher.show_hint(board.id, found.cell, requester.tap)
    return words_for_hint(found, rules_of(record.game.rules), requester.t)
