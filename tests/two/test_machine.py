"""Anybody presses anything in any order; the bot's state machine and a model of the rules must agree."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.game import deadlines
from bot.game.acts import Act, Player, Wish
from bot.game.gate import FOR_ALL, REVIEWING, Access, Where
from bot.game.machine import MACHINE, decide, decide_by_clock, decide_by_computer
from bot.game.new_game import against_computer, challenge
from bot.game.pages import ALL, RULES
from bot.game.refusals import Refusal
from bot.game.states import State, free_seat, question_of, state_of, thought_of
from bot.game.time_limits import TimeLimits
from bot.game.watched import chosen, pace_of, watched
from bot.views.boards import board_view
from engine import CLASSIC, Level, Mark
from storage.game import COMPUTER as COMPUTER_SEAT
from storage.game import Game, rules_of
from storage.record import Record
from tests.bot.games import GROUP, HERE, board_in
from tests.two.model import (
    ANN,
    BO,
    CEM,
    CHALLENGE_SECONDS,
    COMPUTER,
    COMPUTER_SECONDS,
    MOVE_SECONDS,
    REMINDER_SECONDS,
    Table,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.game.machine import Ruling
    from storage.record import Decision

IDS: Final = {ANN: 101, BO: 102, CEM: 103, COMPUTER: COMPUTER_SEAT}
PLAYERS: Final = {name: Player(IDS[name], name, name.lower()) for name in (ANN, BO, CEM)}
LIMITS: Final = TimeLimits(CHALLENGE_SECONDS, MOVE_SECONDS, COMPUTER_SECONDS)
ENDS: Final = {"line": "won", "full board": "drawn", "resignation": "resigned", "timeout": "timed out"}
NOBODY: Final = Player(COMPUTER_SEAT, "")
WATCHES: Final = ("watched", "watched alone", "slow watched")
CLOCK: Final = frozenset({Act.ANSWER, Act.REMIND, Act.EXPIRE})


@dataclass(frozen=True)
class Press:
    """What somebody does, on a board that may be behind by some plies."""

    act: Act
    who: str
    behind: int = 0
    cell: int = 0
    value: str = ""
    admin: bool = False


IN_THE_MODEL: Final[dict[Act, Callable[[Table, Press, int, int], bool]]] = {
    Act.ACCEPT: lambda table, press, _, now: table.accept(press.who, now),
    Act.DECLINE: lambda table, press, *_: table.decline(press.who),
    Act.CANCEL: lambda table, press, *_: table.cancel(press.who, admin=press.admin),
    Act.COMPUTER: lambda table, press, _, now: table.let_computer_play(press.who, press.value or "medium", now),
    Act.MOVE: lambda table, press, ply, now: table.put(press.who, press.cell, ply, now),
    Act.TAKEBACK: lambda table, press, ply, now: table.take_back(press.who, ply, now),
    Act.RESIGN: lambda table, press, ply, _: table.resign(press.who, ply),
    Act.CONFIRM: lambda table, press, *_: table.confirm(press.who, yes=True),
    Act.PLAY_ON: lambda table, press, *_: table.confirm(press.who, yes=False),
    Act.AGREE: lambda table, press, ply, now: table.answer(press.who, ply, yes=True, now=now),
    Act.REFUSE: lambda table, press, ply, now: table.answer(press.who, ply, yes=False, now=now),
    Act.REMATCH: lambda table, press, *_: table.rematch(press.who),
    Act.AGAIN: lambda table, press, *_: table.rematch(press.who),
    Act.SWAP: lambda table, press, *_: table.rematch(press.who),
    Act.SET_LEVEL: lambda table, press, *_: table.set_level(press.who, press.value),
    Act.SET_FIRST: lambda table, press, *_: table.set_first(press.who, oneself=press.value == "me"),
    Act.SET_RULES: lambda table, press, *_: table.choose_rules(press.who, int(press.value[:1] or 3)),
    Act.TURN: lambda table, press, ply, _: table.turn_page(press.who, ply, rules=press.value == RULES),
    Act.HINT: lambda table, press, *_: table.running and table.seated(press.who) and not table.thinking,
    Act.BRING: lambda table, press, *_: table.seated(press.who) and table.end is None,
    **dict.fromkeys(REVIEWING, lambda table, press, *_: table.may_review(press.who)),
    Act.STOP: lambda table, press, *_: table.stop(press.who, admin=press.admin),
    Act.FASTER: lambda table, *_: table.faster(),
    Act.TAKE_X: lambda table, press, _, now: table.take_seat(press.who, "x", now),
    Act.TAKE_O: lambda table, press, _, now: table.take_seat(press.who, "o", now),
    Act.WATCH: lambda table, *_: table.watch_again(),
    Act.WINNER: lambda table, *_: table.play_winner(),
}
"""How somebody's act is called at the table; the clock's have no place here."""


@dataclass
class Both:
    """The bot's game and the model's, side by side."""

    game: Game
    table: Table
    now: int = 0
    rng: Random = field(default_factory=lambda: Random(0))
    cells: set[tuple[State, Act]] = field(default_factory=set)
    """The cells of the machine that were reached."""
    done: set[tuple[State, Act]] = field(default_factory=set)
    """Those in which something was done."""
    old: Both | None = None
    """The last game that was over and has been followed."""

    def copy(self) -> Both:
        """The same situation, to go on from in another way."""
        table = replace(self.table, cells=list(self.table.cells))
        return Both(self.game, table, self.now)

    def press(self, press: Press) -> bool:
        """Let both do the same and compare; the result is whether it was done."""
        before, state = self.game, state_of(self.game)
        decision = decide(Record(before, (board_in(),)), self.wish(press))
        refusal = decision.result.refusal
        expected = self.ask_the_model(press)
        assert (refusal is None) is expected, f"{press}: the bot says {refusal}, the model {expected}"
        if decision.result.access is Access.ACT:
            self.cells.add((state, press.act))
        if refusal is not None:
            assert decision.game is before, "a refusal changes nothing"
            assert decision.following is None
            return False
        self.done.add((state, press.act))
        assert (decision.following is not None) is (self.table.followed and state is not State.FOLLOWED)
        if decision.following is not None:
            self.begin_anew(press, decision)
        else:
            self.game = decision.game
        self.let_the_computer_put()
        self.agree()
        return True

    def wish(self, press: Press) -> Wish:
        """What is pressed, as the bot hears it."""
        table = self.table
        return Wish(
            press.act,
            PLAYERS[press.who],
            HERE,
            self.now,
            self.rng,
            LIMITS,
            ply=max(0, self.game.ply - press.behind),
            cell=press.cell,
            value=press.value,
            is_admin=press.admin,
            takebacks_allowed=table.other(press.who) not in table.refuses_takebacks,
        )

    def ask_the_model(self, press: Press) -> bool:
        """Do in the model what is pressed; the result is whether it was done."""
        ply = max(0, len(self.table.cells) - press.behind)
        return IN_THE_MODEL[press.act](self.table, press, ply, self.now)

    def let_the_computer_put(self) -> None:
        """Let the computer's move, which it must have made if it is its turn, be the model's."""
        if self.table.thinking and not self.table.takes_time:
            assert self.game.ply == len(self.table.cells) + 1
            (*_, cell) = rules_of(self.game.rules).read_moves(self.game.moves)
            assert self.table.put(COMPUTER, cell, len(self.table.cells))

    def begin_anew(self, press: Press, decision: Decision[Ruling]) -> None:
        """The game that follows is the game now: the series is counted on, and sides change but for `again`."""
        game, table, following = decision.game, self.table, decision.following
        assert following is not None
        assert game is not self.game, "only what has become another is stored"
        assert game.offer is None
        self.old = Both(game._replace(next_game=99), table, self.now)
        if table.host is not None:
            self.begin_after_the_watched(press, following)
            return
        swap = not (table.against_computer and press.act is Act.AGAIN)
        seats = (game.o_seat, game.x_seat) if swap else (game.x_seat, game.o_seat)
        assert (following.x_seat, following.o_seat) == seats
        names = (game.o_name, game.x_name) if swap else (game.x_name, game.o_name)
        assert (following.x_name, following.o_name) == names
        wins = {game.x_seat: game.x_wins, game.o_seat: game.o_wins}
        if table.winner is not None:
            wins[IDS[table.winner]] += 1
        assert (following.x_wins, following.o_wins) == (wins[following.x_seat], wins[following.o_seat])
        assert following.draws == game.draws + (table.end == "drawn"), "what was closed is no draw"
        assert (following.id, following.version, following.token, following.next_game) == (0, 1, None, None)
        self.game = following
        x, o = (table.o, table.x) if swap else (table.x, table.o)
        off = table.refuses_takebacks
        self.table = Table(x, o, level=table.level, refuses_takebacks=off, moved_at=self.now, side=table.side)

    def begin_after_the_watched(self, press: Press, following: Game) -> None:
        """The computer plays itself once more for who asked, or the winner plays them; there is no series."""
        game, table = self.game, self.table
        who, levels = press.who, table.levels
        assert levels is not None
        assert (following.x_wins, following.o_wins, following.draws) == (0, 0, 0)
        assert (following.id, following.version, following.token, following.next_game) == (0, 1, None, None)
        if press.act is Act.WATCH:
            assert following.host == IDS[who]
            self.table = Table(COMPUTER, COMPUTER, host=who, levels=levels, slow=table.slow, side=table.side)
        else:
            assert following.host is None
            x, o = (COMPUTER, who) if game.winner is Mark.X else (who, COMPUTER)
            level = levels[game.winner is Mark.O]
            self.table = Table(x, o, level=level, moved_at=self.now, side=table.side)
        self.game = following

    def answer(self) -> None:
        """Let the computer move against itself."""
        game, state = self.game, state_of(self.game)
        cell = chosen(game, self.rng)
        wish = Wish(Act.ANSWER, Player(-1, ""), Where(), self.now, self.rng, LIMITS, ply=game.ply, cell=cell)
        decision = decide_by_computer(Record(game, (board_in(),)), wish)
        again = decide_by_computer(Record(decision.game, (board_in(),)), wish)
        assert again.result.refusal in (Refusal.STALE, Refusal.OVER), "each ply once"
        pace = pace_of(game)
        self.game = decision.game
        assert self.table.put(COMPUTER, cell, len(self.table.cells))
        assert pace_of(self.game) == pace
        self.cells.add((state, Act.ANSWER))
        self.done.add((state, Act.ANSWER))
        self.agree()

    def think(self) -> None:
        """Let the computer move in a game of a person, after a while; an answer to anything else is none."""
        game, state = self.game, state_of(self.game)
        cell = game.position.legal_moves[-1]
        thought = thought_of(game)
        assert thought is not None
        for late in (thought._replace(moves=f"{thought.moves}01"), thought._replace(level="another"), thought):
            wish = Wish(Act.ANSWER, NOBODY, Where(), self.now, self.rng, LIMITS, cell=cell, thought=late)
            decision = decide_by_computer(Record(game, (board_in(),)), wish)
            assert (decision.result.refusal is Refusal.STALE) is (late is not thought)
            again = decide_by_computer(Record(decision.game, (board_in(),)), wish)
            assert late is not thought or again.result.refusal in (Refusal.STALE, Refusal.OVER), "once"
        self.game = decision.game
        assert self.table.put(COMPUTER, cell, len(self.table.cells), self.now)
        self.cells.add((state, Act.ANSWER))
        self.done.add((state, Act.ANSWER))
        self.agree()

    def close(self) -> None:
        """Nobody can see it any more."""
        clock = Wish(Act.EXPIRE, Player(-1, ""), Where(), self.now, self.rng, LIMITS)
        self.game = decide_by_computer(Record(self.game, (board_in(),)), clock).game
        self.table.end = "expired"
        self.cells.add((State.WATCHED, Act.EXPIRE))
        self.done.add((State.WATCHED, Act.EXPIRE))
        self.agree()

    def pass_time(self, seconds: int) -> str | None:
        """Let time pass, and both look at the clock; the result is what they find."""
        self.now += seconds
        state = state_of(self.game)
        found = deadlines.look(self.game, self.now, LIMITS)
        if found.due is None:
            self.game = self.game._replace(due_at=found.again_at)  # as the handler puts it off
        if found.due is Act.ANSWER:
            assert self.table.thinking
            self.game = self.game._replace(due_at=self.now + deadlines.THINKING_SECONDS)  # likewise
        clock = Wish(Act.EXPIRE, Player(-1, ""), Where(), self.now, self.rng, LIMITS)
        decision = decide_by_clock(Record(self.game, (board_in(),)), clock)
        happened = self.table.look_at_the_clock(self.now)
        assert (decision.result.refusal is None) is (happened is not None), f"{decision.result}, but {happened}"
        assert [notice.chat_id for notice in decision.notices] == ([GROUP] if happened == "reminded" else [])
        assert decision.following is None
        self.game = decision.game
        if happened is not None:
            assert found.due is (Act.REMIND if happened == "reminded" else Act.EXPIRE)
            self.cells.add((state, found.due))
            self.done.add((state, found.due))
        self.agree()
        return happened

    def agree(self) -> None:
        """Both tell the same of the game."""
        game, table = self.game, self.table
        game.check()
        assert list(rules_of(game.rules).read_moves(game.moves)) == table.cells
        assert (game.x_seat, game.o_seat) == tuple(IDS[who] if who else None for who in (table.x, table.o))
        if table.levels is None:
            assert game.level == table.level
        else:
            assert (game.x_level, game.o_level) == table.levels
            assert pace_of(game) == (2.0, 1.0, 0.5)[table.pace]
        assert game.host == (None if table.host is None else IDS[table.host])
        assert free_seat(game) == (None if table.free is None else Mark(table.free.upper()))
        assert ENDS.get(game.termination or "", game.termination) == table.end
        winner = None if game.winner is None else game.seat(game.winner)
        assert winner == (IDS[table.winner] if table.winner else None)
        question = question_of(game)
        asked = None if question is None else (question.offer, game.seat(question.by))
        assert asked == (None if table.question is None else (table.question[0], IDS[table.question[1]]))
        assert table.takes_time or not table.thinking, "the computer lets nobody wait without need"
        assert (thought_of(game) is not None) is table.thinking
        assert not table.thinking or game.due_at is not None
        assert game.is_over or game.due_at is not None, "whatever waits comes to its end by itself"

    def check_the_message(self) -> None:
        """The message keeps Telegram's limits and has the buttons that the model allows."""
        game, table = self.game, self.table
        for viewer in (None, IDS[ANN], IDS[BO]):
            view = board_view(game, board_in(viewer=viewer), "oxo_bot")
            keyboard = view.keyboard or ""
            assert 0 < len(view.text) < 4096
            for carried in keyboard.split('"callback_data":"')[1:]:
                assert 1 <= len(carried.partition('"')[0]) <= 64
            assert (":takex" in keyboard) is (table.running and (table.host is not None or table.free == "x"))
            assert (":stop" in keyboard) is (table.running and table.host is not None)
            if table.running and table.question is None and table.cells and not table.fresh and not table.host:
                assert ":undo" in keyboard
            offers = (table.open and table.end is None) or (
                table.question is not None and table.question[0] != "resign"
            )
            asks = table.question is not None and IDS[table.question[1]] == viewer
            assert ("Accept" in keyboard) is (offers and not asks)
            assert ("Withdraw" in keyboard) is (offers and asks)


