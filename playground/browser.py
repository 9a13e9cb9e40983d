"""The page's side of the playground: its files and its WebSocket."""

from __future__ import annotations

import asyncio
import json
from importlib import resources
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web

if TYPE_CHECKING:
    from playground.chats import Chat, Message
    from playground.errors import Json
    from playground.people import Person
    from playground.queries import InlineResult
    from playground.world import World

_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


_HEARS_LATER = frozenset({"tap", "inline"})
"""What the bot answers, in its own time."""


class Browser:
    """Serves the page and plays its part on the WebSocket.

    Server to page: "hello" with the whole state, then "message", "edited", "deleted", "chat", "commands",
    "answer", "failed", "inline_results" and "error". Page to server: "say", "tap", "inline" and "choose".

    Scripts play by plain HTTP: GET /page/state is the whole state, and POST /page/act takes what the page would
    send and gives back what it would hear of it ("done" where that is nothing).
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._sockets: dict[web.WebSocketResponse, asyncio.Queue[str]] = {}
        self._waiting: set[asyncio.Task[None]] = set()
        self._offered: dict[tuple[int, str], list[InlineResult]] = {}
        self._acts = {"say": self._say, "tap": self._tap, "inline": self._inline, "choose": self._choose}
        self._files = resources.files("playground") / "page"

    def routes(self) -> list[web.RouteDef]:
        """The routes of the page."""
        return [
            web.get("/", self._index),
            web.get("/page/ws", self._socket),
            web.get("/page/state", self._state),
            web.post("/page/act", self._act),
            web.get("/page/{file}", self._file),
        ]

    async def close(self) -> None:
        """Close all sockets."""
        for task in self._waiting:
            task.cancel()
        for socket in list(self._sockets):
            await socket.close()

    async def _index(self, _request: web.Request) -> web.Response:
        return self._read("index.html")

    async def _file(self, request: web.Request) -> web.Response:
        return self._read(request.match_info["file"])

    def _read(self, name: str) -> web.Response:
        suffix = name[name.rfind(".") :]
        file = self._files / name
        if "/" in name or suffix not in _TYPES or not file.is_file():
            raise web.HTTPNotFound
        headers = {"Cache-Control": "no-cache"}
        return web.Response(body=file.read_bytes(), content_type=_TYPES[suffix], charset="utf-8", headers=headers)

    # Scripts

    async def _state(self, request: web.Request) -> web.Response:
        _refuse_other_sites(request)
        return web.json_response(self._hello())

    async def _act(self, request: web.Request) -> web.Response:
        _refuse_other_sites(request)
        heard: asyncio.Queue[str] = asyncio.Queue()
        self._take(text := await request.text(), heard)
        if heard.empty() and json.loads(text)["type"] not in _HEARS_LATER:
            return web.json_response({"type": "done"})
        return web.Response(text=await heard.get(), content_type="application/json")

    # The socket

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        _refuse_other_sites(request)
        socket = web.WebSocketResponse(heartbeat=30, timeout=1.0)
        await socket.prepare(request)
        outgoing: asyncio.Queue[str] = asyncio.Queue()
        self._sockets[socket] = outgoing
        if len(self._sockets) == 1:
            self._world.listeners.append(self._heard)
        outgoing.put_nowait(json.dumps(self._hello()))
        writer = asyncio.get_running_loop().create_task(self._write(socket, outgoing))
        try:
            async for received in socket:
                if received.type is WSMsgType.TEXT:
                    self._take(received.data, outgoing)
        finally:
            writer.cancel()
            del self._sockets[socket]
            if not self._sockets:
                self._world.listeners.remove(self._heard)
        return socket

    async def _write(self, socket: web.WebSocketResponse, outgoing: asyncio.Queue[str]) -> None:
        while not socket.closed:
            text = await outgoing.get()
            try:
                await socket.send_str(text)
            except ConnectionError:
                return

    def _heard(self, event: str, subject: Any) -> None:  # noqa: ANN401 - a message, a chat or the commands, by event
        body: Json = {"type": event}
        if event in {"message", "edited"}:
            body["message"] = message_json(subject)
        elif event == "deleted":
            body |= {"chat_id": subject.chat.id, "message_id": subject.id}
        elif event == "chat":
            body["chat"] = chat_json(subject)
        else:
            body["commands"] = subject.as_json()
        text = json.dumps(body)
        for outgoing in self._sockets.values():
            outgoing.put_nowait(text)

    def _hello(self) -> Json:
        world = self._world
        return {
            "type": "hello",
            "bot": {"id": world.bot.id, "first_name": world.bot.first_name, "username": world.bot.username},
            "people": [person_json(person) for person in world.persons.values()],
            "chats": [chat_json(chat) for chat in world.chats.values()],
            "messages": {
                str(chat.id): [message_json(message) for message in chat.messages.values()]
                for chat in world.chats.values()
            },
            "commands": world.commands.as_json(),
        }

    def _take(self, text: str, outgoing: asyncio.Queue[str]) -> None:
        given = None
        try:
            given = json.loads(text)
            act = self._acts[given["type"]]
            act(self._world.persons[given["person"]], self._world.chats[given["chat_id"]], given, outgoing)
        except (ValueError, TypeError, AttributeError, LookupError) as error:
            words = f"no such thing: {error}" if isinstance(error, KeyError) else str(error)
            body: Json = {"type": "error", "text": words}
            if isinstance(given, dict) and "query" in given:
                body |= {"type": "failed", "person": given.get("person"), "query": given["query"]}
            outgoing.put_nowait(json.dumps(body))

    def _say(self, person: Person, chat: Chat, given: Json, _outgoing: asyncio.Queue[str]) -> None:
        reply_to = given.get("reply_to_message_id")
        person.write(
            str(given["text"]),
            in_=chat,
            reply_to=None if reply_to is None else chat.messages[reply_to],
            thread=given.get("message_thread_id"),
        )

    def _tap(self, person: Person, chat: Chat, given: Json, outgoing: asyncio.Queue[str]) -> None:
        message = chat.messages[given["message_id"]]
        button = message.button(row=int(given["row"]), column=int(given["column"]))
        if "callback_data" not in button:
            raise ValueError("this button does not call back")
        query = person.press(message, button["callback_data"])
        head = {"person": person.id, "query": given.get("query")}

        async def wait() -> None:
            try:
                answer = await self._world.answered(query, self._world.taps.lifetime, "an answer")
            except TimeoutError:
                body = {"type": "failed", **head, "text": "The bot did not answer."}
            else:
                body = {
                    "type": "answer",
                    **head,
                    "text": answer.text,
                    "show_alert": answer.show_alert,
                    "url": answer.url,
                }
            outgoing.put_nowait(json.dumps(body))

        self._wait(wait())

    def _inline(self, person: Person, chat: Chat, given: Json, outgoing: asyncio.Queue[str]) -> None:
        query = person.inline_query(str(given["text"]), chat)
        tag = given.get("query")

        async def wait() -> None:
            try:
                results = await self._world.answered(query, self._world.inline_queries.lifetime, "results")
            except TimeoutError:
                body: Json = {
                    "type": "failed",
                    "person": person.id,
                    "query": tag,
                    "text": "The bot did not answer.",
                }
            else:
                self._offered[person.id, str(tag)] = results
                shown = [{"id": one.id, "title": one.title, "description": one.description} for one in results]
                body = {"type": "inline_results", "person": person.id, "results": shown, "query": tag}
            outgoing.put_nowait(json.dumps(body))

        self._wait(wait())

    def _choose(self, person: Person, chat: Chat, given: Json, _outgoing: asyncio.Queue[str]) -> None:
        offered = self._offered.get((person.id, str(given.get("query"))), [])
        for result in offered:
            if result.id == given["result_id"]:
                person.choose(result, in_=chat)
                return
        raise ValueError(f"no result {given['result_id']!r} was offered")

    def _wait(self, work: Any) -> None:  # noqa: ANN401 - a coroutine
        task = asyncio.get_running_loop().create_task(work)
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)


def _refuse_other_sites(request: web.Request) -> None:
    """Let no other site that is open in the same browser act here."""
    origin = request.headers.get("Origin")
    if origin is not None and origin.partition("://")[2] != request.host:
        raise web.HTTPForbidden


def person_json(person: Person) -> Json:
    """A person as the page knows one."""
    body: Json = {"id": person.id, "first_name": person.first_name, "language_code": person.language or ""}
    if person.last_name:
        body["last_name"] = person.last_name
    return body


def chat_json(chat: Chat) -> Json:
    """A chat as the page knows one."""
    body: Json = {
        "id": chat.id,
        "type": chat.kind,
        "title": chat.title,
        "members": list(chat.members),
        "is_forum": chat.forum,
    }
    if chat.person is not None:
        body["person"] = chat.person.id
    return body


def message_json(message: Message) -> Json:
    """A message as the page shows it."""
    sender = message.sender
    body: Json = {
        "message_id": message.id,
        "chat_id": message.chat.id,
        "date": message.date,
        "from": {"id": sender.id, "first_name": sender.first_name, "is_bot": sender.is_bot},
        "text": message.text,
        "entities": message.entities,
    }
    if message.edit_date:
        body["edit_date"] = message.edit_date
    if message.via_bot:
        body["via_bot"] = message.chat.world.bot.username
    if message.reply_to is not None:
        body["reply_to_message_id"] = message.reply_to.id
    if message.thread is not None:
        body["message_thread_id"] = message.thread
    if message.keyboard:
        body["reply_markup"] = {"inline_keyboard": message.keyboard}
    if message.service is not None:
        body["service"] = message.service.words
    return body
