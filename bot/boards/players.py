"""How players, levels and games are named."""

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from bot.boards import names
from bot.boards.links import Me
from bot.boards.translations import folded, meanings
from bot.boards.view import LETTERS, marks_of
from bot.game.attempt import without_hushed
from bot.game.choices import ADAPTIVE, First
from bot.game.new_game import link_parameter
from bot.game.pages import open_page
from bot.language import N_, _, is_right_to_left, per_language
from engine import CLASSIC, STRATEGIES, Level, Mark
from engine.levels import STRONGEST_NAME, name_of
from storage.games.game import COMPUTER, Game, Limits, is_erased, rules_of
from storage.games.record import Board, Gauntlet

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
    return meanings({**{level.value: level for level in Level}, STRONGEST_NAME: Level.STRONGEST})


@per_language
def difficulty_words() -> Mapping[str, str]:
    """The difficulties likewise: the levels, and what follows a person's play."""
    return {**level_words(), **meanings({ADAPTIVE: ADAPTIVE})}


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


NO_BOT: Final = Me()
"""A bot without links."""


class Scene(NamedTuple):
    """A game as somebody sees it. In a private chat the reader is “You”; in a group everybody has a name."""

    game: Game
    you: int | None = None
    """The reader; None in a group."""
    theme: str | None = None
    page: str | None = None
    """What is open on the board (`bot.game.pages`); None for the whole game."""
    as_text: bool = False
    """Whether it is read, or listened to, by somebody who types."""
    no_comments: bool = False
    """Whether the computer keeps its comments to itself."""
    is_in_chat: bool = True
    """Whether the bot knows its chat, as everywhere but in inline mode."""
    link: str | None = None
    """What leads to a challenge, where its challenger may share it."""
    me: Me = NO_BOT
    """The bot, for links to it."""
    gauntlet: Gauntlet | None = None
    """The shared game that it is a try of or, on a message that shares it, that it is."""

    @property
    def marks(self) -> Mapping[Mark | None, str]:
        return marks_of(self.theme)

    @property
    def own(self) -> Mark | None:
        """The reader's mark; None for somebody who doesn't play, and in a group."""
        return None if self.you is None else self.game.mark_of(self.you)

    @property
    def is_folded(self) -> bool:
        """Whether a finished board is text: where several people see it, in a cup, or once another game follows.

        In a private chat the coloured cells stay until then.
        """
        game = self.game
        is_done_with = self.you is None or game.next_game is not None or game.time_limits is Limits.CUP
        return game.is_over and not game.is_challenge and is_done_with

    @property
    def is_typed(self) -> bool:
        """Whether commands take the place of buttons; in a group others may want to tap."""
        return self.as_text and self.you is not None

    def player(self, mark: Mark) -> str:
        """A mark's player, as safe HTML: you, OXO, its level where it plays itself, or a name."""
        if self.own is mark:
            return _("You")
        if self.game.is_exhibition:
            level = level_name(self.game.side(mark).level or "", self.game.rules)
            return f"{level[:1].upper()}{level[1:]}"
        return "OXO" if self.game.seat(mark) == COMPUTER else named(self.game, mark)

    def side(self, mark: Mark) -> str:
        """A mark and its player."""
        return f"{self.marks[mark]} {self.player(mark)}"

    def sides(self, *, rated: bool = True) -> str:
        """Both marks with their players: OXO with its level, and an opponent whom matchmaking found perhaps rated.

        The rating is that of the moment when they were paired, unless it is hidden.
        """
        game, sides = self.game, []
        is_rated = rated and game.is_between_strangers
        for mark, side in ((Mark.X, game.x), (Mark.O, game.o)):
            is_opponent = side.seat == COMPUTER and game.is_against_computer
            sides.append(f"{self.marks[mark]} {opponent(game) if is_opponent else self.player(mark)}")
            if is_rated and side.rating is not None and self.own is not mark:
                sides[-1] += f" ({side.rating})"
        return "   ".join(sides)


def scene_of(game: Game, board: Board, me: Me = NO_BOT, gauntlet: Gauntlet | None = None) -> Scene:
    """A game on one of its boards, as the bot shows it."""
    mark = None if board.viewer is None else game.mark_of(board.viewer)
    return Scene(
        without_hushed(game, mark),
        you=board.viewer,
        theme=LETTERS if board.as_text else board.theme,
        page=open_page(game, board),
        as_text=board.as_text,
        no_comments=board.no_comments,
        is_in_chat=board.chat_id is not None,
        link=me.link_to(link_parameter(game)) if game.link and mark else None,
        me=me,
        gauntlet=gauntlet,
    )


def named(game: Game, mark: Mark) -> str:
    """The name of the person who plays a mark, as safe HTML."""
    return called(game, game.seat(mark))


def called(game: Game, person: int | None) -> str:
    """The name of a person in a game, as safe HTML."""
    return names.shown(game.name_of(person), nobody(person))


def nobody(seat: int | None) -> str:
    """The word for somebody whose name isn't known."""
    return _("Somebody who left") if is_erased(seat) else _("Player")


def plain_name(game: Game, mark: Mark) -> str:
    """A mark's player, as plain text; never "you", since others will read it."""
    if game.is_exhibition:
        return f"OXO ({level_name(game.side(mark).level or '', game.rules)})"
    if game.seat(mark) == COMPUTER:
        return computer(game)
    return names.clean(game.name(mark) or "") or nobody(game.seat(mark))


def mention(game: Game, mark: Mark) -> str:
    """The name of the person who plays a mark, as a link to them."""
    name, seat = named(game, mark), game.seat(mark)
    return name if seat is None or is_erased(seat) else names.linked(name, seat)


def opponent(game: Game) -> str:
    """The computer as an opponent, with its level, and whether that follows how the person does."""
    if game.next_level is None:
        return computer(game)
    return _("OXO ({level}, adapts)").format(level=level_name(game.level or game.next_level, game.rules))


def computer(game: Game) -> str:
    """The computer as an opponent, with its level."""
    if (level := game.level) is None:
        return "OXO"
    return _("OXO ({level})").format(level=level_name(level, game.rules))


def number_of(game: Game) -> int:
    """A short number to tell boards apart: the end of the game's id, since a list has few games."""
    return game.id % 1000


def number_shown(game: Game) -> str:
    """The number as people see it; a direction mark keeps its # in front after Arabic letters (UAX #9, W2)."""
    return f"\u200e#{number_of(game)}" if is_right_to_left() else f"#{number_of(game)}"
