"""/puzzle: the day's puzzle, its solution, who has solved it, and reminders."""

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from typing import Final

from sqlalchemy import Connection

from bot.boards.cells import read_move
from bot.boards.view import LETTERS, Key, View
from bot.context.acting import MEANINGLESS
from bot.context.feature import Command, Feature, Heading, HelpPage, Link, Menus, Routine, Waiting
from bot.context.requests import CommandRequest, Requester, first_button
from bot.context.services import Services
from bot.delivery.entries import OutgoingMessage
from bot.features.puzzle.view import (
    FIRST_DAY,
    OpenPuzzle,
    RemindOfPuzzle,
    RetryPuzzle,
    ShownPuzzle,
    ShowPuzzle,
    TryPuzzle,
    current_day,
    group_page,
    is_open,
    puzzle_page,
    right_moves,
    solved_page,
)
from bot.game.attempt import NotAllowed, Refusal, Unclear
from bot.language import N_, _, in_language
from bot.recent import Recent
from engine.puzzles import puzzle_of, solution, try_cell
from engine.rules.base import IllegalMove
from storage.columns import DAY
from storage.games import outbox
from storage.games.record import Notice, NoticeKind
from storage.people import chats, people, puzzles
from storage.people.person import Person, Solving
from storage.results import results
from storage.results.result import GOALS, MANY_PUZZLES

PUZZLE_LINK: Final = "puzzle"
"""The start parameter of a link that opens the puzzle."""
REMIND_SECONDS: Final = 5.0
MOST_REMINDED: Final = 100


_SHOWN_LAST: Final = partial(Recent[int, int], 4096)
"""By person, the day of the puzzle that they were shown last."""


async def page(services: Services, person: int, day: int | None = None) -> View:
    """The message of a day's puzzle, by default today's, as somebody has it; an earlier one has its solution."""
    day = current_day() if day is None else day
    puzzle = await asyncio.to_thread(puzzle_of, day)
    shown = await services.store.run(_look_up, person=person, day=day)
    services.memory(_SHOWN_LAST)[person] = day
    if day < current_day() and (shown.solving.day > day or not is_open(day)):
        found = await asyncio.to_thread(solution, puzzle)
        return solved_page(puzzle, day, found, shown)
    return puzzle_page(puzzle, shown, services.link_to(PUZZLE_LINK))


async def step(requester: Requester, day: int, version: int, cell: int | None) -> str | None:
    """Try a cell, from the last right move on, or take a wrong try back; the result is why nothing happens."""
    store = requester.services.store
    solving = await store.run(puzzles.load, person=requester.user.id, day=day)
    if solving.day != day:
        return PUZZLE_IS_OVER
    if solving.version != version:
        return Refusal.STALE.value
    if solving.solved_at is not None:
        return Refusal.OVER.value
    following = solving._replace(moves=right_moves(solving), missed=False)
    if cell is not None:
        try:
            following = await asyncio.to_thread(_tried, solving, cell)
        except IllegalMove:
            return Refusal.TAKEN.value
    await store.run(_save, person=requester.player, solving=following)
    return None


async def typed_try(requester: Requester, text: str, day: int) -> None:
    """Try a typed cell of a day's puzzle, after taking back a wrong try; raises `Unclear` if it is none.

    A cell that was already tried changes nothing, so a command delivered twice has one effect.
    """
    store = requester.services.store
    solving = await store.run(puzzles.load, person=requester.user.id, day=day)
    if solving.day != day:
        raise Unclear(_(PUZZLE_IS_OVER))
    position = (await asyncio.to_thread(puzzle_of, day)).position
    tried = position.rules.read_moves(solving.moves)[::2]
    for cell in position.rules.read_moves(right_moves(solving)):
        position = position.play(cell)
    cell = read_move(text, position)
    if cell in tried:
        return
    if position.mark_at(cell) is not None:
        raise NotAllowed(Refusal.TAKEN)
    if solving.missed:
        await step(requester, day, solving.version, None)
        solving = await store.run(puzzles.load, person=requester.user.id, day=day)
    await step(requester, day, solving.version, cell)


