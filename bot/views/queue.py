"""What people read who look for somebody to play: while they wait, and once they have met somebody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.game.pages import RULES
from bot.game.queue import has_not_begun, is_asked, rating_of, terms_of
from bot.views import keyboards
from bot.views.buttons import Queue
from bot.views.durations import duration
from bot.views.people import named
from bot.views.rules import rules_name
from bot.views.texts import N_, sentences
from bot.views.view import View, button, compact, keyboard
from storage.game import Termination

if TYPE_CHECKING:
    from gettext import NullTranslations

    from bot.views.people import Eyes
    from engine import Mark
    from storage.game import Game

ANY_WORDS: Final = (N_("any"), "any", "任意", "随便", "都行")
"""What somebody says to whom all boards are equal; the first is translated."""

LEFT: Final = N_("All right, I have stopped looking.")
NOT_WAITING: Final = N_("You are not waiting for anybody. /play looks for somebody to play.")
MET: Final = N_("Somebody is there already: your board is below.")
STAYS: Final = N_("Good! I keep looking.")


def text(game: Game, eyes: Eyes) -> str:
    """What somebody reads who waits, or has waited and met nobody."""
    t = eyes.t
    if game.is_over:
        return _ended(game, t)
    terms = terms_of(game)
    what = t.gettext("any board") if terms.any_rules else rules_name(game.rules, t)
    if is_asked(game):
        head = t.gettext(
            "👋 <b>Are you still there?</b> Tap <b>Still here</b>, or write /play, and I keep looking."
        )
        return f"{head}\n{t.gettext('I looked for somebody to play: {board}.').format(board=what)}"
    head = t.gettext("🔎 <b>I am looking for somebody to play.</b>")
    lines = [
        f"{head} {what}",
        how_long(terms.told, t),
        t.gettext("Your board comes here as soon as somebody is there."),
    ]
    return "\n".join(lines)


def how_long(seconds: int | None, t: NullTranslations) -> str:
    """For how long others have waited lately."""
    if seconds is None:
        return t.gettext("I do not know yet how long that takes: too few have looked lately.")
    if not seconds:
        return t.gettext("Those who found somebody lately hardly waited at all.")
    return t.gettext("Of those who found somebody lately, half waited no more than {time}.").format(
        time=duration(seconds, t)
    )


def keyboard_of(game: Game, t: NullTranslations, page: str | None = None) -> str | None:
    """The buttons of who waits, or has waited."""
    leave = button(t.gettext("Leave"), Queue("leave"))
    if game.is_over:
        return None if game.next_game is not None else keyboard([[look_button(game.rules, t)]])
    if is_asked(game):
        stay = button(t.gettext("Still here"), Queue("stay"), "success")
        return keyboard([[stay, leave]])
    # The button of the board stands first in a row of its own: it names the game that the message is of.
    if page == RULES:
        return compact({"inline_keyboard": [*keyboards.rules_menu(game, t, below=True), [leave]]})
    return compact({"inline_keyboard": [[keyboards.rules_button(game, t)], [leave]]})


def look_button(rules: str, t: NullTranslations) -> dict[str, str]:
    """A button that looks for somebody again, by these rules."""
    return button(t.gettext("Look again"), Queue("play", rules))


def met_line(game: Game, eyes: Eyes) -> str | None:
    """That somebody was found, until both have moved."""
    if not has_not_begun(game) or eyes.viewer is None:
        return None
    mark = game.mark_of(eyes.viewer)
    if mark is None:
        return None
    other = named(game, mark.other, eyes)
    if game.turn is mark:
        return eyes.t.gettext("🤝 You have met {name}, who waits for your first move.").format(name=other)
    return eyes.t.gettext("🤝 You have met {name}.").format(name=other)


def time_line(game: Game, eyes: Eyes) -> str | None:
    """That who has not come by now will be left, where two have met and time is running out."""
    if not has_not_begun(game):
        return None
    if eyes.viewer == game.seat(game.turn):
        return eyes.t.gettext("⏰ Move soon, or {name} plays somebody else.").format(
            name=named(game, game.turn.other, eyes)
        )
    return eyes.t.gettext(
        "⏰ If {name} does not come soon, I look for somebody else, and you keep your place."
    ).format(name=named(game, game.turn, eyes))


def rating(game: Game, mark: Mark, eyes: Eyes) -> str:
    """How the other player was rated when two met, in brackets; nothing where it is not told, or is one's own."""
    figure = rating_of(game, mark)
    return "" if figure is None or game.seat(mark) == eyes.viewer else f" ({figure})"


def any_hint(t: NullTranslations) -> str:
    """The word for whatever the other wants to play, told to who has said another."""
    return t.gettext("{any} stands for all of them.").format(any=f"<code>{t.gettext(ANY_WORDS[0])}</code>")


def to_the_private_chat(link: str, t: NullTranslations) -> View:
    """Said in a group, where nobody waits."""
    words = t.gettext("I look for somebody to play in our private chat: each of you gets a board there.")
    return View(words, compact({"inline_keyboard": [[{"text": t.gettext("Look there"), "url": link}]]}))


def one_at_a_time(game: Game, person: int, eyes: Eyes) -> str:
    """Said to who has met somebody and still plays them."""
    mark = game.mark_of(person)
    other = named(game, game.turn if mark is None else mark.other, eyes)
    return eyes.t.gettext("You are playing {name}: I have brought your board down. /resign gives it up.").format(
        name=other
    )


def _ended(game: Game, t: NullTranslations) -> str:
    if game.termination is Termination.EXPIRED:
        return sentences(
            t,
            t.gettext("💤 You did not answer, so I have stopped looking."),
            t.gettext("/play looks for somebody again."),
        )
    return sentences(t, t.gettext("You have left the queue."), t.gettext("/play looks for somebody again."))
