"""The text and buttons of /top."""

from __future__ import annotations

import json

from bot.boards.buttons import Top, read
from bot.boards.translations import texts
from bot.features import top
from bot.features.top import Page
from storage.results.result import Listed, Rank

T = texts("en")
TEN = [Listed(number, f"P{number}", 1600 - number, number < 8) for number in range(1, 11)]


def carried(keyboard: str | None) -> dict[str, object]:
    """The data of each button, by its label."""
    rows = json.loads(keyboard or "")["inline_keyboard"]
    return {button["text"]: read(button["callback_data"]) for row in rows for button in row}


def plain(text: str) -> str:
    return text.translate({0x2068: None, 0x2069: None})


def test_a_page_numbers_its_people_and_marks_ratings_that_are_guesses() -> None:
    view = top.page(Top(here=True), Page(TEN, Rank(34, 1490, is_settled=True), hidden=False, in_group=True), T)
    lines = plain(view.text).split("\n")
    assert lines[0] == "🏆 <b>Rating</b> · this chat · all boards"
    assert (lines[2], lines[5], lines[-3]) == ("🥇 P1 · 1599", "4. P4 · 1596", "10. P10 · 1590?")
    assert lines[-1] == "Your place: 34 · 1490"
    second = top.page(Top(here=True, page=1), Page(TEN[:3], None, hidden=False, in_group=True), T)
    assert "11. P1" in plain(second.text)


def test_there_are_buttons_for_the_other_lists_and_for_more_pages() -> None:
    found = Page(TEN, None, hidden=False, in_group=True, families=["", "classic", "misere"])
    buttons = carried(top.page(Top(here=True, page=1, family="misere"), found, T).keyboard)
    assert buttons["Wins this week"] == Top(here=True, by_wins=True, family="misere")
    assert buttons["Everybody"] == Top(here=False, family="misere")
    assert buttons["3×3"] == Top(here=True, family="classic")
    assert (buttons["‹"], buttons["›"]) == (
        Top(here=True, family="misere"),
        Top(here=True, family="misere", page=2),
    )
    assert "Ultimate" not in buttons, "nobody is listed there"
    few = Page(TEN[:9], None, hidden=False, in_group=False, families=[""])
    last = carried(top.page(Top(here=False), few, T).keyboard)
    assert set(last) == {"✓ Rating", "Wins this week"}
    assert {"‹", "›", "Everybody", "This chat"}.isdisjoint(last)


def test_where_nobody_is_listed_there_is_nothing_to_choose() -> None:
    assert top.page(Top(here=True), Page([], None, hidden=False, in_group=True), T).keyboard is None
    elsewhere = top.page(Top(here=False), Page([], None, hidden=False, in_group=True), T)
    assert set(carried(elsewhere.keyboard)) == {"This chat", "✓ Everybody"}


def test_everybody_is_told_their_place_or_why_they_have_none() -> None:
    def said(wish: Top, *, hidden: bool = False) -> str:
        return top.page(wish, Page([], None, hidden=hidden, in_group=True), T).text

    assert "/settings" in said(Top(here=True), hidden=True)
    assert "don't have a rating" in said(Top(here=True))
    few = Page([], None, hidden=False, in_group=True, opponents=3)
    assert "against 5 different people to be listed; you've played 3." in top.page(Top(here=False), few, T).text
    assert "haven't won" in said(Top(here=True, by_wins=True))
    assert "Nobody's on this leaderboard yet." in said(Top(here=True))
    assert "Nobody's on this page." in said(Top(here=True, page=7))


def test_while_ratings_are_being_made_it_says_so_and_names_nobody() -> None:
    view = top.page(Top(here=True), Page((), None, hidden=False, in_group=True, being_made=True), T)
    assert view.text.endswith("Ratings are being recalculated. Check back in a few minutes.")
    assert "have a rating" not in view.text