async def _meant(request: CommandRequest) -> int:
    """The day whose puzzle a typed cell is meant for, whenever it arrives.

    It is that of the message it replies to; just after midnight, the one before if the person was shown that last.
    """
    person, today = request.user.id, int(request.message.date.timestamp()) // DAY
    if isinstance(replied := first_button(request.message.reply_to_message), TryPuzzle):
        return replied.day
    solving = await request.services.store.run(puzzles.load, person=person, day=today - 1)
    shown = request.services.memory(_SHOWN_LAST).get(person, today - 1 if solving.moves else today)
    is_late = shown == solving.day == today - 1 and solving.solved_at is None
    return today - 1 if is_late and is_open(today - 1, request.message.date.timestamp()) else today


def _tried(solving: Solving, cell: int) -> Solving:
    puzzle = puzzle_of(solving.day)
    rules = puzzle.position.rules
    if cell in rules.read_moves(solving.moves):
        raise IllegalMove
    tried = try_cell(puzzle, rules.read_moves(right_moves(solving)), cell)
    moves = rules.moves_text(tried.cells)
    if not tried.is_right:
        return solving._replace(moves=moves, missed=True, wrong=solving.wrong + 1)
    if tried.is_solved:
        return solving._replace(moves=moves, missed=False, solved_at=int(time.time()), streak=solving.streak + 1)
    return solving._replace(moves=moves, missed=False)


def _save(connection: Connection, *, person: Person, solving: Solving) -> None:
    is_saved = puzzles.save(connection, person, solving)
    if is_saved and solving.solved_at is not None and solving.streak >= GOALS[MANY_PUZZLES]:
        results.reach_milestone(connection, person.id, MANY_PUZZLES, solving.solved_at)


def _look_up(connection: Connection, *, person: int, day: int) -> ShownPuzzle:
    chat = chats.load(connection, person)
    return ShownPuzzle(
        puzzles.load(connection, person, day),
        LETTERS if chat.as_text else chat.theme,
        puzzles.is_reminded(connection, person),
        results.milestones_of(connection, person).get(MANY_PUZZLES),
        as_text=chat.as_text,
    )


async def remind(services: Services, _: object = None) -> bool:
    """Store the reminders that are due, and send them; True if there may be more."""
    notices = await services.store.run(_due, now=int(time.time()))
    for notice in notices:
        services.messages.tell(notice)
    return len(notices) == MOST_REMINDED


def _due(connection: Connection, *, now: int) -> Sequence[Notice]:
    return [
        outbox.add(
            connection,
            Notice(0, NoticeKind.PUZZLE, None, None, person, None, people.language_for(connection, person), 0),
        )
        for person in puzzles.take_due(connection, now, MOST_REMINDED)
    ]


async def made(services: Services, notice: Notice) -> OutgoingMessage | None:
    """The message of a reminder; None for somebody who has already solved the day's puzzle."""
    solving = await services.store.run(puzzles.load, person=notice.chat_id, day=current_day())
    if solving.solved_at is not None:
        return None
    return OutgoingMessage(notice.chat_id, await page(services, notice.chat_id), notice=notice)


PUZZLE_IS_OVER: Final = N_("That day's puzzle is over. Send /puzzle for today's.")
REMINDED: Final = N_("I'll send you the puzzle every day at this time.")
NOT_REMINDED: Final = N_("No more reminders.")


async def show(request: CommandRequest) -> None:
    """Show the day's puzzle, perhaps after a try, which may be a reply to it; in a group, who has solved it."""
    make = partial(page, request.services, request.user.id)
    if not request.is_private:
        await request.services.store.run(puzzles.ask_in, person_id=request.user.id, chat_id=request.chat_id)
        make = partial(_listed, request.services, request.chat_id)
    text = request.message.text or ""
    is_try = isinstance(first_button(request.message.reply_to_message), TryPuzzle)
    said = text if is_try and not text.startswith("/") else " ".join(request.args)
    if request.is_private and said:
        day = await _meant(request)
        if not is_open(day, request.message.date.timestamp()):
            raise Unclear(_(PUZZLE_IS_OVER))
        await typed_try(request, said, day)
        make = partial(make, day)
    await request.reply_with(make)


