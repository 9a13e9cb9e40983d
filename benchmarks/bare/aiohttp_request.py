"""A transport for python-telegram-bot on aiohttp: only what a bare handler needs."""

from typing import Any

import aiohttp
from telegram.request import BaseRequest, RequestData


class AiohttpRequest(BaseRequest):
    """Posts each call through one aiohttp session."""

    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float:
        """Seconds to wait for a response."""
        return 15

    async def initialize(self) -> None:
        """Open the session."""
        self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=128))

    async def shutdown(self) -> None:
        """Close the session."""
        if self._session is not None:
            await self._session.close()

    async def do_request(  # noqa: PLR0917 - PTB's signature
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = None,  # noqa: ANN401, ARG002 - PTB's signature; this transport has one timeout
        write_timeout: Any = None,  # noqa: ANN401, ARG002 - likewise
        connect_timeout: Any = None,  # noqa: ANN401, ARG002 - likewise
        pool_timeout: Any = None,  # noqa: ANN401, ARG002 - likewise
    ) -> tuple[int, bytes]:
        """Post the parameters as a form."""
        if self._session is None:
            raise RuntimeError("used before initialize")
        data = request_data.json_parameters if request_data else None
        async with self._session.request(method, url, data=data) as response:
            return response.status, await response.read()
