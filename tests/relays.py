"""Servers on loopback for tests: real proxies, a TLS front, and one that says what a test wants."""

import asyncio
import base64
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import trustme

HOST: Final = "127.0.0.1"
FAR: Final = "telegram.test"
"""A name that nobody but these proxies can resolve."""
USER: Final = "ann"
PASSWORD: Final = "p@ss:w/ürd%"  # noqa: S105 - opens nothing but these proxies
QUOTED: Final = "ann:p%40ss%3Aw%2F%C3%BCrd%25"
"""Both, as they are written in an address."""
TOKEN: Final = "123456:ABCdefGHIjklMNOpqrSTUvwxYZ-0123456789"  # noqa: S105 - of nobody
SECRET: Final = TOKEN.partition(":")[2]
"""What of it nobody may learn."""


class Caller:
    """The server's side of one connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    async def hear_head(self) -> list[str]:
        head = await self._reader.readuntil(b"\r\n\r\n")
        return head.decode("latin-1").split("\r\n")

    async def hear(self) -> tuple[list[str], bytes]:
        lines = await self.hear_head()
        length = next(int(line[15:]) for line in lines if line.lower().startswith("content-length:"))
        return lines, await self._reader.readexactly(length)

    async def say(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.writer.write(piece)
            await self.writer.drain()

    async def answer(self, body: bytes, status: str = "200 OK", *headers: str) -> None:
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
        await self.say("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    async def gone(self) -> None:
        assert await self._reader.read() == b""


class Certificates:
    """A certificate authority for tests, and its certificates."""

    def __init__(self, folder: Path) -> None:
        authority = trustme.CA()
        self.file = folder / "authority.pem"
        """To be trusted, by SSL_CERT_FILE."""
        authority.cert_pem.write_to_path(str(self.file))
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        authority.issue_cert(FAR, HOST, "localhost").configure_cert(self.context)


@dataclass
class Relay:
    """A proxy that sends everything to one local port, and remembers what it was asked for."""

    to: int
    """The port to which everything goes."""
    wanted: bool = True
    """Whether it asks for a user and a password."""
    drops: bool = False
    """Whether it closes every connection once it has read the request."""
    heard: list[str] = field(default_factory=list)
    """The destinations, as they were named."""

    async def speak_http(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve as an HTTP proxy: make tunnels, and forward requests."""
        while True:
            first, *headers = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            verb, target, _ = first.split(" ")
            self.heard.append(f"{verb} {target}")
            shown = next(
                (line.partition(": ")[2] for line in headers if line[:20].lower() == "proxy-authorization:"), ""
            )
            if self.drops:
                return
            if self.wanted and shown != "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode():
                writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
                return
            if verb == "CONNECT":
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await self._tunnel(reader, writer)
                return
            length = next(int(line[15:]) for line in headers if line.lower().startswith("content-length:"))
            body = await reader.readexactly(length)
            path = "/" + target.split("/", 3)[3]
            kept = [line for line in headers if line and not line.lower().startswith(("proxy-", "connection:"))]
            head = "\r\n".join([f"{verb} {path} HTTP/1.1", *kept, "Connection: close", "", ""])
            async with _opened(self.to) as (there, back):
                back.write(head.encode("latin-1") + body)
                await _copy(there, writer)
            return

    async def speak_socks(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve as a SOCKS 5 proxy (RFC 1928, RFC 1929)."""
        _, count = await reader.readexactly(2)
        offered = await reader.readexactly(count)
        way = 2 if self.wanted else 0
        if way not in offered:
            writer.write(b"\x05\xff")
            return
        writer.write(bytes([5, way]))
        if self.wanted:
            await reader.readexactly(1)
            shown = [(await _counted(reader)).decode() for _ in range(2)]
            writer.write(b"\x01\x00" if shown == [USER, PASSWORD] else b"\x01\x01")
            if shown != [USER, PASSWORD]:
                return
        kind = (await reader.readexactly(4))[3]
        name = (await _counted(reader)).decode() if kind == 3 else ".".join(map(str, await reader.readexactly(4)))
        port = int.from_bytes(await reader.readexactly(2), "big")
        self.heard.append(f"{name}:{port}")
        if self.drops:
            return
        writer.write(b"\x05\x00\x00\x01\0\0\0\0\0\0")
        await self._tunnel(reader, writer)

    async def lead(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve as a TLS front of a server: forwards everything to it."""
        await self._tunnel(reader, writer)

    async def _tunnel(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with _opened(self.to) as (there, back):
            await asyncio.gather(_copy(reader, back), _copy(there, writer))


@asynccontextmanager
async def listening(
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
    context: ssl.SSLContext | None = None,
) -> AsyncIterator[int]:
    """A server on a free port, over TLS if there is a context; yields the port."""
    tasks: set[asyncio.Task[None]] = set()
    accept = partial(_accept, tasks, serve)
    server = await asyncio.start_server(accept, HOST, 0, ssl=context)
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _accept(
    tasks: set[asyncio.Task[None]],
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    async def talk() -> None:
        try:
            with suppress(asyncio.IncompleteReadError, OSError):
                await serve(reader, writer)
        finally:
            await _closed(writer)

    tasks.add(asyncio.create_task(talk()))


@asynccontextmanager
async def _opened(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        yield reader, writer
    finally:
        await _closed(writer)


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


async def _counted(reader: asyncio.StreamReader) -> bytes:
    return await reader.readexactly((await reader.readexactly(1))[0])


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await reader.read(2**16):
            writer.write(piece)
            await writer.drain()
        writer.close()
