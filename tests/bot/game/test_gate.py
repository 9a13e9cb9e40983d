"""The gate and the machine: who may do each action from where, in which state, and what others are told.

Callback data can be forged and ids guessed, so everybody tries each action from everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import product
from typing import Final, NamedTuple, TypeAlias

import pytest

from bot.game.actions import ACTION_KINDS, Action, Permission, Who
from bot.game.attempt import Access, NotAllowed, Player, Refusal, State, Where, next_thought, state_of
from bot.game.deadlines import NUDGE_SECONDS, BeginAgain, Expire, Nudge, Remind
from bot.game.departures import ClaimWin
from bot.game.exhibitions import ComputerMove, GoFaster, PlayWinner, Stop, WatchAgain
from bot.game.gate import ACTIONS, admit, decide
from bot.game.matchmaking import PlayMeanwhile, Stay, WantAny
from bot.game.new_game import Accept, Cancel, Decline, LetComputerPlay, SetClock, SetSeries
from bot.game.pages import (
    Bring,
    Hint,
    LeaveReview,
    LookBack,
    OurGames,
    PlayFrom,
    PlayOut,
    Share,
    ShowAll,
    ShowBest,
    ShowLevels,
    ShowMoreRules,
    ShowOptions,
    ShowRegion,
    ShowRules,
    ShowSharing,
    TryAgain,
    TryCell,
)
from bot.game.play import Move, SetFirst, SetLevel, SetRules
from bot.game.questions import (
    Agree,
    ConfirmResign,
    OfferDraw,
    PlayAgain,
    PlayOn,
    Refuse,
    Rematch,
    Resign,
    TakeBack,
)
from engine import Level, Mark
from storage.games.game import LEFT as ALIASES
from storage.games.game import Game, Limits, Offer, Side
from storage.games.record import Board, Record
from tests.bot.games import (
    ANN,
    BO,
    CEM,
    ENDED,
    EXAMPLES,
    GROUP,
    HERE,
    LATE,
    NOW,
    UNKNOWN,
    asking,
    attempt,
    board_in,
    cell_,
    computer_game,
    decided,
    drawn,
    game_of_two,
    open_challenge,
    watched_game,
)

ADA: Final = Player(104, "Ada")
"""An administrator of the group, who plays in no game."""
DEE: Final = Player(105, "Dee")
"""A stranger, who has never seen the group."""

ACTS: Final = None
"""It is done."""
NO: Final = Refusal.NOT_YOURS
OWN, NAMED, THEIRS = Refusal.OWN_CHALLENGE, Refusal.NOT_FOR_YOU, Refusal.NOT_YOUR_CHALLENGE
AT_BO: Final = Refusal.OTHER_NAME
"""They may be Bo by another username of theirs, which Telegram doesn't tell."""
LOOK, HOST, SLOW = Refusal.WATCHED, Refusal.NOT_YOURS_TO_STOP, Refusal.GROUPS_ARE_SLOW
STALE, BEGUN, CLOSED, UNOVER = Refusal.STALE, Refusal.BEGUN, Refusal.NOT_OPEN, Refusal.NOT_FINISHED
WAIT, ASKED, NOT_ASKED, ASKER = Refusal.NOT_YOUR_TURN, Refusal.ASKED, Refusal.NOT_ASKED, Refusal.OWN_QUESTION
LATER, ALONE, EARLY = Refusal.THINKING, Refusal.COMPUTER_ONLY, Refusal.NO_DRAW
YOURS, SOON = Refusal.YOUR_TURN, Refusal.NUDGED_SOON


class Row(NamedTuple):
    """An action in the situation it is made for, and its result where the game is shown."""

    action: Action | Callable[[int], Action]
    """Either an action, or what makes one for the game's ply."""
    game: Game
    ann: Refusal | None
    """The challenger, who plays."""
    bo: Refusal | None
    """The rival: named by a challenge, or the other player."""
    cem: Refusal | None
    """A bystander in the chat."""
    ada: Refusal | None
    """An administrator of the chat."""

    @property
    def made(self) -> Action:
        return self.action(self.game.ply) if callable(self.action) else self.action

    @property
    def kind(self) -> type[Action]:
        return type(self.made)


