"""Photos, animations and documents as Telegram accepts them: a file in a multipart form, or a `file_id`."""

from __future__ import annotations

import io
import json
from typing import Any

import aiohttp
import pytest
from PIL import Image

from playground import Playground
from playground.files import LARGEST, Kind
from playground.people import Person
from tests.playground.client import Api

METHODS: dict[Kind, str] = {"photo": "sendPhoto", "animation": "sendAnimation", "document": "sendDocument"}


def picture(width: int = 640, height: int = 480, kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.new("L", (width, height)).save(out, kind)
    return out.getvalue()


def gif(frames: int = 3) -> bytes:
    """A GIF whose frames last half a second each."""
    first, *others = [Image.new("RGB", (64, 48), (80 * number, 0, 0)) for number in range(frames)]
    out = io.BytesIO()
    first.save(out, "GIF", save_all=True, append_images=others, duration=500)
    return out.getvalue()


FILES: dict[Kind, bytes] = {"photo": picture(), "animation": gif(), "document": b"{}"}


async def answer(api: Api, kind: Kind, file: bytes | str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - parameters
    """The answer to a form."""
    form = aiohttp.FormData({name: str(value) for name, value in fields.items()})
    if isinstance(file, bytes):
        form.add_field(kind, io.BytesIO(file), filename="a.json", content_type="application/json")
    else:
        form.add_field(kind, file)
    async with api.session.post(api.url(METHODS[kind]), data=form) as response:
        body: dict[str, Any] = json.loads(await response.read())
        return body


async def sent(api: Api, kind: Kind, file: bytes | str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - parameters
    """The message of a form that must succeed."""
    body = await answer(api, kind, file, **fields)
    assert body["ok"], body
    message: dict[str, Any] = body["result"]
    return message


def identifier(message: dict[str, Any], kind: Kind) -> str:
    return str((message[kind][0] if kind == "photo" else message[kind])["file_id"])


@pytest.mark.parametrize("kind", METHODS)
async def test_an_uploaded_file_is_a_message_with_its_caption(api: Api, ann: Person, kind: Kind) -> None:
    message = await sent(api, kind, FILES[kind], chat_id=ann.id, caption="<b>Ann</b>", parse_mode="HTML")
    assert message["caption"] == "Ann"
    assert message["caption_entities"] == [{"type": "bold", "offset": 0, "length": 3}]
    assert "text" not in message
    shown = ann.private.messages[message["message_id"]]
    assert shown.file is not None
    assert (shown.file.kind, shown.file.data, shown.text) == (kind, FILES[kind], "Ann")
    edit = await api.refused("editMessageText", chat_id=ann.id, message_id=message["message_id"], text="x")
    assert "there is no text in the message to edit" in edit.description


@pytest.mark.parametrize("kind", METHODS)
async def test_a_file_is_sent_again_by_its_file_id_until_that_is_wrong(
    api: Api, playground: Playground, ann: Person, kind: Kind
) -> None:
    first = identifier(await sent(api, kind, FILES[kind], chat_id=ann.id), kind)
    again = await sent(api, kind, first, chat_id=ann.id)
    assert identifier(again, kind) == first
    assert "caption" not in again
    playground.world.files.forget()
    refusal = await answer(api, kind, first, chat_id=ann.id)
    assert refusal["description"] == "Bad Request: wrong file identifier/HTTP URL specified"
    assert identifier(await sent(api, kind, FILES[kind], chat_id=ann.id), kind) != first


@pytest.mark.parametrize("data", [picture(), picture(kind="JPEG")], ids=["png", "jpeg"])
async def test_a_photo_has_its_size(api: Api, ann: Person, data: bytes) -> None:
    (size,) = (await sent(api, "photo", data, chat_id=ann.id))["photo"]
    assert (size["width"], size["height"], size["file_size"]) == (640, 480, len(data))


async def test_a_gif_becomes_a_film_with_its_size_and_length(api: Api, ann: Person) -> None:
    message = await sent(api, "animation", gif(), chat_id=ann.id)
    film = message["animation"]
    assert (film["mime_type"], film["width"], film["height"], film["duration"]) == ("video/mp4", 64, 48, 1)
    assert message["document"]["file_id"] == film["file_id"]
    shown = ann.private.messages[message["message_id"]].animation
    assert shown is not None
    assert (shown.frames, shown.hundredths) == (3, 150)


async def test_a_document_has_its_name_and_size(api: Api, ann: Person) -> None:
    file = (await sent(api, "document", b"{}", chat_id=ann.id))["document"]
    assert (file["file_name"], file["mime_type"], file["file_size"]) == ("a.json", "application/json", 2)


async def test_a_file_is_of_one_kind(api: Api, ann: Person) -> None:
    film = identifier(await sent(api, "animation", gif(), chat_id=ann.id), "animation")
    refused = await api.refused("sendPhoto", chat_id=ann.id, photo=film)
    assert "can't use file of type Animation as Photo" in refused.description
    refused = await api.refused("sendAnimation", chat_id=ann.id, animation="AgACAgIAAxkDAAI000001")
    assert "can't use file of type Photo as Animation" in refused.description


REFUSED: list[tuple[Kind, bytes | str, dict[str, Any], str]] = [
    ("photo", gif(), {}, "IMAGE_PROCESS_FAILED"),
    ("photo", picture()[:40], {}, "IMAGE_PROCESS_FAILED"),
    ("photo", picture(9000, 2000), {}, "PHOTO_INVALID_DIMENSIONS"),
    ("photo", picture(2100, 100), {}, "PHOTO_INVALID_DIMENSIONS"),
    ("photo", bytes(LARGEST["photo"] + 1), {}, "is too big for a photo"),
    ("photo", picture(), {"caption": "<b>", "parse_mode": "HTML"}, "can't parse entities"),
    ("photo", picture(), {"text": "x"}, 'has no parameter "text"'),
    ("animation", picture(), {}, "IMAGE_PROCESS_FAILED"),
    ("animation", bytes(LARGEST["animation"] + 1), {}, "Request Entity Too Large"),
    ("animation", gif(), {"photo": "x"}, 'has no parameter "photo"'),
    ("document", bytes(LARGEST["document"] + 1), {}, "Request Entity Too Large"),
]
for of in METHODS:
    REFUSED += [
        (of, b"", {}, "file must be non-empty"),
        (of, "", {}, "wrong file identifier"),
        (of, "XgACnone", {}, "wrong file identifier"),
        (of, "https://example.org/a", {}, "failed to get HTTP URL content"),
        (of, FILES[of], {"caption": "x" * 1025}, "message caption is too long"),
        (of, FILES[of], {"chat_id": 5}, "chat not found"),
    ]


@pytest.mark.parametrize(
    "refused",
    REFUSED,
    ids=[f"{number} {kind}: {reason}" for number, (kind, _, _, reason) in enumerate(REFUSED)],
)
async def test_what_telegram_refuses_is_refused(
    api: Api, ann: Person, refused: tuple[Kind, bytes | str, dict[str, Any], str]
) -> None:
    kind, file, fields, reason = refused
    refusal = await answer(api, kind, file, **{"chat_id": ann.id, **fields})
    assert not refusal["ok"]
    assert reason in refusal["description"]


async def test_a_truncated_animation_is_refused_wherever_it_ends(api: Api, ann: Person) -> None:
    whole = gif()
    for length in range(1, len(whole)):
        assert not (await answer(api, "animation", whole[:length], chat_id=ann.id))["ok"], length


@pytest.mark.parametrize("kind", METHODS)
async def test_a_call_without_a_file_is_refused(api: Api, ann: Person, kind: Kind) -> None:
    assert f"no {kind} in the request" in (await api.refused(METHODS[kind], chat_id=ann.id)).description
