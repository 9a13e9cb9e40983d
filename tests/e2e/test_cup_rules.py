"""Nobody holds up a cup or twists it, and what else its players and their group may do."""

import re
import time
from collections.abc import Sequence

import pytest

from bot.features.cups import steps
from bot.game.play import Move
from bot.game.questions import TakeBack
from engine import Mark
from playground.chats import Message
from playground.groups import Group
from playground.people import Person
from storage.games.game import Game, Termination
from storage.people import cups
from tests.carried import data_with, game_on
from tests.e2e.test_cups import announced, board_of, cup_of, games_of, gathered, go_on, started, table
from tests.people import boards_in, plain, told
from tests.world import World


def both_of(people: Sequence[Person], game: Game) -> tuple[Person, Person]:
    """The players of a game, X first."""
    x, o = (next(person for person in people if person.id == side.seat) for side in (game.x, game.o))
    return x, o


async def first_of(oxo: World, group: Group) -> tuple[Game, Message]:
    """A running game of a cup, and its board."""
    game = games_of(oxo, group, running=True)[0]
    await oxo.until(lambda: board_of(group, game))
    board = board_of(group, game)
    assert board is not None
    return game, board


async def test_no_move_of_a_cup_is_taken_back(oxo: World) -> None:
    people, group, _ = await started(oxo, 4)
    game, board = await first_of(oxo, group)
    x, _o = both_of(people, game)
    await x.tap(board, data=data_with(board, Move(0, 4)))
    await oxo.skip(2)
    assert "Undo" not in str(board.labels)
    assert "no undo in a cup" in await told(x, board, data=data_with(board, TakeBack(1)))


async def test_whoever_leaves_is_asked_and_then_loses_the_game_at_once(oxo: World) -> None:
    people, group, cup = await started(oxo, 4)
    game, _board = await first_of(oxo, group)
    x, o = both_of(people, game)
    before = max(group.messages)
    await x.tap(cup(), data="cup:1:leave")  # of a message before it started
    await group.wait_for(lambda each: each.id > before and "Leave the cup?" in each.text)
    asked = await x.ask("/cup leave", in_=group)
    assert "Leave the cup?" in plain(asked)
    assert "not your question" in await told(o, asked, "Leave the cup")
    assert not oxo.games()[game.id].is_over
    assert "You've left the cup" in await told(x, asked, "Leave the cup")
    await oxo.until(lambda: oxo.games()[game.id].is_over)
    over = oxo.games()[game.id]
    assert (over.termination, over.winner) == (Termination.RESIGNATION, Mark.O)
    await oxo.until(lambda: any(f"{o.first_name} · 1" in line for line in table(cup())))
    assert "You aren't in this cup" in plain(await x.ask("/cup leave", in_=group))


@pytest.mark.parametrize("how", ["blocks the bot", "deletes the account"])
async def test_whoever_closes_their_chat_in_a_cup_loses_on_time_and_the_cup_comes_to_its_end(
    oxo: World, how: str
) -> None:
    people, group, cup = await started(oxo, 3, opened=3)
    (game,) = games_of(oxo, group, running=True)
    gone, _o = both_of(people, game)
    if how == "blocks the bot":
        gone.block()
    else:
        gone.deactivate()
    await oxo.pass_by(8 * 60, step=20)
    over = oxo.games()[game.id]
    assert (over.termination, over.winner) == (Termination.TIMEOUT, Mark.O)
    for _ in range(6):
        await go_on(oxo, group, [person for person in people if person is not gone])
        await oxo.pass_by(7 * 60, step=20)
    await oxo.until(lambda: "wins the cup" in cup().text)
    assert not games_of(oxo, group, running=True)


async def test_longer_clocks_are_for_administrators(oxo: World) -> None:
    people, group = gathered(oxo, 3)
    assert "only admins" in plain(await people[1].ask("/cup 1d", in_=group))
    assert "Join" in str((await people[0].ask("/cup 1d", in_=group)).labels)


async def test_the_next_first_move_of_a_no_show_has_a_minute(oxo: World) -> None:
    people, group, _ = await started(oxo, 3)
    game, _board = await first_of(oxo, group)
    await oxo.pass_by(5 * 60 + 90, step=10)
    assert oxo.games()[game.id].termination is Termination.TIMEOUT
    late = game.x.seat
    for _ in range(4):
        (running,) = games_of(oxo, group, running=True)
        if running.x.seat == late:
            break
        if running.o.seat == late:
            other = both_of(people, running)[0]
            _, board = await first_of(oxo, group)
            await other.tap(board, data=data_with(board, Move(0, 4)))
            break
        await go_on(oxo, group, people)
        await oxo.skip(3)
    await oxo.pass_by(150, step=10)  # half of what a first move has else, as the clock waits for a late board
    assert oxo.games()[running.id].termination is Termination.TIMEOUT
    assert oxo.games()[running.id].winner is not oxo.games()[running.id].mark_of(late or 0)


