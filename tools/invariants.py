"""Shows that tests hold what docs/invariants.md promises: with each named line switched off, its test fails.

    make invariants

In a copy of the project each row's line is replaced, its test runs, and it must fail.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "invariants.md"
ROW: Final = re.compile(
    r"\| (?P<promise>.+) \| `(?P<test>.+)` \| `(?P<file>\S+)` \| `(?P<line>.+)` \| `(?P<off>.+)` \|"
)
LEFT_OUT: Final = shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__", "htmlcov", "*.db*")


class Row(NamedTuple):
    """A promise, the test that holds it, and a change of a file with which that test fails."""

    promise: str
    test: str
    file: str
    line: str
    off: str


def rows() -> list[Row]:
    """The rows of the table."""
    return [Row(**found.groupdict()) for found in ROW.finditer(PAGE.read_text("utf-8"))]


def passes(folder: Path, *tests: str, is_expected: bool = False) -> bool | None:
    """Whether tests pass in a copy of the project; None if they can't be run. It says what is a surprise."""
    command = (sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests)
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "OXO_NO_SKIPS": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    if done.returncode > 1 or (is_expected and done.returncode):
        say(done.stdout[-3000:])
    return {0: True, 1: False}.get(done.returncode)


def say(line: str) -> None:
    """Report something."""
    print(line, flush=True)  # noqa: T201 - it reports


def main() -> int:
    """Check all rows, or those that are asked for; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.invariants", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("words", nargs="*", help="only promises that contain these words")
    wanted = [row for row in rows() if " ".join(parser.parse_args().words) in row.promise]
    held = 0
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "oxo"
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
        if not passes(copy, *sorted({row.test for row in wanted}), is_expected=True):
            say("Some of these tests fail already, with nothing switched off.")
            return 1
        for row in wanted:
            file = copy / row.file
            text = file.read_text("utf-8")
            file.write_text(text.replace(row.line, row.off), "utf-8")
            is_held = passes(copy, row.test) is False
            file.write_text(text, "utf-8")
            held += is_held
            say(f"{'held' if is_held else 'NOT HELD'}: {row.promise}")
    say(f"{held} of {len(wanted)} promises are held.")
    return held != len(wanted)


if __name__ == "__main__":
    sys.exit(main())
