"""What the engine makes of a game: its analysis, a hint, and a remark on the last move."""

from functools import lru_cache
from typing import Final, NamedTuple

from bot.recent import Recent
from engine import Choice, Mark, Position, Reason, best_move
from engine.reasons import reason_at_once
from engine.reviews import GameAnalysis, analyse_game
from engine.search.base import GameValue
from engine.search.solved import solved
from storage.games.game import COMPUTER, Game, Limits, Termination, replay, rules_of

REMEMBERED_ANALYSES: Final = 1024
"""How many analyses found by a search are kept."""

_learned: Recent[tuple[str, str], GameAnalysis | None] = Recent(REMEMBERED_ANALYSES)
"""By rules and moves; None if the search failed."""


def known_analysis(game: Game) -> GameAnalysis | None:
    """The analysis of a game; None if it needs a search that hasn't been made."""
    if has_table(game):
        return _at_once(game.rules, game.moves)
    return _learned.get((game.rules, game.moves))


class Lesson(NamedTuple):
    """What somebody can learn from a game that they have lost."""

    number: int
    """The number of the move with which they gave it away, as reviews count."""
    was_won: bool
    """Whether they could have forced a win; else a draw."""


def lesson_of(game: Game, person: int | None) -> Lesson | None:
    """The last time when somebody could have won a game that OXO has won, or else drawn it, if that is proven."""
    mark = None if person is None else game.mark_of(person)
    is_lost = game.is_against_computer and game.termination is Termination.LINE and game.winner is not mark
    return None if mark is None or not is_lost else _lesson(game.rules, game.moves, mark)


@lru_cache(maxsize=1024)
def _lesson(rules: str, moves: str, mark: Mark) -> Lesson | None:
    """By the table alone: the whole analysis is for whoever opens the review."""
    if (table := solved(rules_of(rules))) is None:
        return None
    could = [table.ending(replay(rules, moves[:ply]))[0] for ply in range(len(moves) + 1)]
    own = range(0 if mark is Mark.X else 1, len(moves), 2)
    missed = [Lesson(ply + 1, could[ply] is GameValue.WIN) for ply in own if -could[ply + 1] < could[ply]]
    return next((each for each in reversed(missed) if each.was_won), missed[-1] if missed else None)


def has_table(game: Game) -> bool:
    """Whether the analysis of a game needs no search, because a table has all positions."""
    return solved(rules_of(game.rules)) is not None


def is_pending(game: Game) -> bool:
    """Whether the analysis of a game still has to be searched for."""
    return not has_table(game) and (game.rules, game.moves) not in _learned


def learn(game: Game, analysis: GameAnalysis | None) -> None:
    """Keep the analysis that a search found, None if it failed; of too many, those learned first are forgotten."""
    _learned[game.rules, game.moves] = analysis


def forget_failure(game: Game) -> None:
    """Forget that the search for a game's analysis failed, so that it is tried again."""
    if known_analysis(game) is None:
        _learned.pop((game.rules, game.moves), None)


@lru_cache(maxsize=4096)
def _at_once(rules: str, moves: str) -> GameAnalysis:
    return analyse_game(rules_of(rules), moves)


def hinted_cell(game: Game) -> Choice | None:
    """The best cell of a running game against the computer; None if finding it takes a search."""
    return best_move(game.position) if has_table(game) else None


def last_reason(game: Game) -> Reason | None:
    """Why the computer made the last move; None if that isn't worth a comment."""
    if (
        not game.moves
        or game.takebacks  # it would say the same again
        or (game.time_limits is Limits.PRACTICE and game.moved_at == game.created_at)  # somebody else's move
        or (game.offer or game.declined) is not None
        or game.termination not in (None, Termination.LINE)
    ):
        return None
    mover, other = (game.x.seat, game.o.seat) if len(game.moves) % 2 else (game.o.seat, game.x.seat)
    if mover != COMPUTER or other == COMPUTER:
        return None
    return _reason_at(game, len(game.moves))


def times_before(game: Game, reason: Reason) -> int:
    """How many earlier moves of the side that just moved had this reason."""
    earlier = range(len(game.moves) - 2, 0, -2)
    return sum(_reason_at(game, ply) is reason for ply in earlier)


def _reason_at(game: Game, ply: int) -> Reason:
    """The reason for the move that led to a ply."""
    before = replay(game.rules, game.moves[: ply - 1])
    (cell,) = before.rules.read_moves(game.moves[ply - 1])
    return _reason_for(before, cell)


@lru_cache(maxsize=4096)
def _reason_for(before: Position, cell: int) -> Reason:
    """Cached, because finding a reason takes longer than everything else in a board's text."""
    return reason_at_once(before, cell)
