"""Noughts and crosses: the rules, and strategies that play it.

What play needs is here, and starts fast; searches are loaded when they first play. `best` answers for a process
that computes for others. The folders: `engine.rules` (the games), `engine.players` (strategies and levels),
`engine.search` (searches and proofs), `engine.analysis` (values, reasons, reviews), `engine.cli` (the commands).
`python -m engine --help` tells the commands.
"""

from engine.errors import (
    EngineError,
    IllegalMove,
    InvalidRules,
    MalformedMoves,
    MalformedPosition,
    NoMoveToChoose,
    UnknownLevel,
    UnreachablePosition,
)
from engine.players.by_level import LEVELS, best, is_perfect, name_of, needs_no_search, player_named
from engine.players.levels import Level, parse_level
from engine.players.reasons import Reason
from engine.players.rule_list import Rule
from engine.players.strategies import STRATEGIES, explain
from engine.players.strategy import Strategy
from engine.rules.base import Outcome, Position, Rules
from engine.rules.catalogue import parse_rules
from engine.rules.marks import Mark
from engine.rules.mnk import CLASSIC
from engine.search.limits import Limits

__all__ = [
    "CLASSIC",
    "LEVELS",
    "STRATEGIES",
    "EngineError",
    "IllegalMove",
    "InvalidRules",
    "Level",
    "Limits",
    "MalformedMoves",
    "MalformedPosition",
    "Mark",
    "NoMoveToChoose",
    "Outcome",
    "Position",
    "Reason",
    "Rule",
    "Rules",
    "Strategy",
    "UnknownLevel",
    "UnreachablePosition",
    "best",
    "explain",
    "is_perfect",
    "name_of",
    "needs_no_search",
    "parse_level",
    "parse_rules",
    "player_named",
]
