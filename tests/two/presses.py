"""What somebody does at the table, and what the model of the rules says to each act."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bot.game.acts import Act
from bot.game.gate import REVIEWING, SHARING
from bot.game.pages import RULES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.two.model import Table


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
    **dict.fromkeys(REVIEWING | SHARING, lambda table, press, *_: table.may_review(press.who)),
    Act.STOP: lambda table, press, *_: table.stop(press.who, admin=press.admin),
    Act.FASTER: lambda table, *_: table.faster(),
    Act.TAKE_X: lambda table, press, _, now: table.take_seat(press.who, "x", now),
    Act.TAKE_O: lambda table, press, _, now: table.take_seat(press.who, "o", now),
    Act.WATCH: lambda table, *_: table.watch_again(),
    Act.WINNER: lambda table, *_: table.play_winner(),
}
"""How somebody's act is called at the table; the clock's have no place here."""
