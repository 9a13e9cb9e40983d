"""Faults that tests inject: refusals, broken connections, delays, updates repeated or out of order."""

import random
from dataclasses import dataclass
from typing import Any, Literal, get_args

from playground.errors import ApiError, Json, too_many_requests

OfCalls = Literal["429", "5xx", "error", "answer_before", "answer_after", "drop_before", "drop_after", "delay"]
OfUpdates = Literal["duplicate", "reorder", "resend", "old", "no_instance"]
FaultKind = OfCalls | OfUpdates
BAD_GATEWAY = "Bad Gateway"


@dataclass(eq=False, kw_only=True, slots=True)
class Fault:
    """What goes wrong, and with which calls or updates, until it is removed."""

    kind: FaultKind
    """What happens instead of, or to, a call or an update.

    "429" refuses with `retry_after`; "5xx" answers `status`; "error" answers `error`; "answer_before" answers
    `status` and `body` instead of the call, "answer_after" in spite of it; "drop_before" breaks the connection
    before the call takes effect, "drop_after" afterwards; "delay" answers `delay` seconds late; "duplicate"
    delivers an update again after `delay` seconds; "resend" delivers it again so, but as a new update, as an app
    does that has reconnected; "reorder" holds an update back for `delay` seconds, so that later ones overtake it;
    "old" brings a tap without what its message shows, as the bot can't read it any more; "no_instance" without its
    `chat_instance`.
    """
    method: str | None = None
    """None means all but getUpdates."""
    update: str | None = None
    """The kind of update ("callback_query" ...), for faults of updates; None for all."""
    chat: int | None = None
    """Only calls for the chat of this id, or updates from it."""
    times: int | None = None
    """How often it strikes at most."""
    share: float = 1.0
    """The share of matching calls or updates that it strikes, by the seeded random numbers."""
    retry_after: int = 1
    status: int = 502
    delay: float = 0.1
    error: ApiError | None = None
    body: bytes = b""
    struck: int = 0
    """How often it has struck."""

    def __post_init__(self) -> None:
        if self.kind == "error" and self.error is None:
            raise ValueError('a fault of kind "error" needs an error')
        if self.kind in {"old", "no_instance"}:
            self.update = "callback_query"

    def refuse(self) -> None:
        """Refuse the call instead of carrying it out, if the fault is of that kind."""
        if self.kind == "429":
            raise too_many_requests(self.retry_after)
        if self.kind == "5xx":
            raise ApiError(self.status, "Internal Server Error" if self.status == 500 else BAD_GATEWAY)
        if self.error is not None:
            raise self.error.with_traceback(None)  # as it is raised again and again


class Faults:
    """The faults in force."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - repeatable chance, no secret
        self.in_force: list[Fault] = []

    def add(self, kind: FaultKind, **how: Any) -> Fault:  # noqa: ANN401 - the fields of a fault
        """Put a fault in force; it takes what `Fault` takes."""
        fault = Fault(kind=kind, **how)
        self.in_force.append(fault)
        return fault

    def remove(self, fault: Fault) -> None:
        if fault in self.in_force:
            self.in_force.remove(fault)

    def clear(self) -> None:
        self.in_force.clear()

    def of_call(self, method: str, chat: int | None) -> Fault | None:
        """The fault that strikes this call, if any; the earliest one added comes first."""

        def meant(fault: Fault) -> bool:
            wanted = method != "getUpdates" if fault.method is None else fault.method == method
            return wanted and fault.kind not in get_args(OfUpdates) and fault.chat in {None, chat}

        return next(filter(self._strikes, filter(meant, self.in_force)), None)

    def of_update(self, kind: str, payload: Json) -> Fault | None:
        chat = payload.get("chat") or payload.get("message", {}).get("chat") or {}

        def meant(fault: Fault) -> bool:
            wanted = fault.kind in get_args(OfUpdates) and fault.update in {None, kind}
            return wanted and fault.chat in {None, chat.get("id")}

        return next(filter(self._strikes, filter(meant, self.in_force)), None)

    def _strikes(self, fault: Fault) -> bool:
        if fault.times is not None and fault.struck >= fault.times:
            return False
        if fault.share < 1.0 and self._random.random() >= fault.share:
            return False
        fault.struck += 1
        return True
