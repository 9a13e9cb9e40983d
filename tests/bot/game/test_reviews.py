"""Reviews: pages of a board, who may turn them, and the result of a tried cell."""

from __future__ import annotations

import pytest

from bot.game.actions import (
    Bring,
    Cancel,
    Hint,
    InReview,
    LeaveReview,
    LookBack,
    Move,
    Rematch,
    Share,
    ShowBest,
    TryAgain,
    TryCell,
)
from bot.game.analysis import known_analysis
from bot.game.attempt import Player, Refusal, Where
from bot.game.machine import Access, admit, is_shown
from bot.game.pages import Review, can_try, is_reviewable, review_of, reviewer_of, steps_here, turned
from storage.games.game import Termination
from storage.games.record import WHOLE
from storage.games.record import ReviewMode as Mode
from tests.bot.games import ANN, BO, CEM, GROUP, HERE, board_in, game_of_two, open_challenge

SLIPPED = game_of_two("0863214")
"""Bo's second ply gave a draw away: the centre alone would have held."""


def test_a_board_keeps_a_review_as_its_page() -> None:
    for mode in Mode:
        review = Review(mode, 81, None if mode is Mode.LOOK else 0, 2**52 - 1)
        assert review_of(board_in(page=review.page)) == review
    assert review_of(board_in()) is None


def turn(action: InReview, page: Review | None, who: Player) -> Review | Refusal | None:
    board = board_in(page=WHOLE if page is None else page.page)
    return turned(SLIPPED, board, action, who.id)


def looking(ply: int, who: Player = BO) -> Review:
    return Review(Mode.LOOK, ply, reviewer=who.id)


def test_the_person_who_opens_a_review_steps_through_it() -> None:
    assert turn(LookBack(0), None, BO) == looking(2), "where the game turned"
    assert turn(LookBack(0), looking(2), BO) == looking(0)
    assert turn(LookBack(1), looking(0), BO) == looking(1)
    assert turn(LookBack(99), looking(1), BO) == looking(7), "not beyond the end"
    assert turn(LeaveReview(), looking(7), BO) is None


def test_the_player_who_made_the_mistake_looks_for_the_better_cell() -> None:
    trying = Review(Mode.TRY, 1, reviewer=BO.id)
    assert turn(TryAgain(2), looking(2), BO) == trying
    wrong = turn(TryCell(1, 2), trying, BO)
    assert wrong == Review(Mode.MISSED, 1, 2, BO.id)
    assert isinstance(wrong, Review)
    assert turn(TryCell(1, 8), wrong, BO) == Review(Mode.MISSED, 1, 8, BO.id), "the one that was played"
    assert turn(TryCell(1, 4), wrong, BO) == Review(Mode.FOUND, 1, 4, BO.id)
    assert turn(ShowBest(1), wrong, BO) == Review(Mode.ANSWER, 1, 4, BO.id)
    assert turn(TryCell(1, 0), wrong, BO) is Refusal.TAKEN
    assert turn(LookBack(2), wrong, BO) == looking(2), "stepping goes on from there"


@pytest.mark.parametrize(
    ("action", "page", "who", "why"),
    [
        (TryAgain(2), looking(2, ANN), ANN, Refusal.STALE),
        (TryAgain(3), looking(3), BO, Refusal.STALE),
        (TryAgain(0), looking(0), BO, Refusal.STALE),
        (TryCell(2, 2), looking(2), BO, Refusal.LOOKING_BACK),
        (TryCell(1, 2), None, BO, Refusal.LOOKING_BACK),
        (TryCell(3, 2), Review(Mode.TRY, 1, reviewer=BO.id), BO, Refusal.STALE),
        (ShowBest(2), looking(2), BO, Refusal.LOOKING_BACK),
        (TryCell(1, 2), Review(Mode.FOUND, 1, 4, BO.id), BO, Refusal.LOOKING_BACK),
    ],
    ids=["not her slip", "no slip", "the start", "only looking", "nobody looks", "stale", "not tried", "found"],
)
def test_what_does_not_fit_is_refused(action: InReview, page: Review | None, who: Player, why: Refusal) -> None:
    assert turn(action, page, who) is why


def test_on_a_bigger_board_one_waits_until_it_has_been_looked_at() -> None:
    big = game_of_two()._replace(rules="6x6x4", moves="01", termination=Termination.RESIGNATION)
    for action in (TryAgain(1), TryCell(1, 0), ShowBest(1)):
        assert turned(big, board_in(), action, ANN.id) is Refusal.STILL_LOOKING
    assert turned(big, board_in(), LookBack(1), ANN.id) == looking(1, ANN)


def test_in_a_shared_message_its_opener_steps_and_in_a_private_one_its_owner() -> None:
    shared = board_in(page=looking(2, ANN).page)
    assert steps_here(board_in(), BO.id), "nobody has opened it"
    assert steps_here(shared, ANN.id)
    assert not steps_here(shared, BO.id)
    own = board_in(viewer=BO.id, page=Review(Mode.LOOK, 2).page)
    assert steps_here(own, BO.id)
    assert not steps_here(own, ANN.id)
    assert reviewer_of(own) == BO.id
    assert reviewer_of(shared) == ANN.id


def test_only_what_was_played_and_is_over_can_be_looked_back_on() -> None:
    assert is_reviewable(SLIPPED)
    assert not is_reviewable(game_of_two("08"))
    assert not is_reviewable(open_challenge()._replace(termination=Termination.CANCELLED))
    assert not is_reviewable(game_of_two()._replace(termination=Termination.RESIGNATION))


OWN_CHAT = Where(CEM.id, message_id=9, shows=7)


def test_a_review_of_ones_own_opens_itself_and_nothing_else() -> None:
    aside = board_in(CEM.id, id=2, viewer=CEM.id, aside=True, page=Review(Mode.LOOK, 0).page)
    boards = [board_in(), aside]
    assert not is_shown(SLIPPED, [aside], OWN_CHAT)
    assert admit(LookBack(0), SLIPPED, boards, CEM.id, OWN_CHAT) is Access.ACT
    for action in (Move(0, 4), Rematch(), Share(), Hint(), Bring(), Cancel()):
        assert admit(action, SLIPPED, boards, CEM.id, OWN_CHAT) is Access.NOTHING
    assert admit(LookBack(0), SLIPPED, boards, ANN.id, OWN_CHAT._replace(shows=None)) is Access.NOTHING
    assert admit(LookBack(0), SLIPPED, boards, CEM.id, HERE) is Access.SEE, (
        "where others watch, they get a review of their own"
    )
    assert admit(LookBack(0), SLIPPED, boards, CEM.id, Where(GROUP - 1)) is Access.NOTHING


def test_one_tries_only_ones_own_moves_again() -> None:
    slipped = game_of_two("0863214")
    analysis = known_analysis(slipped)
    assert analysis is not None
    assert analysis.steps[1].gives_away
    assert can_try(slipped, BO.id, 2, analysis)
    assert not can_try(slipped, ANN.id, 2, analysis)
