"""The message of /stats, and the caption of its picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from gettext import NullTranslations
from typing import Final, NamedTuple

from bot.boards import names
from bot.boards.buttons import Stats
from bot.boards.cells import cell_name
from bot.boards.level_names import level_name
from bot.boards.milestones import lines as milestone_lines
from bot.boards.rules import ALL, family_name
from bot.boards.translations import sentences
from bot.boards.view import View, button, choice, keyboard
from engine import Level, Rules
from engine.rules.families import FAMILIES, family_of
from storage.games.game import rules_of
from storage.results.tally import PEOPLE_AGAINST, Summary, Tally

FEWEST_OPENINGS: Final = 5
"""With fewer games, no favourite first move is shown."""


class Shown(NamedTuple):
    """The person whose results a message shows, and which results."""

    name: str
    chosen: Stats
    in_group: bool
    buttons: bool = True
    """Whether there are buttons to choose others."""


def page(shown: Shown, summary: Summary, t: NullTranslations) -> View:
    """The message with somebody's results, and buttons to more of them."""
    family = shown.chosen.family
    tallies = [tally for tally in summary.tallies if family in (ALL, tally.family)]
    where = t.gettext("in this chat") if shown.chosen.here else t.gettext("everywhere")
    name = names.shown(shown.name, t.gettext("Player"))
    lines = [f"📊 <b>{name}</b> · {where} · {family_name(family, t)}", ""]
    if tallies:
        lines += [_sum(t.gettext("Games"), tallies, t)]
        if (standing := summary.standings.get(family)) is not None:
            lines.append(t.gettext("Rating: {rating}").format(rating=f"<b>{standing.figure}</b>"))
        lines += ["", *_by_opponent(tallies, t), *_more(summary, family, t)]
    else:
        lines.append(t.gettext("No finished games yet. Send /newgame to start one."))
    if family == ALL and summary.milestones:
        lines += ["", *milestone_lines(summary.milestones, t)]
    return View("\n".join(lines), _keyboard(shown, summary, t) if shown.buttons else None)


def not_shown(t: NullTranslations) -> str:
    """The sentence for results that may not be shown, for whatever reason."""
    return t.gettext("There's nothing I can show here.")


def favourite(summary: Summary, family: str, t: NullTranslations) -> str | None:
    """Somebody's favourite first move as X in their last games; None if these are too few."""
    openings: Counter[tuple[str, int]] = Counter()
    for result in summary.recent:
        if result.opening and family in (ALL, family_of(result.rules)):
            rules = rules_of(result.rules)
            openings[result.rules, _alike(rules.read_moves(result.opening)[0], rules)] += 1
    if openings.total() < FEWEST_OPENINGS:
        return None
    ((text, cell), most), *_ = openings.most_common(1)
    named = _cell(cell, rules_of(text), t)
    return t.gettext("Favourite first move: {cell} ({most} of the last {count})").format(
        cell=named, most=most, count=openings.total()
    )


def _sum(label: str, tallies: Iterable[Tally], t: NullTranslations) -> str:
    wins, draws, losses = (sum(points) for points in zip(*(tally[2:5] for tally in tallies), strict=True))
    # Translators: {label} is a level, "people" or "Games"; then how many games were won, drawn and lost.
    words = t.gettext("{label}: {wins} won, {draws} drawn, {losses} lost")
    return words.format(label=label, wins=wins, draws=draws, losses=losses)


def _by_opponent(tallies: Iterable[Tally], t: NullTranslations) -> list[str]:
    """A line for people, and one for each level that was played, weakest first."""
    by: dict[str, list[Tally]] = {}
    for tally in tallies:
        by.setdefault(tally.against, []).append(tally)
    lines = []
    if people := by.pop(PEOPLE_AGAINST, []):
        lines.append(_sum(t.gettext("Against people"), people, t))
    order = {level: number for number, level in enumerate(Level)}
    for level in sorted(by, key=lambda level: order.get(Level(level), 0) if level in order else len(order)):
        against = t.gettext("Against OXO ({level})").format(level=level_name(level, t))
        lines.append(_sum(against, by[level], t))
    return lines


def _more(summary: Summary, family: str, t: NullTranslations) -> list[str]:
    """Streaks, which know no families, and the favourite opening."""
    lines = []
    streak = summary.streak
    if streak is not None and family == ALL:
        if streak.streak > 1:
            lines.append(t.gettext("Winning streak: {count}").format(count=streak.streak))
        if streak.longest > 1:
            lines.append(t.gettext("Longest streak: {count}").format(count=streak.longest))
    if (opening := favourite(summary, family, t)) is not None:
        lines.append(opening)
    return ["", *lines] if lines else []


def _keyboard(shown: Shown, summary: Summary, t: NullTranslations) -> str | None:
    chosen = replace(shown.chosen, picture=False)
    rows = []
    if shown.in_group:
        places = ((True, t.gettext("in this chat")), (False, t.gettext("everywhere")))
        rows.append([choice(label, replace(chosen, here=here), chosen) for here, label in places])
    families = [family for family in FAMILIES if any(tally.family == family for tally in summary.tallies)]
    if len(families) > 1 or chosen.family:
        kinds = [ALL, *families]
        made = [choice(family_name(kind, t), replace(chosen, family=kind), chosen) for kind in kinds]
        rows += [made[:3], made[3:]] if len(made) > 3 else [made]  # noqa: PLR2004 - in two rows if they are many
    if summary.tallies:
        rows.append([button(t.gettext("As a picture"), replace(chosen, picture=True))])
    return keyboard(rows) if rows else None


def caption(shown: Shown, t: NullTranslations, *, rated: bool) -> str:
    """The caption of the picture of somebody's results."""
    where = t.gettext("in this chat") if shown.chosen.here else t.gettext("everywhere")
    name = names.shown(shown.name, t.gettext("Player"))
    parts = [t.gettext("Green: won, grey: drawn, red: lost, by week.")]
    if rated:
        parts.append(t.gettext("Below: the rating."))
    return f"📊 <b>{name}</b> · {where} · {family_name(shown.chosen.family, t)}\n{sentences(t, *parts)}"


def _alike(cell: int, rules: Rules) -> int:
    """The first of the cells that are equal under turning and mirroring the board."""
    layout = rules.layout
    columns, rows = layout.columns, layout.rows
    row, column = layout.place_of(cell)
    row, column = min(row, rows - 1 - row), min(column, columns - 1 - column)
    if columns == rows and row > column:
        row, column = column, row
    return layout.cell_at(row, column)


def _cell(cell: int, rules: Rules, t: NullTranslations) -> str:
    """The name of a class of such cells: its kind on three by three, elsewhere its place."""
    kinds = {(0, 0): t.gettext("a corner"), (0, 1): t.gettext("an edge"), (1, 1): t.gettext("the centre")}
    if rules.layout.has_names and len(rules.layout.regions) == 1:
        return kinds[divmod(cell, 3)]
    return cell_name(cell, rules, t)
