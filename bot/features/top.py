"""/top: the ratings of a chat, or of all; and the wins of a group's season, which administrators begin."""

import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.boards import names
from bot.boards.buttons import Menu, Play
from bot.boards.cups import PODIUM, defending
from bot.boards.keyboards import with_people
from bot.boards.links import Me
from bot.boards.rules import family_name
from bot.boards.translations import folded, listed, sentences, to_type, typed
from bot.boards.view import Key, View, choice, in_rows, keyboard
from bot.boards.wording import count_of_draws, date_of
from bot.context.acting import MEANINGLESS
from bot.context.feature import By, Command, Feature, Heading, HelpPage, Menus
from bot.context.requests import CommandRequest, Requester
from bot.game.attempt import NotAllowed, Player, Refusal, Unclear
from bot.game.choices import Family, Flag, PageNumber
from bot.language import N_, _, n_
from engine.rules.catalogue import FAMILIES
from storage.once import Once, Repeated, take
from storage.people import chats, cups, people
from storage.results import leaderboards
from storage.results.leaderboards import Friend
from storage.results.result import EVERYWHERE, OPPONENTS, OVERALL, PAGE, Listed, Rank, Standing


class Top(Menu, word="top"):
    """Shows a page (from 0) of the leaderboard of this chat or of everybody: by rating, or by wins this week."""

    here: Flag
    by_wins: Flag = False
    family: Family = ""
    page: PageNumber = 0


class Friends(Menu, word="friends"):
    """Shows somebody how they have done against those whom they have played."""


class Season(Menu, word="season"):
    """Shows a page (from 0) of a group's leaderboard by wins of its season."""

    page: PageNumber = 0


class NewSeason(Menu, word="newseason", as_chat=True):
    """Asks whether to begin a new season, or begins it."""

    is_sure: Flag


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
    champions: Sequence[Player] = ()
    """Who has won this group's last cup, without those who hide their results."""


def page(chosen: Top, found: LeaderboardPage) -> View:
    """A page of a leaderboard, with buttons to its other pages and to other leaderboards."""
    where = _("this chat") if chosen.here else _("everybody")
    order = _("Wins this week") if chosen.by_wins else _("Rating")
    head = f"🏆 <b>{order}</b> · {where} · {family_name(chosen.family)}"
    return View(_text(head, chosen, found, _own(chosen, found)), _keyboard(chosen, found))


def _text(head: str, chosen: Top, found: LeaderboardPage, own: str) -> str:
    champions = {each.id: each.name for each in found.champions}
    lines = [_line(entry, chosen, is_champion=entry.person in champions) for entry in found.listed]
    if not lines:
        lines.append(_("Nobody's on this page.") if chosen.page else _("Nobody's on this leaderboard yet."))
    if unlisted := [champions[each] for each in champions if each not in [entry.person for entry in found.listed]]:
        lines += ["", f"🏆 {defending(unlisted)}"]
    return "\n".join([head, "", *lines, "", own])


def friends_page(found: Sequence[Friend], me: Me) -> View:
    """How somebody has done against those whom they have played, with ways to play more."""
    lines = [_friend(friend) for friend in found] or [_("You haven't finished a game with anybody yet.")]
    rows = [[choice(_("Friends"), Friends(), Friends()), Key(_("Everybody"), Top(here=False))], with_people(me)]
    return View("\n".join([_("⚔️ <b>You and those you've played</b>"), "", *lines]), keyboard(rows))


def _friend(friend: Friend) -> str:
    name = names.shown(friend.name, _("Player"))
    score = f"{name} · {friend.wins} – {friend.losses}"
    return listed([score, *([count_of_draws(friend.draws)] if friend.draws else [])])


BY_WINS: Final = Top(here=True, by_wins=True)


def season_page(chosen: Season, found: LeaderboardPage, since: int | None) -> View:
    """A page of a group's leaderboard by the wins of its season, which began at a time, or never did."""
    parts = [f"🏆 <b>{_(SEASONS_WINS)}</b>", _("this chat")]
    if since is not None:
        parts.append(_("since {date}").format(date=date_of(since)))
    wins = replace(BY_WINS, page=chosen.page)
    own = _own(wins, found) if found.own or found.hidden else _("You haven't won a rated game here this season.")
    lists = [choice(_("Rating"), Top(here=True), chosen), choice(_("Wins this week"), BY_WINS, chosen)]
    rows = [lists, *_turns(chosen, found), [Key(_("New season"), NewSeason(is_sure=False))]]
    return View(_text(" · ".join(parts), wins, found, own), keyboard(rows))


def _line(entry: Listed, chosen: Top, *, is_champion: bool) -> str:
    name = ("🏆 " if is_champion else "") + names.shown(entry.name, _("Player"))
    figure = str(entry.figure) if chosen.by_wins else Standing(entry.figure, entry.is_settled).figure
    return f"{PODIUM.get(entry.place, f'{entry.place}.')} {name} · {figure}"


