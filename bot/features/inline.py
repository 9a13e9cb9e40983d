"""Inline mode: what it offers in any chat, by the words after the bot's name.

Offers aren't stored, because most are never picked: the button of a picked message carries the offer itself,
signed, so that nobody can forge one in somebody else's name. The game begins with the first tap or with Telegram's
feedback on the choice, whichever comes first.
"""

import hmac
import json
import re
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Annotated, Final, NamedTuple, TypeVar

from sqlalchemy import Connection
from telegram import InlineQueryResultArticle, InputTextMessageContent, Update
from telegram.constants import ChatType, ParseMode
from telegram.ext import ChosenInlineResultHandler, InlineQueryHandler

from bot.boards import board as board_views
from bot.boards import challenges, names, rule_words
from bot.boards.buttons import Menu
from bot.boards.links import signature
from bot.boards.players import DIFFICULTIES, difficulty_words, first_words, level_name
from bot.boards.rules import rules_name
from bot.boards.translations import folded, listed
from bot.boards.view import Key, View, keyboard
from bot.boards.wording import results_in_words
from bot.context.acting import Done, act, redraw, send_away
from bot.context.beginning import NewGame, game_of
from bot.context.feature import Feature, HelpPage
from bot.context.requests import USERNAME, Requester
from bot.context.services import Context
from bot.context.sharing import keep, sent
from bot.game.attempt import NotAllowed, Player, Refusal, Where
from bot.game.choices import First, matching
from bot.game.new_game import (
    DEFAULT_FIRST,
    DEFAULT_LEVEL,
    DEFAULT_RULES,
    Accept,
)
from bot.language import _, speaking, spoken
from bot.recent import Recent
from engine import Mark
from engine.rules.catalogue import NAMED
from engine.rules.mnk import MISERE
from storage.games import boards, games, lookups
from storage.games.game import COMPUTER, Game, is_erased
from storage.games.record import Place, Record
from storage.people import people
from storage.privacy import forgotten
from storage.results.result import counts


class Begin(Menu, word="i"):
    """Accepts an inline offer; signed (`bot.features.inline`)."""

    offer: Annotated[str, matching("[A-Za-z0-9_:+-]{1,62}")]


Choice = TypeVar("Choice", First, str)

PREFIX_LETTERS: Final = 3
"""With this many letters, a word for a board is recognised before it is complete."""

MOST_WORDS: Final = 8
"""How many words are read; Telegram sends up to 256 characters."""


class InlineWish(NamedTuple):
    """What to offer."""

    firsts: tuple[First, ...]
    """The challenges to offer, each by its first mover."""
    levels: tuple[str, ...]
    """The games against the computer to offer, each by its difficulty."""
    rival: str | None = None
    """The person the challenge is for: a `@username`, or the name of somebody they have played."""
    rival_id: int | None = None
    """Their id, if the name is known; nothing is looked up under a username, which anybody can type."""
    rules: str = DEFAULT_RULES
    """The rules to play by."""


USUAL: Final = InlineWish((DEFAULT_FIRST,), (DEFAULT_LEVEL,))


def read_query(query: str, own: Collection[str | None], known: Mapping[int, str]) -> InlineWish:
    """What the typed words choose, from their first letters on; words that mean nothing choose nothing.

    Nobody can name their `own` usernames, the bot's and theirs; people `known`, by id, are named by a part of
    their name.
    """
    words, rules = _board(folded(query).split()[:MOST_WORDS])
    usual = USUAL._replace(rules=rules)
    named = [word for word in words if USERNAME.fullmatch(word)]
    rivals = [word for word in named if word not in {f"@{name}".casefold() for name in own}]
    firsts, levels = _begun(words, First, first_words()), _begun(words, DIFFICULTIES, difficulty_words())
    if rivals:
        return usual._replace(firsts=firsts or usual.firsts, levels=(), rival=rivals[0])
    for person, name in known.items():
        if set(words) & set(folded(name).split()):
            return usual._replace(firsts=firsts or usual.firsts, levels=(), rival=name, rival_id=person)
    return usual._replace(firsts=firsts, levels=levels) if firsts or levels else usual


def _board(words: Sequence[str]) -> tuple[Sequence[str], str]:
    """The words that name no board, and the rules that the others name; half typed, they may name none yet."""
    whole_words = rule_words.board_words()
    words = [
        next((whole for whole in whole_words if len(word) >= PREFIX_LETTERS and whole.startswith(word)), word)
        for word in words
    ]
    try:
        rest, rules = rule_words.rules_among(words)
    except rule_words.WordError:
        return words, DEFAULT_RULES
    return rest, rules or DEFAULT_RULES


