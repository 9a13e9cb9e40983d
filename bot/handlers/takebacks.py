"""/takebacks: whether others may ask a person for takebacks. It is theirs in every chat."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from bot.delivery.entries import Words
from bot.handlers.requests import request_of
from bot.views import buttons, takebacks
from bot.views.buttons import AllowTakebacks
from storage import chats
from storage.chats import Person

if TYPE_CHECKING:
    from telegram import Update

    from bot.context import Context
    from bot.handlers.requests import Sender

WORDS: Final = {"on": True, "off": False}


async def command(update: Update, context: Context) -> None:
    """Save whether others may ask this person, or offer both."""
    if (request := request_of(update, context)) is None:
        return
    word = " ".join(context.args or []).lower()
    if word in WORDS:
        await _allow(request.sender, allowed=WORDS[word])
        request.reply(takebacks.chosen(request.t, allowed=WORDS[word]))
        return
    allowed = await request.services.store.run(partial(chats.allows_takebacks, person_id=request.sender.user.id))
    request.reply(takebacks.menu(request.t, allowed=allowed, unknown=word))


async def tapped(sender: Sender, word: str) -> str:
    """Save what a button says, and mark it in the menu; the result confirms it.

    In a group the menu stays as it is: whoever taps it has chosen for themselves alone.
    """
    allowed, where = WORDS[word], sender.where
    await _allow(sender, allowed=allowed)
    private = where.chat_id == sender.user.id and where.message_id is not None
    if private and isinstance(buttons.read(where.first), AllowTakebacks):
        menu = takebacks.menu(sender.t, allowed=allowed)
        sender.services.publisher.say(Words(where.chat_id or 0, menu, message_id=where.message_id))
    return takebacks.chosen(sender.t, allowed=allowed)


async def _allow(sender: Sender, *, allowed: bool) -> None:
    player = sender.player
    person = Person(player.id, player.name, player.language, player.username)
    await sender.services.store.run(partial(chats.allow_takebacks, person=person, allowed=allowed))
