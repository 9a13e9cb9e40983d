"""Play a game in the terminal: two people, a person and the computer, or two strategies.

Type a cell to play it, such as b2. An empty line, or the end of the input, ends the game.
"""

import sys
from argparse import ArgumentParser, Namespace
from random import Random
from typing import Final

from engine.levels import STRONGEST_NAME, Level, choose, player
from engine.rules.base import EngineError, Mark, Position
from engine.rules.catalogue import parse_rules
from engine.strategies import STRATEGIES

PERSON: Final = "person"


def configure(parser: ArgumentParser) -> None:
    """Add the arguments: the rules, who plays, and the seed."""
    parser.epilog = (__doc__ or "").partition("\n\n")[2]
    seats = (PERSON, *map(str, Level), STRONGEST_NAME, *(name for name in STRATEGIES if name not in list(Level)))
    parser.add_argument("--rules", default="3x3x3", help="such as 3x3x3, 5x5x4, 3x3x3-misere or ultimate")
    for mark in Mark:
        told = f"who plays {mark}: %(choices)s"
        parser.add_argument(f"--{mark.lower()}", default=PERSON, choices=seats, metavar="SEAT", help=told)
    parser.add_argument("--seed", type=int, help="makes the computer's choices repeatable")


def run(arguments: Namespace) -> int:
    """Play one game; the exit status is 1 if it was left."""
    rng = Random(arguments.seed)  # noqa: S311 - it chooses moves, not secrets
    rules = parse_rules(arguments.rules)
    seats = {mark: getattr(arguments, mark.lower()) for mark in Mark}
    for name in set(seats.values()) - {PERSON}:
        player(name, rules)  # or it says that this one doesn't play them
    position = rules.start()
    while position.outcome is None:
        sys.stdout.write(f"{position}\n")
        name = seats[position.turn]
        cell = _ask(position) if name == PERSON else choose(name, position, rng)
        if cell is None:
            return 1
        sys.stdout.write(f"{position.turn} plays {rules.name_of(cell)}.\n\n")
        position = position.play(cell)
    winner = position.outcome.winner
    sys.stdout.write(f"{position}\n{f'{winner} wins.' if winner else 'A draw.'}\n")
    return 0


def _ask(position: Position) -> int | None:
    """The cell that a person types; None if they leave."""
    while True:
        sys.stdout.write(f"{position.turn}: ")
        sys.stdout.flush()
        typed = sys.stdin.readline().strip()
        if not typed:
            sys.stdout.write("\n")
            return None
        try:
            cell = position.cell_of(typed)
            position.play(cell)
        except EngineError as error:
            sys.stdout.write(f"{error}\n")
        else:
            return cell
