"""Chats and people: what was chosen, and where a group went that became a supergroup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text

from storage import chats, games
from storage.chats import Chat, Person
from tests.storage.examples import ANN, GROUP, put

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

OLD, NEW = -4_100_200_300, GROUP


def people(connection: Connection) -> list[tuple[int, str, str | None]]:
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
    with engine.begin() as connection:
        chats.choose(connection, OLD, {"level": "hard", "first": "random"})
        moved = put(connection, chat_id=OLD, message_id=900, moves="4", version=2, shown=2)
        other = put(connection, chat_id=ANN, message_id=901)
        chats.migrate(connection, old=OLD, new=NEW)
        assert chats.load(connection, NEW) == Chat(NEW, "hard", "random")
        assert chats.load(connection, OLD) == Chat(OLD)
        assert games.load(connection, other.id) == other
        moved = games.load(connection, moved.id)
        assert (moved.chat_id, moved.message_id, moved.moves) == (NEW, None, "4")


def test_a_migration_that_is_told_twice_takes_nothing_back(engine: Engine) -> None:
    """Both the old chat and the new one tell it (Bot API, Message)."""
    with engine.begin() as connection:
        chats.choose(connection, OLD, {"level": "hard"})
        game = put(connection, chat_id=OLD)
        chats.migrate(connection, old=OLD, new=NEW)
        games.place(connection, game.id, 902)
        chats.choose(connection, NEW, {"first": "bot"})
        chats.migrate(connection, old=OLD, new=NEW)
        assert chats.load(connection, NEW) == Chat(NEW, "hard", "bot")
        assert games.load(connection, game.id).message_id == 902


def test_what_was_chosen_in_the_supergroup_first_stays_where_the_group_chose_nothing(engine: Engine) -> None:
    with engine.begin() as connection:
        chats.choose(connection, OLD, {"level": "hard"})
        chats.choose(connection, NEW, {"first": "bot"})
        chats.migrate(connection, old=OLD, new=NEW)
        assert chats.load(connection, NEW) == Chat(NEW, "hard", "bot")


def test_a_person_is_remembered_as_last_seen(engine: Engine) -> None:
    with engine.begin() as connection:
        chats.see(connection, Person(ANN, "Ann", "en"))
        chats.see(connection, Person(7, "博", "zh-hans"))
        chats.see(connection, Person(ANN, "Ann 🦆"))
        assert sorted(people(connection)) == [(7, "博", "zh-hans"), (ANN, "Ann 🦆", None)]


def test_an_update_chooses_once_however_often_it_comes(engine: Engine) -> None:
    with engine.begin() as connection:
        chats.choose(connection, 5, {"level": "easy"}, 71)
        chats.choose(connection, 5, {"level": "hard"}, 72)
        assert chats.choose(connection, 5, {"level": "easy"}, 71).level == "hard"
