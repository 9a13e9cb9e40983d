"""Every strategy, cell by cell, against an independent definition."""

from functools import partial
from random import Random

import pytest

from engine import (
    CLASSIC,
    STRATEGIES,
    EngineError,
    Level,
    Position,
    Rules,
    analyse,
    best_move,
    candidates,
    choose,
    explain,
    parse_rules,
)
from engine.levels import plays
from tests.boards import board as position_of
from tests.engine import naive

MISERE = parse_rules("3x3x3-misere")
each_strategy = pytest.mark.parametrize("strategy", STRATEGIES)


def test_every_strategy_is_defined_a_second_time() -> None:
    assert set(STRATEGIES) == set(naive.CANDIDATES)


def test_the_levels_keep_the_names_that_are_stored_and_their_order() -> None:
    stored = ["beginner", "easy", "medium", "hard", "perfect"]
    assert [level for level in Level if level in stored] == stored
    assert (next(iter(Level)), list(Level)[-1]) == ("beginner", "perfect"), "others stand between them"


@pytest.mark.slow
@each_strategy
def test_its_candidates_are_those_of_its_definition_in_every_position(strategy: str) -> None:
    define = naive.CANDIDATES[strategy]
    wrong = [
        board
        for board in naive.unfinished(naive.CLASSIC)
        if candidates(strategy, position_of(board)) != define(board)
    ]
    assert wrong == []


@pytest.mark.slow
def test_perfect_play_in_misere_is_defined_alike() -> None:
    wrong = [
        board
        for board in naive.unfinished(naive.MISERE)
        if candidates(Level.STRONGEST, position_of(board, MISERE)) != naive.perfect(naive.MISERE, board)
    ]
    assert wrong == []


def test_lost_perfect_play_also_makes_the_fewest_random_players_win() -> None:
    game = naive.CLASSIC
    for board in filter(lambda board: naive.score(game, board) < 0, naive.unfinished(game)):
        after = {cell: naive.play(board, cell) for cell in naive.keeping(game, board)}
        longest = {cell: after[cell] for cell in naive.highest(after, lambda each: naive.value(game, each)[1])}
        expected = naive.highest(longest, lambda each: -naive.random_to_move(game, each)[1])
        assert candidates("perfect", position_of(board)) == expected, board


@each_strategy
def test_it_is_explained_step_by_step_and_the_last_step_is_what_it_plays(strategy: str) -> None:
    for board in naive.unfinished(naive.CLASSIC)[::40]:
        position = position_of(board)
        drawing, told, *steps = explain(strategy, position).split("\n\n")
        assert drawing == str(position)
        assert told == f"{position.turn} is to move. {strategy}: {STRATEGIES[strategy].lesson}"
        names = " or ".join(map(CLASSIC.name_of, candidates(strategy, position)))
        assert f"{steps[0]}, ".count(f"\nIt plays {names}, ") + f"{steps[0]}".endswith(f"\nIt plays {names}.") == 1


def test_an_explanation_says_what_is_considered_what_it_is_worth_and_what_is_chosen() -> None:
    told = explain("tempo", CLASSIC.replay("b2 a1"))
    assert "after the worst reply? b1, a2.\n   b1 -9,000 after a3\n   c1 -9,800 after a3\n" in told
    assert told.endswith("It plays b1, the first of these.")
    rules = explain("rules", CLASSIC.replay("b2 a1 c3")).splitlines()
    assert rules[-4:-1] == [
        "3. Where would the opponent complete one? None.",
        "4. Which make a fork? None.",
        "5. Which are free, favourites first? c1, a3, b1, a2, c2, b3.",
    ]
    for name, position in (
        ("luck", CLASSIC.start()),
        ("tempo", MISERE.start()),
        ("tempo", CLASSIC.after([0, 3, 1, 4, 2])),
    ):
        with pytest.raises(EngineError):
            explain(name, position)


@each_strategy
def test_it_chooses_each_of_its_candidates_equally_often(strategy: str) -> None:
    rng = Random(7)
    for board in (naive.CLASSIC.empty, "XX.OO...."):
        cells = candidates(strategy, position_of(board))
        chosen = [choose(strategy, position_of(board), rng) for _ in range(100 * len(cells))]
        assert set(chosen) == set(cells)
        assert all(70 < chosen.count(cell) < 130 for cell in cells) or len(cells) == 1


@pytest.mark.parametrize("name", sorted({*STRATEGIES, *Level}))
def test_in_a_finished_game_nothing_is_chosen(name: str) -> None:
    for position in (CLASSIC.after([0, 3, 1, 4, 2]), CLASSIC.after([0, 1, 2, 4, 3, 5, 7, 6, 8])):
        with pytest.raises(EngineError, match="The game is over"):
            choose(name, position, Random(1))
        with pytest.raises(EngineError, match="The game is over"):
            candidates(name, position)


@pytest.mark.parametrize("position", [CLASSIC, "b2", None])
def test_where_a_position_is_wanted_it_is_said_of_anything_else(position: Position) -> None:
    asks = (best_move, analyse, partial(candidates, "easy"), partial(explain, "tempo"))
    for ask in (*asks, lambda each: choose("easy", each, Random(1))):
        with pytest.raises(EngineError, match="A position is wanted, such as"):
            ask(position)


@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name not in list(Level)])
@pytest.mark.parametrize("rules", [*map(parse_rules, ["4x3x3", "3x3x3-misere", "ultimate"])], ids=str)
def test_by_other_rules_it_refuses_unless_it_plays_any_cell(strategy: str, rules: Rules) -> None:
    position = rules.start()
    assert plays(strategy, CLASSIC)
    assert plays(strategy, rules) == (strategy == "random")
    if strategy == "random":
        assert candidates(strategy, position) == tuple(range(rules.cells))
    else:
        with pytest.raises(EngineError, match=f"{strategy} plays 3x3x3, not {rules}"):
            candidates(strategy, position)
