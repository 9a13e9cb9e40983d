"""The table of commands: from it come the handlers, Telegram's menus, a page of the help, and tests."""

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

from bot import shared_commands
from bot.boards.cells import LIKE_A_MOVE
from bot.boards.texts import N_
from bot.features.help import groups
from bot.features.help import handlers as help_
from bot.features.inline import handlers as inline
from bot.features.matchmaking import handlers as matchmaking
from bot.features.play import answers, new_games
from bot.features.play import handlers as play
from bot.features.privacy import exporting
from bot.features.privacy import handlers as privacy
from bot.features.review import handlers as review
from bot.features.settings import choices, takebacks
from bot.features.settings import handlers as settings
from bot.features.share import handlers as share
from bot.features.stats import handlers as stats
from bot.features.top import handlers as top
from bot.features.watch import handlers as watch
from bot.taps import on_button

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from telegram import Update

    from bot.context.services import App, Context


class Command(NamedTuple):
    """A command."""

    name: str
    handler: Callable[[Update, Context], Coroutine[Any, Any, None]]
    description: str
    """As Telegram's menus and the help show it, to be translated."""
    in_groups: bool = True
    """Whether the menu of groups shows it; all commands work everywhere."""


COMMANDS: Final = (
    Command("newgame", new_games.newgame, N_("Play: a new game")),
    Command("challenge", shared_commands.challenge, N_("Play a friend")),
    Command("play", matchmaking.play, N_("Find somebody to play")),
    Command("difficulty", choices.difficulty, N_("How strong I play")),
    Command("first", choices.first, N_("Who moves first")),
    Command("watch", watch.watch, N_("Watch me play myself")),
    Command("board", play.board, N_("Bring your board down here")),
    Command("games", play.list_games, N_("Your games here")),
    Command("move", play.move, N_("Play without tapping: /move 5")),
    Command("undo", play.takeback, N_("Take a move back")),
    Command("hint", play.show_hint, N_("Show a good cell")),
    Command("resign", play.resign, N_("Give this game up")),
    Command("review", review.review, N_("Look back on a game")),
    Command("share", share.share, N_("Share a game as an animation")),
    Command("stats", stats.show, N_("How you have fared")),
    Command("top", top.show, N_("Who plays best")),
    Command("settings", settings.show, N_("All your choices")),
    Command("notify", settings.notify, N_("Shall I call you when it is your turn?")),
    Command("takebacks", takebacks.command, N_("May others ask you to take a move back?")),
    Command("help", help_.show_help, N_("How it works")),
    Command("privacy", privacy.privacy, N_("What I keep about you"), in_groups=False),
    Command("export", exporting.export, N_("All that I keep about you, as a file"), in_groups=False),
    Command("forget", privacy.forget, N_("Forget you, if you want that"), in_groups=False),
    Command("start", shared_commands.start, N_("Say hello"), in_groups=False),
)
"""All commands, in the order of the menus and of the help."""


TYPED: Final = {
    "accept": answers.accept,
    "yes": answers.accept,
    "decline": shared_commands.decline,
    "no": shared_commands.decline,
    "cancel": shared_commands.cancel,
    "again": shared_commands.again,
    "rematch": shared_commands.again,
    "swap": answers.swap,
    **dict.fromkeys(watch.COMMANDS, watch.typed),
    "next": review.step_on,
    "back": review.step_back,
    "try": review.try_again,
    "answer": review.answer,
    "leave": shared_commands.leave,
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
    app.add_handler(MessageHandler(new & filters.Regex(LIKE_A_MOVE), play.typed))
    app.add_handler(MessageHandler(new & private, help_.other))
    app.add_handler(InlineQueryHandler(inline.on_query))
    app.add_handler(ChosenInlineResultHandler(inline.on_choice))
    app.add_handler(ChatMemberHandler(groups.member, ChatMemberHandler.MY_CHAT_MEMBER))
    app.add_handler(ChatMemberHandler(matchmaking.blocked, ChatMemberHandler.MY_CHAT_MEMBER), group=1)
