"""Results are stored with the end of a game; what is made of them comes to the same however often it is made."""

from __future__ import annotations

import time
from collections import Counter
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from sqlalchemy import insert, select

from engine import Mark
from storage import chats, derived, games, ratings, results, standings, tallies
from storage.chats import Person
from storage.fairness import counted as counted_of
from storage.game import COMPUTER, Game, Termination
from storage.rating_day import Key
from storage.record import Decision, Record
from storage.result import Outcome, Result
from storage.results import DAY
from storage.schema import METADATA, RESULTS, WEEKS
from storage.store import Store
from storage.tally import PAGE, Streak, Tally
from tests.storage.examples import ANN, BOB, GROUP, HOME, add

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import URL, Connection

R = TypeVar("R")

X_WINS, DRAWN = "03142", "402817653"
NOW = int(time.time())
TODAY = NOW // DAY
DERIVED = ("tallies", "players", "weeks", "ratings", "standings", "pairs")


def ended(record: Record, values: dict[str, Any]) -> Decision[None]:
    return Decision(record.game._replace(**values), None)


async def play(store: Store, before: dict[str, Any] | None = None, **end: Any) -> Game:  # noqa: ANN401 - fields of a game
    """Store a game, and let it end so; by default X takes the first row."""
    record = await add(store, HOME, **{"moves": "0314", **(before or {})})
    values: dict[str, Any] = {"moves": X_WINS, "termination": Termination.LINE, "winner": Mark.X, **end}
    changed = await store.change(record.game.id, partial(ended, values=values))
    return changed.record.game


async def stored(store: Store) -> list[Result]:
    return await store.run(
        lambda c: [
            results.result_of(row) for row in c.execute(select(*results.COLUMNS).order_by(RESULTS.c.person))
        ]
    )


TWO = {"o_seat": BOB, "o_name": "Bob", "o_level": None}


async def test_a_game_against_the_computer_is_a_result_of_its_person_alone(store: Store) -> None:
    game = await play(store)
    (result,) = await stored(store)
    assert (result.game_id, result.person, result.opponent, result.level) == (game.id, ANN, COMPUTER, "medium")
    assert (result.outcome, result.mark, result.opening, result.plies) == (Outcome.WIN, Mark.X, "0", 5)
    assert abs(result.ended_at - time.time()) < 10


async def test_a_game_of_two_is_a_result_of_each(store: Store) -> None:
    await play(store, {**TWO, "chat_id": GROUP, "rules": "3x3x3-misere"}, winner=Mark.O)
    bobs, anns = await stored(store)
    assert (anns.outcome, bobs.outcome) == (Outcome.LOSS, Outcome.WIN)
    assert (anns.opponent, bobs.opponent) == (BOB, ANN)
    assert (anns.opening, bobs.opening) == ("0", None)
    assert {anns.rules, bobs.rules} == {"3x3x3-misere"}


async def test_a_draw_and_a_loss_on_time_count(store: Store) -> None:
    await play(store, moves=DRAWN, termination=Termination.FULL_BOARD, winner=None)
    await play(store, TWO, moves="0314", termination=Termination.TIMEOUT, winner=Mark.O)
    assert sorted(result.outcome for result in await stored(store)) == [Outcome.DRAW, Outcome.LOSS, Outcome.WIN]


@pytest.mark.parametrize(
    ("before", "end"),
    [
        ({"takebacks": 1}, {}),
        ({"host": ANN, "x_seat": COMPUTER, "x_level": "easy"}, {}),
        ({"watched": 0}, {}),
        ({"watched": 2, **TWO}, {}),
        ({}, {"moves": "0314", "termination": Termination.EXPIRED, "winner": None}),
        ({"o_seat": None}, {"moves": "", "termination": Termination.CANCELLED, "winner": None}),
        ({"o_seat": None}, {"moves": "", "termination": Termination.DECLINED, "winner": None}),
        ({"moves": "0", **TWO}, {"moves": "0", "termination": Termination.RESIGNATION, "winner": Mark.O}),
    ],
)
async def test_what_was_taken_back_watched_abandoned_or_never_begun_counts_for_nothing(
    store: Store, before: dict[str, Any], end: dict[str, Any]
) -> None:
    await play(store, before, **end)
    assert await stored(store) == []


