"""Deadlines fire only once all updates sent before them are in, and not while the clock jumps."""

import math
import time
from unittest.mock import patch

from bot.background.clock import Clock
from storage.games import outbox
from storage.games.game import Termination
from tests.bots import LIMITS, Bot
from tests.storage.examples import REMINDER
from tests.world import Room


class Post:
    """The state of the intake, set by the test."""

    def __init__(self, patience: float = math.inf) -> None:
        self.patience = patience
        self.until = -math.inf
        self.asked = 0

    async def covered(self, wanted: float) -> float:  # noqa: ARG002 - the protocol's
        self.asked += 1
        return self.until


async def test_a_move_that_is_on_its_way_when_its_deadline_comes_counts(room: Room) -> None:
    board = await room.game_of_two()
    post = Post()
    room.bot.clock = Clock(room.bot.services, post)
    await room.house.skip(LIMITS.reminder + 1)
    post.until = math.inf
    await room.bot.look()
    post.until = -math.inf
    room.ann.press(board, str(board.keyboard[0][0]["callback_data"]))
    await room.house.skip(LIMITS.move)
    for _ in range(5):
        await room.bot.look()
        await room.house.skip(1)
    assert room.house.newest().game.termination is None
    await room.house.given(room.bot)
    post.until = math.inf
    await room.bot.look()
    assert (room.house.newest().game.ply, room.house.newest().game.termination) == (1, None)


async def test_nobody_waits_for_a_webhooks_updates_for_longer_than_telegram_keeps_a_tap(room: Room) -> None:
    await room.game_of_two()
    room.bot.clock = Clock(room.bot.services, Post(patience=150))
    for _ in range(2):
        await room.house.skip(LIMITS.move)
        await room.bot.look()
        assert room.house.newest().game.termination is None
        await room.house.skip(151)
        await room.bot.look()
        await room.house.quiet()
    assert room.house.newest().game.termination is Termination.TIMEOUT


async def test_nothing_is_asked_while_nothing_is_due(room: Room) -> None:
    await room.game_of_two()
    post = Post()
    room.bot.clock = Clock(room.bot.services, post)
    await room.bot.look()
    assert post.asked == 0


async def test_a_clock_that_is_set_forward_for_a_while_ends_no_game(room: Room) -> None:
    await room.said(room.ann, "/newgame easy me", room.group)
    await room.bot.look()
    right = time.time
    with patch.object(time, "time", lambda: right() + 40 * 24 * 3600):
        for _ in range(8):
            await room.bot.look()
            await room.house.skip(1)
    for _ in range(70):
        await room.bot.look()
        await room.house.skip(1)
    assert room.house.newest().game.termination is None


async def test_what_was_put_off_by_a_clock_that_is_then_set_back_is_due(room: Room) -> None:
    right = time.time
    with patch.object(time, "time", lambda: right() + 7200):
        await room.bot.look()
        await room.bot.store.run(outbox.add, REMINDER._replace(game_id=None))
    assert not await room.bot.store.read(outbox.is_any_due, int(time.time()))
    await room.bot.look()
    assert await room.bot.store.read(outbox.is_any_due, int(time.time()))


async def test_after_a_jump_deadlines_fire_once_the_clock_has_been_steady_for_a_minute(room: Room) -> None:
    await room.said(room.ann, "/newgame easy me", room.group)
    right = time.time
    with patch.object(time, "time", lambda: right() + 40 * 24 * 3600):
        for _ in range(40):
            await room.bot.look()
            assert room.house.newest().game.termination is None
            await room.house.skip(1)
        await room.house.skip(25)
        await room.bot.look()
        assert room.house.newest().game.termination is Termination.EXPIRED


async def test_a_clock_stops_while_the_board_waits_for_telegram_and_runs_on_after_a_kill(room: Room) -> None:
    challenge = await room.said(room.ann, "/challenge 30s me", room.group)
    assert "30 seconds a move" in challenge.text
    await room.pressed(room.bo, challenge, "Accept")
    await room.put(room.ann, challenge, 4)
    await room.house.quiet()
    room.playground.faults.add(kind="answer_before", status=502, body=b"Bad Gateway")
    room.bo.press(challenge, str(challenge.keyboard[0][0]["callback_data"]))
    await room.house.given(room.bot)
    await looked(room, 120, room.bot)
    assert room.house.newest().game.ply == 2
    assert room.house.newest().game.termination is None, "Ann hasn't seen Bo's move"
    room.playground.faults.clear()
    while "Ann" not in challenge.text.partition("\n")[0]:
        await looked(room, 2, room.bot)
    room.bot.kill()
    again = await room.house.start()
    await looked(room, 16, again)
    assert "running out" not in challenge.text, "the clock started when the move was shown"
    while "running out" not in challenge.text:
        await looked(room, 2, again)
    assert room.house.newest().game.termination is None
    await looked(room, 10, again)
    game = room.house.newest().game
    assert (game.termination, game.winner) == (Termination.TIMEOUT, game.turn.other)


async def looked(room: Room, seconds: int, bot: Bot) -> None:
    for _ in range(seconds // 2):
        await room.pass_time(2, bot=bot)
        await bot.look()
    await room.house.still()
