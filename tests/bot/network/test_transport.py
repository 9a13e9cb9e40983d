"""Whatever a server does, each call gets its own answer, or an error that says if it may have arrived."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from telegram.error import BadRequest, NetworkError, RetryAfter, TimedOut
from telegram.request import RequestData

from bot.network import transport as transports
from bot.network.transport import Foreign, NotSent, Transport, Unanswered
from tests.patience import slowness

Script = Callable[["Caller"], Awaitable[None]]

EDIT, SEND, GET = "editMessageText", "sendMessage", "getMe"


class Caller:
    """The server's side of one connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    async def hear_head(self) -> list[str]:
        """The next request's lines before the body."""
        head = await self._reader.readuntil(b"\r\n\r\n")
        return head.decode().split("\r\n")

    async def hear(self) -> tuple[list[str], bytes]:
        """The next request: its first lines, and its body."""
        lines = await self.hear_head()
        length = next(int(line[15:]) for line in lines if line.lower().startswith("content-length:"))
        return lines, await self._reader.readexactly(length)

    def say(self, text: bytes) -> None:
        """Send arbitrary bytes."""
        self.writer.write(text)

    def answer(self, body: bytes, status: str = "200 OK", *headers: str) -> None:
        """Send a whole answer."""
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
        self.say("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    async def gone(self) -> None:
        """Wait until the client has closed the connection."""
        assert await self._reader.read() == b""


class Server:
    """A server that follows a script on each connection."""

    def __init__(self, *scripts: Script) -> None:
        self._scripts = list(scripts)
        """For the connections to come; the last goes on for ever."""
        self.connections = 0
        self.ended = asyncio.Event()
        """Set when a script has come to its end."""
        self.errors: list[BaseException] = []
        self.url = ""
        self._tasks: set[asyncio.Task[None]] = set()

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Follow the next script."""
        self.connections += 1
        script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
        task = asyncio.create_task(self._follow(script, Caller(reader, writer)))
        self._tasks.add(task)

    async def _follow(self, script: Script, caller: Caller) -> None:
        try:
            await script(caller)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        except AssertionError as error:
            self.errors.append(error)
        finally:
            self.ended.set()
            caller.writer.close()

    async def stop(self) -> None:
        """Close everything."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def served(*scripts: Script) -> AsyncIterator[tuple[Server, Transport]]:
    """A server with a transport to it."""
    server = Server(*scripts)
    listening = await asyncio.start_server(server.accept, "127.0.0.1", 0)
    server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/bot1:secret"
    transport = Transport()
    await transport.initialize()
    try:
        yield server, transport
    finally:
        await transport.shutdown()
        listening.close()
        await server.stop()
    assert server.errors == []


def answering(status: str, body: str) -> Script:
    """A server that answers every request like this."""

    async def answer(caller: Caller) -> None:
        while True:
            await caller.hear()
            caller.answer(body.encode(), status)

    return answer


@asynccontextmanager
async def answered(body: str, status: str = "200 OK") -> AsyncIterator[tuple[Transport, str]]:
    """A transport, and the address of a server that answers every request like this."""
    async with served(answering(status, body)) as (server, transport):
        yield transport, server.url


def numbered(number: int) -> bytes:
    """A body that differs from others."""
    return b"{%d}" % number


async def told(server: Server, transport: Transport, body: bytes = b"{}", method: str = SEND) -> tuple[int, bytes]:
    """The answer to a call."""
    return await transport.exchange(f"{server.url}/{method}", body, read=5)


async def echo(caller: Caller) -> None:
    """Answer each call with its own body."""
    while True:
        _, body = await caller.hear()
        caller.answer(body)


async def once(caller: Caller) -> None:
    """Answer one call, and close."""
    _, body = await caller.hear()
    caller.answer(body)


async def test_calls_one_after_another_share_a_connection() -> None:
    async with served(echo) as (server, transport):
        for number in range(5):
            assert await told(server, transport, numbered(number)) == (200, numbered(number))
    assert server.connections == 1


async def test_a_request_says_what_it_is_and_nothing_else() -> None:
    heard: list[tuple[list[str], bytes]] = []

    async def listen(caller: Caller) -> None:
        for _ in range(2):
            heard.append(await caller.hear())
            caller.answer(b"{}", "200 OK", "Set-Cookie: a=b; Path=/")

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
            for status in ("301 Moved Permanently", "307 Temporary Redirect"):
                await caller.hear()
                caller.answer(b"", status, location)

        async with served(redirect) as (server, transport):
            for status in (301, 307):
                with pytest.raises(NetworkError, match=f"HTTP {status}"):
                    await transport.call(f"{server.url}/{SEND}", b"{}")
    assert elsewhere.connections == 0


async def test_calls_side_by_side_each_get_their_own_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transports, "CONNECTIONS", 3)
    async with served(echo) as (server, transport):
        answers = await asyncio.gather(*(told(server, transport, numbered(number)) for number in range(50)))
    assert answers == [(200, numbered(number)) for number in range(50)]
    assert server.connections <= 6, "not 50; one may be opened while another becomes free"


