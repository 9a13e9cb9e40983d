"""Whose an entry is, and when its turn comes."""

from __future__ import annotations

import pytest

from bot.delivery.entries import Showing, Tap, first_of
from bot.delivery.pace import Kind
from storage.games.game import Game, GameKind
from storage.games.record import Board

ANN, BO, GROUP = 1, 2, -3
GAME = Game(1, None, "3x3x3", GameKind.PAIR, ANN, BO)
BOS = Board(1, 1, BO, message_id=7, viewer=BO)


@pytest.mark.parametrize(
    ("person", "there", "kind"),
    [(BO, BO, Kind.TAPPED), (ANN, ANN, Kind.BOARD), (ANN, GROUP, Kind.BOARD), (ANN, None, Kind.BOARD)],
)
def test_a_board_counts_as_tapped_only_where_somebody_tapped(person: int, there: int | None, kind: Kind) -> None:
    showing = Showing(BO, BOS, GAME, tap=Tap(person, 0.0, Kind.TAPPED, there))
    assert (showing.kind, showing.for_whom) == (kind, person)


def test_what_nobody_tapped_is_the_persons_whose_chat_it_is() -> None:
    assert Showing(BO, BOS._replace(viewer=None), GAME).for_whom == BO


def test_the_tap_at_a_board_comes_before_one_elsewhere_whichever_was_first() -> None:
    hers, his = Tap(ANN, 0.0, Kind.TAPPED, ANN), Tap(BO, 1.0, Kind.TAPPED, BO)
    for earlier, later in ((hers, his), (his, hers), (None, his), (his, None)):
        assert first_of(earlier, later, BOS) is his
