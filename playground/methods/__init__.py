"""The Bot API's methods, by subject; importing this package fills the table."""

from playground.methods import account, animations, chats, documents, intake, messages, photos, queries
from playground.methods.registry import METHODS, Described, Method

__all__ = [
    "METHODS",
    "Described",
    "Method",
    "account",
    "animations",
    "chats",
    "documents",
    "intake",
    "messages",
    "photos",
    "queries",
]
