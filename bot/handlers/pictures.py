"""The picture of somebody's results: gathered here, drawn by a process that thinks."""

from __future__ import annotations

import base64
import time
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.delivery.entries import Picture, Words
from bot.thinking.workers import Job, NoAnswer
from bot.views import stats as views
from bot.views.families import ALL
from bot.views.view import View
from engine.families import family_of
from storage import forgotten, ratings, results, tallies
from storage.errors import StorageError
from storage.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection

    from bot.handlers.requests import Sender
    from bot.views.stats import Shown
    from storage.result import Result

WEEKS: Final = 26
GAMES: Final = 1000
"""Of so many last games the weeks are told."""
DAYS: Final = 365
"""So many ratings the curve has at most."""
SECONDS: Final = 5.0


async def made(sender: Sender, shown: Shown) -> Words:
    """The message with the picture of what somebody is shown; or that it cannot be drawn now."""
    services, where, t = sender.services, sender.where, sender.t
    chat_id = where.chat_id or 0
    say = partial(Words, chat_id, thread_id=where.thread_id, person=sender.user.id)
    try:
        arguments = await services.store.run(partial(_gather, shown=shown, chat_id=chat_id))
        job = Job(("results chart", sender.user.id), "results chart", {**arguments, "seconds": SECONDS})
        drawn = await services.workers.run(job)
    except (NoAnswer, StorageError):
        return say(View(t.gettext("I cannot draw it now. Please try again in a minute.")))
    words = views.caption(shown, t, rated=bool(arguments["curve"]))
    known = partial(services.store.run, partial(_is_known, person=shown.wish.person))
    return say(View(words), picture=Picture(base64.b64decode(drawn), "results.png", holds=known))


def _is_known(connection: Connection, *, person: int) -> bool:
    """Whether somebody was not forgotten while their picture was drawn, or waited."""
    return not forgotten.is_gone(connection, person)


def _gather(connection: Connection, *, shown: Shown, chat_id: int) -> dict[str, object]:
    wish = shown.wish
    here = chat_id if wish.here else None
    found = results.newest(connection, wish.person, GAMES, chat_id=here)
    curve = ratings.curve(connection, wish.person, wish.family, DAYS)
    now = time.time()
    return {
        "weeks": weeks_of((result for result in found if wish.family in (ALL, family_of(result.rules))), now),
        "monday": tallies.monday_of(tallies.week_of(int(now))),
        "curve": [(rated.day, rated.rating.rating) for rated in curve],
    }


def weeks_of(found: Iterable[Result], now: float) -> list[tuple[int, int, int]]:
    """Games won, drawn and lost in each of the last weeks, from the first of them with a game."""
    last = tallies.week_of(int(now))
    counts: dict[int, Counter[Outcome]] = {}
    for result in found:
        counts.setdefault(tallies.week_of(result.ended_at), Counter())[result.outcome] += 1
    first = max(min(counts, default=last), last - WEEKS + 1)
    weeks = (counts.get(week, Counter[Outcome]()) for week in range(first, last + 1))
    return [(week[Outcome.WIN], week[Outcome.DRAW], week[Outcome.LOSS]) for week in weeks]
