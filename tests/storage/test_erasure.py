"""Somebody is forgotten: nothing of them is left in any row or file, and whoever played with them keeps all."""

from __future__ import annotations

import json
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, insert, select

from bot.game.reviews import Mode, Page
from engine import Mark
from storage import (
    board_messages,
    chats,
    derived,
    erased_rows,
    erasure,
    forgotten,
    games,
    lookups,
    outbox,
    results,
    standings,
    tallies,
)
from storage.board import Place
from storage.board_messages import Sent
from storage.chats import Person
from storage.database import connect, empty_log
from storage.erasure import LATE_SECONDS, Stage
from storage.errors import GameNotFound
from storage.forgotten import Entry, Journal
from storage.game import COMPUTER, Game, Termination, has_left
from storage.leaving import left
from storage.notice import Kind, Notice
from storage.personal import HELD
from storage.schema import BOARDS, ERASURES, GAMES, PAIRS, RESULTS
from storage.store import Store
from tests.storage.examples import BOB, GROUP, LINK, NEW, become, put, read
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

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import URL, Connection, Engine

    from storage.board import Board
    from storage.record import Record

ELSEWHERE = {"tallies.chat_id", "players.chat_id", "weeks.chat_id", "erasures.person", "erasures.names"}
"""Columns in which only groups stand, and what forgetting itself stores."""
OWN = Place(chat_id=WHO, viewer=WHO)
THEIRS = Place(chat_id=OTHER, viewer=OTHER)
HALL = Place(chat_id=GROUP)
WITH_OTHER: dict[str, Any] = {
    "x_seat": WHO,
    "x_name": NAME,
    "o_seat": OTHER,
    "o_name": OTHERS_NAME,
    "o_level": None,
}


def begin(connection: Connection) -> None:
    erasure.begin(connection, WHO, forgotten.entry_of(connection, WHO, 1000), int(time.time()))


async def gone(store: Store) -> erasure.Step:
    """Do the steps until they are told that it is done, which is before the last look; the last of them."""
    now = int(time.time())
    while (step := await store.run(partial(erasure.step, now=now))) is not None:
        last = step
    assert last.is_gone
    return last


async def forgotten_whole(store: Store) -> list[erasure.Step]:
    """Forget them; the steps that it took."""
    await store.run(begin)
    return await gone_on(store)


async def gone_on(store: Store) -> list[erasure.Step]:
    """Do all the steps that are left, the last look included."""
    steps = []
    later = int(time.time()) + LATE_SECONDS + 1
    while (step := await store.run(partial(erasure.step, now=later))) is not None:
        steps.append(step)
        assert len(steps) < 1000
        later += LATE_SECONDS + 1
    return steps


async def ended(store: Store, engine: Engine) -> None:
    """Take the last look too, of which nothing is left either."""
    await gone_on(store)
    with engine.connect() as connection:
        assert connection.execute(select(ERASURES)).all() == []


async def test_nothing_is_left_in_any_column_that_can_tell_of_somebody(store: Store, engine: Engine) -> None:
    await store.run(fill)
    everywhere = {f"{table}.{column}" for table, columns in HELD.items() for column in columns}
    assert everywhere - set(found_in_rows(engine)) == ELSEWHERE, "each column that can tell of them does"
    await forgotten_whole(store)
    assert found_in_rows(engine) == []
    with engine.connect() as connection:
        assert chats.find_person(connection, OTHER) == Person(OTHER, OTHERS_NAME)


async def test_once_it_is_done_nothing_is_left_in_any_row_not_even_what_the_last_look_looks_for(
    store: Store, engine: Engine
) -> None:
    await store.run(fill)
    await store.run(begin)
    await gone(store)
    assert found_in_rows(engine) == []
    assert await store.run(partial(erasure.stage_of, person=WHO)) is None
    assert WHO not in await store.run(forgotten.people)
    with engine.connect() as connection:
        (row,) = connection.execute(select(ERASURES)).all()
        seats = connection.execute(select(GAMES.c.x_seat, GAMES.c.o_seat, GAMES.c.host)).all()
    assert has_left(row.person)
    assert row.alias not in {each for seat in seats for each in seat}, "nor do games tell whose it is"