def begun(kind: str, *, first: bool = True, named: str | None = None, off: frozenset[str] = frozenset()) -> Both:
    """Ann's challenge, to everybody or by id or username to somebody; or her game against the computer."""
    side = 4 if kind.startswith("slow") else 3
    rules = f"{side}x{side}x{side}"
    if kind in ("watched", "watched alone", "slow watched"):
        alone = kind == "watched alone"
        levels = ("easy", "easy" if side > 3 else "random")
        game = watched(
            *(PLAYERS[ANN], *levels),
            rules=rules,
            chat_id=IDS[ANN] if alone else GROUP,
            now=0,
            limits=LIMITS,
            rng=Random(1),
        )
        table = Table(COMPUTER, COMPUTER, host=ANN, levels=levels, slow=not alone, side=side)
    elif kind in ("computer", "slow computer"):
        game = against_computer(
            PLAYERS[ANN],
            first=first,
            level="easy",
            chat_id=GROUP,
            now=0,
            limits=LIMITS,
            rng=Random(1),
            rules=rules,
        )
        table = Table(*((ANN, COMPUTER) if first else (COMPUTER, ANN)), level="easy", side=side)
    else:
        rival = None
        if named is not None:
            rival = Player(0, f"@{named.upper()}") if kind == "username" else PLAYERS[named]
        game = challenge(PLAYERS[ANN], first=first, chat_id=GROUP, now=0, limits=LIMITS, rival=rival)
        table = Table(ANN if first else None, None if first else ANN, named, refuses_takebacks=set(off))
    both = Both(game, table)
    both.let_the_computer_put()
    both.agree()
    return both


