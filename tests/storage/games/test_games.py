"""Games in the database: stored whole, versioned, changed once by each update, refused if they make no sense."""

import asyncio
from contextlib import suppress

import pytest
from sqlalchemy import Connection, Engine, text, update

from engine import STRATEGIES, Level, Mark
from storage.errors import ConcurrentChange, CorruptGame, GameNotFound
from storage.games import games, lookups, outbox, versions
from storage.games.boards import Sent
from storage.games.game import Game, Offer, Side, Termination
from storage.games.record import Board, Decision, Notice, Record
from storage.games.versions import GRACE_SECONDS
from storage.once import Once, Repeated
from storage.schema import BOARDS, GAMES, METADATA, OUTBOX, Member
from storage.store import Store
from tests.storage.examples import (
    ANN,
    BOBS,
    DRAWN,
    GROUP,
    HALL,
    HOME,
    INLINE,
    LINK,
    NEW,
    NOTICE,
    TWO,
    X_WINS,
    add,
    become,
    play,
    put,
    read,
)


def test_games_and_boards_that_are_stored_together_keep_what_only_some_of_them_have(
    connection: Connection,
) -> None:
    put(connection, HOME)
    given = [NEW, NEW._replace(x=Side(ANN, wins=3), clock=300, reminded=0), NEW._replace(link=LINK, best_of=3)]
    stored = games.insert_many(connection, given)
    assert [games.load(connection, game.id).game for game in stored] == stored
    assert stored == [game._replace(id=each.id) for game, each in zip(given, stored, strict=True)]
    many = put(connection, HOME, HALL, INLINE, chat_id=ANN)
    assert games.load(connection, many.game.id).boards == many.boards


def test_a_stored_game_is_read_back_whole(connection: Connection) -> None:
    largest = 2**63 - 1
    before = put(connection).game
    stored = put(
        connection,
        BOBS,
        HALL,
        INLINE,
        chat_id=-largest,
        x=Side(ANN, "perfect", wins=3, rating="1500", rated="1512", reached="hard games"),
        o=Side(largest, wins=4),
        names={ANN: "Ann", largest: "\u202eMax\u202c 🦆" * 20},
        rival_id=largest,
        link="t" * 32,
        moves="0H1",
        offer=Offer.TAKEBACK,
        offered_by=Mark.X,
        rules="8x8x5",
        termination=Termination.RESIGNATION,
        winner=Mark.O,
        draws=5,
        next_game=before.id,
        created_at=largest,
        changed_at=largest - 1,
        moved_at=largest - 2,
        due_at=largest - 3,
        reminded=3,
        version=2**31 - 1,
    )
    telegrams = {"thread_id": largest, "reply_to": largest - 2, "message_id": largest - 1}
    full = {"wanted": 9, "shown": 7, "claims": 2, "leaving": True, "look_at": largest} | telegrams
    board = become(connection, stored.boards[0], replaces=stored.boards[1].id, **full)
    read_back = games.load(connection, stored.game.id)
    assert read_back == (stored.game, (board, *stored.boards[1:]))
    assert isinstance(read_back.game.termination, Termination)
    assert isinstance(read_back.game.winner, Mark)


def test_every_column_is_a_field_of_its_value() -> None:
    game = Game.of_row(tuple(GAMES.c.keys()))
    x, o = (Side._make(f"{mark}_{name}" for name in Side._fields) for mark in "xo")
    assert game == Game._make(Game._fields)._replace(x=x, o=o)
    assert game.row == tuple(GAMES.c.keys())
    assert tuple(BOARDS.c.keys()) == Board._fields
    assert tuple(OUTBOX.c.keys()) == Notice._fields


def test_games_that_are_loaded_together_have_each_its_own_boards_oldest_first(connection: Connection) -> None:
    linked = put(connection, HOME, BOBS, **TWO)
    inline = put(connection, INLINE, chat_id=None)
    bare = put(connection)
    ids = [record.game.id for record in (linked, inline, bare)]
    assert games.load_many(connection, [*ids, ids[-1] + 1]) == dict(zip(ids, (linked, inline, bare), strict=True))
    assert [[board.place for board in record.boards] for record in (linked, inline)] == [[HOME, BOBS], [INLINE]]
    with pytest.raises(GameNotFound, match=f"no game {ids[-1] + 1}"):
        games.load(connection, ids[-1] + 1)


@pytest.mark.parametrize("corrupt", ["00", "!", "024681"])
async def test_a_corrupt_or_missing_game_is_its_callers_error_alone_and_left_as_it_is(
    store: Store, corrupt: str
) -> None:
    broken = (await add(store, HOME, moves=corrupt)).game
    sound = (await add(store)).game
    *refusals, missing, played = await asyncio.gather(
        store.change(broken.id, play("8")),
        read(store, broken.id),
        store.change(sound.id + 1, play("4")),
        store.change(sound.id, play("8")),
        return_exceptions=True,
    )
    assert [type(refusal) for refusal in refusals] == [CorruptGame] * 2
    assert isinstance(missing, GameNotFound)
    assert not isinstance(played, BaseException)
    assert (await read(store, sound.id)).game.moves == "8"
    statement = text("SELECT moves, version, wanted FROM games JOIN boards ON game_id = games.id")
    assert tuple(await store.run(lambda connection: connection.execute(statement).one())) == (corrupt, 1, 1)


