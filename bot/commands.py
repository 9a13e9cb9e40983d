"""The table of commands, from which come the handlers, Telegram's menus, a page of the help, and tests."""

from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from telegram import Update
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
from bot.boards.buttons import TryPuzzle
from bot.boards.cells import LONGEST_MOVE, is_like_a_move, is_nothing_but_a_cell
from bot.boards.translations import AROUND, folded, meanings
from bot.context.acting import unreadable
from bot.context.requests import CommandRequest, first_button, request_of
from bot.context.services import App, Context
from bot.features import (
    basics,
    blocking,
    cups,
    exporting,
    inline,
    matchmaking,
    new_games,
    play,
    privacy,
    puzzle,
    review,
    settings,
    share,
    stats,
    top,
    watch,
)
from bot.game.actions import ACTION_KINDS
from bot.game.attempt import NotAllowed, Refusal, Unclear
from bot.game.questions import Resign, TakeBack
from bot.language import N_, _, per_language, speaking
from bot.taps import on_button
from storage.errors import CorruptGame
from storage.once import Repeated, is_done, take

Handler: TypeAlias = Callable[[CommandRequest], Coroutine[None, None, None]]


class Command(NamedTuple):
    """A command."""

    name: str
    handler: Handler
    description: str
    """Shown in Telegram's menus and the help; to be translated."""


COMMANDS: Final = (
    Command("newgame", new_games.newgame, N_("New game")),
    Command("challenge", shared_commands.challenge, N_("Play a friend")),
    Command("play", matchmaking.play, N_("Find an opponent")),
    Command("cup", cups.cup, N_("Hold a cup in a group")),
    Command("puzzle", puzzle.show, N_("Puzzle of the day")),
    Command("stats", stats.show, N_("Your stats")),
    Command("top", top.show, N_("Leaderboard")),
    Command("settings", settings.show, N_("Settings")),
    Command("help", basics.show_help, N_("Help")),
    Command("games", play.list_games, N_("Your games here")),
    Command("board", play.board, N_("Move your board to the bottom")),
    Command("move", play.move, N_("Type a move, like /move 5")),
    Command("undo", partial(play.act_at_hand, at=TakeBack), N_("Take a move back")),
    Command("hint", play.show_hint, N_("Get a hint")),
    Command("resign", partial(play.act_at_hand, at=Resign), N_("Resign")),
    Command("review", review.review, N_("Review a game")),
    Command("share", share.share, N_("Share a game as an animation")),
    Command("watch", watch.watch, N_("Watch a computer game")),
    Command("difficulty", partial(settings.show_one, name="level"), N_("Difficulty")),
    Command("first", partial(settings.show_one, name="first"), N_("Who moves first")),
    Command("notify", partial(settings.show_one, name="reminders"), N_("Turn reminders")),
    Command("takebacks", partial(settings.show_one, name="takebacks"), N_("Takeback requests")),
    Command("block", blocking.block, N_("Block somebody")),
    Command("unblock", blocking.unblock, N_("Unblock somebody")),
    Command("privacy", privacy.privacy, N_("What I keep about you")),
    Command("export", exporting.export, N_("Download my data")),
    Command("forget", privacy.forget, N_("Delete my data")),
    Command("start", shared_commands.start, N_("Say hi")),
)
"""All commands, in the order of the help."""

MENU_OF_PRIVATE_CHATS: Final = ("newgame", "challenge", "play", "puzzle", "stats", "top", "settings", "help")
"""The commands that Telegram's menu shows in private chats."""

MENU_OF_GROUPS: Final = ("newgame", "challenge", "cup", "puzzle", "top", "settings", "help")


WORDS: Final = {word for kind in ACTION_KINDS for word in kind.rule.typed} - {command.name for command in COMMANDS}
"""The commands of actions that have none in the menu."""

TYPED: Final[Mapping[str, Handler]] = {
    **{word: partial(shared_commands.answer, word=word) for word in WORDS},
    **{word: partial(review.step, word=word) for word in review.REVIEW_STEPS},
    "leave": shared_commands.leave,
    "fromhere": shared_commands.play_from,
}
"""Commands that do what buttons do; text boards name them when they apply, so no menu does."""


# Translators: what people type in a private chat instead of the command, with | between.
PLAIN: Final = {
    "hint": N_("hint|help me"),
    "undo": N_("undo|take back"),
    "resign": N_("resign|give up"),
    "review": N_("review|analyse"),
    "share": N_("share|share it"),
    "ourgames": N_("our games|our score"),
    "yes": N_("yes|ok|sure"),
    "no": N_("no|no thanks"),
    "accept": N_("accept|i accept"),
    "decline": N_("decline|i decline"),
    "cancel": N_("cancel|withdraw"),
    "again": N_("again|play again"),
    "rematch": N_("rematch|another game"),
    "swap": N_("swap|swap sides"),
    "next": N_("next|forward"),
    "back": N_("back|previous"),
    "leave": N_("leave|close"),
}
"""Commands that also work by these words, as they can't mean anything else, or by what buttons say.

All in the table work by their description, and without their slash unless that may be a cell, such as top.
"""

