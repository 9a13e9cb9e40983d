"""Taps that play nothing: each is answered in words and changes nothing."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import Mark
from playground.errors import bad_request
from playground.faults import Kind
from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.people import WIN, boards_in, data_of, play_to, position_of, tap_cell
from tests.soak import SOAK
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def refused(shared: World, person: Person, board: Message, data: str | bytes) -> str:
    """Tap something that must be refused; returns what the person is told."""
    before = (board.text, board.keyboard, board.revision)
    messages = len(board.chat.messages)
    tap = person.press(board, data)
    answer = await asyncio.wait_for(tap.answer, 60)
    await shared.has_answered(board.chat, person)
    assert (board.text, board.keyboard, board.revision) == before, "the board is as it was"
    assert len(board.chat.messages) == messages + 2, "only /difficulty and its answer were sent"
    given_answers = [
        call
        for call in shared.playground.calls_of("answerCallbackQuery")
        if call.parameters["callback_query_id"] == tap.id
    ]
    assert len(given_answers) == 1
    assert answer.text or answer.url
    return answer.text or str(answer.url)


async def test_a_taken_cell_is_answered_with_words(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame")
    await tap_cell(ann, board, 4)
    (other,) = set(range(9)) - set(position_of(board).legal_moves) - {4}
    edits = len(shared.edits(board))
    for cell in (4, other):
        assert "taken" in await refused(shared, ann, board, data_of(board, cell))
    assert len(shared.edits(board)) == edits


async def test_a_double_tap_plays_once(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame")
    data = data_of(board, 4)
    one, two = ann.press(board, data), ann.press(board, data)
    answers = [(await tap.answer).text for tap in (one, two)]
    assert answers[0] is None
    assert answers[1]
    await shared.has_answered(ann.private, ann)
    assert position_of(board).ply == 2


async def test_of_nine_cells_tapped_together_one_is_played(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame")
    taps = [ann.press(board, data_of(board, cell)) for cell in (8, 0, 4, 2, 6, 1, 3, 5, 7)]
    answers = [(await tap.answer).text for tap in taps]
    assert answers[0] is None
    assert all(answers[1:])
    await shared.has_answered(ann.private, ann)
    position = position_of(board)
    assert position.ply == 2
    assert position.mark_at(8)


async def test_a_tap_delivered_twice_plays_once(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame")
    faults = shared.playground.faults
    fault = faults.add(kind="duplicate", update="callback_query", chat=ann.private, delay=0, times=1)
    answer = await ann.tap(board, row=0, column=0)
    assert answer.text is None
    await shared.has_answered(ann.private, ann)
    assert fault.struck == 1
    assert position_of(board).ply == 2


async def test_a_stale_board_is_answered_with_words_and_shown_again(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame")
    faults = shared.playground.faults
    lost = faults.add(
        kind="error", method="editMessageText", chat=ann.private, error=bad_request("TEST_LOST"), times=1
    )
    old = data_of(board, 8)
    await ann.tap(board, row=0, column=0)
    await shared.has_answered(ann.private, ann)
    assert lost.struck == 1
    assert position_of(board).ply == 0, "the board that Telegram shows is behind"
    answer = await ann.tap(board, data=old)
    assert "has changed" in (answer.text or "")
    await board.changed()
    position = position_of(board)
    assert position.ply == 2
    assert position.mark_at(8) is None or position.turn, "the tap on the old board was not played"
    await tap_cell(ann, board, position.legal_moves[0])


async def test_the_buttons_of_an_earlier_board_play_nothing(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame")
    earlier = [data_of(board, cell) for cell in range(9)]
    await tap_cell(ann, board, 4)
    position = position_of(board)
    for cell in position.legal_moves:
        answer = await ann.tap(board, data=earlier[cell])
        assert "has changed" in (answer.text or "")
    await shared.has_answered(ann.private, ann)
    assert position_of(board) == position


async def test_a_tap_on_a_finished_game_is_told_that_it_is_over(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame easy")
    old = data_of(board, 0)
    await play_to(WIN, ann, board, "easy")
    await ann.tap(board, row=0, column=0)
    for data in (old, data_of(board, 0), data_of(board, 8)):
        assert "over" in await refused(shared, ann, board, data)


async def test_taps_on_plies_and_cells_that_are_not_there_change_nothing(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame")
    _, game, _, _ = data_of(board, 0).split(":")
    for ply, cell in ((0, 9), (0, 63), (0, 99), (1, 0), (9, 8), (99, 99), (2, 4)):
        assert await refused(shared, ann, board, f"2m:{game}:{ply}:{cell}")


async def test_games_that_do_not_exist_are_told_so(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame")
    for data in ("2m:{}:0:0", "2level:{}:easy", "2first:{}:0", "2again:{}", "2undo:{}:0", "2accept:{}::0:1"):
        for game in ("999999", "9223372036854775807", "999999999999999999", "9" * 30):
            assert await refused(shared, ann, board, data.format(game))


async def test_another_game_cannot_be_had_while_one_runs(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame")
    game = data_of(board, 0).split(":")[1]
    for action in ("again", "swap", "rematch"):
        assert await refused(shared, ann, board, f"2{action}:{game}")


async def test_nobody_else_can_do_anything_to_a_game(shared: World, ann: Person, bo: Person, group: Group) -> None:
    board = await ann.ask("/newgame easy me", in_=group)
    game = data_of(board, 0).split(":")[1]
    fresh = [data_of(board, 0), *(str(button["callback_data"]) for button in board.keyboard[3])]
    for data in (*fresh, f"2level:{game}:hard", f"2first:{game}:0", f"2again:{game}"):
        assert "别人" in await refused(shared, bo, board, data)
    await tap_cell(ann, board, 4)
    for cell in range(9):
        assert await refused(shared, bo, board, data_of(board, cell))
    await play_to(WIN, ann, board, "easy")
    for button in (button for row in board.keyboard for button in row):
        assert await refused(shared, bo, board, str(button["callback_data"]))


async def test_the_number_of_somebodys_private_game_opens_nothing(shared: World, ann: Person, bo: Person) -> None:
    board = await ann.ask("/newgame easy me")
    own = await bo.ask("/newgame easy me")
    position = position_of(own)
    for button in (button for row in board.keyboard for button in row):
        assert await refused(shared, bo, own, str(button["callback_data"]))
    game = data_of(board, 0).split(":")[1]
    assert await refused(shared, bo, own, f"2swap:{game}")
    await shared.has_answered(ann.private, ann)
    assert position_of(own) == position
    assert position_of(board).ply == 0
    await tap_cell(bo, own, 0)
    await tap_cell(ann, board, 0)


async def test_ones_own_button_on_somebody_elses_board_leaves_that_board_alone(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    board = await ann.ask("/newgame easy me", in_=group)
    own = await bo.ask("/newgame easy me", in_=group)
    before = (board.text, board.keyboard, board.revision)
    await bo.tap(board, data=data_of(own, 4))
    await shared.has_answered(group, ann)
    assert (board.text, board.keyboard, board.revision) == before
    await tap_cell(ann, board, 8)
    assert position_of(board).mark_at(8)
    assert position_of(own).mark_at(8) is not Mark.X


@pytest.mark.parametrize("data", ["2set:level:easy", "2set:first:bot"])
async def test_a_menus_button_on_a_board_leaves_the_board_alone(
    shared: World, ann: Person, bo: Person, group: Group, data: str
) -> None:
    board = await ann.ask("/newgame easy me", in_=group)
    before = (board.text, board.keyboard, board.revision)
    await bo.tap(board, data=data)
    await shared.has_answered(group, ann)
    assert (board.text, board.keyboard, board.revision) == before
    await tap_cell(ann, board, 8)


async def test_a_tap_on_a_deleted_board_is_answered(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame easy me")
    data = data_of(board, 0)
    ann.delete(board)
    answer = await asyncio.wait_for(ann.press(board, data).answer, 60)
    assert answer.text is None or answer.text
    anew = await ann.private.wait_for(lambda message: message in boards_in(ann.private), after=board)
    assert position_of(anew).ply == 2, "the board is there again, with the move"
    await tap_cell(ann, anew, position_of(anew).legal_moves[0])
    await shared.has_answered(ann.private, ann)


SEEDS = ("2m:{game}:0:4", "2level:{game}:hard", "2first:{game}:0", "2resign:{game}:0", "2accept:{game}::0:1")


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Our callback data with a byte or two changed, inserted or deleted."""
    data = bytearray(draw(st.sampled_from(SEEDS)).replace("{game}", "999999").encode())
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(data)))
        data[place : place + draw(st.integers(0, 2))] = draw(st.binary(max_size=3))
    return bytes(data)


