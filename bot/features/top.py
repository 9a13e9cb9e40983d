"""/top: the ratings of a chat, or of all."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.boards import names
from bot.boards.buttons import Top
from bot.boards.rules import ALL, family_name
from bot.boards.translations import folded, typed
from bot.boards.view import Key, View, choice, in_rows, keyboard
from bot.context.handlers import tap
from bot.context.requests import CommandRequest, Requester
from bot.language import N_, _, n_
from engine.rules.catalogue import FAMILIES
from storage.people import cups, people
from storage.results import leaderboards
from storage.results.result import EVERYWHERE, OPPONENTS, PAGE, Listed, Rank, Standing

MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


class LeaderboardPage(NamedTuple):
    """A page of a leaderboard, for one reader."""

    listed: Sequence[Listed]
    own: Rank | None
    hidden: bool
    """Whether the reader is hidden from leaderboards."""
    in_group: bool
    opponents: int | None = None
    """How many opponents a reader who isn't listed has rated games against; None if they have none."""
    families: Sequence[str] = ()
    """The families of rules that anybody is listed in."""
    champion: int | None = None
    """Who has won this group's last cup."""


def page(chosen: Top, found: LeaderboardPage) -> View:
    """A page of a leaderboard, with buttons to its other pages and to other leaderboards."""
    where = _("this chat") if chosen.here else _("everybody")
    order = _("Wins this week") if chosen.by_wins else _("Rating")
    lines = [f"🏆 <b>{order}</b> · {where} · {family_name(chosen.family)}", ""]
    first = chosen.page * PAGE + 1
    lines += [
        _line(number, entry, chosen, is_champion=entry.person == found.champion)
        for number, entry in enumerate(found.listed, first)
    ]
    if not found.listed:
        nobody = _("Nobody's on this page.") if chosen.page else _("Nobody's on this leaderboard yet.")
        lines.append(nobody)
    lines += ["", _own(chosen, found)]
    return View("\n".join(lines), _keyboard(chosen, found))


def _line(number: int, entry: Listed, chosen: Top, *, is_champion: bool) -> str:
    name = ("🏆 " if is_champion else "") + names.shown(entry.name, _("Player"))
    return f"{MEDALS.get(number, f'{number}.')} {name} · {_figure(chosen, entry.figure, settled=entry.is_settled)}"


def _own(chosen: Top, found: LeaderboardPage) -> str:
    if found.hidden:
        return _("You aren't listed: your stats are hidden (/settings).")
    if found.own is None:
        if chosen.by_wins:
            return _("You haven't won a game against a person this week.")
        if found.opponents is None or chosen.here:
            return _("You don't have a rating here yet. Your first rated game against a person gives you one.")
        wanted = _("You need rated games against {wanted} different people to be listed; you've played {count}.")
        return wanted.format(wanted=OPPONENTS, count=found.opponents)
    place, figure = found.own.place, found.own.figure
    if chosen.by_wins:
        return n_("You're #{place} with {count} win.", "You're #{place} with {count} wins.", figure).format(
            place=place, count=figure
        )
    shown = Standing(figure, found.own.is_settled).figure
    return _("You're #{place} with a rating of {figure}.").format(place=place, figure=shown)


def _figure(chosen: Top, value: int, *, settled: bool) -> str:
    return str(value) if chosen.by_wins else Standing(value, settled).figure


def _keyboard(chosen: Top, found: LeaderboardPage) -> str | None:
    start = replace(chosen, page=0)
    rows = []
    if found.families:
        rating, wins = replace(start, by_wins=False), replace(start, by_wins=True)
        rows.append([choice(_("Rating"), rating, start), choice(_("Wins this week"), wins, start)])
    if found.in_group and (found.families or not chosen.here):
        here, everywhere = replace(start, here=True), replace(start, here=False)
        rows.append([choice(_("This chat"), here, start), choice(_("Everybody"), everywhere, start)])
    if set(found.families) - {ALL} or chosen.family != ALL:
        offered = [kind for kind in (ALL, *FAMILIES) if kind in (ALL, chosen.family, *found.families)]
        kinds = [choice(family_name(kind), replace(start, family=kind), start) for kind in offered]
        rows += in_rows(kinds)
    turns = []
    if chosen.page:
        turns.append(Key("‹", replace(chosen, page=chosen.page - 1)))
    if len(found.listed) == PAGE:
        turns.append(Key("›", replace(chosen, page=chosen.page + 1)))
    rows += [turns] if turns else []
    return keyboard(rows) if rows else None


# Translators: what people type after /top, as the texts about it say, with | between.
WEEK: Final = N_("week")


async def show(request: CommandRequest) -> None:
    """Show the leaderboard of this group, in a private chat everybody's; with a word, by wins this week."""
    word = folded(" ".join(request.args))
    weekly = typed(WEEK)
    if word and word not in weekly:
        request.reply(_("Send <code>/top</code> for ratings, or <code>/top week</code> for wins this week."))
        return
    chosen = Top(here=not request.is_private, by_wins=word in weekly)
    await request.reply_with(partial(_page, request, chosen, request.chat_id))


@tap(Top)
async def tapped(requester: Requester, chosen: Top) -> str | None:
    """Show another leaderboard or page in the tapped message."""
    where = requester.where
    if where.chat_id is None or where.message_id is None or chosen.family not in (ALL, *FAMILIES):
        return None
    if not isinstance(requester.shown, Top):
        return None
    chosen = replace(chosen, here=chosen.here and where.chat_id < 0)
    await requester.turn_to(partial(_page, requester, chosen, where.chat_id))
    return None


async def _page(requester: Requester, chosen: Top, chat_id: int) -> View:
    viewer = requester.user.id
    found = await requester.services.store.read(_load, chosen=chosen, chat_id=chat_id, viewer=viewer)
    return page(chosen, found)


def _load(connection: Connection, *, chosen: Top, chat_id: int, viewer: int) -> LeaderboardPage:
    where = chat_id if chosen.here else EVERYWHERE
    offset = chosen.page * PAGE
    week = leaderboards.week_of(int(time.time()))
    won = leaderboards.families_won(connection, week=week, chat_id=where)
    families = [
        family
        for family in (ALL, *FAMILIES)
        if family in won
        or (family == ALL and won)
        or leaderboards.by_rating(connection, family=family, offset=0, chat_id=where)
    ]
    hidden = people.is_hidden(connection, viewer)
    if chosen.by_wins:
        listed = leaderboards.by_wins(connection, week=week, family=chosen.family, offset=offset, chat_id=where)
        own = leaderboards.place_by_wins(connection, person=viewer, week=week, family=chosen.family, chat_id=where)
    else:
        listed = leaderboards.by_rating(connection, family=chosen.family, offset=offset, chat_id=where)
        own = leaderboards.place_by_rating(connection, person=viewer, family=chosen.family, chat_id=where)
    met = leaderboards.opponents_of(connection, viewer, chosen.family) if own is None else None
    champion = cups.champion(connection, chat_id) if chosen.here else None
    return LeaderboardPage(
        listed, own, hidden, in_group=chat_id < 0, opponents=met, families=families, champion=champion
    )
