"""Moves, answers, questions and choices, with the reasons of refusals and the times.

`tests/two/test_machine.py` compares what is done, and what isn't, with a model of the rules.
"""

from __future__ import annotations

import pytest

from bot.boards.keyboards import of_game
from bot.boards.translations import texts
from bot.game import actions as act
from bot.game.actions import Transition
from bot.game.attempt import (
    Player,
    Question,
    Refusal,
    State,
    Thought,
    declined_in,
    position_of,
    question_of,
    state_of,
    thought_of,
)
from bot.game.deadlines import THINKING_SECONDS, Due, look
from bot.game.machine import Ruling, decide_by_computer
from bot.game.play import is_fresh
from engine import Level, Mark, candidates, parse_rules
from storage.games.game import Game, Offer, Termination
from storage.games.record import Decision, Record
from tests.bot.games import (
    ANN,
    BO,
    CEM,
    LIMITS,
    NOW,
    Act,
    asking,
    attempt,
    board_in,
    computer_game,
    decided,
    done,
    drawn,
    followed,
    game_of_two,
    open_challenge,
    permitted,
    refused,
)

FOUR = "4x4x4"
OVER = computer_game(drawn("XXX", "OO.", "..."))


def answered(game: Game, cell: int, thought: Thought | None = None, now: int = NOW) -> Decision[Ruling]:
    """The game after the computer has found a cell."""
    action = act.Answer(cell, thought or position_of(game))
    return decide_by_computer(Record(game, (board_in(),)), action, attempt(now=now))


def thinking(moves: str = "5") -> Game:
    """Ann's game on 4 by 4 with the computer to move; the last move was made just now."""
    *_, last = parse_rules(FOUR).read_moves(moves)
    before = computer_game(moves[:-1], rules=FOUR)
    return done(before, act.Move(before.ply, last))


@pytest.mark.parametrize("level", Level)
def test_a_move_is_answered_immediately_by_one_that_the_level_may_choose(level: Level) -> None:
    game = computer_game(level=level)
    played = done(game, act.Move(0, 0), now=NOW + 5)
    assert (played.ply, played.moved_at) == (2, NOW + 5)
    assert int(played.moves[1]) in candidates(level, game.position.play(0))


@pytest.mark.parametrize(
    ("before", "cell", "ply", "termination", "winner"),
    [
        (("XX.", "OO.", "..."), 2, 5, Termination.LINE, Mark.X),
        (("XX.", "OO.", "..."), 8, 6, Termination.LINE, Mark.O),
        (("XOX", "XOO", "OX."), 8, 9, Termination.FULL_BOARD, None),
        (("XOX", "OXO", "OX."), 8, 9, Termination.LINE, Mark.X),
    ],
    ids=["a line", "the computer's line", "a full board", "a line in the last cell"],
)
def test_a_line_or_a_full_board_ends_the_game(
    before: tuple[str, ...], cell: int, ply: int, termination: Termination, winner: Mark | None
) -> None:
    ended = done(computer_game(drawn(*before), level="perfect"), lambda ply: act.Move(ply, cell))
    assert (ended.ply, ended.termination, ended.winner) == (ply, termination, winner)


TAKING_BACK, RESIGNING = (game_of_two("40", **asking(f"{what}:X")) for what in ("takeback", "resign"))
DECLINED = game_of_two("401", **asking("declined takeback:O"))


