"""How often a cup keeps what docs/results.md promises of its rounds: many cups in which chance decides the games.

Half of the games are drawn, and of a cup a tenth of the people leaves on the way, or nobody. It prints the figures
of docs/results.md:

    python -m benchmarks.cups --cups 300
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from bot.game.cups import (
    ALL_PLAY_ALL,
    FEWEST_IN,
    MOST_IN,
    WIN_POINTS,
    CupStanding,
    gone_on,
    is_played,
    rankings,
    startable,
    started,
    with_ended,
)
from engine import Mark
from storage.games.game import Game, GameKind, Limits, Side, Termination
from storage.people.person import Cup, CupGame, CupPlayer, CupStage, CupState

NOBODY: Final = "nobody leaves"
LEAVING: Final = 0.1
COLUMNS: Final = {
    NOBODY: (0, range(FEWEST_IN, MOST_IN + 1)),
    "3 to 6 people, a tenth of whom leaves": (LEAVING, range(FEWEST_IN, ALL_PLAY_ALL + 1)),
    **{f"{count}, {count + 1}": (LEAVING, (count, count + 1)) for count in range(ALL_PLAY_ALL + 1, MOST_IN, 2)},
}
"""How many people leave, and of how many: the columns of the table."""
PROMISES: Final = (
    "nobody meets somebody again",
    "nobody has two byes",
    "the bye goes to the fewest points that had none",
    "X and O of each differ by one at most",
    "the order in which people joined changes nothing",
)
ENDS: Final = (None, None, Mark.X, Mark.O)
"""Who wins a game: in half of them nobody."""
NOW: Final = 1_700_000_000


class Held(NamedTuple):
    """Whether each promise held in a cup."""

    nobody_is_met_again: bool = True
    one_bye_each: bool = True
    the_bye_is_for_the_fewest_points: bool = True
    x_and_o_are_even: bool = True
    nobody_gains_by_joining_first: bool = True


class Cuplike(NamedTuple):
    """A cup that was played, and what there is to say of it."""

    state: CupState
    held: Held
    apart: Sequence[int]
    """By how many half points the two players of each game differed before it."""


def played(count: int, rng: Random, *, leaving: float = 0) -> Iterator[CupState]:
    """The states of a cup of so many people, with random results: when it has started, and after each game."""
    players = tuple(CupPlayer(1, number, 100 + number) for number in range(count))
    state = started(CupState(Cup(1, -5, None, None, "3x3x3", 120), players), rng, NOW)
    leavers = {player.number for player in players if rng.random() < leaving}
    while state.cup.stage is CupStage.RUNNING:
        ready = {game.number for game in startable(state)}
        games = (game._replace(game_id=1 + game.number) if game.number in ready else game for game in state.games)
        state = state._replace(games=tuple(games))
        yield state
        running = [game for game in state.games if game.result is None and game.game_id is not None]
        over = rng.choice(running)
        if leavers and rng.random() < 1 / len(running):
            gone = leavers.pop()
            state = state._replace(
                players=tuple(each._replace(is_out=each.is_out or each.number == gone) for each in state.players)
            )
        state = gone_on(with_ended(state, {1 + over.number: ended(rng.choice(ENDS))}), rng, NOW)
    yield state


def ended(winner: Mark | None) -> Game:
    """A game of a cup in which all cells were filled, or somebody won."""
    how = Termination.LINE if winner else Termination.FULL_BOARD
    game = Game(1, -5, "3x3x3", GameKind.PAIR, Side(101), Side(102), time_limits=Limits.CUP, moves="012345")
    return game._replace(winner=winner, termination=how)


def judged(count: int, rng: Random, *, leaving: float = 0) -> Cuplike:
    """A cup of so many people, and whether it kept what is promised."""
    held, apart = Held(), list[int]()
    seen = 0
    state = CupState(Cup(1, -5, None, None, "3x3x3", 120))
    for state in played(count, rng, leaving=leaving):
        last = max(game.round for game in state.games)
        if last > seen:
            before = state._replace(games=tuple(game for game in state.games if game.round <= seen))
            new = [game for game in state.games if seen < game.round]
            held = _judged_round(held, before, new)
            apart += _apart(before, new)
            seen = last
    return Cuplike(state, held._replace(nobody_gains_by_joining_first=_is_fair(state, rng)), apart)


def _judged_round(held: Held, before: CupState, new: Sequence[CupGame]) -> Held:
    met = Counter(frozenset((game.x, game.o)) for game in (*before.games, *new) if game.o is not None)
    byes = Counter(game.x for game in (*before.games, *new) if game.o is None)
    balance = Counter[int]()
    for game in (*before.games, *new):
        balance.update({game.x: 1, game.o or 0: -1} if is_played(game) else {})
    points = {line.player.number: line.points for line in rankings(before) if not line.player.is_out}
    had = {game.x for game in before.games if game.o is None}
    fewest = min((points[number] for number in points if number not in had), default=0)
    low = all(points[game.x] == fewest for game in new if game.o is None and game.x in points)
    return Held(
        held.nobody_is_met_again and max(met.values(), default=0) <= 1,
        held.one_bye_each and max(byes.values(), default=0) <= 1,
        held.the_bye_is_for_the_fewest_points and low,
        held.x_and_o_are_even and max(map(abs, balance.values()), default=0) <= 1,
    )


def _apart(before: CupState, new: Sequence[CupGame]) -> Sequence[int]:
    points = {line.player.number: line.points for line in rankings(before)}
    first = {game.round for game in new}
    return [abs(points[game.x] - points[game.o]) for game in new if game.o is not None and len(first) == 1]


def _is_fair(state: CupState, rng: Random) -> bool:
    """Whether the same results bring the same places to people who have joined in another order."""
    numbers = [player.number for player in state.players]
    other = dict(zip(numbers, rng.sample(numbers, len(numbers)), strict=True))
    games = (game._replace(x=other[game.x], o=None if game.o is None else other[game.o]) for game in state.games)
    players = sorted(player._replace(number=other[player.number]) for player in state.players)
    again = state._replace(players=tuple(players), games=tuple(games))
    places = {line.player.number: line.place for line in rankings(again)}
    return all(places[other[line.player.number]] == line.place for line in rankings(state))


def leaders(state: CupState) -> Sequence[CupStanding]:
    """Who is first in a cup."""
    return [line for line in rankings(state) if line.place == 1]


def main() -> None:
    """Print the table, and what is said below it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cups", type=int, default=300, help="how many of each size")
    cups = parser.parse_args().cups
    print("| | " + " | ".join(COLUMNS) + " |")
    print("|---" * (1 + len(COLUMNS)) + "|")
    found = {
        name: {count: [judged(count, Random(seed), leaving=leaving) for seed in range(cups)] for count in counts}
        for name, (leaving, counts) in COLUMNS.items()
    }
    for promise, words in zip(Held._fields, PROMISES, strict=True):
        columns = [
            [getattr(cup.held, promise) for each in sizes.values() for cup in each] for sizes in found.values()
        ]
        print(f"| {words} | " + " | ".join(map(_percent, columns)) + " |")
    apart = [
        sum(each for cup in of_size for each in cup.apart) / WIN_POINTS / sum(len(cup.apart) for cup in of_size)
        for count, of_size in found[NOBODY].items()
        if count > ALL_PLAY_ALL
    ]
    alone = [_alone(of_size) for sizes in found.values() for of_size in sizes.values()]
    print(f"People who meet are {min(apart):.2f} to {max(apart):.2f} points apart.")
    print(f"A cup has one winner {min(alone):.0f} to {max(alone):.0f} times in a hundred.")


def _percent(kept: Sequence[bool]) -> str:
    return "always" if all(kept) else f"{100 * sum(kept) / len(kept):.1f}"


def _alone(found: Sequence[Cuplike]) -> float:
    return 100 * sum(len(leaders(each.state)) == 1 for each in found) / len(found)


if __name__ == "__main__":
    main()
