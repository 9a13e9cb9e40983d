"""The menus of what is chosen in a chat for new games: the computer's level, and who moves first."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from bot.boards import buttons
from bot.boards.texts import N_
from bot.boards.view import View, button, keyboard
from bot.game.new_game import First
from engine import CLASSIC, STRATEGIES, Level, name_of
from engine.players.levels import STRONGEST
from storage.games.game import rules_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from gettext import NullTranslations

_FIRSTS: Final = {First.ME: N_("Me"), First.BOT: "OXO", First.RANDOM: N_("Random")}
_FIRSTS_IN_GROUPS: Final = {**_FIRSTS, First.ME: N_("Challenger"), First.BOT: N_("Opponent")}
"""In a group the choice is for all who play there."""


def level_name(level: str, t: NullTranslations, rules: str = CLASSIC.text) -> str:
    """The name of a level, or of a strategy, in a language, where these rules are played."""
    return t.gettext(_called(level, rules))


@cache
def _called(level: str, rules: str) -> str:
    """The English name; remembered, because each drawing of a board says it."""
    return name_of(Level(level), rules_of(rules)) if level in tuple(Level) else level


def strongest_name(t: NullTranslations) -> str:
    """What the last level is called where its play is not proven to be perfect."""
    return t.gettext(STRONGEST)


def level_names(t: NullTranslations) -> list[str]:
    """The names of all levels in a language, weakest first; commands know them as well as the English words."""
    return [level_name(level, t) for level in Level]


def strategy_names(t: NullTranslations) -> dict[str, str]:
    """By name the strategies that are no level, as they are called in a language."""
    return {name: t.gettext(name) for name in STRATEGIES if name not in tuple(Level)}


def first_name(first: str, t: NullTranslations, *, in_group: bool = False) -> str:
    """Who moves first, in a language; as the player says it on a button; in a group it may be anybody."""
    return t.gettext((_FIRSTS_IN_GROUPS if in_group else _FIRSTS)[First(first)])


def levels(chosen: str, t: NullTranslations, rules: str = CLASSIC.text) -> View:
    """The menu of /difficulty, with the present choice marked, where new games are by these rules."""
    text = t.gettext("How hard should new games here be? Now: <b>{choice}</b>.")
    entries = [(level, level_name(level, t, rules), buttons.ChooseLevel(level)) for level in Level]
    return View(text.format(choice=level_name(chosen, t, rules)), _marked(chosen, entries))


def firsts(chosen: str, t: NullTranslations, *, in_group: bool = False) -> View:
    """The menu of /first, with the present choice marked."""
    text = t.gettext("Who moves first in new games here? Now: <b>{choice}</b>.")
    entries = [(first, first_name(first, t, in_group=in_group), buttons.ChooseFirst(first)) for first in First]
    return View(text.format(choice=first_name(chosen, t, in_group=in_group)), _marked(chosen, entries))


def level_chosen(level: str, t: NullTranslations, rules: str = CLASSIC.text) -> str:
    """The sentence that confirms a level, where new games are by these rules."""
    return t.gettext("Done. Difficulty of new games here: {level}.").format(level=level_name(level, t, rules))


def first_chosen(first: str, t: NullTranslations, *, in_group: bool = False) -> str:
    """The sentence that confirms who moves first."""
    if in_group and first != First.RANDOM:
        if first == First.ME:
            return t.gettext("Done: whoever starts a game here moves first.")
        return t.gettext("Done: whoever starts a game here moves second.")
    sentences = {
        First.ME: t.gettext("Done: you move first in new games here."),
        First.BOT: t.gettext("Done: I move first in new games here."),
        First.RANDOM: t.gettext("Done: who moves first in new games here is random."),
    }
    return sentences[First(first)]


def _marked(chosen: str, entries: Iterable[tuple[str, str, buttons.Button]]) -> str:
    return keyboard(
        [
            [button(f"✓ {label}", carries, "primary") if value == chosen else button(label, carries)]
            for value, label, carries in entries
        ]
    )
