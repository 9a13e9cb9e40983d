"""Time zones by which groups say a time of day."""

from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from bot.language import _

UTC_NAME: Final = "UTC"
OFFERED_ZONES: Final = (
    UTC_NAME,
    "Europe/London",
    "Europe/Berlin",
    "Europe/Kyiv",
    "Europe/Istanbul",
    "Europe/Moscow",
    "Africa/Cairo",
    "Asia/Tehran",
    "Asia/Tashkent",
    "Asia/Kolkata",
    "Asia/Jakarta",
    "Asia/Ho_Chi_Minh",
    "Asia/Shanghai",
    "Asia/Taipei",
    "America/Sao_Paulo",
    "America/New_York",
    "America/Mexico_City",
    "America/Los_Angeles",
)
"""Those with a button; people may type any other."""


@cache
def _named() -> dict[str, str]:
    """All zones by their names, and by their cities alone, in small letters."""
    zones = sorted(available_timezones())
    return {_city(zone).lower(): zone for zone in zones} | {zone.lower(): zone for zone in zones}


def zone_named(words: str) -> str | None:
    """The zone that somebody means by its name, such as `Europe/Paris`, or by its city."""
    return _named().get(words.lower().replace(" ", "_"))


def _city(zone: str) -> str:
    return zone.rpartition("/")[2]


def city(zone: str) -> str:
    """A zone in words, which are the same in all languages."""
    return _city(zone).replace("_", " ")


def other_zone(example: str = "") -> str:
    """How a group chooses its zone."""
    told = _("To use another time zone: <code>{command}</code>")
    return told.format(command=f"/settings timezone {example}".rstrip())


def clock_in(zone: str | None) -> tzinfo:
    """How clocks go in a zone; without one as UTC."""
    return UTC if zone in (None, UTC_NAME) else ZoneInfo(zone)


def same_hour(at: int, before: str | None, after: str | None) -> int:
    """The moment when clocks in one zone show what those in another one do at a moment."""
    return int(datetime.fromtimestamp(at, clock_in(before)).replace(tzinfo=clock_in(after)).timestamp())


def weeks_later(at: int, now: int, zone: str | None) -> int:
    """The first moment after `now` with the day of the week and the time of another one, whatever summer does.

    A week in which clocks skip that time is left out, or it would be another one from then on.
    """
    local = datetime.fromtimestamp(at, clock_in(zone))
    while local.timestamp() <= now or is_skipped(local):
        local += timedelta(weeks=1)
    return int(local.timestamp())


def is_skipped(local: datetime) -> bool:
    """Whether clocks never show this time, as they skip an hour in spring."""
    return datetime.fromtimestamp(local.timestamp(), local.tzinfo) != local
