"""Makes the messages of the outbox: right after they were stored, or by the sweep if a process was killed."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from bot.background import erasure
from bot.boards.board import reminder
from bot.boards.view import View
from bot.context.services import Services
from bot.delivery.entries import OutgoingMessage
from bot.features import cups, exporting, new_games, puzzle, share, stats
from bot.language import in_language, speaking
from storage.games import games
from storage.games.record import Notice, NoticeKind, Record
from storage.people import people


async def message_of(services: Services, notice: Notice) -> OutgoingMessage | None:
    """The message that a notice becomes; None if it has become pointless.

    Raises NotYet if it may not be said yet.
    """
    with speaking(notice.language):
        message = await _words_of(services, notice)
    if message is None or message.remake is None:
        return message
    return replace(message, remake=in_language(notice.language, message.remake))


async def _words_of(services: Services, notice: Notice) -> OutgoingMessage | None:
    match notice.kind:
        case NoticeKind.REMINDER:
            return await _made(services, notice, _reminded)
        case NoticeKind.ANIMATION | NoticeKind.STILL | NoticeKind.RIVALS | NoticeKind.RIVALS_CARD:
            return await share.made(services, notice)
        case NoticeKind.CHART:
            return await stats.made(services, notice)
        case NoticeKind.EXPORT:
            return await exporting.made(services, notice)
        case NoticeKind.PUZZLE:
            return await puzzle.made(services, notice)
        case NoticeKind.CUP | NoticeKind.CHAMPION:
            return await cups.made(services, notice)
        case NoticeKind.BEATEN:
            return await _made(services, notice, new_games.how_it_ended)
        case NoticeKind.FORGOTTEN:
            return await erasure.last_word(services, notice)


async def _made(
    services: Services, notice: Notice, make: Callable[[Services, Notice], Awaitable[View | None]]
) -> OutgoingMessage | None:
    remake = partial(make, services, notice)
    view = await remake()
    return (
        None
        if view is None
        else OutgoingMessage(notice.chat_id, view, notice.thread_id, notice=notice, remake=remake)
    )


async def _reminded(services: Services, notice: Notice) -> View | None:
    """What a reminder says by now; None if somebody has moved, or the player to move wants none."""
    game_id = notice.game_id or 0
    record = (await services.store.read(games.load_many, ids=[game_id])).get(game_id)
    game = record.game if isinstance(record, Record) else None
    if game is None or game.is_over or game.ply != notice.ply or game.due_at is None:
        return None
    if await services.store.read(people.notices_of, person_id=game.seat(game.turn) or 0) is False:
        return None
    seconds = max(1, game.due_at - int(time.time()))
    return View(reminder(game, seconds))
