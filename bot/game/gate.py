"""The gate: who may do which action from where. Every request passes it first.

Callback data can be forged (a modified client sends anything from any of the bot's messages), and ids can be
guessed. So nothing is done, said or shown about a game unless it is shown where the attempt comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple, assert_never

from bot.game import actions, pages
from bot.game.actions import Action, Permission
from bot.game.attempt import Attempt, Player, Where
from bot.game.refusals import Refusal
from bot.game.states import State, state_of, thought_of
from storage.games.board import Board
from storage.games.game import Game
from storage.games.record import Record


class Access(Enum):
    """How far an attempt gets."""

    ACT = "act"
    SEE = "see"
    """The person may only see this game here."""
    NOTHING = "nothing"
    """Not even that: nothing happens, and nothing is revealed."""


class Ruling(NamedTuple):
    """What became of an attempt."""

    refusal: Refusal | None
    access: Access = Access.ACT


class Who(Enum):
    """Who may do something where the game is shown."""

    NOBODY = "nobody"
    """Nobody: it belongs to the clock or the computer."""
    PLAYERS = "players"
    """Players, also on a board that the game has left, such as one in a group that became a supergroup."""
    EVERYBODY = "everybody"
    """Everybody who sees it; the action itself decides who it is meant for."""
    HOST_TOO = "host too"
    """Players, and the host of an exhibition."""
    REVIEWERS_TOO = "reviewers too"
    """These, and somebody with a review of their own, in their own chat."""


class Rule(NamedTuple):
    """Who may do an action; for one that leaves the game as it is, also in which states nobody may, and why."""

    who: Who
    refused: Mapping[State, Refusal] = MappingProxyType({})


_ENDED: Final = dict.fromkeys((State.OVER, State.REMATCH_ASKED, State.FOLLOWED, State.CLOSED), Refusal.OVER)
_IN_PLAY: Final = {State.WATCHED: Refusal.WATCHED} | _ENDED
_WITH_COMPUTER: Final = {State.OPEN: Refusal.NOBODY_YET, State.THINKING: Refusal.THINKING} | _IN_PLAY
_LOOKING_BACK: Final = {
    state: Refusal.NOT_FINISHED for state in State if state not in _ENDED or state is State.CLOSED
}

# fmt: off
GATE: Final[Mapping[type[Action], Rule]] = {
    actions.Accept:             Rule(Who.EVERYBODY),
    actions.Decline:            Rule(Who.EVERYBODY),
    actions.Cancel:             Rule(Who.EVERYBODY),
    actions.LetComputerPlay:    Rule(Who.EVERYBODY),
    actions.Move:               Rule(Who.PLAYERS),
    actions.TakeBack:           Rule(Who.PLAYERS),
    actions.Resign:             Rule(Who.PLAYERS),
    actions.ConfirmResign: Rule(Who.PLAYERS),
    actions.PlayOn:             Rule(Who.PLAYERS),
    actions.Agree:              Rule(Who.PLAYERS),
    actions.Refuse:             Rule(Who.PLAYERS),
    actions.Rematch:            Rule(Who.PLAYERS),
    actions.PlayAgain:          Rule(Who.PLAYERS),
    actions.SwapSides:          Rule(Who.PLAYERS),
    actions.SetLevel:           Rule(Who.PLAYERS),
    actions.SetFirst:           Rule(Who.PLAYERS),
    actions.SetClock:           Rule(Who.PLAYERS),
    actions.SetSeries:          Rule(Who.PLAYERS),
    actions.SetRules:           Rule(Who.PLAYERS),
    actions.Stop:               Rule(Who.EVERYBODY),
    actions.GoFaster:           Rule(Who.EVERYBODY),
    actions.WatchAgain:         Rule(Who.EVERYBODY),
    actions.PlayWinner:         Rule(Who.EVERYBODY),
    actions.Answer:             Rule(Who.NOBODY),
    actions.Remind:             Rule(Who.NOBODY),
    actions.Expire:             Rule(Who.NOBODY),
    actions.ShowAll:            Rule(Who.PLAYERS, _IN_PLAY),
    actions.ShowRegion:         Rule(Who.PLAYERS, _IN_PLAY),
    actions.ShowRules:          Rule(Who.PLAYERS, _IN_PLAY),
    actions.ShowMoreRules:      Rule(Who.PLAYERS, _IN_PLAY),
    actions.Hint:               Rule(Who.PLAYERS, _WITH_COMPUTER),
    actions.Bring:              Rule(Who.PLAYERS, _IN_PLAY),
    actions.LookBack:             Rule(Who.REVIEWERS_TOO, _LOOKING_BACK),
    actions.TryAgain:           Rule(Who.REVIEWERS_TOO, _LOOKING_BACK),
    actions.TryCell:            Rule(Who.REVIEWERS_TOO, _LOOKING_BACK),
    actions.ShowBest:           Rule(Who.REVIEWERS_TOO, _LOOKING_BACK),
    actions.LeaveReview:        Rule(Who.REVIEWERS_TOO, _LOOKING_BACK),
    actions.Share:              Rule(Who.HOST_TOO, _LOOKING_BACK),
}
# fmt: on
"""Each action's rule. A running exhibition lets everybody through: the states say what is refused there."""


