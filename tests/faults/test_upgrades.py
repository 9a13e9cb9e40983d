"""The database is upgraded while a forgotten bot still runs: the bot ends, and nothing is lost."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.boards import buttons
from playground import Playground
from storage.database import connect, parse_url
from storage.migrate import HEAD
from tests.faults.crowd import free_tap, moved_on
from tests.processes import Processes


def become(database_url: str, schema: str, old: str, new: str) -> None:
    """Change the schema: a column of games gets another name."""
    engine = connect(parse_url(database_url))  # as an upgrade does, which waits for locks
    with engine.begin() as connection:
        connection.execute(text(f"ALTER TABLE games RENAME COLUMN {old} TO {new}"))
        connection.execute(text("UPDATE alembic_version SET version_num = :schema"), {"schema": schema})
    engine.dispose()


@pytest.mark.parametrize(
    ("database", "webhook"),
    [("sqlite_url", False), ("postgres_url", True)],
    ids=["sqlite, by polling", "postgresql, by webhook"],
)
async def test_a_process_left_over_after_an_upgrade_confirms_nothing_and_ends(
    request: pytest.FixtureRequest, database: str, *, webhook: bool, tmp_path: Path
) -> None:
    database_url: str = request.getfixturevalue(database)
    async with Playground() as playground, Processes(playground, tmp_path, database_url, webhook=webhook) as rig:
        ann, left_over = playground.people["ann"], rig.processes[0]
        assert left_over is not None
        board = await ann.ask("/newgame easy me")
        tap = free_tap(board)
        become(database_url, "9999", "moves", "plays")
        query = ann.press(board, buttons.write(tap.button))
        assert await asyncio.wait_for(left_over.wait(), 60) == 1
        rig.processes[0] = None
        assert "Another release has upgraded the database" in rig.logged()
        assert not query.answer.done(), "it will be delivered to the newer release"
        become(database_url, HEAD, "plays", "moves")
        await rig.start()
        assert (await asyncio.wait_for(query.answer, 60)).text is None
        await board.until(lambda message: moved_on(tap, message))
        (game,) = rig.games().values()
        assert len(game.moves) == 2, "the move and the answer to it"
