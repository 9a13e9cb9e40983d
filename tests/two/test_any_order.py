"""Anybody presses anything in any order; the bot's state machine and a model of the rules must agree."""

from __future__ import annotations

from typing import Final

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.game import actions as act
from bot.game.actions import Action
from engine import Level
from tests.soak import SOAK
from tests.two.both import PLAYERS, Both
from tests.two.model import ANN, BO, CEM
from tests.two.presses import IN_THE_MODEL, WATCHES, Press
from tests.two.situations import VALUES, begun

PEOPLE = st.sampled_from([ANN, BO, CEM])
BEHIND = st.sampled_from([0, 0, 0, 0, 1, 2, -1])
"""By how many plies the board that somebody looks at is behind."""
ANYTHING: Final = tuple(IN_THE_MODEL)
OFTEN: Final[tuple[type[Action], ...]] = (
    act.Move,
    act.Move,
    act.TakeBack,
    act.Agree,
    act.Rematch,
    act.Resign,
    act.SetLevel,
    act.SetFirst,
)


class Machine(RuleBasedStateMachine):
    """Every rule does the same to both, and compares them."""

    both: Both

    @initialize(
        kind=st.sampled_from(["open", "named", "username", "computer", "slow computer", *WATCHES]),
        first=st.booleans(),
        off=st.sampled_from([frozenset[str](), frozenset[str](), frozenset({ANN}), frozenset({BO, CEM})]),
    )
    def begin(self, *, kind: str, first: bool, off: frozenset[str]) -> None:
        """Ann challenges everybody, or Bo, or plays the computer."""
        self.both = begun(kind, first=first, off=off)

    @rule(
        kind=st.sampled_from(ANYTHING + OFTEN),
        who=PEOPLE,
        behind=BEHIND,
        cell=st.integers(0, 12),
        chance=st.booleans(),
    )
    def press(self, kind: type[Action], who: str, behind: int, cell: int, *, chance: bool) -> None:
        """Anybody presses anything."""
        value = VALUES[kind][chance] if kind in (act.SetClock, act.SetSeries, act.SetFirst, act.SetRules) else None
        if kind in (act.SetLevel, act.LetComputerPlay):
            value = list(Level)[cell % len(Level)]
        self.both.press(Press(kind, who, behind, cell, value, admin=chance and cell == 0))

    @rule(who=st.sampled_from([BO, CEM]))
    @precondition(lambda self: self.both.table.open)
    def take_up(self, who: str) -> None:
        """Somebody other than Ann accepts, so that games start."""
        self.both.press(Press(act.Accept, who))

    @rule(plies=st.integers(1, 9))
    @precondition(lambda self: self.both.table.host is not None)
    def look_on(self, plies: int) -> None:
        """The computer plays itself for a while."""
        for _ in range(plies):
            if self.both.table.running:
                self.both.answer()

    @rule()
    @precondition(lambda self: self.both.table.thinking)
    def think(self) -> None:
        """The computer has found a move."""
        self.both.think()

    @rule(cells=st.lists(st.integers(0, 8), min_size=1, max_size=9, unique=True))
    @precondition(lambda self: self.both.table.running and self.both.table.host is None)
    def play_on(self, cells: list[int]) -> None:
        """Both move in turn, perhaps until it is over."""
        for cell in cells:
            if self.both.table.thinking:
                self.both.think()
            elif self.both.table.running:
                self.both.press(Press(act.Move, self.both.table.to_move or "", cell=cell))

    @rule(kind=st.sampled_from([act.TakeBack, act.TakeBack, act.Resign]), x=st.booleans())
    @precondition(lambda self: self.both.table.running and bool(self.both.table.cells))
    def ask(self, kind: type[Action], *, x: bool) -> None:
        """A player asks for something in a running game."""
        if (who := self.both.table.x if x else self.both.table.o) in PLAYERS:
            self.both.press(Press(kind, who or ""))

    @rule(yes=st.booleans())
    @precondition(lambda self: self.both.table.question is not None)
    def reply(self, *, yes: bool) -> None:
        """The player who is asked says yes or no."""
        assert self.both.table.question is not None
        what, asker = self.both.table.question
        if what == "resign":
            self.both.press(Press(act.ConfirmResign if yes else act.PlayOn, asker))
        else:
            self.both.press(Press(act.Agree if yes else act.Refuse, self.both.table.other(asker) or ""))

    @rule(x=st.booleans(), kind=st.sampled_from([act.Rematch, act.PlayAgain, act.SwapSides]))
    @precondition(lambda self: self.both.table.end is not None and not self.both.table.open)
    def want_more(self, kind: type[Action], *, x: bool) -> None:
        """A player of a finished game wants another."""
        if (who := self.both.table.x if x else self.both.table.o) in PLAYERS:
            self.both.press(Press(kind, who or ""))

    @rule(seconds=st.sampled_from([1, 50, 99, 100, 101, 250, 300, 301, 400, 1000]))
    def wait(self, seconds: int) -> None:
        """Time passes before the bot looks at the clock again."""
        self.both.pass_time(seconds)

    @invariant()
    def agree(self) -> None:
        """Both describe the game alike, and so does its message."""
        self.both.agree()
        self.both.check_the_message()


Machine.TestCase.settings = settings(max_examples=200 if SOAK else 30, stateful_step_count=40, deadline=None)
TestMachine = Machine.TestCase
