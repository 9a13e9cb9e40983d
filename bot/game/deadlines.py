"""Decides when somebody is reminded, and when a game without moves ends. The time is passed in.

A move doesn't put the deadline off, as that would cost every tap an index. `due_at` only says when to look; the
look computes the true deadline from the last move and, if it is later, sets the time of the next look.
"""

from dataclasses import replace
from enum import Enum
from typing import Final, NamedTuple

from bot.game.actions import AWAITED, ENDED, Action, Needs, Refusals, Who
from bot.game.attempt import (
    CALLED_SECONDS,
    FIRST_MOVE_SECONDS,
    MOVE_SECONDS,
    Attempt,
    NotAllowed,
    Player,
    Refusal,
    State,
    TimeLimits,
    state_of,
    thought_of,
)
from bot.game.choices import Small
from storage.columns import DAY
from storage.games.game import Game, GameKind, Limits, Termination
from storage.games.record import Board, Record

BOTH_MOVED: Final = 2
"""From this ply on both have moved, so both of two people paired by matchmaking have turned up."""

CUP_SECONDS: Final = 5 * 60
"""For each player's first move in a game of a cup."""

THINKING_SECONDS: Final = 10
"""After so many seconds any process may take up a game that waits for the computer."""


MOST_SPENT: Final = 999_999
"""The most seconds that are noted for a ply."""


GROUP_LOOK_SECONDS: Final = 60
"""How often to look whether a group takes boards again."""

GOOD_PART: Final = 4
"""A move begins again if nobody could be heard for this part of its time, or longer: a quarter."""

NUDGE_SECONDS: Final = 12 * 3600
"""How long somebody has had for a move when the opponent may nudge them."""

NO_PERSON: Final = Player(-1, "")
"""The person of an attempt that nobody makes, as time is up."""


class Due(Enum):
    """What is due in a game."""

    REMINDER = "reminder"
    END = "end"
    ANSWER = "answer"
    """The computer's move."""
    CLAIM_WIN = "claim"
    """The opponent of somebody who has left may end the game (`bot.game.departures`)."""


class Look(NamedTuple):
    """The result of a look at a deadline: what is due, or when to look again."""

    due: Due | None
    again_at: int | None = None


def timed(game: Game, now: int, limits: TimeLimits) -> Game:
    """The game with its time starting now, because it was made or its seats were taken."""
    begun = game._replace(moved_at=now, reminded=None)
    return begun._replace(due_at=_first_look(begun, limits_of(game, limits)) - begun.spent_now)


def is_awaited_in_cup(game: Game) -> bool:
    """Whether somebody in a cup is still to come to a game: to make their first move."""
    return game.time_limits is Limits.CUP and game.ply < BOTH_MOVED and not game.is_over


def clock_of(game: Game) -> int | None:
    """Seconds per move by the clock two people agreed on; None if the host's limits apply."""
    if game.is_between_strangers:
        return MOVE_SECONDS if game.ply >= BOTH_MOVED else None
    if is_awaited_in_cup(game):
        return max(CUP_SECONDS, game.clock or 0)
    return None if game.is_challenge or game.is_against_computer else game.clock


def runs_since(record: Record) -> int | None:
    """When the time of the person to move began to run; None while their board still waits to show the position.

    That is when Telegram showed the last move, or showed it again after the group's board was lost. After a
    takeback it is as much earlier as the move had taken.
    """
    game = record.game
    if is_unseen(record):
        return None
    shown = [board.shown_at for board in _theirs(record) if board.shown_at is not None]
    return max(game.moved_at, min(shown, default=0)) - game.spent_now


def is_unseen(record: Record) -> bool:
    """Whether no board shows the last move to the person to move, who then can't lose on time.

    Somebody who closes their own chat to the bot can; a group may have been closed by their opponent.
    """
    theirs = _theirs(record)
    waits = any(board.is_lagging and not (board.is_unreachable and board.viewer is not None) for board in theirs)
    return waits and all(board.shown_at is None for board in theirs)


