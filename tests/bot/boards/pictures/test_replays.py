"""A game as an animation and a still picture, checked by their pixels."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from PIL import Image, ImageChops

from bot.boards.pictures.boards import CELL, COLOURS, GROUNDS, INK, LAST, PAPER, STROKE, WON
from bot.boards.pictures.replays import CHIP, END, HEAD, MARGIN, WIDTH, animation, still
from bot.boards.view import THEMES
from engine import CLASSIC, EngineError, parse_rules
from tests.bot.games import drawn

pytestmark = pytest.mark.slow


class Scene(NamedTuple):
    """The replay of a game."""

    rules: str
    moves: str
    theme: str
    winner: str | None


WON_BY_X = Scene(CLASSIC.text, drawn("XXX", "OO.", "..."), "classic", "X")
CHIPS = {mark: (left, MARGIN, left + CHIP[0], MARGIN + CHIP[1]) for mark, left in (("X", MARGIN), ("O", 360))}
"""Where the marks stand above the board."""


def colour(text: str) -> tuple[int, ...]:
    """A colour in Pillow's format."""
    return tuple(int(text[place : place + 2], 16) for place in (1, 3, 5))


def near(one: tuple[int, ...], other: str) -> bool:
    """Whether two colours are equal, within what a small palette can show."""
    return all(abs(mine - theirs) <= 12 for mine, theirs in zip(one, colour(other), strict=True))


def has(image: Image.Image, wanted: str, box: tuple[int, int, int, int] | None = None) -> int:
    """How many pixels have a colour."""
    part = (image if box is None else image.crop(box)).convert("RGB")
    found = part.getcolors(1_000_000) or []
    return sum(count for count, pixel in found if isinstance(pixel, tuple) and near(pixel, wanted))


def cell(row: int, column: int, side: int = 176) -> tuple[int, int, int, int]:
    """Where a cell of a 3 by 3 board is."""
    left, top = MARGIN + column * side, HEAD + row * side
    return left, top, left + side, top + side


def frames(data: bytes) -> Iterator[tuple[Image.Image, int]]:
    """The frames of an animation as they appear, with their durations."""
    image = Image.open(io.BytesIO(data))
    assert image.format == "GIF"
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        yield image.convert("RGB"), int(image.info["duration"])


def full_game(rules: str) -> str:
    """Moves that finish a game, always in the last free cell."""
    position = parse_rules(rules).start()
    cells: list[int] = []
    while not position.is_over:
        cells.append(position.legal_moves[(7 * len(cells)) % len(position.legal_moves)])
        position = position.play(cells[-1])
    return parse_rules(rules).moves_text(cells)


def test_the_still_shows_the_winner_and_the_line() -> None:
    image = Image.open(io.BytesIO(still(*WON_BY_X)))
    assert image.format == "PNG"
    assert image.width == WIDTH
    assert image.height % 2 == 0, "video needs even dimensions"
    for column in range(3):
        assert has(image, GROUNDS[False][column == 2], cell(0, column)) > 5000
        assert has(image, STROKE, cell(0, column)) > 200
        assert has(image, GROUNDS[False][False], cell(1, column)) == 0
    assert has(image, WON, CHIPS["X"]) > 5000
    assert has(image, WON, CHIPS["O"]) == 0
    assert has(image, COLOURS["classic"][1], cell(1, 0)) > 1000
    assert has(image, PAPER) > 50_000