async def test_nobody_has_two_clocks_and_a_cup_waits_for_whoever_plays_in_another(oxo: World) -> None:
    people, group, _ = await started(oxo, 3)
    game, _board = await first_of(oxo, group)
    other = oxo.playground.add_group("Another", list(people))
    cup = await announced(oxo, people, other)
    await told(people[0], cup(), "Start")
    await oxo.until(lambda: "Round 1 of 3" in cup().text)
    playing = {seat for each in oxo.games().values() if not each.is_over for seat in (each.x.seat, each.o.seat)}
    assert len(games_of(oxo, other, running=True)) == 0 or len(playing) == 4
    assert len(playing) == 2 * sum(not each.is_over for each in oxo.games().values()), "nobody plays two"
    x, _o = both_of(people, game)
    said = await x.say("/play")
    await x.private.wait_for(lambda each: "already playing" in each.text, after=said)
    await oxo.pass_by(4 * 60 + 50, step=10)
    await oxo.until(lambda: games_of(oxo, other, running=True), seconds=20)


async def test_a_cup_stays_in_its_topic_and_says_so(oxo: World) -> None:
    people = [oxo.playground.add_person(name, started=True) for name in ("Ann", "Bo", "Cem")]
    group = oxo.playground.add_group("Forum", people, kind="forum")
    here, there = group.add_topic("Games"), group.add_topic("Talk")
    said = await people[0].say("/cup", in_=group, topic=here)
    cup = await group.wait_for(lambda each: "Join" in str(each.labels), after=said)
    said = await people[1].say("/cup", in_=group, topic=there)
    assert "in another topic" in plain(await group.wait_for(after=said))
    assert "Join" in str(cup.labels)


async def test_a_cup_that_all_have_left_is_taken_over_and_another_says_what_is_open(oxo: World) -> None:
    people, group = gathered(oxo, 3)
    cup = await people[0].ask("/cup", in_=group)
    assert "There's a cup here already" in plain(await people[1].ask("/cup 5x5", in_=group))
    await told(people[0], cup, "Leave")
    again = await people[1].ask("/cup 5x5", in_=group)
    assert "5×5" in again.text
    assert "Join" in str(again.labels)
    assert "is over" in await told(people[0], cup, data="cup:1:join")


async def test_whoever_joins_an_anonymous_administrators_cup_first_does_not_hold_it(oxo: World) -> None:
    people, group = gathered(oxo, 4)
    said = await people[0].say("/cup", in_=group, anonymous=True)
    cup = await group.wait_for(after=said)
    for person in people[1:]:
        await told(person, cup, "Join")
    assert "Only the person who joined first" in await told(people[1], cup, "Start")


async def test_somebody_joins_a_running_cup_until_its_second_round(oxo: World) -> None:
    people, group = gathered(oxo, 5)
    cup = await announced(oxo, people[:4], group)
    await told(people[0], cup(), "Start")
    await oxo.until(lambda: "Round 1" in cup().text)
    assert await told(people[4], cup(), data="cup:1:join") == "You're in!"
    await oxo.until(lambda: "of 5" in cup().text and "Eve" in cup().text)
    game, _board = await first_of(oxo, group)
    loser, _o = both_of(people, game)
    await oxo.forgets(loser)
    assert "You can join the next one" in plain(await loser.ask("/cup join", in_=group)), "not as somebody new"


async def test_a_forged_button_holds_no_cup_where_there_is_no_group_and_none_by_what_another_group_plays(
    oxo: World,
) -> None:
    people, group = gathered(oxo, 3)
    await announced(oxo, people, group, "7x7 10m")
    mal = oxo.playground.add_person("Mal", started=True)
    hall = oxo.playground.add_group("The Crosses", [mal])
    own, offered = await mal.ask("/newgame"), mal.choose((await mal.inline(""))[0], in_=hall)
    for forged in ("cup:1:again", "newcup"):
        for message in (own, offered):
            assert "Cups are for groups" in await told(mal, message, data=forged)
    board = await mal.ask("/newgame easy", in_=hall)
    await mal.tap(board, data="cup:1:again")
    cup = await hall.wait_for(lambda each: "Join" in str(each.labels), after=board)
    assert plain(cup).startswith("🏆 Cup · 3×3 · ⏱ 2 minutes a move")
    assert oxo.value("SELECT count(*) FROM cups") == 2


async def test_forgetting_somebody_posts_no_old_table_again(oxo: World) -> None:
    people, group, _ = await started(oxo, 3)
    for _ in range(12):
        await go_on(oxo, group, people)
        await oxo.skip(2)
    shown = [each for each in group.messages.values() if "Cup" in each.text]
    for each in shown:
        group.delete(each)
    before = max(group.messages)
    await oxo.forgets(people[2])
    await oxo.skip(30)
    assert not [each for number, each in group.messages.items() if number > before and "Cup" in each.text]


