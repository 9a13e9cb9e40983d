"""Values, reasons and principal variations of positions, and games judged ply by ply."""

from collections.abc import Sequence
from functools import cache
from random import Random

import pytest

from engine import CLASSIC, EngineError, Limits, Position, Reason, Rules, parse_rules
from engine.analysis import game_analysis
from engine.analysis.game_analysis import Analysis, GameAnalysis, Verdict
from engine.players.levels import evaluator, search
from engine.rules.mnk import MnkRules
from engine.search.exact import exact
from engine.search.values import Evaluator, Result, Value
from tests.boards import board as position_of
from tests.engine import naive
from tests.engine.search.mnk import oracle

MISERE = parse_rules("3x3x3-misere")


def analyse(position: Position, judge: Evaluator | None = None) -> Analysis:
    """Its analysis by a table, or else by a search."""
    return game_analysis.analyse(position, judge or evaluator(position.rules))


def review(rules: Rules, cells: Sequence[int], judge: Evaluator | None = None) -> GameAnalysis:
    """Likewise."""
    return game_analysis.review(rules, cells, judge or evaluator(rules))


@cache
def naive_misere(board: str) -> tuple[int, int]:
    """The score for the side to move in misère, and the plies to the end unless it's a draw."""
    if naive.winner(board):
        return 1, 0
    if "." not in board:
        return 0, 0
    after = [naive_misere(naive.play(board, cell)) for cell in naive.free(board)]
    best = max(-score for score, _ in after)
    plies = [1 + left for score, left in after if -score == best]
    return best, min(plies) if best > 0 else max(plies)


def test_every_cell_of_every_position_has_its_exact_value() -> None:
    for board in naive.unfinished():
        analysis = analyse(position_of(board))
        assert [each.cell for each in analysis.cells] == naive.free(board)
        assert analysis.value.result == naive.score(board)
        for each in analysis.cells:
            after = naive.play(board, each.cell)
            assert each.value.result == -naive.score(after)
            assert each.value.plies == (1 + naive.plies_left(after) if naive.score(after) else None)
        best = {
            cell
            for cell in naive.keeping(board)
            if not naive.score(board) or 1 + naive.plies_left(naive.play(board, cell)) == naive.plies_left(board)
        }
        assert set(analysis.best) == best


def test_in_misere_too() -> None:
    for board in naive.unfinished():
        analysis = analyse(position_of(board, MISERE))
        for each in analysis.cells:
            score, plies = naive_misere(naive.play(board, each.cell))
            assert each.value.result == -score
            assert each.value.plies == (1 + plies if score else None)


def test_misere_is_drawn_by_the_centre_alone() -> None:
    analysis = analyse(MISERE.start())
    assert analysis.value.result is Result.DRAW
    assert analysis.best == (4,)


def test_the_principal_variation_leads_to_the_result_in_as_many_plies() -> None:
    for rules in (CLASSIC, MISERE):
        for board in naive.unfinished()[::10]:
            position = position_of(board, rules)
            value = analyse(position).value
            turn = position.turn
            for cell in value.line:
                position = position.play(cell)
            assert position.outcome is not None
            expected = {Result.WIN: turn, Result.LOSS: turn.other, Result.DRAW: None}
            assert value.result is not None
            assert position.outcome.winner is expected[value.result]
            assert value.plies in (None, len(value.line))


@pytest.mark.parametrize(
    ("rules", "board", "cell", "reason"),
    [
        ("3x3x3", "XX. OO. ...", 2, Reason.WIN),
        ("3x3x3", "XX. OO. ...", 8, Reason.ALLOWS_WIN),
        ("3x3x3", "XX. OO. ...", 5, Reason.MISSES_WIN),
        ("3x3x3", "XX. .O. ...", 2, Reason.BLOCK),
        ("3x3x3", "X.. .O. ..X", 1, Reason.THREAT),
        ("3x3x3", "X.. .O. ..X", 2, Reason.ALLOWS_FORK),
        ("3x3x3", ".O. ..X X..", 2, Reason.LOSES),
        ("3x3x3", "XO. ... ...", 4, Reason.THREAT),
        ("3x3x3", "XO. ... ...", 2, Reason.MISSES_WIN),
        ("3x3x3", "... ..X OXO", 4, Reason.FORK),
        ("3x3x3", "X.. .O. OX.", 2, Reason.BLOCK),
        ("3x3x3", "X.. ... ...", 1, Reason.LOSES),
        ("3x3x3", "X.. ... ...", 4, Reason.CENTRE),
        ("3x3x3", "... .X. ...", 0, Reason.CORNER),
        ("3x3x3", "... ... ...", 1, Reason.LINE),
        ("3x3x3", "..X XO. OX.", 1, Reason.PREFERENCE),
        ("3x3x3-misere", "... ... ...", 4, Reason.CENTRE),
        ("3x3x3-misere", "... ... ...", 0, Reason.LOSES),
        ("3x3x3-misere", "... .X. ...", 0, Reason.PREFERENCE),
        ("3x3x3-misere", "XX. O.O ...", 2, Reason.COMPLETES_LINE),
    ],
)
def test_a_cell_has_one_reason(rules: str, board: str, cell: int, reason: Reason) -> None:
    analysis = analyse(position_of(board, parse_rules(rules)))
    assert {each.cell: each.reason for each in analysis.cells}[cell] is reason


