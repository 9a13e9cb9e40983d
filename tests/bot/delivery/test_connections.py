"""Each call gets its own answer or an error that says whether it may have been heard, whatever a server does."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from bot.delivery import connections
from bot.delivery.connections import Broken, Pool, Unconnected

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    Script = Callable[["Caller"], Awaitable[None]]


class Caller:
    """One connection as the server sees it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    async def hear_head(self) -> list[str]:
        """The lines of the next request before its body."""
        head = await self._reader.readuntil(b"\r\n\r\n")
        return head.decode().split("\r\n")

    async def hear(self) -> tuple[str, bytes]:
        """The next request: its first line, and its body."""
        lines = await self.hear_head()
        length = next(int(line[15:]) for line in lines if line.lower().startswith("content-length:"))
        return lines[0], await self._reader.readexactly(length)

    def say(self, text: bytes) -> None:
        """Send some bytes, whatever they are."""
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

    def __init__(self) -> None:
        self.scripts: list[Script] = []
        """For the connections to come; the last goes on for ever."""
        self.connections = 0
        self.ended = asyncio.Event()
        """Set when a script has come to its end."""
        self.errors: list[BaseException] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Follow the next script."""
        self.connections += 1
        script = self.scripts.pop(0) if len(self.scripts) > 1 else self.scripts[0]
        try:
            await script(Caller(reader, writer))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        except AssertionError as error:
            self.errors.append(error)
        finally:
            self.ended.set()
            writer.close()


@asynccontextmanager
async def served(*scripts: Script, most: int = 4) -> AsyncIterator[tuple[Server, Pool]]:
    """A server with a pool of connections to it."""
    server = Server()
    server.scripts = list(scripts)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    pool = Pool(f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}", most)
    try:
        yield server, pool
    finally:
        await pool.close()
        listening.close()
        await listening.wait_closed()
    assert server.errors == []


async def told(pool: Pool, body: bytes = b"{}", seconds: float | None = 5) -> tuple[int, bytes]:
    """The answer to a call."""
    return await pool.call("/bot1:x/getMe", body, seconds=seconds, connect=5)


async def echo(caller: Caller) -> None:
    """Answer each call with what it has brought."""
    while True:
        _, body = await caller.hear()
        caller.answer(body)


async def test_calls_one_after_another_share_a_connection() -> None:
    async with served(echo) as (server, pool):
        for number in range(5):
            assert await told(pool, b"%d" % number) == (200, b"%d" % number)
    assert server.connections == 1


async def test_a_request_names_its_host_its_kind_and_its_length() -> None:
    heard: list[tuple[str, bytes]] = []

    async def listen(caller: Caller) -> None:
        heard.append(await caller.hear())
        caller.answer(b"yes")

    async with served(listen) as (_, pool):
        await pool.call("/a%20b?c=d", b"\x00\xff", kind="image/png", seconds=5, connect=5)
    assert heard == [("POST /a%20b?c=d HTTP/1.1", b"\x00\xff")]


async def test_calls_side_by_side_each_get_their_own_answer() -> None:
    async with served(echo, most=3) as (server, pool):
        answers = await asyncio.gather(*(told(pool, b"%d" % number) for number in range(50)))
    assert answers == [(200, b"%d" % number) for number in range(50)]
    assert server.connections <= 3


async def test_an_answer_may_come_byte_by_byte_in_chunks_and_after_a_100() -> None:
    async def slowly(caller: Caller) -> None:
        await caller.hear()
        text = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        for byte in text + b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n":
            caller.say(bytes([byte]))
            await caller.writer.drain()
        await echo(caller)

    async with served(slowly) as (server, pool):
        assert await told(pool) == (200, b"abcde")
        assert await told(pool, b"next") == (200, b"next")
    assert server.connections == 1


async def test_a_connection_that_the_server_closes_is_not_used_again() -> None:
    async def once(caller: Caller) -> None:
        await caller.hear()
        caller.answer(b"bye", "200 OK", "Connection: close")

    async with served(once, echo) as (server, pool):
        assert await told(pool) == (200, b"bye")
        assert await told(pool, b"again") == (200, b"again")
    assert server.connections == 2


async def test_a_connection_that_was_closed_while_it_was_idle_is_not_used_again() -> None:
    async def once(caller: Caller) -> None:
        await caller.hear()
        caller.answer(b"one")

    async with served(once, echo) as (server, pool):
        assert await told(pool) == (200, b"one")
        await server.ended.wait()
        async with asyncio.timeout(5):
            while pool.idle:  # noqa: ASYNC110 - a connection that ends tells only its pool
                await asyncio.sleep(0)
        assert await told(pool, b"two") == (200, b"two")


async def test_a_connection_that_the_server_has_just_closed_is_not_used_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The next call is made in the very round of the loop in which the end has come."""

    async def once(caller: Caller) -> None:
        await caller.hear()
        caller.answer(b"one")

    calls: list[asyncio.Task[tuple[int, bytes]]] = []
    kind = connections._Connection  # noqa: SLF001 - its end is told to nobody else so early
    ended = kind.eof_received

    def at_the_end(connection: connections._Connection) -> None:
        ended(connection)
        calls.append(asyncio.create_task(told(pool, b"two")))

    async with served(once, echo) as (server, pool):
        assert await told(pool) == (200, b"one")
        monkeypatch.setattr(kind, "eof_received", at_the_end)
        await server.ended.wait()
        async with asyncio.timeout(5):
            while not calls:  # noqa: ASYNC110 - a connection that ends tells only its pool
                await asyncio.sleep(0)
        assert await calls[0] == (200, b"two")


