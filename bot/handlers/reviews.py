"""Looking back on finished games: by the stepper below a board, by commands, and by links to one's own chat."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.game.acts import Act
from bot.game.gate import Access
from bot.game.lessons import known_lesson, look_again
from bot.game.machine import decide
from bot.game.notices import is_out_of_sight
from bot.game.refusals import Refusal
from bot.game.reviews import Mode, Page, choice_of, is_reviewable, page_of, steps_here, turned
from bot.handlers import review_links
from bot.handlers.acting import SLOW, SLOW_SECONDS
from bot.handlers.requests import request_of
from bot.views.cells import BadMove, read_move
from bot.views.people import Eyes
from bot.views.refusals import REFUSALS, words_for
from bot.views.reviews import missed
from bot.views.texts import N_
from bot.views.view import View, keyboard
from storage import boards, forgotten, games, lookups, pages
from storage.board import Place
from storage.game import rules_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection
    from telegram import Update

    from bot.context import Context
    from bot.game.acts import Wish
    from bot.game.gate import Where
    from bot.handlers.requests import CommandRequest, Sender
    from storage.board import Board
    from storage.record import Record
    from storage.versions import Raised

FIRST: Final = N_("This is how the game began.")
LAST: Final = N_("This is how the game ended.")
OF_SOMEBODY_ELSE: Final = N_("You can look back on this game in our private chat.")
FORGOTTEN: Final = N_(
    "I have forgotten you, so there is no review that I could keep for you. /newgame begins anew."
)


class Link(NamedTuple):
    """An answer to a tap that opens an address: the private chat with the bot."""

    url: str


class Turned(NamedTuple):
    """What became of a wish about a review."""

    record: Record
    raised: Raised | None = None
    """The board, where it shows something else now."""
    refusal: Refusal | None = None
    page: Page | None = None
    elsewhere: bool = False
    """Whether this person may look back, but not here."""


async def tapped(sender: Sender, act: Act, game_id: int, ply: int, cell: int = 0) -> str | Link | None:
    """Do what a button of a review says; the result is what its tapper is told, or where they are led.

    Raises:
        StorageError: if the game is not there, or cannot be read.
    """
    wish = sender.wish(act, ply=ply, cell=cell)
    done = await sender.services.store.run(partial(_turn, game_id=game_id, wish=wish))
    if done.elsewhere:
        return Link(_link(sender, game_id))
    wait = await _show(sender, done)
    if done.refusal is not None or done.page is None:
        return words_for(done.refusal)
    if done.page.mode is Mode.MISSED:
        return _missed(sender, done.record, done.page)
    if done.raised is None and act is Act.REVIEW:
        return FIRST if done.page.ply == 0 else LAST if done.page.ply == done.record.game.ply else None
    return SLOW if wait > SLOW_SECONDS else None


async def review(update: Update, context: Context) -> None:
    """Look back on the game whose message is answered, else on the newest finished one here."""
    if (request := request_of(update, context)) is not None:
        await _command(request, Act.REVIEW, is_new=True)


async def step_on(update: Update, context: Context) -> None:
    """Go on by one move."""
    if (request := request_of(update, context)) is not None:
        await _command(request, Act.REVIEW, steps=1)


async def step_back(update: Update, context: Context) -> None:
    """Go back by one move."""
    if (request := request_of(update, context)) is not None:
        await _command(request, Act.REVIEW, steps=-1)


async def try_again(update: Update, context: Context) -> None:
    """Look for a better cell than one's own; with a cell, say which."""
    if (request := request_of(update, context)) is not None:
        words = " ".join(context.args or [])
        await _command(request, Act.TRY_CELL if words else Act.TRY_AGAIN, cell=words)


async def answer(update: Update, context: Context) -> None:
    """Be shown a better cell."""
    if (request := request_of(update, context)) is not None:
        await _command(request, Act.SHOW)


async def leave(update: Update, context: Context) -> None:
    """Look back no more."""
    if (request := request_of(update, context)) is not None:
        await _command(request, Act.LEAVE)


async def follow(request: CommandRequest, game_id: int) -> None:
    """Give a person a review of their own in their private chat, of a game that they have seen elsewhere.

    Raises:
        StorageError: if the game is not there, or cannot be read.
    """
    done = await request.services.store.run(partial(_put_aside, game_id=game_id, sender=request.sender))
    if done is None:
        request.reply(request.t.gettext(FORGOTTEN))
        return
    await _show(request.sender, done)
    if refusal := words_for(done.refusal):
        request.reply(request.t.gettext(refusal))


async def _command(
    request: CommandRequest, act: Act, *, steps: int = 0, cell: str = "", is_new: bool = False
) -> None:
    sender, t = request.sender, request.t
    found = await request.services.store.run(partial(_find, request=request, is_new=is_new))
    if found is None:
        request.reply(t.gettext(REFUSALS[Refusal.NOT_FINISHED]))
        return
    record, board = found
    page = None if board is None or is_new else page_of(board)
    ply = 0 if page is None else page.ply + steps
    number = 0
    if cell:
        try:
            number = read_move(cell, rules_of(record.game.rules), t)
        except BadMove as error:
            request.reply(str(error))
            return
    wish = sender.wish(act, ply=max(0, ply), cell=number, below=request.message.message_id)
    done = await request.services.store.run(partial(_turn, game_id=record.game.id, wish=wish))
    if done.elsewhere:
        url = _link(sender, record.game.id)
        there = keyboard([[{"text": t.gettext("Review"), "url": url}]])
        request.reply(View(t.gettext(OF_SOMEBODY_ELSE), there))
        return
    await _show(sender, done)
    if refusal := words_for(done.refusal):
        request.reply(t.gettext(refusal))


