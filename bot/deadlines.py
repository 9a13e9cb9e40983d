"""When a game that nobody moves in comes to its end. Pure: the time is given.

A deadline is not moved with every move, which would cost a tap an index. `due_at` says when to look; whoever looks
finds the true deadline from the last move, and looks again then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from storage.game import EXPIRED, TIMEOUT

if TYPE_CHECKING:
    from storage.game import Game

DAY = 24 * 3600


@dataclass(frozen=True, slots=True)
class Patience:
    """For how many seconds what waits."""

    challenge: int = DAY
    move: int = 3 * DAY
    computer: int = 30 * DAY

    @property
    def reminder(self) -> int:
        """After so many seconds without a move the person to move is reminded."""
        return self.move * 3 // 4


class Verdict(Enum):
    """What a look at a deadline has found."""

    WAIT = "wait"
    REMIND = "remind"
    END = "end"


def first_look(game: Game, patience: Patience) -> int:
    """When the deadline of a game that begins now has to be looked at first."""
    if game.is_challenge:
        return game.created_at + patience.challenge
    return game.moved_at + (patience.computer if game.is_against_computer else patience.reminder)


def look(game: Game, *, now: int, patience: Patience) -> tuple[Game, Verdict]:
    """Look at a game's deadline; a game that must wait has the time of the next look in its `due_at`."""
    if game.is_over or game.due_at is None or game.due_at > now:
        return game, Verdict.WAIT
    if game.is_challenge or game.is_against_computer:
        end = first_look(game, patience)
        if now < end:
            return replace(game, due_at=end), Verdict.WAIT
        return replace(game, termination=EXPIRED, offer=None), Verdict.END
    if game.reminded != game.ply:
        reminder = game.moved_at + patience.reminder
        if now < reminder:
            return replace(game, due_at=reminder), Verdict.WAIT
        # The time runs from the reminder where the bot was not there to give it when it was due.
        end = max(game.moved_at + patience.move, now + patience.move - patience.reminder)
        return replace(game, reminded=game.ply, due_at=end), Verdict.REMIND
    return replace(game, termination=TIMEOUT, winner=game.turn.other, offer=None), Verdict.END