ANYBODY: Final = open_challenge()
SEEKING: Final = open_challenge(time_limits=Limits.STRANGERS)
FOR_BO: Final = open_challenge(rival=BO)
FOR_AT_BO: Final = open_challenge(rival=UNKNOWN)
TWO: Final = game_of_two("40")
RESTING: Final = game_of_two("40", moved_at=NOW - NUDGE_SECONDS)
FRESH: Final = computer_game()
PLAYED: Final = computer_game("40")
THINKING: Final = computer_game("4", rules="4x4x4")
RESIGNING: Final = game_of_two("40", **asking("resign:X"))
LATE_IN_FOUR: Final = game_of_two(LATE, rules="4x4x4")
DRAW_OFFERED: Final = game_of_two(LATE, rules="4x4x4", **asking("draw:X"))
TAKING_BACK: Final = game_of_two("40", **asking("takeback:X"))
WON: Final = game_of_two(drawn("XXX", "OO.", "..."))
WATCHED: Final = watched_game("40")
WATCHED_ALONE: Final = watched_game("40", chat_id=ANN.id)
WATCHED_WON: Final = watched_game(drawn("XXX", "OO.", "..."))
WANTS_MORE: Final = WON._replace(**asking("rematch:X"))
LEFT: Final = game_of_two("40", left=Mark.O)
FORGOTTEN: Final = WON._replace(o=Side(ALIASES - 5))
ANYWHERE: Final = game_of_two(rules="ultimate")
BEATEN: Final = computer_game(drawn("XXX", "OO.", "..."))

ANSWER: Final = ComputerMove(8, next_thought(WATCHED))
STILL: Final = Share(as_picture=True)
TRY_8: Final = partial(TryCell, cell=8)
REGION_4: Final = partial(ShowRegion, region=4)

