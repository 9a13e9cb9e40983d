"""Pairs people who wait, each in their private chat, and gives somebody whose opponent left their place back.

Each step is one transaction, so a kill leaves either two people waiting or two people playing. What has to be
shown is in the database by then, and any process shows it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.context.services import Services
from bot.game import attention, deadlines
from bot.game import matchmaking as rules_of_matchmaking
from bot.game.attempt import Attempt, Player, TimeLimits, Where
from bot.game.deadlines import Due
from bot.game.matchmaking import (
    LATELY_SECONDS,
    Seeker,
    asked,
    came,
    has_not_begun,
    met,
    never_begun,
    pairs,
    rules_for,
    usual_wait,
)
from engine.rules.catalogue import family_of
from storage.errors import ConcurrentChange
from storage.games import boards, games, lookups, versions
from storage.games.game import Limits
from storage.games.record import Decision, Page, Place, Record
from storage.games.versions import Again, Stored
from storage.people import matchmaking, people
from storage.people.person import Meeting, Wait, WaitEnd, WaitRecord
from storage.results import ratings
from storage.results.ratings import RatingKey
from storage.results.result import ALL_FAMILIES, Standing

log = logging.getLogger(__name__)

MOST: Final = 200
"""How many of the people who have waited longest are considered at a time."""
WAITS_SECONDS: Final = 24 * 3600
WAITS: Final = 10
"""The typical wait is the median of at most this many pairings, none older than this many seconds."""
UNRATED: Final = Standing(1500, is_settled=False)


class RatedSeekers(NamedTuple):
    """The ratings of the people who wait."""

    standings: Mapping[RatingKey, Standing]

    def of(self, person: int, rules: str | None) -> Standing:
        """Somebody's rating in the family they want to play, or else in all together."""
        family = ALL_FAMILIES if rules is None else family_of(rules)
        return self.standings.get(RatingKey(person, family)) or self.overall(person)

    def overall(self, person: int) -> Standing:
        """Somebody's rating in all families together, which is the one others see."""
        return self.standings.get(RatingKey(person, ALL_FAMILIES), UNRATED)


async def look(services: Services) -> None:
    """Pair the people who can be paired now, and show them their boards."""
    now = int(time.time())
    try:
        if not await services.store.read(_matches, now=now):
            return
        stored = await services.store.run(meet, rng=services.rng, limits=services.limits, now=now)
    except ConcurrentChange as error:
        log.debug("Nobody is paired now: %s", error)
        return
    services.publisher.show_all(stored)


async def part(services: Services, game_id: int, gone: int | None = None) -> None:
    """End a game in which somebody didn't turn up; the other gets their old place in the queue back.

    `gone` can't be reached; None for a player who hasn't moved in time.
    """
    try:
        stored = await services.store.run(
            leave_behind, game_id=game_id, gone=gone, limits=services.limits, now=int(time.time())
        )
    except ConcurrentChange as error:
        log.debug("Somebody has moved in time: %s", error, extra={"game_id": game_id})
        return
    services.publisher.show_all(stored)


async def let_go(services: Services, person: int) -> None:
    """Give their old place back to opponents with whom a leaving person was paired but hasn't begun to play."""
    for game_id in await services.store.read(matchmaking.playing_of, person=person):
        await part(services, game_id, person)


async def drop(services: Services, person: int) -> None:
    """End the wait of somebody the bot can no longer reach, and their games found by matchmaking."""
    await stop(services, person)
    for game_id in await services.store.read(matchmaking.playing_of, person=person):
        await part(services, game_id, person)
        who = Player(person, "")
        attempt = Attempt(who, Where(), int(time.time()), services.rng, services.limits)
        changed = await services.store.change(game_id, partial(_gone, attempt=attempt))
        services.publisher.show(changed)


async def stop(services: Services, person: int) -> bool:
    """End somebody's wait; False if they weren't waiting."""
    return await _show(services, partial(end, person=person, why=WaitEnd.LEFT, now=int(time.time())))


async def fire(services: Services, wait: Wait) -> None:
    """Ask somebody who has waited long whether they are still there, or end their wait."""
    await _show(services, partial(look_at, wait_id=wait.id, limits=services.limits, now=int(time.time())))


async def _show(services: Services, change: Callable[[Connection], Sequence[Stored]]) -> bool:
    stored = await services.store.run(change)
    services.publisher.show_all(stored)
    return bool(stored)


def begin(connection: Connection, wait: Wait, place: Place, limits: TimeLimits) -> WaitRecord:
    """Store a new wait of a person, with the rules they want and their place."""
    told = typical_wait(connection, None if wait.any_rules else wait.rules, wait.changed_at)
    return matchmaking.begin(connection, came(wait._replace(told=told), wait.changed_at, limits), [place])


