"""Settings from the environment or `.env`; those of every program begin with where the database is."""

from __future__ import annotations

import os
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Self

from dotenv.parser import parse_stream
from pydantic import AfterValidator, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from storage.database import parse_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pydantic_core import ErrorDetails
    from sqlalchemy import URL

STRANGER: Final = "extra_forbidden"
"""Pydantic's name for a setting that it does not know."""


NEAR: Final = 0.88
"""How alike two names must be for one to be a misspelling of the other: PROXY_URI is one of PROXY_URL."""


class SettingsError(Exception):
    """A setting is missing, misspelt or malformed; the message is for the host and holds no value."""


def _database(secret: SecretStr) -> SecretStr:
    parse_url(secret.get_secret_value())
    return secret


class DatabaseSettings(BaseSettings):
    """Where games are kept; the environment takes precedence over `.env` in the current folder.

    A validator raises ValueError with a reason that quotes no value: `read` puts it in a sentence for the host.
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
    forgotten_file: Path | None = None

    @property
    def database(self) -> URL:
        """The database, as SQLAlchemy names it."""
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
        """The settings as the host writes them, each with its default."""
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
        refuse_misspelt({name.upper(): text for name, text in os.environ.items()}, names)
        try:
            refuse_unreadable_lines(Path(".env"))
            return cls()
        except ValidationError as error:
            raise SettingsError("\n".join(_sentence(each, names) for each in error.errors())) from None
        except UnicodeDecodeError:
            raise SettingsError(".env is not a text file in UTF-8.") from None
        except OSError as error:
            raise SettingsError(f".env cannot be read ({str(error.strerror).lower()}).") from None


def refuse_misspelt(environment: Mapping[str, str], names: Iterable[str]) -> None:
    """Refuse a variable of the environment that is nearly, but not quite, the name of an unset setting.

    The environment is full of other programs' variables, so only a near miss can be told from a stranger;
    `.env` is ours alone, and there every unknown name is refused.

    Raises:
        SettingsError: naming the variable and the setting that was probably meant.
    """
    unset = [name for name in names if name not in environment]
    for variable in sorted(environment.keys() - set(names)):
        for meant in get_close_matches(variable, unset, n=1, cutoff=NEAR):
            raise SettingsError(f"{variable} is no setting of OXO; {meant} was probably meant.")


def refuse_unreadable_lines(file: Path) -> None:
    """Refuse lines that python-dotenv would leave out: `LOG_LEVEL: DEBUG`, or a quotation mark without its other.

    Raises:
        SettingsError: naming the first of them.
    """
    for line in parse_stream(StringIO(file.read_text("utf-8-sig"))) if file.is_file() else ():
        if line.error or (line.key is not None and line.value is None):
            raise SettingsError(f"Line {line.original.line} of {file} is not a setting such as LOG_LEVEL=DEBUG.")


def _sentence(error: ErrorDetails, names: Iterable[str]) -> str:
    """What is wrong, for the host."""
    name = ".".join(map(str, error["loc"])).upper()
    if error["type"] == STRANGER:
        meant = get_close_matches(name, list(names), n=1)
        hint = f"; {meant[0]} was probably meant" if meant else ""
        return f"{name} in .env is no setting of OXO{hint}."
    reason = error["ctx"]["error"] if error["type"] == "value_error" else error["msg"]
    return f"{name} is malformed: {reason}." if name else str(reason)
