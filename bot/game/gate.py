"""The gate: who may act on a game, or only see it, from where. Everything that anybody asks for passes it first.

Callback data can be made up (a changed client sends any to any message of the bot), and ids can be counted up. So
nothing is done, said or shown about a game unless it is shown where the wish comes from.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.game.acts import Act

if TYPE_CHECKING:
    from collections.abc import Iterable

    from storage.board import Board
    from storage.game import Game


class Where(NamedTuple):
    """Where a wish comes from; the message is Telegram's word, not the client's."""

    chat_id: int | None = None
    thread_id: int | None = None
    """The forum topic in that chat."""
    message_id: int | None = None
    """The tapped message."""
    inline_message_id: str | None = None
    """The tapped message, where inline mode has sent it."""
    first: str | None = None
    """What the first button of the tapped message carries, which tells what the message is."""
    shows: int | None = None
    """The game that the tapped message is a board of, by its first button."""
    token: str | None = None
    """What the link or the inline offer carried through which somebody comes."""
    chat_instance: str | None = None
    """What stands for the chat of a message of inline mode, which the bot cannot know (Bot API, CallbackQuery)."""


class Access(Enum):
    """How far a wish gets."""

    ACT = "act"
    SEE = "see"
    """The person may see this game here, and no more."""
    NOTHING = "nothing"
    """Not even that: nothing may happen, and nothing be told."""


OF_THE_WATCHED: Final = frozenset({Act.STOP, Act.FASTER, Act.TAKE_X, Act.TAKE_O, Act.WATCH, Act.WINNER})
"""The acts on a game that the computer plays against itself."""

FOR_ALL: Final = frozenset({Act.ACCEPT, Act.DECLINE, Act.CANCEL, Act.COMPUTER}) | OF_THE_WATCHED
"""The acts on what speaks to everybody who sees it; they know themselves whom it is meant for.

A game that the computer plays against itself lets everybody's acts through: the table says what is refused there.
"""

REVIEWING: Final = frozenset({Act.REVIEW, Act.TRY_AGAIN, Act.TRY_CELL, Act.SHOW, Act.LEAVE})
"""What a review is made of: it changes nothing of the game, and who may see one may have one of their own."""

SHARING: Final = frozenset({Act.SHARE, Act.STILL})
"""What sends a picture of a game to where it was played: its players may, and who let the computer play there."""

BY_THE_CLOCK: Final = frozenset({Act.ANSWER, Act.REMIND, Act.EXPIRE})
"""What nobody can wish for: it is the clock's, or the computer's."""


def admit(act: Act, game: Game, boards: Iterable[Board], person: int, where: Where) -> Access:
    """How far a person's wish to act on a game gets, from where they are."""
    if act in BY_THE_CLOCK:
        return Access.NOTHING
    plays = game.mark_of(person) is not None
    if act in REVIEWING and _has_own_review(boards, person, where):
        return Access.ACT
    if is_shown(game, boards, where):
        for_all = act in FOR_ALL or (game.host is not None and not game.is_over)
        began = act in REVIEWING | SHARING and game.host == person
        return Access.ACT if plays or for_all or began else Access.SEE
    # A player may hold on to a board that the game has left, such as one in a group before it became a supergroup.
    return Access.ACT if plays and where.shows == game.id and act not in FOR_ALL else Access.NOTHING


def is_shown(game: Game, boards: Iterable[Board], where: Where) -> bool:
    """Whether a game is shown where a wish comes from: in its chat, in its message, or behind its link."""
    if where.inline_message_id is not None:
        return any(board.inline_message_id == where.inline_message_id for board in boards)
    if where.token is not None:
        # An offer of inline mode has a token too, which everybody in its chat can read: that is no link.
        return where.token == game.token and game.chat_id is not None
    if where.chat_id is None:
        return False
    # A review of one's own opens nothing but itself: its person has seen the game elsewhere.
    return any(board.chat_id == where.chat_id and not (board.page and board.is_aside) for board in boards)


def _has_own_review(boards: Iterable[Board], person: int, where: Where) -> bool:
    """Whether a wish comes from where a person has a review to themselves."""
    return any(board.is_aside and board.viewer == person and board.chat_id == where.chat_id for board in boards)
