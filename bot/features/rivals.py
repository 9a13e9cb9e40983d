"""*Our games*: how two people's games with each other went, from their finished board, in words or as a picture.

Both know of those games anyway. Where others read it, it is kept from them if one of the two hides their results.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.boards import names
from bot.boards.buttons import OnGame
from bot.boards.pictures.figures import Labels, Rivals
from bot.boards.players import named, written
from bot.boards.rules import family_name
from bot.boards.translations import folded, typed
from bot.boards.view import DEFAULT, THEMES, Key, View, keyboard, theme_in
from bot.boards.wording import STILLS, date_of, rivals_lines, rivals_score
from bot.context.handlers import tap
from bot.context.requests import TOO_MANY, CommandRequest, Requester
from bot.context.services import Services
from bot.delivery.entries import OutgoingMessage, Picture
from bot.game.attempt import NotAllowed
from bot.game.machine import permit
from bot.game.pages import OurGames, are_rivals
from bot.language import N_, _, speaking
from bot.workers import jobs
from bot.workers.pool import Job, NoAnswer
from engine import Mark
from storage.games import games
from storage.games.game import Game
from storage.games.outbox import Asked
from storage.games.record import Notice, NoticeKind, Record
from storage.people import people
from storage.results import results
from storage.results.result import Ending, Rivalry

FORM: Final = 10
"""How many of the last games a picture shows."""
SECONDS: Final = 5.0
DRAWING: Final = N_("Drawing it…")
HERE: Final = N_("It's already here.")
NONE_COUNTS: Final = N_("None of your games with each other counts yet.")
HIDDEN: Final = N_("One of you hides their stats, so I only show this in your private chats.")


class _OnlyToThem(Exception):
    """What only the person who asks is told."""


class _Found(NamedTuple):
    game: Game
    theme: str
    rivalry: Rivalry
    """From the side of X's player."""


@tap(OurGames)
async def tapped(requester: Requester, game_id: int, action: OurGames) -> str | None:
    """Say how two players' games went; returns what whoever asks is told."""
    words = requester.args if isinstance(requester, CommandRequest) else None
    if words and set(map(folded, words)) <= set(typed(STILLS)):
        action = OurGames(as_picture=True)
    try:
        asked = await requester.ask(partial(_ask, game_id=game_id, action=action, requester=requester))
    except _OnlyToThem as told:
        return str(told)
    said = {Asked.TOO_MANY: TOO_MANY, Asked.SENT: HERE}.get(asked)
    return said or (DRAWING if action.as_picture and words is None else None)


def _ask(connection: Connection, *, game_id: int, action: OurGames, requester: Requester) -> Notice:
    record = games.load(connection, game_id)
    if (refusal := permit(record, action, requester.attempt()).refusal) is not None:
        raise NotAllowed(refusal)
    notice = requester.notice(NoticeKind.RIVALS_CARD if action.as_picture else NoticeKind.RIVALS, game_id=game_id)
    rivalry = _rivalry(connection, record.game)
    if not rivalry.games:
        raise _OnlyToThem(NONE_COUNTS)
    if shared := [board for board in record.boards_in(notice.chat_id) if board.viewer is None]:
        notice = notice._replace(language=shared[-1].language)
    if _is_kept(connection, record.game, notice.chat_id):
        if isinstance(requester, CommandRequest):
            raise _OnlyToThem(HIDDEN)
        one, other = (names.plain(record.game.name(mark), _("Player")) for mark in Mark)
        raise _OnlyToThem(rivals_score(one, other, rivalry))
    return notice


def _rivalry(connection: Connection, game: Game) -> Rivalry:
    return results.rivalry(connection, game.x_seat or 0, game.o_seat or 0)


def _is_kept(connection: Connection, game: Game, chat_id: int) -> bool:
    """Whether a chat may not read it: it isn't private, and one of the two hides their results."""
    return chat_id < 0 and bool(people.hiding(connection, [game.x_seat or 0, game.o_seat or 0]))


async def made(services: Services, notice: Notice) -> OutgoingMessage | None:
    """The message with two people's results, or with the picture of them; None if it can't be shown any more."""
    find = partial(_look_up, notice=notice)
    if (found := await services.store.read(find)) is None:
        return None
    say = partial(OutgoingMessage, notice.chat_id, thread_id=notice.thread_id, person=notice.person, notice=notice)
    as_picture = notice.kind is NoticeKind.RIVALS_CARD

    async def remake() -> View | None:
        now = await services.store.read(find)
        return None if now is None else _view(now, as_picture=as_picture)

    if not as_picture:
        return say(_view(found, as_picture=False), remake=remake)
    try:
        work = partial(jobs.rivals_card, _card(found, services.publisher.signature))
        drawn = await services.workers.run(Job(("picture", notice.id), work, SECONDS, whose=notice.person))
    except NoAnswer:
        return say(View(_("I can't draw it right now. Try again in a minute.")))
    return say(_view(found, as_picture=True), picture=Picture(drawn, "rivals.png"), remake=remake)


def _look_up(connection: Connection, *, notice: Notice) -> _Found | None:
    record = games.load_many(connection, [notice.game_id or 0]).get(notice.game_id or 0)
    if not isinstance(record, Record) or not are_rivals(record.game):
        return None
    rivalry = _rivalry(connection, record.game)
    if not rivalry.games or _is_kept(connection, record.game, notice.chat_id):
        return None
    theme = theme_in(record, notice.chat_id) or DEFAULT
    return _Found(record.game, theme if theme in THEMES else DEFAULT, rivalry)


def _view(found: _Found, *, as_picture: bool) -> View:
    one, other = (named(found.game, mark) for mark in Mark)
    text = "\n".join(rivals_lines(one, other, found.rivalry))
    if as_picture:
        return View(text)
    return View(text, keyboard([[Key(_("As a picture"), OnGame(found.game.id, OurGames(as_picture=True)))]]))


def _card(found: _Found, signature: str) -> Rivals:
    game, rivalry = found.game, found.rivalry

    def score(family: str = "") -> tuple[int, int]:
        return rivalry.ended(Ending.WIN, family), rivalry.ended(Ending.LOSS, family)

    boards = []
    for family in rivalry.families:
        with speaking("en"):
            in_english = family_name(family)
        boards.append(((family_name(family), in_english), "{} – {}".format(*score(family))))
    marks = {Ending.WIN: "X", Ending.LOSS: "O", Ending.DRAW: "-"}
    return Rivals(
        Labels(written(game, Mark.X), written(game, Mark.O), date_of(time.time()), signature),
        found.theme,
        score(),
        boards,
        "".join(marks[ending] for _, ending in rivalry.games[-FORM:]),
    )
