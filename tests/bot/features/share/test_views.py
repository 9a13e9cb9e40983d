"""The caption of a shared game."""

from __future__ import annotations

import pytest

from bot.boards.players import Viewer
from bot.boards.translations import texts
from bot.boards.view import marks_of
from bot.features.share import below, caption, result, theme_of
from storage.games.game import LEFT, Termination
from tests.bot.games import ANN, board_in, computer_game, drawn, game_of_two, watched_game

EN = texts("en")
WON = game_of_two(drawn("XXX", "OO.", "..."))


def plain(text: str) -> str:
    """A text without the isolates around names."""
    return text.translate({0x2068: None, 0x2069: None})


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (WON._replace(termination=Termination.RESIGNATION), "Ann wins by resignation"),
        (WON._replace(termination=Termination.TIMEOUT), "Ann wins on time"),
        (game_of_two(drawn("XOX", "XOO", "OXX")), "A draw"),
        (computer_game("40")._replace(termination=Termination.EXPIRED), "Not finished"),
        (computer_game(drawn("XXX", "OO.", "..."), first=False), "OXO (medium) wins"),
        (watched_game(drawn("XXX", "OO.", "...")), "OXO (perfect) wins"),
        (WON._replace(names={}), "Player wins"),
        (WON._replace(x_seat=LEFT - 5), "Somebody who left wins"),
    ],
)
def test_every_end_has_its_words(game: object, said: str) -> None:
    assert plain(result(game, EN)) == said  # type: ignore[arg-type] # games, of several makers


@pytest.mark.parametrize(
    ("rules", "detail"),
    [
        ("7x6x4", "7×6, four in a row · 2 moves"),
        ("3x3x3-misere", "Misère, three in a row loses · 2 moves"),
        ("ultimate", "Ultimate · 2 moves"),
    ],
)
def test_what_was_played_is_below(rules: str, detail: str) -> None:
    game = game_of_two("4a" if rules == "ultimate" else "40", rules=rules, termination=Termination.RESIGNATION)
    assert caption(game, Viewer(None, EN, marks_of(None)), None, as_text=False).splitlines()[2] == detail


def test_the_caption_says_it_in_the_marks_of_the_board_and_to_readers_also_the_moves() -> None:
    viewer = Viewer(ANN.id, EN, marks_of("sky"))
    assert plain(caption(WON, viewer, None, as_text=False)) == "⭐ Ann   🌙 小波\n🏆 ⭐ Ann wins\n3×3 · 5 moves"
    assert plain(caption(WON, viewer, None, as_text=True)).splitlines()[-1] == "Moves: a1 a2 b1 b2 c1"
    assert caption(WON, viewer, "https://t.me/oxo_bot?start=c7-A", as_text=False).endswith(
        '⚔️ <a href="https://t.me/oxo_bot?start=c7-A">Challenge this player</a>'
    )
    long = WON._replace(names={ANN.id: "م" * 40}, termination=Termination.RESIGNATION)
    assert f"\n🏆 ⭐ \u2068{long.names[ANN.id]}\u2069 wins by resignation" in caption(
        long, viewer, None, as_text=False
    )
    hostile = WON._replace(names={ANN.id: "<b>&"})
    assert "&lt;b&gt;&amp;" in caption(hostile, viewer, None, as_text=False)
    assert "<b>" not in caption(hostile, viewer, None, as_text=False)


def test_the_still_can_be_had_below_the_animation() -> None:
    assert '"callback_data":"2share:7:1"' in (below("", WON, EN, moving=True).keyboard or "")
    assert below("", WON, EN, moving=False).keyboard is None


def test_the_look_is_that_of_the_board_and_else_of_the_chat() -> None:
    assert theme_of(board_in(theme="sky"), "shapes") == "sky"
    assert theme_of(board_in(as_text=True), None) == "letters"
    assert theme_of(None, "shapes") == "shapes"
    assert theme_of(board_in(theme="gone"), None) == "classic"
