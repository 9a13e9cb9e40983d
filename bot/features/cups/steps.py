"""What is stored of a cup at each step of it, each in one transaction."""

import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.boards.view import View
from bot.context.requests import LONGEST_TAG, Requester
from bot.delivery.entries import OutgoingMessage
from bot.game.attempt import TimeLimits
from bot.game.attention import IN_SIGHT
from bot.game.cups import ALONE_FROM, FEWEST_IN, MOST_IN, gone_on, startable, started, with_ended
from bot.game.deadlines import timed
from bot.game.new_game import DEFAULT_RULES
from bot.language import N_, _, speaking
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
    left: OutgoingMessage | None = None
    """What the cup's message becomes that it has left: for a newer one, or as too few have joined."""


Wish = Callable[[CupState], "tuple[CupState, str]"]
"""What somebody wants of a cup: the cup as it becomes, and what they are told, to be translated."""


def named(connection: Connection, *, chat_id: int) -> tuple[CupState | None, Mapping[int, str], str | None]:
    """A group's newest cup, the names of those in it, and of the champion of the last one."""
    state, champion = cups.newest(connection, chat_id), cups.champion(connection, chat_id)
    last = None if champion is None else people.find(connection, champion)
    return state, {} if state is None else _names(connection, state), last and last.name


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
    if state is not None and state.cup.stage is not CupStage.OVER:
        state = cups.load(connection, state.cup.id) or state
        above = state.cup.message_id
        if above is not None and _is_in_sight(state.cup, requester):
            # Somebody may have deleted it, which only an edit tells.
            return CupStep(IS_ABOVE, _redrawn(connection, state.cup, is_sent=True))
        here = state.cup._replace(thread_id=place.thread_id, reply_to=place.reply_to)
        return _brought_down(connection, state.cup, state._replace(cup=here))
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
    return CupStep(notices=_redrawn(connection, state.cup, is_sent=False))


def announce_again(connection: Connection, *, cup_id: int, until: int) -> CupStep:
    """Give a cup that was announced before `until`, and hasn't started, its time again, at the bottom."""
    state, now = cups.load(connection, cup_id), int(time.time())
    if state is None or state.cup.stage is not CupStage.OPEN or state.cup.created_at >= until:
        return CupStep()
    again = state._replace(cup=state.cup._replace(created_at=now))
    return _brought_down(connection, state.cup, _timed(again, now))


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


def cancel(connection: Connection, *, cup_id: int) -> CupStep:
    """Call off a cup that hasn't started."""
    if (state := cups.load(connection, cup_id)) is None or state.cup.stage is CupStage.OVER:
        return CupStep(CUP_IS_OVER)
    if state.cup.stage is not CupStage.OPEN:
        return CupStep(HAS_BEGUN)
    return _withdrawn(connection, state.cup, CANCELLED)


def _withdrawn(connection: Connection, cup_: Cup, said: str) -> CupStep:
    """Delete a cup that never started, and say so in its message."""
    outbox.drop_cup(connection, cup_.chat_id)
    cups.withdraw(connection, cup_)
    return CupStep(said, left=_leaving(cup_, said))


def go_on(connection: Connection, *, cup_id: int, now: int, rng: Random, limits: TimeLimits) -> CupStep:
    """Let a cup go on that is due, or of which a game has ended."""
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
            return _withdrawn(connection, state.cup, DROPPED)
    changed = gone_on(with_ended(changed, cups.ended(connection, state)), rng)
    return CupStep() if changed == state else _stored(connection, state, changed, now, limits)


def _stored(connection: Connection, before: CupState, state: CupState, now: int, limits: TimeLimits) -> CupStep:
    """Store a cup that has gone on, and begin its next games."""
    called = _names(connection, state)
    # Whoever has brought a game to their private chat goes on there.
    at = boards.own_places(connection, [game.game_id for game in state.games if game.game_id is not None])
    begun = {}
    for pairing in startable(state):
        place = Place(state.cup.chat_id, state.cup.thread_id, state.cup.reply_to, language=state.cup.language)
        game = timed(_game(state, pairing, called, now), now, limits)
        record = boards.add(connection, game, [])
        # It calls its players.
        board = boards.put(connection, record.game.id, place, called=True)
        theirs = [where for person, where in at.items() if game.mark_of(person) is not None]
        own = [boards.put(connection, record.game.id, where) for where in theirs]
        begun[pairing.number] = record._replace(boards=(board, *own))
    games = [
        game._replace(game_id=begun[game.number].game.id) if game.number in begun else game for game in state.games
    ]
    state = state._replace(games=tuple(games))
    cups.save(connection, state)
    notices = [*_redrawn(connection, state.cup, is_sent=state.cup.message_id is not None)]
    if state.cup.stage is CupStage.OVER is not before.cup.stage:
        notices.append(outbox.add(connection, _notice(state.cup, NoticeKind.CHAMPION)))
    return CupStep(None, notices, list(begun.values()))


def _redrawn(connection: Connection, cup_: Cup, *, is_sent: bool) -> Sequence[Notice]:
    return outbox.put_cup(connection, _notice(cup_, NoticeKind.CUP), is_sent=is_sent)


def _notice(cup_: Cup, kind: NoticeKind) -> Notice:
    return Notice(0, kind, None, None, cup_.chat_id, cup_.thread_id, cup_.language, 0, reply_to=cup_.reply_to)


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