# Every cell of the machine, one after another.

ACCEPT, REMATCH = Press(Act.ACCEPT, BO), Press(Act.REMATCH, ANN)
ONE, TWO = Press(Act.MOVE, ANN, cell=4), Press(Act.MOVE, BO, cell=0)
RESIGNED = (ACCEPT, Press(Act.RESIGN, ANN), Press(Act.CONFIRM, ANN))
LEAD_TO: Final[dict[str, tuple[str, str | None, tuple[Press, ...]]]] = {
    "an open challenge": ("open", None, ()),
    "a challenge to Bo": ("named", BO, ()),
    "a challenge to @BO": ("username", BO, ()),
    "a withdrawn challenge": ("open", None, (Press(Act.CANCEL, ANN),)),
    "a refused challenge": ("named", BO, (Press(Act.DECLINE, BO),)),
    "a game of two at the first ply": ("open", None, (ACCEPT,)),
    "a game of two": ("open", None, (ACCEPT, ONE, TWO)),
    "a takeback asked": ("open", None, (ACCEPT, ONE, TWO, Press(Act.TAKEBACK, BO))),
    "an older takeback asked": ("open", None, (ACCEPT, ONE, TWO, Press(Act.TAKEBACK, ANN))),
    "a resignation asked": ("open", None, (ACCEPT, ONE, Press(Act.RESIGN, BO))),
    "a game of two that is over": ("open", None, RESIGNED),
    "a rematch asked": ("open", None, (*RESIGNED, REMATCH)),
    "a fresh game against the computer": ("computer", None, ()),
    "a game against the computer": ("computer", None, (Press(Act.MOVE, ANN, cell=0),)),
    "a resignation asked of oneself": ("computer", None, (Press(Act.RESIGN, ANN),)),
    "a resignation asked of oneself after a move": (
        "computer",
        None,
        (Press(Act.MOVE, ANN, cell=0), Press(Act.RESIGN, ANN)),
    ),
    "a game against the computer that is over": (
        "computer",
        None,
        (Press(Act.RESIGN, ANN), Press(Act.CONFIRM, ANN)),
    ),
}
THINKING: Final[dict[str, tuple[str, bool, tuple[Press | None, ...]]]] = {
    "a thought about the first move": ("slow computer", False, ()),
    "a resignation asked during that": ("slow computer", False, (Press(Act.RESIGN, ANN),)),
    "a first move that took time": ("slow computer", False, (None,)),
    "a board for which the computer takes its time": ("slow computer", True, ()),
    "a thought": ("slow computer", True, (ONE,)),
    "a resignation asked during a thought": ("slow computer", True, (ONE, Press(Act.RESIGN, ANN))),
    "an answer that took time": ("slow computer", True, (ONE, None)),
    "an answer during a second thought": ("slow computer", True, (ONE, Press(Act.RESIGN, ANN), None)),
    "an answer that was taken back": ("slow computer", True, (ONE, None, Press(Act.TAKEBACK, ANN))),
    "a seat that is free while the computer thinks": ("slow watched", True, (Press(Act.TAKE_O, BO),)),
    "a seat that is free after it has": ("slow watched", True, (Press(Act.TAKE_O, BO), None)),
}
"""The kind, whether Ann is first, and what is pressed; None is the computer's answer."""
FOLLOWED: Final[dict[str, tuple[str, tuple[Press, ...]]]] = {
    "a game of two that was followed": ("open", (*RESIGNED, REMATCH, Press(Act.REMATCH, BO))),
    "a game against the computer that was followed": (
        "computer",
        (Press(Act.RESIGN, ANN), Press(Act.CONFIRM, ANN), Press(Act.AGAIN, ANN)),
    ),
}


