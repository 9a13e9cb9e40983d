"""Tic-tac-toe and its relatives: their rules, the strategies and levels that play them, searches and analysis.

This package exports what playing needs and is imported quickly: a search is loaded when it is first used. `best`
answers a single question, as worker processes are asked.

Each part knows only those before it: `rules` (the games), `search` (tables, searches and proofs), `reasons`,
`strategies`, `levels`, `reviews`, `puzzles`, and `cli` (the commands of `python -m engine`).
"""

from engine.levels import Level, best, candidates, choose, name_of, needs_no_search, plays
from engine.reasons import Reason
from engine.rules.base import EngineError, IllegalMove, InvalidRules, Mark, Outcome, Position, Rules
from engine.rules.catalogue import parse_rules
from engine.rules.mnk import CLASSIC
from engine.search.base import SearchLimits
from engine.strategies import STRATEGIES

__all__ = [
    "CLASSIC",
    "STRATEGIES",
    "EngineError",
    "IllegalMove",
    "InvalidRules",
    "Level",
    "Mark",
    "Outcome",
    "Position",
    "Reason",
    "Rules",
    "SearchLimits",
    "best",
    "candidates",
    "choose",
    "name_of",
    "needs_no_search",
    "parse_rules",
    "plays",
]