def end(connection: Connection, *, person: int, why: WaitEnd, now: int) -> Sequence[Stored]:
    """End somebody's wait; returns the boards to show."""
    waiting = matchmaking.waiting_of(connection, person)
    if waiting is None:
        return ()
    return matchmaking.change(connection, waiting, waiting.wait._replace(ended=why, changed_at=now))


def look_at(connection: Connection, *, wait_id: int, limits: TimeLimits, now: int) -> Sequence[Stored]:
    """Do what is due in a wait: ask the person by a new message, or end it if they haven't answered."""
    waiting = matchmaking.free(connection, [wait_id]).get(wait_id)
    if waiting is None or waiting.wait.due_at > now:
        return ()
    if waiting.wait.asked:
        ended = waiting.wait._replace(ended=WaitEnd.UNANSWERED, changed_at=now)
        return matchmaking.change(connection, waiting, ended)
    stored = matchmaking.change(connection, waiting, asked(waiting.wait, now, limits))
    if not people.wants_notices(connection, waiting.wait.person, in_group=False):
        return stored
    return _call(connection, stored, called=True)


def wait_on(
    connection: Connection, waiting: WaitRecord, *, wait: Wait, limits: TimeLimits, again: bool
) -> Sequence[Stored]:
    """Note that a waiting person is there, and perhaps wants other rules now.

    With `again`, their message is sent again.
    """
    same = (wait.rules, wait.any_rules) == (waiting.wait.rules, waiting.wait.any_rules)
    if not same:
        told = typical_wait(connection, None if wait.any_rules else wait.rules, wait.changed_at)
        wait = wait._replace(told=told)
    stored = matchmaking.change(connection, waiting, came(wait, wait.changed_at, limits))
    return _call(connection, stored, called=False) if again else stored


def choose(connection: Connection, waiting: WaitRecord, message_id: int | None, page: Page) -> Sequence[Stored]:
    """Turn the message of a wait to a page: the choice of rules, its other boards, or neither."""
    board = next((each for each in waiting.boards if each.message_id == message_id), None)
    if board is None or board.page == page:
        return ()
    return [boards.turn(connection, waiting, board, page)]


def adopted(connection: Connection, waiting: WaitRecord, message_id: int) -> Sequence[Stored]:
    """Make a tapped message the board of a wait that has none, or take it away if the wait has another one.

    That happens if the process that sent the message was killed before storing it.
    """
    board = next((board for board in waiting.boards if board.message_id is None and not board.leaving), None)
    if board is not None:
        boards.adopt(connection, board, message_id)
        (stored,) = versions.store_again(connection, [Again(board.id)])
        return () if stored is None else [stored]
    wait = waiting.wait
    twin = boards.retire_twin(connection, None, wait_id=wait.id, chat_id=wait.person, message_id=message_id)
    return () if twin is None else [Stored(waiting, twin, None)]


def typical_wait(connection: Connection, rules: str | None, now: int) -> int | None:
    """The typical wait in seconds; None while too little is known."""
    return usual_wait(matchmaking.waits(connection, rules, now - WAITS_SECONDS, WAITS))


def meet(connection: Connection, *, rng: Random, limits: TimeLimits, now: int) -> Sequence[Stored]:
    """Pair people who wait; returns the boards to show."""
    found = _matches(connection, now=now)
    both = {wait.person: wait.id for pair in found for wait in pair}
    if not both:
        return ()
    free = matchmaking.free(connection, both.values())
    hiding = people.hiding(connection, both)
    figures = _Figures(RatedSeekers(ratings.standings_of(connection, both)), frozenset(hiding))
    stored: list[Stored] = []
    for pair in found:
        one, other = (free.get(wait.id) for wait in pair)
        if one is not None and other is not None and not one.wait.asked and not other.wait.asked:
            stored += _meet(connection, one, other, figures, rng=rng, limits=limits, now=now)
    return stored


def _matches(connection: Connection, *, now: int) -> Sequence[tuple[Wait, Wait]]:
    """Pairs of waits that fit each other."""
    waits = {wait.person: wait for wait in matchmaking.ready(connection, MOST)}
    if len(waits) < 2:
        return ()
    met_lately = matchmaking.met_since(connection, waits, now - LATELY_SECONDS)
    rated = RatedSeekers(ratings.standings_of(connection, waits))
    found = pairs([_seeker(wait, rated, met_lately) for wait in waits.values()], now)
    return [(waits[one.person], waits[other.person]) for one, other in found]


