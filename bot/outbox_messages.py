"""Makes the messages of the outbox: right after they were stored, or by the sweep if a process was killed."""

from dataclasses import replace
from functools import partial

from bot.background import erasure
from bot.context.notices import worded
from bot.context.services import Services
from bot.delivery.entries import OutgoingMessage
from bot.features import cups, exporting, new_games, puzzle, share, stats
from bot.language import in_language, speaking
from storage.games.record import Notice, NoticeKind


async def message_of(services: Services, notice: Notice) -> OutgoingMessage | None:
    """The message that a notice becomes; None if it has become pointless.

    Raises NotNow if it may not be said yet.
    """
    with speaking(notice.language):
        message = await _words_of(services, notice)
    if message is None or message.remake is None:
        return message
    return replace(message, remake=in_language(notice.language, message.remake))


async def _words_of(services: Services, notice: Notice) -> OutgoingMessage | None:
    match notice.kind:
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
            return await worded(notice, partial(new_games.how_it_ended, services, notice))
        case NoticeKind.FORGOTTEN:
            return await erasure.last_word(services, notice)
