"""The page's side of the playground: its files, what it shows, its WebSocket, and the same by HTTP for scripts."""

import asyncio
import json
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web

from playground.accounts import Human
from playground.acts import Director, Workshop
from playground.chats import Chat, Message
from playground.errors import ApiError, Json
from playground.telegram import Telegram
from playground.world import World

_FILES = Path(__file__).parent / "page"
_EARLIER_CALLS = 100
"""How many earlier calls the drawer shows when it opens."""
_DONE: Json = {"type": "done"}


class Browser:
    """Serves the page and its WebSocket.

    Server to page: "hello" with the whole state and the forms of acts, then "message", "edited", "deleted",
    "chat", "person", "commands", "descriptions" and "workshop" (also after "hello"); to whoever asked for an act,
    "answer", "inline_results", "added", "failed" or "error". A page that has sent "watch" also gets "calls" (the
    newest) and every "call", when it arrives and when it is answered.
    Page to server: acts.

    Scripts use plain HTTP: GET /page/state is the whole state, and POST /page/act takes what the page would send
    and returns what the page would get ("done" for nothing).
    """

    def __init__(self, telegram: Telegram, workshop: Workshop) -> None:
        self._telegram = telegram
        self._world = telegram.world
        self._workshop = workshop
        self._director = Director(telegram.world, workshop)
        self._sockets: dict[web.WebSocketResponse, asyncio.Queue[Json]] = {}
        self._watchers: set[asyncio.Queue[Json]] = set()
        self._under_way: set[asyncio.Task[None]] = set()
        self._world.listeners.append(self._heard)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/", _file),
            web.get("/page/ws", self._socket),
            web.get("/page/state", self._state),
            web.post("/page/act", self._act),
            web.get("/page/sent/{file_id}", self._sent),
            web.get("/page/{file}", _file),
        ]

    async def close(self) -> None:
        """Close all sockets, and stop waiting for answers."""
        for task in self._under_way:
            task.cancel()
        for socket in list(self._sockets):
            await socket.close()

    async def _sent(self, request: web.Request) -> web.Response:
        """A file that the bot has sent; a document is only there to be saved."""
        file = self._world.files.get(request.match_info["file_id"])
        if file is None:
            raise web.HTTPNotFound
        kind = "application/octet-stream" if file.kind == "document" else file.mime_type
        return web.Response(body=file.data, content_type=kind, headers={"X-Content-Type-Options": "nosniff"})

    # Scripts

    async def _state(self, request: web.Request) -> web.Response:
        _refuse_other_sites(request)
        return web.json_response(self._everything())

    async def _act(self, request: web.Request) -> web.Response:
        _refuse_other_sites(request)
        return web.json_response(await self._answer(await request.text()))

    def _everything(self) -> Json:
        return {**everything(self._world), "forms": self._director.forms()}

    # The socket

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        _refuse_other_sites(request)
        socket = web.WebSocketResponse(heartbeat=30, timeout=1.0)
        await socket.prepare(request)
        outgoing: asyncio.Queue[Json] = asyncio.Queue()
        self._sockets[socket] = outgoing
        outgoing.put_nowait(self._everything())
        outgoing.put_nowait(told("workshop", self._workshop))
        writer = asyncio.get_running_loop().create_task(self._write(socket, outgoing))
        try:
            async for received in socket:
                if received.type is WSMsgType.TEXT:
                    task = asyncio.get_running_loop().create_task(self._take(received.data, outgoing))
                    self._under_way.add(task)
                    task.add_done_callback(self._under_way.discard)
        finally:
            writer.cancel()
            del self._sockets[socket]
            self._watchers.discard(outgoing)
        return socket

    async def _write(self, socket: web.WebSocketResponse, outgoing: asyncio.Queue[Json]) -> None:
        while not socket.closed:
            body = await outgoing.get()
            try:
                await socket.send_json(body)
            except ConnectionError:
                return

    def _heard(self, event: str, subject: Any) -> None:  # noqa: ANN401 - a message, a chat, a call ..., by event
        hearers = self._watchers if event == "call" else set(self._sockets.values())
        body = told(event, subject) if hearers else {}
        for outgoing in hearers:
            outgoing.put_nowait(body)

    # Acts

    async def _take(self, text: str, outgoing: asyncio.Queue[Json]) -> None:
        """Do what a page asks for, in the order of its asking; only answers of the bot are waited for."""
        body = await self._answer(text, outgoing)
        if body != _DONE:
            outgoing.put_nowait(body)

    async def _answer(self, text: str, outgoing: asyncio.Queue[Json] | None = None) -> Json:
        given = None
        try:
            given = json.loads(text)
            if given["type"] == "watch" and outgoing is not None:
                return self._watch(outgoing, on=given.get("on", True))
            answer = await self._director.carry_out(given)
            if answer is None:
                return _DONE
        except TimeoutError:
            answer = {"type": "error", "text": "The bot didn't answer."}
        except (ValueError, TypeError, AttributeError, LookupError, ApiError) as error:
            words = f"There is no {error}." if isinstance(error, KeyError) else str(error)
            answer = {"type": "error", "text": words}
        if not isinstance(given, dict) or "query" not in given:
            return answer
        kind = "failed" if answer["type"] == "error" else answer["type"]
        return {"person": given.get("person"), **answer, "type": kind, "query": given["query"]}

    def _watch(self, outgoing: asyncio.Queue[Json], *, on: bool) -> Json:
        self._watchers.discard(outgoing)
        if not on:
            return _DONE
        self._watchers.add(outgoing)
        return {"type": "calls", "calls": [call.as_json() for call in self._telegram.calls[-_EARLIER_CALLS:]]}


