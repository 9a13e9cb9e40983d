"""How calls reach the Bot API, and which are refused before they are interpreted."""

from __future__ import annotations

import json

import aiohttp
import pytest

from playground import Playground
from playground.chats import Chat
from tests.playground.client import Api

KEYBOARD = {"inline_keyboard": [[{"text": "·", "callback_data": "1"}]]}


async def test_an_unknown_method_is_not_found(api: Api) -> None:
    refusal = await api.refused("sendNonsense")
    assert (refusal.status, refusal.code, refusal.description) == (404, 404, "Not Found")


async def test_a_wrong_token_is_unauthorized(api: Api, playground: Playground) -> None:
    async with api.session.get(f"{playground.url}/bot123:wrong/getMe") as response:
        assert response.status == 401
        assert await response.json() == {"ok": False, "error_code": 401, "description": "Unauthorized"}


async def test_an_unknown_parameter_is_refused_by_name(api: Api, chat: Chat) -> None:
    refusal = await api.refused("sendMessage", chat_id=chat.id, text="hi", reply_to_message_id=3)
    assert refusal.description == 'Bad Request: method sendMessage has no parameter "reply_to_message_id"'


async def test_a_method_is_found_in_any_case(api: Api) -> None:
    assert (await api("GETME"))["is_bot"] is True


@pytest.mark.parametrize("way", ["query", "form", "json", "json of strings", "multipart"])
async def test_parameters_come_in_all_of_telegrams_ways(api: Api, chat: Chat, way: str) -> None:
    texts = {"chat_id": str(chat.id), "text": "hi", "reply_markup": json.dumps(KEYBOARD)}
    url = api.url("sendMessage")
    if way == "query":
        request = api.session.get(url, params=texts)
    elif way == "form":
        request = api.session.post(url, data=texts)
    elif way == "json":
        request = api.session.post(url, json={"chat_id": chat.id, "text": "hi", "reply_markup": KEYBOARD})
    elif way == "json of strings":
        request = api.session.post(url, json=texts)
    else:
        form = aiohttp.FormData(default_to_multipart=True)
        for name, value in texts.items():
            form.add_field(name, value)
        request = api.session.post(url, data=form)
    async with request as response:
        body = await response.json()
    assert body["ok"], body
    assert (body["result"]["text"], body["result"]["reply_markup"]) == ("hi", KEYBOARD)


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/json", b"{"),
        ("application/json", b"[]"),
        ("application/json", b"\xff"),
        ("application/x-www-form-urlencoded", b"text=%FF"),
        ("text/plain", b"hello"),
    ],
)
async def test_a_malformed_body_is_refused(api: Api, content_type: str, body: bytes) -> None:
    headers = {"Content-Type": content_type}
    async with api.session.post(api.url("getMe"), data=body, headers=headers) as response:
        assert response.status == 400
        assert (await response.json())["description"].startswith("Bad Request: ")


@pytest.mark.parametrize(
    ("parameters", "description"),
    [
        ({"text": "hi"}, "Bad Request: chat_id is empty"),
        ({"chat_id": "nobody", "text": "hi"}, "Bad Request: chat not found"),
        ({"chat_id": "@nobody", "text": "hi"}, "Bad Request: chat not found"),
        ({"chat_id": 1, "text": "hi", "reply_markup": "{"}, "Bad Request: can't parse reply_markup JSON object"),
        ({"chat_id": 1, "text": ["hi"]}, 'Bad Request: parameter "text" must be of type String'),
        (
            {"chat_id": 1, "text": "hi", "protect_content": "maybe"},
            'Bad Request: parameter "protect_content" must be of type Boolean',
        ),
        (
            {"chat_id": 1, "text": "hi", "message_thread_id": "x"},
            'Bad Request: parameter "message_thread_id" must be of type Integer',
        ),
    ],
)
async def test_a_malformed_parameter_is_refused(api: Api, parameters: dict[str, object], description: str) -> None:
    assert (await api.refused("sendMessage", **parameters)).description == description


async def test_every_call_is_logged_with_its_parameters_and_outcome(
    api: Api, playground: Playground, chat: Chat
) -> None:
    await api("sendMessage", chat_id=chat.id, text="hi")
    await api.refused("sendMessage", chat_id=chat.id, text="")
    first, second = playground.calls_of("sendMessage", chat=chat)
    assert (first.ok, first.parameters) == (True, {"chat_id": chat.id, "text": "hi"})
    assert second.ok is False
    assert second.error is not None
    assert second.error.description == "Bad Request: message text is empty"
