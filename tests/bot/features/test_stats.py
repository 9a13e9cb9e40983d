"""The text, buttons and picture of /stats."""

from itertools import product
from typing import Any, Final

import pytest

from bot.boards.view import View
from bot.features import stats
from bot.features.stats import ShownResults, Stats, may_see, weeks_of
from engine import Mark, parse_rules
from engine.rules.catalogue import MENU, family_of
from engine.rules.mnk import MnkRules
from storage.games.game import Termination
from storage.results.result import Ending, Result, Rivalry, Standing, Streak, Summary, Tally
from tests.bot.reading import by_label, plain

ANN = 7
WEEK = 7 * 86400
TALLIES = (
    Tally("classic", "", 3, 1, 2),
    Tally("classic", "perfect", 0, 4, 1),
    Tally("classic", "beginner", 5, 0, 0),
    Tally("ultimate", "", 1, 0, 0),
)
SOME = Summary(tallies=TALLIES, streak=Streak(3, 8), standings={})
HERS, ULTIMATE = Stats(ANN), Stats(ANN, family="ultimate")
MILESTONES = {"hard": 1, "puzzles": 2, "easy": 3}


def result(outcome: Ending, ended_at: int) -> Result:
    return Result(1, ANN, 0, "easy", "3x3x3", "classic", 5, Mark.X, outcome, Termination.LINE, 7, ended_at)


def page(wish: Stats = HERS, *, in_group: bool = True, buttons: bool = True, **found: Any) -> View:  # noqa: ANN401
    """The message with some results."""
    return stats.results_page(ShownResults("Ann", wish, in_group, buttons), SOME._replace(**found))


def test_milestones_are_told_of_all_boards_together_also_without_a_game() -> None:
    told = "\n\n🏅 First win against OXO (easy, hard)\n🏅 A whole week of puzzles"
    assert page(milestones=MILESTONES).text.endswith(told)
    assert "🏅" in page(milestones=MILESTONES, tallies=()).text
    assert "🏅" not in page(ULTIMATE, milestones=MILESTONES).text


def test_results_are_summed_up_and_told_by_opponent_weakest_first() -> None:
    text = page(standings={"": Standing(1543, is_settled=False)}).text
    assert [line for line in text.split("\n") if line][1:] == [
        "Games: 9 wins, 5 draws, 3 losses",
        "Rating: <b>1543</b>, provisional",
        "Against people: 4 wins, 1 draw, 2 losses",
        "Against OXO (beginner): 5 wins, 0 draws, 0 losses",
        "Against OXO (perfect): 0 wins, 4 draws, 1 loss",
        "Winning streak: 3",
        "Longest streak: 8",
    ]


def test_a_family_of_rules_is_told_alone_with_its_own_rating() -> None:
    standings = {"": Standing(1543, is_settled=False), "ultimate": Standing(1600, is_settled=True)}
    text = page(ULTIMATE, standings=standings).text
    assert "Games: 1 win, 0 draws, 0 losses" in text
    assert "<b>1600</b>" in text
    assert "streak" not in text


def test_there_are_buttons_for_places_in_groups_for_families_that_were_played_and_for_the_picture() -> None:
    assert by_label(page().keyboard) == {
        "In this chat": Stats(ANN, here=True),
        "✓ Everywhere": HERS,
        "✓ All boards": HERS,
        "3×3": Stats(ANN, family="classic"),
        "Ultimate": ULTIMATE,
        "As a picture": Stats(ANN, picture=True),
    }
    assert list(by_label(page(in_group=False, tallies=TALLIES[:1]).keyboard)) == ["As a picture"]
    assert page(buttons=False).keyboard is None


def test_somebody_who_has_played_nothing_is_told_how_to() -> None:
    view = page(in_group=False, tallies=(), streak=None)
    assert "/newgame" in view.text
    assert view.keyboard is None


def test_rules_belong_to_families() -> None:
    some = ("3x3x3", "3x3x3-misere", "9x9x5", "4x3x3", "4x4x4-misere", "ultimate")
    assert [*map(family_of, some)] == ["classic", "misere", "bigger", "bigger", "misere", "ultimate"]
    bigger = [parse_rules(rules) for rules in MENU if family_of(rules) == "bigger"]
    assert all(isinstance(rules, MnkRules) for rules in bigger)


def test_games_are_gathered_by_week_from_the_first_with_one() -> None:
    now = 1_700_000_000
    before = now - 2 * WEEK
    found = [*(result(outcome, before) for outcome in Ending), result(Ending.WIN, now)]
    assert weeks_of(found, now) == [(1, 1, 1), (0, 0, 0), (1, 0, 0)]
    assert weeks_of([], now) == [(0, 0, 0)]
    assert len(weeks_of([*found, result(Ending.WIN, now - 300 * WEEK)], now)) == 26


ASKED: Final = ("own", "in_group", "answered", "plays_here", "hidden")
EITHER: Final = None
SEEN: Final = {
    (True, EITHER, EITHER, EITHER, EITHER): True,
    (False, False, EITHER, EITHER, EITHER): False,
    (False, True, EITHER, EITHER, True): False,
    (False, True, True, EITHER, False): True,
    (False, True, False, True, False): True,
    (False, True, False, False, False): False,
}
"""Whether somebody sees results, by what is asked: each case is here once."""


@pytest.mark.parametrize("asked", [*product([True, False], repeat=len(ASKED))], ids=str)
def test_who_sees_whose_results(asked: tuple[bool, ...]) -> None:
    (row,) = (row for row in SEEN if all(cell in (EITHER, each) for cell, each in zip(row, asked, strict=True)))
    assert may_see(**dict(zip(ASKED, asked, strict=True))) is SEEN[row]


RIVALS = ShownResults("Bo", Stats(2), in_group=False, viewer="Ann")
WON, LOST, DREW = ("classic", Ending.WIN), ("bigger", Ending.LOSS), ("classic", Ending.DRAW)


@pytest.mark.parametrize(
    ("games", "family", "told"),
    [
        ([WON, WON], "", ["⚔️ <b>Ann 2 – 0 Bo</b>", "Ann: 2 wins in a row"]),
        ([WON, LOST, LOST], "", ["⚔️ <b>Ann 1 – 2 Bo</b>", "3×3: Ann 1 – 0 Bo", "Bigger boards: Ann 0 – 2 Bo"]),
        ([LOST, WON, DREW], "", ["⚔️ <b>Ann 1 – 1 Bo, 1 draw</b>", "3×3: Ann 1 – 0 Bo, 1 draw"]),
        ([LOST, WON, WON], "classic", ["⚔️ <b>Ann 2 – 0 Bo</b>"]),
        ([], "", []),
    ],
)
def test_two_who_have_played_each_other_read_how_that_went(
    games: list[tuple[str, Ending]], family: str, told: list[str]
) -> None:
    shown = RIVALS._replace(chosen=Stats(2, family=family))
    lines = plain(stats.results_page(shown, SOME._replace(rivalry=Rivalry(games))).text).splitlines()
    found = [line for line in lines if "Ann" in line]
    assert found[: len(told)] == told
    assert bool(found) == bool(told)
