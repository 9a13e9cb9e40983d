"""Games in every state, how they got there, and everything that can be pressed in them."""

from random import Random
from typing import Final, TypeAlias

from bot.game.actions import Action
from bot.game.attempt import Attempt, Player, Where
from bot.game.deadlines import Nudge
from bot.game.departures import ClaimWin
from bot.game.exhibitions import GoFaster, PlayWinner, Stop, WatchAgain, exhibition
from bot.game.matchmaking import WantAny
from bot.game.new_game import (
    Accept,
    Cancel,
    Decline,
    LetComputerPlay,
    SetClock,
    SetSeries,
    against_computer,
    new_challenge,
    wait,
)
from bot.game.play import Move, SetFirst, SetLevel, SetRules
from bot.game.questions import ConfirmResign, OfferDraw, PlayAgain, Rematch, Resign, TakeBack
from engine import CLASSIC, Level
from tests.bot.games import GROUP
from tests.two.both import IDS, LIMITS, PLAYERS, Both
from tests.two.model import ANN, BO, CEM, COMPUTER, HOUR, Table
from tests.two.presses import IN_THE_MODEL, WATCHES, Press


def begun(kind: str, *, first: bool = True, off: frozenset[str] = frozenset()) -> Both:
    """Ann's challenge to everybody, or to Bo by id or username; or her game against the computer, or its own."""
    asking = Attempt(PLAYERS[ANN], Where(GROUP), 0, Random(1), LIMITS)
    side = 4 if kind.startswith(("slow", "big")) else 3
    rules = f"{side}x{side}x{side}"
    if kind in WATCHES:
        alone = kind == "watched alone"
        levels = ("easy", "easy" if side > 3 else "random")
        game = exhibition(asking._replace(where=Where(IDS[ANN] if alone else GROUP)), *levels, rules=rules)
        table = Table(COMPUTER, COMPUTER, host=ANN, levels=levels, slow=not alone, side=side)
    elif kind in ("computer", "slow computer"):
        game = against_computer(asking, first=first, level="easy", rules=rules)
        table = Table(*((ANN, COMPUTER) if first else (COMPUTER, ANN)), level="easy", side=side)
    elif kind == "seeking":
        game = wait(asking, rules=rules, any_rules=False, told=None)
        table = Table(ANN, None, seeks=True)
    else:
        named = BO if kind in ("named", "username") else None
        rival = Player(0, "", "bo") if kind == "username" else PLAYERS[BO] if named else None
        game = new_challenge(asking, first=first, rival=rival, rules=rules)
        x, o = (ANN, None) if first else (None, ANN)
        table = Table(x, o, named, refuses_takebacks=set(off), side=side)
    both = Both(game, table)
    both.let_the_computer_put()
    both.agree()
    return both


ACCEPT, REMATCH = Press(Accept, BO), Press(Rematch, ANN)
ONE, TWO = Press(Move, ANN, cell=4), Press(Move, BO, cell=0)
MORE = (Press(Move, ANN, cell=8), Press(Move, BO, cell=2))
RESIGN, FASTER = Press(Resign, ANN), Press(GoFaster, ANN)
RESIGNED = (RESIGN, Press(ConfirmResign, ANN))
OXO = None
"""The computer's move, where it takes time or plays itself."""
Way: TypeAlias = tuple[str, *tuple[Press | None, ...]]
LEAVES: Final = Press(ClaimWin, BO)
"""Bo leaves the group."""
WAITS_LONG: Final = Press(Nudge, CEM)
"""Half a day goes by."""
WHOLE: Final = (OXO,) * 9
"""More moves than a game has."""


def late(*steps: Press) -> Way:
    """A game of two on sixteen cells once a draw may be offered, and what happens then."""
    cells = enumerate((0, 2, 1, 3, 6, 4, 7, 5, 8, 9))
    moves = [Press(Move, (ANN, BO)[ply % 2], cell=cell) for ply, cell in cells]
    played: tuple[Press | None, ...] = (ACCEPT, *moves, *steps)
    return ("big", *played)


