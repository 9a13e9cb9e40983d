"""Reads what people type after the bot's username: what inline mode should offer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from gettext import NullTranslations
from typing import Final, NamedTuple, TypeVar

from bot.boards import typed_rules as board_words
from bot.boards.level_names import DIFFICULTIES, first_words, level_words
from bot.boards.translations import folded, typed
from bot.game.new_game import ADAPTIVE, DEFAULT_FIRST, DEFAULT_LEVEL, DEFAULT_RULES, First

Kind = TypeVar("Kind", First, str)

USERNAME: Final = re.compile(r"@[A-Za-z][A-Za-z0-9_]{2,31}")

BEGUN: Final = 3
"""With this many letters, a word for a board is recognised before it is complete."""

MOST_WORDS: Final = 8
"""How many words are read; Telegram sends up to 256 characters."""


class InlineWish(NamedTuple):
    """What to offer."""

    firsts: tuple[First, ...]
    """The challenges to offer, each by its first mover."""
    levels: tuple[str, ...]
    """The games against the computer to offer, each by its difficulty."""
    rival: str | None = None
    """The person the challenge is for: a `@username`, or the name of somebody known."""
    rival_id: int | None = None
    """Their id, if the bot knows them."""
    rules: str = DEFAULT_RULES
    """The rules to play by."""

    @property
    def is_usual(self) -> bool:
        """Whether the typed words chose nothing."""
        return self == USUAL


USUAL: Final = InlineWish((DEFAULT_FIRST,), (DEFAULT_LEVEL,))


def read(query: str, t: NullTranslations, own: str | None, known: Mapping[int, str]) -> InlineWish:
    """What the typed words choose, from their first letters on; words that mean nothing choose nothing.

    Args:
        query: The text after the bot's username.
        t: The texts of the language whose levels are known besides the English ones.
        own: The requester's own username, which a challenge cannot name.
        known: People the requester may name by a part of their name, by id.
    """
    words, rules = _board(folded(query).split()[:MOST_WORDS], t)
    usual = USUAL._replace(rules=rules)
    named = [word for word in words if USERNAME.fullmatch(word)]
    # Every bot's username ends so (core.telegram.org/bots/features), and no bot accepts a challenge.
    rivals = [word for word in named if word != f"@{own}".casefold() and not word.endswith("bot")]
    known_levels = {**level_words(t), **dict.fromkeys(typed(ADAPTIVE, t), ADAPTIVE)}
    firsts, levels = _begun(words, First, first_words(t)), _begun(words, DIFFICULTIES, known_levels)
    if rivals:
        return usual._replace(firsts=firsts or usual.firsts, levels=(), rival=rivals[0])
    for person, name in known.items():
        if set(words) & set(folded(name).split()):
            return usual._replace(firsts=firsts or usual.firsts, levels=(), rival=name, rival_id=person)
    return usual._replace(firsts=firsts, levels=levels) if firsts or levels else usual


def _board(words: Sequence[str], t: NullTranslations) -> tuple[Sequence[str], str]:
    """The words that name no board, and the rules that the others name; half typed, they may name none yet."""
    whole_words = board_words.board_words(t)
    words = [
        next((whole for whole in whole_words if len(word) >= BEGUN and whole.startswith(word)), word)
        for word in words
    ]
    try:
        rest, rules = board_words.take(words, t)
    except board_words.WordError:
        return words, DEFAULT_RULES
    return rest, rules or DEFAULT_RULES


def _begun(words: Sequence[str], kinds: Iterable[Kind], names: Mapping[str, str]) -> tuple[Kind, ...]:
    """The values whose names begin with any of the words, in their own order."""
    found = {meant for name, meant in names.items() if any(name.startswith(word) for word in words)}
    return tuple(kind for kind in kinds if kind in found)


def challenge_title(rival: str | None, t: NullTranslations) -> str:
    """The title of a challenge among the offers."""
    return t.gettext("Challenge") if rival is None else t.gettext("Challenge {name}").format(name=rival)


def first_mover(first: First, t: NullTranslations) -> str:
    """Who moves first in a challenge, worded for the challenger."""
    said = {
        First.ME: t.gettext("You move first"),
        First.BOT: t.gettext("Your opponent moves first"),
        First.RANDOM: t.gettext("Random first move"),
    }
    return said[first]
