"""A Bot API that is as lean as possible: it checks nothing and tells the players what happened.

Delays and flood limits are applied here. A delayed call takes effect, and is answered, that much later; a poll for
updates is not delayed, as an open long poll hands an update over as it comes.
"""

import asyncio
import itertools
import json
import math
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from benchmarks.http import Request

_TRUE = b'{"ok":true,"result":true}'
BOT = b'{"id":1,"is_bot":true,"first_name":"Bench","username":"bench_bot"}'
_ME = (
    b'{"ok":true,"result":{"id":1,"is_bot":true,"first_name":"Bench","username":"bench_bot",'
    b'"can_join_groups":true,"can_read_all_group_messages":false,"supports_inline_queries":true}}'
)
_WEBHOOK = b'{"ok":true,"result":{"url":"","has_custom_certificate":false,"pending_update_count":0}}'
_CONSTANT = {
    "getme": _ME,
    "getwebhookinfo": _WEBHOOK,
    "getmycommands": b'{"ok":true,"result":[]}',
}

Method = Callable[[Request], None]
Deliver = Callable[[bytes], None]


class Message:
    """A message of the bot, with its parts as the JSON that they are sent in."""

    __slots__ = ("chat", "chat_id", "date", "keyboard", "keyboard_json", "message_id", "text_json")

    def __init__(self, chat_id: int, chat: bytes, message_id: int) -> None:
        self.chat_id = chat_id
        self.chat = chat
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
        return b'{"message_id":%d,"from":%b,"chat":%b,"date":%d,"text":%b%b}' % (
            self.message_id,
            BOT,
            self.chat,
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

    def answered(self, query_id: str, text: str) -> None:
        """A tap was answered."""


class Telegram:
    """The Bot API's methods over a queue of updates."""

    def __init__(self, *, delay: float = 0) -> None:
        self._loop = asyncio.get_running_loop()
        self._delay = delay
        self._updates: deque[tuple[int, bytes]] = deque()
        self._update_ids = itertools.count(1)
        self._message_ids = itertools.count(1)
        self._poll: Request | None = None
        self._polls_end: asyncio.TimerHandle | None = None
        self._limit = 100
        self._flushing = False
        self._messages: dict[tuple[int, int], Message] = {}
        self._crawl: dict[int, float] = {}
        self._next_in_crawl: dict[int, float] = {}
        self.listener: Listener | None = None
        self.deliver: Deliver | None = None
        """Where updates go instead of the queue, when a webhook is set."""
        self.calls: dict[str, int] = {}
        """How often each method was called."""
        self._methods: dict[str, Method] = {
            "sendmessage": self._send,
            "editmessagetext": self._edit,
            "answercallbackquery": self._answer,
        }

    def chat(self, chat_id: int) -> bytes:
        """A chat as JSON: groups have negative ids."""
        if chat_id < 0:
            return b'{"id":%d,"type":"supergroup","title":"Friends"}' % chat_id
        return b'{"id":%d,"type":"private","first_name":"Ada","username":"ada%d"}' % (chat_id, chat_id)

    def limit(self, chat_id: int, seconds: float) -> None:
        """From now on, allow the chat one message or edit every so many seconds."""
        self._crawl[chat_id] = seconds

    def post(self, kind: bytes, content: bytes) -> None:
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

    def time(self) -> float:
        """The current time in seconds; uvloop's own clock only counts milliseconds."""
        return time.perf_counter()

    def date(self) -> int:
        """The current time, as Telegram dates messages."""
        return int(time.time())

    def next_message_id(self) -> int:
        """An id for a person's message."""
        return next(self._message_ids)

    def call(self, request: Request) -> None:
        """Do what a request asks for."""
        method = request.method
        self.calls[method] = self.calls.get(method, 0) + 1
        if method == "getupdates":
            self._open_poll(request)
            return
        do = self._methods.get(method)
        if do is None:
            request.reply(_CONSTANT.get(method, _TRUE))
        elif self._delay:
            self._loop.call_later(self._delay, do, request)
        else:
            do(request)

    def carry_out(self, body: bytes) -> None:
        """Make the call that came in a webhook's response: the answer to a tap, and no other."""
        call = json.loads(body)
        if call["method"] != "answerCallbackQuery":
            raise ValueError(f"{call['method']} in the response of a webhook")
        self.calls["in a response"] = self.calls.get("in a response", 0) + 1
        if self._delay:
            self._loop.call_later(self._delay, self._answered, call)
        else:
            self._answered(call)

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
        if self._poll is None or self._poll.gone:
            self._poll = None
            return
        batch = b",".join([update for _, update in itertools.islice(self._updates, self._limit)])
        self._poll.reply(b'{"ok":true,"result":[%b]}' % batch)
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
        self.calls["429"] = self.calls.get("429", 0) + 1
        request.reply(error % (seconds, seconds), 429)
        return True

    def _send(self, request: Request) -> None:
        parameters = request.parameters()
        chat_id = int(parameters["chat_id"])
        if self._flooded(request, chat_id):
            return
        message = Message(chat_id, self.chat(chat_id), next(self._message_ids))
        self._messages[chat_id, message.message_id] = message
        message.show(parameters)
        request.reply(b'{"ok":true,"result":%b}' % message.json())
        if self.listener is not None:
            self.listener.sent(message)

    def _edit(self, request: Request) -> None:
        parameters = request.parameters()
        chat_id = int(parameters["chat_id"])
        if self._flooded(request, chat_id):
            return
        message = self._messages[chat_id, int(parameters["message_id"])]
        message.show(parameters)
        request.reply(b'{"ok":true,"result":%b}' % message.json())
        if self.listener is not None:
            self.listener.edited(message)

    def _answer(self, request: Request) -> None:
        request.reply(_TRUE)
        self._answered(request.parameters())

    def _answered(self, parameters: dict[str, Any]) -> None:
        if self.listener is not None:
            self.listener.answered(str(parameters["callback_query_id"]), parameters.get("text") or "")
