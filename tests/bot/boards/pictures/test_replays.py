"""A game as an animation and a still picture, checked by their pixels."""

import io
from functools import cache
from typing import NamedTuple

import pytest
from PIL import Image, ImageChops

from bot.boards.pictures.figures import Labels
from bot.boards.pictures.positions import CELL, COLOURS, FAINT, GROUNDS, INK, LAST_CELL, PAPER, STROKE, WON_CELL
from bot.boards.pictures.replays import CHIP, END, MARGIN, REPLAY_FOOT, REPLAY_HEAD, REPLAY_WIDTH, animation, still
from bot.boards.pictures.words import GOLD
from bot.boards.view import THEMES
from engine import CLASSIC, EngineError, parse_rules
from tests.bot.games import drawn

pytestmark = pytest.mark.slow


class Scene(NamedTuple):
    """The replay of a game."""

    rules: str
    moves: str
    theme: str = "classic"
    winner: str | None = None
    labels: Labels = Labels("25 Nov 2026", "@oxo_bot")


WON_BY_X = Scene(CLASSIC.text, drawn("XXX", "OO.", "..."), winner="X")
CHIPS = {mark: (left, MARGIN, left + CHIP[0], MARGIN + CHIP[1]) for mark, left in (("X", MARGIN), ("O", 306))}
"""Where the marks stand above the board."""
CROSS, RING = COLOURS["classic"]


def has(image: Image.Image, colour: str, box: tuple[int, int, int, int] | None = None) -> int:
    """How many pixels have a colour, within what a small palette can show."""
    wanted = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    found = (image if box is None else image.crop(box)).convert("RGB").getcolors(1_000_000) or []
    near = [
        count
        for count, pixel in found
        if isinstance(pixel, tuple) and all(abs(a - b) <= 12 for a, b in zip(pixel, wanted, strict=True))
    ]
    return sum(near)


def cell(row: int, column: int, side: int = 176) -> tuple[int, int, int, int]:
    left, top = MARGIN + column * side, REPLAY_HEAD + row * side
    return left, top, left + side, top + side


def picture(scene: Scene) -> Image.Image:
    """The still, decoded."""
    image = Image.open(io.BytesIO(still(*scene)))
    assert image.format == "PNG"
    return image.convert("RGB")


@cache
def film() -> tuple[tuple[Image.Image, int], ...]:
    """The frames of an animation as they appear, with their durations."""
    image = Image.open(io.BytesIO(animation(*WON_BY_X)))
    assert image.format == "GIF"
    found = []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        found.append((image.convert("RGB"), int(image.info["duration"])))
    return tuple(found)


def full_game(rules: str) -> str:
    position = parse_rules(rules).start()
    cells: list[int] = []
    while not position.is_over:
        cells.append(position.legal_moves[(7 * len(cells)) % len(position.legal_moves)])
        position = position.play(cells[-1])
    return parse_rules(rules).moves_text(cells)


def test_the_still_shows_the_winner_and_the_line() -> None:
    image = picture(WON_BY_X)
    assert image.width == REPLAY_WIDTH
    assert image.height % 2 == 0, "video needs even dimensions"
    for column in range(3):
        assert has(image, GROUNDS[False][column == 2], cell(0, column)) > 5000
        assert has(image, STROKE, cell(0, column)) > 200
        assert has(image, GROUNDS[False][False], cell(1, column)) == 0
    assert has(image, WON_CELL, CHIPS["X"]) > 5000
    assert has(image, WON_CELL, CHIPS["O"]) == 0
    assert has(image, RING, cell(1, 0)) > 1000
    assert has(image, PAPER) > 50_000


