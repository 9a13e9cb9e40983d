"""Reasons for and against cells, games judged ply by ply, the best move, and all moves."""

from collections.abc import Sequence
from functools import cache
from random import Random

import pytest

from engine import (
    CLASSIC,
    EngineError,
    Position,
    Reason,
    Rules,
    SearchLimits,
    analyse,
    best_move,
    parse_rules,
    reviews,
)
from engine.levels import search
from engine.reviews import Choice, GameAnalysis, Verdict, analyse_game, most_telling, reason_for
from engine.search.base import Evaluator, GameValue, Value
from engine.search.solved import solved
from tests.boards import board as position_of
from tests.engine import naive
from tests.engine.naive import CLASSIC as PLAIN

FIVE = parse_rules("5x5x4")


def evaluator(rules: Rules) -> Evaluator:
    return solved(rules) or search(rules, SearchLimits(nodes=3_000))


def review(rules: Rules, cells: Sequence[int], judge: Evaluator | None = None) -> GameAnalysis:
    return reviews.review(rules, cells, judge or evaluator(rules))


def reasons(position: Position) -> dict[int, Reason]:
    judge = evaluator(position.rules)
    values = {cell: judge.value(position.play(cell)).before(cell) for cell in position.legal_moves}
    return {cell: reason_for(position, cell, judge.value(position), value) for cell, value in values.items()}


@pytest.mark.parametrize(
    ("rules", "board", "cell", "reason"),
    [
        ("3x3x3", "XX. OO. ...", 5, Reason.MISSES_WIN),
        ("3x3x3", "X.. .O. ..X", 1, Reason.THREAT),
        ("3x3x3", "XO. ... ...", 4, Reason.THREAT),
        ("3x3x3", "XO. ... ...", 2, Reason.MISSES_WIN),
        ("3x3x3", "... ..X OXO", 4, Reason.FORK),
        ("3x3x3", "X.. ... ...", 4, Reason.CENTRE),
        ("3x3x3", "... .X. ...", 0, Reason.CORNER),
        ("3x3x3", "... ... ...", 1, Reason.LINE),
        ("3x3x3", "..X XO. OX.", 1, Reason.PREFERENCE),
        ("3x3x3-misere", "... ... ...", 0, Reason.LOSES),
        ("3x3x3-misere", "... .X. ...", 0, Reason.PREFERENCE),
        ("3x3x3-misere", "XX. O.O ...", 2, Reason.COMPLETES_LINE),
    ],
)
def test_a_cell_has_one_reason(rules: str, board: str, cell: int, reason: Reason) -> None:
    assert reasons(position_of(board, parse_rules(rules)))[cell] is reason


@cache
def wins(board: str, mark: str) -> set[int]:
    return {cell for cell in naive.free(board) if PLAIN.lined(naive.put(board, cell, mark)) == mark}


@pytest.mark.slow
def test_reasons_hold_in_every_position() -> None:
    """Wins, blocks and lost blocks are reported exactly when they are true; a block that forks is a fork."""
    for board in naive.unfinished(PLAIN):
        own, other = naive.turn(board), naive.opponent(naive.turn(board))
        for cell, reason in reasons(position_of(board)).items():
            after = naive.put(board, cell, own)
            score, forks = -naive.score(PLAIN, after), len(wins(after, own)) > 1
            is_win, allows_win = PLAIN.lined(after) == own, bool(wins(after, other))
            is_block = not is_win and not allows_win and cell in wins(board, other)
            if is_block and naive.score(PLAIN, board) == 1 > score:
                missed = (Reason.MISSES_WIN, Reason.LOSES, Reason.ALLOWS_FORK)
                assert reason in missed, "a missed win comes first"
                continue
            is_block = is_block and score >= naive.score(PLAIN, board)
            assert (reason is Reason.WIN) == is_win
            assert (reason is Reason.ALLOWS_WIN) == (allows_win and not is_win)
            assert (reason is Reason.BLOCK) == (is_block and not forks)
            assert reason is Reason.FORK or not is_block or not forks
            if reason in (Reason.LOSES, Reason.ALLOWS_FORK):
                assert score == -1
                replies = [naive.put(after, reply, other) for reply in naive.free(after)]
                can_fork = any(not wins(reply, own) and len(wins(reply, other)) > 1 for reply in replies)
                assert (reason is Reason.ALLOWS_FORK) == can_fork
            if reason is Reason.MISSES_WIN:
                assert (naive.score(PLAIN, board), score) == (1, 0)


