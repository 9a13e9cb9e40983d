"""How a cup goes on, and who wins it.

A state of a cup goes on by itself as far as it can without another game: whoever has left loses their remaining
games, and the next round is paired once the last one has ended (`bot.game.swiss`). Nothing here knows the time or
the database, and chance is passed in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from bot.game.deadlines import BOTH_MOVED, CUP_SECONDS
from bot.game.swiss import BYE, Contender, all_play_all, paired
from engine import Mark
from storage.columns import DAY
from storage.games.game import DRAWN, Game, Termination, rules_of
from storage.people.person import CupGame, CupPlayer, CupResult, CupStage, CupState

FEWEST_IN: Final = 3
MOST_IN: Final = 16
ALONE_FROM: Final = 4
"""How many people it takes for a cup to start by itself."""
ALL_PLAY_ALL: Final = 6
"""The most people who all play all."""
AT_ONCE: Final = 4
"""The most games of a cup that run at a time: boards in a group share Telegram's limit for it."""
MOST_MISSED: Final = 2
"""Whoever hasn't come to so many games is out."""

WAIT_LOOK_SECONDS: Final = 5
MOST_UNSEEN_SECONDS: Final = 3 * DAY
"""For so long a game waits for a group's board to be seen (`MOVE_TTL`, unless a host sets another)."""

ALONE_SECONDS: Final = 600
"""So long after the newest player has joined, a cup starts by itself."""
ALONE_MOST_SECONDS: Final = 3600
"""So long after it was announced, joining puts that off no more."""
RING_SECONDS: Final = 120
"""So long before it starts by itself, its message comes down."""
OUT_SECONDS: Final = 600
"""For so long a game waits for somebody who was removed from the group, or whose clock runs elsewhere."""

WIN_POINTS: Final = 2
"""Points are counted in halves."""


class CupStanding(NamedTuple):
    """A player in the table."""

    player: CupPlayer
    points: int
    """In halves."""
    direct: int
    """The points in games with all who have as many, if they have all met each other; else 0."""
    place: int
    """Whoever is equal in all that counts (`rankings`) shares a place."""


def started(state: CupState, rng: Random, now: int) -> CupState:
    """The cup with its number of rounds; who plays first, and against whom, is drawn."""
    numbers = [player.number for player in state.players]
    rng.shuffle(numbers)
    begun = state._replace(cup=state.cup._replace(stage=CupStage.RUNNING, starts_at=None, created_at=now))
    pairs = list(zip(numbers[::2], numbers[1::2], strict=False))
    if len(numbers) <= ALL_PLAY_ALL:
        return gone_on(_all_play_all(begun, pairs), rng, now)
    return gone_on(_with_rounds(begun), rng, now)


def joined_late(state: CupState, player: CupPlayer, rng: Random) -> CupState | None:
    """The cup with a newcomer, who has lost the points of its first round if people don't all play all.

    None once its second round has begun.
    """
    if current_round(state) != 1:
        return None
    first = tuple(game for game in state.games if game.round == 1)
    with_them = state._replace(players=(*state.players, player), games=first)
    if len(with_them.players) > ALL_PLAY_ALL:
        missed = CupGame(state.cup.id, len(first), 1, player.number, None, result=CupResult.NOBODY, plies=0)
        return _with_rounds(with_them._replace(games=(*first, missed)))
    pairs = [(game.x, game.o) for game in first if game.o is not None]
    playing = {number for pair in pairs for number in pair}
    resting = [each.number for each in with_them.players if each.number not in playing]
    if len(resting) > 1:
        rng.shuffle(resting)
        pairs.append((resting[0], resting[1]))
    return _all_play_all(with_them, pairs)


def _with_rounds(state: CupState) -> CupState:
    """The cup as a Swiss."""
    return state._replace(cup=state.cup._replace(rounds=(len(state.players) - 1).bit_length() + 1))


def _all_play_all(state: CupState, pairs: Sequence[tuple[int, int]]) -> CupState:
    """The cup with all its games, of which those of the first round may be there already."""
    playing = {number for pair in pairs for number in pair}
    resting = next((each.number for each in state.players if each.number not in playing), None)
    for number, round_ in enumerate(all_play_all(pairs, resting), 1):
        there = {(game.x, game.o) for game in state.games}
        state = _with_games(state, number, [pair for pair in round_ if pair not in there])
        state = state._replace(cup=state.cup._replace(rounds=number))
    return state


