"""Reads the words by which people say when a cup is to be held, and says it."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Final, NamedTuple

from bot.boards.translations import folded, meanings, understood
from bot.boards.zones import UTC_NAME, city, clock_in, is_skipped
from bot.language import N_, _, per_language

TIME: Final = re.compile(r"([01]?[0-9]|2[0-3])[:.]([0-5][0-9])")

# Translators: what people may type for a day, with | between; the first one is told to them.
DAYS: Final = (
    N_("Monday|mon"),
    N_("Tuesday|tue"),
    N_("Wednesday|wed"),
    N_("Thursday|thu"),
    N_("Friday|fri"),
    N_("Saturday|sat"),
    N_("Sunday|sun"),
)
# Translators: what people may type for once a week, with | between.
WEEKLY: Final = N_("weekly|every")


class When(NamedTuple):
    """When a cup is to be held, by the clocks of its group."""

    minute: int
    """Of the day."""
    weekday: int | None = None
    """From 0 for Monday; None for the next time that this minute comes."""
    is_weekly: bool = False

    def next_at(self, after: int, zone: str | None = None) -> int:
        """The first such moment later than another, both in seconds since 1970."""
        clock, of_day = clock_in(zone), time(*divmod(self.minute, 60))
        day = datetime.fromtimestamp(after, clock).date()
        while True:
            local = datetime.combine(day, of_day, clock)
            is_then = self.weekday in (None, day.weekday()) and not (self.is_weekly and is_skipped(local))
            if is_then and local.timestamp() > after:
                return int(local.timestamp())
            day += timedelta(days=1)


def when_among(words: Sequence[str]) -> tuple[Sequence[str], When | None]:
    """The words that say nothing of when, and what the others say; nothing without a time of day."""
    rest, said = list[str](), dict[str, int]()
    for word, meaning in understood(words, _meaning):
        if meaning is None:
            rest.append(word)
        else:
            said[meaning[0]] = meaning[1]
    if "minute" not in said:
        return words, None
    weekday, minute = said.get("weekday"), said["minute"]
    return rest, When(minute, weekday, is_weekly="weekly" in said)


def said_of(at: int, zone: str | None = None, *, is_weekly: bool) -> str:
    """When a cup is held: the day and the time, by the clocks of its group."""
    local = datetime.fromtimestamp(at, clock_in(zone))
    told = _("every {day}, {time} ({zone})") if is_weekly else _("{day}, {time} ({zone})")
    day = _(DAYS[local.weekday()]).partition("|")[0]
    return told.format(day=day, time=f"{local:%H:%M}", zone=city(zone or UTC_NAME))


def _meaning(word: str) -> tuple[str, int] | None:
    if found := TIME.fullmatch(word):
        return "minute", 60 * int(found[1]) + int(found[2])
    return _words().get(folded(word))


@per_language
def _words() -> Mapping[str, tuple[str, int]]:
    days = {text: ("weekday", number) for number, text in enumerate(DAYS)}
    return meanings({**days, WEEKLY: ("weekly", 1)})
