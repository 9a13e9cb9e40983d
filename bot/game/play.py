"""Moves, the computer's answers, and what can be chosen before the first move.

If the computer needs no search, it answers in the same step. Otherwise the game waits for it (`State.THINKING`),
and its answer is a step of its own (`bot.game.exhibitions.ComputerMove`).
"""

from functools import lru_cache
from typing import Any, Final
from zlib import crc32

from bot.game.actions import BEFORE_MOVES, ENDED, RUNNING, Action, Needs, Who
from bot.game.attempt import Attempt, NotAllowed, Refusal, State, thought_of
from bot.game.choices import Difficulty, Flag, Offered, Small
from bot.game.deadlines import THINKING_SECONDS, timed
from bot.game.departures import NOBODY_LEFT
from engine import IllegalMove, Level, Mark, Position, candidates
from engine.levels import needs_no_search, plays
from engine.rules.base import open_regions
from storage.games.game import COMPUTER, QUESTION, Game, Limits, replay, rules_of, termination_of

EDITIONS: Final = 1000
"""How many boards there may be to choose from before the first move."""

NOTHING_ASKED: Final = dict.fromkeys(QUESTION)
"""Does what `Game.with_nothing_asked` does, as part of a larger change."""
CAME_BACK: Final = {**NOTHING_ASKED, **NOBODY_LEFT}
"""The same, by a player who had left."""


class Move(Action, word="m", who=Who.PLAYERS, refused=RUNNING):
    """Plays a cell for a person, and the computer's answer to it."""

    ply: Small
    cell: Small

    def apply(self, game: Game, attempt: Attempt) -> Game:
        turn = game.turn
        if game.mark_of(attempt.who.id) is not turn:
            raise NotAllowed(Refusal.NOT_YOUR_TURN)
        rules = rules_of(game.rules)
        if self.cell >= rules.cells:
            raise NotAllowed(Refusal.STALE)
        if game.position.mark_at(self.cell) is not None:
            raise NotAllowed(Refusal.TAKEN)
        text = rules.move_text(self.cell)
        try:
            changes = NOTHING_ASKED if game.left is not turn else CAME_BACK
            return _played(game, text, attempt, **changes, moved_at=attempt.now)
        except IllegalMove:
            one = len(open_regions(game.position)) == 1
            raise NotAllowed(Refusal.ELSEWHERE if one else Refusal.BOARD_FINISHED) from None


class SetLevel(Action, word="level", who=Who.PLAYERS, refused=BEFORE_MOVES, needs=Needs.LEVEL):
    """Chooses the difficulty of a game in which the person has not moved yet: a level, or adaptive."""

    level: Difficulty

    def apply(self, game: Game, attempt: Attempt) -> Game:
        must_be_fresh(game)
        adaptive = self.level not in tuple(Level)
        level = attempt.facts.level if adaptive else self.level
        if level == game.level and (game.next_level is not None) == adaptive:
            return game
        changed = with_level(back_to(game, 0)._replace(next_level=level if adaptive else None), level)
        return let_computer_move(changed, attempt)


def with_level(game: Game, level: str) -> Game:
    """The game with the computer at a level; an adaptive game keeps it for the next one, too."""
    mark = Mark.X if game.x.seat == COMPUTER else Mark.O
    return game.with_side(mark, seat=COMPUTER, level=level)._replace(next_level=game.next_level and level)


class SetFirst(Action, word="first", who=Who.PLAYERS, refused=BEFORE_MOVES):
    """Chooses who moves first in a game in which the person has not moved yet."""

    is_person: Flag

    def apply(self, game: Game, attempt: Attempt) -> Game:
        must_be_fresh(game)
        if (game.mark_of(attempt.who.id) is Mark.X) == self.is_person:
            return game
        return let_computer_move(with_sides_swapped(back_to(game, 0)), attempt)


