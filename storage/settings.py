"""Settings from the environment or `.env`: where the database is, and how mistakes are reported to the host."""

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import Any, ClassVar, Final, Self, TypeVar

from dotenv import dotenv_values
from dotenv.parser import parse_stream
from sqlalchemy import URL

from storage.database import parse_url

T = TypeVar("T")

log = logging.getLogger("settings")  # the commands of `python -m storage` silence those of the package

SIMILAR: Final = 0.85
"""How similar two names must be for one to be a misspelling of the other, such as PROXY_URI of PROXY_URL."""

RATHER_SIMILAR: Final = 0.6
"""The same where everything should be a setting, such as TOKEN for BOT_TOKEN."""


class SettingsError(Exception):
    """A setting is missing, misspelt or malformed; the message is for the host and quotes no value."""


@dataclass(frozen=True)
class Secret:
    """A text that isn't shown where its settings are, such as in a log or a traceback."""

    text: str = field(repr=False)


def setting(read: Callable[[str], T], default: T | None = None) -> Any:  # noqa: ANN401 - like dataclasses.field
    """A field of settings.

    Args:
        read: Makes its value of what the host wrote, or raises ValueError with a reason that quotes none of it.
        default: Its value if the host wrote nothing.
    """
    return field(default=default, metadata={"read": read})


def _database(text: str) -> Secret:
    parse_url(text)
    return Secret(text)


def _file(text: str) -> Path:
    if os.path.isdir(text):  # noqa: PTH112 - a Path's raises where its folder is closed; the start says it better
        raise ValueError("it is a folder, not a file")
    return Path(text)


@dataclass(frozen=True, kw_only=True)
class DatabaseSettings:
    """Where the database is; the environment takes precedence over `.env` in the current folder."""

    alone: ClassVar[bool] = False
    """Whether `.env` may hold nothing else; if not, a misspelling is recognised by its similarity."""

    database_url: Secret = setting(_database, Secret("sqlite:///data/oxo.db"))
    forgotten_file: Path | None = setting(_file)
    given: frozenset[str] = frozenset()
    """The fields that the host wrote."""

    @property
    def database(self) -> URL:
        return parse_url(self.database_url.text)

    def forgotten_path(self) -> Path:
        """The path of the list of forgotten people: next to a SQLite file, else in `data`."""
        if self.forgotten_file is not None:
            return self.forgotten_file
        if self.database.get_backend_name() == "sqlite":
            return Path(f"{self.database.database}.forgotten")
        return Path("data/oxo.forgotten")

    @classmethod
    def fields(cls) -> dict[str, Field[Any]]:
        """The settings by their names as the host writes them."""
        return {each.name.upper(): each for each in fields(cls) if "read" in each.metadata}

    @classmethod
    def of(cls, written: Mapping[str, str]) -> Self:
        """The settings that are written so; an empty text counts as unset.

        Raises:
            SettingsError: naming every setting that is malformed.
        """
        values: dict[str, Any] = {}
        wrong = []
        for name, each in cls.fields().items():
            if text := written.get(name):
                try:
                    values[each.name] = each.metadata["read"](text)
                except ValueError as error:
                    wrong.append(f"{name} is malformed: {error}.")
        if wrong:
            raise SettingsError("\n".join(wrong))
        return cls(**values, given=frozenset(values))

    @classmethod
    def read(cls) -> Self:
        """Read the settings; of two names that differ in capitals alone, the one in small letters counts.

        Raises:
            SettingsError: naming every setting that is misspelt or malformed.
        """
        in_file = _written(Path(".env"))
        environment = {name.upper(): text for name, text in sorted(os.environ.items()) if text}
        written = in_file | environment
        names = cls.fields()
        unset = [name for name in names if not written.get(name)]
        wrong = list(_strangers(in_file.keys() - names.keys(), unset, all_of_them=cls.alone))
        try:
            found = cls.of(written)
        except SettingsError as error:
            wrong.append(str(error))
        if wrong:
            raise SettingsError("\n".join(wrong))
        # The environment is full of other programs' variables, such as LOGLEVEL.
        for sentence in _strangers(environment.keys() - names.keys(), unset):
            log.warning("%s", sentence)
        return found


def _strangers(names: Iterable[str], unset: list[str], *, all_of_them: bool = False) -> Iterator[str]:
    """A sentence for each name that is nearly that of an unset setting, or for all of them."""
    for name in sorted(names):
        meant = get_close_matches(name, unset, n=1, cutoff=RATHER_SIMILAR if all_of_them else SIMILAR)
        hint = f"; you probably meant {meant[0]}" if meant else ""
        if all_of_them:
            yield f"{name} in .env is not a setting of OXO{hint}."
        elif hint:
            yield f"{name} is not a setting of OXO{hint}."


def _written(file: Path) -> dict[str, str]:
    """What a file says, by names in capitals.

    Raises:
        SettingsError: naming the first line that python-dotenv would leave out, such as `LOG_LEVEL: DEBUG`, or a
            quotation mark without its other.
    """
    try:
        text = file.read_text("utf-8-sig") if file.is_file() else ""
    except UnicodeDecodeError:
        raise SettingsError(f"{file} is not a text file in UTF-8.") from None
    except OSError as error:
        raise SettingsError(f"{file} cannot be read ({str(error.strerror).lower()}).") from None
    for line in parse_stream(StringIO(text)):
        if line.error or (line.key is not None and line.value is None):
            raise SettingsError(f"Line {line.original.line} of {file} is not a setting such as LOG_LEVEL=DEBUG.")
    return {name.upper(): text or "" for name, text in dotenv_values(stream=StringIO(text)).items()}
