"""/play: people who look for an opponent wait in their private chats, and are paired.

Whoever's opponent has left gets their old place back. Each step is one transaction, so a kill leaves either two
people waiting or two people playing. What has to be shown is in the database by then, and any process shows it.
"""

import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.boards import matchmaking as views
from bot.boards.buttons import FindOpponent
from bot.boards.translations import folded, typed
from bot.boards.view import View
from bot.context.acting import act
from bot.context.beginning import stored
from bot.context.feature import Command, Event, Feature, Heading, HelpPage, Menus, Routine
from bot.context.requests import CommandRequest, Requester
from bot.context.services import Services
from bot.context.trials import Trials
from bot.delivery.entries import Prompt
from bot.game import attention, deadlines
from bot.game.attempt import Attempt, NotAllowed, Player, Refusal, TimeLimits, Where
from bot.game.choices import ANY
from bot.game.deadlines import Due, timed
from bot.game.gate import decide
from bot.game.matchmaking import (
    LATELY_SECONDS,
    Seeker,
    Stay,
    WantAny,
    given_up,
    has_not_begun,
    left_waiting,
    met,
    never_begun,
    paired_from,
    pairs,
    rules_for,
    waiting_again,
    wanted,
)
from bot.game.new_game import DEFAULT_RULES, Cancel, wait
from bot.game.play import SetRules
from bot.language import N_, _
from engine import Mark
from engine.rules.catalogue import family_of, is_offered_as
from storage.columns import DAY
from storage.errors import ConcurrentChange, StorageError
from storage.games import boards, games, lookups, versions
from storage.games.game import Game, Limits
from storage.games.record import Board, Decision, Record
from storage.games.versions import Stored
from storage.people import blocks, cups, matchmaking, people
from storage.people.person import Chat, Meeting
from storage.results import ratings
from storage.results.ratings import RatingKey
from storage.results.result import OVERALL, Standing

log = logging.getLogger(__name__)

PLAY_LINK: Final = "play"
"""The start parameter of a link that looks for an opponent; rules follow after a dash."""

LOOKING: Final = N_("I'm already looking.")


class Joined(NamedTuple):
    """The result of somebody's looking for an opponent."""

    stored: Sequence[Stored] = ()
    """Boards to be shown."""
    is_new: bool = False
    """Whether their wait has just begun."""
    waiting: Game | None = None
    """The wait that they began before."""
    playing: Game | None = None
    """The game they already play with an opponent found here."""


async def play(request: CommandRequest) -> None:
    """Look for an opponent; in a group, give a link to the private chat."""
    known = typed(views.ANY_WORD)
    named = [word for word in request.args if folded(word) not in known]
    wished = request.read(named, "rules", other=views.any_hint()).get("rules")
    if wished is None and len(named) < len(request.args):
        wished = ANY
    if request.is_private:
        await _play(request, wished)
        return
    link = request.services.link_to(PLAY_LINK if wished is None else f"{PLAY_LINK}-{wished}")
    request.reply(views.to_the_private_chat(link))


async def follow(request: CommandRequest, rules: str) -> None:
    """Look for an opponent, as the start parameter of a link says."""
    await _play(request, rules if rules == ANY or is_offered_as(rules) else None)


async def tap_find(requester: Requester, button: FindOpponent) -> str | None:
    """Look for an opponent in the private chat; returns what the tapper is told."""
    if requester.where.chat_id != requester.user.id:
        return Refusal.ONLY_IN_PRIVATE.value
    joined = await _look(requester, button.rules or None)
    if joined.playing is not None:
        return Refusal.MET.value
    return None if joined.is_new else LOOKING


async def tap_wanted(requester: Requester, game_id: int, action: Stay | WantAny | SetRules | Cancel) -> str | None:
    """Choose a board, or withdraw; a wait goes on or ends. Returns what its message doesn't say to the tapper."""
    done = await act(requester, game_id, action)
    if not done.record.game.is_wait:
        return done.words
    await pair_people(requester.services, prompt=requester.prompt)  # there may be an opponent now
    return views.STAYS if isinstance(action, Stay) else done.words


