"""The load generator, run as its own process: starts the bot, plays, and prints measurements as JSON."""

import asyncio
import dataclasses
import gc
import json
import sys
import time

import uvloop

from benchmarks.children import Child, Children
from benchmarks.http import ServerConnection
from benchmarks.pace import ClosedLoop, Moments, OpenLoop
from benchmarks.players import Pace, Players
from benchmarks.telegram import Telegram
from benchmarks.thinkers import Thinkers
from benchmarks.webhook import Webhooks

GROUP = -1_001_000_000_000
PATIENCE = 30.0


@dataclasses.dataclass
class Load:
    """One run: the bot, the people and how long."""

    children: list[Child]
    choice: str = "game"
    """How a player finds its next button: `game` reads the board, `any` takes any cell."""
    opening: str = "/newgame medium"
    """The command for a board; with a level, it's a game against the computer in groups, too."""
    games: int = 64
    group_games: int = 0
    """Additional games in one group, which is limited to one edit every `crawl` seconds."""
    crawl: float = 10
    rate: float | None = None
    """Taps per second of an open loop; None closes the loop."""
    thinkers: int = 0
    """Additional people on big boards, whose opponent searches all the time; their taps aren't measured."""
    moment: float | None = None
    """Seconds between the moments at which everybody taps at once."""
    delay: float = 0
    """Seconds added to each call."""
    webhooks: list[str] = dataclasses.field(default_factory=list)
    secret: str = ""
    """What webhooks expect in X-Telegram-Bot-Api-Secret-Token."""
    connections: int = 100
    """Connections to each webhook, as many as the bot asks Telegram for."""
    warm_up: float = 1
    seconds: float = 5
    seed: int = 1
    start_only: bool = False
    """Only measure the start and idle memory, without play."""


async def run(load: Load) -> dict[str, float]:
    """Play and measure.

    Raises:
        RuntimeError: if the bot ended, or did nothing; with the end of what it wrote.
        TimeoutError: if it showed no board in time, likewise.
    """
    loop = asyncio.get_running_loop()
    telegram = Telegram(delay=load.delay)
    players = Players(telegram, choice=load.choice, opening=load.opening, seed=load.seed)
    thinkers = Thinkers(telegram, players, load.thinkers, load.seed) if load.thinkers else None
    server = await loop.create_server(lambda: ServerConnection(telegram.call), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    children = Children(load.children, f"http://127.0.0.1:{port}")
    try:
        if load.webhooks:
            webhooks = Webhooks(load.webhooks, load.secret, telegram.carry_out)
            await webhooks.connect(load.connections, PATIENCE)
            telegram.deliver = webhooks.post
        result = await _start(load, players, children)
        if not load.start_only:
            result |= await _play(load, telegram, players, thinkers, children)
        if load.webhooks:
            result["refusals"] = webhooks.refusals
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
    load: Load, telegram: Telegram, players: Players, thinkers: Thinkers | None, children: Children
) -> dict[str, float]:
    for _ in range(load.games - 1):
        players.sit_down()
    for _ in range(load.group_games):
        players.sit_down(GROUP)
    await _boards(players, children)
    if load.group_games:
        telegram.limit(GROUP, load.crawl)
    if thinkers is not None:
        thinkers.begin()
    gc.freeze()
    gc.disable()
    players.pace = _pace(load, players)
    await _watch(load.warm_up, players, children)
    players.recorder.on = True
    began, bots, own = time.perf_counter(), children.cpu(), time.process_time()
    await _watch(load.seconds, players, children)
    players.recorder.on = False
    seconds = time.perf_counter() - began
    result = {
        "taps_per_s": players.recorder.taps / seconds,
        **players.recorder.figures(),
        "bot_cpu": (children.cpu() - bots) / seconds,
        "generator_cpu": (time.process_time() - own) / seconds,
        "resident_mib": children.resident(),
        "new_games": players.recorder.new_games / max(players.recorder.taps, 1),
        "stuck": players.stuck,
        "refused": players.refused,
    }
    if not players.recorder.taps:
        raise RuntimeError(f"no tap was answered and shown; calls {telegram.calls}\n{children.tail()}")
    result["tap_us"] = result["bot_cpu"] / result["taps_per_s"] * 1e6
    return result


def _pace(load: Load, players: Players) -> Pace:
    if load.moment:
        return Moments(players, load.moment)
    return OpenLoop(players, load.rate) if load.rate else ClosedLoop(players)


async def _watch(seconds: float, players: Players, children: Children) -> None:
    """Let the players play, helping those that the bot forgot."""
    until = time.perf_counter() + seconds
    while (left := until - time.perf_counter()) > 0:
        await asyncio.sleep(min(left, 1))
        children.check()
        players.free_the_stuck(5)


def main() -> None:
    """Run the load that the argument describes."""
    given = json.loads(sys.argv[1])
    children = [Child(**child) for child in given.pop("children")]
    print(json.dumps(uvloop.run(run(Load(children=children, **given)))))


if __name__ == "__main__":
    main()
