"""Boards in the database: what a new one is like, who is called to it, and the next game's.

What may happen to one in any order is in `test_boards_in_any_order`; here is what takes several games, several
connections, or words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

import pytest
from sqlalchemy import URL, Connection, event, func, select, text

from storage.database import connect
from storage.errors import CorruptGame
from storage.games import boards, games, versions
from storage.games.changes import ChangeRequest, change_games
from storage.games.record import NEVER, WHOLE, Attention, Board, Changed, Decision, Page, Record, ReviewMode
from storage.games.versions import CLAIM_SECONDS, GRACE_SECONDS, Again
from storage.people import chats, people
from storage.people.person import Person
from storage.schema import MESSAGES
from storage.store import Store
from tests.storage.examples import (
    ANN,
    BOB,
    BOBS,
    GROUP,
    HALL,
    HOME,
    INLINE,
    NEW,
    TWO,
    WON,
    add,
    become,
    pass_on,
    put,
    put_board,
    read,
    settle,
    stored_board,
)

ENDED = {**TWO, **WON}
REVIEW = Page(review=ReviewMode.LOOK, review_ply=5)
FOLLOWING = NEW._replace(x_seat=BOB, o_seat=ANN, o_level=None, o_wins=1)


def claimed(connection: Connection, limit: int = 100) -> list[int]:
    """The ids of the boards that a sweep takes up, although they aren't due."""
    sound, _ = versions.claim_lagging(connection, now=2**40, limit=limit)
    return [board.id for board, _ in sound]


# New boards.


def test_comments_come_in_other_words_than_in_ones_last_game_in_that_chat(connection: Connection) -> None:
    said: dict[tuple[int, int], list[int]] = {}
    for key in [(ANN, GROUP), (BOB, GROUP), (ANN, ANN), (ANN, GROUP), (ANN, ANN)] * 2:
        game = put(connection, HOME, chat_id=key[1], x_seat=0, o_seat=key[0]).game
        said.setdefault(key, []).append(game.wordings)
    assert said == {(ANN, GROUP): [0, 1, 0, 1], (BOB, GROUP): [0, 1], (ANN, ANN): [0, 1, 0, 1]}
    first = put(connection, HOME)
    latest = put(connection, HOME).game
    _, again = pass_on(connection, first, NEW)
    assert again.game.wordings == first.game.wordings == 1 - latest.wordings
    unknown = put(connection, INLINE, chat_id=None)
    _, again = pass_on(connection, unknown, unknown.game)
    assert again.game.wordings == 1 - unknown.game.wordings


def test_a_new_board_is_dressed_as_its_chat_has_chosen(connection: Connection) -> None:
    put(connection, HOME)
    chats.choose(connection, ANN, {"theme": "letters", "as_text": True, "language": "zh"})
    record = put(connection, HOME, BOBS)
    dressed = [(board.theme, board.as_text, board.language) for board in record.boards]
    assert dressed == [("letters", True, "zh"), (None, False, "zh-hans")]
    chats.choose(connection, ANN, {"theme": None, "as_text": False, "language": None})
    old = become(connection, record.boards[0], message_id=900)
    down = boards.move_down(connection, record._replace(boards=(old,)), old, None).board
    assert (down.theme, down.as_text, down.called) == (None, False, False)


# Versions.


def test_boards_are_shown_again_together_and_each_once_however_often_it_is_asked_for(
    connection: Connection,
) -> None:
    first, second = put(connection, HOME, HALL).boards
    (broken,) = put(connection, HOME, moves="00").boards
    newer = put_board(connection, wanted=7)
    asked = [
        Again(first.id, 1),
        Again(second.id, 2),
        Again(broken.id),
        Again(newer.id),
        Again(first.id),
        Again(10**6),
        Again(first.id, 0),
    ]
    executed: list[str] = []
    event.listen(connection, "before_cursor_execute", lambda *told: executed.append(told[2]))
    stored = versions.store_each(connection, asked)
    found = [each and (each.board.id, each.board.wanted) for each in stored]
    assert found == [None, None, None, (newer.id, 8), (first.id, 2), None, None]
    assert sum(statement.startswith("UPDATE") for statement in executed) == 1
    assert stored_board(connection, second) == second


def test_a_board_of_a_game_that_cannot_be_read_is_told_apart_and_closed(connection: Connection) -> None:
    (broken,) = put(connection, HOME, moves="00").boards
    sound = put_board(connection)
    assert versions.store_next(connection, broken.id) is None
    ((found, _),), ((board, error),) = versions.claim_lagging(connection, now=2**40, limit=9)
    assert (found.id, board.id, type(error)) == (sound.id, broken.id, CorruptGame)
    boards.close(connection, board)
    assert versions.claim_lagging(connection, now=2**41, limit=9)[1] == []


