"""Reviews: the page of a board, who turns it, and what a tried cell comes to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.game.acts import Act, Player
from bot.game.gate import Access, Where, admit, is_shown
from bot.game.refusals import Refusal
from bot.game.reviews import Mode, Page, is_reviewable, page_of, read_page, reviewer_of, steps_here, turned
from storage.game import Termination
from tests.bot.games import ANN, BO, CEM, GROUP, HERE, board_in, game_of_two, open_challenge, wish

SLIPPED = game_of_two("0863214")
"""Bo's second ply gave a draw away: the centre alone would have held."""

PAGES = st.builds(
    Page,
    st.sampled_from(Mode),
    st.integers(0, 81),
    st.integers(0, 80),
    st.none() | st.integers(1, 2**52 - 1),
    st.booleans(),
)


@given(PAGES)
def test_a_page_fits_into_its_row_and_is_read_back(page: Page) -> None:
    assert len(str(page)) <= 16
    assert read_page(str(page)) == page
    assert board_in(page=str(page)).is_aside is page.is_aside


@given(st.text(max_size=16))
def test_whatever_else_a_row_holds_is_no_page_of_a_review(text: str) -> None:
    found = read_page(text)
    assert found is None or text[0].lower() in "rtwfa"


def turn(act: Act, page: Page | None, who: Player, ply: int = 0, cell: int = 0) -> Page | Refusal | None:
    board = board_in(page=page and str(page))
    return turned(SLIPPED, board, wish(act, who, ply=ply, cell=cell))


def looking(ply: int, who: Player = BO) -> Page:
    return Page(Mode.LOOK, ply, opener=who.id)


def test_who_opens_a_review_steps_through_it() -> None:
    assert turn(Act.REVIEW, None, BO) == looking(0)
    assert turn(Act.REVIEW, looking(0), BO, 1) == looking(1)
    assert turn(Act.REVIEW, looking(1), BO, 99) == looking(7), "no further than the end"
    assert turn(Act.LEAVE, looking(7), BO) is None


def test_who_slipped_looks_for_the_better_cell() -> None:
    trying = Page(Mode.TRY, 1, opener=BO.id)
    assert turn(Act.TRY_AGAIN, looking(2), BO, 2) == trying
    wrong = turn(Act.TRY_CELL, trying, BO, 1, 2)
    assert wrong == Page(Mode.MISSED, 1, 2, BO.id)
    assert isinstance(wrong, Page)
    assert turn(Act.TRY_CELL, wrong, BO, 1, 8) == Page(Mode.MISSED, 1, 8, BO.id), "the one that was played"
    assert turn(Act.TRY_CELL, wrong, BO, 1, 4) == Page(Mode.FOUND, 1, 4, BO.id)
    assert turn(Act.SHOW, wrong, BO, 1) == Page(Mode.ANSWER, 1, 4, BO.id)
    assert turn(Act.TRY_CELL, wrong, BO, 1, 0) is Refusal.TAKEN
    assert turn(Act.REVIEW, wrong, BO, 2) == looking(2), "the stepper goes on from there"


@pytest.mark.parametrize(
    ("act", "page", "who", "ply", "why"),
    [
        (Act.TRY_AGAIN, looking(2, ANN), ANN, 2, Refusal.STALE),
        (Act.TRY_AGAIN, looking(3), BO, 3, Refusal.STALE),
        (Act.TRY_AGAIN, looking(0), BO, 0, Refusal.STALE),
        (Act.TRY_CELL, looking(2), BO, 2, Refusal.LOOKING_BACK),
        (Act.TRY_CELL, None, BO, 1, Refusal.LOOKING_BACK),
        (Act.TRY_CELL, Page(Mode.TRY, 1, opener=BO.id), BO, 3, Refusal.STALE),
        (Act.SHOW, looking(2), BO, 2, Refusal.LOOKING_BACK),
        (Act.TRY_CELL, Page(Mode.FOUND, 1, 4, BO.id), BO, 1, Refusal.LOOKING_BACK),
    ],
    ids=["not her slip", "no slip", "the start", "only looking", "nobody looks", "stale", "not tried", "found"],
)
def test_what_does_not_fit_is_refused(act: Act, page: Page | None, who: Player, ply: int, why: Refusal) -> None:
    assert turn(act, page, who, ply, 2) is why


def test_on_a_bigger_board_one_waits_until_it_has_been_looked_at() -> None:
    big = game_of_two()._replace(rules="6x6x4", moves="01", termination=Termination.RESIGNATION)
    for act in (Act.TRY_AGAIN, Act.TRY_CELL, Act.SHOW):
        assert turned(big, board_in(), wish(act, ANN, ply=1)) is Refusal.STILL_LOOKING
    assert turned(big, board_in(), wish(Act.REVIEW, ANN, ply=1)) == looking(1, ANN)


def test_in_a_shared_message_who_has_opened_it_steps_and_in_ones_own_its_owner() -> None:
    shared = board_in(page=str(looking(2, ANN)))
    assert steps_here(board_in(), BO.id), "nobody has opened it"
    assert steps_here(shared, ANN.id)
    assert not steps_here(shared, BO.id)
    own = board_in(viewer=BO.id, page=str(Page(Mode.LOOK, 2)))
    assert steps_here(own, BO.id)
    assert not steps_here(own, ANN.id)
    page = page_of(own)
    assert page is not None
    assert reviewer_of(own, page) == BO.id
    assert reviewer_of(shared, looking(2, ANN)) == ANN.id


def test_only_what_was_played_and_is_over_can_be_looked_back_on() -> None:
    assert is_reviewable(SLIPPED)
    assert not is_reviewable(game_of_two("08"))
    assert not is_reviewable(open_challenge()._replace(termination=Termination.CANCELLED))
    assert not is_reviewable(game_of_two()._replace(termination=Termination.RESIGNATION))


OWN_CHAT = Where(CEM.id, message_id=9, shows=7)


def test_a_review_of_ones_own_opens_itself_and_nothing_else() -> None:
    aside = board_in(CEM.id, id=2, viewer=CEM.id, page=str(Page(Mode.LOOK, 0, is_aside=True)))
    boards = [board_in(), aside]
    assert not is_shown(SLIPPED, [aside], OWN_CHAT)
    assert admit(Act.REVIEW, SLIPPED, boards, CEM.id, OWN_CHAT) is Access.ACT
    for act in set(Act) - {Act.REVIEW, Act.TRY_AGAIN, Act.TRY_CELL, Act.SHOW, Act.LEAVE}:
        assert admit(act, SLIPPED, boards, CEM.id, OWN_CHAT) is Access.NOTHING
    assert admit(Act.REVIEW, SLIPPED, boards, ANN.id, OWN_CHAT._replace(shows=None)) is Access.NOTHING
    assert admit(Act.REVIEW, SLIPPED, boards, CEM.id, HERE) is Access.SEE, "where others look, they have their own"
    assert admit(Act.REVIEW, SLIPPED, boards, CEM.id, Where(GROUP - 1)) is Access.NOTHING
