"""The commands: their words, and what each does."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Final

from bot import play, views
from bot.context import Context, Place, name_of, place_of
from bot.publisher import Message
from bot.texts import texts
from bot.views import N_, View
from storage import chats, games
from storage.chats import Chat, Person

if TYPE_CHECKING:
    from collections.abc import Sequence
    from gettext import NullTranslations
    from random import Random

    from sqlalchemy import Connection
    from telegram import Update, User

    from storage.game import Game

MENU: Final = {
    "newgame": N_("Start a game: /newgame easy bot"),
    "difficulty": N_("How strong the computer plays here"),
    "first": N_("Who moves first here"),
    "help": N_("How it works"),
    "privacy": N_("What is stored about you"),
    "start": N_("Say hello"),
}
"""The commands as Telegram's menu shows them, with their descriptions."""


class BadWord(ValueError):
    """An argument of a command that means nothing; the word is the error's text."""


class WordTwice(ValueError):
    """Two arguments of a command that answer the same question."""


async def start(update: Update, context: Context) -> None:
    """Greet, and say how to begin."""
    t = _t(update)
    _reply(
        update,
        context,
        t.gettext(
            "Hello! I am OXO and I play noughts and crosses.\n\n"
            "/newgame starts a game: tap the board, and I answer at once. /help tells the rest."
        ),
    )


async def help_(update: Update, context: Context) -> None:
    """Explain the commands."""
    t = _t(update)
    _reply(
        update,
        context,
        t.gettext(
            "Three in a row wins: across, down or from corner to corner. ❌ always moves first.\n\n"
            "<b>/newgame</b> starts a game with what is chosen here. You can say more, in any order: "
            "<code>/newgame hard bot</code>.\n"
            "<b>/difficulty</b> sets how strong I play here: {levels}.\n"
            "<b>/first</b> sets who moves first: <code>me</code> (that is you), <code>bot</code> or "
            "<code>random</code>.\n"
            "<b>/privacy</b> tells what I keep.\n\n"
            "You can have as many games at once as you like: each board is a game of its own."
        ).format(levels=_words(views.LEVELS)),
    )


async def privacy(update: Update, context: Context) -> None:
    """Say what is stored; every bot must (Telegram's terms for bot developers, section 4)."""
    t = _t(update)
    _reply(
        update,
        context,
        t.gettext(
            "I keep what a game needs: your Telegram id, your name and language as Telegram tells them, the chats "
            "you play in, what was chosen there, and the moves of your games. I read nothing else, and pass "
            "nothing on. Telegram's standard policy for bots holds: telegram.org/privacy-tpa"
        ),
    )


async def newgame(update: Update, context: Context) -> None:
    """Start a game against the computer for the person who asks."""
    asked = await _asked(update, context)
    if asked is None:
        return
    user, place, t = asked
    try:
        wished = read_words(context.args or [], t)
    except ValueError as error:
        _reply(update, context, _complaint(error, t))
        return
    services = context.services
    game = await services.store.run(
        partial(
            _begin,
            person=Person(user.id, name_of(user), user.language_code),
            place=place,
            wished=wished,
            update_id=update.update_id,
            rng=services.rng,
        )
    )
    services.publisher.show(game)


async def difficulty(update: Update, context: Context) -> None:
    """Save the chat's level, or offer the levels."""
    await _choose(update, context, "level")


async def first(update: Update, context: Context) -> None:
    """Save who moves first in the chat, or offer the choices."""
    await _choose(update, context, "first")


async def other(update: Update, context: Context) -> None:
    """Answer, in a private chat, what is no command of ours."""
    t = _t(update)
    _reply(
        update, context, t.gettext("I only know noughts and crosses. /newgame starts a game, /help tells more.")
    )


async def migrated(update: Update, context: Context) -> None:
    """Follow a group that became a supergroup; both chats say so, in any order (Bot API, Message)."""
    message = update.effective_message
    if message is None:
        return
    old, new = message.migrate_from_chat_id or message.chat.id, message.migrate_to_chat_id or message.chat.id
    await context.services.store.run(partial(chats.migrate, old=old, new=new))


def read_words(words: Sequence[str], t: NullTranslations) -> dict[str, str]:
    """What the arguments of a command wish for: a level, who moves first, both or neither.

    The English words always work; those of the person's language do too.

    Raises:
        BadWord: for a word that means nothing.
        WordTwice: for two levels, or two who move first.
    """
    known = {word: ("level", level) for level in views.LEVELS for word in (level, views.level_name(level, t))}
    known |= {first: ("first", first) for first in play.FIRSTS}
    wished: dict[str, str] = {}
    for word in words:
        if word.lower() not in known:
            raise BadWord(word)
        kind, value = known[word.lower()]
        if wished.setdefault(kind, value) != value:
            raise WordTwice(word)
    return wished


