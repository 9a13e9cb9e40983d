"""Settings from the environment or `.env`: where the database is, and how mistakes are reported to the host."""

import logging
import os
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, Final, Self

from dotenv.parser import parse_stream
from pydantic import AfterValidator, SecretStr, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy import URL

from storage.database import parse_url

log = logging.getLogger("settings")  # the commands of `python -m storage` silence those of the package

SIMILAR: Final = 0.85
"""How similar two names must be for one to be a misspelling of the other, such as PROXY_URI of PROXY_URL."""


class SettingsError(Exception):
    """A setting is missing, misspelt or malformed; the message is for the host and quotes no value."""


def _database(secret: SecretStr) -> SecretStr:
    parse_url(secret.get_secret_value())
    return secret


def _file(path: Path) -> Path:
    if path.is_dir():
        raise ValueError("it is a folder, not a file")
    return path


class DatabaseSettings(BaseSettings):
    """Where the database is; the environment takes precedence over `.env` in the current folder.

    A validator raises ValueError with a reason that quotes no value, and `read` makes a sentence for the host of
    it.
    """

    model_config = SettingsConfigDict(
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
        validate_default=False,
    )

    database_url: Annotated[SecretStr, AfterValidator(_database)] = SecretStr("sqlite:///data/oxo.db")
    forgotten_file: Annotated[Path, AfterValidator(_file)] | None = None

    @property
    def database(self) -> URL:
        return parse_url(self.database_url.get_secret_value())

    def forgotten_path(self) -> Path:
        """The path of the list of forgotten people: next to a SQLite file, else in `data`."""
        if self.forgotten_file is not None:
            return self.forgotten_file
        if self.database.get_backend_name() == "sqlite":
            return Path(f"{self.database.database}.forgotten")
        return Path("data/oxo.forgotten")

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """The names of the settings, as the host writes them, with their defaults."""
        found = {name.upper(): field.default for name, field in cls.model_fields.items()}
        return {
            name: default.get_secret_value() if isinstance(default, SecretStr) else default
            for name, default in found.items()
        }

    @classmethod
    def read(cls) -> Self:
        """Read the settings; a variable that is empty counts as unset.

        Raises:
            SettingsError: naming every setting that is misspelt or malformed.
        """
        names = cls.defaults()
        environment = {name.upper() for name in os.environ}
        try:
            written = names_in(Path(".env"))
            found = cls()
        except ValidationError as error:
            raise SettingsError("\n".join(_sentence(each, names) for each in error.errors())) from None
        except UnicodeDecodeError:
            raise SettingsError(".env is not a text file in UTF-8.") from None
        except OSError as error:
            raise SettingsError(f".env cannot be read ({str(error.strerror).lower()}).") from None
        for sentence in misspelt(written, names, environment | written):  # which `Settings` has refused already
            raise SettingsError(sentence)
        for sentence in misspelt(environment, names, environment | written):
            log.warning("%s", sentence)
        return found


def misspelt(variables: AbstractSet[str], names: Iterable[str], given: AbstractSet[str]) -> Iterator[str]:
    """A sentence for each variable whose name is nearly that of a setting that isn't `given`.

    The environment is full of other programs' variables, such as LOGLEVEL, so that one there only warns. `.env`
    has the bot's settings where only those of the database are wanted, so that a mistake is recognised by
    similarity; the bot refuses every unknown name in `.env`.
    """
    unset = [name for name in names if name not in given]
    for variable in sorted(variables - set(names)):
        for meant in get_close_matches(variable, unset, n=1, cutoff=SIMILAR):
            yield f"{variable} is not a setting of OXO; you probably meant {meant}."


def names_in(file: Path) -> set[str]:
    """The names of the settings in a file.

    Raises:
        SettingsError: naming the first line that python-dotenv would leave out, such as `LOG_LEVEL: DEBUG`, or a
            quotation mark without its other.
    """
    lines = list(parse_stream(StringIO(file.read_text("utf-8-sig")))) if file.is_file() else []
    for line in lines:
        if line.error or (line.key is not None and line.value is None):
            raise SettingsError(f"Line {line.original.line} of {file} is not a setting such as LOG_LEVEL=DEBUG.")
    return {line.key.upper() for line in lines if line.key is not None}


def _sentence(error: ErrorDetails, names: Iterable[str]) -> str:
    name = ".".join(map(str, error["loc"])).upper()
    if error["type"] == "extra_forbidden":
        meant = get_close_matches(name, list(names), n=1)
        hint = f"; you probably meant {meant[0]}" if meant else ""
        return f"{name} in .env is not a setting of OXO{hint}."
    reason = error["ctx"]["error"] if error["type"] == "value_error" else error["msg"]
    return f"{name} is malformed: {reason}." if name else str(reason)
