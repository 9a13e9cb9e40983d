"""What one person may cost another: nobody's toggling keeps an opponent waiting, and who repeats it is told so."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio

from bot.boards.refusals import REFUSALS
from bot.game.attempt import Refusal
from playground.flood import Published
from playground.messages import Message
from playground.people import Person
from tests.patience import slowness
from tests.people import X_WINS, is_board
from tests.two.test_links import opened, put_both, token_of
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

LATELY = REFUSALS[Refusal.ASKED_LATELY]
QUIET_SECONDS = 8


@pytest.fixture(scope="module")
def module_settings() -> dict[str, str]:
    """The pace that the bot has by itself."""
    return {"CALLS_PER_SECOND": "", "EDITS_PER_MINUTE": ""}


@pytest_asyncio.fixture(loop_scope="module")
async def boards(shared: World, ann: Person) -> tuple[Message, Message, Person]:
    """A game by link between Ann, who has X, and Dee, who speaks English: their boards, and Dee."""
    dee = shared.playground.add_person("Dee", started=True)
    shared.playground.flood.model, shared.playground.flood.enabled = Published(), True
    invitation = await ann.ask("/challenge")
    theirs = await opened(dee, token_of(invitation))
    return await ann.private.wait_for(is_board, after=invitation), theirs, dee


@asynccontextmanager
async def repeating(person: Person, board: Message, *labels: str) -> AsyncIterator[list[str]]:
    """While somebody taps these buttons in turn, twice a second, whatever comes of it; what they are told."""
    told: list[str] = []

    async def tap() -> None:
        for number in range(10_000):
            label = labels[number % len(labels)]
            wanted = [each for row in board.keyboard for each in row if str(each["text"]).startswith(label)]
            if wanted:
                told.append((await person.tap(board, data=str(wanted[0]["callback_data"]))).text or "")
            await asyncio.sleep(0.5)

    task = asyncio.create_task(tap())
    try:
        yield told
    finally:
        task.cancel()


async def answered(person: Person, text: str) -> float:
    """After how many seconds a command is answered."""
    begun = time.monotonic()
    await person.ask(text, within=60)
    return time.monotonic() - begun


async def test_who_keeps_thinking_better_of_resigning_waits_and_is_told_so_but_may_always_resign(
    ann: Person, boards: tuple[Message, Message, Person]
) -> None:
    hers, theirs, dee = boards
    async with repeating(ann, hers, "Resign", "No, keep playing") as told:
        await asyncio.sleep(QUIET_SECONDS)
    assert LATELY in told
    assert theirs.revision <= 6, "they saw the question come and go"
    await put_both(ann, hers, theirs, 4)
    await put_both(dee, theirs, hers, 0)
    assert (await ann.tap(hers, "Resign")).text != LATELY, "whoever wants to lose may"


@pytest.mark.parametrize("labels", [("Resign", "No, keep playing"), ("Rematch", "Withdraw")])
async def test_an_opponents_taps_dont_keep_somebodys_own_chat_waiting(
    ann: Person, boards: tuple[Message, Message, Person], labels: tuple[str, str]
) -> None:
    hers, theirs, dee = boards
    if labels[0] == "Rematch":
        for number, cell in enumerate(X_WINS):
            own, other = (hers, theirs) if number % 2 == 0 else (theirs, hers)
            await put_both((ann, dee)[number % 2], own, other, cell)
    async with repeating(ann, hers, *labels) as told:
        await asyncio.sleep(QUIET_SECONDS)
        for text in ("/help", "/stats", "/settings", "/newgame easy"):
            assert await answered(dee, text) < 2 * slowness()
    assert LATELY in told
