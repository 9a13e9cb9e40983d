"""Who plays best: /top."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.boards import names
from bot.boards.families import ALL, family_name
from bot.boards.view import View, button, keyboard
from engine.rules.families import FAMILIES
from storage.results.tally import OPPONENTS, PAGE, Standing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from gettext import NullTranslations

    from bot.boards.buttons import Top
    from storage.results.tally import Listed, Place

MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


class Page(NamedTuple):
    """A page of a list, for somebody who looks at it."""

    listed: Sequence[Listed]
    own: Place | None
    hidden: bool
    """Whether who looks at it hides from lists."""
    in_group: bool
    opponents: int | None = None
    """Of somebody who is not in the list, against how many people they are rated; None if they are not."""
    being_made: bool = False
    """Whether the ratings are still being worked out."""


def page(chosen: Top, found: Page, t: NullTranslations) -> View:
    """A page of a list, with buttons to its others and to other lists."""
    where = t.gettext("this chat") if chosen.here else t.gettext("everybody")
    order = t.gettext("wins this week") if chosen.by_wins else t.gettext("rating")
    lines = [f"🏆 <b>{where} · {order} · {family_name(chosen.family, t)}</b>", ""]
    first = chosen.page * PAGE + 1
    lines += [_line(number, entry, chosen, t) for number, entry in enumerate(found.listed, first)]
    if found.being_made:
        lines.append(t.gettext("The ratings are being worked out. Please look again in a few minutes."))
        return View("\n".join(lines), _keyboard(chosen, found, t))
    if not found.listed:
        nobody = t.gettext("Nobody is on this page.") if chosen.page else t.gettext("Nobody is in this list yet.")
        lines.append(nobody)
    lines += ["", _own(chosen, found, t)]
    return View("\n".join(lines), _keyboard(chosen, found, t))


def _line(number: int, entry: Listed, chosen: Top, t: NullTranslations) -> str:
    name = names.shown(entry.name, t.gettext("Player"))
    return f"{MEDALS.get(number, f'{number}.')} {name} · {_figure(chosen, entry.figure, settled=entry.is_settled)}"


def _own(chosen: Top, found: Page, t: NullTranslations) -> str:
    if found.hidden:
        return t.gettext("You are in no list: you keep your results to yourself (/settings).")
    if found.own is None:
        if chosen.by_wins:
            return t.gettext("You have won no game against a person this week.")
        if found.opponents is None or chosen.here:
            return t.gettext("You have no rating here yet: it comes with your first rated game against a person.")
        wanted = t.gettext(
            "This list takes rated games against {wanted} different people; you have played {count}."
        )
        return wanted.format(wanted=OPPONENTS, count=found.opponents)
    shown = _figure(chosen, found.own.figure, settled=found.own.is_settled)
    return t.gettext("Your place: {place} · {figure}").format(place=found.own.place, figure=shown)


def _figure(chosen: Top, value: int, *, settled: bool) -> str:
    return str(value) if chosen.by_wins else Standing(value, settled).figure


def _keyboard(chosen: Top, found: Page, t: NullTranslations) -> str:
    start = replace(chosen, page=0)
    rows = [
        [
            _choice(t.gettext("rating"), replace(start, by_wins=False), start),
            _choice(t.gettext("wins this week"), replace(start, by_wins=True), start),
        ]
    ]
    if found.in_group:
        rows.append(
            [
                _choice(t.gettext("this chat"), replace(start, here=True), start),
                _choice(t.gettext("everybody"), replace(start, here=False), start),
            ]
        )
    kinds = [_choice(family_name(kind, t), replace(start, family=kind), start) for kind in (ALL, *FAMILIES)]
    rows += [kinds[:2], kinds[2:]]
    turns = []
    if chosen.page:
        turns.append(button("‹", replace(chosen, page=chosen.page - 1)))
    if len(found.listed) == PAGE:
        turns.append(button("›", replace(chosen, page=chosen.page + 1)))
    return keyboard([*rows, turns] if turns else rows)


def _choice(label: str, carries: Top, now: Top) -> dict[str, str]:
    return button(f"✓ {label}", carries, "primary") if carries == now else button(label, carries)
