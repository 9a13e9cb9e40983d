"""One act on one game, for whoever asks by a button or a command: gathered, decided, stored, shown."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from bot.game.acts import Act
from bot.game.gate import Access, is_shown
from bot.game.machine import decide
from bot.game.new_game import DEFAULT_LEVEL
from bot.game.refusals import OF_AN_OLD_BOARD, Refusal
from bot.game.states import State, state_of
from bot.views.buttons import Cell, Turn, read
from bot.views.refusals import words_for
from bot.views.texts import N_
from storage import board_messages, chats, games

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from bot.game.machine import Ruling
    from bot.handlers.requests import Sender
    from storage.board import Board
    from storage.record import Changed, Record

SLOW_SECONDS: Final = 1.5
"""A board that follows later than this is worth a word."""
SLOW: Final = N_("Telegram lets this chat change slowly now; the board follows.")


class Done:
    """What became of an act: its game as it now is, why not, and about how long the board takes to follow."""

    __slots__ = ("record", "refusal", "wait")

    def __init__(self, record: Record, refusal: Refusal | None, wait: float = 0.0) -> None:
        self.record = record
        self.refusal = refusal
        self.wait = wait

    @property
    def is_slow(self) -> bool:
        """Whether the board has to wait for Telegram."""
        return self.wait > SLOW_SECONDS

    @property
    def words(self) -> str | None:
        """What whoever has tapped is told, to be translated: why not, or that the board has to wait."""
        return SLOW if self.refusal is None and self.is_slow else words_for(self.refusal)


async def act(
    sender: Sender,
    game_id: int,
    act: Act,
    *,
    arrived: float | None = None,
    **details: Any,  # noqa: ANN401 - fields of a wish
) -> Done:
    """Let a person act on a game, and show what became of it.

    Raises:
        StorageError: if the game is not there, cannot be read, or the database cannot be used.
    """
    services = sender.services
    facts = await _facts(sender, game_id, act)
    wish = sender.wish(act, **details, **facts)
    changed = await services.store.change(game_id, partial(decide, wish=wish), sender.update_id)
    ruling = changed.result
    if ruling is None:  # a second delivery
        services.publisher.refresh(changed.record)
        return Done(changed.record, None)
    if ruling.access is not Access.ACT:
        return Done(changed.record, ruling.refusal)
    changed = await _adopted(sender, changed)
    if ruling.refusal is None:
        wait = services.computer.show(changed, arrived, sender.where.chat_id)
        return Done(changed.record, None, wait)
    if ruling.refusal in OF_AN_OLD_BOARD:
        services.publisher.refresh(changed.record, _behind(sender, changed.record))
    return Done(changed.record, ruling.refusal)


async def _facts(sender: Sender, game_id: int, act: Act) -> Mapping[str, Any]:
    """What deciding about some acts takes beside the game."""
    store, where = sender.services.store, sender.where
    match act:
        case Act.TAKEBACK:
            allowed = partial(_takebacks_allowed, game_id=game_id, person=sender.user.id)
            return {"takebacks_allowed": await store.run(allowed)}
        case Act.COMPUTER if where.chat_id is not None:
            chat = await store.run(partial(chats.load, chat_id=where.chat_id))
            return {"value": chat.level or DEFAULT_LEVEL}
        case Act.CANCEL | Act.STOP if where.chat_id is not None and where.chat_id < 0:
            record = await store.run(partial(games.load, game_id=game_id))
            theirs = record.game.mark_of(sender.user.id) is not None or record.game.host == sender.user.id
            if theirs or state_of(record.game) not in (State.OPEN, State.WATCHED) or not is_shown(*record, where):
                return {}
            return {"is_admin": await sender.services.admins.is_admin(where.chat_id, sender.user.id)}
    return {}


def _takebacks_allowed(connection: Connection, *, game_id: int, person: int) -> bool:
    game = games.load(connection, game_id).game
    mark = game.mark_of(person)
    other = None if mark is None else game.seat(mark.other)
    return not other or chats.allows_takebacks(connection, other)


async def _adopted(sender: Sender, changed: Changed[Ruling | None]) -> Changed[Ruling | None]:
    """Let the message that a player taps be the game's board, in what is shown from now on.

    It already is, except where the stored message never got its confirmation: the process ended, or the call timed
    out, between Telegram's sending it and our hearing of it. An older message is one that the board has left.
    """
    where, record = sender.where, changed.record
    if where.message_id is None or any(board.message_id == where.message_id for board in record.boards):
        return changed
    board = _standing(record, where.chat_id)
    if board is None or where.message_id <= (board.message_id or 0) or where.shows != record.game.id:
        return changed
    adopt = partial(board_messages.adopt, board=board, message_id=where.message_id)
    if not await sender.services.store.run(adopt):
        return changed
    if board is changed.before.get(board.id):
        sender.services.publisher.show_again(board.id)
        return changed
    theirs = board._replace(message_id=where.message_id, replaces=None)
    others = tuple(theirs if other.id == board.id else other for other in record.boards)
    return changed._replace(record=record._replace(boards=others))


def _behind(sender: Sender, record: Record) -> int | None:
    """The tapped message, where its keyboard is that of another ply: an edit of it must have come to nothing."""
    shown = read(sender.where.first)
    if isinstance(shown, Cell | Turn) and shown.game_id == record.game.id and shown.ply != record.game.ply:
        return sender.where.message_id
    return None


def _standing(record: Record, chat_id: int | None) -> Board | None:
    """The board of a chat that a message which nobody knows may be: one without a message, else the newest."""
    here = [board for board in record.boards if board.chat_id == chat_id and not board.leaving]
    return next((board for board in here if board.message_id is None), here[-1] if here else None)
