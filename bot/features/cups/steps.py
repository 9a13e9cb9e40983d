"""What is stored of a cup at each step of it, each in one transaction."""

import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.boards.planned import WEEK_SECONDS
from bot.boards.view import View
from bot.context.requests import LONGEST_TAG, Requester
from bot.delivery.entries import OutgoingMessage
from bot.game import cups as rules
from bot.game.attempt import TimeLimits
from bot.game.attention import IN_SIGHT
from bot.game.cups import FEWEST_IN, MOST_IN
from bot.game.deadlines import CUP_SECONDS, timed
from bot.game.new_game import DEFAULT_RULES
from bot.language import N_, _, speaking
from storage.columns import DAY
from storage.games import boards, games, outbox, versions
from storage.games.game import Game, GameKind, Limits, Side
from storage.games.record import Notice, NoticeKind, Place, Record
from storage.games.versions import Stored
from storage.once import take
from storage.people import chats, cups, people
from storage.people.person import Cup, CupGame, CupPlan, CupPlayer, CupStage, CupState

CUP_CLOCK: Final = 120
"""The seconds for a move, unless the command names others."""
NEXT_FIRST_SECONDS: Final = 60
"""For the next first move of somebody who has missed one."""

NO_CUP: Final = N_("There's no cup here at the moment. Send /cup to hold one.")
HAS_BEGUN: Final = N_("This cup has started. You can join the next one.")
JOINED_LATE: Final = N_("You're in! You've missed the first round, and play from the second one on.")
ASK_LEAVE: Final = N_("Leave the cup? The game you're playing is lost then, and so are those to come.")
IS_OTHER: Final = N_("There's a cup here already. Join it, or call it off before you hold another.")
IS_ELSEWHERE: Final = N_("This group's cup is in another topic.")
CUP_IS_OVER: Final = N_("This cup is over. Send /cup to hold another.")
JOINED: Final = N_("You're in!")
IS_IN: Final = N_("You're in already.")
NOT_IN: Final = N_("You aren't in this cup.")
HAS_LEFT: Final = N_("You've left the cup.")
HAS_LOST: Final = N_("You've left the cup. Your games in it are lost.")
IS_FULL: Final = N_("This cup is full.")
TOO_FEW: Final = N_("A cup takes at least three people.")
NOT_PLANNED: Final = N_("The cup that was planned is off.")
NOT_YOURS_TO_END: Final = N_("Only an admin can call off a cup that has started.")
NOT_YOUR_CUP: Final = N_("Only the person who joined first or an admin can start or cancel the cup.")
HAS_MOVED: Final = N_("⬇️ This cup has moved down to the newest message.")
DROPPED: Final = N_("Too few people joined, so there's no cup this time. Send /cup to hold another.")
CANCELLED: Final = N_("This cup was called off. Send /cup to hold another.")
IS_ABOVE: Final = N_("The cup is just above.")
HAS_STARTED: Final = N_("The cup has started!")


class CupStep(NamedTuple):
    """What a transaction has stored about a cup, to be shown."""

    said: str | None = None
    """What the person is told, to be translated."""
    notices: Sequence[Notice] = ()
    begun: Sequence[Record] = ()
    freed: Sequence[Stored] = ()
    """Boards of games that are the cup's no more."""
    left: OutgoingMessage | None = None
    """What the cup's message becomes that it has left: for a newer one, or as too few have joined."""


Wish = Callable[[CupState], "tuple[CupState, str]"]
"""What somebody wants of a cup: the cup as it becomes, and what they are told, to be translated."""


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


def named(connection: Connection, *, chat_id: int) -> tuple[CupState | None, Mapping[int, str], Sequence[str]]:
    """A group's newest cup, the names of those in it, and of the champions of the last one."""
    state, champions = cups.newest(connection, chat_id), cups.champions(connection, chat_id)
    known = people.known(connection, champions)
    last = [known[person].name for person in champions if person in known]
    return state, {} if state is None else _names(connection, state), last


def _names(connection: Connection, state: CupState) -> Mapping[int, str]:
    known = people.known(connection, [player.person for player in state.players])
    return {person: row.name for person, row in known.items()}


