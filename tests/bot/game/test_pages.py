"""Pages of a board: choosing the rules, the little boards of ultimate, and reviews of finished games."""

from __future__ import annotations

import pytest

from bot.game import actions as act
from bot.game.actions import InReview, Turn
from bot.game.attempt import Player, Refusal, Where
from bot.game.machine import Access, admit, is_shown
from bot.game.pages import (
    MORE,
    RULES,
    Review,
    is_reviewable,
    kept,
    open_page,
    review_of,
    reviewer_of,
    steps_here,
    turned,
)
from storage.games.game import Game, Termination
from storage.games.record import WHOLE, Board
from storage.games.record import ReviewMode as Mode
from tests.bot.games import (
    ANN,
    BO,
    CEM,
    GROUP,
    HERE,
    board_in,
    game_of_two,
    open_challenge,
    permitted,
    refused,
)

ULTIMATE = game_of_two(rules="ultimate", version=5)
SENT = game_of_two("4", rules="ultimate")
FREE = game_of_two("2I190", rules="ultimate")
"""X has the top left board by its first row, whose first cell sends O there: so O may choose."""


@pytest.mark.parametrize(
    ("action", "page"),
    [
        *((act.ShowRegion(0, region), str(region)) for region in (4, 0)),
        *((act.ShowRules(0), RULES), (act.ShowMoreRules(0), MORE), (act.ShowAll(0), None)),
    ],
)
def test_a_page_is_open_until_the_game_changes(action: Turn, page: str | None) -> None:
    board = board_in(page=kept(ULTIMATE, action))
    assert open_page(ULTIMATE, board) == page
    assert open_page(ULTIMATE._replace(version=6), board) is None
    assert open_page(ULTIMATE._replace(termination=Termination.EXPIRED), board) is None


@pytest.mark.parametrize(
    ("game", "ply", "region", "who", "why"),
    [
        *((ULTIMATE, 0, region, ANN, None) for region in range(9)),
        (ULTIMATE, 0, 4, BO, Refusal.NOT_YOUR_TURN),
        (ULTIMATE, 3, 4, ANN, Refusal.STALE),
        (SENT, 1, 4, BO, Refusal.STALE),
        (game_of_two("4"), 1, 4, BO, Refusal.STALE),
        (FREE, FREE.ply, 0, BO, Refusal.BOARD_FINISHED),
        (FREE, FREE.ply, 8, BO, None),
    ],
)
def test_whose_turn_it_is_turns_to_any_unfinished_board_where_the_choice_is_free(
    game: Game, ply: int, region: int, who: Player, why: Refusal | None
) -> None:
    assert permitted(game, act.ShowRegion(ply, region), who) is why
    assert refused(SENT, act.Move(1, 0), BO) is Refusal.ELSEWHERE
    assert refused(FREE, act.Move(FREE.ply, 3), BO) is Refusal.BOARD_FINISHED


# Reviews.

SLIPPED = game_of_two("0863214")
"""Bo's second ply gave a draw away: the centre alone would have held."""
BIG = game_of_two()._replace(rules="6x6x4", moves="01", termination=Termination.RESIGNATION)


def test_a_board_keeps_a_review_as_its_page() -> None:
    for mode in Mode:
        review = Review(mode, 81, None if mode is Mode.LOOK else 0, 2**52 - 1)
        assert review_of(board_in(page=review.page)) == review
    assert review_of(board_in()) is None


def looking(ply: int, who: Player = BO) -> Review:
    return Review(Mode.LOOK, ply, reviewer=who.id)


TRYING, MISSED, FOUND = (
    Review(mode, 1, cell, BO.id) for mode, cell in ((Mode.TRY, None), (Mode.MISSED, 2), (Mode.FOUND, 4))
)


