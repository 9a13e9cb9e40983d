"""Moving a board: down to the newest message of its chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.outbox import Message
from bot.texts import texts
from bot.views import View

if TYPE_CHECKING:
    from bot.context import Services
    from storage.game import Game


def bring_down(services: Services, game: Game, *, guest: bool = False, farewell: str | None = None) -> None:
    """Send a game's board as a new message; the old one says where it went and has no buttons any more."""
    chat_id, old = (game.guest_chat_id, game.guest_message_id) if guest else (game.chat_id, game.message_id)
    if chat_id is None:
        return
    if old is not None:
        t = texts(game.guest_language if guest else game.language)
        words = farewell or t.gettext("⬇️ This board has moved down to the newest message.")
        services.publisher.say(Message(chat_id, View(words), message_id=old))
    services.publisher.show_below(game, guest=guest)