def _begun(words: Sequence[str], kinds: Iterable[Choice], names: Mapping[str, str]) -> tuple[Choice, ...]:
    """The values whose names begin with any of the words, in their own order."""
    found = {meant for name, meant in names.items() if any(name.startswith(word) for word in words)}
    return tuple(kind for kind in kinds if kind in found)


def challenge_title(rival: str | None) -> str:
    """The title of a challenge among the offers."""
    return _("Challenge") if rival is None else _("Challenge {name}").format(name=rival)


def first_mover(first: First) -> str:
    """Who moves first in a challenge, worded for the challenger."""
    said = {
        First.ME: _("You move first"),
        First.BOT: _("Your opponent moves first"),
        First.RANDOM: _("Random first move"),
    }
    return said[first]


OFFER_SIGNATURE_LETTERS: Final = 12
"""Characters of the signature: 72 bits, as callback data has room for 64 bytes in all."""


LONGEST_OFFER: Final = 62
"""The longest offer, to fit a button and the id of a result (64 bytes each, Bot API)."""

NONCE_LETTERS: Final = 8

MOST_INLINE: Final = 20
"""The most challenges and games with others that one person has sent, and that aren't over."""


AMONG_OTHERS: Final = "+"
"""Before the seat of whoever is challenged where it is in the challenger's language, as others read it too."""
SEAT: Final = re.compile(r"\+?([1-9][0-9]*)([xo])")
"""The id of a game and a mark in it; no id of a person can be read in a button."""


class InlineOffer(NamedTuple):
    """What a picked message offers: a challenge (`me`, `bot` or `random` moves first), or the difficulty."""

    kind: str
    person: int
    nonce: str = ""
    """Tells this offer from the person's others, as each starts one game."""
    rival: str | None = None
    """The person a challenge is for: a `@username`, or a game and the mark they had in it (`12x`), after a + where
    others read the message."""
    rules: str = DEFAULT_RULES
    """The rules to play by."""


def write(offer: InlineOffer, key: bytes) -> str:
    """The signed data of an offer's button; no two are equal."""
    plain = f"{_terms(offer)}:{secrets.token_urlsafe()[:NONCE_LETTERS]}"
    return f"{plain}:{signature(plain, key, OFFER_SIGNATURE_LETTERS)}"


def fitting(offer: InlineOffer) -> InlineOffer:
    """The offer, open to anybody if its rival's name is too long for the button to hold others off."""
    room = LONGEST_OFFER - len("::") - NONCE_LETTERS - OFFER_SIGNATURE_LETTERS
    return offer if len(_terms(offer)) <= room else offer._replace(rival=None)


def _terms(offer: InlineOffer) -> str:
    kind = offer.kind if offer.rules == DEFAULT_RULES else f"{offer.kind}-{_in_short(offer.rules)}"
    named = "" if offer.rival is None else f"_{offer.rival.removeprefix('@')}"
    return f"{kind}{named}:{offer.person}"


def read_offer(text: str, key: bytes) -> InlineOffer | None:
    """The offer that a button carries; None if the signature isn't ours."""
    plain, _, signed = text.rpartition(":")
    kind, _, rest = plain.partition(":")
    person, _, nonce = rest.partition(":")
    if not hmac.compare_digest(signed.encode(), signature(plain, key, OFFER_SIGNATURE_LETTERS).encode()):
        return None
    kind, _, name = kind.partition("_")
    rival = name if name.removeprefix(AMONG_OTHERS)[:1].isdecimal() else f"@{name}"
    kind, _, short = kind.partition("-")
    rules = _in_full(short) if short else DEFAULT_RULES
    return InlineOffer(kind, int(person), nonce, rival if name else None, rules)


def _in_short(text: str) -> str:
    """The name of rules in at most four characters: `554`, `333m`, `u`."""
    for letter, rules in NAMED.items():
        if text == rules.text:
            return letter
    return text.replace("x", "").replace(f"-{MISERE}", MISERE[0])


def _in_full(short: str) -> str:
    """The name of rules that `_in_short` has shortened."""
    if short in NAMED:
        return NAMED[short].text
    board, misere, _ = short.partition(MISERE[0])
    return "x".join(board) + (f"-{MISERE}" if misere else "")


_PEOPLE: Final = partial(Recent[int, Player], 4096)
"""The last people who used inline mode, so that the message they pick has their name, whoever taps it."""

SUMMARY_GAMES: Final = 10
"""How many of a person's last games the summary has."""


