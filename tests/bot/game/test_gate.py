"""The gate: for every act, who may do it from where, and what else is said; nothing else ever happens.

Callback data can be made up and ids counted up, so each act is tried by everybody from everywhere.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple, get_args

import pytest

from bot.game.acts import Act, Player, Wish
from bot.game.gate import BY_THE_CLOCK, FOR_ALL, REVIEWING, SHARING, Access, Where, admit
from bot.game.machine import decide
from bot.game.refusals import Refusal
from bot.views.buttons import (
    ON_BUTTONS,
    AllowTakebacks,
    Begin,
    Button,
    Cell,
    ChooseFirst,
    ChooseLevel,
    Dare,
    Forget,
    Invite,
    OnGame,
    Play,
    Queue,
    SetFirst,
    SetLevel,
    SetRules,
    Setting,
    Stats,
    Top,
    Topic,
    Try,
    Turn,
    read,
    write,
)
from storage.game import COMPUTER
from storage.record import Record
from tests.bot.games import (
    ANN,
    BO,
    CEM,
    GROUP,
    HERE,
    LIMITS,
    NOW,
    board_in,
    computer_game,
    drawn,
    game_of_two,
    open_challenge,
    watched_game,
)

if TYPE_CHECKING:
    from storage.board import Board
    from storage.game import Game

ADA: Final = Player(104, "Ada")
"""An administrator of the group, who plays in no game."""
DEE: Final = Player(105, "Dee")
"""A stranger, who has never seen the group."""

ACTS: Final = None
"""It is done."""
NO: Final = Refusal.NOT_YOURS
OWN, NAMED, THEIRS, CLOSED = (
    Refusal.OWN_CHALLENGE,
    Refusal.NOT_FOR_YOU,
    Refusal.NOT_YOUR_CHALLENGE,
    Refusal.NOT_OPEN,
)
LOOK, HOST, SLOW = Refusal.WATCHED, Refusal.NOT_YOURS_TO_STOP, Refusal.GROUPS_ARE_SLOW
SEATED, GONE, STALE, BEGUN = Refusal.SEATED, Refusal.SEAT_TAKEN, Refusal.STALE, Refusal.BEGUN
WAIT, ASKED, NOT_ASKED, ASKER = Refusal.NOT_YOUR_TURN, Refusal.ASKED, Refusal.NOT_ASKED, Refusal.OWN_QUESTION
LATER: Final = Refusal.THINKING
UNOVER: Final = Refusal.NOT_FINISHED


class Row(NamedTuple):
    """An act in the situation that it is made for, and what becomes of it where the game is shown."""

    act: Act
    game: Game
    ann: Refusal | None
    """The challenger, who plays."""
    bo: Refusal | None
    """The rival: named by a challenge, or the other player."""
    cem: Refusal | None
    """A bystander in the chat."""
    ada: Refusal | None
    """An administrator of the chat."""
    value: str = ""


ANYBODY: Final = open_challenge()
FOR_BO: Final = open_challenge(rival=BO)
FOR_AT_BO: Final = open_challenge(rival=Player(0, "@Bo"))
TWO: Final = game_of_two("40")
FRESH: Final = computer_game()
PLAYED: Final = computer_game("40")
THINKING: Final = computer_game("4", rules="4x4x4")
RESIGNING: Final = game_of_two("40", offer="resign:X")
TAKING_BACK: Final = game_of_two("40", offer="takeback:X")
WON: Final = game_of_two(drawn("XXX", "OO.", "..."))
WATCHED: Final = watched_game("40")
WATCHED_ALONE: Final = watched_game("40", chat_id=ANN.id)
JOINED: Final = game_of_two("40", x_seat=COMPUTER, x_level="easy", offer="free X")
WATCHED_WON: Final = watched_game(drawn("XXX", "OO.", "..."))
WANTS_MORE: Final = WON._replace(offer="rematch:X")
ANYWHERE: Final = game_of_two(rules="ultimate")
BEATEN: Final = computer_game(drawn("XXX", "OO.", "..."))

# fmt: off
TABLE: Final = [
    #   the act        in            Ann     Bo         Cem     Ada
    Row(Act.ACCEPT,    ANYBODY,      OWN,    ACTS,      ACTS,   ACTS),
    Row(Act.ACCEPT,    FOR_BO,       OWN,    ACTS,      NAMED,  NAMED),
    Row(Act.ACCEPT,    FOR_AT_BO,    OWN,    ACTS,      NAMED,  NAMED),
    Row(Act.ACCEPT,    TWO,          CLOSED, CLOSED,    CLOSED, CLOSED),
    Row(Act.DECLINE,   FOR_BO,       NAMED,  ACTS,      NAMED,  NAMED),
    Row(Act.DECLINE,   ANYBODY,      NAMED,  NAMED,     NAMED,  NAMED),
    Row(Act.CANCEL,    FOR_BO,       ACTS,   THEIRS,    THEIRS, ACTS),
    Row(Act.CANCEL,    TWO,          CLOSED, CLOSED,    CLOSED, CLOSED),
    Row(Act.COMPUTER,  ANYBODY,      ACTS,   THEIRS,    THEIRS, THEIRS),
    Row(Act.MOVE,      TWO,          ACTS,   WAIT,      NO,     NO),
    Row(Act.MOVE,      PLAYED,       ACTS,   NO,        NO,     NO),
    Row(Act.TAKEBACK,  TWO,          ACTS,   ACTS,      NO,     NO),
    Row(Act.TAKEBACK,  PLAYED,       ACTS,   NO,        NO,     NO),
    Row(Act.RESIGN,    TWO,          ACTS,   ACTS,      NO,     NO),
    Row(Act.CONFIRM,   RESIGNING,    ACTS,   NOT_ASKED, NO,     NO),
    Row(Act.PLAY_ON,   RESIGNING,    ACTS,   NOT_ASKED, NO,     NO),
    Row(Act.AGREE,     TAKING_BACK,  ASKER,  ACTS,      NO,     NO),
    Row(Act.REFUSE,    TAKING_BACK,  ACTS,   ACTS,      NO,     NO),
    Row(Act.AGREE,     WANTS_MORE,   ASKER,  ACTS,      NO,     NO),
    Row(Act.REFUSE,    WANTS_MORE,   ACTS,   ACTS,      NO,     NO),
    Row(Act.REMATCH,   WON,          ACTS,   ACTS,      NO,     NO),
    Row(Act.REMATCH,   WANTS_MORE,   ASKED,  ACTS,      NO,     NO),
    Row(Act.AGAIN,     BEATEN,       ACTS,   NO,        NO,     NO),
    Row(Act.SWAP,      BEATEN,       ACTS,   NO,        NO,     NO),
    Row(Act.SET_LEVEL, FRESH,        ACTS,   NO,        NO,     NO,     "easy"),
    Row(Act.SET_FIRST, FRESH,        ACTS,   NO,        NO,     NO,     "bot"),
    Row(Act.SET_RULES, FRESH,        ACTS,   NO,        NO,     NO,     "5x5x4"),
    Row(Act.SET_RULES, ANYBODY,      ACTS,   NO,        NO,     NO,     "ultimate"),
    Row(Act.SET_RULES, TWO,          BEGUN,  BEGUN,     NO,     NO,     "ultimate"),
    Row(Act.TURN,      FRESH,        ACTS,   NO,        NO,     NO,     "rules"),
    Row(Act.TURN,      ANYBODY,      ACTS,   NO,        NO,     NO,     "rules"),
    Row(Act.TURN,      TWO,          BEGUN,  BEGUN,     NO,     NO,     "rules"),
    Row(Act.TURN,      ANYWHERE,     ACTS,   WAIT,      NO,     NO,     "4"),
    Row(Act.HINT,      PLAYED,       ACTS,   NO,        NO,     NO),
    Row(Act.REVIEW,    WON,          ACTS,   ACTS,      NO,     NO),
    Row(Act.REVIEW,    BEATEN,       ACTS,   NO,        NO,     NO),
    Row(Act.REVIEW,    TWO,          UNOVER, UNOVER,    NO,     NO),
    Row(Act.TRY_AGAIN, WON,          ACTS,   ACTS,      NO,     NO),
    Row(Act.TRY_CELL,  WON,          ACTS,   ACTS,      NO,     NO),
    Row(Act.SHOW,      WON,          ACTS,   ACTS,      NO,     NO),
    Row(Act.LEAVE,     WANTS_MORE,   ACTS,   ACTS,      NO,     NO),
    Row(Act.SHARE,     WON,          ACTS,   ACTS,      NO,     NO),
    Row(Act.SHARE,     BEATEN,       ACTS,   NO,        NO,     NO),
    Row(Act.SHARE,     TWO,          UNOVER, UNOVER,    NO,     NO),
    Row(Act.SHARE,     WATCHED_WON,  ACTS,   NO,        NO,     NO),
    Row(Act.STILL,     WON,          ACTS,   ACTS,      NO,     NO),
    Row(Act.STILL,     WANTS_MORE,   ACTS,   ACTS,      NO,     NO),
    Row(Act.BRING,     TWO,          ACTS,   ACTS,      NO,     NO),
    Row(Act.BRING,     ANYBODY,      ACTS,   NO,        NO,     NO),
    Row(Act.BRING,     WATCHED,      LOOK,   LOOK,      LOOK,   LOOK),
    Row(Act.MOVE,      WATCHED,      LOOK,   LOOK,      LOOK,   LOOK),
    Row(Act.HINT,      WATCHED,      LOOK,   LOOK,      LOOK,   LOOK),
    Row(Act.AGAIN,     WATCHED_WON,  NO,     NO,        NO,     NO),
    Row(Act.STOP,      WATCHED,      ACTS,   HOST,      HOST,   ACTS),
    Row(Act.STOP,      TWO,          STALE,  STALE,     STALE,  STALE),
    Row(Act.FASTER,    WATCHED_ALONE, ACTS,  ACTS,      ACTS,   ACTS),
    Row(Act.FASTER,    WATCHED,      SLOW,   SLOW,      SLOW,   SLOW),
    Row(Act.TAKE_X,    WATCHED,      ACTS,   ACTS,      ACTS,   ACTS),
    Row(Act.TAKE_O,    WATCHED,      ACTS,   ACTS,      ACTS,   ACTS),
    Row(Act.TAKE_X,    JOINED,       ACTS,   SEATED,    ACTS,   ACTS),
    Row(Act.TAKE_O,    JOINED,       GONE,   SEATED,    GONE,   GONE),
    Row(Act.TAKE_X,    PLAYED,       SEATED, GONE,      GONE,   GONE),
    Row(Act.WATCH,     WATCHED_WON,  ACTS,   ACTS,      ACTS,   ACTS),
    Row(Act.WATCH,     BEATEN,       STALE,  STALE,     STALE,  STALE),
    Row(Act.WINNER,    WATCHED_WON,  ACTS,   ACTS,      ACTS,   ACTS),
    Row(Act.WINNER,    BEATEN,       STALE,  STALE,     STALE,  STALE),
    Row(Act.ANSWER,    WATCHED,      NO,     NO,        NO,     NO),
    Row(Act.REMIND,    TWO,          NO,     NO,        NO,     NO),
    Row(Act.EXPIRE,    TWO,          NO,     NO,        NO,     NO),
    Row(Act.ANSWER,    THINKING,     NO,     NO,        NO,     NO),
    Row(Act.MOVE,      THINKING,     WAIT,   NO,        NO,     NO),
    Row(Act.HINT,      THINKING,     LATER,  NO,        NO,     NO),
    Row(Act.TAKEBACK,  THINKING,     ACTS,   NO,        NO,     NO),
    Row(Act.RESIGN,    THINKING,     ACTS,   NO,        NO,     NO),
]
# fmt: on
NAMES: Final = [f"{number} {row.act.name}" for number, row in enumerate(TABLE)]

INLINE: Final = Where(inline_message_id="AAA", chat_instance="chat")
"""The game's message of inline mode."""
LINK: Final = Where(token="the-token")  # noqa: S106 - of no account

