"""The picture of a person's results, checked by its pixels."""

import io

import pytest
from PIL import Image

from bot.boards.pictures.charts import BLUE, GREEN, GREY, RED, WIDTH, results_chart
from bot.boards.pictures.figures import Chart, Labels

pytestmark = pytest.mark.slow

EMPTY = Chart(Labels("25 Nov 2026", "@oxo_bot"), "", "", [], ("5 Oct 2026", "23 Nov 2026"), [], ("", ""))
BARS = 0.36
"""Where, of a picture without a rating, what comes below its last games begins."""
HALF = 0.62
"""Where, of one with a rating, the second panel begins."""


def chart(weeks: list[tuple[int, int, int]], curve: list[tuple[int, float]]) -> bytes:
    return results_chart(EMPTY._replace(weeks=weeks, curve=curve))


def drawn(weeks: list[tuple[int, int, int]], curve: list[tuple[int, float]]) -> Image.Image:
    """The picture, decoded."""
    return Image.open(io.BytesIO(chart(weeks, curve))).convert("RGB")


DAYS: list[tuple[int, float]] = [(20000 + day, 1500 + 5 * day) for day in range(30)]


def share(image: Image.Image, colour: str, top: float = 0, bottom: float = 1) -> int:
    """How many pixels in part of a picture have a colour."""
    part = image.crop((0, int(top * image.height), image.width, int(bottom * image.height)))
    wanted = tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return next((count for count, found in part.getcolors(1_000_000) or () if found == wanted), 0)


def test_bars_are_as_high_as_games_are_many() -> None:
    image = drawn([(24, 12, 4), (0, 0, 0), (8, 0, 0)], [])
    assert image.width == WIDTH
    assert image.height < drawn([], DAYS).height, "there is no rating to draw"
    won, level, lost = (share(image, colour, BARS) for colour in (GREEN, GREY, RED))
    assert won / level == pytest.approx(8 / 3, rel=0.1)
    assert level > 2 * lost > 0
    assert share(image, BLUE) == 0


def test_a_single_week_is_a_bar_at_the_right_and_no_wall() -> None:
    image = drawn([(3, 0, 0)], [])
    assert 0 < share(image, GREEN, BARS) < WIDTH * image.height / 12
    assert share(image.crop((0, 0, WIDTH // 2, image.height)), GREEN, BARS) == 0


def test_all_games_are_a_bar_at_the_top_whose_parts_are_to_scale() -> None:
    image = drawn([(6, 0, 1), (4, 0, 1)], [])
    won, level, lost = (share(image, colour, 0, 0.25) for colour in (GREEN, GREY, RED))
    assert won > 2 * lost > 0
    assert level == 0


def test_the_curve_is_below_the_bars() -> None:
    image = drawn([(3, 1, 1)], DAYS)
    assert share(image, GREEN, 0, HALF) > 0
    assert share(image, GREEN, HALF, 1) == 0
    assert share(image, BLUE, HALF, 1) > 200
    assert share(image, BLUE, 0, HALF) == 0


@pytest.mark.parametrize(
    ("weeks", "curve"),
    [
        ([], []),
        ([(0, 0, 0)], [(0, 1500.0)]),
        ([(1000, 0, 0)] * 26, [(1, 100.0), (400, 3500.0)]),
        ([(0, 1, 0)], [(5, 1500.0), (5, 1500.0)]),
        ([(1000, 0, 1)], [(5, 1500.0)] * 5),
    ],
    ids=["nothing", "hardly anything", "much", "a day", "one among many"],
)
def test_any_results_make_a_picture_that_telegram_takes(
    weeks: list[tuple[int, int, int]], curve: list[tuple[int, float]]
) -> None:
    picture = chart(weeks, curve)
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < 2**19


def test_a_rating_of_a_few_days_has_no_course() -> None:
    few, more = (drawn([(1, 0, 0)], DAYS[:days]) for days in (4, 5))
    assert share(few, BLUE) == 0
    assert more.height > few.height


def test_the_last_games_are_squares_in_their_colours_and_a_rating_is_above_if_there_is_one() -> None:
    squares = Image.open(io.BytesIO(results_chart(EMPTY._replace(form="wwdl")))).convert("RGB")
    won, level, lost = (share(squares, colour) for colour in (GREEN, GREY, RED))
    assert level == pytest.approx(lost, rel=0.05)
    assert won == pytest.approx(2 * lost, rel=0.05)
    image = Image.open(io.BytesIO(results_chart(EMPTY._replace(rating="1662?")))).convert("RGB")
    assert image.height > squares.height
    assert share(image, BLUE, 0, 0.2) > 100
