"""Pairing those who wait in the queue, each in their own chat; and whoever is left there finds their place again.

All of it is one transaction each: whoever is killed between any two steps leaves two who wait, or two who play.
What is to be shown then stands in the database, and any process shows it.
"""

from __future__ import annotations

import logging
import secrets
import time
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.game import deadlines, notices
from bot.game import queue as rules_of_queue
from bot.game.acts import Act, Player, Wish
from bot.game.gate import Where
from bot.game.pairing import LATELY_SECONDS, Seeker, pairs, usual_wait
from bot.game.queue import Terms, has_not_begun, met, never_begun, passed_over, terms_of, waits
from bot.views.stats import figure
from engine.families import family_of
from storage import boards, games, queue, versions
from storage.errors import ConcurrentChange
from storage.queue import Meeting
from storage.record import Record
from storage.tally import Standing
from storage.versions import Raised

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from sqlalchemy import Connection

    from bot.context import Services
    from bot.game.time_limits import TimeLimits
    from storage.game import Game
    from storage.record import Decision

log = logging.getLogger(__name__)

MOST: Final = 200
"""Of so many who wait longest pairs are looked for at a time."""
WAITS_SECONDS: Final = 24 * 3600
WAITS: Final = 10
"""The typical wait is told from so many pairings at the most, none of them older than that."""
ALL_FAMILIES: Final = ""
UNRATED: Final = Standing(1500, is_settled=False)


class Rated(NamedTuple):
    """How people who wait are rated."""

    standings: Mapping[tuple[int, str], Standing]

    def of(self, person: int, rules: str | None) -> Standing:
        """How somebody is rated in what they want to play, or else in all together."""
        family = ALL_FAMILIES if rules is None else family_of(rules)
        known = self.standings.get((person, family)) or self.standings.get((person, ALL_FAMILIES))
        return known or UNRATED


async def look(services: Services) -> None:
    """Pair those who wait, as far as they are to be paired now, and show them their boards.

    Raises:
        StorageError: if the database cannot be used.
    """
    now = int(time.time())
    try:
        raised = await services.store.run(partial(meet, rng=services.rng, limits=services.limits, now=now))
    except ConcurrentChange as error:
        log.debug("Nobody is paired now: %s", error)
        return
    for each in raised:
        services.publisher.show_raised(each)


async def part(services: Services, game_id: int, gone: int | None = None) -> None:
    """End a game in which somebody has not come, and let the other wait on at their old place.

    Args:
        services: The services of this bot.
        game_id: The game.
        gone: Who cannot be reached; None for whoever has not moved in time.

    Raises:
        StorageError: if the game is not there or cannot be read, or the database cannot be used.
    """
    parting = partial(leave_behind, game_id=game_id, gone=gone, limits=services.limits, now=int(time.time()))
    try:
        raised = await services.store.run(parting)
    except ConcurrentChange as error:
        log.debug("Somebody has moved in time: %s", error, extra={"game_id": game_id})
        return
    for each in raised:
        services.publisher.show_raised(each)


async def let_go(services: Services, person: int) -> None:
    """Let those wait on, at their old place, whom somebody who goes has met and not begun to play with.

    Raises:
        StorageError: if the database cannot be used.
    """
    for game_id in await services.store.run(partial(queue.playing_of, person=person)):
        await part(services, game_id, person)


async def drop(services: Services, person: int) -> None:
    """Let somebody whom the bot cannot reach any more neither wait nor be waited for.

    Raises:
        StorageError: if the database cannot be used.
    """
    for game_id in await services.store.run(partial(_of_queue, person=person)):
        await part(services, game_id, person)
        who = Player(person, "")
        wish = Wish(Act.CANCEL, who, Where(), int(time.time()), services.rng, services.limits)
        changed = await services.store.change(game_id, partial(_gone, wish=wish))
        services.publisher.show(changed)


def typical_wait(connection: Connection, rules: str | None, now: int) -> int | None:
    """For how many seconds those had to wait who were paired lately; None while too little is known."""
    return usual_wait(queue.waits(connection, rules, now - WAITS_SECONDS, WAITS))


def meet(connection: Connection, *, rng: Random, limits: TimeLimits, now: int) -> Sequence[Raised]:
    """Pair those who wait; the boards that are to be shown are given back."""
    waiting = {game.x_seat: game for game in queue.waiting(connection, MOST) if game.x_seat}
    if len(waiting) < 2:  # noqa: PLR2004 - a pair
        return ()
    met_lately = queue.met_since(connection, waiting, now - LATELY_SECONDS)
    rated = Rated(queue.standings_of(connection, waiting))
    found = pairs([_seeker(game, rated, met_lately) for game in waiting.values()], now)
    ids = {waiting[seeker.person].id for pair in found for seeker in pair}
    if not ids:
        return ()
    records = games.load_many(connection, queue.free(connection, ids))
    hiding = queue.hiding(connection, {seeker.person for pair in found for seeker in pair})
    raised: list[Raised] = []
    for pair in found:
        one, other = (records.get(waiting[seeker.person].id) for seeker in pair)
        if isinstance(one, Record) and isinstance(other, Record) and waits(one.game) and waits(other.game):
            figures = _Figures(rated, frozenset(hiding))
            raised += _meet(connection, one, other, figures, rng=rng, limits=limits, now=now)
    return raised