def bring(connection: Connection, *, requester: Requester) -> Sequence[Stored]:
    """Put the person's games in cups on boards in their private chat; returns what to show."""
    person, place = requester.user.id, requester.own_place
    shown = []
    for record in games.load_sound(connection, cups.playing(connection, person)).values():
        if record.game.is_over:
            continue
        if here := record.boards_in(person):
            shown.append(boards.move_down(connection, record, here[-1], place))
        else:
            shown.append(Stored(record, boards.put(connection, record.game.id, place), None))
    return shown


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
    left = None
    if state is not None and state.cup.stage is not CupStage.OVER:
        state = cups.load(connection, state.cup.id) or state
        if state.players:
            return _there_already(connection, state, requester, wished)
        left = _withdrawn(connection, state.cup, HAS_MOVED).left
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
    state = cups.add(connection, cup_)
    if not requester.as_chat:  # an anonymous administrator holds it for others
        state, _said = join(state, person=requester.user.id, now=now, rng=requester.services.rng, number=0)
    state = _looked_at(state, now)
    cups.save(connection, state)
    return CupStep(notices=_redrawn(connection, state.cup, is_sent=False), left=left)


def _there_already(
    connection: Connection, state: CupState, requester: Requester, wished: Mapping[str, str]
) -> CupStep:
    """Bring down the message of a cup that isn't over, in its topic."""
    cup_ = state.cup
    if cup_.thread_id != requester.place.thread_id:
        return CupStep(IS_ELSEWHERE)
    asks_more = not wished.items() <= {"rules": cup_.rules, "clock": str(cup_.clock)}.items()
    said = IS_OTHER if asks_more else None
    if cup_.message_id is not None and _is_in_sight(cup_, requester):
        # Somebody may have deleted it, which only an edit tells.
        return CupStep(said or IS_ABOVE, _redrawn(connection, cup_, is_sent=True))
    return _brought_down(connection, cup_, state)._replace(said=said)


def announce_again(connection: Connection, *, cup_id: int, until: int) -> CupStep:
    """Give a cup that was announced before `until`, and hasn't started, its time again, at the bottom."""
    state, now = cups.load(connection, cup_id), int(time.time())
    if state is None or state.cup.stage is not CupStage.OPEN or state.cup.created_at >= until:
        return CupStep()
    starts_at = None if state.cup.starts_at is None else now + rules.ALONE_SECONDS
    again = state._replace(cup=state.cup._replace(created_at=now, starts_at=starts_at))
    return _brought_down(connection, state.cup, _looked_at(again, now))


def _brought_down(connection: Connection, before: Cup, state: CupState) -> CupStep:
    """Store a cup whose message moves down to the bottom."""
    here = state.cup._replace(message_id=None)
    cups.save(connection, state._replace(cup=here))
    notices = _redrawn(connection, here, is_sent=before.message_id is not None)
    return CupStep(notices=notices, left=_leaving(before, HAS_MOVED))


def _leaving(cup_: Cup, said: str) -> OutgoingMessage | None:
    """What becomes of a cup's message that it has left, if it has one."""
    if cup_.message_id is None:
        return None
    with speaking(cup_.language):
        return OutgoingMessage(cup_.chat_id, View(_(said)), message_id=cup_.message_id)


def _is_in_sight(cup_: Cup, requester: Requester) -> bool:
    """Whether a cup's message is so near above a command, or below it, that the command needn't bring it down."""
    below, message_id = requester.below or 0, cup_.message_id or 0
    return cup_.thread_id == requester.place.thread_id and below - message_id <= IN_SIGHT


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


def cancel(connection: Connection, *, cup_id: int, may_end: bool) -> CupStep:
    """Call off a cup; one that has started only if somebody `may_end` it. Its games go on as ordinary ones."""
    if (state := cups.load(connection, cup_id)) is None or state.cup.stage is CupStage.OVER:
        return CupStep(CUP_IS_OVER)
    if state.cup.stage is not CupStage.OPEN and not may_end:
        return CupStep(NOT_YOURS_TO_END)
    running = [game.game_id for game in state.games if game.result is None and game.game_id is not None]
    freed = _freed(connection, running)
    return _withdrawn(connection, state.cup, CANCELLED)._replace(freed=freed)


