"""The table of commands: from it come the handlers, Telegram's menus, and what tests expect of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from telegram.ext import (
    CallbackQueryHandler,
    ChatMemberHandler,
    ChosenInlineResultHandler,
    CommandHandler,
    InlineQueryHandler,
    MessageHandler,
    filters,
)

from bot.handlers import (
    answers,
    basics,
    choices,
    groups,
    inline,
    new_games,
    reviews,
    running,
    settings,
    stats,
    takebacks,
    top,
    watch,
)
from bot.handlers.taps import on_button
from bot.views.cells import LIKE_A_MOVE
from bot.views.commands import DESCRIPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from telegram import Update

    from bot.context import App, Context


class Command(NamedTuple):
    """A command."""

    name: str
    handler: Callable[[Update, Context], Coroutine[Any, Any, None]]
    description: str
    """As Telegram's menu shows it, to be translated."""
    in_groups: bool
    """Whether the menu of groups shows it."""


HANDLERS: Final = {
    "newgame": new_games.newgame,
    "challenge": new_games.challenge,
    "difficulty": choices.difficulty,
    "first": choices.first,
    "watch": watch.watch,
    "board": running.board,
    "games": running.list_games,
    "move": running.move,
    "undo": running.takeback,
    "hint": running.show_hint,
    "resign": running.resign,
    "review": reviews.review,
    "stats": stats.show,
    "top": top.show,
    "settings": settings.show,
    "notify": settings.notify,
    "takebacks": takebacks.command,
    "help": basics.show_help,
    "privacy": basics.privacy,
    "start": basics.start,
}
PRIVATE: Final = frozenset({"privacy", "start"})
"""What the menu of groups leaves out; all commands work everywhere."""

COMMANDS: Final = tuple(
    Command(name, HANDLERS[name], words, in_groups=name not in PRIVATE) for name, words in DESCRIPTIONS.items()
)
"""All commands, in the order of the menus."""


TYPED: Final = {
    "accept": answers.accept,
    "yes": answers.accept,
    "decline": answers.decline,
    "no": answers.decline,
    "cancel": answers.cancel,
    "again": answers.again,
    "rematch": answers.again,
    "swap": answers.swap,
    **dict.fromkeys(watch.COMMANDS, watch.typed),
    "next": reviews.step_on,
    "back": reviews.step_back,
    "try": reviews.try_again,
    "answer": reviews.answer,
    "leave": reviews.leave,
}
"""What buttons do, for who types: the text board names them when they mean something, so no menu does."""


def register(app: App) -> None:
    """Add the handlers; those of taps come first, because nearly all updates are taps."""
    app.add_handler(CallbackQueryHandler(on_button))
    new = filters.UpdateType.MESSAGE  # an edited message is no new wish
    for command in COMMANDS:
        app.add_handler(CommandHandler(command.name, command.handler, filters=new))
    for name, handler in TYPED.items():
        app.add_handler(CommandHandler(name, handler, filters=new))
    private = filters.ChatType.PRIVATE & ~filters.StatusUpdate.ALL
    app.add_handler(MessageHandler(new & filters.StatusUpdate.MIGRATE, groups.migrated))
    app.add_handler(MessageHandler(new & filters.Regex(LIKE_A_MOVE), running.typed))
    app.add_handler(MessageHandler(new & private, basics.other))
    app.add_handler(InlineQueryHandler(inline.on_query))
    app.add_handler(ChosenInlineResultHandler(inline.on_choice))
    app.add_handler(ChatMemberHandler(groups.member, ChatMemberHandler.MY_CHAT_MEMBER))
