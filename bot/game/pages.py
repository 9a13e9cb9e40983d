"""Which page of a board is open: rules, one region, the review of a finished game, or none.

A page is stored with the version of the game at which it was opened, so any change of the game closes it; only
the options of a challenge stay open. A review is of a game that is over (`storage.games.record.Page`).
"""

from enum import StrEnum
from typing import ClassVar, Final, NamedTuple, TypeAlias

from bot.game.actions import IN_PLAY, REVIEWED, RUNNING, Permission, Who
from bot.game.analysis import known_analysis
from bot.game.attempt import Attempt, NotAllowed, Refusal, State, thought_of
from bot.game.choices import Flag, Small
from bot.game.play import must_be_fresh
from engine import Mark, Position
from engine.reviews import Choice, GameAnalysis, Step, Verdict, most_telling
from engine.rules.base import open_regions
from storage.games.game import Game, GameKind, is_erased, replay
from storage.games.record import SHARED_PAGE, WHOLE, Board, Page

RULES: Final = "rules"
"""The boards that most people choose from."""
MORE: Final = "more"
"""The other boards."""
LEVEL_PAGE: Final = "levels"
"""The computer's levels."""
CHOOSING: Final = (RULES, MORE, LEVEL_PAGE)
"""The pages that take the place of the cells."""
OPTIONS: Final = "options"
"""What else can be chosen before a game begins, below its cells."""
HELLO: Final = "hello"
"""A first game, with a word of welcome and other ways to play, until the first move."""


NUDGE: Final = "nudge"
"""The whole game, brought down by somebody whose opponent is awaited for long and may be nudged."""


class ShowPage(Permission):
    """Turns a board to another page of itself."""

    ply: Small
    opens: ClassVar[str]

    def page(self, game: Game) -> Page:
        """The page that it opens, as it is stored with a board."""
        return Page(f"{self.opens}@{game.version}")


class ShowChoices(ShowPage):
    """Shows what can be chosen in an open challenge, or before the person has moved."""

    def check(self, game: Game, _: Attempt) -> None:
        if not game.is_challenge:
            must_be_fresh(game)


class ShowAll(ShowPage, word="all", who=Who.PLAYERS, refused=IN_PLAY):
    """Shows the whole game on its board; while two people play, only to the one who may open its regions."""

    def check(self, game: Game, attempt: Attempt) -> None:
        if game.kind is GameKind.PAIR and game.mark_of(attempt.who.id) is not game.turn:
            raise NotAllowed(Refusal.NOT_YOUR_TURN)

    def page(self, game: Game) -> Page:  # noqa: ARG002 - the same for all games
        return WHOLE


class ShowRegion(ShowPage, word="region", who=Who.PLAYERS, refused=IN_PLAY):
    """Shows a region of a big board, to play a cell in it."""

    region: Small

    def check(self, game: Game, attempt: Attempt) -> None:
        if game.is_challenge:
            raise NotAllowed(Refusal.STALE)
        if game.mark_of(attempt.who.id) is not game.turn:
            raise NotAllowed(Refusal.NOT_YOUR_TURN)
        position = game.position
        choice = open_regions(position)
        if len(choice) < 2 or self.region >= len(position.regions):  # one is no choice
            raise NotAllowed(Refusal.STALE)
        if self.region not in choice:
            raise NotAllowed(Refusal.BOARD_FINISHED)

    def page(self, game: Game) -> Page:
        return Page(f"{self.region}@{game.version}")


class ShowRules(ShowChoices, word="boards", who=Who.PLAYERS, refused=IN_PLAY):
    """Shows the boards that most people choose from."""

    opens = RULES


class ShowMoreRules(ShowChoices, word="more", who=Who.PLAYERS, refused=IN_PLAY):
    """Shows the other boards."""

    opens = MORE


class ShowLevels(ShowPage, word="levels", who=Who.PLAYERS, refused=IN_PLAY):
    """Shows the computer's levels."""

    opens = LEVEL_PAGE

    def check(self, game: Game, _: Attempt) -> None:
        must_be_fresh(game)


class ShowOptions(ShowChoices, word="options", who=Who.PLAYERS, refused=IN_PLAY):
    """Shows what else can be chosen before the game begins."""

    opens = OPTIONS


class Hint(
    Permission, word="hint", who=Who.PLAYERS, refused={**RUNNING, State.THINKING: Refusal.THINKING}, typed="hint"
):
    """Asks for a good cell."""

    def check(self, game: Game, _: Attempt) -> None:
        if thought_of(game) is not None:  # a resignation may be pending while the computer is to move
            raise NotAllowed(Refusal.THINKING)
        if not game.is_against_computer:
            raise NotAllowed(Refusal.COMPUTER_ONLY)


