"""A playground with one or more bots on one database, which can be killed, stopped and restarted."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import aiohttp
from aiohttp import web
from sqlalchemy import select

from playground import Playground
from storage.database import connect, parse_url
from storage.errors import CorruptGame
from storage.games import games
from storage.games.game import Game
from storage.games.record import Record
from storage.schema import GAMES
from tests import forks
from tests.e2e.privacy import told_of_people
from tests.ports import HOST, free_port

SECRET: Final = "a-secret-of-the-tests"  # noqa: S105 - opens nothing but this test's bots


class Front:
    """Acts like nginx in front of several bots: a request that one can't take goes to the next."""

    def __init__(self, ports: Sequence[int]) -> None:
        self._ports = list(ports)
        self._turn = 0
        self._runner: web.AppRunner | None = None
        self._session: aiohttp.ClientSession | None = None
        self.port = 0

    async def start(self) -> None:
        """Listen on a free port."""
        application = web.Application()
        application.router.add_post("/{path:.*}", self._forward)
        self._session = aiohttp.ClientSession()
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, HOST, 0).start()
        self.port = int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        """Stop listening."""
        if self._runner is not None and self._session is not None:
            await self._runner.cleanup()
            await self._session.close()

    async def _forward(self, request: web.Request) -> web.Response:
        assert self._session is not None
        body = await request.read()
        headers = {name: value for name, value in request.headers.items() if name.lower().startswith("x-")}
        self._turn += 1
        for shift in range(len(self._ports)):
            port = self._ports[(self._turn + shift) % len(self._ports)]
            address = f"http://{HOST}:{port}{request.path}"
            with suppress(aiohttp.ClientError, OSError):
                async with self._session.post(address, data=body, headers=headers) as answer:
                    if answer.status < 500:
                        return web.Response(status=answer.status, body=await answer.read())
        return web.Response(status=502)


class Rig:
    """The playground, the bots and their logs."""

    def __init__(
        self,
        playground: Playground,
        folder: Path,
        database_url: str,
        *,
        webhook: bool = False,
        replicas: int = 1,
        **settings: str,
    ) -> None:
        self.playground = playground
        self.folder = folder
        self.ports = [free_port() for _ in range(replicas)]
        self.front = Front(self.ports) if webhook else None
        self.processes: list[forks.Fork | None] = [None] * replicas
        self.engine = connect(parse_url(database_url), create=False)
        self._settings = {
            "BOT_TOKEN": playground.token,
            "BOT_API_URL": playground.url,
            "DATABASE_URL": database_url,
            "CALLS_PER_SECOND": "0",
            "EDITS_PER_MINUTE": "0",
            **settings,
        }
        playground.telegram.webhook.first_pause = 0.2

    async def __aenter__(self) -> Self:
        if self.front is not None:
            await self.front.start()
            address = f"http://{HOST}:{self.front.port}/hook"
            self._settings |= {"WEBHOOK_URL": address, "WEBHOOK_SECRET": SECRET}
        try:
            for number in range(len(self.processes)):
                await self.start(number)
        except BaseException as error:
            await self.__aexit__(type(error), error, None)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            for number, process in enumerate(self.processes):
                if process is not None:
                    await self.end(signal.SIGTERM if kind is None else signal.SIGKILL, number)
        finally:
            for process in self.processes:
                if process is not None:
                    await process.end()
            if self.front is not None:
                await self.front.stop()
            self.engine.dispose()
        if kind is None:
            assert not told_of_people(self.playground, self.logged())

    async def start(
        self,
        number: int = 0,
        *options: str,
        ready: bool = True,
        limit: int | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        """Start a bot and wait until it says that it's ready; its files can't grow beyond `limit` bytes."""
        environment = {name: value for name, value in os.environ.items() if name not in self._settings}
        port = {"HTTP_PORT": str(self.ports[number])}
        usual = () if self.front else ("--no-set-up",)  # a webhook must be set; commands cost 60 calls
        with self.log(number).open("ab") as log:
            order = forks.Order(
                arguments=options or usual,
                folder=str(self.folder),
                environment={**environment, **self._settings, **port, **(settings or {})},
                largest_file=limit,
            )
            self.processes[number] = await forks.start(order, log.fileno())
        if ready:
            await self.ready(number)

    async def ready(self, number: int = 0, *, within: float = 60) -> None:
        """Wait until a bot says that it's ready."""
        async with asyncio.timeout(within), aiohttp.ClientSession() as session:
            while True:
                with suppress(aiohttp.ClientError, OSError):
                    async with session.get(f"http://{HOST}:{self.ports[number]}/readyz") as answer:
                        if answer.status == 200:
                            return
                await asyncio.sleep(0.02)

    async def get(self, page: str, number: int = 0) -> str:
        """One of a bot's pages."""
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://{HOST}:{self.ports[number]}/{page}") as answer,
        ):
            return await answer.text()

    async def end(self, how: signal.Signals = signal.SIGKILL, number: int = 0) -> int:
        """End a bot; the result is its exit code."""
        process = self.processes[number]
        assert process is not None
        with suppress(ProcessLookupError):
            process.send_signal(how)
        code = await asyncio.wait_for(process.wait(), 60)
        self.processes[number] = None
        return code

    def log(self, number: int = 0) -> Path:
        """The path of a bot's log."""
        return self.folder / f"bot{number}.log"

    def logged(self) -> str:
        """All bots' logs."""
        return "".join(self.log(number).read_text("utf-8") for number in range(len(self.processes)))

    def records(self) -> dict[int, Record]:
        """All stored games with their boards; each must replay."""
        with self.engine.connect() as connection:
            ids = connection.execute(select(GAMES.c.id)).scalars().all()
            loaded = games.load_many(connection, ids)
        corrupt = [error for error in loaded.values() if isinstance(error, CorruptGame)]
        assert not corrupt, corrupt
        return {game_id: record for game_id, record in loaded.items() if not isinstance(record, CorruptGame)}

    def games(self) -> dict[int, Game]:
        """All stored games; each must replay."""
        return {game_id: record.game for game_id, record in self.records().items()}


async def until(probe: Callable[[], bool], *, within: float = 60) -> None:
    """Poll until something is true that has no event, such as the content of a database.

    Raises:
        TimeoutError: if it doesn't become true in time.
    """
    async with asyncio.timeout(within):
        while not probe():  # noqa: ASYNC110 - another process brings it about
            await asyncio.sleep(0.1)
