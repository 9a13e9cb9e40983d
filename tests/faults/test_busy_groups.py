"""A busy group under Telegram's limits: boards are shown as fast as allowed, and nothing is refused (D6, D7).

Time is skipped, so that minutes of play pass in a moment.
"""

import random
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from bot.boards.buttons import write
from bot.context.beginning import MOST_GAMES
from bot.features.basics import TOPICS, Topic
from playground import Playground
from playground.chats import Chat, Message
from playground.flood import Published
from playground.people import Person
from playground.telegram import Call
from storage.games.game import Termination, replay
from tests.bots import Bot
from tests.carried import tap
from tests.faults.crowd import is_board
from tests.flights import EDIT, SEND, Point
from tests.soak import SOAK
from tests.world import WORDS, Room, world

MINUTES = 4 if SOAK else 2
STEP = 0.5


@pytest.fixture
async def busy(sqlite_url: str) -> AsyncIterator[Room]:
    """A room under Telegram's limits, whose bot keeps them."""
    async with Playground() as playground, world(playground, sqlite_url, EDITS_PER_MINUTE="") as rooms:
        playground.flood.model = Published()
        rooms.clock.stand_still()  # else a minute is longer where the machine is busy, and more is shown in it
        yield Room(rooms, await rooms.start())


async def wait(room: Room, seconds: float, *, step: float = STEP) -> None:
    """Let time pass in small steps, as in real life, and check deadlines every second or step."""
    for number in range(round(seconds / step)):
        await room.house.skip(step)
        for bot in room.house.living:
            await bot.fire()
            await bot.hold()
            if number % 2 or step > STEP:
                await bot.look()


async def one_game(room: Room, person: Person) -> Message:
    await person.say("/newgame 5x5 beginner me", in_=room.group)
    await room.house.given(room.bot)
    await wait(room, 1)
    return [message for message in room.group.messages.values() if is_board(message)][-1]


def tap_somewhere(room: Room, person: Person, board: Message, chance: random.Random) -> None:
    records = room.house.records().values()
    game = next(record.game for record in records if record.boards[0].message_id == board.id)
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
    busy: Room, kind: str, words: str
) -> None:
    rooms, playground, chance = busy.house, busy.playground, random.Random(1)
    chat = busy.group if kind == "group" else busy.ann.private
    # One person gets at most four new boards a minute, and short games leave nothing else to show.
    players = [busy.ann, busy.cem] if kind == "group" else [busy.ann]
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
                    tap_somewhere(busy, player, board, chance)
            await rooms.given(busy.bot)
            await wait(busy, 2)
        shown.append(limited(playground.calls[before:]))
    refused = sum(refused for _, refused in shown)
    assert refused <= (kind == "private chat"), "where the burst is shorter than the bot assumes at first"
    if kind == "group":
        assert all(15 <= boards <= 20 for boards, _ in shown), shown
    await wait(busy, 60, step=2)
    await rooms.heal()
    assert not rooms.wrong()


@pytest.mark.parametrize("flood", ["/board", "a dead button", "/newgame easy"])
async def test_no_flood_of_commands_or_dead_buttons_holds_up_a_tapped_board(busy: Room, flood: str) -> None:
    group, dan = busy.group, busy.playground.add_person("Dan")
    group.add(dan)
    board = await one_game(busy, busy.ann)
    theirs = {person: await one_game(busy, person) for person in (busy.cem, dan)}
    await wait(busy, 61, step=2)

    async def ask_all() -> None:
        for person, their_board in theirs.items():
            if flood == "a dead button":
                person.press(their_board, "dead")
            else:
                await person.say(flood, in_=group)
            await busy.house.given(busy.bot)

    for _ in range(20):
        await ask_all()
        await wait(busy, STEP)
    waits = []
    for number in range(4):
        tap_somewhere(busy, busy.ann, board, random.Random(number))
        await busy.house.given(busy.bot)
        waits.append(await shown_after(busy, board))
        await ask_all()
        await wait(busy, 2)
    assert max(waits) <= 2, waits
    if flood == "/newgame easy":
        begun = Counter(game.x.seat or game.o.seat for game in busy.house.games().values())
        assert [begun[person.id] for person in theirs] == [MOST_GAMES] * 2
        await wait(busy, 180, step=2)
        told = [message for message in group.messages.values() if "most games at once here" in message.text]
        assert len(told) == len(theirs), "each is told once"
        assert not busy.house.wrong()


