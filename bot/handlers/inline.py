"""Inline mode: games in any chat, in a message that a person chooses and the bot has never seen.

What inline mode offers is stored nowhere, because most of it is never chosen: the button of a chosen message
carries the offer itself. The first to arrive, the tap or the news of the choice, begins the game.
"""

from __future__ import annotations

import secrets
import time
from functools import partial
from typing import TYPE_CHECKING, Final

from telegram import InlineQueryResultArticle, InputTextMessageContent
from telegram.constants import ParseMode

from bot.game.acts import Act, Player
from bot.game.gate import Where
from bot.game.new_game import DEFAULT_RULES, First, against_computer, challenge, goes_first
from bot.game.refusals import Refusal
from bot.handlers.acting import Done, act
from bot.handlers.offers import InlineOffer, read, write
from bot.handlers.requests import Sender
from bot.views import boards as board_views
from bot.views import challenges, inline_words, names
from bot.views.buttons import Begin
from bot.views.choices import level_name
from bot.views.refusals import words_for
from bot.views.rules import rules_name
from bot.views.texts import listed
from bot.views.view import button
from engine import Mark
from storage import boards, chats, forgotten, lookups
from storage.board import Place
from storage.chats import Person
from storage.game import COMPUTER
from storage.record import Made

if TYPE_CHECKING:
    from collections.abc import Iterable
    from gettext import NullTranslations

    from sqlalchemy import Connection
    from telegram import Update

    from bot.context import Context
    from bot.views.inline_words import InlineWish
    from storage.game import Game

RESULTS: Final = 10
"""How many of a person's last games are summed up."""


async def on_query(update: Update, context: Context) -> None:
    """Offer what can be begun in any chat; nothing is stored before something is begun."""
    query = update.inline_query
    if query is None:
        return
    sender = Sender(context.services, query.from_user, update.update_id, Where())
    find = partial(lookups.results, person=query.from_user.id, limit=RESULTS)
    last = await context.services.store.run(find)
    sender.services.recent.learn(sender.player)
    wished = inline_words.read(query.query, sender.t, sender.player.username, _opponents(last, sender.user.id))
    context.services.publisher.offer(query.id, _results(sender, wished, list(last)))


async def on_choice(update: Update, context: Context) -> None:
    """Begin what was chosen, where the news of it arrives before the first tap."""
    choice = update.chosen_inline_result
    if choice is None or choice.inline_message_id is None:
        return
    where = Where(inline_message_id=choice.inline_message_id)
    sender = Sender(context.services, choice.from_user, update.update_id, where)
    sender.services.recent.learn(sender.player)
    made = await _open(sender, choice.result_id, choice.inline_message_id)
    if isinstance(made, Made):
        context.services.computer.show_made(made)


async def begin(sender: Sender, text: str, inline_message_id: str) -> str | None:
    """Take the tap on a chosen message: accept the challenge, or begin the game against the computer.

    The result is what the tapper is told.
    """
    made = await _open(sender, text, inline_message_id)
    if isinstance(made, Refusal):
        return words_for(made)
    game, wait = made.record.game, 0.0
    if made.is_new:
        wait = sender.services.computer.show_made(made)
    if game.is_challenge:
        return (await act(sender, game.id, Act.ACCEPT)).words
    if not made.is_new:
        sender.services.publisher.refresh(made.record)
    return Done(made.record, Refusal.NOT_YOURS if game.mark_of(sender.user.id) is None else None, wait).words


async def _open(sender: Sender, text: str, inline_message_id: str) -> Made | Refusal:
    """The game of a message, stored now if this is the first that is heard of it."""
    offer = read(text, sender.services.key)
    if offer is None:
        return Refusal.STALE
    open_ = partial(_store, sender=sender, offer=offer, inline_message_id=inline_message_id)
    return await sender.services.store.run(open_)


def _store(
    connection: Connection, *, sender: Sender, offer: InlineOffer, inline_message_id: str
) -> Made | Refusal:
    if (found := lookups.by_inline_message(connection, inline_message_id)) is not None:
        return Made(found, is_new=False)
    if lookups.by_token(connection, offer.token) is not None:
        return Refusal.USED  # the same offer, in another message
    if offer.person != sender.user.id and _has_left(connection, offer.person):
        return Refusal.STALE
    services, now = sender.services, int(time.time())
    player = _player(connection, sender, offer.person)
    if offer.kind in tuple(First):
        game = challenge(
            player,
            first=goes_first(offer.kind, services.rng),
            chat_id=None,
            now=now,
            limits=services.limits,
            rules=offer.rules,
            token=offer.token,
            rival=_rival(connection, sender, offer),
        )
    else:
        game = against_computer(
            player,
            first=True,
            level=offer.kind,
            chat_id=None,
            now=now,
            limits=services.limits,
            rng=services.rng,
            rules=offer.rules,
            token=offer.token,
        )
    place = Place(inline_message_id=inline_message_id, language=player.language)
    return Made(boards.add(connection, game, [place]))


