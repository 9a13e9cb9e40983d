"""Everything that a game's buttons can carry, for tests that try each."""

from collections.abc import Collection, Mapping, Sequence
from inspect import signature
from itertools import product

from bot.boards.buttons import OnGame, game_of, read, write
from bot.game.actions import Action
from bot.game.machine import ACTIONS
from bot.game.play import Move
from engine import Level
from playground.messages import Message


def carried_by(
    game: int, plies: Sequence[int] = (0, 2), cells: Sequence[int] = (0, 4, 8), but: Collection[type[Action]] = ()
) -> list[OnGame]:
    """A game's buttons at these plies and cells, except for some actions."""
    values: dict[str, Sequence[object]] = {
        "ply": plies,
        "at": plies,
        "cell": cells,
        "region": (0, 4),
        "level": (Level.HARD,),
        "is_person": (False,),
        "rules": ("5x5x4",),
        "clock": (30,),
        "best_of": (3,),
        "seen_rules": ("", "3x3x3"),
        "as_picture": (False, True),
    }
    return [
        OnGame(game, kind(*given))
        for kind in ACTIONS.values()
        if kind not in but
        for given in product(*(values[name] for name in signature(kind).parameters))
    ]


def action_of(button: Mapping[str, object]) -> Action | None:
    """What a button of a message does with a game."""
    found = read(str(button.get("callback_data")))
    return found.action if isinstance(found, OnGame) else None


def game_on(message: Message) -> int:
    """The game that a message's buttons belong to."""
    game = game_of(str(message.keyboard[0][0]["callback_data"]))
    assert game is not None
    return game


def tap(game: int, cell: int, ply: int = 0) -> str:
    """The data of a cell's button, on the board as it was at a ply."""
    return write(OnGame(game, Move(ply, cell)))


def data_with(message: Message, action: Action) -> str:
    """The data of a button for any action on the game that a message shows, whether or not it has that button."""
    return write(OnGame(game_on(message), action))
