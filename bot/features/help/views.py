"""The greeting, the help page by page, and what is told about the bot itself."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from bot.boards import buttons
from bot.boards.choices import level_names
from bot.boards.rules import NAMED
from bot.boards.texts import N_
from bot.boards.typed_rules import to_say
from bot.boards.view import View, button, coded, keyboard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from gettext import NullTranslations

TOPICS: Final = {
    "play": N_("How to play"),
    "boards": N_("Other boards"),
    "friends": N_("With friends"),
    "choices": N_("Your choices"),
    "results": N_("Results"),
    "commands": N_("All commands"),
}
"""The pages of the help beside the first, by the word of their button."""

NAME: Final = N_("OXO – noughts and crosses")
"""What the bot is called: at most 64 characters (Bot API, setMyName)."""

SHORT_DESCRIPTION: Final = N_("Noughts and crosses with me or with your friends, here, in groups and in any chat.")
"""What stands on the bot's profile: at most 120 characters (Bot API, setMyShortDescription)."""

DESCRIPTION: Final = N_(
    "❌⭕ Noughts and crosses, right in the chat.\n\n"
    "Play me at five levels, from one that plays anywhere to one that never loses. "
    "Or play your friends: by a link, in a group, or in any chat. "
    "Take moves back, ask for a hint, and play as many games at once as you like."
)
"""What an empty chat with the bot shows: at most 512 characters (Bot API, setMyDescription)."""


def welcome(t: NullTranslations) -> View:
    """The greeting in a private chat."""
    text = t.gettext(
        "Hello! I am OXO, and I play noughts and crosses.\n\n"
        "Tap <b>Play</b>, then tap a cell of the board: I answer at once. "
        "/newgame does the same, /help tells more."
    )
    play = button(t.gettext("Play"), buttons.Play(), "primary")
    friend = button(t.gettext("Play a friend"), buttons.Invite())
    somebody = button(t.gettext("Find somebody to play"), buttons.FindOpponent())
    return View(text, keyboard([[play], [friend], [somebody]]))


def greeting(t: NullTranslations) -> str:
    """What a group hears when the bot is added to it."""
    return t.gettext(
        "Hello! I bring noughts and crosses. /newgame asks who wants to play; /newgame easy plays me. "
        "/help tells more."
    )


def help_page(t: NullTranslations, commands: Mapping[str, str], topic: str | None = None) -> View:
    """A page of the help, with buttons to all topics; without one, the first.

    `commands` are all there are, by name, each with what it does in a few words that are still to be translated.
    """
    pages: dict[str, Callable[[NullTranslations], str]] = {
        "play": _playing_and_watching,
        "boards": _boards,
        "friends": _friends,
        "choices": _choices,
        "results": _results,
        "commands": partial(_listing, commands),
    }
    text = _first_page(t) if topic is None else f"<b>{t.gettext(TOPICS[topic])}</b>\n\n{pages[topic](t)}"
    made = [
        button(t.gettext(label), buttons.Topic(name), "primary" if name == topic else None)
        for name, label in TOPICS.items()
    ]
    return View(text, keyboard([made[start : start + 2] for start in range(0, len(made), 2)]))


def _first_page(t: NullTranslations) -> str:
    return t.gettext(
        "Three in a row wins: across, down or from corner to corner.\n"
        "/newgame starts a game here; in a group it asks who wants to play.\n"
        "What would you like to know?"
    )


def _playing(t: NullTranslations) -> str:
    return t.gettext(
        "Tap a cell to play it. ❌ always moves first.\n"
        "<b>Undo</b> takes your last move back; another person is asked first. "
        "<b>Hint</b> shows a good cell and says why. <b>Resign</b> asks again before it counts.\n"
        "You can write moves too, in answer to the board or after /move: <code>5</code>, <code>b2</code>, "
        "<code>centre</code>, or <code>2,3</code> for row 2 and column 3.\n"
        "Have as many games at once as you like. Each board has a number; /games lists them, and /board brings "
        "one down to you."
    )


def _boards(t: NullTranslations) -> str:
    boards = t.gettext(
        "Name a board with /newgame, as in <code>/newgame 5x5 hard</code>, or tap <b>Board</b> below a fresh one. "
        "There are {boards}, and all others of 3 to 8 cells a side: <code>7x6x4</code> has 7 columns, 6 rows and "
        "four in a row.\n"
        "<b>Misère</b>, also as <code>4x4 misere</code>: who gets a line loses."
    ).format(boards=coded(to_say(t), t))
    named = (t.gettext(rules.taught) for rules in NAMED.values())
    return "\n".join([boards, *named, t.gettext("/settings keeps a board for new games here.")])


def _playing_and_watching(t: NullTranslations) -> str:
    watching = t.gettext(
        "<b>/watch</b> lets me play myself: <code>/watch hard easy</code> gives ❌ the first level and ⭕ the "
        "second. When it's over, you can play the winner."
    )
    return f"{_playing(t)}\n{watching}"


def _friends(t: NullTranslations) -> str:
    return t.gettext(
        "<b>In our private chat</b> /challenge gives you a link: whoever opens it first plays you. /play finds "
        "somebody for you who is looking too, as near to you in rating as may be; <code>/play ultimate</code> on "
        "that board, <code>/play any</code> on whatever they like.\n"
        "<b>In a group</b> /newgame asks who wants to play. To ask somebody, write <code>/newgame @name</code>, "
        "or answer one of their messages with /newgame.\n"
        "<b>In any other chat</b> write my username and a space, and choose a game. Add a level or "
        "<code>@name</code> to choose faster, or a board: <code>5x5 hard</code>, <code>ultimate</code>."
    )


def _choices(t: NullTranslations) -> str:
    return t.gettext(
        "<b>/settings</b> – all of it in one message: board, level, first move, marks, language and more. In a "
        "group its administrators choose.\n"
        "<b>/difficulty</b> – how strong I play here: {levels}.\n"
        "<b>/first</b> – who moves first: <code>me</code> (that is you), <code>bot</code> (the other side) or "
        "<code>random</code>.\n"
        "For one game alone, say it with /newgame, in any order: <code>/newgame hard bot</code>.\n"
        "<b>/takebacks</b> – whether others may ask you to take a move back.\n"
        "<b>/notify</b> – whether your board comes to you anew when it is your turn and you are not looking.\n"
        "Would you rather read than tap? <code>/settings text on</code> draws boards in text, and whatever a "
        "button does you can write."
    ).format(levels=coded(level_names(t), t))


def _listing(commands: Mapping[str, str], t: NullTranslations) -> str:
    return "\n".join(f"/{name} – {t.gettext(words)}" for name, words in commands.items())


def _results(t: NullTranslations) -> str:
    return t.gettext(
        "<b>/stats</b> – how you have fared: against each level and against people, here and everywhere. In a "
        "group, answer somebody with /stats, or write <code>/stats @name</code>, to see theirs.\n"
        "<b>/top</b> – who plays best, by rating and by wins of the week.\n"
        "A game counts once it is played to an end, unless a move was taken back in it. A game between two "
        "people changes their ratings as it ends: the first three that they play in a day (UTC), and none that is "
        "given up within the first five moves. A ? means that a rating is still a guess. Everybody's list takes "
        "rated games against five different people.\n"
        "<code>/settings hidden on</code> keeps your results to yourself.\n"
        "<b>/privacy</b> – what I keep about you; <b>/export</b> sends it to you, <b>/forget</b> erases it."
    )
