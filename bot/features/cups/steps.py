"""What is stored of a cup at each step of it, each in one transaction."""

import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.boards.cups import CANCELLED, Shown
from bot.boards.zones import weeks_later
from bot.context.requests import Requester
from bot.features.cups import wishes
from bot.game import cups as rules
from bot.game.attempt import TimeLimits
from bot.game.attention import IN_SIGHT
from bot.game.cups import FEWEST_IN, current_round
from bot.game.deadlines import CUP_SECONDS, clock_of, is_awaited_in_cup, runs_since, timed
from bot.game.new_game import DEFAULT_RULES
from bot.language import N_
from storage.columns import DAY
from storage.games import boards, games, outbox, versions
from storage.games.game import Game, GameKind, Limits, Side
from storage.games.record import Notice, NoticeKind, Place, Record
from storage.games.versions import Stored
from storage.once import take
from storage.people import chats, cups, people
from storage.people.person import Cup, CupGame, CupPlan, CupStage, CupState
from storage.privacy import forgotten

CUP_CLOCK: Final = 120
"""The seconds for a move, unless the command names others."""
NEXT_FIRST_SECONDS: Final = 60
"""For the next first move of somebody who has missed one."""
BOTH: Final = 2

NO_CUP: Final = N_("There's no cup here at the moment. Send /cup to start one.")
ASK_LEAVE: Final = N_("Leave the cup? You lose the game you're playing, and those still to come.")
IS_OTHER: Final = N_("There's a cup here already. Join it, or call it off before you start another.")
IS_ELSEWHERE: Final = N_("This group's cup is in another topic. Send /cup there.")
CUP_IS_OVER: Final = N_("This cup is over. Send /cup to start a new one.")
NOT_PLANNED: Final = N_("The planned cup has been called off.")
NOT_YOURS_TO_END: Final = N_("Only an admin can call off a cup that has started.")
NOT_YOUR_CUP: Final = N_("Only the person who joined first or an admin can start the cup or call it off.")
IS_ABOVE: Final = N_("The cup is just above.")


class CupStep(NamedTuple):
    """What a transaction has stored about a cup, to be shown."""

    said: str | None = None
    """What the person is told, to be translated."""
    notices: Sequence[Notice] = ()
    begun: Sequence[Record] = ()
    changed: Sequence[Stored] = ()
    """Boards of games that are the cup's no more, or that leave the group as they are over."""


class FoundCup(NamedTuple):
    """A cup as it was read, and which of its games have ended since it was stored."""

    state: CupState
    ended: Mapping[int, Game | None]


def find(connection: Connection, *, cup_id: int) -> FoundCup | None:
    """A cup that may go on; None if it's no more."""
    state = cups.load(connection, cup_id, locked=False)
    return None if state is None else FoundCup(state, cups.ended(connection, state))


def decided(found: FoundCup, *, now: int, rng: Random) -> CupState:
    """What becomes of a cup, outside all transactions, as pairing takes a while."""
    state, cup_ = found.state, found.state.cup
    if cup_.stage is CupStage.OPEN and cup_.starts_at is not None and cup_.starts_at <= now:
        if len(state.players) >= FEWEST_IN:
            return rules.started(state, rng, now)
        return state._replace(cup=cup_._replace(starts_at=None, is_planned=False))
    return rules.gone_on(rules.with_ended(state, found.ended), rng, now)


