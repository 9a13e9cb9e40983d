"""What the pace promises under each model of Telegram's limits, in virtual time: `make bench` has the figures."""

import asyncio
import statistics

import pytest

from benchmarks import flood, virtual
from benchmarks.flood import TRIALS, Trial
from playground.flood import Published


@pytest.mark.parametrize("trial", TRIALS, ids=[trial.name for trial in TRIALS])
def test_a_busy_chat_shows_most_of_what_its_limit_allows_and_slows_no_other(trial: Trial) -> None:
    outcome = flood.attempt(trial)
    seen, alone = outcome.seen, flood.undisturbed()
    assert outcome.share >= trial.wanted
    assert seen.into_closed == 0
    assert statistics.median(seen.waits) == pytest.approx(statistics.median(alone.waits), abs=0.002)
    assert max(seen.waits) < 0.1
    assert seen.refusals <= trial.parts * flood.PART / 60, "at most one a minute"


@pytest.mark.parametrize("seconds", [1.0, 2.3, 5.05, 7.9, 20.6, 100.001])
def test_after_a_refusal_of_everything_the_first_board_comes_within_two_seconds(seconds: float) -> None:
    first, seen = flood.after_a_refusal(120.0, 120.0 + seconds)
    assert 0 < first <= 2.0
    assert seen.into_closed == 0
    assert seen.refusals <= 6
    assert max(seen.waits) < seconds + 5


def test_a_bot_that_knows_the_model_shows_all_that_it_allows() -> None:
    shown = flood.at_best(Published(), 600, flood.GROUP)
    assert len(shown) == 200
    assert max(sum(first <= time < first + 59.9 for time in shown) for first in shown) == 20


def test_virtual_time_passes_instantly_and_only_while_everything_waits() -> None:
    async def main() -> list[float]:
        loop = asyncio.get_running_loop()
        times = [loop.time()]
        for _ in range(1000):
            await asyncio.sleep(0)
        times.append(loop.time())
        await asyncio.gather(asyncio.sleep(3600), asyncio.sleep(60))
        return [*times, loop.time()]

    assert virtual.run(main()) == [0.0, 0.0, 3600.0]


def test_waiting_for_nothing_that_has_a_time_is_an_error() -> None:
    async def main() -> None:
        await asyncio.get_running_loop().create_future()

    with pytest.raises(RuntimeError, match="everything waits"):
        virtual.run(main())
