"""Tests that need what a machine lacks are skipped with a reason, unless nothing may be skipped."""

from __future__ import annotations

import re
import sys

import pytest

from tests.project.commands import ROOT, Checkout

NOBODY_THERE = "postgresql://postgres@127.0.0.1:1/postgres"
COMMAND = (
    sys.executable,
    "-m",
    "pytest",
    "-p",
    "no:cacheprovider",
    "tests/storage/people/test_chats.py",
    "-k",
    "unknown_chat",
)


@pytest.mark.parametrize(
    ("settings", "ending"),
    [
        ({}, r"1 passed, 1 skipped"),
        ({"OXO_NO_SKIPS": "1"}, r"1 passed, .*1 error|1 failed, 1 passed"),
    ],
)
def test_without_a_database_server_its_tests(settings: dict[str, str], ending: str) -> None:
    ended = Checkout(ROOT).run(*COMMAND, OXO_TEST_POSTGRES=NOBODY_THERE, **settings)
    assert "No PostgreSQL server at 127.0.0.1:5432" in ended.stdout
    assert re.search(ending, ended.stdout.splitlines()[-1])