async def test_a_connection_is_not_used_again_whose_request_was_answered_before_it_was_sent_whole() -> None:
    given_up = asyncio.Event()

    async def refuse(caller: Caller) -> None:
        await caller.hear_head()
        caller.answer(b"too large", "413 Content Too Large")
        await given_up.wait()

    async with served(refuse, echo) as (_, pool):
        assert await told(pool, b"x" * 20_000_000) == (413, b"too large")
        assert await told(pool, b"next", seconds=1) == (200, b"next")
        given_up.set()


async def test_a_connection_that_was_idle_for_long_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def until_the_end(caller: Caller) -> None:
        await caller.hear()
        caller.answer(b"one")
        await caller.gone()

    async with served(until_the_end, echo) as (server, pool):
        await told(pool)
        monkeypatch.setattr(connections, "KEPT_SECONDS", -1.0)
        assert await told(pool, b"two") == (200, b"two")
        await server.ended.wait()


@pytest.mark.parametrize(
    "words",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
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

    async with served(break_off, echo) as (_, pool):
        with pytest.raises(Broken):
            await told(pool)
        assert await told(pool, b"next") == (200, b"next")


async def test_an_answer_that_is_too_large_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LARGEST_ANSWER", 1000)
    async with served(echo) as (_, pool):
        assert await told(pool, b"x" * 1000) == (200, b"x" * 1000)
        with pytest.raises(Broken):
            await told(pool, b"x" * 1001)
        assert await told(pool, b"next") == (200, b"next")


async def test_an_answer_that_came_too_late_is_never_taken_for_the_next_ones() -> None:
    """The call is given up before its answer comes; then another one is made."""
    late = asyncio.Event()

    async def late_once(caller: Caller) -> None:
        await caller.hear()
        await late.wait()
        caller.answer(b"the first")
        await caller.gone()

    async with served(late_once, echo) as (server, pool):
        with pytest.raises(TimeoutError):
            await told(pool, b"first", seconds=0.01)
        late.set()
        assert await told(pool, b"second") == (200, b"second")
        await server.ended.wait()


async def test_an_answer_to_a_call_that_was_cancelled_is_never_taken_for_the_next_ones() -> None:
    heard, late = asyncio.Event(), asyncio.Event()

    async def late_once(caller: Caller) -> None:
        await caller.hear()
        heard.set()
        await late.wait()
        caller.answer(b"the first")

    async with served(late_once, echo) as (_, pool):
        call = asyncio.create_task(told(pool, b"first"))
        await heard.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        late.set()
        assert await told(pool, b"second") == (200, b"second")


async def test_an_answer_that_nobody_has_asked_for_closes_the_connection() -> None:
    async def twice(caller: Caller) -> None:
        await caller.hear()
        caller.answer(b"asked for")
        caller.answer(b"not asked for")
        await caller.gone()

    async with served(twice, echo) as (server, pool):
        assert await told(pool) == (200, b"asked for")
        await server.ended.wait()
        assert await told(pool, b"next") == (200, b"next")


async def test_calls_wait_for_a_free_connection_and_say_so_when_none_came() -> None:
    let_go = asyncio.Event()

    async def hold(caller: Caller) -> None:
        _, body = await caller.hear()
        await let_go.wait()
        caller.answer(body)
        await echo(caller)

    async with served(hold, most=1) as (server, pool):
        first = asyncio.create_task(told(pool, b"first"))
        await asyncio.sleep(0)
        with pytest.raises(Unconnected) as impatient:
            await pool.call("/", b"", seconds=5, connect=0.01)
        assert isinstance(impatient.value.__cause__, TimeoutError)
        second = asyncio.create_task(told(pool, b"second"))
        let_go.set()
        assert [await first, await second] == [(200, b"first"), (200, b"second")]
    assert server.connections == 1


async def test_a_server_that_is_not_there_is_told_from_one_that_breaks_off() -> None:
    async with served(echo) as (_, pool):
        pass
    with pytest.raises(Unconnected) as refused:
        await told(pool)
    assert isinstance(refused.value.__cause__, ConnectionRefusedError)
