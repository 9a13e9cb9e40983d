"""Cups in a group: from the announcement to the champion."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, Literal, TypeAlias

import pytest

from bot.game.actions import Action
from bot.game.play import Move
from bot.game.questions import ConfirmResign, Resign
from engine import Mark
from playground.chats import Chat, Message
from playground.groups import Group
from playground.people import Person
from storage.games.game import Game, GameKind, Limits, Termination
from storage.people import cups
from storage.people.person import CupResult
from tests.carried import data_with, game_on
from tests.people import boards_in, plain, played, ply_of, put, told
from tests.world import World

NAMES = ("Ann", "Bo", "Cem", "Dee", "Eve", "Flo", *(f"Guest{number}" for number in range(10)))
MOVES = (4, 0, 8, 1)
"""With so many a game is rated that somebody resigns."""


def gathered(oxo: World, count: int) -> tuple[Sequence[Person], Group]:
    people = [oxo.playground.add_person(name, started=True) for name in NAMES[:count]]
    return people, oxo.playground.add_group("The Cup", people)


Cup: TypeAlias = Callable[[], Message]
"""The message of a group's cup: the newest, as it comes down."""


def cup_of(group: Group) -> Cup:
    return lambda: stadiums(group)[-1]


OF_A_GAME: Final = re.compile("🏆 (<b>)?Round [0-9]+ ·")
"""How a board of a cup begins, also once it is folded."""


def stadiums(group: Group) -> list[Message]:
    """The messages of cups that are there, oldest first."""
    own = [each for each in group.messages.values() if each.from_bot and not each.deleted]
    said = [each for each in own if each.text.startswith(("🏆", "This cup was", "Too few"))]
    return [each for each in said if not OF_A_GAME.match(each.text)]


async def announced(oxo: World, people: Sequence[Person], group: Group, words: str = "") -> Cup:
    """A cup that all of them have joined."""
    cup = cup_of(group)
    await people[0].ask(f"/cup {words}".strip(), in_=group)
    for person in people[1:]:
        assert await told(person, cup(), "Join") == "You're in!"
    await oxo.until(lambda: all(person.first_name in cup().text for person in people))
    return cup


async def started(oxo: World, count: int, *, opened: int = 0) -> tuple[Sequence[Person], Group, Cup]:
    """So many people, some with an open private chat, and their group, whose cup has just started."""
    people, group = gathered(oxo, count)
    for person in people[:opened]:
        await person.ask("/newgame")
    cup = await announced(oxo, people, group)
    await told(people[0], cup(), "Start")
    await oxo.until(lambda: "Round 1" in cup().text)
    return people, group, cup


def aloud(oxo: World, group: Group) -> list[bool]:
    """Whether each message of a cup that was sent to a group had a sound."""
    sent = [each.parameters for each in oxo.sent(group) if str(each.parameters["text"]).startswith("🏆")]
    return [not each.get("disable_notification") for each in sent if not OF_A_GAME.match(str(each["text"]))]


def games_of(oxo: World, group: Group, *, running: bool) -> list[Game]:
    games = oxo.games().values()
    return [game for game in games if game.chat_id == group.id and game.is_over is not running]


def board_of(group: Chat, game: Game) -> Message | None:
    shown = [each for each in boards_in(group) if game_on(each) == game.id]
    return shown[-1] if shown else None


async def go_on(oxo: World, group: Group, people: Sequence[Person]) -> None:
    """End all games that run: after two moves of each the later of two in the list resigns."""
    for game in games_of(oxo, group, running=True):
        await end(group, game, people)


async def end(group: Group, game: Game, people: Sequence[Person]) -> None:
    """End a game, if both who play it are there and see it."""
    both = [person for person in people if game.mark_of(person.id) is not None]
    boards = {person: board_of(person.private, game) or board_of(group, game) for person in both}
    if len(both) < 2 or None in boards.values():
        return
    one, other = both
    for ply, cell in enumerate(MOVES):
        mover = one if game.mark_of(one.id) is (Mark.O if ply % 2 else Mark.X) else other
        await acts(mover, boards[mover], Move(ply, cell))
    for action in (Resign(len(MOVES)), ConfirmResign()):
        await acts(other, boards[other], action)


async def acts(person: Person, board: Message | None, action: Action) -> None:
    assert board is not None
    await person.tap(board, data=data_with(board, action))