@pytest.mark.parametrize(
    ("moves", "verdicts", "turning_point", "reasons"),
    [
        # X takes a corner and O the opposite one, which loses: X's third corner makes two threats.
        pytest.param("0863214", "best blunder best best best best best", 1, "block, fork, allows win, win"),
        pytest.param("0862", "best blunder best good", 1, "allows win", id="losing sooner than necessary is good"),
        pytest.param("012", "best blunder mistake", 2, "misses win", id="a win given away is a mistake"),
        pytest.param("041263578", "best " * 9, None, "corner", id="nothing given away"),
    ],
)
def test_a_game_is_judged_ply_by_ply_and_has_a_turning_point(
    moves: str, verdicts: str, turning_point: int | None, reasons: str
) -> None:
    reviewed = review(CLASSIC, CLASSIC.read_moves(moves))
    assert [each.verdict for each in reviewed.steps] == verdicts.split()
    assert reviewed.turning_point == turning_point
    last = reasons.split(", ")
    assert [each.reason for each in reviewed.steps[-len(last) :]] == last


def test_verdicts_follow_from_the_values_in_every_position() -> None:
    for board in naive.unfinished(PLAIN)[::7]:
        x, o = ([cell for cell, each in enumerate(board) if each == mark] for mark in "XO")
        moves = [cell for pair in zip(x, [*o, -1], strict=False) for cell in pair if cell >= 0]
        for cell in naive.free(board):
            played = review(CLASSIC, [*moves, cell]).steps[-1]
            before, after = naive.score(PLAIN, board), -naive.score(PLAIN, naive.play(board, cell))
            if after == before:
                assert played.verdict in (Verdict.BEST, Verdict.GOOD)
            else:
                assert played.verdict is (Verdict.BLUNDER if after < 0 else Verdict.MISTAKE)
                assert played.before.result == before


@pytest.mark.parametrize("rules", ["4x4x4", "5x5x4", "4x4x3-misere", "5x5x4-misere", "8x8x5", "ultimate"])
@pytest.mark.parametrize("nodes", [0, 1, 8])
def test_a_budget_that_is_spent_immediately_still_values_every_position(rules: str, nodes: int) -> None:
    for seed in range(8):
        position, rng = parse_rules(rules).start(), Random(seed)
        while position.outcome is None:
            if len(position.legal_moves) < 12:
                value = search(position.rules, SearchLimits(nodes)).value(position)
                assert value.cell is None or value.cell in position.legal_moves
            position = position.play(rng.choice(position.legal_moves))


def test_after_the_end_there_is_no_best_move() -> None:
    over = FIVE.replay("a1 a3 b1 b3 c1 c3 d1")
    for ask in (best_move, analyse):
        with pytest.raises(EngineError, match="The game is over"):
            ask(over)


def test_a_win_on_a_big_board_is_proven_with_its_plies_and_played_out() -> None:
    # . . . . .     Two in the middle of an open row: a third makes four possible on either side.
    # . . . . .
    # . X X . .
    # . . . . .
    # O O . . .
    value = evaluator(FIVE).value(FIVE.after([11, 20, 12, 21]))
    assert (value.result, value.plies, value.cell) == (GameValue.WIN, 3, 13)
    reviewed = review(FIVE, (11, 20, 12, 21, 13, 22, 14))
    assert [(each.verdict, each.reason) for each in reviewed.steps[4:]] == [
        (Verdict.BEST, Reason.FORK),
        (Verdict.BEST, Reason.ALLOWS_WIN),
        (Verdict.BEST, Reason.WIN),
    ]


