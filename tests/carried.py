"""What the buttons of a game carry."""

from collections.abc import Mapping
from typing import Any

from bot.boards.buttons import OnGame, game_id_of, read, write
from bot.game.actions import Action
from bot.game.play import Move
from playground.chats import Message


def action_of(button: Mapping[str, object]) -> Action | None:
    found = read(str(button.get("callback_data")))
    return found.action if isinstance(found, OnGame) else None


def actions_on(message: Message) -> list[tuple[Action, Mapping[str, Any]]]:
    """The buttons that do something with a game, each with what it does."""
    buttons = [(action_of(each), each) for row in message.keyboard for each in row]
    return [(action, each) for action, each in buttons if action is not None]


def game_on(message: Message) -> int:
    found = (game_id_of(str(each.get("callback_data"))) for row in message.keyboard for each in row)
    return next(game for game in found if game is not None)


def tap(game: int, cell: int, ply: int = 0) -> str:
    """The data of a cell's button, on the board as it was at a ply."""
    return write(OnGame(game, Move(ply, cell)))


def data_with(message: Message, action: Action) -> str:
    """The data of a button for any action on the game that a message shows, whether or not it has that button."""
    return write(OnGame(game_on(message), action))
