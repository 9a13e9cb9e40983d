"""The computer searches in a worker process: what people see and can do meanwhile, and hints."""

from contextlib import suppress

import psutil
import pytest

from bot.context.mover import SEARCH_SECONDS
from bot.workers.pool import OVERRUN_SECONDS
from engine import Level, candidates
from playground.chats import Message
from playground.people import Person
from tests.people import EMPTY, UNDONE, is_board, position_of, put_out_of_sight, styles_of, tap_cell
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

THINKING = "OXO is thinking"


async def begun(ann: Person, level: str = "perfect") -> Message:
    """A game on 5 by 5, four in a row, in which Ann moves first."""
    return await ann.ask(f"/newgame 5x5 {level}")


def marks(board: Message) -> int:
    return sum(label != EMPTY for row in board.labels[:5] for label in row)


async def shows(board: Message, wanted: int) -> None:
    """Return once a board shows this many marks."""
    await board.until(lambda message: marks(message) == wanted, within=60)


async def put(ann: Person, board: Message) -> str | None:
    """Tap the last empty cell of a board of five columns; returns the immediate answer."""
    free = [(row, column) for row in range(5) for column in range(5) if board.labels[row][column] == EMPTY]
    row, column = free[-1]
    return (await ann.tap(board, row=row, column=column)).text


def processes() -> list[psutil.Process]:
    """The worker processes that search, without `multiprocessing`'s own helper processes."""
    found = []
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):  # it may have ended just now
            if any("spawn_main" in word for word in child.cmdline()):
                found.append(child)
    return found


async def frozen(ann: Person, board: Message) -> psutil.Process:
    """The worker process, frozen after one answer, with another to search for."""
    assert await put(ann, board) is None
    await shows(board, 2)
    (process,) = processes()
    process.suspend()
    assert await put(ann, board) is None
    return process


async def test_a_quick_answer_shares_the_edit_of_the_move(shared: World, ann: Person) -> None:
    board = await begun(ann, "easy")
    counts = []
    for wanted in (2, 4, 6):
        before = len(shared.edits(board))
        await put(ann, board)
        await shows(board, wanted)
        counts.append(len(shared.edits(board)) - before)
    assert 1 in counts, "only a very busy machine takes longer than 0.3 s every time"


async def test_a_slow_answer_lets_the_move_be_shown_first_and_a_takeback_ends_the_search(
    shared: World, ann: Person
) -> None:
    board = await begun(ann)
    process = await frozen(ann, board)
    shared.clock.skip(1)
    await board.until(lambda message: THINKING in message.text)
    assert marks(board) == 3
    assert await put(ann, board) == "It's not your turn yet."
    assert "I'm thinking" in ((await ann.tap(board, "Hint, no 🏅")).text or "")
    assert (await ann.tap(board, "Undo")).text == UNDONE
    await shows(board, 2)
    process.wait(60)
    assert await put(ann, board) is None
    await shows(board, 4)
    assert THINKING not in board.text


@pytest.mark.parametrize("how", ["is stuck", "dies"])
async def test_the_game_goes_on_though_the_process_that_searches(shared: World, ann: Person, how: str) -> None:
    board = await begun(ann)
    process = await frozen(ann, board)
    if how == "dies":
        process.kill()
    else:
        shared.clock.skip(1)
        await board.until(lambda message: THINKING in message.text)
        shared.clock.skip(SEARCH_SECONDS + OVERRUN_SECONDS)
    await shows(board, 4)
    process.wait(60)
    assert await put(ann, board) is None
    await shows(board, 6)


async def test_somebody_who_plays_by_typing_is_told_both_moves(ann: Person) -> None:
    board = await begun(ann)
    said = await ann.say("/move 25")
    told = await ann.private.wait_for(lambda message: "Your move:" in message.text, after=said)
    assert "My move:" in told.text
    await shows(board, 2)


# Hints.


async def test_a_hint_marks_its_cell_once(ann: Person) -> None:
    board = await ann.ask("/newgame medium me")
    await tap_cell(ann, board, 4)
    position, before = position_of(board), styles_of(board)
    board.seen = board.revision
    answer = await ann.tap(board, "Hint, no 🏅")
    assert answer.text is not None
    assert answer.text.startswith("💡")
    await board.changed()
    (marked,) = styles_of(board).keys() - before.keys()
    assert marked in candidates(Level.STRONGEST, position)
    assert position_of(board) == position
    await tap_cell(ann, board, next(cell for cell in position.legal_moves if cell != marked))
    after = position_of(board)
    assert after.ply == position.ply + 2
    assert after.outcome is not None or after.mark_at(marked) or marked not in styles_of(board)


async def test_a_hint_is_marked_on_the_board_that_comes_down_for_it(ann: Person) -> None:
    await put_out_of_sight(await ann.ask("/newgame medium me"), ann)
    below = await ann.private.wait_for(is_board, after=await ann.say("/hint"))
    await below.until(lambda message: "success" in styles_of(message).values())


async def test_a_hint_on_a_bigger_board_comes_from_a_worker_process(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame easy me")
    await tap_cell(ann, board, 4)
    newest = max(shared.records())
    shared.sql(f"UPDATE games SET rules = '5x5x4', moves = '0A1B2C' WHERE id = {newest}")  # noqa: S608 - our own
    board.seen = board.revision
    answer = await ann.tap(board, "Hint, no 🏅", within=60)
    assert answer.text == "💡 Hint: row 1, column 4 (it wins)."
    await board.changed()
    assert board.keyboard[0][3]["style"] == "success"
