"""Games in every state, each by what leads to it, and all that can be pressed in them."""

from __future__ import annotations

from random import Random
from typing import Final

from bot.game.acts import Act, Player
from bot.game.new_game import against_computer, challenge
from bot.game.pages import ALL, RULES
from bot.game.watched import watched
from engine import CLASSIC
from tests.bot.games import GROUP
from tests.two.both import IDS, LIMITS, PLAYERS, Both
from tests.two.model import (
    ANN,
    BO,
    CEM,
    COMPUTER,
    Table,
)
from tests.two.presses import IN_THE_MODEL, Press


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
