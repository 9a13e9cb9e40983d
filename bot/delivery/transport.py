"""How Bot API calls travel: python-telegram-bot's `BaseRequest` on aiohttp.

aiohttp makes 2.7 times as many calls a second as the default transport, and 3.5 times as many side by side
(benchmarks/README.md). What an edit returns is not parsed, because nobody needs it.
"""

from __future__ import annotations

import os
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import aiohttp
from telegram._utils.defaultvalue import DefaultValue
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest

from bot.delivery.errors import NotSent

if TYPE_CHECKING:
    from telegram._utils.types import ODVInput
    from telegram.request import RequestData

READ_SECONDS: Final = 20.0
"""Telegram sleeps through flood waits of up to 8 s before it answers (tdlib, NetQueryDelayer.cpp)."""

CONNECT_SECONDS: Final = 10.0

CONNECTIONS: Final = 256

DONE: Final = b'{"ok":true,"result":true}'


JSON: Final = {"Content-Type": "application/json"}


@lru_cache(maxsize=64)
def _timeout(total: float | None, connect: float | None) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(total=total, connect=connect)


def _why_unconnected(error: aiohttp.ClientConnectorError) -> str:
    match error:
        case aiohttp.ClientConnectorDNSError():
            return "its address cannot be found"
        case aiohttp.ClientSSLError():
            return "no connection by TLS comes about"
    # asyncio puts words of its own, with Python's quotes, where the system's belong.
    reason = os.strerror(error.errno).lower() if error.errno else "no address answers"
    return f"no connection comes about ({reason})"


class Transport(BaseRequest):
    """Calls to the Bot API over kept-alive connections."""

    def __init__(self, *, read_timeout: float = READ_SECONDS) -> None:
        """Prepare; the connections open with the first call."""
        self._read_timeout = read_timeout
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float:
        """For how many seconds a call waits for its answer, unless it says otherwise."""
        return self._read_timeout

    async def initialize(self) -> None:
        """Open the pool of connections."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=CONNECTIONS, keepalive_timeout=60),
                auto_decompress=True,
                cookie_jar=aiohttp.DummyCookieJar(),
            )

    async def shutdown(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

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
        if self._session is None:
            raise NetworkError("the transport is shut down")
        read = self._read_timeout if isinstance(read_timeout, DefaultValue) else read_timeout
        connect = CONNECT_SECONDS if isinstance(connect_timeout, DefaultValue) else connect_timeout
        timeout = _timeout(read, connect)
        data: Any = None
        headers = None
        if request_data is not None and request_data.contains_files:
            data = aiohttp.FormData(request_data.json_parameters)
            for name, (filename, content, kind) in request_data.multipart_data.items():
                data.add_field(name, content, filename=filename, content_type=kind)
        elif request_data is not None:
            data = request_data.json_payload
            headers = JSON
        try:
            async with self._session.request(method, url, data=data, headers=headers, timeout=timeout) as response:
                body = await response.read()
        except aiohttp.ConnectionTimeoutError:
            raise NotSent("no connection came about in time") from None
        except TimeoutError as error:
            raise TimedOut from error
        # The message of an aiohttp error may hold the URL and so the token.
        except aiohttp.ClientConnectorError as error:
            raise NotSent(_why_unconnected(error)) from None
        except (aiohttp.ClientError, OSError):
            raise NetworkError("the connection broke") from None
        if response.status >= HTTPStatus.INTERNAL_SERVER_ERROR and not body.startswith(b"{"):
            # A gateway's page: the library would log a traceback for each that is no JSON.
            raise NetworkError(f"HTTP {response.status}, and no answer of Telegram's")
        if response.status == HTTPStatus.OK and url.endswith("/editMessageText"):
            return response.status, DONE  # nobody needs the message that an edit returns
        return response.status, body
