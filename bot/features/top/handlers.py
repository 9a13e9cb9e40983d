"""/top: the leaderboards of this chat and of everybody, by rating and by wins this week."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import Final

from sqlalchemy import Connection
from telegram import Update

from bot.boards.buttons import Top
from bot.boards.rules import ALL
from bot.boards.translations import N_, folded, typed
from bot.boards.view import View
from bot.context.requests import Requester, request_of
from bot.context.services import Context
from bot.delivery.entries import OutgoingMessage
from bot.features.top import views
from bot.features.top.views import Page
from engine.rules.families import FAMILIES
from storage.people import preferences
from storage.results import leaderboards, ratings, statistics, weeks
from storage.results.result import EVERYWHERE
from storage.results.tally import PAGE

# Translators: what people type after /top, as the texts about it say, with | between.
WEEK: Final = N_("week")


async def show(update: Update, context: Context) -> None:
    """Show the leaderboard of this group, in a private chat everybody's; with a word, by wins this week."""
    if (request := request_of(update, context)) is None:
        return
    word = folded(" ".join(context.args or []))
    weekly = typed(WEEK, request.t)
    if word and word not in weekly:
        request.reply(
            request.t.gettext("Send <code>/top</code> for ratings, or <code>/top week</code> for wins this week.")
        )
        return
    chosen = Top(here=not request.is_private, by_wins=word in weekly)
    await request.reply_with(partial(_page, request.requester, chosen, request.chat_id))


async def tapped(requester: Requester, chosen: Top) -> str | None:
    """Show another leaderboard or page in the tapped message."""
    where = requester.where
    if where.chat_id is None or where.message_id is None or chosen.family not in (ALL, *FAMILIES):
        return None
    if not isinstance(requester.shown, Top):
        return None
    chosen = replace(chosen, here=chosen.here and where.chat_id < 0)
    page = partial(_page, requester, chosen, where.chat_id)
    requester.services.publisher.say(
        OutgoingMessage(where.chat_id, await page(), message_id=where.message_id, remake=page)
    )
    return None


async def _page(requester: Requester, chosen: Top, chat_id: int) -> View:
    load = partial(_load, chosen=chosen, chat_id=chat_id, viewer=requester.user.id)
    return views.page(chosen, await requester.services.store.read(load), requester.t_here)


def _load(connection: Connection, *, chosen: Top, chat_id: int, viewer: int) -> Page:
    statistics.count(connection)
    where = chat_id if chosen.here else EVERYWHERE
    offset = chosen.page * PAGE
    week = weeks.week_of(int(time.time()))
    families = [
        family
        for family in (ALL, *FAMILIES)
        if leaderboards.by_rating(connection, family=family, offset=0, chat_id=where)
        or leaderboards.by_wins(connection, week=week, family=family, offset=0, chat_id=where)
    ]
    hidden = preferences.is_hidden(connection, viewer)
    if chosen.by_wins:
        listed = leaderboards.by_wins(connection, week=week, family=chosen.family, offset=offset, chat_id=where)
        own = leaderboards.place_by_wins(connection, person=viewer, week=week, family=chosen.family, chat_id=where)
    elif ratings.are_being_made(connection):
        return Page((), None, hidden, in_group=chat_id < 0, being_made=True)
    else:
        listed = leaderboards.by_rating(connection, family=chosen.family, offset=offset, chat_id=where)
        own = leaderboards.place_by_rating(connection, person=viewer, family=chosen.family, chat_id=where)
    met = leaderboards.opponents_of(connection, viewer, chosen.family) if own is None else None
    return Page(listed, own, hidden, in_group=chat_id < 0, opponents=met, families=families)