def permit(record: Record, action: Permission, attempt: Attempt) -> Ruling:
    """Whether somebody may do something that leaves the game as it is, from there, now."""
    game = record.game
    access = admit(action, game, record.boards, attempt.who.id, attempt.where)
    if access is not Access.ACT:
        return Ruling(not_yours(game, access), access)
    return Ruling(GATE[type(action)].refused.get(state_of(game)) or _refusal(game, action, attempt.who))


def _refusal(game: Game, action: Permission, who: Player) -> Refusal | None:
    """What else an action depends on."""
    match action:
        case actions.Hint():  # a resignation may be pending while the computer is to move
            return None if thought_of(game) is None else Refusal.THINKING
        case actions.ShowAll() | actions.ShowRegion() | actions.ShowRules() | actions.ShowMoreRules():
            return Refusal.STALE if action.ply != game.ply else pages.refusal(game, action, who)
        case actions.Bring() | actions.Share() | actions.LookBack() | actions.LeaveReview():
            return None
        case actions.TryAgain() | actions.TryCell() | actions.ShowBest():
            return None
        case unknown:
            assert_never(unknown)


def admit(action: Action, game: Game, boards: Iterable[Board], person: int, where: Where) -> Access:
    """How far a person's attempt at an action gets, from where they are."""
    who = GATE[type(action)].who
    if who is Who.NOBODY:
        return Access.NOTHING
    if who is Who.REVIEWERS_TOO and _has_own_review(boards, person, where):
        return Access.ACT
    plays = game.mark_of(person) is not None
    if is_shown(game, boards, where):
        for_all = who is Who.EVERYBODY or (game.is_exhibition and not game.is_over)
        hosts = who in (Who.HOST_TOO, Who.REVIEWERS_TOO) and game.host == person
        return Access.ACT if plays or for_all or hosts else Access.SEE
    return Access.ACT if plays and where.shows == game.id and who is not Who.EVERYBODY else Access.NOTHING


def not_yours(game: Game, access: Access) -> Refusal:
    """Why somebody who may only look can't act on a game."""
    return Refusal.NOT_YOUR_CHALLENGE if game.is_challenge and access is Access.SEE else Refusal.NOT_YOURS


def is_shown(game: Game, boards: Iterable[Board], where: Where) -> bool:
    """Whether a game is shown where an attempt comes from: in that chat, in that message, or behind that link."""
    if where.inline_message_id is not None:
        return any(board.inline_message_id == where.inline_message_id for board in boards)
    if where.link is not None:
        return where.link == game.link
    if where.chat_id is None:
        return False
    # A review of one's own gives access to nothing else: its person has seen the game elsewhere.
    return any(board.chat_id == where.chat_id and not board.aside for board in boards)


def _has_own_review(boards: Iterable[Board], person: int, where: Where) -> bool:
    """Whether an attempt comes from a chat in which a person has a review of their own."""
    return any(board.aside and board.viewer == person and board.chat_id == where.chat_id for board in boards)