# fmt: off
TABLE: Final = [
    #   the action                     in             Ann     Bo         Cem     Ada
    Row(Accept(),                  ANYBODY,       OWN,    ACTS,      ACTS,   ACTS),
    Row(Accept(),                  FOR_BO,        OWN,    ACTS,      NAMED,  NAMED),
    Row(Accept(),                  FOR_AT_BO,     OWN,    ACTS,      AT_BO,  AT_BO),
    Row(Accept(),                  TWO,           CLOSED, CLOSED,    CLOSED, CLOSED),
    Row(Decline(),                 FOR_BO,        ACTS,   ACTS,      NAMED,  ACTS),
    Row(Decline(),                 ANYBODY,       NAMED,  NAMED,     NAMED,  NAMED),
    Row(Cancel(),                  FOR_BO,        ACTS,   THEIRS,    THEIRS, ACTS),
    Row(Cancel(),                  TWO,           CLOSED, CLOSED,    CLOSED, CLOSED),
    Row(LetComputerPlay(),         ANYBODY,       ACTS,   THEIRS,    THEIRS, THEIRS),
    Row(Cancel(),                  SEEKING,       ACTS,   THEIRS,    THEIRS, ACTS),
    Row(Stay(),                    SEEKING,       ACTS,   THEIRS,    THEIRS, THEIRS),
    Row(WantAny(),                 SEEKING,       ACTS,   THEIRS,    THEIRS, THEIRS),
    Row(PlayMeanwhile(),           SEEKING,       ACTS,   THEIRS,    THEIRS, THEIRS),
    Row(SetRules("ultimate"),      SEEKING,       ACTS,   THEIRS,    THEIRS, THEIRS),
    Row(ShowRules,                 SEEKING,       ACTS,   THEIRS,    THEIRS, THEIRS),
    Row(SetClock(30),              SEEKING,       BEGUN,  THEIRS,    THEIRS, THEIRS),
    Row(Accept(),                  SEEKING,       CLOSED, CLOSED,    CLOSED, CLOSED),
    Row(LetComputerPlay(),         SEEKING,       CLOSED, THEIRS,    THEIRS, THEIRS),
    Row(cell_(8),                      TWO,           ACTS,   WAIT,      NO,     NO),
    Row(cell_(8),                      PLAYED,        ACTS,   NO,        NO,     NO),
    Row(TakeBack,                  TWO,           ACTS,   ACTS,      NO,     NO),
    Row(TakeBack,                  PLAYED,        ACTS,   NO,        NO,     NO),
    Row(OfferDraw,                 LATE_IN_FOUR,  ACTS,   ACTS,      NO,     NO),
    Row(OfferDraw,                 DRAW_OFFERED,  ASKER,  ACTS,      NO,     NO),
    Row(OfferDraw,                 TWO,           EARLY,  EARLY,     NO,     NO),
    Row(OfferDraw,                 PLAYED,        EARLY,  NO,        NO,     NO),
    Row(Agree,                     DRAW_OFFERED,  ASKER,  ACTS,      NO,     NO),
    Row(Resign,                    TWO,           ACTS,   ACTS,      NO,     NO),
    Row(ConfirmResign(),           RESIGNING,     ACTS,   NOT_ASKED, NO,     NO),
    Row(PlayOn(),                  RESIGNING,     ACTS,   NOT_ASKED, NO,     NO),
    Row(Nudge,                     RESTING,       YOURS,  ACTS,      NO,     NO),
    Row(Nudge,                     TWO,           YOURS,  SOON,      NO,     NO),
    Row(Nudge,                     FRESH,         YOURS,  NO,        NO,     NO),
    Row(ClaimWin(),                LEFT,          ACTS,   STALE,     NO,     NO),
    Row(ClaimWin(),                TWO,           STALE,  STALE,     NO,     NO),
    Row(Agree,                     TAKING_BACK,   ASKER,  ACTS,      NO,     NO),
    Row(Refuse,                    TAKING_BACK,   ACTS,   ACTS,      NO,     NO),
    Row(Agree,                     WANTS_MORE,    ASKER,  ACTS,      NO,     NO),
    Row(Refuse,                    WANTS_MORE,    ACTS,   ACTS,      NO,     NO),
    Row(Rematch(),                 WON,           ACTS,   ACTS,      NO,     NO),
    Row(Rematch(),                 WANTS_MORE,    ASKER,  ACTS,      NO,     NO),
    Row(PlayAgain(),               BEATEN,        ACTS,   NO,        NO,     NO),
    Row(SetLevel(Level.EASY),      FRESH,         ACTS,   NO,        NO,     NO),
    Row(SetFirst(is_person=False), FRESH,         ACTS,   NO,        NO,     NO),
    Row(SetClock(30),              ANYBODY,       ACTS,   THEIRS,    THEIRS, THEIRS),
    Row(SetClock(30),              TWO,           BEGUN,  BEGUN,     NO,     NO),
    Row(SetSeries(3),              ANYBODY,       ACTS,   THEIRS,    THEIRS, THEIRS),
    Row(SetSeries(3),              TWO,           BEGUN,  BEGUN,     NO,     NO),
    Row(SetRules("5x5x4"),         FRESH,         ACTS,   NO,        NO,     NO),
    Row(SetRules("ultimate"),      ANYBODY,       ACTS,   THEIRS,    THEIRS, THEIRS),
    Row(SetRules("ultimate"),      TWO,           BEGUN,  BEGUN,     NO,     NO),
    Row(ShowAll,                   TWO,           ACTS,   WAIT,      NO,     NO),
    Row(ShowRules,                 FRESH,         ACTS,   NO,        NO,     NO),
    Row(ShowRules,                 ANYBODY,       ACTS,   THEIRS,    THEIRS, THEIRS),
    Row(ShowLevels,                FRESH,         ACTS,   NO,        NO,     NO),
    Row(ShowLevels,                ANYBODY,       BEGUN,  THEIRS,    THEIRS, THEIRS),
    Row(ShowOptions,               FRESH,         ACTS,   NO,        NO,     NO),
    Row(ShowOptions,               ANYBODY,       ACTS,   THEIRS,    THEIRS, THEIRS),
    Row(ShowOptions,               TWO,           BEGUN,  BEGUN,     NO,     NO),
    Row(ShowMoreRules,             FRESH,         ACTS,   NO,        NO,     NO),
    Row(ShowMoreRules,             TWO,           BEGUN,  BEGUN,     NO,     NO),
    Row(ShowRules,                 TWO,           BEGUN,  BEGUN,     NO,     NO),
    Row(REGION_4,                      ANYWHERE,      ACTS,   WAIT,      NO,     NO),
    Row(Hint(),                    PLAYED,        ACTS,   NO,        NO,     NO),
    Row(Hint(),                    TWO,           ALONE,  ALONE,     NO,     NO),
    Row(LookBack,                  WON,           ACTS,   ACTS,      NO,     NO),
    Row(LookBack,                  BEATEN,        ACTS,   NO,        NO,     NO),
    Row(LookBack,                  TWO,           UNOVER, UNOVER,    NO,     NO),
    Row(TryAgain,                  WON,           ACTS,   ACTS,      NO,     NO),
    Row(TRY_8,                         WON,           ACTS,   ACTS,      NO,     NO),
    Row(ShowBest,                  WON,           ACTS,   ACTS,      NO,     NO),
    Row(PlayFrom,                  BEATEN,        Refusal.OVER, NO,  NO,     NO),
    Row(PlayFrom(2),               WON,           ACTS,   ACTS,      NO,     NO),
    Row(PlayOut(2, 8),             WON,           ACTS,   ACTS,      NO,     NO),
    Row(PlayOut(2, 3),             WON,           STALE,  STALE,     NO,     NO),
    Row(PlayOut(4, 2),             WON,           Refusal.OVER, Refusal.OVER, NO, NO),
    Row(ShowSharing,               WON,           ACTS,   ACTS,      NO,     NO),
    Row(LeaveReview(),             WANTS_MORE,    ACTS,   ACTS,      NO,     NO),
    Row(Share(),                   WON,           ACTS,   ACTS,      NO,     NO),
    Row(Share(),                   BEATEN,        ACTS,   NO,        NO,     NO),
    Row(Share(),                   TWO,           UNOVER, UNOVER,    NO,     NO),
    Row(Share(),                   WATCHED_WON,   ACTS,   NO,        NO,     NO),
    Row(OurGames(),                BEATEN,        STALE,  NO,        NO,     NO),
    Row(OurGames(),                WON,           ACTS,   ACTS,      NO,     NO),
    Row(OurGames(),                TWO,           UNOVER, UNOVER,    NO,     NO),
    Row(OurGames(),                FORGOTTEN,     Refusal.LEFT, NO,  NO,     NO),
    Row(STILL,                         WON,           ACTS,   ACTS,      NO,     NO),
    Row(STILL,                         WANTS_MORE,    ACTS,   ACTS,      NO,     NO),
    Row(Bring(),                   TWO,           ACTS,   ACTS,      NO,     NO),
    Row(Bring(),                   ANYBODY,       ACTS,   THEIRS,    THEIRS, THEIRS),
    Row(Bring(),                   WATCHED,       LOOK,   LOOK,      LOOK,   LOOK),
    Row(cell_(8),                      WATCHED,       LOOK,   LOOK,      LOOK,   LOOK),
    Row(Hint(),                    WATCHED,       LOOK,   LOOK,      LOOK,   LOOK),
    Row(PlayAgain(),               WATCHED_WON,   NO,     NO,        NO,     NO),
    Row(Stop(),                    WATCHED,       ACTS,   HOST,      HOST,   ACTS),
    Row(Stop(),                    TWO,           STALE,  STALE,     STALE,  STALE),
    Row(GoFaster(),                WATCHED_ALONE, ACTS,   ACTS,      ACTS,   ACTS),
    Row(GoFaster(),                WATCHED,       SLOW,   SLOW,      SLOW,   SLOW),
    Row(WatchAgain(),              WATCHED_WON,   ACTS,   ACTS,      ACTS,   ACTS),
    Row(WatchAgain(),              BEATEN,        STALE,  STALE,     STALE,  STALE),
    Row(PlayWinner(),              WATCHED_WON,   ACTS,   ACTS,      ACTS,   ACTS),
    Row(PlayWinner(),              BEATEN,        STALE,  STALE,     STALE,  STALE),
    Row(ANSWER,                        WATCHED,       NO,     NO,        NO,     NO),
    Row(Remind(),                  TWO,           NO,     NO,        NO,     NO),
    Row(Expire(),                  TWO,           NO,     NO,        NO,     NO),
    Row(BeginAgain(),              TWO,           NO,     NO,        NO,     NO),
    Row(ANSWER,                        THINKING,      NO,     NO,        NO,     NO),
    Row(cell_(8),                      THINKING,      WAIT,   NO,        NO,     NO),
    Row(Hint(),                    THINKING,      LATER,  NO,        NO,     NO),
    Row(TakeBack,                  THINKING,      ACTS,   NO,        NO,     NO),
    Row(Resign,                    THINKING,      ACTS,   NO,        NO,     NO),
    Row(ShowAll,                   WATCHED,       LOOK,   LOOK,      LOOK,   LOOK),
]
# fmt: on
Found: TypeAlias = "tuple[Refusal | None] | tuple[Refusal | None, Access]"
"""What became of an act, and whether the one acting may know of the game, where that is asked."""

