"""Actions at the table, and the model's answer to each."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from inspect import signature
from typing import Final

from bot.game import deadlines, departures, exhibitions, matchmaking, new_game, pages, play, questions
from bot.game.actions import ACTION_KINDS, Action
from tests.two.model import Table

WATCHES: Final = ("watched", "watched alone", "slow watched")
CLOCK: Final[frozenset[type[Action]]] = frozenset(
    {exhibitions.ComputerMove, deadlines.Remind, deadlines.Expire, deadlines.BeginAgain}
)


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


IN_REVIEW: Final = tuple(kind for kind in ACTION_KINDS if issubclass(kind, pages.InReview))

IN_THE_MODEL: Final[dict[type[Action], Callable[[Table, Press, int, int], bool]]] = {
    new_game.Accept: lambda table, press, _, now: table.accept(press.who, now),
    new_game.Decline: lambda table, press, *_: table.decline(press.who, admin=press.admin),
    new_game.Cancel: lambda table, press, *_: table.cancel(press.who, admin=press.admin),
    new_game.LetComputerPlay: lambda table, press, _, now: table.let_computer_play(
        press.who, str(press.value), now
    ),
    play.Move: lambda table, press, ply, now: table.put(press.who, press.cell, ply, now),
    questions.TakeBack: lambda table, press, ply, now: table.take_back(press.who, ply, now),
    questions.OfferDraw: lambda table, press, ply, _: table.offer_draw(press.who, ply),
    questions.Resign: lambda table, press, ply, _: table.resign(press.who, ply),
    questions.ConfirmResign: lambda table, press, *_: table.confirm(press.who, yes=True),
    questions.PlayOn: lambda table, press, *_: table.confirm(press.who, yes=False),
    deadlines.Nudge: lambda table, press, ply, now: table.nudge(press.who, ply, now),
    departures.ClaimWin: lambda table, press, *_: table.claim(press.who),
    questions.Agree: lambda table, press, ply, now: table.answer(press.who, ply, yes=True, now=now),
    questions.Refuse: lambda table, press, ply, now: table.answer(press.who, ply, yes=False, now=now),
    questions.Rematch: lambda table, press, *_: table.rematch(press.who),
    questions.PlayAgain: lambda table, press, *_: table.against_computer and table.rematch(press.who),
    play.SetLevel: lambda table, press, *_: table.set_level(press.who, str(press.value)),
    play.SetFirst: lambda table, press, *_: table.set_first(press.who, oneself=bool(press.value)),
    play.SetRules: lambda table, press, _, now: table.choose_rules(press.who, int(str(press.value)[:1]), now),
    new_game.SetClock: lambda table, press, *_: table.set_clock(press.who, int(str(press.value))),
    new_game.SetSeries: lambda table, press, *_: table.set_series(press.who, int(str(press.value))),
    pages.ShowAll: lambda table, press, ply, _: table.turn_page(press.who, ply, rules=False),
    pages.ShowRules: lambda table, press, ply, _: table.turn_page(press.who, ply, rules=True),
    pages.ShowMoreRules: lambda table, press, ply, _: table.turn_page(press.who, ply, rules=True),
    pages.ShowLevels: lambda table, press, ply, _: table.fresh and table.turn_page(press.who, ply, rules=True),
    pages.ShowOptions: lambda table, press, ply, _: table.turn_page(press.who, ply, rules=True),
    pages.ShowRegion: lambda *_: False,
    pages.Hint: lambda table, press, *_: table.may_be_helped(press.who),
    pages.Bring: lambda table, press, *_: table.seated(press.who) and table.end is None,
    **dict.fromkeys((*IN_REVIEW, pages.Share), lambda table, press, *_: table.may_review(press.who)),
    pages.PlayFrom: lambda table, press, ply, _: table.may_review(press.who) and table.goes_on_at(ply),
    pages.PlayOut: lambda table, press, ply, _: (
        table.may_review(press.who) and table.may_play_out(ply, press.cell)
    ),
    exhibitions.Stop: lambda table, press, *_: table.stop(press.who, admin=press.admin),
    exhibitions.GoFaster: lambda table, *_: table.faster(),
    exhibitions.WatchAgain: lambda table, *_: table.watch_again(),
    exhibitions.PlayWinner: lambda table, *_: table.play_winner(),
    matchmaking.Stay: lambda table, press, _, now: table.wait_on(press.who, now),
    matchmaking.WantAny: lambda table, press, _, now: table.wait_on(press.who, now, suits_all=True),
    matchmaking.PlayMeanwhile: lambda table, press, *_: table.may_wait_on(press.who),
}
"""How somebody's action is called at the table; the clock's have no place here."""
