"""sendAnimation as Telegram accepts it: a GIF in a multipart form, or a `file_id`."""

from __future__ import annotations

import io
import json
from typing import Any

import aiohttp
import pytest
from PIL import Image

from playground import Playground
from tests.playground.client import Api


def gif(frames: int = 3) -> bytes:
    """A GIF whose frames last half a second each."""
    first, *others = [Image.new("RGB", (64, 48), (80 * number, 0, 0)) for number in range(frames)]
    out = io.BytesIO()
    first.save(out, "GIF", save_all=True, append_images=others, duration=500)
    return out.getvalue()


async def sent(api: Api, animation: bytes | str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - parameters
    """The answer to a form."""
    form = aiohttp.FormData({name: str(value) for name, value in fields.items()})
    if isinstance(animation, bytes):
        form.add_field("animation", io.BytesIO(animation), filename="a.gif", content_type="image/gif")
    else:
        form.add_field("animation", animation)
    async with api.session.post(api.url("sendAnimation"), data=form) as response:
        body: dict[str, Any] = json.loads(await response.read())
        return body


async def test_a_gif_becomes_a_film_with_its_size_length_and_caption(api: Api, playground: Playground) -> None:
    ann = playground.people["ann"]
    await ann.say("/start")
    message = (await sent(api, gif(), chat_id=ann.id, caption="<b>Ann</b>", parse_mode="HTML"))["result"]
    assert message["caption"] == "Ann"
    assert "text" not in message
    assert message["animation"]["mime_type"] == "video/mp4"
    assert (message["animation"]["width"], message["animation"]["height"]) == (64, 48)
    assert message["animation"]["duration"] == 1
    assert message["document"]["file_id"] == message["animation"]["file_id"]
    shown = ann.private.messages[message["message_id"]]
    assert shown.animation is not None
    assert (shown.animation.frames, shown.animation.hundredths) == (3, 150)


async def test_it_is_sent_again_by_its_file_id_until_that_is_wrong(api: Api, playground: Playground) -> None:
    ann = playground.people["ann"]
    await ann.say("/start")
    first = (await sent(api, gif(), chat_id=ann.id))["result"]["animation"]["file_id"]
    assert (await api("sendAnimation", chat_id=ann.id, animation=first))["animation"]["file_id"] == first
    playground.world.animations.forget()
    refused = await api.refused("sendAnimation", chat_id=ann.id, animation=first)
    assert refused.description == "Bad Request: wrong file identifier/HTTP URL specified"
    later = (await sent(api, gif(), chat_id=ann.id))["result"]["animation"]["file_id"]
    assert later != first


async def test_a_file_is_of_one_kind(api: Api, playground: Playground) -> None:
    ann = playground.people["ann"]
    await ann.say("/start")
    animation = (await sent(api, gif(), chat_id=ann.id))["result"]["animation"]["file_id"]
    refused = await api.refused("sendPhoto", chat_id=ann.id, photo=animation)
    assert "can't use file of type Animation as Photo" in refused.description
    refused = await api.refused("sendAnimation", chat_id=ann.id, animation="AgACAgIAAxkDAAI000001")
    assert "can't use file of type Photo as Animation" in refused.description


@pytest.mark.parametrize(
    ("animation", "fields", "reason"),
    [
        (b"", {}, "file must be non-empty"),
        (b"\x89PNG" + b"\x00" * 50, {}, "GIF only"),
        (gif()[:60], {}, "IMAGE_PROCESS_FAILED"),
        (gif(), {"caption": "x" * 1025}, "message caption is too long"),
        (gif(), {"chat_id": 5}, "chat not found"),
        (gif(), {"photo": "x"}, 'has no parameter "photo"'),
        ("CgACnone", {}, "wrong file identifier"),
        ("", {}, "wrong file identifier"),
        ("https://example.org/a.gif", {}, "failed to get HTTP URL content"),
    ],
)
async def test_what_telegram_refuses_is_refused(
    api: Api, playground: Playground, animation: bytes | str, fields: dict[str, Any], reason: str
) -> None:
    ann = playground.people["ann"]
    await ann.say("/start")
    answer = await sent(api, animation, **{"chat_id": ann.id, **fields})
    assert not answer["ok"]
    assert reason in answer["description"]


async def test_a_call_without_one_and_an_edit_of_its_text_are_refused(api: Api, playground: Playground) -> None:
    ann = playground.people["ann"]
    await ann.say("/start")
    assert "no animation in the request" in (await api.refused("sendAnimation", chat_id=ann.id)).description
    message = (await sent(api, gif(), chat_id=ann.id))["result"]
    edit = await api.refused("editMessageText", chat_id=ann.id, message_id=message["message_id"], text="x")
    assert "there is no text in the message to edit" in edit.description