async def test_an_answer_may_come_byte_by_byte_in_chunks_and_after_a_100() -> None:
    async def slowly(caller: Caller) -> None:
        await caller.hear()
        text = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        for byte in text + b"3\r\n{ab\r\n2\r\nc}\r\n0\r\n\r\n":
            caller.say(bytes([byte]))
            await caller.writer.drain()
        await echo(caller)

    async with served(slowly) as (server, transport):
        assert await told(server, transport) == (200, b"{abc}")
        assert await told(server, transport, b"{next}") == (200, b"{next}")
    assert server.connections == 1


async def test_an_answer_without_a_length_ends_with_its_connection() -> None:
    async def without(caller: Caller) -> None:
        await caller.hear()
        caller.say(b"HTTP/1.1 200 OK\r\n\r\n{")
        await caller.writer.drain()
        caller.say(b"x" * 100_000 + b"}")

    async with served(without, echo) as (server, transport):
        assert await told(server, transport) == (200, b"{" + b"x" * 100_000 + b"}")
        assert await told(server, transport, b"{next}") == (200, b"{next}")


async def test_a_connection_that_the_server_closes_is_not_used_again() -> None:
    async def last(caller: Caller) -> None:
        await caller.hear()
        caller.answer(b"{bye}", "200 OK", "Connection: close")
        await caller.gone()

    async with served(last, echo) as (server, transport):
        assert await told(server, transport) == (200, b"{bye}")
        assert await told(server, transport, b"{again}") == (200, b"{again}")
    assert server.connections == 2


async def test_a_connection_that_was_closed_while_it_was_idle_is_not_used_again() -> None:
    async with served(once) as (server, transport):
        for number in range(5):
            assert await told(server, transport, numbered(number)) == (200, numbered(number))
            await server.ended.wait()
            await asyncio.sleep(0.05)  # only the client learns of it, from the system
    assert server.connections == 5


async def test_a_connection_that_the_server_has_just_closed_costs_no_call_that_may_come_twice() -> None:
    async with served(once) as (server, transport):
        for number in range(50):
            assert await told(server, transport, numbered(number), GET) == (200, numbered(number))


async def drop(caller: Caller) -> None:
    """Read a call, and close without an answer."""
    await caller.hear()


@pytest.mark.parametrize("method", ["getUpdates", "answerCallbackQuery", "deleteMessage", "setMyCommands"])
async def test_a_call_that_may_come_twice_is_repeated_once_if_its_connection_ended_without_an_answer(
    method: str,
) -> None:
    async def then_drop(caller: Caller) -> None:
        await once(caller)
        await drop(caller)

    async with served(then_drop, echo) as (server, transport):
        assert await told(server, transport, b"{one}") == (200, b"{one}")
        assert await told(server, transport, b"{two}", method) == (200, b"{two}")
    async with served(drop) as (server, transport):
        with pytest.raises(Unanswered):
            await told(server, transport, method=method)
    assert server.connections == 2


