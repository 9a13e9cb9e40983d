"""A finished game as an animation, and as a still of its end: a board below both marks and players' names.

The score of two people looks alike.
"""

import io
from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from bot.boards.pictures.figures import Labels, Rivals
from bot.boards.pictures.positions import (
    CELL,
    FAINT,
    INK,
    LAST_CELL,
    PANEL,
    PAPER,
    SIDE,
    WON_CELL,
    Drawn,
    Square,
    colour_of,
    rounded,
    tile,
)
from bot.boards.pictures.words import foot, side, write, written
from engine import parse_rules

REPLAY_WIDTH: Final = 600
"""Pixels; Telegram shows at most about so many."""
MARGIN: Final = (REPLAY_WIDTH - SIDE) // 2
CHIP: Final = (258, 72)
"""The size of what each side's mark and name stand on."""
REPLAY_HEAD: Final = MARGIN + CHIP[1] + 24
"""The height of what is above the board."""
REPLAY_FOOT: Final = 60
"""The height of what is below it."""
REPLAY_LINE: Final = 24
"""The size of what is written there."""
SCORE, SCORE_SIZE = 190, 128
"""The height of the score of two people, and the size of its figures."""
BOARD, RIVALS_SQUARE, RIVALS_FORM = 52, 52, 80
"""The height of their score on one kind of board, and of a square and the line with the last games."""

PALETTE_SIZE: Final = 96
"""The number of colours in a file: few enough to keep it small, enough for smooth edges."""
BEGIN, END = 700, 4000
"""Milliseconds for which the empty board and the end are shown."""
COMING: Final = 60
"""Milliseconds for which a mark grows."""
LIVELY: Final = 30
"""In games of more moves marks do not grow, so that the file stays small."""
ALL_MOVES: Final = 12_000
"""Milliseconds that all moves take together, at the most."""
LONGEST_FRAME, SHORTEST_FRAME = 750, 150
"""Milliseconds that a move takes at the most and at the least."""


def still(rules: str, moves: str, theme: str, winner: str | None, labels: Labels) -> bytes:
    """The end of a game as a PNG; the winner (`X`, `O` or None) need not have made a line.

    Themes are those of `COLOURS` in `bot.boards.pictures.positions`.
    """
    image = _end(Drawn(parse_rules(rules), moves, theme), winner, labels)
    out = io.BytesIO()
    image.quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def animation(rules: str, moves: str, theme: str, winner: str | None, labels: Labels) -> bytes:
    """A game move by move as a GIF, which repeats; its arguments are those of `still`."""
    board = Drawn(parse_rules(rules), moves, theme)
    end = _end(board, winner, labels)
    frames, times = _moves(board, _palette(end, board), labels)
    frames.append(_reduced(end, frames[0]))
    times.append(END)
    out = io.BytesIO()
    # "optimize" leaves out what a frame has in common with the one before it; it needs a colour that nothing has.
    how = {"palette": bytes(frames[0].getpalette() or ()), "optimize": True, "disposal": 1, "loop": 0}
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=times, **how)
    return out.getvalue()


def _end(board: Drawn, winner: str | None, labels: Labels) -> Image.Image:
    page = _page(board, board.ended(), labels)
    _head(page, board.theme, labels, {winner: WON_CELL}, winner)
    return page


