"""Acts on a game for somebody: finds it behind a message, asks what Telegram knows, stores the change.

A board may have come in two messages, if a call timed out or the process was killed. Once either is tapped, the
newer one stays.
"""

import logging
import time
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.boards.buttons import OnGame
from bot.context.requests import Requester
from bot.context.services import QuestionKey
from bot.delivery.pace import Priority
from bot.game import attention
from bot.game.actions import Action, Needs
from bot.game.attempt import (
    NO_FACTS,
    OLD_BOARD_REFUSALS,
    Access,
    Attempt,
    Facts,
    NotAllowed,
    Refusal,
    State,
    Where,
    state_of,
)
from bot.game.choices import ADAPTIVE
from bot.game.deadlines import may_nudge
from bot.game.gate import decide, is_shown
from bot.game.matchmaking import has_not_begun
from bot.game.new_game import DEFAULT_LEVEL, Decline, LetComputerPlay, challenger_of, is_for
from bot.game.pages import NUDGE, Bring, OurGames, Share
from bot.game.play import SetLevel, SetRules
from bot.game.questions import PlayOn, Resign
from bot.language import N_
from engine import Level
from storage.errors import CorruptGame
from storage.games import boards, games, lookups
from storage.games.game import Offer
from storage.games.record import Board, Changed, Page, Record
from storage.games.versions import Stored
from storage.people import blocks, chats, people
from storage.people.matchmaking import typical_wait
from storage.results import results


async def adopted(requester: Requester, changed: Changed) -> Changed:
    """Make the message that a player tapped the game's board, if it isn't one already.

    It isn't if the process was killed, or the call timed out, after Telegram had sent the message and before it
    was stored. Returns the change with the boards as they are now.
    """
    where, record = requester.where, changed.record
    if where.message_id is None or any(board.message_id == where.message_id for board in record.boards):
        return changed
    board, shown = _standing(record, where.chat_id), requester.shown
    if board is None or where.shows != record.game.id:
        return changed
    if isinstance(shown, OnGame) and isinstance(shown.action, Bring | Share | OurGames):
        return changed  # it is a list of games, an animation or a score rather than a board
    if where.message_id <= (board.message_id or 0):
        await send_away(requester, record, where.message_id)
        return changed
    if not await requester.services.store.run(boards.adopt, board=board, message_id=where.message_id):
        return changed
    if board.message_id is not None:
        await send_away(requester, record, board.message_id)
    if board is changed.before.get(board.id):
        requester.services.boards.show_again(board.id)
        return changed
    theirs = board._replace(message_id=where.message_id, replaces=None)
    others = tuple(theirs if other.id == board.id else other for other in record.boards)
    return changed._replace(record=record._replace(boards=others))


async def heal(requester: Requester, record: Record) -> Record:
    """Let a message that is tapped for what leaves its game alone be the board, or go, as `adopted` does."""
    return (await adopted(requester, Changed(record, {board.id: board for board in record.boards}))).record


async def send_away(requester: Requester, record: Record, message_id: int | None = None) -> None:
    """Remove a message that shows a game but isn't one of its boards, because its twin is in use.

    It is in the chat of the tap or, without an id, the tapped message of inline mode.
    """
    where = requester.where
    twin = await requester.services.store.run(
        boards.retire_twin,
        game_id=record.game.id,
        chat_id=where.chat_id,
        message_id=message_id,
        inline_message_id=where.inline_message_id,
    )
    if twin is not None:
        requester.services.boards.show_stored(Stored(record, twin, None))


def _standing(record: Record, chat_id: int | None) -> Board | None:
    """The board of a chat that an unknown message may belong to: one without a message, else the newest."""
    here = record.boards_in(chat_id)
    return next((board for board in here if board.message_id is None), here[-1] if here else None)


ASKED_MOST: Final = 3
SAME_QUESTION_SECONDS: Final = 30.0
"""How often somebody may ask their opponent the same question at the same ply, in this time."""
log = logging.getLogger(__name__)

REDRAWN: Final = N_("That button is out of date. Here's the board as it is now.")
MEANINGLESS: Final = Refusal.MEANINGLESS.value
BROKEN_GAME: Final = N_("Sorry, I can't open this game any more. Send /newgame to start a new game.")
UNKNOWN_GAME: Final = N_("I no longer have this game. Send /newgame to start a new game.")
NO_NEW: Final = N_(
    "Telegram isn't taking new messages here at the moment, probably because of slow mode. "
    "Games carry on as usual."
)
JUST_DONE: Final = N_("I just did that. To do it again, tap in a minute.")
SLOW: Final = N_("Telegram is limiting updates here. The board will catch up.")


