"""What can be seen: games as they are stored, and boards as people see them."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from sqlalchemy import Engine, Row, select, text

from bot.boards.links import Me, signing_key
from bot.delivery.boards import render
from bot.game.pages import shared_ply
from playground import Playground
from playground.chats import Chat, Message
from playground.people import Person
from playground.telegram import Call
from playground.texts import formatted
from storage.errors import CorruptGame
from storage.games import games, gauntlets
from storage.games.game import Game, is_erased
from storage.games.record import Board, Record
from storage.results.result import Ending, results_of
from storage.schema import BOARDS, GAMES, OUTBOX, RESULTS
from tests.figures import Figures


class Sight:
    """Looks at a database and at a playground."""

    def __init__(self, playground: Playground, engine: Engine) -> None:
        self.playground = playground
        self.engine = engine
        self.me = Me(playground.bot.username, signing_key(playground.token), playground.bot.inline)

    def records(self) -> dict[int, Record]:
        """All stored games with their boards; each must replay."""
        # Outside a transaction, which the server would end if a busy machine delayed this process.
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            ids = connection.execute(select(GAMES.c.id)).scalars().all()
            loaded = games.load_many(connection, ids)
        corrupt = [error for error in loaded.values() if isinstance(error, CorruptGame)]
        assert not corrupt, corrupt
        return {game_id: record for game_id, record in loaded.items() if not isinstance(record, CorruptGame)}

    def games(self) -> dict[int, Game]:
        return {game_id: record.game for game_id, record in self.records().items()}

    def waits(self) -> list[Game]:
        return [game for game in self.games().values() if game.is_wait]

    def _seen(self) -> list[tuple[Game, Board]]:
        return [(record.game, board) for record in self.records().values() for board in record.boards]

    def newest(self) -> Record:
        records = self.records()
        return records[max(records)]

    def message_of(self, board: Board) -> Message | None:
        if board.inline_message_id is not None:
            return self.playground.world.inline_messages.get(board.inline_message_id)
        chat = self.playground.world.chats.get(board.chat_id or 0)
        return None if chat is None else chat.messages.get(board.message_id or 0)

    def is_right(self, game: Game, board: Board) -> bool:
        message = self.message_of(board)
        if message is None:
            return False
        shared = game.beats if shared_ply(board) is None else game.id
        with self.engine.connect() as connection:
            gauntlet = None if shared is None else gauntlets.find(connection, shared, game)
        view = render(game, board, self.me, gauntlet=gauntlet)
        keyboard = [] if view.keyboard is None else json.loads(view.keyboard)["inline_keyboard"]
        shown = formatted(view.text, "HTML", self.playground.world.user)
        return message.keyboard == keyboard and message.text == shown.text

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

    # The database, behind the bots' backs.

    def sql(self, statement: str) -> Sequence[Row[tuple[object, ...]]]:
        with self.engine.begin() as connection:
            result = connection.execute(text(statement))
            return result.all() if result.returns_rows else ()

    def value(self, statement: str) -> object:
        with self.engine.connect() as connection:
            return connection.execute(text(statement)).scalar()

    # What people see.

    async def has_answered(self, chat: Chat, person: Person) -> None:
        """Return once everything that came before in this chat is handled: the answer to /difficulty proves it.

        Updates of a chat are handled in order, and messages go out in order, so whatever an earlier
        message or tap caused is there.
        """
        said = await person.say(f"/difficulty@{self.playground.bot.username}", in_=chat)
        await chat.wait_for(
            lambda message: any("✓" in label for row in message.labels for label in row), after=said, within=60
        )

    def is_settled(self, chat: Chat) -> bool:
        """Whether the messages sent to a chat are stored, which they are a moment after they arrive.

        Until then, a board counts as on its way, so it isn't sent again, and a picture as being drawn.
        """
        boards = select(BOARDS.c.id).where(BOARDS.c.chat_id == chat.id, BOARDS.c.message_id.is_(None))
        unsent = select(OUTBOX.c.id).where(OUTBOX.c.chat_id == chat.id, ~OUTBOX.c.said)
        with self.engine.connect() as connection:
            return connection.execute(boards.union_all(unsent)).first() is None

    def edits(self, message: Message) -> list[Call]:
        return [
            call
            for call in self.playground.calls_of("editMessageText", chat=message.chat)
            if str(call.parameters["message_id"]) == str(message.id)
        ]

    def sent(self, chat: Chat) -> list[Call]:
        return self.playground.calls_of("sendMessage", chat=chat)


def compare_results(engine: Engine, games: Iterable[Game], figures: Figures) -> None:
    """Note how many results these games have, and how many of them are stored too seldom or too often."""
    counted = [result for game in games for result in results_of(game, 0) if not is_erased(result.person)]
    ended = Counter((result.person, result.outcome) for result in counted)
    with engine.connect() as connection:
        rows = connection.execute(select(RESULTS.c.person, RESULTS.c.outcome))
        stored = Counter((person, Ending(outcome)) for person, outcome in rows)
    figures.results_lost += (ended - stored).total()
    figures.results_doubled += (stored - ended).total()


SHORTEST_NAME: Final = 2
SHORTEST_TEXT: Final = 5
"""Characters; what is shorter, such as `1,1`, stands in any log for another reason."""


def told_of_people(playground: Playground, log: str) -> list[str]:
    """The names, ids and texts of people in a log; there must be none."""
    names = {name for name in _names(playground) if len(name) >= SHORTEST_NAME}
    own = f"@{playground.bot.username}"
    words = {text for text in _texts(playground) if len(text) >= SHORTEST_TEXT and text != own}
    return sorted(
        [name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", log)]
        + [text for text in words if text in log]
    )


def _names(playground: Playground) -> Iterator[str]:
    for person in playground.world.persons.values():
        yield from (name for name in (person.first_name, person.last_name, person.username) if name)
        yield str(person.id)


def _texts(playground: Playground) -> Iterator[str]:
    for chat in playground.world.chats.values():
        yield from (message.text for message in chat.messages.values() if not message.from_bot)
