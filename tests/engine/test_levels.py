"""Levels under all rules: which strategy plays, how well on 3 by 3, and that each level can play."""

import time
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

import pytest

from engine import (
    CLASSIC,
    STRATEGIES,
    Level,
    Mark,
    Position,
    Rules,
    SearchLimits,
    candidates,
    choose,
    parse_rules,
)
from engine.cli.audit import strategy
from engine.levels import PLAYS, nodes_of, player
from engine.rules.base import UnknownLevel
from engine.strategies import Chooser, ahead, any_cell, board_by_board, slipping
from tests.soak import SOAK

pytestmark = pytest.mark.slow

MISERE = parse_rules("3x3x3-misere")
ULTIMATE = parse_rules("ultimate")


@cache
def from_the_end(rules: Rules) -> list[tuple[Position, dict[int, Position]]]:
    """Every position, later ones first, and where each of its cells leads."""
    layer, found = {rules.start()}, []
    while layer:
        after = [(position, {cell: position.play(cell) for cell in position.legal_moves}) for position in layer]
        found += after
        layer = {child for _, children in after for child in children.values()}
    return found[::-1]


def score(player: Chooser, opponent: Chooser, rules: Rules) -> float:
    """What a game is worth on average, over both sides and all games."""
    points = 0.0
    for mark in Mark:
        worth: dict[Position, float] = {}
        for position, after in from_the_end(rules):
            if position.outcome is not None:
                worth[position] = {mark: 1.0, None: 0.5}.get(position.outcome.winner, 0.0)
            else:
                cells = (player if position.turn is mark else opponent)(position)
                worth[position] = sum(worth[after[cell]] for cell in cells) / len(cells)
        points += worth[rules.start()]
    return points / 2


def documented(heading: str) -> list[list[str]]:
    """The rows of the table below a heading of docs/engine.md, header first; a newer level may be missing."""
    docs = (Path(__file__).parents[2] / "docs" / "engine.md").read_text(encoding="utf-8")
    _, _, section = docs.partition(f"# {heading}\n")
    lines = [line for line in section.partition("\n#")[0].splitlines() if line.startswith("|")]
    return [line.strip("| ").split(" | ") for line in lines if "---" not in line]


@pytest.mark.parametrize("rules", [CLASSIC, MISERE], ids=str)
def test_each_level_scores_more_than_the_last_and_loses_no_match_to_it(rules: Rules) -> None:
    levels = [strategy(level) for level in Level]
    erring = cache(slipping(levels[-1], any_cell, 5))
    found = [score(each, erring, rules) for each in levels]
    assert found == sorted(set(found)), "against a player who errs half the time"
    scores = {level.value: f"{each:.3f}" for level, each in zip(Level, found, strict=True)}
    table = documented("Against somebody who errs")
    measured = dict(zip(table[0][1:], next(row for row in table if row[0] == str(rules))[1:], strict=True))
    assert measured.items() <= scores.items()
    assert {"beginner", "perfect"} <= measured.keys()
    for weaker, stronger in combinations(levels, 2) if SOAK else pairwise(levels):
        assert score(stronger, weaker, rules) >= 1 / 2 - 1e-9


@cache
def person(position: Position) -> tuple[int, ...]:
    """A player who completes a line, else blocks one, else plays any free cell."""
    for mark in (position.turn, position.turn.other):
        held = {cell for cell in range(9) if position.mark_at(cell) is mark}
        gaps = [set(line) - held for line in CLASSIC.lines]
        if lines := [cell for cell in position.legal_moves if {cell} in gaps]:
            return tuple(lines)
    return position.legal_moves


def test_somebody_who_wins_and_blocks_scores_less_against_each_level() -> None:
    found = {level: score(person, strategy(level), CLASSIC) for level in Level}
    assert round(found[Level.BEGINNER], 2) == 0.88
    assert 0.65 <= found[Level.EASY] <= 0.75
    assert 0.50 <= found[Level.MEDIUM] <= 0.58
    assert 0.34 <= found[Level.HARD] <= 0.44
    assert found[Level.STRONGEST] <= 0.27
    measured = {row[0]: row[1] for row in documented("Against somebody who wins and blocks")[1:]}
    shown = {level.value: f"{each:.3f}" for level, each in found.items()}
    assert measured.items() <= shown.items()
    assert {"beginner", "perfect"} <= measured.keys()


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("mark", Mark)
def test_no_way_of_playing_always_wins(level: Level, mark: Mark) -> None:
    always_wins: dict[Position, bool] = {}
    for position, after in from_the_end(CLASSIC):
        if position.outcome is not None:
            always_wins[position] = position.outcome.winner is mark
        elif position.turn is mark:
            always_wins[position] = any(always_wins[child] for child in after.values())
        else:
            cells = strategy(level)(position)
            always_wins[position] = all(always_wins[after[cell]] for cell in cells)
    assert not always_wins[CLASSIC.start()]


@pytest.mark.parametrize("level", [Level.EASY, Level.MEDIUM, Level.HARD])
def test_a_level_begins_in_any_cell(level: Level) -> None:
    assert set(candidates(level, CLASSIC.start())) == set(range(9))


