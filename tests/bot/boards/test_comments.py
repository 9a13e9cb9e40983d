"""The computer's remarks as people read them."""

from __future__ import annotations

from timeit import timeit

import pytest

from bot.boards.comments import WORDINGS, remark_line
from bot.boards.message import board_view
from bot.boards.text_board import text_board_view
from bot.boards.texts import LANGUAGES, texts
from engine import Reason
from tests.bot.games import ANN, board_in, computer_game

T = texts("en")
NEVER_SPOKEN = {Reason.OPENING, Reason.ALLOWS_FORK, Reason.LOSES, Reason.MISSES_WIN}
"""Reasons that take a search or a rule list."""


def test_every_reason_has_several_wordings_and_each_wording_one_reason() -> None:
    assert set(WORDINGS) == set(Reason) - NEVER_SPOKEN
    assert all(len(wordings) >= 2 for wordings in WORDINGS.values())
    said = [wording for wordings in WORDINGS.values() for wording in wordings]
    assert len(set(said)) == len(said)
    assert {"Watch this…", "Ha ha, I am going to block you!", "I have you now!"} <= set(said)


@pytest.mark.parametrize("tag", LANGUAGES)
def test_a_remark_is_one_short_sentence(tag: str) -> None:
    said = [texts(tag).gettext(wording) for wordings in WORDINGS.values() for wording in wordings]
    assert len(set(said)) == len(said)
    assert all(len(words) <= 50 for words in said)
    assert not [words for words in said if set(words) & set("<>&")]


def test_the_wording_depends_on_the_game_and_the_ply_alone() -> None:
    game = computer_game("0412")
    lines = {remark_line(game._replace(id=number), board_in(), T) for number in range(1, 10)}
    assert lines == {f"💬 <i>{wording}</i>" for wording in WORDINGS[Reason.BLOCK]}
    assert remark_line(game, board_in(id=2, wanted=9), T) == remark_line(game._replace(version=8), board_in(), T)


def test_it_stands_below_all_else_in_the_message() -> None:
    text = board_view(computer_game("0412"), board_in(viewer=ANN.id), "oxo_bot").text
    assert text.splitlines()[-1] == "💬 <i>Ha ha, I am going to block you!</i>"


def test_on_a_board_of_text_it_follows_what_has_happened() -> None:
    text = text_board_view(computer_game("0412"), board_in(viewer=ANN.id, as_text=True), "oxo_bot").text
    assert text.splitlines()[:2] == [
        "OXO: top right. Your turn.",
        "“Ha ha, I am going to block you!”",
    ]


def test_a_chat_can_have_it_silent() -> None:
    board = board_in(viewer=ANN.id, silent=True)
    assert "💬" not in board_view(computer_game("0412"), board, "oxo_bot").text
    assert "“" not in text_board_view(computer_game("0412"), board, "oxo_bot").text


def test_it_costs_a_tap_next_to_nothing() -> None:
    """A few microseconds; the bound is a hundred times what is measured, for machines that are busy."""
    game, board = computer_game("0412"), board_in()
    remark_line(game, board, T)
    assert timeit(lambda: remark_line(game, board, T), number=1_000) / 1_000 < 150e-6
