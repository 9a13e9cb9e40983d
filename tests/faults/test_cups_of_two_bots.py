"""Random cups by two bots on one database, which are killed again and again: right, and announced once."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from typing import Final

import pytest
from sqlalchemy import Connection, text

from bot.boards import buttons
from bot.boards.buttons import OnGame
from bot.game.cups import FEWEST_IN, longest_round, rankings
from bot.game.play import Move
from playground import Playground
from playground.groups import Group
from playground.people import Person
from storage.columns import DAY
from storage.games.game import DRAWN, Limits, Termination
from storage.people import cups
from storage.people.person import CupResult, CupStage, CupState
from tests.bots import Bot
from tests.flights import SEND
from tests.soak import SOAK
from tests.world import World, world

CUPS: Final = 30 if SOAK else 2
WILD_CUPS: Final = 20 if SOAK else 1
WILD_TURNS: Final = 50
WILD: Final = (
    *("leaves", "is removed", "comes back", "comes back", "kicked", "restricted", "member", "member", "deletes"),
    *("blocks", "/forget", "/cup join", "/cup leave", "/cup start", "/cup", "/cup 5x5", "/board"),
)
MOST_IN_TEST: Final = 8
TURNS: Final = 400
KILLED: Final = 0.15
BOTH_WAIT: Final = 2
MOST_ROUNDS: Final = 5
LATE_SECONDS: Final = 60
"""A round is over so soon after its time."""


async def replaced(rooms: World, bots: Sequence[Bot]) -> list[Bot]:
    """The bots, with new ones for those that were killed, to which Telegram brings again what wasn't handled.

    Of a killed one the server drops the connections, or after many kills it would take no more.
    """
    alive = []
    for each in bots:
        bot = await rooms.start() if each.dead else each
        if each.dead:
            await each.store.close()
            await rooms.brought_again(bot)
        alive.append(bot)
    return alive


def moves(rooms: World, people: Sequence[Person], rng: Random) -> Iterator[None]:
    """Whoever is to move in some running game does, on whichever board they see."""
    for record in rooms.records().values():
        game = record.game
        mover = next((each for each in people if each.id == game.seat(game.turn)), None)
        seen = [rooms.message_of(each) for each in record.boards if mover and each.viewer in (None, mover.id)]
        shown = [message for message in seen if message is not None and message.keyboard]
        if mover is None or game.is_over or not shown or rng.random() < KILLED:
            continue
        cell = rng.choice(game.position.legal_moves)
        if mover.id in shown[-1].chat.members:
            mover.press(shown[-1], buttons.write(OnGame(game.id, Move(game.ply, cell))))
            yield


def state_of(rooms: World, group: Group) -> CupState:
    with rooms.engine.connect() as connection:
        state = cups.newest(connection, group.id)
    assert state is not None
    return state


async def do_as_they_like(people: Sequence[Person], group: Group, rng: Random) -> None:
    """Somebody but the owner of the group does something, or it is done to them or to the bot."""
    person = rng.choice(people[1:])
    is_in = person.id in group.members
    match rng.choice(WILD):
        case "leaves" | "is removed" as how:
            if is_in:
                group.remove(person, by=people[0] if how == "is removed" else None)
        case "comes back":
            if not is_in:
                group.add(person)
        case "kicked" | "restricted" | "member" as standing:
            group.set_bot(standing)
        case "deletes":
            group.delete(rng.choice([each for each in group.messages.values() if each.from_bot]))
        case "blocks":
            person.block(on=rng.random() < 1 / 2)
        case "/forget":
            for words in ("/forget", "/forget yes"):
                await person.say(words)
        case words if is_in:
            await person.say(words, in_=group)


def take_messages_again(people: Sequence[Person], group: Group) -> None:
    group.set_bot("member")
    for person in [person for person in people if person.blocked_bot]:
        person.block(on=False)


async def held(
    rooms: World, rng: Random, *, turns: int = TURNS, wildly: bool = False
) -> tuple[CupState, Group, bool]:
    """A cup that is over, its group, and whether a bot was killed that had just sent something.

    Once they have had so many turns nobody does anything, and it ends by itself in its time.
    """
    bots = [await rooms.start(), await rooms.start()]
    count = rng.randint(FEWEST_IN, MOST_IN_TEST)
    people = [rooms.playground.add_person(f"P{number}", started=True) for number in range(count)]
    group = rooms.playground.add_group("The Cup", people)
    for words, sending in (("/cup", people[:1]), ("/cup join", people[1:]), ("/cup start", people[:1])):
        for person in sending:
            await person.say(words, in_=group)
            await rooms.given(bots[0])
        await rooms.quiet()
    may_be_twice = False
    for _ in range(turns):
        if wildly:
            await do_as_they_like(people, group, rng)
        if rng.random() < KILLED:
            victim = rng.choice(bots)
            victim.dies_at = len(victim.steps) + rng.randint(0, 8)
        for _moved in moves(rooms, people, rng):
            if alive := [each for each in rng.sample(bots, 2) if not each.dead]:
                await rooms.given(alive[0])
        await asyncio.gather(*(each.look() for each in bots if not each.dead))
        await rooms.quiet()
        may_be_twice |= any(each.dead and any(SEND in step for step in each.steps[-1:]) for each in bots)
        bots = await replaced(rooms, bots)
        await rng.choice(bots).sweep()  # as a round may begin whose boards no living bot has to show
        await rooms.skip(2)
        if state_of(rooms, group).cup.stage is CupStage.OVER:
            break
    for bot in bots:
        bot.dies_at = None
    await rooms.given(bots[0])
    await rooms.quiet()
    last = state_of(rooms, group)  # perhaps another one, which somebody has opened
    ends_by = rooms.clock.now() + DAY + MOST_ROUNDS * (longest_round(last) + LATE_SECONDS)
    while (cup := state_of(rooms, group).cup).stage is not CupStage.OVER:
        assert rooms.clock.now() < ends_by
        await rooms.skip(max(1, (cup.due_at or 0) - rooms.clock.now()))
        await asyncio.gather(*(each.look() for each in bots))
        await rooms.quiet()
    take_messages_again(people, group)
    await rooms.given(bots[0])
    await rooms.heal()
    return state_of(rooms, group), group, may_be_twice


def judge(rooms: World, state: CupState, group: Group, *, may_be_twice: bool) -> None:
    """Each game was begun once and is noted as it ended, everybody has their place, and it was said once."""
    assert state.cup.stage is CupStage.OVER
    games = {record.game.id: record.game for record in rooms.records().values()}
    assert {*games} == {each.game_id for each in state.games if each.game_id is not None}, "none was begun twice"
    for each in state.games:
        game = games.get(each.game_id or 0)
        if game is not None:
            draw = CupResult.DRAW if game.termination in DRAWN else CupResult.NOBODY
            assert each.result == (game.winner.lower() if game.winner else draw)
            assert each.plies == game.ply
            assert game.termination is not Termination.EXPIRED
    assert {line.player.number: line.place for line in rankings(state)} == {
        player.number: player.place for player in state.players
    }
    shown = [each.text for each in group.messages.values() if each.from_bot and not each.deleted]
    said = [each for each in shown if "the cup!" in each and not each.startswith("🏆 Cup")]
    assert 1 <= len(said) <= 1 + may_be_twice, shown
    assert rooms.sql("SELECT id FROM outbox") == []
    assert not rooms.wrong()


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", range(CUPS))
async def test_random_cups_by_two_bots_that_are_killed_come_to_one_right_end(seed: int, postgres_url: str) -> None:
    rng = Random(seed)
    async with Playground() as playground, world(playground, postgres_url) as rooms:
        state, group, may_be_twice = await held(rooms, rng)
        judge(rooms, state, group, may_be_twice=may_be_twice)


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", range(WILD_CUPS))
async def test_whatever_anybody_does_a_cup_ends_in_its_time_and_says_so(seed: int, postgres_url: str) -> None:
    async with Playground() as playground, world(playground, postgres_url) as rooms:
        _, group, may_be_twice = await held(rooms, Random(seed), turns=WILD_TURNS, wildly=True)
        assert not [game for game in rooms.games().values() if game.time_limits is Limits.CUP and not game.is_over]
        assert rooms.sql("SELECT id FROM outbox") == []
        shown = [each for each in group.messages.values() if each.from_bot and not each.deleted]
        buttons_of_it = [each.labels for each in shown if {"Join", "My game ↗"} & {*chain(*each.labels)}]
        assert len(buttons_of_it) <= may_be_twice, buttons_of_it
        seen = [board for board in rooms.wrong() if board.is_lagging or rooms.message_of(board) is not None]
        assert not seen, "but for deleted messages, of which nobody tells the bot, every board is right"


async def test_of_two_cups_that_begin_a_game_of_one_person_in_one_instant_one_waits(postgres_url: str) -> None:
    """Both have looked before either has stored its game, unless they take turns."""
    async with Playground() as playground, world(playground, postgres_url) as rooms:
        bots = [await rooms.start(), await rooms.start()]
        people = [playground.add_person(f"P{number}", started=True) for number in range(3)]
        groups = [playground.add_group(title, people) for title in ("One", "Other")]
        for group in groups:
            for person in people:
                await person.say("/cup" if person is people[0] else "/cup join", in_=group)
                await rooms.given(bots[0])
            await rooms.quiet()
        with rooms.engine.begin() as holding:
            holding.execute(text("LOCK TABLE games IN SHARE MODE"))  # it can be read
            for bot, group in zip(bots, groups, strict=True):
                await people[0].say("/cup start", in_=group)
                rooms.brought(bot)
            await both_wait(holding)
        await rooms.quiet()
        seats = [seat for each in rooms.records().values() for seat in (each.game.x.seat, each.game.o.seat)]
        assert len(seats) == len({*seats}) == 2, "nobody has two clocks"
        assert {state_of(rooms, group).cup.stage for group in groups} == {CupStage.RUNNING}


async def both_wait(connection: Connection) -> None:
    """Return once each of two processes has waited for a lock; neither does for long."""
    waiting = text(
        "SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database"
        " WHERE NOT granted AND datname = current_database()"
    )
    seen = set[int]()
    while len(seen) < BOTH_WAIT:
        seen |= set((await asyncio.to_thread(connection.execute, waiting)).scalars())