async def test_two_stores_that_sweep_together_take_up_each_board_once(postgresql: URL) -> None:
    stores = Store(postgresql), Store(postgresql)
    ids = [(await add(stores[0], HALL, chat_id=GROUP)).boards[0].id for _ in range(60)]
    sweeps = [store.run(partial(claimed, limit=7)) for _ in range(6) for store in stores]
    taken = [board_id for sweep in await asyncio.gather(*sweeps) for board_id in sweep]
    assert sorted(taken) == ids
    await asyncio.gather(*(store.close() for store in stores))


def test_a_sweep_does_not_wait_for_what_another_is_taking_up(postgresql: URL) -> None:
    engine = connect(postgresql, connections=2)
    with engine.begin() as connection:
        ids = [put_board(connection).id for _ in range(4)]
    with engine.begin() as one, engine.begin() as other:
        for way in ("hashjoin", "mergejoin", "hashagg", "sort", "material"):
            one.execute(text(f"SET LOCAL enable_{way} TO off"))  # so plans a server that has seen the table empty
        taken = claimed(one, limit=2)
        rest = claimed(other, limit=4)
    engine.dispose()
    assert len(taken) == len(rest) == 2
    assert sorted([*taken, *rest]) == ids


# Messages.


def test_a_removed_boards_message_stays_known_as_its_games_but_not_if_the_game_was_forgotten(
    connection: Connection,
) -> None:
    record = put(connection, HOME, INLINE)
    board = become(connection, record.boards[0], message_id=900)
    for _ in range(2):  # every job may run twice
        boards.remove(connection, board)
        assert games.load(connection, record.game.id).boards == record.boards[1:]
        rows = connection.execute(select(MESSAGES.c.chat_id, MESSAGES.c.message_id, MESSAGES.c.game_id)).all()
        assert [tuple(row) for row in rows] == [(ANN, 900, record.game.id)]
    connection.execute(MESSAGES.delete())
    boards.remove(connection, board)
    boards.remember(connection, ANN, 901, record.game.id + 1)
    assert connection.scalar(select(func.count()).select_from(MESSAGES)) == 0


def test_a_replacement_of_a_board_that_is_lost_is_kept_as_the_games_board(connection: Connection) -> None:
    """Without a board, the game could never be found in its chat again."""
    (old,) = put(connection, HALL, chat_id=GROUP).boards
    settle(connection, old, 900)
    record = games.load(connection, old.game_id or 0)
    new = boards.move_down(connection, record, record.boards[0], None).board
    boards.lose_message(connection, record.boards[0])
    boards.give_up(connection, new)
    assert games.load(connection, record.game.id).boards == (new._replace(look_at=NEVER),)


def test_a_review_of_ones_own_is_a_board_of_the_game_once_it_moves_without_its_page(
    connection: Connection,
) -> None:
    record = put(connection, HOME)
    aside = boards.put(connection, record.game.id, BOBS, page=REVIEW, aside=True)
    settle(connection, aside, 900)
    for page in (None, REVIEW):
        record = games.load(connection, record.game.id)
        moved = boards.move_down(connection, record, record.boards[1], None, page).board
        assert (moved.aside, moved.page) == (page is not None, page or WHOLE)


# A change calls somebody to a new board.


async def shown_game(store: Store, *places: object) -> Record:
    """A game whose boards have messages."""
    record = await add(store, *places, **TWO)  # type: ignore[arg-type] # places

    def sent(connection: Connection) -> Record:
        for number, board in enumerate(record.boards, 900):
            settle(connection, board, number)
        return games.load(connection, record.game.id)

    return await store.run(sent)


def calling(record: Record) -> ChangeRequest:
    """A move that calls Bob, the second viewer."""
    bobs = record.boards[-1]
    attention = {bobs.id: Attention(bobs.acted_at, called=True, to=bobs.place, person=BOB)}
    return ChangeRequest(record.game.id, lambda r: Decision(r.game._replace(moves="4"), None, attention=attention))


def coming(record: Record) -> list[Board]:
    """The new boards that have no message yet."""
    return [board for board in record.boards if board.message_id is None]


@pytest.mark.parametrize(
    ("wish", "private", "group"), [(None, True, False), (True, True, True), (False, False, False)]
)
async def test_all_are_called_where_they_look(store: Store, wish: bool | None, private: bool, group: bool) -> None:  # noqa: FBT001
    if wish is not None:
        await store.run(partial(people.choose, person=Person(BOB, "Bob"), notices=wish))
    assert await store.run(partial(people.notices_of, person_id=BOB)) is wish
    for place, expected in ((BOBS, private), (HALL, group)):
        request = calling(await shown_game(store, HOME, place))
        changed = await store.change(request.game_id, request.decide)
        assert [(board.replaces, board.place, board.called) for board in coming(changed.record)] == [
            (changed.record.boards[1].id, place, True)
        ] * expected
        assert changed.record.boards[1].called, "either way it is not asked again before they act"
        assert changed.record == await read(store, request.game_id)


