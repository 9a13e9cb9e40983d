"""/play: somebody to play is looked for, in one's private chat; leaving; and saying that one is there."""

from __future__ import annotations

import logging
import secrets
import time
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.game.acts import Act
from bot.game.new_game import DEFAULT_RULES
from bot.game.queue import ANY, Terms, stay, terms_of, waiting, waits, with_terms
from bot.handlers import meetings, reviews
from bot.handlers.acting import act
from bot.handlers.requests import request_of
from bot.views import queue as views
from bot.views import words
from bot.views.people import Eyes
from bot.views.queue import ANY_WORDS
from bot.views.texts import N_
from bot.views.view import View
from engine.offered import is_offered_as
from storage import boards, chats, games, queue
from storage.board import Place
from storage.chats import Person
from storage.errors import StorageError
from storage.record import Decision, Made, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection
    from telegram import Update

    from bot.context import Context
    from bot.handlers.requests import CommandRequest, Sender
    from bot.views.buttons import Queue
    from storage.game import Game
    from storage.versions import Raised

log = logging.getLogger(__name__)

LINK: Final = "play"
"""What a link into the private chat carries that looks for somebody to play; rules follow a dash."""

PRIVATE: Final = N_("That works in our private chat.")
LOOKING: Final = N_("I am already looking.")


class Wished(NamedTuple):
    """What somebody wants to play."""

    rules: str | None = None
    """None for what is usual in their chat, or what they wait for already."""
    any_rules: bool = False


class Joined(NamedTuple):
    """What became of somebody's wish to play."""

    made: Made | None = None
    """Their game in the queue, where it was made just now or by this update before."""
    raised: Sequence[Raised] = ()
    """Boards to be shown."""
    playing: Game | None = None
    """The game that they play already with somebody whom they have met."""


async def play(update: Update, context: Context) -> None:
    """Look for somebody to play; in a group, give a link to where that is done."""
    if (request := request_of(update, context)) is None:
        return
    try:
        wished = read(context.args or [], request)
    except words.WordError as error:
        request.reply(words.complaint(error, request.t, "rules", other=views.any_hint(request.t)))
        return
    if request.is_private:
        await _play(request, wished)
        return
    what = ANY if wished.any_rules else wished.rules
    link = request.services.publisher.link_to(LINK if what is None else f"{LINK}-{what}")
    request.reply(views.to_the_private_chat(link, request.t))


def is_link(payload: str) -> bool:
    """Whether what a link carries looks for somebody to play."""
    return payload == LINK or payload.startswith(f"{LINK}-")


async def follow(request: CommandRequest, payload: str) -> None:
    """Look for somebody to play, as a link says."""
    rules = payload.removeprefix(LINK).removeprefix("-")
    await _play(request, Wished(rules if is_offered_as(rules) else None, any_rules=rules == ANY))


async def tapped(sender: Sender, wish: Queue) -> str | None:
    """Do what a button says; the result is what its tapper is told."""
    if sender.where.chat_id != sender.user.id:
        return PRIVATE
    match wish.word:
        case "leave":
            return await leave(sender)
        case "stay":
            return await _stay(sender)
        case "play" if not wish.rules or is_offered_as(wish.rules):
            joined = await _look(sender, Wished(wish.rules or None), again=False)
            if joined.playing is not None:
                return views.MET
            return None if joined.made is not None else LOOKING
    return None


async def typed_leave(update: Update, context: Context) -> None:
    """Leave the queue, or else a review."""
    if (request := request_of(update, context)) is None:
        return
    own = partial(queue.waiting_of, person=request.sender.user.id)
    if request.is_private and (await request.services.store.run(own)) is not None:
        request.reply(request.t.gettext(await leave(request.sender)))
        return
    await reviews.leave(update, context)


async def leave(sender: Sender) -> str:
    """Wait no more; the result is what the person is told."""
    store = sender.services.store
    game_id = await store.run(partial(queue.waiting_of, person=sender.user.id))
    if game_id is not None and (await act(sender, game_id, Act.CANCEL)).refusal is None:
        return views.LEFT
    return views.MET if await store.run(partial(queue.playing_of, person=sender.user.id)) else views.NOT_WAITING


async def rules_chosen(sender: Sender, record: Record) -> None:
    """Say how long others have waited for the board that who waits has chosen, and look for one of them."""
    if not waits(record.game):
        return
    rules, now = record.game.rules, int(time.time())
    services = sender.services
    told = await services.store.run(partial(meetings.typical_wait, rules=rules, now=now))
    changed = await services.store.change(record.game.id, partial(_told, terms=Terms(told)))
    services.publisher.show(changed)
    await meetings.look(services)


