"""Plays a game that somebody has shared from a position of it, to do better; and tells them how it ended."""

from functools import partial
from typing import Final

from bot.boards import links
from bot.boards.players import computer, named
from bot.boards.rules import rules_name
from bot.boards.view import View
from bot.context.beginning import NewGame, begin
from bot.context.feature import Feature
from bot.context.notices import worded
from bot.context.requests import CommandRequest
from bot.context.services import Services
from bot.context.sharing import ply_to_beat
from bot.delivery.entries import OutgoingMessage
from bot.game.new_game import USUAL_LEVEL
from bot.language import _
from storage.games import games
from storage.games.record import Notice, NoticeKind


async def beat(request: CommandRequest, game_id: int, ply: int = 0) -> None:
    """Play the side of whoever shared a game from a position of it, against OXO at the same level.

    They may be told how it ends (`storage.games.outbox.tell_sharer`); its board says so, and what is to be beaten.
    """
    shared = (await request.services.store.read(games.load, game_id=game_id)).game
    ply = ply or await ply_to_beat(shared) or 0
    level, moves = shared.level or USUAL_LEVEL, shared.moves[:ply]
    await begin(request, NewGame(is_alone=True, level=level, rules=shared.rules, moves=moves, beats=game_id))


async def how_it_ended(services: Services, notice: Notice) -> OutgoingMessage | None:
    """The message that says how somebody did from a position that a person has shared."""
    return await worded(notice, partial(_how_it_ended, services, notice))


async def _how_it_ended(services: Services, notice: Notice) -> View | None:
    """How somebody did from a position that a person has shared; None if they were forgotten since."""
    record = await services.store.read(games.find, game_id=notice.game_id or 0)
    if record is None or (mark := (game := record.game).mark_of(notice.subject or 0)) is None:
        return None
    shared = await services.store.read(games.find, game_id=game.beats or 0)
    below = [rules_name(game.rules), computer(game)]
    if game.winner is None:
        said = _("🎯 {name} tried the game you shared, and drew.")
    elif game.winner is mark:
        said = _("🎯 {name} tried the game you shared, and won.")
        if shared is not None and shared.game.winner is mark:
            compared = _("Moves: {name} {count}, you {own}")
            below.insert(0, compared.format(name=named(game, mark), count=game.ply, own=shared.game.ply))
    else:
        said = _("🎯 {name} tried the game you shared, and lost.")
    return View(f"{said.format(name=named(game, mark))}\n{' · '.join(below)}")


FEATURE: Final = Feature(links={links.BEAT: beat}, notices={NoticeKind.BEATEN: how_it_ended})
