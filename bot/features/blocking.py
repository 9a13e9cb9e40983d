"""/block and /unblock: whose challenges and questions don't reach a person. Whoever is blocked isn't told.

In a group others read along, so that there the answer is the same whatever was done.
"""

import time
from collections.abc import Sequence
from functools import partial
from typing import Final

from sqlalchemy import Connection

from bot.boards import names
from bot.boards.buttons import Block, Setting, ShowBlocked, Unblock
from bot.boards.players import nobody
from bot.boards.translations import folded
from bot.boards.view import Key, View, keyboard
from bot.context.acting import MEANINGLESS
from bot.context.feature import Command, Feature
from bot.context.requests import CommandRequest, Requester, mentions, stored_name
from bot.game.attempt import NotAllowed, Player, Refusal
from bot.game.new_game import challenger_of
from bot.language import N_, _
from storage.games import boards, games, lookups
from storage.games.game import Game
from storage.games.versions import Stored
from storage.people import blocks, people

BLOCKED_A_PAGE: Final = 20
"""How many blocked people a page lists."""
LAST_OPPONENTS: Final = 5
"""How many opponents it offers to block."""

IN_GROUPS: Final = N_("Got it. /settings in our private chat shows whom you've blocked.")
BLOCKED: Final = N_(
    "Blocked: {name}. Challenges and requests from this player no longer reach you, and I don't tell them."
)
UNBLOCKED: Final = N_("Unblocked: {name}.")
FULL: Final = N_("Your list of blocked people is full. Unblock somebody first: /settings")
NOBODY_NAMED: Final = N_(
    "To block somebody who has challenged you or played you, send <code>/block @name</code>. In a group, you can "
    "also reply to anybody's message with /block."
)


async def block(request: CommandRequest) -> None:
    """Block whoever is named, replied to, or challenges the person here; or else list whom they have blocked."""
    store = request.services.store
    if (other := await store.read(_meant, request=request)) is None:
        if request.is_private and not request.args:
            await request.reply_with(partial(_page, request, 0))
        else:
            request.reply(_(NOBODY_NAMED))
        return
    said = await _block(request, other)
    name = names.shown(other.name, _("Player"))
    request.reply(said.format(name=name) if request.is_private else _(IN_GROUPS))


async def unblock(request: CommandRequest) -> None:
    """Unblock whoever is named or replied to, or else list whom the person has blocked."""
    found = await request.services.store.run(_unblock, request=request)
    if not request.is_private:
        request.reply(_(IN_GROUPS))
    elif found is not None:
        request.reply(_(UNBLOCKED).format(name=names.shown(found.name, _("Player"))))
    else:
        await request.reply_with(partial(_page, request, 0))


async def tap_block(requester: Requester, button: Block) -> str | None:
    """Block a challenger or a former opponent, in the person's private chat; returns what they are told."""
    if requester.where.chat_id != requester.user.id:
        raise NotAllowed(Refusal.ONLY_IN_PRIVATE)
    other = await requester.services.store.read(_other, person=requester.user.id, game_id=button.game)
    told = (await _block(requester, other)).format(name=names.plain(other.name, _("Player")))
    if requester.is_at(*IN_LIST):
        await requester.turn_to(partial(_page, requester, 0))
    return told


async def tap_list(requester: Requester, button: ShowBlocked | Unblock) -> str | None:
    """Show whom the person has blocked, perhaps once somebody no longer is; returns what the tapper is told."""
    if requester.where.chat_id != requester.user.id or not requester.is_at(Setting, *IN_LIST):
        return MEANINGLESS
    page = 0
    if isinstance(button, ShowBlocked):
        page = button.page
    else:
        await requester.services.store.run(blocks.remove, person=requester.user.id, number=button.number)
    await requester.turn_to(partial(_page, requester, page))
    return None


IN_LIST: Final = (Unblock, Block)
"""What the list of blocked people begins with."""


def _other(connection: Connection, *, person: int, game_id: int) -> Player:
    """Who has challenged a person by a game, or played it with them; raises `NotAllowed` if that is nobody."""
    waiting = lookups.challenges_of_others(connection, person)
    played = lookups.last_opponents(connection, person, LAST_OPPONENTS)
    game = next((game for game in (*waiting, *played) if game.id == game_id), None)
    other = None if game is None else _opponent(game, person)
    if other is None:
        raise NotAllowed(Refusal.NOT_OPEN)
    return other


def _to_block(connection: Connection, *, person: int) -> Sequence[tuple[Game, Player]]:
    """The last games with each of a person's last opponents whom they haven't blocked."""
    played = lookups.last_opponents(connection, person, LAST_OPPONENTS)
    others = [(game, other) for game in played if (other := _opponent(game, person)) is not None]
    return [(game, other) for game, other in others if not blocks.has(connection, person, other.id)]


