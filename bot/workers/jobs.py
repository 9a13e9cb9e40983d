"""The jobs of worker processes: pure functions of values that can be pickled.

The last argument is always the seconds a job may take.
"""

from random import Random

from bot.boards.pictures.figures import Chart, Labels
from engine import Choice, Position, SearchLimits, best_move, choose, parse_rules
from engine.levels import nodes_of
from engine.reviews import GameAnalysis, analyse_game


def best_cell(rules: str, moves: str, level: str, seed: int, seconds: float) -> int:
    """The cell that a level (or strategy) plays; the seed chooses among equally good ones.

    A level never takes more than its own limit of seconds, either.
    """
    position = _position(rules, moves)
    limits = SearchLimits(nodes_of(level, position.rules), seconds)
    return choose(level, position, Random(seed), limits)  # noqa: S311 - games are no secrets


def analysis_of(rules: str, moves: str, seconds: float) -> GameAnalysis:
    """The verdicts on a finished game."""
    return analyse_game(parse_rules(rules), moves, seconds)


def best_advice(rules: str, moves: str, seconds: float) -> Choice:
    """The best cell to play now, and why."""
    return best_move(_position(rules, moves), seconds)


def _position(rules: str, moves: str) -> Position:
    """The position that stored moves lead to."""
    named = parse_rules(rules)
    return named.after(named.read_moves(moves))


def results_chart(chart: Chart, seconds: float) -> bytes:
    """Draw somebody's results, as `bot.boards.pictures.charts` says."""
    from bot.boards.pictures import charts  # noqa: PLC0415 - only drawing needs Pillow

    del seconds  # it takes far less
    return charts.results_chart(chart)


def replay(  # noqa: PLR0917 - the last one is the seconds
    rules: str, moves: str, theme: str, winner: str | None, labels: Labels, seconds: float, *, moving: bool
) -> bytes:
    """Draw a finished game move by move, as `bot.boards.pictures.replays` says, or its end alone."""
    from bot.boards.pictures import replays  # noqa: PLC0415 - only drawing needs Pillow

    del seconds
    draw = replays.animation if moving else replays.still
    return draw(rules, moves, theme, winner, labels)