def _opponents(games: Iterable[Game], person: int) -> dict[int, str]:
    """The people whom a person has played in these games."""
    others = [(game, (game.mark_of(person) or Mark.X).other) for game in games]
    return {game.seat(mark) or 0: game.name(mark) or "" for game, mark in others if game.seat(mark) != COMPUTER}


def _rival(connection: Connection, sender: Sender, offer: InlineOffer) -> Player | None:
    """Whom an offer names; who is named by an id has the name of the games that the two have played."""
    if offer.rival is None or offer.rival.startswith("@"):
        return None if offer.rival is None else Player(0, offer.rival)
    games = lookups.results(connection, offer.person, RESULTS)
    rival = int(offer.rival)
    return Player(rival, _opponents(games, offer.person).get(rival) or sender.t.gettext("Player"))


def _has_left(connection: Connection, person: int) -> bool:
    """Whether who has made an offer was forgotten since, and has begun nothing more: nobody begins it for them."""
    return chats.find_person(connection, person) is None and forgotten.is_forgotten(connection, person)


def _player(connection: Connection, sender: Sender, person: int) -> Player:
    """Whoever has made an offer, as far as they are known; their name is filled in when they act."""
    if person == sender.user.id:
        player = sender.player
    else:
        stored = chats.find_person(connection, person) or Person(person, "")
        player = sender.services.recent.find(person) or Player(person, stored.name, language=stored.language)
    if player.name:
        chats.see(connection, Person(player.id, player.name, player.language, player.username))
    return player


def _results(sender: Sender, wished: InlineWish, last: list[Game]) -> list[InlineQueryResultArticle]:
    """What inline mode offers a person: what they have typed, or all there is."""
    t, key, player = sender.t, sender.services.key, sender.player
    name = names.shown(player.name, t.gettext("Player"))
    results, rules = [], wished.rules
    described = None if rules == DEFAULT_RULES else rules_name(rules, t)
    rival = None if wished.rival is None else names.shown(wished.rival, t.gettext("Player"))
    for first in wished.firsts:
        named = wished.rival if wished.rival_id is None else str(wished.rival_id)
        offer = write(InlineOffer(first, player.id, rival=named, rules=rules), key)
        text = challenges.invitation(name, first, t, rival, rules=rules)
        title = inline_words.challenge_title(first, wished.rival, t)
        accept = button(t.gettext("Accept"), Begin(offer), "success")
        results.append(_article(offer, title, text, accept, described))
    for level in wished.levels:
        offer = write(InlineOffer(level, player.id, rules=rules), key)
        called = level_name(level, t, rules)
        title = t.gettext("Play the computer: {level}").format(level=called)
        text = challenges.announcement(name, called, t, rules)
        start = button(t.gettext("Start"), Begin(offer), "primary")
        results.append(_article(offer, title, text, start, described))
    if last and wished.is_everything:
        results.append(
            InlineQueryResultArticle(
                f"results:{secrets.token_urlsafe(4)}",
                t.gettext("My last games"),
                InputTextMessageContent(_summary(last, player, t), parse_mode=ParseMode.HTML),
                description=t.gettext("Show how they went"),
            )
        )
    return results


def _article(
    offer: str, title: str, text: str, begin: dict[str, str], described: str | None
) -> InlineQueryResultArticle:
    return InlineQueryResultArticle(
        offer,
        title,
        InputTextMessageContent(text, parse_mode=ParseMode.HTML),
        description=described,
        api_kwargs={"reply_markup": {"inline_keyboard": [[begin]]}},
    )


def _summary(last: list[Game], player: Player, t: NullTranslations) -> str:
    """A person's last games in a sentence and a line each."""
    signs = []
    for game in last:
        mark = game.mark_of(player.id)
        sign = "🤝" if game.winner is None else "🏆" if game.winner is mark else "🔻"
        signs.append(f"{sign} {board_views.opponent(game, player.id, t)}")
    won = sum(game.winner is not None and game.winner is game.mark_of(player.id) for game in last)
    drawn = sum(game.winner is None for game in last)
    counts = (
        (won, t.gettext("{count} won")),
        (drawn, t.gettext("{count} drawn")),
        (len(last) - won - drawn, t.gettext("{count} lost")),
    )
    summed = listed(t, [words.format(count=count) for count, words in counts if count])
    head = t.gettext("My last games of noughts and crosses: {summed}.").format(summed=summed)
    return "\n".join([head, *signs])
