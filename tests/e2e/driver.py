"""The bot as a child process, and what a person sees of its boards."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from bot.boards.translations import LANGUAGES, texts
from bot.game.actions import TakeBack
from engine import LEVELS, Level, Position
from playground import Playground
from playground.chats import Chat
from playground.messages import Message
from playground.people import Person
from playground.telegram import Call
from tests import forks
from tests.boards import board as position_with
from tests.carried import action_of
from tests.patience import slowness

CROSS: Final = "❌"
RING: Final = "🟡"
EMPTY: Final = "·"
MARKS: Final = {CROSS: "X", RING: "O", EMPTY: "."}

WIN, LOSS, DRAW = "You win", "I win", "Draw"


class Oxo:
    """A playground and the bot in it; the bot can be stopped, killed and started again."""

    def __init__(self, playground: Playground, folder: Path, settings: dict[str, str]) -> None:
        self.playground = playground
        self.folder = folder
        self.log = folder / "bot.log"
        self.database = folder / "oxo.db"
        self.settings = {
            "BOT_TOKEN": playground.token,
            "BOT_API_URL": playground.url,
            "DATABASE_URL": f"sqlite:///{self.database}",
            "CALLS_PER_SECOND": "0",
            "EDITS_PER_MINUTE": "0",
            "HTTP_PORT": "0",
            **settings,
        }
        self.process: forks.Fork | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the bot if it runs; it must stop cleanly, unless the test has failed already."""
        if self.process is not None and kind is not None:
            await self.kill()
        elif self.process is not None:
            code = await self.stop()
            assert code == 0, self.logged()

    async def start(self, *arguments: str, introduces: bool = False, **settings: str) -> None:
        """Start the bot and wait until it calls getMe; from then on, what people send is kept for it."""
        earlier = len(self.playground.calls)
        await self.launch(*arguments, introduces=introduces, **settings)
        await self.playground.called("getMe", within=60, skip=earlier)

    async def launch(self, *arguments: str, introduces: bool = False, **settings: str) -> None:
        """Start the bot and wait for nothing.

        It only sends Telegram its commands and descriptions, 60 calls, if a test is about that.
        """
        environment = {name: value for name, value in os.environ.items() if name not in self.settings}
        with self.log.open("ab") as log:
            order = forks.Order(
                arguments=arguments or (() if introduces else ("--no-set-up",)),
                folder=str(self.folder),
                environment={**environment, **self.settings, **settings},
            )
            self.process = await forks.start(order, log.fileno())

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask the bot to stop; the result is its exit code.

        Raises:
            TimeoutError: if it takes longer than the 10 seconds that it promises on a quiet machine.
        """
        return await self._end(number, 10 * slowness())

    async def kill(self) -> None:
        """Kill the bot, like a power cut."""
        await self._end(signal.SIGKILL, 60)

    async def _end(self, number: signal.Signals, seconds: float) -> int:
        process = self.process
        assert process is not None
        with suppress(ProcessLookupError):
            process.send_signal(number)
        try:
            return await asyncio.wait_for(process.wait(), seconds)
        finally:
            await process.end()
            self.process = None

    async def newgame(self, words: str = "") -> Message:
        """Let Ann start a game in her private chat; the result is its board."""
        ann = self.playground.people["ann"]
        return await ann.ask(f"/newgame {words}".strip())

    async def has_answered(self, chat: Chat, person: Person) -> None:
        """Return once everything that came before in this chat is handled: the answer to /difficulty proves it.

        Updates of a chat are handled in order, and messages go out in order, so whatever an earlier
        message or tap caused is there.
        """
        said = await person.say(f"/difficulty@{self.playground.bot.username}", in_=chat)
        await chat.wait_for(
            lambda message: any("✓" in label for row in message.labels for label in row), after=said, within=60
        )

    async def has_settled(self, chat: Chat) -> None:
        """Return once the messages sent to a chat are stored, a moment after they arrive.

        Until then, a board counts as on its way, so it isn't sent again, and a picture as being drawn.
        """
        under_way = (
            "SELECT (SELECT count(*) FROM boards WHERE chat_id = ?1 AND message_id IS NULL)"
            " + (SELECT count(*) FROM outbox WHERE chat_id = ?1 AND NOT said)"
        )
        async with asyncio.timeout(60):
            while True:
                with closing(sqlite3.connect(self.database, timeout=10)) as database:
                    if database.execute(under_way, (chat.id,)).fetchone() == (0,):
                        return
                await asyncio.sleep(0.02)  # a database has no event to wait for

    def edits(self, message: Message) -> list[Call]:
        """The edits of one message so far."""
        return [
            call
            for call in self.playground.calls_of("editMessageText", chat=message.chat)
            if str(call.parameters["message_id"]) == str(message.id)
        ]

    def sent(self, chat: Chat) -> list[Call]:
        """The messages sent to a chat so far."""
        return self.playground.calls_of("sendMessage", chat=chat)

    def logged(self) -> str:
        """Everything the bot has printed."""
        return self.log.read_text(encoding="utf-8")


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
