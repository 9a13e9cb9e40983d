"""Chats: what is chosen in them, and groups that became supergroups."""

from __future__ import annotations

import time

import pytest
from sqlalchemy import Connection, insert, select, update

from storage.columns import DataKind
from storage.games import boards, games, lookups, outbox
from storage.games.game import Termination
from storage.games.record import LOOK_NEVER, Notice, NoticeKind, Place
from storage.people import chats, people
from storage.people.person import Chat
from storage.privacy import retention
from storage.schema import ABSENCES, CHATS, GAMES, METADATA, OUTBOX
from tests.storage.examples import ANN, BOB, BOBS, GROUP, HOME, INLINE, TWO, become, finished, put, settle
from tests.storage.people_everywhere import plain

OLD, NEW = -4_100_200_300, GROUP


def test_in_an_unknown_chat_nothing_was_chosen(connection: Connection) -> None:
    assert chats.load(connection, ANN) == Chat(ANN, None, None)


def test_a_choice_leaves_the_others_as_they_were(connection: Connection) -> None:
    assert chats.choose(connection, ANN, {"level": "hard"}) == Chat(ANN, "hard", None)
    assert chats.choose(connection, ANN, {"first": "bot"}) == Chat(ANN, "hard", "bot")
    assert chats.load_or_add(connection, ANN) == Chat(ANN, "hard", "bot")
    assert chats.choose(connection, ANN, {"level": "easy"}) == Chat(ANN, "easy", "bot")
    assert chats.load(connection, GROUP) == Chat(GROUP)


def test_a_chosen_language_is_found_by_its_person_or_group(connection: Connection) -> None:
    for chat in (ANN, BOB, GROUP):
        chats.choose(connection, chat, {"language": "zh" if chat != BOB else None})
    assert chats.languages(connection) == {ANN: "zh", GROUP: "zh"}
    assert [people.language_for(connection, chat) for chat in (ANN, BOB)] == ["zh", None]
    chats.choose(connection, ANN, {"language": None})
    assert chats.languages(connection) == {GROUP: "zh"}


# A group becomes a supergroup.


def test_a_chat_that_becomes_another_takes_its_choices_games_and_notices_along(connection: Connection) -> None:
    """The messages stay behind (Bot API: they can't be edited under the new id), so boards are sent again."""
    chats.choose(connection, OLD, {"level": "hard", "theme": "sky", "as_text": True, "language": "zh"})
    chats.choose(connection, NEW, {"first": "bot"})
    places = (Place(OLD, thread_id=2, language="de"), BOBS, INLINE)
    record = put(connection, *places, chat_id=OLD, moves="4", version=2)
    become(connection, record.boards[0], message_id=900, wanted=2, shown=2, claims=2)
    boards.remember(connection, OLD, 890, record.game.id)
    other = put(connection, HOME)
    notices = [
        outbox.add(connection, Notice(0, NoticeKind.BEATEN, record.game.id, 0, chat, None, None, 0))
        for chat in (OLD, ANN)
    ]
    now = int(time.time())
    chats.move_group(connection, old=OLD, new=NEW)
    chosen = chats.load(connection, NEW)
    assert chosen == Chat(NEW, "hard", "bot", theme="sky", as_text=True, language="zh")
    assert chats.load(connection, OLD) == Chat(OLD)
    assert games.load(connection, other.game.id) == other
    game, (board, *elsewhere) = games.load(connection, record.game.id)
    assert game == record.game._replace(chat_id=NEW)
    assert board.place == Place(NEW, thread_id=2, language="zh")
    assert (board.message_id, board.wanted, board.shown, board.claims) == (None, 3, 2, 0)
    assert 0 <= board.look_at - now <= 5
    assert tuple(elsewhere) == record.boards[1:]
    assert lookups.running(connection, NEW, ANN)[0].game == game
    assert [lookups.on_message(connection, chat, 890) for chat in (OLD, NEW)] == [None, None]
    found = {notice.id: notice.chat_id for notice in outbox.claim(connection, now=2**40, limit=9)}
    assert found == {notices[0].id: NEW, notices[1].id: ANN}


@pytest.mark.parametrize(
    ("shown", "look_at", "is_sent"),
    [(3, 5, False), (2, 5, True), (2, LOOK_NEVER, False)],
    ids=["shown", "due", "given up"],
)
def test_a_board_of_what_has_ended_is_sent_into_the_new_chat_only_if_its_end_was_still_to_be_shown(
    connection: Connection, shown: int, look_at: int, *, is_sent: bool
) -> None:
    over = put(connection, Place(OLD), chat_id=OLD, termination=Termination.EXPIRED)
    become(connection, over.boards[0], message_id=900, wanted=3, shown=shown, look_at=look_at)
    chats.move_group(connection, old=OLD, new=NEW)
    (board,) = games.load(connection, over.game.id).boards
    assert (board.chat_id, board.message_id, board.is_lagging) == (NEW, None, is_sent)


