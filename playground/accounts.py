"""Accounts: of people, of bots, and of the stand-ins for hidden senders."""

from dataclasses import dataclass
from typing import Literal

from playground.errors import Json

Status = Literal["creator", "administrator", "member", "restricted", "left", "kicked"]
"""A standing in a chat."""
_RIGHTS_OF_ADMINISTRATORS = (
    *("manage_chat", "delete_messages", "manage_video_chats", "restrict_members", "promote_members"),
    *("change_info", "invite_users", "post_stories", "edit_stories", "delete_stories", "pin_messages"),
)
_RIGHTS_OF_MEMBERS = (
    *("send_messages", "send_audios", "send_documents", "send_photos", "send_videos", "send_video_notes"),
    *("send_voice_notes", "send_polls", "send_other_messages", "add_web_page_previews", "change_info"),
    *("invite_users", "pin_messages", "manage_topics", "react_to_messages", "edit_tag"),
)


@dataclass(eq=False)
class User:
    """Somebody with an account."""

    id: int
    first_name: str
    last_name: str | None = None
    username: str | None = None
    language: str | None = None
    """`language_code`; None if the client doesn't send one."""
    is_bot: bool = False

    def as_json(self) -> Json:
        """The Bot API's User."""
        body: Json = {"id": self.id, "is_bot": self.is_bot, "first_name": self.first_name}
        more = {"last_name": self.last_name, "username": self.username, "language_code": self.language}
        return body | {name: value for name, value in more.items() if value}

    def as_member(self, status: Status) -> Json:
        """The Bot API's ChatMember."""
        member: Json = {"status": status, "user": self.as_json()}
        if status == "creator":
            member["is_anonymous"] = False
        elif status == "administrator":
            member |= {"can_be_edited": False, "is_anonymous": False}
            member |= {f"can_{right}": True for right in _RIGHTS_OF_ADMINISTRATORS}
        elif status == "restricted":
            member |= {"is_member": True, "until_date": 0}
            member |= {f"can_{right}": False for right in _RIGHTS_OF_MEMBERS}
        elif status == "kicked":
            member["until_date"] = 0
        return member


class Bot(User):
    """The bot's account, as its owner set it up with BotFather; with its id the token begins."""

    username: str

    def __init__(self, token: str, first_name: str, username: str) -> None:
        super().__init__(int(token.partition(":")[0]), first_name, username=username, is_bot=True)
        self.token = token
        self.privacy = True
        """Privacy mode: in groups, the bot only gets what is meant for it."""
        self.inline = True
        """Inline mode (/setinline)."""
        self.inline_feedback = True
        """Whether the bot hears which inline results were chosen (/setinlinefeedback)."""

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


class Human(User):
    """A person's account, and how the bot may use it."""

    usernames: tuple[str, ...] = ()
    """Further usernames, which only getChat tells."""
    started = False
    """Whether the person has written to the bot, so that the bot may write."""
    blocked_bot = False
    deactivated = False


ANONYMOUS = User(1087968824, "Group", username="GroupAnonymousBot", is_bot=True)
"""The stand-in for anonymous administrators."""
TELEGRAM = User(777000, "Telegram")
"""Who brings a channel's posts to its group."""
CHANNEL = User(136817688, "Channel", username="Channel_Bot", is_bot=True)
"""The stand-in for people who post as a channel."""
CHANNEL_ID = -1_001_999_999_999
"""The id of any channel."""
