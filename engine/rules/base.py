"""What all games have in common: marks, moves, positions, outcomes and rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from string import ascii_lowercase
from typing import Final, Generic, NamedTuple, Self, TypeAlias, TypeVar

from engine.rules.layout import Layout


class Mark(StrEnum):
    """A player's mark. X always moves first."""

    X = "X"
    O = "O"  # noqa: E741 - this is the mark's name

    @property
    def other(self) -> Mark:
        return Mark.O if self is Mark.X else Mark.X


class Region(NamedTuple):
    """The state of one region of the board."""

    is_open: bool
    """Whether the next ply may be in it."""
    is_finished: bool = False
    """Whether it is won or full."""
    winner: Mark | None = None
    """Who has won it; None if nobody has."""


CELLS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_!#$()*+,./;=?@[]^"
"""One character for each cell, so that the moves of a stored game take one character a ply."""

_CELL_OF: Final = {character: cell for cell, character in enumerate(CELLS)}


class Outcome(NamedTuple):
    """How a game ended."""

    winner: Mark | None
    """Who won; None for a draw."""
    lines: tuple[tuple[int, ...], ...] = ()
    """All lines that the last ply completed, each as its cells; none for a draw."""
    by_limit: bool = False
    """Whether it was drawn because the limit of plies was reached."""

    @property
    def is_draw(self) -> bool:
        """Whether the game ended without a line."""
        return self.winner is None


DRAW: Final = Outcome(None)

Marks = int | tuple[int, ...]
"""The cells of one side: as a bitmask, or the oldest first where their age counts."""

_NAME: Final = re.compile("([a-z])([0-9]{1,2})")
_NUMBERS: Final = re.compile(r"([0-9]{1,3})(?:[\s,;:.،、]{1,4}([0-9]{1,3}))?")

BIG: Final = {Mark.X: frozenset({0, 2, 4, 6, 8}), Mark.O: frozenset({0, 1, 2, 3, 5, 6, 7, 8})}
"""The cells that draw a winner's mark over a whole region."""
_NOBODYS: Final = "–"
_CENTRE: Final = 4
_MOST_NAMED: Final = 9


