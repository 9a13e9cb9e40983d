"""Deadlines fire only once all updates sent before them are in, and not while the clock jumps."""

import asyncio
import math
import time

import pytest

from bot.background.clock import Deadlines
from storage.games import outbox
from storage.games.game import Termination
from tests.bots import LIMITS, Bot
from tests.storage.examples import NOTICE
from tests.world import Room


class Post:
    """The state of the intake, set by the test."""

    def __init__(self, patience: float = math.inf) -> None:
        self.patience = patience
        self.until = -math.inf
        self.asked = 0
        self.silent = False
        self.lost = 0.0
        """For how long nobody was heard, as has turned out."""

    async def covered(self, wanted: float) -> float:  # noqa: ARG002 - the protocol's
        self.asked += 1
        return self.until

    async def heard(self) -> float:
        return -math.inf if self.silent else time.monotonic() - self.lost


async def test_a_move_that_is_on_its_way_when_its_deadline_comes_counts(room: Room) -> None:
    await room.game_of_two()
    post = Post()
    room.bot.clock = Deadlines(room.bot.services, post)
    await room.house.skip(LIMITS.reminder + 1)
    post.until = math.inf
    await room.bot.look()
    post.until = -math.inf
    await room.house.quiet()
    board = room.last(room.group)
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
    room.bot.clock = Deadlines(room.bot.services, Post(patience=150))
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
    room.bot.clock = Deadlines(room.bot.services, post)
    await room.bot.look()
    assert post.asked == 0


async def test_a_clock_that_is_set_forward_for_a_while_ends_no_game(room: Room) -> None:
    await room.said(room.ann, "/newgame easy me", room.group)
    await room.bot.look()
    room.house.clock.ahead = 40 * 24 * 3600
    for _ in range(8):
        await room.bot.look()
        await room.house.skip(1, heard=False)
    room.house.clock.ahead = 0
    for _ in range(3):
        await room.bot.look()
        await room.house.skip(1, heard=False)
    assert room.house.newest().game.termination is None


async def test_what_was_put_off_by_a_clock_that_is_then_set_back_is_due(room: Room) -> None:
    room.house.clock.ahead = 7200
    await room.bot.clock.beat()
    await room.bot.store.run(outbox.add, NOTICE._replace(game_id=None))
    room.house.clock.ahead = 0
    await room.house.skip(60, heard=False)
    assert not await room.bot.store.read(outbox.is_any_due, int(time.time()))
    await room.bot.clock.beat()
    await room.house.skip(60)
    assert await room.bot.store.read(outbox.is_any_due, int(time.time()))


MINUTE, HOUR = 60, 3600
# The clock; the seconds that the player to move has had; those for which nobody is heard; and whether their move
# begins again.
UNHEARD = [
    *((30, had, MINUTE, True) for had in (0, 1, 27)),
    (30, 27, HOUR, True),
    (120, 110, HOUR, True),
    (600, 590, MINUTE, False),
    (24 * HOUR, 23 * HOUR, 7 * HOUR, True),
]


@pytest.mark.parametrize(("clock", "had", "lost", "begins"), UNHEARD)
@pytest.mark.parametrize("why", ["the bot was down", "Telegram couldn't be reached"])
async def test_only_time_in_which_somebody_could_be_heard_counts_on_their_clock(
    room: Room, clock: int, had: int, lost: int, *, begins: bool, why: str
) -> None:
    words = {30: "30s", 120: "2m", 600: "10m", 24 * HOUR: "1d"}[clock]
    board = await room.game_of_two(words)
    for person, cell in ((room.ann, 4), (room.bo, 0)):
        await room.put(person, board, cell)
    await room.pass_time(2)
    for part in (0.8, 0.2):
        await room.house.skip(part * had)
        await room.bot.look()
    board, bot = room.last(room.group), room.bot
    post = Post()
    if why == "the bot was down":
        room.bot.kill()
        await room.house.skip(lost)
        bot = await room.house.start()
    else:
        bot.clock = Deadlines(bot.services, post)
        post.silent = True
        await room.house.skip(lost, heard=False)
        await bot.look()
    assert room.house.newest().game.termination is None
    post.silent, post.until = False, math.inf
    await bot.clock.beat()
    await room.pass_time(4, bot=bot)
    again = room.last(room.group)
    assert (again is not board) is begins
    if begins:
        assert not room.house.sent(room.group)[-1].parameters.get("disable_notification")
        assert board.deleted
    left = clock if begins else clock - had
    for part in (0.74, 0.24):
        await room.house.skip(part * left - 4)
        for _ in range(2):
            await bot.look()
        assert room.house.newest().game.termination is None
    for _ in range(10):
        await room.house.skip(clock // 20)
        await bot.look()
        if room.house.newest().game.is_over:
            break
    assert room.house.newest().game.termination is Termination.TIMEOUT, "and whoever doesn't move loses"


@pytest.mark.parametrize("step", range(7))
async def test_what_begins_again_does_so_once_wherever_the_process_is_killed(room: Room, step: int) -> None:
    for _ in range(2):
        await room.game_of_two("2m")
    await room.said(room.ann, "/cup", room.group)
    await room.house.quiet()
    await room.house.skip(5)
    await room.house.skip(HOUR, heard=False)
    begun, room.bot.dies_at = room.calls("sendMessage"), len(room.bot.steps) + step
    await room.bot.do(room.bot.clock.beat())
    room.bot.kill()
    again = await room.house.start()
    for _ in range(3):
        await again.do(again.clock.beat())
        await room.pass_time(8, bot=again)
    assert [game.version for game in room.house.games().values()] == [3, 3], "made, accepted, begun again"
    assert room.calls("sendMessage") == begun + 3


async def test_two_notes_at_once_move_times_once(room: Room) -> None:
    """As when a fetch waited in vain, and a deadline is looked at while that is noted."""
    await room.game_of_two()
    post = Post()
    clock = Deadlines(room.bot.services, post)
    await clock.beat()
    post.lost = 50
    await clock.beat()
    post.lost = 0
    before = room.house.newest().game.due_at or 0
    await asyncio.gather(clock.beat(), clock.beat())
    assert (room.house.newest().game.due_at or 0) - before < 2 * 49


async def test_a_move_made_while_the_bot_was_down_counts_and_took_no_longer_than_it_was_up(room: Room) -> None:
    board = await room.game_of_two("30s")
    room.bot.kill()
    room.ann.press(board, str(board.keyboard[0][0]["callback_data"]))
    await room.house.skip(HOUR)
    again = await room.house.start()
    await again.clock.beat()
    await room.house.given(again)
    game = room.house.newest().game
    assert (game.ply, game.spent) == (1, "0")


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
