"""The computer searches in a worker process: what people see and can do meanwhile, and after a power cut."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing, suppress

import psutil
import pytest

from playground.messages import Message
from playground.people import Person
from storage.games.game import replay
from tests.people import EMPTY, UNDONE
from tests.processes import Processes

THINKING = "OXO is thinking"


@pytest.fixture
def oxo(process: Processes) -> Processes:
    """The bot as a process of its own, whose workers are its children."""
    return process


@pytest.fixture
def ann(oxo: Processes) -> Person:
    """Ann, in the test's own playground."""
    return oxo.playground.people["ann"]


async def begun(ann: Person, level: str = "perfect") -> Message:
    """A game on 5 by 5, four in a row, in which Ann moves first."""
    return await ann.ask(f"/newgame 5x5 {level}")


def marks(board: Message) -> int:
    """The number of marks on a board of five columns."""
    return sum(label != EMPTY for row in board.labels[:5] for label in row)


async def shows(board: Message, wanted: int, within: float = 60) -> None:
    """Return once a board shows this many marks."""
    await board.until(lambda message: marks(message) == wanted, within=within)


async def put(ann: Person, board: Message, cell: int) -> str | None:
    """Tap a cell of a board of five columns; returns the immediate answer."""
    return (await ann.tap(board, row=cell // 5, column=cell % 5)).text


def stored(oxo: Processes) -> str:
    """The moves of the newest game."""
    with sqlite3.connect(oxo.database) as connection:
        (moves,) = connection.execute("SELECT moves FROM games ORDER BY id DESC LIMIT 1").fetchone()
    connection.close()
    return str(moves)


def due_at(oxo: Processes) -> float:
    """When the newest game's deadline is checked."""
    with closing(sqlite3.connect(oxo.database)) as connection:
        (due,) = connection.execute("SELECT due_at FROM games ORDER BY id DESC LIMIT 1").fetchone()
    return float(due)


def processes(oxo: Processes) -> list[psutil.Process]:
    """The worker processes that search, without `multiprocessing`'s own helper processes."""
    (bot,) = oxo.processes
    assert bot is not None
    found = []
    for child in psutil.Process(bot.pid).children():
        with suppress(psutil.NoSuchProcess):  # it may have ended just now
            if any("spawn_main" in word for word in child.cmdline()):
                found.append(child)
    return found


async def frozen(oxo: Processes, ann: Person, board: Message) -> psutil.Process:
    """The worker process, frozen after one answer: the next comes when it resumes."""
    assert await put(ann, board, 0) is None
    await shows(board, 2)
    (process,) = processes(oxo)
    process.suspend()
    return process


async def test_the_computer_answers_on_a_bigger_board(oxo: Processes, ann: Person) -> None:
    board = await begun(ann)
    assert processes(oxo) == [], "it starts when it is first needed"
    for ply in (0, 2, 4):
        position = replay("5x5x4", stored(oxo))
        assert await put(ann, board, position.legal_moves[-1]) is None
        await shows(board, ply + 2)
    assert len(processes(oxo)) == 1
    assert "Traceback" not in oxo.logged()


async def test_a_quick_answer_shares_the_edit_of_the_move(oxo: Processes, ann: Person) -> None:
    board = await begun(ann, "easy")
    counts = []
    for cell in (0, 6, 18):
        before = len(oxo.edits(board))
        wanted = marks(board) + 2
        await put(ann, board, cell if board.labels[cell // 5][cell % 5] == EMPTY else cell + 1)
        await shows(board, wanted)
        counts.append(len(oxo.edits(board)) - before)
    assert 1 in counts, "only a very busy machine takes longer than 0.3 s every time"


async def test_a_slow_answer_lets_the_move_be_shown_first(oxo: Processes, ann: Person) -> None:
    board = await begun(ann)
    process = await frozen(oxo, ann, board)
    assert await put(ann, board, 24) is None
    await board.until(lambda message: THINKING in message.text)
    assert marks(board) == 3
    process.resume()
    await shows(board, 4)
    assert THINKING not in board.text


async def test_while_the_computer_thinks_one_may_take_back_and_resign_and_nothing_else(
    oxo: Processes, ann: Person
) -> None:
    board = await begun(ann)
    process = await frozen(oxo, ann, board)
    await put(ann, board, 24)
    await board.until(lambda message: THINKING in message.text)
    assert await put(ann, board, 23) == "It's not your turn yet."
    assert "I'm thinking" in ((await ann.tap(board, "Hint")).text or "")
    assert (await ann.tap(board, "Undo")).text == UNDONE
    await shows(board, 2)
    process.wait(60)
    assert await put(ann, board, 24) is None
    await shows(board, 4)
    (process,) = processes(oxo)
    process.suspend()
    await put(ann, board, 23 if board.labels[4][3] == EMPTY else 22)
    await board.until(lambda message: THINKING in message.text)
    assert (await ann.tap(board, "Resign")).text is None
    await board.until(lambda message: "Yes, resign" in str(message.labels))
    assert THINKING in board.text
    assert process.is_running(), "a second search does no harm"
    assert (await ann.tap(board, "Yes, resign")).text is None
    await board.until(lambda message: "You resigned" in message.text)
    process.wait(60)


@pytest.mark.parametrize("again", ["the clock", "the start"])
async def test_after_a_power_cut_the_computer_moves_once(oxo: Processes, ann: Person, again: str) -> None:
    board = await begun(ann)
    process = await frozen(oxo, ann, board)
    await put(ann, board, 24)
    await board.until(lambda message: THINKING in message.text)
    await oxo.kill()
    process.resume()
    process.wait(60)  # nobody is left behind
    if again == "the start":
        with sqlite3.connect(oxo.database) as connection:
            connection.execute("UPDATE games SET due_at = 0")
        connection.close()
    await oxo.start()
    await shows(board, 4, within=60)
    assert len(stored(oxo)) == 4
    assert replay("5x5x4", stored(oxo)).ply == 4


async def test_a_signal_ends_the_bot_in_time_while_the_computer_thinks(oxo: Processes, ann: Person) -> None:
    board = await begun(ann)
    process = await frozen(oxo, ann, board)
    await put(ann, board, 24)
    assert await oxo.stop() == 0
    process.wait(60)
    assert marks(board) == 3, "the board held back for the answer is shown"
    assert due_at(oxo) <= time.time(), "it was handed over, and waits for no deadline"
    await oxo.start()
    await shows(board, 4)
    assert "Traceback" not in oxo.logged()


async def test_a_process_that_is_stuck_holds_no_game_up(oxo: Processes, ann: Person) -> None:
    board = await begun(ann)
    process = await frozen(oxo, ann, board)
    await put(ann, board, 24)
    await shows(board, 4)
    process.wait(60)
    assert replay("5x5x4", stored(oxo)).ply == 4
    assert await put(ann, board, 23 if board.labels[4][3] == EMPTY else 22) is None
    await shows(board, 6)
    assert "Traceback" not in oxo.logged()


async def test_a_process_that_dies_is_replaced(oxo: Processes, ann: Person) -> None:
    board = await begun(ann)
    process = await frozen(oxo, ann, board)
    await put(ann, board, 24)
    process.kill()
    await shows(board, 4)
    assert await put(ann, board, 23 if board.labels[4][3] == EMPTY else 22) is None
    await shows(board, 6)


async def test_a_game_that_could_not_be_looked_at_is_looked_at_once_it_is_opened_again(
    oxo: Processes, ann: Person
) -> None:
    board = await begun(ann)
    assert await put(ann, board, 0) is None
    await shows(board, 2)
    await ann.tap(board, "Resign")
    await board.until(lambda message: "Yes, resign" in str(message.labels))
    await ann.tap(board, "Yes, resign")
    await board.until(lambda message: "Review" in str(message.labels))
    await ann.tap(board, "Review")
    async with asyncio.timeout(60):
        while "I can't judge this game." not in board.text:
            for process in processes(oxo):
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            await asyncio.sleep(0.05)  # it is tried twice
    await ann.tap(board, "✕")
    await board.until(lambda message: "Review" in str(message.labels))
    await ann.tap(board, "Review")
    await board.until(lambda message: "Analysing this game" in message.text)


async def test_the_computer_thinks_of_its_first_move_too(ann: Person) -> None:
    board = await begun(ann, "medium")
    await ann.tap(board, "First: Me")
    await shows(board, 1)
    assert "First: OXO" in str(board.labels)
    await ann.tap(board, "Difficulty: medium")
    await board.until(lambda message: "Difficulty: medium" not in str(message.labels) and marks(message) == 1)


async def test_somebody_who_plays_by_typing_is_told_both_moves(ann: Person) -> None:
    board = await begun(ann)
    said = await ann.say("/move 25")
    told = await ann.private.wait_for(lambda message: "You played" in message.text, after=said)
    assert "I answered" in told.text
    await shows(board, 2)


async def test_in_text_the_answer_comes_with_the_move_in_one_message(oxo: Processes, ann: Person) -> None:
    board = await begun(ann, "easy")
    await put(ann, board, 0)  # the worker process has started by then
    await shows(board, 2)
    with sqlite3.connect(oxo.database) as connection:
        connection.execute("UPDATE boards SET as_text = 1")
        connection.execute("UPDATE chats SET as_text = 1")
    connection.close()
    free = replay("5x5x4", stored(oxo)).legal_moves[-1]  # the easiest computer plays at random
    said = await ann.say(f"/move {free + 1}")
    board = await ann.private.wait_for(lambda message: "a  b  c" in message.text, after=said)
    assert "Your turn" in board.text
    assert board.revision == 0
