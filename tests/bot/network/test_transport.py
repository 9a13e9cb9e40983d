"""Whatever a server does, each call gets its own answer, or an error that says if it may have arrived."""

import asyncio
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from telegram.error import NetworkError, TimedOut
from telegram.request import RequestData

from bot.network import transport as transports
from bot.network.transport import Foreign, NotSent, Transport, Unanswered, read_json, write_json
from tests.patience import slowness
from tests.relays import HOST, Caller, listening

Script = Callable[[Caller], Awaitable[None]]

EDIT, SEND, GET = "editMessageText", "sendMessage", "getMe"
OK, CHUNKED = b"HTTP/1.1 200 OK\r\n", b"Transfer-Encoding: chunked\r\n\r\n"
WHOLE = OK + b"Content-Length: 5\r\n\r\n{abc}"


class Server:
    """A server that follows a script on each connection."""

    def __init__(self, *scripts: Script) -> None:
        self._scripts = list(scripts)
        """For the connections to come; the last goes on for ever."""
        self.connections = 0
        self.ended = asyncio.Event()
        self.errors: list[AssertionError] = []
        self.url = ""

    async def follow(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
        try:
            await script(Caller(reader, writer))
        except AssertionError as error:
            self.errors.append(error)
        finally:
            self.ended.set()


@asynccontextmanager
async def served(*scripts: Script) -> AsyncIterator[tuple[Server, Transport]]:
    server, transport = Server(*scripts), Transport()
    async with listening(server.follow) as port:
        server.url = f"http://{HOST}:{port}/bot1:secret"
        await transport.initialize()
        try:
            yield server, transport
        finally:
            await transport.shutdown()
    assert server.errors == []


async def echo(caller: Caller) -> None:
    """Answer each call with its own body."""
    while True:
        _, body = await caller.hear()
        await caller.answer(body)


async def once(caller: Caller) -> None:
    """Answer one call so, and close."""
    _, body = await caller.hear()
    await caller.answer(body)


async def drop(caller: Caller) -> None:
    """Read a call, and close without an answer."""
    await caller.hear()


async def told(server: Server, transport: Transport, body: bytes = b"{}", method: str = SEND) -> tuple[int, bytes]:
    return await transport.exchange(f"{server.url}/{method}", body, read=5)


async def is_echoed(server: Server, transport: Transport, *bodies: bytes, method: str = SEND) -> bool:
    """Whether calls, one after another, get their own answers."""
    return all([await told(server, transport, body, method) == (200, body) for body in bodies])


async def test_a_request_says_what_it_is_and_nothing_else() -> None:
    heard: list[tuple[list[str], bytes]] = []

    async def listen(caller: Caller) -> None:
        for _ in range(2):
            heard.append(await caller.hear())
            await caller.answer(b"{}", "200 OK", "Set-Cookie: a=b; Path=/")

    async with served(listen) as (server, transport):
        for _ in range(2):
            await transport.exchange(f"{server.url}/a%20b?c=d", b"\x00\xff", kind="image/png")
    assert heard[0] == heard[1]
    (first, *headers), body = heard[1]
    assert (first, body) == ("POST /bot1:secret/a%20b?c=d HTTP/1.1", b"\x00\xff")
    assert {line.partition(":")[0].lower(): line.partition(": ")[2] for line in headers if line} == {
        "accept": "*/*",
        "user-agent": "OXO",
        "host": server.url.split("/")[2],
        "content-type": "image/png",
        "content-length": "2",
    }


async def test_a_redirect_is_not_followed() -> None:
    async with served(echo) as (elsewhere, _):
        location = f"Location: {elsewhere.url}/{SEND}"

        async def redirect(caller: Caller) -> None:
            await caller.hear()
            await caller.answer(b"", "307 Temporary Redirect", location)

        async with served(redirect) as (server, transport):
            with pytest.raises(NetworkError, match="HTTP 307"):
                await transport.call(f"{server.url}/{SEND}", b"{}")
    assert elsewhere.connections == 0


async def test_calls_side_by_side_each_get_their_own_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transports, "CONNECTIONS", 3)
    async with served(echo) as (server, transport):
        assert all(await asyncio.gather(*(is_echoed(server, transport, b"{%d}" % number) for number in range(50))))
    assert server.connections <= 6, "not 50; one may be opened while another becomes free"


