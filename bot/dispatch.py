"""The features of the bot, and who handles what comes in: taps, commands, moves, and words that mean one."""

from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, Final

from telegram import Update
from telegram.constants import ChatID
from telegram.ext import CommandHandler, MessageHandler, TypeHandler, filters

from bot.boards import buttons
from bot.boards.buttons import Button, Menu, OnGame
from bot.boards.cells import LONGEST_MOVE, is_like_a_move, is_nothing_but_a_cell
from bot.boards.players import difficulty_words
from bot.boards.translations import AROUND, folded
from bot.context.acting import JUST_DONE, MEANINGLESS, NO_NEW, SLOW, UNKNOWN_GAME, act, heal, redraw, unreadable
from bot.context.feature import Alert, By, Features, Later, Link, Told
from bot.context.requests import Requester, first_button, request_of
from bot.context.services import App, Context
from bot.features import (
    basics,
    blocking,
    gauntlets,
    hints,
    inline,
    matchmaking,
    new_games,
    play,
    review,
    settings,
    share,
    stats,
    top,
    watch,
)
from bot.features.cups import handlers as cups
from bot.features.privacy import handlers as privacy
from bot.features.puzzle import handlers as puzzle
from bot.game.actions import ACTION_KINDS, Permission
from bot.game.attempt import NotAllowed, Refusal, Unclear
from bot.intake.updates import Tap
from bot.language import _, speaking
from storage.errors import CorruptGame, GameNotFound
from storage.games import games
from storage.once import Repeated, is_done, take

FEATURES: Final = Features(
    new_games.FEATURE,
    matchmaking.FEATURE,
    cups.FEATURE,
    puzzle.FEATURE,
    stats.FEATURE,
    top.FEATURE,
    play.FEATURE,
    hints.FEATURE,
    review.FEATURE,
    share.FEATURE,
    gauntlets.FEATURE,
    watch.FEATURE,
    settings.FEATURE,
    blocking.FEATURE,
    privacy.FEATURE,
    basics.FEATURE,
    inline.FEATURE,
)
"""All that people use, in the order of the help."""

WORDS: Final = {word for kind in ACTION_KINDS for word in kind.rule.typed}
"""The commands that do what buttons below a board do."""

FOR_ADMINS: Final = {word for kind in ACTION_KINDS if kind.rule.as_chat for word in kind.rule.typed}
"""Those that an anonymous administrator may send, too, as far as the action allows it."""


async def on_button(tap: Tap, context: Context) -> None:
    """Take a tap on any button."""
    services, where = context.services, tap.where
    if where is None:
        services.answers.answer(tap.query_id, _(MEANINGLESS))
        return
    button = buttons.read(tap.data)
    requester = Requester(
        services,
        tap.user,
        tap.update_id,
        where,
        tap.arrived,
        as_chat=tap.user.id == ChatID.ANONYMOUS_ADMIN,
        edition=button.edition if isinstance(button, OnGame) else None,
        button=tap.data,
    )
    if where.inline_message_id is not None:
        services.boards.know_chat(where.inline_message_id, tap.chat_instance)
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
        words = unreadable(error, tap.update_id)
    if isinstance(words, Later):
        services.tasks.start(_answer_later(requester, tap.query_id, words))
    elif isinstance(words, Link):
        services.answers.answer(tap.query_id, url=words.url, reply=tap.reply)
    elif isinstance(words, Alert):
        services.answers.answer(tap.query_id, words.words, alert=True, reply=tap.reply)
    else:
        if words == SLOW and services.lanes.sends_held(requester.chat_id):
            words = NO_NEW
        services.answers.answer(tap.query_id, words and _(words), reply=tap.reply)


async def _answer_later(requester: Requester, query_id: str, answer: Later) -> None:
    requester.services.answers.answer(query_id, await answer.words)


async def _do(requester: Requester, button: Button | None) -> Told:
    if requester.as_chat and not (button.action.rule if isinstance(button, OnGame) else button or Menu).as_chat:
        raise NotAllowed(Refusal.ANONYMOUS)
    if button is None or not buttons.is_offered(button):
        return await redraw(requester)
    handlers = requester.services.features.taps
    if not isinstance(button, OnGame):
        return await handlers[type(button)](requester, button)
    game_id, action = button.game_id, button.action
    if isinstance(action, Permission):
        await heal(requester, await requester.services.store.read(games.load, game_id=game_id))
    if (handler := handlers.get(type(action))) is not None:
        return await handler(requester, game_id, action)
    return (await act(requester, game_id, action)).words


