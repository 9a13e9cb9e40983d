"""Moves, the computer's answers, and what can be chosen before the first move.

If the computer needs no search, it answers in the same step. Otherwise the game waits for it (`State.THINKING`),
and `answer` is a step of its own.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any, Final
from zlib import crc32

from bot.game.attempt import Attempt, Question, Refusal, asking, is_asked_to_resign, question_of
from bot.game.deadlines import THINKING_SECONDS, taken_back, timed
from engine import IllegalMove, Level, Mark, candidates, needs_no_search, plays
from engine.rules.base import open_regions
from storage.games.game import ASKED, COMPUTER, Game, Offer, Termination, replay, rules_of, termination_of

EDITIONS: Final = 1000
"""How many boards there may be to choose from before the first move."""

NOTHING_ASKED: Final = dict.fromkeys(ASKED)
"""Does what `Game.with_nothing_asked` does, as part of a larger change."""


def move(game: Game, cell: int, attempt: Attempt) -> Game | Refusal:
    """Play a cell for a person, and the computer's answer to it."""
    if game.mark_of(attempt.who.id) is not game.turn:
        return Refusal.NOT_YOUR_TURN
    rules = rules_of(game.rules)
    if cell >= rules.cells:
        return Refusal.STALE
    if game.position.mark_at(cell) is not None:
        return Refusal.TAKEN
    text = rules.move_text(cell)
    try:
        return _played(game, text, attempt.rng, attempt.now, **NOTHING_ASKED, moved_at=attempt.now)
    except IllegalMove:
        return Refusal.ELSEWHERE if len(open_regions(game.position)) == 1 else Refusal.BOARD_FINISHED


def answer(game: Game, cell: int, attempt: Attempt) -> Game:
    """Play the cell that the computer's search has found."""
    moves = game.moves + rules_of(game.rules).move_text(cell)
    played = timed(game._replace(moves=moves), attempt.now, attempt.limits)
    outcome = played.position.outcome
    if outcome is None:
        return played
    return played.with_nothing_asked()._replace(termination=termination_of(outcome), winner=outcome.winner)


def set_level(game: Game, chosen: str, attempt: Attempt) -> Game | Refusal:
    """Change the difficulty of a game in which the person has not moved yet: a level, or adaptive."""
    if not is_fresh(game):
        return Refusal.BEGUN
    adaptive = chosen not in tuple(Level)
    level = attempt.facts.level if adaptive else chosen
    if level == game.level and (game.next_level is not None) == adaptive:
        return game
    changed = with_level(back_to(game, 0)._replace(next_level=level if adaptive else None), level)
    return let_computer_move(changed, attempt.rng, attempt.now)


def with_level(game: Game, level: str) -> Game:
    """The game with the computer at a level; an adaptive game keeps it for the next one, too."""
    next_level = game.next_level and level
    if game.x_seat == COMPUTER:
        return game._replace(x_level=level, next_level=next_level)
    return game._replace(o_level=level, next_level=next_level)


def set_first(game: Game, attempt: Attempt, *, is_person: bool) -> Game | Refusal:
    """Change who moves first in a game in which the person has not moved yet."""
    if not is_fresh(game):
        return Refusal.BEGUN
    if (game.mark_of(attempt.who.id) is Mark.X) == is_person:
        return game
    return let_computer_move(with_sides_swapped(back_to(game, 0)), attempt.rng, attempt.now)


def set_rules(game: Game, rules: str, attempt: Attempt) -> Game | Refusal:
    """Choose another board, in one's own open challenge or before one's first move against the computer."""
    if not game.is_challenge and not is_fresh(game):
        return Refusal.BEGUN
    if rules == game.rules:
        return game
    changed = back_to(game, 0)._replace(rules=rules)
    if game.level is not None:
        # A game from an exhibition may have a strategy that knows one board only.
        level = attempt.facts.level if game.next_level else _level_for(game.level, rules)
        changed = with_level(changed, level)
    return let_computer_move(changed, attempt.rng, attempt.now)


def _level_for(level: str, rules: str) -> str:
    """The computer's level by these rules: the same as before, or the usual one if it can't play them."""
    return level if plays(level, rules_of(rules)) else Level.MEDIUM


def is_fresh(game: Game) -> bool:
    """Whether the game is against the computer and the person hasn't moved yet."""
    return (
        not game.is_over
        and not game.takebacks
        and game.is_against_computer
        and game.ply < (1 if game.o_seat == COMPUTER else 2)
    )


def edition_of(game: Game) -> int:
    """Tells apart the positions that a game has had at one ply: the same ply comes again after a takeback.

    So does ply 0 when another board is chosen before the first move.
    """
    chosen = crc32(game.rules.encode()) % EDITIONS if game.version > 1 and is_fresh(game) else 0
    return game.takebacks * EDITIONS + chosen


def let_computer_move(game: Game, rng: Random, now: int) -> Game:
    """If it is the computer's turn, play its move or let the game wait for it."""
    if game.is_over or game.is_challenge or game.seat(game.turn) != COMPUTER:
        return game
    return _played(game, "", rng, now)


def back_to(game: Game, ply: int) -> Game:
    """The game after its first moves only, with nothing asked."""
    return game.with_nothing_asked()._replace(moves=game.moves[:ply])


