"""Forgetting a person: no row or file has anything of them, and those who played with them keep everything."""

from __future__ import annotations

import random
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL, Connection, Engine, delete, insert, select

from engine import Mark
from storage.database import connect, empty_log
from storage.errors import GameNotFound
from storage.games import boards, games, lookups, outbox
from storage.games.boards import Sent
from storage.games.game import Termination, is_erased
from storage.games.record import WHOLE, Board, Notice, NoticeKind, Page, Place, Record, ReviewMode
from storage.people import people
from storage.people.person import Person
from storage.privacy import erasure, forgotten, traces
from storage.privacy.forgotten import Entry, Journal
from storage.privacy.personal import HELD
from storage.privacy.traces import Traces
from storage.results import leaderboards, rebuild, results, statistics
from storage.results.result import DAY
from storage.schema import BOARDS, GAMES, PAIRS, RATINGS, RESULTS
from storage.store import Store
from tests.storage.examples import GROUP, LINK, become, put, read
from tests.storage.people_everywhere import (
    NAME,
    OTHER,
    OTHERS_NAME,
    USERNAME,
    WHO,
    files_of,
    fill,
    found_in_files,
    found_in_rows,
)

ELSEWHERE = {"tallies.chat_id", "players.chat_id", "weeks.chat_id", "erasures.person"}
"""Columns in which only groups stand, and what forgetting itself stores."""
OWN = Place(chat_id=WHO, viewer=WHO)
THEIRS = Place(chat_id=OTHER, viewer=OTHER)
HALL = Place(chat_id=GROUP)
WITH_OTHER: dict[str, Any] = {
    "x_seat": WHO,
    "o_seat": OTHER,
    "o_level": None,
    "names": {WHO: NAME, OTHER: OTHERS_NAME},
}


def begin(connection: Connection, *, person: int = WHO) -> None:
    entry = forgotten.entry_of(connection, person, 1000)
    erasure.begin(connection, Person(person, NAME, USERNAME if person == WHO else None), entry, 1000)


async def gone_on(store: Store) -> list[erasure.Step]:
    """Do all remaining steps."""
    steps = []
    while (step := await store.run(erasure.step)) is not None:
        steps.append(step)
        assert len(steps) < 100
        if step.farewell is not None:
            await store.run(partial(outbox.done, notice=step.farewell))
    assert steps[-1].is_gone
    return steps


async def forgotten_whole(store: Store) -> list[erasure.Step]:
    """Forget them; returns the steps that it took."""
    await store.run(begin)
    return await gone_on(store)


async def test_nothing_is_left_in_any_column_that_can_tell_of_somebody(store: Store, engine: Engine) -> None:
    await store.run(fill)
    everywhere = {f"{table}.{column}" for table, columns in HELD.items() for column in columns}
    assert everywhere - set(found_in_rows(engine)) == ELSEWHERE, "every personal column names them"
    await forgotten_whole(store)
    assert found_in_rows(engine) == []
    with engine.connect() as connection:
        assert people.find(connection, OTHER) == Person(OTHER, OTHERS_NAME)


async def test_nothing_is_left_in_the_bytes_of_any_file(sqlite: URL) -> None:
    store = Store(sqlite)
    await store.run(fill)
    assert len(found_in_files(files_of(sqlite))) >= 1
    await forgotten_whole(store)
    assert await store.run(traces.noted) == Traces.GAPS
    assert empty_log(sqlite, gaps=True)
    await store.run(traces.note_emptied)
    assert found_in_files(files_of(sqlite)) == [], "while the bot runs, write-ahead log included"
    await store.close()


async def test_a_start_while_somebody_waits_to_be_told_leaves_the_rest_to_be_emptied(
    sqlite: URL, tmp_path: Path
) -> None:
    """Until they are told, the outbox has their chat; the bot reads the list of forgotten people at its start."""
    journal, store = Journal(tmp_path / "list"), Store(sqlite)
    await store.run(fill)
    await store.run(begin)
    while (step := await store.run(erasure.step)) is not None and not step.is_gone:
        pass
    assert step is not None
    assert step.farewell is not None
    journal.add(await store.run(forgotten.entries))
    assert await erasure.forget_again(store, journal) == 0
    await store.run(partial(outbox.done, notice=step.farewell))
    assert await store.run(traces.noted) == Traces.LOG
    assert await traces.empty(store)
    assert found_in_files(files_of(sqlite)) == []
    assert await store.run(traces.noted) == Traces.NOWHERE
    await store.close()


