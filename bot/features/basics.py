"""/start and /help, and what happens when the bot's place in a group changes."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final

from telegram import ChatMember, ChatMemberRestricted, Update, User
from telegram.constants import ChatMemberStatus, ChatType

from bot.boards import buttons
from bot.boards.buttons import Topic
from bot.boards.players import level_names
from bot.boards.rules import NAMED_RULES
from bot.boards.view import Key, View, coded, in_rows, keyboard
from bot.context.acting import redraw
from bot.context.handlers import tap
from bot.context.requests import OLD_SECONDS, CommandRequest, Requester
from bot.context.services import Context, Services
from bot.delivery.entries import OutgoingMessage
from bot.game import departures
from bot.intake.updates import OUTSIDE
from bot.language import N_, _, speaking
from storage.games import lookups, versions
from storage.games.record import Decision
from storage.once import Once, Repeated, take
from storage.people import absences, chats, cups


async def migrated(update: Update, context: Context) -> None:
    """Follow a group that became a supergroup; both chats say so, in any order (Bot API, Message)."""
    message = update.effective_message
    if message is None:
        return
    old, new = message.migrate_from_chat_id or message.chat.id, message.migrate_to_chat_id or message.chat.id
    await context.services.store.run(chats.move_group, old=old, new=new)


async def member_left(update: Update, context: Context) -> None:
    """Note who has left a group."""
    message = update.effective_message
    if message is not None and (who := message.left_chat_member) is not None:
        await _note_left(context, message.chat.id, who, by=message.from_user)


async def members_joined(update: Update, context: Context) -> None:
    """Note who is in a group again."""
    if (message := update.effective_message) is not None:
        for who in message.new_chat_members:
            await _note_back(context, message.chat.id, who)


async def member_changed(update: Update, context: Context) -> None:
    """Note who comes and goes where the bot is an administrator, also if no message announces it."""
    change = update.chat_member
    if change is None:
        return
    was_in, is_in = _is_inside(change.old_chat_member), _is_inside(change.new_chat_member)
    if was_in and not is_in:
        await _note_left(context, change.chat.id, change.new_chat_member.user, by=change.from_user)
    elif is_in and not was_in:
        await _note_back(context, change.chat.id, change.new_chat_member.user)


def _is_inside(member: ChatMember) -> bool:
    return member.is_member if isinstance(member, ChatMemberRestricted) else member.status not in OUTSIDE


def _may_write(member: ChatMember) -> bool:
    return member.can_send_messages if isinstance(member, ChatMemberRestricted) else member.status not in OUTSIDE


async def _note_left(context: Context, chat_id: int, who: User, *, by: User | None) -> None:
    """Note that somebody has left a group, also in its cup, and on the boards of their games and challenges there.

    Unless Telegram says that they left by themselves, somebody has removed them.
    """
    if who.is_bot:
        return
    store = context.services.store
    await store.run(absences.leave, chat_id=chat_id, person=who.id)
    removed = by is None or by.id != who.id
    await store.run(cups.leave, person=who.id, chat_id=chat_id, removed=removed)
    note = partial(departures.note_left, now=int(time.time()), removed=removed)
    await _note_in_games(context, note, chat_id=chat_id, person=who.id)


async def _note_back(context: Context, chat_id: int, who: User) -> None:
    """Note that somebody is in a group: on its leaderboard, and on the boards of games that they play there."""
    if who.is_bot:
        return
    await context.services.store.run(absences.come_back, back=[(chat_id, who.id)])
    note = partial(departures.note_back, now=int(time.time()))
    await _note_in_games(context, note, chat_id=chat_id, person=who.id)


async def _note_in_games(context: Context, note: Callable[..., Decision], *, chat_id: int, person: int) -> None:
    """Note something of somebody in their games and open challenges in a group, and show it."""
    services, change = context.services, partial(note, person=person, chat_id=chat_id)
    for record in await services.store.read(lookups.unfinished, chat_id=chat_id, person=person):
        services.boards.show(await services.store.change(record.game.id, change))


async def member(update: Update, context: Context) -> None:
    """Greet a group that the bot was added to, and note groups that it was removed from or may not write in."""
    change = update.my_chat_member
    if change is None or change.chat.type not in (ChatType.GROUP, ChatType.SUPERGROUP):
        return
    inside = (ChatMemberStatus.MEMBER, ChatMemberStatus.ADMINISTRATOR)
    store = context.services.store
    if change.new_chat_member.status in OUTSIDE:
        await store.run(chats.leave, chat_id=change.chat.id, now=int(time.time()))
    elif change.old_chat_member.status in OUTSIDE:
        await store.run(chats.come_back, chat_id=change.chat.id)
    if not _may_write(change.new_chat_member):
        await store.run(versions.close_group, chat_id=change.chat.id)
    comes = change.old_chat_member.status in OUTSIDE and change.new_chat_member.status in inside
    if comes and context.services.calls.seconds_since(change.date) <= OLD_SECONDS:
        with suppress(Repeated):
            await _take_greeting(context.services, context.services.once(update.update_id), change.chat.id)
            context.services.messages.say(OutgoingMessage(change.chat.id, View(group_greeting())))


GREETING: Final = "greeting"
GREETED_SECONDS: Final = 10
"""Within so many seconds a group is greeted once."""

TOPICS: Final = {
    "play": N_("How to play"),
    "boards": N_("Boards"),
    "friends": N_("With friends"),
    "choices": N_("Settings"),
    "results": N_("Results"),
    "commands": N_("All commands"),
}
"""The other pages of the help, by the word of their button."""

BOT_NAME: Final = N_("OXO – tic-tac-toe")
"""The bot's name: at most 64 characters (Bot API, setMyName)."""

