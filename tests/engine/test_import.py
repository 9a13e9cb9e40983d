"""What importing the engine loads: it starts fast and needs nothing but Python."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = "import sys; before = set(sys.modules); import engine; print(*sorted(set(sys.modules) - before))"


def test_the_engine_loads_the_standard_library_alone_and_leaves_slow_modules_and_records_unloaded() -> None:
    run = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "engine" in loaded
    assert {name.partition(".")[0] for name in loaded} <= {"engine", *sys.stdlib_module_names}
    assert not loaded & {"dataclasses", "fractions", "inspect", "engine.cli.audit"}


def test_the_engine_draws_from_the_randomness_it_is_given() -> None:
    """What it takes from `random` is the class of a source, never the one that all programs share."""
    taken = re.compile(r"^ *(?:import random|from random import (?!Random$))", re.MULTILINE)
    for path in (ROOT / "engine").rglob("*.py"):
        if "cli" not in path.parts:
            assert not taken.search(path.read_text(encoding="utf-8")), path