INLINE: Final = Where(inline_message_id="AAA")
IN_A_MESSAGE: Final = board_in(chat_id=None, message_id=None, inline_message_id="AAA")
LINK: Final = Where(link="the-token")

ELSEWHERE: Final = {
    "a private chat of one's own": Where(DEE.id, message_id=1),
    "another group, or a copy without buttons that was forwarded there": Where(GROUP - 1, message_id=9),
    "a board of another game": Where(GROUP - 1, message_id=9, first="m:8:2:0", shows=8),
    "another message of inline mode": Where(inline_message_id="AAB"),
    "another link": Where(link="another-token"),
    "a link without a token": Where(link=""),
    "nowhere": Where(),
}


CLOCK: Final = {ComputerMove, Remind, Expire, BeginAgain}
FOR_ALL: Final = {*(Accept, Decline, Cancel), *(Stop, GoFaster, WatchAgain, PlayWinner)}


def tried(row: Row, who: Player, where: Where, boards: tuple[Board, ...]) -> tuple[Refusal | None, Access]:
    """Why an action is refused, if it is, and how far it got."""
    game = row.game._replace(link=LINK.link)
    record, action, by = Record(game, boards), row.made, attempt(who, where, is_admin=who is ADA)
    try:
        decision = decide(record, action, by)
    except NotAllowed as refused:
        return refused.refusal, refused.access
    leaves_it = decision.game is game and decision.following is None
    assert leaves_it is isinstance(action, Permission)
    return None, Access.ACT


