"""/start and /help, and what happens when the bot's place in a group changes."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Annotated, Final

from telegram import ChatMember, ChatMemberRestricted, Update, User
from telegram.constants import ChatMemberStatus, ChatType
from telegram.ext import ChatMemberHandler

from bot.boards import buttons, links
from bot.boards.buttons import Menu
from bot.boards.view import Key, View, first_blue, in_rows, keyboard
from bot.context.acting import UNKNOWN_GAME, redraw
from bot.context.beginning import NewGame, begin
from bot.context.feature import By, Command, Event, Feature, Features, Heading, HelpPage, Menus, Waiting
from bot.context.requests import OLD_SECONDS, CommandRequest, Requester
from bot.context.services import Context, Services
from bot.delivery.entries import OutgoingMessage
from bot.game import departures
from bot.game.choices import matching
from bot.game.pages import HELLO
from bot.intake.updates import OUTSIDE
from bot.language import N_, _, speaking
from storage.errors import GameNotFound
from storage.games import lookups, versions
from storage.games.record import Decision, Page
from storage.once import Once, Repeated, take
from storage.people import chats, people


class Topic(Menu, word="help"):
    """A page of the help."""

    topic: Annotated[str, matching("[a-z]{1,16}")]


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
        is_banned = change.new_chat_member.status == ChatMemberStatus.BANNED
        user, by = change.new_chat_member.user, change.from_user
        await _note_left(context, change.chat.id, user, by=by, is_banned=is_banned)
    elif is_in and not was_in:
        await _note_back(context, change.chat.id, change.new_chat_member.user)


def _is_inside(member: ChatMember) -> bool:
    return member.is_member if isinstance(member, ChatMemberRestricted) else member.status not in OUTSIDE


def _may_write(member: ChatMember) -> bool:
    return member.can_send_messages if isinstance(member, ChatMemberRestricted) else member.status not in OUTSIDE


async def _note_left(
    context: Context, chat_id: int, who: User, *, by: User | None, is_banned: bool = False
) -> None:
    """Note that somebody has left a group, also on the boards of their games and challenges there.

    Unless Telegram says that they left by themselves, somebody has removed them.
    """
    if who.is_bot:
        return
    services, removed = context.services, by is None or by.id != who.id
    await services.store.run(people.leave, chat_id=chat_id, person=who.id)
    how = {"removed": removed, "by": by and by.id, "is_banned": is_banned}
    await services.features.tell(Event.LEFT_GROUP, services, chat_id, who.id, **how)
    note = partial(departures.note_left, now=int(time.time()), removed=removed)
    await _note_in_games(context, note, chat_id=chat_id, person=who.id)


async def _note_back(context: Context, chat_id: int, who: User) -> None:
    """Note that somebody is in a group: on its leaderboard, and on the boards of games that they play there."""
    if who.is_bot:
        return
    await context.services.store.run(people.come_back, back=[(chat_id, who.id)])
    await context.services.features.tell(Event.BACK_IN_GROUP, context.services, chat_id, who.id)
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
    if change is None:
        return
    if change.chat.type == ChatType.PRIVATE and change.new_chat_member.status == ChatMemberStatus.BANNED:
        await context.services.features.tell(Event.UNREACHABLE, context.services, change.chat.id)
    if change.chat.type not in (ChatType.GROUP, ChatType.SUPERGROUP):
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
            context.services.messages.say(OutgoingMessage(change.chat.id, group_greeting()))


GREETING: Final = "greeting"
GREETED_SECONDS: Final = 10
"""Within so many seconds a group is greeted once."""

TOPICS: Final = {
    HelpPage.PLAY: N_("How to play"),
    HelpPage.BOARDS: N_("Boards"),
    HelpPage.FRIENDS: N_("With friends"),
    HelpPage.CHOICES: N_("Settings"),
    HelpPage.RESULTS: N_("Results"),
    HelpPage.COMMANDS: N_("All commands"),
}
"""The other pages of the help, by the word of their button."""


def waiting(waits: Sequence[Waiting]) -> View:
    """What waits for somebody who is back."""
    first, *others = [*(row for each in waits for row in each.rows), [Key(_("New game"), buttons.Play())]]
    said = " · ".join(each.said for each in waits)
    return View(f"👋 {said}", keyboard([first_blue(first), *others]))


def group_greeting() -> View:
    """The greeting in a group that the bot was added to."""
    ways = [
        Key(_("Who's in?"), buttons.Play(), "primary"),
        Key(_("🏆 Cup"), buttons.NewCup()),
        Key(_("🧩 Puzzle"), buttons.ShowPuzzle(0)),
    ]
    said = _("👋 <b>Hi, I'm OXO!</b> Who'd like to play tic-tac-toe? /help has the rest.")
    return View(said, keyboard([ways]))


def help_page(features: Features, topic: str | None = None) -> View:
    """A page of the help, with buttons to all topics; without one, the first."""
    if topic is None:
        text = _(
            "Three in a row wins. /newgame starts a game.\n"
            "/text draws boards as text, to play by typing, or with a screen reader.\n"
            "What would you like to know?"
        )
    elif topic == HelpPage.COMMANDS:
        text = "\n\n".join(_group(heading, commands) for heading, commands in features.listed.items() if commands)
    else:
        text = features.help(HelpPage(topic))
    head = "" if topic is None else f"<b>{_(TOPICS[HelpPage(topic)])}</b>\n\n"
    made = [Key(_(label), Topic(page), "primary" if page == topic else None) for page, label in TOPICS.items()]
    return View(head + text, keyboard(in_rows(made)))


def _group(heading: Heading, commands: Sequence[Command]) -> str:
    line, title = _("{setting}: {value}"), _(heading.value)
    listed = [line.format(setting=f"/{each.name}", value=_(each.description)) for each in commands]
    return "\n".join([f"<b>{title}</b>", *listed])


async def start(request: CommandRequest) -> None:
    """Greet, or do what the opened link asks for."""
    if not request.args or not request.is_private:
        request.need_recent()
        await _greet(request)
        return
    text, follow = request.args[0], request.services.features.links
    to, said = links.meaning(text, request.user.id, request.services.key)
    try:
        await (follow[to](request, *said) if to in follow else follow[""](request, text))
    except GameNotFound:  # it was deleted since; the link still exists wherever it was sent
        request.reply(_(UNKNOWN_GAME))


async def _greet(request: CommandRequest) -> None:
    """Begin a game, or say what waits; a group that has just been greeted, as /start added the bot, knows."""
    if not request.is_private:
        await _take_greeting(request.services, request.once, request.chat_id)
        request.reply(group_greeting())
    elif await _waits(request):
        await request.reply_with(partial(_waiting, request))
    else:
        await begin(request, NewGame(is_alone=True, page=Page(f"{HELLO}@1")))


async def _waits(request: CommandRequest) -> Sequence[Waiting]:
    return [each for waits in request.services.features.waits if (each := await waits(request)) is not None]


async def _waiting(request: CommandRequest) -> View:
    return waiting(await _waits(request))


async def _take_greeting(services: Services, once: Once, chat_id: int) -> None:
    like = services.digest_of((GREETING, chat_id))
    await services.store.run(take, once=once._replace(like=like, seconds=GREETED_SECONDS))


async def show_help(request: CommandRequest) -> None:
    """Show the help: three lines, with buttons to its pages."""
    request.reply(help_page(request.services.features))


async def turn_page(requester: Requester, button: Topic) -> str | None:
    """Show a page of the help in the tapped message, if that is the help."""
    if button.topic not in [*HelpPage]:
        return await redraw(requester)
    if requester.is_at(Topic):
        with speaking(requester.language_here):
            requester.show_instead(help_page(requester.services.features, button.topic))
    return None


FEATURE: Final = Feature(
    commands=[
        Command("help", show_help, N_("Help"), Menus.BOTH, By.ANYBODY),
        Command("start", start, N_("Say hi"), by=By.ANYBODY),
    ],
    taps={Topic: turn_page},
    updates=[
        ChatMemberHandler(member, ChatMemberHandler.MY_CHAT_MEMBER),
        ChatMemberHandler(member_changed, ChatMemberHandler.CHAT_MEMBER),
    ],
)
