"""Sending animations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground.methods.photos import captioned
from playground.methods.registry import Array, ChatId, File, method

if TYPE_CHECKING:
    from playground.errors import Json
    from playground.world import World


@method(
    business_connection_id=str,
    duration=int,
    width=int,
    height=int,
    disable_notification=bool,
    protect_content=bool,
    allow_paid_broadcast=bool,
    has_spoiler=bool,
    show_caption_above_media=bool,
)
def send_animation(
    world: World,
    *,
    chat_id: ChatId,
    animation: File,
    caption: str = "",
    parse_mode: str = "",
    caption_entities: Array | None = None,
    message_thread_id: int | None = None,
    reply_parameters: Json | None = None,
    reply_markup: Json | None = None,
) -> Json:
    """Send a GIF: the file itself in the form's field `animation`, or its `file_id`; nothing is fetched by URL."""
    return captioned(
        world,
        chat_id=chat_id,
        animation=animation,
        caption=caption,
        parse_mode=parse_mode,
        caption_entities=caption_entities,
        message_thread_id=message_thread_id,
        reply_parameters=reply_parameters,
        reply_markup=reply_markup,
    )
