"""The text of the computer's comments."""

from __future__ import annotations

from timeit import timeit

import pytest

from bot.boards.board import board_view, text_board_view
from bot.boards.translations import LANGUAGES, texts
from bot.boards.wording import WORDINGS, comment_line
from engine import Reason
from tests.bot.games import ANN, board_in, computer_game

T = texts("en")
BLOCKED = computer_game("0412")
HERS = board_in(viewer=ANN.id)


def test_only_what_matters_gets_a_comment() -> None:
    assert comment_line(computer_game("40"), board_in(), T) is None, "a corner, and nothing has happened"
    assert comment_line(BLOCKED, board_in(), T) is not None, "a block"
    assert comment_line(computer_game("0142"), board_in(), T) is None, "the loss was unavoidable"


@pytest.mark.parametrize("number", range(4))
def test_no_comment_comes_twice_in_a_game_nor_in_the_next_one(number: int) -> None:
    def said(wordings: int) -> list[str]:
        game = computer_game("")._replace(id=number, wordings=wordings, rules="8x8x5")
        moves = "01823456BAJIRQZY"
        lines = (comment_line(game._replace(moves=moves[:plies]), board_in(), T) for plies in range(17))
        return [line for line in lines if line is not None]

    these, those = said(0), said(1)
    assert these
    assert those
    assert len({*these, *those}) == len(these) + len(those)


@pytest.mark.parametrize("tag", LANGUAGES)
def test_a_comment_is_one_short_sentence_and_no_two_are_alike(tag: str) -> None:
    said = [texts(tag).gettext(wording) for wordings in WORDINGS.values() for wording in wordings]
    assert len(set(said)) == len(said)
    assert all(len(words) <= 50 and not set(words) & set("<>&") for words in said)
    assert all(len(wordings) % 2 == 0 for wordings in WORDINGS.values()), "games in a row have half each"


def test_the_wording_depends_on_the_game_and_the_ply_alone() -> None:
    lines = {comment_line(BLOCKED._replace(id=id_ // 2, wordings=id_ % 2), board_in(), T) for id_ in range(12)}
    assert lines == {f"💬 <i>{wording}</i>" for wording in WORDINGS[Reason.BLOCK]}
    elsewhere = comment_line(BLOCKED._replace(version=8), board_in(id=2, wanted=9), T)
    assert elsewhere == comment_line(BLOCKED, board_in(), T)


def test_it_is_the_last_line_of_the_message_and_in_text_follows_what_has_happened() -> None:
    assert board_view(BLOCKED, HERS, "oxo_bot").text.splitlines()[-1] == "💬 <i>Not so fast!</i>"
    in_text = text_board_view(BLOCKED, HERS._replace(as_text=True), "oxo_bot").text
    assert in_text.splitlines()[:2] == ["OXO: top right. Your turn.", "“Not so fast!”"]


def test_a_chat_can_have_it_silent() -> None:
    silent = HERS._replace(silent=True)
    assert "💬" not in board_view(BLOCKED, silent, "oxo_bot").text
    assert "“" not in text_board_view(BLOCKED, silent, "oxo_bot").text


def test_it_costs_a_tap_next_to_nothing() -> None:
    """It takes a few microseconds; the limit is a hundred times that, to allow for busy machines."""
    comment_line(BLOCKED, HERS, T)
    assert timeit(lambda: comment_line(BLOCKED, HERS, T), number=1_000) / 1_000 < 150e-6
