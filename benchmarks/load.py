"""The load generator, run as its own process: starts the bot, plays, and prints measurements as JSON."""

import asyncio
import dataclasses
import gc
import itertools
import json
import sys
import time

import uvloop

from benchmarks.children import Child, Children
from benchmarks.http import ServerConnection, Webhook
from benchmarks.players import Moments, OpenLoop, Pace, Players, Thinkers
from benchmarks.telegram import Telegram

GROUP = -1_001_000_000_000
PATIENCE = 30.0
CONNECTIONS = 100
"""To each webhook, as many as the bot asks Telegram for."""


@dataclasses.dataclass
class Load:
    """One run: the bot, the people and how long."""

    children: list[Child]
    games: int = 64
    group_games: int = 0
    """Additional games in one group, which is limited to one edit every ten seconds."""
    rate: float | None = None
    """Taps per second of an open loop; None closes the loop."""
    thinkers: int = 0
    """Additional people on big boards, whose opponent searches all the time; their taps aren't measured."""
    moment: float = 0
    """Seconds between the moments at which everybody taps at once; 0 lets them tap independently."""
    delay: float = 0
    """Seconds added to each call."""
    webhooks: list[str] = dataclasses.field(default_factory=list)
    secret: str = ""
    """What webhooks expect in X-Telegram-Bot-Api-Secret-Token."""
    warm_up: float = 1
    seconds: float = 5
    start_only: bool = False
    """Only measure the start and idle memory, without play."""


async def run(load: Load) -> dict[str, float]:
    """Play and measure; a bot that ends, or shows nothing in time, is an error with the end of what it wrote."""
    telegram = Telegram(load.delay)
    players = Players(telegram)
    thinkers = Thinkers(telegram, load.thinkers)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: ServerConnection(telegram.call), "127.0.0.1", 0)
    children = Children(load.children, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    webhooks = [Webhook(url, load.secret, telegram.carry_out) for url in load.webhooks]
    try:
        async with asyncio.timeout(PATIENCE):
            for webhook in webhooks:
                await webhook.connect(CONNECTIONS)
        if webhooks:
            # In turn, as a proxy in front of replicas does.
            turns = itertools.cycle(webhooks)
            telegram.deliver = lambda update: next(turns).post(update)
        result = await _start(load, players, children)
        if not load.start_only:
            result |= await _play(load, telegram, players, thinkers, children)
    except TimeoutError:
        raise TimeoutError(f"the bot showed no board in time; calls {telegram.calls}\n{children.tail()}") from None
    finally:
        await children.stop()
        server.close()
    return result


async def _boards(players: Players, children: Children) -> None:
    async with asyncio.timeout(PATIENCE):
        while any(seat.board is None for seat in players.seats):
            children.check()
            await asyncio.sleep(0.005)


async def _start(load: Load, players: Players, children: Children) -> dict[str, float]:
    """Wait for the answer to a first person, and measure the idle bot's memory."""
    players.sit_down()
    await _boards(players, children)
    started = time.perf_counter() - children.began
    if not load.start_only:
        return {"start_s": started}
    await asyncio.sleep(1)
    return {"start_s": started, "idle_mib": children.resident()}


async def _play(
    load: Load, telegram: Telegram, players: Players, thinkers: Thinkers, children: Children
) -> dict[str, float]:
    for _ in range(load.games - 1):
        players.sit_down()
    for _ in range(load.group_games):
        players.sit_down(GROUP)
    await _boards(players, children)
    telegram.pauses[GROUP] = 10
    thinkers.begin()
    gc.freeze()
    gc.disable()
    players.begin(_pace(load, players))
    await asyncio.sleep(load.warm_up)
    players.recording = True
    began, bots, own = time.perf_counter(), children.cpu(), time.process_time()
    await asyncio.sleep(max(load.seconds, 2 * load.moment))
    players.recording = False
    children.check()
    seconds = time.perf_counter() - began
    if not players.taps:
        raise RuntimeError(f"no tap was answered and shown; calls {telegram.calls}\n{children.tail()}")
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


def _pace(load: Load, players: Players) -> Pace:
    if load.moment:
        return Moments(players, load.moment)
    return OpenLoop(players, load.rate) if load.rate else Pace(players)


def main() -> None:
    """Run the load that the argument describes."""
    given = json.loads(sys.argv[1])
    children = [Child(**child) for child in given.pop("children")]
    print(json.dumps(uvloop.run(run(Load(children=children, **given)))))


if __name__ == "__main__":
    main()
