"""Matchmaking and the computer's moves with two processes on one database: everything happens once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from random import Random

import pytest
from sqlalchemy import Connection, select, update

from bot.background.clock import take_due
from bot.features import matchmaking as pairing
from bot.game.attempt import FIRST_MOVE_SECONDS, Attempt, Player, TimeLimits, Where
from bot.game.deadlines import THINKING_SECONDS
from bot.game.gate import decide
from bot.game.matchmaking import NOT_PAIRED_SECONDS, has_not_begun, paired_from
from bot.game.new_game import Cancel, against_computer
from bot.game.new_game import wait as begin
from bot.game.play import Move
from engine import Mark
from storage.columns import DAY
from storage.errors import ConcurrentChange, Refused
from storage.games import boards, games
from storage.games.boards import Sent
from storage.games.game import Game
from storage.games.record import Place, Record
from storage.games.versions import Stored
from storage.people import chats, matchmaking, people
from storage.people.person import Person
from storage.privacy import erasure
from storage.results import results
from storage.schema import BOARDS, GAMES, RATINGS
from storage.store import Store
from tests.bot.games import game_of_two
from tests.soak import SOAK
from tests.two.conftest import Stores

LIMITS = TimeLimits()
NOW = 1_795_000_000
TURNS = 30 if SOAK else 2


def wait(
    connection: Connection, *, person: int, now: int = NOW, rules: str = "3x3x3", any_rules: bool = False
) -> Record | None:
    chats.load_or_add(connection, person)
    found = matchmaking.find(connection, person)
    if found.waiting is not None or found.playing:
        return None
    people.see(connection, Person(person, f"P{person}"))
    attempt = Attempt(Player(person, f"P{person}"), Where(person), now, Random(1), LIMITS)
    new = begin(attempt, rules=rules, any_rules=any_rules, told=None)
    since = paired_from(matchmaking.missed(connection, [person], now - DAY).get(person, ()))
    new = new._replace(created_at=max(now, since))
    waiting = boards.add(connection, new, [Place(person, viewer=person)])
    boards.settle(connection, [Sent(board, message_id=board.id) for board in waiting.boards])
    return games.load(connection, waiting.game.id)


async def leave(store: Store, person: int) -> bool:
    """Let somebody leave; False if they don't wait any more."""
    if (waiting := await store.run(partial(matchmaking.waiting_of, person=person))) is None:
        return False
    attempt = Attempt(Player(person, f"P{person}"), Where(person), NOW, Random(1), LIMITS)
    try:
        await store.change(waiting.game.id, partial(decide, action=Cancel(), attempt=attempt))
    except Refused:  # they were paired in between
        return False
    return True


def meet(now: int = NOW) -> partial[Sequence[Stored]]:
    return partial(pairing.meet, rng=Random(1), limits=LIMITS, now=now)


def everything(connection: Connection) -> tuple[list[Game], list[Record]]:
    """All running games and waits, oldest first."""
    running = select(GAMES.c.id).where(GAMES.c.termination.is_(None)).order_by(GAMES.c.id)
    records = [games.load(connection, game_id) for game_id in connection.execute(running).scalars().all()]
    played = [record.game for record in records if not record.game.is_wait]
    return played, [record for record in records if record.game.is_wait]


async def judged(store: Store) -> tuple[list[Game], list[Record]]:
    """The running games and waits; checks that nobody has two, or plays themselves."""
    played, waits = await store.run(everything)
    assert len(places(played, waits)) == len(set(places(played, waits))), "each once"
    return played, waits


def places(played: Sequence[Game], waits: Sequence[Record]) -> list[int | None]:
    return [
        *(seat for game in played for seat in (game.x.seat, game.o.seat)),
        *(waiting.game.x.seat for waiting in waits),
    ]


async def together(
    stores: Sequence[Store], rng: Random, *steps: Callable[[Store], Awaitable[object]]
) -> list[object]:
    """Do all of this simultaneously in two processes; a step may be refused because of another one."""
    order = rng.sample(range(len(steps)), len(steps))
    done = await asyncio.gather(
        *(steps[each](stores[number % 2]) for number, each in enumerate(order)), return_exceptions=True
    )
    assert {type(each) for each in done if isinstance(each, BaseException)} <= {ConcurrentChange}, done
    return [
        None if isinstance(done[place], BaseException) else done[place]
        for place in map(order.index, range(len(steps)))
    ]


def run(work: Callable[[Connection], object]) -> Callable[[Store], Awaitable[object]]:
    """A step that is one transaction."""
    return lambda store: store.run(work)


