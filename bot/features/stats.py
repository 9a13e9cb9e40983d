"""/stats: somebody's results, in one message that edits itself, or as a picture."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.boards import names
from bot.boards.buttons import Menu
from bot.boards.pictures.figures import FEWEST_DAYS, Chart, Labels
from bot.boards.players import level_name
from bot.boards.rules import family_name
from bot.boards.translations import listed, sentences
from bot.boards.view import Key, View, choice, in_rows, keyboard
from bot.boards.wording import date_of, milestone_lines, results_in_words, rivals_lines
from bot.context.feature import Command, Feature, Heading, HelpPage, Menus
from bot.context.notices import Sketch, drawn
from bot.context.requests import DRAWING, NO_PICTURES, TOO_MANY, CommandRequest, Requester, mentions
from bot.context.services import Services
from bot.delivery.entries import File, OutgoingMessage, saying
from bot.game.attempt import Player, Unclear
from bot.game.choices import CarriedId, Family, Flag
from bot.language import N_, _, speaking
from bot.workers import jobs
from engine import Level
from engine.rules.catalogue import FAMILIES
from storage.columns import DAY
from storage.games import lookups
from storage.games.outbox import Asked
from storage.games.record import Notice, NoticeKind
from storage.people import people
from storage.privacy import forgotten
from storage.results import leaderboards, ratings, results
from storage.results.result import EVERYWHERE, OVERALL, PEOPLE_AGAINST, Ending, Result, Rivalry, Summary, Tally


class Stats(Menu, word="stats"):
    """Shows somebody's results in this chat or everywhere, for one family of rules or all; or as a picture."""

    person: CarriedId
    here: Flag = False
    family: Family = ""
    picture: Flag = False


CHART_WEEKS: Final = 26
COUNTED_GAMES: Final = 1000
"""How many of the last games the weeks are counted from."""
FORM_GAMES: Final = 10
"""How many of the last games have a square each."""
CURVE_DAYS: Final = 365
"""The most points of the rating curve."""
CHART_SECONDS: Final = 5.0


async def made(services: Services, notice: Notice) -> OutgoingMessage | None:
    """The message with the picture of somebody's results."""
    return await drawn(services, notice, partial(_sketch, services, notice))


async def _sketch(services: Services, notice: Notice) -> Sketch | None:
    found = await services.store.read(_gather, notice=notice, signature=services.signature)
    if found is None:
        return None
    shown, chart = found
    caption = View(picture_caption(shown, rated=len(chart.curve) >= FEWEST_DAYS))
    file = partial(File, name="results.png", instead=saying(notice)(View(_(NO_PICTURES))))
    return Sketch(partial(jobs.results_chart, chart), CHART_SECONDS, chart.labels, caption, file)


def _gather(connection: Connection, *, notice: Notice, signature: str) -> tuple[ShownResults, Chart] | None:
    """What a picture shows; None if the person who asked may not see it any more."""
    person, family = notice.subject or 0, notice.family
    chosen = Stats(person, here=notice.here, family=family)
    if (seen := gather(connection, viewer=notice.person or 0, chat_id=notice.chat_id, chosen=chosen)) is None:
        return None
    shown, figures = seen
    newest = results.newest(connection, person, COUNTED_GAMES, notice.chat_id if notice.here else EVERYWHERE)
    found = [result for result in newest if family in (OVERALL, result.family)]
    standing, now = figures.standings.get(family), time.time()
    weeks = weeks_of(found, now)
    monday = leaderboards.monday_of(leaderboards.week_of(int(now)))
    curve = ratings.curve(connection, person, family, CURVE_DAYS)
    with speaking(notice.language):
        chart = Chart(
            Labels(date_of(now), signature),
            "" if standing is None else standing.figure,
            "".join(result.outcome[0] for result in reversed(found[:FORM_GAMES])),
            weeks,
            (date_of(DAY * (monday - 7 * (len(weeks) - 1))), date_of(DAY * monday)),
            curve,
            (date_of(DAY * curve[0][0]), date_of(DAY * curve[-1][0])) if curve else ("", ""),
        )
    return shown, chart


def weeks_of(found: Iterable[Result], now: float) -> list[tuple[int, int, int]]:
    """Games won, drawn and lost in each of the last weeks, from the first of them with a game."""
    last = leaderboards.week_of(int(now))
    counts: dict[int, Counter[Ending]] = {}
    for result in found:
        counts.setdefault(leaderboards.week_of(result.ended_at), Counter())[result.outcome] += 1
    first = max(min(counts, default=last), last - CHART_WEEKS + 1)
    played = (counts.get(week, Counter[Ending]()) for week in range(first, last + 1))
    return [(week[Ending.WIN], week[Ending.DRAW], week[Ending.LOSS]) for week in played]


class ShownResults(NamedTuple):
    """The person whose results a message shows, and which results."""

    name: str
    chosen: Stats
    in_group: bool
    buttons: bool = True
    """Whether there are buttons to choose others."""
    viewer: str = ""
    """The name of the person who asks."""


