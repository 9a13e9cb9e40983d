"""Beginning a game: against the computer, or by a challenge, also by link and to the players of a shared game.

Anybody who opens a link may challenge its players, a few at a time, and nobody is told of more than a few. People
who have turned reminders off are told of none; the challenger can still send them the link of the challenge.
"""

import re
import secrets
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Final

from sqlalchemy import Connection

from bot.boards import links, names
from bot.boards.buttons import Invite, Menu, Play
from bot.boards.challenges import challenge_text
from bot.boards.players import Scene, named
from bot.boards.rules import NAMED_RULES, rules_name
from bot.boards.view import Key, View, keyboard
from bot.context.acting import MEANINGLESS, Done, act, redraw
from bot.context.beginning import NewGame, begin, begun
from bot.context.feature import Command, Feature, Heading, HelpPage, Menus
from bot.context.requests import CommandRequest, Requester, mentions, stored_name
from bot.game.attempt import Attempt, Facts, NotAllowed, Player, Refusal, Unclear, Where
from bot.game.choices import CarriedId, First, Side, matching
from bot.game.gate import decide
from bot.game.matchmaking import PlayMeanwhile
from bot.game.new_game import (
    MOST_OPEN,
    challenger_of,
    link_parameter,
    seen_with,
)
from bot.language import N_, _
from storage.games import boards, games, lookups, versions
from storage.games.game import Game, is_erased
from storage.games.record import Place, Record
from storage.games.versions import Stored
from storage.people import blocks, people


async def newgame(request: CommandRequest) -> None:
    """Start a game against the computer, or challenge somebody."""
    request.need_recent()
    await begin(request, _read(request, "level", "first", "rules"))


async def challenge(request: CommandRequest) -> None:
    """Challenge somebody: in a group here, in a private chat by a link."""
    if request.is_private:
        await challenge_by_link(request)
        return
    request.need_recent()
    await begin(request, _read(request, "first", "clock", "series", "rules"))


async def tap_meanwhile(requester: Requester, game_id: int, action: PlayMeanwhile) -> str | None:
    """Start a game to pass the time; returns what the tapper is told."""
    await act(requester, game_id, action)
    return await play_now(requester, Play(), meanwhile=True)


async def play_now(requester: Requester, _: Play, *, meanwhile: bool = False) -> str | None:
    """Start a game as /newgame alone does, perhaps to pass the time; returns what the tapper is told."""
    if not requester.chat_id:
        return await redraw(requester)
    return (await begin(requester, NewGame(requester.is_private, is_meanwhile=meanwhile))).words


def _how_to_name(request: CommandRequest) -> str:
    if request.is_private:
        return _("Playing a friend? /challenge gives you a link to send them.")
    return _(
        "To play someone here, add their <code>@username</code>, or reply to one of their messages with /newgame."
    )


def _read(request: CommandRequest, *kinds: str) -> NewGame:
    """What a command asks for; raises `Unclear` if the person named can't play, or a level is named too."""
    words, named = mentions(request.message)
    if not (request.message.text or "").startswith("/"):
        words = request.args  # a level alone
    wish = _wanted(request.read(words, *kinds, person=_how_to_name(request)))
    own = request.services.me.username.lower()
    others = [each for each in named if each.username != own]
    if wish.level is not None or len(others) < len(named):
        if others:
            raise Unclear(_("Give either a level, to play me, or the person you're challenging, not both."))
        return wish._replace(is_alone=True)
    rival = _rival(request, named, own)
    if rival is not None and request.is_private:
        raise Unclear(_("It's just the two of us here. /challenge gives you a link for a friend."))
    return wish._replace(is_alone=request.is_private, rival=rival)


def _wanted(wished: Mapping[str, str]) -> NewGame:
    """The game that words have asked for."""
    clock, best_of = (int(wished[kind]) if kind in wished else None for kind in ("clock", "best_of"))
    level, first, rules = (wished.get(kind) for kind in ("level", "first", "rules"))
    return NewGame(level=level, first=first, rules=rules, clock=clock, best_of=best_of)


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


class ChallengePlayer(Menu, word="challenge"):
    """Challenges the player of a mark in a shared game; signed like the link to that game."""

    game: CarriedId
    mark: Side
    sign: Annotated[str, matching("[A-Za-z0-9_-]{16}")]


class TakeUp(Menu, word="link"):
    """Accepts the challenge behind a link, on the terms that the link has (`link_parameter`)."""

    link: Annotated[str, matching("[A-Za-z0-9_-]{22,56}")]


ANYONE: Final = N_("Anyone who opens this link can challenge you. Send it to your friends.")


async def offer(request: CommandRequest, game_id: int) -> None:
    """Ask somebody who has opened the link of a game which of its players they want to challenge."""
    await request.reply_with(partial(_offer, request, game_id))


