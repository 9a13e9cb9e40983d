"""Cups in a group: from the announcement to the champion."""

from collections.abc import Sequence

import pytest

from bot.game.play import Move
from bot.game.questions import ConfirmResign, Resign
from engine import Mark
from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from storage.games.game import Game, GameKind, Limits, Termination
from tests.carried import data_with
from tests.faults.crowd import game_on
from tests.people import is_board, plain, told
from tests.world import World

NAMES = ("Ann", "Bo", "Cem", "Dee", "Eve", "Flo")
MOVES = (4, 0, 8, 1)
"""With so many a game is rated that somebody resigns."""


def gathered(oxo: World, count: int) -> tuple[Sequence[Person], Group]:
    people = [oxo.playground.add_person(name, started=True) for name in NAMES[:count]]
    return people, oxo.playground.add_group("The Cup", people)


async def announced(oxo: World, people: Sequence[Person], group: Group, words: str = "") -> Message:
    """A cup that all of them have joined; its message."""
    cup = await people[0].ask(f"/cup {words}".strip(), in_=group)
    for person in people[1:]:
        assert await told(person, cup, "Join") == "You're in!"
    await oxo.until(lambda: all(person.first_name in cup.text for person in people))
    return cup


def games_of(oxo: World, group: Group, *, running: bool) -> list[Game]:
    games = [record.game for record in oxo.records().values() if record.game.chat_id == group.id]
    return [game for game in games if game.is_over is not running]


def board_of(group: Group, game: Game) -> Message | None:
    shown = [each for each in group.messages.values() if is_board(each) and game_on(each) == game.id]
    return shown[-1] if shown else None


async def go_on(oxo: World, group: Group, people: Sequence[Person], absent: Person | None = None) -> None:
    """End all games that run: after two moves of each the later of two in the list resigns, if both have come."""
    for game in games_of(oxo, group, running=True):
        board = board_of(group, game)
        if board is None:
            continue
        one, other = (person for person in people if game.mark_of(person.id) is not None)
        for ply, cell in enumerate(MOVES):
            mover = one if game.mark_of(one.id) is (Mark.O if ply % 2 else Mark.X) else other
            if mover is absent:
                break
            await mover.tap(board, data=data_with(board, Move(ply, cell)))
        else:
            for action in (Resign(len(MOVES)), ConfirmResign()):
                await other.tap(board, data=data_with(board, action))


def table(cup: Message) -> list[str]:
    return [line for line in plain(cup).splitlines() if " · " in line and line[0].isdigit()]


async def test_five_people_play_a_whole_cup_though_the_bot_is_killed_in_the_middle(oxo: World) -> None:
    people, group = gathered(oxo, 5)
    cup = await announced(oxo, people, group, "2m")
    assert "Join" in cup.labels[0]
    assert "Only the person who joined first" in await told(people[1], cup, "Start")
    assert await told(people[0], cup, "Start") == "The cup has started!"
    await oxo.until(lambda: "Round 1 of 5" in cup.text)
    begun = games_of(oxo, group, running=True)
    assert len(begun) == 2, "nobody plays two games at a time"
    assert {(game.kind, game.time_limits, game.clock) for game in begun} == {(GameKind.PAIR, Limits.CUP, 120)}
    for number in range(40):
        await go_on(oxo, group, people)
        if number in (1, 3):
            oxo.kill()
            await oxo.serve()
        await oxo.skip(2)
        if "wins the cup" in cup.text:
            break
    await oxo.until(lambda: "Ann wins the cup!" in plain(cup))
    assert table(cup) == ["1. Ann · 4", "2. Bo · 3", "3. Cem · 2", "4. Dee · 1", "5. Eve · 0"]
    over = games_of(oxo, group, running=False)
    assert len({frozenset((game.x_seat, game.o_seat)) for game in over}) == len(over) == 10
    for person in people:
        assert sum(game.x_seat == person.id for game in over) == 2, "two games with X, and two with O"
    said = [plain(each) for each in group.messages.values() if plain(each).startswith("🏆 Ann wins the cup!")]
    assert len(said) == 1, "it is announced once"
    top = await people[1].ask("/top", in_=group)
    assert "🏆 Ann" in plain(top)
    assert "🏆 Bo" not in plain(top)
    assert "over" in await told(people[1], cup, data="cup:1:join")


