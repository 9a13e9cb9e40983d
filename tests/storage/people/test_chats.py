"""Chats and people: their settings, and groups that became supergroups."""

from __future__ import annotations

import time

import pytest
from sqlalchemy import Connection, Engine, text

from storage.games import boards, games, lookups, outbox
from storage.games.game import Termination
from storage.games.record import NEVER, Notice, NoticeKind, Place
from storage.people import chats, people
from storage.people.chats import Chat
from storage.people.person import Person
from storage.schema import CHATS
from tests.storage.examples import ANN, BOBS, GROUP, HOME, INLINE, become, put, settle, stored_boards

OLD, NEW = -4_100_200_300, GROUP


def rows(connection: Connection) -> list[tuple[int, str, str | None]]:
    return [tuple(row) for row in connection.execute(text("SELECT id, name, language FROM people"))]


def test_in_an_unknown_chat_nothing_was_chosen(engine: Engine) -> None:
    with engine.begin() as connection:
        assert chats.load(connection, ANN) == Chat(ANN, None, None)


def test_a_choice_leaves_the_others_as_they_were(engine: Engine) -> None:
    with engine.begin() as connection:
        assert chats.choose(connection, ANN, {"level": "hard"}) == Chat(ANN, "hard", None)
        assert chats.choose(connection, ANN, {"first": "bot"}) == Chat(ANN, "hard", "bot")
        assert chats.choose(connection, ANN, {}) == Chat(ANN, "hard", "bot")
        assert chats.choose(connection, ANN, {"level": "easy"}) == Chat(ANN, "easy", "bot")
        assert chats.load(connection, GROUP) == Chat(GROUP)


def test_a_chat_that_becomes_another_takes_its_choices_and_games_along(engine: Engine) -> None:
    """The messages stay behind (Bot API: they can't be edited under the new id), so boards are sent again."""
    with engine.begin() as connection:
        chats.choose(connection, OLD, {"level": "hard", "first": "random"})
        moved = put(connection, Place(OLD, thread_id=2, language="de"), chat_id=OLD, moves="4", version=2)
        become(connection, moved.boards[0], message_id=900, wanted=2, shown=2, claims=2)
        other = put(connection, HOME)
        now = int(time.time())
        chats.migrate(connection, old=OLD, new=NEW)
        assert chats.load(connection, NEW) == Chat(NEW, "hard", "random")
        assert chats.load(connection, OLD) == Chat(OLD)
        assert games.load(connection, other.game.id) == other
        game, (board,) = games.load(connection, moved.game.id)
        assert game == moved.game._replace(chat_id=NEW)
        assert board.place == Place(NEW, thread_id=2, language="de")
        assert (board.message_id, board.wanted, board.shown, board.claims) == (None, 3, 2, 0)
        assert 0 <= board.look_at - now <= 5
        assert lookups.running(connection, NEW, ANN)[0].game == game


@pytest.mark.parametrize(
    ("shown", "look_at", "is_sent"),
    [(3, 5, False), (2, 5, True), (2, NEVER, False)],
    ids=["shown", "due", "given up"],
)
def test_a_board_of_what_has_ended_is_sent_into_the_new_chat_only_if_its_end_was_still_to_be_shown(
    engine: Engine, shown: int, look_at: int, *, is_sent: bool
) -> None:
    with engine.begin() as connection:
        over = put(connection, Place(OLD), chat_id=OLD, termination=Termination.EXPIRED)
        become(connection, over.boards[0], message_id=900, wanted=3, shown=shown, look_at=look_at)
        chats.migrate(connection, old=OLD, new=NEW)
        (board,) = games.load(connection, over.game.id).boards
        assert (board.chat_id, board.message_id, board.is_lagging) == (NEW, None, is_sent)


def test_a_board_that_is_moving_down_while_its_chat_becomes_another_is_one_board_there(engine: Engine) -> None:
    with engine.begin() as connection:
        record = put(connection, Place(OLD), chat_id=OLD)
        old = become(connection, record.boards[0], message_id=900, shown=1)
        new = boards.move_down(connection, games.load(connection, record.game.id), old, None).board
        chats.migrate(connection, old=OLD, new=NEW)
        (board,) = games.load(connection, record.game.id).boards
        assert (board.id, board.chat_id, board.message_id, board.replaces) == (new.id, NEW, None, None)
        assert board.is_lagging
        # Calls to the old chat may still be answered, but change nothing any more.
        boards.give_up(connection, new)
        assert boards.lose_message(connection, old) is None
        assert games.load(connection, record.game.id).boards == (board,)