async def test_pages_of_a_menu_hold_up_nobodys_new_board(busy: Room) -> None:
    menu = await busy.said(busy.ann, "/help", busy.group)
    for topic in (*TOPICS, *TOPICS)[:10]:
        busy.ann.press(menu, write(Topic(topic)))
        await busy.house.given(busy.bot)
        await wait(busy, 1)
    assert menu.revision == 10, "they hold up nobody, her neither"
    await busy.cem.say("/newgame easy me", in_=busy.group)
    await busy.house.given(busy.bot)
    await wait(busy, 1)
    assert is_board(busy.last(busy.group))


async def shown_after(room: Room, message: Message) -> float:
    """Let time pass until a message shows what is stored; returns the seconds it took."""
    for step in range(60):
        if message.id not in [board.message_id for board in room.house.wrong()]:
            return step * STEP
        await wait(room, STEP)
    raise AssertionError("a board stays wrong")


# A game that the computer plays against itself while others play in its chat, processes die and chats vanish.


on_postgresql = pytest.mark.parametrize("room", ["postgres_url"], indirect=True)


async def watching(room: Room, person: Person, chat: Chat) -> int:
    """Start a game that a person watches in a chat; returns its id."""
    await person.say("/watch perfect perfect", in_=chat)
    await room.house.given(room.bot)
    return room.house.newest().game.id


def going_on(bot: Bot) -> int:
    return len(bot.services.computer.moves)


async def test_in_a_group_it_is_as_fast_as_its_pace_allows_and_slower_while_others_play(busy: Room) -> None:
    game_id = await watching(busy, busy.cem, busy.group)
    plies = []
    for _ in range(12):
        await wait(busy, 5)
        plies.append(busy.house.games()[game_id].ply)
    assert plies[0] >= 2, "a move every two seconds at first"
    assert plies[-1] == 9, plies
    await wait(busy, 2)
    assert not busy.house.wrong()
    _, refused = limited(busy.playground.calls)
    assert refused == 0


@on_postgresql
@pytest.mark.parametrize("dies", ["between two moves", "during a move"])
async def test_two_processes_make_each_move_once_and_go_on_for_each_other(room: Room, dies: str) -> None:
    house, one, other = room.house, room.bot, await room.house.start()
    game_id = await watching(room, room.ann, room.group)
    if dies == "during a move":
        house.hold(one, EDIT, Point.UNDER_WAY)
    await wait(room, 5)
    assert house.games()[game_id].ply >= (1 if dies == "during a move" else 2)
    assert (going_on(one), going_on(other)) == (1, 0), "the starter makes the moves"
    one.kill()
    await wait(room, 40, step=1)
    house.release()
    after = house.games()[game_id]
    assert (after.ply, after.termination) == (9, Termination.FULL_BOARD)
    assert after.version <= 9 + 2
    await house.heal()
    assert not house.wrong()


@pytest.mark.parametrize("lost", ["blocked", "deleted"])
async def test_where_nobody_can_see_it_any_more_it_ends(room: Room, lost: str) -> None:
    ann, house = room.ann, room.house
    game_id = await watching(room, ann, ann.private)
    if lost == "blocked":
        ann.block()
    else:
        ann.delete(room.last(ann.private))
    await wait(room, 8)
    game = house.games()[game_id]
    assert game.termination is Termination.EXPIRED
    assert game.ply <= 2
    assert going_on(room.bot) == 0
    before = len(room.playground.calls)
    await house.heal()
    await wait(room, 30)
    assert len(room.playground.calls) - before <= 2, "it costs nothing after its end"


@on_postgresql
async def test_of_two_who_ask_two_processes_together_one_gets_it_and_the_other_is_told(room: Room) -> None:
    house, other = room.house, await room.house.start()
    # The groups are Cem's: the owner may stop other people's games and start their own.
    people = [room.cem, room.ann, room.bo]
    groups = [room.playground.add_group(f"Noughts {number}", people) for number in range(3)]
    for group in groups:
        await room.ann.say("/watch", in_=group)
        await room.bo.say("/watch", in_=group)
        mail, house.mail[:] = list(house.mail), []
        for bot, queued in zip((room.bot, other), mail, strict=True):
            bot.take(queued)
        await house.still()
    assert sorted(game.chat_id or 0 for game in house.games().values()) == sorted(group.id for group in groups)
