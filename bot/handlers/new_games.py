"""/newgame and /challenge: a game against the computer, or a challenge to somebody in the group."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from telegram import MessageEntity

from bot import challenges, links, play, words
from bot.asking import asking
from bot.context import name_of
from bot.play import Board, Player
from storage import chats, games, lookups
from storage.chats import Person

if TYPE_CHECKING:
    from collections.abc import Sequence
    from gettext import NullTranslations

    from sqlalchemy import Connection
    from telegram import Message, Update

    from bot.asking import Asking
    from bot.context import Context
    from storage.game import Game

USERNAME: Final = re.compile(r"@[A-Za-z][A-Za-z0-9_]{2,31}")


class NoOpponent(ValueError):
    """The one named cannot be played against; the error's text says why, to the person who asked."""


class TooMany(ValueError):
    """Enough challenges of this person wait in this chat."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a command asks for."""

    level: str | None
    first: str | None
    rival: Player | None
    computer: bool
    """Whether it asks for the computer as the opponent."""


async def newgame(update: Update, context: Context) -> None:
    """Start a game against the computer, or challenge somebody."""
    await _newgame(update, context, "level", "first")


async def challenge(update: Update, context: Context) -> None:
    """Challenge somebody: in a group here, in a private chat by a link."""
    asked = asking(update, context)
    if asked is None:
        return
    if not asked.is_private:
        await _newgame(update, context, "first")
        return
    rest, _ = _mentions(asked.message)
    try:
        wished = words.read([word for word in rest if not USERNAME.fullmatch(word)], asked.t, "first")
    except ValueError as error:
        asked.reply(words.complaint(error, asked.t, "first"))
        return
    # Whoever is named here cannot be reached by the bot: they get the link.
    if refusal := await links.invite(asked.asker, asked.place.chat_id, wished.get("first")):
        asked.reply(refusal)


async def _newgame(update: Update, context: Context, *kinds: str) -> None:
    if (asked := asking(update, context)) is None:
        return
    t = asked.t
    try:
        wish = _read(asked, context, *kinds)
        game = await asked.services.store.run(partial(_begin, asked=asked, wish=wish))
    except NoOpponent as error:
        asked.reply(str(error))
    except TooMany:
        asked.reply(
            t.gettext(
                "{count} of your challenges are waiting here already. Cancel one, and you can make another."
            ).format(count=challenges.MOST_OPEN)
        )
    except ValueError as error:
        asked.reply(words.complaint(error, t, *kinds))
    else:
        asked.services.publisher.show(game)


def _begin(connection: Connection, *, asked: Asking, wish: Wish) -> Game:
    """Store a new game or challenge, or find the one that this update has made before."""
    asker = asked.asker
    if (made := games.of_update(connection, asker.update_id)) is not None:
        return made
    player, place, services = asker.player, asked.place, asker.services
    chat = chats.choose(connection, place.chat_id, {})
    chats.see(connection, Person(player.id, player.name, player.language))
    now = int(time.time())
    board = Board(place.chat_id, place.thread_id)
    first = play.goes_first(wish.first or chat.first or play.DEFAULT_FIRST, services.rng)
    if wish.computer:
        seats = (player, play.computer()) if first else (play.computer(), player)
        game = play.new_game(
            *seats,
            board=board,
            language=player.language,
            now=now,
            due_at=now + services.patience.computer,
            level=wish.level or chat.level or play.DEFAULT_LEVEL,
            update_id=asker.update_id,
        )
        return games.add(connection, play.let_computer_move(game, services.rng))
    if lookups.open_challenges(connection, place.chat_id, player.id) >= challenges.MOST_OPEN:
        raise TooMany
    game = challenges.challenge(
        player,
        first=first,
        board=board,
        language=player.language,
        now=now,
        due_at=now + services.patience.challenge,
        update_id=asker.update_id,
        rival=wish.rival,
    )
    return games.add(connection, game)