def _freed(connection: Connection, ids: Sequence[int]) -> Sequence[Stored]:
    """Let running games go on as ordinary ones."""
    records = games.load_sound(connection, ids).values()
    now = int(time.time())
    return [
        stored
        for record in records
        if not record.game.is_over
        for stored in versions.become(connection, record, record.game._replace(time_limits=Limits.USUAL), now)
    ]


def _withdrawn(connection: Connection, cup_: Cup, said: str) -> CupStep:
    """Delete a cup that is held no more, and say so in its message."""
    outbox.drop_cup(connection, cup_.chat_id)
    cups.withdraw(connection, cup_)
    return CupStep(said, left=_leaving(cup_, said))


def go_on(
    connection: Connection, *, cup_id: int, before: CupState, after: CupState, now: int, limits: TimeLimits
) -> CupStep:
    """Store what was decided of a cup, if it still is what it was `before`."""
    state = cups.load(connection, cup_id)
    if state != before:
        return CupStep()
    cup_ = before.cup
    if cup_.stage is CupStage.OPEN and cup_.starts_at is None and now >= cup_.created_at + DAY:
        return _withdrawn(connection, cup_, DROPPED)
    if rules.rings(before, now):
        return _brought_down(connection, cup_, _looked_at(before, now))
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
    language = requester.language_here[:LONGEST_TAG]
    played = wished.get("rules") or chat.rules or DEFAULT_RULES, int(wished.get("clock", CUP_CLOCK))
    cups.save_plan(connection, CupPlan(chat.id, at, is_weekly, place.thread_id, language, *played))


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
    weeks = (now - planned.at + PLANNED_SECONDS) // WEEK_SECONDS + 1
    if planned.is_weekly:
        cups.save_plan(connection, planned._replace(at=planned.at + weeks * WEEK_SECONDS))
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
    return _brought_down(connection, state.cup, _looked_at(state, now))


def note_removed(connection: Connection, *, chat_id: int, person: int, by: int | None, is_banned: bool) -> None:
    """Note that somebody has removed a player from the group of a running cup."""
    state, now = _running(connection, chat_id), int(time.time())
    if state is not None and state.player(person) is not None:
        gone = rules.with_removed(state, person, now, by=by, is_banned=is_banned)
        cups.save(connection, gone._replace(cup=gone.cup._replace(due_at=0)))


def note_back(connection: Connection, *, chat_id: int, person: int) -> None:
    """Note that somebody is in the group of a running cup again."""
    state = _running(connection, chat_id)
    if state is not None and (back := rules.with_back(state, person)) != state:
        cups.save(connection, back._replace(cup=back.cup._replace(due_at=0)))


def _running(connection: Connection, chat_id: int) -> CupState | None:
    state = cups.newest(connection, chat_id)
    if state is None or state.cup.stage is not CupStage.RUNNING:
        return None
    return cups.load(connection, state.cup.id)


def _looked_at(state: CupState, now: int, *, waits: bool = False) -> CupState:
    return state._replace(cup=state.cup._replace(due_at=rules.next_look(state, now, waits=waits)))


def _stored(connection: Connection, before: CupState, state: CupState, now: int, limits: TimeLimits) -> CupStep:
    """Store a cup that has gone on, and begin its next games."""
    ready = rules.startable(state)
    playing = {number for game in ready for number in (game.x, game.o)}
    busy = cups.busy(connection, sorted(each.person for each in state.players if each.number in playing))
    free = rules.startable(state, busy, now)
    begun = _begun(connection, state, free, now, limits)
    games_ = [
        game._replace(game_id=begun[game.number].game.id) if game.number in begun else game for game in state.games
    ]
    state = _looked_at(state._replace(games=tuple(games_)), now, waits=len(free) < len(ready))
    if before.cup.due_at and state._replace(cup=state.cup._replace(due_at=before.cup.due_at)) == before:
        cups.save(connection, state)
        return CupStep()
    unnoted = {game.game_id for game in before.games if game.game_id is not None and game.result is None}
    given_up = [each.game_id for each in state.games if each.result is not None and each.game_id in unnoted]
    freed = _freed(connection, [game_id for game_id in given_up if game_id is not None])
    cups.save(connection, state)
    notices = [*_redrawn(connection, state.cup, is_sent=state.cup.message_id is not None)]
    if state.cup.stage is CupStage.OVER is not before.cup.stage:
        notices.append(outbox.add(connection, _notice(state.cup, NoticeKind.CHAMPION)))
    return CupStep(None, notices, list(begun.values()), freed)