ELSEWHERE: Final = {
    "a private chat of one's own": Where(DEE.id, message_id=1),
    "another group": Where(GROUP - 1, message_id=9),
    "a copy that was forwarded to another chat, which has no buttons": Where(GROUP - 1, message_id=9),
    "a board of another game": Where(GROUP - 1, message_id=9, first="1t:8:2:0", shows=8),
    "another message of inline mode": Where(inline_message_id="AAB"),
    "another link": Where(token="another-token"),  # noqa: S106 - likewise
    "a link without a token": Where(token=""),
    "nowhere": Where(),
}


def tried(row: Row, who: Player, where: Where, boards: tuple[Board, ...]) -> tuple[Refusal | None, Access]:
    """What becomes of an act; if it is refused, nothing of the game may change."""
    game = row.game._replace(token=LINK.token)
    wish = Wish(
        row.act, who, where, NOW, Random(0), LIMITS, ply=game.ply, cell=8, value=row.value, is_admin=who is ADA
    )
    decision = decide(Record(game, boards), wish)
    ruling = decision.result
    if ruling.refusal is not None:
        assert decision.game is game
        assert (decision.following, decision.notices) == (None, ())
    elif row.act not in (Act.HINT, Act.BRING, Act.TURN, *REVIEWING, *SHARING):
        assert decision.game is not game or decision.following is not None
    return ruling.refusal, ruling.access


