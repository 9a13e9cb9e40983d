"""Inline keyboards: what is dropped, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from playground.chats import Chat
from tests.playground.client import Api, keys


async def test_blank_buttons_and_emptied_rows_vanish(api: Api, chat: Chat) -> None:
    markup = {
        "inline_keyboard": [
            [{"text": "a", "callback_data": "1"}, {"text": " ", "callback_data": "2"}],
            [{"text": "", "callback_data": "3"}],
            [{"text": "\u202e", "callback_data": "4"}, {"text": "b", "callback_data": "5"}],
        ]
    }
    sent = await api("sendMessage", chat_id=chat.id, text="x", reply_markup=markup)
    assert chat.messages[sent["message_id"]].labels == [["a"], ["b"]]


@pytest.mark.parametrize("data", ["x" * 65, "é" * 33])
async def test_callback_data_has_at_most_64_bytes(api: Api, chat: Chat, data: str) -> None:
    markup = {"inline_keyboard": [[{"text": "a", "callback_data": data}]]}
    refusal = await api.refused("sendMessage", chat_id=chat.id, text="x", reply_markup=markup)
    assert refusal.description == "Bad Request: BUTTON_DATA_INVALID"
    markup["inline_keyboard"][0][0]["callback_data"] = "é" * 32
    await api("sendMessage", chat_id=chat.id, text="x", reply_markup=markup)


_MALFORMED = "Bad Request: can't parse inline keyboard button: "


@pytest.mark.parametrize(
    ("button", "description"),
    [
        ({"text": "a", "callback_data": ""}, f"{_MALFORMED}Text buttons are unallowed in the inline keyboard"),
        ({"text": "a"}, f"{_MALFORMED}Text buttons are unallowed in the inline keyboard"),
        ({"callback_data": "1"}, f'{_MALFORMED}Can\'t find field "text"'),
        ({"text": 1, "callback_data": "1"}, f'{_MALFORMED}Field "text" must be of type String'),
        ("a", f"{_MALFORMED}expected an Object"),
        ({"text": "a", "callback_data": "1", "style": "gold"}, f"{_MALFORMED}invalid button style specified"),
        (
            {"text": "a", "url": "nowhere"},
            "Bad Request: inline keyboard button URL 'nowhere' is invalid: Wrong HTTP URL",
        ),
        ({"text": "a", "copy_text": {"text": ""}}, "Bad Request: BUTTON_COPY_TEXT_INVALID"),
    ],
)
async def test_a_malformed_button_is_refused(api: Api, chat: Chat, button: object, description: str) -> None:
    markup = {"inline_keyboard": [[button]]}
    refusal = await api.refused("sendMessage", chat_id=chat.id, text="x", reply_markup=markup)
    assert refusal.description == description


@pytest.mark.parametrize("style", ["primary", "success", "danger"])
async def test_a_style_is_kept(api: Api, chat: Chat, style: str) -> None:
    button = {"text": "a", "callback_data": "1", "style": style}
    sent = await api("sendMessage", chat_id=chat.id, text="x", reply_markup={"inline_keyboard": [[button]]})
    assert sent["reply_markup"]["inline_keyboard"] == [[button]]


@pytest.mark.parametrize(
    ("markup", "allowed"),
    [
        (keys(*[["a"] * 8] * 8), True),
        (keys(*[["a"] * 8] * 12, ["a"] * 4), True),
        (keys(*[["a"] * 8] * 12, ["a"] * 5), False),
        (keys(["a"] * 9), False),
    ],
)
async def test_a_keyboard_has_at_most_100_buttons_and_8_in_a_row(
    api: Api, chat: Chat, markup: dict[str, Any], *, allowed: bool
) -> None:
    if allowed:
        await api("sendMessage", chat_id=chat.id, text="x", reply_markup=markup)
    else:
        refusal = await api.refused("sendMessage", chat_id=chat.id, text="x", reply_markup=markup)
        assert refusal.description == "Bad Request: reply markup is too long"


async def test_an_empty_keyboard_is_none(api: Api, chat: Chat) -> None:
    sent = await api("sendMessage", chat_id=chat.id, text="x", reply_markup={"inline_keyboard": []})
    assert "reply_markup" not in sent
