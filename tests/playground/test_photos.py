"""sendPhoto as Telegram accepts it: a file in a multipart form, or a `file_id`."""

from __future__ import annotations

import io
import json
import struct
from typing import Any

import aiohttp
import pytest

from playground import Playground
from tests.playground.client import Api


def png(width: int = 640, height: int = 480) -> bytes:
    """The beginning of a picture: nothing else is read."""
    header = struct.pack(">II", width, height) + b"\x08\x02\x00\x00\x00"
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + header + b"\x00" * 40


def jpeg(width: int = 640, height: int = 480) -> bytes:
    start = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + b"\x00" * 9
    return start + b"\xff\xc0\x00\x11\x08" + struct.pack(">HH", height, width) + b"\x00" * 20


async def sent(api: Api, photo: bytes | str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - parameters
    """The answer to a form."""
    form = aiohttp.FormData({name: str(value) for name, value in fields.items()})
    if isinstance(photo, bytes):
        form.add_field("photo", io.BytesIO(photo), filename="a.png", content_type="image/png")
    else:
        form.add_field("photo", photo)
    async with api.session.post(api.url("sendPhoto"), data=form) as response:
        body: dict[str, Any] = json.loads(await response.read())
        return body


@pytest.mark.parametrize("data", [png(), jpeg()])
async def test_an_uploaded_photo_is_a_message_with_its_size_and_caption(
    api: Api, playground: Playground, data: bytes
) -> None:
    ann = playground.people["ann"]
    await ann.say("/start")
    answer = await sent(api, data, chat_id=ann.id, caption="<b>Ann</b>", parse_mode="HTML")
    message = answer["result"]
    assert message["caption"] == "Ann"
    assert message["caption_entities"] == [{"type": "bold", "offset": 0, "length": 3}]
    assert "text" not in message
    (size,) = message["photo"]
    assert (size["width"], size["height"], size["file_size"]) == (640, 480, len(data))
    shown = ann.private.messages[message["message_id"]]
    assert shown.photo is not None
    assert shown.photo.data == data
    assert shown.text == "Ann"


async def test_a_photo_is_sent_again_by_its_file_id(api: Api, playground: Playground) -> None:
    ann = playground.people["ann"]
    await ann.say("/start")
    first = (await sent(api, png(), chat_id=ann.id))["result"]["photo"][0]["file_id"]
    again = await api("sendPhoto", chat_id=ann.id, photo=first)
    assert again["photo"][0]["file_id"] == first
    assert "caption" not in again


@pytest.mark.parametrize(
    ("photo", "fields", "reason"),
    [
        (b"", {}, "file must be non-empty"),
        (b"GIF89a" + b"\x00" * 50, {}, "IMAGE_PROCESS_FAILED"),
        (png(9000, 2000), {}, "PHOTO_INVALID_DIMENSIONS"),
        (png(2100, 100), {}, "PHOTO_INVALID_DIMENSIONS"),
        (png(0, 100), {}, "PHOTO_INVALID_DIMENSIONS"),
        pytest.param(png() + b"\x00" * 10 * 2**20, {}, "is too big for a photo", id="too big"),
        (png(), {"caption": "x" * 1025}, "message caption is too long"),
        (png(), {"caption": "<b>", "parse_mode": "HTML"}, "can't parse entities"),
        (png(), {"chat_id": 5}, "chat not found"),
        (png(), {"text": "x"}, 'has no parameter "text"'),
        ("AgACnone", {}, "wrong file identifier"),
        ("", {}, "wrong file identifier"),
        ("https://example.org/a.png", {}, "failed to get HTTP URL content"),
    ],
)
async def test_what_telegram_refuses_is_refused(
    api: Api, playground: Playground, photo: bytes | str, fields: dict[str, Any], reason: str
) -> None:
    ann = playground.people["ann"]
    await ann.say("/start")
    answer = await sent(api, photo, **{"chat_id": ann.id, **fields})
    assert not answer["ok"]
    assert reason in answer["description"]


async def test_a_call_without_a_photo_and_an_edit_of_its_text_are_refused(
    api: Api, playground: Playground
) -> None:
    ann = playground.people["ann"]
    await ann.say("/start")
    assert "no photo in the request" in (await api.refused("sendPhoto", chat_id=ann.id)).description
    message = (await sent(api, png(), chat_id=ann.id))["result"]
    edit = await api.refused("editMessageText", chat_id=ann.id, message_id=message["message_id"], text="x")
    assert "there is no text in the message to edit" in edit.description
