"""What a connection of the bot's web server knows of what it belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from bot.intake.connection import Connection
    from bot.intake.http import Page


class Site(Protocol):
    """What a connection belongs to."""

    date: bytes
    """The header of now."""

    @property
    def is_closing(self) -> bool:
        """Whether no further request is taken."""

    def find(self, url: bytes) -> Page | None:
        """The page that a URL names, if there is one; raises an error of httptools if it is none."""

    def opened(self, connection: Connection) -> None:
        """Hear that somebody has connected."""

    def gone(self, connection: Connection) -> None:
        """Hear that a connection is closed."""