SHORT_DESCRIPTION: Final = N_("Tic-tac-toe against OXO or your friends: here, in groups and in any chat.")
"""Shown on the bot's profile: at most 120 characters (Bot API, setMyShortDescription)."""

DESCRIPTION: Final = N_(
    "❌🟡 Tic-tac-toe, right in the chat.\n\n"
    "Play OXO at five levels, from one that moves at random to one that never loses. "
    "Or play your friends: by link, in a group, or in any chat.\n\n"
    "Boards up to 8×8, misère, ultimate and vanishing; hints, takebacks and reviews."
)
"""What an empty chat with the bot shows: at most 512 characters (Bot API, setMyDescription)."""


def welcome() -> View:
    """The greeting in a private chat."""
    text = _(
        "Hi! I'm OXO. Let's play tic-tac-toe!\n\n"
        "Tap <b>Play</b> or send /newgame, then tap a cell. /help tells you the rest."
    )
    play = Key(_("Play"), buttons.Play(), "primary")
    friend = Key(_("Play a friend"), buttons.Invite())
    somebody = Key(_("Find an opponent"), buttons.FindOpponent())
    return View(text, keyboard([[play], [friend, somebody]]))


def group_greeting() -> str:
    """The greeting in a group that the bot was added to."""
    return _(
        "Hi! I'm OXO. Let's play tic-tac-toe! Send /newgame to find an opponent here, or /newgame easy to play "
        "me. /help tells you the rest."
    )


def help_page(commands: Mapping[str, str], topic: str | None = None) -> View:
    """A page of the help, with buttons to all topics; without one, the first.

    `commands` has all commands by name, each with its description, to be translated.
    """
    pages: dict[str, Callable[[], str]] = {
        "play": _playing,
        "boards": _boards,
        "friends": _friends,
        "choices": _choices,
        "results": _results,
        "commands": partial(_listing, commands),
    }
    text = _first_page() if topic is None else f"<b>{_(TOPICS[topic])}</b>\n\n{pages[topic]()}"
    made = [
        Key(_(label), buttons.Topic(name), "primary" if name == topic else None) for name, label in TOPICS.items()
    ]
    return View(text, keyboard(in_rows(made)))


