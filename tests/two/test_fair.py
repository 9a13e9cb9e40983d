"""What one person may cost another: nobody's toggling keeps an opponent waiting, and who repeats it is told so."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio

from bot.game.attempt import Refusal
from playground.chats import Message
from playground.flood import Published
from playground.people import Person
from tests.people import X_WINS, begun_by_link, played_both
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

LATELY = Refusal.ASKED_LATELY.value
QUIET_SECONDS = 8


@pytest.fixture(scope="module")
def module_settings() -> dict[str, str]:
    """The pace that the bot has by itself."""
    return {"CALLS_PER_SECOND": "", "EDITS_PER_MINUTE": ""}


@pytest_asyncio.fixture(loop_scope="module")
async def boards(shared: World, ann: Person) -> tuple[Message, Message, Person]:
    """A game by link between Ann, who has X, and Dee, who speaks English: their boards, and Dee."""
    dee = shared.playground.add_person("Dee", started=True)
    shared.playground.flood.model = Published()
    return *await begun_by_link(ann, dee), dee


@asynccontextmanager
async def repeating(person: Person, board: Message, *labels: str) -> AsyncIterator[list[str]]:
    """While somebody taps these buttons in turn, twice a second, whatever comes of it; what they are told."""
    told: list[str] = []
    seen: dict[str, str] = {}

    async def tap() -> None:
        for number in range(10_000):
            label = labels[number % len(labels)]
            for each in (each for row in board.keyboard for each in row if str(each["text"]).startswith(label)):
                seen[label] = str(each["callback_data"])
            if label in seen:  # an app may show it for longer than the bot does
                told.append((await person.tap(board, data=seen[label])).text or "")
            await asyncio.sleep(0.5)

    task = asyncio.create_task(tap())
    try:
        yield told
    finally:
        task.cancel()


async def done(oxo: World, work: Coroutine[None, None, object]) -> float:
    task, steps = asyncio.ensure_future(work), 0
    while not task.done():
        await oxo.skip(0.2)
        steps += 1
    await task
    return steps * 0.2


async def test_who_keeps_thinking_better_of_resigning_waits_and_is_told_so_but_may_always_resign(
    shared: World, ann: Person, boards: tuple[Message, Message, Person]
) -> None:
    hers, theirs, dee = boards
    async with repeating(ann, hers, "Call off", "No, keep playing") as told:
        await shared.pass_by(QUIET_SECONDS, step=0.2)
    assert LATELY in told
    assert theirs.revision <= 6, "they saw the question come and go"
    await done(shared, played_both((ann, hers), (dee, theirs), (4, 0)))
    assert (await ann.tap(hers, "Resign")).text != LATELY, "whoever wants to lose may"


@pytest.mark.parametrize("labels", [("Call off", "No, keep playing"), ("Rematch", "✕")])
async def test_an_opponents_taps_dont_keep_somebodys_own_chat_waiting(
    shared: World, ann: Person, boards: tuple[Message, Message, Person], labels: tuple[str, str]
) -> None:
    hers, theirs, dee = boards
    if labels[0] == "Rematch":
        await done(shared, played_both((ann, hers), (dee, theirs), X_WINS))
    async with repeating(ann, hers, *labels) as told:
        await shared.pass_by(QUIET_SECONDS, step=0.2)
        # Two seconds each, as a chat's pace has it; with an edit for every tap, most would be four.
        texts = ("/help", "/stats", "/settings", "/newgame easy", "/top", "/help")
        assert sum([await done(shared, dee.ask(text)) for text in texts]) < 12
    assert LATELY in told