@pytest.mark.parametrize("text", ["8x8x5", "6x6x4-misere", "ultimate"])
def test_where_nothing_is_proven_it_says_how_deep_it_looked(text: str) -> None:
    position = parse_rules(text).start().play(0)
    value = evaluator(position.rules).value(position)
    assert value.result is None
    assert value.depth >= 1
    assert -1 < value.estimate < 1
    assert value.cell in position.legal_moves


@pytest.mark.slow
def test_a_start_that_is_known_to_be_drawn_claims_nothing_of_what_follows() -> None:
    first, second = review(parse_rules("8x8x5"), [0, 63]).steps
    assert first.before == Value(GameValue.DRAW)
    assert {each.result for each in (first.after, second.before, second.after)} == {None}
    assert not first.gives_away


class Told:
    """Values positions by their number of plies, as configured."""

    def __init__(self, *values: Value) -> None:
        self._values = values

    def value(self, position: Position) -> Value:
        return self._values[position.ply]


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        (Value(GameValue.DRAW), Value(GameValue.WIN, 8), Verdict.BLUNDER),
        (Value(GameValue.WIN, 9), Value(GameValue.DRAW), Verdict.MISTAKE),
        (Value(GameValue.LOSS, 8), Value(GameValue.WIN, 5), Verdict.GOOD),
        (Value(GameValue.LOSS), Value(None, estimate=0.9, depth=9), Verdict.BEST),
        (Value(None, estimate=-0.9, depth=9), Value(GameValue.LOSS, 4), Verdict.BEST),
        (Value(None, estimate=0.3, depth=6), Value(GameValue.WIN, 8), Verdict.DOUBTFUL),
        (Value(None, estimate=0.6, depth=6), Value(None, estimate=0.3, depth=6), Verdict.DOUBTFUL),
        (Value(None, estimate=0.6, depth=2), Value(None, estimate=0.3, depth=2), Verdict.GOOD),
        (Value(None, estimate=0.2, depth=6), Value(None, estimate=0.1, depth=6), Verdict.GOOD),
    ],
)
def test_only_what_is_proven_before_and_after_is_called_a_mistake(
    before: Value, after: Value, verdict: Verdict
) -> None:
    reviewed = review(FIVE, [0], Told(before, after))
    assert reviewed.steps[0].verdict is verdict
    assert (reviewed.turning_point == 0) == (verdict in (Verdict.MISTAKE, Verdict.BLUNDER))


def test_a_ply_that_seems_to_give_a_proven_win_away_is_said_to_miss_it() -> None:
    step = review(FIVE, [0], Told(Value(GameValue.WIN, 5), Value(None, depth=6))).steps[0]
    assert (step.verdict, step.reason) == (Verdict.DOUBTFUL, Reason.MISSES_WIN)


def test_a_mistake_has_all_cells_with_what_speaks_for_or_against_them() -> None:
    """X at 0, and O takes the opposite corner: only the centre would have held."""
    found = analyse_game(CLASSIC, "0863214")
    assert found.turning_point == 1
    assert found.depth is None, "all is proven"
    step = found.steps[1]
    assert (step.before.result, step.after.result) == (GameValue.DRAW, GameValue.LOSS)
    assert [choice.cell for choice in step.choices] == list(range(1, 9))
    best = [choice for choice in step.choices if choice.verdict is Verdict.BEST]
    assert [(choice.cell, choice.reason, str(choice.value)) for choice in best] == [(4, Reason.CENTRE, "draw")]
    assert [step.choices for step in found.steps if not step.gives_away] == [()] * 6


def test_cells_that_keep_a_win_without_hurry_are_good_choices() -> None:
    """X has the top row but for its last cell, and leaves it to O."""
    choices = analyse_game(CLASSIC, "04187").steps[-1].choices
    verdicts = {2: "best", 3: "good", 5: "mistake", 6: "good", 7: "blunder"}
    assert {choice.cell: choice.verdict for choice in choices} == verdicts


