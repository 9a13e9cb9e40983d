"""Hints: the best cell, marked on the board, and its reason in words; at once, or after a search by others."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.game.acts import Act
from bot.game.hints import Hint
from bot.game.hints import hint as best_cell
from bot.game.machine import decide
from bot.game.refusals import Refusal
from bot.thinking.workers import Job, NoAnswer, Superseded
from bot.views.hints import words_for_hint
from bot.views.refusals import REFUSALS, words_for
from bot.views.texts import N_
from engine import Reason
from storage import games
from storage.errors import StorageError
from storage.game import rules_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.handlers.requests import Sender
    from storage.game import Game
    from storage.record import Record

SECONDS: Final = 1.0
"""What finding a cell may take; the answer to a tap is soon too late."""
BUSY: Final = N_("I have too much to think about just now. Please ask again in a moment.")


class Later(NamedTuple):
    """An answer that follows."""


async def hint(sender: Sender, game_id: int, say: Callable[[str | None], None]) -> str | Later | None:
    """The best cell of a game for a person, in words; where that takes a search, they are given to `say` later.

    Raises:
        StorageError: if the game is not there, or cannot be read.
    """
    wish = sender.wish(Act.HINT)
    record = await sender.services.store.run(partial(games.load, game_id=game_id))
    found = decide(record, wish).result.refusal or best_cell(record.game)
    if isinstance(found, Refusal):
        return words_for(found)
    if found is not None:
        return _shown(sender, record, found)
    sender.services.publisher.beside(_think(sender, record.game, say))
    return Later()


async def _think(sender: Sender, game: Game, say: Callable[[str | None], None]) -> None:
    """Let a search find the cell, and show it if the game still stands there."""
    arguments = {"rules": game.rules, "moves": game.moves, "seconds": SECONDS}
    try:
        cell, why = await sender.services.workers.run(
            Job(("hint", game.id), "advice", arguments, whose=sender.user.id)
        )
        record = await sender.services.store.run(partial(games.load, game_id=game.id))
    except Superseded:
        say(None)  # the same was asked again, and is answered then
    except (NoAnswer, StorageError):
        say(sender.t.gettext(BUSY))
    else:
        if record.game.moves == game.moves and not record.game.is_over:
            say(_shown(sender, record, Hint(cell, Reason(why))))
        else:
            say(sender.t.gettext(REFUSALS[Refusal.STALE]))


def _shown(sender: Sender, record: Record, found: Hint) -> str:
    """Mark the cell on all boards that are drawn; the result says it in words."""
    for board in record.boards:
        if board.message_id is not None and not board.leaving and not board.as_text:
            sender.services.publisher.show_hint(board.id, found.cell)
    return words_for_hint(found, rules_of(record.game.rules), sender.t)