def leave_behind(
    connection: Connection, *, game_id: int, gone: int | None, limits: TimeLimits, now: int
) -> Sequence[Raised]:
    """End a game that has not begun; whoever has come waits again, since when they had waited before.

    Nothing happens where it has begun meanwhile. The boards that are to be shown are given back.
    """
    record = games.load(connection, game_id)
    game = record.game
    away = game.turn if gone is None else game.mark_of(gone)
    if not has_not_begun(game) or away is None:
        return ()
    if gone is None and deadlines.look(game, now, limits).due is not Act.EXPIRE:
        return ()
    stays = game.seat(away.other) or 0
    waiting = queue.find(connection, stays).waiting
    theirs = [board for board in record.boards if board.viewer == stays and not board.leaving]
    others = tuple([board for board in record.boards if board not in theirs])
    if waiting is None:
        again = _waiting_again(connection, record, stays, limits, now)
    else:
        again = games.load(connection, waiting).game
    ended = games.next_version(never_begun(game)._replace(next_game=again.id), now)
    games.save_many(connection, [(ended, game)])
    kept = Record(again, tuple(queue.give_boards(connection, theirs, again.id)))
    return [
        *raise_all(connection, kept, now),
        *raise_all(connection, Record(ended, others), now),
    ]


def raise_all(connection: Connection, record: Record, now: int) -> Sequence[Raised]:
    """Store the next version of all boards of a record where they stand, and give back those to be shown."""
    going = {board.replaces for board in record.boards}
    staying = [(versions.raised(board, now), board) for board in record.boards if not board.leaving]
    versions.raise_many(connection, staying)
    return [Raised(record, anew, board) for anew, board in staying if board.id not in going]


def call_all(connection: Connection, record: Record, now: int) -> Sequence[Raised]:
    """Let all boards of a record come as new messages, since an edit would notify nobody."""
    shown: list[Raised] = []
    for each in raise_all(connection, record, now):
        if each.board.message_id is None:
            shown.append(each)
        else:
            new = boards.put(connection, record.game.id, each.board.place, replaces=each.board.id)
            shown.append(Raised(record, new, None))
    return shown


class _Figures(NamedTuple):
    """How people are rated, as others may see it."""

    rated: Rated
    hiding: frozenset[int]

    def of(self, person: int, rules: str) -> str:
        """Somebody's rating; empty for who keeps it to themselves."""
        return "" if person in self.hiding else figure(self.rated.of(person, rules))


def _seeker(game: Game, rated: Rated, met_lately: Mapping[int, frozenset[int]]) -> Seeker:
    person = game.x_seat or 0
    rules = None if terms_of(game).any_rules else game.rules
    rating = rated.of(person, rules).rating
    return Seeker(person, rules, rating, game.created_at, met_lately.get(person, frozenset()))


def _meet(
    connection: Connection,
    one: Record,
    other: Record,
    figures: _Figures,
    *,
    rng: Random,
    limits: TimeLimits,
    now: int,
) -> Sequence[Raised]:
    """Seat who waits with the other game in the one, and bring both there."""
    person, opponent = one.game.x_seat or 0, other.game.x_seat or 0
    rules = (
        other.game.rules if terms_of(one.game).any_rules and not terms_of(other.game).any_rules else one.game.rules
    )
    wish = Wish(Act.ACCEPT, Player(opponent, other.game.x_name or ""), Where(), now, rng, limits)
    ratings = (figures.of(person, rules), figures.of(opponent, rules))
    seated = met(one.game, wish, rules, ratings, swap=rng.random() < 0.5)  # noqa: PLR2004 - a fair coin
    if seated is None:
        return ()
    game = games.next_version(seated, now)
    ended = games.next_version(passed_over(other.game, game.id), now)
    games.save_many(connection, [(game, one.game), (ended, other.game)])
    since = (one.game.created_at, other.game.created_at)
    queue.note(connection, Meeting(game.id, person, opponent, rules, *since, now))
    given = queue.give_boards(connection, other.boards, game.id)
    return call_all(connection, Record(game, (*one.boards, *given)), now)


def _waiting_again(connection: Connection, record: Record, person: int, limits: TimeLimits, now: int) -> Game:
    """The stored game with which somebody waits again."""
    game = record.game
    mark = game.mark_of(person)
    meeting = queue.meeting_of(connection, game.id)
    since = game.created_at
    if meeting is not None:
        since = meeting.person_since if meeting.person == person else meeting.opponent_since
    again = rules_of_queue.waiting(
        Player(person, "" if mark is None else game.name(mark) or ""),
        rules=game.rules,
        terms=Terms(typical_wait(connection, game.rules, now)),
        now=now,
        since=since,
        limits=limits,
        secret=secrets.token_urlsafe(12),
    )
    return games.insert_many(connection, [again])[0]


def _gone(record: Record, *, wish: Wish) -> Decision[None]:
    decision = rules_of_queue.gone(record, wish.who.id)
    if decision.game is record.game:
        return decision
    return decision._replace(heeds=notices.heeds(record, decision.game, wish))


def _of_queue(connection: Connection, *, person: int) -> Sequence[int]:
    waiting = queue.waiting_of(connection, person)
    return [*([] if waiting is None else [waiting]), *queue.playing_of(connection, person)]
