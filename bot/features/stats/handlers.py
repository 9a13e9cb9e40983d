"""/stats: somebody's results, in one message that edits itself, or as a picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection
from telegram import Message, MessageEntity, Update

from bot.boards.buttons import Stats
from bot.boards.rules import ALL
from bot.boards.translations import N_
from bot.boards.view import View
from bot.context.mentions import USERNAME
from bot.context.requests import TOO_MANY, CommandRequest, Requester, request_of
from bot.context.services import Context
from bot.delivery.entries import OutgoingMessage
from bot.features.stats import views
from bot.features.stats.views import Shown
from bot.game.visibility import ResultsRequest, may_see
from engine.rules import families
from storage.games import outbox
from storage.games.notice import NoticeKind
from storage.games.outbox import Asked
from storage.people import people, preferences
from storage.privacy import forgotten
from storage.results import milestones, ratings, results, statistics
from storage.results.result import EVERYWHERE
from storage.results.tally import Summary

RECENT_GAMES: Final = 100
"""How many of a person's last games the favourite first move comes from."""

FAMILIES: Final = frozenset({ALL, *families.FAMILIES})
DRAWING: Final = N_("Drawing it…")
NOT_YOURS: Final = N_("Only they can browse these stats.")


class Target(NamedTuple):
    """The person whose results are asked for."""

    person: int | None
    """None for somebody unknown."""
    name: str = ""
    answered: bool = False
    """Whether the command replies to a message of theirs."""


async def show(update: Update, context: Context) -> None:
    """Show one's own results, or those of somebody named or replied to."""
    if (request := request_of(update, context)) is None:
        return
    t, words = request.t, context.args or []
    named = [word for word in words if USERNAME.fullmatch(word)]
    if len(words) != len(named) or len(named) > 1:
        if not _mentioned(request.message):
            request.reply(
                t.gettext("Send <code>/stats</code> for yours, or <code>/stats @name</code> in a group.")
            )
            return
        named = []
    find = partial(_find, request=request, username=named[0][1:] if named else None)
    await request.reply_with(partial(_page, request.requester, find))


async def tapped(requester: Requester, chosen: Stats) -> str | None:
    """Show other results in the tapped message; returns why not, if it can't."""
    where = requester.where
    first = requester.shown
    if where.chat_id is None or where.message_id is None or chosen.family not in FAMILIES:
        return None
    if not isinstance(first, Stats) or first.person != chosen.person:
        return None
    target = Target(chosen.person)
    find = partial(gather, target=target, viewer=requester.user.id, chat_id=where.chat_id, chosen=chosen)
    found = await requester.services.store.read(find)
    if found is None:
        return NOT_YOURS
    if chosen.picture:
        notice = requester.notice(
            NoticeKind.CHART, subject=chosen.person, family=chosen.family, here=found[0].chosen.here
        )
        asked, notice = await requester.services.store.run(partial(outbox.ask, notice=notice))
        if asked is Asked.STORED:
            requester.services.publisher.tell(notice)
        return TOO_MANY if asked is Asked.TOO_MANY else DRAWING
    page = views.page(*found, requester.t_here)
    words = OutgoingMessage(
        where.chat_id, page, message_id=where.message_id, remake=partial(_page, requester, find)
    )
    requester.services.publisher.say(words)
    return None


async def _page(requester: Requester, find: Callable[[Connection], tuple[Shown, Summary] | None]) -> View:
    found = await requester.services.store.read(find)
    return View(views.not_shown(requester.t_here)) if found is None else views.page(*found, requester.t_here)


def _find(
    connection: Connection, *, request: CommandRequest, username: str | None
) -> tuple[Shown, Summary] | None:
    target = _target(connection, request, username)
    in_group = not request.is_private
    return gather(
        connection,
        target=target,
        viewer=request.requester.user.id,
        chat_id=request.chat_id,
        chosen=Stats(target.person or 0, here=in_group),
    )


def _target(connection: Connection, request: CommandRequest, username: str | None) -> Target:
    """The person whose results a command asks for; the person who sent it becomes known."""
    player = request.requester.player
    people.see_if_known(connection, player)
    own = Target(player.id, player.name)
    if username is not None:
        if player.username is not None and username.lower() == player.username.lower():
            return own
        return Target(people.find_username(connection, username))
    replied = request.message.reply_to_message
    mentioned = _mentioned(request.message)
    if mentioned is not None:
        return own if mentioned == player.id else Target(mentioned)
    if request.is_private or replied is None or replied.from_user is None or replied.from_user.is_bot:
        return own
    # In a topic every message replies at least to the opening one; and a stand-in is nobody.
    if replied.forum_topic_created is not None or replied.sender_chat is not None:
        return own
    return Target(replied.from_user.id, replied.from_user.full_name, answered=True)


def _mentioned(message: Message) -> int | None:
    """The person whom a message names without a username."""
    for entity in message.entities:
        if entity.type == MessageEntity.TEXT_MENTION and entity.user is not None:
            return entity.user.id
    return None


def gather(
    connection: Connection, *, target: Target, viewer: int, chat_id: int, chosen: Stats
) -> tuple[Shown, Summary] | None:
    """The results to show; None if this person may not see them."""
    person, in_group = target.person, chat_id < 0
    if person is None:
        return None
    own = person == viewer
    statistics.count(connection)  # so that the game that has just ended is included
    plays_here = statistics.streak_of(connection, person, chat_id) is not None
    asked = ResultsRequest(own, in_group, target.answered, plays_here, preferences.is_hidden(connection, person))
    known = people.find(connection, person)
    if not may_see(asked) or (not own and forgotten.is_gone(connection, person)):
        return None
    here = chosen.here and in_group
    name = known.name if known is not None else target.name
    shown = Shown(name, replace(chosen, here=here), in_group, buttons=own or plays_here)
    return shown, summary(connection, person, chat_id if here else EVERYWHERE)


def summary(connection: Connection, person: int, chat_id: int) -> Summary:
    """Somebody's results in a group, or everywhere."""
    standings = {} if ratings.are_being_made(connection) else ratings.standings_of(connection, [person])
    return Summary(
        tallies=statistics.of_person(connection, person, chat_id),
        streak=statistics.streak_of(connection, person, chat_id),
        recent=results.newest(
            connection, person, RECENT_GAMES, chat_id=None if chat_id == EVERYWHERE else chat_id
        ),
        standings={key.family: standing for key, standing in standings.items()},
        milestones=milestones.of_person(connection, person),
    )