def shown(connection: Connection, *, state: CupState) -> Shown:
    """What the message of a cup shows."""
    champions = () if state.cup.stage is CupStage.OVER else cups.champions(connection, state.cup.chat_id)
    last = people.known(connection, champions)
    own = {player.number for player in state.champions}
    wanted = {
        game.game_id: game.number
        for game in state.games
        if game.game_id is not None and (game.result is None or own & {game.x, game.o})
    }
    won_by = {player.person for player in state.champions}
    games_now, until = {}, {}
    for game_id, record in games.load_sound(connection, wanted).items():
        game = record.game
        if game.is_over and (game.winner is None or game.seat(game.winner) not in won_by):
            continue
        games_now[wanted[game_id]] = game
        if is_awaited_in_cup(game) and (since := runs_since(record)) is not None:
            until[wanted[game_id]] = since + (clock_of(game) or 0)
    theme = chats.load(connection, state.cup.chat_id).theme
    names = [last[person].name for person in champions if person in last]
    ready = {number for game in rules.startable(state) for number in (game.x, game.o)}
    elsewhere = cups.busy(connection, [each.person for each in state.players if each.number in ready])
    return Shown(state, _names(connection, state), games_now, until, theme, names, elsewhere)


def to_show(connection: Connection, *, notice: Notice) -> Shown | None:
    """The cup of a notice; None if there is nothing to show of it.

    Once it's over it never comes again, if somebody has deleted its message; nor does one come that never started.
    """
    state = cups.load(connection, notice.cup or 0, locked=False)
    if state is None:
        return None
    is_gone = notice.kind is NoticeKind.ROUND if state.cup.rounds == 0 else state.cup.message_id is None
    is_new = notice.kind is NoticeKind.ROUND and state.cup.rounds
    return None if state.cup.stage is CupStage.OVER and is_gone and not is_new else shown(connection, state=state)


def _names(connection: Connection, state: CupState) -> Mapping[int, str]:
    known = people.known(connection, [player.person for player in state.players])
    return {person: row.name for person, row in known.items()}


class Brought(NamedTuple):
    """Somebody's games in cups, brought to their private chat."""

    boards: Sequence[Stored]
    waiting: Sequence[Shown]
    """The cups in which their next game is still to begin."""


def bring(connection: Connection, *, requester: Requester) -> Brought:
    """Put the person's games in cups on boards in their private chat, where the next ones come by themselves."""
    person, place = requester.user.id, requester.own_place
    there = games.load_sound(connection, cups.playing(connection, person)).values()
    running = [record for record in there if not record.game.is_over]
    waiting, chats_of_games = [], [record.game.chat_id for record in running]
    for state in cups.of_person(connection, person):
        chats.load_or_add(connection, person)
        if state.cup.chat_id not in chats_of_games:
            waiting.append(shown(connection, state=state))
    return Brought([_brought(connection, record, person, place) for record in running], waiting)


def _brought(connection: Connection, record: Record, person: int, place: Place) -> Stored:
    """A game with a board in somebody's private chat; that in the group goes once both have one of their own."""
    game = record.game
    if here := record.boards_in(person):
        return boards.move_down(connection, record, here[-1], place)
    others = [seat for seat in (game.x.seat, game.o.seat) if seat != person]
    shared = record.boards_in(game.chat_id) if all(record.boards_in(seat) for seat in others) else []
    new = boards.put(connection, game.id, place, replaces=shared[-1] if shared else None)
    return Stored(record, new, None)


def begin(connection: Connection, *, requester: Requester, wished: Mapping[str, str]) -> CupStep:
    """Store a new cup, or bring the message of the one that isn't over down to the bottom."""
    take(connection, requester.once)
    place, now = requester.place, int(time.time())
    chat = chats.load_or_add(connection, place.chat_id or 0)
    chats.lock(connection, chat.id)
    if not requester.as_chat:
        people.see(connection, requester.player)
    state = cups.newest(connection, chat.id)
    former: Sequence[Notice] = ()
    if state is not None and state.cup.stage is not CupStage.OVER:
        state = cups.load(connection, state.cup.id) or state
        if state.players:
            return _there_already(connection, state, requester, wished)
        former = _taken_over(connection, state)
    cup_ = Cup(
        id=0,
        chat_id=chat.id,
        thread_id=place.thread_id,
        reply_to=place.reply_to,
        language=requester.language_here,
        rules=wished.get("rules") or chat.rules or DEFAULT_RULES,
        clock=int(wished.get("clock", CUP_CLOCK)),
        created_at=now,
    )
    state = cups.add(connection, cup_)
    if not requester.as_chat:  # an anonymous administrator holds it for others
        state, _said = wishes.join(state, person=requester.user.id, now=now, rng=requester.services.rng, number=0)
    state = _looked_at(state, now)
    cups.save(connection, state)
    return CupStep(notices=[*_coming(connection, state.cup), *former])


