"""Each strategy's exact record over all games, its chances, and the tables that the audit prints of them."""

import re
from collections import Counter
from fractions import Fraction

import pytest

from engine import CLASSIC, STRATEGIES, Mark
from engine.__main__ import main
from engine.cli.audit import Chances, chances, mistakes, positions, reached, record, strategy
from tests.boards import board as position_of
from tests.engine import naive

pytestmark = pytest.mark.slow

RANDOM = strategy("random")


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("tempo", (71, 5, 0), (334, 123, 0)),
        ("alpha-beta", (99, 2, 0), (498, 183, 0)),
        ("minimax", (27_456, 3_584, 0), (5_856, 3_584, 0)),
    ],
)
def test_the_record_over_all_replies_is(
    name: str, first: tuple[int, int, int], second: tuple[int, int, int]
) -> None:
    assert (record(strategy(name), Mark.X), record(strategy(name), Mark.O)) == (first, second)


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("tempo", Fraction(379, 384), Fraction(274, 315)),
        ("alpha-beta", Fraction(191, 192), Fraction(254, 315)),
        ("perfect", Fraction(191, 192), Fraction(866, 945)),
    ],
)
def test_against_a_random_player_it_wins_exactly_so_often_and_never_loses(
    name: str, first: Fraction, second: Fraction
) -> None:
    assert chances(strategy(name), RANDOM, Mark.X) == (first, 1 - first, Fraction(0))
    assert chances(strategy(name), RANDOM, Mark.O) == (second, 1 - second, Fraction(0))


def test_two_random_players_finish_as_their_games_weigh_and_two_who_keep_the_value_draw() -> None:
    found = chances(RANDOM, RANDOM, Mark.X)
    assert found == (Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420))
    assert found.score == Fraction(737, 1260) + Fraction(4, 63)
    draw = Chances(Fraction(0), Fraction(1), Fraction(0))
    assert chances(strategy("perfect"), strategy("minimax"), Mark.X) == draw
    assert chances(strategy("alpha-beta"), strategy("perfect"), Mark.O) == draw


def test_positions_are_all_that_are_not_over_and_reached_those_it_gets_to_move_in() -> None:
    assert len(positions()) == 4_520
    assert reached(RANDOM) == positions()
    own = reached(strategy("rules"))
    assert {CLASSIC.start(), CLASSIC.replay("a1")} <= own
    assert CLASSIC.replay("b2 a1") not in own


def test_only_searches_to_the_end_never_give_value_away() -> None:
    boards = naive.unfinished(naive.CLASSIC)[::9]
    some = {position_of(board) for board in boards}
    given = {name: mistakes(strategy(name), {*some}) for name in STRATEGIES}
    assert {name for name, number in given.items() if not number} == {"alpha-beta", "minimax", "perfect"}
    assert given["random"] == sum(naive.errors(naive.CLASSIC, board) > 0 for board in boards)


def test_the_audit_prints_a_row_of_each_table_for_a_strategy(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "tempo"]) == 0
    printed = capsys.readouterr().out
    assert re.findall(r"^\| tempo \| (.*) \|$", printed, re.MULTILINE) == [
        STRATEGIES["tempo"].lesson,
        "71/5/0 | 334/123/0",
        "98.7, 1.3, 0 | 87.0, 13.0, 0 | 0, 100, 0 | 0, 100, 0",
        "148 of 4,520 | 2 of 385",
        "– | –",
    ]
    assert "rules" not in printed


@pytest.mark.soak
def test_the_whole_audit_has_every_strategy(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit"]) == 0
    rows = Counter(re.findall(r"^\| ([\w -]+?) \|", capsys.readouterr().out, re.MULTILINE))
    assert {name: rows[name] for name in STRATEGIES} == dict.fromkeys(STRATEGIES, 5)


def test_a_strategy_that_is_none_cannot_be_audited(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "luck"]) == 2
    assert capsys.readouterr().err.startswith("Strategies are random, ")
