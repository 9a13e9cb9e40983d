"""Times as people say them."""

from __future__ import annotations

from gettext import NullTranslations


def duration(seconds: int, t: NullTranslations) -> str:
    """A time in the unit that fits it."""
    if seconds >= 5400:  # noqa: PLR2004 - from an hour and a half on, hours say enough
        hours = round(seconds / 3600)
        return t.ngettext("{count} hour", "{count} hours", hours).format(count=hours)
    if seconds >= 90:  # noqa: PLR2004 - likewise minutes
        minutes = round(seconds / 60)
        return t.ngettext("{count} minute", "{count} minutes", minutes).format(count=minutes)
    count = max(1, seconds)
    return t.ngettext("{count} second", "{count} seconds", count).format(count=count)


def clock_line(clock: int | None, t: NullTranslations) -> str | None:
    """How much time there is for a move, where two people have a clock."""
    return None if clock is None else t.gettext("⏱ {time} a move").format(time=duration(clock, t))