def test_a_file_is_rewritten_so_that_no_gap_in_it_tells_of_anybody(sqlite: URL) -> None:
    """When SQLite splits an index page, it leaves copies behind that no deletion overwrites."""
    engine = connect(sqlite, create=False)
    number = random.Random(7)
    ids = [number.randrange(2**45, 2**47) for _ in range(3000)]
    with engine.begin() as connection:
        values = {"rules": "3x3x3", "created_at": 1, "changed_at": 1, "version": 1, "termination": "timeout"}
        connection.execute(insert(GAMES), [{**values, "x_seat": person, "o_seat": OTHER} for person in ids])
    with engine.begin() as connection:
        connection.execute(delete(GAMES).where(GAMES.c.x_seat.in_(ids[:300])))
    engine.dispose()

    def found() -> int:
        content = Path(sqlite.database or "").read_bytes()
        return sum(person.to_bytes(6) in content for person in ids[:300])

    assert empty_log(sqlite)
    assert found() > 0, "otherwise this proves nothing"
    assert empty_log(sqlite, gaps=True)
    assert found() == 0


async def test_after_a_process_was_killed_between_two_steps_another_goes_on(url: URL) -> None:
    """What they start meanwhile is forgotten too."""
    stores = [Store(url)]
    for _ in range(erasure.SHOWN + 5):
        await stores[0].run(lambda connection: put(connection, HALL, OWN, chat_id=GROUP, **WITH_OTHER) and None)
    await stores[0].run(begin)
    count = 0
    while (step := await stores[-1].run(erasure.step)) is not None:
        if step.farewell is not None:
            await stores[-1].run(partial(outbox.done, notice=step.farewell))
        await stores.pop().close()
        stores.append(Store(url))
        if count < 5:
            await stores[0].run(lambda connection: put(connection, OWN, chat_id=WHO, x_seat=WHO) and None)
        count += 1
    assert count > 5
    engine = connect(url, create=False)
    assert found_in_rows(engine) == []
    engine.dispose()
    await stores[0].close()


async def test_their_opponent_wins_and_keeps_the_game(store: Store) -> None:
    def stored(connection: Connection) -> Record:
        return put(connection, OWN, THEIRS, chat_id=WHO, moves="04", **WITH_OTHER)

    record = await store.run(stored)
    steps = await forgotten_whole(store)
    game, boards_left = await store.run(partial(games.load, game_id=record.game.id))
    assert is_erased(game.x_seat)
    assert (game.name(Mark.X), game.o_seat, game.name(Mark.O), game.chat_id) == (None, OTHER, OTHERS_NAME, None)
    assert (game.termination, game.winner, game.moves) == (Termination.RESIGNATION, Mark.O, "04")
    (theirs,) = boards_left
    assert theirs.chat_id == OTHER
    assert theirs.is_lagging
    shown = [raised for step in steps for raised in step.shown]
    assert [raised.board.id for raised in shown] == [theirs.id]
    (result,) = await store.run(partial(results.newest, person=OTHER, limit=5))
    assert (result.outcome, is_erased(result.opponent)) == ("win", True)


async def test_the_newest_boards_of_finished_games_are_shown_without_them(store: Store) -> None:
    over: dict[str, Any] = {"moves": "04", "termination": Termination.RESIGNATION, "winner": Mark.O}

    def stored(connection: Connection) -> list[int]:
        finished = [put(connection, HALL, chat_id=GROUP, **WITH_OTHER, **over) for _ in range(erasure.SHOWN + 2)]
        put(connection, OWN, chat_id=WHO, x_seat=WHO, **over)
        return [record.boards[0].id for record in finished]

    ids = await store.run(stored)
    shown = [raised for step in await forgotten_whole(store) for raised in step.shown]
    assert sorted(raised.board.id for raised in shown) == ids[2:]
    games_shown = [raised.record.game for raised in shown if isinstance(raised.record, Record)]
    assert all(is_erased(game.x_seat) for game in games_shown)
    assert {game.name(Mark.X) for game in games_shown} == {None}