@pytest.mark.parametrize(
    ("game", "action", "who", "why"),
    [
        (computer_game("40"), act.Move(2, 1), CEM, Refusal.NOT_YOURS),
        *((computer_game("40"), act.Move(ply, 1), ANN, Refusal.STALE) for ply in (0, 1, 3)),
        *((computer_game("40"), act.Move(2, cell), ANN, Refusal.STALE) for cell in (9, 64)),
        *((computer_game("40"), act.Move(2, cell), ANN, Refusal.TAKEN) for cell in (4, 0)),
        (computer_game("4"), act.Move(1, 1), ANN, Refusal.NOT_YOUR_TURN),
        (game_of_two("4"), act.Move(0, 4), ANN, Refusal.STALE),
        (thinking(), act.Move(1, 0), ANN, Refusal.NOT_YOUR_TURN),
        (thinking(), act.Move(0, 0), ANN, Refusal.STALE),
        *((OVER, action, ANN, Refusal.OVER) for action in (act.Move(0, 0), act.SetLevel("hard"))),
        (OVER, act.SetFirst(is_person=False), ANN, Refusal.OVER),
        *(
            (game, act.SetLevel("hard"), ANN, Refusal.BEGUN)
            for game in (computer_game("40"), game_of_two(), thinking())
        ),
        *((game, act.SetFirst(False), ANN, Refusal.BEGUN) for game in (computer_game("40"), game_of_two())),
        *(
            (game, act.TakeBack, ANN, Refusal.NOTHING_TO_TAKE_BACK)
            for game in (game_of_two(), computer_game("4", first=False), computer_game(rules=FOUR, first=False))
        ),
        (game_of_two("4"), act.TakeBack, BO, Refusal.NOTHING_TO_TAKE_BACK),
        (TAKING_BACK, act.TakeBack, BO, Refusal.ASKED),
        (RESIGNING, act.TakeBack, BO, Refusal.ASKED),
        *((DECLINED, action, ANN, Refusal.NOT_ASKED) for action in (act.Agree, act.Refuse)),
        *((RESIGNING, action, BO, Refusal.NOT_ASKED) for action in (act.ConfirmResign(), act.PlayOn(), act.Agree)),
        (game_of_two("40"), act.ConfirmResign(), BO, Refusal.NOT_ASKED),
        *((TAKING_BACK, action(ply), BO, Refusal.STALE) for action in (act.Agree, act.Refuse) for ply in (1, 3)),
        *(
            (game_of_two("40"), action(ply), BO, Refusal.STALE)
            for action in (act.TakeBack, act.Resign)
            for ply in (1, 3)
        ),
    ],
    ids=lambda value: value.value if isinstance(value, Refusal) else None,
)
def test_what_may_not_be_done_is_refused_with_its_reason(
    game: Game, action: Act, who: Player, why: Refusal
) -> None:
    assert refused(game, action, who) is why


@pytest.mark.parametrize("first", [True, False])
def test_the_level_and_who_moves_first_can_be_chosen_before_the_first_move(*, first: bool) -> None:
    game = computer_game(first=first, level="easy")
    chosen = done(game, act.SetLevel(Level.HARD))
    assert (chosen.level, chosen.ply, is_fresh(chosen)) == ("hard", 0 if first else 1, True)
    assert decided(game, act.SetLevel(Level.EASY)).game is game, "the same choice changes nothing"
    swapped = done(game, act.SetFirst(is_person=not first))
    mark = Mark.O if first else Mark.X
    assert (swapped.mark_of(ANN.id), swapped.name(mark), swapped.level) == (mark, "Ann", "easy")
    assert swapped.ply == (1 if first else 0)


def test_a_choice_withdraws_the_question_whether_to_resign() -> None:
    """If the sides changed, nobody could answer it any more."""
    asked = done(computer_game(), act.Resign)
    assert question_of(asked) == Question(Offer.RESIGN, Mark.X)
    for action in (act.SetFirst(is_person=False), act.SetLevel(Level.HARD)):
        assert done(asked, action).offer is None


def test_a_name_that_nobody_knew_when_the_seat_was_taken_is_learnt_by_an_act() -> None:
    """A challenge of inline mode may begin before its challenger's name is known."""
    renamed = game_of_two("4")._replace(names={BO.id: "Bobo"})
    assert done(renamed, act.Move(1, 0), BO).name(Mark.O) == BO.name
    assert done(renamed, act.Resign, ANN).name(Mark.X) == ANN.name


# Takebacks and resignations.


