"""A game that waits for the computer is in a state like any other: the person may still act."""

from __future__ import annotations

import pytest

from bot.game.actions import (
    Answer,
    ConfirmResign,
    Hint,
    LetComputerPlay,
    Move,
    Resign,
    SetFirst,
    SetLevel,
    SwapSides,
    TakeBack,
)
from bot.game.attempt import Refusal, State, Thought, position_of, state_of, thought_of
from bot.game.deadlines import THINKING_SECONDS, Due, look
from bot.game.machine import Ruling, decide_by_computer
from bot.game.play import is_fresh
from engine import Level, Mark, parse_rules
from storage.games.game import Game, Termination
from storage.games.record import Decision, Record
from tests.bot.games import (
    ANN,
    BO,
    LIMITS,
    NOW,
    attempt,
    board_in,
    computer_game,
    decided,
    done,
    game_of_two,
    open_challenge,
    permitted,
    refused,
)

FOUR = "4x4x4"


def answered(game: Game, cell: int, thought: Thought | None = None, now: int = NOW) -> Decision[Ruling]:
    """The game after the computer has found a cell."""
    action = Answer(cell, thought or position_of(game))
    return decide_by_computer(Record(game, (board_in(),)), action, attempt(now=now))


def thinking(moves: str = "5") -> Game:
    """Ann's game on 4 by 4 with the computer to move; the last move was made just now."""
    *_, last = parse_rules(FOUR).read_moves(moves)
    before = computer_game(moves[:-1], rules=FOUR)
    return done(before, Move(before.ply, last))


def test_where_the_answer_takes_a_search_the_move_is_made_without_it() -> None:
    game = thinking()
    assert (game.moves, state_of(game), game.turn) == ("5", State.THINKING, Mark.O)
    assert thought_of(game) == (FOUR, "5", "medium")


@pytest.mark.parametrize(
    ("rules", "level", "waits"),
    [
        ("3x3x3", Level.PERFECT, False),
        ("3x3x3-misere", Level.PERFECT, False),
        ("4x4x4", Level.BEGINNER, False),
        ("4x4x4", Level.EASY, True),
        ("ultimate", Level.BEGINNER, False),
        ("ultimate", Level.PERFECT, True),
    ],
)
def test_a_table_and_dice_need_no_time(rules: str, level: Level, waits: bool) -> None:  # noqa: FBT001 - a parameter
    game = done(computer_game(rules=rules, level=level), Move(0, 4))
    assert game.ply == (1 if waits else 2)
    begun = computer_game(rules=rules, level=level, first=False)
    assert begun.ply == (0 if waits else 1)
    assert (state_of(begun) is State.THINKING) is waits


def test_the_answer_is_the_computers_move() -> None:
    decision = answered(thinking(), 6, now=NOW + 2)
    game = decision.game
    assert (game.moves, state_of(game), decision.result.refusal) == ("56", State.RUNNING, None)
    assert (game.moved_at, game.due_at) == (NOW + 2, NOW + 2 + LIMITS.computer)


def test_an_answer_comes_once() -> None:
    game = thinking()
    again = answered(answered(game, 6).game, 7, thought_of(game))
    assert again.result.refusal is Refusal.STALE
    assert again.game.moves == "56"


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(Thought(FOUR, "4", "medium"), id="another move, after a takeback"),
        pytest.param(Thought(FOUR, "5", "hard"), id="another level"),
        pytest.param(Thought(FOUR, "5601", "medium"), id="a position that was taken back"),
        pytest.param(Thought("4x4x3", "5", "medium"), id="other rules"),
    ],
)
def test_an_answer_to_anything_else_is_none(other: Thought) -> None:
    game = thinking()
    decision = answered(game, 6, other)
    assert (decision.game, decision.result.refusal) == (game, Refusal.STALE)


def test_where_the_person_is_to_move_there_is_nothing_to_answer() -> None:
    game = answered(thinking(), 6).game
    for each in (game, game_of_two("4"), open_challenge(), computer_game("40")):
        decision = answered(each, 1, Thought(each.rules, each.moves, "medium"))
        assert decision.result.refusal is not None
        assert decision.game is each


def test_the_computers_line_ends_the_game_and_a_question_about_it() -> None:
    game = done(thinking("041526F"), Resign(7))
    ended = answered(game, 7).game
    assert (ended.termination, ended.winner, ended.offer) == (Termination.LINE, Mark.O, None)
    assert state_of(ended) is State.OVER


def test_the_person_may_think_twice_about_resigning_meanwhile() -> None:
    asked = done(thinking(), Resign(1))
    assert state_of(asked) is State.RESIGNATION_ASKED
    moved = answered(asked, 6).game
    assert (moved.moves, moved.offered_by, state_of(moved)) == ("56", Mark.X, State.RESIGNATION_ASKED)
    over = done(asked, ConfirmResign())
    assert (over.termination, over.winner) == (Termination.RESIGNATION, Mark.O)
    assert answered(over, 6, thought_of(asked)).result.refusal is Refusal.OVER