async def test_nothing_is_left_in_the_bytes_of_any_file(sqlite: URL) -> None:
    store = Store(sqlite)
    await store.run(fill)
    assert len(found_in_files(files_of(sqlite))) >= 1
    await store.run(begin)
    for ends in (gone, gone_on):
        await ends(store)
        assert await store.run(erasure.wants_empty_log)
        assert empty_log(sqlite)
        await store.run(erasure.note_empty_log)
        assert found_in_files(files_of(sqlite)) == [], "with the bot still running, and its write-ahead log"
    await store.close()
    assert found_in_files(files_of(sqlite)) == []


async def test_whoever_is_killed_after_any_step_the_next_goes_on(url: URL) -> None:
    """A step is a transaction, so between any two of them a process can end; another one has the rest."""
    stores = [Store(url)]
    await stores[0].run(fill)
    await stores[0].run(begin)
    now, count = int(time.time()) + LATE_SECONDS + 1, 0
    while await stores[-1].run(partial(erasure.step, now=now)) is not None:
        await stores.pop().close()
        stores.append(Store(url))
        now, count = now + LATE_SECONDS + 1, count + 1
    assert count > 4
    engine = connect(url, create=False)
    assert found_in_rows(engine) == []
    engine.dispose()
    await stores[0].close()


async def test_who_plays_with_them_wins_and_keeps_the_game(store: Store) -> None:
    def stored(connection: Connection) -> Record:
        return put(connection, OWN, THEIRS, chat_id=WHO, moves="04", **WITH_OTHER)

    record = await store.run(stored)
    steps = await forgotten_whole(store)
    game, boards_left = await store.run(partial(games.load, game_id=record.game.id))
    assert has_left(game.x_seat)
    assert (game.x_name, game.o_seat, game.o_name, game.chat_id) == (None, OTHER, OTHERS_NAME, None)
    assert (game.termination, game.winner, game.moves) == (Termination.RESIGNATION, Mark.O, "04")
    (theirs,) = boards_left
    assert theirs.chat_id == OTHER
    assert theirs.is_lagging
    shown = [raised for step in steps for raised in step.shown]
    assert [raised.board.id for raised in shown] == [theirs.id]
    (result,) = await store.run(partial(results.newest, person=OTHER, limit=5))
    assert (result.outcome, has_left(result.opponent)) == ("win", True)


