"""Takeback and resignation: the questions, and the effect of each answer."""

from __future__ import annotations

import pytest

from bot.boards.keyboards import of_game
from bot.boards.translations import texts
from bot.game.actions import Agree, ConfirmResign, Move, PlayOn, Refuse, Rematch, Resign, TakeBack
from bot.game.attempt import Player, Question, Refusal, State, declined_in, question_of, state_of
from engine import Mark
from storage.games.game import Offer, Termination
from tests.bot.games import ANN, BO, NOW, asking, computer_game, done, drawn, game_of_two, refused


@pytest.mark.parametrize(
    ("first", "moves", "after"),
    [(True, "40", ""), (True, "4013", "40"), (False, "401", "4"), (False, "40132", "401")],
)
def test_against_the_computer_a_takeback_takes_ones_last_move_and_its_answer(
    *, first: bool, moves: str, after: str
) -> None:
    game = computer_game(moves, first=first)
    assert done(game, TakeBack(len(moves))).moves == after


def test_a_takeback_between_two_people_needs_the_others_leave() -> None:
    asked = done(game_of_two("401"), TakeBack(3), BO)
    assert (asked.moves, state_of(asked)) == ("401", State.TAKEBACK_ASKED)
    assert question_of(asked) == Question(Offer.TAKEBACK, Mark.O)
    agreed = done(asked, Agree(3), ANN, now=NOW + 9)
    assert (agreed.moves, agreed.offer, agreed.moved_at, agreed.reminded) == ("4", None, NOW + 9, None)
    refused_ = done(asked, Refuse(3), ANN)
    assert (refused_.moves, state_of(refused_), declined_in(refused_)) == (
        "401",
        State.RUNNING,
        Question(Offer.TAKEBACK, Mark.O),
    )
    withdrawn = done(asked, Refuse(3), BO)
    assert (withdrawn.moves, withdrawn.offer, declined_in(withdrawn)) == ("401", None, None)


def test_a_decline_is_remembered_until_something_happens() -> None:
    asked = done(game_of_two("401"), TakeBack(3), BO)
    declined = done(asked, Refuse(3), ANN)
    assert refused(declined, Agree(3), ANN) is Refusal.NOT_ASKED
    assert refused(declined, Refuse(3), ANN) is Refusal.NOT_ASKED
    for then in (
        done(declined, Move(3, 8), BO),
        done(declined, TakeBack(3), BO),
        done(declined, Resign(3), ANN),
    ):
        assert declined_in(then) is None


def test_a_declined_rematch_can_be_asked_for_again_by_both() -> None:
    asked = done(game_of_two(drawn("XXX", "OO.", "...")), Rematch(), BO)
    declined = done(asked, Refuse(5), ANN)
    assert (state_of(declined), declined_in(declined)) == (State.OVER, Question(Offer.REMATCH, Mark.O))
    for who, mark in ((ANN, Mark.X), (BO, Mark.O)):
        assert question_of(done(declined, Rematch(), who)) == Question(Offer.REMATCH, mark)


def test_nothing_is_taken_back_before_one_has_moved() -> None:
    assert refused(game_of_two(), TakeBack(0), ANN) is Refusal.NOTHING_TO_TAKE_BACK
    assert refused(game_of_two("4"), TakeBack(1), BO) is Refusal.NOTHING_TO_TAKE_BACK
    assert refused(computer_game("4", first=False), TakeBack(1)) is Refusal.NOTHING_TO_TAKE_BACK


def test_somebody_who_has_turned_takebacks_off_is_not_asked() -> None:
    asked = refused(game_of_two("40"), TakeBack(2), ANN, takebacks_allowed=False)
    assert asked is Refusal.NO_TAKEBACKS
    against_computer = done(computer_game("40"), TakeBack(2), takebacks_allowed=False)
    assert against_computer.moves == ""


def test_one_question_at_a_time() -> None:
    asked = game_of_two("40", **asking("takeback:X"))
    assert refused(asked, TakeBack(2), BO) is Refusal.ASKED
    resigning = game_of_two("40", **asking("resign:X"))
    assert refused(resigning, TakeBack(2), BO) is Refusal.ASKED
    assert done(resigning, Resign(2), ANN) is resigning, "asking twice is asking once"


@pytest.mark.parametrize("open_", ["takeback:X", "takeback:O", "resign:X", "resign:O", "resign both:X"])
@pytest.mark.parametrize(("who", "other"), [(ANN, BO), (BO, ANN)])
def test_resigning_is_always_possible_whatever_the_opponent_asks_and_withdraws(
    open_: str, who: Player, other: Player
) -> None:
    mine = done(game_of_two("40", **asking(open_)), Resign(2), who)
    for toggle in ((), (Resign(2),), (Resign(2), PlayOn())):
        now = mine
        for action in toggle:
            now = done(now, action, other)
        own = question_of(now)
        assert own is not None, "the question stays"
        assert "Yes, resign" in of_game(now, texts("en"), who.id)
        resigned = done(now, ConfirmResign(), who)
        assert resigned.termination is Termination.RESIGNATION
        assert resigned.winner is resigned.mark_of(other.id)
    better = done(mine, PlayOn(), who)
    assert question_of(better) == (None if mine.offer is Offer.RESIGN else (Offer.RESIGN, mine.mark_of(other.id)))
    assert not done(mine, Move(2, 1), ANN).offer


def test_a_resignation_withdraws_the_open_question() -> None:
    asked = done(game_of_two("40", **asking("takeback:X")), Resign(2), ANN)
    assert question_of(asked) == Question(Offer.RESIGN, Mark.X)
    assert refused(asked, Agree(2), BO) is Refusal.NOT_ASKED
    assert question_of(done(asked, PlayOn(), ANN)) is None


def test_a_resignation_counts_after_a_second_thought() -> None:
    asked = done(game_of_two("40"), Resign(2), BO)
    assert not asked.is_over
    resigned = done(asked, ConfirmResign(), BO)
    assert (resigned.termination, resigned.winner, resigned.offer) == (Termination.RESIGNATION, Mark.X, None)
    better = done(asked, PlayOn(), BO)
    assert (better.is_over, better.offer) == (False, None)


def test_only_the_person_who_asked_can_confirm() -> None:
    asked = game_of_two("40", **asking("resign:O"))
    assert refused(asked, ConfirmResign(), ANN) is Refusal.NOT_ASKED
    assert refused(asked, PlayOn(), ANN) is Refusal.NOT_ASKED
    assert refused(game_of_two("40"), ConfirmResign(), BO) is Refusal.NOT_ASKED


@pytest.mark.parametrize("kind", [TakeBack, Resign, Agree, Refuse])
def test_what_is_meant_for_another_board_is_refused_as_stale(
    kind: type[TakeBack | Resign | Agree | Refuse],
) -> None:
    game = game_of_two("40", **(asking("takeback:X") if kind in (Agree, Refuse) else {}))
    for ply in (1, 3):
        assert refused(game, kind(ply), BO) is Refusal.STALE
