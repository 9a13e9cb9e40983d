"""What people read about what is kept of them: privacy, the question whether to forget them, their export."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.boards.buttons import Forget
from bot.boards.texts import N_
from bot.boards.view import View, button, keyboard

if TYPE_CHECKING:
    from gettext import NullTranslations

    from bot.game.time_limits import Retention

NOTHING_FORGOTTEN: Final = N_("All stays as it is.")
ASK_AGAIN: Final = N_("That was asked a while ago. Please say /forget once more.")
BEGUN: Final = N_(
    "I am forgetting you, and tell you when it is done. What you begin before that is forgotten as well."
)
AT_IT: Final = N_("I am at it already. I tell you when it is done.")
ONLY_PRIVATE: Final = N_("That is between the two of us: please say it in our private chat.")
CLOSED: Final = N_("This game has ended: you wanted to be forgotten.")
EXPORT_UNDER_WAY: Final = N_("Your export is being made already, or has just been sent: it comes as a file, here.")
EXPORT_BEGUN: Final = N_("I am gathering all that I keep about you. It comes as a file, here.")
EXPORT_FAILED: Final = N_("I could not make your export now. Please say /export again in a few minutes.")


def privacy(t: NullTranslations, kept: Retention) -> str:
    """What is stored; every bot must say so (Telegram's terms for bot developers, section 4)."""
    parts = [
        t.gettext("<b>What I keep about you</b>"),
        t.gettext(
            "• Your Telegram id, your name, username and language as Telegram tells them, and the day you last "
            "played. If you were challenged by your username before you ever played here: that username.\n"
            "• Your games: with whom, the moves, how they ended, when, in which chats and messages they stand.\n"
            "• What is made of them: results, ratings, streaks, wins of the week, whom you played how often.\n"
            "• What you choose with /settings, /notify and /takebacks. Of a group: its id and what was chosen.\n"
            "• For a week, with whom /play has brought you together, and since when each of you had waited.\n"
            "• For a while, what I still have to send you, and which of Telegram's messages I have dealt with."
        ),
        t.gettext(
            "In what you write to me I look for a move or a command, and keep no word of it. My logs have no "
            "names. I pass nothing on."
        ),
        t.gettext(
            "<b>Who sees it:</b> who sees a game of yours, or a picture of it, sees your name; whom you meet by "
            "/play, your rating too. In groups where you play others can ask for your results, and /top lists you "
            "there and among everybody; <code>/settings hidden on</code> keeps rating, results and place to you."
        ),
        _how_long(t, kept),
        t.gettext(
            "<b>/export</b> sends you all of it as a file. <b>/forget</b> erases it; others keep the games that "
            "they played with you, without your name. Then only a scrambled mark stays, by which a restored "
            "backup forgets you again."
        ),
        t.gettext("Telegram's standard policy for bots holds too: telegram.org/privacy-tpa"),
    ]
    return "\n\n".join(parts)


def _how_long(t: NullTranslations, kept: Retention) -> str:
    if kept.days is None:
        always = t.gettext("<b>For how long:</b> until you say /forget; I delete nothing by myself.")
    else:
        always = t.ngettext(
            "<b>For how long:</b> a finished game for {count} day. Who does not play for so long is forgotten.",
            "<b>For how long:</b> a finished game for {count} days. Who does not play for so long is forgotten.",
            kept.days,
        ).format(count=kept.days)
    group = t.ngettext(
        "A group that I was removed from is forgotten after {count} day.",
        "A group that I was removed from is forgotten after {count} days.",
        kept.group_days,
    ).format(count=kept.group_days)
    return f"{always} {group}"


def question(t: NullTranslations) -> View:
    """Whether somebody wants to be forgotten, and what that means."""
    text = t.gettext(
        "<b>Shall I forget you?</b> This is what happens:\n"
        "• Your games that go on end; who plays against you wins them. Your open challenges are withdrawn.\n"
        "• Your name, settings, results, ratings, places in lists, and your games against me are erased.\n"
        "• Others keep the games that they played with you. There you are “Somebody who left”.\n"
        "• Boards in other chats lose your name where a game goes on, and on the newest 20. Older messages stay "
        "as they are; in our chat you can delete them.\n\n"
        "It cannot be undone. /export gives you a copy first.\n"
        "Tap, or write <code>/forget yes</code> or <code>/forget no</code>."
    )
    yes = button(t.gettext("Yes, forget me"), Forget(is_sure=True), "danger")
    return View(text, keyboard([[button(t.gettext("No"), Forget(is_sure=False))], [yes]]))


def done(t: NullTranslations) -> str:
    """That somebody is forgotten; the last that is said to them."""
    return t.gettext(
        "Done: I do not know you any more. The messages in this chat are yours to delete. Should you ever want to "
        "play again, /newgame begins anew."
    )


def export_caption(t: NullTranslations, part: int, parts: int, *, packed: bool) -> str:
    """What stands below an exported file."""
    words = t.gettext("All that I keep about you, as JSON.")
    if packed:
        words += " " + t.gettext("It is compressed: gzip, 7-Zip and most systems open it.")
    if parts > 1:
        words += " " + t.gettext(
            "Part {part} of {parts}: put the parts together in this order, for instance with "
            "<code>cat oxo-*.json.gz.* &gt; oxo.json.gz</code>."
        ).format(part=part, parts=parts)
    return words