def leave_behind(
    connection: Connection, *, game_id: int, gone: int | None, limits: TimeLimits, now: int
) -> Sequence[Stored]:
    """End a game that hasn't begun; a player who turned up waits again, at their old place.

    Nothing happens if it has begun meanwhile. Returns the boards to show.
    """
    record = games.load(connection, game_id)
    game = record.game
    away = game.turn if gone is None else game.mark_of(gone)
    if not has_not_begun(game) or away is None:
        return ()
    if gone is None and deadlines.look(Record(game, ()), now, limits).due is not Due.END:
        return ()
    stays = game.seat(away.other) or 0
    theirs = [board for board in record.boards if board.viewer == stays and not board.leaving]
    others = tuple([board for board in record.boards if board not in theirs])
    waiting = matchmaking.find(connection, stays).waiting
    if waiting is None:
        waiting = _waiting_again(connection, record, stays, limits, now)
    ended = games.next_version(never_begun(game), now)
    games.save_many(connection, [(ended, game)])
    return [
        *versions.store_next(connection, matchmaking.give_back(connection, theirs, waiting), now),
        *versions.store_next(connection, Record(ended, others), now),
    ]


def _call(connection: Connection, stored: Sequence[Stored], *, called: bool) -> Sequence[Stored]:
    """Send boards as new messages, since an edit would notify nobody; with `called`, they call somebody."""
    shown: list[Stored] = []
    for each in stored:
        board = each.board
        if board.message_id is None:
            shown.append(each)
        else:
            new = boards.put(
                connection, board.game_id, board.place, wait_id=board.wait_id, replaces=board, called=called
            )
            shown.append(Stored(each.record, new, None))
    return shown


class _Figures(NamedTuple):
    """The ratings of people, as far as others may see them."""

    rated: RatedSeekers
    hiding: frozenset[int]

    def of(self, person: int) -> str | None:
        """Somebody's rating; None if they keep it to themselves."""
        return None if person in self.hiding else self.rated.overall(person).figure


def _seeker(wait: Wait, rated: RatedSeekers, met_lately: Mapping[int, frozenset[int]]) -> Seeker:
    rules = None if wait.any_rules else wait.rules
    rating = rated.of(wait.person, rules).rating
    return Seeker(wait.person, rules, rating, wait.since, met_lately.get(wait.person, frozenset()))


def _meet(
    connection: Connection,
    one: WaitRecord,
    other: WaitRecord,
    figures: _Figures,
    *,
    rng: Random,
    limits: TimeLimits,
    now: int,
) -> Sequence[Stored]:
    both = (one.wait.person, other.wait.person)
    known = people.known(connection, both)
    shown = (figures.of(both[0]), figures.of(both[1]))
    game = met(
        one.wait,
        other.wait,
        names={person: found.name for person, found in known.items()},
        ratings=shown,
        swap=rng.random() < 0.5,  # a fair coin
        now=now,
        limits=limits,
    )
    record = matchmaking.pair(connection, one, other, game)
    since = (one.wait.since, other.wait.since)
    any_rules = (one.wait.any_rules, other.wait.any_rules)
    meeting = Meeting(record.game.id, *both, rules_for(one.wait, other.wait), *since, now, *any_rules)
    matchmaking.note(connection, meeting)
    gone = [each for person in both for each in _leave_the_computer(connection, person, now)]
    return [*_call(connection, versions.store_next(connection, record, now), called=False), *gone]


def _leave_the_computer(connection: Connection, person: int, now: int) -> Sequence[Stored]:
    gone: list[Stored] = []
    for record in lookups.running(connection, person, person):
        if record.game.time_limits is Limits.MEANWHILE:
            game = games.next_version(never_begun(record.game), now)
            games.save_many(connection, [(game, record.game)])
            staying = [board for board in record.boards if not board.leaving]
            gone += boards.retire(connection, record._replace(game=game), staying, now)
    return gone


def _waiting_again(
    connection: Connection, record: Record, person: int, limits: TimeLimits, now: int
) -> WaitRecord:
    game = record.game
    meeting = matchmaking.meeting_of(connection, game.id)
    since, any_rules = game.created_at, False
    if meeting is not None and meeting.person == person:
        since, any_rules = meeting.person_since, meeting.person_any
    elif meeting is not None:
        since, any_rules = meeting.opponent_since, meeting.opponent_any
    told = typical_wait(connection, None if any_rules else game.rules, now)
    wait = Wait(0, person, game.rules, any_rules=any_rules, told=told, since=since, due_at=0, changed_at=now)
    return matchmaking.begin(connection, came(wait, now, limits), [])


def _gone(record: Record, *, attempt: Attempt) -> Decision[None]:
    decision = rules_of_matchmaking.gone(record, attempt.who.id)
    if decision.game is record.game:
        return decision
    return decision._replace(attention=attention.attention_for(record, decision.game, attempt))
