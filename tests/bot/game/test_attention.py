"""Who is told of a change by a new message, and which boards a command moves down."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from bot.game.attempt import Player, Where
from bot.game.gate import decide, decide_by_clock
from bot.game.new_game import Accept, Cancel, Decline
from bot.game.questions import Agree, ConfirmResign, Refuse, Rematch, Resign, TakeBack
from storage.games.game import Game
from storage.games.record import Attention, Board, Place, Record
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
    cell_,
    computer_game,
    game_of_two,
    open_challenge,
)

LONG_AGO = NOW - 60
JUST_NOW = NOW - 59


def hers(**values: Any) -> Board:  # noqa: ANN401 - a board's field
    """Ann's board of a game by link, in her private chat."""
    return board_in(ANN.id, id=1, viewer=ANN.id, **{"acted_at": LONG_AGO, **values})


def his(**values: Any) -> Board:  # noqa: ANN401 - a board's field
    return board_in(BO.id, id=2, viewer=BO.id, **{"acted_at": LONG_AGO, **values})


def ours(**values: Any) -> Board:  # noqa: ANN401 - a board's field
    return board_in(**{"acted_at": LONG_AGO, **values})


def called(board: Board, person: Player | None = None, acted_at: int | None = None) -> Attention:
    """The attention of a board that is sent again for its viewer, or another person."""
    whom = board.viewer if person is None else person.id
    return Attention(board.acted_at if acted_at is None else acted_at, called=True, to=board.place, person=whom)


ACTED: Final = Attention(NOW, called=False)
APART: Final = (hers(), his())
HER_MOVE_CALLS_HIM: Final = {1: ACTED, 2: called(his())}
HIS_MOVE_CALLS_HER: Final = {1: called(hers()), 2: ACTED}
FIRST, SECOND = game_of_two(), game_of_two("4")
ASKED, ASKED_LATER = (game_of_two(moves, **asking("takeback:X")) for moves in ("4", "40"))
WON: Final = "03142"

APART_SCENES: Final[dict[str, tuple[Game, tuple[Board, ...], Act, Player, Mapping[int, Attention]]]] = {
    "a move calls a friend who is not looking": (FIRST, APART, cell_(4), ANN, HER_MOVE_CALLS_HIM),
    "a friend who acted within a minute sees it": (
        *(FIRST, (hers(), his(acted_at=JUST_NOW)), cell_(4), ANN),
        {1: ACTED},
    ),
    "nobody is called twice": (SECOND, (hers(), his(called=True)), TakeBack, ANN, {1: ACTED}),
    "before they act": (SECOND, (hers(), his(called=True)), cell_(0), BO, HIS_MOVE_CALLS_HER),
    "a takeback asked": (SECOND, APART, TakeBack, ANN, HER_MOVE_CALLS_HIM),
    "a takeback withdrawn": (ASKED, APART, Refuse, ANN, HER_MOVE_CALLS_HIM),
    "a takeback agreed to": (ASKED, APART, Agree, BO, HIS_MOVE_CALLS_HER),
    "a takeback declined": (ASKED, APART, Refuse, BO, HIS_MOVE_CALLS_HER),
    "a takeback declined by who is to move": (ASKED_LATER, APART, Refuse, BO, HIS_MOVE_CALLS_HER),
    "a takeback declined while she looks": (ASKED, (hers(acted_at=JUST_NOW), his()), Refuse, BO, {2: ACTED}),
    "a rematch asked": (game_of_two(WON), APART, Rematch(), ANN, HER_MOVE_CALLS_HIM),
    "a rematch declined": (game_of_two(WON, **asking("rematch:O")), APART, Refuse, ANN, HER_MOVE_CALLS_HIM),
    "a rematch declined only once": (
        *(game_of_two(WON, **asking("rematch:O")), (hers(), his(called=True)), Refuse, ANN),
        {1: ACTED},
    ),
    "a win": (game_of_two(WON[:-1]), APART, cell_(2), ANN, HER_MOVE_CALLS_HIM),
    "a resignation": (
        *(game_of_two("0314", **asking("resign:X")), APART, ConfirmResign(), ANN),
        HER_MOVE_CALLS_HIM,
    ),
    "a second thought about resigning": (SECOND, APART, Resign, ANN, {1: ACTED}),
    "a text board comes at once, as nobody notices an edit": (
        *(FIRST, (hers(), his(acted_at=NOW, as_text=True)), cell_(4), ANN),
        {1: ACTED, 2: called(his(acted_at=NOW, as_text=True))},
    ),
    "a board on its way needs no other": (
        *(FIRST, (hers(), his(message_id=None)), cell_(4), ANN),
        {1: ACTED, 2: Attention(LONG_AGO, called=True, person=BO.id)},
    ),
    "nor does one that moves": (
        *(FIRST, (hers(), his(), his(message_id=None)._replace(id=3, replaces=2)), cell_(4), ANN),
        {1: ACTED, 3: Attention(LONG_AGO, called=True, person=BO.id)},
    ),
    "a board that leaves calls nobody": (FIRST, (hers(), his(leaving=True)), cell_(4), ANN, {1: ACTED}),
    "nor does an inline message": (
        *(FIRST, (hers(), board_in(id=4, chat_id=None, inline_message_id="AgAA")), cell_(4), ANN),
        {1: ACTED},
    ),
}
IN_A_GROUP: Final[dict[str, tuple[Game, Board, Act, Player, Attention | None]]] = {
    "the awaited player acts": (SECOND, ours(acted_at=JUST_NOW), cell_(0), BO, ACTED),
    "the awaited player is away": (game_of_two("40"), ours(), cell_(8), ANN, called(ours(), BO, NOW)),
    "has answered the call": (game_of_two("40"), ours(called=True), cell_(8), ANN, called(ours(), BO, NOW)),
    "who asks looks on": (SECOND, ours(called=True), TakeBack, ANN, Attention(NOW, called=True)),
    "a takeback is declined": (ASKED, ours(), Refuse, BO, called(ours(), ANN, NOW)),
    "the end": (game_of_two("0314"), ours(), cell_(2), ANN, ACTED),
    "a challenge is accepted": (open_challenge(), ours(), Accept(), BO, called(ours(), ANN)),
    "by who begins": (open_challenge(first=False), ours(), Accept(), BO, None),
    "declined": (open_challenge(rival=BO), ours(), Decline(), BO, called(ours(), ANN)),
    "declined while she looks": (open_challenge(rival=BO), ours(acted_at=JUST_NOW), Decline(), BO, None),
    "closed": (open_challenge(rival=BO), ours(), Cancel(), CEM, None),
    "against the computer": (computer_game(), ours(), cell_(4), ANN, None),
}
SCENES: Final = APART_SCENES | {
    f"in a group: {name}": (game, (board,), action, who, {} if found is None else {1: found})
    for name, (game, board, action, who, found) in IN_A_GROUP.items()
}


