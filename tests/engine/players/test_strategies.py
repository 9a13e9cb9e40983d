"""Every strategy, cell by cell, against an independent definition."""

from collections import Counter
from random import Random

import pytest

from engine import CLASSIC, LEVELS, STRATEGIES, EngineError, Level, Rules, Strategy, parse_rules
from engine.players.strategies import first_rule
from engine.rules.geometry import symmetries
from tests.boards import board as position_of
from tests.engine import naive


@pytest.fixture(params=list(STRATEGIES))
def strategy(request: pytest.FixtureRequest) -> Strategy:
    """Each strategy in turn."""
    return STRATEGIES[request.param]


def test_every_strategy_is_listed_under_its_name_and_defined_a_second_time() -> None:
    assert set(STRATEGIES) == set(naive.CANDIDATES)
    assert all(strategy.name == name for name, strategy in STRATEGIES.items())


def test_the_levels_keep_the_names_that_are_stored_and_their_order() -> None:
    stored = ["beginner", "easy", "medium", "hard", "perfect"]
    assert list(LEVELS) == list(Level)
    assert [level for level in Level if level in stored] == stored
    assert (next(iter(Level)), list(Level)[-1]) == ("beginner", "perfect"), "others stand between them"


def test_its_candidates_are_those_of_its_definition_in_every_position(strategy: Strategy) -> None:
    define = naive.CANDIDATES[strategy.name]
    wrong = [board for board in naive.unfinished() if strategy.candidates(position_of(board)) != define(board)]
    assert wrong == []


def test_open_lines_takes_the_first_of_two_wins_whatever_else_is_open() -> None:
    assert STRATEGIES["open-lines"].candidates(position_of("X.X .XO .OO")) == (1,)


@pytest.mark.slow
def test_it_chooses_among_its_candidates_alone_and_each_of_them(strategy: Strategy) -> None:
    rng = Random(7)
    for board in (naive.EMPTY, "X...O....", "XOX.O..X.", "XO.......", "XX.OO...."):
        position = position_of(board)
        chosen = {strategy.choose(position, rng) for _ in range(150)}
        assert chosen == set(strategy.candidates(position)), str(position)


def test_candidates_are_chosen_equally_often() -> None:
    rng = Random(11)
    chosen = Counter(STRATEGIES["random"].choose(CLASSIC.start(), rng) for _ in range(9_000))
    assert all(850 < chosen[cell] < 1_150 for cell in range(9))


def test_the_same_randomness_chooses_the_same_moves(strategy: Strategy) -> None:
    games = []
    for _ in range(2):
        rng, position = Random(3), CLASSIC.start()
        while not position.is_over:
            position = position.play(strategy.choose(position, rng))
        games.append(position)
    assert games[0] == games[1]


def test_it_refuses_a_finished_game(strategy: Strategy) -> None:
    for board in ("XXXOO....", "XOXXOOOXX"):
        with pytest.raises(EngineError, match="The game is over"):
            strategy.candidates(position_of(board))
        with pytest.raises(EngineError, match="The game is over"):
            strategy.choose(position_of(board), Random(1))


@pytest.mark.parametrize(
    "rules", [parse_rules("4x3x3"), parse_rules("3x3x3-misere"), parse_rules("ultimate")], ids=str
)
def test_by_other_rules_it_refuses_unless_it_plays_any_cell(strategy: Strategy, rules: Rules) -> None:
    position = rules.start()
    assert strategy.plays(CLASSIC)
    assert strategy.plays(rules) == (strategy.name == "random")
    if strategy.name == "random":
        assert strategy.candidates(position) == tuple(range(rules.cells))
    else:
        with pytest.raises(EngineError, match=f"{strategy.name} plays 3x3x3, not {rules}"):
            strategy.candidates(position)


@pytest.mark.parametrize("name", ["random", "minimax", "perfect"])
def test_a_strategy_without_an_order_of_cells_treats_turned_boards_alike(name: str) -> None:
    for board in naive.unfinished()[::7]:
        cells = STRATEGIES[name].candidates(position_of(board))
        for image in symmetries(3, 3):
            turned = "".join(board[image.index(cell)] for cell in range(9))
            expected = tuple(sorted(image[cell] for cell in cells))
            assert STRATEGIES[name].candidates(position_of(turned)) == expected


def test_the_rules_give_their_reason_in_every_position() -> None:
    wrong = []
    for board in naive.unfinished():
        rule = first_rule(position_of(board))
        if (rule.cell, rule.reason) != naive.rules(board):
            wrong.append(board)
    assert wrong == []


@pytest.mark.parametrize(
    ("board", "cell", "reason"),
    [
        ("XO. ... ...", 4, "opening"),
        ("X.. .O. ..X", 1, "opening"),
        ("XX. OO. ...", 2, "win"),
        ("XX. .O. ...", 2, "block"),
        ("XOX .O. ...", 7, "block"),
        ("X.O .O. X..", 3, "win"),
        ("... ..X OXO", 4, "fork"),
        ("... ... ...", 0, "preference"),
    ],
)
def test_the_rules_say_why_they_play_a_cell(board: str, cell: int, reason: str) -> None:
    rule = first_rule(position_of(board))
    assert (rule.cell, rule.reason) == (cell, reason)


def test_only_a_running_game_on_three_by_three_has_a_rule() -> None:
    with pytest.raises(EngineError, match="The game is over"):
        STRATEGIES["rules"].candidates(position_of("XXXOO...."))
    with pytest.raises(EngineError, match="rules plays 3x3x3"):
        STRATEGIES["rules"].candidates(parse_rules("5x5x4").start())
