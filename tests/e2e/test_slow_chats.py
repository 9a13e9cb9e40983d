"""A group in which many play at once: Telegram's limit slows its boards, and people who tap are told so."""

from __future__ import annotations

import asyncio

import pytest

from playground.flood import Published
from playground.queries import Answer
from tests.people import data_of, position_of
from tests.world import World


@pytest.fixture
def settings() -> dict[str, str]:
    """The pace that the bot has by itself."""
    return {"CALLS_PER_SECOND": "", "EDITS_PER_MINUTE": ""}


async def test_a_tap_whose_board_has_to_wait_is_told_so_and_counts(oxo: World) -> None:
    playground = oxo.playground
    playground.flood.model, playground.flood.enabled = Published(), True
    people = [playground.add_person(f"P{number}", started=True) for number in range(7)]
    group = playground.add_group("Busy", people)
    await people[0].ask("/settings theme shapes", in_=group)
    mine = [await person.ask("/newgame easy", in_=group) for person in people]

    async def tapped(number: int) -> Answer:
        return await people[number].tap(mine[number], data=data_of(mine[number], 4))

    answers = await asyncio.gather(*(tapped(number) for number in range(len(people))))
    told = [answer.text for answer in answers]
    # /settings, seven boards and two edits are ten calls, the largest burst. Meanwhile more may be allowed.
    assert 2 <= told.count(None) < len(people)
    waits = next(text for text in told if text)
    assert waits == "▲ centre is in. Telegram is limiting updates here. The board will catch up."
    assert playground.calls_of("editMessageText", chat=group)[-1].ok
    late = mine[told.index(waits)]
    assert position_of(late).ply == 0
    slow = people[told.index(waits)]
    elsewhere = await slow.ask("/newgame easy")
    answer = await slow.tap(elsewhere, data=data_of(elsewhere, 4))
    assert answer.text is None, "other chats don't wait"
