"""The picture of two people's results against each other: marks and names, the score, and their last games."""

from __future__ import annotations

import io
from typing import Final

from PIL import ImageDraw

from bot.boards.pictures.boards import CELL, FAINT, PANEL, PAPER, WON, rounded, tile
from bot.boards.pictures.figures import Rivals
from bot.boards.pictures.replays import CHIP, FOOT, LINE, MARGIN, WIDTH
from bot.boards.pictures.words import blank, foot, side, write, written

SCORE, DIGITS = 190, 128
"""The height of the score, and the size of its figures."""
BOARD: Final = 52
"""The height of a line with the score on one kind of board."""
SQUARE, FORM = 52, 80
"""The side of a square, and the height of their line."""


def rivals_card(rivals: Rivals) -> bytes:
    """The picture as a PNG; who has won more games wears the crown."""
    one, other = rivals.score
    lines = [(name, score) for names, score in rivals.boards if (name := written(*names))]
    page = blank(WIDTH, MARGIN + CHIP[1] + SCORE + BOARD * len(lines) + FORM + FOOT)
    for names, mark, left, leads in (
        (rivals.labels.x, "X", MARGIN, one > other),
        (rivals.labels.o, "O", WIDTH - MARGIN - CHIP[0], other > one),
    ):
        box = left, MARGIN, left + CHIP[0], MARGIN + CHIP[1]
        side(page, box, (rivals.theme, mark), names, ground=WON if leads else PANEL, wins=leads)
    draw, top = ImageDraw.Draw(page), MARGIN + CHIP[1]
    write(draw, (MARGIN, top, WIDTH - MARGIN, top + SCORE), f"{one} – {other}", DIGITS, at="m", bold=True)
    top += SCORE
    for name, score in lines:
        page.paste(PANEL, (MARGIN, top), rounded(WIDTH - 2 * MARGIN, BOARD, 12, 3))
        write(draw, (MARGIN + 20, top, WIDTH // 2 + 60, top + BOARD), name, LINE, colour=FAINT)
        write(draw, (WIDTH // 2 + 60, top, WIDTH - MARGIN - 20, top + BOARD), score, LINE, at="r", bold=True)
        top += BOARD
    left = (WIDTH - len(rivals.form) * SQUARE) // 2
    for number, mark in enumerate(rivals.form):
        square = tile(rivals.theme, None if mark == "-" else mark, SQUARE, CELL, PAPER)
        page.paste(square, (left + number * SQUARE, top + (FORM - SQUARE) // 2))
    foot(page, MARGIN, FOOT, LINE, rivals.labels)
    out = io.BytesIO()
    page.save(out, "PNG", optimize=True)
    return out.getvalue()