class SetRules(
    Action, word="rules", who=Who.PLAYERS, refused={State.WATCHED: Refusal.BEGUN, **ENDED}, needs=Needs.BOARD
):
    """Chooses another board: in an open challenge, while waiting, or before one's first move against OXO."""

    rules: Offered

    def apply(self, game: Game, attempt: Attempt) -> Game:
        if not game.is_challenge:
            must_be_fresh(game)
        if self.rules == game.rules and not game.any_rules:
            return game
        changed = back_to(game, 0)._replace(rules=self.rules)
        if game.is_wait:
            return begun(changed._replace(any_rules=False, told=attempt.facts.typical_wait), attempt)
        if game.level is not None:
            # A game from an exhibition may have a strategy that knows one board only.
            level = game.level if plays(game.level, rules_of(self.rules)) else Level.MEDIUM
            changed = with_level(changed, attempt.facts.level if game.next_level else level)
        return let_computer_move(changed, attempt)


def is_fresh(game: Game) -> bool:
    """Whether the game is against the computer and the person hasn't moved yet; never one from some position on.

    Whoever tries a shared game plays it as it was: the side, the board and the level aren't theirs to choose.
    """
    return (
        game.time_limits is not Limits.PRACTICE
        and len(game.moves) < (1 if game.o.seat == COMPUTER else 2)
        and game.is_against_computer
        and not game.takebacks
        and not game.is_over
    )


def must_be_fresh(game: Game) -> None:
    """Refuse to change what can only be chosen before the person's first move."""
    if not is_fresh(game):
        raise NotAllowed(Refusal.BEGUN)


def edition_of(game: Game) -> int:
    """Tells apart the positions that a game has had at one ply: the same ply comes again after a takeback.

    So does ply 0 when another board is chosen before the first move.
    """
    chosen = crc32(game.rules.encode()) % EDITIONS if game.version > 1 and is_fresh(game) else 0
    return game.takebacks * EDITIONS + chosen


def begun(game: Game, attempt: Attempt) -> Game:
    """A game that was made, or whose seats were taken: its time starts now, and the computer moves if it is to."""
    return let_computer_move(timed(game, attempt.now, attempt.limits), attempt)


def let_computer_move(game: Game, attempt: Attempt) -> Game:
    """If it is the computer's turn, play its move or let the game wait for it."""
    return game if thought_of(game) is None else _played(game, "", attempt)


def back_to(game: Game, ply: int) -> Game:
    """The game after its first moves only, with nothing asked."""
    return game.with_nothing_asked()._replace(moves=game.moves[:ply])


def last_ply_of(game: Game, mark: Mark) -> int | None:
    """The ply of a side's last move, from 0; None if it hasn't moved."""
    own = 0 if mark is Mark.X else 1
    ply = game.ply - 1 - (game.ply - 1 - own) % 2
    return ply if ply >= 0 else None


def with_sides_swapped(game: Game) -> Game:
    """The game with X and O swapped; for games that haven't begun, as questions stay with their marks."""
    return game._replace(x=game.o, o=game.x)


def _played(game: Game, own: str, attempt: Attempt, **changes: Any) -> Game:  # noqa: ANN401 - a game's fields
    """The game after a person's move (one character, or none), the computer's answer, and the end if that is it.

    If the answer takes a search, the clock sees to it. It is all one step because copying a game of so many fields
    is most of a move's cost.
    """
    moves = game.moves + own
    position = replay(game.rules, moves)
    turn = Mark.O if len(moves) % 2 else Mark.X
    if position.outcome is None and game.seat(turn) == COMPUTER:
        cells = _candidates(game.side(turn).level or Level.MEDIUM, position)
        if cells:
            cell = cells[0] if len(cells) == 1 else cells[int(attempt.rng.random() * len(cells))]
            moves += rules_of(game.rules).move_text(cell)
            position = replay(game.rules, moves)
        else:
            changes["due_at"] = attempt.now + THINKING_SECONDS
    if position.outcome is not None:
        changes |= {"termination": termination_of(position.outcome), "winner": position.outcome.winner}
    return game._replace(moves=moves, **changes)


@lru_cache(maxsize=4096)
def _candidates(level: str, position: Position) -> tuple[int, ...]:
    """The cells that a level or a strategy may choose; none if finding them may take a while.

    Cached, because looking two plies ahead costs more than all the rest.
    """
    return candidates(level, position) if needs_no_search(level, position.rules) else ()