class Bring(Permission, word="bring", who=Who.PLAYERS, refused=IN_PLAY):
    """Brings the board down to the newest message of its chat."""


class Share(Permission, word="share", who=Who.REVIEWERS_TOO, refused=REVIEWED, typed="share"):
    """Asks for a finished game as an animation, or for its end as a picture."""

    as_picture: Flag = False


class OurGames(Permission, word="ours", who=Who.PLAYERS, refused=REVIEWED, typed="ourgames"):
    """Asks for the score of two people's games with each other."""

    def check(self, game: Game, _: Attempt) -> None:
        if not are_rivals(game):
            raise NotAllowed(Refusal.LEFT if game.kind is GameKind.PAIR else Refusal.STALE)


class PlayFrom(Permission, word="from", who=Who.REVIEWERS_TOO, refused=REVIEWED):
    """Plays on against the computer from the position that a review shows."""

    at: Small

    def check(self, game: Game, _: Attempt) -> None:
        if self.at > game.ply:
            raise NotAllowed(Refusal.STALE)
        if replay(game.rules, game.moves[: self.at]).is_over:
            raise NotAllowed(Refusal.OVER)


class PlayOut(Permission, word="playout", who=Who.REVIEWERS_TOO, refused=REVIEWED):
    """Plays on against the computer after a better move than the one that was a mistake."""

    at: Small
    cell: Small

    def check(self, game: Game, attempt: Attempt) -> None:
        PlayFrom(self.at).check(game, attempt)
        position = replay(game.rules, game.moves[: self.at])
        if self.cell not in position.legal_moves:
            raise NotAllowed(Refusal.STALE)
        if position.play(self.cell).is_over:
            raise NotAllowed(Refusal.OVER)


class LookBack(Permission, word="review", who=Who.REVIEWERS_TOO, refused=REVIEWED, typed="review"):
    """Looks back on a finished game, at a ply."""

    at: Small


class TryAgain(Permission, word="try", who=Who.REVIEWERS_TOO, refused=REVIEWED):
    """Looks for a better move than the mistake that led to a ply."""

    at: Small


class TryCell(Permission, word="c", who=Who.REVIEWERS_TOO, refused=REVIEWED):
    """Tries a cell in place of that mistake."""

    at: Small
    cell: Small


class ShowBest(Permission, word="best", who=Who.REVIEWERS_TOO, refused=REVIEWED):
    """Shows the best cell instead of the mistake that led to a ply."""

    at: Small


class LeaveReview(Permission, word="leave", who=Who.REVIEWERS_TOO, refused=REVIEWED):
    """Leaves the review."""


class ShowSharing(Permission, word="sharing", who=Who.REVIEWERS_TOO, refused=REVIEWED):
    """Shows in what other ways the game can be shared."""

    at: Small


InReview: TypeAlias = LookBack | TryAgain | TryCell | ShowBest | ShowSharing | LeaveReview
"""A step of a review."""


def shown_region(position: Position, page: str | None) -> int | None:
    """The region whose cells the keyboard shows; None while it offers several regions."""
    if len(position.rules.layout.regions) == 1:
        return 0
    choice = open_regions(position)
    if len(choice) == 1:
        return choice[0]
    region = int(page) if page is not None and page.isdecimal() else None
    return region if region in choice else None


def open_page(game: Game, board: Board) -> str | None:
    """The page a board shows; None for the whole game, and if the game has changed since it was opened."""
    if board.shows is None or game.is_over:
        return None
    name, _, version = board.shows.partition("@")
    stays = name == OPTIONS and game.is_challenge  # its challenger goes on choosing
    return name if stays or version == str(game.version) else None


class ReviewMode(StrEnum):
    """What the reader of a review is doing."""

    LOOK = "look"
    TRY = "try"
    MISSED = "missed"
    """Has tried a cell that is no better, and goes on looking."""
    SHARE = "share"
    """Looks for a way to share the game."""
    FOUND = "found"
    ANSWER = "answer"


class Review(NamedTuple):
    """What a board in review shows."""

    mode: ReviewMode
    ply: int
    """How many plies of the game are on the board."""
    cell: int | None = None
    """The cell that was tried, or that is shown as the best."""
    reviewer: int | None = None
    """The person stepping; None if only one person sees the board."""

    @property
    def is_looking(self) -> bool:
        """Whether it shows the game as it was played."""
        return self.mode in (ReviewMode.LOOK, ReviewMode.SHARE)

    @property
    def page(self) -> Page:
        cell = "" if self.cell is None else f":{self.cell}"
        return Page(f"{self.mode}:{self.ply}{cell}", self.reviewer)