async def test_a_change_after_the_end_is_no_second_result(store: Store) -> None:
    game = await play(store, TWO)
    await store.change(game.id, partial(ended, values={"offer": "rematch:X"}))
    assert len(await stored(store)) == 2


async def counted(store: Store) -> None:
    while await derived.count(store):
        pass
    await derived.count(store)


async def test_results_are_added_up_by_place_family_and_opponent(store: Store) -> None:
    for _ in range(2):
        await play(store)
    await play(
        store, {**TWO, "chat_id": GROUP, "rules": "5x5x4"}, winner=Mark.O, termination=Termination.RESIGNATION
    )
    await counted(store)
    await counted(store)
    everywhere = await store.run(partial(tallies.of_person, person=ANN))
    assert sorted(everywhere) == [Tally("bigger", "", 0, 0, 1), Tally("classic", "medium", 2, 0, 0)]
    assert await store.run(partial(tallies.of_person, person=ANN, chat_id=GROUP)) == [Tally("bigger", "", 0, 0, 1)]
    assert await store.run(partial(tallies.streak_of, person=ANN)) == Streak(-1, 2)
    assert await store.run(partial(tallies.streak_of, person=BOB, chat_id=GROUP)) == Streak(1, 1)
    assert await store.run(partial(tallies.streak_of, person=ANN, chat_id=GROUP - 1)) is None


@pytest.mark.parametrize(
    ("outcomes", "streak"),
    [("WWW", (3, 3)), ("WWLW", (1, 2)), ("LLL", (-3, 0)), ("WWD", (0, 2)), ("LW", (1, 1)), ("WL", (-1, 1))],
)
def test_streaks(outcomes: str, streak: tuple[int, int]) -> None:
    kinds = {"W": Outcome.WIN, "D": Outcome.DRAW, "L": Outcome.LOSS}
    found = Streak(0, 0)
    for letter in outcomes:
        found = found.after(kinds[letter])
    assert found == streak


async def test_who_has_only_tapped_is_known_by_the_name_of_their_seat(store: Store) -> None:
    await play(store, TWO)
    await counted(store)
    known = await store.run(partial(chats.find_person, person_id=BOB))
    assert known is not None
    assert known.name == "Bob"


async def test_of_two_people_only_the_first_wins_of_a_day_count_in_the_week(store: Store) -> None:
    for _ in range(5):
        await play(store, {**TWO, "chat_id": GROUP})
    await counted(store)
    page = await store.run(
        partial(standings.by_wins, week=tallies.week_of(NOW), chat_id=GROUP, family="", offset=0)
    )
    assert [(row.person, row.figure) for row in page] == [(ANN, 3)]


async def test_wins_of_a_week_are_those_of_the_games_that_ratings_count(store: Store) -> None:
    """Two who feed each other win no more by it than two who meet a few times, however often it is counted."""
    rng = Random(3)
    rows = []
    for number in range(80):
        one, other = rng.sample((ANN, BOB, 8), 2)
        ends = rng.choice(("line", "resignation", "timeout"))
        day = TODAY - rng.randrange(3)
        same = {"game_id": number + 1, "level": None, "rules": "3x3x3", "chat_id": GROUP, "termination": ends}
        same |= {"plies": rng.randrange(3, 9), "opening": None, "ended_at": day * DAY + number}
        for mark, person, opponent, outcome in (("X", one, other, "win"), ("O", other, one, "loss")):
            rows.append({**same, "mark": mark, "person": person, "opponent": opponent, "outcome": outcome})
    await store.run(lambda c: c.execute(insert(RESULTS), rows))
    wanted: Counter[tuple[int, int]] = Counter()
    for day in range(TODAY - 2, TODAY + 1):
        for game in counted_of(
            await store.run(partial(results.between_people, day=day, part=0))
        ):  # all are of one minute
            wanted[tallies.week_of(game.ended_at), game.person] += 1
    everywhere = select(WEEKS.c.week, WEEKS.c.person, WEEKS.c.wins).where(
        WEEKS.c.chat_id == 0, WEEKS.c.family == ""
    )
    for limit in (37, tallies.BATCH):
        while await store.run(partial(tallies.count, limit=limit)):
            pass
        rows_of_all = await store.run(lambda c: c.execute(everywhere).all())
        assert {(row.week, row.person): row.wins for row in rows_of_all} == wanted
        await store.run(tallies.forget_counts)


