"""Bots as processes of their own, on one database and one playground; they can be killed, stopped and restarted.

For tests of what a process is: signals, SIGKILL, files, memory, proxies. All others use `tests.world`.
"""

import asyncio
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Final, Self

import aiohttp
from aiohttp import web

from playground import Playground
from storage.database import connect, parse_url
from tests.bots import FREE
from tests.patience import slowness
from tests.ports import HOST, free_port
from tests.sight import Sight, told_of_people
from tests.starts import Process, Program

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
        application = web.Application()
        application.router.add_post("/{path:.*}", self._forward)
        self._session = aiohttp.ClientSession()
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, HOST, 0).start()
        self.port = int(self._runner.addresses[0][1])

    async def stop(self) -> None:
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
                        return web.Response(
                            status=answer.status, body=await answer.read(), content_type=answer.content_type
                        )
        return web.Response(status=502)


class Processes(Sight):
    """The playground, the bots and their logs."""

    def __init__(
        self,
        playground: Playground,
        folder: Path,
        database_url: str = "",
        *,
        webhook: bool = False,
        replicas: int = 1,
        begins: bool = True,
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Without an URL, the database is `oxo.db` in the folder; all are started at once if it `begins`."""
        self.folder = folder
        self.database = folder / "oxo.db"
        url = database_url or f"sqlite:///{self.database}"
        super().__init__(playground, connect(parse_url(url), create=False))
        self.ports = [free_port() for _ in range(replicas)]
        self.front = Front(self.ports) if webhook else None
        self._begins = begins
        self.processes: list[Process | None] = [None] * replicas
        self.settings = {
            "BOT_TOKEN": playground.token,
            "BOT_API_URL": playground.url,
            "DATABASE_URL": url,
            **FREE,
            **settings,
        }
        playground.telegram.webhook.first_pause = 0.2

    async def __aenter__(self) -> Self:
        if self.front is not None:
            await self.front.start()
            address = f"http://{HOST}:{self.front.port}/hook"
            self.settings |= {"WEBHOOK_URL": address, "WEBHOOK_SECRET": SECRET}
        try:
            for number in range(len(self.processes) if self._begins else 0):
                await self.start(number=number)
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
                    await process.kill()
            if self.front is not None:
                await self.front.stop()
            self.engine.dispose()
        if kind is None:
            assert not told_of_people(self.playground, self.logged())

    async def start(
        self,
        *options: str,
        number: int = 0,
        ready: bool = True,
        limit: int | None = None,
        introduces: bool = False,
        patches: Mapping[str, object] | None = None,
    ) -> None:
        """Start a bot and wait until it says that it's ready; its files can't grow beyond `limit` bytes.

        It only sends Telegram its commands and descriptions, 60 calls, if a test is about that or sets a webhook.
        """
        ours = {"HTTP_PORT": str(self.ports[number]), **self.settings}
        environment = {name: value for name, value in os.environ.items() if name not in ours}
        usual = () if self.front or introduces else ("--no-set-up",)
        (log := self.log(number)).touch()
        self.processes[number] = Process(
            Program("bot", options or usual, self.folder, {**environment, **ours}, log, log, limit, patches)
        )
        if ready:
            await self.ready(number)

    async def ready(self, number: int = 0, *, within: float = 60) -> None:
        async with asyncio.timeout(within), aiohttp.ClientSession() as session:
            while True:
                with suppress(aiohttp.ClientError, OSError):
                    async with session.get(f"http://{HOST}:{self.ports[number]}/readyz") as answer:
                        if answer.status == 200:
                            return
                await asyncio.sleep(0.02)

    async def get(self, page: str, number: int = 0) -> str:
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://{HOST}:{self.ports[number]}/{page}") as answer,
        ):
            return await answer.text()

    async def end(self, how: signal.Signals = signal.SIGKILL, number: int = 0, *, within: float = 60) -> int:
        process = self.processes[number]
        assert process is not None
        process.send_signal(how)
        try:
            return await asyncio.wait_for(process.wait(), within)
        finally:
            await process.kill()
            self.processes[number] = None

    async def ended(self) -> int:
        process, self.processes[0] = self.processes[0], None
        assert process is not None
        return await asyncio.wait_for(process.wait(), 60)

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Ask the bot to stop; returns its exit code.

        Raises:
            TimeoutError: if it takes longer than the 10 seconds that it promises on a quiet machine.
        """
        return await self.end(how, within=10 * slowness())

    def log(self, number: int = 0) -> Path:
        return self.folder / f"bot{number}.log"

    def logged(self) -> str:
        return "".join(self.log(number).read_text("utf-8") for number in range(len(self.processes)))


async def until(probe: Callable[[], bool], *, within: float = 60) -> None:
    """Poll until something is true that has no event, such as the content of a database.

    Raises:
        TimeoutError: if it doesn't become true in time.
    """
    async with asyncio.timeout(within):
        while not probe():  # noqa: ASYNC110 - another process brings it about
            await asyncio.sleep(0.1)
