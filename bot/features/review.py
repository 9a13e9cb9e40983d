"""Reviews of finished games: by the buttons below a board, by commands, and by links to the private chat."""

import asyncio
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.boards import links
from bot.boards.cells import read_move
from bot.boards.players import Scene
from bot.boards.reviews import missed, mover_of
from bot.boards.view import Key, View, keyboard
from bot.context.acting import SLOW, act, board_at, redraw
from bot.context.beginning import NewGame, begin
from bot.context.feature import Command, Feature, Heading, Link
from bot.context.requests import CommandRequest, Requester
from bot.game.analysis import forget_failure, known_analysis
from bot.game.attempt import Access, Attempt, NotAllowed, OnlyInPrivate, Refusal, Where
from bot.game.attention import is_out_of_sight
from bot.game.choices import ADAPTIVE
from bot.game.gate import admit, decide
from bot.game.pages import (
    InReview,
    LeaveReview,
    LookBack,
    PlayFrom,
    PlayOut,
    Review,
    ReviewMode,
    ShowBest,
    ShowSharing,
    TryAgain,
    TryCell,
    choice_of,
    first_review,
    is_reviewable,
    review_of,
    steps_here,
    turned,
)
from bot.language import N_, _
from storage.games import boards, games
from storage.games.game import Game, replay, rules_of
from storage.games.record import WHOLE, Board, Record
from storage.games.versions import Stored
from storage.privacy import forgotten

FIRST: Final = N_("This is the start of the game.")
LAST: Final = N_("This is the end of the game.")
HERE: Final = N_("You're already looking at that move.")
IN_PRIVATE: Final = N_("You can review this game in our private chat.")
ERASED: Final = N_("I've deleted your data, so I can't keep a review for you. Send /newgame to start again.")


class TurnedPage(NamedTuple):
    """The result of a step in a review."""

    record: Record
    stored: Stored | None
    """The board, if it shows something else now."""
    review: Review | None


async def tapped(requester: Requester, game_id: int, action: InReview) -> str | Link | None:
    """Do what a button of a review says; returns what the tapper is told, or a link to open."""
    services = requester.services
    try:
        done = await services.store.run(_turn_page, game_id=game_id, action=action, attempt=requester.attempt())
    except OnlyInPrivate:
        return Link(services.me.lead(game_id, requester.user.id, links.REVIEW))
    except NotAllowed as refused:
        if refused.record is not None and refused.refusal is Refusal.STALE:
            services.boards.refresh(refused.record)
        if refused.record is not None and refused.refusal is Refusal.STILL_LOOKING:
            services.boards.analyse(refused.record)
        raise
    is_slow = await _show(requester, done)
    if done.review is None:
        return None
    if done.review.mode is ReviewMode.MISSED:
        return _missed(done.record, done.review, requester.user.id)
    if done.stored is None and isinstance(action, LookBack):
        return FIRST if done.review.ply == 0 else LAST if done.review.ply == done.record.game.ply else HERE
    return SLOW if is_slow else None


async def review(request: CommandRequest) -> None:
    """Review the game whose message is replied to, else the newest finished one here."""
    await _command(request, LookBack, is_new=True)


REVIEW_STEPS: Final[Mapping[str, Callable[[int], InReview]]] = {
    "next": lambda ply: LookBack(ply + 1),
    "back": lambda ply: LookBack(max(0, ply - 1)),
    "try": TryAgain,
    "answer": ShowBest,
    "leave": lambda _: LeaveReview(),
}
"""What the commands of a review do, from the ply that it shows."""


async def step(request: CommandRequest, word: str) -> None:
    """Take the step that a command names; with a cell, try that cell instead of a move that was a mistake."""
    await _command(request, REVIEW_STEPS[word], cell=" ".join(request.args) if word == "try" else "")


async def play_from(request: CommandRequest) -> None:
    """Play on from the position of a review, as its button does; a word names the level."""
    request.need_recent()
    game, ply = await request.services.store.read(_find, request=request)
    level = request.read(request.args, "level").get("level")
    if told := await tap_play_from(request, game.id, PlayFrom(ply), level):
        request.reply(_(told))


async def tap_play_from(
    requester: Requester, game_id: int, action: PlayFrom | PlayOut, level: str | None = None
) -> str | None:
    """Play on against OXO from a position of a finished game; returns what the tapper is told.

    Without a `level` OXO plays as it did in that game, or after one of two people as in any new game here.
    """
    game = (await act(requester, game_id, action)).record.game
    if game.is_against_computer:
        level = level or (ADAPTIVE if game.next_level else game.level)
    if not requester.chat_id:
        return await redraw(requester)
    moves, is_played = game.moves[: action.at], isinstance(action, PlayOut)
    if isinstance(action, PlayOut):
        moves += rules_of(game.rules).move_text(action.cell)
    wish = NewGame(True, level, rules=game.rules, moves=moves, is_played=is_played)
    return (await begin(requester, wish)).words


async def follow(request: CommandRequest, game_id: int) -> None:
    """Give a person a review in their private chat of a game that they have seen elsewhere."""
    done = await request.services.store.run(_put_aside, game_id=game_id, requester=request)
    if done is None:
        request.reply(_(ERASED))
        return
    await _show(request, done)