def test_the_animation_has_every_move_and_stays_at_its_end() -> None:
    images = [image for image, _ in film()]
    assert len(images) == 1 + 2 * 5 + 1, "the empty board, each mark appearing and settled, the end"
    assert film()[-1][1] == END
    assert sum(time for _, time in film()) < 20_000
    assert has(images[0], CROSS, (MARGIN, REPLAY_HEAD, REPLAY_WIDTH - MARGIN, REPLAY_HEAD + 528)) == 0
    assert has(images[2], LAST_CELL, cell(0, 0)) > 5000, "the last move must be visible"
    assert has(images[4], LAST_CELL, cell(0, 0)) == 0
    assert has(images[4], CROSS, cell(0, 0)) > 1000
    assert has(images[1], CROSS, cell(0, 0)) < has(images[2], CROSS, cell(0, 0))
    for number, turn, other in ((0, "X", "O"), (2, "O", "X"), (4, "X", "O")):
        assert has(images[number], LAST_CELL, CHIPS[turn]) > 5000, "whose turn it is, above the board"
        assert has(images[number], LAST_CELL, CHIPS[other]) < 50
    last, end = images[-1], picture(WON_BY_X)
    assert has(last, STROKE) > 500
    assert end.size == last.size
    difference = ImageChops.difference(end, last).convert("L").point(lambda value: 255 * (value > 30))
    assert difference.histogram()[255] < 0.005 * REPLAY_WIDTH * end.height


def test_above_the_board_are_its_marks_without_names_and_the_one_that_won_wears_a_crown() -> None:
    for image in (*(image for image, _ in film()), picture(WON_BY_X)):
        assert has(image, INK, (0, 0, REPLAY_WIDTH, REPLAY_HEAD)) == 0
        assert has(image, FAINT, (0, image.height - REPLAY_FOOT, REPLAY_WIDTH, image.height)) > 100
    crowns = [(left, 0, left + CHIP[0], MARGIN) for left, *_ in CHIPS.values()]
    assert [has(picture(WON_BY_X), GOLD, box) > 50 for box in crowns] == [True, False]
    assert [has(film()[-2][0], GOLD, box) for box in crowns] == [0, 0], "nobody has won yet"


@pytest.mark.parametrize("theme", THEMES)
def test_the_two_marks_of_every_theme_differ_in_shape_and_colour(theme: str) -> None:
    image = picture(Scene(CLASSIC.text, "40", theme))
    x, o = COLOURS[theme]
    assert has(image, x, cell(1, 1)) > 500
    assert has(image, o, cell(0, 0)) > 500
    assert not has(image, o, cell(1, 1))
    assert has(image, LAST_CELL, cell(0, 0)) > 1000
    assert has(image, CELL, cell(2, 2)) > 10_000


@pytest.mark.parametrize("rules", ["3x3x3", "5x5x4", "8x8x5", "8x3x3", "3x8x3", "ultimate"])
def test_every_board_makes_small_files_that_telegram_takes(rules: str) -> None:
    scene = Scene(rules, full_game(rules), "sky", "X")
    data = animation(*scene)
    assert len(data) < 400_000
    assert len(still(*scene)) < 100_000
    image = Image.open(io.BytesIO(data))
    assert image.width == REPLAY_WIDTH
    assert image.height <= 840
    assert getattr(image, "n_frames", 1) >= len(scene.moves) + 2


def test_a_line_that_loses_looks_otherwise_than_one_that_wins_and_a_draw_has_no_winner_above() -> None:
    image = picture(WON_BY_X._replace(rules="3x3x3-misere", winner="O"))
    assert has(image, GROUNDS[True][False], cell(0, 0)) > 5000
    assert has(image, WON_CELL, CHIPS["O"]) > 5000
    level = picture(Scene(CLASSIC.text, drawn("XOX", "XOO", "OXX")))
    assert has(level, WON_CELL, (0, 0, REPLAY_WIDTH, REPLAY_HEAD)) == 0


def test_a_little_board_of_ultimate_shows_its_winners_mark() -> None:
    image = picture(Scene("ultimate", full_game("ultimate")))
    assert max(has(image, CROSS), has(image, RING)) > 20_000, "big marks over whole boards"


def test_moves_that_are_none_make_no_picture() -> None:
    with pytest.raises(EngineError):
        still(*WON_BY_X._replace(moves="00"))
