"""The load generator plays the real bot, in processes of their own."""

from typing import Any

import pytest

from benchmarks.bots import oxo
from benchmarks.children import OURS, Child
from benchmarks.load import Load, run
from benchmarks.runs import RATIO, Benchmark, Size, Target, compare, report

SIZE = Size(seconds=2, warm_up=0.2, rounds=1, games=4, finished=300, running=30)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"filled": True}, id="full database", marks=pytest.mark.soak),
        pytest.param({"webhook": True}, id="webhook"),
    ],
)
def test_games_are_played_to_their_end_and_begun_again(options: dict[str, Any]) -> None:
    benchmark = Benchmark("Play", {"OXO": oxo(**options)}, [Target("itself", RATIO, 1)])
    (rows,) = compare(benchmark, SIZE, [OURS])
    played = rows["OXO"]
    assert played["new_games"] > 0, "each game ends after nine taps at the latest"
    assert (played["stuck"], played["refused"]) == (0, 0), "no tap may hit a taken cell or a finished game"
    assert "- itself: 1.00, ≥ 1 wanted: reached" in report(benchmark, rows)


async def test_a_bot_that_ends_by_itself_is_reported_with_its_last_words() -> None:
    with pytest.raises(RuntimeError, match="no token today"):
        await run(Load([Child(["-c", "import sys; sys.exit('no token today')"])]))
