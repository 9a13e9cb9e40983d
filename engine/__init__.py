"""Noughts and crosses: the rules, and strategies that play it.

What play needs is here, and starts fast. Modules of their own are `engine.records` (how a strategy fares),
`engine.search` (full-depth search with its count of nodes) and `engine.mended` (the tempo strategy, mended).
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
from engine.strategies import LEVELS, STRATEGIES, Strategy, explain

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
]
