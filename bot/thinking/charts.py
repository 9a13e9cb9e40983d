"""The picture of somebody's results: their games week by week, and their rating over time.

Drawn by Pillow, which only the processes that think load. It has no words, since names and languages need fonts of
every script: the message that it comes with has them.
"""

from __future__ import annotations

import base64
import datetime as dt
import io
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    from collections.abc import Sequence

    Box = tuple[int, int, int, int]
    Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

WIDTH, HEIGHT = 1000, 800
SCALE: Final = 2
"""It is drawn larger, and made smaller, so that lines are smooth."""

FEWEST_WEEKS: Final = 8
"""So many weeks have room at the least: the bar of a single one is no wall."""

PAPER, INK, FAINT = "#ffffff", "#303438", "#d8dce0"
WON, DRAWN, LOST, RATING = "#2e9e5b", "#a8b0b8", "#d6494b", "#2f6fd0"


def results_chart(
    weeks: Sequence[tuple[int, int, int]], monday: int, curve: Sequence[tuple[int, float]], seconds: float
) -> str:
    """A picture of results, as a PNG in base64.

    Args:
        weeks: Games won, drawn and lost, week by week, oldest first.
        monday: The day, counted from 1970, on which the last of the weeks begins.
        curve: Days, counted from 1970, and the ratings after them, oldest first; perhaps none.
        seconds: What it may take; it takes far less.
    """
    del seconds
    image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), PAPER)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(22 * SCALE)
    middle = HEIGHT // 2 if curve else HEIGHT
    _bars(draw, font, _box(80, 40, WIDTH - 40, middle - 60), weeks, monday)
    if curve:
        _curve(draw, font, _box(80, middle + 20, WIDTH - 40, HEIGHT - 60), curve)
    small = image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    small.save(out, "PNG", optimize=True)
    return base64.b64encode(out.getvalue()).decode()


def _box(left: int, top: int, right: int, bottom: int) -> Box:
    return left * SCALE, top * SCALE, right * SCALE, bottom * SCALE


def _bars(
    draw: ImageDraw.ImageDraw, font: Font, box: Box, weeks: Sequence[tuple[int, int, int]], monday: int
) -> None:
    """A bar for each week, the last at the right, with its Monday: wins below, draws on them, losses on top."""
    left, top, right, bottom = box
    most = max((sum(week) for week in weeks), default=0) or 1
    for value in sorted({0, most // 2, most}):
        _level(draw, font, box, bottom - (bottom - top) * value / most, str(value))
    slots = max(FEWEST_WEEKS, len(weeks))
    step = (right - left) / slots
    for number, week in enumerate(weeks, start=slots - len(weeks)):
        start = left + number * step + step * 0.15
        y = float(bottom)
        for count, colour in zip(week, (WON, DRAWN, LOST), strict=True):
            height = (bottom - top) * count / most
            if count:
                draw.rectangle((start, y - height, start + step * 0.7, y), fill=colour)
            y -= height
    draw.text((right, bottom + 12 * SCALE), _date(monday), fill=INK, font=font, anchor="ra")
    if len(weeks) > FEWEST_WEEKS:
        draw.text(
            (left, bottom + 12 * SCALE), _date(monday - 7 * (len(weeks) - 1)), fill=INK, font=font, anchor="la"
        )


def _curve(draw: ImageDraw.ImageDraw, font: Font, box: Box, curve: Sequence[tuple[int, float]]) -> None:
    """A line through the ratings, with the first and the last day below."""
    left, top, right, bottom = box
    low = int(min(rating for _, rating in curve) // 50 * 50) - 25
    high = int(max(rating for _, rating in curve) // 50 * 50) + 75
    for value in range(low + 25, high + 1, max(50, (high - low) // 250 * 50)):
        _level(draw, font, box, bottom - (bottom - top) * (value - low) / (high - low), str(value))
    first, days = curve[0][0], max(1, curve[-1][0] - curve[0][0])
    points = [
        (left + (right - left) * (day - first) / days, bottom - (bottom - top) * (rating - low) / (high - low))
        for day, rating in curve
    ]
    if len(points) > 1:
        draw.line(points, fill=RATING, width=4 * SCALE, joint="curve")
    for x, y in (points[0], points[-1]):
        radius = 6 * SCALE
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=RATING)
    draw.text((left, bottom + 12 * SCALE), _date(first), fill=INK, font=font, anchor="la")
    if len(curve) > 1:
        draw.text((right, bottom + 12 * SCALE), _date(curve[-1][0]), fill=INK, font=font, anchor="ra")


def _level(draw: ImageDraw.ImageDraw, font: Font, box: Box, y: float, label: str) -> None:
    """A thin line across, with its figure before it."""
    left, _, right, _ = box
    draw.line((left, y, right, y), fill=FAINT, width=SCALE)
    draw.text((left - 12 * SCALE, y), label, fill=INK, font=font, anchor="rm")


def _date(day: int) -> str:
    return (dt.date(1970, 1, 1) + dt.timedelta(days=day)).isoformat()
