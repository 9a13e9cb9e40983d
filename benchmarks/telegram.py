"""A Bot API that is as lean as possible: it checks nothing and tells the players what happened.

Delays and flood limits are applied here. A delayed call takes effect, and is answered, that much later; a poll for
updates is not delayed, as an open long poll hands an update over as it comes.
"""

import asyncio
import itertools
import json
import math
import time
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from benchmarks.http import Request

T = TypeVar("T")

_NAMES = b'"id":1,"is_bot":true,"first_name":"Bench","username":"bench_bot"'
_RIGHTS = b'"can_join_groups":true,"can_read_all_group_messages":false,"supports_inline_queries":true'
_CONSTANT = {
    "getme": b"{%b,%b}" % (_NAMES, _RIGHTS),
    "getwebhookinfo": b'{"url":"","has_custom_certificate":false,"pending_update_count":0}',
    "getmycommands": b"[]",
}
"""The results of methods that always have the same; those of others are true."""


class Message:
    """A message of the bot, with its parts as the JSON that they are sent in."""

    __slots__ = ("chat_id", "date", "keyboard", "keyboard_json", "message_id", "text_json")

    def __init__(self, chat_id: int, message_id: int) -> None:
        self.chat_id = chat_id
        self.message_id = message_id
        self.date = int(time.time())
        self.show({})

    def show(self, parameters: dict[str, Any]) -> None:
        """Take text and keyboard from the parameters of a call."""
        self.text_json = json.dumps(parameters.get("text", "")).encode()
        markup = parameters.get("reply_markup")
        if isinstance(markup, dict):
            markup = json.dumps(markup, separators=(",", ":"))
        self.keyboard_json = markup.encode() if markup else b""
        parsed = json.loads(markup) if markup else {}
        self.keyboard: list[list[dict[str, Any]]] = parsed.get("inline_keyboard", [])

    def json(self) -> bytes:
        """The message as Telegram sends it, with its keyboard."""
        keyboard = b',"reply_markup":' + self.keyboard_json if self.keyboard_json else b""
        return b'{"message_id":%d,"from":{%b},"chat":%b,"date":%d,"text":%b%b}' % (
            self.message_id,
            _NAMES,
            _chat(self.chat_id),
            self.date,
            self.text_json,
            keyboard,
        )


class Listener(Protocol):
    """Is told what the bot did."""

    def sent(self, message: Message) -> None:
        """A message appeared."""

    def edited(self, message: Message) -> None:
        """A message changed."""

    def answered(self, query_id: int, text: str) -> None:
        """A tap was answered."""


