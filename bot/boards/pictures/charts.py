"""The picture of somebody's results: all their games, the last of them, week by week, and their rating over time.

It has no words, only figures and dates: the caption says what they are, in any language.
"""

import io
import math
from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from bot.boards.pictures.figures import FEWEST_DAYS, Chart
from bot.boards.pictures.positions import CELL, FAINT, FINE, INK, PANEL, PAPER, rounded
from bot.boards.pictures.words import font, foot, write

WIDTH: Final = 1000
EDGE, GAP = 28, 20
"""The space around the panels, and between them."""
TITLE: Final = 84
"""The height of the rating."""
TOTALS: Final = 96
"""The height of the bar with all games."""
FORM, SQUARE = 64, 44
"""The height of the line with the last games, and the side of each."""
PLOT: Final = 346
"""The height of a panel with a drawing."""
FOOT, LINE = 76, 34
"""The height of the last line, and the size of what is written there."""
PLOT_LEFT, PLOT_RIGHT, PLOT_TOP, PLOT_BOTTOM = 120, 44, 44, 76
"""The space around each drawing in its panel: on the left for the figures, below for the dates."""
DIGITS: Final = 36
"""The size of figures and dates. A phone shows the picture at a third of its size."""
FEWEST_WEEKS: Final = 8
"""There is room for so many weeks at least, so that the bar of a single one is not as wide as the picture."""

NARROWEST, PART = 84, 8
"""The least width of a part of the bar with all games, and the gap between two parts."""

GREEN, GREY, RED, BLUE = "#3fae6a", "#8d99a8", "#e05a5d", "#5ab0ff"
ENDINGS: Final = {"w": GREEN, "d": GREY, "l": RED}
BELOW: Final = "#2e4358"
"""The colour under the curve."""


