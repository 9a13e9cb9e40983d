"""A review: a finished board as a stepper through its game. What it shows stands in the board's row as a page."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.game.acts import Act
from bot.game.lessons import known_lesson
from bot.game.refusals import Refusal
from engine.lessons import SLIPS, most_telling

if TYPE_CHECKING:
    from bot.game.acts import Wish
    from engine.lessons import Choice, Lesson, Step
    from storage.board import Board
    from storage.game import Game

DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
BASE: Final = len(DIGITS)


class Mode(StrEnum):
    """What somebody does in a review, as its letter in a page."""

    LOOK = "r"
    """Steps through the game."""
    TRY = "t"
    """Looks for a better cell than the one that was played."""
    MISSED = "w"
    """Has tried one that is no better, and goes on looking."""
    FOUND = "f"
    """Has found one."""
    ANSWER = "a"
    """Has asked to be shown one."""


class Page(NamedTuple):
    """What a board in review shows."""

    mode: Mode
    ply: int
    """So many plies of the game are on the board."""
    cell: int = 0
    """The cell that was tried or is shown, but where somebody only looks."""
    opener: int | None = None
    """Who steps; None where the board is for one person's eyes anyway."""
    is_aside: bool = False
    """Whether the board is there for the review alone."""

    def __str__(self) -> str:
        """As a board's row holds it: at most 16 characters, since ids of people have 52 bits."""
        mode = self.mode.upper() if self.is_aside else self.mode
        return f"{mode}{self.ply:02}{self.cell:02}{'' if self.opener is None else _written(self.opener)}"


def page_of(board: Board) -> Page | None:
    """The page of the review that a board shows; None where it shows its game as it is."""
    return None if board.page is None else read_page(board.page)


def read_page(text: str) -> Page | None:
    """The page that a row holds; None for what is no page of a review."""
    mode, numbers, opener = text[:1], text[1:5], text[5:]
    if mode.lower() not in tuple(Mode) or len(numbers) != 4 or not numbers.isdecimal():  # noqa: PLR2004 - two each
        return None
    return Page(
        Mode(mode.lower()),
        int(numbers[:2]),
        int(numbers[2:]),
        int(opener, BASE) if opener else None,
        mode.isupper(),
    )


def is_reviewable(game: Game) -> bool:
    """Whether there is anything to look back on: somebody has moved, and the game is over."""
    return game.is_over and not game.is_challenge and bool(game.moves)


def steps_here(board: Board, person: int) -> bool:
    """Whether a person may step on a board: it is theirs, or nobody else has opened a review on it."""
    if board.viewer is not None:
        return board.viewer == person
    page = page_of(board)
    return page is None or page.opener in (None, person)


def first_page(board: Board, person: int, ply: int = 0) -> Page:
    """The page that a review begins with, opened by a person."""
    return Page(Mode.LOOK, ply, opener=person if board.viewer is None else None)


def reviewer_of(board: Board, page: Page) -> int | None:
    """Who looks back on a board."""
    return page.opener if board.viewer is None else board.viewer


def can_try(game: Game, person: int | None, ply: int, lesson: Lesson) -> bool:
    """Whether the move that led to a ply was this person's own and gave something away."""
    if person is None or not 0 < ply <= len(lesson.steps) or not lesson.steps[ply - 1].is_slip:
        return False
    return game.mover_of(ply) == person


def turned(game: Game, board: Board, wish: Wish) -> Page | Refusal | None:
    """The page that a board shows after a wish about its review; None is the game as it is."""
    page = page_of(board) or first_page(board, wish.who.id)
    ply = wish.ply or 0
    match wish.act:
        case Act.LEAVE:
            return None
        case Act.REVIEW:
            return page._replace(mode=Mode.LOOK, ply=min(ply, game.ply), cell=0)
        case Act.TRY_AGAIN | Act.TRY_CELL | Act.SHOW:
            found = known_lesson(game)
            return Refusal.STILL_LOOKING if found is None else _tried(game, page, wish, found)
    return Refusal.STALE


def _tried(game: Game, page: Page, wish: Wish, lesson: Lesson) -> Page | Refusal:
    ply = wish.ply or 0
    if wish.act is Act.TRY_AGAIN:
        if not can_try(game, wish.who.id, ply, lesson):
            return Refusal.STALE
        return page._replace(mode=Mode.TRY, ply=ply - 1, cell=0)
    if page.mode not in (Mode.TRY, Mode.MISSED):
        return Refusal.LOOKING_BACK
    if page.ply != ply or ply >= len(lesson.steps):
        return Refusal.STALE
    choices = lesson.steps[ply].choices
    if wish.act is Act.SHOW:
        return page._replace(mode=Mode.ANSWER, cell=most_telling(choices).cell)
    choice = choice_of(lesson.steps[ply], wish.cell)
    if choice is None:
        return Refusal.TAKEN
    return page._replace(mode=Mode.MISSED if choice.verdict in SLIPS else Mode.FOUND, cell=wish.cell)


def choice_of(step: Step, cell: int) -> Choice | None:
    """What is known of a cell where a ply gave something away; None for one that could not be played."""
    return next((choice for choice in step.choices if choice.cell == cell), None)


def _written(number: int) -> str:
    """A number with the digits that `int` reads to base 36."""
    digits = ""
    while number:
        number, digit = divmod(number, BASE)
        digits = DIGITS[digit] + digits
    return digits