async def played_out(oxo: World, group: Group, cup: Cup, people: Sequence[Person], *, seconds: float = 2) -> None:
    """Let all play on until somebody has won, and so many seconds pass between two rounds."""
    for _ in range(60):
        await go_on(oxo, group, people)
        await oxo.skip(seconds)
        if "wins the cup" in cup().text or champions(group):
            return
    raise AssertionError("the cup has no end")


def table(cup: Message) -> list[str]:
    """Its lines with place, name and points, as it goes on or at its end."""
    lines = plain(cup).splitlines()
    if "wins" not in lines[0]:
        lines = lines[1].replace("\u00a0", " ").split("  ") if "\u00a0" in lines[1] else []
        lines = [" · ".join(line.rsplit(" ", 1)) for line in lines]
    entries = [re.fullmatch(r"(?:[🥇🥈🥉] |[0-9]+\. )?(.+ · [0-9½]+)", line) for line in lines]
    return [f"{place}. {entry[1]}" for place, entry in enumerate(filter(None, entries), 1)]


async def test_five_people_play_a_whole_cup_though_the_bot_is_killed_in_the_middle(oxo: World) -> None:
    people, group = gathered(oxo, 5)
    cup = await announced(oxo, people, group, "2m")
    assert "Join" in cup().labels[0]
    assert "Only the person who joined first" in await told(people[1], cup(), "Start")
    assert await told(people[0], cup(), "Start") == "The cup has started!"
    await oxo.until(lambda: "Round 1 of 5" in cup().text)
    begun = games_of(oxo, group, running=True)
    assert len(begun) == 2, "nobody plays two games at a time"
    assert {(game.kind, game.time_limits, game.clock) for game in begun} == {(GameKind.PAIR, Limits.CUP, 120)}
    for number in range(40):
        await go_on(oxo, group, people)
        if number in (1, 3):
            oxo.kill()
            await oxo.serve()
        await oxo.skip(2)
        if "wins the cup" in cup().text:
            break
    await oxo.until(lambda: "Ann wins the cup!" in plain(cup()))
    assert table(cup()) == ["1. Ann · 4", "2. Bo · 3", "3. Cem · 2", "4. Dee · 1", "5. Eve · 0"]
    over = games_of(oxo, group, running=False)
    assert len({frozenset((game.x.seat, game.o.seat)) for game in over}) == len(over) == 10
    for person in people:
        assert sum(game.x.seat == person.id for game in over) == 2, "two games with X, and two with O"
    assert champions(group) == ["🏆 Ann wins the cup!"], "it is announced once"
    top = await people[1].ask("/top", in_=group)
    assert "🏆 Ann" in plain(top)
    assert "🏆 Bo" not in plain(top)
    assert "over" in await told(people[1], cup(), data="cup:1:join")


async def test_what_cannot_be_done_with_a_cup_is_answered_with_the_reason(oxo: World) -> None:
    people, group = gathered(oxo, 2)
    for words in ("/cup join", "/cup leave", "/cup start"):
        assert "no cup here" in plain(await people[0].ask(words, in_=group))
        assert "for groups" in plain(await people[0].ask(words))
    answer = plain(await people[0].ask("/cup bo3 5x5", in_=group))
    assert answer.startswith("I don't know the word bo3. Clock: 30s, 2m, 10m, 1d. Boards: 3x3,")
    assert answer.endswith("Or: join, leave, start, cancel.")


async def test_somebody_who_is_forgotten_leaves_the_cup_without_their_name(oxo: World) -> None:
    people, group, cup = await started(oxo, 4)
    await oxo.forgets(people[3])
    await oxo.until(lambda: "Somebody who left" in cup().text)
    await played_out(oxo, group, cup, people[:3])
    assert "Ann wins the cup!" in plain(cup())
    assert table(cup()) == ["1. Ann · 3", "2. Bo · 2", "3. Cem · 1", "4. Somebody who left · 0"]
    assert not [each for each in group.messages.values() if each.from_bot and "Dee" in each.text]


