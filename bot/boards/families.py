"""The names of families of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.boards.rules import words_of
from bot.boards.translations import N_
from engine.rules.families import BIGGER, THREE_BY_THREE
from engine.rules.mnk import MISERE

if TYPE_CHECKING:
    from gettext import NullTranslations

ALL: Final = ""
"""Stands for all families together."""

_NAMES: Final = {
    # Translators: all kinds of boards and rules together.
    ALL: N_("all boards"),
    THREE_BY_THREE: N_("3×3"),
    # Translators: all boards that are larger than three by three.
    BIGGER: N_("bigger boards"),
    MISERE: N_("misère"),
}


def family_name(family: str, t: NullTranslations) -> str:
    """The name of a family of rules, or of all together, in a language."""
    return t.gettext(_NAMES[family]) if family in _NAMES else words_of(family, t)[0]
