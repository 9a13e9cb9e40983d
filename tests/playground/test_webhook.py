"""Updates delivered to a webhook."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web

from playground import Playground
from playground.groups import Group
from playground.people import Person
from tests.playground.client import Api

SECRET = "a-Secret_1"  # noqa: S105 - made up for these tests


class Hook:
    """A bot's webhook with answers set by the test."""

    def __init__(self) -> None:
        self.arrivals: asyncio.Queue[tuple[dict[str, Any], str]] = asyncio.Queue()
        self.answers: list[tuple[int, dict[str, str]]] = []
        """Status and headers for the next deliveries; 200 when there are none left."""
        self.body = b""
        self.gate: asyncio.Event | None = None
        self.url = ""

    async def take(self, request: web.Request) -> web.Response:
        """Take one delivery."""
        update = json.loads(await request.read())
        await self.arrivals.put((update, request.headers.get("X-Telegram-Bot-Api-Secret-Token", "")))
        if self.gate is not None:
            await self.gate.wait()
        status, headers = self.answers.pop(0) if self.answers else (200, {})
        return web.Response(status=status, headers=headers, body=self.body, content_type="application/json")

    async def text(self) -> str:
        """The text of the next message that arrives."""
        update, _ = await asyncio.wait_for(self.arrivals.get(), 60)
        return str(update["message"]["text"])


@pytest.fixture
async def hook(playground: Playground) -> AsyncIterator[Hook]:
    hook = Hook()
    application = web.Application()
    application.add_routes([web.post("/hook", hook.take)])
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    hook.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    playground.telegram.webhook.first_pause = 0.01
    yield hook
    if hook.gate is not None:
        hook.gate.set()
    await playground.telegram.webhook.close()
    await runner.cleanup()


async def test_updates_are_brought_with_the_secret(api: Api, hook: Hook, ann: Person) -> None:
    await ann.say("before")
    await api("setWebhook", url=hook.url, secret_token=SECRET)
    await ann.say("after")
    first, secret = await hook.arrivals.get()
    assert (first["message"]["text"], secret) == ("before", SECRET)
    assert await hook.text() == "after"
    await api.playground.confirmed()
    assert (await api("getWebhookInfo"))["pending_update_count"] == 0


async def test_a_refused_update_is_brought_again_until_it_is_taken(api: Api, hook: Hook, ann: Person) -> None:
    hook.answers = [(500, {}), (403, {}), (503, {"Retry-After": "0"})]
    await api("setWebhook", url=hook.url)
    await ann.say("hello")
    assert [await hook.text() for _ in range(4)] == ["hello"] * 4
    await api.playground.confirmed()
    info = await api("getWebhookInfo")
    assert info["last_error_message"] == "Wrong response from the webhook: 503 Service Unavailable"


async def test_a_chats_updates_keep_their_order_and_other_chats_do_not_wait(
    api: Api, hook: Hook, ann: Person, bo: Person
) -> None:
    hook.gate = asyncio.Event()
    await api("setWebhook", url=hook.url)
    await ann.say("ann 1")
    await ann.say("ann 2")
    await bo.say("bo 1")
    assert {await hook.text(), await hook.text()} == {"ann 1", "bo 1"}
    assert hook.arrivals.empty()
    hook.gate.set()
    assert await hook.text() == "ann 2"


async def test_taps_are_ordered_per_person_not_per_chat(
    api: Api, hook: Hook, ann: Person, bo: Person, noughts: Group
) -> None:
    board = await ann.say("a message to tap on", in_=noughts)
    hook.gate = asyncio.Event()
    await api("setWebhook", url=hook.url)
    for person in (ann, ann, bo):
        person.press(board, "1")
    arrived = [(await hook.arrivals.get())[0] for _ in range(2)]
    assert {update["callback_query"]["from"]["id"] for update in arrived} == {ann.id, bo.id}
    assert hook.arrivals.empty()


async def test_there_are_never_more_connections_than_allowed(
    api: Api, hook: Hook, ann: Person, bo: Person
) -> None:
    hook.gate = asyncio.Event()
    await api("setWebhook", url=hook.url, max_connections=1)
    await ann.say("one")
    await bo.say("two")
    await hook.text()
    await api("getMe")
    assert hook.arrivals.empty()
    hook.gate.set()
    assert await hook.text() == "two"


async def test_an_update_is_given_up_after_its_lifetime(
    api: Api, hook: Hook, ann: Person, playground: Playground
) -> None:
    hook.answers = [(500, {})]
    hook.gate = asyncio.Event()
    await api("setWebhook", url=hook.url)
    board = await ann.say("x")
    await hook.text()
    ann.press(board, "1")
    await hook.arrivals.get()
    playground.clock.advance(86_401)
    hook.gate.set()
    await api.playground.confirmed()
    assert hook.arrivals.empty()


async def test_the_answer_may_be_a_method(api: Api, hook: Hook, ann: Person) -> None:
    hook.body = json.dumps({"method": "sendMessage", "chat_id": ann.id, "text": "hi"}).encode()
    await api("setWebhook", url=hook.url)
    assert (await ann.ask("hello")).text == "hi"


async def test_deleting_the_webhook_keeps_what_is_pending(api: Api, hook: Hook, ann: Person) -> None:
    hook.answers = [(500, {})] * 1000
    await api("setWebhook", url=hook.url)
    await ann.say("hello")
    await hook.text()
    await api("deleteWebhook")
    assert [update["message"]["text"] for update in await api.updates()] == ["hello"]


@pytest.mark.parametrize(
    ("parameters", "description"),
    [
        ({"url": "http://example.org/"}, "bad webhook: An HTTPS URL must be provided for webhook"),
        (
            {"url": "https://example.org/"},
            "bad webhook: the playground brings updates to loopback addresses only",
        ),
        ({"url": "https://127.0.0.1/", "secret_token": "ü"}, "secret token contains unallowed characters"),
    ],
)
async def test_a_bad_webhook_is_refused(api: Api, parameters: dict[str, object], description: str) -> None:
    assert (await api.refused("setWebhook", **parameters)).description == f"Bad Request: {description}"


async def test_changing_the_webhook_twice_a_second_is_too_much(
    api: Api, hook: Hook, playground: Playground
) -> None:
    await api("setWebhook", url=hook.url)
    assert (await api.answer("setWebhook", url=hook.url))[1]["description"] == "Webhook is already set"
    refusal = await api.refused("setWebhook", url=hook.url, secret_token=SECRET)
    assert (refusal.status, refusal.parameters) == (429, {"retry_after": 1})
    playground.clock.advance(1)
    await api("setWebhook", url=hook.url, secret_token=SECRET)


async def test_setting_a_webhook_ends_a_waiting_poll(api: Api, hook: Hook, playground: Playground) -> None:
    poll = asyncio.create_task(api.refused("getUpdates", timeout=50))
    await playground.telegram.changes.until(lambda: playground.calls or None, 5, lambda: "the poll")
    await api("setWebhook", url=hook.url)
    assert (await poll).description == "Conflict: terminated by setWebhook request"


async def test_while_the_server_is_stopped_nothing_is_brought(
    api: Api, hook: Hook, ann: Person, playground: Playground
) -> None:
    await api("setWebhook", url=hook.url)
    await playground.stop()
    await ann.say("are you there?")
    assert playground.world.updates.on_push is None
    assert hook.arrivals.empty()
    await playground.start()
    assert await hook.text() == "are you there?"