def _taken_over(connection: Connection, state: CupState) -> Sequence[Notice]:
    """End a cup that nobody is in, whose message goes for that of another one."""
    cup_ = state.cup
    cups.save(connection, state._replace(cup=cup_._replace(stage=CupStage.OVER, due_at=None, message_id=None)))
    if cup_.message_id is None:
        return ()
    return [outbox.add(connection, _notice(cup_, NoticeKind.FORMER_CUP)._replace(reply_to=cup_.message_id))]


def _there_already(
    connection: Connection, state: CupState, requester: Requester, wished: Mapping[str, str]
) -> CupStep:
    """Bring down the message of a cup that isn't over, in its topic, and without a sound."""
    cup_ = state.cup
    place = requester.place
    if (place.thread_id, place.reply_to) != (cup_.thread_id, cup_.reply_to):
        return CupStep(IS_ELSEWHERE)
    asks_more = not wished.items() <= {"rules": cup_.rules, "clock": str(cup_.clock)}.items()
    said = IS_OTHER if asks_more else None
    if cup_.message_id is not None and (requester.below or 0) - cup_.message_id <= IN_SIGHT:
        # Somebody may have deleted it, which only an edit tells.
        return CupStep(said or IS_ABOVE, _redrawn(connection, cup_))
    return CupStep(said, _coming(connection, cup_, None if requester.as_chat else requester.user.id))


def announce_again(connection: Connection, *, cup_id: int, until: int) -> CupStep:
    """Give a cup that was announced before `until`, and hasn't started, its time again, at the bottom."""
    state, now = cups.load(connection, cup_id), int(time.time())
    if state is None or state.cup.stage is not CupStage.OPEN or state.cup.created_at >= until:
        return CupStep()
    starts_at = None if state.cup.starts_at is None else now + rules.ALONE_SECONDS
    again = state._replace(cup=state.cup._replace(created_at=now, starts_at=starts_at))
    return _called_again(connection, _looked_at(again, now))


def _called_again(connection: Connection, state: CupState) -> CupStep:
    """Store a cup whose message comes down to call people."""
    cups.save(connection, state)
    return CupStep(notices=_coming(connection, state.cup))


def change(connection: Connection, *, cup_id: int, requester: Requester, wish: wishes.Wish) -> CupStep:
    """Do what somebody wants of a cup, if it isn't over."""
    if (state := cups.load(connection, cup_id)) is None or state.cup.stage is CupStage.OVER:
        return CupStep(CUP_IS_OVER)
    changed, said = wish(state)
    is_new = len(changed.players) > len(state.players) and state.cup.stage is CupStage.RUNNING
    if is_new and forgotten.is_forgotten(connection, requester.user.id, since=state.cup.created_at):
        return CupStep(wishes.HAS_BEGUN)  # or a new start would wipe out their losses
    if changed == state:
        return CupStep(said)
    take(connection, requester.once)
    if not requester.as_chat:
        people.see(connection, requester.player)
    attempt = requester.attempt()
    return _stored(connection, state, changed, attempt.now, attempt.limits)._replace(said=said)


def cancel(connection: Connection, *, cup_id: int, requester: Requester, may_end: bool) -> CupStep:
    """Call off a cup; one that has started only if somebody `may_end` it. Its games go on as ordinary ones."""
    if (state := cups.load(connection, cup_id)) is None or state.cup.stage is CupStage.OVER:
        return CupStep(CUP_IS_OVER)
    if state.cup.stage is not CupStage.OPEN and not may_end:
        return CupStep(NOT_YOURS_TO_END)
    take(connection, requester.once)
    freed = _freed(connection, list(state.running))
    return _withdrawn(connection, state)._replace(said=CANCELLED, changed=freed)


