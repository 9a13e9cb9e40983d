"""A hint in words: the cell, and its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.views.cells import cell_name
from engine import Reason

if TYPE_CHECKING:
    from gettext import NullTranslations

    from bot.game.hints import Hint
    from engine import Rules


def words_for_hint(hint: Hint, rules: Rules, t: NullTranslations) -> str:
    """A hint as a sentence."""
    reasons = {
        Reason.WIN: t.gettext("it wins at once"),
        Reason.BLOCK: t.gettext("it stops my line"),
        Reason.FORK: t.gettext("it threatens two lines at once"),
        Reason.BLOCK_FORK: t.gettext("it keeps me from threatening two lines at once"),
        Reason.THREAT: t.gettext("it threatens a line, so I have to answer"),
        Reason.CENTRE: t.gettext("the most lines lead through it"),
        Reason.CORNER: t.gettext("three lines lead through a corner"),
        Reason.ALLOWS_WIN: t.gettext("it is the best of a hard position"),
    }
    best = t.gettext("nothing is stronger")
    return t.gettext("💡 Play {cell}: {reason}.").format(
        cell=cell_name(hint.cell, rules, t), reason=reasons.get(hint.why, best)
    )