def results_page(shown: ShownResults, summary: Summary) -> View:
    """The message with somebody's results, and buttons to more of them; in private a rival's score alone."""
    if not shown.in_group and summary.rivalry is not None:
        return View("\n".join(_rivals(shown, summary.rivalry)[1:]))
    family = shown.chosen.family
    tallies = [tally for tally in summary.tallies if family in (OVERALL, tally.family)]
    lines = [_head(shown), ""]
    if tallies:
        lines += [_sum(_("Games"), tallies)]
        if (standing := summary.standings.get(family)) is not None:
            rating = _("Rating: {rating}").format(rating=f"<b>{standing.rating}</b>")
            lines.append(rating if standing.is_settled else listed([rating, _("provisional")]))
        lines += ["", *_by_opponent(tallies), *_rivals(shown, summary.rivalry), *_more(summary, family)]
    else:
        lines.append(_("No finished games yet. Send /newgame to start one."))
    if family == OVERALL and summary.milestones:
        lines += ["", *milestone_lines(summary.milestones)]
    return View("\n".join(lines), _keyboard(shown, summary) if shown.buttons else None)


def _head(shown: ShownResults) -> str:
    where = _("in this chat") if shown.chosen.here else _("everywhere")
    name = names.shown(shown.name, _("Player"))
    return f"📊 <b>{name}</b> · {where} · {family_name(shown.chosen.family)}"


def _rivals(shown: ShownResults, rivalry: Rivalry | None) -> list[str]:
    """The reader's score against them."""
    if rivalry is None or not rivalry.games:
        return []
    one, other = (names.shown(name, _("Player")) for name in (shown.viewer, shown.name))
    return ["", *rivals_lines(one, other, rivalry, shown.chosen.family)]


NOT_SHOWN: Final = N_("There's nothing I can show here.")
"""Of results that may not be shown, for whatever reason."""


def _sum(label: str, tallies: Iterable[Tally]) -> str:
    wins, draws, losses = (sum(points) for points in zip(*(tally[2:5] for tally in tallies), strict=True))
    return _("{setting}: {value}").format(setting=label, value=listed(results_in_words(wins, draws, losses)))


def _by_opponent(tallies: Iterable[Tally]) -> list[str]:
    by: dict[str, list[Tally]] = {}
    for tally in tallies:
        by.setdefault(tally.against, []).append(tally)
    lines = []
    if people := by.pop(PEOPLE_AGAINST, []):
        lines.append(_sum(_("Against people"), people))
    order: dict[str, int] = {level: number for number, level in enumerate(Level)}
    for level in sorted(by, key=lambda level: order.get(level, len(order))):
        against = _("Against OXO ({level})").format(level=level_name(level))
        lines.append(_sum(against, by[level]))
    return lines


def _more(summary: Summary, family: str) -> list[str]:
    lines = []
    streak = summary.streak
    if streak is not None and family == OVERALL:
        if streak.streak > 1:
            lines.append(_("Winning streak: {count}").format(count=streak.streak))
        if streak.longest > 1:
            lines.append(_("Longest streak: {count}").format(count=streak.longest))
    return ["", *lines] if lines else []


def _keyboard(shown: ShownResults, summary: Summary) -> str | None:
    chosen = replace(shown.chosen, picture=False)
    rows = []
    if shown.in_group:
        places = ((True, _("in this chat")), (False, _("everywhere")))
        rows.append([choice(label, replace(chosen, here=here), chosen) for here, label in places])
    families = [family for family in FAMILIES if any(tally.family == family for tally in summary.tallies)]
    if len(families) > 1 or chosen.family:
        kinds = [OVERALL, *families]
        made = [choice(family_name(kind), replace(chosen, family=kind), chosen) for kind in kinds]
        rows += in_rows(made)
    if summary.tallies:
        rows.append([Key(_("As a picture"), replace(chosen, picture=True))])
    return keyboard(rows) if rows else None


def picture_caption(shown: ShownResults, *, rated: bool) -> str:
    """The caption of the picture of somebody's results."""
    parts = [_("Green: won, grey: drawn, red: lost, by week."), _("Squares: the last games.")]
    if rated:
        parts.append(_("Below: the rating."))
    return f"{_head(shown)}\n{sentences(*parts)}"


SHOWN_FAMILIES: Final = frozenset({OVERALL, *FAMILIES})
NOT_YOUR_STATS: Final = N_("Only that player can look through these stats.")


async def show(request: CommandRequest) -> None:
    """Show one's own results, or those of somebody named or replied to."""
    words, people_named = mentions(request.message)
    named = people_named[0] if people_named else None
    if (words or len(people_named) > 1) and (named is None or not named.id):
        raise Unclear(_("Send <code>/stats</code> for yours, or <code>/stats @name</code> in a group."))
    find = partial(_find, request=request, named=named)
    await request.services.store.run(people.see_if_known, person=request.player)
    await request.reply_with(partial(_page, request, find))


