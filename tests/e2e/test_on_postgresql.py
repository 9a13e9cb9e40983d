"""The same bot on PostgreSQL, by changing one setting."""

from __future__ import annotations

import pytest

from tests.people import DRAW, WIN, play_to, position_of, tap_cell
from tests.processes import Processes


@pytest.fixture
def settings(postgres_url: str) -> dict[str, str]:
    """A plain `postgresql://` URL."""
    return {"DATABASE_URL": postgres_url}


async def test_games_choices_and_odd_people_are_kept_on_postgresql(process: Processes) -> None:
    playground = process.playground
    ann, bo = playground.people["ann"], playground.people["bo"]
    await play_to(WIN, ann, await ann.ask("/newgame easy"), "easy")
    board = await bo.ask("/newgame perfect bot")
    await tap_cell(bo, board, position_of(board).legal_moves[0] if position_of(board).mark_at(4) else 4)
    await ann.ask("/difficulty hard")
    for name, language in (("", None), ("a\ud800b\x00c", "x" * 300), ("\u202e" * 120, "zh-hans-" + "y" * 60)):
        odd = playground.add_person(name, key=f"odd {name!a}", language=language, started=True)
        await play_to(DRAW, odd, await odd.ask("/newgame perfect"), "perfect")
    await process.kill()
    await process.start()
    assert "hard" in (await ann.ask("/newgame")).text
    before = position_of(board)
    await tap_cell(bo, board, before.legal_moves[0])
    assert position_of(board).ply > before.ply
    assert await process.stop() == 0
    assert "Traceback" not in process.logged()
