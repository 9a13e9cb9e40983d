"""Show how a strategy chooses in a position, step by step, or with `strongest` what every move leads to."""

import sys
from argparse import ArgumentParser, Namespace

from engine.levels import STRONGEST_NAME
from engine.reviews import analyse
from engine.rules.catalogue import parse_rules
from engine.strategies import STRATEGIES, explain


def configure(parser: ArgumentParser) -> None:
    """Add the arguments: who is to move, the moves before, the rules, and the time for an analysis."""
    parser.add_argument("player", choices=(*STRATEGIES, STRONGEST_NAME), metavar="PLAYER", help="%(choices)s")
    parser.add_argument("moves", nargs="?", default="", metavar="MOVES", help='such as "b2 a1"; none by default')
    parser.add_argument(
        "--rules", default="3x3x3", help="by which strongest plays, too, such as 5x5x4 or ultimate"
    )
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="how long it may search; %(default)s by default"
    )


def run(arguments: Namespace) -> int:
    """Print the position and what is to be said about it."""
    position = parse_rules(arguments.rules).replay(arguments.moves)
    if arguments.player == STRONGEST_NAME:
        told = "\n".join([f"{position}\n", *map(str, analyse(position, arguments.seconds))])
    else:
        told = explain(arguments.player, position)
    sys.stdout.write(f"{told}\n")
    return 0