async def test_challenges_end_and_games_against_the_computer_are_gone(store: Store) -> None:
    def stored(connection: Connection) -> list[int]:
        chats.see(connection, Person(WHO, NAME, None, USERNAME))
        empty = {"x_seat": WHO, "x_name": NAME, "o_seat": None, "o_level": None}
        records = [
            put(connection, HALL, chat_id=GROUP, **empty),
            put(connection, OWN, chat_id=WHO, token=LINK, **empty),
            put(
                connection, HALL, chat_id=GROUP, x_seat=OTHER, o_seat=None, o_level=None, rival_name=f"@{USERNAME}"
            ),
            put(connection, OWN, chat_id=WHO, x_seat=WHO, x_name=NAME, moves="04"),
            put(connection, HALL, chat_id=GROUP, x_seat=WHO, x_name=NAME, moves="04"),
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


async def test_results_of_others_stay_and_can_be_made_anew_from(store: Store) -> None:
    day = int(time.time()) // results.DAY - 3

    def stored(connection: Connection) -> None:
        for number in range(3):
            record = put(
                connection, HALL, chat_id=GROUP, moves="03142", termination="line", winner=Mark.X, **WITH_OTHER
            )
            results.add(connection, [record.game], day * results.DAY + number)
        alone = put(connection, OWN, chat_id=WHO, moves="03142", x_seat=WHO, termination="line", winner=Mark.X)
        results.add(connection, [alone.game], day * results.DAY + 9)

    await store.run(stored)
    await derived.rebuild(store, lambda _line: None)
    before = await store.run(standings_of), await store.run(partial(tallies.of_person, person=OTHER))
    await forgotten_whole(store)
    assert (await store.run(standings_of), await store.run(partial(tallies.of_person, person=OTHER))) == before
    await derived.rebuild(store, lambda _line: None)
    assert (await store.run(standings_of), await store.run(partial(tallies.of_person, person=OTHER))) == before


def standings_of(connection: Connection) -> object:
    """The ratings that are listed, but for theirs."""
    listed = standings.by_rating(connection, family="", offset=0)
    return [(entry.person, entry.figure) for entry in listed if entry.person != WHO]


async def test_what_is_heard_late_of_an_old_message_writes_nobody_back(store: Store, engine: Engine) -> None:
    def stored(connection: Connection) -> tuple[Record, Notice]:
        record = put(connection, OWN, THEIRS, chat_id=OTHER, moves="04", **WITH_OTHER)
        return record, outbox.add(connection, Notice(0, Kind.REMINDER, record.game.id, 2, WHO, None, None, 0))

    record, notice = await store.run(stored)
    await forgotten_whole(store)
    (own,) = (board for board in record.boards if board.chat_id == WHO)
    assert not await store.settle(Sent(own, 9))
    await store.run(partial(board_messages.remove, board=own._replace(message_id=9)))
    await store.run(partial(outbox.done, notice=notice, message_id=10))
    await store.run(tallies.count)
    await store.run(partial(chats.notice, person=Person(WHO, NAME)))
    assert found_in_rows(engine) == []
    await store.run(partial(chats.see, person=Person(WHO, NAME)))
    assert found_in_rows(engine) == ["people.id", "people.name"], "who begins something is there again, as new"


@pytest.mark.parametrize(
    ("late", "columns"),
    [
        ({"termination": Termination.CANCELLED, "ended_by": NAME}, ["games.ended_by"]),
        ({"rival_name": f"@{USERNAME.title()}"}, ["games.rival_name"]),
        ({"rival_name": "Zed", "rival_id": WHO}, ["games.rival_id"]),
    ],
)
async def test_what_is_written_late_is_found_by_the_last_look(
    store: Store, engine: Engine, late: dict[str, Any], columns: list[str]
) -> None:
    def stored(connection: Connection) -> Record:
        chats.see(connection, Person(WHO, NAME, None, USERNAME))
        closed = {"x_name": NAME, "termination": Termination.CANCELLED, "ended_by": NAME}
        put(connection, HALL, chat_id=GROUP, x_seat=OTHER, o_seat=None, o_level=None, **closed)
        return put(connection, HALL, chat_id=GROUP, x_seat=OTHER, x_name=OTHERS_NAME, o_seat=None, o_level=None)

    record = await store.run(stored)
    await store.run(begin)
    await gone(store)
    namesakes = ["games.ended_by", "games.x_name"]
    assert found_in_rows(engine) == namesakes

    def written(connection: Connection) -> None:
        games.save_many(connection, [(games.next_version(record.game._replace(**late), 5), record.game)])

    await store.run(written)
    assert found_in_rows(engine) == sorted({*namesakes, *columns})
    await gone_on(store)
    assert found_in_rows(engine) == namesakes, "another person of the same name keeps theirs"
    game = (await read(store, record.game.id)).game
    assert [game.ended_by or "", game.rival_name or ""] == ["", ""]
    assert game.termination is not None


async def test_what_others_have_typed_is_gone_before_it_is_done_in_however_many_games(
    store: Store, engine: Engine
) -> None:
    """They are looked through in steps, and what begins meanwhile is forgotten as well."""

    def stored(connection: Connection) -> None:
        row = {"rules": "3x3x3", "created_at": 5, "changed_at": 5, "version": 1, "x_seat": OTHER}
        rows = [{**row, "rival_name": None} for _ in range(2 * erased_rows.SCANNED)]
        for number in (0, erased_rows.SCANNED, -1):
            rows[number]["rival_name"] = f"@{USERNAME.title()}"
        connection.execute(insert(GAMES), rows)

    await store.run(stored)
    await store.run(partial(erasure.begin, person=WHO, entry=None, now=5, names={f"@{USERNAME}"}))
    assert await store.run(partial(erasure.step, now=5)) is not None
    assert await store.run(partial(erasure.stage_of, person=WHO)) is Stage.SEEKING
    assert not await store.run(partial(erasure.ask, person=WHO, now=5)), "it goes on"
    await store.run(partial(erasure.begin, person=WHO, entry=None, now=5))
    await store.run(lambda connection: put(connection, OWN, chat_id=WHO, x_seat=WHO, x_name=NAME) and None)
    await gone(store)
    assert found_in_rows(engine) == []
    await ended(store, engine)


async def test_a_row_that_still_tells_for_whom_the_last_look_is_tells_it_no_more(
    store: Store, engine: Engine
) -> None:
    """So the row was stored once, and stands in a backup of then."""
    late = {"stage": Stage.LATE, "alias": -(2**60), "names": json.dumps([NAME]), "cursor": 0}
    row = late | {"person": WHO, "at": int(time.time())}
    empty = {"x_seat": OTHER, "x_name": OTHERS_NAME, "o_seat": None, "o_level": None, "chat_id": GROUP}
    over = {"termination": Termination.CANCELLED, "ended_by": NAME}
    await store.run(lambda connection: connection.execute(insert(ERASURES).values(row)) and None)
    await store.run(lambda connection: put(connection, HALL, **empty, **over) and None)
    step = await store.run(erasure.step)
    assert step is not None
    assert not step.is_gone, "they know already"
    assert found_in_rows(engine) == ["games.ended_by"]
    await gone_on(store)
    assert found_in_rows(engine) == []


async def test_a_game_that_begins_meanwhile_is_gone_as_well(store: Store, engine: Engine) -> None:
    def stored(connection: Connection) -> None:
        for _ in range(erased_rows.PORTION + 5):
            put(connection, OWN, chat_id=WHO, x_seat=WHO, x_name=NAME)

    await store.run(stored)
    await store.run(begin)
    assert (await store.run(erasure.step)) is not None
    await store.run(lambda connection: put(connection, OWN, chat_id=WHO, x_seat=WHO, x_name=NAME) and None)
    await gone_on(store)
    assert found_in_rows(engine) == []
    with engine.connect() as connection:
        seated = connection.execute(select(GAMES.c.id).where(GAMES.c.x_seat.is_not(None))).all()
        shown = connection.execute(select(BOARDS.c.id).where(BOARDS.c.chat_id.is_not(None))).all()
        counts = [connection.execute(select(func.count()).select_from(ERASURES)).scalar(), len(seated), len(shown)]
    assert counts == [0, 0, 0]


async def test_two_who_played_each_other_leave_nothing_behind(store: Store, engine: Engine) -> None:
    def stored(connection: Connection) -> None:
        record = put(
            connection, OWN, THEIRS, chat_id=WHO, moves="03142", termination="line", winner=Mark.X, **WITH_OTHER
        )
        results.add(connection, [record.game], 1000)

    await store.run(stored)
    await forgotten_whole(store)
    await store.run(lambda connection: erasure.begin(connection, OTHER, None, 5))
    await gone_on(store)
    with engine.connect() as connection:
        for table in (RESULTS, PAIRS):
            assert not connection.execute(select(table)).all()
        for column in (GAMES.c.x_seat, GAMES.c.o_seat, BOARDS.c.chat_id, BOARDS.c.viewer):
            assert not connection.execute(select(column).where(column.is_not(None))).all()


async def test_no_id_of_a_game_or_board_comes_again(store: Store) -> None:
    """Old messages bear them in their buttons, and a running bot remembers what it has sent by them."""

    def stored(connection: Connection) -> Record:
        return put(connection, OWN, chat_id=WHO, x_seat=WHO, x_name=NAME)

    before = await store.run(stored)
    await forgotten_whole(store)
    after = await store.run(lambda connection: put(connection, THEIRS, chat_id=OTHER, x_seat=OTHER))
    assert after.game.id > before.game.id
    assert after.boards[0].id > before.boards[0].id


def test_a_game_without_them_names_nobody_else_less() -> None:
    game: Game = NEW._replace(
        **WITH_OTHER, rival_name=None, ended_by=OTHERS_NAME, termination=Termination.CANCELLED
    )
    gone = left(game, WHO, -(2**60), {NAME})
    assert (gone.x_seat, gone.x_name, gone.o_name, gone.ended_by) == (-(2**60), None, OTHERS_NAME, OTHERS_NAME)
    assert left(NEW._replace(x_seat=OTHER), WHO, -(2**60), {NAME}) == NEW._replace(x_seat=OTHER)
    assert COMPUTER == 0
    namesake = NEW._replace(x_seat=OTHER, x_name=NAME, ended_by=NAME, termination=Termination.CANCELLED)
    assert left(namesake, WHO, -(2**60), {NAME}) == namesake, "another person of the same name keeps theirs"


async def test_who_was_asked_and_does_not_answer_is_not_kept(store: Store) -> None:
    assert await store.run(partial(erasure.ask, person=WHO, now=1000))
    assert await store.run(partial(erasure.was_asked, person=WHO, now=1500))
    assert not await store.run(partial(erasure.was_asked, person=WHO, now=1000 + erasure.ASKED_SECONDS + 1))
    await store.run(partial(erasure.forget_question, now=1000 + erasure.ASKED_SECONDS + 1))
    assert await store.run(partial(erasure.stage_of, person=WHO)) is None
    await store.run(begin)
    assert not await store.run(partial(erasure.ask, person=WHO, now=2000)), "while it goes on nothing is asked"
    assert await store.run(partial(lookups.running, chat_id=WHO, person=WHO)) == []


async def test_a_review_that_they_have_opened_where_others_see_it_is_closed(store: Store) -> None:
    """Who may step through it stands in its page, to base 36."""
    opened = str(Page(Mode.LOOK, 2, opener=WHO))
    over = {"termination": Termination.RESIGNATION, "winner": Mark.O, "moves": "04", "chat_id": GROUP}

    def stored(connection: Connection) -> tuple[Board, Board]:
        record = put(connection, HALL, THEIRS, **WITH_OTHER, **over)
        shared, theirs = record.boards
        return become(connection, shared, page=opened), become(connection, theirs, page="r0200")

    shared, theirs = await store.run(stored)
    steps = await forgotten_whole(store)
    assert [board.page for board in (await read(store, shared.game_id)).boards] == [None, "r0200"]
    shown = {raised.board.id: raised.board.page for step in steps for raised in step.shown}
    assert shown == {shared.id: None, theirs.id: "r0200"}


async def test_who_was_just_forgotten_may_have_what_they_began_since_forgotten_before_the_last_look(
    store: Store, engine: Engine
) -> None:
    now = int(time.time())
    await store.run(fill)
    await store.run(lambda connection: chats.see(connection, Person(WHO, NAME, "zh-hans", USERNAME)))
    await store.run(begin)
    assert (await gone(store)).language == "zh-hans", "whichever process comes to the end can say so"
    await store.run(partial(chats.see, person=Person(WHO, "Zyx", None, None)))
    assert not await store.run(partial(erasure.was_asked, person=WHO, now=now)), "they are asked anew"
    assert await store.run(partial(erasure.ask, person=WHO, now=now))
    assert await store.run(partial(erasure.was_asked, person=WHO, now=now))
    await store.run(begin)
    await gone(store)
    assert found_in_rows(engine) == []
    with engine.connect() as connection:
        assert len(connection.execute(select(ERASURES)).all()) == 2, "each has its own last look"
    await ended(store, engine)


async def test_who_is_known_by_nothing_but_what_others_call_them_is_forgotten_too(
    store: Store, engine: Engine
) -> None:
    """They have only been challenged, and have closed another's challenge as an administrator."""
    empty = {"x_seat": OTHER, "x_name": OTHERS_NAME, "o_seat": None, "o_level": None, "chat_id": GROUP}

    def stored(connection: Connection) -> int:
        put(connection, HALL, **empty, termination=Termination.CANCELLED, ended_by=NAME)
        return put(connection, HALL, **empty, rival_name=f"@{USERNAME.title()}").game.id

    named = await store.run(stored)
    names = {NAME, f"@{USERNAME}"}
    await store.run(partial(erasure.begin, person=WHO, entry=None, now=int(time.time()), names=names))
    await gone_on(store)
    assert found_in_rows(engine) == []
    assert (await read(store, named)).game.termination is Termination.DECLINED


async def test_a_challenge_to_who_has_their_former_username_stays(store: Store) -> None:
    empty = {"x_seat": BOB, "x_name": "Bob", "o_seat": None, "o_level": None, "chat_id": GROUP}
    await store.run(partial(chats.see, person=Person(WHO, NAME, None, USERNAME)))
    await store.run(partial(chats.see, person=Person(OTHER, OTHERS_NAME, None, USERNAME)))
    record = await store.run(lambda connection: put(connection, HALL, **empty, rival_name=f"@{USERNAME}"))
    await forgotten_whole(store)
    game = (await read(store, record.game.id)).game
    assert (game.termination, game.rival_name) == (None, f"@{USERNAME}")


def test_the_list_of_who_was_forgotten_goes_on_after_a_line_that_was_cut_short(tmp_path: Path) -> None:
    """The disk was full, or the machine has stopped in the middle of it."""
    journal, entries = Journal(tmp_path / "list"), [Entry(at, 7, f"{at:032x}") for at in (1, 2, 3)]
    journal.add(entries[:2])
    whole = journal.path.read_bytes()
    journal.path.write_bytes(whole[:-9])
    journal.add(entries[2:])
    assert journal.read() == [entries[0], entries[2]]
