"""Actions at the table, and the model's answer to each."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from inspect import signature
from typing import Final

from bot.game.actions import ACTION_KINDS, Action
from bot.game.deadlines import Expire, Remind
from bot.game.departures import ClaimWin
from bot.game.exhibitions import Answer, GoFaster, PlayWinner, Stop, WatchAgain
from bot.game.matchmaking import PlayMeanwhile, Stay, WantAny
from bot.game.new_game import Accept, Cancel, Decline, LetComputerPlay, SetClock, SetSeries
from bot.game.pages import (
    Bring,
    Hint,
    InReview,
    PlayFrom,
    Share,
    ShowAll,
    ShowLevels,
    ShowMoreRules,
    ShowOptions,
    ShowRegion,
    ShowRules,
)
from bot.game.play import Move, SetFirst, SetLevel, SetRules
from bot.game.questions import (
    Agree,
    ConfirmResign,
    PlayAgain,
    PlayOn,
    Refuse,
    Rematch,
    Resign,
    SwapSides,
    TakeBack,
)
from tests.two.model import Table

WATCHES: Final = ("watched", "watched alone", "slow watched")
CLOCK: Final = frozenset({Answer, Remind, Expire})


@cache
def fields_of(kind: Callable[..., Action]) -> tuple[str, ...]:
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
        given = {"ply": ply, "at": ply, "cell": self.cell, "region": 0, "as_picture": False}
        make: Callable[..., Action] = self.kind
        return make(*(given.get(name, self.value) for name in fields_of(make)))


IN_REVIEW: Final = tuple(kind for kind in ACTION_KINDS if issubclass(kind, InReview))

IN_THE_MODEL: Final[dict[type[Action], Callable[[Table, Press, int, int], bool]]] = {
    Accept: lambda table, press, _, now: table.accept(press.who, now),
    Decline: lambda table, press, *_: table.decline(press.who, admin=press.admin),
    Cancel: lambda table, press, *_: table.cancel(press.who, admin=press.admin),
    LetComputerPlay: lambda table, press, _, now: table.let_computer_play(press.who, str(press.value), now),
    Move: lambda table, press, ply, now: table.put(press.who, press.cell, ply, now),
    TakeBack: lambda table, press, ply, now: table.take_back(press.who, ply, now),
    Resign: lambda table, press, ply, _: table.resign(press.who, ply),
    ConfirmResign: lambda table, press, *_: table.confirm(press.who, yes=True),
    PlayOn: lambda table, press, *_: table.confirm(press.who, yes=False),
    ClaimWin: lambda table, press, *_: table.claim(press.who),
    Agree: lambda table, press, ply, now: table.answer(press.who, ply, yes=True, now=now),
    Refuse: lambda table, press, ply, now: table.answer(press.who, ply, yes=False, now=now),
    Rematch: lambda table, press, *_: table.rematch(press.who),
    PlayAgain: lambda table, press, *_: table.against_computer and table.rematch(press.who),
    SwapSides: lambda table, press, *_: table.against_computer and table.rematch(press.who),
    SetLevel: lambda table, press, *_: table.set_level(press.who, str(press.value)),
    SetFirst: lambda table, press, *_: table.set_first(press.who, oneself=bool(press.value)),
    SetRules: lambda table, press, _, now: table.choose_rules(press.who, int(str(press.value)[:1]), now),
    SetClock: lambda table, press, *_: table.set_clock(press.who, int(str(press.value))),
    SetSeries: lambda table, press, *_: table.set_series(press.who, int(str(press.value))),
    ShowAll: lambda table, press, ply, _: table.turn_page(press.who, ply, rules=False),
    ShowRules: lambda table, press, ply, _: table.turn_page(press.who, ply, rules=True),
    ShowMoreRules: lambda table, press, ply, _: table.turn_page(press.who, ply, rules=True),
    ShowLevels: lambda table, press, ply, _: table.fresh and table.turn_page(press.who, ply, rules=True),
    ShowOptions: lambda table, press, ply, _: table.turn_page(press.who, ply, rules=True),
    ShowRegion: lambda *_: False,
    Hint: lambda table, press, *_: table.may_be_helped(press.who),
    Bring: lambda table, press, *_: table.seated(press.who) and table.end is None,
    **dict.fromkeys((*IN_REVIEW, Share), lambda table, press, *_: table.may_review(press.who)),
    PlayFrom: lambda table, press, ply, _: table.may_review(press.who) and table.goes_on_at(ply),
    Stop: lambda table, press, *_: table.stop(press.who, admin=press.admin),
    GoFaster: lambda table, *_: table.faster(),
    WatchAgain: lambda table, *_: table.watch_again(),
    PlayWinner: lambda table, press, *_: table.play_winner(press.who),
    Stay: lambda table, press, _, now: table.wait_on(press.who, now),
    WantAny: lambda table, press, _, now: table.wait_on(press.who, now, suits_all=True),
    PlayMeanwhile: lambda table, press, *_: table.may_wait_on(press.who),
}
"""How somebody's action is called at the table; the clock's have no place here."""
