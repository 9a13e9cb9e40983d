"""/hint and its button: the cell that the engine would choose, and why."""

from __future__ import annotations

from collections.abc import Coroutine
from functools import partial
from gettext import NullTranslations
from typing import Final, NamedTuple

from bot.boards.cells import cell_name
from bot.boards.refusals import REFUSALS
from bot.boards.translations import N_
from bot.context.requests import Requester
from bot.game import actions
from bot.game.analysis import HintedCell
from bot.game.analysis import hint as best_cell
from bot.game.attempt import Refusal
from bot.game.machine import permit
from bot.workers import jobs
from bot.workers.pool import Job, NoAnswer, Superseded
from engine import Reason, Rules
from storage.errors import StorageError
from storage.games import games
from storage.games.game import Game, rules_of
from storage.games.record import Record


def words_for_hint(hint: HintedCell, rules: Rules, t: NullTranslations) -> str:
    """A hint as a sentence."""
    reasons = {
        Reason.WIN: t.gettext("it wins"),
        Reason.BLOCK: t.gettext("it blocks my line"),
        Reason.FORK: t.gettext("it makes two threats"),
        Reason.BLOCK_FORK: t.gettext("it keeps me from making two threats"),
        Reason.THREAT: t.gettext("it threatens a line, so I have to block"),
        Reason.TRAP: t.gettext("whatever I play next completes a line"),
        Reason.WIN_BOARD: t.gettext("it wins a little board"),
        Reason.BLOCK_BOARD: t.gettext("it keeps me from winning a little board"),
        Reason.CENTRE: t.gettext("the centre is a strong cell"),
        Reason.CORNER: t.gettext("corners are strong cells"),
        Reason.LINE: t.gettext("a line can still go through it"),
        Reason.SAFE: t.gettext("it can't complete a line of yours"),
    }
    hard = t.gettext("it's the best you can do here")
    reasons |= dict.fromkeys((Reason.ALLOWS_WIN, Reason.ALLOWS_FORK, Reason.LOSES, Reason.COMPLETES_LINE), hard)
    best = t.gettext("it looks strongest")
    return t.gettext("💡 Play {cell}: {reason}.").format(
        cell=cell_name(hint.cell, rules, t), reason=reasons.get(hint.why, best)
    )


SECONDS: Final = 1.0
"""How many seconds the search may take; a tap has to be answered soon."""
BUSY: Final = N_("I'm too busy thinking right now. Please ask again in a moment.")


class Later(NamedTuple):
    """An answer that takes a search."""

    words: Coroutine[None, None, str | None]
    """Searches, and gives the answer; None if the same was asked again, and is answered then."""


async def hint(requester: Requester, game_id: int) -> str | Later:
    """The best cell of a game for a person, in words, which it also marks on the board; or why there is none."""
    record = await requester.services.store.read(games.load, game_id=game_id)
    found = permit(record, actions.Hint(), requester.attempt()).refusal or best_cell(record.game)
    if isinstance(found, Refusal):
        return REFUSALS[found]
    if found is not None:
        return _shown(requester, record, found)
    return Later(_searched(requester, record.game))


async def _searched(requester: Requester, game: Game) -> str | None:
    work = partial(jobs.best_advice, game.rules, game.moves)
    try:
        cell, why = await requester.services.workers.run(
            Job(("hint", game.id), work, SECONDS, whose=requester.user.id)
        )
        record = await requester.services.store.read(games.load, game_id=game.id)
    except Superseded:
        return None
    except (NoAnswer, StorageError):
        return requester.t.gettext(BUSY)
    if record.game.moves == game.moves and not record.game.is_over:
        return _shown(requester, record, HintedCell(cell, why))
    return requester.t.gettext(REFUSALS[Refusal.STALE])


def _shown(requester: Requester, record: Record, found: HintedCell) -> str:
    """Mark the cell on all boards but text boards; returns the hint in words."""
    for board in record.boards:
        if board.message_id is not None and not board.leaving and not board.as_text:
            requester.services.publisher.show_again(board.id, requester.tap, hint=found.cell)
    return words_for_hint(found, rules_of(record.game.rules), requester.t)
