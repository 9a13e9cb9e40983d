"""When a cup is held that is said to be held later."""

import time
from collections.abc import Sequence

import pytest

from bot.boards.planned import When, said_of, when_among
from bot.language import speaking

NOW = 1_700_000_000
"""Tuesday, 22:13:20 UTC."""


@pytest.mark.parametrize(
    ("words", "rest", "when"),
    [
        ("friday 20:00", [], When(1200, 4)),
        ("20:00 5x5 30s", ["5x5", "30s"], When(1200)),
        ("every fri 9.30 5x5", ["5x5"], When(570, 4, is_weekly=True)),
        ("Sunday 7:05 weekly", [], When(425, 6, is_weekly=True)),
        ("friday", ["friday"], None),
        ("5x5 2m", ["5x5", "2m"], None),
        ("25:00", ["25:00"], None),
    ],
)
def test_a_day_and_a_time_say_when_and_other_words_stay(
    words: str, rest: Sequence[str], when: When | None
) -> None:
    assert when_among(words.split()) == (rest, when)


@pytest.mark.parametrize(
    ("when", "said"),
    [
        (When(1200), "2023-11-15 20:00"),
        (When(22 * 60 + 14), "2023-11-14 22:14"),
        (When(1200, 4), "2023-11-17 20:00"),
        (When(1200, 1), "2023-11-21 20:00"),
        (When(22 * 60 + 14, 1), "2023-11-14 22:14"),
    ],
)
def test_it_is_the_next_such_moment(when: When, said: str) -> None:
    assert time.strftime("%Y-%m-%d %H:%M", time.gmtime(when.next_at(NOW))) == said


def test_the_day_is_said_with_the_time() -> None:
    with speaking("en"):
        assert said_of(When(1200, 4).next_at(NOW), is_weekly=False) == "Friday, 20:00 UTC"
        assert said_of(When(1200, 4).next_at(NOW), is_weekly=True) == "every Friday, 20:00 UTC"
