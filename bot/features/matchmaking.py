"""/play: looking for an opponent in the private chat, waiting, and leaving."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias, assert_never

from sqlalchemy import Connection
from telegram import Update
from telegram.constants import ChatMemberStatus, ChatType

from bot.boards import matchmaking as views
from bot.boards import rule_words
from bot.boards.buttons import (
    FindOpponent,
    HideWanted,
    KeepWaiting,
    SetWanted,
    ShowMoreWanted,
    ShowWanted,
    StopWaiting,
)
from bot.boards.rule_words import WordError
from bot.boards.translations import folded, typed
from bot.boards.view import View
from bot.context.handlers import tap
from bot.context.requests import CommandRequest, Requester
from bot.context.services import Context
from bot.features import pairing
from bot.game.choices import ANY
from bot.game.new_game import DEFAULT_RULES
from bot.language import N_, _
from engine.rules.catalogue import is_offered_as
from storage.errors import StorageError
from storage.games import boards, games, lookups, versions
from storage.games.game import Game
from storage.games.record import WHOLE, Page
from storage.games.versions import Stored
from storage.people import chats, matchmaking, people
from storage.people.person import Wait, WaitEnd

log = logging.getLogger(__name__)

LINK: Final = "play"
"""The start parameter of a link that looks for an opponent; rules follow after a dash."""

PRIVATE: Final = N_("That only works in our private chat.")
LOOKING: Final = N_("I'm already looking.")


class Wished(NamedTuple):
    """What somebody wants to play."""

    rules: str | None = None
    """None for the usual rules of their chat, or the ones they already wait for."""
    any_rules: bool = False


class Joined(NamedTuple):
    """The result of somebody's looking for an opponent."""

    stored: Sequence[Stored] = ()
    """Boards to be shown."""
    is_new: bool = False
    """Whether their wait has just begun."""
    playing: Game | None = None
    """The game they already play with an opponent found here."""


async def play(request: CommandRequest) -> None:
    """Look for an opponent; in a group, give a link to the private chat."""
    try:
        wished = read(request.args)
    except WordError as error:
        request.reply(rule_words.complaint(error, "rules", other=views.any_hint()))
        return
    if request.is_private:
        await _play(request, wished)
        return
    what = ANY if wished.any_rules else wished.rules
    link = request.services.publisher.link_to(LINK if what is None else f"{LINK}-{what}")
    request.reply(views.to_the_private_chat(link))


def is_link(payload: str) -> bool:
    """Whether a start parameter means looking for an opponent."""
    return payload == LINK or payload.startswith(f"{LINK}-")


async def follow(request: CommandRequest, payload: str) -> None:
    """Look for an opponent, as the start parameter of a link says."""
    rules = payload.removeprefix(LINK).removeprefix("-")
    await _play(request, Wished(rules if is_offered_as(rules) else None, any_rules=rules == ANY))


OnWait: TypeAlias = KeepWaiting | StopWaiting | ShowWanted | ShowMoreWanted | HideWanted | SetWanted
"""The buttons of the message of a wait."""

PAGES: Final = {ShowWanted: Page(choosing=True), ShowMoreWanted: Page(choosing=True, region=0), HideWanted: WHOLE}
"""The page that each of them turns to."""


@tap(FindOpponent, KeepWaiting, StopWaiting, ShowWanted, ShowMoreWanted, HideWanted, SetWanted)
async def tapped(requester: Requester, button: FindOpponent | OnWait) -> str | None:
    """Do what a button says; returns what the tapper is told."""
    if requester.where.chat_id != requester.user.id:
        return PRIVATE
    if isinstance(button, FindOpponent):
        joined = await _look(requester, Wished(button.rules or None), again=False)
        if joined.playing is not None:
            return views.MET
        return None if joined.is_new else LOOKING
    return await _on_wait(requester, button)


async def _on_wait(requester: Requester, button: OnWait) -> str | None:
    services = requester.services
    done = await services.store.run(_tapped, requester=requester, button=button)
    services.publisher.show_all(done.stored)
    if done.looks:
        await pairing.look(services)
    return done.told


class Tapped(NamedTuple):
    """The result of a tap on the message of a wait."""

    told: str | None
    stored: Sequence[Stored] = ()
    looks: bool = False
    """Whether there may be an opponent for the tapper now."""


