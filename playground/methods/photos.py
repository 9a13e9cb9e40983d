"""Sending photos, and whatever else has a caption."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground.errors import Json, bad_request
from playground.keyboards import inline_keyboard
from playground.messages import message_json
from playground.methods.registry import Array, ChatId, File, method
from playground.methods.targets import check_thread, replied_message, writable_chat
from playground.texts import Text, formatted, utf16_length

if TYPE_CHECKING:
    from playground.world import World

_LONGEST_CAPTION = 1024
"""Characters of a caption after its markup is read (sendPhoto, sendAnimation, sendDocument)."""


@method(
    business_connection_id=str,
    disable_notification=bool,
    protect_content=bool,
    allow_paid_broadcast=bool,
    has_spoiler=bool,
    show_caption_above_media=bool,
)
def send_photo(
    world: World,
    *,
    chat_id: ChatId,
    photo: File,
    caption: str = "",
    parse_mode: str = "",
    caption_entities: Array | None = None,
    message_thread_id: int | None = None,
    reply_parameters: Json | None = None,
    reply_markup: Json | None = None,
) -> Json:
    """Send a photo: the file itself in the form's field `photo`, or its `file_id`; nothing is fetched by URL."""
    return captioned(
        world,
        chat_id=chat_id,
        photo=photo,
        caption=caption,
        parse_mode=parse_mode,
        caption_entities=caption_entities,
        message_thread_id=message_thread_id,
        reply_parameters=reply_parameters,
        reply_markup=reply_markup,
    )


def captioned(
    world: World,
    *,
    chat_id: ChatId,
    photo: File | None = None,
    animation: File | None = None,
    document: File | None = None,
    caption: str,
    parse_mode: str,
    caption_entities: Array | None,
    message_thread_id: int | None,
    reply_parameters: Json | None,
    reply_markup: Json | None,
) -> Json:
    """Send a photo, an animation or a file with a caption.

    Raises:
        ApiError: as Telegram refuses it.
    """
    words = formatted(caption, parse_mode, caption_entities, world.user_json) if caption else Text("")
    if utf16_length(words.text) > _LONGEST_CAPTION:
        raise bad_request("message caption is too long")
    chat = writable_chat(world, chat_id, message_thread_id)
    shown = None if photo is None else world.photos.find(photo)
    moving = None if animation is None else world.animations.find(animation)
    file = None if document is None else world.documents.find(document)
    keyboard = inline_keyboard(reply_markup, private=chat.kind == "private")
    replied, quote = replied_message(chat, reply_parameters)
    if message_thread_id is None and replied is not None and replied.in_topic and replied.thread is not None:
        check_thread(chat, replied.thread)
    message = chat.post(
        world.bot,
        words,
        reply_to=replied,
        quote=quote,
        thread=message_thread_id,
        keyboard=keyboard,
        photo=shown,
        animation=moving,
        document=file,
    )
    return message_json(message)
