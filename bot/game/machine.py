"""The state machine of a game as one table, and the way of every wish through it.

gate, state, ply, step: who may not act from there is turned away first; then the table says what the act does in
the state that the game is in; then whoever looks at an old board is told so; then the step decides the rest.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from bot.game import challenges, deadlines, follow_up, notices, pages, play, questions, watched
from bot.game.acts import Act, Begun
from bot.game.gate import Access, admit
from bot.game.refusals import Refusal
from bot.game.states import State, state_of, thought_of
from engine import Mark
from storage.record import Decision

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.game.acts import Step, Wish
    from storage.game import Game
    from storage.record import Record

Cell: TypeAlias = "Step | Refusal"


def _as_it_is(game: Game, _wish: Wish) -> Game:
    """Allowed, and changes nothing of the game itself."""
    return game


def _if_not_thinking(game: Game, _wish: Wish) -> Game | Refusal:
    """Allowed while the person is to move, and changes nothing of the game itself."""
    return game if thought_of(game) is None else Refusal.THINKING


def _row(*cells: Cell) -> Mapping[State, Cell]:
    return dict(zip(State, cells, strict=True))


_OVER, _SHUT, _NOBODY, _ASKED = Refusal.OVER, Refusal.NOT_OPEN, Refusal.NOBODY_YET, Refusal.NOT_ASKED
_STALE, _NEXT, _BEGUN, _LOOK = Refusal.STALE, Refusal.FOLLOWED, Refusal.BEGUN, Refusal.WATCHED
_NONE: Final = Refusal.NOT_FINISHED
_BUSY = Refusal.THINKING
_accept, _no, _cancel = challenges.accept, challenges.decline, challenges.cancel
_alone, _move, _resign = challenges.let_computer_play, play.move, questions.resign
_undo, _sure, _go_on = questions.take_back, questions.confirm, questions.play_on
_agree, _refuse = questions.agree, questions.refuse
_again, _more, _both = follow_up.again, follow_up.rematch, follow_up.agree
_remind, _expire, _same = deadlines.remind, deadlines.expire, _as_it_is
_ask = deadlines.ask
_level, _first, _rules, _turn = play.set_level, play.set_first, play.set_rules, pages.turn
_stop, _faster, _take, _next = watched.stop, watched.faster, watched.take_seat, watched.answer
_hint, _answer = _if_not_thinking, play.answer
_watch, _winner = watched.again, watched.play_winner

# fmt: off
MACHINE: Final[Mapping[Act, Mapping[State, Cell]]] = {
    #                   open     running  thinking watched  takeback resign.  over     rematch  followed closed
    #                                                       asked    asked             asked
    Act.ACCEPT:    _row(_accept, _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT),
    Act.DECLINE:   _row(_no,     _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT),
    Act.CANCEL:    _row(_cancel, _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT),
    Act.COMPUTER:  _row(_alone,  _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT,   _SHUT),
    Act.MOVE:      _row(_NOBODY, _move,   _move,   _LOOK,   _move,   _move,   _OVER,   _OVER,   _OVER,   _OVER),
    Act.TAKEBACK:  _row(_NOBODY, _undo,   _undo,   _LOOK,   _undo,   _undo,   _OVER,   _OVER,   _OVER,   _OVER),
    Act.RESIGN:    _row(_NOBODY, _resign, _resign, _LOOK,   _resign, _resign, _OVER,   _OVER,   _OVER,   _OVER),
    Act.CONFIRM:   _row(_ASKED,  _ASKED,  _ASKED,  _ASKED,  _ASKED,  _sure,   _OVER,   _OVER,   _OVER,   _OVER),
    Act.PLAY_ON:   _row(_ASKED,  _ASKED,  _ASKED,  _ASKED,  _ASKED,  _go_on,  _OVER,   _OVER,   _OVER,   _OVER),
    Act.AGREE:     _row(_ASKED,  _ASKED,  _ASKED,  _ASKED,  _agree,  _ASKED,  _ASKED,  _both,   _ASKED,  _ASKED),
    Act.REFUSE:    _row(_ASKED,  _ASKED,  _ASKED,  _ASKED,  _refuse, _ASKED,  _ASKED,  _refuse, _ASKED,  _ASKED),
    Act.REMATCH:   _row(_STALE,  _STALE,  _STALE,  _STALE,  _STALE,  _STALE,  _more,   _more,   _NEXT,   _STALE),
    Act.AGAIN:     _row(_STALE,  _STALE,  _STALE,  _STALE,  _STALE,  _STALE,  _again,  _again,  _NEXT,   _STALE),
    Act.SWAP:      _row(_STALE,  _STALE,  _STALE,  _STALE,  _STALE,  _STALE,  _again,  _again,  _NEXT,   _STALE),
    Act.SET_LEVEL: _row(_BEGUN,  _level,  _level,  _BEGUN,  _level,  _level,  _OVER,   _OVER,   _OVER,   _OVER),
    Act.SET_FIRST: _row(_BEGUN,  _first,  _first,  _BEGUN,  _first,  _first,  _OVER,   _OVER,   _OVER,   _OVER),
    Act.SET_RULES: _row(_rules,  _rules,  _rules,  _BEGUN,  _rules,  _rules,  _OVER,   _OVER,   _OVER,   _OVER),
    Act.TURN:      _row(_turn,   _turn,   _turn,   _LOOK,   _turn,   _turn,   _OVER,   _OVER,   _OVER,   _OVER),
    Act.HINT:      _row(_NOBODY, _same,   _BUSY,   _LOOK,   _same,   _hint,   _OVER,   _OVER,   _OVER,   _OVER),
    Act.REVIEW:    _row(_NONE,   _NONE,   _NONE,   _NONE,   _NONE,   _NONE,   _same,   _same,   _same,   _NONE),
    Act.TRY_AGAIN: _row(_NONE,   _NONE,   _NONE,   _NONE,   _NONE,   _NONE,   _same,   _same,   _same,   _NONE),
    Act.TRY_CELL:  _row(_NONE,   _NONE,   _NONE,   _NONE,   _NONE,   _NONE,   _same,   _same,   _same,   _NONE),
    Act.SHOW:      _row(_NONE,   _NONE,   _NONE,   _NONE,   _NONE,   _NONE,   _same,   _same,   _same,   _NONE),
    Act.LEAVE:     _row(_NONE,   _NONE,   _NONE,   _NONE,   _NONE,   _NONE,   _same,   _same,   _same,   _NONE),
    Act.SHARE:     _row(_NONE,   _NONE,   _NONE,   _NONE,   _NONE,   _NONE,   _same,   _same,   _same,   _NONE),
    Act.STILL:     _row(_NONE,   _NONE,   _NONE,   _NONE,   _NONE,   _NONE,   _same,   _same,   _same,   _NONE),
    Act.BRING:     _row(_same,   _same,   _same,   _LOOK,   _same,   _same,   _OVER,   _OVER,   _OVER,   _OVER),
    Act.STOP:      _row(_STALE,  _STALE,  _STALE,  _stop,   _STALE,  _STALE,  _OVER,   _OVER,   _OVER,   _STALE),
    Act.FASTER:    _row(_STALE,  _STALE,  _STALE,  _faster, _STALE,  _STALE,  _OVER,   _OVER,   _OVER,   _STALE),
    Act.TAKE_X:    _row(_STALE,  _take,   _take,   _take,   _STALE,  _STALE,  _OVER,   _OVER,   _OVER,   _STALE),
    Act.TAKE_O:    _row(_STALE,  _take,   _take,   _take,   _STALE,  _STALE,  _OVER,   _OVER,   _OVER,   _STALE),
    Act.WATCH:     _row(_STALE,  _STALE,  _STALE,  _STALE,  _STALE,  _STALE,  _watch,  _STALE,  _NEXT,   _STALE),
    Act.WINNER:    _row(_STALE,  _STALE,  _STALE,  _STALE,  _STALE,  _STALE,  _winner, _STALE,  _NEXT,   _STALE),
    Act.ANSWER:    _row(_STALE,  _STALE,  _answer, _next,   _STALE,  _answer, _OVER,   _OVER,   _OVER,   _STALE),
    Act.REMIND:    _row(_ask,    _remind, _STALE,  _STALE,  _remind, _remind, _OVER,   _OVER,   _OVER,   _OVER),
    Act.EXPIRE:    _row(_expire, _expire, _expire, _expire, _expire, _expire, _OVER,   _OVER,   _OVER,   _OVER),
}
# fmt: on
"""What each act does in each state: a step, or the reason why it does nothing."""

OF_A_PLY: Final = frozenset({Act.MOVE, Act.TAKEBACK, Act.RESIGN, Act.AGREE, Act.REFUSE, Act.TURN, Act.ANSWER})
"""The acts that mean the board as it was seen: on an older one they would mean something else."""


class Ruling(NamedTuple):
    """What became of a wish."""

    refusal: Refusal | None
    access: Access


def decide(record: Record, wish: Wish) -> Decision[Ruling]:
    """Let somebody act on a game, if they may, from there, now."""
    access = admit(wish.act, record.game, record.boards, wish.who.id, wish.where)
    if access is not Access.ACT:
        return Decision(record.game, Ruling(Refusal.NOT_YOURS, access))
    decision = _stepped(record.game, wish)
    if decision.game is record.game or decision.following is not None:
        return decision
    heeds = notices.heeds(record, decision.game, wish)
    return decision._replace(heeds=heeds) if heeds else decision


def decide_by_clock(record: Record, wish: Wish) -> Decision[Ruling]:
    """Let the clock act on a game if a deadline has come: a reminder, or the end."""
    due = deadlines.look(record.game, wish.now, wish.limits).due
    if due is None:
        return Decision(record.game, Ruling(Refusal.STALE, Access.ACT))
    decision = _stepped(record.game, replace(wish, act=due))
    if decision.game is record.game:
        return decision
    if due is Act.REMIND and not record.game.is_challenge:
        return decision._replace(notices=deadlines.reminders(record))
    if due is Act.REMIND:
        return decision._replace(heeds=notices.asked(record, wish.now))
    return decision._replace(heeds=notices.heeds(record, decision.game, wish))


def decide_by_computer(record: Record, wish: Wish) -> Decision[Ruling]:
    """Let the computer make the move that it has found, or end a game that nobody can see."""
    decision = _stepped(record.game, wish)
    if decision.game is record.game or record.game.host is not None:
        return decision
    heeds = notices.answered(record, wish.now)
    return decision._replace(heeds=heeds) if heeds else decision


def _stepped(game: Game, wish: Wish) -> Decision[Ruling]:
    cell = MACHINE[wish.act][state_of(game)]
    if isinstance(cell, Refusal):
        return Decision(game, Ruling(cell, Access.ACT))
    if wish.ply is not None and wish.ply != game.ply and wish.act in OF_A_PLY:
        return Decision(game, Ruling(Refusal.STALE, Access.ACT))
    made = cell(game, wish)
    if isinstance(made, Refusal):
        return Decision(game, Ruling(made, Access.ACT))
    done = Ruling(None, Access.ACT)
    if isinstance(made, Begun):
        return Decision(_named(made.game, wish), done, _named(made.following, wish))
    return Decision(made if made is game else _named(made, wish), done)


def _named(game: Game, wish: Wish) -> Game:
    """The game with the name of who acts, where their seat was taken before anybody knew it (inline mode)."""
    mark = game.mark_of(wish.who.id)
    if mark is None or not wish.who.name or game.name(mark) is not None:
        return game
    return game._replace(x_name=wish.who.name) if mark is Mark.X else game._replace(o_name=wish.who.name)