def attention(
    game: Game, boards: tuple[Board, ...], action: Act, who: Player, **details: object
) -> Mapping[int, Attention]:
    """The effect on boards of a player's action on the first board in their chat."""
    chat = next((board.chat_id for board in boards if board.viewer == who.id), boards[0].chat_id)
    now = action(game.ply) if callable(action) else action
    return decide(Record(game, boards), now, attempt(who, Where(chat), **details)).attention


@pytest.mark.parametrize(("game", "boards", "action", "who", "found"), SCENES.values(), ids=SCENES)
def test_somebody_who_is_awaited_and_not_looking_is_called_once_and_the_board_notes_who_acts(
    game: Game, boards: tuple[Board, ...], action: Act, who: Player, found: Mapping[int, Attention]
) -> None:
    assert attention(game, boards, action, who, is_admin=True) == found


LATE: Final = game_of_two("4", due_at=NOW - 1, moved_at=NOW - LIMITS.move, reminded=1)


@pytest.mark.parametrize(
    ("game", "boards", "found"),
    [
        (LATE, APART, {1: called(hers())}),
        (LATE, (hers(called=True), his()), {}),
        (LATE, (ours(),), {1: called(ours(), ANN)}),
        *(
            (game._replace(due_at=NOW - 1, moved_at=NOW - LIMITS.computer), (hers(),), {})
            for game in (open_challenge(), computer_game("40"))
        ),
    ],
    ids=["apart", "called already", "in a group", "a challenge expires", "a game against the computer expires"],
)
def test_a_game_lost_on_time_calls_only_its_winner_and_what_just_expires_nobody(
    game: Game, boards: tuple[Board, ...], found: Mapping[int, Attention]
) -> None:
    decision = decide_by_clock(Record(game, boards), attempt(Player(-1, ""), Where()))
    assert decision.game.is_over
    assert decision.attention == found


@pytest.mark.parametrize(
    ("board", "to", "below", "comes"),
    [
        *((board_in(), Place(reply_to=9), below, below > 12) for below in (10, 12, 13, 500)),
        (board_in(thread_id=2), Place(thread_id=5), 10, True),
        (board_in(as_text=True), Place(), 10, True),
        (board_in(message_id=None), Place(), 500, False),
    ],
)
def test_a_command_brings_down_a_board_that_is_out_of_sight_in_another_topic_or_in_text(
    board: Board, to: Place, below: int, *, comes: bool
) -> None:
    asked = attempt(ANN, Where(board.chat_id, to.thread_id, to.reply_to), below=below)
    found = decide(Record(computer_game("48"), (board,)), Resign(2), asked).attention
    assert found.get(1, ACTED).to == (board.place.at(to) if comes else None)


def test_a_command_brings_down_boards_of_its_own_chat_alone() -> None:
    boards = (hers(), his(acted_at=NOW))
    assert attention(game_of_two(), boards, cell_(4), ANN, below=900) == {1: ACTED._replace(to=hers().place)}
