"""Which analyses of finished games are known, and which need a search."""

from __future__ import annotations

from bot.game.analysis import REMEMBERED, give_up, is_pending, known_analysis, learn, look_again, needs_no_search
from engine import CLASSIC, parse_rules
from engine.analysis.game_analysis import analyse_game
from tests.bot.games import computer_game

SMALL = computer_game("0863214")
BIG = computer_game("")._replace(rules="5x5x4", moves="0A1B2C3")


def test_three_by_three_needs_no_search() -> None:
    assert needs_no_search(SMALL)
    assert not is_pending(SMALL)
    assert known_analysis(SMALL) == analyse_game(CLASSIC, "0863214")


def test_a_bigger_board_is_looked_at_by_others_and_learned() -> None:
    assert not needs_no_search(BIG)
    assert is_pending(BIG)
    assert known_analysis(BIG) is None
    found = analyse_game(parse_rules("5x5x4"), BIG.moves, 0.05)
    learn(BIG, found)
    assert known_analysis(BIG) == found
    assert not is_pending(BIG)


def test_what_cannot_be_looked_at_is_asked_once() -> None:
    hopeless = BIG._replace(moves="0A1B2C4")
    give_up(hopeless)
    assert not is_pending(hopeless)
    assert known_analysis(hopeless) is None


def test_asking_again_looks_again() -> None:
    failed, found = BIG._replace(moves="0A1B2C5"), analyse_game(parse_rules("5x5x4"), BIG.moves, 0.01)
    give_up(failed)
    learn(BIG, found)
    for game in (failed, BIG, SMALL):
        look_again(game)
    assert is_pending(failed)
    assert known_analysis(BIG) == found
    assert not is_pending(SMALL)


def test_of_too_many_the_oldest_are_forgotten() -> None:
    first = BIG._replace(moves="first")
    give_up(first)
    for number in range(REMEMBERED):
        give_up(BIG._replace(moves=f"{number}"))
    assert is_pending(first)