def test_the_table_and_the_gate_have_every_action_and_every_button_is_one_of_them() -> None:
    assert {row.kind for row in TABLE} == set(ACTION_KINDS), "each action needs a row in TABLE"
    assert set(ACTIONS.values()) <= set(ACTION_KINDS) - CLOCK, "no button can carry what only the clock does"
    assert set(ACTIONS.values()) >= set(ACTION_KINDS) - CLOCK, "bot/game/gate.py has to import an action's module"
    assert {kind for kind in ACTION_KINDS if kind.rule.who is Who.NOBODY} == CLOCK
    assert {kind for kind in ACTION_KINDS if kind.rule.who is Who.EVERYBODY} == FOR_ALL


def walked(expected: Callable[[Row, Player], Found | None], where: Where, boards: tuple[Board, ...]) -> list[str]:
    """Try the whole table from one place; returns each unexpected answer."""
    return [
        f"{number} {row.kind.__name__} by {who.name} from {where}: {found}, not {wanted}"
        for number, row in enumerate(TABLE)
        for who in (ANN, BO, CEM, ADA, DEE)
        if (wanted := expected(row, who)) is not None
        and (found := tried(row, who, where, boards))[: len(wanted)] != wanted
    ]


def in_its_chat(row: Row, who: Player) -> Found | None:
    return dict(zip((ANN, BO, CEM, ADA), ((row.ann,), (row.bo,), (row.cem,), (row.ada,)), strict=True)).get(who)


def nothing(_row: Row, _who: Player) -> Found:
    return Refusal.NOT_YOURS, Access.NOTHING


@pytest.mark.parametrize(
    "where",
    [HERE, HERE._replace(thread_id=3), HERE._replace(message_id=None), HERE._replace(message_id=4711)],
    ids=["its message", "its message in a topic", "a command in its chat", "an older message of its chat"],
)
def test_in_its_chat_everybody_may_do_what_is_theirs_to_do(where: Where) -> None:
    assert walked(in_its_chat, where, (board_in(),)) == []


def test_in_its_inline_message_it_behaves_the_same() -> None:
    """Nobody knows the administrators there."""
    assert walked(lambda row, who: None if who is ADA else in_its_chat(row, who), INLINE, (IN_A_MESSAGE,)) == []


