"""The three calls on the way of a tap: edit, answer, send.

They use the transport directly, with bodies written here. The methods of `Bot` turn each parameter into objects
and back, rebuild the keyboard from its buttons, and parse a whole message out of every answer: a fifth of what a
tap costs (benchmarks/README.md). All other calls go through `Bot`.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from bot.boards.view import View
from bot.network.http_errors import Foreign
from bot.network.transport import Transport


class Calls:
    """The calls that a tap needs; errors are those of `telegram.error`."""

    def __init__(self, transport: Transport, base_url: str) -> None:
        """Call by this transport; `base_url` is the bot's, with its token."""
        self._transport = transport
        self._base_url = base_url

    async def edit(
        self,
        view: View,
        *,
        chat_id: int | None = None,
        message_id: int | None = None,
        inline_message_id: str | None = None,
    ) -> None:
        """Replace a message's text and keyboard by a view; a view without a keyboard removes the old one."""
        if inline_message_id is not None:
            where: dict[str, Any] = {"inline_message_id": inline_message_id}
        else:
            where = {"chat_id": chat_id, "message_id": message_id}
        await self._call("editMessageText", where, view)

    async def send(self, view: View, chat_id: int, thread_id: int | None = None, quoted: int | None = None) -> int:
        """Send a view as a new message, perhaps as a reply to one (`quoted`); the result is its id."""
        where: dict[str, Any] = {"chat_id": chat_id}
        if thread_id is not None:
            where["message_thread_id"] = thread_id
        if quoted is not None:
            where["reply_parameters"] = {"message_id": quoted, "allow_sending_without_reply": True}
        sent = await self._call("sendMessage", where, view)
        try:
            return int(sent["message_id"])
        except (TypeError, KeyError, ValueError):
            raise Foreign(HTTPStatus.OK) from None

    async def answer(self, parameters: dict[str, Any]) -> None:
        """Answer a tap with these parameters of the Bot API."""
        await self._call("answerCallbackQuery", parameters)

    async def _call(self, method: str, parameters: dict[str, Any], view: View | None = None) -> Any:  # noqa: ANN401 - JSON
        if view is not None:
            parameters |= {"text": view.text, "parse_mode": "HTML", "link_preview_options": {"is_disabled": True}}
        body = json.dumps(parameters)
        if view is not None and view.keyboard is not None:
            body = f'{body[:-1]}, "reply_markup": {view.keyboard}}}'
        return await self._transport.call(f"{self._base_url}/{method}", body.encode())
