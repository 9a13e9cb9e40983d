"""Who may do what to a game, and what it changes: the gate.

Callback data can be forged (a modified client sends anything from any of the bot's messages), and ids can be
guessed. So nothing is done, said or shown about a game unless it is shown where the attempt comes from.

In this order: the gate turns away people who may not act from there; the action's rule says whether it is possible
in the game's state; one that was meant for an older position is refused; and the action itself decides the rest.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from bot.game import attention, deadlines, departures, exhibitions, pages  # noqa: F401 - pages: its actions are in KINDS
from bot.game.actions import ACTION_KINDS, Action, Begun, Who
from bot.game.attempt import Access, Attempt, NotAllowed, Refusal, Where, question_of, state_of
from bot.game.deadlines import Due
from bot.game.matchmaking import refused
from bot.game.play import Move, edition_of
from bot.game.questions import PlayOn
from storage.games.game import Game, GameKind
from storage.games.record import Board, Decision, Record

ACTIONS: Final[Mapping[str, type[Action]]] = {kind.rule.word: kind for kind in ACTION_KINDS if kind.rule.word}
"""All actions that a button can carry, by their word."""


def decide(record: Record, action: Action, attempt: Attempt) -> Decision:
    """Let somebody act on a game; raises `NotAllowed`, which has its record and says how far they got."""
    access = admit(action, record.game, record.boards, attempt.who.id, attempt.where)
    if access is not Access.ACT:
        is_challenger_wanted = record.game.is_challenge and access is Access.SEE
        raise NotAllowed(Refusal.NOT_YOUR_CHALLENGE if is_challenger_wanted else Refusal.NOT_YOURS, access, record)
    decision = _decided(record, action, attempt)
    if decision.game is record.game or decision.following is not None:
        return decision
    if isinstance(action, Move) and record.game.kind is GameKind.PAIR:
        decision = decision._replace(
            game=deadlines.with_time_noted(record, decision.game, attempt.now, attempt.limits)
        )
    attentions = attention.attention_for(record, decision.game, attempt)
    return decision._replace(attention=attentions) if attentions else decision


def decide_by_clock(record: Record, attempt: Attempt) -> Decision:
    """Let the clock act on a game if something is due: a reminder, or the end."""
    due = deadlines.look(record, attempt.now, attempt.limits).due
    if due is None or due is Due.ANSWER:
        return Decision(record.game)
    if due is Due.CLAIM_WIN:
        return Decision(departures.with_claim_open(record, attempt.now))
    action = deadlines.Remind() if due is Due.REMINDER else deadlines.Expire(unseen=deadlines.is_unseen(record))
    return _by_clock(record, action, attempt)


def decide_again(record: Record, attempt: Attempt, version: int) -> Decision:
    """Let the time for a move begin again, if the game is still at that version."""
    if record.game.version != version:
        return Decision(record.game)
    return _by_clock(record, deadlines.BeginAgain(), attempt)


def _by_clock(record: Record, action: Action, attempt: Attempt) -> Decision:
    decision = _decided(record, action, attempt)
    if decision.game is record.game:
        return decision
    return decision._replace(attention=attention.attention_for(record, decision.game, attempt))


def decide_by_computer(
    record: Record, action: exhibitions.ComputerMove | deadlines.Expire, attempt: Attempt
) -> Decision:
    """Let the computer make the move it has found, or end a game that nobody can see."""
    decision = _decided(record, action, attempt)
    if decision.game is record.game or record.game.is_exhibition:
        return decision
    return decision._replace(attention=attention.answered(record, attempt.now))


def admit(action: Action, game: Game, boards: Iterable[Board], person: int, where: Where) -> Access:
    """How far a person's attempt at an action gets, from where they are."""
    who = action.rule.who
    if who is Who.NOBODY:
        return Access.NOTHING
    if who is Who.REVIEWERS_TOO and _has_own_review(boards, person, where):
        return Access.ACT
    plays = game.mark_of(person) is not None
    if not is_shown(game, boards, where):
        return Access.ACT if plays and where.shows == game.id and who is not Who.EVERYBODY else Access.NOTHING
    may = plays or who is Who.EVERYBODY or (who is Who.REVIEWERS_TOO and game.host == person)
    return Access.ACT if may or (game.is_exhibition and not game.is_over) else Access.SEE


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


def _decided(record: Record, action: Action, attempt: Attempt) -> Decision:
    game = record.game
    try:
        result = _applied(game, action, attempt)
    except NotAllowed as error:
        error.record, error.refusal = record, refused(game, error.refusal)
        raise
    if isinstance(result, Begun):
        return Decision(_named(result.game, attempt), _named(result.following, attempt))
    return Decision(result if result is game else _named(result, attempt))


def _applied(game: Game, action: Action, attempt: Attempt) -> Game | Begun:
    if (refusal := action.rule.refused.get(state_of(game))) is not None:
        raise NotAllowed(refusal)
    ply = action.for_ply
    if ply is not None and (ply != game.ply or attempt.edition not in (None, edition_of(game))):
        raise NotAllowed(Refusal.STALE)
    result = action.apply(game, attempt)
    if attempt.facts.asked_lately and isinstance(result, Game):
        asks = question_of(result) not in (None, question_of(game))
        if asks or isinstance(action, PlayOn):
            raise NotAllowed(Refusal.ASKED_LATELY)
    return result


def _named(game: Game, attempt: Attempt) -> Game:
    who = attempt.who
    if not who.name or game.names.get(who.id) == who.name:
        return game
    return game._replace(names={**game.names, who.id: who.name})
