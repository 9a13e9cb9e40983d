"""The settings: one message with a button for each choice, and a page for those of more than two values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from bot.boards.buttons import Setting
from bot.boards.choices import first_name, level_name
from bot.boards.rules import rules_name
from bot.boards.texts import LANGUAGES, N_, listed, sentences, texts
from bot.boards.themes import THEMES
from bot.boards.typed_rules import to_say
from bot.boards.view import View, button, coded, keyboard, quoted
from bot.game.new_game import First
from engine import Level, Mark
from engine.rules.offered import MENU

if TYPE_CHECKING:
    from gettext import NullTranslations

AUTO: Final = "auto"
"""The language that Telegram says."""
ON, OFF = "on", "off"

_LABELS: Final = {
    "board": N_("Board"),
    "level": N_("Level"),
    "first": N_("First move"),
    "theme": N_("Marks"),
    "text": N_("Board in text"),
    "remarks": N_("My remarks"),
    "notices": N_("Notices"),
    "takebacks": N_("Takebacks"),
    "hidden": N_("Results hidden"),
    "language": N_("Language"),
}
_QUESTIONS: Final = {
    "board": N_("What shall we play in new games here?"),
    "level": N_("How strong shall I play in new games here?"),
    "first": N_("Who moves first in new games here?"),
    "theme": N_("How shall the marks look?"),
    "language": N_("Which language shall I speak?"),
}
PERSONAL: Final = frozenset({"notices", "takebacks", "hidden"})
"""What is chosen by each person for themselves, and so not in a group."""

PAGES: Final = frozenset(_QUESTIONS)
"""What has a page of its own; the others are switches."""

VALUES: Final = {
    "board": MENU,
    "level": tuple(Level),
    "first": tuple(First),
    "theme": tuple(THEMES),
    "text": (ON, OFF),
    "remarks": (ON, OFF),
    "notices": (ON, OFF),
    "takebacks": (ON, OFF),
    "hidden": (ON, OFF),
    "language": (AUTO, *LANGUAGES),
}
"""What can be chosen, by the words that buttons carry."""

FORMER_NAMES: Final = {"look": "theme"}
"""What settings were called in messages of earlier releases, and by whoever got used to that."""


class Chosen(NamedTuple):
    """What holds now, each as one of its `VALUES`; personal ones are None in a group."""

    board: str
    level: str
    first: str
    theme: str
    text: str
    remarks: str
    """Whether the computer says why it moves as it does."""
    language: str
    notices: str | None = None
    takebacks: str | None = None
    hidden: str | None = None
    """Whether others see nothing of one's results."""

    @property
    def in_group(self) -> bool:
        """Whether these are the choices of a group."""
        return self.notices is None

    def value(self, name: str) -> str | None:
        """What holds for one setting."""
        return self._asdict().get(name)


def page(chosen: Chosen, t: NullTranslations, name: str = "") -> View:
    """The first page, or that of one setting."""
    return _page_of(name, chosen, t) if name in PAGES else _first_page(chosen, t)


def said(name: str, value: str, t: NullTranslations, chosen: Chosen) -> str:
    """A setting with its value, as plain text, beside the other choices."""
    shown = _shown(name, value, t, chosen)
    return t.gettext("{setting}: {value}").format(setting=t.gettext(_LABELS[name]), value=shown)


def complaint(words: str, t: NullTranslations, *, in_group: bool) -> str:
    """What to say about a setting that there is not, or a value that it has not, with those that there are."""
    offered = [name for name in _LABELS if not (in_group and name in PERSONAL)]
    name, _, value = words.partition(" ")
    strange = t.gettext("I don't know the word {word}.").format(word=quoted(value if name in offered else words))
    offered = [name] if name in offered else offered
    values = {**VALUES, "board": to_say(t)}
    lines = [f"<code>/settings {name}</code> {listed(t, map(str, values[name]))}" for name in offered]
    return "\n".join(lines if [words] == offered else [strange, *lines])


def notify_answer(wanted: bool | None, t: NullTranslations, *, unknown: str = "") -> str:  # noqa: FBT001 - has three values
    """What /notify says: what holds, after a word about one that means nothing."""
    holds = {
        True: t.gettext(
            "I call you with a new message when others wait for you and you are not looking, in groups too."
        ),
        None: t.gettext(
            "I call you with a new message when others wait for you and you are not looking; in groups only once "
            "you have said <code>/notify on</code>. <code>/notify off</code> turns all of it off."
        ),
        False: t.gettext(
            "I do not call you when others wait for you. I still tell you before a game is lost on time."
        ),
    }
    if unknown:
        known = t.gettext("You can say {words}.").format(words=coded(("/notify on", "/notify off"), t))
        strange = t.gettext("I don't know the word {word}.").format(word=quoted(unknown))
        return f"{sentences(t, strange, known)}\n\n{holds[wanted]}"
    return holds[wanted]


def _first_page(chosen: Chosen, t: NullTranslations) -> View:
    head = t.gettext("⚙️ <b>Settings of this group</b>") if chosen.in_group else t.gettext("⚙️ <b>Your settings</b>")
    hint = t.gettext("Tap one to change it, or say it, as in {words}. New boards follow it.").format(
        words="<code>/settings text on</code>"
    )
    rows = []
    for name in _LABELS:
        value = chosen.value(name)
        if value is not None:
            # A switch asks for its other value.
            other = "" if name in PAGES else OFF if value == ON else ON
            rows.append([button(said(name, value, t, chosen), Setting(name, other))])
    return View(f"{head}\n{hint}", keyboard(rows))


def _page_of(name: str, chosen: Chosen, t: NullTranslations) -> View:
    rows = []
    for value in dict.fromkeys(
        (*VALUES[name], chosen.value(name) or "")
    ):  # a board may be one that menus leave out
        label = _shown(name, value, t, chosen)
        carries = Setting(name, value)
        now = value == chosen.value(name)
        rows.append([button(f"✓ {label}", carries, "primary") if now else button(label, carries)])
    rows.append([button(t.gettext("‹ Back"), Setting())])
    return View(f"⚙️ <b>{t.gettext(_QUESTIONS[name])}</b>", keyboard(rows))


def _shown(name: str, value: str, t: NullTranslations, chosen: Chosen) -> str:
    """A value in words; levels are called as the rules of new games have it."""
    match name:
        case "board":
            return rules_name(value, t)
        case "level":
            return level_name(value, t, chosen.board)
        case "first":
            return first_name(value, t, in_group=chosen.in_group)
        case "theme":
            return f"{THEMES[value][Mark.X]} {THEMES[value][Mark.O]}"
        case "language":
            # Translators: the name of this language, in itself.
            return t.gettext("as Telegram says") if value == AUTO else texts(value).gettext("English")
    return t.gettext("on") if value == ON else t.gettext("off")
