"""/newgame, and /challenge in a group: a game against the computer, or a challenge."""

from collections.abc import Sequence
from typing import Final

from bot.boards import links
from bot.boards.buttons import Invite, Play
from bot.boards.rules import NAMED_RULES
from bot.context.acting import act, redraw
from bot.context.beginning import NewGame, begin
from bot.context.feature import Command, Feature, Heading, HelpPage, Menus
from bot.context.requests import CommandRequest, Requester, mentions, stored_name
from bot.features.new_games import by_link
from bot.game.attempt import Player, Refusal, Unclear
from bot.game.matchmaking import PlayMeanwhile
from bot.language import N_, _


async def newgame(request: CommandRequest) -> None:
    """Start a game against the computer, or challenge somebody."""
    request.need_recent()
    await begin(request, _read(request, "level", "first", "rules"))


async def challenge(request: CommandRequest) -> None:
    """Challenge somebody: in a group here, in a private chat by a link."""
    if request.is_private:
        await by_link.challenge_by_link(request)
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
    wished = request.read(words, *kinds, person=_how_to_name(request))
    level, first, rules = wished.get("level"), wished.get("first"), wished.get("rules")
    clock, best_of = (int(wished[kind]) if kind in wished else None for kind in ("clock", "best_of"))
    own = request.bot_username.lower()
    others = [each for each in named if each.username != own]
    if level is not None or len(others) < len(named):
        if others:
            raise Unclear(_("Give either a level, to play me, or the person you're challenging, not both."))
        return NewGame(is_alone=True, level=level, first=first, rules=rules)
    rival = _rival(request, named, own)
    if rival is not None and request.is_private:
        raise Unclear(_("It's just the two of us here. /challenge gives you a link for a friend."))
    return NewGame(request.is_private, None, first, rules, rival, clock, best_of)


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
        Invite: by_link.tap_invite,
        by_link.ChallengePlayer: by_link.tap_player,
        by_link.TakeUp: by_link.take_up,
    },
    links={"": by_link.follow, links.CHALLENGE: by_link.offer},
    helps={HelpPage.BOARDS: _help_on_boards, HelpPage.FRIENDS: _help_on_friends},
)
