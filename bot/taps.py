"""Handles taps: reads the button, calls its feature, and answers."""

from telegram import Update
from telegram.constants import ChatID

from bot.boards import buttons
from bot.boards.buttons import Button, Menu, OnGame
from bot.context.acting import JUST_DONE, MEANINGLESS, NO_NEW, SLOW, act, heal, redraw, unreadable
from bot.context.handlers import HANDLERS, Later, Link, Told
from bot.context.requests import Requester
from bot.context.services import Context
from bot.game.actions import Permission
from bot.game.attempt import NotAllowed, Refusal
from bot.intake.updates import origin_of
from bot.language import _
from bot.shared_commands import UNKNOWN_GAME
from storage.errors import CorruptGame, GameNotFound
from storage.games import games
from storage.once import Repeated


async def on_button(update: Update, context: Context) -> None:
    """Take a tap on any button."""
    query = update.callback_query
    if query is None:
        return
    services, origin = context.services, origin_of(query)
    if origin is None:
        services.answers.answer(query.id, _(MEANINGLESS))
        return
    where, sender, button = origin.where, query.from_user, buttons.read(query.data)
    as_chat = sender.id == ChatID.ANONYMOUS_ADMIN
    edition = button.edition if isinstance(button, OnGame) else None
    requester = Requester(
        services,
        sender,
        update.update_id,
        where,
        origin.arrived,
        as_chat=as_chat,
        edition=edition,
        button=query.data,
    )
    if where.inline_message_id is not None:
        services.boards.know_chat(where.inline_message_id, query.chat_instance)
    words: Told
    try:
        words = await _do(requester, button)
    except NotAllowed as error:
        words = error.words
    except Repeated as error:
        words = JUST_DONE if error.like else None
    except GameNotFound:
        redrawn = await redraw(requester)
        words = UNKNOWN_GAME if redrawn == MEANINGLESS else redrawn
    except CorruptGame as error:
        words = unreadable(error, update.update_id)
    if isinstance(words, Later):
        services.tasks.start(_answer_later(requester, query.id, words))
    elif isinstance(words, Link):
        services.answers.answer(query.id, url=words.url, reply=origin.reply)
    else:
        if words == SLOW and services.lanes.sends_held(requester.chat_id):
            words = NO_NEW
        services.answers.answer(query.id, words and _(words), reply=origin.reply)


async def _answer_later(requester: Requester, query_id: str, answer: Later) -> None:
    requester.services.answers.answer(query_id, await answer.words)


async def _do(requester: Requester, button: Button | None) -> Told:
    if requester.as_chat and not (button.action.rule if isinstance(button, OnGame) else button or Menu).as_chat:
        raise NotAllowed(Refusal.ANONYMOUS)
    if button is None:
        return await redraw(requester)
    if not isinstance(button, OnGame):
        return await HANDLERS[type(button)](requester, button)
    game_id, action = button.game_id, button.action
    if isinstance(action, Permission):
        await heal(requester, await requester.services.store.read(games.load, game_id=game_id))
    if (handler := HANDLERS.get(type(action))) is not None:
        return await handler(requester, game_id, action)
    return (await act(requester, game_id, action)).words
