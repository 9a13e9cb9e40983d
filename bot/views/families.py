"""What families of rules are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.views.texts import N_
from engine.families import Family

if TYPE_CHECKING:
    from gettext import NullTranslations

ALL: Final = ""
"""Stands for all families together."""

_NAMES: Final = {
    # Translators: all kinds of boards and rules together.
    ALL: N_("all boards"),
    Family.CLASSIC: N_("3×3"),
    # Translators: all boards that are larger than three by three.
    Family.BIGGER: N_("bigger boards"),
    Family.MISERE: N_("misère"),
    Family.ULTIMATE: N_("ultimate"),
}


def family_name(family: str, t: NullTranslations) -> str:
    """The name of a family of rules, or of all together, in a language."""
    return t.gettext(_NAMES[family])
