"""Pages of boards: turning one is a version of that board only, and the page stays when the game changes."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from storage.errors import ConcurrentChange
from storage.games import boards, games
from storage.games.record import WHOLE, Page, ReviewMode
from tests.storage.examples import BOB, BOBS, HOME, INLINE, become, pass_on, put, stored_board, stored_boards

REVIEW = Page(review=ReviewMode.LOOK, review_ply=5)


def test_a_page_is_the_next_version_of_its_own_board_alone(engine: Engine) -> None:
    with engine.begin() as connection:
        record = put(connection, HOME, BOBS)
        hers, his = record.boards
        turned = boards.turn(connection, record, hers, REVIEW)
        assert (turned.board.page, turned.board.wanted, turned.before) == (REVIEW, hers.wanted + 1, hers)
        assert stored_boards(connection, record.game.id) == (turned.board, his)
        assert games.load(connection, record.game.id).game == record.game
        back = boards.turn(connection, record, turned.board, WHOLE)
        assert stored_board(connection, hers) == back.board
        assert back.board.page == WHOLE


def test_of_two_people_turning_one_board_the_later_one_is_told(engine: Engine) -> None:
    with engine.begin() as connection:
        record = put(connection, HOME)
        boards.turn(connection, record, record.boards[0], REVIEW)
    with pytest.raises(ConcurrentChange), engine.begin() as connection:
        boards.turn(connection, record, record.boards[0], REVIEW._replace(review_ply=6))


def test_a_board_comes_down_with_its_page(engine: Engine) -> None:
    with engine.begin() as connection:
        record = put(connection, HOME)
        board = become(connection, record.boards[0], message_id=5)
        record = games.load(connection, record.game.id)
        moved = boards.move_down(connection, record, board, None, REVIEW)
        assert (moved.board.replaces, moved.board.page) == (board.id, REVIEW)
        assert stored_board(connection, moved.board) == moved.board


def test_a_review_of_ones_own_follows_into_no_other_game_and_goes_when_it_is_left(engine: Engine) -> None:
    with engine.begin() as connection:
        record = put(connection, HOME)
        aside = boards.put(connection, record.game.id, BOBS, page=REVIEW, aside=True)
        assert stored_board(connection, aside) == aside
        record = games.load(connection, record.game.id)
        staying, passed = pass_on(connection, record, record.game._replace(id=0, update_id=None))
        assert [board.viewer for board in passed.boards] == [HOME.viewer]
        assert [board.viewer for board in staying.boards] == [HOME.viewer, BOB]
        (gone,) = boards.leave(connection, record, [aside], 5)
        assert gone.board.leaving
        assert stored_board(connection, aside) == gone.board


def test_a_message_of_inline_mode_shows_the_next_game_as_it_is(engine: Engine) -> None:
    with engine.begin() as connection:
        record = put(connection, INLINE, chat_id=None)
        boards.turn(connection, record, record.boards[0], REVIEW._replace(reviewer=BOB))
        record = games.load(connection, record.game.id)
        _, passed = pass_on(connection, record, record.game._replace(id=0, update_id=None))
        assert [board.page for board in passed.boards] == [WHOLE]
        assert stored_boards(connection, passed.game.id) == passed.boards