FOR_ADMINS: Final = frozenset(
    {"settings", "difficulty", "first", "notify", "takebacks", "cup", "top"}
    | {word for kind in ACTION_KINDS if kind.rule.as_chat for word in kind.rule.typed}
)
"""Commands that an anonymous administrator may send, as the group itself, as far as their features allow it."""

FOR_ANYBODY: Final = frozenset({"start", "help", "privacy"})
"""Commands that need no person, so that those who post as a group or a channel may send them, too."""

_HANDLERS: Final[Mapping[str, Handler]] = {**{command.name: command.handler for command in COMMANDS}, **TYPED}


@per_language
def _commands() -> Mapping[str, str]:
    named = {words: command.name for command in COMMANDS for words in (command.name, command.description)}
    return meanings(named | {words: name for name, words in PLAIN.items()})


async def once_per_message(
    update: Update, context: Context, handler: Callable[[Update, Context], Coroutine[Any, Any, None]]
) -> None:
    """Handle the first of the updates that bring the same message, whichever process takes them.

    What is stored for it takes its key; where nothing is, its answer does.
    """
    request, services = request_of(update, context, for_anybody=True), context.services
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


async def command(update: Update, context: Context) -> None:
    """Handle a command, which the message begins with."""
    if (message := update.message) is not None and message.text is not None:
        name = message.text[1 : message.entities[0].length].partition("@")[0].lower()
        await once_per_message(update, context, partial(_asked, name=name))


async def words(update: Update, context: Context) -> None:
    """Handle a message without a slash: a move, or a command's words; in a private chat everything is answered."""
    if (message := update.effective_message) is None or (user := message.from_user) is None:
        return
    said, languages = message.text or "", context.services.languages
    if message.chat.id > 0 and isinstance(first_button(message.reply_to_message), TryPuzzle):
        await once_per_message(update, context, partial(_asked, name="puzzle"))
    elif message.chat.id < 0:
        if is_nothing_but_a_cell(said) and play.is_to_board(message, context.bot.id):
            await once_per_message(update, context, play.typed_move)
    elif is_like_a_move(said) or _is_like_a_move(said, languages.of(user)):
        await once_per_message(update, context, play.typed_move)
    else:
        plain = folded(said).strip(f"{AROUND}/?¿؟") if len(said) <= LONGEST_MOVE else ""
        name = _commands().get(" ".join(plain.split()))
        await once_per_message(update, context, play.other if name is None else partial(_asked, name=name))


def _is_like_a_move(said: str, language: str) -> bool:
    with speaking(language):  # a group may speak another one than its people
        return is_like_a_move(said)


async def _asked(update: Update, context: Context, name: str) -> None:
    """Do what a command asks for."""
    allowed = {"for_admins": name in FOR_ADMINS, "for_anybody": name in FOR_ANYBODY}
    if (request := request_of(update, context, **allowed)) is not None:
        await _HANDLERS[name](request)


def register(app: App) -> None:
    """Add the handlers; the one for taps comes first, because nearly all updates are taps."""
    app.add_handler(CallbackQueryHandler(on_button))
    forwarded = filters.UpdateType.MESSAGE & filters.FORWARDED & filters.ChatType.PRIVATE
    app.add_handler(MessageHandler(forwarded, partial(once_per_message, handler=play.other)))
    # An edited message asks for nothing new, and what is forwarded was said to somebody else, or long ago.
    new = filters.UpdateType.MESSAGE & ~filters.FORWARDED
    app.add_handler(CommandHandler(_HANDLERS, command, filters=new))
    app.add_handler(MessageHandler(new & filters.StatusUpdate.MIGRATE, basics.migrated))
    app.add_handler(MessageHandler(new & filters.StatusUpdate.LEFT_CHAT_MEMBER, basics.member_left))
    app.add_handler(MessageHandler(new & filters.StatusUpdate.NEW_CHAT_MEMBERS, basics.members_joined))
    app.add_handler(MessageHandler(new & ~filters.StatusUpdate.ALL, words))
    app.add_handler(InlineQueryHandler(inline.on_query))
    app.add_handler(ChosenInlineResultHandler(inline.on_choice))
    app.add_handler(ChatMemberHandler(basics.member, ChatMemberHandler.MY_CHAT_MEMBER))
    app.add_handler(ChatMemberHandler(basics.member_changed, ChatMemberHandler.CHAT_MEMBER))
    app.add_handler(ChatMemberHandler(matchmaking.blocked, ChatMemberHandler.MY_CHAT_MEMBER), group=1)