async def test_somebody_who_never_comes_to_a_cup_of_six_leaves_it_after_two_games(oxo: World) -> None:
    people, group = gathered(oxo, 6)
    cup = await announced(oxo, people, group)
    await people[0].ask("/cup start", in_=group)
    await oxo.until(lambda: "Round 1 of 4" in cup.text)
    absent = people[-1]
    for _ in range(60):
        await go_on(oxo, group, people, absent)
        await oxo.skip(30)
        if "wins the cup" in cup.text:
            break
    over = games_of(oxo, group, running=False)
    assert sum(game.mark_of(absent.id) is not None for game in over) == 2
    assert table(cup)[-1].startswith("6. Flo"), "whoever has left comes last"
    assert "Flo wins" not in plain(cup)
    assert len({frozenset((game.x_seat, game.o_seat)) for game in over}) == len(over), (
        "nobody meets somebody again"
    )


@pytest.mark.parametrize("words", ["/cup join", "/cup leave", "/cup start"])
async def test_without_a_cup_there_is_nothing_to_join_leave_or_start(oxo: World, words: str) -> None:
    people, group = gathered(oxo, 2)
    assert "no cup here" in plain(await people[0].ask(words, in_=group))
    assert "for groups" in plain(await people[0].ask(words))


async def test_somebody_who_is_forgotten_leaves_the_cup_without_their_name(oxo: World) -> None:
    people, group = gathered(oxo, 4)
    cup = await announced(oxo, people, group)
    await told(people[0], cup, "Start")
    await people[3].ask("/forget")
    await people[3].ask("/forget yes")
    await oxo.until(lambda: "Somebody who left" in cup.text)
    for _ in range(20):
        await go_on(oxo, group, people[:3])
        await oxo.skip(2)
        if "wins the cup" in cup.text:
            break
    await oxo.until(lambda: "Ann wins the cup!" in plain(cup))
    assert table(cup) == ["1. Ann · 3", "2. Bo · 2", "3. Cem · 1", "4. Somebody who left · 0"]
    assert not [each for each in group.messages.values() if each.from_bot and "Dee" in each.text]


async def test_a_cup_starts_by_itself_ten_minutes_after_four_have_joined_and_is_brought_down_by_its_command(
    oxo: World,
) -> None:
    people, group = gathered(oxo, 5)
    cup = await announced(oxo, people[:3], group, "5x5")
    await oxo.skip(minutes=11)
    assert "Start" in str(cup.labels), "three don't start by themselves"
    assert "You've left the cup." in plain(await people[2].ask("/cup leave", in_=group))
    assert "You're in!" in await told(people[3], cup, "Join")
    assert "in already" in await told(people[3], cup, "Join")
    again = await people[1].ask("/cup", in_=group)
    assert "You're in!" in plain(await people[4].ask("/cup join", in_=group))
    await oxo.until(lambda: "Round 1 of 3" in again.text)
    assert "5×5" in again.text
    assert "has started" in await told(people[2], cup, "Join")


async def test_words_that_a_cup_does_not_know_are_told(oxo: World) -> None:
    people, group = gathered(oxo, 2)
    answer = plain(await people[0].ask("/cup bo3 5x5", in_=group))
    assert "join" in answer
    assert "2m" in answer


@pytest.mark.parametrize("settings", [{"CALLS_PER_SECOND": "25", "EDITS_PER_MINUTE": "18"}])
async def test_within_telegrams_pace_the_table_is_edited_while_people_play_and_nobody_is_late(oxo: World) -> None:
    people, group = gathered(oxo, 6)
    cup = await announced(oxo, people, group)
    await told(people[0], cup, "Start")
    tables = set()
    while "wins the cup" not in cup.text:
        await oxo.skip(3)
        tables.add(tuple(table(cup)))
        await go_on(oxo, group, people)
    ends = [game.termination for game in games_of(oxo, group, running=False)]
    assert ends == [Termination.RESIGNATION] * 12
    assert len(tables) > 4, "an older state that waits gives its place to the newer one"


async def test_a_group_that_becomes_a_supergroup_keeps_its_cup(oxo: World) -> None:
    people, group = gathered(oxo, 3)
    cup = await announced(oxo, people, group)
    await told(people[0], cup, "Start")
    await oxo.until(lambda: "▶" in cup.text)
    new = group.migrate()
    for _ in range(20):
        await oxo.skip(3)
        await go_on(oxo, new, people)
    ends = [plain(each) for each in new.messages.values() if plain(each).startswith("🏆 Cup")]
    assert len(ends) == 1, "its message is sent again there, once"
    assert "Ann wins the cup!" in ends[0]
