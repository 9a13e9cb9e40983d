"""Takeback and resignation: what is asked, and what an answer does."""

from __future__ import annotations

import pytest

from bot.game.acts import Act
from bot.game.refusals import Refusal
from bot.game.states import Question, State, declined_in, question_of, state_of
from engine import Mark
from storage.game import Offer, Termination
from tests.bot.games import ANN, BO, NOW, computer_game, done, drawn, game_of_two, refused


@pytest.mark.parametrize(
    ("first", "moves", "after"),
    [(True, "40", ""), (True, "4013", "40"), (False, "401", "4"), (False, "40132", "401")],
)
def test_against_the_computer_a_takeback_takes_ones_last_move_and_its_answer(
    *, first: bool, moves: str, after: str
) -> None:
    game = computer_game(moves, first=first)
    assert done(game, Act.TAKEBACK, ply=len(moves)).moves == after


def test_a_takeback_between_two_people_needs_the_others_leave() -> None:
    asked = done(game_of_two("401"), Act.TAKEBACK, BO, ply=3)
    assert (asked.moves, asked.offer, state_of(asked)) == ("401", "takeback:O", State.TAKEBACK_ASKED)
    agreed = done(asked, Act.AGREE, ANN, ply=3, now=NOW + 9)
    assert (agreed.moves, agreed.offer, agreed.moved_at, agreed.reminded) == ("4", None, NOW + 9, None)
    refused_ = done(asked, Act.REFUSE, ANN, ply=3)
    assert (refused_.moves, state_of(refused_), declined_in(refused_)) == (
        "401",
        State.RUNNING,
        Question(Offer.TAKEBACK, Mark.O),
    )
    withdrawn = done(asked, Act.REFUSE, BO, ply=3)
    assert (withdrawn.moves, withdrawn.offer, declined_in(withdrawn)) == ("401", None, None)


def test_a_decline_is_remembered_until_something_happens() -> None:
    asked = done(game_of_two("401"), Act.TAKEBACK, BO, ply=3)
    declined = done(asked, Act.REFUSE, ANN, ply=3)
    assert refused(declined, Act.AGREE, ANN, ply=3) is Refusal.NOT_ASKED
    assert refused(declined, Act.REFUSE, ANN, ply=3) is Refusal.NOT_ASKED
    for then in (
        done(declined, Act.MOVE, BO, ply=3, cell=8),
        done(declined, Act.TAKEBACK, BO, ply=3),
        done(declined, Act.RESIGN, ANN, ply=3),
    ):
        assert declined_in(then) is None


def test_a_declined_rematch_can_be_asked_for_again_by_both() -> None:
    asked = done(game_of_two(drawn("XXX", "OO.", "...")), Act.REMATCH, BO)
    declined = done(asked, Act.REFUSE, ANN, ply=5)
    assert (state_of(declined), declined_in(declined)) == (State.OVER, Question(Offer.REMATCH, Mark.O))
    for who, mark in ((ANN, Mark.X), (BO, Mark.O)):
        assert question_of(done(declined, Act.REMATCH, who)) == Question(Offer.REMATCH, mark)


def test_nothing_is_taken_back_before_one_has_moved() -> None:
    assert refused(game_of_two(), Act.TAKEBACK, ANN, ply=0) is Refusal.NOTHING_TO_TAKE_BACK
    assert refused(game_of_two("4"), Act.TAKEBACK, BO, ply=1) is Refusal.NOTHING_TO_TAKE_BACK
    assert refused(computer_game("4", first=False), Act.TAKEBACK, ply=1) is Refusal.NOTHING_TO_TAKE_BACK


def test_who_has_switched_takebacks_off_is_not_asked() -> None:
    asked = refused(game_of_two("40"), Act.TAKEBACK, ANN, ply=2, takebacks_allowed=False)
    assert asked is Refusal.NO_TAKEBACKS
    against_computer = done(computer_game("40"), Act.TAKEBACK, ply=2, takebacks_allowed=False)
    assert against_computer.moves == ""


def test_one_question_at_a_time() -> None:
    asked = game_of_two("40", offer="takeback:X")
    assert refused(asked, Act.RESIGN, BO, ply=2) is Refusal.ASKED
    assert refused(asked, Act.TAKEBACK, BO, ply=2) is Refusal.ASKED
    resigning = game_of_two("40", offer="resign:X")
    assert refused(resigning, Act.RESIGN, BO, ply=2) is Refusal.ASKED
    assert done(resigning, Act.RESIGN, ANN, ply=2) is resigning, "to ask oneself twice is to ask once"


def test_a_resignation_counts_after_a_second_thought() -> None:
    asked = done(game_of_two("40"), Act.RESIGN, BO, ply=2)
    assert not asked.is_over
    resigned = done(asked, Act.CONFIRM, BO)
    assert (resigned.termination, resigned.winner, resigned.offer) == (Termination.RESIGNATION, Mark.X, None)
    better = done(asked, Act.PLAY_ON, BO)
    assert (better.is_over, better.offer) == (False, None)


def test_only_who_asked_themselves_can_confirm() -> None:
    asked = game_of_two("40", offer="resign:O")
    assert refused(asked, Act.CONFIRM, ANN) is Refusal.NOT_ASKED
    assert refused(asked, Act.PLAY_ON, ANN) is Refusal.NOT_ASKED
    assert refused(game_of_two("40"), Act.CONFIRM, BO) is Refusal.NOT_ASKED


@pytest.mark.parametrize("act", [Act.TAKEBACK, Act.RESIGN, Act.AGREE, Act.REFUSE])
def test_what_is_meant_for_another_board_is_refused_as_stale(act: Act) -> None:
    game = game_of_two("40", offer="takeback:X" if act in (Act.AGREE, Act.REFUSE) else None)
    for ply in (1, 3):
        assert refused(game, act, BO, ply=ply) is Refusal.STALE
