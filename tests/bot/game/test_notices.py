"""Who hears of a change by a new message, and which boards come down to a command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bot.game.acts import Act, Player
from bot.game.gate import Where
from bot.game.machine import decide, decide_by_clock
from storage.board import Heed
from storage.record import Record
from tests.bot.games import (
    ANN,
    BO,
    CEM,
    GROUP,
    LIMITS,
    NOW,
    board_in,
    computer_game,
    game_of_two,
    open_challenge,
    wish,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from storage.board import Board
    from storage.game import Game

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


def heeds(game: Game, boards: tuple[Board, ...], act: Act, who: Player, **details: Any) -> Mapping[int, Heed]:  # noqa: ANN401
    """What an act of a player, on the first board in their chat, means for the boards."""
    chat = next((board.chat_id for board in boards if board.viewer == who.id), boards[0].chat_id)
    decision = decide(Record(game, boards), wish(act, who, Where(chat), **details))
    assert decision.result.refusal is None
    return decision.heeds


def by_clock(game: Game, *boards: Board) -> Mapping[int, Heed]:
    """What the clock's act on a game means for the boards."""
    decision = decide_by_clock(Record(game, boards), wish(Act.EXPIRE, Player(-1, ""), Where()))
    assert decision.game.is_over
    return decision.heeds


def called(board: Board, acted_at: int | None = None) -> Heed:
    """The heed of a board that calls its viewer."""
    return Heed(board.acted_at if acted_at is None else acted_at, called=True, to=board.place, whom=board.viewer)


ACTED = Heed(NOW, called=False)


def test_a_friend_who_does_not_look_is_called_by_a_move() -> None:
    game = game_of_two()
    assert heeds(game, (hers(), his()), Act.MOVE, ANN, cell=4) == {1: ACTED, 2: called(his())}


def test_a_friend_who_acted_within_a_minute_sees_it_by_themselves() -> None:
    boards = hers(), his(acted_at=JUST_NOW)
    assert heeds(game_of_two(), boards, Act.MOVE, ANN, cell=4) == {1: ACTED}


def test_nobody_is_called_twice_before_they_act() -> None:
    game = game_of_two("4")
    boards = hers(), his(called=True)
    assert heeds(game, boards, Act.TAKEBACK, ANN) == {1: ACTED}
    assert heeds(game, boards, Act.MOVE, BO, cell=0) == {1: called(hers()), 2: ACTED}


@pytest.mark.parametrize(
    ("game", "act", "details"),
    [
        (game_of_two("4"), Act.TAKEBACK, {}),
        (game_of_two("40"), Act.MOVE, {"cell": 8}),
        (game_of_two("03146", offer="takeback:X"), Act.REFUSE, {}),
        (game_of_two("031462"), Act.REMATCH, {}),
        (game_of_two("0314", offer="resign:X"), Act.CONFIRM, {}),
        (game_of_two("0314"), Act.MOVE, {"cell": 2}),
    ],
    ids=["takeback asked", "move", "takeback withdrawn", "rematch asked", "resigned", "won"],
)
def test_what_waits_for_the_friend_and_the_end_call_them(game: Game, act: Act, details: dict[str, int]) -> None:
    if act is Act.REMATCH:
        game = game_of_two("03142")
    assert heeds(game, (hers(), his()), act, ANN, **details) == {1: ACTED, 2: called(his())}


def test_a_second_thought_about_resigning_is_nobody_elses_business() -> None:
    assert heeds(game_of_two("4"), (hers(), his()), Act.RESIGN, ANN) == {1: ACTED}


def test_an_answer_calls_who_has_to_move_now() -> None:
    game = game_of_two("4", offer="takeback:X")
    assert heeds(game, (hers(), his()), Act.AGREE, BO) == {1: called(hers()), 2: ACTED}


def test_a_board_in_text_calls_at_once_because_nobody_hears_an_edit() -> None:
    boards = hers(), his(acted_at=NOW, as_text=True)
    assert heeds(game_of_two(), boards, Act.MOVE, ANN, cell=4)[2].to == boards[1].place


def test_a_board_that_is_on_its_way_needs_no_other() -> None:
    boards = hers(), his(message_id=None)
    assert heeds(game_of_two(), boards, Act.MOVE, ANN, cell=4)[2] == Heed(LONG_AGO, called=True, whom=BO.id)
    moving = hers(), his(), his()._replace(id=3, replaces=2, message_id=None)
    assert set(heeds(game_of_two(), moving, Act.MOVE, ANN, cell=4)) == {1, 3}


def test_boards_that_leave_or_stand_in_inline_messages_call_nobody() -> None:
    boards = hers(), his(leaving=True), board_in(id=4, chat_id=None, inline_message_id="AgAA")
    assert heeds(game_of_two(), boards, Act.MOVE, ANN, cell=4) == {1: ACTED}


@pytest.mark.parametrize("moves", ["4", "40"])
def test_a_takeback_that_is_declined_calls_who_has_asked_whoever_is_to_move(moves: str) -> None:
    game = game_of_two(moves, offer="takeback:X")
    assert heeds(game, (hers(), his()), Act.REFUSE, BO) == {1: called(hers()), 2: ACTED}
    board = board_in(acted_at=LONG_AGO)
    assert heeds(game, (board,), Act.REFUSE, BO)[1].whom == ANN.id
    assert heeds(game, (hers(acted_at=JUST_NOW), his()), Act.REFUSE, BO) == {2: ACTED}


