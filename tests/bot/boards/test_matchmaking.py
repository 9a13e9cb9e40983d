"""The texts for people who wait for an opponent or have found one."""

from __future__ import annotations

import pytest

from bot.boards.board import reminder
from bot.boards.translations import texts
from bot.game.attempt import Player
from bot.game.matchmaking import never_begun
from storage.games.game import Game, Termination
from storage.people.person import Wait, WaitEnd
from tests.bot.game.test_matchmaking import of_both, wait_of
from tests.bot.games import ANN, BO, board_in
from tests.bot.reading import keyboard_of, labels, lines, plain
from tests.people import is_chinese

PAIRED = of_both()
LATE = PAIRED._replace(reminded=0)


def seen(
    game: Game | Wait, language: str = "en", viewer: int = ANN.id, *, choosing: bool = False
) -> tuple[str, list[str]]:
    """The text, without isolates, and the labels below it."""
    board = board_in(viewer, viewer=viewer, language=language, choosing=choosing)
    return "\n".join(lines(game, board)), [label for row in labels(keyboard_of(game, board)) for label in row]


@pytest.mark.parametrize(
    ("wait", "words", "below"),
    [
        (wait_of(told=None), "No estimate yet", ["Play OXO meanwhile", "Board: 3×3", "Leave"]),
        (wait_of(told=0), "Typical wait: almost none", ["Play OXO meanwhile", "Board: 3×3", "Leave"]),
        (wait_of(told=20), "Typical wait: 20 seconds", ["Play OXO meanwhile", "Board: 3×3", "Leave"]),
        (wait_of(any_rules=True), "any board", ["Play OXO meanwhile", "Board: Any", "Leave"]),
        (wait_of()._replace(asked=True), "Still there?", ["Still here", "Leave"]),
        (wait_of(ended=WaitEnd.LEFT), "You've stopped looking", ["Look again"]),
        (wait_of(ended=WaitEnd.UNANSWERED), "You didn't answer", ["Look again"]),
    ],
)
def test_a_waiting_person_is_told_how_long_others_waited_or_why_it_ended(
    wait: Wait, words: str, below: list[str]
) -> None:
    text, found = seen(wait)
    assert words in text
    assert found == below


def test_every_word_of_it_is_translated() -> None:
    ended = [wait_of(ended=why) for why in WaitEnd]
    shown: list[Game | Wait] = [wait_of(), wait_of()._replace(asked=True), *ended, PAIRED]
    for game in shown:
        text, found = seen(game, "zh-hans")
        assert is_chinese(text)
        assert all(is_chinese(label) or not label.isascii() for label in found)


def test_another_board_can_be_chosen_from_the_menu() -> None:
    _, found = seen(wait_of(), choosing=True)
    assert found[:2] == ["Play OXO meanwhile", "✓ 3×3"]
    assert {"4×4", "‹ Back"} <= {*found}
    assert found[-1] == "Leave"


@pytest.mark.parametrize(
    ("game", "viewer", "words"),
    [
        (PAIRED, ANN, ["You're playing 小波. Your move!", "❌ You   🟡 小波 (1500?)"]),
        (PAIRED, BO, ["You're playing Ann.", "❌ Ann (1612)   🟡 You"]),
        (PAIRED._replace(moves="04"), ANN, ["❌ You   🟡 小波 (1500?)"]),
        (LATE, ANN, ["You're playing 小波. Your move!", "Move soon, or 小波 leaves"]),
        (LATE, BO, ["You're playing Ann.", "If Ann doesn't move soon, I'll find you someone else"]),
        (never_begun(LATE), ANN, ["You took too long"]),
    ],
    ids=["hers", "his", "begun", "late, hers", "late, his", "never begun"],
)
def test_both_are_told_whom_they_play_and_what_follows_if_one_does_not_turn_up(
    game: Game, viewer: Player, words: list[str]
) -> None:
    text, _ = seen(game, viewer=viewer.id)
    assert all(said in text for said in words)
    assert ("You're playing" in text) == ("You're playing" in words[0])
    assert "小波 leaves" in plain(reminder(LATE, 45, texts("en")))


def test_a_finished_game_offers_another_opponent_besides_a_rematch_if_it_was_begun() -> None:
    played = PAIRED._replace(moves="04", termination=Termination.TIMEOUT, winner=PAIRED.turn)
    assert {"Rematch", "Review", "New opponent"} <= {*seen(played)[1]}
    *_, cell, last = seen(never_begun(LATE))[1]
    assert (cell, last) == ("·", "New opponent")


def test_in_text_it_is_said_by_commands() -> None:
    board = board_in(ANN.id, viewer=ANN.id, as_text=True)
    assert keyboard_of(wait_of(), board) is None
    assert "/leave" in lines(wait_of(), board)
    assert any("You're playing" in line for line in lines(PAIRED, board))