def _begun(
    connection: Connection, state: CupState, free: Sequence[CupGame], now: int, limits: TimeLimits
) -> Mapping[int, Record]:
    """The games of a cup that begin, by their number in it."""
    called = _names(connection, state)
    # Whoever has brought a game to their private chat goes on there.
    at = boards.own_places(connection, [game.game_id for game in state.games if game.game_id is not None])
    begun = {}
    for pairing in free:
        place = Place(state.cup.chat_id, state.cup.thread_id, state.cup.reply_to, language=state.cup.language)
        game = timed(_game(state, pairing, called, now), now, limits)
        record = boards.add(connection, game, [])
        # It calls its players.
        board = boards.put(connection, record.game.id, place, called=True)
        theirs = [where for person, where in at.items() if game.mark_of(person) is not None]
        own = [boards.put(connection, record.game.id, where) for where in theirs]
        begun[pairing.number] = record._replace(boards=(board, *own))
    return begun


def _redrawn(connection: Connection, cup_: Cup, *, is_sent: bool) -> Sequence[Notice]:
    return outbox.put_cup(connection, _notice(cup_, NoticeKind.CUP), is_sent=is_sent)


def _notice(cup_: Cup, kind: NoticeKind) -> Notice:
    return Notice(0, kind, None, None, cup_.chat_id, cup_.thread_id, cup_.language, 0, reply_to=cup_.reply_to)


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
        time_limits=Limits.CUP,
        spent=spent if any(player.missed for player in both) else "",
        created_at=now,
        changed_at=now,
        moved_at=now,
        names={person: called[person] for person in (x, o) if person in called},
    )


def join(state: CupState, *, person: int, now: int, rng: Random, number: int = 1) -> tuple[CupState, str]:
    """The cup with somebody in it, if they may join, and what they are told; whoever holds it has the number 0."""
    if (player := state.player(person)) is not None:
        back = rules.with_back(state, person)
        return back, HAS_LOST if player.is_out else IS_IN
    if state.cup.stage is CupStage.OVER:
        return state, HAS_BEGUN
    if len(state.players) >= MOST_IN:
        return state, IS_FULL
    number = max([number, *(player.number + 1 for player in state.players)])
    newcomer = CupPlayer(state.cup.id, number, person)
    if state.cup.stage is CupStage.OPEN:
        return rules.timed(state._replace(players=(*state.players, newcomer)), now, has_joined=True), JOINED
    late = rules.joined_late(state, newcomer, rng)
    if late is None:
        return state, HAS_BEGUN
    return late, JOINED_LATE if any(game.x == number and game.o is None for game in late.games) else JOINED


def leave(state: CupState, *, person: int, now: int) -> tuple[CupState, str]:
    """The cup that somebody has left, and what they are told; their running game is ended by the next look."""
    player = state.player(person)
    if player is None or player.is_out:
        return state, NOT_IN
    if state.cup.stage is CupStage.OPEN:
        others = [each for each in state.players if each is not player]
        if others and player.number == 0:
            others[0] = others[0]._replace(number=0)
        return rules.timed(state._replace(players=tuple(others)), now), HAS_LEFT
    players = tuple(each._replace(is_out=True) if each is player else each for each in state.players)
    return state._replace(players=players), HAS_LOST


def start(state: CupState, *, now: int) -> tuple[CupState, str]:
    """The cup that is about to start, if it may, and what whoever starts it is told."""
    if state.cup.stage is not CupStage.OPEN:
        return state, HAS_BEGUN
    if len(state.players) < FEWEST_IN:
        return state, TOO_FEW
    return state._replace(cup=state.cup._replace(starts_at=now)), HAS_STARTED
