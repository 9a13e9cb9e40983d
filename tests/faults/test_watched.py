"""A game that the computer plays against itself while others play in its chat, processes die and chats vanish.

Time is skipped.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator

import pytest

from playground import Playground
from playground.chats import Chat
from playground.flood import Published
from playground.people import Person
from storage.games.game import Termination
from storage.games.record import Record
from tests.bots import Bot
from tests.faults.test_busy_groups import STEP, limited, tap_somewhere
from tests.flights import EDIT, Point
from tests.soak import SOAK
from tests.world import World, world

pytestmark = pytest.mark.filterwarnings("ignore::telegram.warnings.PTBDeprecationWarning")  # about `retry_after`


@pytest.fixture
async def rooms(sqlite_url: str) -> AsyncIterator[World]:
    """A house with the usual pace, under the published limits."""
    async with Playground() as playground, world(playground, sqlite_url, EDITS_PER_MINUTE="") as rooms:
        playground.flood.enabled = True
        playground.flood.model = Published()
        yield rooms


@pytest.fixture
async def quick(postgres_url: str) -> AsyncIterator[World]:
    """A house without limits, for several processes."""
    async with Playground() as playground, world(playground, postgres_url) as rooms:
        yield rooms


async def wait(rooms: World, seconds: float, *bots: Bot) -> None:
    """Let time pass in small steps, as in real life, and check deadlines every second."""
    for step in range(round(seconds / STEP)):
        await rooms.skip(STEP)
        for bot in bots:
            await bot.fire()
            await bot.hold()
            if step % 2:
                await bot.look()


async def watching(rooms: World, bot: Bot, person: Person, words: str, chat: Chat) -> int:
    """Start a game that a person watches in a chat; returns its id."""
    await person.say(f"/watch {words}".strip(), in_=chat)
    await rooms.given(bot)
    return rooms.newest().game.id


def record_of(rooms: World, game_id: int) -> Record:
    """A game as it is stored."""
    return rooms.records()[game_id]


def going_on(bot: Bot) -> int:
    """How many games a bot makes the moves of."""
    return len(bot.services.exhibitions._timers)  # noqa: SLF001 - it shows nowhere else


async def test_a_players_board_does_not_wait_for_a_watched_game(rooms: World) -> None:
    """Whenever the player taps, the board is updated as soon as it would be without a watched game."""
    playground, chance = rooms.playground, random.Random(1)
    ann, cem = playground.people["ann"], playground.people["cem"]
    group = playground.groups["noughts"]
    bot = await rooms.start()
    await watching(rooms, bot, cem, "perfect perfect", group)
    late = 0
    for game in range(6 if SOAK else 2):
        await wait(rooms, 5 + 7 * game, bot)
        await ann.say("/newgame beginner me", in_=group)
        await rooms.given(bot)
        board = rooms.newest().boards[0]
        for _ in range(4):
            await wait(rooms, 4, bot)
            message = rooms.message_of(board)
            assert message is not None, "a new board comes at once"
            tap_somewhere(rooms, ann, message, chance)
            await rooms.given(bot)
            late += not _is_shown(rooms, board.game_id or 0)
        await _watch_again(rooms, bot, cem, group)
    assert late == 0
    _, refused = limited(playground.calls)
    assert refused == 0


async def test_in_a_group_it_is_as_fast_as_its_pace_allows_and_slower_while_others_play(rooms: World) -> None:
    cem = rooms.playground.people["cem"]
    bot = await rooms.start()
    game_id = await watching(rooms, bot, cem, "perfect perfect", rooms.playground.groups["noughts"])
    plies = []
    for _ in range(12):
        await wait(rooms, 5, bot)
        plies.append(record_of(rooms, game_id).game.ply)
    assert plies[0] >= 2, "a move every two seconds at first"
    assert plies[-1] == 9, plies
    await wait(rooms, 2, bot)
    assert not rooms.wrong()
    _, refused = limited(rooms.playground.calls)
    assert refused == 0


@pytest.mark.parametrize("dies", ["between two moves", "during a move"])
async def test_two_processes_make_each_move_once_and_go_on_for_each_other(quick: World, dies: str) -> None:
    group, ann = quick.playground.groups["noughts"], quick.playground.people["ann"]
    one, other = await quick.start(), await quick.start()
    game_id = await watching(quick, one, ann, "perfect perfect", group)
    if dies == "during a move":
        quick.hold(one, EDIT, Point.UNDER_WAY)
    await wait(quick, 5, one, other)
    before = record_of(quick, game_id).game
    assert before.ply >= (1 if dies == "during a move" else 2)
    assert (going_on(one), going_on(other)) == (1, 0), "the starter makes the moves"
    one.kill()
    await wait(quick, 40, other)
    quick.release()
    after = record_of(quick, game_id).game
    assert (after.ply, after.termination) == (9, Termination.FULL_BOARD)
    assert after.version <= 9 + 2
    await quick.heal()
    assert not quick.wrong()


async def test_stopping_it_while_its_move_is_made_has_the_last_word(quick: World) -> None:
    group, ann = quick.playground.groups["noughts"], quick.playground.people["ann"]
    bot = await quick.start()
    game_id = await watching(quick, bot, ann, "perfect perfect", group)
    board = quick.message_of(record_of(quick, game_id).boards[0])
    assert board is not None
    await quick.skip(1.9)
    ann.press(board, str(board.button("Stop")["callback_data"]))
    quick.brought(bot)
    await quick.skip(0.2)
    await wait(quick, 8, bot)
    game = record_of(quick, game_id).game
    assert game.termination is Termination.CANCELLED
    assert game.ply <= 1
    assert going_on(bot) == 0
    assert not quick.wrong()


@pytest.mark.parametrize("lost", ["blocked", "deleted"])
async def test_where_nobody_can_see_it_any_more_it_ends(quick: World, lost: str) -> None:
    ann = quick.playground.people["ann"]
    ann.started = True
    bot = await quick.start()
    game_id = await watching(quick, bot, ann, "perfect perfect", ann.private)
    board = quick.message_of(record_of(quick, game_id).boards[0])
    assert board is not None
    if lost == "blocked":
        ann.block()
    else:
        ann.delete(board)
    await wait(quick, 8, bot)
    game = record_of(quick, game_id).game
    assert game.termination is Termination.EXPIRED
    assert game.ply <= 2
    assert going_on(bot) == 0
    before = len(quick.playground.calls)
    await quick.heal()
    await wait(quick, 30, bot)
    assert len(quick.playground.calls) - before <= 2, "it costs nothing after its end"


async def test_of_two_who_ask_two_processes_together_one_gets_it_and_the_other_is_told(quick: World) -> None:
    ann, bo, cem = (quick.playground.people[name] for name in ("ann", "bo", "cem"))
    one, other = await quick.start(), await quick.start()
    # The groups are Cem's: the owner may stop other people's games and start their own.
    groups = [quick.playground.add_group(f"Noughts {number}", [cem, ann, bo]) for number in range(3)]
    for group in groups:
        await ann.say("/watch", in_=group)
        await bo.say("/watch", in_=group)
        mail, quick.mail[:] = list(quick.mail), []
        for bot, queued in zip((one, other), mail, strict=True):
            bot.take(queued)
        await quick.still()
    begun = [record.game.chat_id or 0 for record in quick.records().values()]
    assert sorted(begun) == sorted(group.id for group in groups)


def _is_shown(rooms: World, game_id: int) -> bool:
    game, boards_ = record_of(rooms, game_id)
    return rooms.is_right(game, boards_[0])


async def _watch_again(rooms: World, bot: Bot, person: Person, group: Chat) -> None:
    """Another game as soon as the last is over."""
    if not any(record.game.host and not record.game.is_over for record in rooms.records().values()):
        await watching(rooms, bot, person, "perfect perfect", group)
