"""Sending files of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground.methods.photos import captioned
from playground.methods.registry import Array, ChatId, File, method

if TYPE_CHECKING:
    from playground.errors import Json
    from playground.world import World


@method(
    business_connection_id=str,
    disable_content_type_detection=bool,
    disable_notification=bool,
    protect_content=bool,
    allow_paid_broadcast=bool,
)
def send_document(
    world: World,
    *,
    chat_id: ChatId,
    document: File,
    caption: str = "",
    parse_mode: str = "",
    caption_entities: Array | None = None,
    message_thread_id: int | None = None,
    reply_parameters: Json | None = None,
    reply_markup: Json | None = None,
) -> Json:
    """Send a file: itself in the form's field `document`, or its `file_id`; nothing is fetched by URL."""
    return captioned(
        world,
        chat_id=chat_id,
        document=document,
        caption=caption,
        parse_mode=parse_mode,
        caption_entities=caption_entities,
        message_thread_id=message_thread_id,
        reply_parameters=reply_parameters,
        reply_markup=reply_markup,
    )
