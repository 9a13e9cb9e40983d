"""How well a move was chosen, and why: one sentence with one reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.views.texts import N_
from engine import Reason
from engine.analysis import Verdict
from engine.values import Result

if TYPE_CHECKING:
    from gettext import NullTranslations

    from engine.lessons import Choice, Step

FOR: Final = {
    Reason.WIN: N_("it completes the line"),
    Reason.BLOCK: N_("it stops a line"),
    Reason.FORK: N_("it threatens two lines at once"),
    Reason.BLOCK_FORK: N_("it keeps the other side from threatening two lines at once"),
    Reason.THREAT: N_("it threatens a line"),
    Reason.TRAP: N_("wherever the other side goes, it is a line"),
    Reason.WIN_BOARD: N_("it wins a little board"),
    Reason.BLOCK_BOARD: N_("it keeps a little board from the other side"),
    Reason.CENTRE: N_("the centre is worth having"),
    Reason.CORNER: N_("a corner is worth having"),
    Reason.LINE: N_("a line can still lead through it"),
    Reason.SAFE: N_("no line of one's own can lead through it"),
}
"""What speaks for a cell."""

AGAINST: Final = {
    Reason.COMPLETES_LINE: N_("it completes a line"),
    Reason.ALLOWS_WIN: N_("the other side can win at once"),
    Reason.ALLOWS_FORK: N_("the other side can threaten two lines at once"),
    Reason.ALLOWS_BOARD: N_("the other side can win a little board"),
    Reason.FREE_CHOICE: N_("the other side may choose the board"),
    Reason.LOSES: N_("the other side can force a win"),
    Reason.MISSES_WIN: N_("a win was there"),
}
"""What speaks against it."""

LOST: Final = N_("the game was lost already")
NOTHING_BETTER: Final = N_("nothing was better")
OTHERS: Final = N_("other cells promise more")


def verdict_sentence(step: Step, t: NullTranslations) -> str:
    """A move of a game, judged, as HTML."""
    match step.verdict:
        case Verdict.BEST:
            return t.gettext("⭐ <b>Best:</b> {reason}.").format(reason=_for(step.reason, step.before, t))
        case Verdict.GOOD:
            return t.gettext("👍 <b>Good:</b> {reason}.").format(reason=_for(step.reason, step.before, t))
    sentences = {
        (Verdict.SLIP, Result.WIN): t.gettext("⚠️ <b>A slip:</b> a win was there, and now it is a draw."),
        (Verdict.SLIP, None): t.gettext("⚠️ <b>A slip, it seems:</b> {reason}."),
        (Verdict.LOSING, Result.WIN): t.gettext("💥 <b>Losing, and a win was there:</b> {reason}."),
        (Verdict.LOSING, Result.DRAW): t.gettext("💥 <b>Losing, and a draw was there:</b> {reason}."),
        (Verdict.LOSING, None): t.gettext("💥 <b>Losing:</b> {reason}."),
    }
    given_away = None if step.after is None else step.before
    sentence = sentences.get((step.verdict, given_away), sentences[step.verdict, None])
    return sentence.format(reason=reason_against(step.reason, step.verdict, t))


def reason_for(choice: Choice, t: NullTranslations) -> str:
    """What speaks for a cell that is right, as part of a sentence."""
    return _for(choice.reason, None, t)


def reason_against(reason: Reason, verdict: Verdict, t: NullTranslations) -> str:
    """What speaks against a cell that is not, as part of a sentence."""
    fallback = AGAINST[Reason.LOSES] if verdict is Verdict.LOSING else OTHERS
    return t.gettext(AGAINST.get(reason, fallback))


def _for(reason: Reason, before: Result | None, t: NullTranslations) -> str:
    return t.gettext(FOR.get(reason, LOST if before is Result.LOSS else NOTHING_BETTER))