WATCHED: Final[dict[str, tuple[str, int, tuple[Press, ...]]]] = {
    "a game that the computer begins to play against itself": ("watched", 0, ()),
    "a game that the computer plays against itself": ("watched", 3, ()),
    "a game that the computer plays against itself in a private chat": ("watched alone", 2, ()),
    "the same a little faster": ("watched alone", 2, (Press(Act.FASTER, ANN),)),
    "the same as fast as it goes": ("watched alone", 2, (Press(Act.FASTER, ANN), Press(Act.FASTER, ANN))),
    "a seat that was taken from the computer": ("watched", 2, (Press(Act.TAKE_X, BO),)),
    "a seat that was taken while the other thinks": ("slow watched", 1, (Press(Act.TAKE_X, BO),)),
    "the other seat that was taken": ("watched", 1, (Press(Act.TAKE_O, BO),)),
    "both seats that were taken": ("watched", 2, (Press(Act.TAKE_X, BO), Press(Act.TAKE_O, CEM))),
    "a seat that was taken in a private chat": ("watched alone", 3, (Press(Act.TAKE_O, ANN),)),
    "a game that the computer has played against itself": ("watched", 9, ()),
    "a game that the computer played against itself and that was stopped": ("watched", 2, (Press(Act.STOP, ANN),)),
}
"""The kind, how many moves the computer makes at most, and what is pressed then."""


