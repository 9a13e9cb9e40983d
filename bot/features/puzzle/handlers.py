"""/puzzle: the day's puzzle, solved in the private chat; in a group, the list of people who have solved it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from telegram import Update

from bot.boards.buttons import OpenPuzzle, RemindOfPuzzle, RetryPuzzle, ShowPuzzle, TryPuzzle
from bot.boards.translations import N_
from bot.boards.view import View
from bot.context.acting import MEANINGLESS
from bot.context.links import Link
from bot.context.requests import CommandRequest, Requester, request_of
from bot.context.services import Context
from bot.delivery.entries import OutgoingMessage
from bot.features.puzzle import service, views
from engine.analysis.puzzles import puzzle_of
from storage.people import puzzles

IS_OVER: Final = N_("That day's puzzle is over. Send /puzzle for today's.")
REMINDED: Final = N_("I'll send you the puzzle every day at this time.")
NOT_REMINDED: Final = N_("No more reminders.")


async def show(update: Update, context: Context) -> None:
    """Show the day's puzzle, perhaps after a try; in a group, who has solved it."""
    if (request := request_of(update, context)) is not None:
        if request.is_private and context.args:
            wrong = await service.typed(request.requester, " ".join(context.args))
            if wrong is not None:
                request.reply(wrong)
                return
        make = _own(request.requester) if request.is_private else _listed(request.requester, request.chat_id)
        await request.reply_with(make)


async def follow(request: CommandRequest) -> None:
    """Show the puzzle to somebody who followed a link."""
    await request.reply_with(_own(request.requester))


async def tapped(
    requester: Requester, button: TryPuzzle | RetryPuzzle | ShowPuzzle | RemindOfPuzzle | OpenPuzzle
) -> str | Link | None:
    """Do what a button of the puzzle says; returns what the tapper is told, or a link to open."""
    services, where, today = requester.services, requester.where, service.today()
    if where.chat_id is None or where.message_id is None:
        return MEANINGLESS
    make = _own(requester)
    if isinstance(button, OpenPuzzle):
        if where.chat_id < 0:
            await services.store.run(partial(puzzles.join, person=requester.player, chat_id=where.chat_id))
        if isinstance(requester.shown, OpenPuzzle):
            make = _listed(requester, where.chat_id)
            services.publisher.say(
                OutgoingMessage(where.chat_id, await make(), message_id=where.message_id, remake=make)
            )
        return Link(services.publisher.link_to(service.LINK))
    if where.chat_id != requester.user.id or not isinstance(requester.shown, TryPuzzle):
        return MEANINGLESS
    words = None
    match button:
        case TryPuzzle() | RetryPuzzle() if button.day != today:
            return IS_OVER
        case TryPuzzle():
            words = await service.step(requester, button.version, button.cell)
        case RetryPuzzle():
            words = await service.step(requester, button.version, None)
        case RemindOfPuzzle():
            at = int(time.time()) + puzzles.DAY if button.wanted else None
            await services.store.run(partial(puzzles.remind, person=requester.player, at=at))
            words = REMINDED if button.wanted else NOT_REMINDED
        case ShowPuzzle():
            make = _own(requester, min(max(button.day, today - 1), today))
    services.publisher.say(OutgoingMessage(where.chat_id, await make(), message_id=where.message_id, remake=make))
    return words


def _own(requester: Requester, day: int | None = None) -> Callable[[], Awaitable[View]]:
    """A function that makes the message of a day's puzzle (by default today's), as its person has it."""

    async def make() -> View:
        shown = service.today() if day is None else day
        return await service.page(requester.services, requester.user.id, shown, requester.player.language)

    return make


def _listed(requester: Requester, chat_id: int) -> Callable[[], Awaitable[View]]:
    """A function that makes the list of a group."""

    async def make() -> View:
        day = service.today()
        found = await requester.services.store.run(partial(puzzles.solvers, chat_id=chat_id, day=day))
        return views.group_page(await asyncio.to_thread(puzzle_of, day), day, found, requester.t_here)

    return make