@pytest.mark.parametrize("where", ELSEWHERE.values(), ids=ELSEWHERE)
def test_from_anywhere_else_nobody_may_do_anything_and_nothing_is_told(where: Where) -> None:
    boards = (board_in(), board_in(ANN.id, id=2, viewer=ANN.id), IN_A_MESSAGE._replace(id=3))
    assert walked(nothing, where, boards) == []


def test_a_board_that_the_game_has_left_is_still_good_for_its_players() -> None:
    """A group that became a supergroup keeps its old messages, in a chat that no board is in any more."""

    def expected(row: Row, who: Player) -> Found:
        plays = row.game.mark_of(who.id) is not None and row.kind not in FOR_ALL | CLOCK
        refusal = {ANN: row.ann, BO: row.bo}.get(who)
        return (refusal, Access.ACT) if plays and who in (ANN, BO) else (Refusal.NOT_YOURS, Access.NOTHING)

    left = Where(GROUP - 1, message_id=9, first="m:7:2:0", shows=7)
    assert walked(expected, left, (board_in(),)) == []


@pytest.mark.parametrize("where", [HERE, INLINE, *ELSEWHERE.values()])
def test_a_game_without_a_board_is_shown_nowhere(where: Where) -> None:
    assert walked(nothing, where, ()) == []


def test_its_link_is_a_way_to_it_and_to_no_game_without_a_token() -> None:
    """What an offer of inline mode carries is no link: everybody in the chat can read it there."""
    boards = (board_in(ANN.id, viewer=ANN.id),)
    linked = open_challenge(chat_id=ANN.id, link=LINK.link)
    assert admit(Accept(), linked, boards, DEE.id, LINK) is Access.ACT
    assert admit(Move(0, 4), linked, boards, DEE.id, LINK) is Access.SEE
    assert admit(Accept(), ANYBODY, (board_in(),), DEE.id, LINK) is Access.NOTHING
    offered = open_challenge(chat_id=None, inline_person=101, inline_offer="AbCdEfGh")
    assert admit(Accept(), offered, (IN_A_MESSAGE,), DEE.id, Where(link="AbCdEfGh")) is Access.NOTHING


@pytest.mark.parametrize(
    ("who", "access"), [(ANN, Access.ACT), (BO, Access.ACT), (CEM, Access.SEE), (ADA, Access.SEE)]
)
def test_somebody_who_does_not_play_may_only_look_and_do_what_everybody_may(who: Player, access: Access) -> None:
    for row in TABLE:
        expected = Access.ACT if row.kind in FOR_ALL else Access.NOTHING if row.kind in CLOCK else access
        assert admit(row.made, TWO, (board_in(),), who.id, HERE) is expected, row.kind


@pytest.mark.parametrize("state", State)
def test_what_changes_nothing_is_refused_in_the_states_that_the_gate_names(state: State) -> None:
    for row in TABLE:
        if issubclass(row.kind, Permission):
            named = row.kind.rule.refused
            found, _ = tried(row._replace(game=EXAMPLES[state]), ANN, HERE, (board_in(),))
            assert found is named[state] if state in named else found not in named.values(), row.kind


# The state machine: its table is complete, without bypass; `tests/two/test_machine.py` compares it with a model.


OFFERS = {
    Offer.TAKEBACK: State.AGREEMENT_ASKED,
    Offer.DRAW: State.AGREEMENT_ASKED,
    Offer.RESIGN: State.RESIGNATION_ASKED,
    Offer.RESIGN_BOTH: State.RESIGNATION_ASKED,
    Offer.REMATCH: State.REMATCH_ASKED,
}


def test_every_state_is_read_off_a_game_and_every_offer_makes_one() -> None:
    assert {state: state_of(game) for state, game in EXAMPLES.items()} == {state: state for state in State}
    for offer, mark in product(Offer, Mark):
        over = ENDED if offer is Offer.REMATCH else {}
        assert state_of(game_of_two("40", offer=offer, offered_by=mark, **over)) is OFFERS[offer]


STEPS: Final = [row.made for row in TABLE if not isinstance(row.made, Permission) and row.kind not in CLOCK]


@pytest.mark.parametrize("state", State)
def test_an_action_that_changes_nothing_gives_the_very_game_back(state: State) -> None:
    """So that it is not stored, and no board is shown again (D25)."""
    game = EXAMPLES[state]
    for action in STEPS:
        with suppress(NotAllowed):
            decision = decided(game, action)
            assert (decision.game is game) or decision.game != game, action
