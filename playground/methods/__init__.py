"""The Bot API's methods, by subject; importing this package fills the table."""

from playground.methods import account, chats, intake, messages, queries
from playground.methods.registry import METHODS, Described, Method

__all__ = ["METHODS", "Described", "Method", "account", "chats", "intake", "messages", "queries"]
