"""Settings from the environment or `.env`; those of every program here begin with where the database is.

A setting is a field of a dataclass with the function that reads it. This is all that is asked of a library for
settings, at a hundredth of the start that Pydantic's costs (docs/start.md).
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeVar

from storage.database import parse_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

T = TypeVar("T")

FILE: Final = Path(".env")


class SettingsError(Exception):
    """A setting is missing, misspelt or malformed; the message is for the host and holds no value."""


def setting(read: Callable[[str], T], default: T, *, secret: bool = False) -> T:
    """A field that is read from the variable of its name in capitals.

    Args:
        read: Makes the value of the text; raises ValueError, whose message has no value in it.
        default: The value where nothing is set.
        secret: Leave it out of what the settings show of themselves.
    """
    return field(default=default, repr=not secret, metadata={"read": read})


def _database(text: str) -> str:
    parse_url(text)
    return text


def _path(text: str) -> Path:
    return Path(text)


@dataclass(frozen=True, kw_only=True)
class DatabaseSettings:
    """Where games are kept; the environment counts more than `.env` in the current folder."""

    FILE_IS_OURS: ClassVar = False
    """Whether an unknown name in `.env` is refused."""

    database_url: str = setting(_database, "sqlite:///data/oxo.db", secret=True)
    forgotten_file: Path | None = setting(_path, None)  # noqa: RUF009 - a field, as the others are
    given: frozenset[str] = field(default=frozenset(), repr=False)
    """The names of the settings that the host has set."""

    def forgotten_path(self) -> Path:
        """Where it is listed who was forgotten: beside a SQLite file, else in `data`."""
        if self.forgotten_file is not None:
            return self.forgotten_file
        url = parse_url(self.database_url)
        if url.get_backend_name() == "sqlite":
            return Path(f"{url.database}.forgotten")
        return Path("data/oxo.forgotten")

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """The settings as the host writes them, each with its default."""
        return {found.name.upper(): found.default for found in fields(cls) if found.metadata}

    @classmethod
    def read(cls) -> Self:
        """Read the settings; a variable that is empty counts as unset.

        Raises:
            SettingsError: naming every setting that is misspelt or malformed.
        """
        environment = {name.upper(): text for name, text in os.environ.items()}
        names = cls.defaults()
        refuse_misspelt(environment, names)
        written = _written()
        troubles, values = [], {}
        for found in fields(cls):
            name = found.name.upper()
            if found.metadata and (text := environment.get(name) or written.get(name)):
                try:
                    values[found.name] = found.metadata["read"](text)
                except ValueError as error:
                    troubles.append(f"{name} is malformed: {error}.")
        if cls.FILE_IS_OURS:
            troubles += [_stranger(name, names) for name in written if name not in names]
        if troubles:
            raise SettingsError("\n".join(troubles))
        return cls(**values, given=frozenset(values))


def _written() -> Mapping[str, str | None]:
    """What `.env` says."""
    if not FILE.is_file():
        return {}
    from dotenv import dotenv_values  # noqa: PLC0415 - most hosts set the environment

    try:
        return {name.upper(): text for name, text in dotenv_values(FILE, encoding="utf-8").items()}
    except UnicodeDecodeError:
        raise SettingsError(".env is not a text file in UTF-8.") from None


def refuse_misspelt(environment: Mapping[str, str], names: Iterable[str]) -> None:
    """Refuse a variable of the environment that is nearly, but not quite, the name of an unset setting.

    The environment is full of other programs' variables, so only a near miss can be told from a stranger;
    `.env` is ours alone, and there every unknown name is refused.

    Raises:
        SettingsError: naming the variable and the setting that was probably meant.
    """
    unset = [name for name in names if name not in environment]
    for variable in sorted(environment.keys() - set(names)):
        for meant in get_close_matches(variable, unset, n=1, cutoff=0.9):
            raise SettingsError(f"{variable} is no setting of OXO; {meant} was probably meant.")


def _stranger(name: str, names: Iterable[str]) -> str:
    meant = get_close_matches(name, list(names), n=1)
    hint = f"; {meant[0]} was probably meant" if meant else ""
    return f"{name} in .env is no setting of OXO{hint}."
