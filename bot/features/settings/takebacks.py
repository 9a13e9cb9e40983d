"""/takebacks: whether others may ask a person for takebacks. It is theirs in every chat."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from bot.boards import buttons
from bot.boards.buttons import AllowTakebacks
from bot.context.requests import request_of
from bot.delivery.entries import OutgoingMessage
from bot.features.settings import takebacks_view as takebacks
from storage.people import chats

if TYPE_CHECKING:
    from telegram import Update

    from bot.context.requests import Requester
    from bot.context.services import Context

WORDS: Final = {"on": True, "off": False}


async def command(update: Update, context: Context) -> None:
    """Save whether others may ask this person, or offer both."""
    if (request := request_of(update, context)) is None:
        return
    word = " ".join(context.args or []).lower()
    if word in WORDS:
        await _allow(request.requester, allowed=WORDS[word])
        request.reply(takebacks.chosen(request.t, allowed=WORDS[word]))
        return
    allowed = await request.services.store.run(
        partial(chats.allows_takebacks, person_id=request.requester.user.id)
    )
    request.reply(takebacks.menu(request.t, allowed=allowed, unknown=word))


async def tapped(requester: Requester, *, allowed: bool) -> str:
    """Save what a button says, and mark it in the menu; the result confirms it.

    In a group the menu stays as it is: whoever taps it has chosen for themselves alone.
    """
    where = requester.where
    await _allow(requester, allowed=allowed)
    private = where.chat_id == requester.user.id and where.message_id is not None
    if private and isinstance(buttons.read(where.first), AllowTakebacks):
        menu = takebacks.menu(requester.t, allowed=allowed)
        requester.services.publisher.say(OutgoingMessage(where.chat_id or 0, menu, message_id=where.message_id))
    return takebacks.chosen(requester.t, allowed=allowed)


async def _allow(requester: Requester, *, allowed: bool) -> None:
    await requester.services.store.run(partial(chats.allow_takebacks, person=requester.player, allowed=allowed))
