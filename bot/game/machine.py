"""Who may do what to a game, and what it changes: the gate, and a table of states and actions.

Callback data can be forged (a modified client sends anything from any of the bot's messages), and ids can be
guessed. So nothing is done, said or shown about a game unless it is shown where the attempt comes from.

In this order: the gate turns away people who may not act from there; the table says whether the action is possible
in the game's state; an action meant for an older position is refused; and the step decides the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple, assert_never

from bot.game import actions, attention, deadlines, exhibitions, new_game, pages, play
from bot.game.actions import Action, Begun, Permission, Transition
from bot.game.attempt import Attempt, Player, Refusal, State, Where, position_of, question_of, state_of, thought_of
from bot.game.deadlines import Due
from storage.games.game import Game, GameKind
from storage.games.record import Board, Decision, Record


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


def _row(*cells: Refusal | None) -> Mapping[State, Refusal | None]:
    return dict(zip(State, cells, strict=True))


_OVER, _SHUT, _NOBODY, _ASKED = Refusal.OVER, Refusal.NOT_OPEN, Refusal.NOBODY_YET, Refusal.NOT_ASKED
_STALE, _NEXT, _BEGUN, _LOOK = Refusal.STALE, Refusal.FOLLOWED, Refusal.BEGUN, Refusal.WATCHED
_DO: Final = None

# fmt: off
MACHINE: Final[Mapping[type[Transition], Mapping[State, Refusal | None]]] = {
    #                             open     running think-  watched takeb.  resign. over    rematch follow- closed
    #                                              ing             asked   asked           asked   ed
    actions.Accept:          _row(_DO,     _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT),
    actions.Decline:         _row(_DO,     _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT),
    actions.Cancel:          _row(_DO,     _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT),
    actions.LetComputerPlay: _row(_DO,     _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT,  _SHUT),
    actions.Move:            _row(_NOBODY, _DO,    _DO,    _LOOK,  _DO,    _DO,    _OVER,  _OVER,  _OVER,  _OVER),
    actions.TakeBack:        _row(_NOBODY, _DO,    _DO,    _LOOK,  _DO,    _DO,    _OVER,  _OVER,  _OVER,  _OVER),
    actions.Resign:          _row(_NOBODY, _DO,    _DO,    _LOOK,  _DO,    _DO,    _OVER,  _OVER,  _OVER,  _OVER),
    actions.ConfirmResign:   _row(_ASKED,  _ASKED, _ASKED, _ASKED, _ASKED, _DO,    _OVER,  _OVER,  _OVER,  _OVER),
    actions.PlayOn:          _row(_ASKED,  _ASKED, _ASKED, _ASKED, _ASKED, _DO,    _OVER,  _OVER,  _OVER,  _OVER),
    actions.Agree:           _row(_ASKED,  _ASKED, _ASKED, _ASKED, _DO,    _ASKED, _ASKED, _DO,    _ASKED, _ASKED),
    actions.Refuse:          _row(_ASKED,  _ASKED, _ASKED, _ASKED, _DO,    _ASKED, _ASKED, _DO,    _ASKED, _ASKED),
    actions.Rematch:         _row(_STALE,  _STALE, _STALE, _STALE, _STALE, _STALE, _DO,    _DO,    _NEXT,  _STALE),
    actions.PlayAgain:       _row(_STALE,  _STALE, _STALE, _STALE, _STALE, _STALE, _DO,    _DO,    _NEXT,  _STALE),
    actions.SwapSides:       _row(_STALE,  _STALE, _STALE, _STALE, _STALE, _STALE, _DO,    _DO,    _NEXT,  _STALE),
    actions.SetLevel:        _row(_BEGUN,  _DO,    _DO,    _BEGUN, _DO,    _DO,    _OVER,  _OVER,  _OVER,  _OVER),
    actions.SetFirst:        _row(_BEGUN,  _DO,    _DO,    _BEGUN, _DO,    _DO,    _OVER,  _OVER,  _OVER,  _OVER),
    actions.SetClock:        _row(_DO,     _BEGUN, _BEGUN, _BEGUN, _BEGUN, _BEGUN, _OVER,  _OVER,  _OVER,  _OVER),
    actions.SetSeries:       _row(_DO,     _BEGUN, _BEGUN, _BEGUN, _BEGUN, _BEGUN, _OVER,  _OVER,  _OVER,  _OVER),
    actions.SetRules:        _row(_DO,     _DO,    _DO,    _BEGUN, _DO,    _DO,    _OVER,  _OVER,  _OVER,  _OVER),
    actions.Stop:            _row(_STALE,  _STALE, _STALE, _DO,    _STALE, _STALE, _OVER,  _OVER,  _OVER,  _STALE),
    actions.GoFaster:        _row(_STALE,  _STALE, _STALE, _DO,    _STALE, _STALE, _OVER,  _OVER,  _OVER,  _STALE),
    actions.WatchAgain:      _row(_STALE,  _STALE, _STALE, _STALE, _STALE, _STALE, _DO,    _STALE, _NEXT,  _STALE),
    actions.PlayWinner:      _row(_STALE,  _STALE, _STALE, _STALE, _STALE, _STALE, _DO,    _STALE, _NEXT,  _STALE),
    actions.Answer:          _row(_STALE,  _STALE, _DO,    _DO,    _STALE, _DO,    _OVER,  _OVER,  _OVER,  _STALE),
    actions.Remind:          _row(_STALE,  _DO,    _STALE, _STALE, _DO,    _DO,    _OVER,  _OVER,  _OVER,  _OVER),
    actions.Expire:          _row(_DO,     _DO,    _DO,    _DO,    _DO,    _DO,    _OVER,  _OVER,  _OVER,  _OVER),
}
# fmt: on
"""Why an action is impossible in a state; None if its step decides."""


def decide(record: Record, action: Transition, attempt: Attempt) -> Decision[Ruling]:
    """Let somebody act on a game, if they may."""
    access = admit(action, record.game, record.boards, attempt.who.id, attempt.where)
    if access is not Access.ACT:
        return Decision(record.game, Ruling(not_yours(record.game, access), access))
    decision = _decided(record.game, action, attempt)
    if decision.game is record.game or decision.following is not None:
        return decision
    if isinstance(action, actions.Move) and record.game.kind is GameKind.PAIR:
        decision = decision._replace(game=deadlines.with_time_noted(record, decision.game, attempt.now))
    found = attention.attention_for(record, decision.game, attempt)
    return decision._replace(attention=found) if found else decision


def decide_by_clock(record: Record, attempt: Attempt) -> Decision[Ruling]:
    """Let the clock act on a game if something is due: a reminder, or the end."""
    due = deadlines.look(record, attempt.now, attempt.limits).due
    if due is None or due is Due.ANSWER:
        return Decision(record.game, Ruling(Refusal.STALE))
    decision = _decided(record.game, actions.Remind() if due is Due.REMINDER else actions.Expire(), attempt)
    if decision.game is record.game:
        return decision
    if due is Due.REMINDER:
        return decision._replace(notices=deadlines.reminders(record))
    return decision._replace(attention=attention.attention_for(record, decision.game, attempt))


def decide_by_computer(
    record: Record, action: actions.Answer | actions.Expire, attempt: Attempt
) -> Decision[Ruling]:
    """Let the computer make the move it has found, or end a game that nobody can see."""
    decision = _decided(record.game, action, attempt)
    if decision.game is record.game or record.game.is_exhibition:
        return decision
    found = attention.answered(record, attempt.now)
    return decision._replace(attention=found) if found else decision


def _decided(game: Game, action: Transition, attempt: Attempt) -> Decision[Ruling]:
    refusal = MACHINE[type(action)][state_of(game)]
    if refusal is None and _is_stale(game, action, attempt):
        refusal = Refusal.STALE
    made = _step(game, action, attempt) if refusal is None else refusal
    if attempt.facts.asked_lately and isinstance(made, Game):
        asks = question_of(made) not in (None, question_of(game))
        if asks or isinstance(action, actions.PlayOn):
            made = Refusal.ASKED_LATELY
    if isinstance(made, Refusal):
        return Decision(game, Ruling(made))
    if isinstance(made, Begun):
        return Decision(_named(made.game, attempt), Ruling(None), _named(made.following, attempt))
    return Decision(made if made is game else _named(made, attempt), Ruling(None))


def _is_stale(game: Game, action: Transition, attempt: Attempt) -> bool:
    """Whether an action was meant for another position, where it would have done something else."""
    match action:
        case actions.Move() | actions.TakeBack() | actions.Resign() | actions.Agree() | actions.Refuse():
            return action.ply != game.ply or attempt.edition not in (None, play.edition_of(game))
        case actions.Answer():
            return action.thought != position_of(game)
    return False


def _step(game: Game, action: Transition, attempt: Attempt) -> Game | Begun | Refusal:  # noqa: C901, PLR0911, PLR0912 - one line for each
    """The game after an action (the same object if nothing changes), or why it is refused."""
    match action:
        case actions.Move():
            return play.move(game, action.cell, attempt)
        case actions.Answer():
            answer = exhibitions.answer if game.is_exhibition else play.answer
            return answer(game, action.cell, attempt)
        case actions.Accept():
            return new_game.accept(game, action, attempt)
        case actions.Decline():
            return new_game.decline(game, attempt)
        case actions.Cancel():
            return new_game.cancel(game, attempt)
        case actions.LetComputerPlay():
            return new_game.let_computer_play(game, attempt)
        case actions.TakeBack():
            return play.take_back(game, attempt)
        case actions.Resign():
            return play.resign(game, attempt)
        case actions.ConfirmResign():
            return play.confirm(game, attempt)
        case actions.PlayOn():
            return play.play_on(game, attempt)
        case actions.Agree():
            return new_game.agree(game, attempt) if game.is_over else play.agree(game, attempt)
        case actions.Refuse():
            return play.refuse(game, attempt)
        case actions.Rematch():
            return new_game.ask(game, attempt)
        case actions.PlayAgain():
            return new_game.again(game, attempt, swap=False)
        case actions.SwapSides():
            return new_game.again(game, attempt, swap=True)
        case actions.SetLevel():
            return play.set_level(game, action.level, attempt)
        case actions.SetFirst():
            return play.set_first(game, attempt, is_person=action.is_person)
        case actions.SetClock():
            return new_game.set_clock(game, action.clock)
        case actions.SetSeries():
            return new_game.set_series(game, action.best_of)
        case actions.SetRules():
            return play.set_rules(game, action.rules, attempt)
        case actions.Stop():
            return exhibitions.stop(game, attempt)
        case actions.GoFaster():
            return exhibitions.go_faster(game)
        case actions.WatchAgain():
            return exhibitions.again(game, attempt)
        case actions.PlayWinner():
            return exhibitions.play_winner(game, attempt)
        case actions.Remind():
            return deadlines.remind(game, attempt)
        case actions.Expire():
            return deadlines.expire(game)
        case unknown:
            assert_never(unknown)


def _named(game: Game, attempt: Attempt) -> Game:
    who = attempt.who
    if not who.name or game.names.get(who.id) == who.name:
        return game
    return game._replace(names={**game.names, who.id: who.name})