def review_of(board: Board) -> Review | None:
    """The review that a board shows; None if it shows the game itself."""
    mode, *step = (board.shows or "").split(":")
    return Review(ReviewMode(mode), *map(int, step))._replace(reviewer=board.reviewer) if step else None


def shared_ply(board: Board) -> int | None:
    """The ply from which others may play the game that a message shares (0: they can't); None if it's a board."""
    name, at, ply = (board.shows or "").partition("@")
    return int(ply) if f"{name}{at}" == SHARED_PAGE else None


def is_reviewable(game: Game) -> bool:
    """Whether there is anything to review: the game is over, and somebody has moved."""
    return game.is_over and not game.is_challenge and bool(game.moves)


def to_beat(game: Game, mark: Mark) -> int | None:
    """The ply from which others may play a player's side of a finished game against the computer.

    It's that of their first mistake, if that is known, or else of their second move. None if they hardly played.
    """
    analysis = known_analysis(game)
    own = range(0 if mark is Mark.X else 1, game.ply + 1, 2)
    mistakes = [ply for ply in own if analysis and ply < game.ply and analysis.steps[ply].gives_away]
    plies = (ply for ply in (*mistakes, *own[1:], *own) if ply)
    return next((ply for ply in plies if not replay(game.rules, game.moves[:ply]).is_over), None)


def are_rivals(game: Game) -> bool:
    """Whether two people have played a game, and both are still known."""
    known = not is_erased(game.x.seat) and not is_erased(game.o.seat)
    return is_reviewable(game) and game.kind is GameKind.PAIR and known


def steps_here(board: Board, person: int) -> bool:
    """Whether a person may step through a board: it is theirs, or nobody else is reviewing on it."""
    return reviewer_of(board) in (None, person)


def first_review(game: Game, board: Board | None, person: int) -> Review:
    """The review a person opens: at the turning point if it is known already, else at the start."""
    analysis = known_analysis(game)
    turning = None if analysis is None else analysis.turning_point
    shared = board is not None and board.viewer is None
    return Review(ReviewMode.LOOK, 0 if turning is None else turning + 1, reviewer=person if shared else None)


def reviewer_of(board: Board) -> int | None:
    """The person reviewing on a board."""
    return board.reviewer if board.viewer is None else board.viewer


def can_try(game: Game, person: int | None, ply: int, analysis: GameAnalysis) -> bool:
    """Whether the move that led to a ply was this person's mistake."""
    if person is None or not 0 < ply <= len(analysis.steps) or not analysis.steps[ply - 1].gives_away:
        return False
    return game.seat(Mark.X if ply % 2 else Mark.O) == person


def turned(game: Game, board: Board, action: InReview, person: int) -> Review | None:
    """What a board shows after a step of its review; None for the game itself."""
    review, first = review_of(board), first_review(game, board, person)
    if review is None and action == LookBack(0):
        return first
    review = review or first
    match action:
        case LeaveReview():
            return None
        case LookBack():
            return review._replace(mode=ReviewMode.LOOK, ply=min(action.at, game.ply), cell=None)
        case ShowSharing():
            return review._replace(mode=ReviewMode.SHARE, ply=min(action.at, game.ply), cell=None)
    if (analysis := known_analysis(game)) is None:
        raise NotAllowed(Refusal.STILL_LOOKING)
    return _tried(game, review, action, person, analysis)


def _tried(
    game: Game, review: Review, action: TryAgain | TryCell | ShowBest, person: int, analysis: GameAnalysis
) -> Review:
    if isinstance(action, TryAgain):
        if not can_try(game, person, action.at, analysis):
            raise NotAllowed(Refusal.LOOKING_BACK)
        return review._replace(mode=ReviewMode.TRY, ply=action.at - 1, cell=None)
    if review.mode not in (ReviewMode.TRY, ReviewMode.MISSED):
        raise NotAllowed(Refusal.LOOKING_BACK)
    if review.ply != action.at or action.at >= len(analysis.steps):
        raise NotAllowed(Refusal.STALE)
    choices = analysis.steps[action.at].choices
    if isinstance(action, ShowBest):
        return review._replace(mode=ReviewMode.ANSWER, cell=most_telling(choices).cell)
    choice = choice_of(analysis.steps[action.at], action.cell)
    if choice is None:
        raise NotAllowed(Refusal.TAKEN)
    is_found = choice.verdict in (Verdict.BEST, Verdict.GOOD)
    return review._replace(mode=ReviewMode.FOUND if is_found else ReviewMode.MISSED, cell=action.cell)


def choice_of(step: Step, cell: int | None) -> Choice | None:
    """The verdict on a cell in place of a mistake; None for a cell that couldn't be played."""
    return next((choice for choice in step.choices if choice.cell == cell), None)
