"""Lessons that take a search: asked of a process that thinks when a board needs one, shown when it is there."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from bot.game.lessons import give_up, is_pending, learn
from bot.game.reviews import page_of
from bot.thinking.workers import Busy, Job, NoAnswer, Superseded
from engine.lessons import read_lesson

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.delivery.tasks import Tasks
    from bot.thinking.workers import Workers
    from storage.board import Board
    from storage.game import Game

log = logging.getLogger(__name__)

SECONDS: Final = 0.4
"""What a lesson may take for each ply: some times what it does on a quiet machine, lest verdicts differ."""
LEAST_SECONDS, MOST_SECONDS = 6.0, 12.0
"""What it may take in all; whoever has asked can step through the game meanwhile."""


class Lessons:
    """What is looked at now, and which boards wait for it."""

    def __init__(self, workers: Workers | None, tasks: Tasks, show_again: Callable[[int], None]) -> None:
        """Ask these workers, where there are any; `show_again` is told each board, by id, that has waited."""
        self._workers = workers
        self._tasks = tasks
        self._show_again = show_again
        self._waiting: dict[tuple[str, str], set[int]] = {}

    def are_needed(self, game: Game, board: Board) -> bool:
        """Whether a board that was shown just now waits for a lesson, which is then looked for."""
        if not is_pending(game) or page_of(board) is None:
            return False
        key = game.rules, game.moves
        known = key in self._waiting
        self._waiting.setdefault(key, set()).add(board.id)
        if not known:
            self._tasks.start(self._look(game))
        return True

    async def _look(self, game: Game) -> None:
        key = game.rules, game.moves
        seconds = min(max(SECONDS * game.ply, LEAST_SECONDS), MOST_SECONDS)
        arguments = {"rules": game.rules, "moves": game.moves, "seconds": seconds}
        try:
            if self._workers is None:
                return
            found = await self._workers.run(Job(("lesson", *key), "lesson", arguments, urgent=False))
            learn(game, read_lesson(found))
        except (Busy, Superseded):
            return  # the sweep comes to the boards
        except NoAnswer as error:
            log.warning("A game cannot be looked at: %s", error, extra={"game_id": game.id})
            give_up(game)
        finally:
            waiting = self._waiting.pop(key)
        for board_id in waiting:
            self._show_again(board_id)
