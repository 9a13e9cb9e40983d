"""The names of levels, strategies and first movers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from gettext import NullTranslations
from typing import Final

from bot.boards.translations import N_, folded, meanings
from bot.game.new_game import ADAPTIVE, First
from engine import CLASSIC, STRATEGIES, Level, name_of
from engine.players.levels import STRONGEST
from storage.games.game import rules_of

_FIRSTS: Final = {First.ME: N_("Me"), First.BOT: "OXO", First.RANDOM: N_("Random")}
_FIRSTS_IN_GROUPS: Final = {**_FIRSTS, First.ME: N_("Challenger"), First.BOT: N_("Opponent")}
"""In a group the choice applies to everybody who plays there."""


DIFFICULTIES: Final = (ADAPTIVE, *Level)
"""What people choose from: adaptive, and the levels, weakest first."""

# Translators: a difficulty that follows how the player does; one word, which people also type.
N_("adaptive")


def level_name(level: str, t: NullTranslations, rules: str = CLASSIC.text) -> str:
    """The name of a level or a strategy in a language, for these rules."""
    return t.gettext(_called(level, rules))


@cache
def _called(level: str, rules: str) -> str:
    """The English name; cached, because every drawing of a board needs it."""
    return name_of(Level(level), rules_of(rules)) if level in tuple(Level) else level


def level_names(t: NullTranslations) -> list[str]:
    """The names of all difficulties in a language."""
    return [level_name(level, t) for level in DIFFICULTIES]


@cache
def level_words(t: NullTranslations) -> Mapping[str, str]:
    """The levels by what people may type for them, in English and in a language, folded."""
    return meanings({**{level.value: level for level in Level}, STRONGEST: Level.PERFECT}, t)


def strategy_names(t: NullTranslations) -> dict[str, str]:
    """The names in a language of the strategies that are no level, by strategy."""
    return {name: t.gettext(name) for name in STRATEGIES if name not in tuple(Level)}


@cache
def first_words(t: NullTranslations) -> Mapping[str, First]:
    """Who moves first, by what people may type for it, including the words on buttons."""
    in_groups = {folded(first_name(first, t, in_group=True)): first for first in First}
    own = {folded(first_name(first, t)): first for first in First}
    return {**in_groups, **own, **{first.value: first for first in First}}


def first_name(first: str, t: NullTranslations, *, in_group: bool = False) -> str:
    """Who moves first, in a language: “Me” is the player; in a group it is the challenger."""
    return t.gettext((_FIRSTS_IN_GROUPS if in_group else _FIRSTS)[First(first)])