async def on_query(update: Update, context: Context) -> None:
    """Answer an inline query with what can be started in any chat; nothing is stored yet."""
    query = update.inline_query
    if query is None:
        return
    requester = Requester(context.services, query.from_user, update.update_id, Where())
    if (view := await sent(context.services, query.query, requester.user.id)) is not None:
        context.services.answers.offer(query.id, [_sent_on(view, query.query.strip())])
        return
    last = await context.services.store.read(lookups.last_finished, person=query.from_user.id, limit=SUMMARY_GAMES)
    requester.services.memory(_PEOPLE)[requester.user.id] = requester.player
    own = (requester.player.username, context.bot.username)
    wished = read_query(query.query, own, _opponents(last, requester.user.id))
    language = None
    if wished.rival_id is not None and query.chat_type == ChatType.PRIVATE:
        language = await context.services.store.read(people.seen_language, person_id=wished.rival_id)
    context.services.answers.offer(query.id, _results(requester, wished, list(last), language))


async def on_choice(update: Update, context: Context) -> None:
    """Begin the picked game, if Telegram's feedback arrives before the first tap."""
    choice = update.chosen_inline_result
    if choice is None or choice.inline_message_id is None:
        return
    where = Where(inline_message_id=choice.inline_message_id)
    requester = Requester(context.services, choice.from_user, update.update_id, where)
    requester.services.memory(_PEOPLE)[requester.user.id] = requester.player
    is_kept = await keep(requester, choice.result_id, choice.inline_message_id)
    if is_kept or (offer := read_offer(choice.result_id, context.services.key)) is None:
        return
    begin = partial(_store, requester=requester, offer=offer, inline_message_id=choice.inline_message_id)
    with suppress(NotAllowed):
        record, is_new = await context.services.store.run(begin)
        if is_new:
            context.services.show_made(record)


async def begin(requester: Requester, button: Begin) -> str | None:
    """Take a tap on a picked message: accept the challenge, or begin the game against the computer.

    Returns what the tapper is told.
    """
    services, inline_message_id = requester.services, requester.where.inline_message_id
    if inline_message_id is None:
        return await redraw(requester)
    if (offer := read_offer(button.offer, services.key)) is None:
        raise NotAllowed(Refusal.NOT_OPEN)
    try:
        record, is_new = await services.store.run(
            _store, requester=requester, offer=offer, inline_message_id=inline_message_id
        )
    except NotAllowed as error:
        if error.refusal is Refusal.USED:
            used = await services.store.read(lookups.by_inline_offer, person=offer.person, offer=offer.nonce)
            if used is not None:
                await send_away(requester, used)
        raise
    game, is_slow = record.game, False
    if is_new:
        is_slow = services.show_made(record)
    if game.is_challenge:
        return (await act(requester, game.id, Accept(offer.rules))).words
    if not is_new:
        services.boards.refresh(record)
    if game.mark_of(requester.user.id) is None:
        raise NotAllowed(Refusal.NOT_YOURS)
    return Done(record, is_slow).words


def _store(
    connection: Connection, *, requester: Requester, offer: InlineOffer, inline_message_id: str
) -> tuple[Record, bool]:
    """Begin the game that is offered, or find the one that this message has begun; NotAllowed if it can't be.

    The result is the game, and whether it has just begun.
    """
    if (found := lookups.by_inline_message(connection, inline_message_id)) is not None:
        return found, False
    if lookups.by_inline_offer(connection, offer.person, offer.nonce) is not None:
        raise NotAllowed(Refusal.USED)  # the same offer, in another message
    if (
        offer.person != requester.user.id
        and people.find(connection, offer.person) is None
        and forgotten.is_forgotten(connection, offer.person)
    ):
        raise NotAllowed(Refusal.NOT_OPEN)  # who made it has deleted their data since, and started nothing new
    is_challenge = offer.kind in tuple(First)
    if is_challenge and lookups.open_inline(connection, offer.person) >= MOST_INLINE:
        raise NotAllowed(Refusal.TOO_MANY_SENT, count=MOST_INLINE)
    player = _player(connection, requester, offer.person)
    attempt = requester.attempt()._replace(who=player)
    if is_challenge:
        wish = NewGame(first=offer.kind, rules=offer.rules, rival=_rival(connection, offer))
    else:
        wish = NewGame(is_alone=True, level=offer.kind, first=First.ME, rules=offer.rules)
    game = game_of(connection, attempt, wish)._replace(inline_person=offer.person, inline_offer=offer.nonce)
    reader = game.rival_id if (offer.rival or "")[:1].isdecimal() else None
    language = people.seen_language(connection, reader) or player.language
    place = Place(inline_message_id=inline_message_id, language=language)
    return boards.add(connection, game, [place]), True


def _opponents(games: Iterable[Game], person: int) -> dict[int, str]:
    others = [(game, (game.mark_of(person) or Mark.X).other) for game in games]
    return {game.seat(mark) or 0: game.name(mark) or "" for game, mark in others if game.seat(mark) != COMPUTER}


