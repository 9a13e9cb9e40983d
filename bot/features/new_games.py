"""/newgame, and /challenge in a group: a game against the computer, or a challenge."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection

from bot.boards.buttons import Play
from bot.boards.players import computer, named
from bot.boards.rules import rules_name
from bot.boards.translations import sentences
from bot.boards.view import View
from bot.context.acting import Done, act, redraw
from bot.context.handlers import tap
from bot.context.requests import CommandRequest, Requester, mentions, stored_name
from bot.context.services import Services
from bot.game.attempt import NotAllowed, Player, Refusal, Unclear
from bot.game.choices import ADAPTIVE
from bot.game.exhibitions import PlayWinner
from bot.game.matchmaking import PlayMeanwhile
from bot.game.new_game import (
    DEFAULT_FIRST,
    DEFAULT_LEVEL,
    DEFAULT_RULES,
    MOST_OPEN,
    MOST_TO_ONE_IN_GROUPS,
    USUAL_LEVEL,
    against_computer,
    goes_first,
    new_challenge,
)
from bot.game.pages import PlayFrom
from bot.language import _
from engine import Mark
from storage.columns import DAY
from storage.games import boards, games, lookups
from storage.games.game import GameKind, Limits, is_erased
from storage.games.record import Notice, Record
from storage.once import take
from storage.people import blocks, chats, matchmaking, people
from storage.privacy import forgotten
from storage.results import results

MOST_GAMES: Final = 8
MOST_ALONE: Final = 20
"""The most running games of one person in one group, so that nobody floods it, and in their private chat."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """What a command asks for."""

    level: str | None
    first: str | None
    rival: Player | None
    computer: bool
    """Whether it asks for a game against the computer."""
    rules: str | None = None
    clock: int | None = None
    """The seconds per move between two people."""
    meanwhile: bool = False
    """Whether the game ends once an opponent is found for the person, who is waiting for one."""
    best_of: int | None = None
    """The most games of their series."""
    moves: str = ""
    """The moves after which it begins, with the person's."""
    beats: int | None = None
    """The shared game that has these moves."""


async def newgame(request: CommandRequest) -> None:
    """Start a game against the computer, or challenge somebody."""
    request.need_recent()
    await _made(request, _read(request, "level", "first", "rules"))


async def challenge(request: CommandRequest) -> None:
    """Challenge somebody in a group."""
    request.need_recent()
    await _made(request, _read(request, "first", "clock", "series", "rules"))


@tap(PlayMeanwhile)
async def tap_meanwhile(requester: Requester, game_id: int, action: PlayMeanwhile) -> str | None:
    """Start a game to pass the time; returns what the tapper is told."""
    await act(requester, game_id, action)
    return await play_now(requester, Play(), meanwhile=True)


@tap(Play)
async def play_now(requester: Requester, _: Play, *, meanwhile: bool = False) -> str | None:
    """Start a game as /newgame alone does, perhaps to pass the time; returns what the tapper is told."""
    wish = NewGame(None, None, None, computer=requester.is_private, meanwhile=meanwhile)
    return await _made_here(requester, wish)


@tap(PlayWinner)
async def play_winner(requester: Requester, game_id: int, action: PlayWinner) -> str | None:
    """Play whoever won: the computer at once, a person in a group by a challenge to the same board."""
    done = await act(requester, game_id, action)
    won = done.record.game
    if won.kind is not GameKind.PAIR:
        return done.words
    winner = won.seat(won.winner or Mark.X) or 0
    if await requester.services.store.read(_waits_for, requester=requester, rival=winner):
        raise NotAllowed(Refusal.NOBODY_YET)
    rival = Player(winner, won.name_of(winner) or "")
    wish = NewGame(None, None, rival, computer=False, rules=won.rules, clock=won.clock)
    return (await _made(requester, wish)).words


@tap(PlayFrom)
async def play_from(requester: Requester, game_id: int, action: PlayFrom, level: str | None = None) -> str | None:
    """Play on against OXO from a position of a finished game; returns what the tapper is told.

    Without a `level` OXO plays as in any new game here.
    """
    game = (await act(requester, game_id, action)).record.game
    wish = NewGame(level, None, None, computer=True, rules=game.rules, moves=game.moves[: action.at])
    return await _made_here(requester, wish)


