"""What others get of a finished game, in words or as the caption of its picture: with links alone below it.

A button that isn't a link would take all of them away when the message is forwarded.
"""

import asyncio

from bot.boards import links, names
from bot.boards.finished import sent_text
from bot.boards.players import Scene
from bot.boards.view import Key, Row, View, keyboard
from bot.context.services import Services
from bot.game.pages import is_reviewable, to_beat
from bot.language import _
from engine import Mark
from storage.games import games
from storage.games.game import Game
from storage.people import chats


async def sent(services: Services, query: str, person: int) -> View | None:
    """What somebody sends by an inline query that *Send* has typed for them; None if it's another, or too late."""
    if (found := links.read(query.strip(), 0, services.key, links.BEAT)) is None:
        return None
    record = (await services.store.read(games.load_sound, ids=[found[0]])).get(found[0])
    if record is None or not is_reviewable(record.game):
        return None
    theme = (await services.store.read(chats.load, chat_id=person)).theme
    text = sent_text(Scene(record.game, theme=theme))
    return View(text, keyboard([row]) if (row := await ways_on(services, record.game, person)) else None)


async def ways_on(services: Services, game: Game, person: int | None) -> Row:
    """The links below a game that a person sends: to do better on one side of it, and to challenge that player."""
    if (mark := _side_of(game, person)) is None:
        return []
    ply = await ply_to_beat(game, person)
    beat = [] if ply is None else [Key(_("Beat this"), services.me.lead(game.id, 0, links.BEAT, ply))]
    label = _("Play {name}").format(name=names.plain(game.name(mark), _("Player")))
    return [*beat, Key(label, services.me.lead(game.id, 0, links.CHALLENGE))]


async def ply_to_beat(game: Game, person: int | None = None) -> int | None:
    """The ply from which others may do better on the side that somebody shows; None if nobody has played it."""
    mark = _side_of(game, person)
    return None if mark is None else await asyncio.to_thread(to_beat, game, mark)


def _side_of(game: Game, person: int | None) -> Mark | None:
    """The side of a game that somebody shows to others: their own, the winner's, or else another person's."""
    people = links.players_of(game)
    own = None if person is None else game.mark_of(person)
    return next((each for each in (own, game.winner, *people) if each in people), None)
