"""/puzzle: a week of puzzles, wrong tries, streaks, the list of a group, reminders, and kills in the middle."""

import re
import time
from urllib.parse import unquote

import pytest

from bot.boards.board import drawing
from bot.boards.view import MARKS
from bot.features.puzzle import handlers as puzzle
from bot.features.puzzle.view import current_day
from engine.puzzles import puzzle_of, solution, try_cell
from playground.chats import Chat, Message
from playground.people import Person
from storage.clock import go_on
from storage.columns import DAY
from tests.people import is_board, offered, plain
from tests.world import Room, World

on_each_database = pytest.mark.parametrize("room", ["sqlite_url", "postgres_url"], indirect=True)
"""What `tests/storage/people/test_people.py` doesn't hold on both."""


def day() -> int:
    return current_day()


def label(message: Message, cell: int) -> str:
    """What a cell's button shows."""
    width = len(message.keyboard[0])
    return str(message.keyboard[cell // width][cell % width]["text"])


def controls(message: Message) -> set[str]:
    """The buttons below the cells."""
    return offered(message) - {"·", "❌", "🟡"}


def sides() -> tuple[str, str]:
    """The mark to move, and the other."""
    turn = puzzle_of(day()).position.turn
    return MARKS[turn], MARKS[turn.other]


def place(message: Message, cell: int) -> str:
    """The data of a cell's button."""
    width = len(message.keyboard[0])
    return str(message.keyboard[cell // width][cell % width]["callback_data"])


def a_wrong_cell() -> int:
    puzzle = puzzle_of(day())
    tries = {cell: try_cell(puzzle, (), cell) for cell in puzzle.position.legal_moves}
    return next(cell for cell, tried in tries.items() if not tried.is_right and len(tried.cells) > 1)


async def press(room: Room, person: Person, message: Message, label: str) -> str | None:
    found = await room.pressed(person, message, label)
    await room.house.quiet()
    return found


async def put(room: Room, person: Person, message: Message, cell: int) -> str | None:
    found = await room.tapped(person, message, place(message, cell))
    await room.house.quiet()
    return found


async def opened(room: Room, person: Person, chat: Chat | None = None) -> Message:
    return await room.said(person, "/puzzle", person.private if chat is None else chat)


async def solved(room: Room, person: Person) -> Message:
    """Let somebody open and solve the puzzle of the day; returns its message."""
    message = await opened(room, person)
    for cell in solution(puzzle_of(day()))[::2]:
        await put(room, person, message, cell)
    assert "✅" in plain(message)
    return message


async def test_a_week_of_puzzles_makes_a_streak_of_seven_that_a_missed_day_ends(room: Room) -> None:
    seen = set()
    for number in range(1, 8):
        message = await solved(room, room.ann)
        assert f"🔥 {number} day" in plain(message)
        assert ("A whole week of puzzles" in plain(message)) is (number == 7)
        seen.add(plain(message).split("\n")[0])
        await room.house.skip(DAY)
    assert len(seen) == 7
    await room.house.skip(DAY)
    assert "🔥 1 day in a row" in plain(await solved(room, room.ann))
    assert "A whole week of puzzles" in plain(await room.said(room.ann, "/stats", room.ann.private))


async def test_a_wrong_try_says_what_follows_and_how_only_when_asked_and_counts_once_however_often_it_comes(
    room: Room,
) -> None:
    message, wrong = await opened(room, room.ann), a_wrong_cell()
    fresh, (_, answer) = place(message, wrong), try_cell(puzzle_of(day()), (), wrong).cells
    assert controls(message) == {"✕"}
    assert "❤️❤️❤️" in plain(message)
    await put(room, room.ann, message, wrong)
    said = plain(message)
    mark, other = sides()
    assert f"Not quite: {other} wins in 1 move." in said or f"Not quite: {other} can stop that." in said
    assert "❤️❤️🤍" in said
    assert label(message, answer) == "·", "the answer would name the right cell"
    missed = message.keyboard
    await room.tapped(room.ann, message, fresh)
    await room.tapped(room.ann, message, place(message, wrong))
    await room.house.quiet()
    assert message.keyboard == missed
    assert controls(message) == {"Show me", "✕"}
    await press(room, room.ann, message, "Show me")
    assert f"{other} plays " in plain(message)
    assert label(message, answer) == other
    assert controls(message) == {"Try again", "✕"}
    await press(room, room.ann, message, "Try again")
    assert label(message, wrong) == "·"
    for cell in solution(puzzle_of(day()))[::2]:
        await put(room, room.ann, message, cell)
    assert "Solved in 2 tries" in plain(message)
    shared = unquote(message.button("Share")["url"])
    assert re.search(rf"text=[❌🟡⬜\n]+OXO #\d+ · \w+ ★+ · {mark} [ \w]+ · 🟥🟩$", shared), (
        "the position is above it"
    )
    assert "start=puzzle" in shared


async def test_after_three_wrong_tries_it_is_lost_and_shows_its_solution_when_asked(room: Room) -> None:
    message, puzzle = await opened(room, room.ann), puzzle_of(day())
    wrong = [cell for cell in puzzle.position.legal_moves if not try_cell(puzzle, (), cell).is_right]
    for cell in wrong[:3]:
        await put(room, room.ann, message, cell)
    assert "💔 No hearts left." in plain(message)
    assert "Solution" not in plain(message)
    right = solution(puzzle)
    assert await put(room, room.ann, message, right[0]) == "This game is over."
    assert len(offered(message) & {"Show me", "Share", "🔔 Remind me daily", "✕", "Yesterday's solution"}) == 3
    await press(room, room.ann, message, "Show me")
    assert "Solution" in plain(message)
    assert label(message, right[0]) == sides()[0]
    assert unquote(message.button("Share")["url"]).endswith("🟥🟥🟥")
    await room.house.skip(DAY)
    assert "🔥 1 day in a row" in plain(await solved(room, room.ann)), "a lost one ends a streak"


async def test_what_a_folded_puzzle_offers_leads_back_to_it(room: Room) -> None:
    message = await opened(room, room.ann)
    before = message.keyboard
    await press(room, room.ann, message, "✕")
    assert offered(message) == {"Solve it", "Yesterday's solution", "🔔 Remind me daily"}
    assert plain(message).count("\n") == 1
    assert "every day at this time" in str(await press(room, room.ann, message, "🔔 Remind me daily"))
    await press(room, room.ann, message, "✕")
    assert "🔕 Stop reminders" in offered(message)
    await press(room, room.ann, message, "Solve it")
    assert message.keyboard == before


async def test_somebody_new_reads_a_line_of_rules_and_may_play_at_the_end(room: Room) -> None:
    dee = room.playground.add_person("Dee")
    dee.start("puzzle")
    await room.house.given(room.bot)
    message = room.last(dee.private)
    assert f"You're {sides()[0]}" in plain(message)
    for cell in solution(puzzle_of(day()))[::2]:
        await put(room, dee, message, cell)
    assert "Yesterday's solution" not in offered(message)
    await press(room, dee, message, "Play me")
    assert is_board(room.last(dee.private))


async def test_those_who_solve_it_are_told_how_they_compare_once_there_are_enough(room: Room) -> None:
    others = [room.playground.add_person(f"P{number}", started=True) for number in range(10)]
    for number, person in enumerate(others):
        message = await opened(room, person)
        if number % 2:
            await put(room, person, message, a_wrong_cell())
        for cell in solution(puzzle_of(day()))[::2]:
            await put(room, person, message, cell)
    assert "Better than" not in plain(message), "nine others"
    assert "Better than 50% of today's players." in plain(await solved(room, room.ann))


async def test_a_tap_that_tries_nothing_says_why_and_one_after_a_wrong_try_takes_that_back(room: Room) -> None:
    puzzle, wrong = puzzle_of(day()), a_wrong_cell()
    taken = next(cell for cell in puzzle.position.rules.layout.drawn if puzzle.position.mark_at(cell))
    message = await opened(room, room.ann)
    assert await put(room, room.ann, message, taken) == "That cell is taken. Pick an empty one."
    first = place(message, wrong)
    await put(room, room.ann, message, wrong)
    assert await room.tapped(room.ann, message, first) == "The board has changed. Here's how it looks now."
    assert await put(room, room.ann, message, wrong) == "That cell is taken. Pick an empty one."
    other = next(cell for cell in puzzle.position.legal_moves if cell != wrong)
    assert await put(room, room.ann, message, other) is None
    assert label(message, other) != "·", "another cell can be tried without more ado"
    assert label(message, wrong) == "·" or wrong in try_cell(puzzle, (), other).cells


async def test_a_puzzle_is_solved_by_text_alone_which_draws_it_and_nonsense_changes_nothing(room: Room) -> None:
    rules = puzzle_of(day()).position.rules

    async def typed(text: str) -> str:
        return plain(await room.said(room.ann, f"/puzzle {text}", room.ann.private))

    before = plain(await opened(room, room.ann))
    taken = next(cell for cell in range(rules.cells) if puzzle_of(day()).position.mark_at(cell) is not None)
    assert "like 2,3 or b2" in await typed("z9 please")
    assert "taken" in await typed(rules.name_of(taken))
    assert plain(await opened(room, room.ann)) == before
    for _ in range(2):
        assert "❤️❤️🤍" in await typed(rules.name_of(a_wrong_cell()))
    for cell in solution(puzzle_of(day()))[::2]:
        last = await typed(rules.name_of(cell))
    assert "Solved in 2 tries" in last
    await room.said(room.bo, "/settings text on", room.bo.private)
    text = plain(await opened(room, room.bo))
    assert drawing(puzzle_of(day()).position) in text
    cell = puzzle_of(day()).position.legal_moves[0]
    assert f"{rules.name_of(cell)} " in text
    assert f"/puzzle {cell + 1}" in text


async def test_yesterdays_solution_is_one_tap_away_and_an_older_board_says_so_kindly(room: Room) -> None:
    old = await opened(room, room.ann)
    await room.house.skip(DAY)
    assert "Send /puzzle for today's" in str(await room.tapped(room.ann, old, place(old, 0)))
    message = await opened(room, room.ann)
    await press(room, room.ann, message, "✕")
    await press(room, room.ann, message, "Yesterday's solution")
    assert "Solution" in plain(message)
    assert plain(message).split("\n")[0] == plain(old).split("\n")[0]
    await press(room, room.ann, message, "Today's puzzle")
    assert "Solution" not in plain(message)


async def test_a_group_has_one_message_a_day_that_says_who_has_solved_it_but_not_who_hides(room: Room) -> None:
    message = await opened(room, room.ann, room.group)
    assert "Nobody here has solved it yet." in plain(message)
    assert len(re.findall("[❌🟡⬜]", plain(message))) > puzzle_of(day()).position.rules.cells
    assert offered(message) == {"Solve it ↗"}
    tap = room.ann.press(message, str(message.button("Solve it ↗")["callback_data"]))
    await room.house.given(room.bot)
    assert str(tap.answer.result().url).endswith("?start=puzzle")
    await press(room, room.bo, message, "Solve it ↗")
    own = await opened(room, room.ann)
    await put(room, room.ann, own, a_wrong_cell())
    for cell in solution(puzzle_of(day()))[::2]:
        await put(room, room.ann, own, cell)
    assert "🟥🟩 Ann\n1 of 2" in plain(message) or "🟥🟩 Ann\n1 of 1" in plain(message)
    await solved(room, room.bo)
    assert plain(message).endswith("🟩 小波 · 🟥🟩 Ann\n2 of 2")
    again = await opened(room, room.ann, room.group)
    assert again.text == "⬆️ Here's today's puzzle."
    assert again.reply_to is message
    await room.said(room.bo, "/settings hidden on", room.bo.private)
    await room.house.heal()
    assert plain(message).endswith("🟥🟩 Ann\n1 of 1")


async def test_whoever_is_forgotten_vanishes_from_a_groups_message(oxo: World) -> None:
    ann, bo = (oxo.playground.add_person(name, started=True) for name in ("Ann", "Bo"))
    group = oxo.playground.add_group("The Noughts", [ann, bo])
    message, puzzle = await ann.ask("/puzzle", in_=group), puzzle_of(day())
    for person in (ann, bo):
        await person.tap(message, "Solve it ↗")
        for cell in solution(puzzle)[::2]:
            await person.ask(f"/puzzle {puzzle.position.rules.name_of(cell)}")
    await oxo.until(lambda: "🟩 Ann" in plain(message))
    await oxo.forgets(ann)
    await oxo.until(lambda: plain(message).endswith("🟩 Bo\n1 of 1"))


async def test_a_groups_streak_goes_on_while_anybody_there_solves_one_and_each_day_has_a_message(
    room: Room,
) -> None:
    for number, person in enumerate((room.ann, room.bo, room.ann), 1):
        message = await opened(room, room.ann, room.group)
        await press(room, person, message, "Solve it ↗")
        await solved(room, person)
        assert (f"this group 🔥 {number} days" in plain(message)) is (number > 1)
        await room.house.skip(DAY)
    await room.house.skip(DAY)
    assert "this group" not in plain(await opened(room, room.ann, room.group))


@pytest.mark.parametrize("asks", [True, False])
async def test_whoever_has_solved_one_before_they_ask_for_it_in_a_group_counts_there(
    room: Room, *, asks: bool
) -> None:
    message = await opened(room, room.ann, room.group)
    await solved(room, room.ann)
    assert "Nobody here has solved it yet." in plain(message)
    if asks:
        await opened(room, room.ann, room.group)
    else:
        await press(room, room.ann, message, "Solve it ↗")
    await room.house.heal()
    assert "🟩 Ann" in plain(message)
    await room.house.skip(DAY)
    message = await opened(room, room.ann, room.group)
    await solved(room, room.ann)
    assert "this group 🔥 2 days" in plain(message)


async def test_a_groups_message_that_was_deleted_comes_again_when_it_is_asked_for(room: Room) -> None:
    message = await opened(room, room.ann, room.group)
    room.group.delete(message)
    await room.said(room.ann, "/puzzle", room.group)
    await room.house.heal()
    assert offered(room.last(room.group)) == {"Solve it ↗"}


async def test_a_kill_after_a_solution_is_stored_leaves_the_groups_message_to_the_next_process(room: Room) -> None:
    message = await opened(room, room.ann, room.group)
    await press(room, room.ann, message, "Solve it ↗")
    own, cells = await opened(room, room.ann), solution(puzzle_of(day()))[::2]
    for cell in cells[:-1]:
        await put(room, room.ann, own, cell)
    room.ann.press(own, place(own, cells[-1]))
    await room.house.given(room.bot)
    room.bot.kill()
    await room.house.start()
    await room.house.heal()
    assert "🟩 Ann" in plain(message)


@on_each_database
async def test_a_reminder_comes_once_a_day_from_two_processes_and_not_to_somebody_who_has_solved_it(
    room: Room,
) -> None:
    other = await room.house.start()
    message = await opened(room, room.ann)
    await press(room, room.ann, message, "✕")
    await press(room, room.ann, message, "🔔 Remind me daily")

    async def reminded() -> int:
        before = len(room.ann.private.messages)
        for bot in (room.bot, other, room.bot):
            await bot.do(puzzle.remind(bot.services))
        await room.house.quiet()
        return len(room.ann.private.messages) - before

    assert await reminded() == 0
    await room.house.skip(DAY)
    assert await reminded() == 1
    assert plain(room.last(room.ann.private)).startswith("🧩 #")
    await room.house.skip(DAY)
    await solved(room, room.ann)
    assert await reminded() == 0
    assert room.house.sql("SELECT * FROM outbox") == []
    await room.house.skip(DAY)
    message = await opened(room, room.ann)
    await press(room, room.ann, message, "✕")
    await press(room, room.ann, message, "🔕 Stop reminders")
    await room.house.skip(DAY)
    assert await reminded() == 0


async def test_somebody_who_blocks_the_bot_is_no_longer_reminded(room: Room) -> None:
    message = await opened(room, room.ann)
    await press(room, room.ann, message, "✕")
    await press(room, room.ann, message, "🔔 Remind me daily")
    room.ann.block()
    await room.house.skip(DAY)
    await room.bot.do(puzzle.remind(room.bot.services))
    await room.house.quiet()
    assert room.house.value("SELECT remind_at FROM puzzles") is None


async def near_midnight(room: Room, seconds: float) -> None:
    """Move the clock to so many seconds after the next midnight."""
    await room.house.skip(DAY - time.time() % DAY + seconds)


async def solve_on(room: Room, message: Message, of: int) -> None:
    for cell in solution(puzzle_of(of))[::2]:
        assert await put(room, room.ann, message, cell) is None


async def test_a_puzzle_may_be_solved_for_an_hour_after_its_day_and_the_streak_goes_on(room: Room) -> None:
    await near_midnight(room, 60)
    await solved(room, room.ann)
    await room.house.skip(DAY)
    message, meant = await opened(room, room.ann), day()
    await put(room, room.ann, message, a_wrong_cell())
    await near_midnight(room, 3500)
    await press(room, room.ann, message, "✕")
    await press(room, room.ann, message, "Solve it")
    assert "still counts until 1:00 UTC" in plain(message)
    await solve_on(room, message, meant)
    assert "Solved in 2 tries. 🔥 2 days in a row" in plain(message)
    await press(room, room.ann, message, "Today's puzzle")
    await solve_on(room, message, meant + 1)
    assert "🔥 3 days in a row" in plain(message)
    old = await opened(room, room.bo)
    await near_midnight(room, 3700)
    assert "/puzzle" in str(await room.tapped(room.bo, old, place(old, 0))), "after that hour it is over"


async def test_whoever_has_not_solved_it_does_not_see_its_solution_in_that_hour(room: Room) -> None:
    await near_midnight(room, 60)
    message = await opened(room, room.ann)
    await press(room, room.ann, message, "✕")
    await press(room, room.ann, message, "Yesterday's solution")
    assert "Solution" not in plain(message)
    await solve_on(room, message, day() - 1)
    assert "Solved in 1 try" in plain(message)


@pytest.mark.parametrize("how", ["reply", "just after", "sent before", "today's is shown"])
async def test_a_typed_cell_counts_for_the_puzzle_it_was_meant_for(room: Room, how: str) -> None:
    await near_midnight(room, 7200)
    message, meant = await opened(room, room.ann), day()
    await near_midnight(room, -5 if how == "sent before" else 30)
    if how == "today's is shown":
        await opened(room, room.ann)
        meant += 1
    puzzle = puzzle_of(meant)
    name = puzzle.position.rules.name_of(solution(puzzle)[0])
    await room.ann.say(name if how == "reply" else f"/puzzle {name}", reply_to=message if how == "reply" else None)
    if how == "sent before":
        await room.house.skip(3600)
    await room.house.given(room.bot)
    await room.house.quiet()
    assert room.house.value("SELECT day FROM puzzles") == meant
    assert room.house.value("SELECT moves FROM puzzles")


@pytest.mark.parametrize(("hours", "streak"), [(30, 2), (37, 1)])
async def test_somebody_who_solves_one_each_day_of_their_own_keeps_their_streak(
    room: Room, hours: int, streak: int
) -> None:
    await near_midnight(room, 22 * 3600)
    first, _ = day(), await solved(room, room.ann)
    await room.house.skip(hours=hours)
    assert day() == first + 2
    assert f"🔥 {streak} day" in plain(await solved(room, room.ann))


async def test_the_bots_own_outage_ends_no_streak(room: Room) -> None:
    await near_midnight(room, 3600)
    await solved(room, room.ann)

    def note() -> None:
        with room.house.engine.begin() as connection:
            go_on(connection, int(time.time()))

    for seconds in (0, 3 * DAY, DAY):
        await room.house.skip(seconds, heard=False)
        note()
    assert "🔥 2 day" in plain(await solved(room, room.ann))
    for _ in range(2 * 24 * 6):
        room.house.clock.skip(599)
        note()
    assert "🔥 1 day" in plain(await solved(room, room.ann)), "that wasn't the bot's"
