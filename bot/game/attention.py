"""Decides who is notified of a change, and which boards are sent as new messages for it.

An edit notifies nobody. So a board is sent again when somebody has to answer it and isn't looking, or when what
they waited for was declined or is over: once, until they act. It is also sent again below a command about a board
that is out of sight.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from bot.game.attempt import Attempt, declined_in, question_of
from bot.game.deadlines import is_called_again
from bot.game.new_game import challenger_of
from storage.games.game import COMPUTER, RESIGNING, Game, Offer, Termination
from storage.games.record import NO_ATTENTION, Attention, Board, Record

LOOKING_SECONDS: Final = 60
"""For so long after acting, somebody is assumed to be looking."""

IN_SIGHT: Final = 3
"""How many messages may follow a board, a command included, before it counts as out of sight."""


class Awaited(NamedTuple):
    """Something that waits for a player."""

    who: int | None
    ply: int
    offer: Offer | None = None
    """The question they have to answer; None if they have to move."""


def awaited(game: Game) -> Awaited | None:
    """What a game waits for, and whose answer; None if nobody's in particular."""
    if game.is_challenge:
        return None
    question = question_of(game)
    if question is not None and question.offer not in RESIGNING and not game.hushed:
        return Awaited(game.seat(question.by.other), game.ply, question.offer)
    return None if game.is_over else Awaited(game.seat(game.turn), game.ply)


def attention_for(record: Record, game: Game, attempt: Attempt) -> Mapping[int, Attention]:
    """How the boards of a record call for attention, now that somebody has turned its game into `game`."""
    if attempt.below is None and (game.is_against_computer or game.is_exhibition):
        return NO_ATTENTION
    moving = {board.replaces for board in record.boards}
    attentions = {}
    for board in record.boards:
        if board.chat_id is None or board.leaving or board.id in moving or board.aside:
            continue
        attention = _asked_for(board, attempt)
        if attention is None and not board.is_unreachable:
            attention = _attention_of(board, record, game, attempt)
        if attention is not None:
            attentions[board.id] = attention
    return attentions


def answered(record: Record, now: int) -> Mapping[int, Attention]:
    """How the boards of a record call for attention when the computer answers some time after the person.

    Somebody who plays by text alone doesn't notice an edit, so their board is sent again.
    """
    moving = {board.replaces for board in record.boards}
    return {
        board.id: Attention(now, called=False, to=board.place)
        for board in record.boards
        if board.as_text
        and board.viewer
        and board.message_id is not None
        and not board.leaving
        and board.id not in moving
    }


def is_out_of_sight(board: Board, below: int, thread_id: int | None) -> bool:
    """Whether a board is too far above a message in its chat, or in another topic."""
    if board.message_id is None:
        return False
    return board.as_text or board.thread_id != thread_id or below - board.message_id > IN_SIGHT


def _asked_for(board: Board, attempt: Attempt) -> Attention | None:
    """The board comes to whoever typed a command about it. One in text always does: nobody hears an edit."""
    where = attempt.where
    if attempt.below is None or board.chat_id != where.chat_id:
        return None
    if not is_out_of_sight(board, attempt.below, where.thread_id):
        return None
    return Attention(attempt.now, called=False, to=board.place.at(where.place))


def _attention_of(board: Board, record: Record, game: Game, attempt: Attempt) -> Attention | None:
    """Note who acts, and call whoever isn't looking at the board."""
    before = record.game
    was = awaited(before)
    actor = attempt.who.id
    by_awaited = was is not None and was.who == actor
    acted = by_awaited if board.viewer is None else board.viewer == actor
    attention = Attention(attempt.now, called=False) if acted else Attention(board.acted_at, board.called)
    asks = board.viewer is None and question_of(game) not in (None, question_of(before))
    if asks and not acted:  # whoever asks goes on looking
        attention = attention._replace(acted_at=attempt.now)
    person, again = _called(board, before, game, actor), is_called_again(before, game)
    if again and board.viewer is None and any(other.viewer == person for other in record.boards):
        person = None  # they have a board of their own
    # Somebody who seems to act in the future did so while the clock was ahead.
    looks = not board.as_text and 0 <= attempt.now - board.acted_at < LOOKING_SECONDS
    if person is not None and (again or not (looks or attention.called)):
        to = None if board.message_id is None else board.place
        return attention._replace(called=True, to=to, person=person, is_last=again)
    return attention if acted or asks else None


def _called(board: Board, before: Game, game: Game, actor: int) -> int | None:
    person = _told(before, game)
    if person is None and game.is_over and not before.is_over and not game.is_challenge:
        person = board.viewer
    gone = game.seat(game.left) if game.left is not None and board.viewer is None else None
    if person in (None, COMPUTER, actor, gone) or board.viewer not in (None, person):
        return None
    return person


def _told(before: Game, game: Game) -> int | None:
    """Who must answer now; else the person whose question was declined, or who waited for a move in vain.

    That may be somebody who waits for an opponent, and is asked whether they are still there.
    """
    if game.is_wait and not game.is_over:
        return game.x.seat if game.reminded is not None and before.reminded is None else None
    declined = declined_in(game)
    if declined is not None and declined != declined_in(before):
        return game.seat(declined.by)
    if game.is_over and not before.is_over:
        if game.termination is Termination.DECLINED:
            return game.seat(challenger_of(game))
        if game.termination is Termination.TIMEOUT and game.winner is not None:
            return game.seat(game.winner)
        return None
    if is_called_again(before, game):
        return game.seat(game.turn)
    now = awaited(game)
    return None if now is None or now == awaited(before) else now.who
