"""Noughts and crosses: the rules, and strategies that play it.

What play needs is here. `engine.records` (how strategies fare) and `engine.search` (full-depth search with
its counts of nodes) are modules of their own.
"""

from engine.errors import (
    EngineError,
    IllegalMove,
    InvalidGeometry,
    MalformedPosition,
    NoMoveToChoose,
    UnreachablePosition,
)
from engine.geometry import CLASSIC, Geometry
from engine.marks import Mark
from engine.position import Outcome, Position
from engine.rules import Reason, Rule
from engine.strategies import LEVELS, STRATEGIES, Strategy, explain, mended_tempo

__all__ = [
    "CLASSIC",
    "LEVELS",
    "STRATEGIES",
    "EngineError",
    "Geometry",
    "IllegalMove",
    "InvalidGeometry",
    "MalformedPosition",
    "Mark",
    "NoMoveToChoose",
    "Outcome",
    "Position",
    "Reason",
    "Rule",
    "Strategy",
    "UnreachablePosition",
    "explain",
    "mended_tempo",
]
