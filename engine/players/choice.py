"""One question, one cell: what a process that computes for others is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.players.by_level import player_named
from engine.rules.catalogue import parse_rules
from engine.search.limits import Limits

if TYPE_CHECKING:
    from random import Random


def best(rules: str, moves: str, level: str, rng: Random, limits: Limits = Limits()) -> int:  # noqa: B008 - immutable
    """The cell that a level or a strategy plays.

    Args:
        rules: What is played, as `Rules.text` has it.
        moves: The moves so far, one character each as `Rules.moves_text` writes them.
        level: A level's name, of which `perfect` and `strongest` are one, or a strategy's.
        rng: Chooses among equals. With limits in nodes alone the same generator gives the same cell.
        limits: What a search may spend. The strongest level spends what it may, the others no more than they do
            by themselves.

    Raises:
        InvalidRules: Nothing is played under this name.
        UnknownLevel: Neither a level nor a strategy is called so.
        MalformedMoves: A character stands for no cell.
        IllegalMove: One of the moves breaks the rules.
        NoMoveToChoose: The game is over.
    """
    position = parse_rules(rules).replay(moves)
    return player_named(level).within(limits).choose(position, rng)