def _moves(board: Drawn, palette: Image.Image, labels: Labels) -> tuple[list[Image.Image], list[int]]:
    """The frames from the empty board to the last move, and for how long each is shown."""
    image = board.ground()
    page = _page(board, image, labels)
    left, top = _place(board)
    frames: list[Image.Image] = []
    times: list[int] = []
    plies = len(board.cells)
    each = max(SHORTEST_FRAME, min(LONGEST_FRAME, ALL_MOVES // max(1, plies)))
    steps = ((0.6, COMING), (1.0, each - COMING)) if plies <= LIVELY else ((1.0, each),)
    for ply, scale, time in ((0, 1.0, BEGIN), *((ply, *step) for ply in range(1, plies + 1) for step in steps)):
        changed: Sequence[Square] = board.advance(image, ply, scale) if ply else ()
        _head(page, board.theme, labels, {str(board.positions[ply].turn): LAST_CELL})
        frame = frames[-1].copy() if frames else _reduced(page, palette)
        frame.paste(_reduced(page.crop((0, 0, REPLAY_WIDTH, REPLAY_HEAD)), palette), (0, 0))
        for x, y, size in changed:
            part = image.crop((x, y, x + size, y + size))
            frame.paste(_reduced(part, palette), (left + x, top + y))
        frames.append(frame)
        times.append(time)
    return frames, times


def _palette(end: Image.Image, board: Drawn) -> Image.Image:
    """The colours of all frames: those of the end, and others that must not be lost among them."""
    image = end.copy()
    image.paste(board.image(len(board.cells)).resize((SIDE // 2, SIDE // 2)), (MARGIN, REPLAY_HEAD))
    colours = colour_of(board.theme, "X"), colour_of(board.theme, "O"), INK, LAST_CELL
    for place, colour in enumerate(colours):
        image.paste(colour, (place * 40, 0, place * 40 + 40, 30))
    return image.quantize(PALETTE_SIZE, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _reduced(image: Image.Image, palette: Image.Image) -> Image.Image:
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def _place(board: Drawn) -> tuple[int, int]:
    return (REPLAY_WIDTH - board.size[0]) // 2, REPLAY_HEAD


def _page(board: Drawn, image: Image.Image, labels: Labels) -> Image.Image:
    page = _blank(REPLAY_HEAD + board.size[1] + REPLAY_FOOT, labels)
    page.paste(image, _place(board))
    return page


def _blank(height: int, labels: Labels) -> Image.Image:
    page = Image.new("RGB", (REPLAY_WIDTH, height + height % 2), PAPER)  # video needs even dimensions
    foot(page, MARGIN, REPLAY_FOOT, REPLAY_LINE, labels)
    return page


def _head(
    page: Image.Image, theme: str, labels: Labels, grounds: dict[str | None, str], winner: str | None = None
) -> None:
    width, height = CHIP
    for mark, names, left in (("X", labels.x, MARGIN), ("O", labels.o, REPLAY_WIDTH - MARGIN - width)):
        box = left, MARGIN, left + width, MARGIN + height
        side(page, box, (theme, mark), names, ground=grounds.get(mark, PANEL), wins=winner == mark)


def rivals_card(rivals: Rivals) -> bytes:
    """Two people's score and last games as a PNG; who has won more of their games wears the crown."""
    one, other = rivals.score
    lines = [(name, score) for names, score in rivals.boards if (name := written(*names))]
    top, leader = MARGIN + CHIP[1], "X" if one > other else "O" if other > one else None
    page = _blank(top + SCORE + BOARD * len(lines) + RIVALS_FORM + REPLAY_FOOT, rivals.labels)
    _head(page, rivals.theme, rivals.labels, {leader: WON_CELL}, leader)
    draw, right, middle = ImageDraw.Draw(page), REPLAY_WIDTH - MARGIN, REPLAY_WIDTH // 2 + 60
    write(draw, (MARGIN, top, right, top + SCORE), f"{one} – {other}", SCORE_SIZE, at="m", bold=True)
    top += SCORE
    for name, score in lines:
        page.paste(PANEL, (MARGIN, top), rounded(right - MARGIN, BOARD, 12, 3))
        write(draw, (MARGIN + 20, top, middle, top + BOARD), name, REPLAY_LINE, colour=FAINT)
        write(draw, (middle, top, right - 20, top + BOARD), score, REPLAY_LINE, at="r", bold=True)
        top += BOARD
    left = (REPLAY_WIDTH - len(rivals.form) * RIVALS_SQUARE) // 2
    for number, mark in enumerate(rivals.form):
        square = tile(rivals.theme, None if mark == "-" else mark, RIVALS_SQUARE, CELL, PAPER)
        page.paste(square, (left + number * RIVALS_SQUARE, top + (RIVALS_FORM - RIVALS_SQUARE) // 2))
    out = io.BytesIO()
    page.save(out, "PNG", optimize=True)
    return out.getvalue()
