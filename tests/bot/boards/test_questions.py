"""Texts about questions and refusals, for each viewer."""

from __future__ import annotations

import re

import pytest

from bot.boards.players import Viewer
from bot.boards.translations import texts
from bot.boards.wording import question_line
from bot.game.attempt import Player
from tests.bot.games import ANN, BO, asking, drawn, game_of_two

X_WON = drawn("XXX", "OO.", "...")


def line(moves: str, offer: str | None, viewer: int | None, language: str = "en") -> str | None:
    """The line about a question, without the isolates around names."""
    found = question_line(game_of_two(moves, **(asking(offer) if offer else {})), Viewer(viewer, texts(language)))
    return found and re.sub("</?a[^>]*>", "", found).translate({0x2068: None, 0x2069: None})


@pytest.mark.parametrize(
    ("offer", "viewer", "words"),
    [
        ("takeback:X", ANN.id, "↩️ You asked to take back ❌ centre. Waiting for 小波…"),
        ("takeback:X", BO.id, "↩️ Ann asks to take back ❌ centre. OK with you?"),
        ("takeback:O", None, "↩️ 小波 asks to take back 🟡 top left. Ann, OK with you?"),
        ("resign:X", ANN.id, "🏳 Do you really want to resign?"),
        ("resign:X", None, "🏳 Ann, do you really want to resign?"),
        ("resign:X", BO.id, "🏳 Ann is thinking about resigning."),
        ("declined takeback:X", ANN.id, "↩️ 小波 declined the takeback: the move stands."),
        ("declined takeback:X", BO.id, "↩️ You declined the takeback: the move stands."),
        ("declined takeback:X", None, "↩️ 小波 declined Ann's takeback: the move stands."),
        (None, ANN.id, None),
    ],
)
def test_the_one_who_asks_and_the_one_who_answers_are_named(
    offer: str | None, viewer: int | None, words: str | None
) -> None:
    assert line("40", offer, viewer) == words


@pytest.mark.parametrize(
    ("offer", "viewer", "words"),
    [
        ("rematch:O", BO.id, "🔁 You asked for a rematch. Waiting for Ann…"),
        ("rematch:O", ANN.id, "🔁 小波 wants a rematch. OK with you?"),
        ("rematch:O", None, "🔁 小波 wants a rematch. Ann, OK with you?"),
        ("declined rematch:O", BO.id, "🔁 Ann declined the rematch."),
        ("declined rematch:O", ANN.id, "🔁 You declined the rematch."),
        ("declined rematch:O", None, "🔁 Ann declined 小波's rematch."),
    ],
)
def test_a_rematch_is_asked_for_and_declined(offer: str, viewer: int | None, words: str) -> None:
    assert line(X_WON, offer, viewer) == words


def test_in_chinese_there_is_no_space_between_sentences() -> None:
    assert line(X_WON, "rematch:O", None, "zh") == "🔁 小波 想再来一局。Ann，可以吗？"


@pytest.mark.parametrize(
    ("offer", "whom"),
    [("takeback:O", ANN), ("rematch:O", ANN), ("declined takeback:X", ANN), ("declined rematch:O", BO)],
)
def test_in_a_group_a_player_who_is_asked_or_has_waited_is_mentioned(offer: str, whom: Player) -> None:
    moves = X_WON if "rematch" in offer else "40"
    viewer = Viewer(None, texts("en"))
    assert f'<a href="tg://user?id={whom.id}">' in (
        question_line(game_of_two(moves, **asking(offer)), viewer) or ""
    )