@pytest.mark.parametrize("rules", ["5x5x4", "8x8x5", "4x4x4-misere", "ultimate"])
def test_elsewhere_a_search_looks_as_far_as_its_time_allows_and_says_so(rules: str) -> None:
    position, cells = parse_rules(rules).start(), list[int]()
    while position.ply < 7:
        cells.append(position.legal_moves[position.ply % len(position.legal_moves)])
        position = position.play(cells[-1])
    found = analyse_game(position.rules, position.rules.moves_text(cells), 0.2)
    assert [step.cell for step in found.steps] == cells
    assert found.depth is not None
    for step in found.steps:
        assert bool(step.choices) is step.gives_away
        if step.gives_away:
            assert any(choice.verdict is Verdict.BEST for choice in step.choices)
            assert next(choice.verdict for choice in step.choices if choice.cell == step.cell) is step.verdict


def test_with_enough_time_an_analysis_is_always_the_same() -> None:
    """Ten plies on 5 by 5: two processes reach the same verdicts, however fast each is."""
    moves = FIVE.moves_text([12, 0, 6, 24, 18, 1, 11, 2, 3, 13])
    assert analyse_game(FIVE, moves, 60) == analyse_game(FIVE, moves, 120)


def test_of_equal_cells_the_one_with_most_to_say_for_it_is_named() -> None:
    best, good = Verdict.BEST, Verdict.GOOD
    choices = [Choice(1, best, Reason.LINE), Choice(5, best, Reason.FORK), Choice(7, good, Reason.WIN)]
    assert most_telling(choices) == Choice(5, best, Reason.FORK)


@pytest.mark.parametrize(
    ("rules", "moves", "said"),
    [
        ("3x3x3", "a1 a2 b1 b2", "c1 (best): win in 1 ply. It wins the game."),
        (
            "5x5x4",
            "a1 a3 b1 b3 c1",
            "d1 (best): about 50 %, seen 1 ply ahead. The opponent would win there.",
        ),
        ("3x3x3-misere", "", "b2 (best): draw. It takes the centre."),
    ],
)
def test_the_best_move_comes_with_its_reason_and_is_the_first_of_all(rules: str, moves: str, said: str) -> None:
    position = parse_rules(rules).replay(moves)
    found, everything = best_move(position, seconds=0), analyse(position, seconds=0)  # however fast the machine is
    assert found.name == everything[0].name
    assert f"{found}".startswith(said[:9])
    assert str(everything[0]) == said
    assert sorted(choice.cell for choice in everything) == list(position.legal_moves)
    assert position.play(found.name) == position.play(found.cell)


@pytest.mark.parametrize(
    ("before", "known", "first"),
    [
        (Value(GameValue.DRAW), Value(GameValue.DRAW), "c3 (best): draw. It takes the centre."),
        (Value(GameValue.LOSS, 9), Value(GameValue.WIN, 3), "a1 (best): loss. It loses by force."),
    ],
)
def test_what_is_proven_to_be_best_is_first_and_in_a_lost_position_every_cell_loses(
    before: Value, known: Value, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search proves the position and what the centre leads to, and estimates the other cells."""

    class Found:
        def value(self, position: Position) -> Value:
            if not position.ply:
                return before
            return known if position.mark_at(12) else Value(None, estimate=-0.5, depth=5)

    monkeypatch.setattr(reviews, "search", lambda *_: Found())
    found = analyse(FIVE.start())
    assert str(found[0]) == first
    verdicts = [choice.verdict for choice in found]
    assert verdicts == sorted(verdicts)
    unproven = {None} if before.result is GameValue.DRAW else set()
    assert {choice.value.result for choice in found} == {before.result} | unproven


def test_a_best_move_takes_one_search_instead_of_one_for_each_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    class Found:
        def choice(self, position: Position) -> Value:
            return Value(None, cell=position.legal_moves[-1])

    monkeypatch.setattr(reviews, "search", lambda *_: Found())
    assert repr(best_move(FIVE.start())) == "Choice('e5', best, corner, unknown)"
