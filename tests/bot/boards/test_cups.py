"""The message of a cup: what it says of a round, and that it fits, whoever plays and however they are called."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from random import Random
from typing import Final
from urllib.parse import parse_qs, urlsplit

import pytest

from benchmarks.cups import NOW, played
from bot.boards import names
from bot.boards.cups import Shown, cup_view, starts_line
from bot.game.cups import MOST_IN, rankings
from bot.language import speaking
from playground.keyboards import inline_keyboard
from playground.texts import MAXIMUM_LENGTH, utf16_length
from storage.games.game import Game, GameKind, Limits, Side
from storage.people.person import CupGame, CupResult, CupStage, CupState
from tests.bot.game.test_cups import opened
from tests.bot.reading import bare, buttons

MOST_ENTITIES: Final = 100
LONGEST: Final = ("W" * 128, "𓀀" * 128)
"""Names of the longest: 48 letters of them are shown, the second ones with two units of UTF-16 each."""


def shown(state: CupState, name: str = "", elsewhere: Collection[int] = ()) -> Shown:
    """A cup whose players are called by their numbers and a name; both have moved in all that run."""
    called = {player.person: f"P{player.number}{name}" for player in state.players}
    games = {each.number: _game(state, each, called) for each in state.games if each.game_id is not None}
    return Shown(state, called, games, dict.fromkeys(games, NOW), elsewhere=elsewhere)


def _game(state: CupState, each: CupGame, called: Mapping[int, str]) -> Game:
    o = each.x if each.o is None else each.o
    sides = Side(100 + each.x), Side(100 + o)
    moves = {"8x8x5": "aibj", "3x3x3": "04"}[state.cup.rules]
    made = Game(
        each.game_id or 0, -5, state.cup.rules, GameKind.PAIR, *sides, time_limits=Limits.CUP, names=called
    )
    return made if each.number % 2 else made._replace(moves=moves)


def stages(rules: str) -> Iterator[CupState]:
    """A cup of sixteen as it opens, in each round as that begins and when half of it is over, and at its end."""
    yield opened(MOST_IN, rules=rules)
    for number, state in enumerate(played(MOST_IN, Random(3), leaving=0.2)):
        if number % 4 == 0 or state.cup.stage is CupStage.OVER:
            yield state._replace(cup=state.cup._replace(rules=rules))


@pytest.mark.parametrize("rules", ["3x3x3", "8x8x5"])
@pytest.mark.parametrize("name", LONGEST)
@pytest.mark.usefixtures("tag")
def test_every_screen_of_sixteen_with_the_longest_names_is_one_message(name: str, rules: str) -> None:
    for state in stages(rules):
        view = cup_view(shown(state, name), "oxo_bot")
        assert utf16_length(view.plain) <= MAXIMUM_LENGTH
        assert inline_keyboard(json.loads(view.keyboard or "{}")), "it isn't refused"
        assert len(re.findall("<[a-z]", view.text)) <= MOST_ENTITIES


def test_of_a_long_table_the_first_lines_are_sent() -> None:
    *_, state = stages("3x3x3")
    with speaking("en"):
        view = cup_view(shown(state, LONGEST[1]), "oxo_bot")
    ((_, send),) = buttons(view.keyboard)
    (sent,) = parse_qs(urlsplit(send["url"]).query)["text"]
    assert view.plain.startswith(f"{sent}\n")
    assert sent.count("\n") > 3, "with the podium"


def test_the_head_says_until_when_a_round_is_played_unless_that_is_days() -> None:
    state = next(played(4, Random(1)))
    with speaking("en"):
        assert re.match(r"🏆 Round 1 of 3 · 3×3 · until \d\d:\d\d UTC\n", bare(cup_view(shown(state), "oxo").text))
        days = state._replace(cup=state.cup._replace(clock=86400))
        assert bare(cup_view(shown(days), "oxo").text).startswith("🏆 Round 1 of 3 · 3×3\n")


def test_a_game_that_waits_for_a_clock_elsewhere_says_whose() -> None:
    state = next(played(4, Random(1)))
    state = state._replace(games=tuple(each._replace(game_id=None) for each in state.games))
    waits, other = state.games[:2]
    busy = next(each.person for each in state.players if each.number == waits.o)
    with speaking("en"):
        text = bare(cup_view(shown(state, elsewhere=[busy]), "oxo").text)
    assert f"⏳ P{waits.x} – P{waits.o}: P{waits.o} is playing elsewhere" in text
    assert f"… P{other.x} – P{other.o}" in text


@pytest.mark.parametrize(("tag", "points"), [("en", "<b>1½</b>"), ("ar", "<b>\u20661½\u2069</b>")])
def test_a_half_follows_its_number_in_either_direction(tag: str, points: str) -> None:
    *_, state = played(3, Random(0))
    with speaking(tag):
        assert points in cup_view(shown(state), "oxo").text


def test_nobody_is_ahead_of_somebody_with_the_same_place() -> None:
    *_, state = played(3, Random(0))
    assert sorted(each.place or 0 for each in state.players) == [1, 1, 3]
    with speaking("en"):
        assert "ahead of" not in cup_view(shown(state), "oxo").text


def test_nobody_is_named_as_the_host_who_holds_no_cup() -> None:
    state = opened(4)
    nobody_first = state._replace(players=state.players[1:])
    with speaking("en"):
        assert bare(starts_line(shown(state))).endswith("once one more person joins.")
        assert "when P0 says so" in bare(starts_line(shown(state)))
        assert "when an admin says so" in bare(starts_line(shown(nobody_first)))


def test_a_planned_cup_says_when_it_starts_also_before_enough_have_joined() -> None:
    cup = opened(0).cup._replace(starts_at=NOW, is_planned=True)
    with speaking("en"):
        said = bare(starts_line(shown(CupState(cup, (), ()))))
    assert re.fullmatch(r"3 more people needed. Starts at .* UTC, or when an admin says so\.", said)


@pytest.mark.parametrize("name", ["🏆 Bo", "🥇Bo🥈", "Bo 🥉\n🏆", "🏆\ufe0fBo", "✓ Bo", "▶\ufe0f Bo⏳"])
def test_no_name_has_the_marks_of_a_table(name: str) -> None:
    assert names.clean(name) == "Bo"
    assert names.clean("🏆🥇") == ""
    assert names.clean(f"{name} – Ann 1–0") == "Bo - Ann 1-0"


def test_points_look_unlike_the_digits_of_a_name() -> None:
    *_, state = played(3, Random(1))
    for each in (state, state._replace(cup=state.cup._replace(stage=CupStage.RUNNING))):
        with speaking("en"):
            text = cup_view(shown(each, " 3"), "oxo").text.replace("\u00a0", " ")
        assert len(re.findall(r"P\d 3\u2069(?: ·)? <b>", text)) == len(state.players)


def tie_breaks(people: int, seeds: int, words: str) -> Iterator[tuple[CupState, re.Match[str]]]:
    """Cups that are over, and why somebody is ahead of others with as many points, where these words say it."""
    for seed in range(seeds):
        *_, state = played(people, Random(seed))
        with speaking("en"):
            text = bare(cup_view(shown(state), "oxo").text)
        if (said := re.search(rf"P(\d) is ahead of {words}", text)) is not None:
            yield state, said


def test_who_is_ahead_by_games_with_each_other_is_ahead_of_all_who_are_equal_not_of_the_next_alone() -> None:
    most = 0
    for state, said in tie_breaks(5, 30, "(.*) in their games"):
        lines = rankings(state)
        one = next(line for line in lines if line.player.number == int(said[1]))
        behind = [line.player for line in lines if line.points == one.points and line.place > one.place]
        assert said[2] == ", ".join(f"P{player.number}" for player in behind)
        most = max(most, len(behind))
    assert most > 1


def test_whoever_is_ahead_by_the_points_of_those_they_met_need_not_have_won_against_them() -> None:
    drawn = 0
    for state, said in tie_breaks(8, 40, ".*, with (.*) against people who have more"):
        ends = [(game.x, game.result is CupResult.X) for game in state.games]
        ends += [(game.o or 0, game.result is CupResult.O) for game in state.games]
        assert said[2] == "wins and draws"
        drawn += (int(said[1]), True) not in ends
    assert drawn
