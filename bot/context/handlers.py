"""Who handles which button, and what a tap is answered with. A feature says it beside its handler."""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Final, NamedTuple, TypeAlias, TypeVar

from bot.boards.buttons import Menu
from bot.game.actions import Action


class Link(NamedTuple):
    """An answer to a tap that opens the private chat with the bot."""

    url: str


class Later(NamedTuple):
    """An answer that takes a search."""

    words: Coroutine[None, None, str | None]
    """Searches, and gives the answer; None if the same was asked again, and is answered then."""


Told: TypeAlias = "str | Link | Later | None"
"""What the tapper is told, to be translated if it isn't yet."""

TapHandler: TypeAlias = Callable[..., Awaitable[Told]]
T = TypeVar("T", bound=TapHandler)

HANDLERS: Final[dict[type[Menu | Action], TapHandler]] = {}
"""By what a button carries. An action without one is done as it is (`bot.context.acting.act`)."""


def tap(*kinds: type[Menu | Action]) -> Callable[[T], T]:
    """Let a function handle taps: it gets the requester and the button, or the game's id and the action."""

    def register(handler: T) -> T:
        HANDLERS.update(dict.fromkeys(kinds, handler))
        return handler

    return register
