"""Two people's actions on a board, and what they see on it."""

from __future__ import annotations

import asyncio

from playground.chats import Chat
from playground.messages import Message
from playground.people import Person
from playground.queries import InlineResult
from tests.e2e.driver import position_of

X_WINS = (0, 3, 1, 4, 2)
"""X takes the first row."""
O_WINS = (0, 3, 1, 4, 8, 5)
"""O takes the second row."""
NOBODY_WINS = (4, 0, 8, 2, 1, 7, 6, 5, 3)
"""The board is full."""
OF_A_PLY = frozenset({"undo", "resign", "yes", "no", "review", "try", "best"})
"""Actions that are meant for the board as it was at a ply."""


def is_chinese(text: str | None) -> bool:
    """Whether a text has Chinese characters."""
    return any("\u4e00" <= character <= "\u9fff" for character in text or "")


def plain(message: Message) -> str:
    """A message's text without the isolates around names."""
    return message.text.translate({0x2068: None, 0x2069: None})


def mentioned(message: Message) -> list[int]:
    """The ids that a message mentions."""
    return [entity["user"]["id"] for entity in message.entities if entity["type"] == "text_mention"]


def is_board(message: Message) -> bool:
    """Whether a message is from the bot and shows a board."""
    return message.from_bot and [len(row) for row in message.labels[:3]] == [3, 3, 3]


def offered(message: Message) -> set[str]:
    """The labels of a message's buttons other than cells."""
    rows = message.labels[3:] if is_board(message) else message.labels
    return {label for row in rows for label in row}


async def accepted(person: Person, challenge: Message) -> Message:
    """Accept a challenge; returns the message, which is now the board."""
    answer = await person.tap(challenge, challenge.labels[0][0])
    assert answer.text is None
    return await challenge.until(is_board)


async def begun(one: Person, other: Person, chat: Chat, words: str = "") -> Message:
    """A game of two: `one` challenges, `other` accepts; `one` has X unless the words say otherwise."""
    challenge = await one.ask(f"/newgame {words}".strip(), in_=chat)
    return await accepted(other, challenge)


async def put(person: Person, board: Message, cell: int) -> None:
    """Play a cell and wait until the board shows it."""
    ply = position_of(board).ply
    answer = await person.tap(board, row=cell // 3, column=cell % 3)
    assert answer.text is None, answer.text
    await board.until(lambda message: position_of(message).ply == ply + 1)


async def played(x: Person, o: Person, board: Message, cells: tuple[int, ...]) -> Message:
    """Play cells in turn."""
    for ply, cell in enumerate(cells, position_of(board).ply):
        await put(o if ply % 2 else x, board, cell)
    return board


async def pressed(person: Person, board: Message, label: str) -> Message:
    """Tap a button that takes effect immediately, and wait until the message shows it."""
    board.seen = board.revision
    answer = await person.tap(board, label)
    assert answer.text is None, answer.text
    return await board.changed()


async def told(person: Person, board: Message, label: str | None = None, data: str | None = None) -> str:
    """Tap a button that does nothing; returns what the person is told."""
    answer = await person.tap(board, label, data=data)
    assert answer.text
    return answer.text


async def next_board(chat: Chat, after: Message) -> Message:
    """The board that comes after a message."""
    return await chat.wait_for(is_board, after=after)


def data(board: Message, action: str, *, ply: int | None = None) -> str:
    """The data of a button for an action on a board's game."""
    _, game, at, *_ = str(board.keyboard[0][0]["callback_data"]).split(":")
    number, *edition = game.split(".")
    made = data_for(int(number), action, (int(at) if at.isdigit() else 0) if ply is None else ply)
    return made.replace(f":{number}", f":{game}", 1) if edition else made


def data_for(game: int, action: str, ply: int = 0) -> str:
    """The data of a button for an action on a game; what an action doesn't carry is left out."""
    if action == "accept":
        return f"2accept:{game}:3x3x3:0:1"
    return f"2{action}:{game}:{ply}" if action in OF_A_PLY else f"2{action}:{game}"


def result_named(results: list[InlineResult], title: str) -> InlineResult:
    """The inline result with these words in its title."""
    (found,) = [result for result in results if title in result.title]
    return found


async def all_answers(*taps: asyncio.Future[object]) -> list[object]:
    """The answers to pending taps."""
    return list(await asyncio.wait_for(asyncio.gather(*taps), 60))
