"""Two processes with one database: whoever is first, everything happens once."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from bot.deadlines import Patience, Verdict
from bot.play import Board, Player, Refusal

from bot import acts, challenges, deadlines
from storage import chats, games, lookups
from storage.database import parse_url
from storage.migrate import migrate
from storage.store import Store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from storage.game import Game

ANN, PEOPLE = Player(1, "Ann"), [Player(number, f"P{number}") for number in range(2, 10)]
PATIENCE = Patience(challenge=100, move=400, computer=1000)


@asynccontextmanager
async def two_stores(url: str) -> AsyncIterator[tuple[Store, Store]]:
    """The database as two processes open it."""
    migrate(parse_url(url))
    one, other = Store(parse_url(url)), Store(parse_url(url))
    try:
        yield one, other
    finally:
        await one.close()
        await other.close()


async def challenged(store: Store) -> Game:
    """Ann's stored challenge."""
    await store.run(partial(chats.choose, chat_id=-1, choices={}))
    game = challenges.challenge(
        ANN, first=True, board=Board(-1), language="en", now=0, due_at=100, token="t" * 22, update_id=1
    )
    return await store.run(partial(games.add, game=game))


async def test_of_many_who_accept_in_both_processes_one_gets_the_seat(database_url: str) -> None:
    async with two_stores(database_url) as stores:
        game = await challenged(stores[0])
        found = await asyncio.gather(
            *(
                stores[number % 2].change(game.id, partial(challenges.accept, player=person, now=1, due_at=300))
                for number, person in enumerate(PEOPLE)
            )
        )
        assert [refusal for _, refusal in found].count(None) == 1
        assert {refusal for _, refusal in found} == {None, Refusal.NOT_OPEN}
        stored = await stores[1].run(partial(games.load, game_id=game.id))
        (taken,) = [changed for changed, refusal in found if refusal is None]
        assert (stored.x_seat, stored.o_seat) == (taken.x_seat, taken.o_seat)


async def test_a_deadline_comes_true_in_one_process(database_url: str) -> None:
    async with two_stores(database_url) as stores:
        game = await challenged(stores[0])
        accept = partial(challenges.accept, player=PEOPLE[0], now=0, due_at=PATIENCE.reminder)
        await stores[0].change(game.id, accept)
        for now, verdict in ((PATIENCE.reminder, Verdict.REMIND), (400, Verdict.END)):
            for store in stores:
                (late,) = await store.run(partial(lookups.due, now=now, limit=10))
                assert late.id == game.id
            look = partial(deadlines.look, now=now, patience=PATIENCE)
            found = await asyncio.gather(*(stores[n % 2].change(game.id, look) for n in range(6)))
            assert [seen for _, seen in found].count(verdict) == 1
            assert {seen for _, seen in found} == {verdict, Verdict.WAIT}
        assert not await stores[1].run(partial(lookups.due, now=10_000, limit=10))


async def test_a_resignation_and_a_takeback_do_not_both_wait(database_url: str) -> None:
    async with two_stores(database_url) as stores:
        game = await challenged(stores[0])
        await stores[0].change(game.id, partial(challenges.accept, player=PEOPLE[0], now=0, due_at=300))
        await stores[0].change(game.id, played)
        asked, resigned = await asyncio.gather(
            stores[0].change(game.id, partial(acts.undo, person=ANN.id, ply=1, allowed=True, now=2)),
            stores[1].change(game.id, partial(acts.resign, person=PEOPLE[0].id, ply=1)),
        )
        assert {asked[1], resigned[1]} == {None, Refusal.ASKED}


def played(game: Game) -> tuple[Game, None]:
    """The game after Ann's first move."""
    return replace(game, moves="4"), None
