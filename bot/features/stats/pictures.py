"""The picture of somebody's results: its figures are gathered here, and a worker process draws it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.boards.buttons import Stats
from bot.boards.rules import ALL
from bot.boards.translations import texts
from bot.boards.view import View
from bot.context.services import Services
from bot.delivery.entries import OutgoingMessage, Picture
from bot.features.stats import handlers as stats
from bot.features.stats import views
from bot.features.stats.views import Shown
from bot.workers import jobs
from bot.workers.pool import Job, NoAnswer
from engine.rules.families import family_of
from storage.games.notice import Notice
from storage.results import ratings, results, weeks
from storage.results.result import Outcome, Result

WEEKS: Final = 26
GAMES: Final = 1000
"""How many of the last games the weeks are counted from."""
DAYS: Final = 365
"""The most points of the rating curve."""
SECONDS: Final = 5.0


class Drawn(NamedTuple):
    """What a picture shows, in the form that `bot.boards.pictures.charts` takes."""

    weeks: list[tuple[int, int, int]]
    monday: int
    curve: list[tuple[int, float]]


async def made(services: Services, notice: Notice) -> OutgoingMessage | None:
    """The message with the picture of somebody's results, or one that says it can't be drawn now.

    Raises:
        StorageError: if the database cannot be used.
    """
    if (found := await services.store.read(partial(_gather, notice=notice))) is None:
        return None
    shown, (weeks, monday, curve) = found
    t = texts(notice.language)
    say = partial(OutgoingMessage, notice.chat_id, thread_id=notice.thread_id, person=notice.person, notice=notice)
    try:
        work = partial(jobs.results_chart, weeks, monday, curve)
        drawn = await services.workers.run(Job(("picture", notice.id), work, SECONDS))
    except NoAnswer:
        return say(View(t.gettext("I can't draw it right now. Try again in a minute.")))
    caption = views.caption(shown, t, rated=bool(curve))
    return say(View(caption), picture=Picture(drawn, "results.png"))


def _gather(connection: Connection, *, notice: Notice) -> tuple[Shown, Drawn] | None:
    """What a picture shows; None if the person who asked may not see it any more."""
    person, family = notice.subject or 0, notice.family
    chosen = Stats(person, here=notice.here, family=family)
    target, viewer = stats.Target(person), notice.person or 0
    if (
        seen := stats.gather(connection, target=target, viewer=viewer, chat_id=notice.chat_id, chosen=chosen)
    ) is None:
        return None
    found = results.newest(connection, person, GAMES, chat_id=notice.chat_id if notice.here else None)
    curve = () if ratings.are_being_made(connection) else ratings.curve(connection, person, family, DAYS)
    now = time.time()
    drawn = Drawn(
        weeks_of((result for result in found if family in (ALL, family_of(result.rules))), now),
        weeks.monday_of(weeks.week_of(int(now))),
        list(curve),
    )
    return seen[0], drawn


def weeks_of(found: Iterable[Result], now: float) -> list[tuple[int, int, int]]:
    """Games won, drawn and lost in each of the last weeks, from the first of them with a game."""
    last = weeks.week_of(int(now))
    counts: dict[int, Counter[Outcome]] = {}
    for result in found:
        counts.setdefault(weeks.week_of(result.ended_at), Counter())[result.outcome] += 1
    first = max(min(counts, default=last), last - WEEKS + 1)
    played = (counts.get(week, Counter[Outcome]()) for week in range(first, last + 1))
    return [(week[Outcome.WIN], week[Outcome.DRAW], week[Outcome.LOSS]) for week in played]
