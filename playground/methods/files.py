"""Sending photos, animations and files of any kind, each with a caption.

A file comes in the form's field of its kind, or as the `file_id` of one sent before; nothing is fetched by URL.
"""

from __future__ import annotations

from typing import TypedDict, Unpack

from playground.errors import Json, bad_request
from playground.files import Kind
from playground.keyboards import inline_keyboard
from playground.messages import message_json
from playground.methods.registry import Array, ChatId, File, method
from playground.methods.targets import replied_message, writable_chat
from playground.texts import Text, formatted, utf16_length
from playground.world import World

_LONGEST_CAPTION = 1024
"""Characters of a caption after its markup is read (sendPhoto, sendAnimation, sendDocument)."""
_QUIET = {
    "business_connection_id": str,
    "disable_notification": bool,
    "protect_content": bool,
    "allow_paid_broadcast": bool,
}
_SHOWN = {"has_spoiler": bool, "show_caption_above_media": bool}


class _Somewhere(TypedDict):
    chat_id: ChatId


class Captioned(_Somewhere, total=False):
    """The parameters that all of these methods share."""

    caption: str
    parse_mode: str
    caption_entities: Array
    message_thread_id: int
    reply_parameters: Json
    reply_markup: Json


@method(**_QUIET, **_SHOWN)
def send_photo(world: World, *, photo: File, **rest: Unpack[Captioned]) -> Json:
    """Send a photo."""
    return _post(world, rest, "photo", photo)


@method(**_QUIET, **_SHOWN, duration=int, width=int, height=int)
def send_animation(world: World, *, animation: File, **rest: Unpack[Captioned]) -> Json:
    """Send a GIF."""
    return _post(world, rest, "animation", animation)


@method(**_QUIET, disable_content_type_detection=bool)
def send_document(world: World, *, document: File, **rest: Unpack[Captioned]) -> Json:
    """Send a file."""
    return _post(world, rest, "document", document)


def _post(world: World, given: Captioned, kind: Kind, file: File) -> Json:
    caption, thread = given.get("caption", ""), given.get("message_thread_id")
    words = Text("")
    if caption:
        words = formatted(caption, given.get("parse_mode", ""), given.get("caption_entities"), world.user_json)
    if utf16_length(words.text) > _LONGEST_CAPTION:
        raise bad_request("message caption is too long")
    chat = writable_chat(world, given["chat_id"], thread)
    keyboard = inline_keyboard(given.get("reply_markup"), private=chat.kind == "private")
    replied, quote = replied_message(chat, given.get("reply_parameters"), thread)
    message = chat.post(
        world.bot,
        words,
        reply_to=replied,
        quote=quote,
        thread=thread,
        keyboard=keyboard,
        file=world.files.find(kind, file),
    )
    return message_json(message)
