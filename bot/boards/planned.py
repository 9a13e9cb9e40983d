"""Reads the words by which people say when a cup is to be held, and says it."""

import re
import time
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from bot.boards.translations import folded, meanings, understood
from bot.language import N_, _, per_language
from storage.columns import DAY

WEEK_SECONDS: Final = 7 * DAY
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

THURSDAY: Final = 3
"""The day of the week on which 1970 began."""


class When(NamedTuple):
    """When a cup is to be held: times are UTC, as the days of the puzzle are."""

    minute: int
    """Of the day."""
    weekday: int | None = None
    """From 0 for Monday; None for the next time that this minute comes."""
    is_weekly: bool = False

    def next_at(self, after: int) -> int:
        """The first such moment later than another, both in seconds since 1970."""
        at = after // DAY * DAY + 60 * self.minute
        while at <= after or self.weekday not in (None, _weekday(at)):
            at += DAY
        return at


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


def said_of(at: int, *, is_weekly: bool) -> str:
    """When a cup is held: the day and the time."""
    told = _("every {day}, {time} UTC") if is_weekly else _("{day}, {time} UTC")
    return told.format(day=_(DAYS[_weekday(at)]).partition("|")[0], time=time.strftime("%H:%M", time.gmtime(at)))


def _weekday(at: int) -> int:
    return (at // DAY + THURSDAY) % len(DAYS)


def _meaning(word: str) -> tuple[str, int] | None:
    if found := TIME.fullmatch(word):
        return "minute", 60 * int(found[1]) + int(found[2])
    return _words().get(folded(word))


@per_language
def _words() -> Mapping[str, tuple[str, int]]:
    days = {text: ("weekday", number) for number, text in enumerate(DAYS)}
    return meanings({**days, WEEKLY: ("weekly", 1)})
