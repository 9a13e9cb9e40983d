"""What is stored with the end of a game: its results, milestones, and the level of the adaptive difficulty."""

import asyncio
import time
from functools import partial
from itertools import product
from typing import Any

import pytest
from sqlalchemy import Connection, event, insert, select, update

from engine import Level, Mark
from storage.games import games
from storage.games.game import COMPUTER, Side, Termination
from storage.games.record import Record
from storage.people import chats
from storage.people.person import Person
from storage.results import leaderboards, results
from storage.results.result import (
    EVERYWHERE,
    GOALS,
    MANY_GAMES,
    UNBEATEN,
    Ending,
    Result,
    Streak,
    Tally,
    milestones_after,
    results_of,
)
from storage.schema import MILESTONES, RESULTS
from storage.store import Store
from tests.storage.examples import (
    ANN,
    BOB,
    DRAWN,
    GROUP,
    NEW,
    TWO,
    WON,
    change,
    ending,
    finish,
    finished,
    kind_of,
    nearly,
)

NOW = int(time.time())
SUPERGROUP = GROUP - 5
WIN, DRAW, LOSS = Ending.WIN, Ending.DRAW, Ending.LOSS
LOST: dict[str, Any] = {"winner": Mark.O, "termination": Termination.RESIGNATION}
FULL: dict[str, Any] = {"moves": DRAWN, "termination": Termination.FULL_BOARD, "winner": None}
ENDS: dict[str, tuple[Ending, dict[str, Any]]] = {
    "W": (WIN, WON),
    "L": (LOSS, {**WON, "winner": Mark.O}),
    "D": (DRAW, FULL),
}
EASY = {"o": Side(COMPUTER, "easy")}
BEGUN = {"o": Side(COMPUTER, "easy"), "next_level": "easy"}


def test_a_game_is_a_result_of_each_person_in_it_and_no_second_one_later(connection: Connection) -> None:
    against = finished(connection)
    both = finished(connection, {**TWO, "chat_id": GROUP, "rules": "3x3x3-misere"}, winner=Mark.O)
    finished(connection, **FULL)
    finish(connection, both.id, winner=Mark.O, offer="rematch:X")
    rows = select(*results.COLUMNS).order_by(RESULTS.c.game_id, RESULTS.c.person.desc())
    alone, anns, bobs, drawn = [Result._make(row) for row in connection.execute(rows)]
    assert (alone.game_id, alone.person, alone.opponent, alone.level) == (against.id, ANN, COMPUTER, "medium")
    assert (alone.outcome, alone.mark, alone.plies) == (WIN, Mark.X, 5)
    assert abs(alone.ended_at - time.time()) < 60
    assert (anns.person, anns.opponent, anns.outcome, anns.mark) == (ANN, BOB, LOSS, Mark.X)
    assert (bobs.person, bobs.opponent, bobs.outcome, bobs.mark) == (BOB, ANN, WIN, Mark.O)
    assert {anns.rules, bobs.rules} == {"3x3x3-misere"}
    assert drawn.outcome is DRAW


@pytest.mark.parametrize(
    ("values", "count"),
    [
        (TWO | {"moves": "0314", "termination": Termination.TIMEOUT, "winner": Mark.O}, 2),
        ({"takebacks": 1}, 0),
        ({"host": ANN, "x": Side(COMPUTER, "easy")}, 0),
        ({"moves": "0314", "termination": Termination.EXPIRED, "winner": None}, 0),
        ({"o": Side(), "moves": "", "termination": Termination.CANCELLED, "winner": None}, 0),
        ({"o": Side(), "moves": "", "termination": Termination.DECLINED, "winner": None}, 0),
        (TWO | {"moves": "0", "termination": Termination.RESIGNATION, "winner": Mark.O}, 0),
    ],
    ids=["on time", "taken back", "watched", "abandoned", "cancelled", "declined", "never begun"],
)
def test_what_was_taken_back_watched_abandoned_or_never_begun_counts_for_nothing(
    values: dict[str, Any], count: int
) -> None:
    game = NEW._replace(**{**WON, **values})
    assert len(results_of(game._replace(kind=kind_of(game)), NOW)) == count