def thoughts() -> dict[str, Both]:
    """Games in which the computer takes its time."""
    found = {}
    for name, (kind, first, steps) in THINKING.items():
        found[name] = both = begun(kind, first=first)
        for step in steps:
            if step is None:
                both.think()
            else:
                assert both.press(step), step
    return found


def situations() -> dict[str, Both]:
    """A game in each state, of each kind, and with either side moving first."""
    found = thoughts()
    for name, (kind, named, presses) in LEAD_TO.items():
        for first in (True, False):
            if not first and any(press.act is Act.MOVE for press in presses):
                continue
            both = begun(kind, first=first, named=named)
            for press in presses:
                assert both.press(press), press
            found[f"{name}, Ann {'first' if first else 'second'}"] = both
    for name, (kind, plies, presses) in WATCHED.items():
        found[name] = both = begun(kind)
        for _ in range(plies):
            if both.table.running:
                both.answer()
        for press in presses:
            assert both.press(press), press
    for act in (Act.WATCH, Act.WINNER):
        both = found["a game that the computer has played against itself"].copy()
        assert both.press(Press(act, CEM))
        assert both.old is not None
        found[f"a game that the computer has played against itself and {act} followed"] = both.old
        found[f"what follows by {act}"] = both
    for name, (kind, presses) in FOLLOWED.items():
        both = begun(kind)
        for press in presses:
            assert both.press(press), press
        assert both.old is not None
        found[name] = both.old
    return found


