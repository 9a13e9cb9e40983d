"""Games in every state, how they got there, and everything that can be pressed in them."""

from __future__ import annotations

from random import Random
from typing import Final

from bot.game.actions import (
    Accept,
    Action,
    Cancel,
    ConfirmResign,
    Decline,
    GoFaster,
    LetComputerPlay,
    Move,
    PlayAgain,
    PlayWinner,
    Rematch,
    Resign,
    SetClock,
    SetFirst,
    SetLevel,
    SetRules,
    SetSeries,
    Stop,
    TakeBack,
    WatchAgain,
)
from bot.game.attempt import Player
from bot.game.exhibitions import exhibition
from bot.game.new_game import against_computer, challenge
from engine import CLASSIC, Level
from tests.bot.games import GROUP
from tests.two.both import IDS, LIMITS, PLAYERS, Both
from tests.two.model import (
    ANN,
    BO,
    CEM,
    COMPUTER,
    Table,
)
from tests.two.presses import IN_THE_MODEL, WATCHES, Press


def begun(kind: str, *, first: bool = True, named: str | None = None, off: frozenset[str] = frozenset()) -> Both:
    """Ann's challenge to everybody, or to somebody by id or username; or her game against the computer."""
    side = 4 if kind.startswith("slow") else 3
    rules = f"{side}x{side}x{side}"
    if kind in WATCHES:
        alone = kind == "watched alone"
        levels = ("easy", "easy" if side > 3 else "random")
        game = exhibition(
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
            rival = Player(0, "", "bo") if kind == "username" else PLAYERS[named]
        game = challenge(PLAYERS[ANN], first=first, chat_id=GROUP, now=0, limits=LIMITS, rival=rival)
        table = Table(ANN if first else None, None if first else ANN, named, refuses_takebacks=set(off))
    both = Both(game, table)
    both.let_the_computer_put()
    both.agree()
    return both


ACCEPT, REMATCH = Press(Accept, BO), Press(Rematch, ANN)
ONE, TWO = Press(Move, ANN, cell=4), Press(Move, BO, cell=0)
RESIGNED = (ACCEPT, Press(Resign, ANN), Press(ConfirmResign, ANN))
LEAD_TO: Final[dict[str, tuple[str, str | None, tuple[Press, ...]]]] = {
    "an open challenge": ("open", None, ()),
    "a challenge to Bo": ("named", BO, ()),
    "a challenge to @BO": ("username", BO, ()),
    "a withdrawn challenge": ("open", None, (Press(Cancel, ANN),)),
    "a refused challenge": ("named", BO, (Press(Decline, BO),)),
    "a game of two at the first ply": ("open", None, (ACCEPT,)),
    "a game of two": ("open", None, (ACCEPT, ONE, TWO)),
    "a takeback asked": ("open", None, (ACCEPT, ONE, TWO, Press(TakeBack, BO))),
    "an older takeback asked": ("open", None, (ACCEPT, ONE, TWO, Press(TakeBack, ANN))),
    "a resignation asked": ("open", None, (ACCEPT, ONE, Press(Resign, BO))),
    "a game of two that is over": ("open", None, RESIGNED),
    "a rematch asked": ("open", None, (*RESIGNED, REMATCH)),
    "a fresh game against the computer": ("computer", None, ()),
    "a game against the computer": ("computer", None, (Press(Move, ANN, cell=0),)),
    "a resignation asked of oneself": ("computer", None, (Press(Resign, ANN),)),
    "a resignation asked of oneself after a move": (
        "computer",
        None,
        (Press(Move, ANN, cell=0), Press(Resign, ANN)),
    ),
    "a game against the computer that is over": (
        "computer",
        None,
        (Press(Resign, ANN), Press(ConfirmResign, ANN)),
    ),
}
THINKING: Final[dict[str, tuple[str, bool, tuple[Press | None, ...]]]] = {
    "a thought about the first move": ("slow computer", False, ()),
    "a resignation asked during that": ("slow computer", False, (Press(Resign, ANN),)),
    "a first move that took time": ("slow computer", False, (None,)),
    "a board for which the computer takes its time": ("slow computer", True, ()),
    "a thought": ("slow computer", True, (ONE,)),
    "a resignation asked during a thought": ("slow computer", True, (ONE, Press(Resign, ANN))),
    "an answer that took time": ("slow computer", True, (ONE, None)),
    "an answer during a second thought": ("slow computer", True, (ONE, Press(Resign, ANN), None)),
    "an answer that was taken back": ("slow computer", True, (ONE, None, Press(TakeBack, ANN))),
}
"""The kind, whether Ann is first, and what is pressed; None is the computer's answer."""
FOLLOWED: Final[dict[str, tuple[str, tuple[Press, ...]]]] = {
    "a game of two that was followed": ("open", (*RESIGNED, REMATCH, Press(Rematch, BO))),
    "a game against the computer that was followed": (
        "computer",
        (Press(Resign, ANN), Press(ConfirmResign, ANN), Press(PlayAgain, ANN)),
    ),
}


WATCHED: Final[dict[str, tuple[str, int, tuple[Press, ...]]]] = {
    "a game that the computer begins to play against itself": ("watched", 0, ()),
    "a game that the computer plays against itself": ("watched", 3, ()),
    "a game that the computer plays against itself in a private chat": ("watched alone", 2, ()),
    "the same a little faster": ("watched alone", 2, (Press(GoFaster, ANN),)),
    "the same as fast as it goes": ("watched alone", 2, (Press(GoFaster, ANN), Press(GoFaster, ANN))),
    "a game that the computer has played against itself": ("watched", 9, ()),
    "a game that the computer played against itself and that was stopped": ("watched", 2, (Press(Stop, ANN),)),
}
"""The kind, how many moves the computer makes at most, and what is pressed then."""


def thoughts() -> dict[str, Both]:
    """Games in which the computer needs time for a move."""
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
            if not first and any(press.kind is Move for press in presses):
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
    for after in (WatchAgain, PlayWinner):
        both = found["a game that the computer has played against itself"].copy()
        assert both.press(Press(after, CEM))
        assert both.old is not None
        found[f"a game that the computer has played against itself and {after.__name__} followed"] = both.old
        found[f"what follows by {after.__name__}"] = both
    for name, (kind, presses) in FOLLOWED.items():
        both = begun(kind)
        for press in presses:
            assert both.press(press), press
        assert both.old is not None
        found[name] = both.old
    return found


SITUATIONS: Final = situations()
VALUES: Final[dict[type[Action], tuple[object, ...]]] = {
    SetLevel: (Level.EASY, Level.PERFECT),
    SetFirst: (True, False),
    SetRules: (CLASSIC.text, "4x4x4"),
    SetClock: (30, 0),
    SetSeries: (3, 1),
    LetComputerPlay: (Level.HARD,),
}
PRESSES: Final = [
    Press(kind, who, behind, cell, value, admin)
    for kind in IN_THE_MODEL
    for who in (ANN, BO, CEM)
    for behind in (-1, 0, 1)
    for cell in ((0, 4, 8, 9, 64) if kind is Move else (0,))
    for value in VALUES.get(kind, (None,))
    for admin in ((False, True) if kind in (Cancel, Stop) else (False,))
]