def last_ply_of(game: Game, mark: Mark) -> int | None:
    """The ply of a side's last move, from 0; None if it hasn't moved."""
    own = 0 if mark is Mark.X else 1
    ply = game.ply - 1 - (game.ply - 1 - own) % 2
    return ply if ply >= 0 else None


def with_sides_swapped(game: Game) -> Game:
    """The game with X and O swapped: seats, levels and games won."""
    return game._replace(
        x_seat=game.o_seat,
        x_level=game.o_level,
        x_wins=game.o_wins,
        o_seat=game.x_seat,
        o_level=game.x_level,
        o_wins=game.x_wins,
    )


def _played(game: Game, own: str, rng: Random, now: int, **changes: Any) -> Game:  # noqa: ANN401 - a game's fields
    """The game after a person's move (one character, or none), the computer's answer, and the end if that is it.

    If the answer takes a search, the clock sees to it. It is all one step because copying a game of so many fields
    is most of a move's cost.
    """
    moves = game.moves + own
    position = replay(game.rules, moves)
    turn = Mark.O if len(moves) % 2 else Mark.X
    if position.outcome is None and game.seat(turn) == COMPUTER:
        cells = _candidates(game.level_of(turn) or Level.MEDIUM, game.rules, moves)
        if cells:
            cell = cells[0] if len(cells) == 1 else cells[int(rng.random() * len(cells))]
            moves += rules_of(game.rules).move_text(cell)
            position = replay(game.rules, moves)
        else:
            changes["due_at"] = now + THINKING_SECONDS
    if position.outcome is not None:
        changes |= {"termination": termination_of(position.outcome), "winner": position.outcome.winner}
    return game._replace(moves=moves, **changes)


@lru_cache(maxsize=4096)
def _candidates(level: str, rules: str, moves: str) -> tuple[int, ...]:
    """The cells that a level or a strategy may choose; none if finding them may take a while.

    Cached, because looking two plies ahead costs more than all the rest.
    """
    if not needs_no_search(level, rules_of(rules)):
        return ()
    return candidates(level, replay(rules, moves))


def take_back(game: Game, attempt: Attempt) -> Game | Refusal:
    """Take back one's last move and what followed; against a person, ask them first."""
    mark = game.mark_of(attempt.who.id)
    if mark is None or last_ply_of(game, mark) is None:
        return Refusal.NOTHING_TO_TAKE_BACK
    if game.is_against_computer:
        return _taken_back(game, mark, attempt)
    if not attempt.facts.takebacks_allowed:
        return Refusal.NO_TAKEBACKS
    if question_of(game) is not None:
        return Refusal.ASKED
    return asking(game, Question(Offer.TAKEBACK, mark))


def resign(game: Game, attempt: Attempt) -> Game | Refusal:
    """Offer to resign; it counts once it is confirmed (`confirm`).

    It takes the place of any other question, so that nobody keeps somebody from resigning by asking something. If
    the opponent was asked the same, both may answer.
    """
    mark = game.mark_of(attempt.who.id)
    if mark is None:
        return Refusal.NOT_YOURS
    question = question_of(game)
    if question is None or question.offer is Offer.TAKEBACK:
        return asking(game, Question(Offer.RESIGN, mark))
    if question.offer is Offer.RESIGN and question.by is not mark:
        return asking(game, Question(Offer.RESIGN_BOTH, mark))
    return game


def confirm(game: Game, attempt: Attempt) -> Game | Refusal:
    """Confirm the resignation."""
    mark = game.mark_of(attempt.who.id)
    if mark is None or not is_asked_to_resign(game, mark):
        return Refusal.NOT_ASKED
    return game.with_nothing_asked()._replace(termination=Termination.RESIGNATION, winner=mark.other)


def play_on(game: Game, attempt: Attempt) -> Game | Refusal:
    """Decide against resigning; if both were asked, the opponent still is."""
    mark = game.mark_of(attempt.who.id)
    if mark is None or not is_asked_to_resign(game, mark):
        return Refusal.NOT_ASKED
    if game.offer is Offer.RESIGN_BOTH:
        return asking(game, Question(Offer.RESIGN, mark.other))
    return game.with_nothing_asked()


def agree(game: Game, attempt: Attempt) -> Game | Refusal:
    """Agree to the opponent's takeback."""
    question = question_of(game)
    if question is None:
        return Refusal.NOT_ASKED
    if question.by is game.mark_of(attempt.who.id):
        return Refusal.OWN_QUESTION
    return _taken_back(game, question.by, attempt)


def refuse(game: Game, attempt: Attempt) -> Game | Refusal:
    """Decline what the opponent asks for, which the board then says, or withdraw one's own question."""
    question = question_of(game)
    if question is None:
        return Refusal.NOT_ASKED
    mark = game.mark_of(attempt.who.id)
    answered = game.with_nothing_asked()
    return answered if mark is question.by else answered._replace(declined=question.offer, declined_by=mark)


def _taken_back(game: Game, mark: Mark, attempt: Attempt) -> Game:
    back = back_to(game, last_ply_of(game, mark) or 0)._replace(takebacks=game.takebacks + 1)
    if game.is_against_computer:
        return back._replace(moved_at=attempt.now, reminded=None)
    return taken_back(back, attempt.now, attempt.limits)
