"""The engine's commands: `python -m engine COMMAND`."""

import argparse
import io
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Final

from engine.cli import audit, play, serve, show
from engine.rules.base import EngineError

SUBCOMMANDS: Final[Mapping[str, ModuleType]] = {"audit": audit, "play": play, "serve": serve, "show": show}
"""One module a command: its first line is the help, `configure` adds arguments to a parser, `run` runs it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    The exit status is 2 if it can't do what it is asked, which it says, and 130 if it was interrupted.
    """
    _take_any_text()
    parser = argparse.ArgumentParser(prog="python -m engine", description="Tic-tac-toe without Telegram.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, module in SUBCOMMANDS.items():
        summary = (module.__doc__ or "").partition("\n")[0]
        command = commands.add_parser(name, help=summary, description=summary)
        module.configure(command)
        command.set_defaults(run=module.run)
    chosen = parser.parse_args(arguments)
    return _run(chosen.run, chosen)


def _take_any_text() -> None:
    """Keep input that is closed or not UTF-8, and characters that the terminal lacks, from ending the process."""
    sys.stdin = sys.stdin or io.StringIO()
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def _run(command: Callable[[Namespace], int], arguments: Namespace) -> int:
    """Run a command; end quietly if it is interrupted or its output is no longer read."""
    try:
        status = command(arguments)
        sys.stdout.flush()
    except EngineError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except KeyboardInterrupt:
        return 130  # as a process that was told to stop: 128 and the number of SIGINT
    except BrokenPipeError:
        # Python flushes what is still buffered when the process ends, which must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
