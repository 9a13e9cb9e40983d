"""Reviews: a finished board steps through its game. What it shows is stored with the board."""

from __future__ import annotations

from typing import NamedTuple, assert_never

from bot.game.actions import InReview, LeaveReview, LookBack, ShowBest, TryAgain, TryCell
from bot.game.game_analysis import known_analysis
from bot.game.refusals import Refusal
from engine import Mark
from engine.analysis.game_analysis import Choice, GameAnalysis, Step, most_telling
from engine.analysis.verdicts import Verdict
from storage.games.board import Board, Page
from storage.games.board import ReviewMode as Mode
from storage.games.game import Game


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
        """The review as the board stores it."""
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
