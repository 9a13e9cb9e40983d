"""The protocol of a board, explored whole: no order of steps leaves a board wrong, and no rule can be left out."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.bot.delivery.protocol_explorer import Explorer
from tests.bot.delivery.protocol_model import BEGINNING, START, Rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.bot.delivery.protocol_state import Board

SOAK = os.environ.get("OXO_SOAK", "") not in ("", "0")

RULES = Rules()

FEW_STEPS = 14
"""So few steps lead to a wrong board where a rule is missing."""


class World(NamedTuple):
    """What happens in an exploration: from which board, and with how many unlike edits that nobody awaits."""

    start: Board
    unawaited: int
    moves: bool = False


WORLDS = {
    "edits": World(START, 0),
    "edits, one of them unawaited": World(START, 1),
    "a new message": World(BEGINNING, 0),
}
if SOAK:
    WORLDS |= {
        "edits, any of them unawaited": World(START, 4),
        "a new message, and an unawaited edit": World(BEGINNING, 1),
        "boards that are brought down": World(START, 0, moves=True),
    }


def explorer(rules: Rules, world: World) -> Explorer:
    return Explorer(rules, world.start, unawaited=world.unawaited, moves=world.moves)


def told(what: str, way: Iterable[str]) -> None:
    """Print a way for whoever runs this with `-s`."""
    print(f"\n{what}:", *way, sep="\n    ")  # noqa: T201 - the states and the ways are what one wants to see


@pytest.mark.timeout(900 if SOAK else 120)
@pytest.mark.parametrize("name", WORLDS)
def test_no_order_of_steps_leaves_a_board_wrong_and_two_claims_of_the_sweep_set_every_board_right(
    name: str,
) -> None:
    """Two, and not always one. Whether every state settles is asked of the larger worlds only in the long run."""
    search = explorer(RULES, WORLDS[name])
    assert search.find_wrong() is None
    told(name, [f"{len(search.parents):,} states", f"{search.steps:,} steps"])
    if SOAK or name == "edits":
        assert search.find_unsettled() is None
        assert search.find_unsettled(by=1) is not None


EDITS, UNAWAITED, NEW = World(START, 0), World(START, 1), World(BEGINNING, 0)

BROKEN = {
    "rule 1: what is shown was made by who shows it": (EDITS, replace(RULES, stored_before_shown=False)),
    "rule 2: only an uncontested version is confirmed": (EDITS, replace(RULES, uncontested_only=False)),
    "rule 3: who was overtaken marks the board": (EDITS, replace(RULES, overtaken_marks=False)),
    "rule 3: the mark is a version": (EDITS, replace(RULES, marked_by_version=False)),
    "rule 4: what was not answered is not confirmed on": (
        UNAWAITED,
        replace(RULES, unanswered_breaks=False, unanswered_marks=False),
    ),
    "rule 4: it breaks the chain even if its mark is lost": (UNAWAITED, replace(RULES, unanswered_breaks=False)),
    "rule 4: it marks the board": (UNAWAITED, replace(RULES, unanswered_marks=False)),
    "rule 5: the sweep comes twice": (EDITS, replace(RULES, swept_twice=False)),
    "rule 5: the second claim waits for the edit of the first": (EDITS, replace(RULES, life_is_bounded=False)),
    "rule 6: what waited too long is stored anew": (EDITS, replace(RULES, renewed=False)),
    "settling: which message is the board may be stored again": (NEW, replace(RULES, settled_twice=False)),
}


@pytest.mark.parametrize("rule", BROKEN)
def test_without_a_rule_few_steps_lead_to_a_wrong_board(rule: str) -> None:
    world, rules = BROKEN[rule]
    way = explorer(rules, world).find_wrong()
    assert way is not None
    told(f"Without {rule}", way)
    assert len(way) <= FEW_STEPS


def test_a_board_that_is_shown_once_more_after_every_claim_is_never_confirmed() -> None:
    search = explorer(replace(RULES, swept_rests=False), EDITS)
    assert search.find_wrong() is None
    way = search.find_unsettled()
    assert way is not None
    told("Never confirmed, where what the sweep showed is shown once more", way)


def test_what_stays_open_is_a_process_held_up_before_its_call_and_killed_right_after_it() -> None:
    """No rule on our side can help: nobody is left who knows of an edit that comes after both claims."""
    way = explorer(replace(RULES, late_are_spared=False), EDITS).find_wrong()
    assert way is not None
    told("Held up, then killed", way)
    assert [step[2:] for step in way].count("calls late") == 1
    assert "is killed" in [step[2:] for step in way]