SITUATIONS: Final = situations()
VALUES: Final = {
    Act.SET_LEVEL: ("easy", "perfect"),
    Act.SET_FIRST: ("me", "bot"),
    Act.SET_RULES: (CLASSIC.text, "4x4x4"),
    Act.TURN: (ALL, RULES),
    Act.COMPUTER: ("hard",),
}
PRESSES: Final = [
    Press(act, who, behind, cell, value, admin)
    for act in IN_THE_MODEL
    for who in (ANN, BO, CEM)
    for behind in (-1, 0, 1)
    for cell in ((0, 4, 8, 9, 64) if act is Act.MOVE else (0,))
    for value in VALUES.get(act, ("",))
    for admin in ((False, True) if act in (Act.CANCEL, Act.STOP) else (False,))
]


@cache
def pressed(situation: str) -> tuple[set[tuple[State, Act]], set[tuple[State, Act]]]:
    """Press everything once in a situation, each on a copy; the result: the cells reached, and those done in."""
    cells, done = set(), set()
    for press in PRESSES:
        both = SITUATIONS[situation].copy()
        if both.press(press):
            both.check_the_message()
        cells |= both.cells
        done |= both.done
    watched_now = state_of(SITUATIONS[situation].game) is State.WATCHED
    if watched_now or SITUATIONS[situation].table.thinking:
        for name in ("answer", "close") if watched_now else ("think",):
            both = SITUATIONS[situation].copy()
            getattr(both, name)()
            both.check_the_message()
            cells |= both.cells
            done |= both.done
    for seconds in (0, CHALLENGE_SECONDS, REMINDER_SECONDS, COMPUTER_SECONDS):
        both = SITUATIONS[situation].copy()
        both.pass_time(seconds)
        both.pass_time(MOVE_SECONDS)
        cells |= both.cells
        done |= both.done
    return cells, done


