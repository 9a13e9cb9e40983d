"""Shows that tests hold what tools/invariants.toml promises: with each named line switched off, its test fails.

    make invariants

In a copy of the project each promise's line is replaced, its test runs, and it must fail.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
PROMISES: Final = ROOT / "tools" / "invariants.toml"
LEFT_OUT: Final = shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__", "htmlcov", "*.db*")


class Row(NamedTuple):
    """A promise, the test that holds it, and a change of a file with which that test fails."""

    page: str
    """What promises it."""
    promise: str
    test: str
    file: str
    line: str
    off: str


def rows() -> list[Row]:
    """All promises, by page."""
    pages = tomllib.loads(PROMISES.read_text("utf-8"))
    return [Row(page, **promised) for page, promises in pages.items() for promised in promises]


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
    parser.add_argument("--list", action="store_true", help="list them and their tests, and run nothing")
    asked = parser.parse_args()
    wanted = [row for row in rows() if " ".join(asked.words) in row.promise]
    if not wanted:
        parser.error("No promise contains these words.")
    if asked.list:
        say("\n".join(f"{row.page}: {row.promise} ({row.test})" for row in wanted))
        return 0
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