def _theirs(record: Record) -> list[Board]:
    """The boards of the person to move."""
    viewers = (None, record.game.seat(record.game.turn))
    return [board for board in record.boards if board.viewer in viewers and not board.leaving]


def with_time_noted(record: Record, moved: Game, now: int, limits: TimeLimits) -> Game:
    """A game of two after a move, with the seconds that it took."""
    game, begun = record.game, runs_since(record)
    seconds = game.spent_now if begun is None else now - begun
    noted = game.spent.split()  # what comes after this ply is of a first move for which there is less time
    spent = [*noted[: game.ply], str(max(0, min(seconds, MOST_SPENT))), *noted[game.ply + 1 :]]
    return _looked_at_in_time(moved._replace(spent=" ".join(spent)), limits)


def taken_back(game: Game, now: int, limits: TimeLimits) -> Game:
    """A game of two whose last moves were just taken back: as much time is left as at the first of them."""
    back = game._replace(moved_at=now, reminded=None, spent=" ".join(game.spent.split()[: game.ply + 1]))
    return _looked_at_in_time(back, limits)


def look(record: Record, now: int, limits: TimeLimits) -> Look:
    """Look at the deadline of a running game."""
    game = record.game
    if game.is_over or game.due_at is None or game.due_at > now:
        return Look(None, game.due_at)
    if game.due_then is not None:
        return Look(Due.CLAIM_WIN)
    most_unseen, limits = limits.move, limits_of(game, limits)
    if game.is_exhibition:
        return Look(None, game.due_at)  # the computer's next move, not a deadline
    if game.is_challenge or game.is_against_computer:
        end = _first_look(game, limits)
        if now < end:
            return Look(None, end) if thought_of(game) is None else Look(Due.ANSWER)
        return Look(Due.REMINDER if game.is_wait and game.reminded is None else Due.END)
    if (begun := runs_since(record)) is None:
        is_lost = any(board.is_unreachable for board in record.boards)
        is_long = now >= game.moved_at + limits.move + most_unseen
        # However soon the board is shown again, its reminder isn't late.
        soon = max(1, min(GROUP_LOOK_SECONDS, limits.reminder - game.spent_now)) if is_lost else 1
        return Look(Due.END) if is_long else Look(None, now + soon)
    if game.reminded == game.ply:
        return Look(Due.END)
    return Look(Due.REMINDER) if now >= begun + limits.reminder else Look(None, begun + limits.reminder)


REMINDABLE: Final[Refusals] = {
    **dict.fromkeys((State.OPEN, State.THINKING, State.WATCHED), Refusal.STALE),
    **ENDED,
}


class Remind(Action, who=Who.NOBODY, refused=REMINDABLE):
    """Notes that the person to move was reminded, or that somebody who waits was asked whether they are there.

    If the bot was down when the reminder was due, the time runs from now, so that nobody loses unreminded.
    """

    def apply(self, game: Game, attempt: Attempt) -> Game:
        limits = limits_of(game, attempt.limits)
        in_time = max(0, min(limits.move - limits.reminder, limits.move - game.spent_now))
        left = limits.answered if game.is_wait else in_time
        return game._replace(reminded=game.ply, due_at=attempt.now + left)


class BeginAgain(Action, who=Who.NOBODY, refused=REMINDABLE):
    """Gives the person to move, or who waits for an opponent, all of their time, after nobody could be heard."""

    def apply(self, game: Game, attempt: Attempt) -> Game:
        begun = game._replace(spent=" ".join(game.spent.split()[: game.ply]))
        return taken_back(begun, attempt.now, attempt.limits)


class Nudge(Action, word="nudge", who=Who.PLAYERS, refused=AWAITED, typed="nudge", needs=Needs.OPPONENT):
    """Calls the opponent, who has had the move for long, as a reminder does: once a day in a game."""

    ply: Small

    def apply(self, game: Game, attempt: Attempt) -> Game:
        if (why := _why_no_nudge(game, attempt)) is not None:
            raise NotAllowed(why)
        return game._replace(nudged_at=attempt.now, hushed=attempt.facts.is_blocked)