async def test_a_cup_starts_by_itself_ten_minutes_after_the_newest_join_and_is_brought_down_by_its_command(
    oxo: World,
) -> None:
    people, group = gathered(oxo, 5)
    cup = await announced(oxo, people[:3], group, "5x5")
    assert plain(cup()).splitlines()[1:] == [
        "Who's in? Ann, Bo, Cem",
        "Starts when Ann says so, or by itself once one more person joins.",
    ]
    await oxo.skip(minutes=11)
    assert "Start" in str(cup().labels), "three don't start by themselves"
    assert "You've left the cup." in plain(await people[2].ask("/cup leave", in_=group))
    await oxo.until(lambda: "1 more person needed." in cup().text)
    assert "You're in!" in await told(people[3], cup(), "Join")
    assert "in already" in await told(people[3], cup(), "Join")
    assert plain(await people[1].ask("/cup", in_=group)) == "The cup is just above."
    above = cup()
    for _ in range(3):
        await people[0].say("chatter", in_=group)
    await people[1].ask("/cup", in_=group)
    await oxo.until(lambda: above.deleted)
    assert len(stadiums(group)) == 1
    assert aloud(oxo, group) == [True, False], "it comes down for whoever asked"
    assert "You're in!" in plain(await people[4].ask("/cup join", in_=group))
    await oxo.until(lambda: "UTC, or when Ann says so." in plain(cup()))
    above = cup()
    await oxo.skip(minutes=7)
    assert "Start" in str(cup().labels), "whoever is awake in that moment plays no cup of their own"
    await oxo.skip(minutes=1, seconds=30)
    await oxo.until(lambda: above.deleted)
    assert "Join" in str(cup().labels)
    assert aloud(oxo, group) == [True, False, True], "it rings before it starts"
    await oxo.skip(minutes=2)
    await oxo.until(lambda: "Round 1 of 3" in cup().text)
    assert "5×5" in cup().text
    assert "You're in!" in await told(people[2], cup(), data="cup:1:join"), "until the second round begins"


async def test_a_cup_whose_start_nobody_could_have_heard_is_announced_again_with_ten_minutes(oxo: World) -> None:
    people, group = gathered(oxo, 4)
    cup = await announced(oxo, people, group)
    before = cup()
    oxo.kill()
    await oxo.skip(hours=6)
    await oxo.serve()
    await oxo.until(lambda: before.deleted)
    await oxo.skip(minutes=9)
    assert "Start" in str(cup().labels)
    await oxo.skip(minutes=2)
    await oxo.until(lambda: "Round 1" in cup().text)


@pytest.mark.parametrize("settings", [{"CALLS_PER_SECOND": "25", "EDITS_PER_MINUTE": "18"}])
async def test_within_telegrams_pace_the_table_is_edited_while_people_play_and_nobody_is_late(oxo: World) -> None:
    people, group, _ = await started(oxo, 6)
    for _turn in range(60):
        for game in games_of(oxo, group, running=True):
            await end(group, game, people)
            await oxo.skip(15)
        await oxo.skip(3)
        if oxo.sql("SELECT id FROM cups WHERE stage = 'over'"):  # somebody has won, or several share it
            break
    ends = [game.termination for game in games_of(oxo, group, running=False)]
    assert ends == [Termination.RESIGNATION] * 15
    assert len(edited(oxo, group)) >= 2, "it shows how they play"


def edited(oxo: World, group: Group) -> list[float]:
    """When the message of a cup was edited while it went on: once in five seconds at most, for all its games."""
    edits = oxo.playground.calls_of("editMessageText", chat=group)
    made = [call.time for call in edits if re.match("🏆 <b>Round [0-9]+ of", str(call.parameters["text"]))]
    assert min((after - before for before, after in pairwise(made)), default=5) >= 5, made
    return made


def champions(*groups: Group) -> list[str]:
    said = [plain(each) for group in groups for each in group.messages.values() if each.from_bot]
    return [each.splitlines()[0] for each in said if "wins the cup!" in each]


def points_of(oxo: World, group: Group) -> dict[int, float]:
    """The points of each number in a group's cup, from how its games ended."""
    gains = {CupResult.X: (1, 0), CupResult.O: (0, 1), CupResult.DRAW: (0.5, 0.5), CupResult.BYE: (0.5, 0)}
    with oxo.engine.connect() as connection:
        state = cups.newest(connection, group.id)
    assert state is not None
    points: dict[int, float] = defaultdict(float)
    for each in state.games:
        game = oxo.records()[each.game_id].game if each.game_id is not None else None
        assert each.result is not None
        assert game is None or game.left or each.result == (game.winner or CupResult.NOBODY).lower()
        gained = gains.get(each.result, (0, 0))
        if each.round <= state.cup.rounds:
            points[each.x] += gained[0]
            points[-1 if each.o is None else each.o] += gained[1]
    return points