def _first_page() -> str:
    return _("Three in a row wins.\n/newgame starts a game.\nWhat would you like to know?")


def _playing() -> str:
    return _(
        "Tap a cell to play it. ❌ moves first.\n"
        "<b>Undo</b> takes your last move back; a person has to agree. <b>Hint</b> shows a good move and why.\n"
        "You can also type moves: <code>5</code>, <code>b2</code>, or <code>2,3</code> for row 2, column 3; in a "
        "group, reply to the board. In our chat, <code>centre</code> works, too.\n"
        "Play several games at once: /games lists them, /board brings one down."
    )


def _boards() -> str:
    boards = _(
        "Tap <b>Board</b> on a fresh game, or type: <code>/newgame 5x5 misere</code>. Sides go from 3 to 8; "
        "<code>7x6x4</code> is 7 columns, 6 rows, four in a row.\n"
        "<b>Misère</b>: make a line and you lose."
    )
    named = (_(rules.taught) for rules in NAMED_RULES.values())
    return "\n".join([boards, *named])


def _friends() -> str:
    friends = _(
        "<b>In our chat:</b> /challenge gives you a link to send; /play finds an opponent.\n"
        "<b>In a group:</b> /newgame asks who wants to play; <code>/newgame @name</code> asks one person.\n"
        "<b>In any other chat:</b> type my username and a space.\n"
        "<b>Clock, series:</b> <code>/challenge 2m bo3</code>: 2 minutes a move, best of 3."
    )
    return f"{friends}\n" + _("<b>A cup:</b> /cup in a group; whoever joins plays.")


def _choices() -> str:
    return _(
        "<b>/settings</b>: board, theme, language and more. In groups, admins choose.\n"
        "<b>/difficulty</b>: {levels}\n"
        "<b>/first</b>: <code>me</code>, <code>bot</code> or <code>random</code>\n"
        "<b>/notify</b>: <code>on</code>, <code>private</code> or <code>off</code>\n"
        "<b>/takebacks</b>: on or off\n"
        "For one game: <code>/newgame hard bot</code>\n"
        "<code>/settings text on</code>: boards as text, to play by typing."
    ).format(levels=coded(level_names()))


def _listing(commands: Mapping[str, str]) -> str:
    return "\n".join(f"/{name} – {_(words)}" for name, words in commands.items())


def _results() -> str:
    return _(
        "<b>/stats</b>: your results, or in a group with a <code>@name</code> somebody else's.\n"
        "<b>/puzzle</b>: a new one every day (UTC), hardest on Sunday.\n"
        "<b>/top</b>: the leaderboard; <code>/top week</code> counts wins.\n"
        "Up to three games a day with the same person are rated. A rating with a ? is a guess.\n"
        "<code>/settings hidden on</code> hides your stats. <b>/privacy</b> shows what I keep."
    )


async def greet(request: CommandRequest) -> None:
    """Greet and say how to start; a group that has just been greeted, as the bot was added by /start, knows."""
    if not request.is_private:
        await _take_greeting(request.services, request.once, request.chat_id)
    request.reply(welcome() if request.is_private else group_greeting())


async def _take_greeting(services: Services, once: Once, chat_id: int) -> None:
    like = services.digest_of((GREETING, chat_id))
    await services.store.run(take, once=once._replace(like=like, seconds=GREETED_SECONDS))


async def show_help(request: CommandRequest) -> None:
    """Show the help: three lines, with buttons to its pages."""
    request.reply(help_page(request.services.commands))


@tap(Topic)
async def turn_page(requester: Requester, button: Topic) -> str | None:
    """Show a page of the help in the tapped message, if that is the help."""
    if button.topic not in TOPICS:
        return await redraw(requester)
    if requester.is_at(Topic):
        with speaking(requester.language_here):
            requester.show_instead(help_page(requester.services.commands, button.topic))
    return None
