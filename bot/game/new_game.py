"""The first state of a game: against the computer, a challenge, or the next one of a series."""

from random import Random
from typing import Final

from bot.game.actions import OPEN, TERMS, UNTAKEN, Action, Needs, Who
from bot.game.attempt import Attempt, NotAllowed, Player, Refusal
from bot.game.choices import ADAPTIVE, ClockSeconds, First, SeenRules, Series
from bot.game.play import begun
from engine import CLASSIC, Level, Mark
from storage.games.game import COMPUTER, NO_NAMES, Game, GameKind, Limits, Side, Termination
from storage.results.result import NO_SCORE, Score

DEFAULT_LEVEL: Final = ADAPTIVE
USUAL_LEVEL: Final = Level.MEDIUM
"""The level where there is nobody's record to follow."""
DEFAULT_FIRST: Final = First.ME
DEFAULT_RULES: Final = CLASSIC.text


def goes_first(first: str, rng: Random) -> bool:
    """Whether the person who asks for a game moves first."""
    return rng.random() < 0.5 if first == First.RANDOM else first == First.ME  # a fair coin


def against_computer(
    attempt: Attempt,
    *,
    first: bool,
    level: str,
    rules: str,
    adaptive: bool = False,
    moves: str = "",
) -> Game:
    """A game of somebody against the computer, where they are; if the computer moves first, it has moved.

    With `moves` it begins after these, and doesn't count.
    """
    game = _taken(_empty(attempt, rules, first=first), COMPUTER, level)
    game = game._replace(next_level=level if adaptive else None, moves=moves)
    return begun(game._replace(time_limits=Limits.PRACTICE) if moves else game, attempt)


def new_challenge(
    attempt: Attempt,
    *,
    first: bool,
    rules: str = DEFAULT_RULES,
    rival: Player | None = None,
    link: str | None = None,
) -> Game:
    """A challenge; with `first` the challenger gets X. A rival with the id 0 is known by their username alone."""
    game = _empty(attempt, rules, first=first)._replace(link=link)
    if rival is not None and rival.id:
        game = game._replace(rival_id=rival.id, names={**game.names, rival.id: rival.name})
    elif rival is not None:
        game = game._replace(rival_username=rival.username)
    return begun(game, attempt)


def wait(attempt: Attempt, *, rules: str, any_rules: bool, told: int | None) -> Game:
    """Somebody's wait for an opponent; `told` is the typical wait in seconds, None if unknown."""
    game = _empty(attempt, rules, first=True)
    return begun(game._replace(time_limits=Limits.STRANGERS, any_rules=any_rules, told=told), attempt)


def between_the_same(game: Game, attempt: Attempt, score: Score = NO_SCORE) -> Game:
    """The next game at the same place, by the same rules and with the same seats; its time does not run yet."""
    return Game(
        id=0,
        chat_id=game.chat_id,
        rules=game.rules,
        kind=game.kind,
        x=Side(game.x.seat, game.x.level, score.x_wins),
        o=Side(game.o.seat, game.o.level, score.o_wins),
        next_level=game.next_level,
        host=game.host,
        time_limits=game.time_limits,
        best_of=game.best_of,
        draws=score.draws,
        created_at=attempt.now,
        changed_at=attempt.now,
        names=game.names,
    )


def _empty(attempt: Attempt, rules: str, *, first: bool) -> Game:
    who, now = attempt.who, attempt.now
    return Game(
        id=0,
        chat_id=attempt.where.chat_id,
        rules=rules,
        kind=GameKind.CHALLENGE,
        x=Side(who.id if first else None),
        o=Side(None if first else who.id),
        created_at=now,
        changed_at=now,
        moved_at=now,
        names={who.id: who.name} if who.name else NO_NAMES,
    )


MOST_OPEN: Final = 3
"""How many challenges of one person may be open in one chat, so that nobody floods it."""


MOST_TO_ONE: Final = 3
MOST_TO_ONE_IN_GROUPS: Final = 6
MOST_A_DAY: Final = 10
"""How many challenges a person may send within a day, to one person and in all, not counting accepted ones."""


def challenger_of(game: Game) -> Mark:
    """The challenger's mark."""
    return Mark.X if game.o.seat is None else Mark.O


def is_for(game: Game, player: Player) -> bool:
    """Whether a person may take a challenge: it names them, or nobody."""
    if game.rival_username is not None:
        return player.username is not None and player.username.lower() == game.rival_username
    return game.rival_id in (None, player.id)


def _not_for_them(game: Game) -> NotAllowed:
    return NotAllowed(Refusal.NOT_FOR_YOU if game.rival_username is None else Refusal.OTHER_NAME)