async def test_a_cup_of_sixteen_comes_to_one_end_whatever_happens_meanwhile(oxo: World) -> None:
    """The bot is killed, Telegram refuses calls, somebody leaves, and the group becomes a supergroup."""
    people, group, _ = await started(oxo, 16)
    here, gone, faults = group, people[2], oxo.playground.faults
    for turn in range(60):
        await go_on(oxo, here, people)
        if turn in (0, 2, 3, 6):
            oxo.kill()  # with games that are over and not noted, and boards that are not shown
            await oxo.serve()
        if turn == 1:
            here.remove(gone)
            people = [person for person in people if person is not gone]
        if turn == 2:
            refusing = faults.add(kind="429", chat=here.id, retry_after=20)
            await oxo.skip(30)
            faults.remove(refusing)
        if turn == 4:
            here = group.migrate()
            oxo.kill()
            await oxo.serve()
        await oxo.skip(20)
        if champions(group, here):
            break
    await oxo.skip(minutes=3)
    assert champions(group, here) == ["🏆 Ann wins the cup!"]
    assert not games_of(oxo, here, running=True)
    (shown,) = stadiums(here)
    lines, points = table(shown), points_of(oxo, here)
    numbers = {name: number for number, name in enumerate(NAMES)}
    assert len(lines) == 16
    for place, line in enumerate(lines, 1):
        name, figure = line.removeprefix(f"{place}. ").split(" · ")
        assert float(figure.replace("½", ".5")) == points[numbers[name]]
    assert lines[-1].startswith(f"16. {gone.first_name}"), "whoever has left comes last"
    met = Counter(frozenset((game.x.seat, game.o.seat)) for game in games_of(oxo, here, running=False))
    assert set(met.values()) == {1}, "nobody meets somebody again"
    assert oxo.sql("SELECT id FROM outbox") == []


async def test_whoever_leaves_the_group_leaves_its_cup_but_not_one_that_is_over(oxo: World) -> None:
    people, group = gathered(oxo, 5)
    host, *people = people
    group.statuses[host.id] = "member"
    cup = await announced(oxo, [host, *people[:3]], group)
    group.remove(host)
    await oxo.until(lambda: "once one more person joins" in cup().text)
    await oxo.skip(minutes=11)
    assert "Start" in str(cup().labels), "three don't start by themselves"
    assert await told(people[0], cup(), "Start") == "The cup has started!", "who has joined next holds it"
    await oxo.until(lambda: "Round 1 of 3" in cup().text)
    (running,) = games_of(oxo, group, running=True)
    free = next(person for person in people[:3] if running.mark_of(person.id) is None)
    group.remove(free)
    await oxo.until(lambda: any(line.startswith(f"3. {free.first_name}") for line in table(cup())))
    group.add(free)
    assert "You've left the cup" in plain(await free.ask("/cup join", in_=group))
    await go_on(oxo, group, people)
    await oxo.until(lambda: champions(group))
    before = table(cup())
    group.remove(people[0])
    await oxo.skip(10)
    assert table(cup()) == before


@pytest.mark.parametrize("thrown_out", [False, True])
async def test_whoever_leaves_the_group_plays_their_game_in_its_cup_nowhere_else_and_may_be_back_if_removed(
    oxo: World, *, thrown_out: bool
) -> None:
    """Somebody who was removed has lost nothing: or an administrator would win a cup by removing people."""
    people, group, cup = await started(oxo, 3)
    (first,) = games_of(oxo, group, running=True)
    x, o = (next(person for person in people if person.id == seat) for seat in (first.x.seat, first.o.seat))
    await oxo.until(lambda: board_of(group, first))
    board = board_of(group, first)
    assert board is not None
    await played(x, o, board, MOVES)
    own = await o.ask("/cup")
    owner = next(person for person in people if person not in (x, o))
    group.remove(o, by=owner if thrown_out else None)
    await oxo.until(lambda: first.id not in {game.id for game in games_of(oxo, group, running=True)})
    over = oxo.records()[first.id].game
    assert over.termination is (Termination.EXPIRED if thrown_out else Termination.RESIGNATION)
    assert over.winner is (None if thrown_out else Mark.X)
    assert (over.x.rated is None) is thrown_out
    for action in (Move(len(MOVES), 2), Resign(len(MOVES))):
        assert "over" in await told(o, own, data=data_with(own, action))
    if not thrown_out:
        await oxo.until(lambda: any(f"{x.first_name} · 1" in line for line in table(cup())))
        group.add(o)
        assert "You've left the cup" in plain(await o.ask("/cup join", in_=group))
        assert table(cup())[-1].startswith(f"3. {o.first_name} · 0")
        return
    await oxo.pass_by(60, step=10)
    assert {game.id for game in games_of(oxo, group, running=True)} == set(), "it waits for who was removed"
    group.add(o)
    await oxo.until(lambda: games_of(oxo, group, running=True))
    (again,) = games_of(oxo, group, running=True)
    assert (again.x.seat, again.o.seat, again.ply) == (x.id, o.id, 0), "it is played again"


