"""What is sent when a game is shared."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from bot.boards.view import View
from bot.features import share
from storage.games.record import Notice, NoticeKind


async def test_a_caption_has_the_names_that_there_are_once_the_picture_is_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A player may be forgotten while the picture is being drawn."""
    names = ["Ann"]

    async def read(work: Callable[[None], Any]) -> Any:  # noqa: ANN401 - whatever the work gives
        return work(None)

    async def drawn(*_: object) -> bytes:
        names[:] = ["Somebody who left"]
        return b"picture"

    def look_up(_connection: None, notice: Notice) -> Any:  # noqa: ANN401 - instead of a game
        return SimpleNamespace(file_id=None, game=names[0]) if notice.game_id else None

    monkeypatch.setattr(share, "_look_up", look_up)
    monkeypatch.setattr(share, "_key", lambda *_: None)
    monkeypatch.setattr(share, "_drawn", drawn)
    monkeypatch.setattr(share, "_caption", lambda _services, _notice, found: View(found.game))
    services: Any = SimpleNamespace(store=SimpleNamespace(read=read))
    notice = Notice(0, NoticeKind.ANIMATION, 1, None, 5, None, None, 0)
    message = await share.made(services, notice)
    assert message is not None
    assert message.view.text == "Somebody who left"