async def _command(
    request: CommandRequest, at: Callable[[int], InReview], *, cell: str = "", is_new: bool = False
) -> None:
    """Take a step in a review from the ply it shows; with a cell, try that cell."""
    game, ply = await request.services.store.read(_find, request=request, is_new=is_new)
    action = at(ply)
    if cell:
        action = TryCell(ply, read_move(cell, replay(game.rules, game.moves[:ply])))
    if isinstance(told := await tapped(request, game.id, action), Link):
        request.reply(View(_(IN_PRIVATE), keyboard([[Key(_("Review"), told.url)]])))


def _turn_page(connection: Connection, *, game_id: int, action: InReview, attempt: Attempt) -> TurnedPage:
    record, person = games.load(connection, game_id), attempt.who.id
    access, board = admit(action, *record, person, attempt.where), _board_at(record, attempt.where)
    may_look = access is not Access.NOTHING and is_reviewable(record.game)
    # Either player may close a review of the other, which stands where their rematch is.
    steps = board is not None and (steps_here(board, person) or isinstance(action, LeaveReview))
    if may_look and board and not (access is Access.ACT and steps):
        raise OnlyInPrivate
    decide(record, action, attempt)
    if board is None or not may_look:
        raise NotAllowed(Refusal.NOT_FINISHED)
    try:
        review = turned(record.game, board, action, person)
    except NotAllowed as refused:
        refused.record = record
        raise
    return TurnedPage(record, _stored(connection, record, board, review, attempt), review)


def _stored(
    connection: Connection, record: Record, board: Board, review: Review | None, attempt: Attempt
) -> Stored | None:
    if review is None and board.aside:
        return boards.retire(connection, record, [board], int(time.time()))[0]
    page = WHOLE if review is None else review.page
    if attempt.below is not None and is_out_of_sight(board, attempt.below, attempt.where.thread_id):
        return boards.move_down(connection, record, board, attempt.where.place, page)
    return None if page == board.page else boards.turn(connection, record, board, page)


def _put_aside(connection: Connection, *, game_id: int, requester: Requester) -> TurnedPage | None:
    """Store a review for one person: on the board that they have in their chat, or on a new one.

    None for somebody whose data were deleted: the board would be new data of theirs.
    """
    record, player = games.load(connection, game_id), requester.player
    if forgotten.is_gone(connection, player.id):
        return None
    if not is_reviewable(record.game):
        raise NotAllowed(Refusal.NOT_FINISHED)
    here = record.boards_in(player.id)
    review, place = first_review(record.game, None, player.id), requester.own_place
    if here:
        down = boards.move_down(connection, record, here[-1], place, review.page)
        return TurnedPage(record, down, review)
    aside = boards.put(connection, game_id, place, page=review.page, aside=True)
    return TurnedPage(record, Stored(record, aside, None), review)


def _find(connection: Connection, *, request: CommandRequest, is_new: bool = False) -> tuple[Game, int]:
    """The newest game that a command can mean (`games_here`), and the ply that is shown.

    A review can begin on any finished game; the other commands need one that this person has open.
    """
    for record in request.games_here(connection):
        board = _board_at(record, request.where)
        if not is_reviewable(record.game):
            continue
        if is_new:
            return record.game, 0
        if board is not None and (review := review_of(board)) is not None and steps_here(board, request.user.id):
            return record.game, review.ply
    raise NotAllowed(Refusal.NOT_FINISHED)


def _board_at(record: Record, where: Where) -> Board | None:
    """The board to review on; None if the tapped message is neither a board of the game nor a twin of one."""
    board = board_at(record, where)
    if board is None or where.message_id in (None, board.message_id) or where.shows == record.game.id:
        return board
    return None


async def _show(requester: Requester, done: TurnedPage) -> bool:
    """Show what a step has led to; True if that takes a while."""
    if done.stored is None:
        return False
    if done.stored.before is None or review_of(done.stored.before) is None:
        forget_failure(done.record.game)
    # The very first analysis takes a tenth of a second; other people's taps needn't wait for it.
    await asyncio.to_thread(known_analysis, done.record.game)
    return requester.services.boards.show_stored(done.stored, requester.prompt)


def _missed(record: Record, review: Review, person: int) -> str | None:
    analysis = known_analysis(record.game)
    choice = None if analysis is None else choice_of(analysis.steps[review.ply], review.cell)
    mover = mover_of(Scene(record.game, person), review.ply + 1)
    return None if choice is None else missed(choice, record.game, mover)


FEATURE: Final = Feature(
    heading=Heading.RESULTS,
    commands=[Command("review", review, N_("Review a game"), plain=N_("review|analyse"))],
    words={"fromhere": play_from, **{word: partial(step, word=word) for word in REVIEW_STEPS}},
    plain={"next": N_("next|forward"), "back": N_("back|previous"), "leave": N_("leave|close")},
    taps={
        **dict.fromkeys((PlayFrom, PlayOut), tap_play_from),
        **dict.fromkeys((LookBack, TryAgain, TryCell, ShowBest, ShowSharing, LeaveReview), tapped),
    },
    links={links.REVIEW: follow},
)