async def test_challenges_end_and_games_against_the_computer_are_gone(store: Store, engine: Engine) -> None:
    def stored(connection: Connection) -> list[int]:
        empty = {"x_seat": WHO, "o_seat": None, "o_level": None}
        records = [
            put(connection, HALL, chat_id=GROUP, **empty),
            put(connection, OWN, chat_id=WHO, link=LINK, **empty),
            put(connection, HALL, chat_id=GROUP, x_seat=OTHER, o_seat=None, o_level=None, rival_username=USERNAME),
            put(connection, OWN, chat_id=WHO, x_seat=WHO, moves="04"),
            put(connection, HALL, chat_id=GROUP, x_seat=WHO, moves="04"),
            put(connection, HALL, chat_id=GROUP, x_seat=0, x_level="easy", host=WHO),
        ]
        return [record.game.id for record in records]

    mine, link, named, alone, in_group, hosted = await store.run(stored)
    await forgotten_whole(store)

    async def ending(game_id: int) -> Termination | None:
        return (await store.run(partial(games.load, game_id=game_id))).game.termination

    assert await ending(mine) is Termination.CANCELLED
    assert await ending(named) is Termination.DECLINED
    assert await ending(in_group) is Termination.RESIGNATION
    assert await ending(hosted) is Termination.CANCELLED
    for game_id in (link, alone):
        with pytest.raises(GameNotFound):
            await ending(game_id)
    assert found_in_rows(engine) == []


async def test_results_of_others_stay_and_can_be_rebuilt(store: Store) -> None:
    day = int(time.time()) // DAY - 3

    def stored(connection: Connection) -> None:
        for number in range(3):
            record = put(
                connection, HALL, chat_id=GROUP, moves="03142", termination="line", winner=Mark.X, **WITH_OTHER
            )
            results.add(connection, [record.game], day * DAY + number)
        alone = put(connection, OWN, chat_id=WHO, moves="03142", x_seat=WHO, termination="line", winner=Mark.X)
        results.add(connection, [alone.game], day * DAY + 9)

    await store.run(stored)
    await rebuild.rebuild(store, lambda _line: None)
    before = await store.run(standings_of), await store.run(partial(statistics.of_person, person=OTHER))
    await forgotten_whole(store)
    assert (await store.run(standings_of), await store.run(partial(statistics.of_person, person=OTHER))) == before
    await rebuild.rebuild(store, lambda _line: None)
    assert (await store.run(standings_of), await store.run(partial(statistics.of_person, person=OTHER))) == before


def standings_of(connection: Connection) -> object:
    """The listed ratings, except theirs."""
    listed = leaderboards.by_rating(connection, family="", offset=0)
    return [(entry.person, entry.figure) for entry in listed if entry.person != WHO]


async def test_what_is_heard_late_of_an_old_message_writes_nobody_back(store: Store, engine: Engine) -> None:
    def stored(connection: Connection) -> tuple[Record, Notice]:
        record = put(connection, OWN, THEIRS, chat_id=OTHER, moves="04", **WITH_OTHER)
        return record, outbox.add(
            connection, Notice(0, NoticeKind.REMINDER, record.game.id, 2, WHO, None, None, 0)
        )

    record, notice = await store.run(stored)
    await forgotten_whole(store)
    (own,) = (board for board in record.boards if board.chat_id == WHO)
    assert not await store.settle(Sent(own, 9))
    await store.run(partial(boards.remove, board=own._replace(message_id=9)))
    await store.run(partial(outbox.done, notice=notice, message_id=10))
    await store.run(statistics.count)
    await store.run(partial(people.see_if_known, person=Person(WHO, NAME)))
    assert found_in_rows(engine) == []
    await store.run(partial(people.see, person=Person(WHO, NAME)))
    assert found_in_rows(engine) == ["people.id", "people.name"], (
        "people who start something are there again, as newcomers"
    )


async def test_results_of_two_who_were_both_forgotten_stay_and_tell_of_nobody(
    store: Store, engine: Engine
) -> None:
    """Others' wins against them keep their worth, however often ratings are recomputed."""

    def stored(connection: Connection) -> None:
        record = put(
            connection, OWN, THEIRS, chat_id=WHO, moves="03142", termination="line", winner=Mark.X, **WITH_OTHER
        )
        results.add(connection, [record.game], 1000)

    await store.run(stored)
    await forgotten_whole(store)
    await store.run(partial(begin, person=OTHER))
    await gone_on(store)
    with engine.connect() as connection:
        for column in (RESULTS.c.person, RESULTS.c.opponent, PAIRS.c.person, PAIRS.c.opponent, RATINGS.c.person):
            assert all(is_erased(person) for person in connection.execute(select(column)).scalars())
        assert connection.execute(select(RESULTS.c.chat_id)).scalars().all() == [None, None]
        for column in (GAMES.c.x_seat, GAMES.c.o_seat, BOARDS.c.chat_id, BOARDS.c.viewer):
            assert not connection.execute(select(column).where(column.is_not(None))).all()


