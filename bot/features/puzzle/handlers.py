"""/puzzle: the day's puzzle, its solution, a group's message with those who have solved it, and reminders."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from sqlalchemy import Connection

from bot.boards.buttons import ShowPuzzle
from bot.boards.cells import read_move
from bot.boards.view import LETTERS, Key, View
from bot.context.acting import MEANINGLESS
from bot.context.feature import Command, Feature, Heading, HelpPage, Link, Menus, Routine, Waiting
from bot.context.notices import worded
from bot.context.requests import CommandRequest, Requester, first_button
from bot.context.services import Services
from bot.delivery.entries import OutgoingMessage
from bot.features.puzzle.view import (
    FIRST_DAY,
    FoldPuzzle,
    OpenPuzzle,
    RemindOfPuzzle,
    RetryPuzzle,
    ShowHow,
    ShownPuzzle,
    TryPuzzle,
    current_day,
    folded_page,
    group_page,
    is_open,
    puzzle_page,
    right_moves,
    solved_page,
)
from bot.game.attempt import NotAllowed, Refusal, Unclear
from bot.language import N_, _
from bot.recent import Recent
from engine.puzzles import lost_in, puzzle_of, solution, try_cell
from engine.rules.base import IllegalMove
from storage.columns import DAY
from storage.games import outbox
from storage.games.record import Notice, NoticeKind
from storage.once import take
from storage.people import chats, people, puzzles
from storage.people.person import GroupPuzzle, Person, Solving
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
    shown = await services.store.read(_look_up, person=person, day=day)
    services.memory(_SHOWN_LAST)[person] = day
    if day < current_day() and (shown.solving.day > day or not is_open(day)):
        found = await asyncio.to_thread(solution, puzzle)
        return solved_page(puzzle, day, found, shown)
    if shown.solving.missed:
        cells = puzzle.position.rules.read_moves(shown.solving.moves)
        shown = shown._replace(lost_in=await asyncio.to_thread(lost_in, puzzle, cells))
    return puzzle_page(puzzle, shown, services.link_to(PUZZLE_LINK))


async def _folded(services: Services, person: int, day: int) -> View:
    shown = await services.store.read(_look_up, person=person, day=day)
    return folded_page(await asyncio.to_thread(puzzle_of, day), shown)


async def step(
    requester: Requester, day: int, version: int, following: Callable[[Solving], Solving]
) -> str | None:
    """Let a person go on with a puzzle as `following` says, in a thread; the result is why nothing happens."""
    store = requester.services.store
    solving = await store.read(puzzles.load, person=requester.user.id, day=day)
    if solving.day != day:
        return PUZZLE_IS_OVER
    if solving.version != version:
        return Refusal.STALE.value
    if solving.solved_at is not None:
        return Refusal.OVER.value
    try:
        changed = await asyncio.to_thread(following, solving)
    except IllegalMove:
        return Refusal.TAKEN.value
    for notice in await store.run(_save, person=requester.player, solving=changed):
        requester.services.messages.tell(notice)
    return None


async def typed_try(requester: Requester, text: str, day: int) -> None:
    """Try a typed cell of a day's puzzle, after taking back a wrong try; raises `Unclear` if it is none.

    A cell that was already tried changes nothing, so a command delivered twice has one effect.
    """
    store = requester.services.store
    solving = await store.read(puzzles.load, person=requester.user.id, day=day)
    if solving.day != day:
        raise Unclear(_(PUZZLE_IS_OVER))
    puzzle = await asyncio.to_thread(puzzle_of, day)
    rules = puzzle.position.rules
    tried, position = rules.read_moves(solving.moves)[::2], puzzle.after(rules.read_moves(right_moves(solving)))
    cell = read_move(text, position)
    if cell in tried:
        return
    if position.mark_at(cell) is not None:
        raise NotAllowed(Refusal.TAKEN)
    if solving.missed:
        await step(requester, day, solving.version, _taken_back)
        solving = await store.read(puzzles.load, person=requester.user.id, day=day)
    await step(requester, day, solving.version, partial(_tried, cell=cell))


async def _meant(request: CommandRequest) -> int:
    """The day whose puzzle a typed cell is meant for, whenever it arrives.

    It is that of the message it replies to; just after midnight, the one before if the person was shown that last.
    """
    person, today = request.user.id, int(request.message.date.timestamp()) // DAY
    if isinstance(replied := first_button(request.message.reply_to_message), TryPuzzle):
        return replied.day
    solving = await request.services.store.read(puzzles.load, person=person, day=today - 1)
    shown = request.services.memory(_SHOWN_LAST).get(person, today - 1 if solving.moves else today)
    is_late = shown == solving.day == today - 1 and solving.solved_at is None
    return today - 1 if is_late and is_open(today - 1, request.message.date.timestamp()) else today


def _taken_back(solving: Solving) -> Solving:
    if solving.is_lost:
        raise NotAllowed(Refusal.OVER)
    return solving._replace(moves=right_moves(solving), missed=False)


def _shown_how(solving: Solving) -> Solving:
    """With the answer to a wrong try or, once all hearts are gone, the solution."""
    puzzle = puzzle_of(solving.day)
    rules = puzzle.position.rules
    if not solving.missed:
        return solving
    if solving.is_lost:
        return solving._replace(moves=rules.moves_text(solution(puzzle)), missed=False)
    right = right_moves(solving)
    (wrong,) = rules.read_moves(solving.moves[len(right) :][:1])
    return solving._replace(moves=rules.moves_text(try_cell(puzzle, rules.read_moves(right), wrong).cells))


def _tried(solving: Solving, cell: int) -> Solving:
    """With a try, from the last right move on; the answer to a wrong one isn't shown yet."""
    puzzle = puzzle_of(solving.day)
    rules = puzzle.position.rules
    if solving.is_lost:
        raise NotAllowed(Refusal.OVER)
    if cell in rules.read_moves(solving.moves):
        raise IllegalMove
    tried = try_cell(puzzle, rules.read_moves(right_moves(solving)), cell)
    moves = rules.moves_text(tried.cells)
    if not tried.is_right:
        wrong = right_moves(solving) + rules.moves_text([cell])
        return solving._replace(moves=wrong, missed=True, wrong=solving.wrong + 1)
    if tried.is_solved:
        return solving._replace(moves=moves, missed=False, solved_at=int(time.time()), streak=solving.streak + 1)
    return solving._replace(moves=moves, missed=False)


