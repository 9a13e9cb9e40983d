"""A hint in words: the cell, and its reason."""

from __future__ import annotations

from gettext import NullTranslations

from bot.boards.cells import cell_name
from bot.game.hints import Hint
from engine import Reason, Rules


def words_for_hint(hint: Hint, rules: Rules, t: NullTranslations) -> str:
    """A hint as a sentence."""
    reasons = {
        Reason.WIN: t.gettext("it wins"),
        Reason.BLOCK: t.gettext("it blocks my line"),
        Reason.FORK: t.gettext("it makes two threats"),
        Reason.BLOCK_FORK: t.gettext("it keeps me from making two threats"),
        Reason.THREAT: t.gettext("it threatens a line, so I have to block"),
        Reason.TRAP: t.gettext("whatever I play next completes a line"),
        Reason.WIN_BOARD: t.gettext("it wins a little board"),
        Reason.BLOCK_BOARD: t.gettext("it keeps me from winning a little board"),
        Reason.CENTRE: t.gettext("the centre is a strong cell"),
        Reason.CORNER: t.gettext("corners are strong cells"),
        Reason.LINE: t.gettext("a line can still go through it"),
        Reason.SAFE: t.gettext("it can't complete a line of yours"),
    }
    hard = t.gettext("it's the best you can do here")
    reasons |= dict.fromkeys((Reason.ALLOWS_WIN, Reason.ALLOWS_FORK, Reason.LOSES, Reason.COMPLETES_LINE), hard)
    best = t.gettext("it looks strongest")
    return t.gettext("💡 Play {cell}: {reason}.").format(
        cell=cell_name(hint.cell, rules, t), reason=reasons.get(hint.why, best)
    )