async def test_in_whatever_order_people_come_leave_and_are_paired_each_is_in_one_place(stores: Stores) -> None:
    for turn in range(TURNS):
        rng = Random(turn)
        people = range(1 + 13 * turn, 14 + 13 * turn)
        coming = [run(partial(wait, person=person)) for person in people]
        await together(stores, rng, *coming, *coming, *coming, *[run(meet())] * 3)
        assert set(places(*await judged(stores[0]))) >= set(people), "who has come waits or plays"
        going = [partial(leave, person=person) for person in people[:5]]
        gone = await together(stores, rng, *going, *[run(meet())] * 6)
        left = {person for person, ended in zip(people[:5], gone[:5], strict=True) if ended}
        there = set(places(*await judged(stores[0])))
        assert there & set(people) == set(people) - left, "who has left is nowhere, and nobody else is lost"
        await stores[0].run(meet())
        played, waits = await judged(stores[0])
        for waiting in waits:
            assert await leave(stores[1], waiting.game.x.seat or 0)
        assert len(waits) == (len(people) - len(left)) % 2, "nobody waits while somebody else does"
    assert all(game.is_between_strangers and not game.is_over for game in played)
    noted = await stores[0].run(partial(matchmaking.met_since, people=range(1, people.stop), since=NOW))
    assert {frozenset({game.x.seat, game.o.seat}) for game in played} == {
        frozenset({person, *others}) for person, others in noted.items()
    }


async def test_a_rating_is_shown_when_two_meet_unless_hidden(stores: Stores) -> None:
    store, _ = stores

    def rate(connection: Connection) -> None:
        sure = {"deviation": 80, "volatility": 0.03, "day": 1, "games": 9, "opponents": 5, "settled_until": 2}
        for person, rating, settled in ((1, 1612.4, 1), (2, 1580.0, 0)):
            row = {"family": "", "person": person, "settled": settled, "rating": rating, **sure}
            connection.execute(RATINGS.insert().values(row))
        results.hide(connection, Person(3, "P3"))

    await store.run(rate)
    for person in (1, 2, 3, 4):
        await store.run(partial(wait, person=person, now=NOW - 60))
    await store.run(meet())
    played, _ = await judged(store)
    shown = {game.seat(mark): game.side(mark).rating for game in played for mark in Mark}
    assert shown == {1: "1612", 2: "1580?", 3: None, 4: "1500?"}


async def test_somebody_who_did_not_turn_up_is_left_once_and_the_opponent_gets_their_place_back(
    stores: Stores,
) -> None:
    await stores[0].run(partial(wait, person=1, now=NOW - 50))
    await stores[0].run(partial(wait, person=2, now=NOW - 7))
    await stores[0].run(meet())
    ((game,), _) = await judged(stores[0])
    assert has_not_begun(game)
    away, here = game.seat(game.turn) or 0, game.seat(game.turn.other) or 0
    part = partial(pairing.leave_behind, game_id=game.id, gone=None, limits=LIMITS)
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
    played, (again,) = await judged(stores[0])
    assert not played
    assert (again.game.x.seat, again.game.created_at) == (here, {1: NOW - 50, 2: NOW - 7}[here])
    assert {board.viewer for board in again.boards} == {here}
    old = await stores[0].run(partial(games.load, game_id=game.id))
    assert {board.viewer for board in old.boards} == {away}
    assert old.game.winner is None, "nobody has lost"


async def left_by(store: Store, person: int, now: int, *, is_shown: bool = True) -> None:
    """Pair everybody at a time; this person doesn't turn up for their game, whoever is to move."""
    await store.run(meet(now))
    ((game,), _) = await judged(store)
    if (mover := game.seat(game.turn) or 0) != person:
        here = Attempt(Player(mover, "P"), Where(mover), now, Random(1), LIMITS)
        game = (await store.change(game.id, partial(decide, action=Move(0, 4), attempt=here))).record.game
    late = now + FIRST_MOVE_SECONDS

    def due(connection: Connection) -> None:
        if is_shown:
            connection.execute(update(BOARDS).values(shown_at=now))
        connection.execute(update(GAMES).where(GAMES.c.id == game.id).values(reminded=game.ply, due_at=late))

    await store.run(due)
    leave = partial(pairing.leave_behind, game_id=game.id, gone=None, limits=LIMITS, now=late)
    assert await store.run(leave)


@pytest.mark.parametrize("is_shown", [True, False])
async def test_whoever_did_not_turn_up_is_paired_later_and_not_a_third_time_with_the_same_person(
    stores: Stores, *, is_shown: bool
) -> None:
    """Whoever waited for them isn't kept from anybody, nor is somebody whom Telegram hasn't shown the game."""
    store, now = stores[0], NOW
    for person in (1, 2):
        await store.run(partial(wait, person=person, now=now - 60))
    for pause in NOT_PAIRED_SECONDS[:2] if is_shown else (0, 0):
        await left_by(store, 1, now, is_shown=is_shown)
        now += FIRST_MOVE_SECONDS
        await store.run(partial(wait, person=1, now=now + 10))
        assert not pause or not await store.run(meet(now + pause - 1))
        now += max(pause, 10) + 90
    assert bool(await store.run(meet(now))) is not is_shown, "not with the same person"
    if not is_shown:
        return
    await store.run(partial(wait, person=3, now=now))
    await leave(store, 2)
    await left_by(store, 1, now)
    now += FIRST_MOVE_SECONDS
    await store.run(partial(wait, person=1, now=now))
    assert not await store.run(meet(now + NOT_PAIRED_SECONDS[2] - 1))
    assert await store.run(meet(now + NOT_PAIRED_SECONDS[2]))
    missed = await store.run(partial(matchmaking.missed, people=[1, 2, 3], since=now - DAY))
    found = {person: sorted(opponent for _at, opponent in games_) for person, games_ in missed.items()}
    assert found == {1: [2, 2, 3]}


