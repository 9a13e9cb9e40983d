"""Questions between two people, and what follows a game: takebacks, draws, resignations, rematches.

The opponent has to agree to a takeback, a draw or a rematch, and a resignation has to be confirmed. A move
withdraws whatever was asked.
"""

from typing import Final

from bot.game.actions import ABOUT_TO_RESIGN, ASKED, PLAYED_OUT, RUNNING, Action, Begun, Needs, Who
from bot.game.attempt import (
    Attempt,
    NotAllowed,
    Question,
    Refusal,
    asking,
    is_asked_to_resign,
    question_of,
    without_hushed,
)
from bot.game.choices import Small
from bot.game.deadlines import BOTH_MOVED, clock_of, taken_back
from bot.game.new_game import between_the_same
from bot.game.play import back_to, begun, last_ply_of, with_level, with_sides_swapped
from bot.language import N_
from engine import Mark
from storage.columns import DAY
from storage.games.game import COMPUTER, RESIGNING, Game, Limits, Offer, Termination, is_erased, rules_of
from storage.results.result import NO_SCORE, score_of, series_goes_on

LEAST_PLIES_DRAWN: Final = 10
LEAST_CELLS_DRAWN: Final = 16
"""When two people may agree on a draw: on smaller boards a game is soon over, and earlier it has hardly begun."""

UNDONE: Final = N_("Move undone. This game won't count in your stats.")


class TakeBack(
    Action, word="undo", who=Who.PLAYERS, refused=RUNNING, typed="undo", needs=Needs.OPPONENT, asks=Offer.TAKEBACK
):
    """Takes back one's last move and what followed; against a person, asks them first."""

    ply: Small

    def apply(self, game: Game, attempt: Attempt) -> Game:
        mark = _own(game, attempt)
        _need_takebacks(game)
        if last_ply_of(game, mark) is None:
            raise NotAllowed(Refusal.NOTHING_TO_TAKE_BACK)
        if game.is_against_computer:
            return _taken_back(game, mark, attempt)
        if not attempt.facts.takebacks_allowed:
            raise NotAllowed(Refusal.NO_TAKEBACKS)
        asked = Question(Offer.TAKEBACK, mark)
        _need_nothing_else(question_of(without_hushed(game, mark)), asked)
        return asking(game, asked, hushed=attempt.facts.is_blocked)

    def cost(self, game: Game) -> str | None:
        """The first one against the computer costs the game's result."""
        costs = game.is_against_computer and game.takebacks == 1 and game.time_limits is not Limits.MEANWHILE
        return UNDONE if costs else None


class Resign(Action, word="resign", who=Who.PLAYERS, refused=RUNNING, typed="resign", asks=Offer.RESIGN):
    """Offers to resign; it counts once it is confirmed.

    It takes the place of any other question, so that nobody keeps somebody from resigning by asking something. If
    the opponent was asked the same, both may answer.
    """

    ply: Small

    def apply(self, game: Game, attempt: Attempt) -> Game:
        mark, question = _own(game, attempt), question_of(game)
        if question is None or question.offer not in RESIGNING:
            return asking(game, Question(Offer.RESIGN, mark))
        if question.offer is Offer.RESIGN and question.by is not mark:
            return asking(game, Question(Offer.RESIGN_BOTH, mark))
        return game


class ConfirmResign(Action, word="giveup", who=Who.PLAYERS, refused=ABOUT_TO_RESIGN, typed="yes accept"):
    """Confirms a resignation."""

    def apply(self, game: Game, attempt: Attempt) -> Game:
        mark = _asked_to_resign(game, attempt)
        # Before both have moved, to matchmaking that is not turning up.
        missed_by = attempt.who.id if game.is_between_strangers and game.ply < BOTH_MOVED else None
        return game.ended(Termination.RESIGNATION, mark.other)._replace(ended_by=missed_by)


class PlayOn(
    Action, word="goon", who=Who.PLAYERS, refused=ABOUT_TO_RESIGN, typed="no decline cancel", asks=Offer.RESIGN
):
    """Decides against resigning; if both were asked, the opponent still is."""

    def apply(self, game: Game, attempt: Attempt) -> Game:
        mark = _asked_to_resign(game, attempt)
        if game.offer is Offer.RESIGN_BOTH:
            return asking(game, Question(Offer.RESIGN, mark.other))
        return game.with_nothing_asked()


class OfferDraw(
    Action, word="draw", who=Who.PLAYERS, refused=RUNNING, typed="draw", needs=Needs.OPPONENT, asks=Offer.DRAW
):
    """Offers the opponent a draw, or agrees to theirs."""

    ply: Small

    def apply(self, game: Game, attempt: Attempt) -> Game:
        mark = _own(game, attempt)
        if not may_agree_on_draw(game):
            raise NotAllowed(Refusal.NO_DRAW)
        question, offered = question_of(without_hushed(game, mark)), Question(Offer.DRAW, mark)
        if question == (Offer.DRAW, mark.other):
            return game.ended(Termination.AGREEMENT)
        _need_nothing_else(question, offered)
        return asking(game, offered, hushed=attempt.facts.is_blocked)


def may_agree_on_draw(game: Game) -> bool:
    """Whether it is late enough in a running game of two, on a board on which it may take long.

    In a cup others wait for a result, and two might agree on one against them.
    """
    of_two = game.x.seat != COMPUTER != game.o.seat and game.time_limits is not Limits.CUP
    return of_two and game.ply >= LEAST_PLIES_DRAWN and rules_of(game.rules).cells >= LEAST_CELLS_DRAWN