async def _offer(request: CommandRequest, game_id: int) -> View:
    services = request.services
    game = (await services.store.read(games.load, game_id=game_id)).game
    people = links.players_of(game)
    others = [mark for mark in people if game.seat(mark) != request.user.id]
    if not others:
        return View(_(ANYONE if people else Refusal.LEFT.value))
    sign = links.sign_of_challenge(game_id, services.key)
    rows = []
    for mark in others:
        label = _("Challenge {name}").format(name=names.plain(game.name(mark), _("Player")))
        rows.append([Key(label, ChallengePlayer(game_id, mark, sign), "primary")])
    if len(others) == 1:
        asked = _("⚔️ <b>Send a challenge?</b> {name} · {board}")
    else:
        asked = _("⚔️ <b>Who do you want to challenge?</b> Board: {board}.")
    return View(asked.format(name=named(game, others[0]), board=rules_name(game.rules)), keyboard(rows))


async def tap_player(requester: Requester, chosen: ChallengePlayer) -> str | None:
    """Challenge a player of a shared game to the same board; returns what the tapper is told."""
    text = f"{links.CHALLENGE}{chosen.game}-{chosen.sign}"
    if links.read(text, 0, requester.services.key, links.CHALLENGE) is None:
        raise NotAllowed(Refusal.MEANINGLESS)
    if requester.chat_id != requester.user.id:
        raise NotAllowed(Refusal.ONLY_IN_PRIVATE)
    made = await requester.services.store.run(_challenge_player, requester=requester, chosen=chosen)
    return Done(made, requester.services.show_made(made, requester.prompt)).words


def _challenge_player(connection: Connection, *, requester: Requester, chosen: ChallengePlayer) -> Record:
    player = requester.player
    played, mark = games.load(connection, chosen.game).game, chosen.mark
    rival = played.seat(mark)
    if is_erased(rival):
        raise NotAllowed(Refusal.LEFT)
    if mark not in links.players_of(played) or rival is None or rival == player.id:
        raise NotAllowed(Refusal.MEANINGLESS)
    waiting = lookups.challenges_of_others(connection, rival)
    if any(game.mark_of(player.id) is not None for game in waiting) or len(waiting) >= MOST_OPEN:
        raise NotAllowed(Refusal.ENOUGH_WAITING)
    places = [requester.own_place]
    reaches = not blocks.has(connection, rival, player.id)
    if reaches and people.wants_notices(connection, rival, in_group=False):
        places.append(Place(rival, viewer=rival, language=people.seen_language(connection, rival)))
    named, link = Player(rival, played.name(mark) or ""), secrets.token_urlsafe(16)
    wish = NewGame(first=First.ME, rules=played.rules, rival=named, link=link)
    return begun(connection, requester=requester, wish=wish, places=places)


DEAD_LINK: Final = N_(
    "This link doesn't work: it was cut short, someone was faster, or it was withdrawn. "
    "Send /newgame for a fresh board."
)
TERMS_CHANGED: Final = N_("The terms have changed since this link was made. These are the new ones:")
TOKEN: Final = 22
"""The length of the secret part of a link; the terms may follow."""
LINK_FORM: Final = re.compile(f"[A-Za-z0-9_-]{{{TOKEN}}}(-[a-z0-9-]{{1,30}})?")
OWN_LINK: Final = N_("That's your own link. Send it to a friend: the first person to open it plays you.")


async def challenge_by_link(request: CommandRequest) -> None:
    """/challenge in a private chat: the bot can't reach the person named, so the challenger gets a link."""
    words, named = mentions(request.message)
    await invite(request, request.read(words, "first", "clock", "series", "rules"))
    if named:
        request.reply(_("I can't reach this player from here, so please send the link yourself."))


async def tap_invite(requester: Requester, _: Invite) -> str | None:
    """Make a challenge by link; returns what the tapper is told."""
    return (await invite(requester, {})).words


async def invite(requester: Requester, wished: Mapping[str, str]) -> Done:
    """Make a challenge by link in a person's private chat, as words have asked; raises `NotAllowed` elsewhere."""
    if requester.chat_id != requester.user.id:
        raise NotAllowed(Refusal.ONLY_IN_PRIVATE)
    return await begin(requester, _wanted(wished)._replace(link=secrets.token_urlsafe(16)))


async def follow(request: CommandRequest, payload: str) -> None:
    """Take up the challenge behind a link, or show what it offers if that has changed since the link was made."""
    followed = await _taken_up(request, payload)
    if isinstance(followed, View):
        request.reply(followed)
    elif followed is not None:
        request.reply(_(followed))


async def take_up(requester: Requester, button: TakeUp) -> str | None:
    """Accept what a link was seen to offer; returns what the tapper is told. The message becomes the board."""
    if requester.chat_id != requester.user.id:
        return await redraw(requester)
    if not requester.is_at(TakeUp):
        return MEANINGLESS
    followed = await _taken_up(requester, button.link, requester.where.message_id)
    if not isinstance(followed, View):
        return followed
    requester.show_instead(followed)
    return Refusal.STALE.value


