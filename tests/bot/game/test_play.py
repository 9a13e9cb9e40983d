"""Moves, answers (typed ones, too), questions and choices, with the reasons of refusals and the times.

`tests/two/test_machine.py` compares what is done, and what isn't, with a model of the rules.
"""

import pytest

from bot.features.play import meant
from bot.game.actions import Action
from bot.game.attempt import (
    Player,
    Question,
    Refusal,
    State,
    declined_in,
    next_thought,
    state_of,
    thought_of,
)
from bot.game.exhibitions import ComputerMove
from bot.game.gate import decide_by_computer
from bot.game.new_game import Accept, Cancel, Decline
from bot.game.play import Move, SetFirst, SetLevel
from bot.game.questions import (
    Agree,
    ConfirmResign,
    PlayAgain,
    PlayOn,
    Refuse,
    Rematch,
    Resign,
    TakeBack,
)
from engine import Level, Mark, candidates, parse_rules
from storage.games.game import Game, Limits, Offer
from storage.games.record import Record
from tests.bot.games import (
    ANN,
    BO,
    CEM,
    NOW,
    Act,
    asking,
    attempt,
    board_in,
    computer_game,
    done,
    drawn,
    game_of_two,
    open_challenge,
    refused,
)

FOUR = "4x4x4"
OVER, OVER_OF_TWO = (made(drawn("XXX", "OO.", "...")) for made in (computer_game, game_of_two))


def thinking(moves: str = "5") -> Game:
    """Ann's game on 4 by 4 with the computer to move; the last move was made just now."""
    *_, last = parse_rules(FOUR).read_moves(moves)
    before = computer_game(moves[:-1], rules=FOUR)
    return done(before, Move(before.ply, last))


@pytest.mark.parametrize("level", Level)
def test_a_move_is_answered_immediately_by_one_that_the_level_may_choose(level: Level) -> None:
    game = computer_game(level=level)
    played = done(game, Move(0, 0), now=NOW + 5)
    assert (played.ply, played.moved_at) == (2, NOW + 5)
    assert int(played.moves[1]) in candidates(level, game.position.play(0))


TAKING_BACK, RESIGNING = (game_of_two("40", **asking(f"{what}:X")) for what in ("takeback", "resign"))
TRY = computer_game("4", first=False)._replace(time_limits=Limits.PRACTICE)
"""A game from a move of OXO's on, such as one that somebody has shared to be beaten."""
CHOICES: list[Act] = [SetLevel("hard"), SetFirst(is_person=False)]
DECLINED = game_of_two("401", **asking("declined takeback:O"))


@pytest.mark.parametrize(
    ("game", "actions", "who", "why"),
    [
        (computer_game("40"), [Move(ply, 1) for ply in (0, 1, 3)], ANN, Refusal.STALE),
        (computer_game("40"), [Move(2, cell) for cell in (9, 64)], ANN, Refusal.STALE),
        (computer_game("40"), [Move(2, cell) for cell in (4, 0)], ANN, Refusal.TAKEN),
        (game_of_two("4"), [Move(0, 4)], ANN, Refusal.STALE),
        (thinking(), [Move(0, 0)], ANN, Refusal.STALE),
        (OVER, [Move(0, 0), *CHOICES], ANN, Refusal.OVER),
        *((game, CHOICES, ANN, Refusal.BEGUN) for game in (computer_game("40"), game_of_two(), TRY)),
        (thinking(), [SetLevel("hard")], ANN, Refusal.BEGUN),
        *(
            (game, [TakeBack], ANN, Refusal.NOTHING_TO_TAKE_BACK)
            for game in (game_of_two(), computer_game("4", first=False), computer_game(rules=FOUR, first=False))
        ),
        (game_of_two("4"), [TakeBack], BO, Refusal.NOTHING_TO_TAKE_BACK),
        *((game, [TakeBack], BO, Refusal.ASKED) for game in (TAKING_BACK, RESIGNING)),
        (RESIGNING, [TakeBack], ANN, Refusal.ASKED),
        (TAKING_BACK, [TakeBack], ANN, Refusal.OWN_QUESTION),
        (DECLINED, [Agree, Refuse], ANN, Refusal.NOT_ASKED),
        (RESIGNING, [ConfirmResign(), PlayOn(), Agree], BO, Refusal.NOT_ASKED),
        (TAKING_BACK, [each(ply) for each in (Agree, Refuse) for ply in (1, 3)], BO, Refusal.STALE),
        (game_of_two("40"), [each(ply) for each in (TakeBack, Resign) for ply in (1, 3)], BO, Refusal.STALE),
    ],
)
def test_what_may_not_be_done_is_refused_with_its_reason(
    game: Game, actions: list[Act], who: Player, why: Refusal
) -> None:
    assert {refused(game, action, who) for action in actions} == {why}


def test_a_name_that_nobody_knew_when_the_seat_was_taken_is_learnt_by_an_act() -> None:
    """A challenge of inline mode may begin before its challenger's name is known."""
    renamed = game_of_two("4")._replace(names={BO.id: "Bobo"})
    assert done(renamed, Move(1, 0), BO).name(Mark.O) == BO.name
    assert done(renamed, Resign, ANN).name(Mark.X) == ANN.name


