"""A hint in words: the cell, and its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.game.hints import Why
from bot.views.cells import cell_name

if TYPE_CHECKING:
    from gettext import NullTranslations

    from bot.game.hints import Hint
    from engine import Rules


def words_for_hint(hint: Hint, rules: Rules, t: NullTranslations) -> str:
    """A hint as a sentence."""
    reasons = {
        Why.WIN: t.gettext("it wins at once"),
        Why.BLOCK: t.gettext("it stops my line"),
        Why.FORK: t.gettext("it threatens two lines at once"),
        Why.BEST: t.gettext("nothing is stronger"),
    }
    return t.gettext("💡 Play {cell}: {reason}.").format(
        cell=cell_name(hint.cell, rules, t), reason=reasons[hint.why]
    )
