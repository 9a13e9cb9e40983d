"""Noughts and crosses: the rules, and strategies that play it.

What play needs is here, and starts fast; searches are loaded when they first play. `best` answers for a process
that computes for others. Modules of their own are `engine.analysis` (values, reasons, reviews), `engine.searching`
(searches for every board, and their budgets), `engine.records` (how a strategy fares), `engine.search` (full-depth
search with its count of nodes) and `engine.mended` (the tempo strategy, mended). `python -m engine --help` tells
the commands.
"""

from engine.catalogue import parse_rules
from engine.choice import best
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
from engine.levels import Level, parse_level
from engine.limits import Limits
from engine.marks import Mark
from engine.mnk_rules import CLASSIC
from engine.players import LEVELS, is_at_once, is_perfect, name_of, player_named
from engine.reasons import Reason
from engine.rule_list import Rule
from engine.rules import Outcome, Position, Rules
from engine.strategies import STRATEGIES, Strategy, explain

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
    "is_at_once",
    "is_perfect",
    "name_of",
    "parse_level",
    "parse_rules",
    "player_named",
]
