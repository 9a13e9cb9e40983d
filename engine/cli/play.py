"""Play a game in the terminal: two people, a person and the computer, or two strategies.

Free cells show their numbers: type one to play it. An empty line, or the end of the input, ends the game.
"""

import sys
from argparse import ArgumentParser, Namespace
from random import Random
from typing import Final

from engine.levels import STRONGEST_NAME, Level, choose, plays
from engine.rules.base import EngineError, Mark, NoMoveToChoose, Position
from engine.rules.catalogue import parse_rules
from engine.strategies import STRATEGIES

PERSON: Final = "person"


def configure(parser: ArgumentParser) -> None:
    """Add the arguments: the rules, who plays, and the seed."""
    parser.epilog = (__doc__ or "").partition("\n\n")[2]
    seats = (PERSON, *map(str, Level), STRONGEST_NAME, *(name for name in STRATEGIES if name not in list(Level)))
    parser.add_argument("--rules", default="3x3x3", help="such as 3x3x3, 5x5x4, 3x3x3-misere or ultimate")
    for mark in Mark:
        parser.add_argument(
            f"--{mark.lower()}",
            default=PERSON,
            choices=seats,
            metavar="SEAT",
            help=f"who plays {mark}: %(choices)s",
        )
    parser.add_argument("--seed", type=int, help="makes the computer's choices repeatable")


def run(arguments: Namespace) -> int:
    """Play one game.

    The exit status is 1 if the game was left, 2 if there are no such rules or a player doesn't play them.
    """
    rng = Random(arguments.seed)  # noqa: S311 - it chooses moves, not secrets
    try:
        rules = parse_rules(arguments.rules)
        seats = {mark: getattr(arguments, mark.lower()) for mark in Mark}
        for name in seats.values():
            if name != PERSON and not plays(name, rules):
                raise NoMoveToChoose(f"{name} does not play {rules}.")
        position = rules.start()
        while position.outcome is None:
            sys.stdout.write(f"{drawn(position)}\n")
            name = seats[position.turn]
            cell = _ask(position) if name == PERSON else choose(name, position, rng)
            if cell is None:
                return 1
            sys.stdout.write(f"{position.turn} plays {cell}.\n\n")
            position = position.play(cell)
    except EngineError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    winner = position.outcome.winner
    sys.stdout.write(f"{drawn(position)}\n{f'{winner} wins.' if winner else 'A draw.'}\n")
    return 0


def drawn(position: Position) -> str:
    """The board row by row, with numbers on the cells that may be played."""
    rules = position.rules
    legal = set(position.legal_moves)
    width = len(str(rules.cells - 1))
    cells = [
        str(position.mark_at(cell) or (cell if cell in legal else ".")).rjust(width) for cell in rules.layout.drawn
    ]
    columns = rules.layout.columns
    rows = [cells[start : start + columns] for start in range(0, rules.cells, columns)]
    return "".join(f"{' '.join(row)}\n" for row in rows)


def _ask(position: Position) -> int | None:
    """The cell that a person types; None if they leave."""
    numbers = {str(cell): cell for cell in position.legal_moves}
    while True:
        sys.stdout.write(f"{position.turn}: ")
        sys.stdout.flush()
        typed = sys.stdin.readline().strip()
        if not typed:
            sys.stdout.write("\n")
            return None
        if typed in numbers:
            return numbers[typed]
        sys.stdout.write("You can't play that: type one of the numbers on the board.\n")
