"""The message of /top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from gettext import NullTranslations
from typing import Final, NamedTuple

from bot.boards import names
from bot.boards.buttons import Top
from bot.boards.rules import ALL, family_name
from bot.boards.view import View, button, choice, keyboard
from engine.rules.families import FAMILIES
from storage.results.tally import OPPONENTS, PAGE, Listed, Rank, Standing

MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


class Page(NamedTuple):
    """A page of a leaderboard, for one reader."""

    listed: Sequence[Listed]
    own: Rank | None
    hidden: bool
    """Whether the reader is hidden from leaderboards."""
    in_group: bool
    opponents: int | None = None
    """How many opponents a reader who isn't listed has rated games against; None if they have none."""
    being_made: bool = False
    """Whether ratings are still being computed."""
    families: Sequence[str] = ()
    """The families of rules that anybody is listed in."""


def page(chosen: Top, found: Page, t: NullTranslations) -> View:
    """A page of a leaderboard, with buttons to its other pages and to other leaderboards."""
    where = t.gettext("this chat") if chosen.here else t.gettext("everybody")
    order = t.gettext("Wins this week") if chosen.by_wins else t.gettext("Rating")
    lines = [f"🏆 <b>{order}</b> · {where} · {family_name(chosen.family, t)}", ""]
    first = chosen.page * PAGE + 1
    lines += [_line(number, entry, chosen, t) for number, entry in enumerate(found.listed, first)]
    if found.being_made:
        lines.append(t.gettext("Ratings are being recalculated. Check back in a few minutes."))
        return View("\n".join(lines), _keyboard(chosen, found, t))
    if not found.listed:
        nobody = (
            t.gettext("Nobody's on this page.") if chosen.page else t.gettext("Nobody's on this leaderboard yet.")
        )
        lines.append(nobody)
    lines += ["", _own(chosen, found, t)]
    return View("\n".join(lines), _keyboard(chosen, found, t))


def _line(number: int, entry: Listed, chosen: Top, t: NullTranslations) -> str:
    name = names.shown(entry.name, t.gettext("Player"))
    return f"{MEDALS.get(number, f'{number}.')} {name} · {_figure(chosen, entry.figure, settled=entry.is_settled)}"


def _own(chosen: Top, found: Page, t: NullTranslations) -> str:
    if found.hidden:
        return t.gettext("You aren't listed: your stats are hidden (/settings).")
    if found.own is None:
        if chosen.by_wins:
            return t.gettext("You haven't won a game against a person this week.")
        if found.opponents is None or chosen.here:
            return t.gettext(
                "You don't have a rating here yet. Your first rated game against a person gives you one."
            )
        wanted = t.gettext(
            "You need rated games against {wanted} different people to be listed; you've played {count}."
        )
        return wanted.format(wanted=OPPONENTS, count=found.opponents)
    shown = _figure(chosen, found.own.figure, settled=found.own.is_settled)
    return t.gettext("Your place: {place} · {figure}").format(place=found.own.place, figure=shown)


def _figure(chosen: Top, value: int, *, settled: bool) -> str:
    return str(value) if chosen.by_wins else Standing(value, settled).figure


def _keyboard(chosen: Top, found: Page, t: NullTranslations) -> str | None:
    """Buttons to other leaderboards that aren't empty, and to other pages."""
    start = replace(chosen, page=0)
    rows = []
    if found.families:
        rating, wins = replace(start, by_wins=False), replace(start, by_wins=True)
        rows.append([choice(t.gettext("Rating"), rating, start), choice(t.gettext("Wins this week"), wins, start)])
    if found.in_group and (found.families or not chosen.here):
        here, everywhere = replace(start, here=True), replace(start, here=False)
        rows.append(
            [choice(t.gettext("This chat"), here, start), choice(t.gettext("Everybody"), everywhere, start)]
        )
    if set(found.families) - {ALL} or chosen.family != ALL:
        offered = [kind for kind in (ALL, *FAMILIES) if kind in (ALL, chosen.family, *found.families)]
        kinds = [choice(family_name(kind, t), replace(start, family=kind), start) for kind in offered]
        rows += [kinds[at : at + 3] for at in range(0, len(kinds), 3)]
    turns = []
    if chosen.page:
        turns.append(button("‹", replace(chosen, page=chosen.page - 1)))
    if len(found.listed) == PAGE:
        turns.append(button("›", replace(chosen, page=chosen.page + 1)))
    rows += [turns] if turns else []
    return keyboard(rows) if rows else None
