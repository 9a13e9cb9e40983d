"""The text and buttons of /stats."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.boards.buttons import Stats, read
from bot.boards.rules import family_name
from bot.boards.translations import LANGUAGES, texts
from bot.features import stats
from bot.features.stats import Shown
from engine import Mark, parse_rules
from engine.rules.catalogue import FAMILIES, MENU, family_of
from engine.rules.mnk import MnkRules
from storage.games.game import Termination
from storage.results.result import Outcome, Result, Standing, Streak, Summary, Tally

T = texts("en")
ANN = 7
TALLIES = (
    Tally("classic", "", 3, 1, 2),
    Tally("classic", "perfect", 0, 4, 1),
    Tally("classic", "beginner", 5, 0, 0),
    Tally("ultimate", "", 1, 0, 0),
)


def result(rules: str, opening: str | None) -> Result:
    """A win as X (or, without an opening, as O)."""
    mark = Mark.O if opening is None else Mark.X
    return Result(1, ANN, 0, "easy", rules, 5, mark, Outcome.WIN, Termination.LINE, 7, opening, 1000)


def summary(**values: Any) -> Summary:  # noqa: ANN401 - any field
    """Some results."""
    some: dict[str, Any] = {"tallies": TALLIES, "streak": Streak(3, 8), "recent": (), "standings": {}}
    return Summary(**{**some, **values})


def shown(wish: Stats = Stats(ANN), *, in_group: bool = True, buttons: bool = True) -> Shown:  # noqa: B008 - a value
    return Shown("Ann", wish, in_group, buttons)


def carried(keyboard: str | None) -> dict[str, object]:
    """The data of each button, by its label."""
    rows = json.loads(keyboard or "")["inline_keyboard"]
    return {button["text"]: read(button["callback_data"]) for row in rows for button in row}


def test_milestones_are_told_of_all_boards_together_also_without_a_game() -> None:
    reached = {"hard": 1, "puzzles": 2, "easy": 3}
    text = stats.results_page(shown(), summary(milestones=reached), T).text
    assert text.endswith("\n\n🏅 First win against OXO (easy, hard)\n🏅 A whole week of puzzles")
    assert "🏅" in stats.results_page(shown(), summary(tallies=(), milestones=reached), T).text
    assert (
        "🏅" not in stats.results_page(shown(Stats(ANN, family="ultimate")), summary(milestones=reached), T).text
    )


def test_results_are_summed_up_and_told_by_opponent_weakest_first() -> None:
    text = stats.results_page(shown(), summary(standings={"": Standing(1543, is_settled=False)}), T).text
    lines = [line for line in text.split("\n") if line]
    assert lines[1:] == [
        "Games: 9 won, 5 drawn, 3 lost",
        "Rating: <b>1543?</b>",
        "Against people: 4 won, 1 drawn, 2 lost",
        "Against OXO (beginner): 5 won, 0 drawn, 0 lost",
        "Against OXO (perfect): 0 won, 4 drawn, 1 lost",
        "Winning streak: 3",
        "Longest streak: 8",
    ]


def test_a_family_of_rules_is_told_alone_with_its_own_rating() -> None:
    standings = {"": Standing(1543, is_settled=False), "ultimate": Standing(1600, is_settled=True)}
    text = stats.results_page(shown(Stats(ANN, family="ultimate")), summary(standings=standings), T).text
    assert "Games: 1 won, 0 drawn, 0 lost" in text
    assert "<b>1600</b>" in text
    assert "streak" not in text


def test_there_are_buttons_for_places_in_groups_for_families_that_were_played_and_for_the_picture() -> None:
    assert carried(stats.results_page(shown(), summary(), T).keyboard) == {
        "In this chat": Stats(ANN, here=True),
        "✓ Everywhere": Stats(ANN),
        "✓ All boards": Stats(ANN),
        "3×3": Stats(ANN, family="classic"),
        "Ultimate": Stats(ANN, family="ultimate"),
        "As a picture": Stats(ANN, picture=True),
    }
    alone = carried(stats.results_page(shown(in_group=False), summary(tallies=TALLIES[:1]), T).keyboard)
    assert list(alone) == ["As a picture"]
    assert stats.results_page(shown(buttons=False), summary(), T).keyboard is None


def test_somebody_who_has_played_nothing_is_told_how_to() -> None:
    view = stats.results_page(shown(in_group=False), summary(tallies=(), streak=None), T)
    assert "/newgame" in view.text
    assert view.keyboard is None


@pytest.mark.parametrize(
    ("rules", "openings", "said"),
    [
        ("3x3x3", "44444", "the centre (5 of the last 5)"),
        ("3x3x3", "02846", "a corner (4 of the last 5)"),
        ("3x3x3-misere", "135715", "an edge (6 of the last 6)"),
        ("4x4x4", "03030", "row 1, column 1 (5 of the last 5)"),
    ],
)
def test_first_moves_that_are_alike_are_one(rules: str, openings: str, said: str) -> None:
    recent = [result(rules, opening) for opening in openings] + [result(rules, None)]
    assert stats.favourite(summary(recent=recent), "", T) == f"Favourite first move: {said}"
    assert stats.favourite(summary(recent=recent), family_of(rules), T) is not None
    assert stats.favourite(summary(recent=recent), "ultimate", T) is None
    assert stats.favourite(summary(recent=recent[-5:]), "", T) is None, "four games are too few for a favourite"


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_family_has_a_name_in_every_language(tag: str) -> None:
    names = {family_name(family, texts(tag)) for family in ("", *FAMILIES)}
    assert len(names) == 1 + len(FAMILIES)


@pytest.mark.parametrize("rules", MENU)
def test_only_boards_of_lines_are_bigger_boards(rules: str) -> None:
    assert isinstance(parse_rules(rules), MnkRules) or family_of(rules) != "bigger"


@pytest.mark.parametrize(
    ("rules", "family"),
    [
        ("3x3x3", "classic"),
        ("3x3x3-misere", "misere"),
        ("9x9x5", "bigger"),
        ("4x3x3", "bigger"),
        ("4x4x4-misere", "misere"),
        ("ultimate", "ultimate"),
    ],
)
def test_rules_belong_to_families(rules: str, family: str) -> None:
    assert family_of(rules) == family