class Telegram:
    """The Bot API's methods over a queue of updates."""

    def __init__(self, *, delay: float = 0) -> None:
        self._loop = asyncio.get_running_loop()
        self._delay = delay
        self._updates: deque[tuple[int, bytes]] = deque()
        self._update_ids = itertools.count(1)
        self._message_ids = itertools.count(1)
        self._query_ids = itertools.count(1)
        self._poll: Request | None = None
        self._polls_end: asyncio.TimerHandle | None = None
        self._limit = 100
        self._flushing = False
        self._messages: dict[tuple[int, int], Message] = {}
        self._crawl: dict[int, float] = {}
        self._next_in_crawl: dict[int, float] = {}
        self.listeners: list[Listener] = []
        self.deliver: Callable[[bytes], None] | None = None
        """Where updates go instead of the queue, when a webhook is set."""
        self.calls: defaultdict[str, int] = defaultdict(int)
        """How often each method was called."""

    def limit(self, chat_id: int, seconds: float) -> None:
        """From now on, allow the chat one message or edit every so many seconds."""
        self._crawl[chat_id] = seconds

    def say(self, person: int, chat_id: int, command: str) -> None:
        """Let a person send a command, in the private chat or in a group."""
        self._post(
            b"message",
            b'{"message_id":%d,"from":%b,"chat":%b,"date":%d,"text":"%b",'
            b'"entities":[{"type":"bot_command","offset":0,"length":%d}]}'
            % (
                next(self._message_ids),
                _person(person),
                _chat(chat_id),
                int(time.time()),
                command.encode(),
                len(command.partition(" ")[0]),
            ),
        )

    def tap(self, person: int, message: Message, data: str) -> int:
        """Let a person tap a button; returns the query's id."""
        query_id = next(self._query_ids)
        self._post(
            b"callback_query",
            b'{"id":"%d","from":%b,"message":%b,"chat_instance":"%d","data":"%b"}'
            % (query_id, _person(person), message.json(), message.chat_id, data.encode()),
        )
        return query_id

    def _post(self, kind: bytes, content: bytes) -> None:
        """Give the bot an update."""
        update_id = next(self._update_ids)
        update = b'{"update_id":%d,"%b":%b}' % (update_id, kind, content)
        if self.deliver is not None:
            self.deliver(update)
            return
        self._updates.append((update_id, update))
        if self._poll is not None and not self._flushing:
            # What happens in the same turn of the loop goes out in one batch.
            self._flushing = True
            self._loop.call_soon(self._flush)

    def call(self, request: Request) -> None:
        """Do what a request asks for."""
        self.calls[request.method] += 1
        match request.method:
            case "getupdates":
                self._open_poll(request)
            case "sendmessage" | "editmessagetext":
                self._after_delay(self._show, request)
            case "answercallbackquery":
                self._after_delay(self._answer, request)
            case other:
                _succeed(request, _CONSTANT.get(other, b"true"))

    def carry_out(self, body: bytes) -> None:
        """Make the call that came in a webhook's response: the answer to a tap, and no other."""
        call = json.loads(body)
        if call["method"] != "answerCallbackQuery":
            raise ValueError(f"{call['method']} in the response of a webhook")
        self.calls["in a response"] += 1
        self._after_delay(self._answered, call)

    def _after_delay(self, do: Callable[[T], None], what: T) -> None:
        if self._delay:
            self._loop.call_later(self._delay, do, what)
        else:
            do(what)

    def _open_poll(self, request: Request) -> None:
        parameters = request.parameters()
        offset, self._limit = int(parameters.get("offset") or 0), int(parameters.get("limit") or 100)
        while self._updates and self._updates[0][0] < offset:
            self._updates.popleft()
        if self._poll is not None:
            self._poll.reply(b'{"ok":false,"error_code":409,"description":"Conflict"}', 409)
        if self._polls_end is not None:
            self._polls_end.cancel()
        self._poll = request
        if self._updates:
            self._flush()
        else:
            wait = float(parameters.get("timeout") or 0)
            self._polls_end = self._loop.call_later(wait, self._flush)

    def _flush(self) -> None:
        self._flushing = False
        if self._poll is not None and not self._poll.gone:
            batch = b",".join([update for _, update in itertools.islice(self._updates, self._limit)])
            _succeed(self._poll, b"[%b]" % batch)
        self._poll = None

    def _flooded(self, request: Request, chat_id: int) -> bool:
        """Refuse a call in a slowed chat, unless it is due."""
        pause = self._crawl.get(chat_id)
        if pause is None:
            return False
        now = self._loop.time()
        due = self._next_in_crawl.get(chat_id, 0)
        if now >= due:
            self._next_in_crawl[chat_id] = now + pause
            return False
        error = b'{"ok":false,"error_code":429,"description":"Too Many Requests: retry after %d",'
        error += b'"parameters":{"retry_after":%d}}'
        seconds = math.ceil(due - now)
        self.calls["429"] += 1
        request.reply(error % (seconds, seconds), 429)
        return True

    def _show(self, request: Request) -> None:
        """Send or edit a message."""
        parameters = request.parameters()
        chat_id = int(parameters["chat_id"])
        if self._flooded(request, chat_id):
            return
        is_new = request.method == "sendmessage"
        message_id = next(self._message_ids) if is_new else int(parameters["message_id"])
        if is_new:
            self._messages[chat_id, message_id] = Message(chat_id, message_id)
        message = self._messages[chat_id, message_id]
        message.show(parameters)
        _succeed(request, message.json())
        for listener in self.listeners:
            (listener.sent if is_new else listener.edited)(message)

    def _answer(self, request: Request) -> None:
        _succeed(request, b"true")
        self._answered(request.parameters())

    def _answered(self, parameters: dict[str, Any]) -> None:
        for listener in self.listeners:
            listener.answered(int(parameters["callback_query_id"]), parameters.get("text") or "")


def _succeed(request: Request, result: bytes) -> None:
    request.reply(b'{"ok":true,"result":%b}' % result)


def _chat(chat_id: int) -> bytes:
    """A chat as JSON: groups have negative ids."""
    if chat_id < 0:
        return b'{"id":%d,"type":"supergroup","title":"Friends"}' % chat_id
    return b'{"id":%d,"type":"private","first_name":"Ada","username":"ada%d"}' % (chat_id, chat_id)


def _person(person: int) -> bytes:
    return (
        b'{"id":%d,"is_bot":false,"first_name":"Ada","last_name":"Lovelace",'
        b'"username":"ada%d","language_code":"en"}' % (person, person)
    )
