"""What "yes", "no", "cancel", "again" and "swap" mean when a person types them."""

from __future__ import annotations

import pytest

from bot.game.actions import (
    Accept,
    Agree,
    Cancel,
    ConfirmResign,
    Decline,
    PlayAgain,
    PlayOn,
    Refuse,
    SwapSides,
    Transition,
)
from bot.game.attempt import Player
from bot.game.typed_answers import Answer, meant_in
from storage.games.game import Game
from tests.bot.games import ANN, BO, CEM, asking, computer_game, game_of_two, open_challenge

YES, NO, CANCEL, AGAIN, SWAP = Answer

RESIGNING = game_of_two("4", **asking("resign:X"))
TAKEBACK = game_of_two("4", **asking("takeback:X"))
OVER = game_of_two("03142")
REMATCH = OVER._replace(**asking("rematch:X"))


@pytest.mark.parametrize(
    ("game", "player", "meant"),
    [
        (open_challenge(), ANN, {NO: Cancel(), CANCEL: Cancel()}),
        (open_challenge(), BO, {YES: Accept()}),
        (open_challenge(rival=BO), BO, {YES: Accept(), NO: Decline()}),
        (open_challenge(rival=BO), CEM, {}),
        (game_of_two("4"), ANN, {}),
        (RESIGNING, ANN, {YES: ConfirmResign(), NO: PlayOn(), CANCEL: PlayOn()}),
        (RESIGNING, BO, {}),
        (TAKEBACK, ANN, {NO: Refuse, CANCEL: Refuse}),
        (TAKEBACK, BO, {YES: Agree, NO: Refuse}),
        (TAKEBACK, CEM, {}),
        (OVER, ANN, {AGAIN: PlayAgain(), SWAP: SwapSides()}),
        (OVER, CEM, {}),
        (REMATCH, ANN, {AGAIN: PlayAgain(), SWAP: SwapSides(), NO: Refuse, CANCEL: Refuse}),
        (REMATCH, BO, {AGAIN: PlayAgain(), SWAP: SwapSides(), YES: Agree, NO: Refuse}),
        (OVER._replace(next_game=9), ANN, {}),
        (computer_game("03142"), ANN, {AGAIN: PlayAgain(), SWAP: SwapSides()}),
    ],
)
def test_an_answer_means_what_waits_for_it(
    game: Game, player: Player, meant: dict[Answer, Transition | type[Agree | Refuse]]
) -> None:
    found = {answer: meant_in(game, answer, player) for answer in Answer}
    expected = {answer: each(game.ply) if isinstance(each, type) else each for answer, each in meant.items()}
    assert {answer: action for answer, action in found.items() if action is not None} == expected
