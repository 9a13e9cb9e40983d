"""Which page of a board is open: rules, one region, the review of a finished game, or none.

A page is stored with the version of the game at which it was opened, so any change of the game closes it
(`storage.games.record.Page`).
"""

from __future__ import annotations

from typing import Final, NamedTuple, assert_never

from bot.game.actions import (
    InReview,
    LeaveReview,
    LookBack,
    ShowAll,
    ShowBest,
    ShowMoreRules,
    ShowRegion,
    ShowRules,
    TryAgain,
    TryCell,
    Turn,
)
from bot.game.analysis import known_analysis
from bot.game.attempt import Player, Refusal
from bot.game.play import is_fresh
from engine import Mark, Position
from engine.reviews import Choice, GameAnalysis, Step, Verdict, most_telling
from engine.rules.base import open_regions
from storage.games.game import Game
from storage.games.record import WHOLE, Board, Page
from storage.games.record import ReviewMode as Mode

RULES: Final = "rules"
"""The boards that most people choose from."""
MORE: Final = "more"
"""The other boards; stored as a choice with a region."""
CHOOSING: Final = (RULES, MORE)


def refusal(game: Game, action: Turn, who: Player) -> Refusal | None:
    """Why a player may not turn a board to a page; None if they may."""
    match action:
        case ShowAll():
            return None
        case ShowRules() | ShowMoreRules():
            return None if may_choose_rules(game) else Refusal.BEGUN
        case ShowRegion(region=region):
            if game.is_challenge:
                return Refusal.STALE
            if game.mark_of(who.id) is not game.turn:
                return Refusal.NOT_YOUR_TURN
            position = game.position
            choice = open_regions(position)
            if len(choice) < 2 or region >= len(position.regions):  # one is no choice
                return Refusal.STALE
            return None if region in choice else Refusal.BOARD_FINISHED
        case unknown:
            assert_never(unknown)


def may_choose_rules(game: Game) -> bool:
    """Whether another board can still be chosen: in an open challenge, or before the person has moved."""
    return not game.is_over and (game.is_challenge or is_fresh(game))


def shown_region(position: Position, page: str | None) -> int | None:
    """The region whose cells the keyboard shows; None while it offers several regions."""
    if len(position.regions) == 1:
        return 0
    choice = open_regions(position)
    if len(choice) == 1:
        return choice[0]
    region = int(page) if page is not None and page.isdecimal() else None
    return region if region in choice else None


def kept(game: Game, action: Turn) -> Page:
    """The page that an action opens, as it is stored with a board."""
    match action:
        case ShowAll():
            return WHOLE
        case ShowRules():
            return Page(choosing=True, opened_version=game.version)
        case ShowMoreRules():
            return Page(region=0, choosing=True, opened_version=game.version)
        case ShowRegion(region=region):
            return Page(region=region, opened_version=game.version)
        case unknown:
            assert_never(unknown)


def open_page(game: Game, board: Board) -> str | None:
    """The page a board shows; None for the whole game, and if the game has changed since it was opened."""
    if board.opened_version != game.version or game.is_over:
        return None
    if board.choosing:
        return RULES if board.region is None else MORE
    return None if board.region is None else str(board.region)


class Review(NamedTuple):
    """What a board in review shows."""

    mode: Mode
    ply: int
    """How many plies of the game are on the board."""
    cell: int | None = None
    """The cell that was tried, or that is shown as the best."""
    reviewer: int | None = None
    """The person stepping; None if only one person sees the board."""

    @property
    def page(self) -> Page:
        return Page(review=self.mode, review_ply=self.ply, review_cell=self.cell, reviewer=self.reviewer)


def review_of(board: Board) -> Review | None:
    """The review that a board shows; None if it shows the game itself."""
    if board.review is None or board.review_ply is None:
        return None
    return Review(Mode(board.review), board.review_ply, board.review_cell, board.reviewer)


def is_reviewable(game: Game) -> bool:
    """Whether there is anything to review: the game is over, and somebody has moved."""
    return game.is_over and not game.is_challenge and bool(game.moves)


def steps_here(board: Board, person: int) -> bool:
    """Whether a person may step through a board: it is theirs, or nobody else is reviewing on it."""
    if board.viewer is not None:
        return board.viewer == person
    return board.reviewer in (None, person)


def first_review(game: Game, board: Board | None, person: int) -> Review:
    """The review a person opens: at the turning point if it is known already, else at the start."""
    analysis = known_analysis(game)
    turning = None if analysis is None else analysis.turning_point
    shared = board is not None and board.viewer is None
    return Review(Mode.LOOK, 0 if turning is None else turning + 1, reviewer=person if shared else None)


def reviewer_of(board: Board) -> int | None:
    """The person reviewing on a board."""
    return board.reviewer if board.viewer is None else board.viewer


def can_try(game: Game, person: int | None, ply: int, analysis: GameAnalysis) -> bool:
    """Whether the move that led to a ply was this person's mistake."""
    if person is None or not 0 < ply <= len(analysis.steps) or not analysis.steps[ply - 1].gives_away:
        return False
    return game.seat(Mark.X if ply % 2 else Mark.O) == person


def turned(game: Game, board: Board, action: InReview, person: int) -> Review | Refusal | None:
    """What a board shows after a step of its review; None for the game itself."""
    review, first = review_of(board), first_review(game, board, person)
    if review is None and action == LookBack(0):
        return first
    review = review or first
    match action:
        case LeaveReview():
            return None
        case LookBack():
            return review._replace(mode=Mode.LOOK, ply=min(action.ply, game.ply), cell=None)
        case TryAgain() | TryCell() | ShowBest():
            found = known_analysis(game)
            return Refusal.STILL_LOOKING if found is None else _tried(game, review, action, person, found)
        case unknown:
            assert_never(unknown)


def _tried(
    game: Game, review: Review, action: TryAgain | TryCell | ShowBest, person: int, analysis: GameAnalysis
) -> Review | Refusal:
    ply = action.ply
    if isinstance(action, TryAgain):
        if not can_try(game, person, ply, analysis):
            return Refusal.STALE
        return review._replace(mode=Mode.TRY, ply=ply - 1, cell=None)
    if review.mode not in (Mode.TRY, Mode.MISSED):
        return Refusal.LOOKING_BACK
    if review.ply != ply or ply >= len(analysis.steps):
        return Refusal.STALE
    choices = analysis.steps[ply].choices
    if isinstance(action, ShowBest):
        return review._replace(mode=Mode.ANSWER, cell=most_telling(choices).cell)
    choice = choice_of(analysis.steps[ply], action.cell)
    if choice is None:
        return Refusal.TAKEN
    is_found = choice.verdict in (Verdict.BEST, Verdict.GOOD)
    return review._replace(mode=Mode.FOUND if is_found else Mode.MISSED, cell=action.cell)


def choice_of(step: Step, cell: int | None) -> Choice | None:
    """The verdict on a cell in place of a mistake; None for a cell that couldn't be played."""
    return next((choice for choice in step.choices if choice.cell == cell), None)
