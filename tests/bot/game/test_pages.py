"""Pages of a board: the choice of what is played, and the little boards of ultimate."""

from __future__ import annotations

from bot.game.acts import Act
from bot.game.pages import ALL, PARTS, RULES, kept, may_choose_rules, open_page
from bot.game.refusals import Refusal
from storage.game import Termination
from tests.bot.games import ANN, BO, computer_game, done, game_of_two, open_challenge, refused

ULTIMATE = game_of_two(rules="ultimate", version=5)
WON = "2I190"
"""X has the top left board by its first row, whose first cell sends O there: so O may choose."""


def test_a_page_is_open_until_the_game_changes() -> None:
    page = kept(ULTIMATE, "4")
    assert open_page(ULTIMATE, page) == "4"
    assert open_page(ULTIMATE._replace(version=6), page) is None
    assert open_page(ULTIMATE._replace(termination=Termination.EXPIRED), page) is None
    assert kept(ULTIMATE, ALL) is None


def test_a_page_of_something_else_is_none_of_these() -> None:
    for other in ("", "4", "9:5", "review:5", ":5", "4:", "12"):
        assert open_page(ULTIMATE, other) is None


def test_whose_turn_it_is_turns_to_any_board_where_the_choice_is_free() -> None:
    for part in PARTS:
        assert done(ULTIMATE, Act.TURN, ANN, ply=0, value=part) is ULTIMATE
        assert refused(ULTIMATE, Act.TURN, BO, ply=0, value=part) is Refusal.NOT_YOUR_TURN
    assert refused(ULTIMATE, Act.TURN, ANN, ply=3, value="4") is Refusal.STALE


def test_where_the_last_move_names_the_board_there_is_no_other() -> None:
    sent = game_of_two("4", rules="ultimate")
    assert refused(sent, Act.TURN, BO, ply=1, value="4") is Refusal.STALE
    assert refused(sent, Act.MOVE, BO, ply=1, cell=0) is Refusal.ELSEWHERE
    assert refused(game_of_two("4"), Act.TURN, BO, ply=1, value="4") is Refusal.STALE, "nor on one board"


def test_a_finished_board_is_not_opened() -> None:
    free = game_of_two(WON, rules="ultimate")
    assert free.position.legal_moves[0] == 10
    assert refused(free, Act.TURN, BO, ply=free.ply, value="0") is Refusal.BOARD_FINISHED
    assert done(free, Act.TURN, BO, ply=free.ply, value="8") is free
    assert refused(free, Act.MOVE, BO, ply=free.ply, cell=3) is Refusal.BOARD_FINISHED


def test_another_board_can_be_chosen_before_one_has_moved_and_in_an_open_challenge() -> None:
    for game in (computer_game(), computer_game(first=False), open_challenge()):
        assert may_choose_rules(game)
        assert done(game, Act.TURN, ply=game.ply, value=RULES) is game
        chosen = done(game, Act.SET_RULES, value="5x5x4")
        assert (chosen.rules, chosen.ply) == ("5x5x4", 0)
        assert done(game, Act.SET_RULES, value=game.rules) is game
    for game in (computer_game("40"), game_of_two()):
        assert not may_choose_rules(game)
        assert refused(game, Act.TURN, ply=game.ply, value=RULES) is Refusal.BEGUN
        assert refused(game, Act.SET_RULES, value="5x5x4") is Refusal.BEGUN
