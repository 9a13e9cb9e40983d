"""What the buttons do: each tap is read, taken to one use case, and answered."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from telegram.constants import ChatMemberStatus
from telegram.error import TelegramError

from bot import acts, at_hand, buttons, challenges, commands, inline, links, play, sequels, views
from bot.buttons import Act, Begin, ChooseFirst, ChooseLevel, Invite, SetFirst, SetLevel, Tap
from bot.context import Asker
from bot.outbox import Message
from bot.play import Refusal
from bot.refusals import SHOWN_ANEW, words_for
from bot.tapped import tapped
from bot.texts import texts
from bot.views import N_
from storage import chats, games
from storage.errors import CorruptGame, GameNotFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from telegram import CallbackQuery, Update

    from bot.context import Context
    from storage.game import Game

log = logging.getLogger(__name__)

UNKNOWN_BUTTON: Final = N_("I do not know this button. /newgame gives you a fresh board.")
UNKNOWN_GAME: Final = N_("I do not know this game any more. /newgame starts another.")
BROKEN_GAME: Final = N_("I cannot read my notes of this game. Sorry! /newgame starts another.")


async def on_button(update: Update, context: Context) -> None:
    """Take a tap on any button."""
    query = update.callback_query
    if query is None:
        return
    asker = Asker(context.services, query.from_user, update.update_id)
    try:
        words = await _do(asker, query)
    except GameNotFound:
        words = UNKNOWN_GAME
    except CorruptGame as error:
        log.error("%s", error, extra={"game_id": error.game_id, "update_id": update.update_id})  # noqa: TRY400
        words = BROKEN_GAME
    t = texts(query.from_user.language_code)
    context.services.publisher.answer(query.id, t.gettext(words) if words else None)


async def _do(asker: Asker, query: CallbackQuery) -> str | None:
    """Do what a button says; the result is what its tapper is told."""
    person, rng, now = query.from_user.id, asker.services.rng, int(time.time())
    match buttons.read(query.data):
        case Tap(game_id, ply, cell):
            return await _change(
                asker, query, game_id, partial(play.tap, person=person, ply=ply, cell=cell, now=now, rng=rng)
            )
        case SetLevel(game_id, level) if level in views.LEVELS:
            return await _change(
                asker, query, game_id, partial(play.set_level, person=person, level=level, rng=rng)
            )
        case SetFirst(game_id, first) if first in ("me", "bot"):
            return await _change(
                asker, query, game_id, partial(play.set_first, person=person, first=first, rng=rng)
            )
        case Act() as act:
            return await _act(asker, query, act, now)
        case ChooseLevel(level) if level in views.LEVELS:
            return await _choose(asker, query, "level", level)
        case ChooseFirst(first) if first in play.FIRSTS:
            return await _choose(asker, query, "first", first)
        case Invite() if (message := tapped(query)) is not None:
            return await links.invite(asker, message.chat_id)
        case Begin(offer) if query.inline_message_id is not None:
            return words_for(await inline.begin(asker, offer, query.inline_message_id))
    return UNKNOWN_BUTTON


async def _act(asker: Asker, query: CallbackQuery, act: Act, now: int) -> str | None:
    """Do something to a game beside playing a cell."""
    person, player, services = query.from_user.id, asker.player, asker.services
    change: Callable[[Game], tuple[Game, Refusal | None]]
    match act.action:
        case "again" | "swap" | "rematch":
            return words_for(await sequels.follow(asker, act.game_id, act.action))
        case "yes" if await sequels.is_rematch(asker, act.game_id, act.ply):
            return words_for(await sequels.follow(asker, act.game_id, "rematch"))
        case "undo":
            return words_for(await sequels.undo(asker, act.game_id, act.ply))
        case "hint":
            return await at_hand.hint(asker, act.game_id)
        case "bring":
            menu = tapped(query)
            return await at_hand.bring(asker, act.game_id, menu.thread_id if menu else None)
        case "accept":
            due_at = now + services.patience.reminder
            change = partial(challenges.accept, player=player, now=now, due_at=due_at)
            change = partial(_where_it_stands, query=query, change=change)
        case "decline":
            change = partial(challenges.decline, player=player)
        case "cancel":
            change = partial(challenges.cancel, player=player, is_admin=await _is_admin(query))
            change = partial(_where_it_stands, query=query, change=change)
        case "computer":
            level = await sequels.level_of(asker, tapped(query))
            due_at = now + services.patience.computer
            change = partial(
                challenges.play_computer, player=player, level=level, now=now, due_at=due_at, rng=services.rng
            )
        case "resign":
            change = partial(acts.resign, person=person, ply=act.ply)
        case "giveup" | "goon":
            change = partial(acts.confirm, person=person, yes=act.action == "giveup")
        case _:
            change = partial(acts.answer, person=person, ply=act.ply, yes=act.action == "yes", now=now)
    return await _change(asker, query, act.game_id, change)


def _where_it_stands(game: Game, *, query: CallbackQuery, change: play.Change) -> tuple[Game, Refusal | None]:
    """Change a challenge only from the chat or the message that shows it: a changed client may name any game.

    Otherwise nobody's seat is checked yet, and an administrator is one of the chat that the tap comes from.
    """
    if (message := tapped(query)) is not None:
        here = message.chat_id == game.chat_id
    else:
        here = query.inline_message_id is not None and query.inline_message_id == game.inline_message_id
    return change(game) if here else (game, Refusal.STALE)


async def _change(asker: Asker, query: CallbackQuery, game_id: int, change: play.Change) -> str | None:
    """Change a game and show it; the result is what the person is told if it was refused."""
    services = asker.services
    game, refusal = await services.store.change(game_id, change, asker.update_id)
    if refusal is not Refusal.NOT_YOURS:
        game = await _adopted(asker, query, game)
    if refusal is None or refusal in SHOWN_ANEW:
        services.publisher.show(game)
    return words_for(refusal)


async def _adopted(asker: Asker, query: CallbackQuery, game: Game) -> Game:
    """Let the message that a player taps be the game's board.

    It already is, except where the stored message never got its confirmation: the process ended, or the call timed
    out, between Telegram's sending it and our hearing of it. An older message is one that the board has left.
    """
    message = tapped(query)
    if message is None:
        return game
    guest = message.chat_id == game.guest_chat_id
    if not guest and message.chat_id != game.chat_id:
        return game
    if message.message_id <= ((game.guest_message_id if guest else game.message_id) or 0):
        return game
    if not isinstance(first := buttons.read(message.first), Tap | Act) or first.game_id != game.id:
        return game
    await asker.services.store.run(
        partial(games.place, game_id=game.id, message_id=message.message_id, guest=guest)
    )
    if guest:
        return replace(game, guest_message_id=message.message_id)
    return replace(game, message_id=message.message_id)


async def _is_admin(query: CallbackQuery) -> bool:
    """Whether the tapper may tidy up after others in this chat; no, where Telegram does not say."""
    message = tapped(query)
    if message is None or message.chat_id > 0:
        return False
    try:
        member = await query.get_bot().get_chat_member(message.chat_id, query.from_user.id)
    except TelegramError:
        return False
    return member.status in (ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)


async def _choose(asker: Asker, query: CallbackQuery, kind: str, value: str) -> str | None:
    """Save a chat's choice and mark it in the menu."""
    message = tapped(query)
    if message is None:
        return UNKNOWN_BUTTON
    services = asker.services
    chat = await services.store.run(
        partial(chats.choose, chat_id=message.chat_id, choices={kind: value}, update_id=asker.update_id)
    )
    if isinstance(buttons.read(message.first), ChooseLevel | ChooseFirst):
        view = views.choices(kind, commands.chosen(kind, chat), query.from_user.language_code)
        services.publisher.say(Message(message.chat_id, view, message_id=message.message_id))
    return commands.confirmation(kind, chat, asker.t)