def _own(chosen: Top, found: LeaderboardPage) -> str:
    if found.hidden:
        return _("You aren't listed: your stats are hidden (/settings).")
    if found.own is None:
        if chosen.by_wins and not chosen.here:
            return _("Win against {wanted} different people this week to be listed.").format(wanted=OPPONENTS)
        if chosen.by_wins:
            return _("You haven't won a game against a person this week.")
        if found.opponents is None or chosen.here:
            return _("You don't have a rating here yet. Your first rated game against a person gives you one.")
        wanted = _("To be listed, you need rated games against {wanted} different people. So far: {count}.")
        return wanted.format(wanted=OPPONENTS, count=found.opponents)
    place, figure = found.own.place, found.own.figure
    if chosen.by_wins:
        return n_("You're #{place} with {count} win.", "You're #{place} with {count} wins.", figure).format(
            place=place, count=figure
        )
    shown = Standing(figure, found.own.is_settled).figure
    return _("You're #{place} with a rating of {figure}.").format(place=place, figure=shown)


def _keyboard(chosen: Top, found: LeaderboardPage) -> str:
    start = replace(chosen, page=0)
    rows = []
    if found.families:
        rating, wins = replace(start, by_wins=False), replace(start, by_wins=True)
        rows.append([choice(_("Rating"), rating, start), choice(_("Wins this week"), wins, start)])
    if found.in_group and found.families and chosen.here:
        rows.append([Key(_(SEASONS_WINS), Season())])
    if found.in_group and (found.families or not chosen.here):
        here, everywhere = replace(start, here=True), replace(start, here=False)
        rows.append([choice(_("This chat"), here, start), choice(_("Everybody"), everywhere, start)])
    if not found.in_group:
        rows.append([Key(_("Friends"), Friends()), choice(_("Everybody"), start, start)])
    if set(found.families) - {OVERALL} or chosen.family != OVERALL:
        offered = [kind for kind in (OVERALL, *FAMILIES) if kind in (OVERALL, chosen.family, *found.families)]
        kinds = [choice(family_name(kind), replace(start, family=kind), start) for kind in offered]
        rows += in_rows(kinds)
    rows += _turns(chosen, found)
    return keyboard(rows or [[Key(_("Who's in?"), Play(), "primary")]])


def _turns(chosen: Top | Season, found: LeaderboardPage) -> list[list[Key]]:
    """The row of buttons to the pages before and after, if there are any."""
    turns = [Key("‹", replace(chosen, page=chosen.page - 1))] if chosen.page else []
    turns += [Key("›", replace(chosen, page=chosen.page + 1))] if len(found.listed) == PAGE else []
    return [turns] if turns else []


# Translators: what people type after /top, as the texts about it say, with | between.
WEEK: Final = N_("week")
SEASON: Final = N_("season")
NEW: Final = N_("new season")
SEASON_YES: Final = N_("new season yes")

SEASONS_WINS: Final = N_("Wins this season")


async def show(request: CommandRequest) -> None:
    """Show the leaderboard of this group, in a private chat one's friends; with a word, by wins this week.

    In a group other words show its season, and begin a new one.
    """
    word = folded(" ".join(request.args))
    weekly = typed(WEEK)
    if not request.is_private and word in (*typed(NEW), *typed(SEASON_YES)):
        await request.reply_with(await _new_season(request, is_sure=word in typed(SEASON_YES)))
        return
    if request.as_chat:
        raise NotAllowed(Refusal.ANONYMOUS)
    if not request.is_private and word in typed(SEASON):
        await request.reply_with(partial(_season, request, Season()))
        return
    if word and word not in weekly:
        said = _("Send <code>/top</code> for ratings, or <code>/top {week}</code> for wins this week.")
        in_groups = _("In a group, <code>/top {season}</code> counts the wins since an admin started the season.")
        raise Unclear(sentences(said, in_groups).format(week=to_type(WEEK), season=to_type(SEASON)))
    if request.is_private and not word:
        await request.reply_with(partial(_friends, request))
        return
    chosen = Top(here=not request.is_private, by_wins=word in weekly)
    await request.reply_with(partial(_page, request, chosen))


async def tapped(requester: Requester, chosen: Top) -> None:
    """Show another leaderboard or page in the tapped message."""
    if requester.is_at(Top, Friends) and chosen.family in (OVERALL, *FAMILIES):
        chosen = replace(chosen, here=chosen.here and not requester.is_private)
        await requester.turn_to(partial(_page, requester, chosen))


async def tap_friends(requester: Requester, _: Friends) -> str | None:
    """Show somebody in the tapped message how they have done against those whom they have played."""
    if not requester.is_private or not requester.is_at(Top, Friends):
        return MEANINGLESS
    await requester.turn_to(partial(_friends, requester))
    return None