def results_chart(chart: Chart) -> bytes:
    """A picture of results, as a PNG."""
    plots = 1 + (len(chart.curve) >= FEWEST_DAYS)
    top = EDGE // 2 + TITLE if chart.rating else EDGE
    height = top + TOTALS + GAP + FORM + plots * (GAP + PLOT) + FOOT
    # Drawings are made larger and then smaller, so that lines are smooth.
    large = Image.new("RGB", (WIDTH * FINE, height * FINE), PAPER)
    draw, panel = ImageDraw.Draw(large), top + TOTALS + FORM + 2 * GAP
    _totals(draw, top, [sum(counts) for counts in zip(*chart.weeks, strict=True)])
    _bars(_Plot(draw, panel), chart.weeks, chart.of_weeks)
    if plots > 1:
        _curve(_Plot(draw, panel + PLOT + GAP), chart.curve, chart.of_curve)
    page = large.resize((WIDTH, height), Image.Resampling.LANCZOS)
    draw = ImageDraw.Draw(page)
    write(draw, (EDGE, EDGE // 2, WIDTH - EDGE, top), chart.rating, 52, colour=BLUE, bold=True)
    top += TOTALS + GAP
    for number, each in enumerate(chart.form):
        at = EDGE + number * (SQUARE + PART), top + (FORM - SQUARE) // 2
        page.paste(ENDINGS[each], at, rounded(SQUARE, SQUARE, PART))
    foot(page, EDGE, FOOT, LINE, chart.labels)
    out = io.BytesIO()
    page.save(out, "PNG", optimize=True)
    return out.getvalue()


def _totals(draw: ImageDraw.ImageDraw, top: int, counts: Sequence[int]) -> None:
    """A bar with all games, as long as they are many, with their figures."""
    left, total = float(EDGE), sum(counts)
    shown = [(count, colour) for count, colour in zip(counts, (GREEN, GREY, RED), strict=False) if count]
    width = WIDTH - 2 * EDGE - NARROWEST * len(shown) - PART * (len(shown) - 1)
    for count, colour in shown:
        right = left + NARROWEST + width * count / total
        box = (left * FINE, top * FINE, right * FINE, (top + TOTALS) * FINE)
        draw.rounded_rectangle(box, 20 * FINE, fill=colour)
        place = ((left + right) / 2 * FINE, (top + TOTALS / 2) * FINE)
        _write(draw, place, str(count), "mm", INK, size=DIGITS + 16)
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
    draw.text(place, text, fill=colour, font=font(size * FINE, bold=size > DIGITS), anchor=anchor)


class _Plot:
    """A panel with a drawing. Places in it go from 0 at the left and below to 1."""

    def __init__(self, draw: ImageDraw.ImageDraw, y: int) -> None:
        self.draw, self._y = draw, y
        box = (EDGE * FINE, y * FINE, (WIDTH - EDGE) * FINE, (y + PLOT) * FINE)
        draw.rounded_rectangle(box, 28 * FINE, fill=PANEL)

    def at(self, x: float, y: float) -> tuple[float, float]:
        width, height = WIDTH - 2 * EDGE - PLOT_LEFT - PLOT_RIGHT, PLOT - PLOT_TOP - PLOT_BOTTOM
        return (EDGE + PLOT_LEFT + x * width) * FINE, (self._y + PLOT_TOP + (1 - y) * height) * FINE

    def level(self, y: float, figure: int) -> None:
        start, end = self.at(0, y), self.at(1, y)
        self.draw.line((start, end), fill=CELL, width=3 * FINE)
        _write(self.draw, (start[0] - 20 * FINE, start[1]), str(figure), "rm", INK)

    def date(self, x: float, date: str, anchor: str) -> None:
        left, top = self.at(x, 0)
        _write(self.draw, (left, top + 22 * FINE), date, anchor, FAINT)


def _bars(plot: _Plot, weeks: Sequence[tuple[int, int, int]], dates: tuple[str, str]) -> None:
    """A bar for each week, the last at the right: wins below, draws on them, losses on top."""
    highest = max(map(sum, weeks), default=0)
    step = _step(highest, 3)
    most = step * max(1, math.ceil(highest / step))
    for figure in range(0, most + 1, step):
        plot.level(figure / most, figure)
    slots = max(FEWEST_WEEKS, len(weeks))
    for number, week in enumerate(weeks, start=slots - len(weeks)):
        below = 0
        for count, colour in zip(week, (GREEN, GREY, RED), strict=True):
            if count:
                left, low = plot.at((number + 0.14) / slots, below / most)
                right, high = plot.at((number + 0.86) / slots, (below + count) / most)
                # A thin gap separates it from the text above.
                plot.draw.rounded_rectangle((left, min(high + 3 * FINE, low), right, low), 6 * FINE, fill=colour)
            below += count
    plot.date(1, dates[1], "ra")
    if len(weeks) >= FEWEST_WEEKS:
        plot.date(0, dates[0], "la")


def _curve(plot: _Plot, curve: Sequence[tuple[int, float]], dates: tuple[str, str]) -> None:
    ratings = [rating for _, rating in curve]
    step = _step(max(50, round(max(ratings) - min(ratings))), 2)
    low = math.floor(min(ratings) / step) * step
    high = max(math.ceil(max(ratings) / step), low // step + 1) * step
    for figure in range(low, high + 1, step):
        plot.level((figure - low) / (high - low), figure)
    first, days = curve[0][0], max(1, curve[-1][0] - curve[0][0])
    points = [plot.at((day - first) / days, (rating - low) / (high - low)) for day, rating in curve]
    plot.draw.polygon([plot.at(0, 0), *points, plot.at(1, 0)], fill=BELOW)
    plot.draw.line(points, fill=BLUE, width=7 * FINE, joint="curve")
    x, y = points[-1]
    radius = 12 * FINE
    plot.draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=BLUE)
    plot.date(0, dates[0], "la")
    plot.date(1, dates[1], "ra")


def _step(span: int, most: int) -> int:
    """The smallest step among 1, 2, 5, 10, 20 … with which this many steps cover a span."""
    scale = 1
    while 5 * scale * most < span:
        scale *= 10
    return next(step for step in (scale, 2 * scale, 5 * scale) if step * most >= span)