def test_the_animation_has_every_move_and_stays_at_its_end() -> None:
    seen = list(frames(animation(*WON_BY_X)))
    assert len(seen) == 1 + 2 * 5 + 1, "the empty board, each mark appearing and settled, the end"
    assert seen[-1][1] == END
    assert sum(time for _, time in seen) < 20_000
    first, last = seen[0][0], seen[-1][0]
    assert has(first, COLOURS["classic"][0], (MARGIN, HEAD, WIDTH - MARGIN, HEAD + 528)) == 0
    assert has(seen[2][0], LAST, cell(0, 0)) > 5000, "the last move must be visible"
    assert has(seen[4][0], LAST, cell(0, 0)) == 0
    for number, turn in ((0, "X"), (2, "O"), (4, "X")):
        assert has(seen[number][0], LAST, CHIPS[turn]) > 5000, "whose turn it is, above the board"
        assert has(seen[number][0], LAST, CHIPS["XO".replace(turn, "")]) < 50
    assert has(seen[4][0], COLOURS["classic"][0], cell(0, 0)) > 1000
    assert has(seen[1][0], COLOURS["classic"][0], cell(0, 0)) < has(seen[2][0], COLOURS["classic"][0], cell(0, 0))
    assert has(last, STROKE) > 500
    end = Image.open(io.BytesIO(still(*WON_BY_X))).convert("RGB")
    assert end.size == last.size
    different = (
        ImageChops.difference(end, last).convert("L").point(lambda value: 255 * (value > 30)).histogram()[255]
    )
    assert different < 0.005 * WIDTH * end.height


@pytest.mark.parametrize("theme", THEMES)
def test_the_two_marks_of_every_theme_differ_in_shape_and_colour(theme: str) -> None:
    assert theme in COLOURS
    image = Image.open(io.BytesIO(still(CLASSIC.text, "40", theme, None))).convert("RGB")
    x, o = COLOURS[theme]
    assert has(image, x, cell(1, 1)) > 500
    assert has(image, o, cell(0, 0)) > 500
    assert not has(image, o, cell(1, 1))
    assert has(image, LAST, cell(0, 0)) > 1000
    assert has(image, CELL, cell(2, 2)) > 10_000


@pytest.mark.parametrize(
    "rules", ["3x3x3", "3x3x3-misere", "5x5x4", "7x6x4", "8x8x5", "8x3x3", "3x8x3", "ultimate"]
)
def test_every_board_makes_small_files_that_telegram_takes(rules: str) -> None:
    scene = Scene(rules, full_game(rules), "sky", "X")
    film, picture = animation(*scene), still(*scene)
    assert len(film) < 400_000
    assert len(picture) < 100_000
    image = Image.open(io.BytesIO(film))
    assert image.size[0] == WIDTH
    assert image.size[1] <= 840
    assert getattr(image, "n_frames", 1) >= len(scene.moves) + 2


def test_a_line_that_loses_looks_otherwise_than_one_that_wins() -> None:
    lost = WON_BY_X._replace(rules="3x3x3-misere", winner="O")
    image = Image.open(io.BytesIO(still(*lost))).convert("RGB")
    assert has(image, GROUNDS[True][False], cell(0, 0)) > 5000
    assert has(image, WON, CHIPS["O"]) > 5000


def test_a_little_board_of_ultimate_shows_its_winners_mark() -> None:
    data = still("ultimate", full_game("ultimate"), "classic", None)
    image = Image.open(io.BytesIO(data)).convert("RGB")
    x, o = COLOURS["classic"]
    assert max(has(image, x), has(image, o)) > 20_000, "big marks over whole boards"


def test_the_number_of_moves_is_between_the_marks() -> None:
    between = (CHIPS["X"][2], MARGIN, CHIPS["O"][0], MARGIN + CHIP[1])
    shown = [frame.crop(between) for frame, _ in frames(animation(*WON_BY_X))]
    assert len({frame.tobytes() for frame in shown}) == 6, "from 0 to 5"
    assert all(has(frame, INK) > 50 for frame in shown)


def test_a_draw_has_no_winner_above() -> None:
    image = Image.open(io.BytesIO(still(CLASSIC.text, drawn("XOX", "XOO", "OXX"), "classic", None))).convert("RGB")
    assert has(image, WON, (0, 0, WIDTH, HEAD)) == 0


def test_moves_that_are_none_make_no_picture() -> None:
    with pytest.raises(EngineError):
        still(*WON_BY_X._replace(moves="00"))
