"""How requests reach Telegram, and what counts as an answer of Telegram's own.

The URL of a call has the token in it, and pyreqwest's errors quote the URL: none of them leaves this module. No
redirect is followed, and no referrer or cookie is sent, so that the token goes nowhere else.
"""

import asyncio
import json
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final, NamedTuple, cast

import orjson
from pyreqwest.client import Client, ClientBuilder
from pyreqwest.exceptions import ConnectError, DetailedPyreqwestError, PoolTimeoutError, PyreqwestError
from pyreqwest.proxy import ProxyBuilder
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

from bot.network.proxies import share_of_files
from storage.settings import Secret

_DONE: Final = (b'{"ok":true,"result":', b'{"ok": true, "result":')
"""The beginning of the answer to a successful call."""


class NotSent(NetworkError):
    """A call that was never sent: there was no connection, so it had no effect."""


class Unanswered(NetworkError):
    """A call whose connection ended before a byte of the answer; it may have had its effect."""


class Foreign(NetworkError):
    """An answer that is not the Bot API's: a proxy's page, or JSON of another shape."""

    def __init__(self, status: int) -> None:
        is_proxy = status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED
        reason = "the proxy does not take its user and password" if is_proxy else "no answer of Telegram's"
        super().__init__(reason if is_proxy else f"HTTP {status}, and {reason}")
        self.status = status


def read_json(body: bytes) -> Any:  # noqa: ANN401 - JSON
    """Read JSON; raises ValueError if it is none.

    A name may end in half a surrogate pair, which orjson refuses and Python reads.
    """
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        try:
            return json.loads(body.decode(errors="replace"))
        except RecursionError as error:
            raise ValueError("it is nested too deeply") from error


def write_json(value: object) -> bytes:
    """Write JSON; where half a surrogate pair is in it, Telegram will say that it takes none."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value).encode()


def vet(status: int, body: bytes) -> None:
    """Check that an answer has the shape of Telegram's; raises Foreign if it hasn't."""
    if status == HTTPStatus.OK and body.startswith(_DONE):
        return
    try:
        answer = read_json(body)
    except ValueError:
        answer = None
    if not isinstance(answer, dict) or not _is_telegrams(status, answer):
        raise Foreign(status)


@contextmanager
def reading() -> Iterator[None]:
    """While python-telegram-bot reads a result, which it takes to be of the kind that the method promises.

    Raises Foreign if the result is of another kind, such as null.
    """
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Foreign(HTTPStatus.OK) from error


def _is_telegrams(status: int, answer: dict[str, object]) -> bool:
    if status == HTTPStatus.OK:
        return answer.get("ok") is True and "result" in answer
    if status < HTTPStatus.BAD_REQUEST or answer.get("ok") is not False or answer.get("error_code") != status:
        return False
    parameters = answer.get("parameters", {})
    if not isinstance(answer.get("description"), str) or not isinstance(parameters, dict):
        return False
    return _belongs(parameters.get("retry_after"), status == HTTPStatus.TOO_MANY_REQUESTS) and _belongs(
        parameters.get("migrate_to_chat_id"), status == HTTPStatus.BAD_REQUEST
    )


def _belongs(parameter: object, to_this: bool) -> bool:  # noqa: FBT001 - of the status at hand
    """Whether a parameter is missing, or is a number where the status allows one."""
    return parameter is None or (to_this and type(parameter) is int)


READ_SECONDS: Final = 20.0
"""How long a call may take; Telegram sleeps through flood waits of up to 8 s (tdlib, NetQueryDelayer.cpp)."""
CONNECT_SECONDS: Final = 10.0
CONNECTION_KEPT_SECONDS: Final = 60.0
"""How long an idle connection is reused; Telegram's servers close theirs after about 75 s."""
CONNECTIONS: Final = 256
LARGEST_ANSWER: Final = 32 * 2**20
"""Bytes; a batch of a hundred updates takes a few hundred thousand."""

MAY_COME_TWICE: Final = ("answer", "delete", "get", "set")
"""The beginnings of the names of methods that may be called twice without harm. Such a call is repeated if its
connection ends without an answer, as when the server closes an idle connection just as it is used again. Others
are repeated by their callers, if at all: a reply may come twice, but of two edits the first may land last.
"""

SELF_SIGNED: Final = (
    "the server's own certificate says that it's an authority (CA:TRUE). Make it again with "
    '-addext "basicConstraints=critical,CA:FALSE" and -addext "subjectAltName=DNS:<its host>"'
)
CONNECTING: Final = "client error (Connect)"
"""The cause that pyreqwest names if, and only if, there was no connection on which to send anything; its
`ConnectError` also stands for requests that were read and then dropped."""

JSON: Final = "application/json"
EDIT: Final = "/editMessageText"
"""The method whose answer is a message that nobody needs, and that would take longest to read."""


class HttpAnswer(NamedTuple):
    """The answer to a call."""

    status: int
    body: bytes