def read(said: Sequence[str], request: CommandRequest) -> Wished:
    """What the words after the command want to play.

    Raises:
        WordError: as `words.read`.
    """
    t = request.t
    known = {*ANY_WORDS, t.gettext(ANY_WORDS[0])}
    rest = [word for word in said if word.lower() not in known]
    rules = words.read(rest, t, "rules").get("rules")
    return Wished(rules, any_rules=rules is None and len(rest) < len(said))


async def _play(request: CommandRequest, wished: Wished) -> None:
    joined = await _look(request.sender, wished, again=True)
    if joined.playing is not None:
        await request.reply_with(partial(_one_at_a_time, request, joined.playing.id))


async def _one_at_a_time(request: CommandRequest, game_id: int) -> View:
    game = (await request.services.store.run(partial(games.load, game_id=game_id))).game
    person = request.sender.user.id
    return View(views.one_at_a_time(game, person, Eyes(person, request.t)))


async def _look(sender: Sender, wished: Wished, *, again: bool) -> Joined:
    """Let somebody wait, and pair whom there is to pair; with `again`, who waits gets their message anew."""
    services = sender.services
    joined = await services.store.run(partial(join, sender=sender, wished=wished, again=again))
    for raised in joined.raised:
        services.publisher.show_raised(raised)
    if joined.playing is not None:
        return joined
    try:
        await meetings.look(services)
    except StorageError as error:
        log.debug("Who has come is paired a moment later: %s", error)
    if joined.made is not None:
        await _show(sender, joined.made)
    return joined


async def _show(sender: Sender, made: Made) -> None:
    """Show somebody that they wait, unless they were paired at once."""
    game_id = made.record.game.id
    try:
        record = await sender.services.store.run(partial(games.load, game_id=game_id))
    except StorageError:
        record = made.record
    if waits(record.game):
        sender.services.publisher.show_made(made._replace(record=record))


async def _stay(sender: Sender) -> str:
    services = sender.services
    game_id = await services.store.run(partial(queue.waiting_of, person=sender.user.id))
    if game_id is None:
        playing = await services.store.run(partial(queue.playing_of, person=sender.user.id))
        return views.MET if playing else views.NOT_WAITING
    there = partial(stay, now=int(time.time()), limits=services.limits)
    changed = await services.store.change(game_id, there, sender.update_id)
    services.publisher.show(changed)
    await meetings.look(services)
    return views.STAYS


def join(connection: Connection, *, sender: Sender, wished: Wished, again: bool) -> Joined:
    """Put somebody into the queue who is not there; or find them there, or at play."""
    if (known := games.of_update(connection, sender.update_id)) is not None:
        return Joined(Made(known, is_new=False))
    person, now = sender.player, int(time.time())
    chat = chats.choose(connection, person.id, {})
    found = queue.find(connection, person.id)
    if found.waiting is not None:
        record = games.load(connection, found.waiting)
        return Joined(raised=_wait_on(connection, record, sender, wished, again=again))
    for game_id in found.playing:
        record = games.load(connection, game_id)
        theirs = [board for board in record.boards if board.viewer == person.id and not board.leaving]
        down = [boards.move_down(connection, record, theirs[-1], None)] if theirs else []
        return Joined(raised=down, playing=record.game)
    chats.see(connection, Person(person.id, person.name, person.language, person.username))
    rules = wished.rules or chat.rules or DEFAULT_RULES
    told = meetings.typical_wait(connection, None if wished.any_rules else rules, now)
    game = waiting(
        person,
        rules=rules,
        terms=Terms(told, wished.any_rules),
        now=now,
        limits=sender.services.limits,
        secret=secrets.token_urlsafe(12),
        update_id=sender.update_id,
    )
    return Joined(
        Made(boards.add(connection, game, [Place(person.id, viewer=person.id, language=person.language)]))
    )


def _wait_on(
    connection: Connection, record: Record, sender: Sender, wished: Wished, *, again: bool
) -> Sequence[Raised]:
    """Note that who waits is there, and perhaps wants to play something else now."""
    now = int(time.time())
    game = stay(record, now, sender.services.limits).game
    asks = wished.rules is not None or wished.any_rules
    if asks:
        told = meetings.typical_wait(connection, wished.rules, now)
        game = with_terms(game._replace(rules=wished.rules or game.rules), Terms(told, wished.any_rules))
    if not again and (game.rules, game.token) == (record.game.rules, record.game.token):
        return ()
    game = games.next_version(game, now, sender.update_id)
    games.save_many(connection, [(game, record.game)])
    changed = Record(game, record.boards)
    return (meetings.call_all if again else meetings.raise_all)(connection, changed, now)


def _told(record: Record, *, terms: Terms) -> Decision[None]:
    game = record.game
    if not waits(game) or terms_of(game) == terms:
        return Decision(game, None)
    return Decision(with_terms(game, terms), None)
