"""What others get of a finished game, in words or as the caption of its picture: with links alone below it.

A button that isn't a link would take all of them away when the message is forwarded. A message in words is kept as
one of its game's, where Telegram says that it was sent: it is edited as others try to do better, or leave.
"""

import asyncio
from functools import partial

from sqlalchemy import Connection

from bot.boards import links
from bot.boards.finished import shared_view, ways_on
from bot.boards.players import Scene
from bot.boards.view import Row, View
from bot.context.requests import Requester
from bot.context.services import Services
from bot.game.pages import is_reviewable, to_beat
from engine import Mark
from storage.games import boards, games, gauntlets, lookups
from storage.games.game import Game
from storage.games.record import SHARED_PAGE, Page, Place


async def sent(services: Services, link: str, person: int) -> View | None:
    """What somebody sends by an inline query that *Send* has typed for them; None if it's another, or too late."""
    if (game := await _shared(services, link)) is None:
        return None
    gauntlet, ply = await services.store.read(gauntlets.find, game_id=game.id), await ply_to_beat(game, person)
    return shared_view(Scene(game, me=services.me, gauntlet=gauntlet), ply or 0)


async def keep(requester: Requester, link: str, inline_message_id: str) -> bool:
    """Keep what somebody has sent so as a message of its game; False if it is something else."""
    services = requester.services
    if (game := await _shared(services, link)) is None:
        return False
    page = Page(f"{SHARED_PAGE}{await ply_to_beat(game, requester.user.id) or 0}")
    place = Place(inline_message_id=inline_message_id, language=requester.player.language)
    await services.store.run(partial(_keep, game_id=game.id, place=place, page=page))
    return True


def _keep(connection: Connection, *, game_id: int, place: Place, page: Page) -> None:
    if lookups.by_inline_message(connection, place.inline_message_id or "") is None:
        boards.close(connection, boards.put(connection, game_id, place, page=page, aside=True))


async def _shared(services: Services, link: str) -> Game | None:
    if (found := links.read(link.strip(), 0, services.key, links.BEAT)) is None:
        return None
    record = await services.store.read(games.find, game_id=found[0])
    return record.game if record is not None and is_reviewable(record.game) else None


async def links_below(services: Services, game: Game, person: int | None) -> Row:
    """The links below the picture of a game that a person sends."""
    return ways_on(Scene(game, me=services.me), await ply_to_beat(game, person) or 0)


async def ply_to_beat(game: Game, person: int | None = None) -> int | None:
    """The ply from which others may do better on the side that somebody shows; None if nobody has played it."""
    people = links.players_of(game)
    own = None if person is None else game.mark_of(person)
    side: Mark | None = next((each for each in (own, game.winner, *people) if each in people), None)
    return None if side is None else await asyncio.to_thread(to_beat, game, side)
