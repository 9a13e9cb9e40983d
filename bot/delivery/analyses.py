"""Searches for the analyses that reviews wait for."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Final

from bot.delivery.tasks import Tasks
from bot.game.analysis import is_pending, learn
from bot.game.pages import review_of
from bot.workers import jobs
from bot.workers.pool import Busy, Job, NoAnswer, Superseded, Workers
from storage.games.game import Game
from storage.games.record import Board

log = logging.getLogger(__name__)

PLY_SECONDS: Final = 0.4
"""How long an analysis may take for each ply: several times the usual, for a busy machine to come to the same."""
LEAST_SECONDS, MOST_SECONDS = 6.0, 12.0
"""How long it may take in all; the person who asked can step through the game meanwhile."""


class Analyses:
    """The analyses under way, and the boards that wait for them."""

    def __init__(self, workers: Workers, tasks: Tasks, show_again: Callable[[int], None]) -> None:
        """`show_again` gets the id of each board that has waited."""
        self._workers = workers
        self._tasks = tasks
        self._show_again = show_again
        self._waiting: dict[tuple[str, str], set[int]] = {}

    def request(self, game: Game, board: Board) -> bool:
        """Search for the analysis that a board waits for, if it does; True if so."""
        if review_of(board) is None or not is_pending(game):
            return False
        key = game.rules, game.moves
        known = key in self._waiting
        self._waiting.setdefault(key, set()).add(board.id)
        if not known:
            self._tasks.start(self._search(game))
        return True

    async def _search(self, game: Game) -> None:
        key = game.rules, game.moves
        seconds = min(max(PLY_SECONDS * game.ply, LEAST_SECONDS), MOST_SECONDS)
        work = partial(jobs.analysis_of, game.rules, game.moves)
        try:
            learn(game, await self._workers.run(Job(("analysis", *key), work, seconds, urgent=False)))
        except (Busy, Superseded):
            return  # the sweep comes to the boards
        except NoAnswer as error:
            log.warning("Couldn't analyse a game: %s", error, extra={"game_id": game.id})
            learn(game, None)
        finally:
            waiting = self._waiting.pop(key)
        for board_id in waiting:
            self._show_again(board_id)
