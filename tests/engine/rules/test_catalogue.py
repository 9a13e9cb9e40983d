"""Which rules there are by name, and which boards people can choose: those on which random play rarely draws."""

import copy
import pickle
import re
from itertools import product
from random import Random

import pytest

from engine import CLASSIC, InvalidRules, Level, parse_rules
from engine.levels import plays
from engine.rules.catalogue import (
    MENU,
    NAMED,
    NotOffered,
    is_offered,
    is_offered_as,
    longest_line,
    offered,
    usual_line,
)
from tests.engine.naive import Game

NAMES = (
    "a board is written like 5x5x4: columns, rows, and how many in a row win; others are ultimate and vanishing."
)
SIZES = list(product(range(3, 9), repeat=2))
BOARDS = [
    Game(m, n, k, misere=misere) for m, n in SIZES for k in range(3, max(m, n) + 1) for misere in (False, True)
]


def test_every_set_of_rules_has_a_text_that_gives_it_back() -> None:
    names = {*(game.text for game in BOARDS), *(rules.text for rules in NAMED.values())}
    assert len(names) == 322 + len(NAMED)
    for text in names:
        rules = parse_rules(text)
        assert rules.text == str(rules) == text
        assert parse_rules(text) is rules
        assert repr(rules) == f"parse_rules({text!r})"
    assert parse_rules("3x3x3") is CLASSIC


@pytest.mark.parametrize("text", [CLASSIC.text, "5x5x4-misere", *(rules.text for rules in NAMED.values())])
def test_a_copy_of_a_position_equals_it(text: str) -> None:
    position = parse_rules(text).start().play("b2")
    for made in (copy.deepcopy(position), pickle.loads(pickle.dumps(position))):  # noqa: S301 - our own bytes
        assert made == position
        assert made.rules is position.rules


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        *(
            (text, f"No rules are called {text!r}: {NAMES}")
            for text in ("", "3x3", "3x3x3x3", "03x3x3", "3x3x³", "3X3X3", " 3x3x3", f"3x3x{'9' * 5000}")
        ),
        ("3x3x3-", "No rules are called '3x3x3-': a board can only be followed by -misere."),
        ("3x3x3-wild", "No rules are called '3x3x3-wild': a board can only be followed by -misere."),
        ("9x3x3", "A board has 3 to 8 columns and rows, not 9 and 3."),
        ("15x15x5", "A board has 3 to 8 columns and rows, not 15 and 15."),
        ("3x3x4", "On a board of 3 columns and 3 rows a line has 3 cells, not 4."),
        ("5x5x10", "On a board of 5 columns and 5 rows a line has 3 to 5 cells, not 10."),
    ],
)
def test_a_text_that_names_no_rules_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        parse_rules(text)
    assert str(refused.value) == sentence
    assert not is_offered_as(text)


@pytest.mark.parametrize("text", [None, 3, b"3x3x3", ["3x3x3"], float("nan")])
def test_what_is_no_text_names_no_rules(text: object) -> None:
    with pytest.raises(InvalidRules, match=re.escape(f"No rules are called {text!r}: ")):
        parse_rules(text)  # type: ignore[arg-type] # as it must not be


def share_of_draws(game: Game) -> float:
    """How many of 200 games between two random players end without a line."""
    rng, cells, draws = Random(game.text), list(range(game.m * game.n)), 0
    for _ in range(200):
        rng.shuffle(cells)
        x, o = set(cells[::2]), set(cells[1::2])
        draws += not any(x.issuperset(line) or o.issuperset(line) for line in game.lines)
    return draws / 200


@pytest.mark.parametrize(("longer", "shorter"), [size for size in SIZES if size[0] >= size[1]])
def test_the_longest_line_offered_is_the_longest_that_random_movers_do_not_mostly_draw(
    longer: int, shorter: int
) -> None:
    line = longest_line(longer, shorter)
    assert share_of_draws(Game(longer, shorter, line)) <= 0.6, "half, and what 200 games leave to chance"
    if line < longer:
        assert share_of_draws(Game(longer, shorter, line + 1)) >= 0.4
    for misere in (False, True):
        assert usual_line(shorter, longer, misere=misere) <= longest_line(shorter, longer) == line


@pytest.mark.parametrize("text", MENU)
def test_what_menus_show_is_offered_and_every_level_plays_it(text: str) -> None:
    rules = parse_rules(text)
    assert is_offered_as(text)
    assert all(plays(level, rules) for level in Level)


@pytest.mark.parametrize(
    "text",
    [
        *("3x3x3", "4x4x4", "5x5x4", "6x6x4", "7x6x4", "7x7x5", "8x8x5", "8x3x3"),
        *("3x3x3-misere", "4x4x3-misere", "5x5x4-misere"),
    ],
)
def test_a_size_alone_means_the_usual_line(text: str) -> None:
    columns, rows = int(text[0]), int(text[2])
    assert str(offered(columns, rows, misere=text.endswith("misere"))) == text


@pytest.mark.parametrize("board", [(5, 5, 5), (6, 6, 6), (8, 8, 8), (4, 3, 4)])
def test_a_board_that_is_mostly_drawn_exists_and_is_not_offered(board: tuple[int, int, int]) -> None:
    with pytest.raises(NotOffered):
        offered(*board)
    assert not is_offered(parse_rules("x".join(map(str, board))))


@pytest.mark.parametrize("board", [(2, 2, None), (9, 9, None), (3, 3, 4), (5, 5, 2), (100, 100, 5), (0, 0, 0)])
def test_a_board_that_there_is_not_is_refused_otherwise(board: tuple[int, int, int | None]) -> None:
    with pytest.raises(InvalidRules) as caught:
        offered(*board)
    assert not isinstance(caught.value, NotOffered)
