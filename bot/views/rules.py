"""Rules in words: what is played, what a line means there, and what each set of rules is called on a button."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from bot.views.texts import N_
from engine import CLASSIC
from engine.mnk_rules import MnkRules
from engine.offered import usual_line
from engine.ultimate import ULTIMATE
from storage.game import rules_of

if TYPE_CHECKING:
    from gettext import NullTranslations

    from storage.game import Game

_LINES: Final = {
    3: N_("three in a row"),
    4: N_("four in a row"),
    5: N_("five in a row"),
    6: N_("six in a row"),
    7: N_("seven in a row"),
    8: N_("eight in a row"),
}


class _Told(NamedTuple):
    """The words for rules with a name of their own."""

    name: str
    """Short enough for a button."""
    played: str
    """What is played, in a short line as HTML."""
    line: str
    """That a line was made, as the beginning of a sentence."""
    drawn: str
    """That a game was drawn, and why."""


_NAMED: Final = {
    ULTIMATE.text: _Told(
        N_("Ultimate"),
        N_("<b>Ultimate</b>: three boards in a row win."),
        N_("Three boards in a row"),
        N_("🤝 <b>Draw.</b> All boards are finished, and nobody has three of them in a row."),
    ),
}
"""By the text of the rules."""


def rules_line(text: str, t: NullTranslations) -> str | None:
    """What is played, in a short line as HTML; nothing where it is what everybody knows."""
    return None if text == CLASSIC.text else _described(text, t)


def _described(text: str, t: NullTranslations) -> str:
    rules = rules_of(text)
    if not isinstance(rules, MnkRules):
        return t.gettext(_NAMED[text].played)
    words = {"columns": rules.columns, "rows": rules.rows, "line": line_of(text, t)}
    if rules.misere:
        return t.gettext("<b>Misère</b> on {columns}×{rows}: who gets {line} <b>loses</b>.").format(**words)
    return t.gettext("{columns}×{rows}, {line}").format(**words)


def rules_name(text: str, t: NullTranslations) -> str:
    """What is played, as plain text short enough for a button."""
    rules = rules_of(text)
    if rules is CLASSIC:
        return "3×3"
    if not isinstance(rules, MnkRules):
        return t.gettext(_NAMED[text].name)
    k = rules.geometry.k
    words = {"columns": rules.columns, "rows": rules.rows, "line": k}
    if not rules.misere:
        # Translators: a board and how many marks make a line on it.
        return t.gettext("{columns}×{rows}, {line} in a row").format(**words)
    if k == usual_line(rules.columns, rules.rows, misere=True):
        return t.gettext("Misère {columns}×{rows}").format(**words)
    return t.gettext("Misère {columns}×{rows}, {line} in a row").format(**words)


def line_of(text: str, t: NullTranslations) -> str:
    """How long a line is, such as `four in a row`."""
    rules = rules_of(text)
    return t.gettext(_LINES[rules.geometry.k if isinstance(rules, MnkRules) else 3])


def is_misere(text: str) -> bool:
    """Whether a line loses."""
    rules = rules_of(text)
    return isinstance(rules, MnkRules) and rules.misere


def line_said(text: str, t: NullTranslations) -> str:
    """That a line was made, as the beginning of a sentence, such as `Four in a row`."""
    if not isinstance(rules_of(text), MnkRules):
        return t.gettext(_NAMED[text].line)
    line = line_of(text, t)
    return line[0].upper() + line[1:]


def nobody_won(game: Game, t: NullTranslations) -> str:
    """That a game was drawn, and why."""
    if isinstance(rules_of(game.rules), MnkRules):
        return t.gettext("🤝 <b>Draw.</b> The board is full and nobody has a line.")
    return t.gettext(_NAMED[game.rules].drawn)