async def test_what_they_begin_before_they_are_told_is_forgotten_too(store: Store, engine: Engine) -> None:
    """A tap may be in flight during the last portion, and in two processes at once."""
    await forgotten_whole(store)
    assert not await store.run(partial(erasure.resume, person=WHO, now=5))
    await store.run(lambda connection: put(connection, HALL, chat_id=GROUP, **WITH_OTHER) and None)
    assert await store.run(partial(erasure.resume, person=WHO, now=5))
    assert (await gone_on(store))[-1].tells
    assert found_in_rows(engine) == []


async def test_somebody_who_asked_for_it_waits_for_nobody_who_did_not(store: Store) -> None:
    """On the first day of a retention period there may be thousands of them."""
    for person in (1, 2):
        await store.run(partial(erasure.begin_quietly, person=person, now=5))
    await store.run(begin)
    told = [(step.person, step.tells) for step in await gone_on(store)]
    assert list(dict.fromkeys(told)) == [(WHO, True), (1, False), (2, False)]


async def test_people_who_did_not_ask_for_it_are_not_told(store: Store) -> None:
    await store.run(partial(erasure.begin_quietly, person=WHO, now=5))
    assert not any(step.tells for step in await gone_on(store))
    await store.run(partial(erasure.begin_quietly, person=WHO, now=5))
    assert not await store.run(partial(erasure.ask, person=WHO, now=6)), "it goes on"
    assert all(step.tells for step in await gone_on(store)), "but now they have asked"


async def test_no_id_of_a_game_or_board_comes_again(store: Store) -> None:
    """Old messages have them in their buttons, and a running bot remembers its messages by them."""

    def stored(connection: Connection) -> Record:
        return put(connection, OWN, chat_id=WHO, x_seat=WHO)

    before = await store.run(stored)
    await forgotten_whole(store)
    after = await store.run(lambda connection: put(connection, THEIRS, chat_id=OTHER, x_seat=OTHER))
    assert after.game.id > before.game.id
    assert after.boards[0].id > before.boards[0].id


async def test_a_question_that_is_not_answered_is_not_kept(store: Store) -> None:
    assert await store.run(partial(erasure.ask, person=WHO, now=1000))
    assert await store.run(partial(erasure.was_asked, person=WHO, now=1500))
    assert not await store.run(partial(erasure.was_asked, person=WHO, now=1000 + erasure.ASKED_SECONDS + 1))
    await store.run(partial(erasure.forget_question, now=1000 + erasure.ASKED_SECONDS + 1))
    assert await store.run(partial(erasure.stage_of, person=WHO)) is None
    await store.run(begin)
    assert not await store.run(partial(erasure.ask, person=WHO, now=2000)), "nobody is asked while it's under way"
    assert await store.run(partial(lookups.running, chat_id=WHO, person=WHO)) == []


async def test_a_review_that_they_have_opened_where_others_see_it_is_closed(store: Store) -> None:
    opened = Page(review=ReviewMode.LOOK, review_ply=2, reviewer=WHO)
    own = opened._replace(reviewer=None)
    over = {"termination": Termination.RESIGNATION, "winner": Mark.O, "moves": "04", "chat_id": GROUP}

    def stored(connection: Connection) -> tuple[Board, Board]:
        record = put(connection, HALL, THEIRS, **WITH_OTHER, **over)
        shared, theirs = record.boards
        return become(connection, shared, **opened._asdict()), become(connection, theirs, **own._asdict())

    shared, theirs = await store.run(stored)
    steps = await forgotten_whole(store)
    assert [board.page for board in (await read(store, shared.game_id or 0)).boards] == [WHOLE, own]
    shown = {raised.board.id: raised.board.page for step in steps for raised in step.shown}
    assert shown == {shared.id: WHOLE, theirs.id: own}


def test_the_list_of_forgotten_people_goes_on_after_a_line_that_was_cut_short(tmp_path: Path) -> None:
    """The disk was full, or the machine stopped in the middle."""
    journal, entries = Journal(tmp_path / "new" / "list"), [Entry(at, 7, f"{at:032x}") for at in (1, 2, 3)]
    journal.check()
    assert not list(tmp_path.iterdir()), "nothing is left behind"
    journal.add(entries[:2])
    journal.check()
    whole = journal.path.read_bytes()
    journal.path.write_bytes(whole[:-9])
    journal.add(entries[2:])
    assert journal.read() == [entries[0], entries[2]]
    journal.path.write_text(f"{entries[0]}\n{Entry(1, 2**63, 32 * 'a')}\n{Entry(2, -1, 32 * 'a')}\n")
    assert journal.read() == [entries[0]], "no database has such a salt"
