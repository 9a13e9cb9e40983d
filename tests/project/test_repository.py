"""The files in the repository."""

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
        if (ROOT / name).is_file() and Path(name).suffix not in (".png", ".gif", ".ttf", ".otf", ".zip"):
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


def test_the_locks_hold_what_the_project_asks_for_at_the_same_versions() -> None:
    def pins(lock: str) -> dict[str, str]:
        return dict(re.findall(r"^([a-z0-9-]+)(?:\[\w+\])?==(\S+)", (ROOT / lock).read_text(), re.MULTILINE))

    runtime, build, development = (pins(f"requirements{kind}.lock") for kind in ("", "-build", "-dev"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    asked = {re.split(r"[^a-z0-9-]", requirement)[0] for requirement in project["project"]["dependencies"]}
    assert asked <= set(runtime)
    assert not set(build) & set(runtime), "what builds the package doesn't run in it"
    assert (runtime | build).items() <= development.items()


def test_the_service_of_systemd_has_no_capabilities_and_gets_none() -> None:
    lines = (ROOT / "deploy" / "oxo.service").read_text().splitlines()
    assert {"CapabilityBoundingSet=", "NoNewPrivileges=yes", "User=oxo"} <= set(lines)
    assert not [line for line in lines if line.startswith("AmbientCapabilities")]
