"""/top: who plays best, here and everywhere, by rating and by wins of the week."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from bot.delivery.entries import Words
from bot.handlers.requests import request_of
from bot.handlers.stats import FAMILIES
from bot.views import top as views
from bot.views.buttons import Top, read
from bot.views.top import Page
from storage import chats, standings, tallies
from storage.tally import EVERYWHERE, PAGE

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from telegram import Update

    from bot.context import Context
    from bot.handlers.requests import Sender
    from bot.views.view import View


async def show(update: Update, context: Context) -> None:
    """Show the list of this group; in a private chat that of everybody."""
    if (request := request_of(update, context)) is None:
        return
    wish = Top(here=not request.is_private)
    await request.reply_with(partial(_page, request.sender, wish, request.chat_id))


async def tapped(sender: Sender, wish: Top) -> str | None:
    """Show another list, or another page, in the message that was tapped."""
    where = sender.where
    if where.chat_id is None or where.message_id is None or wish.family not in FAMILIES:
        return None
    if not isinstance(read(where.first), Top):
        return None
    wish = wish._replace(here=wish.here and where.chat_id < 0)
    page = partial(_page, sender, wish, where.chat_id)
    sender.services.publisher.say(Words(where.chat_id, await page(), message_id=where.message_id, anew=page))
    return None


async def _page(sender: Sender, wish: Top, chat_id: int) -> View:
    load = partial(_load, wish=wish, chat_id=chat_id, viewer=sender.user.id)
    return views.page(wish, await sender.services.store.run(load), sender.t)


def _load(connection: Connection, *, wish: Top, chat_id: int, viewer: int) -> Page:
    tallies.count(connection)
    where = chat_id if wish.here else EVERYWHERE
    offset = wish.page * PAGE
    if wish.by_wins:
        week = tallies.week_of(int(time.time()))
        listed = standings.by_wins(connection, week=week, family=wish.family, offset=offset, chat_id=where)
        own = standings.place_by_wins(connection, person=viewer, week=week, family=wish.family, chat_id=where)
    else:
        listed = standings.by_rating(connection, family=wish.family, offset=offset, chat_id=where)
        own = standings.place_by_rating(connection, person=viewer, family=wish.family, chat_id=where)
    return Page(listed, own, chats.is_hidden(connection, viewer), in_group=chat_id < 0)
