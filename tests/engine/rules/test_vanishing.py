"""Vanishing: its rules, reimplemented, and known facts about it."""

from random import Random

import pytest

from engine import IllegalMove, Mark
from engine.rules.vanishing import LAST_PLY, VANISHING, VanishingPosition
from tests.boards import drawn
from tests.engine.naive import CLASSIC


def test_a_fourth_mark_removes_the_oldest_and_its_cell_is_free_for_the_next_ply() -> None:
    position = VANISHING.replay("041537")
    assert drawn(position) == "XX.XOO.O."
    assert position.fading == (0, 4), "that of the side to move first"
    assert position.legal_moves == (2, 6, 8), "not its own oldest"
    after = position.play(8)
    assert drawn(after) == ".X.XOO.OX"
    assert after.fading == (4, 1)
    assert 0 in after.legal_moves


def test_lines_are_judged_after_the_oldest_has_gone() -> None:
    # X has 0, 1 and 5: with 2 it would have had the first row, but 0 goes.
    position = VANISHING.replay("031456").play(2)
    assert (drawn(position), position.outcome) == (".XXOOXO..", None)
    # X has 5, 0 and 1: now 5 goes, and the row is there.
    won = VANISHING.replay("530417").play(2)
    assert won.outcome == (Mark.X, ((0, 1, 2),), False)
    assert (won.fading, won.legal_moves) == ((), ())


def test_it_is_drawn_after_eighty_plies() -> None:
    position = VANISHING.after([*([0, 1, 4, 3, 5, 8, 7, 6] * 10)][:79])
    assert position.outcome is None
    ended = position.play(6)
    assert ended.ply == LAST_PLY == 80
    assert (ended.outcome, ended.legal_moves) == ((None, (), True), ())
    with pytest.raises(IllegalMove, match="The game is over"):
        ended.play(2)


def test_random_games_go_as_the_rules_told_plainly_say() -> None:
    for seed in range(200):
        rng, position = Random(seed), VANISHING.start()
        sides: tuple[list[int], list[int]] = ([], [])
        while not position.is_over:
            own = sides[position.ply % 2]
            assert position.legal_moves == tuple(cell for cell in range(9) if cell not in sides[0] + sides[1])
            assert position.turn is list(Mark)[position.ply % 2]
            cell = rng.choice(position.legal_moves)
            position = position.play(cell)
            own.append(cell)
            del own[:-3]
            assert (position.x, position.o) == tuple(map(tuple, sides))
            lined = any(set(line) == set(own) for line in CLASSIC.lines)
            assert position.is_over == (lined or position.ply == LAST_PLY)


def test_a_position_is_the_same_value_however_it_was_reached_at_the_same_ply() -> None:
    assert VANISHING.replay("03148") == VanishingPosition((0, 1, 8), (3, 4), 5, None)
    assert VANISHING.replay("041537") != VANISHING.replay("140537"), "the order of the marks counts"
