"""The load generator plays real bots in processes of their own."""

import sys
from pathlib import Path

import pytest

from benchmarks.bots import free_port
from benchmarks.children import Child
from benchmarks.load import Load, run

PLAYING_BOT = Path(__file__).with_name("playing_bot.py")


SECONDS = 1.0


def playing(*arguments: str, **options: object) -> Load:
    return Load(children=[Child(list(arguments))], games=4, warm_up=0.1, seconds=SECONDS, **options)  # type: ignore[arg-type] # options of several types


@pytest.mark.parametrize("name", ["as_it_comes", "on_aiohttp"])
async def test_a_bare_handler_answers_and_edits_each_tap(name: str) -> None:
    result = await run(playing("-m", f"benchmarks.bare.{name}", choice="any"))
    assert result["taps_per_s"] > 0
    assert result["stuck"] == 0
    assert abs(result["calls"]["answercallbackquery"] - result["calls"]["editmessagetext"]) <= 4


async def test_a_delay_is_part_of_each_latency() -> None:
    result = await run(playing("-m", "benchmarks.bare.on_aiohttp", choice="any", delay=0.05))
    assert result["answer_median_ms"] >= 50
    assert result["edit_median_ms"] >= 100, "a bare handler edits after it has answered"


async def test_games_are_played_to_their_end_and_begun_again() -> None:
    result = await run(playing(str(PLAYING_BOT)))
    assert result["stuck"] == 0
    assert result["words"] == {}, "no tap may meet a taken cell or a finished game"
    assert result["taps_per_s"] * SECONDS > 20, "each game ends after nine taps at the latest"
    assert result["new_games"] > 0


async def test_a_crawling_group_slows_only_itself() -> None:
    result = await run(playing(str(PLAYING_BOT), group_games=2, crawl=60))
    assert result["calls"]["429"] > 0
    assert result["group"]["taps_per_s"] * SECONDS <= 1
    assert result["taps_per_s"] * SECONDS > 20


async def test_updates_reach_a_webhook_with_its_secret_and_again_when_refused() -> None:
    port = free_port()
    child = Child([str(PLAYING_BOT)], {"WEBHOOK_PORT": str(port)})
    webhooks = [f"http://127.0.0.1:{port}/webhook"]
    secret = "s3cret"  # noqa: S105 - the bot of this test knows no other
    load = Load([child], games=4, warm_up=0, seconds=2, webhooks=webhooks, secret=secret, connections=4)
    result = await run(load)
    assert result["refusals"] > 0
    assert result["stuck"] == 0
    assert result["words"] == {}
    assert result["taps_per_s"] > 0
    assert "getupdates" not in result["calls"]


async def test_an_open_loop_keeps_its_rate() -> None:
    result = await run(playing("-m", "benchmarks.bare.on_aiohttp", choice="any", rate=50))
    assert 30 <= result["taps_per_s"] <= 70


async def test_a_bot_that_ends_by_itself_is_reported_with_its_last_words() -> None:
    with pytest.raises(RuntimeError, match="no token today"):
        await run(playing("-c", "import sys; sys.exit('no token today')", python=sys.executable))
