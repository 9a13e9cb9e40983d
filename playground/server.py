"""The playground as a server on loopback, and as the object that tests hold."""

from typing import Self

from aiohttp import web

from playground.accounts import Bot
from playground.acts import Workshop
from playground.browser import Browser
from playground.chats import Chat
from playground.telegram import Call, Telegram
from playground.waiting import PATIENCE
from playground.world import World

HOST = "127.0.0.1"
TOKEN = "8123456789:AAPlaygroundTokenForLoopbackOnly-00"  # noqa: S105 - opens nothing but this playground
_MAXIMUM_BODY = 60 * 2**20


class Playground:
    """A Telegram of one's own, running while it is entered as an asynchronous context.

    It begins with Ann (English), Bo (小波, Simplified Chinese) and Cem (no language told), their private chats
    with the bot, and the group "The Noughts" with all of them and the bot.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        token: str = TOKEN,
        bot_name: str = "OXO",
        bot_username: str = "oxo_playground_bot",
        seed: int = 0,
    ) -> None:
        """Make the world; nothing listens yet. Port 0 takes a free one; `seed` is for ids and faults."""
        self.port = port
        self.token = token
        self.world = World(Bot(token, bot_name, bot_username), seed=seed)
        self.telegram = Telegram(self.world)
        self.bot = self.world.bot
        """The bot's account and its BotFather settings."""
        self.people = self.world.people
        """People by key."""
        self.groups = self.world.groups
        """Groups by key."""
        self.faults = self.world.faults
        """The faults in force."""
        self.flood = self.world.flood
        """Telegram's flood limits: those of `flood.model`, at first none."""
        self.clock = self.world.clock
        """The playground's time."""
        self.calls = self.telegram.calls
        """The API calls in the order they came (of more than 40,000 only the newest); may be cleared."""
        self.called = self.telegram.called
        self.add_person = self.world.add_person
        self.add_group = self.world.add_group
        self.add_meeting = self.world.add_meeting
        self.add_direct_messages = self.world.add_direct_messages
        self.workshop = Workshop(self.world)
        """What the page's drawer switches."""
        self._browser = Browser(self.telegram, self.workshop)
        self._runner: web.AppRunner | None = None
        ann = self.world.add_person("Ann", username="ann_plays")
        bo = self.world.add_person("小波", key="bo", language="zh-hans", username="xiao_bo")
        cem = self.world.add_person("Cem", last_name="Öz", language=None)
        self.world.add_group("The Noughts", [ann, bo, cem], key="noughts")

    @property
    def url(self) -> str:
        """Where it listens: both the page and the base for `BOT_API_URL`."""
        return f"http://{HOST}:{self.port}"

    def calls_of(self, method: str, *, chat: Chat | None = None) -> list[Call]:
        """The calls of one method, perhaps of one chat only."""
        return [call for call in self.calls if call.method == method and (chat is None or call.chat == chat.id)]

    async def confirmed(self, *, within: float = PATIENCE) -> None:
        """Wait until the bot has confirmed every update: by a higher offset, or by its webhook's 2xx."""
        updates = self.world.updates
        await updates.changes.until(
            lambda: None if updates.pending() else True, within, lambda: f"{len(updates)} updates to be confirmed"
        )

    async def start(self) -> None:
        """Listen; after a `stop` again on the same port, with the world as it was."""
        application = web.Application(client_max_size=_MAXIMUM_BODY)
        application.add_routes([*self.telegram.routes(), *self._browser.routes()])
        runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, HOST, self.port)
        try:
            await site.start()
        except OSError:
            await runner.cleanup()
            raise
        self._runner = runner
        self.port = int(runner.addresses[0][1])
        self.telegram.webhook.resume()

    async def stop(self) -> None:
        """Stop listening: to the bot, Telegram is away. What happens meanwhile stays queued."""
        if self._runner is not None:
            self.world.updates.interrupt(ConnectionAbortedError())
            await self.telegram.webhook.close()
            await self._browser.close()
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()