class Position:
    """The state of a game: the marks on the board, and whatever else decides how it may go on.

    An immutable value. Positions compare equal however they were reached, so a position is its own transposition
    key. `print` draws it, and notebooks show it as a picture.
    """

    __slots__ = ()

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        raise NotImplementedError

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        raise NotImplementedError

    @property
    def ply(self) -> int:
        """The number of plies played."""
        raise NotImplementedError

    @property
    def sides(self) -> tuple[Marks, Marks]:
        """The marks of the side to move and of its opponent."""
        raise NotImplementedError

    @property
    def legal_moves(self) -> tuple[int, ...]:
        """The cells that may be played, in ascending order; none once the game is over."""
        raise NotImplementedError

    def play(self, move: int | str) -> Self:
        """The position after the side to move has marked a cell, given as its number from 0 or by name, like `b2`.

        Raises:
            MalformedMove, AmbiguousMove: A text means no cell, or more than one (`cell_of`).
            IllegalMove: The game is over, or this cell cannot be marked now.
        """
        raise NotImplementedError

    def mark_at(self, cell: int) -> Mark | None:
        """The mark on a cell; None for an empty one."""
        raise NotImplementedError

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def turn(self) -> Mark:
        """The side to move; once the game is over, the side whose turn it would be."""
        return Mark.O if self.ply % 2 else Mark.X

    @property
    def regions(self) -> tuple[Region, ...]:
        """The state of each region of the board: one, unless a game has more."""
        return (Region(is_open=not self.is_over, is_finished=self.is_over),)

    @property
    def fading(self) -> tuple[int, ...]:
        """The cells whose marks their sides' next plies remove, that of the side to move first."""
        return ()

    @property
    def marks(self) -> str:
        """The mark on each cell, in the order of their numbers, with a full stop for an empty one."""
        return "".join([self.mark_at(cell) or "." for cell in range(self.rules.cells)])

    def cell_of(self, text: str) -> int:
        """The cell that a typed move means: `b2` is column b, row 2.

        Numbers count from 1: `2,3` is a row and a column, `5` the fifth cell as one reads. On nine boards, `5,3`
        is board 5 and its cell 3, and `3` a cell of the board that the next ply has to be in.
        """
        layout, typed = self.rules.layout, text.strip().lower() if isinstance(text, str) else ""
        if named := _NAME.fullmatch(typed):
            row, column = int(named[2]), ascii_lowercase.index(named[1]) + 1
        elif not (numbers := _NUMBERS.fullmatch(typed)):
            raise MalformedMove(f"{str(text)[:20]!r} is no move: write its column and row, like b2.")
        elif len(layout.regions) > 1:
            return self._cell_in_region([int(number) for number in numbers.groups() if number])
        elif numbers[2]:
            row, column = int(numbers[1]), int(numbers[2])
        else:
            row, column = (part + 1 for part in divmod(int(numbers[1]) - 1, layout.columns))
        if not (1 <= row <= layout.rows and 1 <= column <= layout.columns):
            last = ascii_lowercase[layout.columns - 1]
            raise IllegalMove(f"There is no cell {typed}: columns are a to {last}, rows 1 to {layout.rows}.")
        return layout.cell_at(row - 1, column - 1)

    def _cell_in_region(self, numbers: Sequence[int]) -> int:
        """The cell that the numbers of a region and a cell mean, or that of a cell alone."""
        regions, *_, cell = self.rules.layout.regions, *numbers
        if not all(1 <= number <= len(regions) for number in numbers):
            raise MalformedMove(f"A board and its cell are numbered 1 to {len(regions)}, like 5,3.")
        found = open_regions(self) if len(numbers) == 1 else (numbers[0] - 1,)
        if len(found) != 1:
            raise AmbiguousMove(f"Cell {cell} may be on any open board: name one too, like 5,{cell}.")
        return regions[found[0]][cell - 1]

    def refusal(self, cell: int) -> IllegalMove:
        """The error for a cell that can't be played: it says why, and what can be."""
        name, *legal = map(self.rules.name_of, (cell, *self.legal_moves))
        if not legal:
            return IllegalMove(f"The game is over, so {name} can't be played.")
        why = "can't be played now" if self.mark_at(cell) is None else "is taken"
        others = f" or {len(legal) - _MOST_NAMED} others" if len(legal) > _MOST_NAMED else ""
        return IllegalMove(f"{name} {why}: play {', '.join(legal[:_MOST_NAMED])}{others}.")

    def signs(self) -> list[str]:
        """What a drawing shows on each cell, in the order of `Layout.drawn`.

        Of nine boards, a `+` can be played now, and one that is won is a big mark. A mark that the next ply of its
        side removes is a small letter.
        """
        layout, regions, legal, fading = self.rules.layout, self.regions, self.legal_moves, self.fading

        def sign(cell: int) -> str:
            region, place = regions[layout.region_of(cell)], cell % len(layout.regions[0])
            if region.winner is not None:
                return region.winner if place in BIG[region.winner] else " "
            if len(regions) > 1 and region.is_finished and place == _CENTRE:
                return _NOBODYS
            mark = self.mark_at(cell)
            if mark is None:
                return "+" if len(regions) > 1 and cell in legal else "·"
            return mark.lower() if cell in fading else mark

        return [sign(cell) for cell in layout.drawn]

    def __repr__(self) -> str:
        x, o = (
            " ".join([self.rules.name_of(cell) for cell, each in enumerate(self.marks) if each == mark])
            for mark in Mark
        )
        return f"{type(self).__name__}({self.rules.text!r}, x={x!r}, o={o!r})"

    def __str__(self) -> str:
        return self.rules.layout.as_text(self.signs())

    def _repr_svg_(self) -> str:
        """The same as a picture; notebooks ask for it by this name."""
        layout, legal, outcome = self.rules.layout, self.legal_moves, self.outcome
        lines = {cell for line in outcome.lines for cell in line} if outcome else set()
        fills = ["#fd8" if cell in lines else "#fff" if cell in legal else "#eee" for cell in layout.drawn]
        return layout.as_svg([sign.strip("+·") for sign in self.signs()], fills)


def open_regions(position: Position) -> tuple[int, ...]:
    """The regions that the next ply may be in, in ascending order; none once the game is over."""
    return tuple([number for number, region in enumerate(position.regions) if region.is_open])