def test_easy_in_misere_completes_a_line_only_where_it_must_or_slips() -> None:
    careful, easy = ahead(2), strategy(Level.EASY)
    for position, after in from_the_end(MISERE):
        if position.is_over:
            continue
        lines = {cell for cell, child in after.items() if child.outcome and child.outcome.winner}
        chosen = set(careful(position))
        assert not chosen & lines or lines == after.keys()
        assert chosen <= set(easy(position))


@pytest.mark.parametrize("text", ["5x4x4", "6x6x4-misere", "ultimate"])
def test_beginner_plays_anything_and_easy_wins_and_blocks(text: str) -> None:
    rng, position = Random(1), parse_rules(text).start()
    while not position.is_over:
        assert candidates(Level.BEGINNER, position) == position.legal_moves
        ends = {cell: position.play(cell).outcome for cell in position.legal_moves}
        wins = {cell for cell, end in ends.items() if end and end.winner is position.turn}
        assert set(candidates(Level.EASY, position)) <= (wins or ends.keys())
        position = position.play(choose(Level.EASY, position, rng))


@pytest.mark.parametrize(
    ("player", "rules", "cells", "expected"),
    [
        # . O O . .    X wins at 9.
        # O X X X .
        pytest.param(ahead(2), "5x5x4", (6, 5, 7, 1, 8, 2), 9, id="wins"),
        # . X X X O    O can only stop X at 0.
        # . . O O .
        pytest.param(ahead(2), "5x5x4", (1, 4, 2, 7, 3), 0, id="blocks"),
        pytest.param(board_by_board, "ultimate", (36, 4, 37, 13), 38, id="wins a board"),
        pytest.param(board_by_board, "ultimate", (61, 67, 43, 70), 64, id="blocks on a board"),
    ],
)
def test_what_easy_sees_on_bigger_boards(
    player: Chooser, rules: str, cells: tuple[int, ...], expected: int
) -> None:
    position = parse_rules(rules).after(cells)
    assert player(position) == (expected,)
    assert candidates(Level.EASY, position) == (expected,)


def test_a_level_that_searches_varies_with_the_generator() -> None:
    position = ULTIMATE.start().play(40)
    assert len({choose(Level.MEDIUM, position, Random(seed)) for seed in range(12)}) > 1


@pytest.mark.parametrize(
    ("text", "level", "games"),
    [
        *(("vanishing", level, 80) for level in list(Level)[1:]),
        *(("ultimate", Level.MEDIUM, 30), ("ultimate", Level.HARD, 8)),
    ],
)
def test_a_level_beats_the_one_below(text: str, level: Level, games: int) -> None:
    below = list(Level)[list(Level).index(level) - 1]
    points = dict.fromkeys(Mark, 0.0)
    for seed in range(games):
        rng, position, mark = Random(seed), parse_rules(text).start(), list(Mark)[seed % 2]
        while position.outcome is None:
            position = position.play(choose(level if position.turn is mark else below, position, rng))
        points[mark] += {mark: 1.0, None: 0.5}.get(position.outcome.winner, 0.0)
    assert sum(points.values()) > 0.58 * games
    assert text == "ultimate" or min(points.values()) > 0.55 * games / 2, "with either mark"


@pytest.mark.parametrize("level", ["medium", "hard", "strongest"])
@pytest.mark.parametrize("text", ["8x8x5", "5x4x4-misere", "ultimate"])
def test_the_same_generator_and_nodes_give_the_same_legal_cell(text: str, level: str) -> None:
    rules, rng = parse_rules(text), Random(3)
    cells = [rng.choice(range(rules.cells))]
    for _ in range(4):
        cells.append(rng.choice(rules.after(cells).legal_moves))
    position = rules.after(cells)
    (cell,) = {choose(level, position, Random(7), SearchLimits(nodes=500)) for _ in range(3)}
    assert cell in position.legal_moves


@pytest.mark.parametrize("text", ["8x8x5", "6x6x4-misere", "6x6x4", "ultimate"])
def test_the_strongest_takes_no_more_than_its_time(text: str) -> None:
    position, began = parse_rules(text).replay("a1"), time.process_time()
    cell = choose("strongest", position, Random(1), SearchLimits(seconds=0.05))
    assert time.process_time() - began < 0.5
    assert cell in position.legal_moves


def test_a_search_has_as_many_nodes_as_its_level_was_measured_with() -> None:
    assert [nodes_of(name, ULTIMATE) for name in ("easy", "hard", "strongest")] == [None, 3_000, 600_000]
    assert nodes_of("hard", parse_rules("5x5x4")) == 1_000
    assert [nodes_of("strongest", parse_rules(text)) for text in ("6x6x4", "8x5x5")] == [10_000, 50_000]


def test_a_player_is_named_as_a_level_or_else_as_a_strategy() -> None:
    assert [player(level, CLASSIC) for level in Level] == [play.on_nine_cells for play in PLAYS.values()]
    assert player("strongest", ULTIMATE) is PLAYS[Level.STRONGEST].in_ultimate
    others = STRATEGIES.keys() - set(Level)
    assert {name: player(name, CLASSIC) for name in others} == {name: STRATEGIES[name].cells for name in others}
    with pytest.raises(UnknownLevel, match=f"Strategies are {', '.join(STRATEGIES)}"):
        choose("nobody", CLASSIC.start(), Random(1))
