"""`python -m tools.release`: builds the package, checks it, and plays a game with it where nothing else of OXO is.

The wheel is built from the source archive, which so holds all that it takes. It goes with the locked dependencies
into a new environment; there the bot starts in an empty folder, against the playground, which stays here.
"""

import asyncio
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

from packaging.metadata import Metadata

from tools.playing import ROOT, finished, playing

DIST = ROOT / "dist"
START = 60.0
"""Seconds that the bot may take to start."""


def main() -> None:
    """Build, check and try a release; what goes wrong ends it with an error."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    source, wheel = built(version)
    with tempfile.TemporaryDirectory() as folder:
        environment, empty = Path(folder) / "environment", Path(folder) / "empty"
        empty.mkdir()
        python = installed(environment, wheel)
        said = run([python, "-m", "bot", "--version"], empty)
        if said != f"OXO {version}":
            sys.exit(f"The package says it is {said!r}, not version {version}.")
        lines = [asyncio.run(played(python, empty)), run([python, "-m", "storage", "check"], empty)]
        size = sum(file.stat().st_size for file in environment.rglob("*") if file.is_file())
    lines += [f"{file.name}: {file.stat().st_size / 1e6:.2f} MB" for file in (source, wheel)]
    lines.append(f"Installed with all dependencies: {size / 1e6:.0f} MB")
    print("\n".join(lines))  # noqa: T201 - it reports


def built(version: str) -> tuple[Path, Path]:
    """The checked source archive and wheel."""
    for old in DIST.glob("oxo_bot-*"):
        old.unlink()
    here = [sys.executable, "-m"]
    run([*here, "hatchling", "build", "--target", "sdist", "--directory", str(DIST)], ROOT)
    source = DIST / f"oxo_bot-{version}.tar.gz"
    pip = [*here, "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(DIST)]
    run([*pip, str(source)], ROOT)
    (wheel,) = DIST.glob("*.whl")
    run([*here, "check_wheel_contents", str(wheel)], ROOT)
    with zipfile.ZipFile(wheel) as archive:
        Metadata.from_email(archive.read(f"oxo_bot-{version}.dist-info/METADATA"), validate=True)
    return source, wheel


def installed(environment: Path, wheel: Path) -> str:
    """The interpreter of a new environment with the wheel and the locked dependencies."""
    run([sys.executable, "-m", "venv", str(environment)], ROOT)
    python = str(environment / "bin" / "python")
    pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    run([*pip, "--require-hashes", "--requirement", str(ROOT / "requirements.lock")], ROOT)
    run([*pip, "--no-deps", str(wheel)], ROOT)
    return python


async def played(python: str, folder: Path) -> str:
    """Start the bot, play a game to its end and stop the bot; returns what the last board says."""
    async with playing(python, folder) as playground:
        ann = playground.people["ann"]
        board = await ann.ask("/newgame beginner", within=START)
        await finished(board, ann)
    return board.text


def run(words: Sequence[str], folder: Path) -> str:
    """What a command says; one that fails ends everything."""
    ended = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    if ended.returncode:
        sys.exit(f"{' '.join(words)} failed:\n{ended.stdout}{ended.stderr}")
    return ended.stdout.strip()


if __name__ == "__main__":
    main()