async def test_an_anonymous_administrator_holds_and_starts_a_cup_for_others_and_channels_do_not(
    oxo: World,
) -> None:
    people, group = gathered(oxo, 4)
    said = await people[0].say("/cup@oxo_playground_bot", in_=group, anonymous=True)
    await group.wait_for(after=said)
    cup = cup_of(group)
    assert "Who's in?\n3 more people needed. Starts when an admin says so." in plain(cup())
    said = await people[0].say("/cup@oxo_playground_bot join", in_=group, anonymous=True)
    assert "can't tell who you are" in plain(await group.wait_for(after=said))
    for person in people[1:]:
        assert await told(person, cup(), "Join") == "You're in!"
    await people[1].say("/cup@oxo_playground_bot leave", in_=group, channel="News")
    said = await people[0].say("/cup@oxo_playground_bot start", in_=group, anonymous=True)
    await oxo.until(lambda: "Round 1 of 3" in cup().text)
    assert oxo.sql("SELECT id FROM people WHERE id < 0") == []


async def test_a_flood_of_commands_does_not_fill_the_group(oxo: World) -> None:
    people, group = gathered(oxo, 3)
    await announced(oxo, people, group)
    for person in [*people] * 10:
        await person.say("/cup", in_=group)
    await oxo.skip(minutes=5)
    (shown,) = stadiums(group)
    await told(people[0], shown, "Start")
    await oxo.until(lambda: "Round 1 of 3" in cup_of(group)().text)


async def test_whoever_joined_first_or_an_administrator_calls_a_cup_off_before_it_starts(oxo: World) -> None:
    people, group = gathered(oxo, 4)
    group.statuses[people[3].id] = "administrator"

    async def is_told(person: Person, words: str, answer: str) -> None:
        said = await person.say(words, in_=group)  # the cup's own message may come down before the answer
        await group.wait_for(lambda each: answer in plain(each), after=said)

    for host in (people[0], people[3]):
        cup = await announced(oxo, people[:3], group)
        await is_told(people[1], "/cup cancel", "Only the person who joined first")
        await is_told(host, "/cup cancel", "called off")
        assert cup().text == "This cup was called off. Send /cup to start a new one."
        assert not cup().keyboard
        await is_told(people[0], "/cup start", "no cup here")
    cup = await announced(oxo, people[1:], group)
    await told(people[1], cup(), "Start")
    await oxo.until(lambda: "Round 1" in cup().text)
    (game,) = games_of(oxo, group, running=True)
    await oxo.until(lambda: board_of(group, game))
    await is_told(people[1], "/cup cancel", "Only an admin")
    await is_told(people[3], "/cup cancel", "called off")
    (game,) = games_of(oxo, group, running=True)
    assert game.time_limits is Limits.USUAL, "its games go on as ordinary ones"
    await oxo.until(lambda: not cup().keyboard)
    assert cup().text == "This cup was called off. Send /cup to start a new one."


