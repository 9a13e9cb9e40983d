"""When a player of a running game of two, or a challenger, leaves the group where it is shown, or is removed.

The board says so. A minute later the opponent may end the game, until the player is back; in that minute the clock
stands still, so that nobody loses by it who is back, or waits for it. Leaving resigns it;
somebody who was removed has resigned nothing, or whoever owns a group would win there as they like. A cup goes on
without whoever leaves, so its game ends immediately; so does an open challenge.
"""

from typing import Any, Final

from bot.game.actions import RUNNING, Action, Who
from bot.game.attempt import Attempt, NotAllowed, Refusal, State
from bot.game.deadlines import runs_since
from engine import Mark
from storage.games.game import Game, GameKind, Limits, Termination
from storage.games.record import Decision, Record
from storage.results.result import LEAST_PLIES, may_be_rated

LEFT_SECONDS: Final = 60

NOBODY_LEFT: Final[dict[str, Any]] = {"left": None, "removed": False, "due_then": None}
"""What changes in a game when whoever had left is there again."""


def note_left(record: Record, *, person: int, chat_id: int, now: int, removed: bool) -> Decision:
    """Note that a player has left the group of their game, or was `removed`; once both have, the game is closed.

    An open challenge is closed immediately.
    Its deadline is looked at after a minute.
    """
    game = record.game
    mark = game.mark_of(person)
    if mark is not None and game.is_challenge and game.chat_id == chat_id and not game.is_over:
        return Decision(game._replace(left=mark, removed=removed, termination=Termination.EXPIRED))
    if mark is None or not _is_played_in(game, chat_id) or game.left is mark:
        return Decision(game)
    if game.left is not None:
        return Decision(game.ended(Termination.EXPIRED))
    gone = game._replace(left=mark, removed=removed)
    if game.time_limits is Limits.CUP:
        return Decision(given_up(gone))
    if game.due_at is not None:
        gone = gone._replace(due_at=now + LEFT_SECONDS, due_then=game.due_at)
    return Decision(gone)


def note_back(record: Record, *, person: int, chat_id: int, now: int) -> Decision:
    """Note that a player is in the group of their game again."""
    game = record.game
    if game.left is None or game.mark_of(person) is not game.left or not _is_played_in(game, chat_id):
        return Decision(game)
    return Decision(with_claim_open(record, now)._replace(**NOBODY_LEFT))


def resigned(record: Record, *, mark: Mark) -> Decision:
    """A running game of a cup that a player has left: they lose it."""
    game = record.game
    return Decision(game if game.is_over else game.ended(Termination.RESIGNATION, mark.other))


def _is_played_in(game: Game, chat_id: int) -> bool:
    """Whether it is a running game of two in that group."""
    return game.kind is GameKind.PAIR and game.chat_id == chat_id and not game.is_over


def with_claim_open(record: Record, now: int) -> Game:
    """The game once the minute is over: its clock goes on, after what of the minute the person to move had it run.

    Nobody gets more than a minute for a move by leaving again and again.
    """
    game, begun = record.game, runs_since(record)
    if game.due_then is None or game.due_at is None:
        return game
    stood = 0 if begun is None else now - max(begun + game.spent_now, game.due_at - LEFT_SECONDS)
    most = LEFT_SECONDS + (min(0, game.spent_now) if game.left is game.turn else 0)
    stood = max(0, min(stood, most))
    spent = [*game.spent.split()[: game.ply], str(game.spent_now - stood)]
    return game._replace(due_at=game.due_then + stood, due_then=None, spent=" ".join(spent))


def may_claim_win(game: Game) -> bool:
    """Whether the opponent of somebody who has left may end a game."""
    return game.left is not None and game.due_then is None and not game.is_over


def given_up(game: Game) -> Game:
    """A game that somebody has left, ended.

    They resign it if both have moved twice or it was lost anyway; else, or if they were removed, it is closed.
    """
    if game.left is not None and not game.removed and game.ply >= LEAST_PLIES:
        resigned = game.ended(Termination.RESIGNATION, game.left.other)
        if may_be_rated(resigned):
            return resigned
    return game.ended(Termination.EXPIRED)


class ClaimWin(
    Action, word="claim", who=Who.PLAYERS, refused={**RUNNING, State.THINKING: Refusal.STALE}, typed="claim"
):
    """Ends a game whose other player has left (`given_up`)."""

    def apply(self, game: Game, attempt: Attempt) -> Game:
        mark = game.mark_of(attempt.who.id)
        if mark is None or not may_claim_win(game) or game.left is mark:
            raise NotAllowed(Refusal.STALE)
        return given_up(game)
