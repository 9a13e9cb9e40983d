"""The picture of somebody's results: all their games, week by week, and below them their rating over time.

It has no words, only figures and dates: the caption says what they are, in any language.
"""

from __future__ import annotations

import datetime as dt
import io
import math
from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.boards.pictures.boards import CELL, FAINT, FINE, INK, PANEL, PAPER

WIDTH, HEIGHT = 1000, 900
"""The size of a picture with a rating; without one it has a panel less."""
EDGE, GAP = 28, 20
"""The space around the panels, and between them."""
TOTALS: Final = 96
"""The height of the bar with all games."""
LEFT, RIGHT, TOP, BOTTOM = 120, 44, 44, 76
"""The space around each drawing in its panel: on the left for the figures, below for the dates."""
DIGITS: Final = 38
"""The size of figures and dates. A phone shows the picture at a third of its size."""
FEWEST_WEEKS: Final = 8
"""There is room for so many weeks at least, so that the bar of a single one is not as wide as the picture."""

NARROWEST, PART = 84, 8
"""The least width of a part of the bar with all games, and the gap between two parts."""

WON, DRAWN, LOST, RATING = "#3fae6a", "#8d99a8", "#e05a5d", "#5ab0ff"
BELOW: Final = "#2e4358"
"""The colour under the curve."""


def results_chart(weeks: Sequence[tuple[int, int, int]], monday: int, curve: Sequence[tuple[int, float]]) -> bytes:
    """A picture of results, as a PNG.

    Games won, drawn and lost are given week by week, oldest first; `monday` is the day, counted from 1970, on
    which the last week begins. The curve has days, counted so, and the ratings after them.
    """
    panel = (HEIGHT - TOTALS - 2 * EDGE - 2 * GAP) // 2
    height = HEIGHT if curve else HEIGHT - panel - GAP
    # It is drawn larger and made smaller, so that lines are smooth.
    image = Image.new("RGB", (WIDTH * FINE, height * FINE), PAPER)
    draw = ImageDraw.Draw(image)
    _totals(draw, [sum(counts) for counts in zip(*weeks, strict=True)])
    top = EDGE + TOTALS + GAP
    _bars(_Plot(draw, top, panel), weeks, monday)
    if curve:
        _curve(_Plot(draw, top + panel + GAP, panel), curve)
    out = io.BytesIO()
    image.resize((WIDTH, height), Image.Resampling.LANCZOS).save(out, "PNG", optimize=True)
    return out.getvalue()


def _totals(draw: ImageDraw.ImageDraw, counts: Sequence[int]) -> None:
    """A bar across the top with all games, as long as they are many, with their figures."""
    left, total = float(EDGE), sum(counts)
    shown = [(count, colour) for count, colour in zip(counts, (WON, DRAWN, LOST), strict=False) if count]
    width = WIDTH - 2 * EDGE - NARROWEST * len(shown) - PART * (len(shown) - 1)
    for count, colour in shown:
        right = left + NARROWEST + width * count / total
        box = (left * FINE, EDGE * FINE, right * FINE, (EDGE + TOTALS) * FINE)
        draw.rounded_rectangle(box, 20 * FINE, fill=colour)
        place = ((left + right) / 2 * FINE, (EDGE + TOTALS / 2) * FINE)
        _write(draw, place, str(count), "mm", INK, size=DIGITS + 14)
        left = right + PART


def _write(
    draw: ImageDraw.ImageDraw,
    place: tuple[float, float],
    text: str,
    anchor: str,
    colour: str,
    *,
    size: int = DIGITS,
) -> None:
    font = ImageFont.load_default(size * FINE)
    draw.text(place, text, fill=colour, font=font, anchor=anchor, stroke_width=FINE // 2, stroke_fill=colour)


class _Plot:
    """A panel with a drawing. Places in it go from 0 at the left and below to 1."""

    def __init__(self, draw: ImageDraw.ImageDraw, y: int, height: int) -> None:
        self.draw, self._y, self._height = draw, y, height
        box = (EDGE * FINE, y * FINE, (WIDTH - EDGE) * FINE, (y + height) * FINE)
        draw.rounded_rectangle(box, 28 * FINE, fill=PANEL)

    def at(self, x: float, y: float) -> tuple[float, float]:
        width, height = WIDTH - 2 * EDGE - LEFT - RIGHT, self._height - TOP - BOTTOM
        return (EDGE + LEFT + x * width) * FINE, (self._y + TOP + (1 - y) * height) * FINE

    def level(self, y: float, figure: int) -> None:
        start, end = self.at(0, y), self.at(1, y)
        self.draw.line((start, end), fill=CELL, width=3 * FINE)
        _write(self.draw, (start[0] - 20 * FINE, start[1]), str(figure), "rm", INK)

    def date(self, x: float, day: int, anchor: str) -> None:
        left, top = self.at(x, 0)
        date = (dt.date(1970, 1, 1) + dt.timedelta(days=day)).isoformat()
        _write(self.draw, (left, top + 22 * FINE), date, anchor, FAINT)


def _bars(plot: _Plot, weeks: Sequence[tuple[int, int, int]], monday: int) -> None:
    """A bar for each week, the last at the right: wins below, draws on them, losses on top."""
    step = _step(max((sum(week) for week in weeks), default=0), 3)
    most = step * max(1, math.ceil(max((sum(week) for week in weeks), default=0) / step))
    for figure in range(0, most + 1, step):
        plot.level(figure / most, figure)
    slots = max(FEWEST_WEEKS, len(weeks))
    for number, week in enumerate(weeks, start=slots - len(weeks)):
        below = 0
        for count, colour in zip(week, (WON, DRAWN, LOST), strict=True):
            if count:
                left, low = plot.at((number + 0.14) / slots, below / most)
                right, high = plot.at((number + 0.86) / slots, (below + count) / most)
                # A thin gap separates it from the text above.
                plot.draw.rounded_rectangle((left, high + 3 * FINE, right, low), 6 * FINE, fill=colour)
            below += count
    plot.date(1, monday, "ra")
    if len(weeks) >= FEWEST_WEEKS:
        plot.date(0, monday - 7 * (len(weeks) - 1), "la")


def _curve(plot: _Plot, curve: Sequence[tuple[int, float]]) -> None:
    ratings = [rating for _, rating in curve]
    step = _step(max(50, round(max(ratings) - min(ratings))), 2)
    low = math.floor(min(ratings) / step) * step
    high = max(math.ceil(max(ratings) / step), low // step + 1) * step
    for figure in range(low, high + 1, step):
        plot.level((figure - low) / (high - low), figure)
    first, days = curve[0][0], max(1, curve[-1][0] - curve[0][0])
    points = [plot.at((day - first) / days, (rating - low) / (high - low)) for day, rating in curve]
    if len(points) > 1:
        plot.draw.polygon([plot.at(0, 0), *points, plot.at(1, 0)], fill=BELOW)
        plot.draw.line(points, fill=RATING, width=7 * FINE, joint="curve")
    x, y = points[-1]
    radius = 12 * FINE
    plot.draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=RATING)
    plot.date(0, first, "la")
    if len(curve) > 1:
        plot.date(1, curve[-1][0], "ra")


def _step(span: int, most: int) -> int:
    """The smallest step among 1, 2, 5, 10, 20 … with which this many steps cover a span."""
    scale = 1
    while 5 * scale * most < span:
        scale *= 10
    return next(step for step in (scale, 2 * scale, 5 * scale) if step * most >= span)
