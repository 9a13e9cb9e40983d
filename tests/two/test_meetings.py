"""The queue with two processes on one database: nobody waits twice, or plays two, or themselves."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from bot.game import queue as rules_of_queue
from bot.game.acts import Act, Player, Wish
from bot.game.gate import Where
from bot.game.machine import decide
from bot.game.queue import Terms, has_not_begun, plays, waits
from bot.game.time_limits import FIRST_MOVE_SECONDS, TimeLimits
from bot.handlers import meetings
from storage import boards, chats, erasure, games, queue
from storage.board import Place
from storage.errors import ConcurrentChange
from storage.schema import GAMES, STANDINGS
from tests.two.test_two_processes import two_stores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from storage.game import Game
    from storage.record import Record
    from storage.store import Store
    from storage.versions import Raised

LIMITS = TimeLimits()
NOW = 1_795_000_000


def wait(
    connection: Connection, *, person: int, now: int = NOW, rules: str = "3x3x3", any_rules: bool = False
) -> Record | None:
    """Let somebody wait as /play does, unless they wait or play already."""
    chats.choose(connection, person, {})
    found = queue.find(connection, person)
    if found.waiting is not None or found.playing:
        return None
    game = rules_of_queue.waiting(
        Player(person, f"P{person}"),
        rules=rules,
        terms=Terms(any_rules=any_rules),
        now=now,
        limits=LIMITS,
        secret=secrets.token_urlsafe(12),
    )
    return boards.add(connection, game, [Place(person, viewer=person)])


def meet(now: int = NOW) -> partial[Sequence[Raised]]:
    """A look at the queue."""
    return partial(meetings.meet, rng=Random(1), limits=LIMITS, now=now)


def everything(connection: Connection) -> list[Game]:
    """All games, oldest first."""
    ids = connection.execute(select(GAMES.c.id).order_by(GAMES.c.id)).scalars().all()
    return [games.load(connection, game_id).game for game_id in ids]


async def judged(store: Store, people: int) -> list[Game]:
    """The running games, once it is clear that nobody has two of them, waits in two, or plays themselves."""
    found = [game for game in await store.run(everything) if not game.is_over]
    seats = [seat for game in found for seat in (game.x_seat, game.o_seat) if seat is not None]
    assert len(seats) == len(set(seats)), "each once"
    assert len(set(seats)) <= people
    return found


async def leave(store: Store, person: int) -> bool:
    """Let somebody leave as the button does; whether they have."""
    game_id = await store.run(partial(queue.waiting_of, person=person))
    if game_id is None:
        return False
    wish = Wish(Act.CANCEL, Player(person, f"P{person}"), Where(person), NOW, Random(1), LIMITS)
    ruling = (await store.change(game_id, partial(decide, wish=wish))).result
    return ruling is not None and ruling.refusal is None


async def test_who_comes_in_both_processes_at_once_waits_once(database_url: str) -> None:
    async with two_stores(database_url) as stores:
        for person in range(1, 9):
            come = partial(wait, person=person)
            await asyncio.gather(*(stores[number % 2].run(come) for number in range(6)))
        found = await judged(stores[0], 8)
        assert [game.x_seat for game in found] == list(range(1, 9))
        assert all(map(waits, found))


async def test_processes_that_pair_at_once_pair_nobody_twice(database_url: str) -> None:
    async with two_stores(database_url) as stores:
        for person in range(1, 21):
            await stores[person % 2].run(partial(wait, person=person))
        done = await asyncio.gather(
            *(stores[number % 2].run(meet()) for number in range(12)), return_exceptions=True
        )
        assert {type(each) for each in done if isinstance(each, BaseException)} <= {ConcurrentChange}, done
        await stores[0].run(meet())
        found = await judged(stores[0], 20)
        assert len(found) == 10
        assert all(map(plays, found))
        noted = await stores[0].run(partial(queue.met_since, people=range(1, 21), since=NOW))
        assert {frozenset({game.x_seat, game.o_seat}) for game in found} == {
            frozenset({person, *others}) for person, others in noted.items()
        }


async def test_coming_leaving_and_pairing_in_any_order_leave_each_person_in_one_place(database_url: str) -> None:
    async with two_stores(database_url) as stores:
        left: set[int] = set()
        for turn in range(30):
            rng = Random(turn)

            async def come(person: int, store: Store) -> None:
                await store.run(partial(wait, person=person))

            async def go(person: int, store: Store) -> None:
                if await leave(store, person):
                    left.add(person)

            async def pair(_: int, store: Store) -> None:
                with suppress(ConcurrentChange):
                    await store.run(meet())

            steps = [rng.choice((come, come, go, pair)) for _ in range(16)]
            people = range(1 + 12 * turn, 13 + 12 * turn)  # who has met plays on, and would do nothing more here
            for waits_before in people[:4]:
                await come(waits_before, stores[turn % 2])
            await asyncio.gather(
                *(step(rng.choice(people), stores[number % 2]) for number, step in enumerate(steps))
            )
            await judged(stores[0], people.stop)
        assert left, "somebody has left"
        assert any(map(plays, await judged(stores[0], 12 * 30))), "somebody has met"


async def test_who_leaves_while_they_are_paired_has_left_or_plays(database_url: str) -> None:
    async with two_stores(database_url) as (one, other):
        for turn in range(10):
            ann, bo = 100 + 2 * turn, 101 + 2 * turn
            for person in (ann, bo):
                await one.run(partial(wait, person=person))
            gone, raised = await asyncio.gather(leave(one, bo), other.run(meet()), return_exceptions=True)
            found = [game for game in await judged(one, 1000) if {game.x_seat, game.o_seat} & {ann, bo}]
            if gone is True:
                assert [game.x_seat for game in found] == [ann]
                assert await leave(one, ann)
            else:
                assert isinstance(raised, list)
                (game,) = found
                assert plays(game)


async def test_a_rating_comes_along_and_is_not_told_of_who_hides(database_url: str) -> None:
    async with two_stores(database_url) as (store, _):

        def rate(connection: Connection) -> None:
            for person, rating, settled in ((1, 1612.4, 1), (2, 1580.0, 0)):
                connection.execute(
                    STANDINGS.insert().values(
                        family="classic",
                        person=person,
                        hidden=0,
                        settled=settled,
                        rating=rating,
                        day=1,
                        settled_until=2,
                    )
                )
            chats.hide(connection, chats.Person(3, "P3"), hidden=True)

        await store.run(rate)
        for person in (1, 2, 3, 4):
            await store.run(partial(wait, person=person, now=NOW - 60))
        await store.run(meet())
        shown = {}
        for game in await judged(store, 4):
            for mark in type(game.turn):
                shown[game.seat(mark)] = rules_of_queue.rating_of(game, mark)
        assert shown == {1: "1612", 2: "1580?", 3: None, 4: "1500?"}


async def test_who_has_not_come_is_left_once_and_the_other_has_their_place_again(database_url: str) -> None:
    async with two_stores(database_url) as stores:
        await stores[0].run(partial(wait, person=1, now=NOW - 50))
        await stores[0].run(partial(wait, person=2, now=NOW - 7))
        await stores[0].run(meet())
        (game,) = await judged(stores[0], 2)
        assert has_not_begun(game)
        away, here = game.seat(game.turn) or 0, game.seat(game.turn.other) or 0
        part = partial(meetings.leave_behind, game_id=game.id, gone=None, limits=LIMITS)
        assert not await stores[1].run(partial(part, now=NOW + FIRST_MOVE_SECONDS - 1)), "there is time yet"
        late = NOW + FIRST_MOVE_SECONDS

        def reminded(connection: Connection) -> None:
            record = games.load(connection, game.id)
            changed = games.next_version(record.game._replace(reminded=0, due_at=late), NOW)
            games.save_many(connection, [(changed, record.game)])

        await stores[0].run(reminded)
        done = await asyncio.gather(
            *(stores[number % 2].run(partial(part, now=late)) for number in range(6)), return_exceptions=True
        )
        assert [bool(each) for each in done if not isinstance(each, BaseException)].count(True) == 1
        (again,) = await judged(stores[0], 2)
        assert waits(again)
        assert again.x_seat == here
        assert again.created_at == {1: NOW - 50, 2: NOW - 7}[here]
        assert await stores[0].run(partial(queue.waiting_of, person=away)) is None
        theirs = (await stores[0].run(partial(games.load, game_id=again.id))).boards
        assert {board.viewer for board in theirs} == {here}
        old = await stores[0].run(partial(games.load, game_id=game.id))
        assert {board.viewer for board in old.boards} == {away}
        assert old.game.winner is None, "nobody has lost"


async def test_who_moves_at_the_last_moment_has_come(database_url: str) -> None:
    async with two_stores(database_url) as (one, other):
        for person in (1, 2):
            await one.run(partial(wait, person=person))
        await one.run(meet())
        (game,) = await judged(one, 2)
        mover = game.seat(game.turn) or 0
        wish = Wish(
            Act.MOVE, Player(mover, "P"), Where(mover), NOW + FIRST_MOVE_SECONDS, Random(1), LIMITS, ply=0, cell=4
        )
        moved, parted = await asyncio.gather(
            one.change(game.id, partial(decide, wish=wish)),
            other.run(
                partial(
                    meetings.leave_behind, game_id=game.id, gone=mover, limits=LIMITS, now=NOW + FIRST_MOVE_SECONDS
                )
            ),
            return_exceptions=True,
        )
        (left,) = await judged(one, 2)
        if isinstance(parted, BaseException) or not parted:
            assert left.moves == "4"
        else:
            assert waits(left)
            assert not isinstance(moved, BaseException)


@pytest.mark.parametrize(("first", "second"), [(True, False), (False, True), (True, True)])
async def test_any_board_is_whatever_the_other_wants(database_url: str, *, first: bool, second: bool) -> None:
    async with two_stores(database_url) as (store, _):
        await store.run(partial(wait, person=1, now=NOW - 1, rules="5x5x4", any_rules=first))
        await store.run(partial(wait, person=2, rules="ultimate", any_rules=second))
        await store.run(meet())
        (game,) = await judged(store, 2)
        assert game.rules == ("ultimate" if first and not second else "5x5x4")
        assert not rules_of_queue.waits(game)


async def test_who_is_being_forgotten_is_paired_with_nobody(database_url: str) -> None:
    """It takes a moment until their wait is ended; whoever met them would have lost their own place by it."""
    async with two_stores(database_url) as (one, other):
        await one.run(partial(wait, person=1))
        await one.run(partial(erasure.begin, person=1, entry=None, now=NOW))
        await other.run(partial(wait, person=2))
        assert not await other.run(meet())
        await one.run(partial(erasure.step, now=NOW))
        await one.run(partial(wait, person=3))
        assert await other.run(meet())
        (game,) = await judged(one, 2)
        assert {game.x_seat, game.o_seat} == {2, 3}
