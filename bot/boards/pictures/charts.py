"""The picture of somebody's results: their games week by week, and below them their rating over time.

It has no words, only figures and dates: the caption says what they are, in any language.
"""

from __future__ import annotations

import datetime as dt
import io
import math
from typing import TYPE_CHECKING, Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from bot.boards.pictures.marks import CELL, FAINT, FINE, INK, PAPER

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 1000, 800
LEFT, RIGHT, TOP, BOTTOM = 110, 40, 40, 70
"""Around each of the two drawings, in pixels: on the left are the figures, below the dates."""
DIGITS: Final = 32
"""The size of figures and dates. A phone shows the picture at less than half its size."""
FEWEST_WEEKS: Final = 8
"""There is room for so many weeks at least, so that the bar of a single one is not as wide as the picture."""

WON, DRAWN, LOST, RATING = "#3fae6a", "#8d99a8", "#e05a5d", "#5ab0ff"


def results_chart(weeks: Sequence[tuple[int, int, int]], monday: int, curve: Sequence[tuple[int, float]]) -> bytes:
    """A picture of results, as a PNG.

    Args:
        weeks: Games won, drawn and lost, week by week, oldest first.
        monday: The day, counted from 1970, on which the last of the weeks begins.
        curve: Days, counted from 1970, and the ratings after them, oldest first; perhaps none.
    """
    # It is drawn larger and made smaller, so that lines are smooth.
    image = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), PAPER)
    draw = ImageDraw.Draw(image)
    height = HEIGHT // 2 if curve else HEIGHT
    _bars(_Plot(draw, 0, height), weeks, monday)
    if curve:
        _curve(_Plot(draw, height, height), curve)
    out = io.BytesIO()
    image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).save(out, "PNG", optimize=True)
    return out.getvalue()


class _Plot(NamedTuple):
    """One of the drawings. Places in it go from 0 at the left and below to 1."""

    draw: ImageDraw.ImageDraw
    y: int
    height: int

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A place on the picture."""
        width, height = WIDTH - LEFT - RIGHT, self.height - TOP - BOTTOM
        return (LEFT + x * width) * FINE, (self.y + TOP + (1 - y) * height) * FINE

    def level(self, y: float, figure: int) -> None:
        """Draw a line across, with its figure on the left."""
        start, end = self.at(0, y), self.at(1, y)
        self.draw.line((start, end), fill=CELL, width=2 * FINE)
        self.write((start[0] - 18 * FINE, start[1]), str(figure), "rm", INK)

    def date(self, x: float, day: int, anchor: str) -> None:
        """Write a date below a place."""
        left, top = self.at(x, 0)
        self.write(
            (left, top + 20 * FINE), (dt.date(1970, 1, 1) + dt.timedelta(days=day)).isoformat(), anchor, FAINT
        )

    def write(self, place: tuple[float, float], text: str, anchor: str, colour: str) -> None:
        """Write figures."""
        self.draw.text(place, text, fill=colour, font=ImageFont.load_default(DIGITS * FINE), anchor=anchor)


def _bars(plot: _Plot, weeks: Sequence[tuple[int, int, int]], monday: int) -> None:
    """A bar for each week, the last at the right: wins below, draws on them, losses on top."""
    step = _step(max((sum(week) for week in weeks), default=0), 4)
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
                # A thin gap parts it from what is above.
                plot.draw.rounded_rectangle((left, high + 2 * FINE, right, low), 4 * FINE, fill=colour)
            below += count
    plot.date(1, monday, "ra")
    if len(weeks) >= FEWEST_WEEKS:
        plot.date(0, monday - 7 * (len(weeks) - 1), "la")


def _curve(plot: _Plot, curve: Sequence[tuple[int, float]]) -> None:
    """A line through the ratings, with a dot at its end."""
    ratings = [rating for _, rating in curve]
    step = _step(max(50, round(max(ratings) - min(ratings))), 3)
    low = math.floor(min(ratings) / step) * step
    high = max(math.ceil(max(ratings) / step), low // step + 1) * step
    for figure in range(low, high + 1, step):
        plot.level((figure - low) / (high - low), figure)
    first, days = curve[0][0], max(1, curve[-1][0] - curve[0][0])
    points = [plot.at((day - first) / days, (rating - low) / (high - low)) for day, rating in curve]
    if len(points) > 1:
        plot.draw.line(points, fill=RATING, width=5 * FINE, joint="curve")
    x, y = points[-1]
    radius = 9 * FINE
    plot.draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=RATING)
    plot.date(0, first, "la")
    if len(curve) > 1:
        plot.date(1, curve[-1][0], "ra")


def _step(span: int, most: int) -> int:
    """The least of 1, 2, 5, 10, 20 … of which so many cover a span."""
    scale = 1
    while 5 * scale * most < span:
        scale *= 10
    return next(step for step in (scale, 2 * scale, 5 * scale) if step * most >= span)