LEAD_TO: Final[dict[str, Way]] = {
    "an open challenge": ("open",),
    "a challenge to Bo": ("named",),
    "a challenge to @BO": ("username",),
    "a withdrawn challenge": ("open", Press(Cancel, ANN)),
    "somebody who waits for an opponent": ("seeking",),
    "somebody who waits for any": ("seeking", Press(WantAny, ANN)),
    "somebody who waits no more": ("seeking", Press(Cancel, ANN)),
    "a refused challenge": ("named", Press(Decline, BO)),
    "a game of two at the first ply": ("open", ACCEPT),
    "a game of two": ("open", ACCEPT, ONE, TWO),
    "a game of two at rest": ("open", ACCEPT, ONE, WAITS_LONG),
    "a nudge": ("open", ACCEPT, ONE, WAITS_LONG, Press(Nudge, ANN)),
    "a game of two that one has left": ("open", ACCEPT, ONE, LEAVES),
    "a game of two that one left later": ("open", ACCEPT, ONE, TWO, *MORE, LEAVES),
    "the same with a takeback asked": ("open", ACCEPT, ONE, LEAVES, Press(TakeBack, ANN)),
    "the same with a resignation asked": ("open", ACCEPT, ONE, RESIGN, LEAVES),
    "a takeback asked": ("open", ACCEPT, ONE, TWO, Press(TakeBack, BO)),
    "an older takeback asked": ("open", ACCEPT, ONE, TWO, Press(TakeBack, ANN)),
    "a game in which a draw may be offered": late(),
    "a draw offered": late(Press(OfferDraw, BO)),
    "a draw offered by who is to move": late(Press(OfferDraw, ANN)),
    "a draw agreed on": late(Press(OfferDraw, ANN), Press(OfferDraw, BO)),
    "a resignation asked": ("open", ACCEPT, ONE, Press(Resign, BO)),
    "a game of two that is over": ("open", ACCEPT, *RESIGNED),
    "a rematch asked": ("open", ACCEPT, *RESIGNED, REMATCH),
    "a rematch asked by somebody who has left": ("open", ACCEPT, ONE, LEAVES, *RESIGNED, Press(Rematch, BO)),
    "a game of two that was followed": ("open", ACCEPT, *RESIGNED, REMATCH, Press(Rematch, BO)),
    "a fresh game against the computer": ("computer",),
    "a game against the computer": ("computer", Press(Move, ANN, cell=0)),
    "a resignation asked of oneself": ("computer", RESIGN),
    "a resignation asked of oneself after a move": ("computer", Press(Move, ANN, cell=0), RESIGN),
    "a game against the computer that is over": ("computer", *RESIGNED),
    "a game against the computer that was followed": ("computer", *RESIGNED, Press(PlayAgain, ANN)),
    "a board for which the computer takes its time": ("slow computer",),
    "a resignation asked before the first move there": ("slow computer", RESIGN),
    "a first move that took time": ("slow computer", OXO),
    "a thought": ("slow computer", ONE),
    "a resignation asked during a thought": ("slow computer", ONE, RESIGN),
    "an answer that took time": ("slow computer", ONE, OXO),
    "an answer during a second thought": ("slow computer", ONE, RESIGN, OXO),
    "an answer that was taken back": ("slow computer", ONE, OXO, Press(TakeBack, ANN)),
    "a game that the computer begins to play against itself": ("watched",),
    "a game that the computer plays against itself": ("watched", OXO, OXO, OXO),
    "a game that the computer plays against itself in a private chat": ("watched alone", OXO, OXO),
    "the same a little faster": ("watched alone", OXO, OXO, FASTER),
    "the same as fast as it goes": ("watched alone", OXO, OXO, FASTER, FASTER),
    "a game that the computer has played against itself": ("watched", *WHOLE),
    "a game that the computer played against itself and that was stopped": ("watched", OXO, Press(Stop, ANN)),
    "a watched game that was followed": ("watched", *WHOLE, Press(WatchAgain, CEM)),
    "a watched game whose winner was played": ("watched", *WHOLE, Press(PlayWinner, CEM)),
}
"""What begins, and what happens then."""


def led(kind: str, *steps: Press | None, first: bool) -> Both:
    both = begun(kind, first=first)
    for step in steps:
        if step is LEAVES:
            both.leave(step.who)
        elif step is WAITS_LONG:
            both.now += 12 * HOUR
        elif step is not None:
            assert both.press(step), step
        elif both.table.host is None:
            both.think()
        elif both.table.running:
            both.answer()
    return both


def situations() -> dict[str, Both]:
    """A game in each state, of each kind, and with either side moving first where the steps don't say which."""
    found = {}
    for name, (kind, *steps) in LEAD_TO.items():
        moves = [step for step in steps if step is OXO or step.kind is Move]
        sides = (True,) if kind in (*WATCHES, "seeking") else (moves[0] is not OXO,) if moves else (True, False)
        for first in sides:
            both = led(kind, *steps, first=first)
            title = f"{name}, Ann {'first' if first else 'second'}"
            found[title] = both.old or both
            if both.old is not None:
                found[f"what follows {title}"] = both
    return found


SITUATIONS: Final = situations()
VALUES: Final[dict[type[Action], tuple[object, ...]]] = {
    SetLevel: (Level.EASY, Level.STRONGEST),
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
    for admin in ((False, True) if kind in (Cancel, Decline, Stop) else (False,))
]
