"""A message as people read it: its words, and the buttons below them."""

import json
import re
from typing import Any

from bot.boards import keyboards
from bot.boards.buttons import Button, OnGame, read
from bot.boards.links import Me
from bot.boards.players import Scene
from bot.delivery.boards import render
from bot.game.pages import ShowRegion, TryCell
from bot.game.play import Move
from storage.games.game import Game
from storage.games.record import Board


def plain(text: str) -> str:
    """A text without the isolates around names."""
    return text.translate({0x2068: None, 0x2069: None})


def bare(text: str) -> str:
    return re.sub("<[^>]*>", "", plain(text))


ME = Me("oxo_bot", b"a key", has_inline=True)


def lines(game: Game, board: Board) -> list[str]:
    return plain(render(game, board, ME).text).split("\n")


def keyboard_of(game: Game, board: Board) -> str | None:
    return render(game, board, ME).keyboard


def buttons(keyboard: str | None) -> list[list[dict[str, Any]]]:
    rows: list[list[dict[str, Any]]] = json.loads(keyboard)["inline_keyboard"] if keyboard else []
    return rows


def labels(keyboard: str | None) -> list[list[str]]:
    return [[button["text"] for button in row] for row in buttons(keyboard)]


def carried(keyboard: str | None) -> list[Button | None]:
    return [read(button.get("callback_data")) for row in buttons(keyboard) for button in row]


def by_label(keyboard: str | None) -> dict[str, Button | None]:
    return {button["text"]: read(button.get("callback_data")) for row in buttons(keyboard) for button in row}


def cells(keyboard: str | None) -> str:
    """What the cells of a board of three show, row by row."""
    return " ".join("".join(row) for row in labels(keyboard)[:3])


def colours(keyboard: str | None) -> str:
    """The first letter of each cell's colour or a dot, row by row."""
    return " ".join("".join(button.get("style", ".")[0] for button in row) for row in buttons(keyboard)[:3])


def below(keyboard: str | None) -> list[str]:
    """The rows of buttons below the cells of a board, or of a folded one."""
    return [" | ".join(row) for row in labels(keyboard)[height(keyboard) :]]


def height(keyboard: str | None) -> int:
    """How many rows of cells there are."""
    first = [read(row[0].get("callback_data")) for row in buttons(keyboard)]
    return sum(isinstance(each, OnGame) and isinstance(each.action, CELLS) for each in first)


CELLS = (Move, TryCell, ShowRegion)


def keyboard_for(game: Game, you: int | None = None, hint: int | None = None, **seen: Any) -> str | None:  # noqa: ANN401 - of a scene
    """The keyboard of a game for a reader; `seen` says what else is special about the board."""
    scene = Scene(game, you, **seen)
    return keyboards.keyboard_of(scene, keyboards.rows_of(scene), hint)
