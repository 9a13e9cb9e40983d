"""Challenges by link: whoever opens it first plays the challenger, each in their own chat with the bot."""

from __future__ import annotations

import secrets
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.game.acts import Act
from bot.game.challenges import MOST_OPEN
from bot.game.gate import Where
from bot.game.machine import decide
from bot.game.new_game import DEFAULT_FIRST, DEFAULT_RULES, challenge, goes_first
from bot.game.refusals import Refusal
from bot.handlers import review_links, reviews, rivals, sharing
from bot.handlers.acting import Done
from bot.views.texts import N_
from storage import boards, chats, games, lookups, versions
from storage.board import Place
from storage.chats import Person
from storage.errors import GameNotFound
from storage.record import Made, Record
from storage.versions import Raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from bot.game.acts import Wish
    from bot.handlers.requests import CommandRequest, Sender

DEAD_LINK: Final = N_("This link does not work any more: somebody was faster, or it was withdrawn.")
UNKNOWN_GAME: Final = N_("I do not know this game any more. /newgame starts another.")
OWN_LINK: Final = N_("This is your own link. Send it to a friend: whoever opens it first plays you.")


async def invite(sender: Sender, chat_id: int, first: str | None = None, rules: str | None = None) -> Done | str:
    """Make a challenge by link in a person's private chat, or say why not."""
    t = sender.t
    if chat_id != sender.user.id:
        return t.gettext("That works in our private chat.")
    made = await sender.services.store.run(partial(_invite, sender=sender, first=first, rules=rules))
    if made is None:
        return t.gettext(
            "{count} of your challenges are waiting here already. Cancel one, and you can make another."
        ).format(count=MOST_OPEN)
    return Done(made.record, None, sender.services.publisher.show_made(made))


async def follow(request: CommandRequest, token: str) -> None:
    """Take up the challenge behind a link, or do what one leads to that belongs to a finished game."""
    try:
        if await _follow_signed(request, token):
            return
    except GameNotFound:  # its time was over, or it was nobody's any more; the link is still where it was sent
        request.reply(request.t.gettext(UNKNOWN_GAME))
        return
    wish = replace(request.sender.wish(Act.ACCEPT), where=Where(token=token))
    shown, refusal = await request.services.store.run(partial(_follow, wish=wish, token=token))
    for raised in shown:
        request.services.publisher.show_raised(raised)
    if refusal is not None and not shown:
        request.reply(request.t.gettext(OWN_LINK if refusal is Refusal.OWN_CHALLENGE else DEAD_LINK))


async def _follow_signed(request: CommandRequest, text: str) -> bool:
    """Look back on a game that one has seen, have it sent, or challenge who has played it; whether a link says so.

    Raises:
        StorageError: if the game is not there, or cannot be read.
    """
    person, key = request.sender.user.id, request.services.key
    for purpose, whose, lead in (
        (review_links.REVIEW, person, reviews.follow),
        (review_links.SHARE, person, sharing.follow),
        (review_links.CHALLENGE, 0, rivals.offer),
    ):
        if (game_id := review_links.read(text, whose, key, purpose)) is not None:
            await lead(request, game_id)
            return True
    return False


def _invite(connection: Connection, *, sender: Sender, first: str | None, rules: str | None) -> Made | None:
    if (made := games.of_update(connection, sender.update_id)) is not None:
        return Made(made, is_new=False)
    player, services = sender.player, sender.services
    if lookups.open_challenges(connection, player.id, player.id) >= MOST_OPEN:
        return None
    chat = chats.choose(connection, player.id, {})
    chats.see(connection, Person(player.id, player.name, player.language, player.username))
    game = challenge(
        player,
        first=goes_first(first or chat.first or DEFAULT_FIRST, services.rng),
        chat_id=player.id,
        now=int(time.time()),
        limits=services.limits,
        rules=rules or chat.rules or DEFAULT_RULES,
        update_id=sender.update_id,
        token=secrets.token_urlsafe(16),
    )
    place = Place(player.id, viewer=player.id, language=player.language)
    return Made(boards.add(connection, game, [place]))


def _follow(connection: Connection, *, wish: Wish, token: str) -> tuple[Sequence[Raised], Refusal | None]:
    """Seat whoever opens a link first; the link leads nobody else in. The result is what to show, or why not."""
    record = lookups.by_token(connection, token)
    if record is None:
        return (), Refusal.NOT_OPEN
    decision = decide(record, wish)
    player = wish.who
    if decision.result.refusal is not None:
        if record.game.mark_of(player.id) is None or record.game.is_over:
            return (), decision.result.refusal
        # Who plays already looks for the board, or the link comes a second time after a crash.
        own = [board for board in record.boards if board.viewer == player.id and not board.leaving]
        if record.game.is_challenge or not own:
            return (), decision.result.refusal
        return [boards.move_down(connection, record, own[-1], None)], None
    chats.see(connection, Person(player.id, player.name, player.language, player.username))
    now = int(time.time())
    game = games.next_version(decision.game, now, wish.update_id)
    games.save_many(connection, [(game, record.game)])
    seated = Record(game, tuple(versions.raised(board, now) for board in record.boards))
    versions.raise_many(connection, list(zip(seated.boards, record.boards, strict=True)))
    # The challenger hears of it by a new message; an edit would not notify.
    shown = [boards.move_down(connection, seated, board, board.thread_id) for board in seated.boards]
    if all(board.viewer != player.id for board in seated.boards):
        place = Place(player.id, viewer=player.id, language=player.language)
        shown.append(Raised(seated, boards.put(connection, game.id, place), None))
    return shown, None
