"""Sending, editing and deleting messages, with or without a file.

A file comes in the form's field of its kind, or as the `file_id` of one sent before; nothing is fetched by URL.
"""

from typing import Required, TypedDict, Unpack

from playground.chats import Message
from playground.errors import Json, bad_request
from playground.files import FileKind
from playground.keyboards import inline_keyboard
from playground.methods.chats import check_not_upgraded, own_message, readable_chat, replied_message, writable_chat
from playground.methods.registry import ChatId, File, method
from playground.texts import Text, formatted, utf16_length
from playground.world import World

_DELETABLE = 48 * 3600
"""Seconds after which a bot can delete nothing any more (deleteMessage; TDLib's can_delete_channel_message)."""
_BEGINNINGS = frozenset({"migrate_from_chat_id", "forum_topic_created"})
"""Service messages that cannot be deleted."""
_NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current "
    "content and reply markup of the message"
)
_LONGEST_CAPTION = 1024
"""Characters of a caption after its markup is read (sendPhoto, sendAnimation, sendDocument)."""
_QUIET = {"disable_notification": bool, "protect_content": bool}
_SHOWN = {"has_spoiler": bool, "show_caption_above_media": bool}


class Addressed(TypedDict, total=False):
    """The parameters that all methods share that send something."""

    chat_id: Required[ChatId]
    parse_mode: str
    message_thread_id: int
    reply_parameters: Json
    reply_markup: Json


@method(**_QUIET, link_preview_options=dict)
def send_message(world: World, *, text: str = "", **rest: Unpack[Addressed]) -> Json:
    """Send a text."""
    return _post(world, rest, formatted(text, rest.get("parse_mode", ""), world.user))


@method(**_QUIET, **_SHOWN)
def send_photo(world: World, *, photo: File, caption: str = "", **rest: Unpack[Addressed]) -> Json:
    """Send a photo."""
    return _post(world, rest, _words(world, rest, caption), ("photo", photo))


@method(**_QUIET, **_SHOWN, duration=int, width=int, height=int)
def send_animation(world: World, *, animation: File, caption: str = "", **rest: Unpack[Addressed]) -> Json:
    """Send a GIF."""
    return _post(world, rest, _words(world, rest, caption), ("animation", animation))


@method(**_QUIET, disable_content_type_detection=bool)
def send_document(world: World, *, document: File, caption: str = "", **rest: Unpack[Addressed]) -> Json:
    """Send a file."""
    return _post(world, rest, _words(world, rest, caption), ("document", document))


def _words(world: World, given: Addressed, caption: str) -> Text:
    words = formatted(caption, given.get("parse_mode", ""), world.user) if caption else Text("")
    if utf16_length(words.text) > _LONGEST_CAPTION:
        raise bad_request("message caption is too long")
    return words


def _post(world: World, given: Addressed, content: Text, file: tuple[FileKind, File] | None = None) -> Json:
    thread = given.get("message_thread_id")
    chat = writable_chat(world, given["chat_id"], thread)
    keyboard = inline_keyboard(given.get("reply_markup"))
    replied = replied_message(chat, given.get("reply_parameters"), thread)
    if file is not None and file[0] in chat.forbidden and chat.bot_status != "administrator":
        raise bad_request(f"not enough rights to send {file[0]}s to the chat")
    kept = None if file is None else world.files.find(*file)
    return chat.post(Message(chat, world.bot, content, keyboard, replied, thread, file=kept)).as_json()


@method(link_preview_options=dict)
def edit_message_text(
    world: World,
    *,
    text: str = "",
    chat_id: ChatId | None = None,
    message_id: int | None = None,
    inline_message_id: str | None = None,
    parse_mode: str = "",
    reply_markup: Json | None = None,
) -> Json | bool:
    """Change the text, and the keyboard: an edit without one removes it."""
    content = formatted(text, parse_mode, world.user)
    message = own_message(world, chat_id, message_id, inline_message_id)
    if message.file is not None:
        raise bad_request("there is no text in the message to edit")
    keyboard = inline_keyboard(reply_markup)
    if message.content == content and message.keyboard == keyboard:
        raise bad_request(_NOT_MODIFIED)
    message.content, message.keyboard = content, keyboard
    message.chat.edited(message)
    return True if message.inline_id is not None else message.as_json()


@method()
def delete_message(world: World, *, chat_id: ChatId, message_id: int) -> bool:
    """Delete a message of the bot's, or of others where it may: the bot's clients refuse what is 48 hours old."""
    chat = readable_chat(world, chat_id)
    check_not_upgraded(chat)
    message = chat.messages.get(message_id)
    if message is None:
        raise bad_request("message to delete not found")
    ours = message.sender.id == world.bot.id
    may = ours or chat.kind == "private" or chat.bot_status == "administrator"
    beginning = message.service is not None and not _BEGINNINGS.isdisjoint(message.service.fields)
    if not may or beginning or world.clock.now() - message.date >= _DELETABLE:
        raise bad_request("message can't be deleted for everyone")
    chat.delete(message)
    return True
