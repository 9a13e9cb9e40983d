"""Begins games: the one way to store a game that somebody asks for."""

import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.context.acting import Done
from bot.context.requests import Requester
from bot.game.attempt import Attempt, NotAllowed, Player, Refusal
from bot.game.choices import ADAPTIVE
from bot.game.new_game import (
    DEFAULT_FIRST,
    DEFAULT_LEVEL,
    DEFAULT_RULES,
    MOST_A_DAY,
    MOST_OPEN,
    MOST_TO_ONE,
    MOST_TO_ONE_IN_GROUPS,
    against_computer,
    goes_first,
    new_challenge,
)
from storage.columns import DAY
from storage.games import boards, lookups
from storage.games.game import Game, Limits
from storage.games.record import WHOLE, Page, Place, Record
from storage.once import Once, take
from storage.people import blocks, chats, matchmaking, people
from storage.people.person import Chat
from storage.privacy import forgotten
from storage.results import results

MOST_GAMES: Final = 8
MOST_ALONE: Final = 20
"""The most running games of one person in one group, so that nobody floods it, and in their private chat."""


NOWHERE: Final = Chat(0)
"""What is usual in a chat that isn't known."""


class NewGame(NamedTuple):
    """What somebody wants to play; what is left open is as usual in their chat."""

    is_alone: bool = False
    """Whether it is against the computer; else it is a challenge."""
    level: str | None = None
    first: str | None = None
    rules: str | None = None
    rival: Player | None = None
    """The person who is challenged; None for anybody."""
    clock: int | None = None
    """The seconds per move between two people."""
    best_of: int | None = None
    """The most games of their series."""
    link: str | None = None
    """What leads to the challenge, if it goes by link."""
    is_meanwhile: bool = False
    """Whether the game ends once an opponent is found for the person, who is waiting for one."""
    moves: str = ""
    """The moves after which it begins, with the person's."""
    is_played: bool = False
    """Whether the person has played the last of them, so that it begins with the computer's."""
    beats: int | None = None
    """The shared game that has these moves."""
    page: Page = WHOLE
    """What its board shows first."""


async def begin(requester: Requester, wish: NewGame, places: Sequence[Place] = ()) -> Done:
    """Begin a game, and show it."""
    made = await requester.services.store.run(begun, requester=requester, wish=wish, places=places)
    return Done(made, requester.services.show_made(made, requester.prompt))


def begun(connection: Connection, *, requester: Requester, wish: NewGame, places: Sequence[Place] = ()) -> Record:
    """Store a new game or challenge; raises `NotAllowed` if there are too many."""
    _refuse_too_many(connection, requester, wish)

    def make(chat: Chat) -> Game:
        return game_of(connection, requester.attempt(), wish, chat)

    return stored(connection, requester, make, requester.once_a_minute, places, page=wish.page)


def stored(
    connection: Connection,
    requester: Requester,
    make: Callable[[Chat], Game],
    once: Once,
    places: Sequence[Place] = (),
    *,
    page: Page = WHOLE,
) -> Record:
    """Store any game that somebody begins, on boards in these places, by default where they are."""
    take(connection, once)
    chat = chats.load_or_add(connection, requester.chat_id)
    people.see(connection, requester.player)
    return boards.add(connection, make(chat), places or [requester.place], page)


def game_of(connection: Connection, attempt: Attempt, wish: NewGame, chat: Chat = NOWHERE) -> Game:
    """The game that somebody wants, not stored yet."""
    rules = wish.rules or chat.rules or DEFAULT_RULES
    first = goes_first(wish.first or chat.first or DEFAULT_FIRST, attempt.rng)
    if not wish.is_alone:
        if (rival := wish.rival) is not None and rival.id:
            people.introduce(connection, rival)
        hushed = wish.link is None and blocks.hushes(connection, rival, attempt.who.id)
        game = new_challenge(attempt, first=first, rules=rules, rival=rival, link=wish.link)
        return game._replace(clock=wish.clock, best_of=wish.best_of, hushed=hushed)
    if wish.moves:
        first = (len(wish.moves) % 2 == 0) is not wish.is_played
    level = wish.level or chat.level or DEFAULT_LEVEL
    if is_adaptive := level == ADAPTIVE:
        level = results.level_of(connection, attempt.who.id, rules)
    game = against_computer(
        attempt, first=first, level=level, adaptive=is_adaptive, rules=rules, moves=wish.moves
    )._replace(beats=wish.beats)
    if wish.is_meanwhile and matchmaking.waiting_of(connection, attempt.who.id) is not None:
        return game._replace(time_limits=Limits.MEANWHILE)
    return game


def _refuse_too_many(connection: Connection, requester: Requester, wish: NewGame) -> None:
    person, chat_id, since = requester.user.id, requester.chat_id, int(time.time()) - DAY
    most, to_one = (MOST_ALONE, MOST_TO_ONE) if requester.is_private else (MOST_GAMES, MOST_TO_ONE_IN_GROUPS)
    if wish.link is None and lookups.open_games(connection, chat_id, person) >= most:
        raise NotAllowed(Refusal.TOO_MANY_GAMES, count=most)
    if wish.is_alone:
        return
    if lookups.open_challenges(connection, chat_id, person) >= MOST_OPEN:
        raise NotAllowed(Refusal.TOO_MANY_OPEN, count=MOST_OPEN)
    if wish.rival is None:
        return
    if lookups.challenges_to(connection, person, wish.rival, since) >= to_one:
        raise NotAllowed(Refusal.ENOUGH_FROM_YOU)
    is_enough = requester.is_private and lookups.challenges_since(connection, person, since) >= MOST_A_DAY
    if is_enough or forgotten.is_forgotten(connection, person, since):
        raise NotAllowed(Refusal.ENOUGH_TODAY)
