"""Noughts and crosses: the rules, and strategies that play it.

What play needs is here, and starts fast. Modules of their own are `engine.records` (how a strategy fares),
`engine.search` (full-depth search with its count of nodes) and `engine.mended` (the tempo strategy, mended).
"""

from engine.catalogue import parse_rules
from engine.errors import (
    EngineError,
    IllegalMove,
    InvalidRules,
    MalformedMoves,
    MalformedPosition,
    NoMoveToChoose,
    UnreachablePosition,
)
from engine.levels import LEVELS, Level
from engine.marks import Mark
from engine.mnk_rules import CLASSIC
from engine.rule_list import Reason, Rule
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
    "UnreachablePosition",
    "explain",
    "parse_rules",
]
