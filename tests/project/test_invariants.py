"""tools/invariants.toml names promises, tests and lines that there are."""

import pytest

from tools.invariants import ROOT, Row, rows


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.promise)
def test_the_line_stands_in_its_file_once_and_the_test_exists(row: Row) -> None:
    assert (ROOT / row.file).read_text("utf-8").count(row.line) == 1
    file, name = row.test.partition("[")[0].split("::")
    assert f"def {name}(" in (ROOT / file).read_text("utf-8")
    assert row.line != row.off
