"""A Telegram of one's own on loopback, in memory: Bot API, people, and a chat page in the browser."""

from playground.errors import ApiError
from playground.server import Playground

__all__ = ["ApiError", "Playground"]
