"""What the outbox has to say."""

from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.boards.view import View
from bot.context.notices import Sketch, drawn
from bot.delivery.entries import File, NotNow
from bot.workers.pool import Job
from storage.games.record import Notice, NoticeKind


async def test_a_picture_is_drawn_again_if_somebody_in_it_is_forgotten_meanwhile() -> None:
    names: list[str] = ["Ann"]

    async def draw(job: Job[Any]) -> bytes:
        names[:] = ["Somebody who left"]
        return bytes(str(job.work), "utf-8")

    async def sketch() -> Sketch:
        return Sketch(cast("Any", names[0]), 1, names[0], View(names[0]), partial(File, name="replay.png"))

    services: Any = SimpleNamespace(workers=SimpleNamespace(run=draw))
    notice = Notice(0, NoticeKind.STILL, 1, None, 5, None, None, 0)
    early = await drawn(services, notice, sketch)
    assert early is not None
    assert early.remake is not None
    with pytest.raises(NotNow):
        await early.remake()
    late = await drawn(services, notice, sketch)
    assert late is not None
    assert late.file is not None
    assert late.remake is not None
    assert (late.file.content, await late.remake()) == (b"Somebody who left", View("Somebody who left"))