def test_a_takeback_between_two_people_needs_the_others_leave() -> None:
    assert refused(game_of_two("40"), act.TakeBack, ANN, takebacks_allowed=False) is Refusal.NO_TAKEBACKS
    assert done(computer_game("40"), act.TakeBack, takebacks_allowed=False).moves == ""
    asked = done(game_of_two("401"), act.TakeBack, BO)
    assert (asked.moves, question_of(asked)) == ("401", Question(Offer.TAKEBACK, Mark.O))
    agreed = done(asked, act.Agree, ANN, now=NOW + 9)
    assert (agreed.moves, agreed.offer, agreed.moved_at, agreed.reminded) == ("4", None, NOW + 9, None)
    withdrawn = done(asked, act.Refuse, BO)
    assert (withdrawn.moves, withdrawn.offer, declined_in(withdrawn)) == ("401", None, None)
    declined = done(asked, act.Refuse, ANN)
    assert (declined.moves, declined_in(declined)) == ("401", Question(Offer.TAKEBACK, Mark.O))
    for then in (lambda ply: act.Move(ply, 8), act.TakeBack, act.Resign):
        assert declined_in(done(declined, then, BO)) is None, "it is remembered until something happens"


def test_a_declined_rematch_can_be_asked_for_again_by_both() -> None:
    asked = done(game_of_two(drawn("XXX", "OO.", "...")), act.Rematch(), BO)
    declined = done(asked, act.Refuse, ANN)
    assert (state_of(declined), declined_in(declined)) == (State.OVER, Question(Offer.REMATCH, Mark.O))
    for who, mark in ((ANN, Mark.X), (BO, Mark.O)):
        assert question_of(done(declined, act.Rematch(), who)) == Question(Offer.REMATCH, mark)


@pytest.mark.parametrize("open_", ["takeback:X", "takeback:O", "resign:X", "resign:O", "resign both:X"])
@pytest.mark.parametrize(("who", "other"), [(ANN, BO), (BO, ANN)])
def test_resigning_is_always_possible_whatever_the_opponent_asks_and_withdraws(
    open_: str, who: Player, other: Player
) -> None:
    mine = done(game_of_two("40", **asking(open_)), act.Resign, who)
    assert done(mine, act.Resign, who) is mine, "asking twice is asking once"
    for toggle in ((), (act.Resign(2),), (act.Resign(2), act.PlayOn())):
        now = mine
        for action in toggle:
            now = done(now, action, other)
        assert "Yes, resign" in of_game(now, texts("en"), who.id)
        resigned = done(now, act.ConfirmResign(), who)
        assert (resigned.termination, resigned.offer) == (Termination.RESIGNATION, None)
        assert resigned.winner is resigned.mark_of(other.id)
    better = done(mine, act.PlayOn(), who)
    assert question_of(better) == (None if mine.offer is Offer.RESIGN else (Offer.RESIGN, mine.mark_of(other.id)))
    assert not done(mine, act.Move(2, 1), ANN).offer


# The computer thinks.


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
def test_where_the_answer_takes_a_search_the_move_is_made_without_it(
    rules: str, level: Level, *, waits: bool
) -> None:
    game = done(computer_game(rules=rules, level=level), act.Move(0, 4))
    assert (game.ply, state_of(game) is State.THINKING) == (1 if waits else 2, waits)
    assert thought_of(game) == ((rules, game.moves, level) if waits else None)
    begun = computer_game(rules=rules, level=level, first=False)
    assert (begun.ply, state_of(begun) is State.THINKING) == (0 if waits else 1, waits)


def test_the_answer_is_the_computers_move_and_comes_once() -> None:
    decision = answered(thinking(), 6, now=NOW + 2)
    game = decision.game
    assert (game.moves, state_of(game), decision.result.refusal) == ("56", State.RUNNING, None)
    assert (game.moved_at, game.due_at) == (NOW + 2, NOW + 2 + LIMITS.computer)
    assert answered(game, 7, thought_of(thinking())).result.refusal is Refusal.STALE