async def test_changes_of_one_transaction_go_to_the_board_that_comes_too(store: Store) -> None:
    record = await shown_game(store, HOME, BOBS)
    second = ChangeRequest(record.game.id, lambda r: Decision(r.game._replace(moves="40"), None))
    results = await store.run(change_games, [calling(record), second])
    assert not [result for result in results if isinstance(result, Exception)]
    stored = await read(store, record.game.id)
    (new,) = coming(stored)
    assert stored.game.moves == "40"
    assert (new.wanted, new.shown) == (2, 0)


# A game hands its boards to the next.


async def again(store: Store, game_id: int, **values: object) -> tuple[Record, Record, Sequence[int]]:
    """Start a game's next one; returns both, and the boards that were there before."""

    def follow(found: Record) -> Decision[None]:
        following = FOLLOWING._replace(chat_id=found.game.chat_id, **values)  # type: ignore[arg-type] # of a game
        return Decision(found.game._replace(offer=None), None, following=following)

    changed = await store.change(game_id, follow)
    assert changed.following is not None
    assert changed.record == await read(store, game_id)
    assert changed.following == await read(store, changed.following.game.id)
    assert changed.record.game.next_game == changed.following.game.id
    return changed.record, changed.following, list(changed.before)


async def test_the_next_game_has_boards_of_its_own_and_the_last_leads_there(store: Store) -> None:
    record = await add(store, HOME, BOBS, **ENDED)
    last, following, before = await again(store, record.game.id)
    assert [board.place for board in following.boards] == [HOME, BOBS]
    assert [(board.message_id, board.wanted, board.shown) for board in following.boards] == [(None, 1, 0)] * 2
    assert before == [board.id for board in record.boards]
    assert [board.wanted for board in last.boards] == [2, 2]


def test_a_board_on_the_move_is_followed_by_one_and_a_review_of_ones_own_by_none(connection: Connection) -> None:
    (old,) = put(connection, HALL, chat_id=GROUP).boards
    settle(connection, old, 900)
    record = games.load(connection, old.game_id or 0)
    new = boards.move_down(connection, record, record.boards[0], None).board
    boards.put(connection, record.game.id, BOBS, page=REVIEW, aside=True)
    for place in (HALL, new.place):
        _, following = pass_on(connection, games.load(connection, record.game.id), NEW._replace(chat_id=GROUP))
        assert [board.place for board in following.boards] == [place]
        settle(connection, new, 901)


async def test_in_one_change_an_inline_board_is_raised_once_and_shows_the_next_game(store: Store) -> None:
    record = await add(store, INLINE, chat_id=None, **ENDED)
    last, following, before = await again(store, record.game.id)
    assert last.boards == ()
    assert [(board.id, board.wanted) for board in following.boards] == [(record.boards[0].id, 2)]
    assert before == [record.boards[0].id]


async def test_a_next_game_that_cannot_be_stored_changes_nothing(store: Store) -> None:
    record = await add(store, INLINE, chat_id=None, **ENDED)
    await add(store, update_id=5)
    with pytest.raises(Exception, match=r"(?i)unique"):
        await again(store, record.game.id, update_id=5)
    assert await read(store, record.game.id) == record


def test_games_that_are_followed_at_the_same_time_have_each_the_next_of_its_own(connection: Connection) -> None:
    """The second request for a rematch finds the next game stored."""
    over = [
        put(connection, HOME, BOBS, **ENDED),
        put(connection, INLINE, chat_id=None, **ENDED),
        put(connection, BOBS, **ENDED),
    ]
    seen: list[int | None] = []

    def follow(found: Record) -> Decision[None]:
        seen.append(found.game.next_game)
        if found.game.next_game is not None:
            return Decision(found.game, None)
        following = FOLLOWING._replace(x_wins=found.game.id)
        return Decision(found.game._replace(offer=None), None, following=following)

    wishes = [ChangeRequest(record.game.id, follow) for record in (*over, over[1])]
    results = [result for result in change_games(connection, wishes) if isinstance(result, Changed)]
    begun = [result.following for result in results[:3] if result.following is not None]
    assert seen == [None, None, None, begun[1].game.id]
    assert results[3].following is None
    for record, result, following in zip(over, results[:3], begun, strict=True):
        assert following.game.x_wins == record.game.id
        assert result.record.game.next_game == following.game.id
        assert games.load(connection, following.game.id) == following
        assert games.load(connection, record.game.id) == result.record
    places = [[board.place for board in following.boards] for following in begun]
    assert places == [[HOME, BOBS], [INLINE], [BOBS]]


def test_the_second_claim_comes_longer_after_the_first_than_any_edit_can_be_under_way() -> None:
    """An edit may start when a grace period ends, wait 20 s for its answer, and Telegram may stall for 8 s."""
    assert CLAIM_SECONDS > GRACE_SECONDS + 20 + 8