@pytest.mark.parametrize(
    ("page", "action", "who", "then"),
    [
        (None, act.LookBack(0), BO, looking(2)),
        (looking(2), act.LookBack(0), BO, looking(0)),
        (looking(0), act.LookBack(1), BO, looking(1)),
        (looking(1), act.LookBack(99), BO, looking(7)),
        (looking(7), act.LeaveReview(), BO, None),
        (looking(2), act.TryAgain(2), BO, TRYING),
        (TRYING, act.TryCell(1, 2), BO, MISSED),
        (MISSED, act.TryCell(1, 8), BO, MISSED._replace(cell=8)),
        (MISSED, act.TryCell(1, 4), BO, FOUND),
        (MISSED, act.ShowBest(1), BO, FOUND._replace(mode=Mode.ANSWER)),
        (MISSED, act.LookBack(2), BO, looking(2)),
        (MISSED, act.TryCell(1, 0), BO, Refusal.TAKEN),
        (looking(2, ANN), act.TryAgain(2), ANN, Refusal.STALE),
        (looking(3), act.TryAgain(3), BO, Refusal.STALE),
        (looking(0), act.TryAgain(0), BO, Refusal.STALE),
        (looking(2), act.TryCell(2, 2), BO, Refusal.LOOKING_BACK),
        (None, act.TryCell(1, 2), BO, Refusal.LOOKING_BACK),
        (TRYING, act.TryCell(3, 2), BO, Refusal.STALE),
        (looking(2), act.ShowBest(2), BO, Refusal.LOOKING_BACK),
        (FOUND, act.TryCell(1, 2), BO, Refusal.LOOKING_BACK),
    ],
    ids=[
        *("where the game turned", "to the start", "a step", "not beyond the end", "out of it"),
        *("the own slip", "not the best", "the one that was played", "the best", "the answer", "on from there"),
        *("taken", "not her slip", "no slip", "no move", "only looking", "nobody looks", "stale", "not tried"),
        "found already",
    ],
)
def test_whoever_opens_a_review_steps_through_it_and_looks_for_a_better_cell_than_their_mistake(
    page: Review | None, action: InReview, who: Player, then: Review | Refusal | None
) -> None:
    assert turned(SLIPPED, board_in(page=WHOLE if page is None else page.page), action, who.id) == then


@pytest.mark.parametrize(
    ("action", "then"),
    [
        *((action, Refusal.STILL_LOOKING) for action in (act.TryAgain(1), act.TryCell(1, 0), act.ShowBest(1))),
        (act.LookBack(1), looking(1, ANN)),
    ],
)
def test_on_a_bigger_board_one_waits_until_it_has_been_looked_at(action: InReview, then: Review | Refusal) -> None:
    assert turned(BIG, board_in(), action, ANN.id) == then


@pytest.mark.parametrize(
    ("board", "steps", "reviewer"),
    [
        (board_in(), {ANN, BO}, None),
        (board_in(page=looking(2, ANN).page), {ANN}, ANN.id),
        (board_in(viewer=BO.id, page=Review(Mode.LOOK, 2).page), {BO}, BO.id),
    ],
    ids=["nobody has opened it", "shared", "private"],
)
def test_in_a_shared_message_its_opener_steps_and_in_a_private_one_its_owner(
    board: Board, steps: set[Player], reviewer: int | None
) -> None:
    assert {who for who in (ANN, BO) if steps_here(board, who.id)} == steps
    assert reviewer_of(board) == reviewer


def test_only_what_was_played_and_is_over_can_be_looked_back_on() -> None:
    closed = open_challenge()._replace(termination=Termination.CANCELLED)
    resigned = game_of_two()._replace(termination=Termination.RESIGNATION)
    assert [is_reviewable(game) for game in (SLIPPED, game_of_two("08"), closed, resigned)] == [True, *[False] * 3]


def test_a_review_of_ones_own_opens_itself_and_nothing_else() -> None:
    own_chat = Where(CEM.id, message_id=9, shows=7)
    aside = board_in(CEM.id, id=2, viewer=CEM.id, aside=True, page=Review(Mode.LOOK, 0).page)
    boards = [board_in(), aside]
    assert not is_shown(SLIPPED, [aside], own_chat)
    assert admit(act.LookBack(0), SLIPPED, boards, CEM.id, own_chat) is Access.ACT
    for action in (act.Move(0, 4), act.Rematch(), act.Share(), act.Hint(), act.Bring(), act.Cancel()):
        assert admit(action, SLIPPED, boards, CEM.id, own_chat) is Access.NOTHING
    for who, where, access in (
        (ANN, own_chat._replace(shows=None), Access.NOTHING),
        (CEM, HERE, Access.SEE),  # where others watch, they get a review of their own
        (CEM, Where(GROUP - 1), Access.NOTHING),
    ):
        assert admit(act.LookBack(0), SLIPPED, boards, who.id, where) is access
