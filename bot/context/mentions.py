"""Finds the people a message names: by username, or by a mention of somebody without one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from telegram import Message, MessageEntity

from bot.context.requests import name_of
from bot.game.attempt import Player

USERNAME: Final = re.compile(r"@[A-Za-z][A-Za-z0-9_]{2,31}")


def mentions(message: Message) -> tuple[Sequence[str], Sequence[Player]]:
    """The words after the command without names of people, and those people.

    Somebody without a username is named by an entity over their name, which may be several words; its offsets
    count UTF-16 units (Bot API, MessageEntity).
    """
    text = (message.text or "").encode("utf-16-le")
    people = []
    for entity in message.entities:
        if entity.type == MessageEntity.TEXT_MENTION and entity.user is not None:
            start, length = 2 * entity.offset, 2 * entity.length
            text = text[:start] + " ".encode("utf-16-le") * entity.length + text[start + length :]
            user = entity.user
            people.append(
                Player(user.id, name_of(user) if not user.is_bot else "", "bot" if user.is_bot else None)
            )
    return text.decode("utf-16-le", "replace").split()[1:], people
