"""Exhibitions, in which the computer plays itself for people to watch: their moves, their pace, their end.

*Play the winner* is here, too.

The pace is stored as the time from the last move to `due_at`. The process that made the last move makes the next
one by a timer, and any other somewhat later, in case that process is gone.
"""

from random import Random
from typing import Final

from bot.game.actions import ENDED, PLAYED_OUT, WATCHED, Action, Begun, Needs, Refusals, Who
from bot.game.attempt import Attempt, NotAllowed, Refusal, State, Thought, next_thought
from bot.game.deadlines import timed
from bot.game.new_game import against_computer, between_the_same, cancelled
from bot.game.play import begun
from engine import choose
from storage.games.game import COMPUTER, Game, GameKind, Side, replay, rules_of, termination_of

MOST_EXHIBITIONS: Final = 50
"""The most exhibitions running at once, in all chats together."""

TEMPOS: Final = (0.5, 1.0, 2.0)
"""Seconds from move to move, fastest first."""
SLOWEST: Final = len(TEMPOS) - 1

LATE_SECONDS: Final = 2
"""Once a move is so late, any process may make it."""


COMPUTERS_TURN: Final[Refusals] = {
    **dict.fromkeys((State.OPEN, State.WAITING, State.RUNNING, State.AGREEMENT_ASKED), Refusal.STALE),
    **ENDED,
}
JUST_OVER: Final[Refusals] = {**PLAYED_OUT, State.REMATCH_ASKED: Refusal.STALE}


def exhibition(attempt: Attempt, x_level: str, o_level: str, *, rules: str) -> Game:
    """A new exhibition, whose host is the person who asks for it; each side is named by a level or a strategy."""
    game = against_computer(attempt, first=True, level=o_level, rules=rules)._replace(
        kind=GameKind.EXHIBITION, host=attempt.who.id, x=Side(COMPUTER, x_level)
    )
    return _due(game, attempt.now, SLOWEST)


def tempo_of(game: Game) -> float:
    """Seconds from move to move."""
    return TEMPOS[_step_of(game)]


def next_move(game: Game, rng: Random) -> int:
    """The computer's next move, where it needs no search."""
    return choose(game.side(game.turn).level or "", replay(game.rules, game.moves), rng)


class ComputerMove(Action, who=Who.NOBODY, refused=COMPUTERS_TURN):
    """Makes the computer's move, where it isn't part of the person's own step."""

    cell: int
    thought: Thought
    """What the search was about; the cell counts for nothing else."""

    def apply(self, game: Game, attempt: Attempt) -> Game:
        if self.thought != next_thought(game):
            raise NotAllowed(Refusal.STALE)
        moves = game.moves + rules_of(game.rules).move_text(self.cell)
        outcome = replay(game.rules, moves).outcome
        played = game._replace(moves=moves)
        if outcome is not None:
            played = played._replace(termination=termination_of(outcome), winner=outcome.winner)
        if game.is_exhibition:
            return _due(played, attempt.now, _step_of(game))
        played = timed(played, attempt.now, attempt.limits)
        return played if outcome is None else played.with_nothing_asked()


class Stop(Action, word="stop", who=Who.EVERYBODY, refused=WATCHED, typed="stop", needs=Needs.ADMIN, as_chat=True):
    """Ends an exhibition; the person who started it and administrators of the chat may."""

    def apply(self, game: Game, attempt: Attempt) -> Game:
        is_own = attempt.who.id == game.host
        return cancelled(game, attempt, is_own=is_own, refusal=Refusal.NOT_YOURS_TO_STOP)


class GoFaster(Action, word="faster", who=Who.EVERYBODY, refused=WATCHED, typed="faster"):
    """Speeds an exhibition up, where Telegram allows it: not in a group."""

    def apply(self, game: Game, _: Attempt) -> Game:
        if not has_paces(game):
            raise NotAllowed(Refusal.GROUPS_ARE_SLOW)
        step = _step_of(game)
        if step == 0:
            raise NotAllowed(Refusal.FASTEST)
        return _due(game, game.moved_at, step - 1)


def has_paces(game: Game) -> bool:
    """Whether an exhibition's pace can be chosen: not in a group, where Telegram takes too few edits."""
    return game.chat_id is not None and game.chat_id > 0


class WatchAgain(Action, word="watch", who=Who.EVERYBODY, refused=JUST_OVER, typed="again rematch"):
    """Starts an exhibition once more, at the same levels."""

    def apply(self, game: Game, attempt: Attempt) -> Begun:
        if not game.is_exhibition:
            raise NotAllowed(Refusal.STALE)
        following = _due(between_the_same(game, attempt)._replace(host=attempt.who.id), attempt.now, SLOWEST)
        return Begun(game.with_nothing_asked(), following)


class PlayWinner(Action, word="winner", who=Who.EVERYBODY, refused=JUST_OVER, typed="play_winner"):
    """Starts a game against the side that won; the person who asks gets the other mark."""

    def apply(self, game: Game, attempt: Attempt) -> Begun:
        if game.winner is None or not game.is_exhibition:
            raise NotAllowed(Refusal.STALE)
        solo = between_the_same(game, attempt)._replace(kind=GameKind.SOLO, host=None)
        following = begun(solo.with_side(game.winner.other, seat=attempt.who.id, level=None), attempt)
        return Begun(game.with_nothing_asked(), following)


def is_watched(game: Game) -> bool:
    """Whether a game is a running exhibition."""
    return game.is_exhibition and not game.is_over


def _due(game: Game, moved_at: int, step: int) -> Game:
    return game._replace(moved_at=moved_at, due_at=moved_at + step + LATE_SECONDS)


def _step_of(game: Game) -> int:
    """The index of the game's pace; a game that was put off goes at the slowest."""
    return max(0, min(SLOWEST, (game.due_at or 0) - game.moved_at - LATE_SECONDS))
