"""What importing the engine loads: it starts fast and needs nothing but Python."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys
before = set(sys.modules)
sys.path.insert(0, sys.argv[1])
import engine
print(*sorted(set(sys.modules) - before))
"""


def loaded_with_the_engine() -> set[str]:
    """The modules that importing it loads in a fresh interpreter."""
    run = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM, str(ROOT)], capture_output=True, text=True, check=True
    )
    return set(run.stdout.split())


def test_the_engine_loads_the_standard_library_alone() -> None:
    loaded = {name.partition(".")[0] for name in loaded_with_the_engine()}
    assert "engine" in loaded
    assert loaded - {"engine"} <= sys.stdlib_module_names


def test_the_engine_leaves_slow_modules_unloaded() -> None:
    slow = {"dataclasses", "fractions", "inspect"}
    assert not slow & loaded_with_the_engine()


def test_the_engine_draws_from_the_randomness_it_is_given() -> None:
    """What it takes from `random` is the class of a source, never the one that all programs share."""
    taken = re.compile(r"^ *(?:import random|from random import (?!Random$))", re.MULTILINE)
    for path in (ROOT / "engine").rglob("*.py"):
        if "cli" not in path.parts:
            assert not taken.search(path.read_text(encoding="utf-8")), path


def test_records_wait_until_they_are_asked_for() -> None:
    assert "engine.cli.audit" not in loaded_with_the_engine()
