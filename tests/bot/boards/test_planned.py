"""When a cup is held that is said to be held later."""

import time
from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.boards.planned import When, said_of, when_among
from bot.boards.zones import same_hour, weeks_later, zone_named
from bot.language import speaking
from storage.columns import DAY

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
    assert _utc(when.next_at(NOW)) == said


def _utc(at: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(at))


@pytest.mark.parametrize(
    ("zone", "weeks"),
    [
        (None, ["2023-11-17 20:00", "2023-11-24 20:00"]),
        ("Asia/Kolkata", ["2023-11-17 14:30", "2023-11-24 14:30"]),
        ("America/New_York", ["2023-11-18 01:00", "2023-11-25 01:00"]),
    ],
)
def test_it_goes_by_the_clocks_of_the_group(zone: str | None, weeks: Sequence[str]) -> None:
    first = When(1200, 4).next_at(NOW, zone)
    assert [_utc(first), _utc(weeks_later(first, first, zone))] == weeks


@pytest.mark.parametrize(
    ("before", "after", "hours"),
    [
        ("2024-03-30 20:00", "2024-04-06 20:00", 7 * 24 - 1),
        ("2024-10-26 20:00", "2024-11-02 20:00", 7 * 24 + 1),
        pytest.param("2024-03-24 02:30", "2024-04-07 02:30", 14 * 24 - 1, id="clocks skip it in between"),
        pytest.param("2024-10-20 02:30", "2024-10-27 02:30", 7 * 24, id="clocks show it twice then"),
        pytest.param("2024-10-27 02:30", "2024-11-03 02:30", 7 * 24 + 1, id="clocks have shown it twice"),
    ],
)
def test_a_time_of_day_stays_so_in_summer_and_winter(before: str, after: str, hours: int) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    local = datetime.fromisoformat(before)
    first = int(local.replace(tzinfo=berlin).timestamp())
    weekly = When(60 * local.hour + local.minute, local.weekday(), is_weekly=True)
    for then in (weeks_later(first, first, "Europe/Berlin"), weekly.next_at(first, "Europe/Berlin")):
        assert f"{datetime.fromtimestamp(then, berlin):%Y-%m-%d %H:%M}" == after
        assert then - first == hours * 3600
    skipped = int(datetime(2024, 3, 30, tzinfo=berlin).timestamp())
    assert _utc(When(150, 6).next_at(skipped, "Europe/Berlin")) == "2024-03-31 01:30", "held once, an hour later"


def test_a_week_that_nobody_was_there_is_left_out_and_another_zone_keeps_the_hour() -> None:
    assert weeks_later(NOW, NOW + 20 * DAY, None) == NOW + 21 * DAY
    assert same_hour(NOW, None, "Europe/Berlin") == NOW - 3600
    assert same_hour(NOW - 3600, "Europe/Berlin", "UTC") == NOW


@pytest.mark.parametrize(
    ("words", "zone"),
    [
        ("europe/berlin", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("Buenos_Aires", "America/Buenos_Aires"),
        ("utc", "UTC"),
        ("../etc/passwd", None),
        ("atlantis", None),
    ],
)
def test_a_zone_is_named_by_its_name_or_its_city(words: str, zone: str | None) -> None:
    assert zone_named(words) == zone


def test_the_day_is_said_with_the_time() -> None:
    with speaking("en"):
        assert said_of(When(1200, 4).next_at(NOW), is_weekly=False) == "Friday, 20:00 (UTC)"
        kolkata = When(1200, 4).next_at(NOW, "Asia/Kolkata")
        assert said_of(kolkata, "Asia/Kolkata", is_weekly=True) == "every Friday, 20:00 (Kolkata)"
