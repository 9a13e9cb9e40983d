"""How well a move was chosen, and why: one sentence with one reason."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Final

from bot.boards.translations import N_
from engine import Reason
from engine.analysis.game_analysis import Choice, Step
from engine.analysis.verdicts import Verdict
from engine.search.values import Result

FOR: Final = {
    Reason.WIN: N_("it completes the line"),
    Reason.BLOCK: N_("it blocks a line"),
    Reason.FORK: N_("it makes two threats"),
    Reason.BLOCK_FORK: N_("it keeps the opponent from making two threats"),
    Reason.THREAT: N_("it threatens a line"),
    Reason.TRAP: N_("whatever the opponent plays completes a line"),
    Reason.WIN_BOARD: N_("it wins a little board"),
    Reason.BLOCK_BOARD: N_("it keeps the opponent from winning a little board"),
    Reason.CENTRE: N_("the centre is a strong cell"),
    Reason.CORNER: N_("corners are strong cells"),
    Reason.LINE: N_("a line can still go through it"),
    Reason.SAFE: N_("it can't complete a line of its own"),
}
"""What speaks for a cell."""

AGAINST: Final = {
    Reason.COMPLETES_LINE: N_("it completes a line"),
    Reason.ALLOWS_WIN: N_("the opponent can win with the next move"),
    Reason.ALLOWS_FORK: N_("the opponent can make two threats"),
    Reason.ALLOWS_BOARD: N_("the opponent can win a little board"),
    Reason.FREE_CHOICE: N_("the opponent can choose the board"),
    Reason.LOSES: N_("the opponent can force a win"),
    Reason.MISSES_WIN: N_("there was a win"),
}
"""What speaks against it."""

LOST: Final = N_("the game was already lost")
NOTHING_BETTER: Final = N_("nothing was better")
NOTHING_AGAINST: Final = N_("nothing wrong with it")
OTHERS: Final = N_("other cells look better")


def verdict_sentence(step: Step, t: NullTranslations, *, to_mover: bool = False) -> str:
    """A move of a game, judged, as HTML.

    Args:
        step: The move.
        t: The language.
        to_mover: Whether the person who reads it made the move.
    """
    match step.verdict:
        case Verdict.BEST:
            return t.gettext("⭐ <b>Best:</b> {reason}.").format(reason=_for(step, t))
        case Verdict.GOOD:
            return t.gettext("👍 <b>Good:</b> {reason}.").format(reason=_for(step, t))
        case Verdict.DOUBTFUL:
            sentence = t.gettext("⚠️ <b>Seems a mistake:</b> {reason}.")
        case Verdict.MISTAKE if to_mover:
            return t.gettext("⚠️ <b>Mistake: you could have won.</b>")
        case Verdict.MISTAKE:
            return t.gettext("⚠️ <b>Mistake: this could have been a win.</b>")
        case Verdict.BLUNDER if step.before is Result.WIN and to_mover:
            sentence = t.gettext("💥 <b>Blunder: you could have won.</b> Now {reason}.")
        case Verdict.BLUNDER if step.before is Result.WIN:
            sentence = t.gettext("💥 <b>Blunder: this could have been a win.</b> Now {reason}.")
        case Verdict.BLUNDER if to_mover:
            sentence = t.gettext("💥 <b>Blunder: you could have drawn.</b> Now {reason}.")
        case Verdict.BLUNDER:
            sentence = t.gettext("💥 <b>Blunder: this could have been a draw.</b> Now {reason}.")
    return sentence.format(reason=reason_against(step.reason, step.verdict, t))


def reason_for(choice: Choice, t: NullTranslations) -> str:
    """What speaks for a good cell, as part of a sentence."""
    return t.gettext(FOR.get(choice.reason, NOTHING_BETTER))


def reason_against(reason: Reason, verdict: Verdict, t: NullTranslations) -> str:
    """What speaks against a bad cell, as part of a sentence."""
    fallback = AGAINST[Reason.LOSES] if verdict is Verdict.BLUNDER else OTHERS
    return t.gettext(AGAINST.get(reason, fallback))


def _for(step: Step, t: NullTranslations) -> str:
    """What speaks for a move. Only where the values are proven does it say that nothing was better."""
    unproven = NOTHING_AGAINST if step.after is None else NOTHING_BETTER
    return t.gettext(FOR.get(step.reason, LOST if Result.LOSS in (step.before, step.after) else unproven))
