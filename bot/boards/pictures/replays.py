"""A finished game as an animation, and as a still of its end: a board below both marks."""

import io
from collections.abc import Sequence
from typing import Final

from PIL import Image

from bot.boards.pictures.figures import Labels
from bot.boards.pictures.positions import (
    INK,
    LAST_CELL,
    PANEL,
    PAPER,
    SIDE,
    WON_CELL,
    Drawn,
    Square,
    colour_of,
)
from bot.boards.pictures.words import foot, side
from engine import parse_rules

REPLAY_WIDTH: Final = 600
"""Pixels; Telegram shows at most about so many."""
MARGIN: Final = (REPLAY_WIDTH - SIDE) // 2
CHIP: Final = (258, 72)
"""The size of what each side's mark stands on."""
REPLAY_HEAD: Final = MARGIN + CHIP[1] + 24
"""The height of what is above the board."""
REPLAY_FOOT: Final = 60
"""The height of what is below it."""
REPLAY_LINE: Final = 24
"""The size of what is written there."""

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
    _head(page, board.theme, {winner: WON_CELL}, winner)
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
        _head(page, board.theme, {str(board.positions[ply].turn): LAST_CELL})
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
    height = REPLAY_HEAD + board.size[1] + REPLAY_FOOT
    page = Image.new("RGB", (REPLAY_WIDTH, height + height % 2), PAPER)  # video needs even dimensions
    foot(page, MARGIN, REPLAY_FOOT, REPLAY_LINE, labels)
    page.paste(image, _place(board))
    return page


def _head(page: Image.Image, theme: str, grounds: dict[str | None, str], winner: str | None = None) -> None:
    width, height = CHIP
    for mark, left in (("X", MARGIN), ("O", REPLAY_WIDTH - MARGIN - width)):
        box = left, MARGIN, left + width, MARGIN + height
        side(page, box, (theme, mark), ground=grounds.get(mark, PANEL), wins=winner == mark)