async def beat(request: CommandRequest, game_id: int, ply: int) -> None:
    """Play the side of whoever shared a game from a position of it, against OXO at the same level.

    They may be told how it ends (`storage.games.outbox.tell_sharer`), so the person learns that first.
    """
    store = request.services.store
    shared = (await store.read(games.load, game_id=game_id)).game
    level, moves = shared.level or USUAL_LEVEL, shared.moves[:ply]
    wish = NewGame(level, None, None, computer=True, rules=shared.rules, moves=moves, beats=game_id)
    made = await store.run(_begin, requester=request, wish=wish)
    await request.reply_with(partial(_taken_over, request, game_id, ply))
    request.services.show_made(made)


async def _taken_over(request: CommandRequest, game_id: int, ply: int) -> View:
    store, person = request.services.store, request.user.id
    shared, mark = (await store.read(games.load, game_id=game_id)).game, Mark.O if ply % 2 else Mark.X
    name = named(shared, mark)
    said = _("🎯 You play {name}'s side from move {number}.").format(name=name, number=ply + 1)
    is_own, is_gone = shared.seat(mark) == person, is_erased(shared.seat(mark))
    if is_own or is_gone or await store.read(people.is_hidden, person_id=person):
        return View(said)
    return View(sentences(said, _("{name} may hear how it ends.").format(name=name)))


async def how_it_ended(services: Services, notice: Notice) -> View | None:
    """How somebody did from a position that a person has shared; None if they were forgotten since."""
    game_id, person = notice.game_id or 0, notice.subject or 0
    record = (await services.store.read(games.load_many, ids=[game_id])).get(game_id)
    game = record.game if isinstance(record, Record) else None
    if game is None or (mark := game.mark_of(person)) is None:
        return None
    if game.winner is None:
        said = _("🎯 {name} played your side of a game that you shared, and drew.")
    elif game.winner is mark:
        said = _("🎯 {name} played your side of a game that you shared, and won.")
    else:
        said = _("🎯 {name} played your side of a game that you shared, and lost.")
    return View(f"{said.format(name=named(game, mark))}\n{rules_name(game.rules)} · {computer(game)}")


def _waits_for(connection: Connection, *, requester: Requester, rival: int) -> bool:
    found = [record.game for record in lookups.newest(connection, requester.chat_id)]
    waiting = [game for game in found if game.is_challenge and not game.is_over]
    return any(game.rival_id == rival and game.mark_of(requester.user.id) for game in waiting)


async def _made(requester: Requester, wish: NewGame) -> Done:
    made = await requester.services.store.run(_begin, requester=requester, wish=wish)
    return Done(made, requester.services.show_made(made))


async def _made_here(requester: Requester, wish: NewGame) -> str | None:
    """Begin a game by a button, where Telegram says in which chat that is; returns what the tapper is told."""
    return (await _made(requester, wish)).words if requester.chat_id else await redraw(requester)


def _how_to_name(request: CommandRequest) -> str:
    if request.is_private:
        return _("Playing a friend? /challenge gives you a link to send them.")
    return _(
        "To play someone here, add their <code>@username</code>, or reply to one of their messages with /newgame."
    )


def _begin(connection: Connection, *, requester: Requester, wish: NewGame) -> Record:
    """Store a new game or challenge."""
    attempt, player, chat_id = requester.attempt(), requester.player, requester.chat_id
    _refuse_too_many(connection, requester, wish)
    take(connection, requester.once_a_minute)
    chat = chats.load_or_add(connection, chat_id)
    people.see(connection, player)
    first = goes_first(wish.first or chat.first or DEFAULT_FIRST, attempt.rng)
    if wish.moves:
        first = len(wish.moves) % 2 == 0
    rules = wish.rules or chat.rules or DEFAULT_RULES
    if wish.computer:
        level = wish.level or chat.level or DEFAULT_LEVEL
        is_adaptive = level == ADAPTIVE
        if is_adaptive:
            level = results.level_of(connection, player.id, rules)
        is_adaptive = is_adaptive and not wish.moves
        game = against_computer(
            attempt, first=first, level=level, adaptive=is_adaptive, rules=rules, moves=wish.moves
        )._replace(beats=wish.beats)
        if wish.meanwhile and matchmaking.waiting_of(connection, player.id) is not None:
            game = game._replace(time_limits=Limits.MEANWHILE)
    else:
        if (rival := wish.rival) is not None and rival.id:
            people.introduce(connection, rival)
        asked = new_challenge(attempt, first=first, rules=rules, rival=rival)
        hushed = blocks.hushes(connection, rival, player.id)
        game = asked._replace(clock=wish.clock, best_of=wish.best_of, hushed=hushed)
    return boards.add(connection, game, [requester.place])


