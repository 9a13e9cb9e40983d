"""The page's side of the playground: its files, its WebSocket, and the same by plain HTTP for scripts."""

from __future__ import annotations

import asyncio
import json
from importlib import resources
from typing import Any

from aiohttp import WSMsgType, web

from playground.acts import ANSWERED_LATER, Acts
from playground.errors import ApiError, Json
from playground.shown import call_json, chat_json, everything, message_json, person_json
from playground.telegram import Telegram
from playground.workshop import Workshop

_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
_EARLIER_CALLS = 100
"""How many earlier calls the drawer shows when it opens."""


class Browser:
    """Serves the page and its WebSocket.

    Server to page: "hello" with the whole state, then "message", "edited", "deleted", "chat", "person",
    "commands", "descriptions", "workshop" (also after "hello"), "answer", "failed", "inline_results", "added" and
    "error". A page that has sent "watch" also gets "calls" (the newest) and every "call", when it arrives and when
    it is answered.
    Page to server: what `Acts` can do.

    Scripts use plain HTTP: GET /page/state is the whole state, and POST /page/act takes what the page would send
    and returns what the page would get ("done" for nothing).
    """

    def __init__(self, telegram: Telegram, workshop: Workshop) -> None:
        self._telegram = telegram
        self._world = telegram.world
        self._workshop = workshop
        self._acts = Acts(telegram.world, workshop)
        self._sockets: dict[web.WebSocketResponse, asyncio.Queue[str]] = {}
        self._watchers: set[asyncio.Queue[str]] = set()
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
        self._acts.close()
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
        return web.json_response(everything(self._world))

    async def _act(self, request: web.Request) -> web.Response:
        _refuse_other_sites(request)
        heard: asyncio.Queue[str] = asyncio.Queue()
        self._take(text := await request.text(), heard)
        if heard.empty() and json.loads(text)["type"] not in ANSWERED_LATER:
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
        outgoing.put_nowait(json.dumps(everything(self._world)))
        outgoing.put_nowait(json.dumps({"type": "workshop", **_told("workshop", self._workshop)}))
        writer = asyncio.get_running_loop().create_task(self._write(socket, outgoing))
        try:
            async for received in socket:
                if received.type is WSMsgType.TEXT:
                    self._take(received.data, outgoing)
        finally:
            writer.cancel()
            del self._sockets[socket]
            self._watchers.discard(outgoing)
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

    def _heard(self, event: str, subject: Any) -> None:  # noqa: ANN401 - a message, a chat, a call ..., by event
        hearers = self._watchers if event == "call" else set(self._sockets.values())
        if not hearers:
            return
        text = json.dumps({"type": event, **_told(event, subject)})
        for outgoing in hearers:
            outgoing.put_nowait(text)

    def _take(self, text: str, outgoing: asyncio.Queue[str]) -> None:
        given = None
        try:
            given = json.loads(text)
            if given["type"] == "watch":
                self._watch(outgoing, on=given.get("on", True))
            else:
                self._acts.carry_out(given, lambda body: outgoing.put_nowait(json.dumps(body)))
        except (ValueError, TypeError, AttributeError, LookupError, ApiError) as error:
            words = f"There is no {error}." if isinstance(error, KeyError) else str(error)
            body: Json = {"type": "error", "text": words}
            if isinstance(given, dict) and "query" in given:
                body |= {"type": "failed", "person": given.get("person"), "query": given["query"]}
            outgoing.put_nowait(json.dumps(body))

    def _watch(self, outgoing: asyncio.Queue[str], *, on: bool) -> None:
        self._watchers.discard(outgoing)
        if on:
            self._watchers.add(outgoing)
            calls = [call_json(call) for call in self._telegram.calls[-_EARLIER_CALLS:]]
            outgoing.put_nowait(json.dumps({"type": "calls", "calls": calls}))


def _told(event: str, subject: Any) -> Json:  # noqa: ANN401 - a message, a chat, a call ..., by event
    """What the page learns about the subject of an event."""
    match event:
        case "message" | "edited":
            return {"message": message_json(subject)}
        case "deleted":
            return {"chat_id": subject.chat.id, "message_id": subject.id}
        case "chat":
            return {"chat": chat_json(subject)}
        case "person":
            return {"person": person_json(subject)}
        case "call":
            return {"call": call_json(subject)}
        case _:
            return {event: subject.as_json()}


def _refuse_other_sites(request: web.Request) -> None:
    """Refuse requests from other sites that are open in the same browser."""
    origin = request.headers.get("Origin")
    if origin is not None and origin.partition("://")[2] != request.host:
        raise web.HTTPForbidden
