"""The image and its compose files, as far as they can be tested without a container engine."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.project.commands import ROOT, Checkout, readme_command

DOCKERFILE = (ROOT / "Dockerfile").read_text()
INSTRUCTIONS = re.findall(r"^([A-Z]+) +((?:.*\\\n)*.*)", DOCKERFILE, re.MULTILINE)


@pytest.fixture(scope="module")
def compose() -> list[str]:
    """The command that reads docker-compose.yml: Docker's plugin or its predecessor."""
    for words in (["docker", "compose"], ["docker-compose"]):
        if (
            shutil.which(words[0])
            and subprocess.run([*words, "version"], capture_output=True, check=False).returncode == 0
        ):
            return words
    pytest.skip("No docker compose is on the PATH. On Debian: apt install docker-compose")


def test_the_composition_is_sound(checkout: Checkout, compose: list[str]) -> None:
    assert readme_command("docker compose up -d")[:2] == ["docker", "compose"]
    (checkout.folder / ".env").write_text("BOT_TOKEN=123456:ABC-DEF\n")
    ended = checkout.run(*compose, "config")
    assert ended.returncode == 0, ended.stderr
    assert "BOT_TOKEN: 123456:ABC-DEF" in ended.stdout
    assert "data:/data" in ended.stdout or "target: /data" in ended.stdout
    assert "stop_grace_period: 15s" in ended.stdout
    assert "stop_signal: SIGTERM" in ended.stdout


def test_the_composition_of_several_is_sound_and_needs_a_webhook(checkout: Checkout, compose: list[str]) -> None:
    _, _, *rest, _, _ = readme_command("docker compose -f docker-compose.scale.yml up -d")
    (checkout.folder / ".env").write_text("BOT_TOKEN=123456:ABC-DEF\n")
    refused = checkout.run(*compose, *rest, "config")
    assert refused.returncode != 0
    assert "several bots need it in .env" in refused.stderr
    with (checkout.folder / ".env").open("a") as settings:
        settings.write("WEBHOOK_URL=https://oxo.example.org/hook\nWEBHOOK_SECRET=abc\n")
    ended = checkout.run(*compose, *rest, "config")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.count("DATABASE_URL: postgresql://oxo@postgres/oxo") == 2
    assert ended.stdout.count("stop_grace_period: 15s") == 2
    assert "replicas: 2" in ended.stdout
    assert "/deploy/nginx/oxo-docker.conf" in ended.stdout


def test_the_image_has_several_stages_and_the_last_is_not_root() -> None:
    assert [name for name, _ in INSTRUCTIONS].count("FROM") >= 2
    last_stage = DOCKERFILE[DOCKERFILE.rindex("\nFROM ") :]
    assert re.search(r"^USER oxo$", last_stage, re.MULTILINE)
    assert "STOPSIGNAL SIGTERM" in last_stage
    assert "pip" not in last_stage


def test_what_the_image_is_built_from_reaches_the_builder() -> None:
    kept = re.findall(r"^!([\w.]+)/?$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert set(kept) == {
        "bot",
        "engine",
        "storage",
        "LICENSE",
        "README.md",
        "pyproject.toml",
        "requirements.lock",
    }
    assert all((ROOT / name).exists() for name in kept)


def test_the_health_check_tells_a_well_bot_from_none(tmp_path: Path, port: int) -> None:
    (arguments,) = (text for name, text in INSTRUCTIONS if name == "HEALTHCHECK")
    python, *rest = json.loads(arguments[arguments.index("[") :])
    folder = tmp_path / "served"
    folder.mkdir()
    (folder / "healthz").write_text("ok")
    check = [shutil.which(python) or python, *rest]
    settings = {**os.environ, "HTTP_PORT": str(port), "http_proxy": "http://127.0.0.1:1"}
    assert subprocess.run(check, env=settings, capture_output=True, check=False).returncode == 1
    server = subprocess.Popen(
        ["python3", "-u", "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with server:
        try:
            assert server.stdout is not None
            server.stdout.readline()
            assert subprocess.run(check, env=settings, check=False).returncode == 0
            (folder / "healthz").unlink()
            assert subprocess.run(check, env=settings, capture_output=True, check=False).returncode == 1
        finally:
            server.terminate()