@pytest.mark.parametrize(
    ("method", "calls"),
    [
        *(("getUpdates", 2), ("answerCallbackQuery", 2), ("deleteMessage", 2), ("setMyCommands", 2)),
        *((SEND, 1), (EDIT, 1), ("sendPhoto", 1)),
    ],
)
async def test_a_call_whose_connection_ended_without_an_answer_is_repeated_once_if_it_may_come_twice(
    method: str, calls: int
) -> None:
    async with served(drop) as (server, transport):
        with pytest.raises(Unanswered):
            await told(server, transport, method=method)
    assert server.connections == calls
    if calls > 1:
        async with served(drop, echo) as (server, transport):
            assert await is_echoed(server, transport, b"{two}", method=method)


async def test_a_call_that_is_waited_for_in_vain_is_not_repeated() -> None:
    async with served(Caller.gone) as (server, transport):
        with pytest.raises(TimedOut):
            await transport.exchange(f"{server.url}/{GET}", b"", read=0.05 * slowness())
    assert server.connections == 1


async def test_a_connection_that_has_been_idle_for_long_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transports, "CONNECTION_KEPT_SECONDS", 0.05)

    async def until_the_end(caller: Caller) -> None:
        await once(caller)
        await caller.gone()

    async with served(until_the_end, echo) as (server, transport):
        await told(server, transport)
        await server.ended.wait()
        assert await is_echoed(server, transport, b"{two}")


@pytest.mark.parametrize(
    "words",
    [
        *(b"", OK + b"Content-Length: 10\r\n\r\n{half", OK + b"Content-Le"),
        *(b"SSH-2.0-OpenSSH_9.2\r\n", OK + CHUNKED + b"ZZ\r\n"),
    ],
)
async def test_no_whole_answer_is_an_error_and_the_next_call_gets_a_new_connection(words: bytes) -> None:
    async def break_off(caller: Caller) -> None:
        await caller.hear()
        await caller.say(words)

    async with served(break_off, echo) as (server, transport):
        with pytest.raises(NetworkError) as broken:
            await told(server, transport)
        assert not isinstance(broken.value, NotSent | TimedOut)
        assert "secret" not in "".join(traceback.format_exception(broken.value))
        assert await is_echoed(server, transport, b"{next}")


async def test_an_answer_that_is_too_large_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transports, "LARGEST_ANSWER", 1000)

    async def endless(caller: Caller) -> None:
        await caller.hear()
        await caller.say(OK + b"\r\n{")
        while True:
            await caller.say(b"x" * 2**16)

    async with served(endless, echo) as (server, transport):
        with pytest.raises(NetworkError, match="too large"):
            await told(server, transport)
        assert await is_echoed(server, transport, b"{" * 1000)
        with pytest.raises(NetworkError, match="too large"):
            await told(server, transport, b"{" * 1001)
        assert await is_echoed(server, transport, b"{next}")


@pytest.mark.parametrize("is_cancelled", [False, True])
async def test_an_answer_that_came_too_late_is_never_taken_for_the_next_ones(*, is_cancelled: bool) -> None:
    """The call is given up before its answer comes; then another one is made."""
    heard, late = asyncio.Event(), asyncio.Event()

    async def late_once(caller: Caller) -> None:
        await caller.hear()
        heard.set()
        await late.wait()
        await caller.answer(b"{the first}")
        await echo(caller)  # the client ends a given-up call soon, so it may still take this answer, and drop it

    async with served(late_once, echo) as (server, transport):
        read = 5 if is_cancelled else 0.05
        call = asyncio.create_task(transport.exchange(f"{server.url}/{SEND}", b"{first}", read=read))
        await heard.wait()
        if is_cancelled:
            call.cancel()
        with pytest.raises(asyncio.CancelledError if is_cancelled else TimedOut):
            await call
        late.set()
        assert await is_echoed(server, transport, b"{second}")


