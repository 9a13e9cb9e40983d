"""The rows below a board."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from bot import acts, keyboards
from bot.play import Board, Player, new_game, tap
from bot.texts import texts

if TYPE_CHECKING:
    from storage.game import Game

ANN, BO = Player(1, "Ann"), Player(2, "Bo")


def test_a_hasty_second_tap_on_resign_plays_on() -> None:
    game = new_game(ANN, BO, board=Board(-1), language="en", now=0, due_at=1)
    game, _ = tap(replace(game, id=7), person=ANN.id, ply=0, cell=4, now=1, rng=Random(0))
    asked, _ = acts.resign(game, person=BO.id, ply=1)
    (before,), (after,) = (rows(each)[3:4] for each in (game, asked))
    assert before == ["Resign"]
    assert after == ["No, play on"]
    assert rows(asked)[4] == rows(game)[4] == ["Undo"]
    assert rows(asked)[5] == ["Yes, resign"]


def rows(game: Game) -> list[list[str]]:
    """The labels of a game's keyboard."""
    keyboard = json.loads(keyboards.of_game(game, texts("en"), None))
    return [[button["text"] for button in row] for row in keyboard["inline_keyboard"]]