async def _play(request: CommandRequest, wished: str | None) -> None:
    request.need_recent(also_in_private=True)  # whoever has gone by now isn't to be paired
    joined = await _look(request, wished)
    if joined.playing is not None:
        await request.reply_with(partial(_one_at_a_time, request, joined.playing.id))


async def _one_at_a_time(request: CommandRequest, game_id: int) -> View:
    game = (await request.services.store.read(games.load, game_id=game_id)).game
    return View(views.one_at_a_time(game, request.user.id))


async def _look(requester: Requester, wished: str | None) -> Joined:
    """Let somebody wait, and pair them if possible.

    They wish for some rules, or `ANY`; None for the usual ones of their chat, or those they wait for already.
    """
    services = requester.services
    joined = await services.store.run(join, requester=requester, wished=wished)
    if joined.waiting is not None:
        await act(requester, joined.waiting.id, _chosen(joined.waiting, wished), comes=True)
    elif not joined.is_new:
        services.boards.show_all(joined.stored, requester.prompt)
    if joined.playing is not None:
        return joined
    await pair_people(services, prompt=requester.prompt)
    if joined.is_new:
        with suppress(StorageError):
            if await services.store.run(matchmaking.waiting_of, person=requester.user.id) is not None:
                services.boards.show_all(joined.stored, requester.prompt)  # unless they were paired immediately
    return joined


def _chosen(game: Game, wished: str | None) -> Stay | WantAny | SetRules:
    """What somebody who waits already does by looking again."""
    if wished in (None, wanted(game) or ANY):
        return Stay()
    return WantAny() if wished == ANY else SetRules(wished)


def join(connection: Connection, *, requester: Requester, wished: str | None) -> Joined:
    """Start somebody's wait, unless they are already waiting or playing."""
    now = int(time.time())
    person, place = requester.user.id, requester.own_place
    found = matchmaking.find(connection, person)
    if found.waiting is not None:
        return Joined(waiting=found.waiting.game)
    for game_id in (*found.playing, *cups.busy(connection, [person]).values()):  # one clock at a time
        record = games.load(connection, game_id)
        theirs = record.boards_in(person)
        if theirs:
            return Joined([boards.move_down(connection, record, theirs[-1], place)], playing=record.game)
        return Joined([Stored(record, boards.put(connection, game_id, place), None)], playing=record.game)

    def make(chat: Chat) -> Game:
        is_any = wished == ANY
        rules = chat.rules or DEFAULT_RULES if wished is None or is_any else wished
        told = matchmaking.typical_wait(connection, None if is_any else rules, now)
        game = wait(requester.attempt(), rules=rules, any_rules=is_any, told=told)
        missed = matchmaking.missed(connection, [person], now - DAY).get(person, ())
        return game._replace(created_at=max(game.created_at, paired_from(missed)))

    record = stored(connection, requester, make, requester.once)
    return Joined([Stored(record, board, None) for board in record.boards], is_new=True)


MOST_SEEKERS: Final = 200
"""How many of the people who have waited longest are considered at a time."""
UNRATED: Final = Standing(1500, is_settled=False)


def _standing(standings: Mapping[RatingKey, Standing], person: int, rules: str | None = None) -> Standing:
    """Somebody's rating in the family of some rules, or else in all together, which is the one others see."""
    overall = standings.get(RatingKey(person, OVERALL), UNRATED)
    return overall if rules is None else standings.get(RatingKey(person, family_of(rules)), overall)


async def pair_people(services: Services, _: object = None, *, prompt: Prompt | None = None) -> None:
    """Pair the people who can be paired now, and show them their boards; if that fails, a moment later.

    Whoever looks right now, as the prompt says, needn't be called.
    """
    now = int(time.time())
    with services.memory(Trials).of("Pairing"):
        if await services.store.read(_matches, now=now):
            stored = await services.store.run(meet, rng=services.rng, limits=services.limits, now=now)
            services.boards.show_all(stored, prompt)


