"""The picture of a person's results, checked by its pixels."""

import io

import pytest
from PIL import Image

from bot.boards.pictures.charts import DRAWN, HEIGHT, LOST, RATING, WIDTH, WON, results_chart

pytestmark = pytest.mark.slow

MONDAY = 20409
"""17 November 2025."""
BARS = 0.25
"""Where, of a picture without a rating, what comes below its totals begins."""
HALF = 0.55
"""Where, of one with a rating, the second panel begins."""


def drawn(weeks: list[tuple[int, int, int]], curve: list[tuple[int, float]]) -> Image.Image:
    """The picture, decoded."""
    return Image.open(io.BytesIO(results_chart(weeks, MONDAY, curve))).convert("RGB")


def share(image: Image.Image, colour: str, top: float = 0, bottom: float = 1) -> int:
    """How many pixels in part of a picture have a colour."""
    part = image.crop((0, int(top * image.height), image.width, int(bottom * image.height)))
    wanted = tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return next((count for count, found in part.getcolors(1_000_000) or () if found == wanted), 0)


def test_bars_are_as_high_as_games_are_many() -> None:
    image = drawn([(24, 12, 4), (0, 0, 0), (8, 0, 0)], [])
    assert image.width == WIDTH
    assert image.height < HEIGHT, "there is no rating to draw"
    won, level, lost = (share(image, colour, BARS) for colour in (WON, DRAWN, LOST))
    assert won / level == pytest.approx(8 / 3, rel=0.1)
    assert level > 2 * lost > 0
    assert share(image, RATING) == 0


def test_a_single_week_is_a_bar_at_the_right_and_no_wall() -> None:
    image = drawn([(3, 0, 0)], [])
    assert 0 < share(image, WON, BARS) < WIDTH * HEIGHT / 12
    assert share(image.crop((0, 0, WIDTH // 2, image.height)), WON, BARS) == 0


def test_all_games_are_a_bar_at_the_top_whose_parts_are_to_scale() -> None:
    image = drawn([(6, 0, 1), (4, 0, 1)], [])
    won, level, lost = (share(image, colour, 0, BARS) for colour in (WON, DRAWN, LOST))
    assert won > 2 * lost > 0
    assert level == 0


def test_the_curve_is_below_the_bars() -> None:
    image = drawn([(3, 1, 1)], [(20000 + day, 1500 + 5 * day) for day in range(30)])
    assert share(image, WON, 0, HALF) > 0
    assert share(image, WON, HALF, 1) == 0
    assert share(image, RATING, HALF, 1) > 200
    assert share(image, RATING, 0, HALF) == 0


@pytest.mark.parametrize(
    ("weeks", "curve"),
    [
        ([], []),
        ([(0, 0, 0)], [(0, 1500.0)]),
        ([(1000, 0, 0)] * 26, [(1, 100.0), (400, 3500.0)]),
        ([(0, 1, 0)], [(5, 1500.0), (5, 1500.0)]),
    ],
    ids=["nothing", "hardly anything", "much", "a day"],
)
def test_any_results_make_a_picture_that_telegram_takes(
    weeks: list[tuple[int, int, int]], curve: list[tuple[int, float]]
) -> None:
    picture = results_chart(weeks, MONDAY, curve)
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < 2**19
