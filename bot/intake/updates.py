"""Takes in updates: each once, and those of a chat in their order.

Telegram sends the whole message with every tap. Parsing it would try a hundred fields and build a button object
per cell, which costs more than the rest of a tap. Its text and keyboard are the bot's own anyway, so of a tap only
what is needed is read, as a value of our own (`Tap`); python-telegram-bot parses all other updates.

python-telegram-bot's own runners confirm an update when it is queued, before it is handled, so a crash loses it.
Here an update is confirmed only once what it asked for is stored. If Telegram then delivers it a second time, its
work is already done.
"""

import asyncio
import logging
import time
from collections.abc import Coroutine, Hashable
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from telegram import Bot, ChatMember, Update, User
from telegram.constants import ChatID, ChatType
from telegram.ext import Application

from bot.boards.buttons import game_id_of
from bot.boards.view import View
from bot.context.requests import thread_in, thread_of
from bot.context.services import App, Services
from bot.delivery.calls import Reply
from bot.delivery.entries import OutgoingMessage
from bot.game.attempt import Where
from bot.language import N_, _, speaking
from bot.network.proxies import is_exhausted
from bot.recent import Recent
from storage.columns import DAY
from storage.errors import OtherRelease, StorageUnavailable

LARGEST_ID: Final = 1 << 63
"""Ids beyond this fit no database; Telegram's have up to 52 bits."""