async def part(services: Services, game_id: int, gone: int | None = None, *, forgets: bool = False) -> None:
    """End a game in which somebody didn't turn up; the other gets their old place in the queue back.

    `gone` can't be reached or, if that `forgets` them, is about to be forgotten, and their board is left as it is;
    None for a player who hasn't moved in time.
    """
    leave = partial(leave_behind, game_id=game_id, gone=gone, forgets=forgets, limits=services.limits)
    try:
        stored = await services.store.run(leave, now=int(time.time()))
    except ConcurrentChange as error:
        log.debug("Somebody has moved in time: %s", error, extra={"game_id": game_id})
        return
    services.boards.show_all(stored)


async def let_go(services: Services, person: int) -> Sequence[Board]:
    """Give their old place back to opponents with whom a leaving person was paired but hasn't begun to play.

    Returns the leaving person's own boards of those games, which still show them.
    """
    own: list[Board] = []
    for game_id in await services.store.read(matchmaking.playing_of, person=person):
        record = await services.store.read(games.load, game_id=game_id)
        if has_not_begun(record.game):
            await part(services, game_id, person, forgets=True)
            own += record.boards_in(person)
    return own


async def drop(services: Services, person: int) -> None:
    """End the wait of somebody the bot can no longer reach, and their games found by matchmaking."""
    attempt = Attempt(Player(person, ""), Where(person), int(time.time()), services.rng, services.limits)
    if (waiting := await services.store.run(matchmaking.waiting_of, person=person)) is not None:
        leaving = partial(decide, action=Cancel(), attempt=attempt)
        with suppress(NotAllowed):
            services.boards.show(await services.store.change(waiting.game.id, leaving))
    for game_id in await services.store.read(matchmaking.playing_of, person=person):
        await part(services, game_id, person)
        services.boards.show(await services.store.change(game_id, partial(_gone, attempt=attempt)))


def meet(connection: Connection, *, rng: Random, limits: TimeLimits, now: int) -> Sequence[Stored]:
    """Pair people who wait; returns the boards to show."""
    found = _matches(connection, now=now)
    both = {wait.x.seat or 0: wait.id for pair in found for wait in pair}
    if not both:
        return ()
    free = matchmaking.free(connection, both.values())
    hiding, standings = people.hiding(connection, both), ratings.standings_of(connection, both)
    figures = {each: None if each in hiding else _standing(standings, each).figure for each in both}
    stored: list[Stored] = []
    for pair in found:
        one, other = (free.get(wait.id) for wait in pair)
        if one is not None and other is not None and one.game.reminded is None and other.game.reminded is None:
            stored += _meet(connection, one, other, figures, rng=rng, limits=limits, now=now)
    return stored


def _matches(connection: Connection, *, now: int) -> Sequence[tuple[Game, Game]]:
    """Pairs of waits that fit each other."""
    waits = {wait.x.seat or 0: wait for wait in matchmaking.ready(connection, MOST_SEEKERS, now)}
    if len(waits) > 1:
        cups.lock_clocks(connection)
    for person in cups.busy(connection, waits):  # one clock at a time
        del waits[person]
    if len(waits) < 2:
        return ()
    met_lately = matchmaking.met_since(connection, waits, now - LATELY_SECONDS)
    standings, never = ratings.standings_of(connection, waits), blocks.between(connection, waits)
    missed = matchmaking.missed(connection, waits, now - DAY)
    seekers = [
        Seeker(
            person,
            wanted(wait),
            _standing(standings, person, wanted(wait)).rating,
            wait.created_at,
            met_lately.get(person, frozenset()),
            never.get(person, frozenset()) | left_waiting(missed.get(person, ())),
        )
        for person, wait in waits.items()
    ]
    return [(waits[one.person], waits[other.person]) for one, other in pairs(seekers, now)]