@pytest.mark.parametrize("situation", SITUATIONS)
def test_whatever_is_pressed_in_a_situation_the_model_says_the_same(situation: str) -> None:
    cells, _ = pressed(situation)
    game = SITUATIONS[situation].game
    state = state_of(game)
    nobody_plays = game.host is not None and game.is_over
    expected = FOR_ALL if nobody_plays else set(Act) - CLOCK
    assert {act for reached, act in cells if reached is state} >= expected


IDLE: Final = {
    (State.TAKEBACK_ASKED, Act.TAKEBACK): "one question at a time",
    (State.TAKEBACK_ASKED, Act.RESIGN): "one question at a time",
    (State.TAKEBACK_ASKED, Act.SET_LEVEL): "only people are asked",
    (State.TAKEBACK_ASKED, Act.SET_FIRST): "only people are asked",
    (State.TAKEBACK_ASKED, Act.SET_RULES): "only people are asked",
    (State.THINKING, Act.MOVE): "it is the computer's turn",
    (State.OPEN, Act.REMIND): "nobody in particular is waited for",
}
"""Steps that never do anything, because of what else holds in their state."""


def test_every_cell_of_the_machine_is_reached_and_every_step_of_it_taken() -> None:
    reached: set[tuple[State, Act]] = set()
    taken: set[tuple[State, Act]] = set()
    for situation in SITUATIONS:
        cells, done = pressed(situation)
        reached |= cells
        taken |= done
    everything = {(state, act) for act, row in MACHINE.items() for state in row}
    steps = {(state, act) for state, act in everything if not isinstance(MACHINE[act][state], Refusal)}
    assert everything - reached == {
        (state, act)
        for act in CLOCK
        for state in State
        if (state, act) not in steps or (state, act) in IDLE  # the clock knows itself what is over
    }
    assert steps - taken == set(IDLE)
    assert taken <= steps


# Any order.