async def waiting(request: CommandRequest) -> Waiting | None:
    """Today's puzzle, for somebody who has tried one before, until they have solved it."""
    day = current_day()
    solving = await request.services.store.read(puzzles.load, person=request.user.id, day=day)
    if not solving.version or solving.solved_at is not None:
        return None
    said = _("🧩 #{number} is open").format(number=day - FIRST_DAY + 1)
    streak = f" · 🔥 {solving.streak}" if solving.streak else ""
    return Waiting(f"{said}{streak}", [[Key(_("🧩 Solve it"), ShowPuzzle(day))]])


async def follow(request: CommandRequest, _: str) -> None:
    """Show the puzzle to somebody who followed a link."""
    await request.reply_with(partial(page, request.services, request.user.id))


async def tapped(
    requester: Requester, button: TryPuzzle | RetryPuzzle | ShowPuzzle | RemindOfPuzzle | OpenPuzzle
) -> str | Link | None:
    """Do what a button of the puzzle says; returns what the tapper is told, or a link to open."""
    services, chat_id, today = requester.services, requester.chat_id, current_day()
    if not chat_id:
        return MEANINGLESS
    make = partial(page, services, requester.user.id)
    if isinstance(button, OpenPuzzle):
        if chat_id < 0:
            await services.store.run(puzzles.join, person=requester.player, chat_id=chat_id)
        listed, said = (
            in_language(requester.language_here, partial(_listed, services, chat_id)),
            requester.where.said,
        )
        # Everybody in a group may tap it: only what has changed is worth an edit, and a lost list no new one.
        if isinstance(requester.shown, OpenPuzzle) and said not in (None, (view := await listed()).plain):
            requester.show_instead(view, listed)
        return Link(services.link_to(PUZZLE_LINK))
    if isinstance(button, ShowPuzzle) and not requester.is_at(TryPuzzle):  # it's asked for by another message
        make = make if requester.is_private else partial(_listed, services, chat_id)
        await requester.turn_to(make, below=True)
        return None
    if chat_id != requester.user.id or not requester.is_at(TryPuzzle):
        return MEANINGLESS
    words = None
    match button:
        case TryPuzzle() | RetryPuzzle() if not is_open(button.day):
            return PUZZLE_IS_OVER
        case TryPuzzle() | RetryPuzzle():
            cell = button.cell if isinstance(button, TryPuzzle) else None
            words = await step(requester, button.day, button.version, cell)
            make = partial(make, button.day)
        case RemindOfPuzzle():
            at = int(time.time()) + DAY if button.wanted else None
            await services.store.run(puzzles.remind, person=requester.player, at=at)
            words = REMINDED if button.wanted else NOT_REMINDED
        case ShowPuzzle():
            make = partial(make, min(max(button.day, today - 1), today))
    await requester.turn_to(make)
    return words


async def _listed(services: Services, chat_id: int) -> View:
    day = current_day()
    found = await services.store.run(puzzles.solvers, chat_id=chat_id, day=day)
    return group_page(await asyncio.to_thread(puzzle_of, day), day, found)


FEATURE: Final = Feature(
    heading=Heading.RESULTS,
    commands=[Command("puzzle", show, N_("Puzzle of the day"), Menus.BOTH)],
    taps=dict.fromkeys((TryPuzzle, RetryPuzzle, ShowPuzzle, RemindOfPuzzle, OpenPuzzle), tapped),
    links={PUZZLE_LINK: follow},
    replies={TryPuzzle: "puzzle"},
    notices={NoticeKind.PUZZLE: made},
    routines=[Routine("Puzzle reminders", remind, REMIND_SECONDS)],
    remembers=[_SHOWN_LAST],
    waits=waiting,
    helps={HelpPage.RESULTS: lambda: _("<b>/puzzle</b>: a new one every day (UTC), hardest on Sunday.")},
    keeps=N_(
        "• The newest /puzzle you tried: your tries, your streak, the group where you last asked for it, and "
        "when to remind you."
    ),
)
