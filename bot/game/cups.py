"""Who meets whom in a cup, and who wins it: up to five people all play all, more play a Swiss.

A state of a cup goes on by itself as far as it can without another game: whoever has left loses their remaining
games, the next round is paired once the last one has ended, and after the last round come the games that decide
between the first two if they are equal. Nothing here knows the time or the database, and chance is passed in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from random import Random
from typing import Final, NamedTuple, TypeAlias

from bot.game.deadlines import BOTH_MOVED
from engine import Mark
from storage.games.game import DRAWN, Game, Termination
from storage.people.person import CupGame, CupPlayer, CupResult, CupStage, CupState

FEWEST_IN: Final = 3
MOST_IN: Final = 16
ALONE_FROM: Final = 4
"""How many people it takes for a cup to start by itself."""
ALL_PLAY_ALL: Final = 5
"""The most people who all play all."""
AT_ONCE: Final = 4
"""The most games of a cup that run at a time: boards in a group share Telegram's limit for it."""
MOST_MISSED: Final = 2
"""Whoever hasn't come to so many games is out."""
MOST_DECIDERS: Final = 3

WIN_POINTS: Final = 2
"""Points are counted in halves."""


class CupStanding(NamedTuple):
    """A player in the table."""

    player: CupPlayer
    points: int
    """In halves."""
    tiebreak: int
    """Sonneborn-Berger, in quarters: the points of those they have beaten, and half those of the others."""


LOOKED_AHEAD: Final = 3
"""With at most so many pairs, later rounds are looked at, too."""

BYE: Final = -1
"""Stands for the missing opponent of a bye."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """What pairing a player depends on."""

    number: int
    points: int
    met: Counter[int] = field(default_factory=Counter)
    """How often they have met whom, by number."""
    balance: int = 0
    """In how many more games they had X than O."""
    last: int = 0
    """1 if they had X in their last game, and -1 if they had O."""

    def after(self, other: Entrant, side: int) -> Entrant:
        """The player after a game, or a bye; the side is 1 for X, and -1 for O."""
        met = self.met + Counter([other.number])
        if BYE in (self.number, other.number):
            return replace(self, met=met)
        return replace(self, met=met, balance=self.balance + side, last=side)


Pairing: TypeAlias = tuple[Entrant, Entrant]


def started(state: CupState, rng: Random) -> CupState:
    """The cup with its number of rounds; who plays first, and against whom, is drawn."""
    numbers = [player.number for player in state.players]
    rng.shuffle(numbers)
    plan = all_play_all(numbers) if len(numbers) <= ALL_PLAY_ALL else []
    rounds = len(plan) or (len(numbers) - 1).bit_length() + 1
    begun = state._replace(cup=state.cup._replace(stage=CupStage.RUNNING, due_at=None, rounds=rounds))
    for number, pairs in enumerate(plan, 1):
        begun = _with_games(begun, number, pairs)
    return gone_on(begun, rng)


def gone_on(state: CupState, rng: Random) -> CupState:
    """The cup as far as it goes without another game."""
    while state.cup.stage is CupStage.RUNNING:
        state = state._replace(games=tuple(_unless_left(game, state) for game in state.games))
        if any(game.result is None for game in state.games):
            return state
        state = _next_round(state, rng) or _ended(state, rng)
    return state


def with_ended(state: CupState, ended: Mapping[int, Game | None]) -> CupState:
    """The cup with how games ended, by their id; None for one that was deleted.

    Whoever hasn't made their first move in time misses the game, and is out with the second one; so is whoever has
    left the group during a game. Somebody who was removed from it may be back for their next one.
    """
    over = {
        game.number: ended[game.game_id]
        for game in state.games
        if game.result is None and game.game_id is not None and game.game_id in ended
    }
    games = [
        game._replace(result=_result_of(over[game.number])) if game.number in over else game
        for game in state.games
    ]
    played = [(game, ending) for game in state.games if (ending := over.get(game.number)) is not None]
    missing = [
        _number(game, ending.turn)
        for game, ending in played
        if ending.termination is Termination.TIMEOUT and ending.ply < BOTH_MOVED  # they haven't come
    ]
    gone = [_number(game, ending.left) for game, ending in played if not ending.removed]
    players = []
    for player in state.players:
        missed = player.missed + missing.count(player.number)
        is_out = player.is_out or missed >= MOST_MISSED or player.number in gone
        players.append(player._replace(missed=missed, is_out=is_out))
    return state._replace(players=tuple(players), games=tuple(games))


def _number(game: CupGame, mark: Mark | None) -> int | None:
    """The number of the player who has a mark."""
    return None if mark is None else game.x if mark is Mark.X else game.o


def startable(state: CupState) -> Sequence[CupGame]:
    """The games that may begin now, in their order; nobody plays two at a time."""
    running = [game for game in state.games if game.result is None and game.game_id is not None]
    busy = {number for game in running for number in (game.x, game.o)}
    free: list[CupGame] = []
    for game in state.games:
        is_free = busy.isdisjoint((game.x, game.o))
        if game.result is None and game.game_id is None and is_free and len(running) + len(free) < AT_ONCE:
            free.append(game)
            busy |= {game.x, game.o}
    return free


def current_round(state: CupState) -> int:
    """The first round with a game that isn't over, or the last one; 0 before the cup starts."""
    ahead = [game.round for game in state.games if game.result is None]
    return min(ahead) if ahead else max((game.round for game in state.games), default=0)


