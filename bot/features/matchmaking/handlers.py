"""/play: looking for an opponent in the private chat, waiting, and leaving."""

import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.boards import matchmaking as views
from bot.boards.buttons import FindOpponent
from bot.boards.translations import folded, typed
from bot.boards.view import View
from bot.context.acting import act
from bot.context.beginning import stored
from bot.context.feature import Command, Event, Feature, Heading, HelpPage, Menus, Routine
from bot.context.requests import CommandRequest, Requester
from bot.features.matchmaking import pairing
from bot.game.attempt import Refusal
from bot.game.choices import ANY
from bot.game.matchmaking import Stay, WantAny, paired_from, wanted
from bot.game.new_game import DEFAULT_RULES, Cancel, wait
from bot.game.play import SetRules
from bot.language import N_, _
from engine.rules.catalogue import is_offered_as
from storage.columns import DAY
from storage.errors import StorageError
from storage.games import boards, games
from storage.games.game import Game
from storage.games.versions import Stored
from storage.people import cups, matchmaking
from storage.people.person import Chat

log = logging.getLogger(__name__)

PLAY_LINK: Final = "play"
"""The start parameter of a link that looks for an opponent; rules follow after a dash."""

LOOKING: Final = N_("I'm already looking.")


class Joined(NamedTuple):
    """The result of somebody's looking for an opponent."""

    stored: Sequence[Stored] = ()
    """Boards to be shown."""
    is_new: bool = False
    """Whether their wait has just begun."""
    waiting: Game | None = None
    """The wait that they began before."""
    playing: Game | None = None
    """The game they already play with an opponent found here."""


async def play(request: CommandRequest) -> None:
    """Look for an opponent; in a group, give a link to the private chat."""
    known = typed(views.ANY_WORD)
    named = [word for word in request.args if folded(word) not in known]
    wished = request.read(named, "rules", other=views.any_hint()).get("rules")
    if wished is None and len(named) < len(request.args):
        wished = ANY
    if request.is_private:
        await _play(request, wished)
        return
    link = request.services.link_to(PLAY_LINK if wished is None else f"{PLAY_LINK}-{wished}")
    request.reply(views.to_the_private_chat(link))


async def follow(request: CommandRequest, rules: str) -> None:
    """Look for an opponent, as the start parameter of a link says."""
    await _play(request, rules if rules == ANY or is_offered_as(rules) else None)


async def tap_find(requester: Requester, button: FindOpponent) -> str | None:
    """Look for an opponent in the private chat; returns what the tapper is told."""
    if requester.where.chat_id != requester.user.id:
        return Refusal.ONLY_IN_PRIVATE.value
    joined = await _look(requester, button.rules or None)
    if joined.playing is not None:
        return Refusal.MET.value
    return None if joined.is_new else LOOKING


async def tap_wanted(requester: Requester, game_id: int, action: Stay | WantAny | SetRules | Cancel) -> str | None:
    """Choose a board, or withdraw; a wait goes on or ends. Returns what the tapper is told."""
    done = await act(requester, game_id, action)
    if not done.record.game.is_wait:
        return done.words
    await pairing.look(requester.services)  # there may be an opponent now
    return {Stay: views.STAYS, Cancel: views.STOPPED_LOOKING}.get(type(action), done.words)


async def _play(request: CommandRequest, wished: str | None) -> None:
    request.need_recent(also_in_private=True)  # whoever has gone by now isn't to be paired
    joined = await _look(request, wished)
    if joined.playing is not None:
        await request.reply_with(partial(_one_at_a_time, request, joined.playing.id))


async def _one_at_a_time(request: CommandRequest, game_id: int) -> View:
    game = (await request.services.store.read(games.load, game_id=game_id)).game
    person = request.user.id
    return View(views.one_at_a_time(game, person))


async def _look(requester: Requester, wished: str | None) -> Joined:
    """Let somebody wait, and pair them if possible.

    They wish for some rules, or `ANY`; None for the usual ones of their chat, or those they wait for already.
    """
    services = requester.services
    joined = await services.store.run(join, requester=requester, wished=wished)
    if joined.waiting is not None:
        await act(requester, joined.waiting.id, _chosen(joined.waiting, wished), comes=True)
    elif not joined.is_new:
        services.boards.show_all(joined.stored)
    if joined.playing is not None:
        return joined
    await pairing.look(services)
    if joined.is_new:
        with suppress(StorageError):
            if await services.store.run(matchmaking.waiting_of, person=requester.user.id) is not None:
                services.boards.show_all(joined.stored)  # unless they were paired immediately
    return joined


def _chosen(game: Game, wished: str | None) -> Stay | WantAny | SetRules:
    """What somebody who waits already does by looking again."""
    if wished in (None, wanted(game) or ANY):
        return Stay()
    return WantAny() if wished == ANY else SetRules(wished)


def join(connection: Connection, *, requester: Requester, wished: str | None) -> Joined:
    """Start somebody's wait, unless they are already waiting or playing."""
    now = int(time.time())
    person, place = requester.user.id, requester.own_place
    found = matchmaking.find(connection, person)
    if found.waiting is not None:
        return Joined(waiting=found.waiting.game)
    for game_id in (*found.playing, *cups.busy(connection, [person]).values()):  # one clock at a time
        record = games.load(connection, game_id)
        theirs = record.boards_in(person)
        if theirs:
            return Joined([boards.move_down(connection, record, theirs[-1], place)], playing=record.game)
        return Joined([Stored(record, boards.put(connection, game_id, place), None)], playing=record.game)

    def make(chat: Chat) -> Game:
        is_any = wished == ANY
        rules = chat.rules or DEFAULT_RULES if wished is None or is_any else wished
        told = matchmaking.typical_wait(connection, None if is_any else rules, now)
        game = wait(requester.attempt(), rules=rules, any_rules=is_any, told=told)
        missed = matchmaking.missed(connection, [person], now - DAY).get(person, ())
        return game._replace(created_at=max(game.created_at, paired_from(missed)))

    record = stored(connection, requester, make, requester.once)
    return Joined([Stored(record, board, None) for board in record.boards], is_new=True)


FEATURE: Final = Feature(
    heading=Heading.NEW_GAMES,
    commands=[Command("play", play, N_("Find an opponent"), Menus.PRIVATE)],
    taps={FindOpponent: tap_find, **dict.fromkeys((Stay, WantAny, SetRules, Cancel), tap_wanted)},
    links={PLAY_LINK: follow},
    routines=[Routine("Pairing", pairing.look, 1.0)],
    on={Event.UNREACHABLE: pairing.drop, Event.FORGETTING: pairing.let_go, Event.NOT_BEGUN: pairing.part},
    helps={HelpPage.FRIENDS: lambda: _("/play finds an opponent.")},
    keeps=N_(
        "• While I look for an opponent for you: which board, and since when. For a week after that: who I found, "
        "and how long you both waited."
    ),
)
