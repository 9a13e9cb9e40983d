"""What a person means who says yes, no, cancel, again or swap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.game.acts import Act, Player
from bot.game.answers import Answer, meant_in
from tests.bot.games import ANN, BO, CEM, computer_game, game_of_two, open_challenge

if TYPE_CHECKING:
    from storage.game import Game

YES, NO, CANCEL, AGAIN, SWAP = Answer

RESIGNING = game_of_two("4", offer="resign:X")
TAKEBACK = game_of_two("4", offer="takeback:X")
OVER = game_of_two("03142")
REMATCH = OVER._replace(offer="rematch:X")


@pytest.mark.parametrize(
    ("game", "player", "meant"),
    [
        (open_challenge(), ANN, {NO: Act.CANCEL, CANCEL: Act.CANCEL}),
        (open_challenge(), BO, {YES: Act.ACCEPT}),
        (open_challenge(rival=BO), BO, {YES: Act.ACCEPT, NO: Act.DECLINE}),
        (open_challenge(rival=BO), CEM, {}),
        (game_of_two("4"), ANN, {}),
        (RESIGNING, ANN, {YES: Act.CONFIRM, NO: Act.PLAY_ON, CANCEL: Act.PLAY_ON}),
        (RESIGNING, BO, {}),
        (TAKEBACK, ANN, {NO: Act.REFUSE, CANCEL: Act.REFUSE}),
        (TAKEBACK, BO, {YES: Act.AGREE, NO: Act.REFUSE}),
        (TAKEBACK, CEM, {}),
        (OVER, ANN, {AGAIN: Act.AGAIN, SWAP: Act.SWAP}),
        (OVER, CEM, {}),
        (REMATCH, ANN, {AGAIN: Act.AGAIN, SWAP: Act.SWAP, NO: Act.REFUSE, CANCEL: Act.REFUSE}),
        (REMATCH, BO, {AGAIN: Act.AGAIN, SWAP: Act.SWAP, YES: Act.AGREE, NO: Act.REFUSE}),
        (OVER._replace(next_game=9), ANN, {}),
        (computer_game("03142"), ANN, {AGAIN: Act.AGAIN, SWAP: Act.SWAP}),
    ],
)
def test_an_answer_means_what_waits_for_it(game: Game, player: Player, meant: dict[Answer, Act]) -> None:
    found = {answer: meant_in(game, answer, player) for answer in Answer}
    assert {answer: act for answer, act in found.items() if act is not None} == meant
