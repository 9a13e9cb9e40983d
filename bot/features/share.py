"""Shares a finished game: as an animation, or a still of its end, drawn once; and how its players' games went.

Nobody's tap waits for a drawing. For a player the picture goes to the chat where the game is shown; a spectator,
or somebody who sees the game where the bot can't write (inline mode), gets it in their private chat.
"""

import html
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.boards import links
from bot.boards.finished import BETWEEN, count_of_moves, result_line
from bot.boards.lists import BUTTON_LETTERS, naming
from bot.boards.pictures.figures import Labels
from bot.boards.players import Scene, named
from bot.boards.rules import rules_played
from bot.boards.translations import folded, sentences, to_type, typed
from bot.boards.view import DEFAULT, LETTERS, THEMES, Key, View, keyboard
from bot.boards.wording import STILLS, date_of, rivals_lines, rivals_score
from bot.context.feature import Command, Feature, Heading, Link
from bot.context.notices import Sketch, drawn, worded
from bot.context.requests import DRAWING, NO_PICTURES, TOO_MANY, CommandRequest, Requester
from bot.context.services import Services
from bot.context.sharing import links_below
from bot.delivery.entries import File, OutgoingMessage, saying
from bot.game.attempt import Access, NotAllowed, OnlyInPrivate, Refusal, Unclear
from bot.game.gate import admit, decide
from bot.game.pages import OurGames, Share, are_rivals, is_reviewable
from bot.language import N_, _, speaking
from bot.workers import jobs
from engine import Mark
from storage.errors import Refused
from storage.games import games, lookups
from storage.games.game import Game, rules_of
from storage.games.outbox import Asked
from storage.games.record import Board, Notice, NoticeKind, PictureKey, Record
from storage.people import chats, people
from storage.results import results
from storage.results.result import Rivalry


def theme_of(board: Board | None, chosen: str | None) -> str:
    """The theme in which a game is drawn: its board's, else the chat's."""
    theme = chosen if board is None else LETTERS if board.as_text else board.theme
    return theme if theme is not None and theme in THEMES else DEFAULT


def caption(scene: Scene) -> str:
    """The caption of the picture: who played, how it ended, and what was played.

    For text boards it also has the moves, since their readers may not see the picture.
    """
    game = scene.game
    lines = [
        scene.sides(rated=False),
        result_line(scene),
        BETWEEN.join([html.escape(rules_played(game.rules)), count_of_moves(game)]),
    ]
    if scene.as_text:
        rules = rules_of(game.rules)
        cells = " ".join(map(rules.name_of, rules.read_moves(game.moves)))
        lines.append(_("Moves: {cells}").format(cells=cells))
    return "\n".join(lines)


DRAWING_SECONDS: Final = 30.0
"""How many seconds drawing may take; it takes about one on a quiet machine."""
ALREADY_HERE: Final = N_("It's already here. You can share it again in a moment.")
NOTHING_TO_SHARE: Final = N_("There's no finished game to share here. Send /newgame for a fresh board.")
ELSEWHERE: Final = N_("I can send it to you in our private chat.")
SHARE_ANSWERS: Final = {
    Asked.STORED: DRAWING,
    Asked.UNDER_WAY: DRAWING,
    Asked.SENT: ALREADY_HERE,
    Asked.TOO_MANY: TOO_MANY,
}
NONE_COUNTS: Final = N_("None of your games against each other count yet.")
HIDES_STATS: Final = N_("One of you hides their stats, so I only show this in your private chats.")


class _OnlyToThem(Refused):
    """What only the person who asks is told, instead of what they asked for."""


class _Found(NamedTuple):
    """What is sent of a game."""

    game: Game
    board: Board | None
    """The board in the chat that it goes to; None if that chat has none."""
    theme: str
    draw: partial[bytes]
    """Draws the picture, given the seconds that it may take."""
    file_id: str | None = None
    """The picture's file id, if Telegram has it already."""


async def tapped(requester: Requester, game_id: int, action: Share | OurGames) -> str | Link | None:
    """Share a game, or the score of its players; returns what whoever asks is told, or a link to open."""
    words = requester.args if isinstance(requester, CommandRequest) else None
    if words and isinstance(action, Share) and set(map(folded, words)) <= set(typed(STILLS)):
        action = replace(action, as_picture=True)
    try:
        asked = await requester.ask(partial(_ask, game_id=game_id, action=action, requester=requester))
    except OnlyInPrivate:
        return Link(requester.services.me.lead(game_id, requester.user.id, links.SHARE))
    except _OnlyToThem as told:
        return str(told)
    is_the_answer = words is not None or isinstance(action, OurGames)  # what is sent
    return None if asked is Asked.STORED and is_the_answer else SHARE_ANSWERS[asked]


