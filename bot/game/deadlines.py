"""Decides when a game in which nobody moves ends: the one place for deadlines. The clock is passed in.

A deadline is not moved with every move, which would cost a tap an index. `due_at` says when to look; whoever looks
finds the true deadline from the last move, and looks again then.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.game.states import thought_of
from bot.game.time_limits import CALLED_SECONDS, MOVE_SECONDS
from storage.games.game import Game, Termination
from storage.games.notice import Kind, Notice

if TYPE_CHECKING:
    from bot.game.attempt import Attempt
    from bot.game.time_limits import TimeLimits
    from storage.games.record import Record


BEGUN: Final = 2
"""From this ply on both have moved: between two who met in the queue, both have come."""

THINKING_SECONDS: Final = 10
"""After so long a game that waits for the computer is taken up by whoever looks at the clock first."""


class Due(Enum):
    """What is due in a game."""

    REMINDER = "reminder"
    END = "end"
    ANSWER = "answer"
    """The computer's move."""


class Look(NamedTuple):
    """What a look at a deadline has found: what is due, or when to look again."""

    due: Due | None
    again_at: int | None = None


def timed(game: Game, now: int, limits: TimeLimits) -> Game:
    """A game whose time begins to run now, as it is made or as its seats are taken."""
    begun = game._replace(moved_at=now, reminded=None)
    return begun._replace(due_at=_first_look(begun, limits_of(game, limits)))


def clock_of(game: Game) -> int | None:
    """The seconds that a move may take by the clock of two people; None where the host's limits hold."""
    if game.is_between_strangers:
        return MOVE_SECONDS if game.ply >= BEGUN else None
    return None if game.is_challenge or game.is_against_computer else game.clock


def since(record: Record) -> int | None:
    """Since when the time of the person to move runs; None while the position waits to be shown to them.

    With a clock that is when Telegram showed the last move; a board that cannot be reached holds no clock up.
    """
    game = record.game
    if clock_of(game) is None:
        return game.moved_at
    theirs = [board for board in record.boards if board.viewer in (None, game.seat(game.turn))]
    shown = [board.shown_at for board in theirs if board.shown_at is not None]
    if not shown and any(board.is_lagging and not board.is_unreachable for board in theirs):
        return None
    return max(game.moved_at, min(shown, default=0))


def look(record: Record, now: int, limits: TimeLimits) -> Look:
    """Look at the deadline of a game that goes on."""
    game = record.game
    if game.is_over or game.due_at is None or game.due_at > now:
        return Look(None, game.due_at)
    limits = limits_of(game, limits)
    if game.is_exhibition:
        return Look(None, game.due_at)  # the computer's next move, not a deadline
    if game.is_challenge or game.is_against_computer:
        end = _first_look(game, limits)
        if now < end:
            return Look(None, end) if thought_of(game) is None else Look(Due.ANSWER)
        return Look(Due.END)
    if game.reminded == game.ply:
        return Look(Due.END)
    if (begun := since(record)) is None:
        return Look(None, now + 1)
    return Look(Due.REMINDER) if now >= begun + limits.reminder else Look(None, begun + limits.reminder)


def remind(game: Game, attempt: Attempt) -> Game:
    """Note that the person to move is reminded.

    The time runs from the reminder where the bot was not there to give it when it was due.
    """
    limits = limits_of(game, attempt.limits)
    end = max(game.moved_at + limits.move, attempt.now + limits.move - limits.reminder)
    return game._replace(reminded=game.ply, due_at=end)


def reminders(record: Record) -> tuple[Notice, ...]:
    """What the person to move is told, where they play; inline messages and quick games show it in themselves."""
    game = record.game
    if (clock_of(game) or CALLED_SECONDS) < CALLED_SECONDS:
        return ()
    here = [board for board in record.boards if board.chat_id is not None and not board.leaving]
    own = [board for board in here if board.viewer == game.seat(game.turn)] or here[:1]
    return tuple(
        Notice(0, Kind.REMINDER, game.id, game.ply, board.chat_id, board.thread_id, board.language, 0)
        for board in own[:1]
        if board.chat_id is not None
    )


def expire(game: Game) -> Game:
    """Close what nobody took up or goes on with; between two people, the one to move has lost."""
    lost_by_nobody = game.is_challenge or game.is_against_computer or game.is_exhibition
    if lost_by_nobody or (game.is_between_strangers and game.ply < BEGUN) or _has_only_offered(game):
        return game.with_nothing_asked()._replace(termination=Termination.EXPIRED)
    return game.with_nothing_asked()._replace(termination=Termination.TIMEOUT, winner=game.turn.other)


def _has_only_offered(game: Game) -> bool:
    """Whether the person to move has made an offer in inline mode, and no move since.

    They may not know of the game: without news of their choice, an offer begins in whichever message it is tapped.
    """
    return game.inline_person is not None and game.ply < BEGUN and game.inline_person == game.seat(game.turn)


def limits_of(game: Game, limits: TimeLimits) -> TimeLimits:
    """The limits of a game: by its clock, or less for two who met in the queue, least of all to come."""
    if (clock := clock_of(game)) is not None and not game.is_between_strangers:
        return replace(limits, move=clock)
    return limits.of_strangers(begun=game.ply >= BEGUN) if game.is_between_strangers else limits


def _first_look(game: Game, limits: TimeLimits) -> int:
    """When the deadline has to be looked at first after the last move."""
    if game.is_challenge:
        return game.moved_at + limits.challenge
    return game.moved_at + (limits.computer if game.is_against_computer else limits.reminder)
