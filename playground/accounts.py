"""Accounts: the bot, and the stand-ins for hidden senders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from playground.errors import Json


class Account(Protocol):
    """The sender of a message."""

    @property
    def id(self) -> int:
        """The user id."""

    @property
    def first_name(self) -> str:
        """The first name."""

    @property
    def is_bot(self) -> bool:
        """Whether it is a bot."""

    def as_json(self) -> Json:
        """The Bot API's User."""


@dataclass(slots=True)
class Bot:
    """The bot's account, as its owner set it up with BotFather."""

    token: str
    first_name: str
    username: str
    privacy: bool = True
    """Privacy mode: in groups, the bot only gets what is meant for it."""
    inline: bool = True
    """Inline mode (/setinline)."""
    inline_feedback: bool = True
    """Whether the bot hears which inline results were chosen (/setinlinefeedback)."""
    is_bot: bool = True

    @property
    def id(self) -> int:
        """The user id, with which the token begins."""
        return int(self.token.partition(":")[0])

    def as_json(self) -> Json:
        """The Bot API's User."""
        return {"id": self.id, "is_bot": True, "first_name": self.first_name, "username": self.username}

    def about(self) -> Json:
        """What getMe answers."""
        return {
            **self.as_json(),
            "can_join_groups": True,
            "can_read_all_group_messages": not self.privacy,
            "supports_inline_queries": self.inline,
            "can_connect_to_business": False,
            "has_main_web_app": False,
        }


@dataclass(frozen=True, slots=True)
class StandIn:
    """A stand-in for a hidden sender, or another bot."""

    id: int
    first_name: str
    username: str
    is_bot: bool = True

    def as_json(self) -> Json:
        """The Bot API's User."""
        return {
            "id": self.id,
            "is_bot": self.is_bot,
            "first_name": self.first_name,
            "username": self.username,
        }


@dataclass(eq=False)
class User:
    """Somebody with an account."""

    id: int
    first_name: str
    last_name: str | None = None
    username: str | None = None
    language: str | None = None
    """`language_code`; None if the client doesn't send one."""
    usernames: tuple[str, ...] = ()
    """Further usernames, which only getChat tells."""
    started: bool = False
    """Whether the person has written to the bot, so that the bot may write."""
    blocked_bot: bool = False
    deactivated: bool = False
    is_bot: bool = False

    def as_json(self) -> Json:
        """The Bot API's User."""
        body: Json = {"id": self.id, "is_bot": self.is_bot, "first_name": self.first_name}
        if self.last_name:
            body["last_name"] = self.last_name
        if self.username:
            body["username"] = self.username
        if self.language:
            body["language_code"] = self.language
        return body


ANONYMOUS = StandIn(1087968824, "Group", "GroupAnonymousBot")
"""The stand-in for anonymous administrators."""
CHANNEL = StandIn(136817688, "Channel", "Channel_Bot")
"""The stand-in for people who post as a channel."""
