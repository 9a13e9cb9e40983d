"""Everything is pressed in every state: the bot's state machine and a model of the rules agree."""

from typing import Final, TypeAlias

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.game.actions import ACTION_KINDS, Action, Permission, Who
from bot.game.attempt import State, state_of
from bot.game.new_game import Accept, LetComputerPlay
from bot.game.play import Move, SetFirst, SetLevel, SetRules
from bot.game.questions import (
    Agree,
    ConfirmResign,
    OfferDraw,
    PlayAgain,
    PlayOn,
    Refuse,
    Rematch,
    Resign,
    TakeBack,
)
from engine import Level
from storage.games.game import GameKind
from tests.soak import SOAK
from tests.two.both import PLAYERS, Both
from tests.two.model import ANN, BO, CEM, CHALLENGE_SECONDS, COMPUTER_SECONDS, MOVE_SECONDS
from tests.two.presses import CLOCK, IN_THE_MODEL, WATCHES, Press
from tests.two.situations import PRESSES, SITUATIONS, VALUES, begun

Cell: TypeAlias = tuple[State, type[Action]]
Reached: TypeAlias = tuple[set[Cell], set[Cell]]


def pressed(situation: str) -> Reached:
    """Press everything once, each on a copy of a situation; returns the cells reached, and the successes."""
    found: list[Both] = []

    def copy() -> Both:
        found.append(SITUATIONS[situation].copy())
        return found[-1]

    for press in PRESSES:
        both = copy()
        if both.press(press):
            both.check_the_message()
    watched = state_of(SITUATIONS[situation].game) is State.WATCHED
    thinking = SITUATIONS[situation].table.thinking
    for step in (Both.answer, Both.close) if watched else (Both.think,) if thinking else ():
        step(both := copy())
        both.check_the_message()
    for seconds in (0, CHALLENGE_SECONDS, MOVE_SECONDS * 3 // 4, COMPUTER_SECONDS):
        both = copy()
        both.pass_time(seconds)
        both.pass_time(MOVE_SECONDS)
        both = copy()
        both.pass_time(seconds)
        both.stand_still(MOVE_SECONDS)
    return {cell for both in found for cell in both.cells}, {cell for both in found for cell in both.done}


CHANGES: Final = {kind for kind in (*CLOCK, *IN_THE_MODEL) if not issubclass(kind, Permission)}


def test_the_model_knows_every_action() -> None:
    """One that is missing fails here alone, not in every situation."""
    kinds = {kind for kind in ACTION_KINDS if not issubclass(kind, Permission)}
    assert kinds == CHANGES, "each action needs a line in IN_THE_MODEL of tests/two/presses.py"


IDLE: Final = {
    (State.AGREEMENT_ASKED, TakeBack): "one question at a time",
    (State.RESIGNATION_ASKED, OfferDraw): "one question at a time",
    (State.THINKING, OfferDraw): "the computer plays to the end",
    (State.AGREEMENT_ASKED, SetLevel): "only people are asked",
    (State.AGREEMENT_ASKED, SetFirst): "only people are asked",
    (State.AGREEMENT_ASKED, SetRules): "only people are asked",
    (State.REMATCH_ASKED, PlayAgain): "the computer always agrees",
    (State.THINKING, Move): "it is the computer's turn",
}
"""Steps that never do anything, because of what else holds in their state."""


def test_whatever_is_pressed_in_any_situation_the_model_says_the_same_and_every_step_is_taken() -> None:
    reached, taken = set[Cell](), set[Cell]()
    for situation, both in SITUATIONS.items():
        both.check_the_message()
        cells, done = pressed(situation)
        nobody_plays = both.game.host is not None and both.game.is_over
        of_people = {kind for kind in CHANGES - CLOCK if not nobody_plays or kind.rule.who is Who.EVERYBODY}
        assert {kind for state, kind in cells if state is state_of(both.game)} >= of_people, situation
        reached |= cells
        taken |= done
    everything = {(state, act) for act in CHANGES for state in State}
    steps = {(state, act) for state, act in everything if state not in act.rule.refused}
    assert everything - reached == {
        (state, act)
        for act in CLOCK
        for state in State
        if (state, act) not in steps or (state, act) in IDLE  # the clock ignores finished games by itself
    }
    assert steps - taken == set(IDLE), "a step that is never done in some state is in IDLE"
    assert taken <= steps


# In any order.


PEOPLE = st.sampled_from([ANN, BO, CEM])
BEHIND = st.sampled_from([0, 0, 0, 0, 1, 2, -1])
"""By how many plies the board that somebody looks at is behind."""
ANYTHING: Final = tuple(IN_THE_MODEL)
OFTEN: Final[tuple[type[Action], ...]] = (Move, Move, TakeBack, Agree, Rematch, Resign, SetLevel, SetFirst)


class Machine(RuleBasedStateMachine):
    """Every rule does the same to both, and compares them."""

    both: Both

    @initialize(
        kind=st.sampled_from(
            ["open", "big", "named", "username", "seeking", "computer", "slow computer", *WATCHES]
        ),
        first=st.booleans(),
        off=st.sampled_from([frozenset[str](), frozenset[str](), frozenset({ANN}), frozenset({BO, CEM})]),
    )
    def begin(self, *, kind: str, first: bool, off: frozenset[str]) -> None:
        self.both = begun(kind, first=first, off=off)

    @rule(
        kind=st.sampled_from(ANYTHING + OFTEN),
        who=PEOPLE,
        behind=BEHIND,
        cell=st.integers(0, 12),
        chance=st.booleans(),
    )
    def press(self, kind: type[Action], who: str, behind: int, cell: int, *, chance: bool) -> None:
        values = VALUES.get(kind, (None,))
        value = values[chance % len(values)]
        if kind in (SetLevel, LetComputerPlay):
            value = list(Level)[cell % len(Level)]
        self.both.press(Press(kind, who, behind, cell, value, admin=chance and cell == 0))

    @rule(who=st.sampled_from([BO, CEM]))
    @precondition(lambda self: self.both.table.open)
    def take_up(self, who: str) -> None:
        """Somebody other than Ann accepts, so that games start."""
        self.both.press(Press(Accept, who))

    @rule(plies=st.integers(1, 9))
    @precondition(lambda self: self.both.table.host is not None)
    def look_on(self, plies: int) -> None:
        for _ in range(plies):
            if self.both.table.running:
                self.both.answer()

    @rule()
    @precondition(lambda self: self.both.table.thinking)
    def think(self) -> None:
        self.both.think()

    @rule(cells=st.lists(st.integers(0, 15), min_size=1, max_size=12, unique=True))
    @precondition(lambda self: self.both.table.running and self.both.table.host is None)
    def play_on(self, cells: list[int]) -> None:
        """Both move in turn, perhaps until it is over."""
        for cell in cells:
            if self.both.table.thinking:
                self.both.think()
            elif self.both.table.running:
                self.both.press(Press(Move, self.both.table.to_move or "", cell=cell))

    @rule(kind=st.sampled_from([TakeBack, TakeBack, OfferDraw, Resign]), x=st.booleans())
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
            self.both.press(Press(ConfirmResign if yes else PlayOn, asker))
        else:
            self.both.press(Press(Agree if yes else Refuse, self.both.table.other(asker) or ""))

    @rule(x=st.booleans(), kind=st.sampled_from([Rematch, PlayAgain]))
    @precondition(lambda self: self.both.table.end is not None and not self.both.table.open)
    def want_more(self, kind: type[Action], *, x: bool) -> None:
        """A player of a finished game wants another."""
        if (who := self.both.table.x if x else self.both.table.o) in PLAYERS:
            self.both.press(Press(kind, who or ""))

    @rule(x=st.booleans())
    @precondition(lambda self: self.both.table.running and self.both.game.kind is GameKind.PAIR)
    def leave(self, *, x: bool) -> None:
        """A player leaves the group, if nobody has before."""
        if self.both.table.gone is None:
            self.both.leave((self.both.table.x if x else self.both.table.o) or "")

    @rule(seconds=st.sampled_from([1, 50, 99, 100, 101, 250, 300, 301, 400, 1000]))
    def wait(self, seconds: int) -> None:
        """Time passes before the bot looks at the clock again."""
        self.both.pass_time(seconds)

    @rule(seconds=st.sampled_from([20, 75, 100, 1000]))
    def stand_still(self, seconds: int) -> None:
        """The bot is down, or can't be reached."""
        self.both.stand_still(seconds)

    @invariant()
    def agree(self) -> None:
        self.both.agree()
        self.both.check_the_message()


Machine.TestCase.settings = settings(max_examples=200 if SOAK else 30, stateful_step_count=40)
TestMachine = Machine.TestCase