def _tapped(connection: Connection, *, requester: Requester, button: OnWait) -> Tapped:
    where, now, limits = requester.where, int(time.time()), requester.services.limits
    waiting = matchmaking.waiting_of(connection, requester.user.id)
    if waiting is None:
        playing = matchmaking.playing_of(connection, requester.user.id)
        return Tapped(views.MET if playing else views.NOT_WAITING)
    if where.message_id is not None and lookups.board_on(connection, requester.user.id, where.message_id) is None:
        return Tapped(None, pairing.adopted(connection, waiting, where.message_id))
    there = waiting.wait._replace(changed_at=now)
    match button:
        case StopWaiting():
            return Tapped(views.LEFT, pairing.end(connection, person=requester.user.id, why=WaitEnd.LEFT, now=now))
        case KeepWaiting():
            stored = pairing.wait_on(connection, waiting, wait=there, limits=limits, again=False)
            return Tapped(views.STAYS, stored, looks=True)
        case SetWanted():
            is_any = button.rules == ANY
            chosen = there._replace(rules=there.rules if is_any else button.rules, any_rules=is_any)
            stored = pairing.wait_on(connection, waiting, wait=chosen, limits=limits, again=False)
            return Tapped(None, stored, looks=True)
        case ShowWanted() | ShowMoreWanted() | HideWanted():
            return Tapped(None, pairing.choose(connection, waiting, where.message_id, PAGES[type(button)]))
        case unknown:
            assert_never(unknown)


async def blocked(update: Update, context: Context) -> None:
    """End the wait of somebody who has blocked the bot."""
    change = update.my_chat_member
    if change is None or change.chat.type != ChatType.PRIVATE:
        return
    if change.new_chat_member.status == ChatMemberStatus.BANNED:
        await pairing.drop(context.services, change.chat.id)


async def typed_leave(request: CommandRequest) -> bool:
    """End a person's wait and tell them; False if they weren't waiting."""
    if not await withdraw(request):
        return False
    request.reply(_(views.LEFT))
    return True


async def withdraw(request: CommandRequest) -> bool:
    """End a person's wait, which its message then shows; False if they weren't waiting."""
    return request.is_private and await pairing.stop(request.services, request.user.id)


def read(said: Sequence[str]) -> Wished:
    """The rules that the words after the command ask for; raises as `rule_words.read` does."""
    known = typed(views.ANY)
    rest = [word for word in said if folded(word) not in known]
    rules = rule_words.read(rest, "rules").get("rules")
    return Wished(rules, any_rules=rules is None and len(rest) < len(said))


async def _play(request: CommandRequest, wished: Wished) -> None:
    joined = await _look(request, wished, again=True)
    if joined.playing is not None:
        await request.reply_with(partial(_one_at_a_time, request, joined.playing.id))


async def _one_at_a_time(request: CommandRequest, game_id: int) -> View:
    game = (await request.services.store.read(games.load, game_id=game_id)).game
    person = request.user.id
    return View(views.one_at_a_time(game, person))


async def _look(requester: Requester, wished: Wished, *, again: bool) -> Joined:
    """Let somebody wait, and pair them if possible; with `again`, a wait's message is sent again."""
    services = requester.services
    joined = await services.store.run(join, requester=requester, wished=wished, again=again)
    if not joined.is_new:
        services.publisher.show_all(joined.stored)
    if joined.playing is not None:
        return joined
    try:
        await pairing.look(services)
    except StorageError as error:
        log.debug("Who has come is paired a moment later: %s", error)
    if joined.is_new:
        await _show(requester, joined.stored)
    return joined


async def _show(requester: Requester, stored: Sequence[Stored]) -> None:
    """Show somebody that they are waiting now, unless they were paired immediately."""
    person = requester.user.id
    try:
        waiting = await requester.services.store.run(matchmaking.waiting_of, person=person)
    except StorageError:
        waiting = None
    if waiting is not None:
        requester.services.publisher.show_all(stored)


def join(connection: Connection, *, requester: Requester, wished: Wished, again: bool) -> Joined:
    """Start somebody's wait, unless they are already waiting or playing."""
    if games.of_update(connection, requester.update_id) is not None:
        return Joined()
    if (known := matchmaking.of_update(connection, requester.update_id)) is not None:
        return Joined([] if known.wait.is_over else versions.store_next(connection, known, int(time.time())))
    person, place, now = requester.player, requester.own_place, int(time.time())
    chat = chats.load_or_add(connection, person.id)
    found = matchmaking.find(connection, person.id)
    limits = requester.services.limits
    if found.waiting is not None:
        wait = found.waiting.wait
        if wished.any_rules:
            wait = wait._replace(any_rules=True)
        elif wished.rules is not None:
            wait = wait._replace(rules=wished.rules, any_rules=False)
        elif not again:
            return Joined()
        there = wait._replace(changed_at=now)
        return Joined(pairing.wait_on(connection, found.waiting, wait=there, limits=limits, again=again))
    for game_id in found.playing:
        record = games.load(connection, game_id)
        theirs = [board for board in record.boards if board.viewer == person.id and not board.leaving]
        down = [boards.move_down(connection, record, theirs[-1], place.thread_id)] if theirs else []
        return Joined(down, playing=record.game)
    people.see(connection, person)
    wait = Wait(
        id=0,
        person=person.id,
        rules=wished.rules or chat.rules or DEFAULT_RULES,
        any_rules=wished.any_rules,
        told=None,
        since=now,
        due_at=0,
        changed_at=now,
        update_id=requester.update_id,
    )
    waiting = pairing.begin(connection, wait, place, limits)
    return Joined([Stored(waiting, board, None) for board in waiting.boards], is_new=True)
