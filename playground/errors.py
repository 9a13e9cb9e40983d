"""The Bot API's refusals, in Telegram's wording and shape."""

from typing import Any

Json = dict[str, Any]
"""A JSON object of the Bot API."""


class ApiError(Exception):
    """A call that Telegram refuses: `{"ok": false, "error_code": ..., "description": ..., "parameters": ...}`."""

    def __init__(self, code: int, description: str, parameters: Json | None = None) -> None:
        super().__init__(description)
        self.code = code
        """The HTTP status and the `error_code`."""
        self.description = description
        self.parameters = parameters
        """`{"retry_after": seconds}`, `{"migrate_to_chat_id": id}` or None."""

    def as_json(self) -> Json:
        body: Json = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters:
            body["parameters"] = self.parameters
        return body


def bad_request(reason: str, parameters: Json | None = None) -> ApiError:
    """A 400 with Telegram's prefix."""
    return ApiError(400, f"Bad Request: {reason}", parameters)


def forbidden(reason: str) -> ApiError:
    """A 403 with Telegram's prefix."""
    return ApiError(403, f"Forbidden: {reason}")


def conflict(reason: str) -> ApiError:
    """A 409 with Telegram's prefix."""
    return ApiError(409, f"Conflict: {reason}")


def too_many_requests(retry_after: int) -> ApiError:
    """A 429 that asks for a pause of some seconds."""
    return ApiError(429, f"Too Many Requests: retry after {retry_after}", {"retry_after": retry_after})