@pytest.mark.parametrize("method", [SEND, EDIT, "sendPhoto"])
async def test_no_other_call_is_repeated(method: str) -> None:
    async with served(drop) as (server, transport):
        with pytest.raises(Unanswered):
            await told(server, transport, method=method)
    assert server.connections == 1


async def test_a_call_that_is_waited_for_in_vain_is_not_repeated() -> None:
    async with served(Caller.gone) as (server, transport):
        with pytest.raises(TimedOut):
            await transport.exchange(f"{server.url}/{GET}", b"", read=0.05 * slowness())
    assert server.connections == 1


async def test_a_connection_is_not_used_again_whose_request_was_answered_before_it_was_sent_whole() -> None:
    given_up = asyncio.Event()

    async def refuse(caller: Caller) -> None:
        await caller.hear_head()
        caller.answer(b"{too large}", "413 Content Too Large")
        await given_up.wait()

    async with served(refuse, echo) as (server, transport):
        assert await told(server, transport, b"x" * 20_000_000) == (413, b"{too large}")
        assert await told(server, transport, b"{next}") == (200, b"{next}")
        given_up.set()


async def test_a_connection_that_has_been_idle_for_long_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transports, "KEPT_SECONDS", 0.05)

    async def until_the_end(caller: Caller) -> None:
        await once(caller)
        await caller.gone()

    async with served(until_the_end, echo) as (server, transport):
        await told(server, transport)
        await server.ended.wait()
        assert await told(server, transport, b"{two}") == (200, b"{two}")


@pytest.mark.parametrize(
    "words",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{half",
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
    ],
)
async def test_no_whole_answer_is_an_error_and_the_next_call_gets_a_new_connection(words: bytes) -> None:
    async def break_off(caller: Caller) -> None:
        await caller.hear()
        caller.say(words)
        await caller.writer.drain()

    async with served(break_off, echo) as (server, transport):
        with pytest.raises(NetworkError) as broken:
            await told(server, transport)
        assert not isinstance(broken.value, NotSent | TimedOut)
        assert "secret" not in "".join(traceback.format_exception(broken.value))
        assert await told(server, transport, b"{next}") == (200, b"{next}")


async def test_an_answer_that_is_too_large_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transports, "LARGEST_ANSWER", 1000)

    async def endless(caller: Caller) -> None:
        await caller.hear()
        caller.say(b"HTTP/1.1 200 OK\r\n\r\n{")
        while True:
            caller.say(b"x" * 2**16)
            await caller.writer.drain()

    async with served(endless, echo) as (server, transport):
        with pytest.raises(NetworkError, match="too large"):
            await told(server, transport)
        assert await told(server, transport, b"{" * 1000) == (200, b"{" * 1000)
        with pytest.raises(NetworkError, match="too large"):
            await told(server, transport, b"{" * 1001)
        assert await told(server, transport, b"{next}") == (200, b"{next}")


async def test_an_answer_that_came_too_late_is_never_taken_for_the_next_ones() -> None:
    """The call is cancelled before its answer comes; then another one is made."""
    late = asyncio.Event()

    async def late_once(caller: Caller) -> None:
        await caller.hear()
        await late.wait()
        caller.answer(b"{the first}")
        await caller.gone()

    async with served(late_once, echo) as (server, transport):
        with pytest.raises(TimedOut):
            await transport.exchange(f"{server.url}/{SEND}", b"{first}", read=0.05)
        late.set()
        assert await told(server, transport, b"{second}") == (200, b"{second}")
        await server.ended.wait()