def _freed(connection: Connection, ids: Sequence[int]) -> Sequence[Stored]:
    """Let running games go on as ordinary ones."""
    records = games.load_sound(connection, ids).values()
    now = int(time.time())
    return [
        stored
        for record in records
        if not record.game.is_over
        for usual in [record.game._replace(time_limits=Limits.USUAL, round=None)]
        for stored in versions.become(connection, record, usual, now)
    ]


def _withdrawn(connection: Connection, state: CupState) -> CupStep:
    """End a cup that is held no more, as its message then says: one without rounds."""
    over = state.cup._replace(stage=CupStage.OVER, rounds=0, due_at=None)
    cups.save(connection, state._replace(cup=over, games=()))
    return CupStep(notices=_redrawn(connection, over))


def go_on(
    connection: Connection, *, cup_id: int, before: CupState, after: CupState, now: int, limits: TimeLimits
) -> CupStep:
    """Store what was decided of a cup, if it still is what it was `before`."""
    state = cups.load(connection, cup_id)
    if state != before:
        return CupStep()
    cup_ = before.cup
    if cup_.stage is CupStage.OPEN and cup_.starts_at is None and now >= cup_.created_at + DAY:
        return _withdrawn(connection, before)
    if rules.rings(before, now):
        return _called_again(connection, _looked_at(before, now))
    return _stored(connection, before, after, now, limits)


PLANNED_SECONDS: Final = 600
"""So long before a planned cup starts, people are called to join it."""
MISSED_SECONDS: Final = 3600
"""So long after its time it isn't held any more."""


def plan(
    connection: Connection, *, requester: Requester, at: int, is_weekly: bool, wished: Mapping[str, str]
) -> None:
    """Store what cup a group holds later, instead of what it had planned."""
    take(connection, requester.once)
    place, chat = requester.place, chats.load_or_add(connection, requester.chat_id)
    played = wished.get("rules") or chat.rules or DEFAULT_RULES, int(wished.get("clock", CUP_CLOCK))
    where = place.thread_id, requester.language_here
    cups.save_plan(connection, CupPlan(chat.id, at, is_weekly, *where, *played))


def call(connection: Connection, *, chat_id: int, now: int) -> CupStep:
    """Call people to a cup that was planned, unless one is played; an open one starts then."""
    chats.lock(connection, chat_id)
    planned, state = cups.plan(connection, chat_id), cups.newest(connection, chat_id)
    if planned is None or planned.at - PLANNED_SECONDS > now:
        return CupStep()
    if state is not None and state.cup.stage is CupStage.OPEN:
        state = cups.load(connection, state.cup.id)
    elif state is not None and state.cup.stage is CupStage.RUNNING:
        return CupStep()
    if planned.is_weekly:
        zone = chats.load(connection, chat_id).timezone
        next_at = weeks_later(planned.at, now + PLANNED_SECONDS, zone)
        cups.save_plan(connection, planned._replace(at=next_at))
    else:
        cups.drop_plan(connection, chat_id)
    if now > planned.at + MISSED_SECONDS:
        return CupStep()
    is_late = now > planned.at - PLANNED_SECONDS // 2
    starts_at = now + PLANNED_SECONDS if is_late else planned.at
    if state is None or state.cup.stage is CupStage.OVER:
        where = chat_id, planned.thread_id, planned.language
        fresh = Cup(0, *where, planned.rules, planned.clock, created_at=now)
        state = cups.add(connection, fresh)
    state = state._replace(cup=state.cup._replace(starts_at=starts_at, is_planned=True))
    return _called_again(connection, _looked_at(state, now))


