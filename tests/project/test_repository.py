"""The files in the repository."""

from __future__ import annotations

import configparser
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.project.commands import ROOT

MACHINES = re.compile(r"(?<![\w.~$}])/(?:root|home|work|Users|mnt)/\w")
"""A folder of somebody's machine."""

REGISTRIES = re.compile(
    r"(?<!emit-)index-url|\b(?:pypi|pythonhosted|ghcr|quay|npmjs|docker|gcr)\.(?:org|io|com)\b"
)
"""Where packages come from is the business of who installs them."""


@pytest.fixture(scope="module")
def tracked() -> dict[str, str]:
    """Every tracked file that is text."""
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip("This is not a git checkout.")
    found = {}
    for name in listed.stdout.split("\0"):
        if (ROOT / name).is_file() and Path(name).suffix not in (".png", ".gif", ".mo", ".ttf", ".otf", ".zip"):
            found[name] = (ROOT / name).read_text(encoding="utf-8")
    return found


def test_no_file_names_a_folder_of_a_machine_or_a_registry(tracked: dict[str, str]) -> None:
    found = [
        f"{name}: {match[0]}"
        for name, text in tracked.items()
        for pattern in (MACHINES, REGISTRIES)
        for match in pattern.finditer(text)
        if name != f"tests/project/{Path(__file__).name}"
    ]
    assert found == []


def test_nothing_is_kept_that_a_command_makes(tracked: dict[str, str]) -> None:
    made = re.compile(r"(^|/)(\.venv|\.env|data|dist|build|__pycache__|[^/]*\.egg-info)(/|$)|\.(db|pyc|log|pot)$")
    assert [name for name in tracked if made.search(name)] == []


def test_every_file_ends_with_one_newline_and_has_no_trailing_spaces(tracked: dict[str, str]) -> None:
    code = {name: text for name, text in tracked.items() if not name.endswith((".md", ".po", ".svg")) and text}
    assert [name for name, text in code.items() if not text.endswith("\n") or text.endswith("\n\n")] == []
    assert [name for name, text in code.items() if re.search(r"[ \t]$", text, re.MULTILINE)] == []


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_pins_every_dependency_with_hashes(lock: str) -> None:
    entries = re.split(r"\n(?=[a-z])", (ROOT / lock).read_text().split("\n", 0)[0])
    assert len(entries) > 10
    assert [
        entry for entry in entries if not re.match(r"[a-z0-9-]+(\[\w+\])?==\S+.* \\\n +--hash=sha256:", entry)
    ] == []


def test_the_locks_hold_what_the_project_asks_for_at_the_same_versions() -> None:
    def pins(lock: str) -> dict[str, str]:
        return dict(re.findall(r"^([a-z0-9-]+)(?:\[\w+\])?==(\S+)", (ROOT / lock).read_text(), re.MULTILINE))

    runtime, development = pins("requirements.lock"), pins("requirements-dev.lock")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    asked = {re.split(r"[^a-z0-9-]", requirement)[0] for requirement in project["project"]["dependencies"]}
    assert asked <= set(runtime)
    assert runtime.items() <= development.items()


def test_the_service_of_systemd_has_no_capabilities_and_gets_none() -> None:
    unit = configparser.RawConfigParser(strict=False, delimiters=("=",))
    unit.optionxform = str  # type: ignore[assignment] # keys as they are
    unit.read(ROOT / "deploy" / "oxo.service")
    service = unit["Service"]
    assert service["CapabilityBoundingSet"] == ""
    assert "AmbientCapabilities" not in service
    assert service["NoNewPrivileges"] == "yes"
    assert service["User"] == "oxo"