class Done(NamedTuple):
    """What was done: the game now, whether its board takes a while to follow, and what it costs."""

    record: Record
    is_slow: bool = False
    cost: str | None = None
    """What it costs the person, to be translated."""

    @property
    def words(self) -> str | None:
        """The answer to the tap, to be translated: that the board has to wait, or what it costs."""
        return SLOW if self.is_slow else self.cost


def unreadable(error: CorruptGame, update_id: int) -> str:
    """Log that a game can't be read; returns what whoever asked for it is told, to be translated."""
    log.error("%s", error, extra={"game_id": error.game_id, "update_id": update_id})
    return BROKEN_GAME


async def act(
    requester: Requester, game_id: int, action: Action, *, comes: bool = False, once: bool = True
) -> Done:
    """Let a person act on a game, and show what became of it; raises `NotAllowed` if it is refused.

    The board `comes` to a command that asks for it also if it's in sight. A tap that means a ply needs no key, as
    that is over after it. Without `once` nothing else does, as the same update goes on to what takes its key.
    """
    if requester.as_chat and not action.rule.as_chat:
        raise NotAllowed(Refusal.ANONYMOUS)
    services = requester.services
    facts, now = await _facts(requester, game_id, action), time.monotonic()
    question = _question(requester, game_id, action)
    recent = [at for at in services.asked.get(question, ()) if at > now - SAME_QUESTION_SECONDS]
    often = len(recent) >= ASKED_MOST and not isinstance(action, Resign)
    attempt = requester.attempt(facts._replace(asked_lately=True) if often else facts)
    if comes and attempt.below is not None:
        attempt = attempt._replace(below=attempt.below + attention.IN_SIGHT)
    decision = partial(decide, action=action, attempt=attempt)
    by = None if requester.as_chat else attempt.who
    is_of_its_ply = requester.button is not None and action.for_ply is not None
    key = requester.once if once and not is_of_its_ply else None
    try:
        changed = await services.store.change(game_id, decision, by, key)
    except NotAllowed as refused:
        if refused.record is not None and refused.access is not Access.NOTHING:
            await _mend(requester, refused, refused.record)
        raise
    changed = await adopted(requester, changed)
    is_new = any(board is not changed.before.get(board.id) for board in changed.record.boards)
    if not is_new:  # perhaps it comes again
        services.boards.refresh(changed.record)
    asks = question is not None and not isinstance(action, PlayOn)
    if asks and is_new and not changed.record.game.is_against_computer:
        services.asked[question] = [*recent, now]
    is_slow = services.show(changed, requester.prompt)
    return Done(changed.record, is_slow, action.cost(changed.record.game) if action.rule.asks else None)


async def _mend(requester: Requester, refused: NotAllowed, record: Record) -> None:
    """Show the boards again whose old state may be why something was refused; say so if that can't be done."""
    record = await heal(requester, record)
    is_behind = refused.refusal in OLD_BOARD_REFUSALS
    if refused.access is Access.ACT and is_behind:
        requester.services.boards.refresh(record, _behind(requester, record))
    here = board_at(record, requester.where)
    if is_behind and here and here.is_unreachable:
        refused.refusal = Refusal.OUT_OF_REACH


def _question(requester: Requester, game_id: int, action: Action) -> QuestionKey | None:
    """The question that an action asks or withdraws; a resignation is the same at any ply."""
    if (asks := action.rule.asks) is None:
        return None
    return game_id, requester.user.id, asks, 0 if asks is Offer.RESIGN else action.for_ply or 0


async def bring(requester: Requester, game_id: int) -> Done:
    """Move a player's board to the bottom of the chat they are in."""
    record, stored = await requester.services.store.run(_bring, game_id=game_id, attempt=requester.attempt())
    return Done(record, stored is not None and requester.services.boards.show_stored(stored, requester.prompt))


def _bring(connection: Connection, *, game_id: int, attempt: Attempt) -> tuple[Record, Stored | None]:
    record, where = games.load(connection, game_id), attempt.where
    decide(record, Bring(), attempt)
    here = record.boards_in(where.chat_id)
    page = Page(f"{NUDGE}@{record.game.version}") if may_nudge(record.game, attempt) else None
    return record, boards.move_down(connection, record, here[0], where.place, page) if here else None


