"""Games to store, and the ways to store and read them in one line."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from storage import chats, games
from storage.game import COMPUTER, Game

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from storage.store import Store

ANN = 4_503_599_627_370_495
"""The largest id that Telegram may give a person: 52 bits."""

HOME = ANN
"""Ann's private chat has her id."""

GROUP = -1_002_147_483_648
"""A supergroup."""

NEW = Game(
    id=0,
    chat_id=HOME,
    thread_id=None,
    message_id=None,
    geometry="3x3x3",
    moves="",
    x_seat=ANN,
    o_seat=COMPUTER,
    x_name="Ann",
    o_name=None,
    level="medium",
    language="en",
    termination=None,
    winner=None,
    next_game=None,
    update_id=None,
    version=1,
    shown=0,
    created_at=int(time.time()),  # an older game is not found by its update any more
    changed_at=1_700_000_000,
    sweep_at=1_700_000_000,
)


def put(connection: Connection, **values: Any) -> Game:  # noqa: ANN401 - any field of a game
    """Store a game that is `NEW` but for `values`, and its chat."""
    game = replace(NEW, **values)
    if game.chat_id is not None:
        chats.choose(connection, game.chat_id, {})
    return games.add(connection, game)


async def add(store: Store, **values: Any) -> Game:  # noqa: ANN401 - any field of a game
    """Store a game that is `NEW` but for `values`, and its chat."""
    return await store.run(partial(put, **values))


async def read(store: Store, game_id: int) -> Game:
    """The game as it is stored."""
    return await store.run(partial(games.load, game_id=game_id))


def play(cell: str) -> partial[tuple[Game, None]]:
    """The change that adds a move, for moves that end no game."""
    return partial(_played, cell=cell)


def _played(game: Game, cell: str) -> tuple[Game, None]:
    return replace(game, moves=game.moves + cell), None
