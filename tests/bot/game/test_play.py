"""A game against the computer: each rule on a drawn board; `tests/two/test_any_order.py` tries random taps."""

from __future__ import annotations

import pytest

from bot.game.actions import Move, Resign, SetFirst, SetLevel, Transition
from bot.game.attempt import Player, Question, Refusal, question_of
from bot.game.play import is_fresh, last_ply_of
from engine import LEVELS, Level, Mark
from storage.games.game import Offer, Termination
from tests.bot.games import ANN, BO, CEM, NOW, asking, computer_game, decided, done, drawn, game_of_two, refused


def test_the_person_begins_where_they_move_first() -> None:
    game = computer_game(first=True)
    assert (game.moves, game.mark_of(ANN.id)) == ("", Mark.X)


def test_the_computer_has_moved_where_it_moves_first() -> None:
    game = computer_game(first=False)
    assert (game.ply, game.mark_of(ANN.id)) == (1, Mark.O)


def test_a_move_is_answered_immediately() -> None:
    game = done(computer_game(), Move(0, 4), now=NOW + 5)
    assert game.ply == 2
    assert game.moves[0] == "4"
    assert game.moved_at == NOW + 5


@pytest.mark.parametrize("level", Level)
def test_the_answer_is_one_that_the_level_may_choose(level: Level) -> None:
    game = computer_game(level=level)
    played = done(game, Move(0, 0))
    assert int(played.moves[1]) in LEVELS[level].candidates(game.position.play(0))


def test_a_line_ends_the_game_and_the_computer_does_not_answer() -> None:
    game = computer_game(drawn("XX.", "OO.", "..."))
    ended = done(game, Move(4, 2))
    assert (ended.ply, ended.termination, ended.winner) == (5, Termination.LINE, Mark.X)


def test_the_computers_line_ends_the_game() -> None:
    game = computer_game(drawn("XX.", "OO.", "..."), level="perfect")
    ended = done(game, Move(4, 8))
    assert (ended.ply, ended.termination, ended.winner) == (6, Termination.LINE, Mark.O)


def test_a_full_board_is_a_draw() -> None:
    game = computer_game(drawn("XOX", "XOO", "OX."))
    ended = done(game, Move(8, 8))
    assert (ended.ply, ended.termination, ended.winner) == (9, Termination.FULL_BOARD, None)


def test_the_last_cell_may_win() -> None:
    """The ninth mark completes a line, so it's a win and not a draw."""
    game = computer_game(drawn("XOX", "OXO", "OX."))
    ended = done(game, Move(8, 8))
    assert (ended.termination, ended.winner) == (Termination.LINE, Mark.X)


@pytest.mark.parametrize(
    ("moves", "who", "ply", "cell", "refusal"),
    [
        ("40", CEM, 2, 1, Refusal.NOT_YOURS),
        ("40", ANN, 0, 1, Refusal.STALE),
        ("40", ANN, 1, 1, Refusal.STALE),
        ("40", ANN, 3, 1, Refusal.STALE),
        ("40", ANN, 2, 9, Refusal.STALE),
        ("40", ANN, 2, 64, Refusal.STALE),
        ("40", ANN, 2, 4, Refusal.TAKEN),
        ("40", ANN, 2, 0, Refusal.TAKEN),
        ("4", ANN, 1, 1, Refusal.NOT_YOUR_TURN),
    ],
)
def test_what_may_not_be_played_is_refused_with_its_reason(
    moves: str, who: Player, ply: int, cell: int, refusal: Refusal
) -> None:
    assert refused(computer_game(moves), Move(ply, cell), who) is refusal


def test_an_old_board_is_told_before_whose_turn_it_is_and_the_end_before_both() -> None:
    assert refused(game_of_two("4"), Move(0, 4), ANN) is Refusal.STALE
    over = computer_game(drawn("XXX", "OO.", "..."))
    assert refused(over, Move(0, 0)) is Refusal.OVER


@pytest.mark.parametrize("action", [Move(5, 8), SetLevel(Level.HARD), SetFirst(is_person=False)])
def test_an_ended_game_takes_no_move_level_or_first_mover(action: Transition) -> None:
    over = computer_game(drawn("XXX", "OO.", "..."))
    assert refused(over, action) is Refusal.OVER


def test_a_move_withdraws_what_was_asked() -> None:
    asked = game_of_two("40", **asking("takeback:O"))
    assert done(asked, Move(2, 1)).offer is None


@pytest.mark.parametrize("first", [True, False])
def test_a_level_chosen_before_the_first_move_restarts_the_game(first: bool) -> None:  # noqa: FBT001 - a parameter
    game = computer_game(first=first, level="easy")
    chosen = done(game, SetLevel(Level.HARD))
    assert chosen.level == "hard"
    assert chosen.ply == (0 if first else 1)
    assert is_fresh(chosen)
    assert decided(game, SetLevel(Level.EASY)).game is game, "the same choice changes nothing"


@pytest.mark.parametrize("first", [True, False])
def test_who_moves_first_can_be_chosen_before_the_first_move(first: bool) -> None:  # noqa: FBT001 - likewise
    game = computer_game(first=first)
    chosen = done(game, SetFirst(is_person=not first))
    assert chosen.mark_of(ANN.id) is (Mark.O if first else Mark.X)
    assert chosen.name(Mark.O if first else Mark.X) == "Ann"
    assert chosen.level == "medium"
    assert chosen.ply == (1 if first else 0)


def test_a_choice_withdraws_the_question_whether_to_resign() -> None:
    """If the sides changed, nobody could answer it any more."""
    asked = done(computer_game(), Resign(0))
    assert question_of(asked) == Question(Offer.RESIGN, Mark.X)
    assert done(asked, SetFirst(is_person=False)).offer is None
    assert done(asked, SetLevel(Level.HARD)).offer is None


def test_nothing_can_be_chosen_after_the_first_move_or_between_two_people() -> None:
    for game in (computer_game("40"), game_of_two()):
        assert not is_fresh(game)
        assert refused(game, SetLevel(Level.HARD)) is Refusal.BEGUN
        assert refused(game, SetFirst(is_person=False)) is Refusal.BEGUN


@pytest.mark.parametrize(
    ("moves", "x", "o"), [("", None, None), ("4", 0, None), ("40", 0, 1), ("401", 2, 1), ("4012", 2, 3)]
)
def test_the_last_move_of_a_side_is_found(moves: str, x: int | None, o: int | None) -> None:
    game = game_of_two(moves)
    assert (last_ply_of(game, Mark.X), last_ply_of(game, Mark.O)) == (x, o)


def test_a_name_that_nobody_knew_when_the_seat_was_taken_is_learnt_by_an_act() -> None:
    """A challenge of inline mode may begin before its challenger's name is known."""
    renamed = game_of_two("4")._replace(names={BO.id: "Bobo"})
    assert done(renamed, Move(1, 0), BO).name(Mark.O) == BO.name
    assert done(renamed, Resign(1), ANN).name(Mark.X) == ANN.name
