"""Tic-tac-toe and its relatives: their rules, the strategies and levels that play them, searches and analysis.

This package exports what playing needs and is imported quickly: a search is loaded when it is first used. `best`
answers a single question, as worker processes are asked.

Folders: `engine.rules` (the games), `engine.players` (strategies and levels), `engine.search` (searches and
proofs), `engine.analysis` (reasons, verdicts, reviews, puzzles), `engine.cli` (the commands of
`python -m engine`).
"""

from engine.errors import EngineError, IllegalMove, InvalidRules
from engine.players.levels import Level, best, candidates, choose, name_of, needs_no_search, plays
from engine.players.reasons import Reason
from engine.players.strategies import STRATEGIES
from engine.rules.base import Mark, Outcome, Position, Rules
from engine.rules.catalogue import parse_rules
from engine.rules.mnk import CLASSIC
from engine.search.driver import Limits

__all__ = [
    "CLASSIC",
    "STRATEGIES",
    "EngineError",
    "IllegalMove",
    "InvalidRules",
    "Level",
    "Limits",
    "Mark",
    "Outcome",
    "Position",
    "Reason",
    "Rules",
    "best",
    "candidates",
    "choose",
    "name_of",
    "needs_no_search",
    "parse_rules",
    "plays",
]