def _seat_of(person: int, games: Iterable[Game]) -> str:
    """The first of these games in which somebody plays, and their mark."""
    return next(f"{game.id}{mark.lower()}" for game in games if (mark := game.mark_of(person)) is not None)


def _rival(connection: Connection, offer: InlineOffer) -> Player | None:
    """The person an offer names; NotAllowed if it's by a game that is no more, or they have left."""
    if offer.rival is None or offer.rival.startswith("@"):
        return None if offer.rival is None else Player(0, "", offer.rival[1:].lower())
    seat = SEAT.fullmatch(offer.rival)
    record = games.find(connection, int(seat[1])) if seat else None
    if seat is None or record is None:
        raise NotAllowed(Refusal.NOT_OPEN)
    rival = record.game.seat(Mark(seat[2].upper())) or COMPUTER
    if is_erased(rival):
        raise NotAllowed(Refusal.LEFT)
    return Player(rival, record.game.name_of(rival) or "")


def _player(connection: Connection, requester: Requester, person: int) -> Player:
    """The person who made an offer; a name that isn't known is filled in when they act."""
    if person == requester.user.id:
        player = requester.player
    else:
        stored = people.find(connection, person)
        player = requester.services.memory(_PEOPLE).get(person) or stored or Player(person, "")
    if player.name:
        people.see(connection, player)
    return player


def _results(
    requester: Requester, wished: InlineWish, last: list[Game], language: str | None
) -> list[InlineQueryResultArticle]:
    key, player = requester.services.key, requester.player
    name = names.shown(player.name, _("Player"))
    results, rules = [], wished.rules
    described = [] if rules == DEFAULT_RULES else [rules_name(rules)]
    rival = wished.rival
    if wished.rival_id is not None:
        rival = names.shown(wished.rival, _("Player"))
    for first in wished.firsts:
        named = wished.rival
        if wished.rival_id is not None:
            named = f"{'' if language else AMONG_OTHERS}{_seat_of(wished.rival_id, last)}"
        offer = fitting(InlineOffer(first, player.id, rival=named, rules=rules))
        data, is_theirs = write(offer, key), offer.rival is not None
        with speaking(language or spoken()):
            text = challenges.invitation(name, first, rival if is_theirs else None, rules=rules)
            view = View(text, keyboard([[Key(_("Accept"), Begin(data), "success")]]))
        title = challenge_title(wished.rival if is_theirs else None)
        results.append(_article(data, title, view, listed([first_mover(first), *described])))
    for level in wished.levels:
        data = write(InlineOffer(level, player.id, rules=rules), key)
        called = level_name(level, rules)
        start = keyboard([[Key(_("Start"), Begin(data), "primary")]])
        details = [_("Difficulty: {level}").format(level=called), *described]
        view = View(challenges.announcement(name, called, rules), start)
        results.append(_article(data, _("Play OXO"), view, listed(details)))
    counted = [game for game in last if counts(game)]
    if counted and wished == USUAL:
        summary = View(_summary(counted, player))
        told = _("Share my latest results")
        results.append(_article(f"results:{secrets.token_urlsafe(4)}", _("My games"), summary, told))
    return results


def _sent_on(view: View, link: str) -> InlineQueryResultArticle:
    """A finished game that is sent on; its id says which, once it was picked."""
    title, players, *_ = view.plain.splitlines()
    return _article(link, title, view, players)


def _article(result_id: str, title: str, view: View, described: str) -> InlineQueryResultArticle:
    """A message to pick, whose keyboard is the Bot API's own."""
    return InlineQueryResultArticle(
        result_id,
        title,
        InputTextMessageContent(view.text, parse_mode=ParseMode.HTML),
        description=described,
        api_kwargs={} if view.keyboard is None else {"reply_markup": json.loads(view.keyboard)},
    )


def _summary(last: list[Game], player: Player) -> str:
    signs = []
    for game in last:
        mark = game.mark_of(player.id)
        sign = "🤝" if game.winner is None else "🏆" if game.winner is mark else "🔻"
        signs.append(f"{sign} {board_views.opponent(game, player.id)}")
    won = sum(game.winner is not None and game.winner is game.mark_of(player.id) for game in last)
    drawn = sum(game.winner is None for game in last)
    counts = (won, drawn, len(last) - won - drawn)
    counted = zip(counts, results_in_words(*counts), strict=True)
    summed = listed(said for count, said in counted if count)
    head = _("My latest tic-tac-toe games: {summed}.").format(summed=summed)
    return "\n".join([head, *signs])


FEATURE: Final = Feature(
    taps={Begin: begin},
    updates=[InlineQueryHandler(on_query), ChosenInlineResultHandler(on_choice)],
    remembers=[_PEOPLE],
    helps={HelpPage.FRIENDS: lambda: _("<b>In any other chat:</b> type my username and a space.")},
)
