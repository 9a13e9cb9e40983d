"""Pages of a board: choosing the rules, and the little boards of ultimate."""

from __future__ import annotations

from bot.game.actions import Move, SetRules, ShowAll, ShowMoreRules, ShowRegion, ShowRules, Turn
from bot.game.attempt import Refusal
from bot.game.pages import MORE, RULES, kept, may_choose_rules, open_page
from storage.games.game import Termination
from storage.games.record import WHOLE
from tests.bot.games import ANN, BO, board_in, computer_game, done, game_of_two, open_challenge, permitted, refused

ULTIMATE = game_of_two(rules="ultimate", version=5)
WON = "2I190"
"""X has the top left board by its first row, whose first cell sends O there: so O may choose."""


def test_a_page_is_open_until_the_game_changes() -> None:
    opened: dict[Turn, str] = {
        ShowRegion(0, 4): "4",
        ShowRegion(0, 0): "0",
        ShowRules(0): RULES,
        ShowMoreRules(0): MORE,
    }
    for action, page in opened.items():
        board = board_in(page=kept(ULTIMATE, action))
        assert open_page(ULTIMATE, board) == page
        assert open_page(ULTIMATE._replace(version=6), board) is None
        assert open_page(ULTIMATE._replace(termination=Termination.EXPIRED), board) is None
    assert kept(ULTIMATE, ShowAll(0)) == WHOLE
    assert open_page(ULTIMATE, board_in()) is None


def test_whose_turn_it_is_turns_to_any_board_where_the_choice_is_free() -> None:
    for region in range(9):
        assert permitted(ULTIMATE, ShowRegion(0, region), ANN) is None
        assert permitted(ULTIMATE, ShowRegion(0, region), BO) is Refusal.NOT_YOUR_TURN
    assert permitted(ULTIMATE, ShowRegion(3, 4), ANN) is Refusal.STALE


def test_where_the_last_move_names_the_board_there_is_no_other() -> None:
    sent = game_of_two("4", rules="ultimate")
    assert permitted(sent, ShowRegion(1, 4), BO) is Refusal.STALE
    assert refused(sent, Move(1, 0), BO) is Refusal.ELSEWHERE
    assert permitted(game_of_two("4"), ShowRegion(1, 4), BO) is Refusal.STALE, "nor on one board"


def test_a_finished_board_is_not_opened() -> None:
    free = game_of_two(WON, rules="ultimate")
    assert free.position.legal_moves[0] == 10
    assert permitted(free, ShowRegion(free.ply, 0), BO) is Refusal.BOARD_FINISHED
    assert permitted(free, ShowRegion(free.ply, 8), BO) is None
    assert refused(free, Move(free.ply, 3), BO) is Refusal.BOARD_FINISHED


def test_another_board_can_be_chosen_before_one_has_moved_and_in_an_open_challenge() -> None:
    for game in (computer_game(), computer_game(first=False), open_challenge()):
        assert may_choose_rules(game)
        assert permitted(game, ShowRules(game.ply)) is None
        chosen = done(game, SetRules("5x5x4"))
        assert (chosen.rules, chosen.ply) == ("5x5x4", 0)
        assert done(game, SetRules(game.rules)) is game
    for game in (computer_game("40"), game_of_two()):
        assert not may_choose_rules(game)
        assert permitted(game, ShowRules(game.ply)) is Refusal.BEGUN
        assert refused(game, SetRules("5x5x4")) is Refusal.BEGUN
