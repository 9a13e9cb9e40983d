"""The menu of /takebacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.boards.buttons import AllowTakebacks
from bot.boards.texts import sentences
from bot.boards.view import View, button, coded, keyboard, quoted

if TYPE_CHECKING:
    from gettext import NullTranslations


def menu(t: NullTranslations, *, allowed: bool, unknown: str = "") -> View:
    """The question with both answers, today's marked, after a word about one that is none of them."""
    now = t.gettext("yes") if allowed else t.gettext("no")
    text = t.gettext("May others ask you to take a move back? Now: <b>{choice}</b>.").format(choice=now)
    if unknown:
        said = t.gettext("I don't know the word {word}.").format(word=quoted(unknown))
        known = t.gettext("You can say {words}.").format(words=coded(("/takebacks on", "/takebacks off"), t))
        text = f"{sentences(t, said, known)}\n\n{text}"
    rows = []
    for value, label in ((True, t.gettext("Yes, they may ask")), (False, t.gettext("No, please not"))):
        carries = AllowTakebacks(value)
        rows.append([button(f"✓ {label}", carries, "primary") if value is allowed else button(label, carries)])
    return View(text, keyboard(rows))


def chosen(t: NullTranslations, *, allowed: bool) -> str:
    """The sentence that confirms a choice."""
    if allowed:
        return t.gettext("Done: others may ask you for takebacks.")
    return t.gettext("Done: nobody asks you for takebacks any more.")