class Agree(Action, word="yes", who=Who.PLAYERS, refused=ASKED, typed="yes accept", needs=Needs.OPPONENT):
    """Agrees to the opponent's takeback, draw or rematch."""

    ply: Small

    def apply(self, game: Game, attempt: Attempt) -> Game | Begun:
        question = _asked(game, attempt)
        if question.by is game.mark_of(attempt.who.id):
            raise NotAllowed(Refusal.OWN_QUESTION)
        if question.offer is Offer.DRAW:
            return game.ended(Termination.AGREEMENT)
        if not game.is_over:
            _need_takebacks(game)
            return _taken_back(game, question.by, attempt)
        if _is_old(game, attempt):
            return asking(game, Question(Offer.REMATCH, question.by.other), hushed=attempt.facts.is_blocked)
        return _next(game, attempt)


class Refuse(Action, word="no", who=Who.PLAYERS, refused=ASKED, typed="no decline"):
    """Declines what the opponent asks for, which the board then says, or withdraws one's own question."""

    ply: Small

    def apply(self, game: Game, attempt: Attempt) -> Game:
        question, mark = _asked(game, attempt), game.mark_of(attempt.who.id)
        answered = game.with_nothing_asked()
        return answered if mark is question.by else answered._replace(declined=question.offer, declined_by=mark)


class Rematch(
    Action,
    word="rematch",
    who=Who.PLAYERS,
    refused=PLAYED_OUT,
    typed="rematch again",
    needs=Needs.OPPONENT,
    asks=Offer.REMATCH,
):
    """Asks for a rematch or the next game of a series; begins it if the opponent has asked within a day.

    Whoever asked earlier may not be there any more, and their clock would run.
    """

    def apply(self, game: Game, attempt: Attempt) -> Game | Begun:
        if game.is_against_computer:
            return _next(game, attempt)
        mark, question = _own(game, attempt), question_of(game)
        if is_erased(game.seat(mark.other)):
            raise NotAllowed(Refusal.LEFT)
        if question is None or _is_old(game, attempt):
            return asking(game, Question(Offer.REMATCH, mark), hushed=attempt.facts.is_blocked)
        if question.by is mark:
            raise NotAllowed(Refusal.OWN_QUESTION)
        return _next(game, attempt)


class PlayAgain(
    Action, word="again", who=Who.PLAYERS, refused=PLAYED_OUT, typed="again rematch", asks=Offer.REMATCH
):
    """Starts another game against the computer; two people ask each other for a rematch."""

    def apply(self, game: Game, attempt: Attempt) -> Begun:
        if not game.is_against_computer:
            raise NotAllowed(Refusal.STALE)
        return _next(game, attempt)


def _own(game: Game, attempt: Attempt) -> Mark:
    if (mark := game.mark_of(attempt.who.id)) is None:
        raise NotAllowed(Refusal.NOT_YOURS)
    return mark


def _asked(game: Game, attempt: Attempt) -> Question:
    if attempt.where.chat_id == attempt.who.id:  # on a board that others see, too, the question stands
        game = without_hushed(game, game.mark_of(attempt.who.id))
    if (question := question_of(game)) is None:
        raise NotAllowed(Refusal.NOT_ASKED)
    return question


def _asked_to_resign(game: Game, attempt: Attempt) -> Mark:
    mark = _own(game, attempt)
    if not is_asked_to_resign(game, mark):
        raise NotAllowed(Refusal.NOT_ASKED)
    return mark


def _need_nothing_else(question: Question | None, asked: Question) -> None:
    """Raise `NotAllowed` if a question is still to be answered, which may be the one that is asked."""
    if question is not None:
        raise NotAllowed(Refusal.OWN_QUESTION if question == asked else Refusal.ASKED)


def _need_takebacks(game: Game) -> None:
    """Raise `NotAllowed` in a cup, where others wait, and a takeback gives time back."""
    if game.time_limits is Limits.CUP:
        raise NotAllowed(Refusal.NO_TAKEBACKS_IN_CUPS)


def _taken_back(game: Game, mark: Mark, attempt: Attempt) -> Game:
    back = back_to(game, last_ply_of(game, mark) or 0)._replace(takebacks=game.takebacks + 1)
    if game.is_against_computer:
        return back._replace(moved_at=attempt.now, reminded=None)
    return taken_back(back, attempt.now, attempt.limits)


def _is_old(game: Game, attempt: Attempt) -> bool:
    """Whether the question below a finished game was asked more than a day ago, as its last change."""
    return attempt.now - game.changed_at > DAY


def _next(game: Game, attempt: Attempt) -> Begun:
    """The finished game and the next one, sides swapped, not stored yet; the score carries on, or starts again."""
    score = score_of(game) if not game.best_of or series_goes_on(game) else NO_SCORE
    following = between_the_same(game, attempt, score)._replace(
        chat_id=game.chat_id or attempt.where.chat_id,  # of a game of inline mode that has gone home
        time_limits=game.time_limits if game.time_limits is Limits.MEANWHILE else Limits.USUAL,
        clock=clock_of(game),
    )
    if game.next_level is not None:
        following = with_level(following, game.next_level)
    return Begun(game.with_nothing_asked(), begun(with_sides_swapped(following), attempt))
