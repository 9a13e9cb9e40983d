"""How Bot API calls travel: python-telegram-bot's `BaseRequest` on connections of our own.

What an edit returns is not parsed, because nobody needs it.
"""

from __future__ import annotations

import json
import os
import secrets
import ssl
from functools import lru_cache
from http import HTTPStatus
from socket import gaierror
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from telegram._utils.defaultvalue import DefaultValue
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest

from bot.delivery.connections import JSON, Answer, Broken, Pool, Unconnected
from bot.delivery.errors import NotSent

if TYPE_CHECKING:
    from telegram._utils.types import ODVInput
    from telegram.request import RequestData

READ_SECONDS: Final = 20.0
"""Telegram sleeps through flood waits of up to 8 s before it answers (tdlib, NetQueryDelayer.cpp)."""

CONNECT_SECONDS: Final = 10.0

CONNECTIONS: Final = 256

DONE: Final = (b'{"ok":true', b'{"ok": true')
"""How the answer to a call begins that was carried out; no more of it is read where nobody needs the result."""


class Transport(BaseRequest):
    """Calls to the Bot API over kept-alive connections."""

    def __init__(self, *, read_timeout: float = READ_SECONDS) -> None:
        """Prepare; the connections open with the first call."""
        self._read_timeout = read_timeout
        self._pools: dict[str, Pool] | None = None
        """By scheme, host and port: one, unless files are elsewhere."""

    @property
    def read_timeout(self) -> float:
        """For how many seconds a call waits for its answer, unless it says otherwise."""
        return self._read_timeout

    async def initialize(self) -> None:
        """Let calls begin."""
        if self._pools is None:
            self._pools = {}

    async def shutdown(self) -> None:
        """Close all connections."""
        pools, self._pools = self._pools or {}, None
        for pool in pools.values():
            await pool.close()

    async def call(self, url: str, body: bytes) -> Any:  # noqa: ANN401 - JSON
        """Make a call with a body of JSON, by as short a way as there is; gives the result, True for any edit.

        Raises:
            TelegramError: as `post` does.
        """
        status, answer = await self.exchange(url, body)
        if status != HTTPStatus.OK:
            return await _Answered(status, answer).post(url)
        if answer.startswith(DONE) and url.endswith("/editMessageText"):
            return True
        try:
            return json.loads(answer)["result"]
        except (ValueError, TypeError, KeyError):
            # A page of something in between, which knows nothing of Telegram.
            raise NetworkError("HTTP 200, and no answer of Telegram's") from None

    async def do_request(  # noqa: PLR0917 - the interface's
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
        write_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,  # noqa: ARG002 - the interface's
        connect_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
        pool_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,  # noqa: ARG002 - the interface's
    ) -> tuple[int, bytes]:
        """Make one call; the result is the HTTP status and the body.

        Raises:
            TimedOut: if no answer came in time; the call may have had its effect.
            NetworkError: if the connection failed; likewise.
        """
        if method != "POST":
            raise NetworkError("only calls by POST are made here")
        read = self._read_timeout if isinstance(read_timeout, DefaultValue) else read_timeout
        connect = CONNECT_SECONDS if isinstance(connect_timeout, DefaultValue) else connect_timeout
        kind, body = JSON, b""
        if request_data is not None and request_data.contains_files:
            kind, body = _multipart(request_data)
        elif request_data is not None:
            body = request_data.json_payload
        return await self.exchange(url, body, kind=kind, read=read, connect=connect)

    async def exchange(
        self,
        url: str,
        body: bytes,
        *,
        kind: str = JSON,
        read: float | None = READ_SECONDS,
        connect: float | None = CONNECT_SECONDS,
    ) -> Answer:
        """Send a body of some media type, and give back what is answered: the one way to the network.

        Raises:
            TelegramError: as `do_request` does.
        """
        origin, path = _split(url)
        if self._pools is None:
            raise NetworkError("the transport is shut down")
        pool = self._pools.get(origin)
        if pool is None:
            pool = self._pools[origin] = Pool(origin, CONNECTIONS)
        # No error may quote the URL, which has the token in it.
        try:
            answer = await pool.call(path, body, kind=kind, seconds=read, connect=connect)
        except Unconnected as error:
            raise NotSent(_why(error.__cause__)) from None
        except TimeoutError as error:
            raise TimedOut from error
        except (Broken, OSError):
            raise NetworkError("the connection broke") from None
        if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR and not answer.body.startswith(b"{"):
            # A gateway's page: the library would log a traceback for each that is no JSON.
            raise NetworkError(f"HTTP {answer.status}, and no answer of Telegram's")
        return answer


class _Answered(BaseRequest):
    """An answer that has come already, for the library to read the error out of it."""

    def __init__(self, status: int, body: bytes) -> None:
        self._answer = status, body

    @property
    def read_timeout(self) -> float | None:
        return None

    async def initialize(self) -> None:
        pass

    async def shutdown(self) -> None:
        pass

    async def do_request(self, *_: object, **__: object) -> tuple[int, bytes]:
        return self._answer


@lru_cache(maxsize=256)
def _split(url: str) -> tuple[str, str]:
    """Where a URL leads, and the path there."""
    parts = urlsplit(url)
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    return f"{parts.scheme}://{parts.netloc}", path


def _why(cause: BaseException | None) -> str:
    """Why no connection came about, to follow a colon."""
    match cause:
        case TimeoutError():
            return "no connection came about in time"
        case gaierror():
            return "its address cannot be found"
        case ssl.SSLError() | ssl.CertificateError():
            return "no connection by TLS comes about"
        case OSError(errno=int(number)) if number:
            # asyncio puts words of its own, with Python's quotes, where the system's belong.
            return f"no connection comes about ({os.strerror(number).lower()})"
    return "no connection comes about (no address answers)"


def _multipart(data: RequestData) -> tuple[str, bytes]:
    """The media type and the body of a call with files (RFC 7578)."""
    boundary = secrets.token_hex(16)
    parts: list[bytes] = []
    for name, value in data.json_parameters.items():
        parts.append(_part(boundary, f'name="{name}"', "text/plain; charset=utf-8", value.encode()))
    for name, (filename, content, kind) in data.multipart_data.items():
        quoted = filename.replace('"', "%22")
        parts.append(
            _part(
                boundary,
                f'name="{name}"; filename="{quoted}"',
                kind,
                content if isinstance(content, bytes) else content.read(),
            )
        )
    parts.append(f"--{boundary}--\r\n".encode())
    return f"multipart/form-data; boundary={boundary}", b"".join(parts)


def _part(boundary: str, what: str, kind: str, content: bytes) -> bytes:
    head = f"--{boundary}\r\nContent-Disposition: form-data; {what}\r\nContent-Type: {kind}\r\n\r\n"
    return head.encode() + content + b"\r\n"
