"""Commands that mean something to more than one feature, such as /start, /challenge, /again and /cancel."""

from typing import Final

from bot.context import links
from bot.context.requests import CommandRequest
from bot.features import basics, cups, matchmaking, new_games, play, puzzle, review, share, watch
from bot.features import challenge as challenges
from bot.game.exhibitions import GoFaster, Stop
from bot.game.pages import PlayFrom
from bot.language import N_, _
from storage.errors import GameNotFound

UNKNOWN_GAME: Final = N_("I don't know this game any more. Send /newgame to start another.")


async def start(request: CommandRequest) -> None:
    """Greet, or do what the opened link asks for."""
    if not request.args or not request.is_private:
        request.need_recent()
        await basics.greet(request)
    elif request.args[0] == puzzle.PUZZLE_LINK:
        await puzzle.follow(request)
    elif request.args[0] == cups.CUP_LINK:
        await cups.play_here(request)
    elif matchmaking.is_link(request.args[0]):
        await matchmaking.follow(request, request.args[0])
    else:
        await _follow(request, request.args[0])


async def _follow(request: CommandRequest, text: str) -> None:
    person, key = request.user.id, request.services.key
    for purpose, whose, lead in (
        (links.REVIEW, person, review.follow),
        (links.SHARE, person, share.follow),
        (links.CHALLENGE, 0, challenges.offer),
        (links.BEAT, 0, new_games.beat),
    ):
        if (place := links.read(text, whose, key, purpose)) is not None:
            try:
                await lead(request, *place)
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


async def leave(request: CommandRequest) -> None:
    """Stop waiting for an opponent, or else leave a review."""
    if not await play.answer(request, "leave"):
        await review.step(request, "leave")


async def play_from(request: CommandRequest) -> None:
    """Play on from the position of a review, as its button does; a word names the level."""
    request.need_recent()
    game_id, ply = await review.shown_to(request)
    level = request.read(request.args, "level").get("level")
    if told := await new_games.play_from(request, game_id, PlayFrom(ply), level):
        request.reply(_(told))


async def answer(request: CommandRequest, word: str) -> None:
    """Do what a button does by its command."""
    if word in ("again", "rematch", "swap", "play_winner"):  # another game
        request.need_recent()
    if not await play.answer(request, word):
        watched = word in (*Stop.rule.typed, *GoFaster.rule.typed)
        request.reply(_(watch.NOTHING_TO_WATCH if watched else NOTHING_TO_ANSWER))


NOTHING_TO_ANSWER: Final = N_("There's nothing to answer here. /games lists your games.")