async def tapped(requester: Requester, chosen: Stats) -> str | None:
    """Show other results in the tapped message; returns why not, if it can't."""
    first = requester.shown
    is_theirs = requester.where.is_lost or (isinstance(first, Stats) and first.person == chosen.person)
    if not is_theirs or chosen.family not in SHOWN_FAMILIES:
        return None
    find = partial(gather, viewer=requester.user.id, chat_id=requester.chat_id, chosen=chosen)
    found = await requester.services.store.read(find)
    if found is None:
        return NOT_YOUR_STATS
    if chosen.picture:
        chart = requester.notice(NoticeKind.CHART)
        notice = chart._replace(subject=chosen.person, family=chosen.family, here=found[0].chosen.here)
        asked = await requester.ask(lambda _: notice)
        return TOO_MANY if asked is Asked.TOO_MANY else DRAWING
    await requester.turn_to(partial(_page, requester, find))
    return None


async def _page(requester: Requester, find: Callable[[Connection], tuple[ShownResults, Summary] | None]) -> View:
    found = await requester.services.store.read(find)
    if found is None:
        own = Key(_("My stats"), Stats(requester.user.id, here=not requester.is_private))
        return View(_(NOT_SHOWN), keyboard([[own]]))
    return results_page(*found)


def _find(
    connection: Connection, *, request: CommandRequest, named: Player | None
) -> tuple[ShownResults, Summary] | None:
    """The results of the person whom a command names or replies to, otherwise of its sender."""
    own = request.player
    person, name, answered = own.id, own.name, False
    if named is not None:
        if named.id != own.id and (named.id or named.username != (own.username or "").lower()):
            if (other := named.id or people.find_username(connection, named.username or "")) is None:
                return None
            if request.is_private and not named.id and not lookups.know_each_other(connection, own.id, other):
                return None
            person, name = other, ""
    elif (replied := request.replied_to) is not None:
        person, name, answered = replied.id, replied.full_name, True
    chosen, chat_id = Stats(person, here=not request.is_private), request.chat_id
    return gather(connection, viewer=own.id, chat_id=chat_id, chosen=chosen, name=name, answered=answered)


def may_see(*, own: bool, in_group: bool, answered: bool, plays_here: bool, hidden: bool) -> bool:
    """Whether results are shown: one's own always; others', unless hidden, in a group where they play or write.

    They do if they have finished a game there, or if it is their message that is `answered`. Nobody is told the
    reason, as that would tell something about them.
    """
    return own or (in_group and not hidden and (answered or plays_here))


def gather(
    connection: Connection, *, viewer: int, chat_id: int, chosen: Stats, name: str = "", answered: bool = False
) -> tuple[ShownResults, Summary] | None:
    """The results to show; None if this person may not see them.

    The person whose they are may have a `name` that isn't stored, or be known by a message that is `answered`.
    """
    person, in_group = chosen.person, chat_id < 0
    own = person == viewer
    plays_here = people.has_played(connection, person, chat_id)
    may = may_see(
        own=own,
        in_group=in_group,
        answered=answered,
        plays_here=plays_here,
        hidden=people.keeps_results(connection, person, chat_id),
    )
    known = people.find(connection, person)
    rivalry = None if own or in_group else results.rivalry(connection, viewer, person)
    is_rival = rivalry is not None and bool(rivalry.games)
    if not (may or is_rival) or (not own and forgotten.is_gone(connection, person)):
        return None
    here = chosen.here and in_group
    name = known.name if known is not None else name
    where = chat_id if here else EVERYWHERE
    asks = people.find(connection, viewer)
    shown = ShownResults(
        name, replace(chosen, here=here), in_group, own or plays_here, "" if asks is None else asks.name
    )
    if is_rival:  # of the games with each other both know anyway
        return shown, Summary((), None, {}, rivalry=rivalry)
    found = summary(connection, person, where)
    if not (own or plays_here):  # milestones are of everywhere
        found = found._replace(milestones=())
    if own or (in_group and people.is_hidden(connection, viewer)):
        return shown, found
    return shown, found._replace(rivalry=results.rivalry(connection, viewer, person, where))


def summary(connection: Connection, person: int, chat_id: int) -> Summary:
    """Somebody's results in a group, or everywhere."""
    standings = ratings.standings_of(connection, [person])
    tallies, streak = results.sums_of(connection, person, chat_id)
    return Summary(
        tallies=tallies,
        streak=streak,
        standings={key.family: standing for key, standing in standings.items()},
        milestones=results.milestones_of(connection, person),
    )


FEATURE: Final = Feature(
    heading=Heading.RESULTS,
    commands=[Command("stats", show, N_("Your stats"), Menus.PRIVATE)],
    taps={Stats: tapped},
    notices={NoticeKind.CHART: made},
    helps={
        HelpPage.RESULTS: lambda: _(
            "<b>/stats</b>: your results, or in a group with a <code>@name</code> somebody else's."
        )
    },
)
