"""The ways HTTP calls fail, and a check that an answer is Telegram's own, not a proxy's or a captive portal's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Final

from telegram.error import NetworkError

_DONE: Final = (b'{"ok":true,"result":', b'{"ok": true, "result":')
"""The beginning of the answer to a successful call."""


class NotSent(NetworkError):
    """A call that was never sent: there was no connection, so it had no effect."""


class Unanswered(NetworkError):
    """A call whose connection ended before a byte of the answer; it may have had its effect."""


class Foreign(NetworkError):
    """An answer that is not the Bot API's: a proxy's page, or JSON of another shape."""

    def __init__(self, status: int) -> None:
        """An answer with this HTTP status."""
        is_proxy = status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED
        reason = "the proxy does not take its user and password" if is_proxy else "no answer of Telegram's"
        super().__init__(reason if is_proxy else f"HTTP {status}, and {reason}")
        self.status = status


def vet(status: int, body: bytes) -> None:
    """Check that an answer has the shape of Telegram's.

    Raises:
        Foreign: if it hasn't.
    """
    if status == HTTPStatus.OK and body.startswith(_DONE):
        return
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict) or not _is_telegrams(status, answer):
        raise Foreign(status)


@contextmanager
def reading() -> Iterator[None]:
    """While python-telegram-bot reads a result, which it takes to be of the kind that the method promises.

    Raises:
        Foreign: if the result is of another kind, such as null.
    """
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Foreign(HTTPStatus.OK) from error


def _is_telegrams(status: int, answer: dict[str, object]) -> bool:
    if status == HTTPStatus.OK:
        return answer.get("ok") is True and "result" in answer
    if status < HTTPStatus.BAD_REQUEST or answer.get("ok") is not False or answer.get("error_code") != status:
        return False
    parameters = answer.get("parameters", {})
    if not isinstance(answer.get("description"), str) or not isinstance(parameters, dict):
        return False
    return _belongs(parameters.get("retry_after"), status == HTTPStatus.TOO_MANY_REQUESTS) and _belongs(
        parameters.get("migrate_to_chat_id"), status == HTTPStatus.BAD_REQUEST
    )


def _belongs(parameter: object, to_this: bool) -> bool:  # noqa: FBT001 - of the status at hand
    """Whether a parameter is missing, or is a number where the status allows one."""
    return parameter is None or (to_this and type(parameter) is int)