def leave_behind(
    connection: Connection, *, game_id: int, gone: int | None, limits: TimeLimits, now: int, forgets: bool = False
) -> Sequence[Stored]:
    """End a game that hasn't begun; a player who turned up waits again, at their old place.

    Nothing happens if it has begun meanwhile. Returns the boards to show: not that of somebody it `forgets`.
    """
    record = games.load(connection, game_id)
    game = record.game
    away = game.turn if gone is None else game.mark_of(gone)
    if not has_not_begun(game) or away is None:
        return ()
    if gone is None and deadlines.look(Record(game, ()), now, limits).due is not Due.END:
        return ()
    stays = game.seat(away.other) or 0
    theirs = record.boards_in(stays)
    others = tuple([board for board in record.boards if board not in theirs])
    waiting = matchmaking.find(connection, stays).waiting
    if waiting is None:
        waiting = _waiting_again(connection, game, away.other, limits, now)
    # Who hasn't been shown the game hasn't missed it, and of whoever is forgotten nothing is noted.
    knew = gone is not None or deadlines.runs_since(record) is not None
    missed_by = game.seat(away) if knew and not forgets else None
    left = Record(game, () if forgets else others)
    ended = versions.become(connection, left, never_begun(game, missed_by), now)
    return [*versions.store_next(connection, matchmaking.hand_over(connection, theirs, waiting), now), *ended]


def _meet(
    connection: Connection,
    one: Record,
    other: Record,
    figures: Mapping[int, str | None],
    *,
    rng: Random,
    limits: TimeLimits,
    now: int,
) -> Sequence[Stored]:
    """Pair two people, given the rating of each that others see; None if somebody hides theirs."""
    waits = (one.game, other.game)
    both = (one.game.x.seat or 0, other.game.x.seat or 0)
    game = met(
        *waits,
        names={**one.game.names, **other.game.names},
        ratings=(figures[both[0]], figures[both[1]]),
        swap=rng.random() < 0.5,  # a fair coin
        now=now,
        limits=limits,
    )
    both_boards = matchmaking.hand_over(connection, one.boards, other)
    stored = versions.become(connection, both_boards, game, now)
    games.delete_many(connection, [one.game.id])
    since = (one.game.created_at, other.game.created_at)
    any_rules = (one.game.any_rules, other.game.any_rules)
    matchmaking.note(connection, Meeting(game.id, *both, rules_for(*waits), *since, now, *any_rules))
    # New messages, since an edit would notify nobody.
    shown = [
        each
        if (old := each.board).message_id is None
        else Stored(each.record, boards.put(connection, game.id, old.place, replaces=old), None)
        for each in stored
    ]
    return [*shown, *(each for person in both for each in _leave_the_computer(connection, person, now))]


def _leave_the_computer(connection: Connection, person: int, now: int) -> Sequence[Stored]:
    gone: list[Stored] = []
    for record in lookups.running(connection, person, person):
        if record.game.time_limits is Limits.MEANWHILE:
            gone += versions.become(connection, record, never_begun(record.game), now, leaving=True)
    return gone


def _waiting_again(connection: Connection, game: Game, mark: Mark, limits: TimeLimits, now: int) -> Record:
    meeting, person = matchmaking.meeting_of(connection, game.id), game.seat(mark)
    since, any_rules = game.created_at, False
    if meeting is not None and meeting.person == person:
        since, any_rules = meeting.person_since, meeting.person_any
    elif meeting is not None:
        since, any_rules = meeting.opponent_since, meeting.opponent_any
    told = matchmaking.typical_wait(connection, None if any_rules else game.rules, now)
    again = waiting_again(game, mark, since=since, any_rules=any_rules)._replace(told=told, changed_at=now)
    return Record(games.insert_many(connection, [timed(again, now, limits)])[0], ())


def _gone(record: Record, *, attempt: Attempt) -> Decision:
    decision = given_up(record, attempt.who.id)
    if decision.game is record.game:
        return decision
    return decision._replace(attention=attention.attention_for(record, decision.game, attempt))


FEATURE: Final = Feature(
    heading=Heading.NEW_GAMES,
    commands=[Command("play", play, N_("Find an opponent"), Menus.PRIVATE)],
    taps={FindOpponent: tap_find, **dict.fromkeys((Stay, WantAny, SetRules, Cancel), tap_wanted)},
    links={PLAY_LINK: follow},
    routines=[Routine("Pairing", pair_people, 1.0)],
    on={Event.UNREACHABLE: drop, Event.FORGETTING: let_go, Event.NOT_BEGUN: part},
    helps={HelpPage.FRIENDS: lambda: _("/play finds an opponent.")},
    keeps=N_(
        "• While I look for an opponent for you: which board, and since when. For a week after that: who I found, "
        "and how long you both waited."
    ),
)