def can_fork(board: str, mark: str) -> bool:
    """Whether a mark has a ply after which it threatens two cells and the other side none."""
    after = [naive.put(board, cell, mark) for cell in range(9) if board[cell] == "."]
    return any(
        not naive.can_win(each, naive.opponent(mark))
        and sum(naive.winner(naive.put(each, cell, mark)) == mark for cell in range(9) if each[cell] == ".") > 1
        for each in after
    )


def test_reasons_hold_in_every_position() -> None:
    """Wins, blocks and lost blocks are reported exactly when they are true; a block that forks is a fork."""
    for board in naive.unfinished():
        own, other = naive.turn(board), naive.opponent(naive.turn(board))
        for each in analyse(position_of(board)).cells:
            after = naive.put(board, each.cell, own)
            wins = naive.winner(after) == own
            allows = not wins and naive.can_win(after, other)
            blocks = not wins and not allows and naive.winner(naive.put(board, each.cell, other)) == other
            if blocks and naive.score(board) == 1 > -naive.score(after):
                assert each.reason in (Reason.MISSES_WIN, Reason.LOSES, Reason.ALLOWS_FORK), (
                    "a missed win comes first"
                )
                continue
            blocks = blocks and not (-naive.score(after) < naive.score(board))
            assert (each.reason is Reason.WIN) == wins
            assert (each.reason is Reason.ALLOWS_WIN) == allows
            threats = [cell for cell in naive.free(after) if naive.winner(naive.put(after, cell, own)) == own]
            assert (each.reason is Reason.BLOCK) == (blocks and len(threats) < 2)
            assert each.reason is Reason.FORK or not blocks or len(threats) < 2
            if each.reason in (Reason.LOSES, Reason.ALLOWS_FORK):
                assert naive.score(after) == 1
                assert (each.reason is Reason.ALLOWS_FORK) == can_fork(after, other)
            if each.reason is Reason.MISSES_WIN:
                assert naive.score(board) == 1
                assert naive.score(after) == 0


def test_a_game_is_judged_ply_by_ply_and_has_a_turning_point() -> None:
    # X O X    X takes a corner and O the opposite one, which loses: X's third corner makes two threats,
    # O X .    one of which O leaves open.
    # X . O
    reviewed = review(CLASSIC, CLASSIC.read_moves("0863214"))
    assert [each.verdict for each in reviewed.steps] == ["best", "blunder", "best", "best", "best", "best", "best"]
    assert [each.reason for each in reviewed.steps[3:]] == ["block", "fork", "allows win", "win"]
    assert reviewed.turning_point == 1
    assert reviewed.steps[1].before.line[0] == 4


def test_losing_sooner_than_necessary_is_still_a_good_move() -> None:
    reviewed = review(CLASSIC, CLASSIC.read_moves("0862"))
    assert [each.verdict for each in reviewed.steps] == ["best", "blunder", "best", "good"]
    assert reviewed.steps[3].reason is Reason.ALLOWS_WIN


def test_a_win_given_away_is_a_slip() -> None:
    reviewed = review(CLASSIC, CLASSIC.read_moves("012"))
    assert [each.verdict for each in reviewed.steps] == ["best", "blunder", "mistake"]
    assert reviewed.steps[2].reason is Reason.MISSES_WIN
    assert reviewed.turning_point == 2


def test_a_game_without_a_slip_has_no_turning_point() -> None:
    line = analyse(CLASSIC.start()).value.line
    reviewed = review(CLASSIC, line)
    assert {each.verdict for each in reviewed.steps} == {Verdict.BEST}
    assert reviewed.turning_point is None


def test_verdicts_follow_from_the_values_in_every_position() -> None:
    for board in naive.unfinished()[::7]:
        position = position_of(board)
        x = [cell for cell in range(9) if board[cell] == "X"]
        o = [cell for cell in range(9) if board[cell] == "O"]
        moves = [cell for pair in zip(x, [*o, -1], strict=False) for cell in pair if cell >= 0]
        for cell in position.legal_moves:
            played = review(CLASSIC, [*moves, cell]).steps[-1]
            before, after = naive.score(board), -naive.score(naive.play(board, cell))
            if after == before:
                assert played.verdict in (Verdict.BEST, Verdict.GOOD)
            else:
                assert played.verdict is (Verdict.BLUNDER if after < 0 else Verdict.MISTAKE)
                assert played.before.result == before


