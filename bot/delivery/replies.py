"""The answer to a tap in the response to the webhook's request that has brought it."""

from __future__ import annotations

import json


class Reply:
    """Room for one call in the response to a webhook's request.

    Telegram makes the call by itself, which saves a request of ours, and tells nobody how it went (Bot API,
    "Making requests when getting updates"). That is right for the answer to a tap: it is soon too late anyway.
    """

    def __init__(self) -> None:
        """Empty."""
        self.body: bytes | None = None
        """The call, as JSON."""
        self._open = True

    def close(self) -> None:
        """Take no call any more: the response is on its way, or nobody waits for it."""
        self._open = False

    def answer(self, parameters: dict[str, object]) -> bool:
        """Answer a tap so; False where there is no room any more."""
        if not self._open:
            return False
        self._open = False
        self.body = json.dumps({"method": "answerCallbackQuery", **parameters}).encode()
        return True