@pytest.mark.parametrize("is_sent", [False, True])
def test_a_board_that_is_moving_down_while_its_chat_becomes_another_is_one_board_there(
    connection: Connection, *, is_sent: bool
) -> None:
    record = put(connection, Place(OLD), chat_id=OLD)
    old = become(connection, record.boards[0], message_id=900, shown=1)
    new = boards.move_down(connection, games.load(connection, record.game.id), old, old.place).board
    if is_sent:
        settle(connection, new, 901)
    chats.move_group(connection, old=OLD, new=NEW)
    (board,) = games.load(connection, record.game.id).boards
    assert (board.id, board.chat_id, board.message_id, board.replaces) == (new.id, NEW, None, None)
    assert (board.is_lagging, board.leaving) == (True, False)
    # Calls to the old chat may still be answered, but change nothing any more.
    boards.unreachable(connection, new)
    assert boards.lost(connection, old) is None
    assert games.load(connection, record.game.id).boards == (board,)


def test_a_migration_that_is_told_twice_takes_nothing_back(connection: Connection) -> None:
    """Both the old chat and the new one report it (Bot API, Message)."""
    chats.choose(connection, OLD, {"level": "hard"})
    record = put(connection, Place(OLD), chat_id=OLD)
    chats.move_group(connection, old=OLD, new=NEW)
    (board,) = games.load(connection, record.game.id).boards
    settle(connection, board, 902)
    chats.choose(connection, NEW, {"first": "bot"})
    chats.move_group(connection, old=OLD, new=NEW)
    chats.move_group(connection, old=NEW, new=NEW)
    assert chats.load(connection, NEW) == Chat(NEW, "hard", "bot")
    (stored,) = games.load(connection, record.game.id).boards
    assert stored == board._replace(message_id=902, shown=board.wanted, shown_at=stored.shown_at)


# Who has left a group is noted if they had played there.


def gone(connection: Connection) -> set[tuple[int, int]]:
    return {(row.chat_id, row.person) for row in connection.execute(select(ABSENCES))}


def test_only_who_has_played_in_a_group_is_noted_until_they_do_again(connection: Connection) -> None:
    people.leave(connection, chat_id=GROUP, person=ANN)
    assert gone(connection) == set()
    finished(connection, {**TWO, "chat_id": GROUP})
    for _ in range(2):
        people.leave(connection, chat_id=GROUP, person=ANN)
        people.leave(connection, chat_id=GROUP, person=BOB)
    finished(connection, {**TWO, "chat_id": GROUP - 1})
    assert gone(connection) == {(GROUP, ANN), (GROUP, BOB)}
    finished(connection, {"chat_id": GROUP})
    assert gone(connection) == {(GROUP, BOB)}


def test_they_move_with_their_group_and_go_with_it(connection: Connection) -> None:
    finished(connection, {**TWO, "chat_id": GROUP})
    chats.choose(connection, GROUP, {"season_at": 77})
    people.leave(connection, chat_id=GROUP, person=BOB)
    chats.move_group(connection, old=GROUP, new=GROUP - 5)
    assert gone(connection) == {(GROUP - 5, BOB)}
    assert chats.load(connection, GROUP - 5).season_at == 77
    now = int(time.time())
    chats.leave(connection, GROUP - 5, now)
    while retention.drop_group(connection, GROUP - 5, now + 1, now + 1):
        pass
    assert gone(connection) == set()


# What is of a chat, wherever it is, goes with it.

OF_CHATS = [
    (table, column)
    for table in METADATA.sorted_tables
    for column in table.c
    if column.info["held"] is DataKind.CHAT and table is not CHATS
]
"""The columns that name a chat."""


def everywhere(connection: Connection, chat_id: int) -> None:
    """Store a row of that chat in every table that has any."""
    chats.choose(connection, chat_id, {"level": "hard"})
    for table, of_chat in OF_CHATS:
        row = {column.name: plain(column, 0) for column in table.c if column is not of_chat}
        connection.execute(insert(table).values({**row, of_chat.name: chat_id}))


def found(connection: Connection, chat_id: int) -> set[str]:
    """The tables with rows of a chat."""
    columns = [*OF_CHATS, (CHATS, CHATS.c.id)]
    return {
        str(table) for table, each in columns if connection.scalar(select(each).where(each == chat_id).limit(1))
    }


def test_a_group_that_becomes_another_or_is_left_is_nowhere_any_more(connection: Connection) -> None:
    everywhere(connection, OLD)
    chats.move_group(connection, old=OLD, new=NEW)
    assert found(connection, OLD) == set(), "move_group has to move or delete these"
    assert found(connection, NEW) >= {"games", "boards", "results", "outbox", "puzzles", "cup_plans"}
    connection.execute(update(OUTBOX).values(game_id=None))  # such as a cup's, which goes with no game
    now = int(time.time())
    chats.leave(connection, NEW, now)
    while retention.drop_group(connection, NEW, now + 1, now + 1):
        pass
    assert found(connection, NEW) == set(), "drop_group has to delete these"


def test_a_game_is_deleted_with_all_that_leads_to_it(connection: Connection) -> None:
    everywhere(connection, GROUP)
    connection.execute(update(GAMES).values(next_game=1))
    references = [each for table in METADATA.sorted_tables for each in table.foreign_keys]
    columns = [each.parent for each in references if each.column is GAMES.c.id]
    leading = {column for column in columns if connection.scalar(select(column).where(column == 1).limit(1))}
    assert leading == set(columns)
    games.delete_many(connection, [1])
    assert not any(connection.scalar(select(column).where(column == 1)) for column in leading)
