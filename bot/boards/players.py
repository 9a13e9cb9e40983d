"""How players and levels are named."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from bot.boards import translations
from bot.boards.translations import folded, meanings
from bot.boards.view import MARKS
from bot.game.choices import ADAPTIVE, First
from bot.language import N_, _, per_language
from engine import CLASSIC, STRATEGIES, Level, Mark, name_of
from engine.levels import STRONGEST
from storage.games.game import COMPUTER, Game, is_erased, rules_of

_FIRSTS: Final = {First.ME: N_("Me"), First.BOT: "OXO", First.RANDOM: N_("Random")}
_FIRSTS_IN_GROUPS: Final = {**_FIRSTS, First.ME: N_("Challenger"), First.BOT: N_("Opponent")}
"""In a group the choice applies to everybody who plays there."""


DIFFICULTIES: Final = (ADAPTIVE, *Level)
"""What people choose from: adaptive, and the levels, weakest first."""

# Translators: a difficulty that follows how the player does; one word, which people also type.
N_("adaptive")


def level_name(level: str, rules: str = CLASSIC.text) -> str:
    """The name of a level or a strategy in a language, for these rules."""
    return _(_called(level, rules))


@cache
def _called(level: str, rules: str) -> str:
    """The English name; cached, because every drawing of a board needs it."""
    return name_of(Level(level), rules_of(rules)) if level in tuple(Level) else level


def level_names() -> list[str]:
    """The names of all difficulties in a language."""
    return [level_name(level) for level in DIFFICULTIES]


@per_language
def level_words() -> Mapping[str, str]:
    """The levels by what people may type for them, in English and in a language, folded."""
    return meanings({**{level.value: level for level in Level}, STRONGEST: Level.PERFECT})


def strategy_names() -> dict[str, str]:
    """The names in a language of the strategies that are no level, by strategy."""
    return {name: _(name) for name in STRATEGIES if name not in tuple(Level)}


@per_language
def first_words() -> Mapping[str, First]:
    """Who moves first, by what people may type for it, including the words on buttons."""
    in_groups = {folded(first_name(first, in_group=True)): first for first in First}
    own = {folded(first_name(first)): first for first in First}
    return {**in_groups, **own, **{first.value: first for first in First}}


def first_name(first: str, *, in_group: bool = False) -> str:
    """Who moves first, in a language: “Me” is the player; in a group it is the challenger."""
    return _((_FIRSTS_IN_GROUPS if in_group else _FIRSTS)[First(first)])


class Viewer(NamedTuple):
    """The reader of a board: in a private chat the player is “You”; in a group (None) everybody has a name."""

    person: int | None
    marks: Mapping[Mark | None, str] = MARKS
    """The marks of the board's theme."""


def player(game: Game, mark: Mark, viewer: Viewer) -> str:
    """A mark's player, as safe HTML: you, OXO, or a name."""
    seat = game.seat(mark)
    if seat == COMPUTER:
        return "OXO"
    if seat is not None and seat == viewer.person:
        return _("You")
    return named(game, mark)


def mover(game: Game, ply: int, viewer: Viewer) -> str:
    """Who made the move that led to a ply, as safe HTML: you, OXO, or a name."""
    return player(game, Mark.X if ply % 2 else Mark.O, viewer)


def named(game: Game, mark: Mark) -> str:
    """The name of the person who plays a mark, as safe HTML."""
    return called(game, game.seat(mark))


def called(game: Game, person: int | None) -> str:
    """The name of a person in a game, as safe HTML."""
    return translations.shown(game.name_of(person), nobody(person))


def nobody(seat: int | None) -> str:
    """The word for somebody whose name isn't known."""
    return _("Somebody who left") if is_erased(seat) else _("Player")


def mention(game: Game, mark: Mark) -> str:
    """A name that links to its person; used in edits only, which never notify."""
    if is_erased(game.seat(mark)):
        return named(game, mark)
    return f'<a href="tg://user?id={game.seat(mark)}">{named(game, mark)}</a>'


def computer(game: Game) -> str:
    """The computer as an opponent, with its level."""
    if game.level is None:
        return "OXO"
    return _("OXO ({level})").format(level=level_name(game.level, game.rules))


def side(game: Game, mark: Mark, viewer: Viewer) -> str:
    """A mark and the level at which the computer plays it against itself."""
    return f"{viewer.marks[mark]} {level_name(game.level_of(mark) or '', game.rules)}"