class Guess:
    """Only knows that the middle of a row of five is worth most."""

    def value(self, position: Position) -> Value:
        """An estimate, three plies deep."""
        taken = [cell for cell in range(25) if position.mark_at(cell) is position.turn.other]
        return Value(None, estimate=-max((2 - abs(cell % 5 - 2)) / 4 for cell in taken or [0]), depth=3)


def test_elsewhere_an_evaluator_says_what_it_sees_and_how_deep() -> None:
    rules = parse_rules("5x5x4")
    analysis = analyse(rules.start(), Guess())
    assert analysis.best == (2, 7, 12, 17, 22)
    assert (analysis.value.result, analysis.value.depth) == (None, 4)
    assert analysis.value.line == (2,)
    reasons = {each.cell: each.reason for each in analysis.cells}
    assert (reasons[12], reasons[0], reasons[1]) == (Reason.CENTRE, Reason.CORNER, Reason.LINE)


def test_a_proven_end_is_seen_whatever_the_evaluator_says() -> None:
    rules = parse_rules("5x5x4")
    analysis = analyse(rules.replay("051627"), Guess())
    assert analysis.best == (3,)
    assert (analysis.value.result, analysis.value.plies) == (Result.WIN, 1)


@pytest.mark.parametrize("rules", ["4x4x4", "5x5x4", "4x4x3-misere", "5x5x4-misere", "8x8x5", "ultimate"])
@pytest.mark.parametrize("nodes", [0, 1, 8])
def test_a_budget_that_is_spent_immediately_still_values_every_position(rules: str, nodes: int) -> None:
    for seed in range(8):
        position, rng = parse_rules(rules).start(), Random(seed)
        while position.outcome is None:
            if len(position.legal_moves) < 12:
                value, after = search(position.rules, Limits(nodes)).value(position), position
                for cell in value.line:
                    after = after.play(cell)
                assert value.result is None or value.plies is None or value.plies >= len(value.line)
            position = position.play(rng.choice(position.legal_moves))


def test_a_finished_game_is_not_analysed() -> None:
    with pytest.raises(EngineError, match="The game is over"):
        analyse(CLASSIC.replay("03142"))


@pytest.mark.parametrize("text", ["4x3x3", "4x4x3", "4x4x4", "4x4x3-misere", "4x4x4-misere", "5x3x4"])
def test_what_a_search_proves_is_what_all_games_give(text: str) -> None:
    rules, proven = parse_rules(text), 0
    assert isinstance(rules, MnkRules)
    same = oracle.Rules(rules.geometry.m, rules.geometry.n, rules.geometry.k, misere=rules.misere)
    for seed in range(12):
        position, rng = rules.start(), Random(seed)
        while position.outcome is None and len(position.legal_moves) > 8:
            position = position.play(rng.choice(position.legal_moves))
        if position.outcome is not None:
            continue
        analysis = analyse(position)
        own, other = (
            frozenset(cell for cell in range(rules.cells) if side >> cell & 1) for side in position.sides
        )
        result, plies = oracle.value(same, own, other)
        assert (analysis.value.result, analysis.value.plies) == (result, plies if result else None)
        for each in analysis.cells:
            if each.value.result is not None:
                proven += 1
                if position.play(each.cell).outcome is None:
                    after, left = oracle.value(same, other, own | {each.cell})
                    assert each.value.result == -after
                    assert each.value.plies in (None, left + 1 if after else None)
        assert all(position.play(cell) for cell in analysis.best)
    assert proven > 20


def test_a_win_on_a_big_board_is_proven_with_its_plies_and_played_out() -> None:
    # . . . . .     Two in the middle of an open row: a third makes four possible on either side.
    # . . . . .
    # . X X . .
    # . . . . .
    # O O . . .
    position = parse_rules("5x5x4").start()
    for cell in (11, 20, 12, 21):
        position = position.play(cell)
    analysis = analyse(position)
    assert (analysis.value.result, analysis.value.plies) == (Result.WIN, 3)
    assert analysis.best == (13,)
    for cell in analysis.value.line:
        position = position.play(cell)
    assert position.outcome is not None
    reasons = {each.cell: each.reason for each in analysis.cells}
    assert reasons[13] is Reason.FORK


