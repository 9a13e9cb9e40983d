"""The rules of a game of two as one would explain them at a table, written without the bot's code."""

from __future__ import annotations

from dataclasses import dataclass, field

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
ANN, BO, CEM = "Ann", "Bo", "Cem"


@dataclass
class Table:
    """One game between Ann, who challenges, and whoever takes the challenge up."""

    x: str | None
    o: str | None
    """Who plays which mark; None is the empty seat of a challenge."""
    named: str | None = None
    """Whom the challenge names."""
    cells: list[int] = field(default_factory=list)
    end: str | None = None
    """None while it goes on: else won, drawn, resigned, cancelled, declined."""
    winner: str | None = None
    question: tuple[str, str] | None = None
    """What is asked, and by whom: takeback, resign or rematch."""
    followed: bool = False
    refuses_takebacks: set[str] = field(default_factory=set)

    @property
    def open(self) -> bool:
        """Whether a seat is empty."""
        return self.x is None or self.o is None

    @property
    def challenger(self) -> str | None:
        """Who sits there already."""
        return self.x or self.o

    @property
    def to_move(self) -> str | None:
        """Whose turn it is."""
        return self.o if len(self.cells) % 2 else self.x

    def other(self, who: str) -> str | None:
        """Who sits across."""
        return self.o if who == self.x else self.x

    def seated(self, who: str) -> bool:
        """Whether somebody plays."""
        return who in (self.x, self.o)

    @property
    def running(self) -> bool:
        """Whether two play and nothing has ended it."""
        return not self.open and self.end is None

    # What somebody does; each tells whether it was done.

    def accept(self, who: str) -> bool:
        """Take the empty seat."""
        if not self.open or self.end or self.seated(who) or self.named not in (None, who):
            return False
        if self.x is None:
            self.x = who
        else:
            self.o = who
        return True

    def decline(self, who: str) -> bool:
        """Say no to a challenge that names oneself."""
        if not self.open or self.end or self.named != who:
            return False
        self.end = "declined"
        return True

    def cancel(self, who: str, *, admin: bool) -> bool:
        """Withdraw a challenge."""
        if not self.open or self.end or not (admin or self.seated(who)):
            return False
        self.end = "cancelled"
        return True

    def put(self, who: str, cell: int, ply: int) -> bool:
        """Put one's mark on a cell of the board as it was at `ply`."""
        if not self.running or who != self.to_move or ply != len(self.cells) or cell in self.cells:
            return False
        self.cells.append(cell)
        self.question = None
        own = set(self.cells[len(self.cells) % 2 - 1 :: 2]) if len(self.cells) % 2 else set(self.cells[1::2])
        if any(set(line) <= own for line in LINES):
            self.end, self.winner = "won", who
        elif len(self.cells) == 9:
            self.end = "drawn"
        return True

    def undo(self, who: str, ply: int) -> bool:
        """Ask for a takeback."""
        if not self.running or not self.seated(who) or ply != len(self.cells) or self.question:
            return False
        if len(self.cells) < (1 if who == self.x else 2) or self.other(who) in self.refuses_takebacks:
            return False
        self.question = ("takeback", who)
        return True

    def resign(self, who: str, ply: int) -> bool:
        """Say that one wants to resign."""
        if not self.running or not self.seated(who) or ply != len(self.cells):
            return False
        if self.question not in (None, ("resign", who)):
            return False
        self.question = ("resign", who)
        return True

    def confirm(self, who: str, *, yes: bool) -> bool:
        """Resign after a second thought, or play on."""
        if not self.running or self.question != ("resign", who):
            return False
        self.question = None
        if yes:
            self.end, self.winner = "resigned", self.other(who)
        return True

    def answer(self, who: str, ply: int, *, yes: bool) -> bool:
        """Say yes or no to a takeback or a rematch."""
        if not self.seated(who) or self.question is None or ply != len(self.cells):
            return False
        what, asker = self.question
        if what == "resign" or (yes and who == asker):
            return False
        self.question = None
        if yes and what == "takeback":
            parity = 0 if asker == self.x else 1
            while (len(self.cells) - 1) % 2 != parity:
                self.cells.pop()
            self.cells.pop()
        elif yes:
            self.followed = True
        return True

    def rematch(self, who: str) -> bool:
        """Ask for a rematch, which agrees to the other's question."""
        if self.open or self.end is None or not self.seated(who) or self.followed:
            return False
        if self.question == ("rematch", self.other(who)):
            self.question, self.followed = None, True
            return True
        if self.question:
            return False
        self.question = ("rematch", who)
        return True
