"""Settings from the environment or `.env`; those of every program here begin with where the database is."""

from __future__ import annotations

import difflib
import os
from typing import TYPE_CHECKING, Any, Self

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from storage.database import parse_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pydantic_core import ErrorDetails


class SettingsError(Exception):
    """A setting is missing, misspelt or malformed; the message is for the host and holds no value."""


class DatabaseSettings(BaseSettings):
    """Where games are kept; the environment counts more than `.env` in the current folder."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        hide_input_in_errors=True,
    )

    database_url: str = Field(default="sqlite:///data/oxo.db")

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, value: str) -> str:
        parse_url(value)
        return value

    @classmethod
    def read(cls) -> Self:
        """Read the settings.

        Raises:
            SettingsError: naming every setting that is misspelt or malformed.
        """
        names = [name.upper() for name in cls.model_fields]
        refuse_misspelt(os.environ, names)
        try:
            return cls()
        except ValidationError as error:
            raise SettingsError("\n".join(_sentence(entry, names) for entry in error.errors())) from None
        except UnicodeDecodeError:
            raise SettingsError(".env is not a text file in UTF-8.") from None


def refuse_misspelt(environment: Mapping[str, str], names: Iterable[str]) -> None:
    """Refuse a variable of the environment that is nearly, but not quite, the name of an unset setting.

    The environment is full of other programs' variables, so only a near miss can be told from a stranger;
    `.env` is ours alone, and there every unknown name is refused.

    Raises:
        SettingsError: naming the variable and the setting that was probably meant.
    """
    known = {name.upper() for name in environment}
    unset = [name for name in names if name not in known]
    for variable in sorted(known.difference(names)):
        for meant in difflib.get_close_matches(variable, unset, n=1, cutoff=0.9):
            raise SettingsError(f"{variable} is no setting of OXO; {meant} was probably meant.")


def _sentence(entry: ErrorDetails, names: Iterable[str]) -> str:
    name = ".".join(str(part) for part in entry["loc"]).upper()
    if entry["type"] == "extra_forbidden":
        meant = difflib.get_close_matches(name, list(names), n=1)
        hint = f"; {meant[0]} was probably meant" if meant else ""
        return f"{name} in .env is no setting of OXO{hint}."
    context: dict[str, Any] = entry.get("ctx", {})
    reason = str(context.get("error") or entry["msg"])
    if not entry["loc"]:
        return f"{reason}."
    return f"{name} is malformed: {reason}."