@pytest.mark.slow
@pytest.mark.parametrize("text", ["8x8x5", "6x6x4-misere", "ultimate"])
def test_where_nothing_is_proven_it_says_how_deep_it_looked(text: str) -> None:
    rules = parse_rules(text)
    analysis = analyse(rules.start().play(0), evaluator(rules, Limits(nodes=100)))
    assert analysis.value.result is None
    assert analysis.value.depth >= 1
    assert -1 < analysis.value.estimate < 1
    assert analysis.best
    assert {each.cell for each in analysis.cells} == set(rules.start().play(0).legal_moves)


def test_a_game_on_a_big_board_is_reviewed() -> None:
    rules = parse_rules("5x5x4")
    # X makes three in an open row, which wins, whatever O does.
    reviewed = review(rules, (11, 20, 12, 21, 13, 22, 14))
    assert [each.verdict for each in reviewed.steps[4:]] == ["best", "best", "best"]
    assert reviewed.steps[-1].reason is Reason.WIN


def test_a_line_of_bigger_boards_is_seen_by_its_reason() -> None:
    rules = parse_rules("5x5x4")
    analysis = analyse(rules.replay("60718"), Guess())
    reasons = {each.cell: each.reason for each in analysis.cells}
    assert reasons[12] is Reason.ALLOWS_WIN
    assert reasons[5] is Reason.ALLOWS_WIN
    assert analyse(rules.replay("6071"), Guess()).cells[0].cell == 2


@pytest.mark.parametrize(
    ("moves", "cell", "reason"),
    [
        ((), 40, Reason.CENTRE),
        ((), 0, Reason.CORNER),
        ((), 1, Reason.PREFERENCE),
        ((36, 4, 37, 13), 38, Reason.WIN_BOARD),
        ((17, 73, 13), 37, Reason.ALLOWS_BOARD),
        ((61, 67, 43, 70), 64, Reason.BLOCK_BOARD),
        ((6, 61, 69, 60, 55, 13, 42, 62), 78, Reason.FREE_CHOICE),
    ],
)
def test_in_ultimate_a_cell_has_one_reason_too(moves: tuple[int, ...], cell: int, reason: Reason) -> None:
    class Nothing:
        def value(self, position: Position) -> Value:
            assert position.rules
            return Value(None)

    rules = parse_rules("ultimate")
    position = rules.start()
    for move in moves:
        position = position.play(move)
    analysis = analyse(position, Nothing())
    assert {each.cell: each.reason for each in analysis.cells}[cell] is reason


def test_a_table_belongs_to_its_rules() -> None:
    assert exact(CLASSIC) is exact(parse_rules("3x3x3"))
    assert exact(parse_rules("4x3x3")) is None


def test_rules_that_nobody_made_a_table_for_have_none() -> None:
    unknown = Rules("unknown", CLASSIC.layout)
    assert unknown.cells == CLASSIC.cells
    assert exact(unknown) is None


class Told:
    """Values positions by their number of plies, as configured."""

    def __init__(self, *values: Value) -> None:
        self._values = values

    def value(self, position: Position) -> Value:
        """The value for that number of plies."""
        return self._values[position.ply]


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        (Value(Result.DRAW), Value(Result.WIN, 8), Verdict.BLUNDER),
        (Value(Result.WIN, 9), Value(Result.DRAW), Verdict.MISTAKE),
        (Value(Result.LOSS, 8), Value(Result.WIN, 5), Verdict.GOOD),
        (Value(Result.LOSS), Value(None, estimate=0.9, depth=9), Verdict.BEST),
        (Value(None, estimate=-0.9, depth=9), Value(Result.LOSS, 4), Verdict.BEST),
        (Value(None, estimate=0.3, depth=6), Value(Result.WIN, 8), Verdict.DOUBTFUL),
        (Value(None, estimate=0.6, depth=6), Value(None, estimate=0.3, depth=6), Verdict.DOUBTFUL),
        (Value(None, estimate=0.6, depth=2), Value(None, estimate=0.3, depth=2), Verdict.GOOD),
        (Value(None, estimate=0.2, depth=6), Value(None, estimate=0.1, depth=6), Verdict.GOOD),
    ],
)
def test_only_what_is_proven_before_and_after_is_called_a_mistake(
    before: Value, after: Value, verdict: Verdict
) -> None:
    reviewed = review(parse_rules("5x5x4"), [0], Told(before, after))
    assert reviewed.steps[0].verdict is verdict
    assert (reviewed.turning_point == 0) == (verdict in (Verdict.MISTAKE, Verdict.BLUNDER))


def test_a_ply_that_seems_to_give_a_proven_win_away_is_said_to_miss_it() -> None:
    reviewed = review(parse_rules("5x5x4"), [0], Told(Value(Result.WIN, 5), Value(None, depth=6)))
    assert (reviewed.steps[0].verdict, reviewed.steps[0].reason) == (Verdict.DOUBTFUL, Reason.MISSES_WIN)
