"""The state machine of a game: one table that every change goes through.

In this order: the gate turns away people who may not act from there; the table says whether the action is possible
in the game's state; an action meant for an older position is refused; and the step decides the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from bot.game import (
    actions,
    attention,
    challenges,
    deadlines,
    exhibitions,
    play,
    rematch,
    takeback_and_resignation,
)
from bot.game.actions import Begun, Transition
from bot.game.attempt import Attempt
from bot.game.deadlines import Due
from bot.game.gate import Access, Ruling, admit, not_yours
from bot.game.refusals import Refusal
from bot.game.states import State, position_of, state_of
from storage.games.game import Game
from storage.games.record import Decision, Record


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
    if refusal is None and _is_stale(game, action):
        refusal = Refusal.STALE
    made = _step(game, action, attempt) if refusal is None else refusal
    if isinstance(made, Refusal):
        return Decision(game, Ruling(made))
    if isinstance(made, Begun):
        return Decision(_named(made.game, attempt), Ruling(None), _named(made.following, attempt))
    return Decision(made if made is game else _named(made, attempt), Ruling(None))


def _is_stale(game: Game, action: Transition) -> bool:
    """Whether an action was meant for another position, where it would have done something else."""
    match action:
        case actions.Move() | actions.TakeBack() | actions.Resign() | actions.Agree() | actions.Refuse():
            return action.ply != game.ply
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
            return challenges.accept(game, action, attempt)
        case actions.Decline():
            return challenges.decline(game, attempt)
        case actions.Cancel():
            return challenges.cancel(game, attempt)
        case actions.LetComputerPlay():
            return challenges.let_computer_play(game, attempt)
        case actions.TakeBack():
            return takeback_and_resignation.take_back(game, attempt)
        case actions.Resign():
            return takeback_and_resignation.resign(game, attempt)
        case actions.ConfirmResign():
            return takeback_and_resignation.confirm(game, attempt)
        case actions.PlayOn():
            return takeback_and_resignation.play_on(game, attempt)
        case actions.Agree():
            return rematch.agree(game, attempt) if game.is_over else takeback_and_resignation.agree(game, attempt)
        case actions.Refuse():
            return takeback_and_resignation.refuse(game, attempt)
        case actions.Rematch():
            return rematch.ask(game, attempt)
        case actions.PlayAgain():
            return rematch.again(game, attempt, swap=False)
        case actions.SwapSides():
            return rematch.again(game, attempt, swap=True)
        case actions.SetLevel():
            return play.set_level(game, action.level, attempt)
        case actions.SetFirst():
            return play.set_first(game, attempt, is_person=action.is_person)
        case actions.SetClock():
            return challenges.set_clock(game, action.clock)
        case actions.SetSeries():
            return challenges.set_series(game, action.best_of)
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
    """The game with the current name of the person acting."""
    who = attempt.who
    if not who.name or game.names.get(who.id) == who.name:
        return game
    return game._replace(names={**game.names, who.id: who.name})