async def share(request: CommandRequest) -> None:
    """Share the game whose message is replied to, else the newest finished one here; with a word, as a still."""
    if not set(map(folded, request.args)) <= set(typed(STILLS)):
        said = _("Send <code>/share</code>, or <code>/share {picture}</code> for a picture.")
        raise Unclear(said.format(picture=to_type(STILLS)))
    game_id = await request.services.store.read(_find, request=request)
    if game_id is None:
        request.reply(_(NOTHING_TO_SHARE))
        return
    told = await tapped(request, game_id, Share())
    if isinstance(told, Link):
        request.reply(View(_(ELSEWHERE), keyboard([[Key(_("Share"), told.url)]])))
    elif told is not None:
        request.reply(_(told))


async def follow(request: CommandRequest, game_id: int) -> None:
    """Send a picture to the private chat of somebody who has seen the game elsewhere."""
    asked = await request.ask(partial(_ask_aside, game_id=game_id, requester=request))
    if asked is not Asked.STORED:
        request.reply(_(SHARE_ANSWERS[asked]))


def _ask(connection: Connection, *, game_id: int, action: Share | OurGames, requester: Requester) -> Notice:
    record, attempt = games.load(connection, game_id), requester.attempt()
    if isinstance(action, OurGames):
        decide(record, action, attempt)
        return _ask_ours(connection, record, requester)
    access = admit(action, *record, attempt.who.id, attempt.where)
    if access is Access.NOTHING:
        raise NotAllowed(Refusal.NOT_YOURS)
    if not is_reviewable(record.game):
        raise NotAllowed(Refusal.NOT_FINISHED)
    if access is Access.SEE or attempt.where.chat_id is None:
        raise OnlyInPrivate
    return requester.notice(NoticeKind.STILL if action.as_picture else NoticeKind.ANIMATION, game_id=game_id)


def _ask_ours(connection: Connection, record: Record, requester: Requester) -> Notice:
    """Decide the same for two players' score, of which both know anyway; where others read it, it may be kept."""
    game, rivalry = record.game, _rivalry(connection, record.game)
    notice = requester.notice(NoticeKind.RIVALS, game_id=game.id)
    if not rivalry.games:
        raise _OnlyToThem(NONE_COUNTS)
    if _is_kept(connection, game, notice.chat_id):
        if isinstance(requester, CommandRequest):
            raise _OnlyToThem(HIDES_STATS)
        with speaking(requester.player.language):
            one, other = (naming("{name}", game.name(mark), BUTTON_LETTERS) for mark in Mark)
            raise _OnlyToThem(rivals_score(one, other, rivalry))
    return notice


def _rivalry(connection: Connection, game: Game) -> Rivalry:
    return results.rivalry(connection, game.x.seat or 0, game.o.seat or 0)


def _is_kept(connection: Connection, game: Game, chat_id: int) -> bool:
    """Whether two players' score is kept from a chat: a group, and one of them hides their results."""
    return chat_id < 0 and bool(people.hiding(connection, [game.x.seat or 0, game.o.seat or 0]))


def _ask_aside(connection: Connection, *, game_id: int, requester: Requester) -> Notice:
    """Decide the same for a private chat that somebody's own link led to."""
    if not is_reviewable(games.load(connection, game_id).game):
        raise NotAllowed(Refusal.NOT_FINISHED)
    return requester.notice(NoticeKind.ANIMATION, game_id=game_id)


def _find(connection: Connection, *, request: CommandRequest) -> int | None:
    said = request.answered_game(connection)
    here, chat = lookups.newest(connection, request.chat_id, request.where.thread_id), request.chat_id
    found = [*here, *lookups.newest(connection, chat)] if said is None else [said]
    return next((record.game.id for record in found if is_reviewable(record.game)), None)


async def made(services: Services, notice: Notice) -> OutgoingMessage | None:
    """The message with the picture of a game, or with two players' score."""
    if notice.kind is NoticeKind.RIVALS:
        return await worded(notice, partial(_score, services, notice))
    return await drawn(services, notice, partial(_sketch, services, notice))


