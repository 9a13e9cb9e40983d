"""The text and buttons of /top."""

from typing import Any

import pytest

from bot.boards.buttons import FindOpponent, Invite
from bot.boards.links import Me
from bot.boards.view import View
from bot.features import top
from bot.features.top import Friends, LeaderboardPage, Season, Top, friends_page
from storage.results.leaderboards import Friend
from storage.results.result import Listed, Rank
from tests.bot.games import ANN, BO
from tests.bot.reading import by_label, labels, plain

TEN = [Listed(number, f"P{number}", 1600 - number, number < 8, number) for number in range(1, 11)]
HERE, EVERYBODY = Top(here=True), Top(here=False)


def page(chosen: Top, listed: list[Listed], own: Rank | None = None, **values: Any) -> View:  # noqa: ANN401 - of a page
    return top.page(chosen, LeaderboardPage(listed, own, **{"hidden": False, "in_group": True, **values}))


def test_a_page_numbers_its_people_and_marks_ratings_that_are_guesses() -> None:
    lines = plain(page(HERE, TEN, Rank(34, 1490, is_settled=True)).text).split("\n")
    assert lines[0] == "🏆 <b>Rating</b> · this chat · all boards"
    assert (lines[2], lines[5], lines[-3]) == ("🥇 P1 · 1599", "4. P4 · 1596", "10. P10 · 1590?")
    assert lines[-1] == "You're #34 with a rating of 1490."
    equal = [Listed(number, f"P{number}", 3, True, 2) for number in (7, 8)]
    assert "🥈 P7 · 3\n🥈 P8 · 3" in plain(page(Top(here=True, by_wins=True), equal).text)


def test_there_are_buttons_for_the_other_lists_and_for_more_pages() -> None:
    chosen = Top(here=True, page=1, family="misere")
    buttons = by_label(page(chosen, TEN, families=["", "classic", "misere"]).keyboard)
    assert buttons == {
        "✓ Rating": Top(here=True, family="misere"),
        "Wins this week": Top(here=True, by_wins=True, family="misere"),
        "Wins this season": Season(),
        "✓ This chat": Top(here=True, family="misere"),
        "Everybody": Top(here=False, family="misere"),
        "All boards": Top(here=True),
        "3×3": Top(here=True, family="classic"),
        "✓ Misère": Top(here=True, family="misere"),
        "‹": Top(here=True, family="misere"),
        "›": Top(here=True, family="misere", page=2),
    }, "nobody is listed in ultimate"
    last = by_label(page(EVERYBODY, TEN[:9], in_group=False, families=[""]).keyboard)
    assert set(last) == {"✓ Rating", "Wins this week", "Friends", "✓ Everybody"}


def test_in_private_friends_come_first_with_the_score_and_ways_to_play_more() -> None:
    said = friends_page([Friend(BO.id, "小波", 5, 1, 3), Friend(ANN.id, "<b>", 0, 0, 2)], Me())
    assert plain(said.text).split("\n")[2:] == ["小波 · 5 – 3, 1 draw", "&lt;b&gt; · 0 – 2"]
    ways = {"Play a friend": Invite(), "Find an opponent": FindOpponent()}
    assert by_label(said.keyboard) == {"✓ Friends": Friends(), "Everybody": EVERYBODY, **ways}
    assert "haven't finished a game with anybody" in friends_page([], Me()).text


def test_where_nobody_is_listed_there_is_only_a_game_to_begin() -> None:
    assert labels(page(HERE, []).keyboard) == [["Who's in?"]]
    assert set(by_label(page(EVERYBODY, []).keyboard)) == {"This chat", "✓ Everybody"}


@pytest.mark.parametrize(
    ("chosen", "found", "said"),
    [
        (HERE, {"hidden": True}, "/settings"),
        (HERE, {}, "don't have a rating"),
        (HERE, {"opponents": 3}, "don't have a rating"),
        (EVERYBODY, {"opponents": 3}, "you need rated games against 5 different people. So far: 3."),
        (Top(here=True, by_wins=True), {}, "haven't won"),
        (Top(here=False, by_wins=True), {}, "Win against 5 different people this week to be listed."),
        (HERE, {}, "Nobody's on this leaderboard yet."),
        (Top(here=True, page=7), {}, "Nobody's on this page."),
    ],
)
def test_everybody_is_told_their_place_or_why_they_have_none(
    chosen: Top, found: dict[str, Any], said: str
) -> None:
    text = page(chosen, [], **found).text
    assert said in text
    assert ("have a rating" in text) == ("have a rating" in said or said.startswith("Nobody's"))