def test_the_person_may_take_their_own_move_back_meanwhile() -> None:
    game = thinking("567")
    back = done(game, TakeBack(3))
    assert (back.moves, state_of(back)) == ("56", State.RUNNING)
    assert answered(back, 8, thought_of(game)).result.refusal is Refusal.STALE
    same = done(back, Move(2, 7))
    assert answered(same, 8, thought_of(game)).game.moves == "5678", "the same question has the same answer"


def test_before_the_first_move_there_is_nothing_to_take_back() -> None:
    begun = computer_game(rules=FOUR, first=False)
    assert refused(begun, TakeBack(0)) is Refusal.NOTHING_TO_TAKE_BACK


def test_the_person_waits_for_their_turn_and_for_hints() -> None:
    assert refused(thinking(), Move(1, 0)) is Refusal.NOT_YOUR_TURN
    assert refused(thinking(), Move(0, 0)) is Refusal.STALE, "a second tap on the board before"
    assert permitted(thinking(), Hint()) is Refusal.THINKING
    assert permitted(done(thinking(), Resign(1)), Hint()) is Refusal.THINKING


@pytest.mark.parametrize("action", [SetLevel(Level.HARD), SetFirst(is_person=True)])
def test_what_can_be_chosen_on_a_fresh_board_can_be_while_the_computer_thinks_of_its_first_move(
    action: SetLevel | SetFirst,
) -> None:
    begun = computer_game(rules=FOUR, first=False)
    assert is_fresh(begun)
    chosen = done(begun, action, now=NOW + 5)
    of_level = isinstance(action, SetLevel)
    assert (chosen.level, chosen.mark_of(ANN.id)) == (("hard", Mark.O) if of_level else ("medium", Mark.X))
    assert (state_of(chosen) is State.THINKING) is of_level
    assert answered(chosen, 5, thought_of(begun)).result.refusal is Refusal.STALE
    with_answer = answered(begun, 5).game
    assert is_fresh(with_answer)
    anew = done(with_answer, SetLevel(Level.HARD))
    assert (anew.moves, state_of(anew)) == ("", State.THINKING)


def test_a_choice_is_over_with_the_first_move() -> None:
    assert not is_fresh(thinking())
    assert refused(thinking(), SetLevel(Level.HARD)) is Refusal.BEGUN


def test_the_computer_that_takes_an_empty_seat_thinks_too() -> None:
    taken = done(open_challenge(rules=FOUR, first=False), LetComputerPlay(), level=Level.HARD)
    assert (state_of(taken), taken.ply) == (State.THINKING, 0)


def test_the_next_game_begins_with_a_thought_where_the_computer_moves_first() -> None:
    over = done(done(thinking(), Resign(1)), ConfirmResign())
    following = decided(over, SwapSides()).following
    assert following is not None
    assert (following.moves, state_of(following)) == ("", State.THINKING)
    assert following.due_at == NOW + THINKING_SECONDS


def test_any_process_takes_up_a_game_that_has_waited_for_ten_seconds() -> None:
    game = thinking()
    assert game.due_at == NOW + THINKING_SECONDS
    assert look(Record(game, ()), NOW + THINKING_SECONDS - 1, LIMITS).due is None
    assert look(Record(game, ()), NOW + THINKING_SECONDS, LIMITS).due is Due.ANSWER


def test_a_game_in_which_the_computer_never_moves_is_closed_in_the_end() -> None:
    assert look(Record(thinking(), ()), NOW + LIMITS.computer, LIMITS).due is Due.END


def test_after_a_takeback_the_clock_finds_the_true_deadline() -> None:
    back = done(thinking("567"), TakeBack(3), now=NOW + 3)
    assert look(Record(back, ()), NOW + THINKING_SECONDS, LIMITS) == (None, NOW + 3 + LIMITS.computer)


def test_nobody_is_reminded_while_the_computer_thinks() -> None:
    assert look(Record(thinking(), ()), NOW + LIMITS.reminder, LIMITS).due is Due.ANSWER


def test_a_text_board_comes_with_the_answer_as_a_new_message() -> None:
    game = thinking()
    found = Answer(6, position_of(game))
    own, unsent = board_in(ANN.id, as_text=True, viewer=ANN.id), board_in(ANN.id, viewer=ANN.id)
    shared = board_in(as_text=True, id=3)
    boards = (own, unsent._replace(id=2), shared)
    assert set(decide_by_computer(Record(game, boards), found, attempt()).attention) == {own.id}
    coming = (own._replace(message_id=None),)
    assert not decide_by_computer(Record(game, coming), found, attempt()).attention


def test_two_people_never_wait_for_the_computer() -> None:
    for moves in ("", "5", "56"):
        game = game_of_two(moves, rules=FOUR)
        assert state_of(game) is State.RUNNING
        assert thought_of(game) is None
    assert done(game_of_two("5", rules=FOUR), Move(1, 6), BO).ply == 2