def _turn(connection: Connection, *, game_id: int, wish: Wish) -> Turned:
    """Turn the page of the board that a wish means, if its person may."""
    record = games.load(connection, game_id)
    ruling = decide(record, wish).result
    board = _board_at(record, wish.where)
    may_look = is_reviewable(record.game)
    if ruling.access is Access.NOTHING or (ruling.access is Access.SEE and not may_look):
        return Turned(record, refusal=Refusal.NOT_YOURS)
    if not may_look or board is None:
        return Turned(record, refusal=ruling.refusal or Refusal.NOT_FINISHED)
    if ruling.access is Access.SEE or not steps_here(board, wish.who.id):
        return Turned(record, elsewhere=True)
    if ruling.refusal is not None:
        return Turned(record, refusal=ruling.refusal)
    page = turned(record.game, board, wish)
    if isinstance(page, Refusal):
        return Turned(record, refusal=page)
    return Turned(record, _stored(connection, record, board, page, wish), page=page)


def _stored(connection: Connection, record: Record, board: Board, page: Page | None, wish: Wish) -> Raised | None:
    """Store what a board is to show; None if it does already."""
    if page is None and board.is_aside:
        return pages.take_away(connection, record, board)
    text = None if page is None else str(page)
    thread = wish.where.thread_id
    if wish.below is not None and is_out_of_sight(board, wish.below, thread):
        return pages.bring_down(connection, record, board, text, thread)
    return None if text == board.page else boards.turn(connection, record, board, text)


def _put_aside(connection: Connection, *, game_id: int, sender: Sender) -> Turned | None:
    """Store a review of a person's own: on the board that they have in their chat, or on one beside the game's.

    None for who was forgotten: the board would be theirs, and they have begun nothing since.
    """
    record, player = games.load(connection, game_id), sender.player
    if forgotten.is_gone(connection, player.id):
        return None
    if not is_reviewable(record.game):
        return Turned(record, refusal=Refusal.NOT_FINISHED)
    here = [board for board in record.boards if board.chat_id == player.id and not board.leaving]
    page = Page(Mode.LOOK, 0, is_aside=not here or here[-1].is_aside)
    if here:
        return Turned(record, pages.bring_down(connection, record, here[-1], str(page), None), page=page)
    place = Place(player.id, viewer=player.id, language=player.language)
    return Turned(record, pages.put_aside(connection, record, place, str(page)), page=page)


def _find(connection: Connection, *, request: CommandRequest, is_new: bool) -> tuple[Record, Board | None] | None:
    """The game that a command means, and its board here: the answered one, else the newest that fits.

    What begins a review takes any finished game; the other commands go on with one that this person has open.
    """
    person, where = request.sender.user.id, request.sender.where
    replied = request.message.reply_to_message
    said = None if replied is None else lookups.on_message(connection, request.chat_id, replied.message_id)
    found: Sequence[Record] = lookups.newest(connection, request.chat_id) if said is None else [said]
    for record in found:
        board = _board_at(record, where)
        if not is_reviewable(record.game):
            continue
        if is_new or (board is not None and page_of(board) is not None and steps_here(board, person)):
            return record, board
    return None


def _board_at(record: Record, where: Where) -> Board | None:
    """The board that a tap or a command is about: the tapped message, else the newest in the chat."""
    if where.inline_message_id is not None:
        return next((each for each in record.boards if each.inline_message_id == where.inline_message_id), None)
    here = [each for each in record.boards if each.chat_id == where.chat_id and not each.leaving]
    if where.message_id is not None:
        return next((each for each in here if each.message_id == where.message_id), None)
    return here[-1] if here else None


async def _show(sender: Sender, done: Turned) -> float:
    """Show a board that was turned; about how many seconds that takes."""
    if done.raised is None:
        if done.refusal is Refusal.STALE:
            sender.services.publisher.refresh(done.record)
        elif done.refusal is Refusal.STILL_LOOKING:
            sender.services.publisher.look_at(done.record)
        return 0.0
    if done.raised.before is None or page_of(done.raised.before) is None:
        look_again(done.record.game)
    # The first lesson of all takes a tenth of a second, for which other people's taps need not wait.
    await asyncio.to_thread(known_lesson, done.record.game)
    return sender.services.publisher.show_raised(done.raised)


def _missed(sender: Sender, record: Record, page: Page) -> str | None:
    lesson = known_lesson(record.game)
    choice = None if lesson is None else choice_of(lesson.steps[page.ply], page.cell)
    return None if choice is None else missed(choice, record.game, Eyes(sender.user.id, sender.t))


def _link(sender: Sender, game_id: int) -> str:
    services = sender.services
    return services.publisher.link_to(review_links.write(game_id, sender.user.id, services.key))