# Takebacks.


def test_that_a_takeback_or_a_rematch_was_declined_is_remembered_until_something_happens() -> None:
    assert refused(game_of_two("40"), TakeBack, ANN, takebacks_allowed=False) is Refusal.NO_TAKEBACKS
    assert done(computer_game("40"), TakeBack, takebacks_allowed=False).moves == ""
    asked = done(game_of_two("401"), TakeBack, BO)
    agreed = done(asked, Agree, ANN, now=NOW + 9)
    assert (agreed.moves, agreed.moved_at, agreed.reminded) == ("4", NOW + 9, None)
    assert declined_in(done(asked, Refuse, BO)) is None, "it was withdrawn"
    declined = done(asked, Refuse, ANN)
    assert (declined.moves, declined_in(declined)) == ("401", Question(Offer.TAKEBACK, Mark.O))
    for then in (lambda ply: Move(ply, 8), TakeBack, Resign):
        assert declined_in(done(declined, then, BO)) is None
    declined = done(done(OVER_OF_TWO, Rematch(), BO), Refuse, ANN)
    assert (state_of(declined), declined_in(declined)) == (State.OVER, Question(Offer.REMATCH, Mark.O))


# The computer thinks.


@pytest.mark.parametrize(
    ("rules", "level", "waits"),
    [
        ("3x3x3", Level.STRONGEST, False),
        ("3x3x3-misere", Level.STRONGEST, False),
        ("4x4x4", Level.BEGINNER, False),
        ("4x4x4", Level.EASY, True),
        ("ultimate", Level.BEGINNER, False),
        ("ultimate", Level.STRONGEST, True),
    ],
)
def test_where_the_answer_takes_a_search_the_move_is_made_without_it(
    rules: str, level: Level, *, waits: bool
) -> None:
    game = done(computer_game(rules=rules, level=level), Move(0, 4))
    assert (game.ply, state_of(game) is State.THINKING) == (1 if waits else 2, waits)
    assert thought_of(game) == ((rules, game.moves, level) if waits else None)
    begun = computer_game(rules=rules, level=level, first=False)
    assert (begun.ply, state_of(begun) is State.THINKING) == (0 if waits else 1, waits)


def test_a_text_board_comes_with_the_answer_as_a_new_message() -> None:
    game = thinking()
    found = ComputerMove(6, next_thought(game))
    own, unsent = board_in(ANN.id, as_text=True, viewer=ANN.id), board_in(ANN.id, viewer=ANN.id)
    shared = board_in(as_text=True, id=3)
    boards = (own, unsent._replace(id=2), shared)
    assert set(decide_by_computer(Record(game, boards), found, attempt()).attention) == {own.id}
    coming = (own._replace(message_id=None),)
    assert not decide_by_computer(Record(game, coming), found, attempt()).attention


# What "yes", "no", "cancel" and "again" mean when a person types them.

YES, NO, CANCEL, AGAIN = ANSWERS = ("yes", "no", "cancel", "again")
RESIGNS, TAKING = (game_of_two("4", **asking(f"{what}:X")) for what in ("resign", "takeback"))
WANTED = OVER_OF_TWO._replace(**asking("rematch:X"))


@pytest.mark.parametrize(
    ("game", "player", "wanted"),
    [
        (open_challenge(), ANN, {NO: Cancel(), CANCEL: Cancel()}),
        (open_challenge(), BO, {YES: Accept()}),
        (open_challenge(rival=BO), BO, {YES: Accept(), NO: Decline()}),
        (open_challenge(rival=BO), CEM, {}),
        (game_of_two("4"), ANN, {}),
        (RESIGNS, ANN, {YES: ConfirmResign(), NO: PlayOn(), CANCEL: PlayOn()}),
        (RESIGNS, BO, {}),
        (TAKING, ANN, {NO: Refuse, CANCEL: Refuse}),
        (TAKING, BO, {YES: Agree, NO: Refuse}),
        (TAKING, CEM, {}),
        (OVER_OF_TWO, ANN, {AGAIN: Rematch()}),
        (OVER_OF_TWO, CEM, {}),
        (WANTED, ANN, {AGAIN: Rematch(), NO: Refuse, CANCEL: Refuse}),
        (WANTED, BO, {AGAIN: Rematch(), YES: Agree, NO: Refuse}),
        (OVER_OF_TWO._replace(next_game=9), ANN, {}),
        (OVER, ANN, {AGAIN: PlayAgain()}),
    ],
)
def test_an_answer_means_what_waits_for_it(
    game: Game, player: Player, wanted: dict[str, Action | type[Agree | Refuse]]
) -> None:
    record = Record(game, (board_in(),))
    found = {answer: meant(record, answer, attempt(player)) for answer in ANSWERS}
    expected = {answer: each(game.ply) if isinstance(each, type) else each for answer, each in wanted.items()}
    assert {answer: action for answer, action in found.items() if action is not None} == expected