def winning_plies(position: Position) -> list[int]:
    """The cells with which the side to move wins at once."""
    ends = {cell: position.play(cell).outcome for cell in position.legal_moves}
    return [cell for cell, end in ends.items() if end is not None and end.winner is position.turn]


P = TypeVar("P", bound=Position)


def running(position: P) -> P:
    """The position itself, which must not be over.

    Raises:
        NoMoveToChoose: It is over, or something else than a position.
    """
    if not isinstance(position, Position):
        raise NoMoveToChoose(f"A position is wanted, such as CLASSIC.start(), not {position!r:.40}.")
    if position.is_over:
        raise NoMoveToChoose("The game is over, so there is no move to choose.")
    return position


P_co = TypeVar("P_co", bound=Position, covariant=True)


class RulesOf(Generic[P_co]):
    """The rules of one game: its board, its start position, and how its moves are written.

    Immutable. Equal rules are the same object, so they can be compared by identity.
    """

    __slots__ = ("cells", "last_ply", "layout", "line", "misere", "text")

    def __init__(
        self, text: str, layout: Layout, *, line: int = 3, misere: bool = False, last_ply: int | None = None
    ) -> None:
        self.text: Final = text
        """The rules' name, which `parse_rules` reads: `5x5x4`, `3x3x3-misere`, `ultimate`."""
        self.layout: Final = layout
        """How the board is laid out."""
        self.cells: Final = len(layout.drawn)
        """The number of cells; they are numbered from 0, as the layout says."""
        self.line: Final = line
        """How many in a row decide the game: cells, or regions if there are several."""
        self.misere: Final = misere
        """Whether the side that completes a line loses."""
        self.last_ply: Final = self.cells if last_ply is None else last_ply
        """The ply after which the game is over at the latest."""

    def start(self) -> P_co:
        """The position before the first ply."""
        raise NotImplementedError

    def replay(self, moves: str) -> P_co:
        """The position after these moves, with spaces between them, as `Position.cell_of` reads each: `b2 a1`."""
        return self.after(moves.split())

    def after(self, moves: Iterable[int | str]) -> P_co:
        """The position after these moves, X's first, each as `Position.play` takes it."""
        position = self.start()
        for move in moves:
            position = position.play(move)
        return position

    def name_of(self, cell: int) -> str:
        """A cell's name, such as `b2`."""
        return self.layout.name_of(self.checked(cell))

    def move_text(self, cell: int) -> str:
        """The character for a cell, as moves are stored."""
        return CELLS[self.checked(cell)]

    def checked(self, cell: int) -> int:
        """The cell itself, which has to be on the board."""
        if cell not in range(self.cells):
            raise IllegalMove(f"There is no cell {cell}: this board's cells are numbered 0 to {self.cells - 1}.")
        return cell

    def moves_text(self, cells: Iterable[int]) -> str:
        """One character for each of these cells, in order: the inverse of `read_moves`."""
        return "".join(map(self.move_text, cells))

    def read_moves(self, text: str) -> tuple[int, ...]:
        """The cells that the characters of stored moves stand for; whether they can be played is not checked."""
        cells = tuple([_CELL_OF.get(character, -1) for character in text])
        for cell, character in zip(cells, text, strict=True):
            if not 0 <= cell < self.cells:
                raise MalformedMove(f"The character {character!r} is not one of the {self.cells} cells.")
        return cells

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"parse_rules({self.text!r})"


Rules: TypeAlias = RulesOf[Position]
"""Any rules."""


class EngineError(ValueError):
    """The base class of all errors of the engine."""


class InvalidRules(EngineError):
    """There are no such rules: the size or the length of a line is out of range, or the text names no rules."""


class MalformedMove(EngineError):
    """A text that isn't a move: it is not written like one, or has a character that stands for no cell."""


class AmbiguousMove(EngineError):
    """A text that could be any of several cells."""


class IllegalMove(EngineError):
    """A ply on a taken cell, outside the board or after the end of the game."""


class NoMoveToChoose(EngineError):
    """A strategy was asked about a finished game, or about rules that it does not play."""


class UnknownLevel(EngineError):
    """A text that names no level."""