async def test_a_group_that_becomes_another_takes_its_counts_along(store: Store) -> None:
    await play(store, {**TWO, "chat_id": GROUP})
    await counted(store)
    await store.run(partial(chats.migrate, old=GROUP, new=GROUP - 5))
    assert await store.run(partial(tallies.of_person, person=ANN, chat_id=GROUP)) == []
    assert len(await store.run(partial(tallies.of_person, person=ANN, chat_id=GROUP - 5))) == 1
    assert await store.run(partial(tallies.streak_of, person=BOB, chat_id=GROUP - 5)) == Streak(-1, 0)
    week = partial(standings.by_wins, week=tallies.week_of(NOW), chat_id=GROUP - 5, family="", offset=0)
    assert len(await store.run(week)) == 1
    await play(store, {**TWO, "chat_id": GROUP})
    await counted(store)
    await store.run(partial(chats.migrate, old=GROUP, new=GROUP - 5))
    (both,) = await store.run(partial(tallies.of_person, person=ANN, chat_id=GROUP - 5))
    assert both.wins == 2


async def test_no_transaction_reads_all_games_of_a_day_and_each_is_rated_once(url: URL) -> None:
    games_a_day, read = 500, []

    class Counted(Store):
        async def run(self, work: Callable[[Connection], R]) -> R:
            found = await super().run(work)
            if isinstance(found, list):
                read.append(sum(isinstance(each, Result) for each in found))
            return found

    store = Counted(url)
    rows = []
    for number in range(games_a_day):
        at = (TODAY - 2) * DAY + number * (DAY - 1) // (games_a_day - 1)  # from its first second to its last
        same = {"game_id": number + 1, "level": None, "rules": "3x3x3", "chat_id": None, "termination": "line"}
        same |= {"plies": 7, "opening": None, "ended_at": at}
        one, other = 10 + number, 10_000 + number
        for mark, person, opponent, outcome in (("X", one, other, "win"), ("O", other, one, "loss")):
            rows.append({**same, "mark": mark, "person": person, "opponent": opponent, "outcome": outcome})
    await store.run(lambda c: c.execute(insert(RESULTS), rows))
    while await derived.rate(store):
        pass
    rated = await store.run(partial(ratings.before, people=range(10, 10 + games_a_day), day=TODAY))
    assert [each.games for key, each in rated.items() if not key.family] == [1] * games_a_day
    assert sum(read) == games_a_day
    assert max(read) < games_a_day / 50
    await store.close()


async def some_days(store: Store, *, days: int = 12, people: int = 12) -> None:
    """Games of some days before today, between people and against the computer, straight into the table."""
    rng = Random(5)
    await add(store, HOME)  # a game, which no result refers to
    rows = []
    for number in range(days * 40):
        day = TODAY - days + number // 40
        one, other = rng.sample(range(1, people + 1), 2)
        won = rng.choice(["win", "draw", "loss"])
        turned = {"win": "loss", "draw": "draw", "loss": "win"}[won]
        same = {
            "game_id": 1000 + number,
            "level": None,
            "rules": rng.choice(["3x3x3", "ultimate"]),
            "chat_id": rng.choice([GROUP, 5]),
            "termination": "line",
            "plies": 7,
            "ended_at": day * DAY + number % 40 * 100,
        }
        rows += [
            {**same, "person": one, "opponent": other, "mark": "X", "outcome": won, "opening": "4"},
            {**same, "person": other, "opponent": one, "mark": "O", "outcome": turned, "opening": None},
        ]
    await store.run(lambda c: c.execute(insert(RESULTS), rows))


