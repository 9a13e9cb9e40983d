"""Games and reviews that need searches, on bigger boards: by webhook, on PostgreSQL, with two processes."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.context.services import DOUBLE_SECONDS
from bot.game.actions import Move, ShowRegion
from playground import Playground
from playground.messages import Message
from playground.people import Person
from tests.carried import action_of
from tests.e2e.test_reviews import lines, pressed
from tests.people import EMPTY, offered, ply_of, put_on, turned
from tests.processes import Processes

LOOKED = 30.0
"""Seconds in which a game is looked at, on a machine that does other things too."""


def free(board: Message) -> list[int]:
    """The cells that a keyboard offers."""
    buttons = [(action_of(each), each["text"]) for row in board.keyboard for each in row]
    return [found.cell for found, label in buttons if isinstance(found, Move) and label == EMPTY]


async def moved(person: Person, board: Message, cell: int) -> None:
    """Play a cell, and wait for the computer's answer or the end."""
    ply = ply_of(board)
    await put_on(person, board, cell)
    await board.until(lambda shown: ply_of(shown) == ply + 2 or "Review" in offered(shown), within=60)


async def reviewed(person: Person, board: Message) -> None:
    """Open a review, and wait for its verdicts."""
    await person.tap(board, "Review")
    await board.until(
        lambda shown: shown.text.startswith("🔎 Review.") and "Analysing" not in shown.text, within=LOOKED
    )


async def test_a_lost_game_on_five_by_five_by_two_processes_on_postgresql(
    postgres_url: str, tmp_path: Path
) -> None:
    async with (
        Playground() as playground,
        Processes(playground, tmp_path, postgres_url, webhook=True, replicas=2) as rig,
    ):
        ann = playground.add_person("Ann", started=True)
        board = await ann.ask("/newgame 5x5 perfect me")
        while "Review" not in offered(board):
            await moved(ann, board, free(board)[-1])
        assert "I win" in board.text
        await reviewed(ann, board)
        await board.until(lambda shown: any(label.startswith("⚡") for label in offered(shown)), within=LOOKED)
        slip = next(label for label in offered(board) if label.startswith("⚡"))
        await ann.tap(board, slip)
        # Any process can be asked: one that hasn't analysed the game yet does so, and says so.
        await board.until(lambda shown: "This was the turning point" in shown.text, within=LOOKED)
        for _ in range(round(LOOKED)):
            if "still analysing" not in str((await ann.tap(board, "Try again")).text):
                break
            await asyncio.sleep(1)
        await board.until(lambda shown: shown.text.startswith("🤔 Which cell is better"))
        row, column = next((row, board.labels[row].index(EMPTY)) for row in range(5) if EMPTY in board.labels[row])
        await ann.tap(board, row=row, column=column)
        await board.until(lambda shown: shown.text.startswith(("✖️", "🎉")), within=LOOKED)
        if board.text.startswith("✖️"):
            await ann.tap(board, "Show me")
            await board.until(lambda shown: shown.text.startswith("💡"), within=LOOKED)
        await ann.tap(board, "✕")
        await board.until(lambda shown: "I win" in shown.text.splitlines()[0])
        assert "Traceback" not in rig.logged()


async def test_a_game_of_ultimate_by_webhook(sqlite_url: str, tmp_path: Path) -> None:
    async with Playground() as playground, Processes(playground, tmp_path, sqlite_url, webhook=True) as rig:
        ann = playground.add_person("Ann", started=True)
        board = await ann.ask("/newgame ultimate easy me")
        await turned(ann, board, "0")
        for _ in range(3):
            if isinstance(action_of(board.keyboard[0][0]), ShowRegion):
                await turned(ann, board, next(label for label in "876543210" if _opens(board, label)))
            await moved(ann, board, free(board)[0])
            await asyncio.sleep(DOUBLE_SECONDS)
        await ann.tap(board, "Resign")
        await board.until(lambda shown: "Yes, resign" in offered(shown))
        await ann.tap(board, "Yes, resign")
        await board.until(lambda shown: "Review" in offered(shown))
        await reviewed(ann, board)
        for ply in range(1, 7):
            await pressed(ann, board, "›")
            assert f"Move {ply} of 6." in lines(board)[0]
            assert [len(row) for row in board.labels[:3]] == [3, 3, 3]
            assert "🟦" in board.text or ply == 6, "the nine boards are drawn"
        assert "Traceback" not in rig.logged()


def _opens(board: Message, page: str) -> bool:
    """Whether a keyboard has a little board to open."""
    buttons = [(action_of(each), each["text"]) for row in board.keyboard[:3] for each in row]
    return any(found == ShowRegion(ply_of(board), int(page)) and label not in "❌🟡–" for found, label in buttons)