class Order:
    """Runs the work of one chat in order, and that of different chats in parallel."""

    def __init__(self) -> None:
        self._last: dict[Hashable, asyncio.Task[None]] = {}

    def start(self, chat: Hashable, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Start some work once all earlier work for the same chat is done."""
        before = self._last.get(chat)
        task = asyncio.create_task(work if before is None else _after(before, work))
        if chat is not None:
            self._last[chat] = task
        task.add_done_callback(partial(self._ended, chat, work))
        return task

    def _ended(self, chat: Hashable, work: Coroutine[None, None, None], task: asyncio.Task[None]) -> None:
        work.close()  # if it was cancelled before its turn
        if self._last.get(chat) is task:
            del self._last[chat]


async def _after(before: asyncio.Task[None], work: Coroutine[None, None, None]) -> None:
    await asyncio.wait((before,))
    await work


class Tap(NamedTuple):
    """A tap on a button."""

    update_id: int
    query_id: str
    user: User
    chat_instance: str
    """Stands for the chat where the message is; empty if Telegram doesn't say."""
    data: str | None
    """What the button carries."""
    where: Where | None
    """None if Telegram doesn't say."""
    arrived: float
    """When it came in, by `time.perf_counter`."""
    reply: Reply | None = None
    """The room for an answer in the response to the webhook request, if it came by one."""


Incoming: TypeAlias = Tap | Update
"""An update as handlers get it."""


def parsed(update: dict[str, Any], bot: Bot, reply: Reply | None = None) -> Incoming | None:
    """An update as handlers get it; None, with a line in the log, for one that cannot be parsed."""
    try:
        query = update.get("callback_query")
        return Update.de_json(update, bot) if query is None else _tap(update["update_id"], query, reply)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with it, it is nobody else's fault
        # The error may quote the content, which is somebody's words.
        name = type(error).__name__
        log.error("An update cannot be parsed (%s)", name, extra={"update_id": update["update_id"]})  # noqa: TRY400
        return None


def _tap(update_id: int, query: dict[str, Any], reply: Reply | None) -> Tap:
    sender = query["from"]
    user = User(
        sender["id"],
        sender["first_name"],
        sender["is_bot"],
        last_name=sender.get("last_name"),
        username=sender.get("username"),
        language_code=sender.get("language_code"),
    )
    instance, where = query.get("chat_instance", ""), _where(query)
    return Tap(update_id, query["id"], user, instance, query.get("data"), where, time.perf_counter(), reply)


def _where(query: dict[str, Any]) -> Where | None:
    message = query.get("message")
    if message is None:
        inline = query.get("inline_message_id")
        return Where(inline_message_id=inline) if isinstance(inline, str) else None
    chat_id, message_id = message["chat"]["id"], message["message_id"]
    if not (isinstance(chat_id, int) and isinstance(message_id, int)):
        return None
    if message.get("date") == 0:
        return Where(chat_id, message_id=message_id, is_lost=True)
    first = _first_of(message)
    topic = message.get("message_thread_id"), message.get("is_topic_message")
    thread, said = thread_in(chat_id, message_id, *topic), message.get("text")
    return Where(chat_id, *thread, message_id, first=first, said=said, shows=game_id_of(first))


def _first_of(message: dict[str, Any]) -> str | None:
    """What the first button of a message carries."""
    rows = message["reply_markup"]["inline_keyboard"] if "reply_markup" in message else ()
    data = rows[0][0].get("callback_data") if rows and rows[0] else None
    return data if isinstance(data, str) else None


def chat_of(update: Incoming) -> int | str | None:
    """A key for the chat of an update; None if it belongs to no chat, or names none that makes sense."""
    key: object
    if isinstance(update, Tap):
        key = update.where and (update.where.chat_id or update.where.inline_message_id)
    elif (choice := update.chosen_inline_result) is not None:
        key = choice.inline_message_id
    else:
        chat = update.effective_chat
        key = None if chat is None else chat.id
    if isinstance(key, int):
        return key if abs(key) < LARGEST_ID else None
    return key if isinstance(key, str) else None


def _is_for_us(update: Incoming) -> bool:
    """Whether an update may be answered: bots get silence, as two that answer each other never end.

    What people send through a bot, or a channel into its group, counts as a bot's. A channel's direct messages
    can't be answered where they were sent.
    """
    if isinstance(update, Tap):
        return not update.user.is_bot or update.user.id == ChatID.ANONYMOUS_ADMIN
    message, chat, user = update.message, update.effective_chat, update.effective_user
    if chat is not None and (chat.is_direct_messages or chat.type == ChatType.CHANNEL):
        return False
    if update.my_chat_member or update.chat_member:
        return True  # another bot may have removed or added somebody
    if message is not None and (message.migrate_to_chat_id or message.migrate_from_chat_id):
        return True
    if message is not None and (message.left_chat_member is not None or message.new_chat_members):
        return True  # likewise
    if message is not None and (message.via_bot or message.is_automatic_forward):
        return False
    stands_in = message.sender_chat is not None if message else user and user.id == ChatID.ANONYMOUS_ADMIN
    return user is None or not user.is_bot or bool(stands_in)


log = logging.getLogger(__name__)

UPDATES: Final = (
    Update.MESSAGE,
    Update.CALLBACK_QUERY,
    Update.INLINE_QUERY,
    Update.CHOSEN_INLINE_RESULT,
    Update.MY_CHAT_MEMBER,
    Update.CHAT_MEMBER,
)
"""The kinds of updates that the bot has handlers for."""

UPDATE_KEPT_SECONDS: Final = {
    Update.CALLBACK_QUERY: 150,
    Update.INLINE_QUERY: 30,
    Update.CHOSEN_INLINE_RESULT: 600,
}
"""How long Telegram keeps delivering an update (tdlib/telegram-bot-api, Client.cpp); others for a day."""

UPDATE_TRIES: Final = 3
FIRST_UPDATE_PAUSE_SECONDS: Final = 0.25
LONGEST_UPDATE_PAUSE_SECONDS: Final = 8.0
"""The pauses between two tries while the system has no files or memory left."""
REMEMBERED_UPDATES: Final = 10_000

OUTSIDE: Final = (ChatMember.LEFT, ChatMember.BANNED)
"""The states of a member who is not in a chat."""

UNAVAILABLE: Final = N_("Something's wrong on my side. Nothing was changed; try again in a moment.")
FAILED: Final = N_("Something went wrong on my side. Nothing was lost; please try again.")


class Raising(Application[Any, Any, Any, Any, Any, Any]):
    """An application whose handlers' errors reach the intake, which decides whether to try again."""

    async def process_error(self, update: object, error: Exception, *_: object, **__: object) -> bool:  # noqa: ARG002 - the interface's
        raise error


class Intake:
    """Takes updates, each once."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._services: Services = app.bot_data
        self._order = Order()
        self._under_way: dict[int, asyncio.Task[None]] = {}
        self._done: Recent[int, None] = Recent(REMEMBERED_UPDATES)
        self._first_seen: Recent[int, float] = Recent(REMEMBERED_UPDATES)
        """When updates that couldn't be stored came first, by the monotonic clock."""
        self._is_exhausted = False
        """Whether the system had no files or memory left at the last try."""

    def begin(
        self, update: dict[str, Any], *, comes_again: bool = False, reply: Reply | None = None
    ) -> asyncio.Task[None] | None:
        """Start handling an update, as Telegram sends it; a second delivery gets the task under way.

        `comes_again` if Telegram delivers it again if it isn't taken now; `reply` has room for the answer to a
        tap. None if it was handled before, or cannot be parsed.
        """
        number, kind = update["update_id"], _kind(update)
        task = self._under_way.get(number)
        if task is not None or number in self._done:
            self._services.metrics.updated(kind, "again")
            return task
        parsed_update = parsed(update, self._app.bot, reply)
        if parsed_update is None:
            self._services.metrics.updated(kind, "unreadable")
            return None
        chat = chat_of(parsed_update)
        work = self._handle(parsed_update, kind, chat, comes_again=comes_again)
        task = self._under_way[number] = self._order.start(chat, work)
        return task

    def is_done(self, update_id: int) -> bool:
        """Whether an update is dealt with: what it asked for is stored, or it was given up on."""
        return update_id in self._done

    async def _handle(self, update: Incoming, kind: str, chat: int | str | None, *, comes_again: bool) -> None:
        outcome = "done"
        is_ours = _is_for_us(update)
        if isinstance(chat, int) and is_ours:
            self._hear_from(chat, update)
        try:
            for tries_left in reversed(range(UPDATE_TRIES)):
                error = await self._try_patiently(update) if is_ours else None
                if error is None:
                    break
                if isinstance(error, OtherRelease):
                    outcome = "put off"
                    if not comes_again:
                        await asyncio.Event().wait()  # it stays unconfirmed until this process ends, which is soon
                    return
                unavailable = isinstance(error, StorageUnavailable)
                if unavailable and comes_again and self._may_come_again(update.update_id, kind):
                    outcome = "put off"
                    return
                if unavailable or not tries_left:
                    outcome = "unavailable" if unavailable else "failed"
                    self._report(update, error)
                    break
            self._first_seen.pop(update.update_id, None)
            self._done[update.update_id] = None
        finally:
            self._services.metrics.updated(kind, outcome)
            del self._under_way[update.update_id]

    def _hear_from(self, chat: int, update: Incoming) -> None:
        if isinstance(update, Tap):
            self._services.reach.hear_from(chat)
            return
        change, message = update.my_chat_member, update.message
        # Any update counts, as Telegram may not tell of every change.
        if change is not None and getattr(change.new_chat_member, "status", None) in OUTSIDE:
            return
        reopened = message is not None and message.forum_topic_reopened is not None
        self._services.reach.hear_from(chat, is_news=reopened or change is not None)

    async def _try_patiently(self, update: Incoming) -> Exception | None:
        """Handle an update, again and again while the system lacks files or memory, which is no update's fault."""
        pause = FIRST_UPDATE_PAUSE_SECONDS
        while (error := await self._try(update)) is not None and is_exhausted(error):
            if not self._is_exhausted:
                log.warning("Updates are waiting: the system is out of files or memory", exc_info=error)
            self._is_exhausted = True
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_UPDATE_PAUSE_SECONDS)
        if self._is_exhausted:
            log.info("Updates are handled again")
            self._is_exhausted = False
        return error

    async def _try(self, update: Incoming) -> Exception | None:
        """Handle an update; returns the error it ended in."""
        try:
            with speaking(self._language_of(update)):
                await self._app.process_update(update)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is this update's and must not stop the others
            return error
        return None

    def _language_of(self, update: Incoming) -> str:
        """The language of an update's chat; of a tap, that of the person, who alone sees the answer."""
        if isinstance(update, Tap):
            return self._services.languages.of(update.user)
        chat = update.effective_chat
        return self._services.languages.of(update.effective_user, None if chat is None else chat.id)

    def _may_come_again(self, number: int, kind: str) -> bool:
        """Whether Telegram still keeps an update that couldn't be stored."""
        now = time.monotonic()
        first = self._first_seen.setdefault(number, now)
        return now - first < UPDATE_KEPT_SECONDS.get(kind, DAY)

    def _report(self, update: Incoming, error: Exception) -> None:
        if isinstance(error, StorageUnavailable):
            sentence = UNAVAILABLE  # the storage has logged the outage, once for all updates
        else:
            sentence = FAILED
            log.error(
                "An update was set aside after %d tries",
                UPDATE_TRIES,
                exc_info=error,
                extra={"update_id": update.update_id},
            )
        try:
            with speaking(self._language_of(update)):
                self._apologize(update, sentence)
        except Exception:
            log.exception("Nobody can be told", extra={"update_id": update.update_id})

    def _apologize(self, update: Incoming, sentence: str) -> None:
        if isinstance(update, Tap):
            self._services.answers.answer(update.query_id, _(sentence), alert=True, reply=update.reply)
        elif (message := update.message) is not None:
            person = update.effective_user.id if update.effective_user else None
            self._services.messages.say(
                OutgoingMessage(message.chat.id, View(_(sentence)), *thread_of(message), person=person)
            )


def _kind(update: dict[str, Any]) -> str:
    """The kind of an update, in the Bot API's word."""
    return next((kind for kind in UPDATES if kind in update), "unknown")
