"""A group becomes a supergroup in mid-game: its games and settings move along, even if no update says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from playground import Playground
from tests.faults.crowd import Ledger, Player, free_tap, settled, taps_on
from tests.processes import Processes, until


@pytest.mark.parametrize("told", [True, False], ids=["told", "not told"])
async def test_games_follow_their_group(*, told: bool, database_url: str, tmp_path: Path) -> None:
    ledger = Ledger()
    async with Playground() as playground, Processes(playground, tmp_path, database_url) as rig:
        group = playground.groups["noughts"]
        ann = playground.people["ann"]
        at = f"@{playground.bot.username}"
        await ann.ask(f"/difficulty{at} perfect", in_=group)
        player = Player(ann, group, ledger, 1)
        for _ in range(2):
            own = await ann.say(f"/newgame{at} easy me", in_=group)
            board = await group.wait_for(lambda message: bool(taps_on(message)), after=own)
        await player.press(board, free_tap(board))
        await settled(rig)
        before = rig.games()
        if told:
            new = group.migrate()
        else:
            playground.world.updates.allow(["callback_query"])  # so the bot never gets the update
            new = group.migrate()
            playground.world.updates.allow(["message", "callback_query"])
            await player.press(board, free_tap(board))  # the edit, then the new message, fail in the dead group
        await until(lambda: all(game.chat_id == new.id for game in rig.games().values()))
        await ann.ask(f"/help{at}", in_=new)
        after = rig.games()
        assert all(after[game_id].moves.startswith(game.moves) for game_id, game in before.items())
        own = await ann.say(f"/games{at}", in_=new)
        # Boards that follow their group may come at any time; each names one game.
        numbers = [f"#{game_id}" for game_id in after]
        await new.wait_for(
            lambda message: all(each in str((message.text, message.labels)) for each in numbers), after=own
        )
        own = await ann.say(f"/newgame{at}", in_=new)
        board = await new.wait_for(lambda message: "Play OXO" in str(message.labels), after=own)
        await ann.tap(board, "Play OXO")
        await board.until(lambda message: bool(taps_on(message)))
        assert "perfect" in board.text, "the settings moved along"
        mover = Player(ann, new, ledger, 2)
        assert await mover.press(board, free_tap(board))
        assert ledger.look(rig.games()) == 0
    assert "Traceback" not in rig.logged()
