"""The Bot API over HTTP: `/bot<token>/<method>`."""

import asyncio
import inspect
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from urllib.parse import parse_qsl

from aiohttp import web

from playground.errors import ApiError, Json, bad_request
from playground.faults import BAD_GATEWAY, Fault
from playground.files import Upload
from playground.methods import METHODS, Described, Method
from playground.waiting import PATIENCE, Changes
from playground.world import World

_KEPT_CALLS = 40_000
_LOSING = frozenset({"answer_after", "drop_after"})
"""The faults that carry a call out and keep its result from the bot."""


@dataclass(eq=False, slots=True)
class Call:
    """One API call of the bot's."""

    method: str
    parameters: Json
    """As they came, before any conversion."""
    time: float
    """When it came, in the playground's time."""
    chat: int | None
    """The chat it is about, also of inline messages."""
    ok: bool | None = None
    """None while it is under way, or when its connection was broken before it took effect."""
    result: object = None
    error: ApiError | None = None
    fault: Fault | None = None
    number: int = 0
    """Calls are counted from 1."""
    took: float | None = None
    """Seconds until it was answered; None while it is under way."""

    def as_json(self) -> Json:
        """The call as the page knows it."""
        return {
            "number": self.number,
            "method": self.method,
            "parameters": self.parameters,
            "time": self.time,
            "chat_id": self.chat,
            "ok": self.ok,
            "result": self.result,
            "refusal": None if self.error is None else self.error.as_json(),
            "fault": None if self.fault is None else self.fault.kind,
            "milliseconds": None if self.took is None else round(1000 * self.took, 1),
        }


class Telegram:
    """The Bot API's server."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.webhook = world.webhook
        self.webhook.on_method = self._call_from_webhook
        self.calls: list[Call] = []
        """The calls in the order they came; of very many, the newest."""
        self.changes = Changes()
        """Told of every call that came and every call that was answered."""
        self._count = count(1)

    def routes(self) -> list[web.RouteDef]:
        return [web.route("*", "/bot{token}/{method}", self.handle)]

    async def called(
        self,
        method: str,
        predicate: Callable[[Call], bool] | None = None,
        *,
        within: float = PATIENCE,
        skip: int = 0,
    ) -> Call:
        """The first answered call of a method that satisfies the predicate, now or soon.

        The earliest `skip` calls in `calls` are not looked at.
        """

        def probe() -> Call | None:
            for call in self.calls[skip:]:
                done = call.ok is not None and call.method == method
                if done and (predicate is None or predicate(call)):
                    return call
            return None

        return await self.changes.until(probe, within, lambda: f"a call of {method}")

    async def handle(self, request: web.Request) -> web.Response:
        """Take one call in and answer it."""
        try:
            method = self._method(request)
            raw = await _read_parameters(request)
        except ApiError as error:
            return _refused(error)
        with self._logged(method.name, raw) as call:
            return await self._answer(request, method, call)

    async def _answer(self, request: web.Request, method: Method, call: Call) -> web.Response:
        call.fault = fault = self.world.faults.of_call(method.name, call.chat)
        if fault is not None:
            if fault.kind == "drop_before":
                return self._dropped(request)
            if fault.kind == "delay":
                await asyncio.sleep(fault.delay)
            if fault.kind == "answer_before":
                return web.Response(status=fault.status, body=fault.body)
        try:
            response = await self._carry_out(method, call)
        except ConnectionAbortedError:
            return self._dropped(request)
        self.changes.notify()
        kind = None if fault is None else fault.kind
        if method.name == "getUpdates" and (kind in _LOSING or request.transport is None):
            self.world.updates.lose_answer()
        if fault is not None and kind == "answer_after":
            return web.Response(status=fault.status, body=fault.body)
        return self._dropped(request) if kind == "drop_after" else response

    @contextmanager
    def _logged(self, method: str, raw: Json) -> Iterator[Call]:
        call = Call(method, raw, self.world.clock.now(), self._chat_of(raw), number=next(self._count))
        self.calls.append(call)
        if len(self.calls) > _KEPT_CALLS:
            del self.calls[: _KEPT_CALLS // 2]
        self.changes.notify()
        self.world.tell("call", call)
        began = time.perf_counter()
        try:
            yield call
        finally:
            call.took = time.perf_counter() - began
            self.world.tell("call", call)

    def _method(self, request: web.Request) -> Method:
        if request.match_info["token"] != self.world.bot.token:
            raise ApiError(401, "Unauthorized")
        method = METHODS.get(request.match_info["method"].lower())
        if method is None or request.method not in {"GET", "POST"}:
            raise ApiError(404, "Not Found")
        return method

    async def _carry_out(self, method: Method, call: Call) -> web.Response:
        try:
            if call.fault is not None:
                call.fault.refuse()
            arguments = method.arguments(call.parameters)
            await self.world.flood.wait(method.name, call.chat, self.world.clock)
            result = method.carry_out(self.world, **arguments)
            if inspect.isawaitable(result):
                result = await result
        except ApiError as error:
            call.ok, call.error = False, error
            return _refused(error)
        body: Json = {"ok": True, "result": result}
        if isinstance(result, Described):
            body = {"ok": True, "result": True, "description": result}
        call.ok, call.result = True, body["result"]
        return web.json_response(body)

    def _dropped(self, request: web.Request) -> web.Response:
        if request.transport is not None:
            request.transport.abort()
        return web.Response()

    def _chat_of(self, raw: Json) -> int | None:
        inline = raw.get("inline_message_id")
        if inline:
            message = self.world.inline_messages.get(str(inline))
            return None if message is None else message.chat.id
        try:
            return int(raw["chat_id"])
        except (KeyError, ValueError, TypeError):
            return None

    async def _call_from_webhook(self, name: str, parameters: Json) -> None:
        method = METHODS.get(name.lower())
        if method is not None:
            with self._logged(method.name, parameters) as call:
                await self._carry_out(method, call)


async def _read_parameters(request: web.Request) -> Json:
    """The raw parameters: query string, then urlencoded form, JSON object or multipart form."""
    raw: Json = dict(request.query)
    if not request.can_read_body:
        return raw
    kind = request.content_type
    try:
        if kind == "multipart/form-data":
            for name, value in (await request.post()).items():
                if isinstance(value, web.FileField):
                    raw[name] = Upload(value.filename, value.file.read())
                else:
                    raw[name] = value if isinstance(value, str) else ""
        elif kind == "application/json":
            given = json.loads(await request.read())
            if not isinstance(given, dict):
                raise bad_request("can't parse request body: expected a JSON Object")
            raw.update(given)
        elif kind == "application/x-www-form-urlencoded":
            body = (await request.read()).decode()
            raw.update(parse_qsl(body, keep_blank_values=True, strict_parsing=True, errors="strict"))
        else:
            raise bad_request(f"unsupported content type {kind}")
    except ValueError:
        raise bad_request("can't parse request body") from None
    return raw


def _refused(error: ApiError) -> web.Response:
    if error.description == BAD_GATEWAY:
        # A gateway in front of Telegram answers with a page, not with JSON.
        return web.Response(
            status=error.code, text=f"<html><body><h1>{error.code}</h1></body></html>", content_type="text/html"
        )
    headers = {"Retry-After": str((error.parameters or {})["retry_after"])} if error.code == 429 else None
    return web.json_response(error.as_json(), status=error.code, headers=headers)
