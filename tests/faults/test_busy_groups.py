"""A busy group under Telegram's limits: boards are shown as fast as allowed, and nothing is refused (D6, D7).

Time is skipped, so that minutes of play pass in a moment.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator

import pytest

from bot.features.new_games import MOST_GAMES
from playground import Playground
from playground.chats import Chat
from playground.flood import Published
from playground.messages import Message
from playground.people import Person
from playground.telegram import Call
from storage.games.game import replay
from tests.bots import Bot
from tests.carried import tap
from tests.faults.crowd import is_board
from tests.flights import EDIT, SEND
from tests.soak import SOAK
from tests.world import WORDS, World, world

MINUTES = 4 if SOAK else 2
STEP = 0.5
"""Seconds that pass at a time."""


@pytest.fixture
async def rooms(sqlite_url: str) -> AsyncIterator[World]:
    """A house with the usual pace, under the published limits."""
    async with Playground() as playground, world(playground, sqlite_url, EDITS_PER_MINUTE="") as rooms:
        playground.flood.enabled = True
        playground.flood.model = Published()
        rooms.clock.slow_down(20)  # else a call that a busy machine delays while time is skipped would come early
        yield rooms


async def wait(rooms: World, bot: Bot, seconds: float) -> None:
    """Let time pass in small steps, as in real life."""
    for _ in range(round(seconds / STEP)):
        await rooms.skip(STEP)
        await bot.fire()
        await bot.hold()


async def one_game(rooms: World, bot: Bot, person: Person, chat: Chat, words: str) -> list[Message]:
    """A game against the computer."""
    await person.say(f"/newgame {words} beginner me", in_=chat)
    await rooms.given(bot)
    await wait(rooms, bot, 1)
    return [message for message in chat.messages.values() if is_board(message)]


def tap_somewhere(rooms: World, person: Person, board: Message, chance: random.Random) -> None:
    """Tap a free cell of a board as it is stored, whether it is shown or not."""
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
            await wait(rooms, bot, 2)
        shown.append(limited(playground.calls[before:]))
    refused = sum(refused for _, refused in shown)
    assert refused <= (kind == "private chat"), "where the burst is shorter than the bot assumes at first"
    if kind == "group":
        assert all(15 <= boards <= 20 for boards, _ in shown), shown
    await wait(rooms, bot, 60)
    await rooms.heal()
    assert not rooms.wrong()


@pytest.mark.parametrize("flood", ["/help", "/board", "a dead button"])
async def test_no_flood_of_commands_or_dead_buttons_holds_up_a_tapped_board(rooms: World, flood: str) -> None:
    playground = rooms.playground
    ann, cem = playground.people["ann"], playground.people["cem"]
    group = playground.groups["noughts"]
    dan = playground.add_person("Dan")
    group.add(dan)
    bot = await rooms.start()
    (board,) = await one_game(rooms, bot, ann, group, "5x5")
    theirs = {person: (await one_game(rooms, bot, person, group, "5x5"))[-1] for person in (cem, dan)}
    await wait(rooms, bot, 61)

    async def ask_all() -> None:
        for person, their_board in theirs.items():
            if flood == "a dead button":
                person.press(their_board, "dead")
            else:
                await person.say(flood, in_=group)
            await rooms.given(bot)

    for _ in range(20):
        await ask_all()
        await wait(rooms, bot, STEP)
    waits = []
    for number in range(4):
        tap_somewhere(rooms, ann, board, random.Random(number))
        await rooms.given(bot)
        waits.append(await shown_after(rooms, bot, board))
        await ask_all()
        await wait(rooms, bot, 2)
    assert max(waits) <= 2, waits


async def shown_after(rooms: World, bot: Bot, message: Message | None = None) -> float:
    """Let time pass until all boards, or one message, show what is stored; returns the seconds it took."""
    for step in range(60):
        wrong = rooms.wrong()
        if not wrong or (message is not None and message.id not in [board.message_id for board in wrong]):
            return step * STEP
        await wait(rooms, bot, STEP)
    raise AssertionError("a board stays wrong")


async def test_a_flood_of_new_games_holds_up_no_players_board_and_is_told_once(rooms: World) -> None:
    playground = rooms.playground
    ann, cem = playground.people["ann"], playground.people["cem"]
    group = playground.groups["noughts"]
    bot = await rooms.start()
    (board,) = await one_game(rooms, bot, ann, group, "5x5")
    for _ in range(40):
        await cem.say("/newgame easy", in_=group)
        await rooms.given(bot)
    waits = []
    for number in range(6):
        tap_somewhere(rooms, ann, board, random.Random(number))
        await rooms.given(bot)
        waits.append(await shown_after(rooms, bot, board))
        await wait(rooms, bot, 6)
    assert max(waits) <= 2, waits
    games = [record.game for record in rooms.records().values() if record.game.mark_of(cem.id) is not None]
    assert len(games) == MOST_GAMES
    await wait(rooms, bot, 180)
    told = [message for message in group.messages.values() if "games going here already" in message.text]
    assert len(told) == 1
    assert not rooms.wrong()
