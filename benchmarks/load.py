"""The load generator: starts the bot, plays, and measures."""

import asyncio
import dataclasses
import gc
import itertools
import time

from benchmarks.children import Child, Children
from benchmarks.http import ServerConnection, Webhook
from benchmarks.players import Players
from benchmarks.telegram import Telegram

PATIENCE = 30.0
CONNECTIONS = 100
"""To each webhook, as many as the bot asks Telegram for."""


@dataclasses.dataclass
class Load:
    """One run: the bot, the people and how long."""

    children: list[Child]
    games: int = 64
    moment: float = 0
    """Seconds between the moments at which everybody taps at once; 0 lets them tap independently."""
    delay: float = 0
    """Seconds added to each call."""
    webhooks: list[str] = dataclasses.field(default_factory=list)
    secret: str = ""
    """What webhooks expect in X-Telegram-Bot-Api-Secret-Token."""
    warm_up: float = 2
    seconds: float = 5
    start_only: bool = False
    """Only measure the start and idle memory, without play."""


async def run(load: Load) -> dict[str, float]:
    """Play and measure.

    Raises:
        RuntimeError: if a bot ends, or shows nothing in time; with the end of what it wrote.
    """
    telegram = Telegram(load.delay)
    players = Players(telegram)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: ServerConnection(telegram.call), "127.0.0.1", 0)
    children = Children(load.children, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    webhooks = [Webhook(url, load.secret, telegram.carry_out) for url in load.webhooks]
    # Garbage is only collected between runs.
    gc.collect()
    gc.disable()
    try:
        async with asyncio.timeout(PATIENCE):
            for webhook in webhooks:
                await webhook.connect(CONNECTIONS)
        if webhooks:
            # In turn, as a proxy in front of replicas does.
            turns = itertools.cycle(webhooks)
            telegram.deliver = lambda update: next(turns).post(update)
        # The first person waits until the bot has started.
        result = {"start_s": await _seated(players, children, 1) - children.began}
        if load.start_only:
            await asyncio.sleep(1)
            return result | {"idle_mib": children.resident()}
        await _seated(players, children, load.games - 1)
        return result | await _play(load, players, children)
    except (RuntimeError, TimeoutError) as error:
        what = str(error) or "no board was shown in time"
        raise RuntimeError(f"{what}; calls {telegram.calls}\n{children.tail()}") from None
    finally:
        players.in_a_closed_loop = False
        gc.enable()
        await children.stop()
        server.close()


async def _seated(players: Players, children: Children, more: int) -> float:
    """Let more people ask for a game; returns when all had one."""
    for _ in range(more):
        players.sit_down()
    async with asyncio.timeout(PATIENCE):
        while not players.all_have_boards:
            children.check()
            await asyncio.sleep(0.005)
    return time.perf_counter()


async def _play(load: Load, players: Players, children: Children) -> dict[str, float]:
    if load.moment:
        players.begin_together(load.moment)
    else:
        players.begin()
    await asyncio.sleep(load.warm_up)
    players.recording = True
    began, bots, own = time.perf_counter(), children.cpu(), time.process_time()
    await asyncio.sleep(max(load.seconds, 2 * load.moment))
    players.recording = False
    children.check()
    seconds = time.perf_counter() - began
    if not players.taps:
        raise RuntimeError("no tap was answered and shown")
    used = children.cpu() - bots
    return {
        "taps_per_s": players.taps / seconds,
        **players.latencies(),
        "tap_us": used / players.taps * 1e6,
        "bot_cpu": used / seconds,
        "generator_cpu": (time.process_time() - own) / seconds,
        "resident_mib": children.resident(),
        "new_games": players.new_games / players.taps,
        "stuck": players.stuck(),
        "refused": players.refused,
    }
