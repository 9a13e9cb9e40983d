"""The greeting, the help, and what is told about privacy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.views import buttons
from bot.views.view import View, button, coded, keyboard
from engine import Level

if TYPE_CHECKING:
    from gettext import NullTranslations


def welcome(t: NullTranslations) -> View:
    """The greeting in a private chat."""
    text = t.gettext(
        "Hello! I am OXO and I play noughts and crosses.\n\n"
        "/newgame starts a game: tap the board, and I answer at once. /help tells the rest."
    )
    return View(text, keyboard([[button(t.gettext("Challenge a friend"), buttons.Invite())]]))


def greeting(t: NullTranslations) -> str:
    """What a group hears when the bot is added to it."""
    return t.gettext("Hello! I host noughts and crosses. /newgame challenges everybody here; /help tells more.")


def help_text(t: NullTranslations) -> str:
    """How it works."""
    return t.gettext(
        "Three in a row wins: across, down or from corner to corner. ❌ always moves first.\n\n"
        "<b>/newgame</b> starts a game with what is chosen here. You can say more, in any order: "
        "<code>/newgame hard bot</code>. In a group it challenges everybody, or whom you name or reply to; "
        "with a level you play me at once.\n"
        "<b>/challenge</b> does the same between people; in our private chat it gives you a link.\n"
        "<b>/difficulty</b> sets how strong I play here: {levels}.\n"
        "<b>/first</b> sets who moves first: <code>me</code> (that is you), <code>bot</code> (the other side) "
        "or <code>random</code>.\n"
        "<b>/board</b> brings a board down to the newest message, <b>/games</b> lists your games here.\n"
        "<b>/move</b> plays without tapping: <code>/move 2,3</code> is row 2, column 3; "
        "<code>/move 5</code> is the centre. You can also just answer a board with the move.\n"
        "<b>/undo</b>, <b>/hint</b> and <b>/resign</b> are there too, and <b>/takebacks</b> says whether "
        "others may ask you for one.\n"
        "<b>/privacy</b> tells what I keep.\n\n"
        "You can have as many games at once as you like: each board is a game of its own."
    ).format(levels=coded(tuple(Level)))


def privacy(t: NullTranslations) -> str:
    """What is stored; every bot must say so (Telegram's terms for bot developers, section 4)."""
    return t.gettext(
        "I keep what a game needs: your Telegram id, your name and language as Telegram tells them, the chats "
        "you play in, what was chosen there, and the moves of your games. I read nothing else, and pass "
        "nothing on. Telegram's standard policy for bots holds: telegram.org/privacy-tpa"
    )