def drop_plan(connection: Connection, *, requester: Requester) -> bool:
    """Call off the cup that a group had planned; False if it had none."""
    take(connection, requester.once)
    return cups.drop_plan(connection, requester.chat_id)


def note_left(connection: Connection, *, chat_id: int, person: int) -> None:
    """Note that somebody has left the group of a cup: they have left that, too."""
    _note(connection, chat_id, lambda state: wishes.leave(state, person=person, now=int(time.time()))[0])


def note_removed(connection: Connection, *, chat_id: int, person: int, by: int | None, is_banned: bool) -> None:
    """Note that somebody has removed a player from the group of a cup."""

    def gone(state: CupState) -> CupState:
        now = int(time.time())
        if state.cup.stage is CupStage.OPEN:
            return wishes.leave(state, person=person, now=now)[0]
        return rules.with_removed(state, person, now, by=by, is_banned=is_banned)

    _note(connection, chat_id, gone)


def note_back(connection: Connection, *, chat_id: int, person: int) -> None:
    """Note that somebody is in the group of a cup again."""
    _note(connection, chat_id, lambda state: rules.with_back(state, person))


def _note(connection: Connection, chat_id: int, changed: Callable[[CupState], CupState]) -> None:
    """Store what changes of a group's cup, if it isn't over; the next look shows it."""
    found = cups.newest(connection, chat_id)
    if found is None or found.cup.stage is CupStage.OVER:
        return
    state = cups.load(connection, found.cup.id)
    if state is not None and (after := changed(state)) != state:
        cups.save(connection, after._replace(cup=after.cup._replace(due_at=0)))


def _looked_at(state: CupState, now: int, *, waits: bool = False) -> CupState:
    return state._replace(cup=state.cup._replace(due_at=rules.next_look(state, now, waits=waits)))


def _stored(connection: Connection, before: CupState, state: CupState, now: int, limits: TimeLimits) -> CupStep:
    """Store a cup that has gone on, and begin its next games.

    Its message comes down as a round begins, and at its end; while one goes on, it is made again once in a while.
    """
    ready = rules.startable(state)
    playing = {number for game in ready for number in (game.x, game.o)}
    if playing:
        cups.lock_clocks(connection)
    busy = cups.busy(connection, sorted(each.person for each in state.players if each.number in playing))
    free = rules.startable(state, busy, now)
    begun = _begun(connection, state, free, now, limits)
    games_ = [
        game._replace(game_id=begun[game.number].game.id) if game.number in begun else game for game in state.games
    ]
    state = _looked_at(state._replace(games=tuple(games_)), now, waits=len(free) < len(ready))
    comes = (state.cup.stage, current_round(state)) != (before.cup.stage, current_round(before))
    if not comes and (waiting := _drawn_later(before, state, now)) is not None:
        cups.save(connection, waiting)
        notices: Sequence[Notice] = ()
    else:
        state = state._replace(cup=state.cup._replace(drawn_at=now))
        cups.save(connection, state)
        notices = _coming(connection, state.cup) if comes else _redrawn(connection, state.cup)
    running = state.running
    freed = _freed(connection, [game_id for game_id in before.running if game_id not in running])
    folded = _folded(connection, state, current_round(before), now) if comes else ()
    return CupStep(None, notices, list(begun.values()), [*freed, *folded])


def _drawn_later(before: CupState, state: CupState, now: int) -> CupState | None:
    """A cup whose message stays as it is for now, as nothing is new or it was made only just now; None if not.

    When to make it again, as something is new, is then when the cup is due.
    """
    was_due_at, soon = before.cup.due_at, before.cup.drawn_at + cups.DRAWN_SECONDS
    is_same = state._replace(cup=state.cup._replace(due_at=was_due_at)) == before
    if state.cup.stage is not CupStage.RUNNING or was_due_at == 0:
        return state if is_same and was_due_at else None
    if is_same and (now < soon or (was_due_at is not None and soon != was_due_at <= now)):
        return state
    due_at = soon if state.cup.due_at is None else min(soon, state.cup.due_at)
    return state._replace(cup=state.cup._replace(due_at=due_at)) if now < soon else None


