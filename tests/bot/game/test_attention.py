"""Who is told of a change by a new message, and which boards a command moves down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from bot.game.actions import (
    Accept,
    Agree,
    Cancel,
    ConfirmResign,
    Decline,
    Move,
    Refuse,
    Rematch,
    Resign,
    TakeBack,
    Transition,
)
from bot.game.attempt import Player, Where
from bot.game.machine import decide, decide_by_clock
from storage.games.game import Game
from storage.games.record import Attention, Board, Record
from tests.bot.games import (
    ANN,
    BO,
    CEM,
    GROUP,
    LIMITS,
    NOW,
    asking,
    attempt,
    board_in,
    cell_,
    computer_game,
    game_of_two,
    open_challenge,
)

LONG_AGO = NOW - 60
JUST_NOW = NOW - 59

X_ABOUT_TO_WIN = "03146"
"""X has the upper row but for its last cell; O is to move. X won with 2 next would be "031462"."""


def hers(**values: Any) -> Board:  # noqa: ANN401 - a board's field
    """Ann's board of a game by link, in her private chat."""
    return board_in(ANN.id, id=1, viewer=ANN.id, **{"acted_at": LONG_AGO, **values})


def his(**values: Any) -> Board:  # noqa: ANN401 - a board's field
    """Bo's."""
    return board_in(BO.id, id=2, viewer=BO.id, **{"acted_at": LONG_AGO, **values})


def attention(
    game: Game,
    boards: tuple[Board, ...],
    action: Transition | Callable[[int], Transition],
    who: Player,
    below: int | None = None,
    *,
    is_admin: bool = False,
) -> Mapping[int, Attention]:
    """The effect on boards of a player's action on the first board in their chat."""
    chat = next((board.chat_id for board in boards if board.viewer == who.id), boards[0].chat_id)
    now = action(game.ply) if callable(action) else action
    by = attempt(who, Where(chat), below=below, is_admin=is_admin)
    decision = decide(Record(game, boards), now, by)
    assert decision.result.refusal is None
    return decision.attention


def by_clock(game: Game, *boards: Board) -> Mapping[int, Attention]:
    """The effect on boards of what the clock does to a game."""
    decision = decide_by_clock(Record(game, boards), attempt(Player(-1, ""), Where()))
    assert decision.game.is_over
    return decision.attention


def called(board: Board, acted_at: int | None = None) -> Attention:
    """The attention of a board that calls its viewer."""
    return Attention(
        board.acted_at if acted_at is None else acted_at, called=True, to=board.place, person=board.viewer
    )


ACTED = Attention(NOW, called=False)


def test_a_friend_who_is_not_looking_is_called_by_a_move() -> None:
    game = game_of_two()
    assert attention(game, (hers(), his()), cell_(4), ANN) == {1: ACTED, 2: called(his())}


def test_a_friend_who_acted_within_a_minute_sees_it_by_themselves() -> None:
    boards = hers(), his(acted_at=JUST_NOW)
    assert attention(game_of_two(), boards, cell_(4), ANN) == {1: ACTED}


def test_nobody_is_called_twice_before_they_act() -> None:
    game = game_of_two("4")
    boards = hers(), his(called=True)
    assert attention(game, boards, TakeBack, ANN) == {1: ACTED}
    assert attention(game, boards, cell_(0), BO) == {1: called(hers()), 2: ACTED}


@pytest.mark.parametrize(
    ("game", "action"),
    [
        (game_of_two("4"), TakeBack),
        (game_of_two("40"), cell_(8)),
        (game_of_two("03146", **asking("takeback:X")), Refuse),
        (game_of_two("03142"), Rematch()),
        (game_of_two("0314", **asking("resign:X")), ConfirmResign()),
        (game_of_two("0314"), cell_(2)),
    ],
    ids=["takeback asked", "move", "takeback withdrawn", "rematch asked", "resigned", "won"],
)
def test_what_waits_for_the_friend_and_the_end_call_them(
    game: Game, action: Transition | Callable[[int], Transition]
) -> None:
    assert attention(game, (hers(), his()), action, ANN) == {1: ACTED, 2: called(his())}


def test_a_second_thought_about_resigning_is_nobody_elses_business() -> None:
    assert attention(game_of_two("4"), (hers(), his()), Resign, ANN) == {1: ACTED}


def test_an_answer_calls_the_player_to_move() -> None:
    game = game_of_two("4", **asking("takeback:X"))
    assert attention(game, (hers(), his()), Agree, BO) == {1: called(hers()), 2: ACTED}


def test_a_text_board_calls_immediately_because_nobody_notices_an_edit() -> None:
    boards = hers(), his(acted_at=NOW, as_text=True)
    assert attention(game_of_two(), boards, cell_(4), ANN)[2].to == boards[1].place


def test_a_board_that_is_on_its_way_needs_no_other() -> None:
    boards = hers(), his(message_id=None)
    assert attention(game_of_two(), boards, cell_(4), ANN)[2] == Attention(LONG_AGO, called=True, person=BO.id)
    moving = hers(), his(), his()._replace(id=3, replaces=2, message_id=None)
    assert set(attention(game_of_two(), moving, cell_(4), ANN)) == {1, 3}


def test_boards_that_leave_or_are_inline_messages_call_nobody() -> None:
    boards = hers(), his(leaving=True), board_in(id=4, chat_id=None, inline_message_id="AgAA")
    assert attention(game_of_two(), boards, cell_(4), ANN) == {1: ACTED}