async def once_per_message(
    update: Update, context: Context, handler: Callable[[Update, Context], Coroutine[Any, Any, None]]
) -> None:
    """Handle the first of the updates that bring the same message, whichever process takes them.

    What is stored for it takes its key; where nothing is, its answer does.
    """
    request, services = request_of(update, context, By.ANYBODY), context.services
    if request is None or await services.store.read(is_done, once=request.once):
        return
    try:
        await handler(update, context)
    except Repeated:
        return
    except NotAllowed as error:
        whom = "sent long ago", update.effective_chat, update.effective_user
        if error.refusal is not Refusal.SENT_LONG_AGO or services.may_tell(whom):
            request.reply(_(error.words))
    except CorruptGame as error:
        request.reply(_(unreadable(error, update.update_id)))
    except Unclear as error:
        request.reply(str(error))
    with suppress(Repeated):
        await services.store.run(take, once=request.once)


async def on_command(update: Update, context: Context) -> None:
    """Handle a command, which the message begins with."""
    if (message := update.message) is not None and message.text is not None:
        name = message.text[1 : message.entities[0].length].partition("@")[0].lower()
        await once_per_message(update, context, partial(_asked, name=name))


async def on_words(update: Update, context: Context) -> None:
    """Handle a message without a slash: a move, or a command's words; in a private chat everything is answered."""
    if (message := update.effective_message) is None or (user := message.from_user) is None:
        return
    said, languages = message.text or "", context.services.languages
    features = context.services.features
    if message.chat.id > 0 and (name := features.replies.get(type(first_button(message.reply_to_message)))):
        await once_per_message(update, context, partial(_asked, name=name))
    elif message.chat.id < 0:
        if is_nothing_but_a_cell(said) and play.is_to_board(message, context.bot.id):
            await once_per_message(update, context, play.typed_move)
    elif is_like_a_move(said) or _is_like_a_move(said, languages.of(user)):
        await once_per_message(update, context, play.typed_move)
    else:
        plain = folded(said).strip(f"{AROUND}/?¿؟") if len(said) <= LONGEST_MOVE else ""
        word = " ".join(plain.split())
        name = features.meanings().get(word)
        if name is None and word in difficulty_words():
            name, context.args = "newgame", [word]
        await once_per_message(update, context, play.other if name is None else partial(_asked, name=name))


def _is_like_a_move(said: str, language: str) -> bool:
    with speaking(language):  # a group may speak another one than its people
        return is_like_a_move(said)


async def _asked(update: Update, context: Context, name: str) -> None:
    """Do what a command asks for."""
    command = context.services.features.commands.get(name)
    by = command.by if command is not None else By.ADMINISTRATORS if name in FOR_ADMINS else By.PEOPLE
    if (request := request_of(update, context, by)) is not None:
        await (command.handler(request) if command is not None else play.answer(request, name))


def register(app: App, features: Features) -> None:
    """Add the handlers; the one for taps comes first, because nearly all updates are taps."""
    app.add_handler(TypeHandler(Tap, on_button))
    forwarded = filters.UpdateType.MESSAGE & filters.FORWARDED & filters.ChatType.PRIVATE
    app.add_handler(MessageHandler(forwarded, partial(once_per_message, handler=play.other)))
    # An edited message asks for nothing new, and what is forwarded was said to somebody else, or long ago.
    new = filters.UpdateType.MESSAGE & ~filters.FORWARDED
    app.add_handler(CommandHandler({*features.commands, *features.words, *WORDS}, on_command, filters=new))
    app.add_handler(MessageHandler(new & filters.StatusUpdate.MIGRATE, basics.migrated))
    app.add_handler(MessageHandler(new & filters.StatusUpdate.LEFT_CHAT_MEMBER, basics.member_left))
    app.add_handler(MessageHandler(new & filters.StatusUpdate.NEW_CHAT_MEMBERS, basics.members_joined))
    app.add_handler(MessageHandler(new & ~filters.StatusUpdate.ALL, on_words))
    app.add_handlers(features.updates)