async def test_a_message_of_a_cup_that_somebody_deletes_is_sent_again_but_not_once_it_is_over(oxo: World) -> None:
    people, group = gathered(oxo, 3)
    cup = cup_of(group)
    await people[0].ask("/cup", in_=group)
    for again in ("/cup", "/cup join"):
        group.delete(cup())
        said = await people[1].ask(again, in_=group)
        await group.wait_for(lambda each: "Join" in str(each.labels), after=said)
    await told(people[2], cup(), "Join")
    await oxo.until(lambda: "Cem" in plain(cup()))
    await told(people[0], cup(), "Start")
    await oxo.until(lambda: "Round 1" in cup().text)
    await played_out(oxo, group, cup, people)
    group.delete(cup())
    await oxo.forgets(people[2])
    await oxo.skip(minutes=1)
    assert not stadiums(group), "nobody learns from an old table who has left"


async def test_whoever_opens_their_private_chat_plays_the_cup_there_and_the_title_is_defended(oxo: World) -> None:
    people, group = gathered(oxo, 3)
    cup = await announced(oxo, people, group, "10m")
    assert "champion" not in cup().text
    assert "Your games come here." in plain(await people[0].ask("/cup"))
    await told(people[0], cup(), "Start")
    await oxo.until(lambda: "Round 1" in cup().text)
    (first,) = games_of(oxo, group, running=True)
    x, o = (next(person for person in people if person.id == seat) for seat in (first.x.seat, first.o.seat))
    (idle,) = (person for person in people if person not in (x, o))
    link = str(cup().button("My game ↗")["url"]).partition("?start=")[2]
    said = plain(await idle.ask(f"/start {link}"))
    assert said == f"Your next game begins when {x.first_name} and {o.first_name} are done. It comes here."
    for person in (x, o):
        for words in (f"/start {link}", "/cup"):
            own = await person.ask(words)
        assert plain(own).startswith(f"🏆 Round 1 · {x.first_name} – {o.first_name}\n")
    await oxo.until(lambda: not boards_in(group))
    await put(x, boards_in(x.private)[-1], 4)
    await oxo.until(lambda: ply_of(boards_in(o.private)[-1]) == 1)
    await played_out(oxo, group, cup, people)
    assert not boards_in(group)
    assert "Ann wins the cup!" in plain(cup())
    for person in people:
        theirs = {game.id for game in games_of(oxo, group, running=False) if game.mark_of(person.id)}
        assert len([each for each in person.private.messages.values() if OF_A_GAME.match(each.text)]) >= len(
            theirs
        )
    await people[1].tap(cup(), "Next cup")
    await oxo.until(lambda: "Who's in? Bo" in plain(cup()))
    assert plain(cup()).splitlines()[:2] == ["🏆 Cup · 3×3 · ⏱ 10 minutes a move", "Defending champion: Ann"]
    group.remove(people[0])
    await told(people[1], cup(), "Leave")
    await oxo.until(lambda: "champion" not in cup().text)
    group.add(people[0])
    await told(people[1], cup(), "Join")
    await oxo.until(lambda: "Defending champion: Ann" in plain(cup()))
    await oxo.forgets(people[0])
    await oxo.until(lambda: "champion" not in cup().text)


@pytest.mark.parametrize("how", ["kicked", "restricted"])
async def test_a_cup_waits_while_the_bot_may_not_write(oxo: World, how: Literal["kicked", "restricted"]) -> None:
    people, group, cup = await started(oxo, 4)
    group.set_bot(how)
    for _ in range(30):
        await oxo.skip(60)
        await people[0].say("Where is it?", in_=group)
    assert not games_of(oxo, group, running=False), "nobody has missed any, seen or not"
    group.set_bot("member")
    await played_out(oxo, group, cup, people, seconds=10)
    assert len(champions(group)) == 1
    ends = [game.termination for game in games_of(oxo, group, running=False)]
    assert ends == [Termination.RESIGNATION] * 6


@pytest.mark.parametrize("how", ["kicked", "restricted"])
async def test_an_announced_cup_starts_while_the_bot_may_not_write_and_nobody_misses_a_game(
    oxo: World, how: Literal["kicked", "restricted"]
) -> None:
    people, group = gathered(oxo, 4)
    cup = await announced(oxo, people, group)
    group.set_bot(how)
    await oxo.pass_by(20 * 60, step=60)
    assert games_of(oxo, group, running=True)
    assert not games_of(oxo, group, running=False)
    group.set_bot("member")
    await oxo.until(lambda: len(boards_in(group)) == 2, seconds=2)
    await played_out(oxo, group, cup, people, seconds=10)