async def everything(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    tables = [METADATA.tables[name] for name in DERIVED]
    return await store.run(
        lambda c: {table.name: sorted(tuple(row) for row in c.execute(select(table))) for table in tables}
    )


async def test_a_rebuild_comes_to_what_was_counted_day_by_day(store: Store) -> None:
    await some_days(store)
    await counted(store)
    while await derived.rate(store):
        pass
    before = await everything(store)
    assert all(before.values())
    said: list[str] = []
    await derived.rebuild(store, said.append)
    assert await everything(store) == before
    assert said == ["960 results are counted.", "12 days are rated."]


async def test_a_day_that_is_rated_twice_comes_to_the_same(store: Store, other_store: Store) -> None:
    """As if a process had been killed in the middle of it, or two were at it."""
    await some_days(store)
    while await derived.rate(store):
        pass
    before = await everything(store)
    for again in (store, other_store):
        await derived.rate_one(again, TODAY - 1, derived.in_a_thread)
    assert await everything(store) == before


async def test_one_process_at_a_time_makes_ratings(store: Store, other_store: Store) -> None:
    await some_days(store, days=1)
    now = int(time.time())
    assert await store.run(partial(ratings.claim, now=now))
    assert not await other_store.run(partial(ratings.claim, now=now + 5))
    assert not await derived.rate(other_store)
    assert await other_store.run(partial(ratings.claim, now=now + ratings.CLAIM_SECONDS))


async def test_a_day_is_rated_once_it_is_over(store: Store) -> None:
    await some_days(store, days=1)
    midnight = TODAY * DAY
    assert not await derived.rate(store, now=midnight + 60)
    assert await derived.rate(store, now=midnight + derived.LATE_SECONDS)
    assert not await derived.rate(store, now=midnight + derived.LATE_SECONDS)


async def test_an_idle_rating_becomes_provisional(store: Store) -> None:
    await some_days(store, days=40)
    while await derived.rate(store):
        pass
    page = await store.run(partial(standings.by_rating, family="", offset=0))
    assert any(row.is_settled for row in page)
    later = (TODAY + 1000) * DAY
    assert not await derived.rate(store, now=later)
    page = await store.run(partial(standings.by_rating, family="", offset=0))
    assert not any(row.is_settled for row in page)


async def test_who_hides_stands_in_no_list_now_and_later(store: Store) -> None:
    await some_days(store, days=2, people=8)
    await counted(store)
    await store.run(partial(chats.hide, person=Person(3, "Cem"), hidden=True))
    assert await derived.rate(store)
    await store.run(partial(chats.hide, person=Person(4, "Dan"), hidden=True))
    assert await derived.rate(store)
    for chat_id in (0, GROUP):
        page = await store.run(partial(standings.by_rating, family="", offset=0, chat_id=chat_id))
        assert page
        assert {3, 4}.isdisjoint({row.person for row in page})
        week = tallies.week_of((TODAY - 1) * DAY)
        wins = await store.run(partial(standings.by_wins, week=week, family="", offset=0, chat_id=chat_id))
        assert {3, 4}.isdisjoint({row.person for row in wins})
    await store.run(partial(chats.hide, person=Person(4, "Dan"), hidden=False))
    page = await store.run(partial(standings.by_rating, family="", offset=0))
    assert 4 in {row.person for row in page}
    assert 3 not in {row.person for row in page}


async def test_pages_of_a_list_hold_everybody_once_and_ones_own_place_fits_them(store: Store) -> None:
    await some_days(store, people=25)
    await counted(store)
    while await derived.rate(store):
        pass
    for chat_id in (0, GROUP):
        week = tallies.week_of((TODAY - 1) * DAY)
        for listed, place in (
            (
                partial(standings.by_rating, family="", chat_id=chat_id),
                partial(standings.place_by_rating, family="", chat_id=chat_id),
            ),
            (
                partial(standings.by_wins, week=week, family="", chat_id=chat_id),
                partial(standings.place_by_wins, week=week, family="", chat_id=chat_id),
            ),
        ):
            seen: list[int] = []
            while page := await store.run(partial(listed, offset=len(seen))):
                seen += [row.person for row in page]
            assert len(seen) == len(set(seen)) > PAGE
            for number, person in enumerate(seen, 1):
                found = await store.run(partial(place, person=person))
                assert found is not None
                assert found.place == number
            assert await store.run(partial(place, person=999)) is None


async def test_a_curve_begins_with_the_oldest_of_the_last_ratings(store: Store) -> None:
    await some_days(store)
    while await derived.rate(store):
        pass
    curve = await store.run(partial(ratings.curve, person=1, family="", limit=5))
    assert [rated.day for rated in curve] == sorted(rated.day for rated in curve)
    assert len(curve) == 5
    newest = await store.run(partial(ratings.before, people=[1], day=TODAY))
    assert newest[Key(1, "")] == curve[-1]


async def test_the_end_and_its_results_are_stored_together_or_not_at_all(store: Store) -> None:
    """A result that is there already (as a second process would have left it) refuses the whole change."""
    record = await add(store, HOME, moves="0314")
    clash = dict.fromkeys(results.NAMES) | {
        "game_id": record.game.id,
        "person": ANN,
        "opponent": 0,
        "rules": "3x3x3",
        "mark": "X",
        "outcome": "win",
        "termination": "line",
        "plies": 5,
        "ended_at": NOW,
    }
    await store.run(lambda c: c.execute(insert(RESULTS), clash))
    values = {"moves": X_WINS, "termination": Termination.LINE, "winner": Mark.X}
    with pytest.raises(Exception):  # noqa: B017, PT011 - each database has its own
        await store.change(record.game.id, partial(ended, values=values))
    assert not (await store.run(partial(games.load, game_id=record.game.id))).game.is_over


async def test_a_username_leads_to_its_person(store: Store) -> None:
    await store.run(partial(chats.see, person=Person(ANN, "Ann", username="Ann_Plays")))
    assert await store.run(partial(chats.find_username, username="ann_plays")) == ANN
    assert await store.run(partial(chats.find_username, username="ANN_PLAYS")) == ANN
    assert await store.run(partial(chats.find_username, username="nobody_here")) is None


async def test_a_username_leads_to_who_has_it_now(store: Store) -> None:
    await store.run(partial(chats.see, person=Person(BOB, "Bob", username="The_Name")))
    await store.run(partial(chats.see, person=Person(ANN, "Ann", username="THE_name")))
    assert await store.run(partial(chats.find_username, username="the_name")) == ANN
    bob = await store.run(partial(chats.find_person, person_id=BOB))
    assert bob == Person(BOB, "Bob"), "he has it no more"


async def test_ratings_are_not_thrown_away_while_another_process_makes_some(
    store: Store, other_store: Store
) -> None:
    """What it stores of its day afterwards would stand for all days before."""
    await some_days(store)
    while await derived.rate(store):
        pass
    before = await everything(store)
    await store.run(partial(ratings.finish_day, day=TODAY - 2))

    async def compute(*day: Any) -> Any:  # noqa: ANN401 - what `rate_day` takes and gives
        assert not await other_store.run(partial(ratings.forget, now=int(time.time())))
        return await derived.in_a_thread(*day)

    assert await derived.rate(store, compute)
    assert await everything(store) == before
    assert await other_store.run(partial(ratings.forget, now=int(time.time())))