async def _file(request: web.Request) -> web.FileResponse:
    file = _FILES / request.match_info.get("file", "index.html")
    if file.parent != _FILES:
        raise web.HTTPNotFound
    return web.FileResponse(file, headers={"Cache-Control": "no-cache"})


def _refuse_other_sites(request: web.Request) -> None:
    """Refuse requests from other sites that are open in the same browser."""
    origin = request.headers.get("Origin")
    if origin is not None and origin.partition("://")[2] != request.host:
        raise web.HTTPForbidden


def everything(world: World) -> Json:
    """The whole state, as "hello" and /page/state tell it."""
    return {
        "type": "hello",
        "bot": world.bot.as_json(),
        "people": [_person(person) for person in world.persons.values()],
        "chats": [_chat(chat) for chat in world.chats.values()],
        "messages": {
            str(chat.id): [_message(message) for message in chat.messages.values()]
            for chat in world.chats.values()
        },
        "commands": _commands(world.commands),
        "descriptions": {kind: {**texts} for kind, texts in world.descriptions.items()},
    }


def told(event: str, subject: Any) -> Json:  # noqa: ANN401 - a message, a chat, a call ..., by event
    """What the page hears of an event."""
    about: Json
    match event:
        case "message" | "edited":
            about = {"message": _message(subject)}
        case "deleted":
            about = {"chat_id": subject.chat.id, "message_id": subject.id}
        case "chat":
            about = {"chat": _chat(subject)}
        case "person":
            about = {"person": _person(subject)}
        case "commands":
            about = {"commands": _commands(subject)}
        case "descriptions":
            about = {"descriptions": subject}
        case _:
            about = {event: subject.as_json()}
    return {"type": event, **about}


def _commands(lists: dict[tuple[str, str], list[Json]]) -> list[Json]:
    return [
        {"scope": None if scope == "default" else {"type": scope}, "language_code": language, "commands": commands}
        for (scope, language), commands in lists.items()
    ]


def _person(person: Human) -> Json:
    return {**person.as_json(), "language_code": person.language or "", "blocked_bot": person.blocked_bot}


def _chat(chat: Chat) -> Json:
    body = {**chat.as_json(), "title": chat.title, "is_forum": chat.forum, "members": list(chat.members)}
    if chat.person is not None:
        body["person"] = chat.person.id
    if chat.kind != "private":
        body["bot"] = chat.bot_status
        body["statuses"] = {str(user): status for user, status in chat.statuses.items() if user in chat.members}
    if chat.forum:
        body["topics"] = [
            {"id": topic.thread, "name": topic.name, "closed": topic.closed}
            for topic in chat.topics.values()
            if not topic.deleted
        ]
    if chat.deleted or chat.migrated_to is not None:
        body["over"] = True
    return body


def _message(message: Message) -> Json:
    body = message.as_json()
    return body if message.service is None else {**body, "service": message.service.words}
