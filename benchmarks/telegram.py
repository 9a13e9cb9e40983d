"""A Bot API that is as lean as possible: it checks nothing, knows private chats alone, and tells of what is shown.

A delayed call takes effect, and is answered, that much later; a poll for updates is not delayed, as an open long
poll hands an update over as it comes.
"""

import asyncio
import itertools
import json
import time
from collections import Counter, deque
from collections.abc import Callable
from typing import Any, TypeVar

import orjson

from benchmarks.http import Request

T = TypeVar("T")

BOT = {"id": 1, "is_bot": True, "first_name": "Bench", "username": "bench_bot"}
RIGHTS = {"can_join_groups": True, "can_read_all_group_messages": False, "supports_inline_queries": True}
CONSTANT = {
    "getme": BOT | RIGHTS,
    "getwebhookinfo": {"url": "", "has_custom_certificate": False, "pending_update_count": 0},
    "getmycommands": [],
}
"""The results of methods that always have the same; those of others are true."""


def encoded(value: object) -> bytes:
    """JSON without spaces and in ASCII alone, as Telegram sends it."""
    return json.dumps(value, separators=(",", ":")).encode()


class Message:
    """A message of the bot to a person."""

    def __init__(self, person: int, message_id: int) -> None:
        self.person = person
        self.message_id = message_id
        self._date = int(time.time())
        self.show({})

    def show(self, parameters: dict[str, Any]) -> None:
        """Take text and keyboard from the parameters of a call."""
        markup = parameters.get("reply_markup") or {}
        if isinstance(markup, str):
            markup = orjson.loads(markup)
        self.keyboard: list[list[dict[str, Any]]] = markup.get("inline_keyboard", [])
        message = {"message_id": self.message_id, "from": BOT, "chat": _chat(self.person), "date": self._date}
        self.json = encoded(
            message | {"text": parameters.get("text", "")} | ({"reply_markup": markup} if markup else {})
        )


class Telegram:
    """The Bot API's methods over a queue of updates."""

    def __init__(self, delay: float) -> None:
        """Delay each call by so many seconds."""
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
        self._messages: dict[int, Message] = {}
        self.on_shown: Callable[[Message], None] = lambda _: None
        """Called with each message that appeared or changed."""
        self.on_answered: Callable[[int, str], None] = lambda *_: None
        """Called with the person whose tap was answered, and the text."""
        self.deliver: Callable[[bytes], None] | None = None
        """Where updates go instead of the queue, when a webhook is set."""
        self.calls: Counter[str] = Counter()
        """How often each method was called."""

    def say(self, person: int, command: str) -> None:
        message = {
            "message_id": next(self._message_ids),
            "from": _person(person),
            "chat": _chat(person),
            "date": int(time.time()),
            "text": command,
            "entities": [{"type": "bot_command", "offset": 0, "length": len(command.partition(" ")[0])}],
        }
        self._post(b"message", encoded(message))

    def tap(self, message: Message, data: str) -> None:
        """Tap a button; the query's id begins with whose tap it is."""
        person = message.person
        query_id = f"{person}-{next(self._query_ids)}"
        query = {"id": query_id, "from": _person(person), "chat_instance": str(person), "data": data}
        self._post(b"callback_query", encoded(query)[:-1] + b',"message":' + message.json + b"}")

    def _post(self, kind: bytes, content: bytes) -> None:
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
        self.calls[request.method] += 1
        match request.method:
            case "getupdates":
                self._open_poll(request)
            case "sendmessage" | "editmessagetext":
                self._after_delay(self._show, request)
            case "answercallbackquery":
                self._after_delay(self._answer, request)
            case other:
                _succeed(request, encoded(CONSTANT.get(other, True)))

    def carry_out(self, body: bytes) -> None:
        """Make the call that came in a webhook's response: the answer to a tap, and no other."""
        call = orjson.loads(body)
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
        if self._polls_end is not None:
            self._polls_end.cancel()
        self._poll = request
        if self._updates:
            self._flush()
        else:
            self._polls_end = self._loop.call_later(float(parameters.get("timeout") or 0), self._flush)

    def _flush(self) -> None:
        self._flushing = False
        if self._poll is not None:
            batch = b",".join([update for _, update in itertools.islice(self._updates, self._limit)])
            _succeed(self._poll, b"[%b]" % batch)
        self._poll = None

    def _show(self, request: Request) -> None:
        """Send or edit a message."""
        parameters = request.parameters()
        message_id = int(parameters.get("message_id") or next(self._message_ids))
        message = self._messages.get(message_id)
        if message is None:
            message = self._messages[message_id] = Message(int(parameters["chat_id"]), message_id)
        message.show(parameters)
        _succeed(request, message.json)
        self.on_shown(message)

    def _answer(self, request: Request) -> None:
        _succeed(request, b"true")
        self._answered(request.parameters())

    def _answered(self, parameters: dict[str, Any]) -> None:
        person, _, _ = parameters["callback_query_id"].partition("-")
        self.on_answered(int(person), parameters.get("text") or "")


def _succeed(request: Request, result: bytes) -> None:
    request.reply(b'{"ok":true,"result":%b}' % result)


def _chat(person: int) -> dict[str, Any]:
    return {"id": person, "type": "private", "first_name": "Ada", "username": f"ada{person}"}


def _person(person: int) -> dict[str, Any]:
    names = {"first_name": "Ada", "last_name": "Lovelace", "username": f"ada{person}"}
    return {"id": person, "is_bot": False, **names, "language_code": "en"}
