"""What is stored of a cup at each step of it, each in one transaction."""

import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.boards.cups import CANCELLED, Shown
from bot.context.requests import LONGEST_TAG, Requester
from bot.game.attempt import TimeLimits
from bot.game.attention import IN_SIGHT
from bot.game.cups import ALONE_FROM, FEWEST_IN, MOST_IN, current_round, gone_on, startable, started, with_ended
from bot.game.deadlines import clock_of, is_awaited_in_cup, runs_since, timed
from bot.game.new_game import DEFAULT_RULES
from bot.language import N_
from storage.columns import DAY
from storage.games import boards, games, outbox
from storage.games.game import Game, GameKind, Limits, Side
from storage.games.record import Notice, NoticeKind, Place, Record
from storage.games.versions import Stored
from storage.once import take
from storage.people import chats, cups, people
from storage.people.person import Cup, CupGame, CupPlayer, CupStage, CupState

CUP_CLOCK: Final = 120
"""The seconds for a move, unless the command names others."""
ALONE_SECONDS: Final = 600
"""After so many seconds a cup starts by itself."""
BOTH: Final = 2

NO_CUP: Final = N_("There's no cup here at the moment. Send /cup to hold one.")
HAS_BEGUN: Final = N_("This cup has started. You can join the next one.")
CUP_IS_OVER: Final = N_("This cup is over. Send /cup to hold another.")
JOINED: Final = N_("You're in!")
IS_IN: Final = N_("You're in already.")
NOT_IN: Final = N_("You aren't in this cup.")
HAS_LEFT: Final = N_("You've left the cup.")
HAS_LOST: Final = N_("You've left the cup. Your games that haven't started are lost.")
IS_FULL: Final = N_("This cup is full.")
TOO_FEW: Final = N_("A cup takes at least three people.")
NOT_YOUR_CUP: Final = N_("Only the person who joined first or an admin can start or cancel the cup.")
IS_ABOVE: Final = N_("The cup is just above.")
IS_ELSEWHERE: Final = N_("This group's cup is in another topic. Send /cup there.")
HAS_STARTED: Final = N_("The cup has started!")


class CupStep(NamedTuple):
    """What a transaction has stored about a cup, to be shown."""

    said: str | None = None
    """What the person is told, to be translated."""
    notices: Sequence[Notice] = ()
    begun: Sequence[Record] = ()
    folded: Sequence[Stored] = ()
    """Boards of games that are over, which leave the group."""


Wish = Callable[[CupState], "tuple[CupState, str]"]
"""What somebody wants of a cup: the cup as it becomes, and what they are told, to be translated."""


def shown(connection: Connection, *, state: CupState) -> Shown:
    """What the message of a cup shows."""
    champion = None if state.cup.stage is CupStage.OVER else cups.champion(connection, state.cup.chat_id)
    last = None if champion is None else people.find(connection, champion)
    own = state.champion.number if state.champion else None
    wanted = {
        game.game_id: game.number
        for game in state.games
        if game.game_id is not None and (game.result is None or own in (game.x, game.o))
    }
    games_now, until = {}, {}
    for game_id, record in games.load_sound(connection, wanted).items():
        game = record.game
        if game.is_over and game.seat(game.winner or game.turn) != (state.champion and state.champion.person):
            continue
        games_now[wanted[game_id]] = game
        if is_awaited_in_cup(game) and (since := runs_since(record)) is not None:
            until[wanted[game_id]] = since + (clock_of(game) or 0)
    theme = chats.load(connection, state.cup.chat_id).theme
    return Shown(state, _names(connection, state), games_now, until, theme, last and last.name)


def to_show(connection: Connection, *, notice: Notice) -> Shown | None:
    """The cup of a notice; None if there is nothing to show of it.

    Once it's over it never comes again, if somebody has deleted its message; nor does one come that never started.
    """
    state = cups.find(connection, notice.cup or 0)
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
    found: list[Stored] = []
    waiting = []
    for state in cups.of_person(connection, person):
        chats.load_or_add(connection, person)
        number = getattr(state.player(person), "number", None)
        running = [
            game.game_id
            for game in state.games
            if game.game_id is not None and game.result is None and number in (game.x, game.o)
        ]
        theirs = [each for each in games.load_sound(connection, running).values() if not each.game.is_over]
        found += [_brought(connection, record, person, place) for record in theirs]
        if not theirs:
            waiting.append(shown(connection, state=state))
    return Brought(found, waiting)


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
    language = requester.language_here[:LONGEST_TAG]
    chat = chats.load_or_add(connection, place.chat_id or 0)
    chats.lock(connection, chat.id)
    if not requester.as_chat:
        people.see(connection, requester.player)
    state = cups.newest(connection, chat.id)
    if state is not None and state.cup.stage is not CupStage.OVER:
        return _come_down(connection, cups.load(connection, state.cup.id) or state, requester)
    cup_ = Cup(
        id=0,
        chat_id=chat.id,
        thread_id=place.thread_id,
        reply_to=place.reply_to,
        language=language,
        rules=wished.get("rules") or chat.rules or DEFAULT_RULES,
        clock=int(wished.get("clock", CUP_CLOCK)),
        created_at=now,
    )
    state = _timed(cups.add(connection, cup_), now)
    if not requester.as_chat:  # an anonymous administrator holds it for others
        state, _said = join(state, person=requester.user.id, now=now)
    cups.save(connection, state)
    return CupStep(notices=_coming(connection, state.cup))