def may_nudge(game: Game, attempt: Attempt) -> bool:
    """Whether somebody may nudge their opponent in a game."""
    return state_of(game) not in AWAITED and _why_no_nudge(game, attempt) is None


def _why_no_nudge(game: Game, attempt: Attempt) -> Refusal | None:
    if game.mark_of(attempt.who.id) is not game.turn.other:
        return Refusal.YOUR_TURN
    if attempt.now - game.moved_at < NUDGE_SECONDS:
        return Refusal.NUDGED_SOON
    if game.nudged_at is not None and attempt.now - game.nudged_at < DAY:
        return Refusal.NUDGED
    return None


def is_nudged(game: Game) -> bool:
    """Whether the person to move was nudged, since when nobody has moved."""
    return game.nudged_at is not None and game.nudged_at > game.moved_at and not game.is_over


def is_cut_short(game: Game, seconds: int, limits: TimeLimits) -> bool:
    """Whether a good part of the time for a move is gone if nobody could be heard for so many seconds."""
    limits = limits_of(game, limits)
    if game.is_wait:
        return seconds * GOOD_PART >= limits.answered
    return game.kind is GameKind.PAIR and seconds * GOOD_PART >= limits.move


def is_called_again(before: Game, game: Game) -> bool:
    """Whether a change of a game calls the person to move again: to remind them, or as their time begins again.

    So does a nudge, unless they have blocked the person who nudges them.

    With a short clock, their board says that time is running out, and nothing more.
    """
    if before.kind is not GameKind.PAIR or game.is_over or game.ply != before.ply:
        return False
    is_reminded = before.reminded != game.reminded == game.ply
    calls = is_reminded and (clock_of(game) or CALLED_SECONDS) >= CALLED_SECONDS
    calls = calls or (before.nudged_at != game.nudged_at and not game.hushed)
    return calls or game.moved_at != before.moved_at


class Expire(Action, who=Who.NOBODY, refused=ENDED):
    """Ends a challenge or a game whose time is up; between two people, the one to move loses.

    Nobody loses on time to an opponent who has left the group, after being removed from it, or by a move that they
    haven't seen. Nor does somebody who sent an inline offer and hasn't moved since: they may not know of the game,
    as an offer starts without inline feedback in whichever message it is tapped first.
    """

    unseen: bool = False

    def apply(self, game: Game, _: Attempt) -> Game:
        may_be_unaware = game.is_between_strangers or game.inline_person == game.seat(game.turn)
        if (
            game.kind is not GameKind.PAIR
            or self.unseen
            or game.left is game.turn.other
            or game.removed
            or (game.ply < BOTH_MOVED and may_be_unaware)
        ):
            return game.ended(Termination.EXPIRED)
        return game.ended(Termination.TIMEOUT, game.turn.other)


def limits_of(game: Game, limits: TimeLimits) -> TimeLimits:
    """The time limits of a game: its clock, short ones after matchmaking, else the host's."""
    clock = clock_of(game)
    if game.is_between_strangers:
        return replace(limits, move=min(limits.move, clock or FIRST_MOVE_SECONDS))
    return limits if clock is None else replace(limits, move=clock)


def _looked_at_in_time(game: Game, limits: TimeLimits) -> Game:
    """The game, looked at in time even if the move before had more of it, as the first ones of a cup have."""
    first = _first_look(game, limits_of(game, limits)) - game.spent_now
    if game.due_then is not None:
        return game._replace(due_then=min(game.due_then, first))
    return game._replace(due_at=first if game.due_at is None else min(game.due_at, first))


def _first_look(game: Game, limits: TimeLimits) -> int:
    if game.is_challenge:
        return game.moved_at + (limits.asked if game.is_wait else limits.challenge)
    return game.moved_at + (limits.computer if game.is_against_computer else limits.reminder)
