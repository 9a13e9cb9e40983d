"""What a person sees of boards of three by three, and how they play them."""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.boards.translations import LANGUAGES, texts
from bot.game.actions import TakeBack
from engine import LEVELS, Level, Position
from playground.chats import Chat
from playground.messages import Message
from playground.people import Person
from tests.boards import board as position_with
from tests.carried import action_of

CROSS: Final = "❌"
RING: Final = "🟡"
EMPTY: Final = "·"
MARKS: Final = {CROSS: "X", RING: "O", EMPTY: "."}

WIN, LOSS, DRAW = "You win", "I win", "Draw"


def boards_in(chat: Chat) -> list[Message]:
    """The boards in a chat, oldest first: the bot's messages with rows of three buttons."""
    return [m for m in chat.messages.values() if m.from_bot and [len(row) for row in m.labels[:3]] == [3, 3, 3]]


def position_of(board: Message) -> Position:
    """The position that a board shows; it must be reachable."""
    return position_with("".join(MARKS[label] for row in board.labels[:3] for label in row))


def styles_of(board: Message) -> dict[int, str]:
    """The styles of a board's cells, for cells that have one."""
    cells = [button for row in board.keyboard[:3] for button in row]
    return {cell: button["style"] for cell, button in enumerate(cells) if "style" in button}


def data_of(board: Message, cell: int) -> str:
    """The data of a cell's button."""
    return str(board.button(row=cell // 3, column=cell % 3)["callback_data"])


UNDONE = "Taken back. This game won't count in your stats."
"""What the first undo against OXO is answered."""


async def tap_cell(person: Person, board: Message, cell: int) -> None:
    """Tap an empty cell of a board and wait until the board shows it."""
    answer = await person.tap(board, row=cell // 3, column=cell % 3)
    assert answer.text is None
    await board.changed()


async def play_to(wanted: str, person: Person, board: Message, level: str) -> Position:
    """Play a game to a result; a move is taken back if the computer's answer rules that result out."""
    mark = position_of(board).turn
    while (position := position_of(board)).outcome is None:
        assert position.turn is mark
        cell = steer(position, level, wanted)
        if cell is not None:
            await tap_cell(person, board, cell)
        else:
            buttons = (each for row in board.keyboard for each in row)
            undo = next(str(each["callback_data"]) for each in buttons if isinstance(action_of(each), TakeBack))
            assert (await person.tap(board, data=undo)).text in (
                None,
                *(texts(code).gettext(UNDONE) for code in LANGUAGES),
            )
            await board.changed()
    return position


def steer(position: Position, level: str, wanted: str) -> int | None:
    """A cell after which a result is still possible; None if there is none."""
    return next((cell for cell in position.legal_moves if may_lead(position, cell, Level(level), wanted)), None)


@cache
def may_lead(position: Position, cell: int, level: Level, wanted: str) -> bool:
    """Whether a result is possible after a cell, and no other result before the person can take it back."""
    mark, after = position.turn, position.play(cell)
    ends = [after] if after.outcome else [after.play(reply) for reply in set(LEVELS[level].candidates(after))]
    for outcome in (end.outcome for end in ends if end.outcome):
        if wanted != (DRAW if outcome.is_draw else WIN if outcome.winner is mark else LOSS):
            return False
    return any(end.outcome or any(may_lead(end, each, level, wanted) for each in end.legal_moves) for end in ends)
