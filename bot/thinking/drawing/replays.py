"""A finished game as an animation and as a still of its end, with the names of who played it.

Its words come from whoever asks, in their language; they stand here only to be drawn.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageDraw

from bot.thinking.drawing import lines
from bot.thinking.drawing.boards import SIDE, Drawn
from bot.thinking.drawing.marks import FAINT, INK, PANEL, PAPER, WON, colour_of, look_of, mark_shape
from engine import parse_rules

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH: Final = 600
"""Pixels; Telegram shows at most about so many."""
MARGIN: Final = (WIDTH - SIDE) // 2
CHIP: Final = 52
"""The height of what a player stands on."""
HEAD: Final = 24 + 2 * CHIP + 10 + 22
"""Above the board."""
FOOT: Final = 118
"""Below it."""
NAME, RESULT, DETAIL = 27, 30, 20
"""The sizes of letters."""

COLOURS: Final = 96
"""As many keep a file small, and edges smooth."""
BEGIN, END = 700, 4000
"""Milliseconds for which the empty board and the end are shown."""
COMING: Final = 60
"""Milliseconds for which a mark comes."""
LIVELY: Final = 30
"""In longer games marks are just there, so that the file stays small."""
ALL_MOVES: Final = 12_000
"""Milliseconds that all moves take together, at the most."""
SLOWEST, FASTEST = 750, 150
"""Milliseconds that a move takes at the most and at the least."""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is drawn of a game."""

    rules: str
    moves: str
    look: str
    x_name: str
    o_name: str
    winner: str | None
    """The mark that has won; None for nobody."""
    result: str
    """How it ended, in a few words."""
    detail: str
    """What was played."""


def still(scene: Scene) -> bytes:
    """The end of a game as a PNG."""
    board = Drawn(parse_rules(scene.rules), scene.moves, look_of(scene.look))
    image = _page(scene, board, ended=True)
    image.paste(board.ended(), _place(board))
    out = io.BytesIO()
    image.quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def animation(scene: Scene) -> bytes:
    """A game move by move as a GIF, which stays at its end for a while."""
    board = Drawn(parse_rules(scene.rules), scene.moves, look_of(scene.look))
    end = _page(scene, board, ended=True)
    end.paste(board.ended(), _place(board))
    frames, times = _moves(_page(scene, board, ended=False), board, _palette(end, board))
    frames.append(_reduced(end, frames[0]))
    times.append(END)
    return _gif(frames, times)


def _gif(frames: Sequence[Image.Image], times: Sequence[int]) -> bytes:
    """Frames of one palette as a GIF that has what changes alone, and repeats."""
    out = io.BytesIO()
    first, *others = frames
    colours = bytes(first.getpalette() or ())
    # "optimize" leaves out what a frame has in common with the one before it; it needs a colour that nothing has.
    how = {"palette": colours, "optimize": True, "disposal": 1, "loop": 0}
    first.save(out, "GIF", save_all=True, append_images=others, duration=list(times), **how)
    return out.getvalue()


def _moves(page: Image.Image, board: Drawn, palette: Image.Image) -> tuple[list[Image.Image], list[int]]:
    """The frames from the empty board to the last move, and for how long each is shown."""
    image = board.ground()
    left, top = _place(board)
    page.paste(image, (left, top))
    frames, times = [_reduced(page, palette)], [BEGIN]
    plies = len(board.cells)
    each = max(FASTEST, min(SLOWEST, ALL_MOVES // max(1, plies)))
    steps = ((0.6, COMING), (1.0, each - COMING)) if plies <= LIVELY else ((1.0, each),)
    for ply in range(1, plies + 1):
        for scale, time in steps:
            frame = frames[-1].copy()
            for x, y, side in board.advance(image, ply, scale):
                part = image.crop((x, y, x + side, y + side))
                frame.paste(_reduced(part, palette), (left + x, top + y))
            frames.append(frame)
            times.append(time)
    return frames, times


def _palette(end: Image.Image, board: Drawn) -> Image.Image:
    """The colours of all frames: those of the end, and of a last move."""
    image = end.copy()
    image.paste(board.image(len(board.cells)).resize((SIDE // 2, SIDE // 2)), (MARGIN, HEAD))
    for mark, place in (("X", 0), ("O", 1)):
        image.paste(colour_of(board.look, mark), (place * 40, 0, place * 40 + 40, 40))
    return image.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _reduced(image: Image.Image, palette: Image.Image) -> Image.Image:
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def _place(board: Drawn) -> tuple[int, int]:
    """Where the board lies on the page."""
    return (WIDTH - board.size[0]) // 2, HEAD


def _page(scene: Scene, board: Drawn, *, ended: bool) -> Image.Image:
    """The page around the board: who plays, and below it how it ended."""
    height = HEAD + board.size[1] + FOOT
    image = Image.new("RGB", (WIDTH, height + height % 2), PAPER)
    for row, (mark, name) in enumerate((("X", scene.x_name), ("O", scene.o_name))):
        _player(image, 24 + row * (CHIP + 10), board.look, mark, name, won=ended and scene.winner == mark)
    foot = HEAD + board.size[1]
    if ended:
        _centred(image, foot + 56, scene.result, RESULT, INK)
    _centred(image, foot + 92, scene.detail, DETAIL, FAINT)
    return image


def _player(image: Image.Image, top: int, look: str, mark: str, name: str, *, won: bool) -> None:
    """A mark and the name of who plays it."""
    box = (MARGIN, top, WIDTH - MARGIN, top + CHIP)
    _rounded(image, box, WON if won else PANEL)
    side = CHIP - 4
    image.paste(colour_of(look, mark), (MARGIN + 8, top + 2), mark_shape(look, mark, side))
    left, right = MARGIN + 16 + side, WIDTH - MARGIN - 16
    base = top + CHIP // 2 + NAME * 36 // 100
    if won:
        trophy = lines.width("🏆", NAME)
        lines.draw(image, (right - trophy, base), "🏆", NAME, INK)
        right -= trophy + 12
    lines.draw(image, (left, base), lines.fitted(name, NAME, right - left), NAME, INK)


def _rounded(image: Image.Image, box: Sequence[int], colour: str) -> None:
    left, top, right, bottom = box
    fine = 4
    shape = Image.new("L", ((right - left) * fine, (bottom - top) * fine))
    ImageDraw.Draw(shape).rounded_rectangle((0, 0, shape.width - 1, shape.height - 1), 14 * fine, fill=255)
    image.paste(colour, (left, top), shape.resize((right - left, bottom - top), Image.Resampling.LANCZOS))


def _centred(image: Image.Image, base: int, text: str, size: int, colour: str) -> None:
    room = WIDTH - 2 * MARGIN
    while size > DETAIL and lines.width(text, size) > room:
        size -= 1
    text = lines.fitted(text, size, room)
    lines.draw(image, ((WIDTH - lines.width(text, size)) // 2, base), text, size, colour)
