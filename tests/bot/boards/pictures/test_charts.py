"""The picture of somebody's results, by what stands in it."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from bot.boards.pictures.charts import DRAWN, HEIGHT, LOST, RATING, WIDTH, WON, results_chart

pytestmark = pytest.mark.slow

MONDAY = 20409
"""17 November 2025."""


def drawn(weeks: list[tuple[int, int, int]], curve: list[tuple[int, float]]) -> Image.Image:
    """The picture, read back."""
    return Image.open(io.BytesIO(results_chart(weeks, MONDAY, curve))).convert("RGB")


def share(image: Image.Image, colour: str, top: float = 0, bottom: float = 1) -> int:
    """How many pixels of a part of a picture have a colour."""
    part = image.crop((0, int(top * image.height), image.width, int(bottom * image.height)))
    wanted = tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return next((count for count, found in part.getcolors(1_000_000) or () if found == wanted), 0)


def test_bars_are_as_high_as_games_are_many() -> None:
    image = drawn([(6, 3, 1), (0, 0, 0), (2, 0, 0)], [])
    assert image.size == (WIDTH, HEIGHT)
    won, level, lost = (share(image, colour) for colour in (WON, DRAWN, LOST))
    assert won / level == pytest.approx(8 / 3, rel=0.05)
    assert level / lost == pytest.approx(3, rel=0.1), "its edges are smooth"
    assert share(image, RATING) == 0


def test_a_single_week_is_a_bar_at_the_right_and_no_wall() -> None:
    image = drawn([(3, 0, 0)], [])
    assert 0 < share(image, WON) < WIDTH * HEIGHT / 12
    assert share(image.crop((0, 0, WIDTH // 2, HEIGHT)), WON) == 0


def test_the_curve_stands_below_the_bars() -> None:
    image = drawn([(3, 1, 1)], [(20000 + day, 1500 + 5 * day) for day in range(30)])
    assert share(image, WON, 0, 0.5) > 0
    assert share(image, WON, 0.5, 1) == 0
    assert share(image, RATING, 0.5, 1) > 200
    assert share(image, RATING, 0, 0.5) == 0


@pytest.mark.parametrize("weeks", [[], [(0, 0, 0)], [(1000, 0, 0)] * 26])
@pytest.mark.parametrize("curve", [[], [(0, 1500.0)], [(1, 100.0), (400, 3500.0)], [(5, 1500.0), (5, 1500.0)]])
def test_any_results_make_a_picture_that_telegram_takes(
    weeks: list[tuple[int, int, int]], curve: list[tuple[int, float]]
) -> None:
    picture = results_chart(weeks, MONDAY, curve)
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < 2**19