def _begin(
    connection: Connection,
    *,
    person: Person,
    place: Place,
    wished: dict[str, str],
    update_id: int,
    rng: Random,
) -> Game:
    """Store a new game, or find the one that this update has made before."""
    if (made := games.of_update(connection, update_id)) is not None:
        return made
    chat = chats.choose(connection, place.chat_id, {})
    chats.see(connection, person)
    game = play.new_game(
        chat_id=place.chat_id,
        thread_id=place.thread_id,
        person=person.id,
        name=person.name,
        language=person.language,
        level=wished.get("level") or chat.level or play.DEFAULT_LEVEL,
        first=wished.get("first") or chat.first or play.DEFAULT_FIRST,
        update_id=update_id,
        now=int(time.time()),
        rng=rng,
    )
    return games.add(connection, game)


async def _choose(update: Update, context: Context, kind: str) -> None:
    """Save one of the chat's choices from a command's argument, or offer them all."""
    asked = await _asked(update, context)
    if asked is None:
        return
    user, place, t = asked
    words = context.args or []
    try:
        wished = read_words(words, t)
        for word in words:
            if kind not in read_words([word], t):
                raise BadWord(word)
    except ValueError as error:
        _reply(update, context, _complaint(error, t, kind))
        return
    store = context.services.store
    if wished:
        chat = await store.run(partial(chats.choose, chat_id=place.chat_id, choices=wished))
        _reply(update, context, confirmation(kind, chat, t))
    else:
        chat = await store.run(partial(chats.load, chat_id=place.chat_id))
        view = views.choices(kind, chosen(kind, chat), user.language_code)
        context.services.publisher.say(Message(place.chat_id, view, place.thread_id))


def chosen(kind: str, chat: Chat) -> str:
    """A chat's choice of a kind (`level` or `first`), or the default."""
    if kind == "level":
        return chat.level or play.DEFAULT_LEVEL
    return chat.first or play.DEFAULT_FIRST


def confirmation(kind: str, chat: Chat, t: NullTranslations) -> str:
    """The sentence that says what was just chosen."""
    if kind == "level":
        name = views.level_name(chosen(kind, chat), t)
        return t.gettext("Done: new games here are at level {level}.").format(level=name)
    sentences = {
        "me": t.gettext("Done: you move first in new games here."),
        "bot": t.gettext("Done: I move first in new games here."),
        "random": t.gettext("Done: a coin decides who moves first in new games here."),
    }
    return sentences[chosen(kind, chat)]


def _complaint(error: ValueError, t: NullTranslations, kind: str | None = None) -> str:
    """What to say about arguments that make no sense, with the words that do."""
    levels, firsts = _words(views.LEVELS), _words(play.FIRSTS)
    if kind == "level":
        known = t.gettext("The levels are {levels}.").format(levels=levels)
    elif kind == "first":
        known = t.gettext("You can say {firsts}.").format(firsts=firsts)
    else:
        known = t.gettext("The levels are {levels}; who moves first is {firsts}.").format(
            levels=levels, firsts=firsts
        )
    if isinstance(error, WordTwice):
        return t.gettext("That is one word too many: please say one level and one first mover.") + " " + known
    word = views.quoted(str(error))
    return t.gettext("I do not know the word {word}.").format(word=word) + " " + known


def _words(words: Sequence[str]) -> str:
    return ", ".join(f"<code>{word}</code>" for word in words)


async def _asked(update: Update, context: Context) -> tuple[User, Place, NullTranslations] | None:
    """Who asks and where; nobody if it is not a person's own account, who then hears why.

    Messages of anonymous administrators and of channels carry a stand-in for the person (Bot API, Message).
    """
    message = update.effective_message
    if message is None or message.from_user is None:
        return None
    if message.sender_chat is not None or message.from_user.is_bot:
        t = _t(update)
        _reply(
            update,
            context,
            t.gettext(
                "I cannot tell who you are when you write as a group or a channel. Please write as yourself."
            ),
        )
        return None
    return message.from_user, place_of(message), _t(update)


def _reply(update: Update, context: Context, text: str) -> None:
    message = update.effective_message
    if message is not None:
        place = place_of(message)
        context.services.publisher.say(Message(place.chat_id, View(text), place.thread_id))


def _t(update: Update) -> NullTranslations:
    user = update.effective_user
    return texts(user.language_code if user else None)