@settings(
    max_examples=500 if SOAK else 50,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.one_of(
        st.binary(max_size=64),
        mutated(),
        st.text(max_size=64).map(lambda text: text.encode("utf-8", "surrogatepass")),
        st.sampled_from(
            [
                b"",
                b"\0",
                b"2m",
                b"2m:",
                b"2m:1:1",
                b"2level:",
                b"2level:1:EASY",
                b"2m:1:0:0\n",
                b"1t:1:0:0",
                b"2z",
            ]
        ),
    )
)
async def test_any_bytes_as_data_are_answered_with_words_and_change_no_board(shared: World, data: bytes) -> None:
    cleo = shared.playground.people.get("cleo")
    if cleo is None:
        cleo = shared.playground.add_person("Cleo", started=True)
        await cleo.ask("/newgame medium me")
    (board,) = boards_in(cleo.private)
    before = (board.text, board.keyboard, board.revision)
    sent = len(shared.sent(cleo.private))
    answer = await cleo.tap(board, data=data)
    assert answer.text
    await shared.has_answered(cleo.private, cleo)
    assert (board.text, board.keyboard, board.revision) == before
    assert len(shared.sent(cleo.private)) == sent + 1, "the menu at the end"


async def test_the_edit_does_not_wait_for_the_answer(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame")
    fault = shared.playground.faults.add(kind="delay", method="answerCallbackQuery", delay=1.0)
    try:
        tap = ann.press(board, data_of(board, 4))
        await board.changed()
        assert not tap.answer.done()
        assert position_of(board).ply == 2
        assert (await tap.answer).text is None
    finally:
        shared.playground.faults.remove(fault)


async def test_the_answer_does_not_wait_for_the_edit(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame")
    fault = shared.playground.faults.add(kind="delay", method="editMessageText", chat=ann.private, delay=1.0)
    try:
        await ann.tap(board, row=1, column=1)
        assert position_of(board).ply == 0
        await board.changed()
        assert position_of(board).ply == 2
    finally:
        shared.playground.faults.remove(fault)


async def test_a_slow_chat_holds_up_no_other(shared: World, ann: Person, bo: Person) -> None:
    slow, other = await ann.ask("/newgame"), await bo.ask("/newgame")
    fault = shared.playground.faults.add(kind="delay", method="editMessageText", chat=ann.private, delay=1.0)
    try:
        await ann.tap(slow, row=0, column=0)
        await tap_cell(bo, other, 0)
        assert position_of(slow).ply == 0
        assert position_of(other).ply == 2
        await slow.changed()
    finally:
        shared.playground.faults.remove(fault)


@pytest.mark.parametrize("kind", ["5xx", "drop_before"])
async def test_a_failed_answer_is_given_again_and_costs_no_move(shared: World, ann: Person, kind: Kind) -> None:
    board = await ann.ask("/newgame")
    fault = shared.playground.faults.add(kind=kind, method="answerCallbackQuery", times=1)
    await tap_cell(ann, board, 4)
    assert fault.struck == 1
    assert position_of(board).ply == 2
    await tap_cell(ann, board, position_of(board).legal_moves[0])


@pytest.mark.parametrize("kind", ["5xx", "drop_before", "drop_after", "429"])
async def test_a_failed_edit_costs_no_move(shared: World, ann: Person, kind: Kind) -> None:
    board = await ann.ask("/newgame")
    fault = shared.playground.faults.add(
        kind=kind, method="editMessageText", chat=ann.private, times=1, retry_after=1
    )
    await tap_cell(ann, board, 4)
    assert fault.struck == 1
    assert position_of(board).ply == 2
    await tap_cell(ann, board, position_of(board).legal_moves[0])


async def test_a_reply_whose_connection_ended_without_an_answer_is_sent_once_more(
    shared: World, ann: Person
) -> None:
    await ann.ask("/help")  # from here on, connections are reused
    for command, method in (("/help", "sendMessage"), ("/stats", "sendMessage"), ("/newgame", "sendMessage")):
        fault = shared.playground.faults.add(kind="drop_before", method=method, chat=ann.private, times=1)
        assert await ann.ask(command)
        assert fault.struck == 1


@pytest.mark.parametrize(
    ("command", "method"),
    [("/share", "sendAnimation"), ("/share picture", "sendPhoto"), ("/export", "sendDocument")],
)
async def test_a_file_whose_connection_ended_without_an_answer_is_sent_once_more(
    shared: World, ann: Person, command: str, method: str
) -> None:
    board = await ann.ask("/newgame easy")  # from here on, connections are reused
    await play_to(WIN, ann, board, "easy")
    fault = shared.playground.faults.add(kind="drop_before", method=method, chat=ann.private, times=1)
    said = await ann.say(command)
    await ann.private.wait_for(lambda message: message.file is not None, after=said)
    assert fault.struck == 1