def _come_down(connection: Connection, state: CupState, requester: Requester) -> CupStep:
    """Bring a cup's message down to whoever asks for it in its topic, without a sound, if it is out of sight."""
    place, cup_ = requester.place, state.cup
    if (place.thread_id, place.reply_to) != (cup_.thread_id, cup_.reply_to):
        return CupStep(IS_ELSEWHERE)
    if cup_.message_id is not None and (requester.below or 0) - cup_.message_id <= IN_SIGHT:
        # Somebody may have deleted it, which only an edit tells.
        return CupStep(IS_ABOVE, _redrawn(connection, cup_))
    return CupStep(notices=_coming(connection, cup_, None if requester.as_chat else requester.user.id))


def announce_again(connection: Connection, *, cup_id: int, until: int) -> CupStep:
    """Give a cup that was announced before `until`, and hasn't started, its time again, at the bottom."""
    state, now = cups.load(connection, cup_id), int(time.time())
    if state is None or state.cup.stage is not CupStage.OPEN or state.cup.created_at >= until:
        return CupStep()
    again = _timed(state._replace(cup=state.cup._replace(created_at=now)), now)
    cups.save(connection, again)
    return CupStep(notices=_coming(connection, again.cup))


def change(connection: Connection, *, cup_id: int, requester: Requester, wish: Wish) -> CupStep:
    """Do what somebody wants of a cup, if it isn't over."""
    if (state := cups.load(connection, cup_id)) is None or state.cup.stage is CupStage.OVER:
        return CupStep(CUP_IS_OVER)
    changed, said = wish(state)
    if changed == state:
        return CupStep(said)
    take(connection, requester.once)
    if not requester.as_chat:
        people.see(connection, requester.player)
    attempt = requester.attempt()
    return _stored(connection, state, changed, attempt.now, attempt.limits)._replace(said=said)


def cancel(connection: Connection, *, cup_id: int) -> CupStep:
    """Call off a cup that hasn't started."""
    if (state := cups.load(connection, cup_id)) is None or state.cup.stage is CupStage.OVER:
        return CupStep(CUP_IS_OVER)
    if state.cup.stage is not CupStage.OPEN:
        return CupStep(HAS_BEGUN)
    return _withdrawn(connection, state)._replace(said=CANCELLED)


def _withdrawn(connection: Connection, state: CupState) -> CupStep:
    """End a cup that never started, as its message then says."""
    over = state.cup._replace(stage=CupStage.OVER, due_at=None)
    cups.save(connection, state._replace(cup=over))
    return CupStep(notices=_redrawn(connection, over))


def go_on(connection: Connection, *, cup_id: int, now: int, rng: Random, limits: TimeLimits) -> CupStep:
    """Let a cup go on that is due, or of which a game has ended, and draw it again if one has gone on."""
    if (state := cups.load(connection, cup_id)) is None:
        return CupStep()
    changed, begun_at = state, state.cup.created_at
    if state.cup.due_at is not None and state.cup.due_at <= now:
        if state.cup.stage is not CupStage.OPEN:
            changed = state._replace(cup=state.cup._replace(due_at=None))
        elif len(state.players) >= ALONE_FROM and now >= begun_at + ALONE_SECONDS:
            changed = started(state, rng)
        elif now < begun_at + DAY:
            changed = _timed(state, now)
        else:
            return _withdrawn(connection, state)
    changed = gone_on(with_ended(changed, cups.ended(connection, state)), rng)
    is_drawn = changed == state and state.cup.drawn_at > now - cups.DRAWN_SECONDS  # another process was faster
    return CupStep() if is_drawn else _stored(connection, state, changed, now, limits)


def _stored(connection: Connection, before: CupState, state: CupState, now: int, limits: TimeLimits) -> CupStep:
    """Store a cup that has gone on, and begin its next games.

    Its message comes down as a round begins, and at its end; while one goes on, it is made again once in a while.
    """
    begun = _begun(connection, state, now, limits)
    games_now = [
        game._replace(game_id=begun[game.number].game.id) if game.number in begun else game for game in state.games
    ]
    state, round_before = state._replace(games=tuple(games_now)), current_round(before)
    comes = (state.cup.stage, current_round(state)) != (before.cup.stage, round_before)
    soon = before.cup.drawn_at + cups.DRAWN_SECONDS
    waits = state.cup.stage is CupStage.RUNNING and not comes and now < soon
    cup_ = state.cup._replace(due_at=soon) if waits else state.cup._replace(drawn_at=now)
    state = state._replace(cup=cup_)
    cups.save(connection, state)
    notices = () if waits else _coming(connection, state.cup) if comes else _redrawn(connection, state.cup)
    folded = _folded(connection, state, round_before, now) if comes else ()
    return CupStep(None, notices, list(begun.values()), folded)


