"""Inline keyboards as the Bot API takes them, with Telegram's limits."""

import json
import re
from typing import Any

from playground.errors import ApiError, Json, bad_request
from playground.texts import clean

MAXIMUM_DATA = 64
"""Bytes of callback data."""
MAXIMUM_BUTTONS = 100
"""Buttons of one keyboard; undocumented."""
MAXIMUM_IN_A_ROW = 8
"""Buttons of one row; undocumented."""
MAXIMUM_SIZE = 10_000
"""Bytes of a keyboard as JSON; undocumented (seen by other bots: github.com/tginfo/Telegram-Limits/issues/187)."""
STYLES = frozenset({"primary", "success", "danger"})
_SWITCH = "switch_inline_query_chosen_chat"
_ACTIONS = ("callback_data", "url", _SWITCH)
"""What the playground's buttons can do."""
_CHATS = ("allow_user_chats", "allow_bot_chats", "allow_group_chats", "allow_channel_chats")
MAXIMUM_QUERY = 256
"""Characters of an inline query."""
_URL = re.compile(r"(?:https?://|tg://|ton://)?[^\s/]+(?:\.[^\s/]+|/)?\S*$", re.IGNORECASE)

Keyboard = list[list[Json]]
"""Rows of buttons as Telegram would send them back."""


def inline_keyboard(markup: Json | None) -> Keyboard:
    """The rows of an inline keyboard; empty when there is none.

    Buttons without a label vanish, and so do rows that are left without buttons (TDLib's ReplyMarkup.cpp).
    """
    if not markup:
        return []
    rows = markup.get("inline_keyboard")
    if rows is None:
        raise bad_request("inline keyboard expected")
    if not isinstance(rows, list):
        raise bad_request('can\'t parse inline keyboard: Field "inline_keyboard" must be of type Array')
    keyboard: Keyboard = []
    for row in rows:
        if not isinstance(row, list):
            raise bad_request("can't parse inline keyboard: expected an Array of Array")
        buttons = [button for button in (_button(given) for given in row) if button is not None]
        if len(buttons) > MAXIMUM_IN_A_ROW:
            raise bad_request("reply markup is too long")
        if buttons:
            keyboard.append(buttons)
    size = len(json.dumps(keyboard, ensure_ascii=False).encode())
    if sum(map(len, keyboard)) > MAXIMUM_BUTTONS or size > MAXIMUM_SIZE:
        raise bad_request("reply markup is too long")
    return keyboard


def forwarded(keyboard: Keyboard, *, via_bot: bool) -> Keyboard:
    """What is below a forwarded message: all of it or nothing (Bot API 4.3).

    Links stay, and with them, if the message came by inline mode, what types a query; one button that calls the
    bot takes all away.
    """
    staying = {"url", _SWITCH} if via_bot else {"url"}
    return keyboard if all(staying & button.keys() for row in keyboard for button in row) else []


def _malformed(reason: str) -> ApiError:
    return bad_request(f"can't parse inline keyboard button: {reason}")


def _button(given: Any) -> Json | None:  # noqa: ANN401 - whatever the bot sent stands here
    if not isinstance(given, dict):
        raise _malformed("expected an Object")
    if "text" not in given:
        raise _malformed('Can\'t find field "text"')
    if unknown := given.keys() - {"text", "style", *_ACTIONS}:
        raise _malformed(f"the playground doesn't know {sorted(unknown)}")
    text = given["text"]
    if not isinstance(text, str):
        raise _malformed('Field "text" must be of type String')
    actions = [action for action in _ACTIONS if given.get(action) is not None]
    if not actions or (actions == ["callback_data"] and given["callback_data"] == ""):
        raise _malformed("Text buttons are unallowed in the inline keyboard")
    if len(actions) > 1:
        raise _malformed("only one type of an inline keyboard button can be used")
    action = actions[0]
    button: Json = {"text": clean(text), action: _action(action, given[action])}
    style = given.get("style")
    if style:
        if not isinstance(style, str) or style not in STYLES:
            raise _malformed("invalid button style specified")
        button["style"] = style
    return button if button["text"].strip() else None


def _action(action: str, value: object) -> str | Json:
    if action == _SWITCH:
        return _switch(value)
    if not isinstance(value, str):
        raise _malformed(f'Field "{action}" must be of type String')
    if action == "callback_data" and len(value.encode("utf-8", "replace")) > MAXIMUM_DATA:
        raise bad_request("BUTTON_DATA_INVALID")
    if action == "url" and (not _URL.match(value) or ("." not in value and "://" not in value)):
        raise bad_request(f"inline keyboard button URL '{value}' is invalid: Wrong HTTP URL")
    return value


def _switch(value: object) -> Json:
    """The query that is typed in a chat that the person chooses; at least one kind of chat must be allowed."""
    if not isinstance(value, dict):
        raise _malformed("expected an Object")
    query = value.get("query", "")
    if not isinstance(query, str) or len(query) > MAXIMUM_QUERY:
        raise bad_request("BUTTON_DATA_INVALID")
    for kind in _CHATS:
        if not isinstance(value.get(kind, False), bool):
            raise _malformed(f'Field "{kind}" must be of type Boolean')
    kinds = {kind: True for kind in _CHATS if value.get(kind)}
    if not kinds:
        raise _malformed("at least one chat type must be allowed")
    return {"query": query, **kinds}