def test_a_rematch_that_is_declined_calls_who_has_asked_for_it() -> None:
    game = game_of_two("03142", offer="rematch:O")
    assert heeds(game, (hers(), his()), Act.REFUSE, ANN) == {1: ACTED, 2: called(his())}
    assert heeds(game, (hers(), his(called=True)), Act.REFUSE, ANN) == {1: ACTED}, "once until he acts"


def test_a_challenge_that_is_declined_calls_who_has_made_it_and_one_that_is_closed_nobody() -> None:
    challenge, board = open_challenge(rival=BO), board_in(acted_at=LONG_AGO)
    assert heeds(challenge, (board,), Act.DECLINE, BO)[1] == Heed(
        LONG_AGO, called=True, to=board.place, whom=ANN.id
    )
    assert heeds(challenge, (board._replace(acted_at=JUST_NOW),), Act.DECLINE, BO) == {}
    assert heeds(challenge, (board,), Act.CANCEL, CEM, is_admin=True) == {}


def test_a_game_that_is_lost_on_time_calls_who_has_won_it_alone() -> None:
    late = game_of_two("4")._replace(due_at=NOW - 1, moved_at=NOW - LIMITS.move, reminded=1)
    assert by_clock(late, hers(), his()) == {1: called(hers())}, "the loser was reminded"
    assert by_clock(late, hers(called=True), his()) == {}
    board = board_in(acted_at=LONG_AGO)
    assert by_clock(late, board)[1].whom == ANN.id


def test_what_just_expires_calls_nobody() -> None:
    for game in (open_challenge(), computer_game("40")):
        late = game._replace(due_at=NOW - 1, moved_at=NOW - LIMITS.computer)
        assert by_clock(late, hers()) == {}


def test_who_asks_in_a_group_looks_on() -> None:
    board = board_in(acted_at=LONG_AGO)
    assert heeds(game_of_two("4"), (board._replace(called=True),), Act.TAKEBACK, ANN) == {
        1: Heed(NOW, called=True)
    }


def test_against_the_computer_nobody_is_called() -> None:
    assert heeds(computer_game(), (board_in(),), Act.MOVE, ANN, cell=4) == {}


def test_in_a_group_the_board_notes_when_who_was_awaited_acted() -> None:
    board = board_in(acted_at=JUST_NOW)
    assert heeds(game_of_two("4"), (board,), Act.MOVE, BO, cell=0) == {1: ACTED}


def test_in_a_group_the_board_would_call_who_is_awaited_and_away() -> None:
    board = board_in(acted_at=LONG_AGO)
    expected = Heed(NOW, called=True, to=board.place, whom=BO.id)
    assert heeds(game_of_two("40"), (board,), Act.MOVE, ANN, cell=8) == {1: expected}
    board = board._replace(called=True)
    assert heeds(game_of_two("408"), (board,), Act.TAKEBACK, ANN)[1].to is None
    assert heeds(game_of_two("40"), (board,), Act.MOVE, ANN, cell=8) == {1: expected}, "the call was answered"


def test_in_a_group_the_end_calls_nobody() -> None:
    board = board_in(acted_at=LONG_AGO)
    assert heeds(game_of_two("0314"), (board,), Act.MOVE, ANN, cell=2) == {1: ACTED}


def test_a_challenge_in_a_group_waits_for_nobody_but_calls_who_made_it() -> None:
    board = board_in(acted_at=LONG_AGO)
    assert heeds(open_challenge(), (board,), Act.ACCEPT, BO)[1].whom == ANN.id
    assert heeds(open_challenge(first=False), (board,), Act.ACCEPT, BO) == {}


@pytest.mark.parametrize(("below", "comes"), [(10, False), (12, False), (13, True), (500, True)])
def test_a_command_brings_down_a_board_that_is_out_of_sight(below: int, comes: bool) -> None:  # noqa: FBT001
    found = heeds(computer_game("48"), (board_in(message_id=9),), Act.RESIGN, ANN, below=below)
    assert (found.get(1) == Heed(NOW, called=False, to=board_in().place)) == comes


def test_a_command_in_another_topic_brings_the_board_there() -> None:
    boards = (board_in(message_id=9, thread_id=2),)
    asked = wish(Act.RESIGN, ANN, Where(GROUP, 5), below=10)
    (heed,) = decide(Record(computer_game("48"), boards), asked).heeds.values()
    assert heed.to == boards[0].place._replace(thread_id=5)


def test_a_command_brings_down_boards_of_its_own_chat_alone() -> None:
    found = heeds(game_of_two(), (hers(), his(acted_at=NOW)), Act.MOVE, ANN, cell=4, below=900)
    assert found == {1: Heed(NOW, called=False, to=hers().place)}


def test_a_board_in_text_comes_after_every_command() -> None:
    found = heeds(computer_game("48"), (board_in(message_id=9, as_text=True),), Act.MOVE, ANN, cell=0, below=10)
    assert found[1].to is not None


def test_a_refusal_moves_nothing() -> None:
    decision = decide(Record(game_of_two(), (hers(), his())), wish(Act.MOVE, CEM, Where(ANN.id), below=900))
    assert decision.heeds == {}