class Accept(Action, word="accept", who=Who.EVERYBODY, refused=OPEN, typed="accept yes", needs=Needs.OPPONENT):
    """Takes the empty seat of a challenge, unless the terms have changed since they were seen."""

    seen_rules: SeenRules = DEFAULT_RULES
    clock: ClockSeconds = 0
    """The clock that the person has seen, and the number of games."""
    best_of: Series = 1

    def apply(self, game: Game, attempt: Attempt) -> Game:
        if game.mark_of(attempt.who.id) is not None:
            raise NotAllowed(Refusal.OWN_CHALLENGE)
        if not is_for(game, attempt.who):
            raise _not_for_them(game)
        if attempt.facts.is_blocked and not game.names_rival:
            raise NotAllowed(Refusal.NOT_OPEN)  # as if somebody had been faster
        if self != seen_with(game):
            raise NotAllowed(Refusal.STALE)
        return begun(_taken(game, attempt.who.id)._replace(rival_id=None, rival_username=None), attempt)


def seen_with(game: Game) -> Accept:
    """The action that accepts a challenge on the terms shown now."""
    return Accept(game.rules, game.clock or 0, game.best_of or 1)


def link_parameter(game: Game) -> str:
    """What the link to a challenge contains: its token and, unless they are the usual ones, its terms."""
    seen = seen_with(game)
    return f"{game.link}" if seen == Accept() else f"{game.link}-{seen.seen_rules}-{seen.clock}-{seen.best_of}"


class Decline(
    Action, word="decline", who=Who.EVERYBODY, refused=OPEN, typed="decline no", needs=Needs.ADMIN, as_chat=True
):
    """Declines a challenge to oneself; its challenger withdraws it so, and administrators of the chat close it."""

    def apply(self, game: Game, attempt: Attempt) -> Game:
        is_own = game.mark_of(attempt.who.id) is not None
        if game.names_rival and is_for(game, attempt.who) and not is_own:
            return game._replace(termination=Termination.DECLINED, rival_id=attempt.who.id, rival_username=None)
        if game.names_rival and (is_own or attempt.facts.is_admin):
            return Cancel().apply(game, attempt)
        raise _not_for_them(game)


class Cancel(
    Action,
    word="cancel",
    who=Who.EVERYBODY,
    refused=UNTAKEN,
    typed="cancel withdraw no decline",
    needs=Needs.ADMIN,
    as_chat=True,
):
    """Withdraws a challenge, or ends a wait for an opponent; the challenger and administrators of the chat may."""

    def apply(self, game: Game, attempt: Attempt) -> Game:
        is_own = game.mark_of(attempt.who.id) is not None
        return cancelled(game, attempt, is_own=is_own, refusal=Refusal.NOT_YOUR_CHALLENGE)


def cancelled(game: Game, attempt: Attempt, *, is_own: bool, refusal: Refusal) -> Game:
    """The game, ended by the person whose own it is, or by an administrator of its chat; refused to others."""
    if not is_own and not attempt.facts.is_admin:
        raise NotAllowed(Refusal.UNKNOWN if attempt.facts.is_admin is None else refusal)
    return game._replace(termination=Termination.CANCELLED, ended_by=attempt.who.id)


def closed_by_other(game: Game) -> bool:
    """Whether an administrator closed a challenge, rather than the challenger."""
    return game.ended_by is not None and game.ended_by != game.seat(challenger_of(game))


class SetClock(Action, word="clock", who=Who.PLAYERS, refused=TERMS):
    """Chooses the seconds per move of an open challenge; 0 for the host's limits."""

    clock: ClockSeconds

    def apply(self, game: Game, _: Attempt) -> Game:
        return game if (game.clock or 0) == self.clock else game._replace(clock=self.clock or None)


class SetSeries(Action, word="series", who=Who.PLAYERS, refused=TERMS):
    """Chooses the length of the series that an open challenge begins, in games; 1 for no series."""

    best_of: Series

    def apply(self, game: Game, _: Attempt) -> Game:
        if (game.best_of or 1) == self.best_of:
            return game
        return game._replace(best_of=None if self.best_of == 1 else self.best_of)


class LetComputerPlay(Action, word="computer", who=Who.PLAYERS, refused=OPEN, needs=Needs.LEVEL):
    """Gives the empty seat of one's challenge to the computer."""

    def apply(self, game: Game, attempt: Attempt) -> Game:
        if game.link is not None and game.rival_id is not None:
            raise NotAllowed(Refusal.STALE)  # its other board is in the chat of the person challenged
        # The person named stays in it: it counts as one of the challenges to them.
        taken = _taken(game, COMPUTER, attempt.facts.level)._replace(best_of=None, clock=None)
        return begun(taken._replace(next_level=attempt.facts.level) if attempt.facts.adaptive else taken, attempt)


def _taken(game: Game, seat: int, level: str | None = None) -> Game:
    """A challenge whose empty seat is taken by a person, or by the computer at a level."""
    kind = GameKind.SOLO if seat == COMPUTER else GameKind.PAIR
    return game.with_side(challenger_of(game).other, seat=seat, level=level)._replace(kind=kind)
