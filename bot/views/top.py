"""Who plays best: /top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from bot.views import names
from bot.views.families import ALL, family_name
from bot.views.stats import figure
from bot.views.view import View, button, keyboard
from engine.families import Family
from storage.tally import PAGE, Standing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from gettext import NullTranslations

    from bot.views.buttons import Top
    from storage.tally import Listed, Place

MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


class Page(NamedTuple):
    """A page of a list, for somebody who looks at it."""

    listed: Sequence[Listed]
    own: Place | None
    hidden: bool
    """Whether who looks at it hides from lists."""
    in_group: bool


def page(wish: Top, found: Page, t: NullTranslations) -> View:
    """A page of a list, with buttons to its others and to other lists."""
    where = t.gettext("this chat") if wish.here else t.gettext("everybody")
    order = t.gettext("wins this week") if wish.by_wins else t.gettext("rating")
    lines = [f"🏆 <b>{where} · {order} · {family_name(wish.family, t)}</b>", ""]
    first = wish.page * PAGE + 1
    lines += [_line(number, entry, wish, t) for number, entry in enumerate(found.listed, first)]
    if not found.listed:
        nobody = t.gettext("Nobody is on this page.") if wish.page else t.gettext("Nobody is in this list yet.")
        lines.append(nobody)
    lines += ["", _own(wish, found, t)]
    return View("\n".join(lines), _keyboard(wish, found, t))


def _line(number: int, entry: Listed, wish: Top, t: NullTranslations) -> str:
    name = names.shown(entry.name, t.gettext("Player"))
    return f"{MEDALS.get(number, f'{number}.')} {name} · {_figure(wish, entry.figure, settled=entry.is_settled)}"


def _own(wish: Top, found: Page, t: NullTranslations) -> str:
    if found.hidden:
        return t.gettext("You are in no list: you keep your results to yourself (/settings).")
    if found.own is None:
        if wish.by_wins:
            return t.gettext("You have won no game against a person this week.")
        return t.gettext("You have no rating here yet: it comes the day after your first game with a person.")
    shown = _figure(wish, found.own.figure, settled=found.own.is_settled)
    return t.gettext("Your place: {place} · {figure}").format(place=found.own.place, figure=shown)


def _figure(wish: Top, value: int, *, settled: bool) -> str:
    return str(value) if wish.by_wins else figure(Standing(value, settled))


def _keyboard(wish: Top, found: Page, t: NullTranslations) -> str:
    start = wish._replace(page=0)
    rows = [
        [
            _choice(t.gettext("rating"), start._replace(by_wins=False), start),
            _choice(t.gettext("wins this week"), start._replace(by_wins=True), start),
        ]
    ]
    if found.in_group:
        rows.append(
            [
                _choice(t.gettext("this chat"), start._replace(here=True), start),
                _choice(t.gettext("everybody"), start._replace(here=False), start),
            ]
        )
    kinds = [_choice(family_name(kind, t), start._replace(family=kind), start) for kind in (ALL, *Family)]
    rows += [kinds[:2], kinds[2:]]
    turns = []
    if wish.page:
        turns.append(button("‹", wish._replace(page=wish.page - 1)))
    if len(found.listed) == PAGE:
        turns.append(button("›", wish._replace(page=wish.page + 1)))
    return keyboard([*rows, turns] if turns else rows)


def _choice(label: str, carries: Top, now: Top) -> dict[str, str]:
    return button(f"✓ {label}", carries, "primary") if carries == now else button(label, carries)
