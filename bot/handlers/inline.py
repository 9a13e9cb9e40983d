"""Inline mode: games in any chat, in a message that a person chooses and the bot has never seen.

What inline mode offers is stored nowhere, because most of it is never chosen. The button of a chosen message
carries the offer itself: what, whose, and a signature with a key made from the bot's token, so that nobody can
make up an offer in somebody else's name. The first to arrive, the tap or the news of the choice, begins the game.
"""

from __future__ import annotations

import base64
import hmac
import secrets
import time
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from telegram import InlineQueryResultArticle, InputTextMessageContent
from telegram.constants import ParseMode

from bot import boards, challenges, names, play, views
from bot.buttons import Begin
from bot.context import Asker
from bot.play import Board, Player, Refusal
from storage import chats, games, lookups
from storage.chats import Person

if TYPE_CHECKING:
    from gettext import NullTranslations

    from sqlalchemy import Connection
    from telegram import Update

    from bot.context import Context
    from storage.game import Game

RESULTS: Final = 10
"""How many of a person's last games are summed up."""

SIGNATURE: Final = 9
"""Bytes of the signature that travel; callback data has room for 64 in all."""


class Offer(NamedTuple):
    """What a chosen message offers: a challenge (`me`, `bot` or `random` goes first) or the computer's level."""

    kind: str
    person: int


def signing_key(token: str) -> bytes:
    """The key that signs offers: made from the bot's token, and of no use to find it."""
    return hmac.digest(token.encode(), b"inline offers", "sha256")


def write(offer: Offer, key: bytes) -> str:
    """An offer as its button carries it, signed; no two are equal."""
    plain = f"{offer.kind}:{offer.person}:{secrets.token_urlsafe(4)}"
    return f"{plain}:{_signature(plain, key)}"


def read(text: str, key: bytes) -> Offer | None:
    """The offer that a button carries, or None where it is not ours."""
    plain, _, signature = text.rpartition(":")
    kind, _, rest = plain.partition(":")
    person = rest.partition(":")[0]
    if not hmac.compare_digest(signature.encode(), _signature(plain, key).encode()):
        return None
    return Offer(kind, int(person))


async def on_query(update: Update, context: Context) -> None:
    """Offer what can be begun in any chat."""
    query = update.inline_query
    if query is None:
        return
    asker = Asker(context.services, query.from_user, update.update_id)
    last = await context.services.store.run(partial(_seen, asker=asker))
    context.services.publisher.offer(query.id, _results(asker, last))


async def on_choice(update: Update, context: Context) -> None:
    """Begin what was chosen, where the news of it arrives before the first tap."""
    choice = update.chosen_inline_result
    if choice is not None and choice.inline_message_id is not None:
        asker = Asker(context.services, choice.from_user, update.update_id)
        game = await _open(asker, choice.result_id, choice.inline_message_id)
        if game is not None:
            asker.services.publisher.show(game)


async def begin(asker: Asker, text: str, inline_message_id: str) -> Refusal | None:
    """Take the tap on a chosen message: accept the challenge, or begin the game against the computer."""
    game = await _open(asker, text, inline_message_id)
    if game is None:
        return Refusal.STALE
    refusal = None
    if game.is_challenge:
        due_at = int(time.time()) + asker.services.patience.reminder
        accept = partial(challenges.accept, player=asker.player, now=int(time.time()), due_at=due_at)
        game, refusal = await asker.services.store.change(game.id, accept, asker.update_id)
    elif game.mark_of(asker.user.id) is None:
        refusal = Refusal.NOT_YOURS
    asker.services.publisher.show(game)
    return refusal


async def _open(asker: Asker, text: str, inline_message_id: str) -> Game | None:
    """The game of a message, stored now if this is the first that is heard of it."""
    offer = read(text, asker.services.key)
    if offer is None:
        return None
    return await asker.services.store.run(
        partial(_store, asker=asker, offer=offer, inline_message_id=inline_message_id)
    )


