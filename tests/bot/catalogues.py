"""The catalogues of all languages as Babel reads them, each once in a process: that takes a while."""

from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po


@cache
def stored(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)