def _save(connection: Connection, *, person: Person, solving: Solving) -> Sequence[Notice]:
    """Store how far somebody is; once they have solved it, the messages of their groups are to say so."""
    if not puzzles.save(connection, person, solving) or solving.solved_at is None:
        return ()
    if solving.streak >= GOALS[MANY_PUZZLES]:
        results.reach_milestone(connection, person.id, MANY_PUZZLES, solving.solved_at)
    return outbox.put_puzzles(connection, puzzles.note_solved(connection, person.id, solving.day))


def _look_up(connection: Connection, *, person: int, day: int) -> ShownPuzzle:
    chat, solving = chats.load(connection, person), puzzles.load(connection, person, day)
    return ShownPuzzle(
        solving,
        LETTERS if chat.as_text else chat.theme,
        puzzles.is_reminded(connection, person),
        results.milestones_of(connection, person).get(MANY_PUZZLES),
        as_text=chat.as_text,
        is_new=not results.newest(connection, person, 1),
        better_than=None if solving.solved_at is None else puzzles.better_than(connection, solving),
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
    """The message of a reminder, or of a group; None for somebody who is done with the day's puzzle."""
    if notice.is_of_group_puzzle:
        return await _of_group(services, notice)
    solving = await services.store.read(puzzles.load, person=notice.chat_id, day=current_day())
    if solving.solved_at is not None or solving.is_lost:
        return None
    return OutgoingMessage(notice.chat_id, await page(services, notice.chat_id), notice=notice)


PUZZLE_IS_OVER: Final = N_("That day's puzzle is over. Send /puzzle for today's.")
REMINDED: Final = N_("I'll send you the puzzle every day at this time.")
NOT_REMINDED: Final = N_("No more reminders.")
PUZZLE_ABOVE: Final = N_("⬆️ Here's today's puzzle.")


async def show(request: CommandRequest) -> None:
    """Show the day's puzzle, perhaps after a try, which may be a reply to it; in a group, its one message."""
    if not request.is_private:
        await _show_in_group(request)
        return
    make = partial(page, request.services, request.user.id)
    text = request.message.text or ""
    is_try = isinstance(first_button(request.message.reply_to_message), TryPuzzle)
    said = text if is_try and not text.startswith("/") else " ".join(request.args)
    if said:
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


async def _show_in_group(requester: Requester) -> None:
    """Send the day's puzzle to a group or, once it's there, lead to it."""
    services, person = requester.services, requester.user.id
    above, notices = await services.store.run(_ask_in_group, requester=requester)
    for notice in notices:
        services.messages.tell(notice, person)
    if above is not None:
        here = OutgoingMessage(requester.chat_id, View(_(PUZZLE_ABOVE)), requester.where.thread_id, above)
        services.messages.say(replace(here, person=person))


def _ask_in_group(connection: Connection, *, requester: Requester) -> tuple[int | None, Sequence[Notice]]:
    """Store that a group's message is to be sent, or made again; its id, if it is there."""
    take(connection, requester.once)
    place, day = requester.place, current_day()
    puzzles.ask_in(connection, requester.user.id, requester.chat_id)
    group = puzzles.of_group(connection, requester.chat_id) or GroupPuzzle(requester.chat_id, 0)
    if group.day != day or group.message_id is None:
        language = requester.language_here
        group = group._replace(
            day=day, thread_id=place.thread_id, reply_to=place.reply_to, language=language, message_id=None
        )
        puzzles.put(connection, group)
    puzzles.note_solved(connection, requester.user.id, day)
    # Somebody may have deleted it, which only an edit tells.
    return group.message_id, outbox.put_puzzles(connection, [group])


def _open_from_group(connection: Connection, *, person: Person, chat_id: int) -> Sequence[Notice]:
    """Store where somebody opens the puzzle; if they have solved it before, the group's message is to say so."""
    puzzles.join(connection, person, chat_id)
    solved = puzzles.note_solved(connection, person.id, current_day())
    return outbox.put_puzzles(connection, [group for group in solved if group.chat_id == chat_id])


async def _of_group(services: Services, notice: Notice) -> OutgoingMessage | None:
    """The message of the day's puzzle in a group; None if there is none."""
    group = await services.store.read(puzzles.of_group, chat_id=notice.chat_id)
    message = await worded(notice, partial(_listed, services, notice.chat_id))
    # It is made again when it is sent, however soon, as others may have solved it by then.
    return message and replace(message, message_id=group and group.message_id, made_at=0.0)


async def follow(request: CommandRequest, _: str) -> None:
    """Show the puzzle to somebody who followed a link."""
    await request.reply_with(partial(page, request.services, request.user.id))


async def tapped(
    requester: Requester,
    button: TryPuzzle | RetryPuzzle | ShowHow | FoldPuzzle | RemindOfPuzzle | OpenPuzzle,
) -> str | Link | None:
    """Do what a button of the puzzle says; returns what the tapper is told, or a link to open."""
    services, chat_id = requester.services, requester.chat_id
    if not chat_id:
        return MEANINGLESS
    make = partial(page, services, requester.user.id)
    if isinstance(button, OpenPuzzle):
        if chat_id < 0:
            for notice in await services.store.run(_open_from_group, person=requester.player, chat_id=chat_id):
                services.messages.tell(notice, requester.user.id)
        return Link(services.link_to(PUZZLE_LINK))
    if chat_id != requester.user.id or not requester.is_at(TryPuzzle, FoldPuzzle):
        return MEANINGLESS
    words = None
    match button:
        case TryPuzzle() | RetryPuzzle() | ShowHow() | FoldPuzzle() if not is_open(button.day):
            return PUZZLE_IS_OVER
        case TryPuzzle() | RetryPuzzle() | ShowHow():
            following = _taken_back if isinstance(button, RetryPuzzle) else _shown_how
            if isinstance(button, TryPuzzle):
                following = partial(_tried, cell=button.cell)
            words = await step(requester, button.day, button.version, following)
            make = partial(make, button.day)
        case FoldPuzzle():
            make = partial(_folded if button.folded else page, services, requester.user.id, button.day)
        case RemindOfPuzzle():
            at = int(time.time()) + DAY if button.wanted else None
            await services.store.run(puzzles.remind, person=requester.player, at=at)
            words = REMINDED if button.wanted else NOT_REMINDED
    await requester.turn_to(make)
    return words


async def tap_show(requester: Requester, button: ShowPuzzle) -> str | None:
    """Show today's puzzle or yesterday's in the puzzle's message, below any other, or to the group where it is."""
    if not requester.chat_id:
        return MEANINGLESS
    if not requester.is_private:
        await _show_in_group(requester)
        return None
    today = current_day()
    make = partial(page, requester.services, requester.user.id, min(max(button.day, today - 1), today))
    await requester.turn_to(make, below=not requester.is_at(TryPuzzle, FoldPuzzle))
    return None


async def _listed(services: Services, chat_id: int) -> View | None:
    found = await services.store.read(_look_up_group, chat_id=chat_id)
    return found and group_page(await asyncio.to_thread(puzzle_of, found[0]), *found)


def _look_up_group(
    connection: Connection, *, chat_id: int
) -> tuple[int, Sequence[puzzles.PuzzleSolver], int, int] | None:
    if (group := puzzles.of_group(connection, chat_id)) is None:
        return None
    solved, trying = puzzles.solvers(connection, chat_id, group.day)
    return group.day, solved, trying, puzzles.streak_of(connection, group, group.day)


FEATURE: Final = Feature(
    heading=Heading.RESULTS,
    commands=[Command("puzzle", show, N_("Puzzle of the day"), Menus.BOTH)],
    taps={
        ShowPuzzle: tap_show,
        **dict.fromkeys((TryPuzzle, RetryPuzzle, ShowHow, FoldPuzzle, RemindOfPuzzle, OpenPuzzle), tapped),
    },
    links={PUZZLE_LINK: follow},
    replies={TryPuzzle: "puzzle"},
    notices={NoticeKind.PUZZLE: made},
    routines=[Routine("Puzzle reminders", remind, REMIND_SECONDS)],
    remembers=[_SHOWN_LAST],
    waits=waiting,
    helps={
        HelpPage.RESULTS: lambda: _(
            "<b>/puzzle</b>: a new one every day (UTC), hardest on Sunday, with three tries."
        )
    },
    keeps=N_(
        "• The newest /puzzle you tried: your tries, your streak, the group where you last asked for it, and "
        "when to remind you."
    ),
)
