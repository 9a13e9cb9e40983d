"""Reads the words after /watch: the board, and the levels or strategies that play, X's first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from gettext import NullTranslations
from typing import NamedTuple

from bot.boards import typed_rules as board_words
from bot.boards.level_names import level_name, level_words, strategy_names
from bot.boards.translations import meanings, sentences, understood
from bot.boards.typed_rules import NoBoard, WordError, WordTwice
from bot.boards.typed_words import BadWord
from bot.boards.view import coded, quoted
from engine import CLASSIC, Level, player_named
from storage.games.game import rules_of

TWO = 2
"""The kind of words that name players."""


class Lineup(NamedTuple):
    """The board, and the name of each side's player; None for what was left open."""

    rules: str | None
    x: str | None
    o: str | None


class NotHere(WordError):
    """A strategy that doesn't play the board that was named; the error's text is its name."""


def read(words: Sequence[str], t: NullTranslations) -> Lineup:
    """The players and the board that the words name. One player plays both sides.

    Raises:
        BadWord: for a word that means nothing.
        WordTwice: for more than two players, or two boards.
        NoBoard: for a board that doesn't exist.
        NotHere: for a strategy that can't play these rules.
    """
    words, rules = board_words.take(words, t)
    known = {**level_words(t), **meanings({name: name for name in strategy_names(t)}, t)}
    players: list[str] = []
    for word, player in understood(words, known.get):
        if player is None:
            raise BadWord(word)
        players.append(player)
    if len(players) > TWO:
        raise WordTwice
    for name in players:
        if rules is not None and not player_named(name).plays(rules_of(rules)):
            raise NotHere(name)
    x, o = [*players, None, None][:TWO]
    return Lineup(rules, x, o)


def board_for(players: Iterable[str], usual: str | None) -> str:
    """The rules for players named without a board: the chat's usual ones, if all of them can play these."""
    rules = usual or CLASSIC.text
    return rules if all(player_named(name).plays(rules_of(rules)) for name in players) else CLASSIC.text


def complaint(error: WordError, t: NullTranslations) -> str:
    """The answer to words that make no sense, as HTML, with the words that do."""
    known = t.gettext("Levels: {levels}.").format(levels=coded([level_name(level, t) for level in Level], t))
    known = sentences(t, known, board_words.what_there_is(t))
    if isinstance(error, NoBoard):
        return sentences(t, str(error), board_words.what_there_is(t))
    if isinstance(error, NotHere):
        said = t.gettext("The strategy {word} only plays on 3×3.").format(word=quoted(str(error)))
    elif isinstance(error, WordTwice):
        said = t.gettext("Name at most two players, ❌ first, and one board.")
    else:
        said = t.gettext("I don't know the word {word}.").format(word=quoted(str(error)))
    return sentences(t, said, known)