async def test_a_move_at_the_last_moment_counts_as_turning_up(stores: Stores) -> None:
    one, other = stores
    for person in (1, 2):
        await one.run(partial(wait, person=person))
    await one.run(meet())
    ((game,), _) = await judged(one)
    mover = game.seat(game.turn) or 0
    attempt = Attempt(Player(mover, "P"), Where(mover), NOW + FIRST_MOVE_SECONDS, Random(1), LIMITS)
    moved, parted = await asyncio.gather(
        one.change(game.id, partial(decide, action=Move(0, 4), attempt=attempt)),
        other.run(
            partial(pairing.leave_behind, game_id=game.id, gone=mover, limits=LIMITS, now=NOW + FIRST_MOVE_SECONDS)
        ),
        return_exceptions=True,
    )
    played, waits = await judged(one)
    if isinstance(parted, BaseException) or not parted:
        assert [left.moves for left in played] == ["4"]
    else:
        assert (len(played), len(waits)) == (0, 1)
        assert not isinstance(moved, BaseException) or isinstance(moved, Refused)


@pytest.mark.parametrize(("first", "second"), [(True, False), (False, True), (True, True)])
async def test_any_board_is_whatever_the_other_wants(stores: Stores, *, first: bool, second: bool) -> None:
    store, _ = stores
    await store.run(partial(wait, person=1, now=NOW - 1, rules="5x5x4", any_rules=first))
    await store.run(partial(wait, person=2, rules="ultimate", any_rules=second))
    await store.run(meet())
    ((game,), waits) = await judged(store)
    assert game.rules == ("ultimate" if first and not second else "5x5x4")
    assert not waits
    # Whoever is left alone waits for what they wanted.
    await store.run(partial(pairing.leave_behind, game_id=game.id, gone=2, limits=LIMITS, now=NOW))
    ((), (again,)) = await judged(store)
    assert (again.game.x.seat, again.game.any_rules) == (1, first)


async def test_somebody_being_forgotten_is_paired_with_nobody(stores: Stores) -> None:
    """It takes a moment until their wait ends; an opponent paired with them would lose their own place."""
    one, other = stores
    await one.run(partial(wait, person=1))
    await one.run(partial(erasure.begin_quietly, person=1, now=NOW))
    await other.run(partial(wait, person=2))
    assert not await other.run(meet())
    await one.run(erasure.step)
    await one.run(partial(wait, person=3))
    assert await other.run(meet())
    ((game,), _) = await judged(one)
    assert {game.x.seat, game.o.seat} == {2, 3}


# The computer's moves.


async def waiting(store: Store) -> Record:
    """A person's stored game on a board where the computer needs time; it has been its turn since 0."""
    ann, group = Player(1, "Ann"), Place(-1)
    await store.run(partial(chats.choose, chat_id=-1, choices={}))
    attempt = Attempt(ann, Where(-1), 0, Random(1), LIMITS)
    game = against_computer(attempt, first=True, level="hard", rules="5x5x4")
    record = await store.run(partial(boards.add, game=game, places=[group]))
    moved = await store.change(record.game.id, partial(decide, action=Move(0, 0), attempt=attempt))
    assert moved.record.game.due_at == THINKING_SECONDS
    return moved.record


async def test_a_game_that_waits_for_the_computer_is_taken_up_by_one_process_and_again_later(
    stores: Stores,
) -> None:
    game_id = (await waiting(stores[0])).game.id
    for now in (THINKING_SECONDS, 2 * THINKING_SECONDS):
        due = partial(take_due, now=now, limits=LIMITS, held=())
        found = await asyncio.gather(*(stores[number % 2].run(due) for number in range(6)))
        taken = [game.id for _, games_ in found for game in games_]
        assert taken == [game_id]
        assert not any(late for late, _ in found)


async def test_a_game_that_cannot_be_read_holds_up_no_deadline_of_another(stores: Stores) -> None:
    store, group = stores[0], Place(-1)
    await store.run(partial(chats.choose, chat_id=-1, choices={}))
    for moves in ("!", "40"):
        game = game_of_two("40", moved_at=1, due_at=1, chat_id=-1)._replace(moves=moves)
        await store.run(partial(boards.add, game=game, places=[group]))
    await store.run(lambda connection: connection.execute(update(BOARDS).values(shown=1, shown_at=1)))
    late, _ = await store.run(partial(take_due, now=10 * DAY, limits=LIMITS, held=()))
    assert sorted(game.moves for game in late) == ["!", "40"]


async def test_no_other_process_takes_up_a_long_search(stores: Stores) -> None:
    one, other = stores
    game_id = (await waiting(one)).game.id
    for now in range(THINKING_SECONDS - 2, 5 * THINKING_SECONDS, 5):
        assert await one.run(partial(take_due, now=now, limits=LIMITS, held=[game_id])) == ([], [])
        assert await other.run(partial(take_due, now=now + 4, limits=LIMITS, held=())) == ([], [])
