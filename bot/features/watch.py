"""/watch: the computer plays itself, at levels or by strategies that people name."""

import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.boards import rule_words
from bot.boards.players import level_words, strategy_names
from bot.boards.rule_words import BadWord, WordError, WordTwice
from bot.boards.translations import meanings, sentences, understood
from bot.boards.view import quoted
from bot.context.acting import act
from bot.context.beginning import stored
from bot.context.feature import Command, Feature, Heading
from bot.context.requests import CommandRequest, Requester
from bot.game.actions import Action
from bot.game.attempt import NotAllowed, Refusal, Unclear
from bot.game.choices import ADAPTIVE
from bot.game.exhibitions import MOST_EXHIBITIONS, GoFaster, Stop, WatchAgain, exhibition
from bot.game.new_game import USUAL_LEVEL
from bot.language import N_, _
from engine import CLASSIC
from engine.levels import plays
from storage.errors import ConcurrentChange
from storage.games import lookups
from storage.games.game import Game, rules_of
from storage.games.record import Record
from storage.people import chats
from storage.people.person import Chat

TWO: Final = 2
"""The most players that are named."""

WATCH_KINDS: Final = ("players", "rules")
"""The kinds of words that may be typed."""


class Lineup(NamedTuple):
    """The board, and the name of each side's player; None for what was left open."""

    rules: str | None
    x: str | None
    o: str | None


class NotHere(WordError):
    """A strategy that doesn't play the board that was named; the error's text is its name."""


def read(words: Sequence[str]) -> Lineup:
    """The players and the board that the words name; one player plays both sides.

    Raises BadWord, NoBoard, NotHere, or WordTwice for more than two players, or two boards.
    """
    words, rules = rule_words.rules_among(words)
    known = {**level_words(), **meanings({name: name for name in strategy_names()})}
    players: list[str] = []
    for word, player in understood(words, known.get):
        if player is None:
            raise BadWord(word)
        players.append(player)
    if len(players) > TWO:
        raise WordTwice
    for name in players:
        if rules is not None and not plays(name, rules_of(rules)):
            raise NotHere(name)
    x, o = [*players, None, None][:TWO]
    return Lineup(rules, x, o)


def board_for(players: Iterable[str], usual: str | None) -> str:
    """The rules for players named without a board: the chat's usual ones, if all of them can play these."""
    rules = usual or CLASSIC.text
    return rules if all(plays(name, rules_of(rules)) for name in players) else CLASSIC.text


def complaint(error: WordError) -> str:
    """The answer to words that make no sense, as HTML, with the words that do."""
    if isinstance(error, NotHere):
        said = _("The strategy {word} only plays on 3×3.").format(word=quoted(str(error)))
    elif isinstance(error, WordTwice):
        said = _("Give at most two players (❌ first) and one board.")
    else:
        return rule_words.complaint(error, *WATCH_KINDS)
    return sentences(said, rule_words.words_there_are(*WATCH_KINDS))


SOON_SECONDS: Final = 600
"""A time by which the next move of every running exhibition is due."""

NOTHING_TO_WATCH: Final = N_("There's no computer game here. Send /watch to start one.")


async def watch(request: CommandRequest) -> None:
    """Start an exhibition; one that is running here ends, if the person may stop it."""
    request.need_recent()
    try:
        lineup = read(request.args)
    except WordError as error:
        raise Unclear(complaint(error)) from None
    await _make_room(request)
    made = await request.services.store.run(_begin, requester=request, lineup=lineup)
    request.services.show_made(made, request.prompt)


async def tapped(requester: Requester, game_id: int, action: Action) -> str | None:
    """Do what a button of an exhibition says; returns what the tapper is told."""
    if isinstance(action, WatchAgain):
        await requester.services.store.read(_refuse_another, chat_id=requester.where.chat_id)
    return (await act(requester, game_id, action)).words


async def tell_of_none(request: CommandRequest) -> None:
    """Say that there is nothing to stop."""
    request.reply(_(NOTHING_TO_WATCH))


def _going_on(connection: Connection) -> Sequence[Game]:
    return lookups.watched(connection, by=int(time.time()) + SOON_SECONDS, limit=MOST_EXHIBITIONS)


def _refuse_another(connection: Connection, chat_id: int | None) -> None:
    """Refuse another exhibition while one goes on in the chat, or too many do everywhere."""
    games_ = _going_on(connection)
    if any(game.chat_id == chat_id for game in games_):
        raise NotAllowed(Refusal.EXHIBITION_GOES_ON)
    if len(games_) >= MOST_EXHIBITIONS:
        raise NotAllowed(Refusal.TOO_MANY_EXHIBITIONS)


async def _make_room(requester: Requester) -> None:
    for game in await requester.services.store.read(_going_on):
        if game.chat_id == requester.where.chat_id:
            with suppress(NotAllowed):  # then there is no room for another
                await act(replace(requester, below=None), game.id, Stop(), once=False)


def _begin(connection: Connection, *, requester: Requester, lineup: Lineup) -> Record:
    """Store a new exhibition."""
    _refuse_another(connection, requester.chat_id)

    def make(chat: Chat) -> Game:
        chats.lock(connection, chat.id)
        if any(game.chat_id == chat.id for game in _going_on(connection)):
            raise ConcurrentChange("another process has started a computer game here meanwhile")
        usual = USUAL_LEVEL if chat.level in (None, ADAPTIVE) else chat.level
        players = (lineup.x or usual, lineup.o or lineup.x or usual)
        return exhibition(requester.attempt(), *players, rules=lineup.rules or board_for(players, chat.rules))

    return stored(connection, requester, make, requester.once)


FEATURE: Final = Feature(
    heading=Heading.NEW_GAMES,
    commands=[Command("watch", watch, N_("Watch a computer game"))],
    words=dict.fromkeys((*Stop.rule.typed, *GoFaster.rule.typed), tell_of_none),
    taps={Stop: tapped, GoFaster: tapped, WatchAgain: tapped},
)
