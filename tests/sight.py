"""What can be seen: games as they are stored, and boards as people see them."""

from __future__ import annotations

import json

from sqlalchemy import Engine, select

from bot.boards.renderers import render
from playground import Playground
from playground.messages import Message
from playground.texts import formatted
from storage.errors import CorruptGame
from storage.games import games
from storage.games.game import Game
from storage.games.record import Board, Record
from storage.people import waits
from storage.people.person import Wait, Waiting
from storage.schema import GAMES, MATCHMAKING


class Sight:
    """Looks at a database and at a playground."""

    def __init__(self, playground: Playground, engine: Engine) -> None:
        self.playground = playground
        self.engine = engine

    def records(self) -> dict[int, Record]:
        """All stored games with their boards; each must replay."""
        # Outside a transaction, which the server would end if a busy machine delayed this process.
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            ids = connection.execute(select(GAMES.c.id)).scalars().all()
            loaded = games.load_many(connection, ids)
        corrupt = [error for error in loaded.values() if isinstance(error, CorruptGame)]
        assert not corrupt, corrupt
        return {game_id: record for game_id, record in loaded.items() if not isinstance(record, CorruptGame)}

    def waits(self) -> dict[int, Waiting]:
        """All stored waits with their boards."""
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            ids = connection.execute(select(MATCHMAKING.c.id)).scalars().all()
            return dict(waits.load_many(connection, ids))

    def _seen(self) -> list[tuple[Game | Wait, Board]]:
        """All boards, each with what it shows."""
        stored: list[Record | Waiting] = [*self.records().values(), *self.waits().values()]
        return [(each.subject, board) for each in stored for board in each.boards]

    def newest(self) -> Record:
        """The newest game."""
        records = self.records()
        return records[max(records)]

    def message_of(self, board: Board) -> Message | None:
        """The message of a board, if it exists."""
        if board.inline_message_id is not None:
            return self.playground.world.inline_messages.get(board.inline_message_id)
        chat = self.playground.world.chats.get(board.chat_id or 0)
        return None if chat is None else chat.messages.get(board.message_id or 0)

    def is_right(self, game: Game | Wait, board: Board) -> bool:
        """Whether a board shows people the game's current state."""
        message = self.message_of(board)
        if message is None:
            return False
        view = render(game, board, self.playground.bot.username)
        keyboard = [] if view.keyboard is None else json.loads(view.keyboard)["inline_keyboard"]
        text = formatted(view.text, "HTML", None, self.playground.world.user_json)
        return message.keyboard == keyboard and message.text == text.text

    def wrong(self) -> list[Board]:
        """The boards that don't show their game's current state, whatever the database says.

        A game that was over when its message was lost isn't shown any more.
        """
        return [
            board
            for game, board in self._seen()
            if not board.leaving
            and not (game.is_over and board.message_id is None and not board.is_lagging)
            and not self.is_right(game, board)
        ]

    def lagging(self) -> list[Board]:
        """The boards that aren't known to be shown correctly."""
        return [board for _, board in self._seen() if board.is_lagging]
