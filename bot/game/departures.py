"""When a player of a running game of two leaves the group where it is shown.

The board says so. A minute later the opponent may end the game, until the player comes back and moves.
"""

from typing import Final

from bot.game.actions import RUNNING, Action, Who, action
from bot.game.attempt import Attempt, NotAllowed, Refusal, State
from storage.games.game import Game, GameKind, Termination
from storage.games.record import Decision, Record
from storage.results.result import LEAST_PLIES_RATED

LEFT_SECONDS: Final = 60


def note_left(record: Record, *, person: int, chat_id: int, now: int) -> Decision[None]:
    """Note that a player has left the group of their game.

    Its deadline is looked at after a minute, unless it is anyway; then the opponent need not wait.
    """
    game = record.game
    mark = game.mark_of(person)
    is_theirs = game.kind is GameKind.PAIR and game.chat_id == chat_id and mark is not None
    if not is_theirs or game.is_over or game.left is not None:
        return Decision(game, None)
    gone, soon = game._replace(left=mark), now + LEFT_SECONDS
    if game.due_at is not None and game.due_at > soon:
        gone = gone._replace(due_at=soon, due_then=game.due_at)
    return Decision(gone, None)


def with_claim_open(game: Game, now: int) -> Game:
    """The game once the minute is over; its deadline is as it was."""
    return game._replace(due_at=game.due_then if game.reminded == game.ply else now, due_then=None)


def may_claim_win(game: Game) -> bool:
    """Whether the opponent of somebody who has left may end a game."""
    return game.left is not None and game.due_then is None and not game.is_over


def is_hardly_begun(game: Game) -> bool:
    """Whether a game is closed rather than won if somebody leaves: not both have moved twice."""
    return game.ply < LEAST_PLIES_RATED


@action("claim", Who.PLAYERS, {**RUNNING, State.THINKING: Refusal.STALE}, "claim")
class ClaimWin(Action):
    """Ends a game whose other player has left: they resign it, or it is closed if it has hardly begun."""

    def apply(self, game: Game, attempt: Attempt) -> Game:
        mark = game.mark_of(attempt.who.id)
        if mark is None or not may_claim_win(game) or game.left is mark:
            raise NotAllowed(Refusal.STALE)
        ended = game.with_nothing_asked()
        if is_hardly_begun(game):
            return ended._replace(termination=Termination.EXPIRED)
        return ended._replace(termination=Termination.RESIGNATION, winner=mark)