def _refuse_too_many(connection: Connection, requester: Requester, wish: NewGame) -> None:
    person, chat_id, since = requester.user.id, requester.chat_id, int(time.time()) - DAY
    most = MOST_ALONE if requester.is_private else MOST_GAMES
    if lookups.open_games(connection, chat_id, person) >= most:
        raise NotAllowed(Refusal.TOO_MANY_GAMES, count=most)
    if wish.computer:
        return
    if lookups.open_challenges(connection, chat_id, person) >= MOST_OPEN:
        raise NotAllowed(Refusal.TOO_MANY_OPEN, count=MOST_OPEN)
    if wish.rival and lookups.challenges_to(connection, person, wish.rival, since) >= MOST_TO_ONE_IN_GROUPS:
        raise NotAllowed(Refusal.ENOUGH_FROM_YOU)
    if wish.rival and forgotten.is_forgotten(connection, person, since):
        raise NotAllowed(Refusal.ENOUGH_TODAY)


def _read(request: CommandRequest, *kinds: str) -> NewGame:
    """What a command asks for; raises `Unclear` if the person named can't play, or a level is named too."""
    words, named = mentions(request.message)
    wished = request.read(words, *kinds, person=_how_to_name(request))
    level, first, rules = wished.get("level"), wished.get("first"), wished.get("rules")
    clock, best_of = (int(wished[kind]) if kind in wished else None for kind in ("clock", "best_of"))
    own = request.bot_username.lower()
    others = [each for each in named if each.username != own]
    if level is not None or len(others) < len(named):
        if others:
            raise Unclear(_("Name either a level, to play me, or the person you're challenging."))
        return NewGame(level, first, None, computer=True, rules=rules)
    rival = _rival(request, named, own)
    if rival is not None and request.is_private:
        raise Unclear(_("It's just the two of us here. /challenge gives you a link for a friend."))
    return NewGame(None, first, rival, computer=request.is_private, rules=rules, clock=clock, best_of=best_of)


def _rival(request: CommandRequest, named: Sequence[Player], own: str) -> Player | None:
    """The person a command names: by mention, by username, or by replying to them.

    Raises `Unclear` if it is a bot, a group or channel, the person themselves, or more than one person.
    """
    if len(named) > 1:
        raise Unclear(_("One opponent at a time, please: each board is for two."))
    if (rival := named[0] if named else _replied_to(request, own)) is None:
        return None
    if rival.id and rival.username == "bot":
        raise Unclear(_("Bots can't be opponents here. To play me, send /newgame with a level."))
    if rival.id == request.user.id or (not rival.id and rival.username == (request.user.username or "").lower()):
        raise Unclear(_(Refusal.ONESELF.value))
    return rival


def _replied_to(request: CommandRequest, own: str) -> Player | None:
    """Whose message a command replies to, as `mentions` has people; a message of the bot's own names nobody."""
    replied = request.message.reply_to_message
    if request.is_private or replied is None or replied.from_user is None:
        return None
    # In a topic, and in the comments below a channel's post, every message replies at least to the opening one.
    if replied.forum_topic_created is not None or replied.is_automatic_forward:
        return None
    if (replied.from_user.username or "").lower() == own:
        return None
    if replied.sender_chat is not None:
        raise Unclear(_("That was posted as a group or channel, so I can't tell who it was."))
    who = replied.from_user
    return Player(who.id, stored_name(who), "bot" if who.is_bot else who.username)