def _read(asked: Asking, context: Context, *kinds: str) -> Wish:
    """What a command asks for.

    Raises:
        NoOpponent: if the one named cannot play, or a level is named too.
        BadWord, WordTwice: as `words.read`.
    """
    t = asked.t
    rest, mentioned = _mentions(asked.message)
    usernames = [word for word in rest if USERNAME.fullmatch(word)]
    wished = words.read([word for word in rest if word not in usernames], t, *kinds)
    level, first = wished.get("level"), wished.get("first")
    own = context.bot.username.lower()
    others = [name for name in usernames if name[1:].lower() != own]
    if level is not None or len(others) < len(usernames):
        if mentioned or others:
            raise NoOpponent(t.gettext("Please say either a level, to play me, or whom you challenge."))
        return Wish(level, first, None, computer=True)
    rival = _rival(asked, mentioned, usernames, own)
    if rival is not None and asked.is_private:
        raise NoOpponent(t.gettext("Here it is just the two of us. /challenge gives you a link for a friend."))
    return Wish(None, first, rival, computer=asked.is_private)


def _mentions(message: Message) -> tuple[Sequence[str], Sequence[Player]]:
    """The words after the command, without names of people; and these people.

    A person without a username is named by an entity over their name, which may be several words; its offsets
    count UTF-16 units (Bot API, MessageEntity).
    """
    text = (message.text or "").encode("utf-16-le")
    people = []
    for entity in message.entities:
        if entity.type == MessageEntity.TEXT_MENTION and entity.user is not None:
            start, length = 2 * entity.offset, 2 * entity.length
            text = text[:start] + " ".encode("utf-16-le") * entity.length + text[start + length :]
            user = entity.user
            people.append(
                Player(user.id, name_of(user) if not user.is_bot else "", "bot" if user.is_bot else None)
            )
    return text.decode("utf-16-le", "replace").split()[1:], people


def _rival(asked: Asking, mentioned: Sequence[Player], usernames: Sequence[str], own: str) -> Player | None:
    """Whom a command names: by mention, by username, or by replying to them.

    Raises:
        NoOpponent: if that is a bot, nobody's own account, the person themselves, or more than one.
    """
    t, user = asked.t, asked.asker.user
    bots = NoOpponent(t.gettext("Bots do not play with each other here. /newgame with a level plays me."))
    if len(mentioned) + len(usernames) > 1:
        raise NoOpponent(t.gettext("One opponent at a time, please: each board is for two."))
    if usernames:
        name = usernames[0]
        if name.lower().endswith("bot"):  # every bot's username does (core.telegram.org/bots/features)
            raise bots
        _refuse_oneself(t, oneself=user.username is not None and name[1:].lower() == user.username.lower())
        return Player(0, name)
    if mentioned:
        if mentioned[0].username == "bot":
            raise bots
        _refuse_oneself(t, oneself=mentioned[0].id == user.id)
        return mentioned[0]
    return _replied_to(asked, own, bots)


def _replied_to(asked: Asking, own: str, bots: NoOpponent) -> Player | None:
    """The person whose message a command answers; what the bot itself wrote names nobody."""
    t, replied = asked.t, asked.message.reply_to_message
    if asked.is_private or replied is None or replied.from_user is None:
        return None
    # In a topic, and in the comments under a channel's post, every message answers at least the opening one.
    if replied.forum_topic_created is not None or replied.is_automatic_forward:
        return None
    if (replied.from_user.username or "").lower() == own:
        return None
    if replied.sender_chat is not None:
        raise NoOpponent(t.gettext("That was written as a group or a channel; I cannot tell who it was."))
    if replied.from_user.is_bot:
        raise bots
    _refuse_oneself(t, oneself=replied.from_user.id == asked.asker.user.id)
    return Player(replied.from_user.id, name_of(replied.from_user))


def _refuse_oneself(t: NullTranslations, *, oneself: bool) -> None:
    if oneself:
        raise NoOpponent(t.gettext("You cannot challenge yourself. /newgame with a level plays me."))
