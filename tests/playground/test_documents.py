"""sendDocument as Telegram accepts it: a file in a multipart form, or a `file_id`."""

from __future__ import annotations

import io
import json
from typing import Any

import aiohttp
import pytest

from playground import Playground
from playground.documents import LARGEST
from tests.playground.client import Api


async def sent(api: Api, document: bytes | str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - parameters
    """The answer to a form."""
    form = aiohttp.FormData({name: str(value) for name, value in fields.items()})
    if isinstance(document, bytes):
        form.add_field("document", io.BytesIO(document), filename="a.json", content_type="application/json")
    else:
        form.add_field("document", document)
    async with api.session.post(api.url("sendDocument"), data=form) as response:
        body: dict[str, Any] = json.loads(await response.read())
        return body


async def test_an_uploaded_file_is_a_message_with_its_name_size_and_caption(
    api: Api, playground: Playground
) -> None:
    ann = playground.people["ann"]
    await ann.say("/start")
    answer = await sent(api, b"{}", chat_id=ann.id, caption="<b>Ann</b>", parse_mode="HTML")
    message = answer["result"]
    assert (message["caption"], message["document"]["file_name"]) == ("Ann", "a.json")
    assert (message["document"]["mime_type"], message["document"]["file_size"]) == ("application/json", 2)
    assert "text" not in message
    shown = ann.private.messages[message["message_id"]]
    assert shown.document is not None
    assert shown.document.data == b"{}"
    again = await sent(api, message["document"]["file_id"], chat_id=ann.id)
    assert again["result"]["document"]["file_id"] == message["document"]["file_id"]


@pytest.mark.parametrize(
    ("document", "refusal"),
    [
        (b"", "Bad Request: file must be non-empty"),
        ("BQACnothing", "Bad Request: wrong file identifier/HTTP URL specified"),
        ("https://example.org/a.json", "Bad Request: failed to get HTTP URL content"),
        (bytes(LARGEST + 1), "Request Entity Too Large"),
    ],
    ids=["empty", "unknown", "address", "too big"],
)
async def test_what_is_no_file_that_telegram_takes_is_refused(
    api: Api, playground: Playground, document: bytes | str, refusal: str
) -> None:
    ann = playground.people["ann"]
    await ann.say("/start")
    answer = await sent(api, document, chat_id=ann.id)
    assert (answer["ok"], answer["description"]) == (False, refusal)


async def test_without_a_file_or_with_too_long_a_caption_it_is_refused(api: Api, playground: Playground) -> None:
    ann = playground.people["ann"]
    await ann.say("/start")
    assert (await sent(api, b"x", chat_id=ann.id, caption="x" * 1025))["description"].endswith("too long")
    form = {"chat_id": str(ann.id)}
    async with api.session.post(api.url("sendDocument"), data=form) as response:
        assert "no document in the request" in (await response.json())["description"]