async def test_an_answer_to_a_call_that_was_cancelled_is_never_taken_for_the_next_ones() -> None:
    heard, late = asyncio.Event(), asyncio.Event()

    async def late_once(caller: Caller) -> None:
        await caller.hear()
        heard.set()
        await late.wait()
        caller.answer(b"{the first}")
        await echo(caller)  # the client ends a cancelled call soon, so it may still take this answer, and drop it

    async with served(late_once, echo) as (server, transport):
        call = asyncio.create_task(told(server, transport, b"{first}"))
        await heard.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        late.set()
        assert await told(server, transport, b"{second}") == (200, b"{second}")


async def test_an_answer_that_nobody_has_asked_for_closes_the_connection() -> None:
    async def twice(caller: Caller) -> None:
        await caller.hear()
        caller.answer(b"{asked for}")
        caller.answer(b"{not asked for}")
        await caller.gone()

    async with served(twice, echo) as (server, transport):
        assert await told(server, transport) == (200, b"{asked for}")
        await server.ended.wait()
        assert await told(server, transport, b"{next}") == (200, b"{next}")


async def test_calls_wait_for_a_free_connection_and_say_so_when_none_came(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transports, "CONNECTIONS", 1)
    monkeypatch.setattr(transports, "CONNECT_SECONDS", 0.2)
    heard, let_go = asyncio.Event(), asyncio.Event()

    async def hold(caller: Caller) -> None:
        _, body = await caller.hear()
        heard.set()
        await let_go.wait()
        caller.answer(body)
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


async def test_a_sent_message_is_given_back_and_an_edited_one_is_not_read() -> None:
    async with answered('{"ok":true,"result":{"message_id":7}}') as (transport, url):
        assert await transport.call(f"{url}/{SEND}", b"{}") == {"message_id": 7}
        assert await transport.call(f"{url}/{EDIT}", b"{}") is True


@pytest.mark.parametrize("method", [EDIT, SEND])
@pytest.mark.parametrize("page", ["<html>Please sign in</html>", "", "[]", '{"status":"fine"}'])
async def test_a_page_of_something_in_between_is_no_answer(method: str, page: str) -> None:
    async with answered(page) as (transport, url):
        with pytest.raises(NetworkError, match="no answer of Telegram's") as found:
            await transport.call(f"{url}/{method}", b"{}")
    assert "secret" not in repr(found.value)


@pytest.mark.parametrize("body", ['{"ok":true,"result":{"message_id":7', '{"ok":true,"result":' + "[" * 100_000])
async def test_an_answer_that_something_in_between_has_cut_off_is_no_answer(
    body: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with answered(body) as (transport, url):
        for call in (transport.call(f"{url}/{SEND}", b"{}"), transport.post(f"{url}/getMe", RequestData([]))):
            with pytest.raises(Foreign):
                await call
    assert not caplog.records


async def test_refusals_are_those_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "1")  # without it the library warns
    refusal = '{"ok":false,"error_code":400,"description":"Bad Request: message is not modified"}'
    async with answered(refusal, "400 Bad Request") as (transport, url):
        with pytest.raises(BadRequest, match="not modified"):
            await transport.call(f"{url}/{EDIT}", b"{}")
    slow = '{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":3}}'
    async with answered(slow, "429 Too Many Requests") as (transport, url):
        with pytest.raises(RetryAfter):
            await transport.call(f"{url}/{EDIT}", b"{}")


@pytest.mark.parametrize("status", ["400 Bad Request", "403 Forbidden", "404 Not Found", "502 Bad Gateway"])
async def test_a_gateways_page_is_an_error_in_passing(status: str) -> None:
    async with answered("<html>Something in between</html>", status) as (transport, url):
        for call in (transport.call(f"{url}/{EDIT}", b"{}"), transport.post(f"{url}/getMe", RequestData([]))):
            with pytest.raises(NetworkError, match=f"HTTP {status[:3]}") as found:
                await call
            assert type(found.value) is Foreign


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