def test_results_are_added_up_by_place_family_and_opponent_and_go_along_to_a_supergroup(
    connection: Connection,
) -> None:
    there = {**TWO, "chat_id": GROUP, "rules": "5x5x4"}
    for _ in range(2):
        finished(connection)
    finished(connection, there, **LOST)

    def of_ann(chat_id: int = EVERYWHERE) -> list[Tally]:
        return [*results.sums_of(connection, ANN, chat_id)[0]]

    assert of_ann() == [Tally("bigger", "", 0, 0, 1), Tally("classic", "medium", 2, 0, 0)]
    assert of_ann(GROUP) == [Tally("bigger", "", 0, 0, 1)]
    found = [results.sums_of(connection, *each)[1] for each in ((ANN,), (BOB, GROUP), (ANN, SUPERGROUP))]
    assert found == [Streak(-1, 2), Streak(1, 1), None]
    for losses in (1, 2):
        chats.move_group(connection, old=GROUP, new=SUPERGROUP)
        assert of_ann(GROUP) == []
        assert of_ann(SUPERGROUP) == [Tally("bigger", "", 0, 0, losses)]
        week = leaderboards.week_of(NOW)
        (won,) = leaderboards.by_wins(connection, week=week, chat_id=SUPERGROUP, family="", offset=0)
        assert (won.person, won.figure) == (BOB, losses)
        finished(connection, there, **LOST)


def test_the_newest_results_of_a_group_are_found_behind_any_number_elsewhere(connection: Connection) -> None:
    there = finished(connection, {**TWO, "chat_id": GROUP})
    elsewhere = [finished(connection).id for _ in range(3)]
    found = [results.newest(connection, ANN, 2, chat_id) for chat_id in (EVERYWHERE, GROUP, SUPERGROUP)]
    assert [[result.game_id for result in each] for each in found] == [elsewhere[:0:-1], [there.id], []]


@pytest.mark.parametrize(
    ("outcomes", "streak"),
    [("WWW", (3, 3)), ("WWLW", (1, 2)), ("LLL", (-3, 0)), ("WWD", (0, 2)), ("LW", (1, 1)), ("WL", (-1, 1))],
)
def test_streaks(outcomes: str, streak: tuple[int, int]) -> None:
    assert streak_after(outcomes) == streak


def streak_after(letters: str) -> Streak:
    streak = Streak(0, 0)
    for letter in letters:
        streak = streak.after(ENDS[letter][0])
    return streak


def test_streaks_go_on_in_a_group_that_becomes_another_also_if_both_were_played_in(connection: Connection) -> None:
    cases = list(product(["", "W", "L", "WW", "WWWLLL", "LWWD"], ["", "W", "LWW", "WWWW"]))
    for chat_id, position in ((GROUP, 0), (SUPERGROUP, 1)):
        chats.load_or_add(connection, chat_id)
        for person, case in enumerate(cases, 100):
            seats = {"x": Side(person), "o": Side(1000 + person), "chat_id": chat_id}
            new = [NEW._replace(**{**seats, **ENDS[letter][1]}) for letter in case[position]]
            results.add(connection, games.insert_many(connection, new) if new else (), NOW + position)
    chats.move_group(connection, old=GROUP, new=SUPERGROUP)
    for person, case in enumerate(cases, 100):
        found = results.sums_of(connection, person, SUPERGROUP)[1]
        assert found == (streak_after("".join(case)) if any(case) else None)
        assert results.sums_of(connection, person, GROUP)[1] is None


def test_the_end_and_its_results_are_stored_together_or_not_at_all(connection: Connection) -> None:
    """A result that exists already (from a second process) makes the whole change fail."""
    game = games.load(connection, nearly(connection)).game
    (result,) = results_of(game._replace(**WON), NOW)
    connection.execute(insert(RESULTS), result._asdict())
    with pytest.raises(Exception, match=r"(?i)unique"), connection.begin_nested():
        finish(connection, game.id)
    assert not games.load(connection, game.id).game.is_over


# Milestones.


def result(outcome: Ending, level: str | None) -> Result:
    return Result(1, ANN, 0, level, "3x3x3", "classic", None, Mark.X, outcome, Termination.LINE, 5, 0)


def test_each_milestone_is_come_to_once_and_when_it_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    """All sequences of six games, with low goals."""
    goals = {"easy": 1, "hard": 1, UNBEATEN: 3, MANY_GAMES: 5}
    monkeypatch.setattr("storage.results.result.GOALS", goals)
    kinds = [(WIN, "easy"), (WIN, None), (DRAW, "hard"), (LOSS, "easy")]
    for ended in product(kinds, repeat=6):
        counts: dict[str, int] = {}
        told = []
        for number, (outcome, level) in enumerate(ended):
            changed = milestones_after(counts, result(outcome, level))
            counts |= changed
            told += [(name, number) for name, count in changed.items() if count == goals[name]]
        unbeaten = [n for n in range(2, 6) if all(each is not LOSS for each, _ in ended[n - 2 : n + 1])]
        due = [(UNBEATEN, number) for number in unbeaten[:1]] + [(MANY_GAMES, 4)]
        due += [("easy", ended.index(kinds[0]))] if kinds[0] in ended else []
        assert sorted(told) == sorted(due)