async def test_calls_wait_for_a_free_connection_and_say_so_when_none_came(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transports, "CONNECTIONS", 1)
    monkeypatch.setattr(transports, "CONNECT_SECONDS", 0.2)
    heard, let_go = asyncio.Event(), asyncio.Event()

    async def hold(caller: Caller) -> None:
        _, body = await caller.hear()
        heard.set()
        await let_go.wait()
        await caller.answer(body)
        await echo(caller)

    async with served(hold) as (server, transport):
        first = asyncio.create_task(told(server, transport, b"{first}"))
        await heard.wait()
        with pytest.raises(NotSent, match="no connection is free"):
            await told(server, transport)
        second = asyncio.create_task(told(server, transport, b"{second}"))
        let_go.set()
        assert [await first, await second] == [(200, b"{first}"), (200, b"{second}")]
    assert server.connections == 1


def answering(body: str, status: str = "200 OK") -> Script:
    async def answer(caller: Caller) -> None:
        while True:
            await caller.hear()
            await caller.answer(body.encode(), status)

    return answer


async def test_a_sent_message_is_given_back_and_an_edited_one_is_not_read() -> None:
    async with served(answering('{"ok":true,"result":{"message_id":7}}')) as (server, transport):
        assert await transport.call(f"{server.url}/{SEND}", b"{}") == {"message_id": 7}
        assert await transport.call(f"{server.url}/{EDIT}", b"{}") is True


@pytest.mark.parametrize(
    ("status", "body"),
    [
        ("200 OK", '{"ok":true,"result":{"message_id":7'),
        ("200 OK", '{"ok":true,"result":' + "[" * 100_000),
        ("403 Forbidden", "<html>Something in between</html>"),
    ],
)
async def test_what_something_in_between_says_or_cuts_off_is_no_answer(
    status: str, body: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Every shape of what is none is in the table of `vet`, in tests/bot/delivery/test_telegram_errors.py."""
    async with served(answering(body, status)) as (server, transport):
        sent = transport.call(f"{server.url}/{SEND}", b"{}")
        for call in (sent, transport.post(f"{server.url}/{GET}", RequestData([]))):
            with pytest.raises(Foreign, match=f"HTTP {status[:3]}, and no answer of Telegram's") as found:
                await call
            assert "secret" not in repr(found.value)
    assert not caplog.records


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b'{"id":9007199254740993,"name":"A\\ud800"}', {"id": 9007199254740993, "name": "A\ud800"}),
        (b'["\\ud83d\\ude00","\xff"]', ["\U0001f600", "\ufffd"]),
        (b"[" * 100_000 + b"]" * 100_000, None),
        (b"<html>", None),
        (b"", None),
    ],
)
async def test_json_is_read_with_half_a_character_in_it_and_what_is_none_is_an_error(
    body: bytes, found: object
) -> None:
    if found is None:
        with pytest.raises(ValueError, match=r"Expecting|nested"):
            read_json(body)
    else:
        assert read_json(body) == found


@pytest.mark.parametrize(
    "value", [{"text": "A\ud800 \U0001f600", "silent": True, "chat": -(2**52)}, ["\U0001f600"]]
)
async def test_what_is_written_is_read_again_half_a_character_too(value: object) -> None:
    assert read_json(write_json(value)) == value


async def test_a_server_that_is_not_there_was_told_nothing() -> None:
    async with served(echo) as (server, _):
        pass
    transport = Transport()
    await transport.initialize()
    with pytest.raises(NotSent, match="Connection refused") as found:
        await told(server, transport)
    assert "secret" not in "".join(traceback.format_exception(found.value))
    await transport.shutdown()
    with pytest.raises(NetworkError, match="shut down"):
        await told(server, transport)