@pytest.mark.parametrize("column", [column.name for column in GAMES.c if isinstance(column.type, Member)])
def test_a_game_with_a_word_that_only_a_newer_release_knows_holds_up_no_other_and_is_left_to_it(
    connection: Connection, column: str
) -> None:
    newer, known = [put(connection, HOME, due_at=1, chat_id=ANN) for _ in range(2)]
    connection.execute(update(GAMES).where(GAMES.c.id == newer.game.id).values({column: "newer word"}))
    found = games.load_many(connection, [newer.game.id, known.game.id])
    assert isinstance(found[newer.game.id], CorruptGame)
    assert found[known.game.id] == known
    assert [game.id for game in lookups.due(connection, now=2, limit=2)] == [known.game.id]
    sound, broken = versions.claim_lagging(connection, now=2**40, limit=2)
    assert ([board for board, _ in sound], broken) == ([games.load(connection, known.game.id).boards[0]], [])


# A game changes.


async def test_a_change_is_the_next_version_and_raises_all_boards_once_each(store: Store) -> None:
    record = await add(store, HOME, BOBS, **TWO)
    changes = await asyncio.gather(*(store.change(record.game.id, play(cell)) for cell in "048"))
    assert [changed.record.game.moves for changed in changes] == ["0", "04", "048"]
    last = changes[-1]
    assert last.record == await read(store, record.game.id)
    game = last.record.game
    assert game.version == 4
    assert game.changed_at > record.game.changed_at
    assert [(board.wanted, board.shown, board.claims) for board in last.record.boards] == [(4, 0, 0)] * 2
    assert {board.look_at for board in last.record.boards} == {game.changed_at + GRACE_SECONDS}
    assert changes[0].before == {board.id: board for board in record.boards}


async def test_a_change_that_gives_the_same_game_back_writes_nothing(store: Store) -> None:
    record = await add(store, HOME)
    changed = await store.change(record.game.id, lambda record: Decision(record.game, notices=(NOTICE,)))
    assert changed.notices == ()
    assert changed.record == record == await read(store, record.game.id)
    assert await store.run(outbox.claim, now=2**40, limit=9) == []


async def test_a_change_writes_neither_what_a_game_is_nor_where_its_boards_are(store: Store) -> None:
    game, (board,) = await add(store, HOME)
    await store.settle(Sent(board, 900))
    other = game._replace(moves="4", chat_id=None, created_at=1)
    changed = await store.change(game.id, lambda _: Decision(other))
    stored = await read(store, game.id)
    same = (game.chat_id, game.created_at, "4")
    assert (stored.game.chat_id, stored.game.created_at, stored.game.moves) == same
    assert stored.boards[0] == changed.record.boards[0]._replace(message_id=900, shown=1)


async def test_a_game_and_what_is_to_be_said_about_it_are_stored_together_or_not_at_all(store: Store) -> None:
    game = (await add(store)).game
    wish = NOTICE._replace(game_id=game.id + 1)  # a game that doesn't exist
    with pytest.raises(Exception, match=r"(?i)foreign key"):
        await store.change(game.id, lambda found: Decision(found.game._replace(moves="4"), notices=(wish,)))
    assert (await read(store, game.id)).game == game
    wish = NOTICE._replace(game_id=game.id)
    changed = await store.change(game.id, lambda r: Decision(r.game._replace(reminded=1), notices=(wish,)))
    (notice,) = changed.notices
    assert notice == wish._replace(id=notice.id, look_at=notice.look_at)
    claims = [await store.run(outbox.claim, now=notice.look_at - 1 + wait, limit=9) for wait in (0, 1)]
    assert [[each.id for each in claim] for claim in claims] == [[], [notice.id]]


def test_a_save_over_a_version_that_is_gone_is_refused(connection: Connection) -> None:
    one, other = put(connection).game, put(connection).game
    games.save_many(connection, [(one._replace(moves="4", version=2), one)])
    for change in ({"moves": "0"}, {"x": Side(ANN, wins=9)}):
        late = [(game._replace(**change, version=2), game) for game in (other, one)]
        with pytest.raises(ConcurrentChange), connection.begin_nested():
            games.save_many(connection, late)
    assert games.load(connection, one.id).game.moves == "4"
    assert games.load(connection, other.id).game == other


# Ids, of games and updates.