def awaited_by(state: CupState, number: int) -> Sequence[CupGame]:
    """The games that run and have to end before a player's next one: their next opponent's, or all."""
    ahead = [game for game in state.games if game.result is None]
    running = [game for game in ahead if game.game_id is not None]
    theirs = [game for game in ahead if game.game_id is None and number in (game.x, game.o)]
    before = [game for game in running if theirs and {game.x, game.o} & {theirs[0].x, theirs[0].o}]
    return before or running


def rankings(state: CupState) -> Sequence[CupStanding]:
    """The players, best first; those who have left come last, and those who are equal as they joined."""
    regular = [game for game in state.games if game.round <= state.cup.rounds]
    points = Counter({player.number: 0 for player in state.players})
    for game in regular:
        for number, _, gained in _gains(game):
            points[number] += gained
    tiebreak: Counter[int] = Counter()
    for game in regular:
        for number, other, gained in _gains(game):
            tiebreak[number] += 0 if other is None else points[other] * gained
    standings = [CupStanding(player, points[player.number], tiebreak[player.number]) for player in state.players]
    return sorted(
        standings, key=lambda each: (each.player.is_out, -each.points, -each.tiebreak, each.player.number)
    )


def deciders(state: CupState) -> Sequence[CupGame]:
    """The games that decide between the first two."""
    return [game for game in state.games if game.round > state.cup.rounds]


