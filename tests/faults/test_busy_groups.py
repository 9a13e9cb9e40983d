"""A busy group under Telegram's limits: boards are shown as fast as allowed, and nothing is refused (D6, D7).

Time is skipped, so that minutes of play pass in a moment.
"""

import random
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from bot.features.new_games import MOST_GAMES
from playground import Playground
from playground.chats import Chat
from playground.flood import Published
from playground.messages import Message
from playground.people import Person
from playground.telegram import Call
from storage.games.game import Termination, replay
from storage.games.record import Record
from tests.bots import Bot
from tests.carried import tap
from tests.faults.crowd import is_board
from tests.flights import EDIT, SEND, Point
from tests.soak import SOAK
from tests.world import WORDS, World, world

MINUTES = 4 if SOAK else 2
STEP = 0.5


@pytest.fixture
async def rooms(sqlite_url: str) -> AsyncIterator[World]:
    async with Playground() as playground, world(playground, sqlite_url, EDITS_PER_MINUTE="") as rooms:
        playground.flood.enabled = True
        playground.flood.model = Published()
        rooms.clock.stand_still()  # else a minute is longer where the machine is busy, and more is shown in it
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


async def one_game(rooms: World, bot: Bot, person: Person, chat: Chat, words: str) -> list[Message]:
    await person.say(f"/newgame {words} beginner me", in_=chat)
    await rooms.given(bot)
    await wait(rooms, 1, bot)
    return [message for message in chat.messages.values() if is_board(message)]


def tap_somewhere(rooms: World, person: Person, board: Message, chance: random.Random) -> None:
    game = next(record.game for record in rooms.records().values() if record.boards[0].message_id == board.id)
    if not game.is_over:
        cell = chance.choice(replay(game.rules, game.moves).legal_moves)
        person.press(board, tap(game.id, cell, game.ply))


def limited(calls: list[Call]) -> tuple[int, int]:
    """How many boards were shown, and how many calls were refused."""
    sent = [call for call in calls if call.method in (EDIT, SEND)]
    refused = [call for call in sent if call.error is not None and call.error.code == 429]
    return sum(bool(call.ok) for call in sent), len(refused)


@pytest.mark.parametrize("words", WORDS if SOAK else ["in turn"])
@pytest.mark.parametrize("kind", ["group", pytest.param("private chat", marks=pytest.mark.soak)])
async def test_a_busy_chat_shows_what_telegram_allows_and_is_never_refused(
    rooms: World, kind: str, words: str
) -> None:
    playground, chance = rooms.playground, random.Random(1)
    ann = playground.people["ann"]
    ann.started = True
    chat = playground.groups["noughts"] if kind == "group" else ann.private
    # One person gets at most four new boards a minute, and short games leave nothing else to show.
    players = [ann, playground.people["cem"]] if kind == "group" else [ann]
    bot = await rooms.start()
    shown = []
    for _ in range(MINUTES):
        before = len(playground.calls)
        for _ in range(30):
            running = [record for record in rooms.records().values() if not record.game.is_over]
            if len(running) < 4:
                played = WORDS[len(rooms.records()) % len(WORDS)] if words == "in turn" else words
                asking = players[len(rooms.records()) % len(players)]
                await asking.say(f"/newgame {played} beginner me", in_=chat)
            for record in running:
                board = rooms.message_of(record.boards[0])
                if board is not None:
                    player = next(player for player in players if record.game.mark_of(player.id))
                    tap_somewhere(rooms, player, board, chance)
            await rooms.given(bot)
            await wait(rooms, 2, bot)
        shown.append(limited(playground.calls[before:]))
    refused = sum(refused for _, refused in shown)
    assert refused <= (kind == "private chat"), "where the burst is shorter than the bot assumes at first"
    if kind == "group":
        assert all(15 <= boards <= 20 for boards, _ in shown), shown
    await wait(rooms, 60, bot)
    await rooms.heal()
    assert not rooms.wrong()


@pytest.mark.parametrize("flood", ["/board", "a dead button", "/newgame easy"])
async def test_no_flood_of_commands_or_dead_buttons_holds_up_a_tapped_board(rooms: World, flood: str) -> None:
    playground = rooms.playground
    ann, cem = playground.people["ann"], playground.people["cem"]
    group = playground.groups["noughts"]
    dan = playground.add_person("Dan")
    group.add(dan)
    bot = await rooms.start()
    (board,) = await one_game(rooms, bot, ann, group, "5x5")
    theirs = {person: (await one_game(rooms, bot, person, group, "5x5"))[-1] for person in (cem, dan)}
    await wait(rooms, 61, bot)

    async def ask_all() -> None:
        for person, their_board in theirs.items():
            if flood == "a dead button":
                person.press(their_board, "dead")
            else:
                await person.say(flood, in_=group)
            await rooms.given(bot)

    for _ in range(20):
        await ask_all()
        await wait(rooms, STEP, bot)
    waits = []
    for number in range(4):
        tap_somewhere(rooms, ann, board, random.Random(number))
        await rooms.given(bot)
        waits.append(await shown_after(rooms, bot, board))
        await ask_all()
        await wait(rooms, 2, bot)
    assert max(waits) <= 2, waits
    if flood == "/newgame easy":
        begun = Counter(record.game.x_seat or record.game.o_seat for record in rooms.records().values())
        assert [begun[person.id] for person in theirs] == [MOST_GAMES] * 2
        await wait(rooms, 180, bot)
        told = [message for message in group.messages.values() if "games going here already" in message.text]
        assert len(told) == len(theirs), "each is told once"
        assert not rooms.wrong()


async def shown_after(rooms: World, bot: Bot, message: Message | None = None) -> float:
    """Let time pass until all boards, or one message, show what is stored; returns the seconds it took."""
    for step in range(60):
        wrong = rooms.wrong()
        if not wrong or (message is not None and message.id not in [board.message_id for board in wrong]):
            return step * STEP
        await wait(rooms, STEP, bot)
    raise AssertionError("a board stays wrong")


# A game that the computer plays against itself while others play in its chat, processes die and chats vanish.


@pytest.fixture
async def quick(postgres_url: str) -> AsyncIterator[World]:
    async with Playground() as playground, world(playground, postgres_url) as rooms:
        yield rooms


async def watching(rooms: World, bot: Bot, person: Person, words: str, chat: Chat) -> int:
    """Start a game that a person watches in a chat; returns its id."""
    await person.say(f"/watch {words}".strip(), in_=chat)
    await rooms.given(bot)
    return rooms.newest().game.id


def record_of(rooms: World, game_id: int) -> Record:
    return rooms.records()[game_id]


def going_on(bot: Bot) -> int:
    return len(bot.services.computer._moves)  # noqa: SLF001 - it shows nowhere else


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
