"""A bot's view of the playground: calls over real HTTP."""

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
from PIL import Image

from playground import Playground

Json = dict[str, Any]
Result = Any


@dataclass(frozen=True)
class Refusal:
    """An answer with "ok": false."""

    status: int
    code: int
    description: str
    parameters: Json


class Api:
    """Calls the Bot API of a playground as a bot would."""

    def __init__(self, playground: Playground, session: aiohttp.ClientSession) -> None:
        self.playground = playground
        self.session = session
        self.offset = 0

    def url(self, method: str) -> str:
        return f"{self.playground.url}/bot{self.playground.token}/{method}"

    async def answer(self, method: str, **parameters: object) -> tuple[int, Json]:
        """The status and body of a call: of JSON, or of a form if there is a file to send."""
        body: Json = {"json": parameters}
        if any(isinstance(value, bytes) for value in parameters.values()):
            body = {"data": (form := aiohttp.FormData())}
            for name, value in parameters.items():
                if isinstance(value, bytes):
                    form.add_field(name, io.BytesIO(value), filename="a.json")
                else:
                    form.add_field(name, str(value))
        async with self.session.post(self.url(method), **body) as response:
            return response.status, json.loads(await response.read())

    async def __call__(self, method: str, **parameters: object) -> Result:
        status, body = await self.answer(method, **parameters)
        assert body["ok"], body
        assert status == 200
        return body["result"]

    async def refused(self, method: str, **parameters: object) -> Refusal:
        status, body = await self.answer(method, **parameters)
        assert not body["ok"], body
        return Refusal(status, body["error_code"], body["description"], body.get("parameters", {}))

    async def updates(self, wait: int = 0) -> list[Json]:
        """The next updates, after up to `wait` seconds; confirms earlier ones."""
        batch: list[Json] = await self("getUpdates", offset=self.offset, timeout=wait)
        if batch:
            self.offset = batch[-1]["update_id"] + 1
        return batch


def keys(*rows: list[str]) -> Json:
    """A keyboard whose labels are their data."""
    return {"inline_keyboard": [[{"text": text, "callback_data": text} for text in row] for row in rows]}


def article(**more: object) -> Json:
    content = {"message_text": "Play?"}
    return {"type": "article", "id": "1", "title": "Challenge", "input_message_content": content, **more}


def picture(width: int = 640, height: int = 480, kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.new("L", (width, height)).save(out, kind)
    return out.getvalue()


def gif(frames: int = 3) -> bytes:
    """An animation whose frames last half a second each."""
    first, *others = [Image.new("RGB", (64, 48), (80 * number, 0, 0)) for number in range(frames)]
    out = io.BytesIO()
    first.save(out, "GIF", save_all=True, append_images=others, duration=500)
    return out.getvalue()


def put(folder: Path, bot: str) -> None:
    package = folder / "bot"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(bot)