def test_the_table_has_every_act_and_every_button_of_a_game() -> None:
    assert {row.act for row in TABLE} == set(Act)
    assert set(ON_BUTTONS.values()) == set(Act) - {
        *(Act.MOVE, Act.TRY_CELL, Act.SET_LEVEL, Act.SET_FIRST, Act.SET_RULES, Act.TURN),  # by others
        *BY_THE_CLOCK,
    }


def test_every_kind_of_button_goes_through_the_gate_or_belongs_to_no_game() -> None:
    kinds = set(get_args(Button))
    of_games = {kind for kind in kinds if "game_id" in kind._fields}
    assert of_games == {Cell, Try, OnGame, SetLevel, SetFirst, SetRules, Turn}
    assert {kind for kind in kinds if "game_id" not in kind._fields} == {
        *(ChooseLevel, ChooseFirst),  # for new games, in the chat of the tapped message
        Invite,  # in one's own chat with the bot alone
        *(Play, Topic),  # a new game, and a page of the help, for whoever taps
        *(Setting, AllowTakebacks),  # of the tapped chat or person, which the handlers check
        Stats,  # of who may be seen (`bot.game.sight`), in the message that shows them
        Top,  # of everybody who does not hide
        Forget,  # of oneself, in one's own chat with the bot
        Queue,  # of oneself, in one's own chat with the bot
        Begin,  # signed, and good for one message
        Dare,  # signed likewise, and done in one's own chat with the bot
    }


