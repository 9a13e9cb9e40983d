"""Vanishing: its rules, reimplemented, and known facts about it."""

from __future__ import annotations

from random import Random

import pytest

from engine import IllegalMove, Mark, parse_rules
from engine.analysis.at_once import reason_at_once
from engine.players.reasons import Reason
from engine.rules.vanishing import LAST_PLY, VANISHING, VanishingPosition
from tests.boards import drawn
from tests.engine.naive import LINES


def test_its_rules_are_one_object_of_one_region() -> None:
    assert parse_rules("vanishing") is VANISHING
    assert (VANISHING.cells, len(VANISHING.layout.regions), VANISHING.layout.has_names) == (9, 1, True)


def test_a_fourth_mark_removes_the_oldest_and_its_cell_is_free_for_the_next_ply() -> None:
    position = VANISHING.replay("041537")
    assert drawn(position) == "XX.XOO.O."
    assert position.fading == (0,)
    assert position.legal_moves == (2, 6, 8), "not its own oldest"
    after = position.play(8)
    assert drawn(after) == ".X.XOO.OX"
    assert after.fading == (4,)
    assert 0 in after.legal_moves


def test_lines_are_judged_after_the_oldest_has_gone() -> None:
    # X has 0, 1 and 5: with 2 it would have had the first row, but 0 goes.
    position = VANISHING.replay("031456").play(2)
    assert (drawn(position), position.outcome) == (".XXOOXO..", None)
    # X has 5, 0 and 1: now 5 goes, and the row is there.
    won = VANISHING.replay("530417").play(2)
    assert won.outcome is not None
    assert (won.outcome.winner, won.outcome.lines, won.fading, won.legal_moves) == (Mark.X, ((0, 1, 2),), (), ())


@pytest.mark.parametrize(("cell", "sentence"), [(0, "Cell 0 is taken"), (4, "Cell 4 is taken"), (9, "no cell 9")])
def test_a_cell_with_a_mark_cannot_be_played_not_even_ones_own_oldest(cell: int, sentence: str) -> None:
    with pytest.raises(IllegalMove, match=sentence):
        VANISHING.replay("041537").play(cell)


def endless() -> VanishingPosition:
    """A game of eighty plies in which nobody completes a line."""
    rng, position = Random(5), VANISHING.start()
    while not position.is_over:
        after = [position.play(cell) for cell in position.legal_moves]
        calm = [
            each for each in after if not each.outcome or each.outcome.is_draw if not any(map(_won, _next(each)))
        ]
        position = rng.choice(calm or [each for each in after if not _won(each)])
    return position


def _next(position: VanishingPosition) -> list[VanishingPosition]:
    return [position.play(cell) for cell in position.legal_moves]


def _won(position: VanishingPosition) -> bool:
    return position.outcome is not None and not position.outcome.is_draw


def test_it_is_drawn_after_eighty_plies() -> None:
    position = endless()
    assert position.ply == LAST_PLY == 80
    assert position.outcome is not None
    assert (position.outcome.winner, position.outcome.by_limit, position.legal_moves) == (None, True, ())
    with pytest.raises(IllegalMove, match="The game is over"):
        position.play(position.x[0])


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
            lined = any(set(line) == set(own) for line in LINES)
            assert position.is_over == (lined or position.ply == LAST_PLY)


def test_a_position_is_the_same_value_however_it_was_reached_at_the_same_ply() -> None:
    assert VANISHING.replay("03148") == VanishingPosition((0, 1, 8), (3, 4), 5, None)
    assert VANISHING.replay("041537") != VANISHING.replay("140537"), "the order of the marks counts"


@pytest.mark.parametrize(
    ("moves", "cell", "reason"),
    [
        ("", 4, Reason.CENTRE),
        ("", 0, Reason.CORNER),
        ("", 1, Reason.PREFERENCE),
        ("0418", 2, Reason.WIN),
        ("041", 8, Reason.ALLOWS_WIN),
        ("041", 2, Reason.BLOCK),
        ("04", 1, Reason.THREAT),
    ],
)
def test_a_ply_has_its_reason(moves: str, cell: int, reason: Reason) -> None:
    assert reason_at_once(VANISHING.replay(moves), cell) is reason