def test_a_board_that_was_left_does_not_come_along_nor_what_was_known_of_old_messages(engine: Engine) -> None:
    with engine.begin() as connection:
        record = put(connection, Place(OLD), chat_id=OLD)
        old = become(connection, record.boards[0], message_id=900, shown=1)
        new = boards.move_down(connection, games.load(connection, record.game.id), old, None).board
        settle(connection, new, 901)
        boards.remember(connection, OLD, 890, record.game.id)
        chats.migrate(connection, old=OLD, new=NEW)
        (board,) = games.load(connection, record.game.id).boards
        assert (board.id, board.leaving, board.message_id) == (new.id, False, None)
        assert [lookups.on_message(connection, chat, 890) for chat in (OLD, NEW)] == [None, None]


def test_boards_of_a_game_in_other_places_stay(engine: Engine) -> None:
    with engine.begin() as connection:
        record = put(connection, Place(OLD), BOBS, INLINE, chat_id=OLD)
        chats.migrate(connection, old=OLD, new=NEW)
        moved, *others = games.load(connection, record.game.id).boards
        assert moved.chat_id == NEW
        assert tuple(others) == record.boards[1:]


def test_what_is_to_be_said_is_said_in_the_new_chat(engine: Engine) -> None:
    with engine.begin() as connection:
        game_id = put(connection, Place(OLD), chat_id=OLD).game.id
        notice = outbox.add(connection, Notice(0, NoticeKind.REMINDER, game_id, 0, OLD, None, None, 0))
        elsewhere = outbox.add(connection, Notice(0, NoticeKind.REMINDER, game_id, 0, ANN, None, None, 0))
        chats.migrate(connection, old=OLD, new=NEW)
        found = {notice.id: notice.chat_id for notice in outbox.claim(connection, now=2**40, limit=9)}
        assert found == {notice.id: NEW, elsewhere.id: ANN}


def test_a_migration_that_is_told_twice_takes_nothing_back(engine: Engine) -> None:
    """Both the old chat and the new one report it (Bot API, Message)."""
    with engine.begin() as connection:
        chats.choose(connection, OLD, {"level": "hard"})
        record = put(connection, Place(OLD), chat_id=OLD)
        chats.migrate(connection, old=OLD, new=NEW)
        (board,) = games.load(connection, record.game.id).boards
        settle(connection, board, 902)
        chats.choose(connection, NEW, {"first": "bot"})
        chats.migrate(connection, old=OLD, new=NEW)
        chats.migrate(connection, old=NEW, new=NEW)
        assert chats.load(connection, NEW) == Chat(NEW, "hard", "bot")
        assert stored_boards(connection, record.game.id) == (board._replace(message_id=902, shown=board.wanted),)


def test_what_was_chosen_in_the_supergroup_first_stays_where_the_group_chose_nothing(engine: Engine) -> None:
    with engine.begin() as connection:
        chats.choose(connection, OLD, {"level": "hard"})
        chats.choose(connection, NEW, {"first": "bot"})
        chats.migrate(connection, old=OLD, new=NEW)
        assert chats.load(connection, NEW) == Chat(NEW, "hard", "bot")


def test_a_person_is_remembered_as_last_seen(engine: Engine) -> None:
    with engine.begin() as connection:
        people.see(connection, Person(ANN, "Ann", language="en"))
        people.see(connection, Person(7, "博", language="zh-hans"))
        people.see(connection, Person(ANN, "Ann 🦆"))
        assert sorted(rows(connection)) == [(7, "博", "zh-hans"), (ANN, "Ann 🦆", None)]


def test_an_update_chooses_once_however_often_it_comes(engine: Engine) -> None:
    with engine.begin() as connection:
        chats.choose(connection, 5, {"level": "easy"}, 71)
        chats.choose(connection, 5, {"level": "hard"}, 72)
        assert chats.choose(connection, 5, {"level": "easy"}, 71).level == "hard"


def test_an_update_counts_though_ids_have_started_again_far_below(engine: Engine) -> None:
    with engine.begin() as connection:
        chats.choose(connection, 5, {"level": "hard"}, 700_000_000)
        assert chats.choose(connection, 5, {"level": "easy"}, 5_000).level == "easy"
        assert chats.choose(connection, 5, {"level": "hard"}, 4_999).level == "easy"
        assert chats.choose(connection, 5, {"level": "perfect"}, 5_001).level == "perfect"


def test_there_is_room_for_the_longest_ids_of_every_choice(engine: Engine) -> None:
    names = (*chats.CHOICES, "notices", "takebacks", "hidden")
    with engine.begin() as connection:
        for update_id in range(2**31 - 1 - 3 * len(names), 2**31 - 1):
            assert chats.takes_turn(connection, 5, names[update_id % len(names)], update_id)
        kept = chats.load(connection, 5).seen_updates
        assert {word.partition(":")[2] for word in kept.split()} == set(names)
        assert len(kept) <= (CHATS.c.seen_updates.type.length or 0)  # type: ignore[attr-defined]
