"""Each chat's requests are handled in order, however long they take; no chat waits for another (D4, D10, D14)."""

from __future__ import annotations

import asyncio

import pytest

from playground.messages import Message
from tests.boards import board as position_with
from tests.people import begun, is_board, offered, plain, position_of, put, tap_cell
from tests.world import World


async def test_commands_that_waited_for_the_bot_are_done_in_the_order_in_which_they_were_given(oxo: World) -> None:
    ann, bo = oxo.playground.people["ann"], oxo.playground.people["bo"]
    group = oxo.playground.groups["noughts"]
    for is_killed in (False, True):
        board = await begun(ann, bo, group, "me")
        if is_killed:
            oxo.kill()
        await oxo.stop()
        for ply, cell in enumerate((5, 1, 9, 2)):
            own = await (bo if ply % 2 else ann).say(f"/move {cell}", in_=group, reply_to=board)
        await oxo.serve()
        # The board has moved down to their messages.
        below = await group.wait_for(
            lambda message: is_board(message) and position_of(message).ply == 4, after=own
        )
        assert position_of(below) == position_with("OO./.X./..X")


async def test_answers_to_commands_that_waited_come_in_their_order(oxo: World) -> None:
    ann = oxo.playground.people["ann"]
    await ann.ask("/start")
    await oxo.stop()
    own = [await ann.say(text) for text in ("/newgame easy", "/privacy", "/difficulty", "/help")]
    await oxo.serve()
    answers = await _answers(own[-1], 4)
    assert len(answers[0].labels) >= 3, "the board first"
    words = [answer.text for answer in answers]
    assert "store" in words[1] or "keep" in words[1], words
    assert any("✓" in label for row in answers[2].labels for label in row), words
    assert "/newgame" in words[3], words


async def _answers(after: Message, number: int) -> list[Message]:
    """The bot's next messages after another one, this many."""

    def newer() -> list[Message]:
        return [message for message in after.chat.messages.values() if message.from_bot and message.id > after.id]

    await after.chat.wait_for(lambda _: len(newer()) >= number, after=after, within=60)
    return newer()


async def test_a_telegram_that_is_slow_to_name_administrators_delays_nobody(oxo: World) -> None:
    playground = oxo.playground
    ann, bo, cem = (playground.people[name] for name in ("ann", "bo", "cem"))
    group = playground.groups["noughts"]
    challenge = await ann.ask("/challenge", in_=group)
    board = await bo.ask("/newgame easy me")
    playground.faults.add(kind="delay", method="getChatMember", delay=120)
    cancel = str(challenge.button("Cancel")["callback_data"])
    taps = [cem.press(challenge, cancel) for _ in range(200)]
    begun_ = playground.telegram.changes
    await begun_.until(lambda: playground.calls_of("getChatMember") or None, 60, lambda: "the question")
    await tap_cell(bo, board, 4)  # a question takes two seconds; two hundred would take longer than this may
    answers = await asyncio.wait_for(asyncio.gather(*(tap.answer for tap in taps)), 60)
    assert all(answer.text for answer in answers)
    assert "Cancel" in offered(challenge)
    assert len(playground.calls_of("getChatMember")) == 1
    cem.press(challenge, cancel)
    await oxo.stop()  # nor does that wait for it


@pytest.mark.parametrize("settings", [{"MOVE_TTL": "9s"}])
async def test_a_move_that_was_made_in_time_while_the_bot_was_away_is_not_lost_on_time(oxo: World) -> None:
    playground = oxo.playground
    ann, bo, cem = (playground.people[name] for name in ("ann", "bo", "cem"))
    group = playground.groups["noughts"]
    board = await begun(ann, bo, group, "me")
    await oxo.skip(7)
    await group.wait_for(lambda message: "it's your move" in message.text, after=board)
    oxo.kill()
    ann.press(board, str(board.button(row=1, column=1)["callback_data"]))
    await oxo.skip(4)  # past the deadline
    # Enough updates are waiting that handling them takes a while.
    for _ in range(150):
        await cem.say("/move 1", in_=group, reply_to=board)
    await oxo.serve()
    await board.until(lambda message: position_of(message).ply == 1, within=60)
    assert "ran out of time" not in plain(board)
    await put(bo, board, 0)
