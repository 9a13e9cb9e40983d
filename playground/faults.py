"""Faults that tests inject: refusals, broken connections, delays, updates repeated or out of order."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

from playground.chats import Chat
from playground.errors import ApiError, Json, too_many_requests

Kind = Literal[
    "429",
    "5xx",
    "error",
    "answer_before",
    "answer_after",
    "drop_before",
    "drop_after",
    "delay",
    "duplicate",
    "reorder",
    "resend",
]
_OF_UPDATES = frozenset({"duplicate", "reorder", "resend"})


@dataclass(eq=False, slots=True)
class Fault:
    """One fault; see `Faults.add`."""

    kind: Kind
    method: str | None
    chat: int | None
    times: int | None
    share: float
    retry_after: int
    status: int
    delay: float
    error: ApiError | None
    update: str | None
    body: bytes = b""
    struck: int = 0
    """How often it has struck."""

    def refusal(self) -> ApiError | None:
        """The error to answer with instead of carrying out the call, if the fault is of that kind."""
        if self.kind == "429":
            return too_many_requests(self.retry_after)
        if self.kind == "5xx":
            return ApiError(self.status, "Internal Server Error" if self.status == 500 else "Bad Gateway")
        return self.error if self.kind == "error" else None


class Faults:
    """The faults in force."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - repeatable chance, no secret
        self._faults: list[Fault] = []

    def seed(self, seed: int) -> None:
        """Seed the random numbers, so that a run can be repeated."""
        self._random.seed(seed)

    def add(
        self,
        *,
        kind: Kind,
        method: str | None = None,
        chat: Chat | int | None = None,
        times: int | None = None,
        share: float = 1.0,
        retry_after: int = 1,
        status: int = 502,
        delay: float = 0.1,
        error: ApiError | None = None,
        update: str | None = None,
        body: bytes = b"",
    ) -> Fault:
        """Add a fault, until it has struck `times` times or is removed.

        Args:
            kind: "429" refuses with `retry_after`; "5xx" answers `status`; "error" answers `error`;
                "answer_before" answers `status` and `body` instead of the call, "answer_after" in spite of it;
                "drop_before" breaks the connection before the call takes effect, "drop_after" afterwards;
                "delay" answers `delay` seconds late; "duplicate" delivers an update again after `delay`
                seconds; "resend" delivers it again so, but as a new update, as an app does that has
                reconnected; "reorder" holds an update back for `delay` seconds, so that later ones overtake it.
            method: None means all but getUpdates.
            chat: Only calls for this chat (or updates from it).
            times: How often it strikes at most; None for no limit.
            share: The share of matching calls or updates that it strikes, by the seeded random numbers.
            retry_after: Seconds.
            status: The status of HTTP, for "5xx" and answers.
            delay: Seconds.
            error: The refusal, for "error".
            update: The kind of update ("callback_query" ...), for faults of updates; None for all.
            body: The body of the response, for "answer_before" and "answer_after".
        """
        if kind == "error" and error is None:
            raise ValueError('a fault of kind "error" needs an error')
        identifier = chat if isinstance(chat, int) or chat is None else chat.id
        fault = Fault(kind, method, identifier, times, share, retry_after, status, delay, error, update, body)
        self._faults.append(fault)
        return fault

    def remove(self, fault: Fault) -> None:
        """Remove a fault."""
        if fault in self._faults:
            self._faults.remove(fault)

    def clear(self) -> None:
        """Remove all faults."""
        self._faults.clear()

    def of_call(self, method: str, chat: int | None) -> Fault | None:
        """The fault that strikes this call, if any; the earliest one added comes first."""
        for fault in self._faults:
            if fault.kind in _OF_UPDATES or (fault.chat is not None and fault.chat != chat):
                continue
            wanted = method != "getUpdates" if fault.method is None else fault.method == method
            if wanted and self._strikes(fault):
                return fault
        return None

    def of_update(self, kind: str, payload: Json) -> Fault | None:
        """The fault that strikes this update, if any."""
        if not self._faults:
            return None
        chat = payload.get("chat") or payload.get("message", {}).get("chat") or {}
        for fault in self._faults:
            if fault.kind not in _OF_UPDATES or fault.update not in {None, kind}:
                continue
            if (fault.chat is None or fault.chat == chat.get("id")) and self._strikes(fault):
                return fault
        return None

    def _strikes(self, fault: Fault) -> bool:
        if fault.times is not None and fault.struck >= fault.times:
            return False
        if fault.share < 1.0 and self._random.random() >= fault.share:
            return False
        fault.struck += 1
        return True
