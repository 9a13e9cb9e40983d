"""Who has to hear of a change, and which boards come as new messages for it.

An edit notifies nobody. So a board comes as a new message when something waits for who looks at it and they are
not there, or when what they waited for was declined or is over, once until they act; and when somebody types a
command about a board that is out of sight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from bot.game.challenges import challenger_of
from bot.game.states import declined_in, question_of
from storage.board import Heed
from storage.game import COMPUTER, Offer, Termination
from storage.record import NO_HEED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.game.acts import Wish
    from storage.board import Board
    from storage.game import Game
    from storage.record import Record

LOOKING_SECONDS: Final = 60
"""Who has acted so lately is thought to be still looking."""

IN_SIGHT: Final = 3
"""Messages that may stand below a board, a command included, before it counts as out of sight."""


class Awaited(NamedTuple):
    """Something that waits for a player."""

    who: int | None
    ply: int
    offer: Offer | None = None
    """The question that they have to answer; None where they have to move."""


def awaited(game: Game) -> Awaited | None:
    """What a game waits for, and from whom; None where it waits for nobody in particular."""
    if game.is_challenge:
        return None
    question = question_of(game)
    if question is not None and question.offer is not Offer.RESIGN:
        return Awaited(game.seat(question.by.other), game.ply, question.offer)
    return None if game.is_over else Awaited(game.seat(game.turn), game.ply)


def heeds(record: Record, game: Game, wish: Wish) -> Mapping[int, Heed]:
    """What it means for the boards of a record that somebody's wish has made its game become another."""
    if wish.below is None and game.is_against_computer:
        return NO_HEED
    moving = {board.replaces for board in record.boards}
    found = {}
    for board in record.boards:
        if board.chat_id is None or board.leaving or board.id in moving or board.is_aside:
            continue
        heed = _asked_for(board, wish) or _heed(board, record.game, game, wish)
        if heed is not None:
            found[board.id] = heed
    return found


def answered(record: Record, now: int) -> Mapping[int, Heed]:
    """What it means for the boards of a record that the computer moves, some time after the person.

    Who plays in text alone does not hear of an edit, so their board comes as a new message.
    """
    moving = {board.replaces for board in record.boards}
    return {
        board.id: Heed(now, called=False, to=board.place)
        for board in record.boards
        if board.as_text
        and board.viewer
        and board.message_id is not None
        and not board.leaving
        and board.id not in moving
    }


def asked(record: Record, now: int) -> Mapping[int, Heed]:
    """That who waits in the queue is asked whether they are there: their board comes as a new message."""
    moving = {board.replaces for board in record.boards}
    return {
        board.id: Heed(now, called=True, to=board.place, whom=board.viewer)
        for board in record.boards
        if board.message_id is not None and not board.leaving and board.id not in moving
    }


def is_out_of_sight(board: Board, below: int, thread_id: int | None) -> bool:
    """Whether a board stands too far above a message in its chat, or in another topic than that."""
    if board.message_id is None:
        return False
    return board.as_text or board.thread_id != thread_id or below - board.message_id > IN_SIGHT


def _asked_for(board: Board, wish: Wish) -> Heed | None:
    """The board comes to who has typed a command about it. One in text always does: nobody hears an edit."""
    where = wish.where
    if wish.below is None or board.chat_id != where.chat_id:
        return None
    if not is_out_of_sight(board, wish.below, where.thread_id):
        return None
    return Heed(wish.now, called=False, to=board.place._replace(thread_id=where.thread_id))


def _heed(board: Board, before: Game, game: Game, wish: Wish) -> Heed | None:
    """Note who acts, and let the board call who does not look at it."""
    was = awaited(before)
    actor = wish.who.id
    by_awaited = was is not None and was.who == actor
    acted = by_awaited if board.viewer is None else board.viewer == actor
    heed = Heed(wish.now, called=False) if acted else Heed(board.acted_at, board.called)
    asks = board.viewer is None and question_of(game) not in (None, question_of(before))
    if asks and not acted:  # who asks looks on
        heed = heed._replace(acted_at=wish.now)
    whom = _called(board, before, game, actor)
    away = wish.now - board.acted_at >= (0 if board.as_text else LOOKING_SECONDS)
    if whom is not None and away and not heed.called:
        to = None if board.message_id is None else board.place
        return heed._replace(called=True, to=to, whom=whom)
    return heed if acted or asks else None


def _called(board: Board, before: Game, game: Game, actor: int) -> int | None:
    """Whom a board would call: who has to answer, or has waited; in their own chat also who hears of the end."""
    whom = _told(before, game)
    if whom is None and game.is_over and not before.is_over and not game.is_challenge:
        whom = board.viewer
    if whom in (None, COMPUTER, actor) or board.viewer not in (None, whom):
        return None
    return whom


def _told(before: Game, game: Game) -> int | None:
    """Who has to answer now; else whose wish was declined, or who has waited for a move that did not come."""
    declined = declined_in(game)
    if declined is not None and declined != declined_in(before):
        return game.seat(declined.by)
    if game.is_over and not before.is_over:
        if game.termination is Termination.DECLINED:
            return game.seat(challenger_of(game))
        if game.termination is Termination.TIMEOUT and game.winner is not None:
            return game.seat(game.winner)
        return None
    now = awaited(game)
    return None if now is None or now == awaited(before) else now.who
