"""Vanishing: its rules, reimplemented, and known facts about it."""

from random import Random

from engine import Mark
from engine.rules.vanishing import LAST_PLY, VANISHING, VanishingPosition
from tests.engine.naive import CLASSIC


def test_it_is_drawn_after_eighty_plies() -> None:
    position = VANISHING.after([*([0, 1, 4, 3, 5, 8, 7, 6] * 10)][:79])
    assert position.outcome is None
    ended = position.play(6)
    assert ended.ply == LAST_PLY == 80
    assert (ended.outcome, ended.legal_moves) == ((None, (), True), ())


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
            marks = {cell: mark for mark, side in zip("XO", sides, strict=True) for cell in side}
            assert position.marks == "".join(marks.get(cell, ".") for cell in range(9))
            lines = tuple(line for line in CLASSIC.lines if set(line) == set(own))
            assert position.is_over == (bool(lines) or position.ply == LAST_PLY)
            assert not lines or position.outcome == (position.turn.other, lines, False)
            fading = tuple(side[0] for side in (sides[position.ply % 2], own) if len(side) == 3)
            assert position.fading == (() if position.is_over else fading), "that of the side to move first"


def test_a_position_is_the_same_value_however_it_was_reached_at_the_same_ply() -> None:
    assert VANISHING.replay("a1 a2 b1 b2 c3") == VanishingPosition((0, 1, 8), (3, 4), 5, None)
    assert VANISHING.after([0, 4, 1, 5, 3, 7]) != VANISHING.after([1, 4, 0, 5, 3, 7]), (
        "the order of the marks counts"
    )
