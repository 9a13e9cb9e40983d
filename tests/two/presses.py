"""Actions at the table, and the model's answer to each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from inspect import signature
from typing import Final, get_args

from bot.game import actions as act
from bot.game.actions import Action
from tests.two.model import Table

WATCHES: Final = ("watched", "watched alone", "slow watched")
CLOCK: Final = frozenset({act.Answer, act.Remind, act.Expire})


@cache
def fields_of(kind: Callable[..., Action]) -> tuple[str, ...]:
    """What an action carries."""
    return tuple(signature(kind).parameters)


@dataclass(frozen=True)
class Press:
    """An action on a board that may be some plies behind."""

    kind: type[Action]
    who: str
    behind: int = 0
    cell: int = 0
    value: object = None
    """The value it chooses, if any."""
    admin: bool = False

    def on(self, ply: int) -> Action:
        """The action on the board as it was at a ply."""
        given = {"ply": ply, "cell": self.cell, "region": 0, "as_picture": False}
        make: Callable[..., Action] = self.kind
        return make(*(given.get(name, self.value) for name in fields_of(make)))


IN_THE_MODEL: Final[dict[type[Action], Callable[[Table, Press, int, int], bool]]] = {
    act.Accept: lambda table, press, _, now: table.accept(press.who, now),
    act.Decline: lambda table, press, *_: table.decline(press.who),
    act.Cancel: lambda table, press, *_: table.cancel(press.who, admin=press.admin),
    act.LetComputerPlay: lambda table, press, _, now: table.let_computer_play(press.who, str(press.value), now),
    act.Move: lambda table, press, ply, now: table.put(press.who, press.cell, ply, now),
    act.TakeBack: lambda table, press, ply, now: table.take_back(press.who, ply, now),
    act.Resign: lambda table, press, ply, _: table.resign(press.who, ply),
    act.ConfirmResign: lambda table, press, *_: table.confirm(press.who, yes=True),
    act.PlayOn: lambda table, press, *_: table.confirm(press.who, yes=False),
    act.Agree: lambda table, press, ply, now: table.answer(press.who, ply, yes=True, now=now),
    act.Refuse: lambda table, press, ply, now: table.answer(press.who, ply, yes=False, now=now),
    act.Rematch: lambda table, press, *_: table.rematch(press.who),
    act.PlayAgain: lambda table, press, *_: table.rematch(press.who),
    act.SwapSides: lambda table, press, *_: table.rematch(press.who),
    act.SetLevel: lambda table, press, *_: table.set_level(press.who, str(press.value)),
    act.SetFirst: lambda table, press, *_: table.set_first(press.who, oneself=bool(press.value)),
    act.SetRules: lambda table, press, *_: table.choose_rules(press.who, int(str(press.value)[:1])),
    act.SetClock: lambda table, press, *_: table.set_clock(press.who, int(str(press.value))),
    act.SetSeries: lambda table, press, *_: table.set_series(press.who, int(str(press.value))),
    act.ShowAll: lambda table, press, ply, _: table.turn_page(press.who, ply, rules=False),
    act.ShowRules: lambda table, press, ply, _: table.turn_page(press.who, ply, rules=True),
    act.ShowMoreRules: lambda table, press, ply, _: table.turn_page(press.who, ply, rules=True),
    act.ShowRegion: lambda *_: False,
    act.Hint: lambda table, press, *_: table.running and table.seated(press.who) and not table.thinking,
    act.Bring: lambda table, press, *_: table.seated(press.who) and table.end is None,
    **dict.fromkeys((*get_args(act.InReview), act.Share), lambda table, press, *_: table.may_review(press.who)),
    act.Stop: lambda table, press, *_: table.stop(press.who, admin=press.admin),
    act.GoFaster: lambda table, *_: table.faster(),
    act.WatchAgain: lambda table, *_: table.watch_again(),
    act.PlayWinner: lambda table, *_: table.play_winner(),
}
"""How somebody's action is called at the table; the clock's have no place here."""
