"""Commands that mean something to more than one feature, such as /start, /challenge, /again and /cancel."""

from __future__ import annotations

from typing import Final

from bot.context import links
from bot.context.requests import CommandRequest
from bot.features import basics, matchmaking, new_games, play, watch
from bot.features import challenge as challenges
from bot.features import puzzle as puzzles
from bot.features import review as reviews
from bot.features import share as sharing
from bot.language import N_, _
from storage.errors import GameNotFound

UNKNOWN_GAME: Final = N_("I don't know this game any more. Send /newgame to start another.")


async def start(request: CommandRequest) -> None:
    """Greet, or do what the opened link asks for."""
    if not request.args or not request.is_private:
        await basics.greet(request)
    elif request.args[0] == puzzles.LINK:
        await puzzles.follow(request)
    elif matchmaking.is_link(request.args[0]):
        await matchmaking.follow(request, request.args[0])
    else:
        await _follow(request, request.args[0])


async def _follow(request: CommandRequest, text: str) -> None:
    person, key = request.requester.user.id, request.services.key
    for purpose, whose, lead in (
        (links.REVIEW, person, reviews.follow),
        (links.SHARE, person, sharing.follow),
        (links.CHALLENGE, 0, challenges.offer),
    ):
        if (game_id := links.read(text, whose, key, purpose)) is not None:
            try:
                await lead(request, game_id)
            except GameNotFound:  # it was deleted since; the link still exists wherever it was sent
                request.reply(_(UNKNOWN_GAME))
            return
    await challenges.follow(request, text)


async def challenge(request: CommandRequest) -> None:
    """Challenge somebody: in a group here, in a private chat by a link."""
    if request.is_private:
        await challenges.challenge_by_link(request)
    else:
        await new_games.challenge(request)


async def again(request: CommandRequest) -> None:
    """Play again, or watch again if the newest game was an exhibition."""
    if not await watch.again(request):
        await play.again(request)


async def leave(request: CommandRequest) -> None:
    """Stop waiting for an opponent, or else leave a review."""
    if not await matchmaking.typed_leave(request):
        await reviews.leave(request)


async def cancel(request: CommandRequest) -> None:
    """Withdraw one's own wait for an opponent, or else one's challenge or question."""
    if not await _waits_no_more(request):
        await play.cancel(request)


async def decline(request: CommandRequest) -> None:
    """Say no: stop waiting for an opponent, or else decline what is asked."""
    if not await _waits_no_more(request):
        await play.decline(request)


async def _waits_no_more(request: CommandRequest) -> bool:
    """End the person's wait, unless the command replies to a message that means something else; False if not."""
    if request.message.reply_to_message is not None:
        return False
    return await matchmaking.withdraw(request)
