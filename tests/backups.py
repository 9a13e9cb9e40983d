"""Backups as docs/hosting.md tells a host to make them, and to put them in place of a database nobody uses."""

import shutil
import subprocess
from pathlib import Path

from sqlalchemy import URL

from storage.maintenance import back_up


def copied(url: URL, backup: Path) -> None:
    """Make a backup of a database."""
    if url.get_backend_name() == "sqlite":
        back_up(url, backup)
    else:
        subprocess.run(["pg_dump", "--format=custom", f"--file={backup}", _address(url)], check=True)


def restored(url: URL, backup: Path) -> None:
    """Replace a database with a backup."""
    if url.get_backend_name() == "sqlite":
        for suffix in ("-wal", "-shm"):
            Path(f"{url.database}{suffix}").unlink(missing_ok=True)
        shutil.copyfile(backup, str(url.database))
    else:
        server = f"--dbname={_address(url.set(database='postgres'))}"
        subprocess.run(["pg_restore", "--clean", "--if-exists", "--create", server, str(backup)], check=True)


def _address(url: URL) -> str:
    return url.set(drivername="postgresql").render_as_string(hide_password=False)
