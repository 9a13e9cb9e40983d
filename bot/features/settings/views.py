"""The pages of the settings: two with a button for each setting, and one per setting with its values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from gettext import NullTranslations
from typing import Final, NamedTuple

from bot.boards.buttons import Setting
from bot.boards.level_names import DIFFICULTIES, first_name, level_name
from bot.boards.rules import rules_name
from bot.boards.themes import THEMES
from bot.boards.translations import LANGUAGES, N_, folded, listed, own_name
from bot.boards.typed_rules import to_say
from bot.boards.view import View, button, keyboard, quoted
from bot.game.new_game import First
from engine import Mark
from engine.rules.offered import MENU

AUTO: Final = "auto"
"""The value for the language of the person's Telegram."""
ON, OFF = "on", "off"

MORE: Final = "more"
"""The name of the page with the settings that few people need."""

LABELS: Final = {
    "board": N_("Board"),
    "level": N_("Difficulty"),
    "first": N_("First"),
    "theme": N_("Theme"),
    "language": N_("Language"),
    "reminders": N_("Turn reminders"),
    "text": N_("Text boards"),
    "comments": N_("OXO's comments"),
    "takebacks": N_("Takebacks"),
    "hidden": N_("Hide my stats"),
}
QUESTIONS: Final = {
    "board": N_("Which board for new games here?"),
    "level": N_("How strong should OXO be in new games here?"),
    "first": N_("Who moves first in new games here?"),
    "theme": N_("Which marks for new boards?"),
    "language": N_("Which language should I speak?"),
    "reminders": N_("Send you the board again when it's your turn and you aren't looking?"),
    "takebacks": N_("Allow opponents to ask for a takeback?"),
}
"""The questions above the values."""

_LAYOUT: Final = (("board", "level"), ("first", "theme"), ("language",), ("reminders", MORE))
_LAYOUT_OF_MORE: Final = (("text", "comments"), ("takebacks", "hidden"))
"""The rows of buttons on each page."""

PERSONAL: Final = frozenset({"reminders", "takebacks", "hidden"})
"""Personal settings, which the page of a group doesn't show."""

PAGES: Final = frozenset({"board", "level", "first", "theme", "language"})
"""Settings with more than two values; the others are switches."""

VALUES: Final = {
    "board": MENU,
    "level": DIFFICULTIES,
    "first": tuple(First),
    "theme": tuple(THEMES),
    "language": (AUTO, *LANGUAGES),
    "reminders": (ON, OFF),
    "text": (ON, OFF),
    "comments": (ON, OFF),
    "takebacks": (ON, OFF),
    "hidden": (ON, OFF),
}
"""The values of each setting, as buttons carry them."""


@cache
def names(t: NullTranslations) -> Mapping[str, str]:
    """The settings by what people may type for them, in English and in a language, folded."""
    labels = {folded(t.gettext(label)): name for name, label in LABELS.items()}
    return {**labels, **{name: name for name in LABELS}}


@cache
def values(name: str, t: NullTranslations) -> Mapping[str, str]:
    """The values of a setting (other than boards and levels) by what people may type for them, folded."""
    said = {t.gettext("on"): ON, t.gettext("off"): OFF}
    if name == "language":
        said = {t.gettext("Same as Telegram"): AUTO, **{own_name(code): code for code in LANGUAGES}}
    known = {value: value for value in VALUES[name]}
    return known | {folded(word): value for word, value in said.items() if value in known}


class Chosen(NamedTuple):
    """The present value of each setting, as in `VALUES`; personal ones are None in a group."""

    board: str
    level: str
    first: str
    theme: str
    text: str
    comments: str
    """Whether OXO comments on its moves."""
    language: str
    reminders: str | None = None
    takebacks: str | None = None
    hidden: str | None = None
    """Whether the person's results are hidden from others."""
    telegram: str = "en"
    """The language of the person's Telegram, if the bot speaks it."""

    @property
    def in_group(self) -> bool:
        """Whether these are the settings of a group."""
        return self.reminders is None

    def value(self, name: str) -> str | None:
        """The present value of one setting."""
        return self._asdict().get(name)


def page(chosen: Chosen, t: NullTranslations, name: str = "") -> View:
    """The first page, the second one, or that of one setting."""
    return _page_of(name, chosen, t) if name in QUESTIONS else _overview(chosen, t, is_more=name == MORE)


def page_after(name: str) -> str:
    """The page to show after a setting was changed."""
    return MORE if any(name in row for row in _LAYOUT_OF_MORE) else ""


def said(name: str, value: str, t: NullTranslations, chosen: Chosen) -> str:
    """The label of a setting with its value, as plain text."""
    shown = _shown(name, value, t, chosen)
    return t.gettext("{setting}: {value}").format(setting=t.gettext(LABELS[name]), value=shown)


def complaint(words: str, t: NullTranslations, *, in_group: bool) -> str:
    """The reply to an unknown setting, or to a missing or unknown value: which ones there are."""
    offered = [name for name in LABELS if not (in_group and name in PERSONAL)]
    name, _, value = words.partition(" ")
    strange = t.gettext("I don't know the word {word}.").format(word=quoted(value if name in VALUES else words))
    offered = [name] if name in VALUES else offered
    values = {**VALUES, "board": to_say(t)}
    lines = [f"<code>/settings {name}</code> {listed(t, map(str, values[name]))}" for name in offered]
    return "\n".join(lines if [words] == offered else [strange, *lines])


def _overview(chosen: Chosen, t: NullTranslations, *, is_more: bool) -> View:
    head = t.gettext("⚙️ <b>Settings of this group</b>") if chosen.in_group else t.gettext("⚙️ <b>Your settings</b>")
    hint = t.gettext("Tap to change. It applies to new boards.")
    rows = []
    for names in _LAYOUT_OF_MORE if is_more else _LAYOUT:
        row = []
        for name in names:
            if name == MORE:
                row.append(button(t.gettext("More ›"), Setting(MORE)))
            elif (value := chosen.value(name)) is not None:
                other = "" if name in PAGES else OFF if value == ON else ON
                row.append(button(said(name, value, t, chosen), Setting(name, other)))
        rows.append(row)
    if is_more:
        rows.append([button(t.gettext("‹ Back"), Setting())])
    return View(f"{head}\n{hint}", keyboard([row for row in rows if row]))


def _page_of(name: str, chosen: Chosen, t: NullTranslations) -> View:
    made = []
    # The present board may be one that menus leave out; the likeliest languages come first.
    likely = (AUTO, chosen.language, chosen.telegram, "en") if name == "language" else ()
    for value in dict.fromkeys((*likely, *VALUES[name], chosen.value(name) or "")):
        label = _shown(name, value, t, chosen)
        carries = Setting(name, value)
        now = value == chosen.value(name)
        made.append(button(f"✓ {label}", carries, "primary") if now else button(label, carries))
    rows = [made[start : start + 2] for start in range(0, len(made), 2)]
    rows.append([button(t.gettext("‹ Back"), Setting(page_after(name)))])
    return View(f"⚙️ <b>{t.gettext(QUESTIONS[name])}</b>", keyboard(rows))


def _shown(name: str, value: str, t: NullTranslations, chosen: Chosen) -> str:
    """A value in words; the strongest level is named as for the chosen board."""
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
            return t.gettext("Same as Telegram") if value == AUTO else own_name(value)
    return t.gettext("on") if value == ON else t.gettext("off")