async def _page(requester: Requester, page: int) -> View:
    """Whom somebody has blocked, each with a button, and whom else they may want to block."""
    store, person = requester.services.store, requester.user.id
    listed = await store.run(blocks.listed, person=person)
    played = [] if page else await store.read(_to_block, person=person)
    here = listed[page * BLOCKED_A_PAGE : (page + 1) * BLOCKED_A_PAGE]
    called = [(number, names.plain(person.name, nobody(person.id))) for number, person in here]
    rows = [[Key(_("Unblock {name}").format(name=name), Unblock(number))] for number, name in called]
    turns = [Key("‹", ShowBlocked(page - 1))] if page else []
    turns += [Key("›", ShowBlocked(page + 1))] if len(listed) > (page + 1) * BLOCKED_A_PAGE else []
    head = _("Blocked: {count}").format(count=len(listed))
    rest = [turns] if turns else []
    rest += [
        [Key(_("Block {name}").format(name=names.plain(other.name, nobody(other.id))), Block(game.id))]
        for game, other in played
    ]
    return View(f"<b>{head}</b>\n{_(NOBODY_NAMED)}", keyboard([*rows, *rest, [Key(_("‹ Back"), Setting())]]))


async def _block(requester: Requester, other: Player) -> str:
    """Block somebody; returns what the person is told, but for the name."""
    services = requester.services
    shown = await services.store.run(_store, person=requester.player, other=other)
    if shown is None:
        return _(FULL)
    services.boards.show_all(shown)
    return _(BLOCKED)


def _store(connection: Connection, *, person: Player, other: Player) -> Sequence[Stored] | None:
    """Block somebody, whose challenges leave the private chat; returns what to show, None if that's too many."""
    if not blocks.add(connection, person, other):
        return None
    waiting = lookups.challenges_of_others(connection, person.id)
    theirs = [game.id for game in waiting if game.mark_of(other.id) is not None]
    now = int(time.time())
    return [
        stored
        for record in games.load_sound(connection, theirs).values()
        for stored in boards.retire(connection, record, record.boards_in(person.id), now)
    ]


def _meant(connection: Connection, *, request: CommandRequest) -> Player | None:
    """The person whom a command is about: named, replied to, or without either who has challenged the person."""
    own = request.player
    named, found = mentions(request.message)[1], None
    if named and named[0].id:
        found = named[0] if named[0].username != "bot" else None
    elif named:
        found = _known(connection, own, named[0].username or "")
    elif (record := request.answered_game(connection)) is not None:
        found = _opponent(record.game, own.id)
    elif (replied := request.replied_to) is not None:
        found = Player(replied.id, stored_name(replied))
    elif request.is_private and not request.args:
        waiting = lookups.challenges_of_others(connection, own.id)
        found = _opponent(waiting[0], own.id) if waiting else None
    return None if found is None or found.id in (0, own.id) else found


def _known(connection: Connection, person: Player, username: str) -> Player | None:
    """Somebody by their username who has challenged a person, or whom they know; who else is here isn't told."""
    if (other := people.find_username(connection, username)) is None:
        return None
    challenges = lookups.challenges_to(connection, other, person, since=0)
    if challenges or lookups.know_each_other(connection, person.id, other):
        return people.find(connection, other)
    return None


def _opponent(game: Game, person: int) -> Player | None:
    """The challenger, or the other player, of a game on a message that a person has answered."""
    if game.beats is not None and game.mark_of(person) is None:  # they were told how it ended
        return _player(game, game.x.seat or game.o.seat or 0)
    mark = challenger_of(game).other if game.is_challenge else game.mark_of(person)
    other = None if mark is None else game.seat(mark.other)
    return _player(game, other) if other is not None and other > 0 else None


def _player(game: Game, person: int) -> Player:
    return Player(person, game.name_of(person) or "")


def _unblock(connection: Connection, *, request: CommandRequest) -> Player | None:
    """Unblock whoever a command is about, by a name as it is listed, too; returns who that was.

    A name may be chosen to be taken for somebody else's, or for a username: it counts if nobody else is meant.
    """
    own, said, meant = request.user.id, folded(" ".join(request.args)), _meant(connection, request=request)
    listed = blocks.listed(connection, own)
    if meant is not None:
        found = [each for each in listed if each.number == blocks.number_of(connection, own, meant.id)]
    else:
        found = [each for each in listed if said and said == folded(each.person.name)]
    if len(found) != 1:
        return None
    blocks.remove(connection, own, found[0].number)
    return found[0].person


FEATURE: Final = Feature(
    commands=[
        Command("block", block, N_("Block somebody")),
        Command("unblock", unblock, N_("Unblock somebody")),
    ],
    taps={Block: tap_block, ShowBlocked: tap_list, Unblock: tap_list},
    keeps=N_("• Whom you've blocked. They aren't told."),
)