async def test_a_planned_cup_calls_ten_minutes_before_and_starts_at_its_time(oxo: World) -> None:
    people, group = gathered(oxo, 3)
    assert "only admins" in plain(await people[1].ask("/cup 20:00", in_=group))
    at = int(time.time()) // 60 * 60 + 3600
    minute = time.strftime("%H:%M", time.gmtime(at))
    answer = plain(await people[0].ask(f"/cup {minute} weekly 5x5", in_=group))
    assert re.search(rf"every \w+, {minute} \(UTC\)", answer)
    before = max(group.messages)
    await oxo.skip(at - int(time.time()) - 620)
    assert not [each for number, each in group.messages.items() if number > before]
    await oxo.skip(40)
    cup = await group.wait_for(lambda each: "Join" in str(each.labels))
    assert "5×5" in cup.text
    for person in people:
        await told(person, cup, "Join")
    await oxo.skip(500)
    assert "Start" in str(cup.labels)
    await oxo.skip(150)
    await oxo.until(lambda: "Round 1 of 3" in cup_of(group)().text)
    for person in people:
        assert boards_in(person.private) == [] or game_on(boards_in(person.private)[0])
    with oxo.engine.connect() as connection:
        (again,) = connection.exec_driver_sql("SELECT at FROM cup_plans").scalars()
    assert again % 60 == 0


def planned_at(oxo: World, group: Group) -> int:
    """When the cup begins that a group has planned."""
    with oxo.engine.begin() as connection:
        planned = cups.plan(connection, group.id)
    assert planned is not None
    return planned.at


async def test_a_planned_cup_that_is_called_late_leaves_people_ten_minutes_to_join(oxo: World) -> None:
    people, group = gathered(oxo, 1)
    await people[0].ask("/cup friday 20:00", in_=group)
    late = planned_at(oxo, group) + 60  # the bot was down until then
    with oxo.engine.begin() as connection:
        steps.call(connection, chat_id=group.id, now=late)
        called = cups.newest(connection, group.id)
    assert called is not None
    assert called.cup.starts_at == late + 600


async def test_a_group_plans_by_its_own_clocks_and_what_it_has_planned_keeps_its_hour(oxo: World) -> None:
    people, group = gathered(oxo, 2)
    said = plain(await people[0].ask("/cup friday 20:00 weekly", in_=group))
    assert "every Friday, 20:00 (UTC)" in said
    assert said.endswith("To use another time zone: /settings timezone")
    by_utc = planned_at(oxo, group)
    assert "only admins" in plain(await people[1].ask("/settings timezone kolkata", in_=group))
    assert "don't know the word atlantis" in plain(await people[0].ask("/settings timezone atlantis", in_=group))
    assert plain(await people[0].ask("/settings time zone asia/kolkata", in_=group)) == "Time zone: Kolkata"
    assert (by_utc - planned_at(oxo, group)) % (7 * 86400) == 5.5 * 3600
    said = plain(await people[0].ask("/cup friday 20:00", in_=group))
    assert "Friday, 20:00 (Kolkata)" in said
    assert "/settings" not in said
    page = await people[0].ask("/settings timezone", in_=group)
    assert await told(people[0], page, "Berlin") == "Time zone: Berlin"
    for elsewhere in ("timezone", "timezone berlin"):
        assert f"don't know the word {elsewhere}.\n" in plain(await people[0].ask(f"/settings {elsewhere}"))


async def test_a_planned_cup_is_called_off_by_an_administrator(oxo: World) -> None:
    people, group = gathered(oxo, 3)
    await people[0].ask("/cup sunday 20:00", in_=group)
    assert "only admins" in plain(await people[1].ask("/cup cancel", in_=group))
    assert "planned cup has been called off" in plain(await people[0].ask("/cup cancel", in_=group))
    assert "no cup here" in plain(await people[0].ask("/cup cancel", in_=group))
    assert oxo.sql("SELECT * FROM cup_plans") == []


@pytest.mark.parametrize("is_banned", [False, True])
async def test_no_game_begins_for_somebody_who_was_removed_and_ten_minutes_later_they_are_out(
    oxo: World,
    is_banned: bool,  # noqa: FBT001 - a parameter
) -> None:
    people, group, cup = await started(oxo, 4)
    if is_banned:
        group.set_bot("administrator")
    game, _board = await first_of(oxo, group)
    x, o = both_of(people, game)
    others = [person for person in people if person not in (x, o)]
    group.remove(x, by=others[0])
    await oxo.until(lambda: oxo.games()[game.id].is_over)
    await oxo.skip(5)
    waits = not any(f"{o.first_name} · ½" in line for line in table(cup()))
    assert waits is not is_banned
    if waits:
        await oxo.pass_by(10 * 60, step=20)
    await oxo.until(lambda: any(f"{o.first_name} · ½" in line for line in table(cup())), seconds=5)
    assert all(each.mark_of(x.id) is None for each in games_of(oxo, group, running=True))
