"""Pages of a board: choosing the rules, the little boards of ultimate, and reviews of finished games."""

import pytest

from bot.game.attempt import Access, NotAllowed, Player, Refusal, Where
from bot.game.gate import admit, is_shown
from bot.game.new_game import Cancel
from bot.game.pages import (
    MORE,
    RULES,
    Bring,
    Hint,
    InReview,
    LeaveReview,
    LookBack,
    OurGames,
    Review,
    ReviewMode,
    Share,
    ShowAll,
    ShowBest,
    ShowMoreRules,
    ShowPage,
    ShowRegion,
    ShowRules,
    TryAgain,
    TryCell,
    is_reviewable,
    open_page,
    review_of,
    reviewer_of,
    steps_here,
    turned,
)
from bot.game.play import Move
from bot.game.questions import Rematch
from storage.games.game import Game, Termination
from storage.games.record import WHOLE, Board
from tests.bot.games import ANN, BO, CEM, GROUP, HERE, board_in, game_of_two, open_challenge, refused

ULTIMATE = game_of_two(rules="ultimate", version=5)
SENT = game_of_two("4", rules="ultimate")
FREE = game_of_two("2I190", rules="ultimate")
"""X has the top left board by its first row, whose first cell sends O there: so O may choose."""


@pytest.mark.parametrize(
    ("action", "page"),
    [
        *((ShowRegion(0, region), str(region)) for region in (4, 0)),
        *((ShowRules(0), RULES), (ShowMoreRules(0), MORE), (ShowAll(0), None)),
    ],
)
def test_a_page_is_open_until_the_game_changes(action: ShowPage, page: str | None) -> None:
    board = board_in(page=action.page(ULTIMATE))
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
    assert refused(game, ShowRegion(ply, region), who) is why
    assert refused(SENT, Move(1, 0), BO) is Refusal.ELSEWHERE
    assert refused(FREE, Move(FREE.ply, 3), BO) is Refusal.BOARD_FINISHED


# Reviews.

SLIPPED = game_of_two("0863214")
"""Bo's second ply gave a draw away: the centre alone would have held."""
BIG = game_of_two()._replace(rules="6x6x4", moves="01", termination=Termination.RESIGNATION)


def test_a_board_keeps_a_review_as_its_page() -> None:
    for mode in ReviewMode:
        review = Review(mode, 81, None if mode is ReviewMode.LOOK else 0, 2**52 - 1)
        assert review_of(board_in(page=review.page)) == review
    assert review_of(board_in()) is None


def looking(ply: int, who: Player = BO) -> Review:
    return Review(ReviewMode.LOOK, ply, reviewer=who.id)


TRYING, MISSED, FOUND = (
    Review(mode, 1, cell, BO.id)
    for mode, cell in ((ReviewMode.TRY, None), (ReviewMode.MISSED, 2), (ReviewMode.FOUND, 4))
)


def stepped(game: Game, board: Board, action: InReview, who: Player) -> Review | Refusal | None:
    """What a board shows after a step of its review, or why the step is refused."""
    try:
        return turned(game, board, action, who.id)
    except NotAllowed as error:
        return error.refusal


@pytest.mark.parametrize(
    ("page", "action", "who", "then"),
    [
        (None, LookBack(0), BO, looking(2)),
        (looking(2), LookBack(0), BO, looking(0)),
        (looking(0), LookBack(1), BO, looking(1)),
        (looking(1), LookBack(99), BO, looking(7)),
        (looking(7), LeaveReview(), BO, None),
        (looking(2), TryAgain(2), BO, TRYING),
        (TRYING, TryCell(1, 2), BO, MISSED),
        (MISSED, TryCell(1, 8), BO, MISSED._replace(cell=8)),
        (MISSED, TryCell(1, 4), BO, FOUND),
        (MISSED, ShowBest(1), BO, FOUND._replace(mode=ReviewMode.ANSWER)),
        (MISSED, LookBack(2), BO, looking(2)),
        (MISSED, TryCell(1, 0), BO, Refusal.TAKEN),
        (looking(2, ANN), TryAgain(2), ANN, Refusal.LOOKING_BACK),
        (looking(3), TryAgain(3), BO, Refusal.LOOKING_BACK),
        (looking(0), TryAgain(0), BO, Refusal.LOOKING_BACK),
        (looking(2), TryCell(2, 2), BO, Refusal.LOOKING_BACK),
        (None, TryCell(1, 2), BO, Refusal.LOOKING_BACK),
        (TRYING, TryCell(3, 2), BO, Refusal.STALE),
        (looking(2), ShowBest(2), BO, Refusal.LOOKING_BACK),
        (FOUND, TryCell(1, 2), BO, Refusal.LOOKING_BACK),
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
    assert stepped(SLIPPED, board_in(page=WHOLE if page is None else page.page), action, who) == then


@pytest.mark.parametrize(
    ("action", "then"),
    [
        *((action, Refusal.STILL_LOOKING) for action in (TryAgain(1), TryCell(1, 0), ShowBest(1))),
        (LookBack(1), looking(1, ANN)),
    ],
)
def test_on_a_bigger_board_one_waits_until_it_has_been_looked_at(action: InReview, then: Review | Refusal) -> None:
    assert stepped(BIG, board_in(), action, ANN) == then


@pytest.mark.parametrize(
    ("board", "steps", "reviewer"),
    [
        (board_in(), {ANN, BO}, None),
        (board_in(page=looking(2, ANN).page), {ANN}, ANN.id),
        (board_in(viewer=BO.id, page=Review(ReviewMode.LOOK, 2).page), {BO}, BO.id),
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


def test_a_review_of_ones_own_opens_itself_and_shares_its_game_and_nothing_else() -> None:
    own_chat = Where(CEM.id, message_id=9, shows=7)
    aside = board_in(CEM.id, id=2, viewer=CEM.id, aside=True, page=Review(ReviewMode.LOOK, 0).page)
    boards = [board_in(), aside]
    assert not is_shown(SLIPPED, [aside], own_chat)
    assert admit(LookBack(0), SLIPPED, boards, CEM.id, own_chat) is Access.ACT
    assert admit(Share(), SLIPPED, boards, CEM.id, own_chat) is Access.ACT
    for action in (Move(0, 4), Rematch(), OurGames(), Hint(), Bring(), Cancel()):
        assert admit(action, SLIPPED, boards, CEM.id, own_chat) is Access.NOTHING
    for who, where, access in (
        (ANN, own_chat._replace(shows=None), Access.NOTHING),
        (CEM, HERE, Access.SEE),  # where others watch, they get a review of their own
        (CEM, Where(GROUP - 1), Access.NOTHING),
    ):
        assert admit(LookBack(0), SLIPPED, boards, who.id, where) is access