async def _score(services: Services, notice: Notice) -> View | None:
    """How two players' games with each other went; None if that isn't to be said there any more."""
    record = await services.store.read(games.find, game_id=notice.game_id or 0)
    if record is None or not are_rivals(record.game):
        return None
    if await services.store.read(_is_kept, game=record.game, chat_id=notice.chat_id):
        return None
    rivalry = await services.store.read(_rivalry, game=record.game)
    here = record.boards_in(notice.chat_id)
    with speaking(_language(notice, here[-1] if here else None)):
        one, other = (named(record.game, mark) for mark in Mark)
        return View("\n".join(rivals_lines(one, other, rivalry)))


async def _sketch(services: Services, notice: Notice) -> Sketch | None:
    find = partial(_look_up, notice=notice, signature=services.signature)
    if (found := await services.store.read(find)) is None:
        return None
    key, moving = _key(notice, found), notice.kind is NoticeKind.ANIMATION
    instead: OutgoingMessage | Notice = notice._replace(kind=NoticeKind.STILL)
    if not moving:
        lead = Key(_("Share"), services.me.lead(notice.game_id or 0, notice.person or 0, links.SHARE))
        instead = saying(notice)(View(sentences(_(NO_PICTURES), _(ELSEWHERE)), keyboard([[lead]])))
    file = partial(
        File,
        name="replay.gif" if moving else "replay.png",
        form="animation" if moving else "photo",
        instead=instead,
        on_sent=lambda file_id: services.store.run(_keep, find=find, notice=notice, key=key, file_id=file_id),
        on_lost=lambda file_id: services.store.run(games.lose_picture, key=key, file_id=file_id),
    )
    caption = await _caption(services, notice, found)
    return Sketch(found.draw, DRAWING_SECONDS, key, caption, file, found.file_id)


def _look_up(connection: Connection, *, notice: Notice, signature: str) -> _Found | None:
    record = games.find(connection, notice.game_id or 0)
    if record is None or not is_reviewable(record.game):
        return None
    game, here = record.game, record.boards_in(notice.chat_id)
    board = here[-1] if here else None
    theme = theme_of(board, chats.load(connection, notice.chat_id).theme if board is None else None)
    with speaking(_language(notice, board)):
        labels = Labels(date_of(game.moved_at), signature)
    winner = None if game.winner is None else str(game.winner)
    moving = notice.kind is NoticeKind.ANIMATION
    draw = partial(jobs.replay, game.rules, game.moves, theme, winner, labels, moving=moving)
    found = _Found(game, board, theme, draw)
    return found._replace(file_id=games.find_picture(connection, _key(notice, found)))


def _key(notice: Notice, found: _Found) -> PictureKey:
    look = sha256(repr(found.draw.args).encode()).hexdigest()[:32]
    return PictureKey(found.game.id, notice.kind.value, look)


def _language(notice: Notice, board: Board | None) -> str | None:
    """The language of a picture: that of a board for several people, else that of whoever asks."""
    return board.language if board is not None and board.viewer is None else notice.language


async def _caption(services: Services, notice: Notice, found: _Found) -> View:
    game, board = found.game, found.board
    with speaking(_language(notice, board)):
        text = caption(Scene(game, theme=found.theme, as_text=board is not None and board.as_text))
        row = await links_below(services, game, notice.person)
        return View(text, keyboard([row]) if row else None)


def _keep(
    connection: Connection,
    *,
    find: Callable[[Connection], _Found | None],
    notice: Notice,
    key: PictureKey,
    file_id: str,
) -> None:
    """Store the file id that Telegram gave the picture, unless the game is gone by now."""
    if (now := find(connection)) is not None and _key(notice, now) == key:
        games.keep_picture(connection, key, file_id)


FEATURE: Final = Feature(
    heading=Heading.RESULTS,
    commands=[Command("share", share, N_("Share a game as an animation"), plain=N_("share|share it"))],
    plain={"ourgames": N_("our games|our score")},
    taps={Share: tapped, OurGames: tapped},
    links={links.SHARE: follow},
    notices=dict.fromkeys((NoticeKind.ANIMATION, NoticeKind.STILL, NoticeKind.RIVALS), made),
)