def gone_on(state: CupState, rng: Random, now: int) -> CupState:
    """The cup as far as it goes without another game; what isn't played in the time of its round is nobody's."""
    before = current_round(state)
    late = before if before and now >= state.cup.created_at + longest_round(state) else None
    while state.cup.stage is CupStage.RUNNING:
        state = state._replace(players=tuple(_unless_long_away(player, now) for player in state.players))
        games = (_unless_left(game, state, is_late=game.round == late) for game in state.games)
        state = state._replace(games=tuple(games))
        if any(game.result is None for game in state.games):
            break
        state = _next_round(state, rng) or _ended(state)
    if current_round(state) != before:
        state = state._replace(cup=state.cup._replace(created_at=now))
    return state


def current_round(state: CupState) -> int:
    """The round that is played; the last one if all games are over, and 0 before the first."""
    unplayed = [game.round for game in state.games if game.result is None]
    return min(unplayed, default=max((game.round for game in state.games), default=0))


def longest_round(state: CupState) -> int:
    """The most seconds that a round of a cup takes, whatever anybody does, and though a board isn't seen."""
    return longest_played(state) + MOST_UNSEEN_SECONDS


def longest_played(state: CupState) -> int:
    """The most seconds that a round of a cup takes whose boards are seen.

    That is as long as it waits for people, and its games at their longest, one after another as far as they don't
    run at a time.
    """
    first, clock = max(CUP_SECONDS, state.cup.clock), state.cup.clock
    longest = BOTH_MOVED * first + (rules_of(state.cup.rules).last_ply - BOTH_MOVED) * clock
    turns = -(-(len(state.players) // 2) // AT_ONCE)
    return turns * longest + OUT_SECONDS


def timed(state: CupState, now: int, *, has_joined: bool = False) -> CupState:
    """A cup that hasn't started, with the time when it does by itself, once enough have joined for that."""
    cup, starts_at = state.cup, state.cup.starts_at
    if cup.is_planned:
        return state
    if len(state.players) < ALONE_FROM:
        starts_at = None
    elif has_joined or starts_at is None:
        soon = now + ALONE_SECONDS
        starts_at = min(soon, max(cup.created_at + ALONE_MOST_SECONDS, starts_at or soon))
    return state._replace(cup=cup._replace(starts_at=starts_at))


def next_look(state: CupState, now: int, *, waits: bool = False) -> int | None:
    """When a cup is to be looked at besides at the end of a game; soon again if a game `waits` for somebody."""
    cup = state.cup
    if cup.stage is CupStage.OVER:
        return None
    if cup.stage is CupStage.RUNNING:
        if left_behind(state):
            return now
        back = [player.away_at + OUT_SECONDS for player in state.players if player.away_at and not player.is_out]
        soon = [now + WAIT_LOOK_SECONDS] if waits else []
        return min([cup.created_at + longest_round(state), *back, *soon])
    if cup.starts_at is None:
        return cup.created_at + DAY
    rings_at = cup.starts_at - RING_SECONDS
    return rings_at if now < rings_at and not cup.is_planned else cup.starts_at


def left_behind(state: CupState) -> Sequence[tuple[int, Mark]]:
    """The running games of those who have left the cup, which they resign by that: ids, and whose marks."""
    left = {player.number for player in state.players if player.is_out and player.away_at is None}
    both = [(game_id, mark, _number(game, mark)) for game_id, game in state.running.items() for mark in Mark]
    return [(game_id, mark) for game_id, mark, number in both if number in left]


def rings(state: CupState, now: int) -> bool:
    """Whether a cup that is about to start by itself calls people now (`next_look`)."""
    starts_at, due_at = state.cup.starts_at, state.cup.due_at
    is_open = state.cup.stage is CupStage.OPEN and starts_at is not None and due_at is not None
    return is_open and due_at == (starts_at or 0) - RING_SECONDS and (due_at or 0) <= now < (starts_at or 0)


def with_ended(state: CupState, ended: Mapping[int, Game | None]) -> CupState:
    """The cup with how games ended, by their id; None for one that was deleted.

    Whoever hasn't made their first move in time misses the game, and is out with the second one; so is whoever has
    left the group during a game. One during which somebody was removed from it is still to be played, once.
    """
    over = {game.number: ended[game_id] for game_id, game in state.running.items() if game_id in ended}
    games = [_noted(game, over[game.number]) if game.number in over else game for game in state.games]
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


def _noted(game: CupGame, ending: Game | None) -> CupGame:
    """A game with how it ended; without the one that was cut short as a player was removed.

    The second time it is as much as a bye to both: nobody has it played again until they like how it goes.
    """
    if ending is not None and ending.removed:
        is_again = game.plies is not None
        return game._replace(result=CupResult.DRAW, plies=0) if is_again else game._replace(game_id=None, plies=0)
    return game._replace(result=_result_of(ending), plies=0 if ending is None else ending.ply)


def _number(game: CupGame, mark: Mark | None) -> int | None:
    """The number of the player who has a mark."""
    return None if mark is None else game.x if mark is Mark.X else game.o


def with_removed(state: CupState, person: int, now: int, *, by: int | None, is_banned: bool) -> CupState:
    """The cup without somebody who was removed from the group: until they are back or, if banned, for good.

    Whoever removes their own opponent gives up that game.
    """
    player, remover = state.player(person), None if by is None else state.player(by)
    if player is None:
        return state
    away = player._replace(away_at=player.away_at or now, is_out=player.is_out or is_banned)
    both = set() if remover is None else {player.number, remover.number}
    games = tuple(
        game._replace(result=CupResult.X if game.x == player.number else CupResult.O, plies=0)
        if {game.x, game.o} == both and game.result is None and game.round == current_round(state)
        else game
        for game in state.games
    )
    players = tuple(away if each is player else each for each in state.players)
    return state._replace(players=players, games=games)


def with_back(state: CupState, person: int) -> CupState:
    """The cup with somebody who is in the group again."""
    players = (each._replace(away_at=None) if each.person == person else each for each in state.players)
    return state._replace(players=tuple(players))


def startable(state: CupState, busy: Collection[int] = (), now: int = 0) -> Sequence[CupGame]:
    """The games that may begin now, in their order; nobody plays two at a time.

    None begins for somebody who is out of the group, nor, for a while, for people (`busy`) whose clock runs
    elsewhere.
    """
    running = state.running.values()
    kept = {number for game in running for number in (game.x, game.o)}
    kept |= {each.number for each in state.players if each.is_out or each.away_at is not None}
    if now < state.cup.created_at + OUT_SECONDS:
        kept |= {each.number for each in state.players if each.person in busy}
    free: list[CupGame] = []
    for game in state.games:
        is_next = game.result is None and game.game_id is None and game.round == current_round(state)
        if is_next and kept.isdisjoint((game.x, game.o)) and len(running) + len(free) < AT_ONCE:
            free.append(game)
            kept |= {game.x, game.o}
    return free


def awaited_by(state: CupState, number: int) -> Sequence[CupGame]:
    """The games that run and have to end before a player's next one: their next opponent's, or all."""
    ahead = [game for game in state.games if game.result is None]
    running = [game for game in ahead if game.game_id is not None]
    theirs = [game for game in ahead if game.game_id is None and number in (game.x, game.o)]
    before = [game for game in running if theirs and {game.x, game.o} & {theirs[0].x, theirs[0].o}]
    return before or running


def rankings(state: CupState) -> Sequence[CupStanding]:
    """The players, best first; whoever has left, or hasn't made a move by the end, comes last.

    They are told apart by points, by games with each other, and then by Sonneborn-Berger: the points of those they
    have beaten, and half those of the others. For that a bye is a game with somebody who has as many points
    (FIDE's C.07: direct encounter, and the dummy opponent).
    """
    points, tiebreak = Counter[int](), Counter[int]()
    gains = [gain for game in state.games if game.round <= state.cup.rounds for gain in _gains(game)]
    for number, _, gained in gains:
        points[number] += gained
    for number, other, gained in gains:
        tiebreak[number] += points[number if other is None else other] * gained
    keys: dict[int, tuple[bool, int, int, int]] = {}
    for player in state.players:
        number = player.number
        equal = {
            each.number for each in state.players if not each.is_out and points[each.number] == points[number]
        }
        direct = 0 if player.is_out else _direct(state, equal)[number]
        keys[number] = (player.is_out, -points[number], -direct, -tiebreak[number])
    order = sorted(state.players, key=lambda player: (keys[player.number], player.number))
    ranked = [keys[player.number] for player in order]
    return [
        CupStanding(player, -key[1], -key[2], ranked.index(key) + 1)
        for player, key in zip(order, ranked, strict=True)
    ]


def _direct(state: CupState, equal: Collection[int]) -> Counter[int]:
    """The points of people who are equal, in their games with each other, if all of them have met."""
    games = [game for game in state.games if game.x in equal and game.o in equal]
    met = {frozenset((game.x, game.o)) for game in games if is_played(game)}
    direct = Counter[int]()
    if 2 * len(met) == len(equal) * (len(equal) - 1):
        for number, _, gained in (gain for game in games for gain in _gains(game)):
            direct[number] += gained
    return direct


def _next_round(state: CupState, rng: Random) -> CupState | None:
    """The cup with its next games; None if it's over."""
    standings = [standing for standing in rankings(state) if not standing.player.is_out]
    last = max((game.round for game in state.games), default=0)
    rounds_left = state.cup.rounds - last - 1
    if len(standings) < 2 or rounds_left < 0:
        return None
    return _with_games(state, last + 1, paired(_contenders(state, standings), rng, rounds_left))


def _ended(state: CupState) -> CupState:
    """The cup with everybody's place; whoever never made a move is as one who has left.

    But for those to whom somebody has given up before they could: somebody who has missed no game of their own.
    """
    missed = {player.number: player.missed for player in state.players}
    won = [gain for game in state.games for gain in _gains(game) if gain[2] == WIN_POINTS]
    came = {number for number, other, _ in won if other is not None and not missed[other]}
    came |= {number for game in state.games for number in _came(game)}
    players = (each._replace(is_out=each.is_out or each.number not in came) for each in state.players)
    state = state._replace(cup=state.cup._replace(stage=CupStage.OVER), players=tuple(players))
    places = {standing.player.number: standing.place for standing in rankings(state)}
    return state._replace(players=tuple(each._replace(place=places[each.number]) for each in state.players))


def _came(game: CupGame) -> Iterable[int]:
    """Who has made a move in a game; everybody in one of which that isn't known."""
    plies = BOTH_MOVED if game.plies is None and game.game_id is not None else game.plies or 0
    return [number for number in (game.x, game.o)[:plies] if number is not None]


def _contenders(state: CupState, standings: Iterable[CupStanding]) -> Sequence[Contender]:
    """The players as pairing sees them: who has won a game without playing has had as much as a bye (C.04.1)."""
    contenders = {
        standing.player.number: Contender(standing.player.number, standing.points) for standing in standings
    }
    for game in state.games:
        met = BYE if game.o is None else game.o
        for number, other, side in ((game.x, met, 1), (met, game.x, -1)):
            if number not in contenders:
                continue
            after = contenders[number].after(Contender(other, 0), side)
            if not is_played(game):
                after = contenders[number].after(Contender(BYE, 0), side)
                after.met[other] += other != BYE
            contenders[number] = after
    return list(contenders.values())


def is_played(game: CupGame) -> bool:
    """Whether both have made a move in a game, as far as is known."""
    return game.o is not None and (game.plies is None or game.plies >= BOTH_MOVED)


def _with_games(state: CupState, number: int, pairs: Iterable[tuple[int, int | None]]) -> CupState:
    games = list(state.games)
    for x, o in pairs:
        had_bye = any(game.x == x and game.o is None for game in games)
        bye = CupResult.NOBODY if had_bye else CupResult.BYE
        games.append(CupGame(state.cup.id, len(games), number, x, o, result=bye if o is None else None))
    return state._replace(games=tuple(games))


def _unless_long_away(player: CupPlayer, now: int) -> CupPlayer:
    is_long = player.away_at is not None and now >= player.away_at + OUT_SECONDS
    return player._replace(is_out=True) if is_long else player


def _unless_left(game: CupGame, state: CupState, *, is_late: bool) -> CupGame:
    """A game that hasn't begun, lost by whoever has left; or one for which it is too late, then nobody's.

    Where somebody was removed from the group, it is as much as a bye: nobody gains by that, or loses.
    """
    if game.result is not None or (game.game_id is not None and not is_late):
        return game
    out = {player.number: player for player in state.players if player.is_out}
    gone = [out[number] for number in (game.x, game.o) if number in out]
    if not gone:
        return game._replace(result=CupResult.NOBODY, plies=0) if is_late else game
    if len(gone) > 1:
        result = CupResult.NOBODY
    elif gone[0].away_at is not None:
        result = CupResult.DRAW
    else:
        result = CupResult.O if gone[0].number == game.x else CupResult.X
    return game._replace(result=result, plies=0)


def _result_of(game: Game | None) -> CupResult:
    if game is not None and game.termination in DRAWN:
        return CupResult.DRAW
    if game is None:
        return CupResult.NOBODY
    # Whoever has left the group loses also a game that counts for nothing else.
    winner = game.winner or (game.left and game.left.other)
    return CupResult.NOBODY if winner is None else CupResult(winner.value.lower())


def _gains(game: CupGame) -> Iterable[tuple[int, int | None, int]]:
    """For each player of a game: their number, the other's, if they have played, and their points.

    What isn't played, because of a bye or since somebody was removed, is worth as much as a game is on average.
    """
    match game.result:
        case CupResult.X:
            yield game.x, game.o, WIN_POINTS
        case CupResult.O if game.o is not None:
            yield game.o, game.x, WIN_POINTS
        case CupResult.BYE | CupResult.DRAW:
            met = game.plies != 0
            yield game.x, game.o if met else None, WIN_POINTS // 2
            if game.o is not None:
                yield game.o, game.x if met else None, WIN_POINTS // 2
