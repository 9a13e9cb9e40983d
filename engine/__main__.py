"""The engine's commands: `python -m engine COMMAND`."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from engine import audit, gomocup, play, serve

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

COMMANDS: Final[Mapping[str, ModuleType]] = {
    "audit": audit,
    "gomocup": gomocup,
    "play": play,
    "serve": serve,
}
"""One module a command: its first line is the help, `configure` adds arguments to a parser, `run` runs it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: The command line without the program; by default that of the process.

    Returns:
        The exit status: 0 if all went well.
    """
    parser = argparse.ArgumentParser(prog="python -m engine", description="Noughts and crosses without Telegram.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, module in COMMANDS.items():
        summary = (module.__doc__ or "").partition("\n")[0]
        command = commands.add_parser(name, help=summary, description=summary)
        module.configure(command)
        command.set_defaults(run=module.run)
    chosen = parser.parse_args(arguments)
    status: int = chosen.run(chosen)
    return status


if __name__ == "__main__":
    sys.exit(main())