def _begun(
    connection: Connection, state: CupState, free: Sequence[CupGame], now: int, limits: TimeLimits
) -> Mapping[int, Record]:
    """The games that begin, by number: in each player's own chat, or for somebody without one, in the group.

    Somebody has one who has ever played there, or has opened it by the link below the cup.
    """
    called = _names(connection, state)
    people_of = {player.number: player.person for player in state.players}
    playing = {people_of[number] for game in free for number in (game.x, game.o) if number is not None}
    at = {
        person: Place(person, viewer=person, language=people.language_for(connection, person))
        for person in chats.load_many(connection, playing)
    }
    played = [game.game_id for game in state.games if game.game_id is not None]
    at = {**at, **boards.own_places(connection, played)}
    here = Place(state.cup.chat_id, state.cup.thread_id, state.cup.reply_to, language=state.cup.language)
    begun = {}
    for pairing in free:
        game = timed(_game(state, pairing, called, now), now, limits)
        record = boards.add(connection, game, [])
        own = [at[seat] for seat in (game.x.seat, game.o.seat) if seat in at]
        shared = [boards.put(connection, record.game.id, here)] if len(own) < BOTH else []
        theirs = [boards.put(connection, record.game.id, place, called=True) for place in own]
        begun[pairing.number] = record._replace(boards=(*shared, *theirs))
    return begun


def _folded(connection: Connection, state: CupState, number: int, now: int) -> Sequence[Stored]:
    """Let the boards of rounds before the one that was under way leave the group: it has seen how they ended."""
    ended = [game.game_id for game in state.games if game.round < number and game.game_id is not None]
    there = games.load_sound(connection, boards.open_in(connection, ended, state.cup.chat_id))
    return [
        stored
        for record in there.values()
        if record.game.is_over
        for stored in boards.retire(connection, record, record.boards_in(state.cup.chat_id), now)
    ]


def _redrawn(connection: Connection, cup_: Cup) -> Sequence[Notice]:
    return _put(connection, cup_, _notice(cup_, NoticeKind.CUP))


def _coming(connection: Connection, cup_: Cup, person: int | None = None) -> Sequence[Notice]:
    """Let a cup's message come below: with a sound, unless a `person` has asked for it."""
    return _put(connection, cup_, _notice(cup_, NoticeKind.ROUND)._replace(person=person))


def _put(connection: Connection, cup_: Cup, notice: Notice) -> Sequence[Notice]:
    return outbox.put_cup(connection, notice, is_sent=cup_.message_id is not None)


def _notice(cup_: Cup, kind: NoticeKind) -> Notice:
    where = cup_.chat_id, cup_.thread_id, cup_.language
    return Notice(0, kind, None, None, *where, 0, reply_to=cup_.reply_to, cup=cup_.id)


def _game(state: CupState, pairing: CupGame, called: Mapping[int, str], now: int) -> Game:
    both = [player for number in (pairing.x, pairing.o) for player in state.players if player.number == number]
    x, o = (player.person for player in both)
    # Whoever has missed a first move has had most of the time for the next one.
    late = max(CUP_SECONDS, state.cup.clock) - NEXT_FIRST_SECONDS
    spent = " ".join(str(late if player.missed else 0) for player in both)
    return Game(
        id=0,
        chat_id=state.cup.chat_id,
        rules=state.cup.rules,
        kind=GameKind.PAIR,
        x=Side(x),
        o=Side(o),
        clock=state.cup.clock,
        round=pairing.round,
        time_limits=Limits.CUP,
        spent=spent if any(player.missed for player in both) else "",
        created_at=now,
        changed_at=now,
        moved_at=now,
        names={person: called[person] for person in (x, o) if person in called},
    )