def test_the_first_win_against_a_level_is_told_by_the_game_that_brings_it_and_by_no_other(
    connection: Connection,
) -> None:
    assert finished(connection, EASY, **LOST).x.reached is None
    assert finished(connection, EASY | {"takebacks": 1}).x.reached is None, "it doesn't count"
    assert finished(connection, EASY | {"hints": 1}).x.reached is None, "a hint brings no medal"
    assert [finished(connection, EASY).x.reached for _ in range(2)] == ["easy", None]
    assert finished(connection).x.reached == "medium"
    assert finished(connection, EASY).x.reached is None
    assert set(results.milestones_of(connection, ANN)) == {"easy", "medium"}


async def test_games_that_end_together_in_two_processes_tell_each_milestone_once(
    store: Store, other_store: Store
) -> None:
    for _ in range(9):
        await store.run(finished, TWO)
    made = [await store.run(nearly, **TWO) for _ in range(4)]
    together = await asyncio.gather(
        *((store, other_store)[n % 2].change(*ending(each)) for n, each in enumerate(made))
    )
    assert sorted(each.record.game.x.reached or "" for each in together) == ["", "", "", UNBEATEN]
    almost = update(MILESTONES).where(MILESTONES.c.name == MANY_GAMES).values(progress=GOALS[MANY_GAMES] - 1)
    await store.run(lambda c: c.execute(almost))
    last = await store.run(finished, TWO)
    assert (last.x.reached, last.o.reached) == (MANY_GAMES, MANY_GAMES), "each player has reached it"
    assert set(await store.run(results.milestones_of, BOB)) == {MANY_GAMES}


def test_where_others_look_on_nothing_is_told_about_somebody_who_hides(connection: Connection) -> None:
    there = {"chat_id": GROUP}
    assert finished(connection, EASY | there).x.reached == "easy"
    results.hide(connection, Person(ANN, "Ann"))
    ((raised,), _) = results.clear_shown(connection, ANN, 5)
    assert isinstance(raised.record, Record)
    assert raised.record.game.x.reached is None
    assert finished(connection, there).x.reached is None
    assert finished(connection, {"o": Side(COMPUTER, "hard")}).x.reached == "hard", "in the private chat"
    assert set(results.milestones_of(connection, ANN)) == {"easy", "medium", "hard"}


# The adaptive difficulty follows wins and losses, by person and family of rules.


def test_two_wins_in_a_row_lead_a_level_up_and_two_losses_one_down_and_nothing_else_does() -> None:
    levels = list(Level)
    for start, ended in product(levels, product(Ending, repeat=5)):
        level, streak = start, 0
        since: list[Ending] = []
        for outcome in ended:
            before = level
            level, streak = results.moved_level(level, streak, outcome)
            since.append(outcome)
            step = 1 if since[-2:] == [WIN, WIN] else -1 if since[-2:] == [LOSS, LOSS] else 0
            assert level is levels[min(max(levels.index(before) + step, 0), len(levels) - 1)]
            if step:
                since = []


def test_somebody_new_begins_easily_and_each_family_of_boards_has_its_level(connection: Connection) -> None:
    level_of = partial(results.level_of, connection)
    for before in (
        EASY,
        BEGUN | {"takebacks": 1},
        BEGUN | {"hints": 1},
        {"o": Side(COMPUTER, "hard"), "next_level": "hard"},
    ):
        for _ in range(3):
            finished(connection, before)
    assert level_of(ANN, "3x3x3") is Level.EASY, "none of these counts for it"
    assert [finished(connection, BEGUN).next_level for _ in range(2)] == ["easy", "medium"], "the board says so"
    found = [level_of(*each) for each in ((ANN, "3x3x3"), (ANN, "5x5x4"), (BOB, "3x3x3"))]
    assert found == [Level.MEDIUM, Level.EASY, Level.EASY]
    medium = {"o": Side(COMPUTER, "medium"), "next_level": "medium"}
    assert [finished(connection, medium, **LOST).next_level for _ in range(2)] == ["medium", "easy"]


def test_many_games_that_end_together_are_counted_one_by_one(connection: Connection) -> None:
    ended = change(connection, *(ending(nearly(connection, **BEGUN)) for _ in range(5)))
    assert {each.record.game.next_level for each in ended} == {"easy", "medium"}
    assert results.level_of(connection, ANN, "3x3x3") is Level.MEDIUM, "the others had started at the level before"


def test_a_batch_takes_as_many_statements_however_many_games_against_the_computer_it_ends(
    connection: Connection,
) -> None:
    """With a new level and a milestone in a group in each, which is told of nobody who hides."""
    sent: list[str] = []
    event.listen(connection, "before_cursor_execute", lambda *given: sent.append(str(given[2])))

    def sent_by(*players: int) -> int:
        ids = [nearly(connection, **BEGUN, x=Side(person), chat_id=GROUP) for person in players]
        sent.clear()
        change(connection, *map(ending, ids))
        return len(sent)

    assert sent_by(101, 102, 103, 104, 105) == sent_by(100)
