"""Analyses, hints and comments: which need a search, and that what is said is true."""

from itertools import permutations

import pytest

from bot.game.analysis import (
    forget_failure,
    has_table,
    hinted_cell,
    is_pending,
    known_analysis,
    last_reason,
    learn,
)
from engine import CLASSIC, Reason, candidates, parse_rules
from engine.reviews import Verdict, analyse_game
from storage.games.game import COMPUTER, Game, Side, Termination
from tests.bot.games import asking, computer_game, drawn, game_of_two
from tests.two.model import LINES

SMALL = computer_game("0863214")
BIG = computer_game("")._replace(rules="5x5x4", moves="0A1B2C3")


def test_a_bigger_board_is_looked_at_by_others_and_learned_or_given_up_until_somebody_asks_again() -> None:
    assert (has_table(SMALL), is_pending(SMALL)) == (True, False)
    assert known_analysis(SMALL) == analyse_game(CLASSIC, "0863214")
    hopeless = BIG._replace(moves="0A1B2C4")
    assert [(has_table(game), is_pending(game)) for game in (BIG, hopeless)] == [(False, True)] * 2
    found = analyse_game(parse_rules("5x5x4"), BIG.moves, 0.05)
    learn(BIG, found)
    learn(hopeless, None)
    known = [(known_analysis(game), is_pending(game)) for game in (BIG, hopeless)]
    assert known == [(found, False), (None, False)]
    for game in (hopeless, BIG, SMALL):
        forget_failure(game)
    assert [is_pending(game) for game in (hopeless, BIG, SMALL)] == [True, False, False]
    assert known_analysis(BIG) == found


def test_a_hint_early_in_a_game_names_the_best_cell_and_why() -> None:
    hint = hinted_cell(computer_game(drawn("...", ".O.", "..X")))
    assert hint is not None
    assert hint[:3] == (5, Verdict.BEST, Reason.THREAT)


def test_wherever_the_fifth_move_is_due_a_hint_is_a_best_cell_and_its_reason_is_true() -> None:
    for first, second, third, fourth in permutations(range(9), 4):
        crosses, rings = {first, third}, {second, fourth}
        game = computer_game(f"{first}{second}{third}{fourth}")
        found = hinted_cell(game)
        assert found is not None
        cell, _, why, *_ = found
        assert cell in candidates("perfect", game.position)
        threats = [line for line in LINES if len(crosses & set(line)) == 2 and not rings & set(line)]
        dangers = [line for line in LINES if len(rings & set(line)) == 2 and not crosses & set(line)]
        after = [line for line in LINES if len((crosses | {cell}) & set(line)) == 2 and not rings & set(line)]
        assert (why is Reason.WIN) is bool(threats)
        if why is Reason.WIN:
            assert any(cell in line for line in threats)
        elif why is Reason.BLOCK:
            assert any(cell in line for line in dangers)
        else:
            assert not dangers or why in (Reason.ALLOWS_WIN, Reason.FORK)
            assert (why is Reason.FORK) is (len(after) >= 2)


@pytest.mark.parametrize(
    ("rules", "moves", "why"),
    [
        *(("3x3x3", "04", Reason.CENTRE), ("3x3x3", "40", Reason.CORNER), ("3x3x3", "0412", Reason.BLOCK)),
        *(("3x3x3", moves, Reason.ALLOWS_WIN) for moves in ("0182", "8470", "2041")),
        *(("3x3x3", "1547", Reason.BLOCK), ("3x3x3", drawn("XX.", "OOO", "X.."), Reason.WIN)),
        *(("3x3x3", "041", None), ("3x3x3", "", None)),
        *(("5x5x4", "0C", Reason.CENTRE), ("5x5x4", "0A1B23", Reason.BLOCK)),
        *(("3x3x3-misere", "04", Reason.CENTRE), ("ultimate", "cI", Reason.CORNER)),
    ],
)
def test_a_comment_is_the_reason_of_the_computers_last_move(rules: str, moves: str, why: Reason | None) -> None:
    assert last_reason(computer_game(moves, rules=rules)) is why


@pytest.mark.parametrize(
    "game",
    [
        game_of_two("40"),
        computer_game("40", first=True)._replace(**asking("resign:X")),
        computer_game("40")._replace(termination=Termination.RESIGNATION),
        computer_game("40")._replace(termination=Termination.EXPIRED),
        computer_game("40")._replace(x=Side(COMPUTER, "easy")),
        computer_game("40")._replace(takebacks=1),
    ],
    ids=["between people", "a question is open", "resigned", "closed", "it plays itself", "it would say it again"],
)
def test_it_says_nothing_where_nobody_listens(game: Game) -> None:
    assert last_reason(game) is None
