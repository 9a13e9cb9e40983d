"""Results as a picture, drawn in a worker process and sent as a photo."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from playground.people import Person
from tests.people import offered, plain, resigned

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_the_button_brings_a_photo_with_words_below_it(ann: Person) -> None:
    await resigned(ann)
    menu = await ann.ask("/stats")
    assert "As a picture" in offered(menu)
    answer = await ann.tap(menu, "As a picture")
    assert answer.text == "Drawing it…"
    sent = await ann.private.wait_for(lambda message: message.photo is not None, after=menu)
    assert sent.photo is not None
    assert plain(sent).startswith("📊 Ann · everywhere · all boards\nGreen: won, grey: drawn, red: lost")
    assert Image.open(io.BytesIO(sent.photo.data)).size == (sent.photo.width, sent.photo.height) == (1000, 526)
    assert offered(menu), "the message that was tapped stays"
