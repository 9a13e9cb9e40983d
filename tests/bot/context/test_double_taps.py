"""Which tap is the second of a double tap."""

from __future__ import annotations

from bot.context.services import DOUBLE_SECONDS, REMEMBERED_TAPS, DoubleTaps

ANN, BO = 11, 12


def test_what_follows_the_same_persons_tap_within_half_a_second_is_one_gesture() -> None:
    taps = DoubleTaps()
    assert not taps.is_second(7, ANN, 100.0)
    taps.note(7, ANN, 100.0)
    assert taps.is_second(7, ANN, 100.3)
    assert not taps.is_second(7, ANN, 100.0 + DOUBLE_SECONDS)
    assert not taps.is_second(8, ANN, 100.3), "another game"


def test_after_another_persons_tap_nothing_is_a_second_one() -> None:
    taps = DoubleTaps()
    taps.note(7, ANN, 100.0)
    assert not taps.is_second(7, BO, 100.1)
    taps.note(7, BO, 100.1)
    assert not taps.is_second(7, ANN, 100.2), "Bo's taps don't make Ann's a double tap"


def test_only_so_many_are_remembered() -> None:
    taps = DoubleTaps()
    for game in range(1, REMEMBERED_TAPS + 2):
        taps.note(game, ANN, 100.0)
    assert not taps.is_second(1, ANN, 100.0)
    assert taps.is_second(2, ANN, 100.0)