def test_many_new_games_get_their_ids_in_the_order_in_which_they_are_given(connection: Connection) -> None:
    """More than one statement takes."""
    new = [NEW._replace(chat_id=None, link=f"{number} 井\x1f") for number in range(1100)]
    stored = games.insert_many(connection, new)
    found = games.load_many(connection, [game.id for game in stored])
    assert [game.id for game in stored] == sorted(found)
    assert [found[game.id] for game in stored] == [Record(game, ()) for game in stored]
    assert [game._replace(id=0) for game in stored] == new


def test_the_id_of_a_deleted_game_board_or_notice_is_never_given_again(engine: Engine) -> None:
    """Old messages have them in their buttons, and a running bot remembers its messages by them."""
    seen = []
    for _ in range(3):
        with engine.begin() as connection:
            for table in (OUTBOX, BOARDS, GAMES):
                connection.execute(table.delete())
        with engine.begin() as connection:
            game, (board,) = put(connection, HOME)
            notice = outbox.add(connection, NOTICE._replace(game_id=game.id))
            seen.append((game.id, board.id, notice.id))
    assert seen == [(number, number, number) for number in (1, 2, 3)]


async def test_what_was_done_to_a_game_is_done_once_however_often_it_is_asked_for(
    store: Store, other_store: Store
) -> None:
    game = (await add(store, HOME, chat_id=GROUP)).game
    await store.change(game.id, play("4"), once=Once(71))
    undone = (await store.change(game.id, lambda found: Decision(found.game._replace(moves="")))).record
    for taker in (store, other_store):
        with pytest.raises(Repeated):
            await taker.change(game.id, play("4"), once=Once(71))
    unchanged = await store.change(game.id, lambda found: Decision(found.game), once=Once(72))
    assert unchanged.record == undone
    assert (await store.change(game.id, play("0"), once=Once(72))).record.game.moves == "0", (
        "it was still to be done"
    )


# Two processes.


def count_up(record: Record) -> Decision:
    return Decision(record.game.with_side(Mark.X, wins=record.game.x.wins + 1))


async def test_two_stores_that_race_on_games_in_any_order_lose_no_change_count_none_twice_and_come_to_an_end(
    store: Store, other_store: Store
) -> None:
    ids = [(await add(store, HOME)).game.id for _ in range(20)]
    counted: dict[int, list[int]] = {game_id: [] for game_id in ids}

    async def race(store: Store, game_id: int) -> None:
        for _ in range(5):
            with suppress(ConcurrentChange):
                counted[game_id].append((await store.change(game_id, count_up)).record.game.x.wins)

    await asyncio.gather(
        *(race(store, game_id) for game_id in ids), *(race(other_store, game_id) for game_id in reversed(ids))
    )
    for game_id, counts in counted.items():
        game, (board,) = await read(store, game_id)
        assert sorted(counts) == [*range(1, game.x.wins + 1)]
        assert 5 <= game.x.wins == game.version - 1 == board.wanted - 1


# The record of a game (`storage/games/game.py`): its moves define it.


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"moves": "00"}, "a1 is taken"),
        ({"moves": "9"}, "The character '9' is not one"),
        ({"moves": "é"}, "The character 'é' is not one"),
        ({"moves": X_WINS + "7", "termination": Termination.LINE, "winner": Mark.X}, "The game is over"),
        ({"moves": "04", "rules": "three"}, "three"),
        ({"moves": "04", "rules": "99x99x3"}, "99"),
        ({"moves": X_WINS}, "end by line, but None"),
        (
            {"moves": X_WINS, "termination": Termination.FULL_BOARD, "winner": Mark.X},
            "end by line, but full board",
        ),
        (
            {"moves": X_WINS, "termination": Termination.RESIGNATION, "winner": Mark.X},
            "end by line, but resignation",
        ),
        ({"moves": X_WINS, "termination": Termination.LINE, "winner": Mark.O}, "won by X, but O"),
        ({"moves": X_WINS, "termination": Termination.LINE}, "won by X, but None"),
        ({"moves": DRAWN, "termination": Termination.FULL_BOARD, "winner": Mark.O}, "won by None, but O"),
        ({"moves": "04", "termination": Termination.LINE, "winner": Mark.X}, "end by None, but line"),
        ({"moves": "04", "winner": Mark.X}, "won by None, but X"),
    ],
)
def test_a_game_that_contradicts_itself_is_refused(values: dict[str, object], reason: str) -> None:
    game = NEW._replace(id=77, **values)  # type: ignore[arg-type] # the table names fields of a game
    with pytest.raises(CorruptGame, match=r"^game 77 cannot be read: ") as refusal:
        game.check()
    assert reason in refusal.value.reason


def test_every_word_fits_into_its_column() -> None:
    members = [
        column.type for table in METADATA.tables.values() for column in table.c if type(column.type) is Member
    ]
    words = [*Level, *STRATEGIES, *(word for kind in members for word in kind.of)]
    assert members
    assert max(map(len, map(str, words))) <= 16