def all_play_all(numbers: Sequence[int]) -> Sequence[Sequence[tuple[int, int | None]]]:
    """The rounds in which all play all, X first: everybody has X and O equally often, or once more."""
    seats: list[int | None] = [*range(len(numbers)), *([None] if len(numbers) % 2 else [])]
    size = len(numbers) if len(numbers) % 2 else len(numbers) + 1
    rounds = []
    for _ in range(len(seats) - 1):
        halves = zip(seats[: len(seats) // 2], reversed(seats), strict=False)
        met = [(one, other) for one, other in halves if one is not None and other is not None]
        inner = [(one, other) if (other - one) % size <= size // 2 else (other, one) for one, other in met]
        rounds.append([(numbers[x], numbers[o]) for x, o in inner])
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return rounds


def paired(entrants: Sequence[Entrant], rng: Random, rounds_left: int = 0) -> Sequence[tuple[int, int | None]]:
    """A round of a Swiss, of which so many follow: pairs with X first, and who has a bye if their number is odd.

    First of all nobody meets somebody again while that can be avoided, in later rounds too, then X and O of each
    differ by at most one, and then players meet others with as many points.
    """
    drawn = list(entrants)
    rng.shuffle(drawn)
    drawn.sort(key=lambda entrant: -entrant.points)
    if len(drawn) % 2:
        drawn.append(Entrant(BYE, -1, Counter({entrant.number: entrant.met[BYE] for entrant in drawn})))
    return [(x.number, None if o.number == BYE else o.number) for x, o in _best(drawn, rounds_left)]


def _best(entrants: Sequence[Entrant], rounds_left: int) -> Sequence[Pairing]:
    none, any_number = 0, len(entrants)
    plans = chain([(none, none), (none, any_number)], ((again, None) for again in count()))
    for again, breaks_later in plans:
        for breaks in range(any_number + 1):
            for pairs in _matchings(entrants, again, breaks, set()):
                if breaks_later is None or _lasts(pairs, rounds_left, breaks_later):
                    return pairs
    raise AssertionError("some pairing is always possible")


def _lasts(pairs: Sequence[Pairing], rounds_left: int, breaks: int) -> bool:
    """Whether so many rounds may follow where nobody meets somebody again, with so many broken balances each.

    More than six players always find new opponents for so many rounds as they play.
    """
    if not rounds_left or len(pairs) > LOOKED_AHEAD:
        return True
    after = [entrant for x, o in pairs for entrant in (x.after(o, 1), o.after(x, -1))]
    after.sort(key=lambda entrant: entrant.number == BYE)
    return any(_lasts(following, rounds_left - 1, breaks) for following in _matchings(after, 0, breaks, set()))


def _matchings(
    waiting: Sequence[Entrant], again: int, breaks: int, hopeless: set[tuple[int, ...]]
) -> Iterator[list[Pairing]]:
    """The pairings of all who wait with at most so many repeated meetings and broken balances, X first.

    Whoever comes first meets the next one if possible. `hopeless` gets those who can't be paired.
    """
    if not waiting:
        yield []
        return
    first, *others = waiting
    for other in others:
        sides = _sides(first, other)
        again_left, breaks_left = again - first.met[other.number], breaks - _broken(*sides[0])
        rest = [entrant for entrant in others if entrant is not other]
        key = (again_left, breaks_left, *(entrant.number for entrant in rest))
        if again_left < 0 or breaks_left < 0 or key in hopeless:
            continue
        hopeless.add(key)
        for pairs in _matchings(rest, again_left, breaks_left, hopeless):
            hopeless.discard(key)
            yield from ([pair, *pairs] for pair in sides)


def _sides(one: Entrant, other: Entrant) -> Sequence[Pairing]:
    """Two players, X first: whoever has had X less often, or not in their last game; either if that is equal."""
    if other.number == BYE:
        return [(one, other)]
    both = ((one, other), (other, one))
    orders = [(_broken(x, o), x.balance - o.balance, x.last - o.last) for x, o in both]
    return [pair for pair, order in zip(both, orders, strict=True) if order == min(orders)]


def _broken(x: Entrant, o: Entrant) -> int:
    """How many of two players would then have had one mark at least twice more than the other."""
    return 0 if o.number == BYE else (abs(x.balance + 1) > 1) + (abs(o.balance - 1) > 1)


def _next_round(state: CupState, rng: Random) -> CupState | None:
    """The cup with its next games; None if it's over."""
    standings = [standing for standing in rankings(state) if not standing.player.is_out]
    last = max((game.round for game in state.games), default=0)
    if len(standings) < 2:
        return None
    if (rounds_left := state.cup.rounds - last - 1) >= 0:
        return _with_games(state, last + 1, paired(_entrants(state, standings), rng, rounds_left))
    first, second = standings[:2]
    played = deciders(state)
    is_tied = (first.points, first.tiebreak) == (second.points, second.tiebreak)
    if not is_tied or len(played) == MOST_DECIDERS or any(game.result is not CupResult.DRAW for game in played):
        return None
    sides = [first.player.number, second.player.number]
    rng.shuffle(sides)
    x, o = (played[-1].o, played[-1].x) if played else sides
    return _with_games(state, last + 1, [(x or 0, o)])


def _ended(state: CupState, rng: Random) -> CupState:
    """The cup with everybody's place; if no game has decided between the first two, a coin does."""
    order = [standing.player.number for standing in rankings(state)]
    played = deciders(state)
    if played:
        x, o, result = played[-1].x, played[-1].o, played[-1].result
        tossed = rng.choice((x, o))
        winner = {CupResult.X: x, CupResult.O: o}.get(result or CupResult.DRAW, tossed)
        left = {player.number for player in state.players if player.is_out}
        if winner in order[:2] and winner not in left:
            order.sort(key=lambda number: number != winner)
    players = [player._replace(place=order.index(player.number) + 1) for player in state.players]
    return state._replace(cup=state.cup._replace(stage=CupStage.OVER), players=tuple(players))


def _entrants(state: CupState, standings: Iterable[CupStanding]) -> Sequence[Entrant]:
    entrants = {standing.player.number: Entrant(standing.player.number, standing.points) for standing in standings}
    for game in state.games:
        met = BYE if game.o is None else game.o
        for number, other, side in ((game.x, met, 1), (met, game.x, -1)):
            if number in entrants:
                entrants[number] = entrants[number].after(Entrant(other, 0), side)
    return list(entrants.values())


def _with_games(state: CupState, number: int, pairs: Iterable[tuple[int, int | None]]) -> CupState:
    games = list(state.games)
    for x, o in pairs:
        had_bye = any(game.x == x and game.o is None for game in games)
        bye = CupResult.NOBODY if had_bye else CupResult.BYE
        games.append(CupGame(state.cup.id, len(games), number, x, o, result=bye if o is None else None))
    return state._replace(games=tuple(games))


def _unless_left(game: CupGame, state: CupState) -> CupGame:
    """A game that hasn't begun, lost by whoever has left."""
    if game.result is not None or game.game_id is not None:
        return game
    left = {player.number for player in state.players if player.is_out}
    if game.x in left:
        return game._replace(result=CupResult.NOBODY if game.o in left else CupResult.O)
    return game._replace(result=CupResult.X) if game.o in left else game


def _result_of(game: Game | None) -> CupResult:
    if game is not None and game.termination in DRAWN:
        return CupResult.DRAW
    if game is None or game.removed:
        return CupResult.NOBODY
    # Whoever has left the group loses also a game that counts for nothing else.
    winner = game.winner or (game.left and game.left.other)
    return CupResult.NOBODY if winner is None else CupResult(winner.value.lower())


def _gains(game: CupGame) -> Iterable[tuple[int, int | None, int]]:
    """For each player of a game: their number, the other's, and their points."""
    match game.result:
        case CupResult.X | CupResult.BYE:
            yield game.x, game.o, WIN_POINTS
        case CupResult.O if game.o is not None:
            yield game.o, game.x, WIN_POINTS
        case CupResult.DRAW if game.o is not None:
            yield game.x, game.o, WIN_POINTS // 2
            yield game.o, game.x, WIN_POINTS // 2