async def redraw(requester: Requester) -> str:
    """Show a board again whose tapped button means nothing; returns what the tapper is told, to be translated.

    Only for its players, or for anybody at an exhibition: others could keep a chat busy with edits.
    """
    where, asked = requester.where, requester.prompt._replace(priority=Priority.NEW)
    record = await requester.services.store.run(_tapped, where=where)
    if record is not None and (record.game.is_exhibition or record.game.mark_of(requester.user.id) is not None):
        message = where.inline_message_id, where.chat_id, where.message_id
        for board in record.boards:
            if (board.inline_message_id, board.chat_id, board.message_id) == message:
                requester.services.boards.show_again(board.id, asked)
                return Refusal.MET.value if has_not_begun(record.game) else REDRAWN
    return MEANINGLESS


def board_at(record: Record, where: Where) -> Board | None:
    """The board of a game that is the tapped message, or else the newest one in its chat."""
    if where.inline_message_id is not None:
        return next((each for each in record.boards if each.inline_message_id == where.inline_message_id), None)
    here = record.boards_in(where.chat_id)
    return next((each for each in here if each.message_id == where.message_id), here[-1] if here else None)


def _tapped(connection: Connection, *, where: Where) -> Record | None:
    if where.inline_message_id is not None:
        return lookups.by_inline_message(connection, where.inline_message_id)
    if where.chat_id is None or where.message_id is None:
        return None
    return lookups.on_message(connection, where.chat_id, where.message_id)


async def _facts(requester: Requester, game_id: int, action: Action) -> Facts:
    store, where, person = requester.services.store, requester.where, requester.user.id
    match action.rule.needs:
        case Needs.OPPONENT:
            return await store.read(_facts_of_other, game_id=game_id, person=person)
        case Needs.LEVEL:
            chosen = action.level if isinstance(action, SetLevel) else DEFAULT_LEVEL
            if isinstance(action, LetComputerPlay) and where.chat_id is not None:
                chosen = (await store.read(chats.load, chat_id=where.chat_id)).level or DEFAULT_LEVEL
            if chosen != ADAPTIVE:
                return Facts(level=Level(chosen))
            rules = (await store.read(games.load, game_id=game_id)).game.rules
            return Facts(level=await store.read(results.level_of, person=person, rules=rules), adaptive=True)
        case Needs.BOARD if isinstance(action, SetRules):
            return await store.read(_facts_of_rules, game_id=game_id, person=person, rules=action.rules)
        case Needs.WAIT:
            return Facts(typical_wait=await store.read(typical_wait, rules=None, now=int(time.time())))
        case Needs.ADMIN if where.chat_id is not None and where.chat_id < 0:
            record = await store.read(games.load, game_id=game_id)
            theirs = record.game.mark_of(person) is not None or record.game.host == person
            theirs = theirs or (isinstance(action, Decline) and is_for(record.game, requester.player))
            if theirs or state_of(record.game) not in (State.OPEN, State.WATCHED) or not is_shown(*record, where):
                return NO_FACTS
            return Facts(is_admin=await requester.is_admin())
    return NO_FACTS


def _facts_of_rules(connection: Connection, *, game_id: int, person: int, rules: str) -> Facts:
    if games.load(connection, game_id).game.is_wait:
        return Facts(typical_wait=typical_wait(connection, rules, int(time.time())))
    return Facts(level=results.level_of(connection, person, rules))


def _facts_of_other(connection: Connection, *, game_id: int, person: int) -> Facts:
    """What the opponent, or the challenger, has chosen for themselves."""
    game = games.load(connection, game_id).game
    mark = challenger_of(game).other if game.is_challenge else game.mark_of(person)
    if mark is None or not (other := game.seat(mark.other)):
        return NO_FACTS
    return Facts(
        takebacks_allowed=people.chosen(connection, other, "takebacks") is not False,
        is_blocked=blocks.has(connection, other, person),
    )


def _behind(requester: Requester, record: Record) -> int | None:
    """The tapped message, if it is lost or its keyboard is of another ply, because an edit was; else None."""
    shown = requester.shown
    if requester.where.is_lost:
        return requester.where.message_id
    if not isinstance(shown, OnGame) or shown.game_id != record.game.id:
        return None
    return requester.where.message_id if shown.action.for_ply not in (None, record.game.ply) else None
