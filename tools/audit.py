"""Updates the tables of docs/engine-audit.md with the engine's audit; the prose stays."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

from engine.__main__ import main as engine

PAGE = Path("docs", "engine-audit.md")
"""From the root of the project."""


def brought_up_to_date(page: str, printed: str) -> str:
    """The page with the printed tables, each under its heading; a ValueError says which heading is missing."""
    for section in printed.split("### ")[1:]:
        title, _, table = section.partition("\n")
        place = re.compile(rf"(?<=^## {re.escape(title)}\n\n)(?:\|.*\n)+", re.MULTILINE)
        page, found = place.subn(lambda _, table=table: f"{table.strip()}\n", page)  # type: ignore[misc] # bound
        if found != 1:
            raise ValueError(f"The page has no table below {title!r}.")
    return page


def main() -> None:
    """Rewrite the page."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        engine(["audit"])
    page = brought_up_to_date(PAGE.read_text(encoding="utf-8"), printed.getvalue())
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