@pytest.mark.parametrize(
    "where",
    [HERE, HERE._replace(thread_id=3), HERE._replace(message_id=None), HERE._replace(message_id=4711)],
    ids=["its message", "its message in a topic", "a command in its chat", "an older message of its chat"],
)
@pytest.mark.parametrize("row", TABLE, ids=NAMES)
def test_in_its_chat_everybody_may_do_what_is_theirs_to_do(row: Row, where: Where) -> None:
    found = {who: tried(row, who, where, (board_in(),))[0] for who in (ANN, BO, CEM, ADA)}
    assert found == {ANN: row.ann, BO: row.bo, CEM: row.cem, ADA: row.ada}


@pytest.mark.parametrize("row", TABLE, ids=NAMES)
def test_in_its_message_of_inline_mode_likewise(row: Row) -> None:
    shown = board_in(chat_id=None, message_id=None, inline_message_id="AAA")
    found = {who: tried(row, who, INLINE, (shown,))[0] for who in (ANN, BO, CEM)}
    assert found == {ANN: row.ann, BO: row.bo, CEM: row.cem}


@pytest.mark.parametrize("where", ELSEWHERE.values(), ids=ELSEWHERE)
@pytest.mark.parametrize("row", TABLE, ids=NAMES)
def test_from_anywhere_else_nobody_may_do_anything_and_nothing_is_told(row: Row, where: Where) -> None:
    boards = (
        board_in(),
        board_in(ANN.id, id=2, viewer=ANN.id),
        board_in(chat_id=None, message_id=None, inline_message_id="AAA", id=3),
    )
    for who in (ANN, BO, CEM, ADA, DEE):
        assert tried(row, who, where, boards) == (Refusal.NOT_YOURS, Access.NOTHING)


