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

from bot.handlers import basics, choices, groups, inline, new_games, running
from bot.handlers.taps import on_button
from bot.views.cells import LIKE_A_MOVE
from bot.views.texts import N_

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
    in_groups: bool = True
    """Whether the menu of groups shows it; all commands work everywhere."""


COMMANDS: Final = (
    Command("newgame", new_games.newgame, N_("Start a game: /newgame easy bot")),
    Command("challenge", new_games.challenge, N_("Challenge somebody")),
    Command("difficulty", choices.difficulty, N_("How strong the computer plays here")),
    Command("first", choices.first, N_("Who moves first here")),
    Command("board", running.board, N_("Bring the board down here")),
    Command("games", running.list_games, N_("Your running games here")),
    Command("move", running.move, N_("Type a move: /move 2,3 or /move 5")),
    Command("undo", running.takeback, N_("Take a move back")),
    Command("hint", running.show_hint, N_("Show the best cell")),
    Command("resign", running.resign, N_("Give the game up")),
    Command("takebacks", running.takebacks, N_("May others ask you for takebacks: on or off")),
    Command("help", basics.show_help, N_("How it works")),
    Command("privacy", basics.privacy, N_("What is stored about you"), in_groups=False),
    Command("start", basics.start, N_("Say hello"), in_groups=False),
)
"""All commands, in the order of the menus."""


def register(app: App) -> None:
    """Add the handlers; those of taps come first, because nearly all updates are taps."""
    app.add_handler(CallbackQueryHandler(on_button))
    new = filters.UpdateType.MESSAGE  # an edited message is no new wish
    for command in COMMANDS:
        app.add_handler(CommandHandler(command.name, command.handler, filters=new))
    private = filters.ChatType.PRIVATE & ~filters.StatusUpdate.ALL
    app.add_handler(MessageHandler(new & filters.StatusUpdate.MIGRATE, groups.migrated))
    app.add_handler(MessageHandler(new & filters.Regex(LIKE_A_MOVE), running.typed))
    app.add_handler(MessageHandler(new & private, basics.other))
    app.add_handler(InlineQueryHandler(inline.on_query))
    app.add_handler(ChosenInlineResultHandler(inline.on_choice))
    app.add_handler(ChatMemberHandler(groups.member, ChatMemberHandler.MY_CHAT_MEMBER))
