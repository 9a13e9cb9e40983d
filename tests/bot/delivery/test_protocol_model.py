"""A board's protocol, explored exhaustively: no order of steps leaves a board wrong, and every rule is needed.

That every rule is needed only `make soak` shows: it is about the model, not about the code.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import pytest

from bot.delivery import ownership
from tests.bot.delivery.protocol_explorer import Explorer
from tests.bot.delivery.protocol_model import BEGINNING, START, Board, Rules
from tests.soak import SOAK

pytestmark = pytest.mark.slow

RULES = Rules()

FEW_STEPS = 14
"""So few steps lead to a wrong board where a rule is missing."""
MOST = None if SOAK else FEW_STEPS
"""How many steps are followed where no rule is missing: in the long run, all."""


class World(NamedTuple):
    """An exploration: its first board, and how many different edits may go unawaited."""

    start: Board
    unawaited: int
    moves: bool = False


WORLDS = {"edits": World(START, 0)}
if SOAK:
    WORLDS |= {
        "a new message": World(BEGINNING, 0),
        "edits, one of them unawaited": World(START, 1),
        "edits, any of them unawaited": World(START, 4),
        "a new message, and an unawaited edit": World(BEGINNING, 1),
        "boards that are brought down": World(START, 0, moves=True),
    }


def explorer(rules: Rules, world: World) -> Explorer:
    return Explorer(rules, world.start, unawaited=world.unawaited, moves=world.moves)


def told(what: str, way: Iterable[str]) -> None:
    """Print a path, for `pytest -s`."""
    print(f"\n{what}:", *way, sep="\n    ")  # noqa: T201 - the states and the ways are what one wants to see


@pytest.mark.timeout(3600 if SOAK else 300)
@pytest.mark.parametrize("name", WORLDS)
def test_no_order_of_steps_leaves_a_board_wrong_and_two_claims_of_the_sweep_set_every_board_right(
    name: str,
) -> None:
    search = explorer(RULES, WORLDS[name])
    assert search.find_wrong(MOST) is None
    told(name, [f"{len(search.parents):,} states", f"{search.steps:,} steps"])
    assert search.find_unsettled() is None
    assert search.find_unsettled(by=1) is not None


EDITS, UNAWAITED, NEW = World(START, 0), World(START, 1), World(BEGINNING, 0)

BROKEN = {
    "rule 1: storing is a compare-and-set": (EDITS, replace(RULES, stored_by_compare_and_set=False)),
    "rule 2: what is shown was stored by the process that shows it": (
        EDITS,
        replace(RULES, stored_before_shown=False),
    ),
    "rule 3: only an uncontested version is confirmed": (
        EDITS,
        replace(RULES, may_confirm=lambda owned: owned is not None),
    ),
    "rule 4: an overdue call marks its board": (EDITS, replace(RULES, is_overwritten=lambda *_, **__: False)),
    "rule 4: the mark is a version": (EDITS, replace(RULES, marked_by_version=False)),
    "rule 5: a call without an answer contests what follows": (
        UNAWAITED,
        replace(RULES, after_no_answer=lambda owned: owned),
    ),
    "rule 6: the sweep claims twice": (
        EDITS,
        replace(RULES, after_claim=lambda version, claims: ownership.after_claim(version, claims + 1)),
    ),
    "rule 6: the second claim waits for the edit of the first": (EDITS, replace(RULES, life_is_bounded=False)),
    "rule 7: a version is sent only in its send window": (EDITS, replace(RULES, sent_in_window=False)),
    "settling: which message is the board may be stored again": (NEW, replace(RULES, settled_twice=False)),
}


@pytest.mark.soak
@pytest.mark.parametrize("rule", BROKEN)
def test_without_a_rule_few_steps_lead_to_a_wrong_board(rule: str) -> None:
    world, rules = BROKEN[rule]
    way = explorer(rules, world).find_wrong()
    assert way is not None
    told(f"Without {rule}", way)
    assert len(way) <= FEW_STEPS


@pytest.mark.soak
def test_a_board_that_is_shown_again_after_every_claim_is_never_confirmed() -> None:
    rules = replace(RULES, should_show_again=lambda owned: owned is not None and not ownership.may_confirm(owned))
    search = explorer(rules, EDITS)
    assert search.find_wrong() is None
    way = search.find_unsettled()
    assert way is not None
    told("Never confirmed, where what the sweep has shown is shown again", way)


@pytest.mark.soak
def test_what_stays_open_is_a_process_that_freezes_before_its_call_and_is_killed_right_after_it() -> None:
    """No rule can help here: nobody is left who knows of an edit that lands after both claims."""
    way = explorer(replace(RULES, unbounded_are_spared=False), EDITS).find_wrong()
    assert way is not None
    told("Frozen, then killed", way)
    assert [step[2:] for step in way].count("calls late") == 1
    assert "is killed" in [step[2:] for step in way]