@pytest.mark.parametrize("row", TABLE, ids=NAMES)
def test_a_board_that_the_game_has_left_is_still_good_for_its_players(row: Row) -> None:
    """A group that became a supergroup keeps its old messages, in a chat that no board is in any more."""
    left = Where(GROUP - 1, message_id=9, first="1t:7:2:0", shows=7)
    nobody = (Refusal.NOT_YOURS, Access.NOTHING)
    for who, refusal in ((ANN, row.ann), (BO, row.bo)):
        plays = row.game.mark_of(who.id) is not None and row.act not in FOR_ALL | BY_THE_CLOCK
        assert tried(row, who, left, (board_in(),)) == ((refusal, Access.ACT) if plays else nobody)
    for who in (CEM, ADA, DEE):
        assert tried(row, who, left, (board_in(),)) == nobody


@pytest.mark.parametrize("where", [HERE, INLINE, *ELSEWHERE.values()])
@pytest.mark.parametrize("row", TABLE, ids=NAMES)
def test_a_game_without_a_board_is_shown_nowhere(row: Row, where: Where) -> None:
    assert tried(row, ANN, where, ()) == (Refusal.NOT_YOURS, Access.NOTHING)


def test_its_link_is_a_way_to_it_and_to_no_game_without_a_token() -> None:
    boards = (board_in(ANN.id, viewer=ANN.id),)
    linked = open_challenge(chat_id=ANN.id, token=LINK.token)
    assert admit(Act.ACCEPT, linked, boards, DEE.id, LINK) is Access.ACT
    assert admit(Act.MOVE, linked, boards, DEE.id, LINK) is Access.SEE
    assert admit(Act.ACCEPT, ANYBODY, (board_in(),), DEE.id, LINK) is Access.NOTHING


def test_what_an_offer_of_inline_mode_carries_is_no_link() -> None:
    """Everybody in the chat can read it there, and it leads nobody in from elsewhere."""
    shown = board_in(chat_id=None, message_id=None, inline_message_id="AAA")
    offered = open_challenge(chat_id=None, token="101:AbCdEfGh")  # noqa: S106 - of no account
    where = Where(token="101:AbCdEfGh")  # noqa: S106 - likewise
    assert admit(Act.ACCEPT, offered, (shown,), DEE.id, where) is Access.NOTHING


def test_what_is_for_all_is_of_challenges_and_of_games_that_the_computer_plays_against_itself() -> None:
    of_the_watched = {Act.STOP, Act.FASTER, Act.TAKE_X, Act.TAKE_O, Act.WATCH, Act.WINNER}
    assert {Act.ACCEPT, Act.DECLINE, Act.CANCEL, Act.COMPUTER} | of_the_watched == FOR_ALL
    assert {Act.ANSWER, Act.REMIND, Act.EXPIRE} == BY_THE_CLOCK


@pytest.mark.parametrize("act", Act)
@pytest.mark.parametrize(
    ("who", "access"), [(ANN, Access.ACT), (BO, Access.ACT), (CEM, Access.SEE), (ADA, Access.SEE)]
)
def test_who_does_not_play_may_only_see_but_for_what_is_for_all(act: Act, who: Player, access: Access) -> None:
    expected = Access.ACT if act in FOR_ALL else Access.NOTHING if act in BY_THE_CLOCK else access
    assert admit(act, TWO, (board_in(),), who.id, HERE) is expected


@pytest.mark.parametrize("act", sorted(BY_THE_CLOCK))
def test_what_the_clock_does_no_button_can_name(act: Act) -> None:
    assert read(f"1g:7:0:{act}") is None
    assert read(write(OnGame(7, 0, act))) is None
