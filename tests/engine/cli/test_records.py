"""Each strategy's exact record over all games, and against a random player."""

from fractions import Fraction

import pytest

from engine import CLASSIC, STRATEGIES, Mark
from engine.cli.audit import Chances, chances, mistakes, positions, reached, record
from engine.search.exact import Exact, exact

pytestmark = pytest.mark.slow

RANDOM = STRATEGIES["random"]


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("random", (131_184, 46_080, 77_904), (77_904, 46_080, 131_184)),
        ("tempo", (71, 5, 0), (334, 123, 0)),
        ("alpha-beta", (99, 2, 0), (498, 183, 0)),
        ("minimax", (27_456, 3_584, 0), (5_856, 3_584, 0)),
    ],
)
def test_the_record_over_all_replies_is(
    name: str, first: tuple[int, int, int], second: tuple[int, int, int]
) -> None:
    assert record(STRATEGIES[name], Mark.X) == first
    assert record(STRATEGIES[name], Mark.O) == second


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
    strategy = STRATEGIES[name]
    assert chances(strategy, RANDOM, Mark.X) == (first, 1 - first, Fraction(0))
    assert chances(strategy, RANDOM, Mark.O) == (second, 1 - second, Fraction(0))


@pytest.mark.parametrize("mark", list(Mark))
def test_perfect_loses_no_game(mark: Mark) -> None:
    assert record(STRATEGIES["perfect"], mark).losses == 0


@pytest.mark.parametrize("name", ["rules", "open-lines"])
def test_it_never_loses_as_first_player_and_can_be_beaten_as_second(name: str) -> None:
    assert record(STRATEGIES[name], Mark.X).losses == 0
    assert record(STRATEGIES[name], Mark.O).losses > 0


def test_blocker_can_be_beaten_as_first_and_as_second_player() -> None:
    assert record(STRATEGIES["blocker"], Mark.X).losses > 0
    assert record(STRATEGIES["blocker"], Mark.O).losses > 0


def test_two_random_players_finish_as_their_games_weigh() -> None:
    found = chances(RANDOM, RANDOM, Mark.X)
    assert found == (Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420))
    assert sum(found) == 1
    assert found.score == Fraction(737, 1260) + Fraction(4, 63)


def test_two_players_who_keep_the_value_draw() -> None:
    perfect = STRATEGIES["perfect"]
    assert chances(perfect, STRATEGIES["minimax"], Mark.X) == Chances(Fraction(0), Fraction(1), Fraction(0))
    assert chances(STRATEGIES["alpha-beta"], perfect, Mark.O) == Chances(Fraction(0), Fraction(1), Fraction(0))


def test_positions_are_all_that_are_not_over_and_reached_those_it_gets_to_move_in() -> None:
    assert len(positions()) == 4_520
    assert reached(RANDOM) == positions()
    assert CLASSIC.start() in reached(STRATEGIES["rules"])
    assert CLASSIC.replay("0") in reached(STRATEGIES["rules"])
    assert CLASSIC.replay("40") not in reached(STRATEGIES["rules"])


def test_only_searches_to_the_end_never_give_value_away() -> None:
    table = exact(CLASSIC)
    assert isinstance(table, Exact)
    given = {name: mistakes(strategy, positions(), table) for name, strategy in STRATEGIES.items()}
    assert {name for name, number in given.items() if not number} == {"alpha-beta", "minimax", "perfect"}
    assert given["random"] == sum(
        len(table.keeping(position)) < len(position.legal_moves) for position in positions()
    )
