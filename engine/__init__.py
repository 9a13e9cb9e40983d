"""Tic-tac-toe and its relatives: their rules, the strategies and levels that play them, searches and analysis.

This package exports what a notebook needs, and is imported quickly: a search is loaded when it is first used.

Each part knows only those before it: `rules` (the games), `search` (tables, searches and proofs), `reasons`,
`strategies`, `levels`, `reviews`, `puzzles`, and `cli` (the commands of `python -m engine`).
"""

from engine.levels import Level, candidates, choose
from engine.reasons import Reason
from engine.reviews import Choice, analyse, best_move
from engine.rules.base import (
    AmbiguousMove,
    EngineError,
    IllegalMove,
    InvalidRules,
    MalformedMove,
    Mark,
    Outcome,
    Position,
    Rules,
)
from engine.rules.catalogue import parse_rules
from engine.rules.mnk import CLASSIC
from engine.search.base import GameValue, SearchLimits, Value
from engine.strategies import STRATEGIES, explain

__all__ = [
    "CLASSIC",
    "STRATEGIES",
    "AmbiguousMove",
    "Choice",
    "EngineError",
    "GameValue",
    "IllegalMove",
    "InvalidRules",
    "Level",
    "MalformedMove",
    "Mark",
    "Outcome",
    "Position",
    "Reason",
    "Rules",
    "SearchLimits",
    "Value",
    "analyse",
    "best_move",
    "candidates",
    "choose",
    "explain",
    "parse_rules",
]
