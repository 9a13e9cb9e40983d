"""Games and boards to store, and the ways to store and read them in one line."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, update

from engine import Mark
from storage.games import boards, games
from storage.games.changes import ChangeRequest, change_games
from storage.games.game import COMPUTER, Game, GameKind, Side, Termination
from storage.games.record import Board, Changed, Decision, Notice, NoticeKind, Place, Record
from storage.people import chats, people
from storage.people.person import Person
from storage.schema import BOARDS
from storage.store import Store

ANN = 4_503_599_627_370_495
"""The largest id that Telegram may give a person: 52 bits."""

BOB = 7

HOME = Place(chat_id=ANN, viewer=ANN, language="en")
"""Ann's private chat, which has her id."""

BOBS = Place(chat_id=BOB, viewer=BOB, language="zh-hans")

GROUP = -1_002_147_483_648

HALL = Place(chat_id=GROUP, thread_id=3)

INLINE = Place(inline_message_id="AgAAAKw4AQ")

LINK = "b7fZ3Qw0kX9cPqLm4TnR1A"

LONG_AGO = 1_700_000_000

NEW = Game(
    id=0,
    chat_id=ANN,
    rules="3x3x3",
    x=Side(ANN),
    kind=GameKind.SOLO,
    o=Side(COMPUTER, "medium"),
    created_at=int(time.time()),  # older games can't be found by their update any more
    changed_at=LONG_AGO,
    moved_at=LONG_AGO,
    names={ANN: "Ann"},
)


NOTICE = Notice(0, NoticeKind.BEATEN, 0, ply=0, chat_id=GROUP, thread_id=None, language=None, look_at=0)
"""A notice to store, once it has its game."""


def kind_of(game: Game) -> GameKind:
    seats = (game.x.seat, game.o.seat)
    if None in seats:
        return GameKind.CHALLENGE
    if COMPUTER in seats:
        return GameKind.EXHIBITION if seats == (COMPUTER, COMPUTER) else GameKind.SOLO
    return GameKind.PAIR


def put(connection: Connection, *places: Place, **values: Any) -> Record:  # noqa: ANN401 - any field of a game
    """Store a game like `NEW` except for `values`, with a board in each place, its chat, and the names in it."""
    game = NEW._replace(**values)
    game = game._replace(kind=values.get("kind", kind_of(game)))
    for person, name in game.names.items():
        people.introduce(connection, Person(person, name))
    if game.chat_id is not None:
        chats.load_or_add(connection, game.chat_id)
    return boards.add(connection, game, places)


def become(connection: Connection, board: Board, **values: Any) -> Board:  # noqa: ANN401 - any field of a board
    """Write a board's columns directly."""
    if values:
        connection.execute(update(BOARDS).where(BOARDS.c.id == board.id).values(values))
    return board._replace(**values)


def put_board(connection: Connection, place: Place = HOME, **values: Any) -> Board:  # noqa: ANN401 - as above
    """Store a game with one board in this state; `values` are the board's."""
    (board,) = put(connection, place, chat_id=place.chat_id).boards
    return become(connection, board, **values)


def settle(connection: Connection, board: Board, message_id: int, *, is_new: bool = True) -> bool:
    (settled,) = boards.settle(connection, [boards.Sent(board, message_id, is_new)])
    return settled


def pass_on(connection: Connection, record: Record, following: Game) -> tuple[Record, Record]:
    """Start the next game of a finished one; returns both."""
    (passed,) = boards.pass_on(connection, [(record, following)])
    return passed


async def add(store: Store, *places: Place, **values: Any) -> Record:  # noqa: ANN401 - any field of a game
    return await store.run(lambda connection: put(connection, *places, **values))


async def read(store: Store, game_id: int) -> Record:
    return await store.run(partial(games.load, game_id=game_id))


TWO: dict[str, Any] = {"o": Side(BOB), "names": {ANN: "Ann", BOB: "Bob"}}

X_WINS = "03142"
DRAWN = "012435768"
WON: dict[str, Any] = {"moves": X_WINS, "termination": Termination.LINE, "winner": Mark.X}


def ending(game_id: int, **end: Any) -> ChangeRequest:  # noqa: ANN401 - any field of a game
    """The change that ends a game, with a line of X unless `end` says otherwise."""
    return ChangeRequest(game_id, lambda found: Decision(found.game._replace(**{**WON, **end})))


def change(connection: Connection, *requests: ChangeRequest) -> Sequence[Changed]:
    """Change games in one batch; all of it must succeed."""
    done = []
    for changed in change_games(connection, requests):
        if isinstance(changed, Exception):
            raise changed
        done.append(changed)
    return done


def finish(connection: Connection, game_id: int, **end: Any) -> Game:  # noqa: ANN401 - as above
    """End a game; returns it as its boards show it."""
    return change(connection, ending(game_id, **end))[0].record.game


def nearly(connection: Connection, /, **values: Any) -> int:  # noqa: ANN401 - as above
    """Store a game like `NEW` except for `values`, shortly before its end; its id."""
    return put(connection, HOME, **{"moves": X_WINS[:-1], **values}).game.id


def finished(connection: Connection, /, before: dict[str, Any] | None = None, **end: Any) -> Game:  # noqa: ANN401 - as above
    """Store a game like `NEW` except for `before`, and end it."""
    return finish(connection, nearly(connection, **(before or {})), **end)


def play(cell: str) -> Callable[[Record], Decision]:
    """The change that adds a move, for moves that end no game."""
    return lambda record: Decision(record.game._replace(moves=record.game.moves + cell))
