"""What the outbox has to say, made right before it is sent: in words, or with a picture that is drawn for it."""

from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from typing import NamedTuple

from bot.boards.view import View
from bot.context.requests import CANNOT_DRAW
from bot.context.services import Services
from bot.delivery.entries import File, NotNow, OutgoingMessage, saying
from bot.language import _
from bot.workers.pool import Job, NoAnswer
from storage.games.record import Notice


async def worded(notice: Notice, make: Callable[[], Awaitable[View | None]]) -> OutgoingMessage | None:
    """The message that `make` words, which does so again if it has to wait; None if there is nothing to say."""
    view = await make()
    return None if view is None else saying(notice)(view, remake=make)


class Sketch(NamedTuple):
    """What a picture is to show."""

    draw: partial[bytes]
    """Draws it, in another process, given the seconds that it may take."""
    seconds: float
    look: Hashable
    """What it shows: once that is something else, because somebody has another name, it has to be drawn again."""
    caption: View
    file: Callable[[bytes | str], File]
    """How it is sent."""
    file_id: str | None = None
    """The `file_id` of the same picture, if Telegram has it."""


async def drawn(
    services: Services, notice: Notice, sketch: Callable[[], Awaitable[Sketch | None]]
) -> OutgoingMessage | None:
    """The message with a picture, drawn now if Telegram doesn't have it; or one that says it can't be drawn."""
    if (first := await sketch()) is None:
        return None

    async def remake() -> View | None:
        now = await sketch()
        if now is not None and now.look != first.look:
            raise NotNow("a picture is of the past")
        return None if now is None else now.caption

    job: Job[bytes | str] = Job(
        ("picture", notice.id), first.draw, first.seconds, urgent=False, whose=notice.person
    )
    try:
        content = await services.workers.run(job) if first.file_id is None else first.file_id
    except NoAnswer:
        return saying(notice)(View(_(CANNOT_DRAW)))
    return saying(notice)(first.caption, file=first.file(content), remake=remake)