async def _friends(requester: Requester) -> View:
    found = await requester.services.store.read(leaderboards.friends_of, person=requester.user.id)
    return friends_page(found, requester.services.me)


async def tap_season(requester: Requester, chosen: Season | NewSeason) -> str | None:
    """Show the season of a group in the tapped message, or let administrators begin a new one."""
    if requester.is_private or not requester.is_at(Top, NewSeason):
        return MEANINGLESS
    if isinstance(chosen, Season):
        await requester.turn_to(partial(_season, requester, chosen))
    else:
        await requester.turn_to(await _new_season(requester, is_sure=chosen.is_sure))
    return None


async def _new_season(requester: Requester, *, is_sure: bool) -> Callable[[], Awaitable[View]]:
    """What asks administrators whether to begin a new season, or shows it; raises `NotAllowed` for others."""
    await requester.need_admin()
    if not is_sure:
        return _question
    with suppress(Repeated):
        await requester.services.store.run(_begin_season, once=requester.once, chat_id=requester.chat_id)
    return partial(_season, requester, Season())


def _begin_season(connection: Connection, *, once: Once, chat_id: int) -> None:
    take(connection, once)
    chats.choose(connection, chat_id, {"season_at": int(time.time())})


async def _question() -> View:
    text = _(
        "<b>Start a new season?</b> The leaderboard goes back to zero. Tap, or send <code>/top {words}</code>."
    )
    text = text.format(words=to_type(SEASON_YES))
    return View(
        text, keyboard([[Key(_("New season"), NewSeason(is_sure=True), "danger"), Key(_("‹ Back"), Season())]])
    )


async def _season(requester: Requester, chosen: Season) -> View:
    read = partial(_load_season, chosen=chosen, chat_id=requester.chat_id, viewer=requester.user.id)
    return season_page(chosen, *await requester.services.store.read(read))


def _load_season(
    connection: Connection, *, chosen: Season, chat_id: int, viewer: int
) -> tuple[LeaderboardPage, int | None]:
    since = chats.load(connection, chat_id).season_at
    of = {"week": leaderboards.week_of(int(time.time())), "chat_id": chat_id, "since": since or 0}
    listed = leaderboards.by_wins(connection, family=OVERALL, offset=chosen.page * PAGE, **of)
    own = leaderboards.place_by_wins(connection, person=viewer, family=OVERALL, **of)
    hidden = people.is_hidden(connection, viewer)
    return LeaderboardPage(listed, own, hidden, in_group=True, champions=_champions(connection, chat_id)), since


def _champions(connection: Connection, chat_id: int) -> Sequence[Player]:
    found = (people.find(connection, each) for each in cups.champions(connection, chat_id))
    return [each for each in found if each is not None and not people.is_hidden(connection, each.id)]


async def _page(requester: Requester, chosen: Top) -> View:
    read = partial(_load, chosen=chosen, chat_id=requester.chat_id, viewer=requester.user.id)
    return page(chosen, await requester.services.store.read(read))


def _load(connection: Connection, *, chosen: Top, chat_id: int, viewer: int) -> LeaderboardPage:
    where = chat_id if chosen.here else EVERYWHERE
    offset = chosen.page * PAGE
    week = leaderboards.week_of(int(time.time()))
    won = leaderboards.families_won(connection, week=week, chat_id=where)
    known = (OVERALL, *FAMILIES)
    listed_in = {*won, *leaderboards.families_rated(connection, families=known, chat_id=where)}
    families = [family for family in known if family in listed_in or (family == OVERALL and won)]
    hidden = people.is_hidden(connection, viewer)
    if chosen.by_wins:
        listed = leaderboards.by_wins(connection, week=week, family=chosen.family, offset=offset, chat_id=where)
        own = leaderboards.place_by_wins(connection, person=viewer, week=week, family=chosen.family, chat_id=where)
    else:
        listed = leaderboards.by_rating(connection, family=chosen.family, offset=offset, chat_id=where)
        own = leaderboards.place_by_rating(connection, person=viewer, family=chosen.family, chat_id=where)
    met = leaderboards.opponents_of(connection, viewer, chosen.family) if own is None else None
    champions = _champions(connection, chat_id) if chosen.here else ()
    return LeaderboardPage(
        listed, own, hidden, in_group=chat_id < 0, opponents=met, families=families, champions=champions
    )


FEATURE: Final = Feature(
    heading=Heading.RESULTS,
    commands=[Command("top", show, N_("Leaderboard"), Menus.BOTH, By.ADMINISTRATORS)],
    taps={Top: tapped, Friends: tap_friends, Season: tap_season, NewSeason: tap_season},
    helps={
        HelpPage.RESULTS: lambda: _(
            "<b>/top</b>: you and your friends, or a group's list; <code>/top {week}</code> counts wins."
        ).format(week=to_type(WEEK))
    },
)