PEOPLE = st.sampled_from([ANN, BO, CEM])
BEHIND = st.sampled_from([0, 0, 0, 0, 1, 2, -1])
"""By how many plies the board that somebody looks at is behind."""
ANYTHING: Final = tuple(IN_THE_MODEL)
OFTEN: Final = (Act.MOVE, Act.MOVE, Act.TAKEBACK, Act.AGREE, Act.REMATCH, Act.RESIGN, Act.SET_LEVEL, Act.SET_FIRST)


class Machine(RuleBasedStateMachine):
    """Every rule does the same to both, and compares."""

    both: Both

    @initialize(
        kind=st.sampled_from(["open", "named", "username", "computer", "slow computer", *WATCHES]),
        first=st.booleans(),
        off=st.sampled_from([frozenset[str](), frozenset[str](), frozenset({ANN}), frozenset({BO, CEM})]),
    )
    def begin(self, *, kind: str, first: bool, off: frozenset[str]) -> None:
        """Ann challenges everybody, or Bo, or plays the computer."""
        self.both = begun(kind, first=first, named=BO if kind in ("named", "username") else None, off=off)

    @rule(
        act=st.sampled_from(ANYTHING + OFTEN),
        who=PEOPLE,
        behind=BEHIND,
        cell=st.integers(0, 12),
        chance=st.booleans(),
    )
    def press(self, act: Act, who: str, behind: int, cell: int, *, chance: bool) -> None:
        """Anybody presses anything."""
        levels = [str(level) for level in Level]
        value = ""
        if act is Act.SET_FIRST:
            value = "me" if chance else "bot"
        elif act in (Act.SET_RULES, Act.TURN):
            value = VALUES[act][chance]
        elif act in (Act.SET_LEVEL, Act.COMPUTER):
            value = levels[cell % len(levels)]
        self.both.press(Press(act, who, behind, cell, value, admin=chance and cell == 0))

    @rule(who=st.sampled_from([BO, CEM]))
    @precondition(lambda self: self.both.table.open)
    def take_up(self, who: str) -> None:
        """Somebody else than Ann accepts, so that games begin."""
        self.both.press(Press(Act.ACCEPT, who))

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
                self.both.press(Press(Act.MOVE, self.both.table.to_move or "", cell=cell))

    @rule(act=st.sampled_from([Act.TAKEBACK, Act.TAKEBACK, Act.RESIGN]), x=st.booleans())
    @precondition(lambda self: self.both.table.running and bool(self.both.table.cells))
    def ask(self, act: Act, *, x: bool) -> None:
        """A player asks for something in a game that runs."""
        if (who := self.both.table.x if x else self.both.table.o) in PLAYERS:
            self.both.press(Press(act, who or ""))

    @rule(yes=st.booleans())
    @precondition(lambda self: self.both.table.question is not None)
    def reply(self, *, yes: bool) -> None:
        """Who is asked says yes or no."""
        assert self.both.table.question is not None
        what, asker = self.both.table.question
        if what == "resign":
            self.both.press(Press(Act.CONFIRM if yes else Act.PLAY_ON, asker))
        else:
            self.both.press(Press(Act.AGREE if yes else Act.REFUSE, self.both.table.other(asker) or ""))

    @rule(x=st.booleans(), act=st.sampled_from([Act.REMATCH, Act.AGAIN, Act.SWAP]))
    @precondition(lambda self: self.both.table.end is not None and not self.both.table.open)
    def want_more(self, act: Act, *, x: bool) -> None:
        """A player of a finished game wants another."""
        if (who := self.both.table.x if x else self.both.table.o) in PLAYERS:
            self.both.press(Press(act, who or ""))

    @rule(seconds=st.sampled_from([1, 50, 99, 100, 101, 250, 300, 301, 400, 1000]))
    def wait(self, seconds: int) -> None:
        """Time passes before the bot looks at the clock again."""
        self.both.pass_time(seconds)

    @invariant()
    def agree(self) -> None:
        """Both tell the same of the game, and so does its message."""
        self.both.agree()
        self.both.check_the_message()


Machine.TestCase.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
TestMachine = Machine.TestCase