@pytest.mark.parametrize(
    ("game", "thought"),
    [
        (thinking(), Thought("4x4x3", "5", "medium")),
        *((game, Thought(game.rules, game.moves, "medium")) for game in (game_of_two("4"), open_challenge())),
    ],
    ids=["other rules", "a game of two", "a challenge"],
)
def test_an_answer_to_anything_else_is_none(game: Game, thought: Thought) -> None:
    decision = answered(game, 6, thought)
    assert decision.game is game
    assert decision.result.refusal is not None


def test_the_computers_line_ends_the_game_and_a_question_about_it() -> None:
    ended = answered(done(thinking("041526F"), act.Resign), 7).game
    assert (ended.termination, ended.winner, ended.offer) == (Termination.LINE, Mark.O, None)


def test_the_person_may_resign_and_take_their_own_move_back_meanwhile() -> None:
    over = done(done(thinking(), act.Resign), act.ConfirmResign())
    assert answered(over, 6, thought_of(thinking())).result.refusal is Refusal.OVER
    game = thinking("567")
    back = done(game, act.TakeBack, now=NOW + 3)
    assert look(Record(back, ()), NOW + THINKING_SECONDS, LIMITS) == (None, NOW + 3 + LIMITS.computer)
    assert answered(back, 8, thought_of(game)).result.refusal is Refusal.STALE
    same = done(back, act.Move(2, 7))
    assert answered(same, 8, thought_of(game)).game.moves == "5678", "the same question has the same answer"


def test_the_person_waits_for_hints() -> None:
    for game in (thinking(), done(thinking(), act.Resign)):
        assert permitted(game, act.Hint()) is Refusal.THINKING


@pytest.mark.parametrize(
    ("action", "level", "mark"),
    [(act.SetLevel(Level.HARD), "hard", Mark.O), (act.SetFirst(is_person=True), "medium", Mark.X)],
)
def test_what_can_be_chosen_on_a_fresh_board_can_be_while_the_computer_thinks_of_its_first_move(
    action: Transition, level: str, mark: Mark
) -> None:
    begun = computer_game(rules=FOUR, first=False)
    with_answer = answered(begun, 5).game
    for game in (begun, with_answer):
        assert is_fresh(game)
        chosen = done(game, action, now=NOW + 5)
        assert (chosen.moves, chosen.level, chosen.mark_of(ANN.id)) == ("", level, mark)
        assert (state_of(chosen) is State.THINKING) is (mark is Mark.O)
    assert answered(done(begun, action), 5, thought_of(begun)).result.refusal is Refusal.STALE


def test_the_computer_that_takes_an_empty_seat_or_begins_the_next_game_thinks_too() -> None:
    taken = done(open_challenge(rules=FOUR, first=False), act.LetComputerPlay(), level=Level.HARD)
    following = followed(done(done(thinking(), act.Resign), act.ConfirmResign()), act.SwapSides())
    for game in (taken, following):
        assert (state_of(game), game.ply, game.due_at) == (State.THINKING, 0, NOW + THINKING_SECONDS)


@pytest.mark.parametrize(
    ("seconds", "due"),
    [
        (THINKING_SECONDS - 1, None),
        (THINKING_SECONDS, Due.ANSWER),
        (LIMITS.reminder, Due.ANSWER),
        (LIMITS.computer, Due.END),
    ],
)
def test_any_process_takes_up_a_game_that_has_waited_for_ten_seconds_and_in_the_end_it_is_closed(
    seconds: int, due: Due | None
) -> None:
    assert look(Record(thinking(), ()), NOW + seconds, LIMITS).due is due


def test_a_text_board_comes_with_the_answer_as_a_new_message() -> None:
    game = thinking()
    found = act.Answer(6, position_of(game))
    own, unsent = board_in(ANN.id, as_text=True, viewer=ANN.id), board_in(ANN.id, viewer=ANN.id)
    shared = board_in(as_text=True, id=3)
    boards = (own, unsent._replace(id=2), shared)
    assert set(decide_by_computer(Record(game, boards), found, attempt()).attention) == {own.id}
    coming = (own._replace(message_id=None),)
    assert not decide_by_computer(Record(game, coming), found, attempt()).attention