def _store(connection: Connection, *, asker: Asker, offer: Offer, inline_message_id: str) -> Game:
    if (game := lookups.by_inline_message(connection, inline_message_id)) is not None:
        return game
    services, now = asker.services, int(time.time())
    person = chats.find_person(connection, offer.person) or Person(offer.person, "")
    player = Player(person.id, person.name, language=person.language)
    board = Board(inline_message_id=inline_message_id)
    if offer.kind in play.FIRSTS:
        first = play.goes_first(offer.kind, services.rng)
        due_at = now + services.patience.challenge
        game = challenges.challenge(
            player, first=first, board=board, language=person.language, now=now, due_at=due_at
        )
    else:
        due_at = now + services.patience.computer
        game = play.new_game(
            player,
            play.computer(),
            board=board,
            language=person.language,
            now=now,
            due_at=due_at,
            level=offer.kind,
        )
    return games.add(connection, game)


def _seen(connection: Connection, *, asker: Asker) -> list[Game]:
    """Remember who asks, because the message they choose will bear their name; and find their last games."""
    player = asker.player
    chats.see(connection, Person(player.id, player.name, player.language))
    return list(lookups.results(connection, player.id, RESULTS))


def _results(asker: Asker, last: list[Game]) -> list[InlineQueryResultArticle]:
    """What inline mode offers a person."""
    t, key, player = asker.t, asker.services.key, asker.player
    results = []
    for first, title in (
        ("me", t.gettext("Challenge: I start")),
        ("bot", t.gettext("Challenge: you start")),
        ("random", t.gettext("Challenge: a coin decides who starts")),
    ):
        offer = write(Offer(first, player.id), key)
        text = boards.invitation(names.shown(player.name, t.gettext("Player")), first, t)
        results.append(_article(offer, title, text, views.button(t.gettext("Accept"), Begin(offer), "success")))
    for level in views.LEVELS:
        offer = write(Offer(level, player.id), key)
        name = views.level_name(level, t)
        title = t.gettext("Play the computer: {level}").format(level=name)
        text = boards.announcement(names.shown(player.name, t.gettext("Player")), name, t)
        results.append(_article(offer, title, text, views.button(t.gettext("Start"), Begin(offer), "primary")))
    if last:
        results.append(
            InlineQueryResultArticle(
                f"results:{secrets.token_urlsafe(4)}",
                t.gettext("My last games"),
                InputTextMessageContent(_summary(last, player, t), parse_mode=ParseMode.HTML),
                description=t.gettext("Show how they went"),
            )
        )
    return results


def _article(offer: str, title: str, text: str, button: dict[str, str]) -> InlineQueryResultArticle:
    return InlineQueryResultArticle(
        offer,
        title,
        InputTextMessageContent(text, parse_mode=ParseMode.HTML),
        api_kwargs={"reply_markup": {"inline_keyboard": [[button]]}},
    )


def _summary(last: list[Game], player: Player, t: NullTranslations) -> str:
    """A person's last games in a sentence and a line each."""
    signs = []
    for game in last:
        mark = game.mark_of(player.id)
        sign = "🤝" if game.winner is None else "🏆" if game.winner == mark else "▫️"
        signs.append(f"{sign} {boards.opponent(game, player.id, t)}")
    won = sum(game.winner is not None and game.winner == game.mark_of(player.id) for game in last)
    drawn = sum(game.winner is None for game in last)
    head = t.gettext("My last games of noughts and crosses: {won} won, {drawn} drawn, {lost} lost.").format(
        won=won, drawn=drawn, lost=len(last) - won - drawn
    )
    return "\n".join([head, *signs])


def _signature(plain: str, key: bytes) -> str:
    digest = hmac.digest(key, plain.encode(), "sha256")
    return base64.urlsafe_b64encode(digest[:SIGNATURE]).decode()
