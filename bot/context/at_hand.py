"""Which game a command means."""

import math
import time
from collections.abc import Sequence
from functools import partial
from typing import Final

from sqlalchemy import Connection

from bot.boards import lists
from bot.boards.buttons import Play
from bot.boards.keyboards import ways_to_play
from bot.boards.view import Key, View, keyboard
from bot.context.requests import CommandRequest
from bot.language import N_, _
from storage.games import games, lookups
from storage.games.record import Record

WHICH: Final = N_("Which board should I move down?")
OTHER_TOPIC: Final = N_(
    "Nothing happened: your game is in another topic. Tap it to bring it here, then try again."
)


async def games_meant(request: CommandRequest, topic: int | None = lookups.ANY_TOPIC) -> Sequence[Record]:
    """The games that a command can mean: the one whose message it replies to, else the person's running ones."""
    return await request.services.store.read(_find, request=request, topic=topic)


def _find(connection: Connection, *, request: CommandRequest, topic: int | None) -> Sequence[Record]:
    if (record := request.answered_game(connection)) is not None:
        return [record]
    return lookups.running(connection, request.chat_id, request.user.id, topic)


async def game_at_hand(request: CommandRequest) -> Record | None:
    """The game that a command means; if that is unclear, the person is asked, or told that there is none.

    Without a reply it means the game whose board is lowest in its topic, and moves no board from another there.
    A reply means the game of that message; if it shows no known game, only a single running game can be meant.
    """
    found = await games_meant(request, request.where.thread_id)
    if not found:
        await list_games(_(OTHER_TOPIC), await games_meant(request), request)
        return None
    if len(found) > 1 and request.answers_us:
        await list_games(_(WHICH), found, request)
        return None
    return max(found, key=lambda record: (_newest_message(record, request.chat_id), record.game.id))


def _newest_message(record: Record, chat_id: int) -> float:
    """The newest message that is a game's board in a chat; one that is still to come is the newest of all."""
    here = [board.message_id for board in record.boards_in(chat_id)]
    return max((math.inf if message_id is None else message_id for message_id in here), default=0)


async def list_games(head: str, found: Sequence[Record], request: CommandRequest) -> None:
    """List games with a button for each, whose board it moves to the bottom."""
    await request.reply_with(partial(_listed, head, [record.game.id for record in found], request))


async def _listed(head: str, ids: Sequence[int], request: CommandRequest) -> View:
    known = await request.services.store.read(games.load_sound, ids=ids)
    going_on = [known[game_id].game for game_id in ids if game_id in known and not known[game_id].game.is_over]
    if not going_on:
        rows = ways_to_play(request.services.me) if request.is_private else [[Key(_("New game"), Play())]]
        return View(_("You have no game in progress here."), keyboard(rows))
    return lists.games_list(head, going_on, request.user.id, int(time.time()))
