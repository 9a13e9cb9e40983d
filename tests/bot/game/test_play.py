"""A game against the computer: each rule of play, drawn; `tests/two/test_any_order.py` plays any taps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.game.acts import Act
from bot.game.play import is_fresh, last_ply_of
from bot.game.refusals import Refusal
from engine import LEVELS, Level, Mark
from storage.game import Termination
from tests.bot.games import ANN, BO, CEM, NOW, computer_game, decided, done, drawn, game_of_two, refused

if TYPE_CHECKING:
    from bot.game.acts import Player


def test_the_person_begins_where_they_move_first() -> None:
    game = computer_game(first=True)
    assert (game.moves, game.mark_of(ANN.id)) == ("", Mark.X)


def test_the_computer_has_moved_where_it_moves_first() -> None:
    game = computer_game(first=False)
    assert (game.ply, game.mark_of(ANN.id)) == (1, Mark.O)


def test_a_move_is_answered_at_once() -> None:
    game = done(computer_game(), Act.MOVE, ply=0, cell=4, now=NOW + 5)
    assert game.ply == 2
    assert game.moves[0] == "4"
    assert game.moved_at == NOW + 5


@pytest.mark.parametrize("level", Level)
def test_the_answer_is_one_that_the_level_may_choose(level: Level) -> None:
    game = computer_game(level=level)
    played = done(game, Act.MOVE, ply=0, cell=0)
    assert int(played.moves[1]) in LEVELS[level].candidates(game.position.play(0))


def test_a_line_ends_the_game_and_the_computer_answers_no_more() -> None:
    game = computer_game(drawn("XX.", "OO.", "..."))
    ended = done(game, Act.MOVE, ply=4, cell=2)
    assert (ended.ply, ended.termination, ended.winner) == (5, Termination.LINE, Mark.X)


def test_the_computers_line_ends_the_game() -> None:
    game = computer_game(drawn("XX.", "OO.", "..."), level="perfect")
    ended = done(game, Act.MOVE, ply=4, cell=8)
    assert (ended.ply, ended.termination, ended.winner) == (6, Termination.LINE, Mark.O)


def test_a_full_board_is_a_draw() -> None:
    game = computer_game(drawn("XOX", "XOO", "OX."))
    ended = done(game, Act.MOVE, ply=8, cell=8)
    assert (ended.ply, ended.termination, ended.winner) == (9, Termination.FULL_BOARD, None)


def test_the_last_cell_may_win() -> None:
    """The ninth mark makes a line, so it is a win and no draw."""
    game = computer_game(drawn("XOX", "OXO", "OX."))
    ended = done(game, Act.MOVE, ply=8, cell=8)
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
    assert refused(computer_game(moves), Act.MOVE, who, ply=ply, cell=cell) is refusal


def test_an_old_board_is_told_before_whose_turn_it_is_and_the_end_before_both() -> None:
    assert refused(game_of_two("4"), Act.MOVE, ANN, ply=0, cell=4) is Refusal.STALE
    over = computer_game(drawn("XXX", "OO.", "..."))
    assert refused(over, Act.MOVE, ply=0, cell=0) is Refusal.OVER


@pytest.mark.parametrize("act", [Act.MOVE, Act.SET_LEVEL, Act.SET_FIRST])
def test_an_ended_game_takes_no_move_level_or_first_mover(act: Act) -> None:
    over = computer_game(drawn("XXX", "OO.", "..."))
    assert refused(over, act, ply=5, cell=8, value="bot") is Refusal.OVER


def test_a_move_withdraws_what_was_asked() -> None:
    asked = game_of_two("40", offer="takeback:O")
    assert done(asked, Act.MOVE, ply=2, cell=1).offer is None


@pytest.mark.parametrize("first", [True, False])
def test_a_level_chosen_before_the_first_move_begins_the_game_anew(first: bool) -> None:  # noqa: FBT001 - a parameter
    game = computer_game(first=first, level="easy")
    chosen = done(game, Act.SET_LEVEL, value="hard")
    assert chosen.level == "hard"
    assert chosen.ply == (0 if first else 1)
    assert is_fresh(chosen)
    assert decided(game, Act.SET_LEVEL, value="easy").game is game, "the same choice changes nothing"


@pytest.mark.parametrize("first", [True, False])
def test_who_moves_first_can_be_chosen_before_the_first_move(first: bool) -> None:  # noqa: FBT001 - likewise
    game = computer_game(first=first)
    chosen = done(game, Act.SET_FIRST, value="bot" if first else "me")
    assert chosen.mark_of(ANN.id) is (Mark.O if first else Mark.X)
    assert chosen.name(Mark.O if first else Mark.X) == "Ann"
    assert chosen.level == "medium"
    assert chosen.ply == (1 if first else 0)


@pytest.mark.parametrize("value", ["me", "bot"])
def test_a_choice_withdraws_the_question_whether_to_resign(value: str) -> None:
    """With the sides changed nobody could answer it any more."""
    asked = done(computer_game(), Act.RESIGN, ply=0)
    assert asked.offer == "resign:X"
    if value == "bot":
        assert done(asked, Act.SET_FIRST, value=value).offer is None
    assert done(asked, Act.SET_LEVEL, value="hard").offer is None


def test_nothing_can_be_chosen_after_the_first_move_or_between_two_people() -> None:
    for game in (computer_game("40"), game_of_two()):
        assert not is_fresh(game)
        assert refused(game, Act.SET_LEVEL, value="hard") is Refusal.BEGUN
        assert refused(game, Act.SET_FIRST, value="bot") is Refusal.BEGUN


@pytest.mark.parametrize(
    ("moves", "x", "o"), [("", None, None), ("4", 0, None), ("40", 0, 1), ("401", 2, 1), ("4012", 2, 3)]
)
def test_the_last_move_of_a_side_is_found(moves: str, x: int | None, o: int | None) -> None:
    game = game_of_two(moves)
    assert (last_ply_of(game, Mark.X), last_ply_of(game, Mark.O)) == (x, o)


def test_a_name_that_nobody_knew_when_the_seat_was_taken_is_learnt_by_an_act() -> None:
    """A challenge of inline mode may begin before its challenger's name is known."""
    nameless = game_of_two("4")._replace(x_name=None, o_name=None)
    assert done(nameless, Act.MOVE, BO, ply=1, cell=0).o_name == BO.name
    assert done(nameless, Act.RESIGN, ANN, ply=1).x_name == ANN.name
