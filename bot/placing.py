"""Moving a board: down to the newest message of its chat."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from bot.publisher import Message
from bot.views import View
from storage import games

if TYPE_CHECKING:
    from bot.context import Services
    from storage.game import Game


async def bring_down(services: Services, game: Game, farewell: str, *, guest: bool = False) -> None:
    """Send a game's board as a new message; the old one says `farewell` and has no buttons any more."""
    chat_id, old = (game.guest_chat_id, game.guest_message_id) if guest else (game.chat_id, game.message_id)
    if chat_id is None:
        return
    await services.store.run(partial(games.place, game_id=game.id, message_id=None, guest=guest))
    if old is not None:
        services.publisher.say(Message(chat_id, View(farewell), message_id=old))
    moved = replace(game, guest_message_id=None) if guest else replace(game, message_id=None)
    services.publisher.show(moved)
