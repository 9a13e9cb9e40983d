"""Gauntlets: what is shared of a won game, and what the board of a try says, in no more words than are true."""

import json
from typing import Any

import pytest

from bot.boards.finished import after_try, shared_view, try_line
from bot.boards.links import BEAT, CHALLENGE, Me
from bot.boards.players import Scene
from bot.language import speaking
from engine import Mark
from storage.games.game import COMPUTER, Game, Limits, Side, Termination
from storage.games.record import Gauntlet, TryScore
from tests.bot.games import ANN, BO, computer_game
from tests.bot.reading import plain

ME = Me("oxo_bot", b"key", has_inline=True)
SEVEN = "0214356"
"""X wins in seven moves."""
FIVE = "03142"
WON: dict[str, Any] = {"termination": Termination.LINE, "winner": Mark.X}


def shared(moves: str = SEVEN, **values: Any) -> Game:  # noqa: ANN401 - any field of a game
    return computer_game(moves)._replace(**{**WON, **values})


def said(game: Game, ply: int = 2, *scores: TryScore) -> list[str]:
    scene = Scene(game, me=ME, gauntlet=Gauntlet(game, scores))
    return plain(shared_view(scene, ply).text).split("\n")


def test_it_says_who_won_as_what_in_how_many_moves_and_shows_where_others_begin() -> None:
    assert said(
        shared(), 2, TryScore("Dora", 5), TryScore("Ann", 7), TryScore("Eli", None), TryScore("Max", None)
    ) == [
        "🎯 Ann won this as ❌ in 7 moves, without a hint.",
        "Can you do it in fewer?",
        "",
        "❌⬜🟡",
        "⬜⬜⬜",
        "⬜⬜⬜",
        "",
        "1. Dora 5  2. Ann 7",
        "✗ Eli, Max",
    ]


@pytest.mark.parametrize(
    ("values", "first", "second"),
    [
        ({"hints": 1}, "🎯 Ann won this as ❌ in 7 moves.", "Can you do it in fewer?"),
        ({"moves": FIVE}, "🎯 Ann won this as ❌ in 5 moves, without a hint.", "Can you do it, too?"),
        ({"o": Side(BO.id), "names": {ANN.id: "Ann", BO.id: "Bo"}}, "🎯 Ann won this as ❌ in 7 moves.", None),
    ],
)
def test_only_what_is_true_is_said(values: dict[str, Any], first: str, second: str | None) -> None:
    lines = said(shared(**values) if "o" not in values else shared(kind="pair", **values))
    assert lines[0] == first
    assert second in (None, lines[1])


def test_equal_scores_have_equal_places_and_a_long_list_is_cut() -> None:
    many = [TryScore(f"P{number}", 5 + number // 2) for number in range(8)]
    lines = said(shared(), 2, *many, *(TryScore(f"Q{number}", None) for number in range(7)))
    assert lines[-2:] == ["1. P0 5  1. P1 5  3. P2 6  3. P3 6  5. P4 7", "✗ Q0, Q1, Q2, Q3, Q4 +2"]


def test_it_carries_links_alone_and_one_that_was_not_won_shows_the_end() -> None:
    for game, labels in (
        (shared(), {"Try it", "Pass it on"}),
        (shared(winner=Mark.O), {"Beat this", "Play Ann"}),
    ):
        view = shared_view(Scene(game, me=ME), 2)
        made = [button for row in json.loads(view.keyboard or "{}")["inline_keyboard"] for button in row]
        assert {plain(button["text"]) for button in made} == labels
        assert not any("callback_data" in button for button in made)


def tried(moves: str, winner: Mark | None, **values: Any) -> Game:  # noqa: ANN401 - any field of a game
    over = {"termination": Termination.LINE if winner else Termination.FULL_BOARD, "winner": winner}
    return Game(
        id=9,
        chat_id=BO.id,
        rules="3x3x3",
        kind=computer_game().kind,
        x=Side(BO.id),
        o=Side(COMPUTER, "easy"),
        moves=moves,
        beats=1,
        time_limits=Limits.PRACTICE,
        **{**over, **values},
    )


@pytest.mark.parametrize(
    ("game", "of", "words", "offers"),
    [
        (tried("02", None, termination=None), shared(), "Can you do it in fewer? Ann may hear how it ends.", None),
        (
            tried(FIVE, Mark.X),
            shared(),
            "You: 5 · Ann: 7. You beat Ann! Ann may hear about it.",
            "⚔️ Ann, Send",
        ),
        (tried(SEVEN, Mark.X), shared(), "You: 7 · Ann: 7. As quick as Ann! Ann may", "⚔️ Ann, Send"),
        (tried(SEVEN, Mark.X), shared(FIVE), "You: 7 · Ann: 5. Ann was quicker. Ann may", "⚔️ Ann, Send"),
        (tried("3041", Mark.O), shared(), "Ann won in 7 moves. Not this time! Ann may", "Play again, ⚔️ Ann"),
        (tried(FIVE, Mark.X, takebacks=1), shared(), "A move was undone, so this try", "Play again, ⚔️ Ann"),
        (tried(FIVE, Mark.X), shared(winner=Mark.O), "You did better than Ann!", "⚔️ Ann, Send"),
        (tried("3041", Mark.O), shared(winner=Mark.O), "No better than Ann this time.", "Play again, ⚔️ Ann"),
    ],
)
def test_the_board_of_a_try_says_what_is_to_be_beaten_and_then_how_it_went(
    game: Game, of: Game, words: str, offers: str | None
) -> None:
    gauntlet = Gauntlet(of, is_told=True)
    scene = Scene(game, you=BO.id, me=ME, gauntlet=gauntlet)
    line = plain(try_line(scene, gauntlet) or "")
    assert words in line
    assert "count" not in line or game.takebacks
    row = after_try(scene) or []
    assert offers is None or ", ".join(plain(key.label) for key in row) == offers
    sides = [key.carries for key in row if isinstance(key.carries, str)]
    assert all(f"start={BEAT}" in each or f"start={CHALLENGE}" in each for each in sides)


def test_a_board_of_no_try_and_one_whose_game_is_gone_say_nothing_of_it() -> None:
    assert try_line(Scene(shared()), Gauntlet(shared())) is None
    assert after_try(Scene(tried(FIVE, Mark.X))) is None


def test_in_a_right_to_left_language_the_board_keeps_its_order() -> None:
    with speaking("ar"):
        assert any("❌⬜🟡" in line for line in said(shared()))
