"""Tries at the day's puzzle, and its reminders: what is stored, and what it leads to."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from typing import Final

from sqlalchemy import Connection

from bot.boards.cells import BadMove, read_move
from bot.boards.refusals import REFUSALS
from bot.boards.themes import LETTERS
from bot.boards.view import View
from bot.context.requests import Requester
from bot.context.services import Services
from bot.delivery.entries import OutgoingMessage
from bot.features.puzzle import views
from bot.game.refusals import Refusal
from engine.analysis.puzzles import play, puzzle_of, solution
from engine.errors import IllegalMove
from storage.games import outbox
from storage.games.notice import Notice, NoticeKind
from storage.people import chats, preferences, puzzles
from storage.people.person import Person
from storage.people.puzzles import DAY, Solving
from storage.results import milestones
from storage.results.milestone import GOALS, PUZZLES

LINK: Final = "puzzle"
"""The start parameter of a link that opens the puzzle."""
REMIND_SECONDS: Final = 5.0
LIMIT: Final = 100


def today() -> int:
    """Today, in UTC, as days since 1970."""
    return int(time.time()) // DAY


async def page(services: Services, person: int, day: int, language: str | None) -> View:
    """The message of a day's puzzle as somebody has it; one of an earlier day is shown with its solution.

    Raises:
        StorageError: if the database cannot be used.
    """
    puzzle = await asyncio.to_thread(puzzle_of, day)
    shown = await services.store.run(partial(_look_up, person=person, day=day))
    if day < today():
        found = await asyncio.to_thread(solution, puzzle)
        return views.solved_page(puzzle, day, found, shown, language)
    return views.page(puzzle, shown, services.publisher.link_to(LINK), language)


async def step(requester: Requester, version: int, cell: int | None) -> str | None:
    """Try a cell, from the last right move on, or take a wrong try back; the result is why nothing happens.

    Raises:
        StorageError: if the database cannot be used.
    """
    store, day = requester.services.store, today()
    solving = await store.run(partial(puzzles.load, person=requester.user.id, day=day))
    if solving.version != version:
        return REFUSALS[Refusal.STALE]
    if solving.solved_at is not None:
        return REFUSALS[Refusal.OVER]
    following = solving._replace(moves=views.right_moves(solving), missed=False)
    if cell is not None:
        try:
            following = await asyncio.to_thread(_tried, solving, cell)
        except IllegalMove:
            return REFUSALS[Refusal.TAKEN]
    await store.run(partial(_save, person=requester.player, solving=following))
    return None


async def typed(requester: Requester, text: str) -> str | None:
    """Try a typed cell, after taking back a wrong try; returns what is wrong with it, if anything.

    A cell that was already tried changes nothing, so a command delivered twice has one effect.

    Raises:
        StorageError: if the database cannot be used.
    """
    store, day = requester.services.store, today()
    solving = await store.run(partial(puzzles.load, person=requester.user.id, day=day))
    position = (await asyncio.to_thread(puzzle_of, day)).position
    tried = position.rules.read_moves(solving.moves)[::2]
    for cell in position.rules.read_moves(views.right_moves(solving)):
        position = position.play(cell)
    try:
        cell = read_move(text, position, requester.t)
    except BadMove as error:
        return str(error)
    if cell not in tried and position.mark_at(cell) is not None:
        return requester.t.gettext(REFUSALS[Refusal.TAKEN])
    if cell not in tried and solving.missed:
        await step(requester, solving.version, None)
        solving = await store.run(partial(puzzles.load, person=requester.user.id, day=day))
    if cell not in tried:
        await step(requester, solving.version, cell)
    return None


def _tried(solving: Solving, cell: int) -> Solving:
    puzzle = puzzle_of(solving.day)
    rules = puzzle.position.rules
    if cell in rules.read_moves(solving.moves):
        raise IllegalMove
    tried = play(puzzle, rules.read_moves(views.right_moves(solving)), cell)
    moves = rules.moves_text(tried.cells)
    if not tried.is_right:
        return solving._replace(moves=moves, missed=True, wrong=solving.wrong + 1)
    if tried.is_solved:
        return solving._replace(moves=moves, missed=False, solved_at=int(time.time()), streak=solving.streak + 1)
    return solving._replace(moves=moves, missed=False)


def _save(connection: Connection, *, person: Person, solving: Solving) -> None:
    is_saved = puzzles.save(connection, person, solving)
    if is_saved and solving.solved_at is not None and solving.streak >= GOALS[PUZZLES]:
        milestones.reach(connection, person.id, PUZZLES, solving.solved_at)


def _look_up(connection: Connection, *, person: int, day: int) -> views.Shown:
    chat = chats.load(connection, person)
    return views.Shown(
        puzzles.load(connection, person, day),
        LETTERS if chat.as_text else chat.theme,
        puzzles.is_reminded(connection, person),
        milestones.of_person(connection, person).get(PUZZLES),
        as_text=chat.as_text,
    )


async def remind(services: Services) -> bool:
    """Store the reminders that are due, and send them; True if there may be more.

    Raises:
        StorageError: if the database cannot be used.
    """
    notices = await services.store.run(partial(_due, now=int(time.time())))
    for notice in notices:
        services.publisher.tell(notice)
    return len(notices) == LIMIT


def _due(connection: Connection, *, now: int) -> Sequence[Notice]:
    return [
        outbox.add(
            connection,
            Notice(0, NoticeKind.PUZZLE, None, None, person, None, preferences.language_of(connection, person), 0),
        )
        for person in puzzles.take_due(connection, now, LIMIT)
    ]


async def made(services: Services, notice: Notice) -> OutgoingMessage | None:
    """The message of a reminder; None for somebody who has already solved the day's puzzle.

    Raises:
        StorageError: if the database cannot be used.
    """
    day, person = today(), notice.chat_id
    solving = await services.store.run(partial(puzzles.load, person=person, day=day))
    if solving.solved_at is not None:
        return None
    view = await page(services, person, day, notice.language)
    return OutgoingMessage(person, view, notice=notice)
