"""The Bot API's ChatMember, by standing."""

from __future__ import annotations

from playground.chats import Status
from playground.errors import Json

_ADMIN_RIGHTS = (
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
    "can_pin_messages",
)
_MEMBER_RIGHTS = (
    "can_send_messages",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_manage_topics",
    "can_react_to_messages",
    "can_edit_tag",
)


def member_json(user: Json, status: Status) -> Json:
    """The Bot API's ChatMember."""
    member: Json = {"status": status, "user": user}
    if status == "creator":
        member["is_anonymous"] = False
    elif status == "administrator":
        member |= {"can_be_edited": False, "is_anonymous": False, **dict.fromkeys(_ADMIN_RIGHTS, True)}
    elif status == "restricted":
        member |= {"is_member": True, "until_date": 0, **dict.fromkeys(_MEMBER_RIGHTS, False)}
    elif status == "kicked":
        member["until_date"] = 0
    return member
