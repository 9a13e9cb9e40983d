"""The list of forgotten people, so that restoring an older backup doesn't bring them back.

A restored backup contains people who were forgotten since, and no row that says so. So the list is also in a file
next to the database, which a restore leaves as it is: whoever is in the file but not in the database's list is
forgotten again (`undone`). The list has digests of ids, with a salt of this database's own. Somebody who has it
can find out by trying all ids who is in it, so it must be protected like the database.
"""

import os
import re
import secrets
from collections.abc import Collection, Iterable, Sequence
from errno import EINVAL, ENOSPC
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final, NamedTuple

from sqlalchemy import Connection, select

from storage.columns import DataKind
from storage.privacy.personal import HELD
from storage.schema import FORGOTTEN, METADATA, PEOPLE, PROGRESS
from storage.upsert import insert_missing, upsert

SALT: Final = "salt"
"""The row of `progress` that has the salt of the digests, a number of 62 bits."""

KNOWN_SALT: Final = select(PROGRESS.c.value).where(PROGRESS.c.name == SALT)

ENTRY_LINE: Final = re.compile(r"([0-9]{1,12}) ([0-3][0-9a-f]{15}) ([0-9a-f]{32})")  # a salt has 62 bits


class ForgottenEntry(NamedTuple):
    """An entry of the list: when somebody was forgotten, and who."""

    at: int
    """Seconds since 1970."""
    salt: int
    digest: str

    def __str__(self) -> str:
        return f"{self.at} {self.salt:016x} {self.digest}"


class Journal:
    """The list in a file, to which several processes may add at the same time."""

    def __init__(self, path: Path) -> None:
        """Keep the list at this path; the file is made with the first entry."""
        self.path = path

    def read(self) -> Sequence[ForgottenEntry]:
        """All entries; malformed lines are skipped."""
        try:
            lines = self.path.read_text(encoding="ascii", errors="replace").splitlines()
        except FileNotFoundError:
            return ()
        found = (ENTRY_LINE.fullmatch(line) for line in lines)
        return [ForgottenEntry(int(line[1]), int(line[2], 16), line[3]) for line in found if line]

    def check(self) -> None:
        """Raise OSError if entries can't be read or added; no file is left behind."""
        if self.path.exists() and not self.path.is_file():
            raise OSError(EINVAL, "Not a regular file")  # a device may be read without an end
        try:
            self.path.open("r+b").close()
        except FileNotFoundError:
            TemporaryFile(dir=next(folder for folder in self.path.parents if folder.exists())).close()

    def add(self, entries: Iterable[ForgottenEntry]) -> None:
        """Add entries; they are on the disk when this returns."""
        text = "".join(f"{entry}\n" for entry in entries)
        if not text:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with open(file, "ab", buffering=0) as appended:  # noqa: PTH123 - a descriptor, for the mode of a new file
            # On a new line, in case a full disk has cut the last one short.
            written = appended.write(f"\n{text}".encode())
            os.fsync(file)
        if written != len(text) + 1:
            raise OSError(ENOSPC, os.strerror(ENOSPC))


def salt_of(connection: Connection, prefer: int | None = None) -> int:
    """The salt of this database; if it has none, `prefer` or a new one becomes it."""
    salt = connection.execute(KNOWN_SALT).scalar()
    if salt is None:
        made = prefer if prefer is not None else secrets.randbits(62)
        insert_missing(connection, PROGRESS, [{"name": SALT, "value": made}])
        salt = connection.execute(KNOWN_SALT).scalar_one()
    return int(salt)


def digest_of(person: int, salt: int) -> str:
    """The digest of a person's id."""
    return blake2b(str(person).encode(), key=salt.to_bytes(8), digest_size=16).hexdigest()


def digest_of_two(salt: int, *parts: object) -> int:
    """A digest of two people together: nothing connects what one of them has with several others."""
    content = ":".join(map(str, parts)).encode()
    return int.from_bytes(blake2b(content, key=salt.to_bytes(8), digest_size=7).digest())


def entry_of(connection: Connection, person: int, at: int) -> ForgottenEntry:
    """The entry of a person who was forgotten at this time."""
    salt = salt_of(connection)
    return ForgottenEntry(at, salt, digest_of(person, salt))


def note(connection: Connection, entry: ForgottenEntry) -> None:
    """Add an entry to the database's own list."""
    upsert(connection, FORGOTTEN, [{"digest": entry.digest, "at": entry.at}], larger="at")


def forgotten_at(connection: Connection, person: int) -> int | None:
    """When a person was last forgotten; None if they never were."""
    if (salt := connection.execute(KNOWN_SALT).scalar()) is None:
        return None
    digest = digest_of(person, salt)
    return connection.execute(select(FORGOTTEN.c.at).where(FORGOTTEN.c.digest == digest)).scalar()


def is_forgotten(connection: Connection, person: int, since: int = 0) -> bool:
    """Whether a person was forgotten since a time, or ever; they may have begun something after that.

    With the data of somebody who returns on the same day goes what would be counted of that day.
    """
    at = forgotten_at(connection, person)
    return at is not None and at >= since


def is_gone(connection: Connection, person: int) -> bool:
    """Whether a person was forgotten and has begun nothing since."""
    known = connection.execute(select(PEOPLE.c.id).where(PEOPLE.c.id == person)).first()
    return known is None and is_forgotten(connection, person)


def entries(connection: Connection) -> Sequence[ForgottenEntry]:
    """The database's own list."""
    if (salt := connection.execute(KNOWN_SALT).scalar()) is None:
        return []
    return [ForgottenEntry(row.at, salt, row.digest) for row in connection.execute(select(FORGOTTEN))]


def undone(connection: Connection, listed: Sequence[ForgottenEntry]) -> dict[int, int]:
    """People of the file's list whom a restore has brought back, with when they were forgotten.

    Only entries with this database's salt count: others are of another database's list. Those of people who aren't
    found are added to the database's own list, so that nobody who comes later is forgotten for them. After an
    ordinary start that list has all entries, and nobody is searched for.
    """
    # The first release took its salt only with the first entry, so a backup of it may lack the one of its list.
    is_old = connection.execute(select(PEOPLE.c.id).limit(1)).first() is not None
    salt = salt_of(connection, listed[-1].salt if listed and is_old else None)
    own = {entry.digest: entry.at for entry in entries(connection)}
    of_this = (entry for entry in sorted(listed) if entry.salt == salt)
    missing = {entry.digest: entry.at for entry in of_this if own.get(entry.digest, -1) < entry.at}
    digests = {digest_of(person, salt): person for person in people(connection)} if missing else {}
    seen = [{"digest": digest, "at": at} for digest, at in missing.items() if digest not in digests]
    upsert(connection, FORGOTTEN, seen, larger="at")
    return {digests[digest]: at for digest, at in missing.items() if digest in digests}


def people(connection: Connection) -> Collection[int]:
    """Everybody whose id is anywhere in the database."""
    ids: set[int] = set()
    for name, columns in HELD.items():
        for each, kind in columns.items():
            if kind in (DataKind.PERSON, DataKind.CHAT):
                column = METADATA.tables[name].c[each]
                ids.update(connection.execute(select(column).where(column > 0).distinct()).scalars())
    return ids