@pytest.mark.parametrize("how", ["kicked", "restricted"])
async def test_the_podium_of_a_cup_that_ends_while_the_bot_may_not_write_comes_once_it_may(
    oxo: World, how: Literal["kicked", "restricted"]
) -> None:
    people, group, _ = await started(oxo, 3, opened=3)
    group.set_bot(how)
    while not oxo.sql("SELECT id FROM cups WHERE stage = 'over'"):
        await go_on(oxo, group, people)
        await oxo.skip(2)
    await oxo.skip(minutes=2)
    group.set_bot("member")
    await oxo.until(lambda: champions(group))
    await oxo.skip(minutes=2)
    assert len(stadiums(group)) == 1, "the message of its first round has gone"
    assert oxo.sql("SELECT id FROM outbox") == []


async def test_a_cup_comes_to_its_end_in_slow_mode(oxo: World) -> None:
    people, group, cup = await started(oxo, 3)
    await go_on(oxo, group, people)
    group.slow_down(60)
    await played_out(oxo, group, cup, people, seconds=20)
    assert len(champions(group)) == 1


async def test_a_board_of_a_cup_that_is_deleted_comes_again_and_nobody_misses_its_game(oxo: World) -> None:
    _, group, _ = await started(oxo, 3)
    (game,) = games_of(oxo, group, running=True)
    await oxo.until(lambda: board_of(group, game))
    board = board_of(group, game)
    assert board is not None
    group.delete(board)
    await oxo.pass_by(5 * 60, step=10)
    assert board_of(group, game) is not None
    assert not oxo.games()[game.id].is_over
    await oxo.pass_by(5 * 60, step=10)
    assert oxo.games()[game.id].is_over, "five minutes after it came"


async def test_a_champion_without_a_rated_game_is_named_below_the_leaderboard_unless_they_hide(oxo: World) -> None:
    people, group, _ = await started(oxo, 3)
    for _ in range(6):
        for game in games_of(oxo, group, running=True):
            if (board := board_of(group, game)) is not None:
                x, o = (next(each for each in people if each.id == side.seat) for side in (game.x, game.o))
                await played(x, o, board, (0, 4))
                loser = next(person for person in reversed(people) if person in (x, o))
                for action in (Resign(2), ConfirmResign()):
                    await loser.tap(board, data=data_with(board, action))
        await oxo.skip(3)
    assert champions(group) == ["🏆 Ann wins the cup!"]
    for hidden in ("off", "on"):
        await people[0].ask(f"/settings hidden {hidden}")
        listed = plain(await people[1].ask("/top", in_=group))
        assert "Nobody's on this leaderboard yet." in listed
        assert ("🏆 Defending champion: Ann" in listed) is (hidden == "off")


async def test_a_cup_that_too_few_have_joined_says_so_after_a_day(oxo: World) -> None:
    people, group = gathered(oxo, 3)
    people[0].language = "tr"
    cup = await people[0].ask("/cup", in_=group)
    await oxo.skip(days=1)
    await oxo.until(lambda: not cup.labels)
    assert "Yeterince kişi katılmadı" in cup.text
    assert "is over" in await told(people[1], cup, data="cup:1:join")


@pytest.mark.parametrize("opened", [0, 4, 7])
async def test_a_cup_of_seven_leaves_its_podium_and_no_other_button_and_sounds_once_a_round(
    oxo: World, opened: int
) -> None:
    """However many of them have ever opened their private chat: the games of the others are in the group."""
    people, group, cup = await started(oxo, 7, opened=opened)
    assert "Round 1 of 4" in cup().text
    assert len(boards_in(group)) <= max(0, 7 - opened)
    await played_out(oxo, group, cup, people, seconds=8)
    await oxo.skip(minutes=2)
    left = [each for each in group.messages.values() if each.from_bot and not each.deleted]
    assert len(left) <= 6
    assert left[-1] is cup()
    assert "wins the cup" in left[-1].text
    assert [each.labels for each in left if each.labels] == [[["Next cup", "Send ↗"]]]
    assert [each for each in left[:-1] if not OF_A_GAME.match(each.text)] == [], "what else is there has folded"
    assert aloud(oxo, group) == [True] * 6, "its announcement, four rounds and the winner"
    edited(oxo, group)
    boards = [each for each in oxo.sent(group) if "🏆 Round 1 ·" in str(each.parameters["text"])]
    assert all(each.parameters.get("disable_notification") for each in boards)
