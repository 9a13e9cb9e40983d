"""The texts for people who wait for an opponent or have found one, in English and Chinese."""

from __future__ import annotations

import json

import pytest

from bot.boards.board import reminder
from bot.boards.renderers import render
from bot.boards.translations import texts
from bot.game.matchmaking import never_begun
from storage.games.game import Game, Termination
from storage.people.person import Wait, WaitEnd
from tests.bot.game.test_matchmaking import of_both, wait_of
from tests.bot.games import ANN, BO, board_in
from tests.people import is_chinese

T = texts("en")


def seen(
    game: Game | Wait, language: str = "en", viewer: int = ANN.id, *, choosing: bool = False
) -> tuple[str, list[str]]:
    """The text, without isolates, and the labels below it."""
    view = render(game, board_in(viewer, viewer=viewer, language=language, choosing=choosing), "oxo_bot")
    keyboard = json.loads(view.keyboard)["inline_keyboard"] if view.keyboard else []
    return view.text.translate({0x2068: None, 0x2069: None}), [each["text"] for row in keyboard for each in row]


@pytest.mark.parametrize(
    ("told", "words"),
    [(None, "No estimate yet"), (0, "Typical wait: almost none"), (20, "Typical wait: 20 seconds")],
)
def test_a_waiting_person_is_told_how_long_others_waited(told: int | None, words: str) -> None:
    text, labels = seen(wait_of(told=told))
    assert words in text
    assert labels == ["Play OXO meanwhile", "Board: 3×3", "Leave"]
    assert "any board" in seen(wait_of(told=told, any_rules=True))[0]


def test_every_word_of_it_is_translated() -> None:
    ended = [wait_of(ended=why) for why in WaitEnd]
    shown: list[Game | Wait] = [wait_of(), wait_of()._replace(asked=True), *ended, of_both()]
    for game in shown:
        text, labels = seen(game, "zh-hans")
        assert is_chinese(text)
        assert all(is_chinese(label) or not label.isascii() for label in labels)


def test_another_board_can_be_chosen_from_the_menu() -> None:
    _, labels = seen(wait_of(), choosing=True)
    assert labels[:2] == ["Play OXO meanwhile", "✓ 3×3"]
    assert {"4×4", "‹ Back"} <= {*labels}
    assert labels[-1] == "Leave"


def test_somebody_who_is_asked_may_stay_or_leave() -> None:
    text, labels = seen(wait_of()._replace(asked=True))
    assert "Still there?" in text
    assert labels == ["Still here", "Leave"]


def test_the_end_of_a_wait_says_why_and_how_to_look_again() -> None:
    for why, words in ((WaitEnd.LEFT, "You've stopped looking"), (WaitEnd.UNANSWERED, "You didn't answer")):
        text, labels = seen(wait_of(ended=why))
        assert words in text
        assert labels == ["Look again"]


def test_a_board_names_the_opponent_who_was_found_and_their_rating() -> None:
    game = of_both()
    hers, _ = seen(game)
    his, _ = seen(game, viewer=BO.id)
    assert "You're playing 小波. Your move!" in hers
    assert "❌ You   🟡 小波 (1500?)" in hers
    assert "You're playing Ann." in his
    assert "❌ Ann (1612)   🟡 You" in his
    begun = game._replace(moves="04")
    assert "You're playing" not in seen(begun)[0]
    assert "(1500?)" in seen(begun)[0]


def test_both_are_told_what_follows_if_one_does_not_turn_up() -> None:
    late = of_both()._replace(reminded=0)
    assert "Move soon, or 小波 leaves" in seen(late)[0]
    assert "If Ann doesn't move soon, I'll find you someone else" in seen(late, viewer=BO.id)[0]
    assert "leaves" in reminder(late, 45, T)
    text, labels = seen(never_begun(late))
    assert "You took too long" in text
    assert labels[-1] == "New opponent"


def test_a_finished_game_offers_another_opponent_besides_a_rematch() -> None:
    game = of_both()._replace(moves="04", termination=Termination.TIMEOUT, winner=of_both().turn)
    assert {"Rematch", "Review", "New opponent"} <= {*seen(game)[1]}


def test_in_text_it_is_said_by_commands() -> None:
    board = board_in(ANN.id, viewer=ANN.id, as_text=True)
    view = render(wait_of(), board, "oxo_bot")
    assert view.keyboard is None
    assert "/leave" in view.text
    assert "You're playing" in render(of_both(), board, "oxo_bot").text