def _begun(connection: Connection, state: CupState, now: int, limits: TimeLimits) -> Mapping[int, Record]:
    """Store the next games, by number: in each player's own chat, or for somebody without one, in the group.

    Somebody has one who has ever played there, or has opened it by the link below the cup.
    """
    starting = startable(state)
    called = _names(connection, state) if starting else {}
    people_of = {player.number: player.person for player in state.players}
    playing = {people_of[number] for game in starting for number in (game.x, game.o) if number is not None}
    at = {
        person: Place(person, viewer=person, language=people.language_for(connection, person))
        for person in chats.load_many(connection, playing)
    }
    played = [game.game_id for game in state.games if game.game_id is not None]
    at = {**at, **boards.own_places(connection, played)}
    here = Place(state.cup.chat_id, state.cup.thread_id, state.cup.reply_to, language=state.cup.language)
    begun = {}
    for pairing in starting:
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
    return _put(connection, cup_, NoticeKind.CUP)


def _coming(connection: Connection, cup_: Cup, person: int | None = None) -> Sequence[Notice]:
    """Let a cup's message come below: with a sound, unless a `person` has asked for it."""
    return _put(connection, cup_, NoticeKind.ROUND, person)


def _put(connection: Connection, cup_: Cup, kind: NoticeKind, person: int | None = None) -> Sequence[Notice]:
    where = cup_.chat_id, cup_.thread_id, cup_.language
    notice = Notice(0, kind, None, None, *where, 0, person, reply_to=cup_.reply_to, cup=cup_.id)
    return outbox.put_cup(connection, notice, is_sent=cup_.message_id is not None)


def _game(state: CupState, pairing: CupGame, called: Mapping[int, str], now: int) -> Game:
    people_of = {player.number: player.person for player in state.players}
    x, o = people_of[pairing.x], people_of[pairing.o or 0]
    return Game(
        id=0,
        chat_id=state.cup.chat_id,
        rules=state.cup.rules if pairing.round <= state.cup.rounds else DEFAULT_RULES,
        kind=GameKind.PAIR,
        x=Side(x),
        o=Side(o),
        clock=state.cup.clock,
        round=pairing.round if pairing.round <= state.cup.rounds else 0,
        time_limits=Limits.CUP,
        created_at=now,
        changed_at=now,
        moved_at=now,
        names={person: called[person] for person in (x, o) if person in called},
    )


def join(state: CupState, *, person: int, now: int) -> tuple[CupState, str]:
    """The cup with somebody in it, if they may join, and what they are told."""
    if (player := state.player(person)) is not None:
        return state, HAS_LOST if player.is_out else IS_IN
    if state.cup.stage is not CupStage.OPEN:
        return state, HAS_BEGUN
    if len(state.players) >= MOST_IN:
        return state, IS_FULL
    number = max((player.number for player in state.players), default=-1) + 1
    players = (*state.players, CupPlayer(state.cup.id, number, person))
    return _timed(state._replace(players=players), now), JOINED


def leave(state: CupState, *, person: int, now: int, rng: Random) -> tuple[CupState, str]:
    """The cup that somebody has left, and what they are told."""
    player = state.player(person)
    if player is None or player.is_out:
        return state, NOT_IN
    others = tuple(each for each in state.players if each is not player)
    if state.cup.stage is CupStage.OPEN:
        return _timed(state._replace(players=others), now), HAS_LEFT
    players = tuple(each._replace(is_out=True) if each is player else each for each in state.players)
    return gone_on(state._replace(players=players), rng), HAS_LOST


def _timed(state: CupState, now: int) -> CupState:
    """A cup that hasn't started, with the time when it does by itself, or is dropped as too few have joined."""
    begins = max(now, state.cup.created_at + ALONE_SECONDS)
    due_at = begins if len(state.players) >= ALONE_FROM else max(now, state.cup.created_at + DAY)
    return state._replace(cup=state.cup._replace(due_at=due_at))


def start(state: CupState, *, rng: Random) -> tuple[CupState, str]:
    """The cup as it starts, if it may, and what whoever starts it is told."""
    if state.cup.stage is not CupStage.OPEN:
        return state, HAS_BEGUN
    if len(state.players) < FEWEST_IN:
        return state, TOO_FEW
    return started(state, rng), HAS_STARTED
