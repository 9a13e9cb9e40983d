"""What a process knows about its versions of boards, in whatever order it hears of them."""

from typing import Final

import pytest

from bot.delivery.ownership import MARK_TRIES, Ownership
from storage.games.record import Board
from storage.games.versions import CLAIM_SECONDS, GRACE_SECONDS, BoardCall

NOW: Final = 1_000_000
CONFIRMED: Final = Board(1, 1, -1, message_id=1, wanted=4, shown=4, look_at=NOW + GRACE_SECONDS)
LAGGING: Final = CONFIRMED._replace(shown=3)


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: NOW)


def next_of(board: Board, by: int = 1) -> Board:
    return board._replace(wanted=board.wanted + by)


def test_a_late_report_of_a_version_does_not_make_up_for_an_edit_without_an_answer() -> None:
    known = Ownership()
    board = next_of(CONFIRMED)
    known.stored(board, CONFIRMED)
    known.unanswered(board)
    known.stored(board, CONFIRMED)
    known.shown(board)
    assert known.to_write()[0] == {}, "the edit may still land after the ones that follow"


def test_an_older_version_that_is_reported_last_changes_nothing() -> None:
    for before in (CONFIRMED, LAGGING, None):
        known = Ownership()
        older, newer = next_of(LAGGING), next_of(LAGGING, 2)
        known.stored(newer, before)
        known.stored(older, before)
        assert known.newest(1) == newer.wanted
        assert known.held() == {1: newer.wanted}
        known.claimed(older)
        assert known.newest(1) == newer.wanted


def test_versions_of_one_transaction_are_an_uncontested_chain_however_often_they_are_reported() -> None:
    known = Ownership()
    known.stored(LAGGING, CONFIRMED)
    for version in (next_of(LAGGING), next_of(LAGGING), next_of(LAGGING, 2)):
        known.stored(version, LAGGING)
        assert not known.shown(version)
        assert known.to_write()[0] == {1: version.wanted}


def test_a_version_over_one_of_another_process_is_shown_again_and_not_confirmed() -> None:
    known = Ownership()
    board = next_of(LAGGING)
    known.stored(board, LAGGING)
    assert known.shown(board)
    assert known.to_write()[0] == {}


def test_calls_may_begin_in_the_first_five_seconds_unless_the_window_is_renewed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def may_send(seconds: float) -> bool:
        monkeypatch.setattr("time.time", lambda: NOW + seconds)
        return known.may_send(board)

    for claims, board in enumerate((next_of(CONFIRMED), LAGGING._replace(claims=1, look_at=NOW + CLAIM_SECONDS))):
        known = Ownership()
        assert not may_send(0)
        if claims:
            known.claimed(board)
        else:
            known.stored(board, CONFIRMED)
        assert may_send(GRACE_SECONDS - 1)
        assert not may_send(GRACE_SECONDS)
        known.renewed([1], known.held(), NOW + 2 * GRACE_SECONDS)
        assert may_send(2 * GRACE_SECONDS - 1)
        known.renewed([1], {1: board.wanted - 1}, NOW + 9 * GRACE_SECONDS)
        assert not may_send(2 * GRACE_SECONDS)
        known.let_go(board)
        assert not may_send(0)


def test_an_overdue_call_is_written_until_its_row_is_free_and_not_for_ever() -> None:
    known = Ownership()
    board = next_of(CONFIRMED)
    known.stored(board, CONFIRMED)
    known.let_go(board)
    known.shown(board)
    call = BoardCall(1, board.wanted)
    for _ in range(2):  # without a database nothing is consumed
        shown, overdue, _ = known.to_write()
        assert (shown, overdue) == ({}, {call: MARK_TRIES})
        assert known.wrote(overdue, None)
    for tries in range(1, MARK_TRIES + 1):
        _, overdue, _ = known.to_write()
        assert known.wrote(overdue, [call]) == (tries < MARK_TRIES)
    assert known.to_write() == ({}, {}, {})