@pytest.mark.parametrize("moves", ["4", "40"])
def test_a_declined_takeback_calls_the_person_who_asked_whoever_is_to_move(moves: str) -> None:
    game = game_of_two(moves, **asking("takeback:X"))
    assert attention(game, (hers(), his()), Refuse, BO) == {1: called(hers()), 2: ACTED}
    board = board_in(acted_at=LONG_AGO)
    assert attention(game, (board,), Refuse, BO)[1].person == ANN.id
    assert attention(game, (hers(acted_at=JUST_NOW), his()), Refuse, BO) == {2: ACTED}


def test_a_declined_rematch_calls_the_person_who_asked() -> None:
    game = game_of_two("03142", **asking("rematch:O"))
    assert attention(game, (hers(), his()), Refuse, ANN) == {1: ACTED, 2: called(his())}
    assert attention(game, (hers(), his(called=True)), Refuse, ANN) == {1: ACTED}, "only once until he acts"


def test_a_declined_challenge_calls_the_challenger_and_a_closed_one_nobody() -> None:
    challenge, board = open_challenge(rival=BO), board_in(acted_at=LONG_AGO)
    assert attention(challenge, (board,), Decline(), BO)[1] == Attention(
        LONG_AGO, called=True, to=board.place, person=ANN.id
    )
    assert attention(challenge, (board._replace(acted_at=JUST_NOW),), Decline(), BO) == {}
    assert attention(challenge, (board,), Cancel(), CEM, is_admin=True) == {}


def test_a_game_lost_on_time_calls_only_its_winner() -> None:
    late = game_of_two("4")._replace(due_at=NOW - 1, moved_at=NOW - LIMITS.move, reminded=1)
    assert by_clock(late, hers(), his()) == {1: called(hers())}, "the loser was reminded"
    assert by_clock(late, hers(called=True), his()) == {}
    board = board_in(acted_at=LONG_AGO)
    assert by_clock(late, board)[1].person == ANN.id


def test_what_just_expires_calls_nobody() -> None:
    for game in (open_challenge(), computer_game("40")):
        late = game._replace(due_at=NOW - 1, moved_at=NOW - LIMITS.computer)
        assert by_clock(late, hers()) == {}


def test_a_person_who_asks_in_a_group_counts_as_looking() -> None:
    board = board_in(acted_at=LONG_AGO)
    assert attention(game_of_two("4"), (board._replace(called=True),), TakeBack, ANN) == {
        1: Attention(NOW, called=True)
    }


def test_against_the_computer_nobody_is_called() -> None:
    assert attention(computer_game(), (board_in(),), cell_(4), ANN) == {}


def test_in_a_group_the_board_notes_when_the_awaited_player_acted() -> None:
    board = board_in(acted_at=JUST_NOW)
    assert attention(game_of_two("4"), (board,), cell_(0), BO) == {1: ACTED}


def test_in_a_group_the_board_would_call_the_awaited_player_who_is_away() -> None:
    board = board_in(acted_at=LONG_AGO)
    expected = Attention(NOW, called=True, to=board.place, person=BO.id)
    assert attention(game_of_two("40"), (board,), cell_(8), ANN) == {1: expected}
    board = board._replace(called=True)
    assert attention(game_of_two("408"), (board,), TakeBack, ANN)[1].to is None
    assert attention(game_of_two("40"), (board,), cell_(8), ANN) == {1: expected}, "he has answered the call"


def test_in_a_group_the_end_calls_nobody() -> None:
    board = board_in(acted_at=LONG_AGO)
    assert attention(game_of_two("0314"), (board,), cell_(2), ANN) == {1: ACTED}


def test_a_challenge_in_a_group_waits_for_nobody_but_calls_the_challenger() -> None:
    board = board_in(acted_at=LONG_AGO)
    assert attention(open_challenge(), (board,), Accept(), BO)[1].person == ANN.id
    assert attention(open_challenge(first=False), (board,), Accept(), BO) == {}


@pytest.mark.parametrize(("below", "comes"), [(10, False), (12, False), (13, True), (500, True)])
def test_a_command_brings_down_a_board_that_is_out_of_sight(below: int, comes: bool) -> None:  # noqa: FBT001
    found = attention(computer_game("48"), (board_in(message_id=9),), Resign, ANN, below=below)
    assert (found.get(1) == Attention(NOW, called=False, to=board_in().place)) == comes


def test_a_command_in_another_topic_brings_the_board_there() -> None:
    boards = (board_in(message_id=9, thread_id=2),)
    asked = attempt(ANN, Where(GROUP, 5), below=10)
    (board,) = decide(Record(computer_game("48"), boards), Resign(2), asked).attention.values()
    assert board.to == boards[0].place._replace(thread_id=5)


def test_a_command_brings_down_boards_of_its_own_chat_alone() -> None:
    found = attention(game_of_two(), (hers(), his(acted_at=NOW)), cell_(4), ANN, below=900)
    assert found == {1: Attention(NOW, called=False, to=hers().place)}


def test_a_board_in_text_comes_after_every_command() -> None:
    found = attention(computer_game("48"), (board_in(message_id=9, as_text=True),), cell_(0), ANN, below=10)
    assert found[1].to is not None


def test_a_refusal_moves_nothing() -> None:
    decision = decide(Record(game_of_two(), (hers(), his())), Move(0, 4), attempt(CEM, Where(ANN.id), below=900))
    assert decision.attention == {}