class Transport(BaseRequest):
    """Calls to the Bot API over kept-alive connections."""

    def __init__(self, proxy: Secret | None = None) -> None:
        """Prepare to call through this proxy, if any; the connections open with the first call."""
        self._proxy = proxy
        self._client: Client | None = None

    @property
    def read_timeout(self) -> float:
        """For how many seconds a call waits for its answer, unless it says otherwise."""
        return READ_SECONDS

    async def initialize(self) -> None:
        if self._client is None:
            self._client = _client(self._proxy)

    async def shutdown(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def call(self, url: str, body: bytes, seconds: float = READ_SECONDS) -> Any:  # noqa: ANN401 - JSON
        """Make a call with a body that is JSON already; returns the result, True for an edit.

        What isn't a success is python-telegram-bot's to tell apart.
        """
        answer = await self.exchange(url, body, read=seconds)
        if answer.status != HTTPStatus.OK or not answer.body.startswith(_DONE):
            return await _Answered(answer).post(url)
        return True if url.endswith(EDIT) else self.parse_json_payload(answer.body)["result"]

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """Read an answer that begins as Telegram's.

        Raises Foreign if something in between has spoilt what follows.
        """
        try:
            answer: dict[str, Any] = read_json(payload)
        except ValueError:
            raise Foreign(HTTPStatus.OK) from None
        return answer

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: object = BaseRequest.DEFAULT_NONE,
        *_: object,
        **__: object,
    ) -> tuple[int, bytes]:
        """Make one call; returns the HTTP status and the body. One that failed may have had its effect.

        Of the timeouts only the one for reading counts; it bounds the whole call.
        """
        if method != "POST":
            raise NetworkError("only calls by POST are made here")
        is_said = read_timeout is None or isinstance(read_timeout, int | float)
        read = cast("float | None", read_timeout) if is_said else READ_SECONDS
        kind, body = JSON, b""
        if request_data is not None and request_data.contains_files:
            kind, body = _multipart(request_data)
        elif request_data is not None:
            body = request_data.json_payload
        status, answer = await self.exchange(url, body, kind=kind, read=read)
        vet(status, answer)
        return status, answer

    async def exchange(
        self, url: str, body: bytes, *, kind: str = JSON, read: float | None = READ_SECONDS
    ) -> HttpAnswer:
        """Send a body of some media type and return the answer: the only way to the network."""
        clock = asyncio.get_running_loop().time
        deadline = None if read is None else clock() + read
        try:
            return await self._exchange(url, body, kind, read)
        except Unanswered:
            left = None if deadline is None else deadline - clock()
            if not url.rpartition("/")[2].startswith(MAY_COME_TWICE) or (left is not None and left <= 0):
                raise
        return await self._exchange(url, body, kind, left)

    async def _exchange(self, url: str, body: bytes, kind: str, seconds: float | None) -> HttpAnswer:
        if self._client is None:
            raise NetworkError("the transport is shut down")
        try:
            request = self._client.post(url).header("Content-Type", kind).body_bytes(body)
            if seconds is not None:
                request = request.timeout(timedelta(seconds=seconds))
            async with request.build_streamed() as response:
                status = response.status
                content = await response.body_reader.read(LARGEST_ANSWER + 1)
        except PyreqwestError as error:
            raise _meaning(error, by_proxy=self._proxy is not None) from None
        answer = b"" if content is None else content.to_bytes()
        if len(answer) > LARGEST_ANSWER:
            raise NetworkError("the answer is too large")
        return HttpAnswer(status, answer)


class _Answered(Transport):
    """A call that has its answer, for python-telegram-bot to read: it raises the error that this means."""

    def __init__(self, answer: HttpAnswer) -> None:
        super().__init__()
        self._answer = answer

    async def exchange(self, *_: object, **__: object) -> HttpAnswer:
        return self._answer


def _client(proxy: Secret | None) -> Client:
    builder = (
        ClientBuilder()
        .user_agent("OXO")
        .no_proxy()  # of the environment: the settings have chosen
        .follow_redirects(False)
        .referer(False)
        .default_cookie_store(False)
        .gzip(False)
        .deflate(False)
        .brotli(False)
        .zstd(False)
        .connect_timeout(timedelta(seconds=CONNECT_SECONDS))
        .pool_timeout(timedelta(seconds=CONNECT_SECONDS))
        .pool_idle_timeout(timedelta(seconds=CONNECTION_KEPT_SECONDS))
        .max_connections(share_of_files(CONNECTIONS))
    )
    if proxy is not None:
        builder = builder.proxy(ProxyBuilder.all(proxy.text))
    return builder.build()


def _meaning(error: PyreqwestError, *, by_proxy: bool) -> NetworkError:
    """The error of a failed call, without the words that quote its URL."""
    details = error.details if isinstance(error, DetailedPyreqwestError) else {"causes": None}
    causes = [cause["message"] for cause in details["causes"] or ()]
    if CONNECTING in causes:
        where = " through the proxy" if by_proxy else ""
        certificate = next((cause for cause in causes if "certificate" in cause), None)
        if certificate is not None:
            what = SELF_SIGNED if "CaUsedAsEndEntity" in certificate else certificate
            return NotSent(f"cannot connect{where}: {what}")
        is_unknown = any("dns" in cause.lower() for cause in causes)
        reason = "the address cannot be found" if is_unknown else re.sub(r" \(os error \d+\)", "", causes[-1])
        return NotSent(f"cannot connect{where}: {reason}")
    if isinstance(error, PoolTimeoutError):
        return NotSent("cannot connect: no connection is free")
    if isinstance(error, TimeoutError):
        return TimedOut()
    if isinstance(error, ConnectError):
        return Unanswered("the connection ended without an answer")
    return NetworkError("the connection broke")


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