async def _taken_up(requester: Requester, payload: str, message_id: int | None = None) -> View | str | None:
    """Take up a challenge; returns why not, or what it offers now if the link has other terms."""
    services = requester.services
    where = Where(thread_id=requester.where.thread_id, message_id=message_id, link=payload[:TOKEN])
    attempt = requester.attempt()._replace(where=where)
    try:
        followed = await services.store.run(_follow, attempt=attempt, payload=payload)
    except NotAllowed as refused:
        why = {
            Refusal.OWN_CHALLENGE: OWN_LINK,
            Refusal.NOT_FOR_YOU: Refusal.NOT_FOR_YOU.value,
            Refusal.OVER: Refusal.NOT_OPEN.value,
        }
        return why.get(refused.refusal, DEAD_LINK)
    if isinstance(followed, Game):
        return _terms(followed, requester)
    services.boards.show_all(followed, requester.prompt)
    return None


def _terms(game: Game, requester: Requester) -> View:
    """What the challenge behind a link offers now, to be accepted by a button, or by the link that has it."""
    link = link_parameter(game)
    offered = challenge_text(Scene(game, requester.user.id))
    text = f"{_(TERMS_CHANGED)}\n\n{offered}\n{requester.services.link_to(link)}"
    return View(text, keyboard([[Key(_("Accept"), TakeUp(link), "success")]]))


def _follow(connection: Connection, *, attempt: Attempt, payload: str) -> Sequence[Stored] | Game:
    """Give the seat to the first person who opens a link; returns what to show, or the game with other terms."""
    record = lookups.by_link(connection, attempt.where.link or "")
    if record is None or LINK_FORM.fullmatch(payload) is None:
        raise NotAllowed(Refusal.NOT_OPEN)
    challenger = record.game.seat(challenger_of(record.game)) or 0
    facts = Facts(is_blocked=blocks.has(connection, challenger, attempt.who.id))
    player, message_id = attempt.who, attempt.where.message_id
    try:
        decision = decide(record, seen_with(record.game), attempt._replace(facts=facts))
    except NotAllowed:
        if record.game.is_challenge and record.game.is_over:
            raise NotAllowed(Refusal.OVER) from None
        # A player who opens it again wants the board, or the update came twice after a crash.
        own = record.boards_in(player.id)
        plays = record.game.mark_of(player.id) is not None and not record.game.is_challenge
        if not plays or not own or message_id is not None:
            raise
        return [boards.move_down(connection, record, own[-1], attempt.where.place)]
    if payload != link_parameter(record.game):
        return record.game
    people.see(connection, player)
    seated = versions.become(connection, record, decision.game, int(time.time()))
    # The challenger gets a new message, as an edit wouldn't notify.
    shown = [boards.move_down(connection, each.record, each.board, each.board.place) for each in seated]
    if all(board.viewer != player.id for board in record.boards):
        place = Place(player.id, attempt.where.thread_id, viewer=player.id, language=player.language)
        board = boards.put(connection, record.game.id, place)
        if message_id is not None and boards.adopt(connection, board, message_id):
            board = board._replace(message_id=message_id)
        shown.append(Stored(record._replace(game=decision.game), board, None))
    return shown


def _help_on_boards() -> str:
    boards = _(
        "Tap <b>Board</b> on a fresh game, or type: <code>/newgame 5x5 misere</code>. Sides go from 3 to 8; "
        "<code>7x6x4</code> is 7 columns, 6 rows, four in a row.\n"
        "<b>Misère</b>: make a line and you lose."
    )
    named = (_(rules.taught) for rules in NAMED_RULES.values())
    return "\n".join([boards, *named])


def _help_on_friends() -> str:
    return _(
        "<b>In our chat:</b> /challenge gives you a link to send.\n"
        "<b>In a group:</b> /newgame asks who wants to play; <code>/newgame @name</code> asks one person.\n"
        "<b>Clock, series:</b> <code>/challenge 2m bo3</code>: 2 minutes a move, best of 3."
    )


FEATURE: Final = Feature(
    heading=Heading.NEW_GAMES,
    commands=[
        Command("newgame", newgame, N_("New game"), Menus.BOTH, plain=N_("play|play oxo|let's play")),
        Command("challenge", challenge, N_("Play a friend"), Menus.BOTH),
    ],
    taps={
        Play: play_now,
        PlayMeanwhile: tap_meanwhile,
        Invite: tap_invite,
        ChallengePlayer: tap_player,
        TakeUp: take_up,
    },
    links={"": follow, links.CHALLENGE: offer},
    helps={HelpPage.BOARDS: _help_on_boards, HelpPage.FRIENDS: _help_on_friends},
)
