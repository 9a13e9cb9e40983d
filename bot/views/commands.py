"""What each command does, in a few words: for Telegram's menus and for the help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.views.texts import N_

if TYPE_CHECKING:
    from gettext import NullTranslations

DESCRIPTIONS: Final = {
    "newgame": N_("Play: a new game"),
    "challenge": N_("Play a friend"),
    "difficulty": N_("How strong I play"),
    "first": N_("Who moves first"),
    "watch": N_("Watch me play myself"),
    "board": N_("Bring your board down here"),
    "games": N_("Your games here"),
    "move": N_("Play without tapping: /move 5"),
    "undo": N_("Take a move back"),
    "hint": N_("Show a good cell"),
    "resign": N_("Give this game up"),
    "review": N_("Look back on a game"),
    "stats": N_("How you have fared"),
    "top": N_("Who plays best"),
    "settings": N_("All your choices"),
    "notify": N_("Shall I call you when it is your turn?"),
    "takebacks": N_("May others ask you to take a move back?"),
    "help": N_("How it works"),
    "privacy": N_("What I keep about you"),
    "start": N_("Say hello"),
}
"""By the name of the command, in the order of the menus; to be translated."""


def listing(t: NullTranslations) -> str:
    """All commands, a line each."""
    return "\n".join(f"/{name} – {t.gettext(words)}" for name, words in DESCRIPTIONS.items())
