"""A bot is killed at each step of a request: before and after each transaction, search and call.

Every fourth step is tried, in turn on 3 by 3, 5 by 5 and ultimate; the long run kills at every step on
all of them.
Then another bot starts, Telegram redelivers what wasn't confirmed, and the sweep runs. Whatever the step was,
nothing is lost, nothing is done twice, and each place has one correct board. What takes a while to make (a
picture, an export, the confirmation to a forgotten person) comes, and twice only if nobody can tell whether it was
sent.
"""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Final, NamedTuple

import pytest

from bot.boards import buttons
from bot.boards.buttons import OnGame, game_id_of
from bot.boards.links import BEAT, signing_key, write
from bot.features.privacy import erasing
from bot.game.deadlines import NUDGE_SECONDS, THINKING_SECONDS
from bot.game.new_game import Cancel
from bot.game.play import Move
from engine import Mark
from playground import Playground
from playground.chats import Chat, Message
from playground.people import Person
from storage.games.game import Game, Limits, Termination, rules_of
from storage.people import chats, cups, people
from storage.people.person import Cup, CupPlayer
from storage.people.person import Person as Known
from tests.bots import LIMITS, Bot
from tests.faults.crowd import is_board
from tests.figures import Figures
from tests.flights import SEND
from tests.people import X_WINS, plain
from tests.soak import SOAK
from tests.world import WORDS, Room, World, world

FIRST: Final = {"": (4, 0), "5x5": (12, 0), "ultimate": (4, 36)}
"""The first plies of a game, by what is played."""
LINES: Final = {"": X_WINS, "5x5": (0, 20, 1, 21, 2, 22, 3)}
"""Games that X wins; ultimate takes too long for that."""


class Scene(Room):
    """A fresh group and two people, whose bot is about to be killed."""

    def __init__(self, rooms: World, bot: Bot, words: str) -> None:
        """`bot` handles what people do beforehand, and then the one that is killed; `words` are what is played."""
        super().__init__(rooms, bot)
        self.words = words
        self.ann, self.bo = (self.playground.add_person(name, started=True) for name in ("Ann", "Bo"))
        self.group = self.playground.add_group("Noughts", [self.ann, self.bo])
        self.kept: list[Message] = []
        self.came: dict[int, int] = {}
        """When people's waits began before the kill, by id."""

    async def pressed(self, person: Person, message: Message, label: str) -> None:
        person.press(message, str(message.button(label)["callback_data"]))
        await self.handled()

    async def handled(self) -> None:
        await self.house.given(self.bot)

    async def begun(self, cells: tuple[int, ...] = ()) -> Message:
        """Ann and Bo play in the group, Ann first; the result is their board."""
        board = await self.game_of_two(self.words)
        for ply, cell in enumerate(cells):
            self.play(self.bo if ply % 2 else self.ann, board, ply, cell)
            await self.handled()
        await self.house.quiet()
        self.kept.append(board)
        return board

    async def game_that_is_over(self) -> Message:
        if self.words in LINES:
            return await self.begun(LINES[self.words])
        board = await self.begun(self.plies)
        for label in ("Resign", "Yes, resign"):
            await self.pressed(self.bo, board, label)
            await self.house.quiet()
        return board

    def play(self, person: Person, board: Message, ply: int, cell: int) -> None:
        person.press(board, buttons.write(OnGame(self.games[-1].id, Move(ply, cell))))

    @property
    def plies(self) -> tuple[int, ...]:
        """The first plies of the games that are played here."""
        return FIRST[self.words]

    def played(self, game: Game) -> tuple[int, ...]:
        return tuple(rules_of(game.rules).read_moves(game.moves))

    def shown(self, chat: Chat) -> Iterator[tuple[Message, int]]:
        for message in chat.messages.values():
            found = (game_id_of(str(each.get("callback_data"))) for row in message.keyboard for each in row)
            if (game_id := next(filter(None, found), None)) is not None:
                yield message, game_id

    def judge_once(self, came: Sequence[Message]) -> None:
        """What takes a while to make has come, twice if nobody stored that it was sent, and nothing is left."""
        assert len(came) in (1, 2)
        assert not self.house.sql("SELECT id FROM outbox WHERE NOT said")

    @property
    def games(self) -> list[Game]:
        return [record.game for _, record in sorted(self.house.records().items())]


# The scenes: each is prepared, is played while the bot may be killed, and is judged.


async def a_new_game(scene: Scene) -> AsyncIterator[None]:
    """`/newgame` makes one game with one board."""
    yield
    await scene.ann.say(f"/newgame {scene.words} easy me", in_=scene.group)
    await scene.handled()
    yield
    (game,) = scene.games
    assert game.is_against_computer


async def a_button_that_begins_a_game(scene: Scene) -> AsyncIterator[None]:
    """*Play OXO* that is tapped twice begins one game, though its taps come again."""
    welcome = await scene.said(scene.ann, "hi", scene.ann.private)
    yield
    for _ in range(2):
        scene.ann.press(welcome, str(welcome.button("Play OXO")["callback_data"]))
    await scene.handled()
    yield
    (game,) = scene.games
    assert game.is_against_computer


async def a_tap(scene: Scene) -> AsyncIterator[None]:
    """A move is played exactly once, and shown."""
    await scene.begun(scene.plies[:1])
    yield
    scene.play(scene.bo, scene.kept[0], 1, scene.plies[1])
    await scene.handled()
    yield
    (game,) = scene.games
    assert scene.played(game) == scene.plies
    assert not scene.kept[0].deleted


async def the_computers_move(scene: Scene) -> AsyncIterator[None]:
    """A move that the computer answers after a search is played exactly once, and so is the answer."""
    await scene.said(scene.ann, f"/newgame {scene.words} easy me", scene.ann.private)
    scene.kept.append(scene.last(scene.ann.private))
    yield
    scene.play(scene.ann, scene.kept[0], 0, scene.plies[0])
    await scene.handled()
    yield
    (game,) = scene.games
    assert scene.played(game)[:1] == scene.plies[:1]
    assert game.ply == 2
    assert not scene.kept[0].deleted


async def an_acceptance(scene: Scene) -> AsyncIterator[None]:
    """A challenge is accepted exactly once."""
    await scene.said(scene.ann, f"/challenge {scene.words} me", scene.group)
    yield
    board = scene.last(scene.group)
    scene.bo.press(board, str(board.button("Accept")["callback_data"]))
    await scene.handled()
    yield
    (game,) = scene.games
    assert (game.x.seat, game.o.seat) == (scene.ann.id, scene.bo.id)


async def a_board_that_is_brought_down(scene: Scene) -> AsyncIterator[None]:
    """`/board` moves the board down, and the old one goes only once the new one is there."""
    await scene.begun(scene.plies)
    yield
    await scene.ann.say("/board", in_=scene.group)
    await scene.handled()
    yield
    (game,) = scene.games
    assert scene.played(game) == scene.plies
    assert scene.kept[0].deleted
    assert [message.id > scene.group.last_said for message, _ in scene.shown(scene.group)].count(True) >= 1


async def a_migration(scene: Scene) -> AsyncIterator[None]:
    """A game follows its group, and has one board there."""
    await scene.begun(scene.plies)
    await scene.game_that_is_over()
    yield
    scene.group.migrate()
    await scene.handled()
    yield
    assert scene.group.migrated_to is not None
    running, over = scene.games
    assert running.chat_id == over.chat_id == scene.group.migrated_to.id
    assert scene.played(running) == scene.plies
    assert over.is_over
    assert {game for _, game in scene.shown(scene.group.migrated_to)} == {running.id}


async def a_game_by_link(scene: Scene) -> AsyncIterator[None]:
    """The person who opens a link plays, and both have a board of their own."""
    await scene.said(scene.ann, f"/challenge {scene.words} me", scene.ann.private)
    invitation = scene.last(scene.ann.private)
    await scene.house.quiet()
    scene.kept.append(invitation)
    yield
    scene.bo.start(scene.kept[0].text.partition("?start=")[2].split()[0])
    await scene.handled()
    yield
    (game,) = scene.games
    assert (game.x.seat, game.o.seat) == (scene.ann.id, scene.bo.id)
    assert scene.kept[0].deleted
    for person in (scene.ann, scene.bo):
        assert any(is_board(message) for message, _ in scene.shown(person.private))


async def a_reminder(scene: Scene) -> AsyncIterator[None]:
    """The player to move is reminded, and the game isn't lost before that."""
    await scene.begun(scene.plies[:1])
    await scene.house.skip(LIMITS.reminder + 1)
    yield
    await scene.bot.look()
    yield
    (game,) = scene.games
    assert not game.is_over
    said = [message for message in scene.group.messages.values() if "⏰" in message.text and not message.deleted]
    assert said[-1] is max(scene.group.messages.values(), key=lambda message: message.id)


async def a_nudge(scene: Scene) -> AsyncIterator[None]:
    """A nudge is noted once, and the board that calls the opponent is the newest message."""
    await scene.begun(scene.plies[:1])
    await scene.house.skip(NUDGE_SECONDS)
    yield
    await scene.ann.say("/nudge", in_=scene.group)
    await scene.handled()
    yield
    (game,) = scene.games
    assert game.nudged_at is not None
    said = [message for message in scene.group.messages.values() if "👋" in message.text and not message.deleted]
    assert said


async def a_rematch(scene: Scene) -> AsyncIterator[None]:
    """A rematch that both want is exactly one new game, in a new message, and the old board stays."""
    board = await scene.game_that_is_over()
    await scene.pressed(scene.ann, board, "Rematch")
    await scene.house.quiet()
    yield
    (board,) = scene.kept
    scene.bo.press(board, str(board.button("Rematch ✓")["callback_data"]))
    await scene.handled()
    yield
    old, new = scene.games
    assert old.termination is (Termination.LINE if scene.words in LINES else Termination.RESIGNATION)
    assert old.next_game == new.id
    assert not new.is_over
    assert not scene.kept[0].deleted


async def a_meeting(scene: Scene) -> AsyncIterator[None]:
    """A person who comes while somebody waits plays them, and nobody waits any more."""
    await scene.said(scene.bo, f"/play {scene.words}".strip(), scene.bo.private)
    scene.kept.append(scene.last(scene.bo.private))
    yield
    await scene.ann.say(f"/play {scene.words}".strip(), in_=scene.ann.private)
    await scene.handled()
    yield
    (game,) = [game for game in scene.games if not game.is_over]
    assert {game.x.seat, game.o.seat} == {scene.ann.id, scene.bo.id}
    assert scene.kept[0].deleted
    for person in (scene.ann, scene.bo):
        assert game.id in [shown for _, shown in scene.shown(person.private)]


async def a_leaving(scene: Scene) -> AsyncIterator[None]:
    """A person who stops waiting leaves the queue, and sees it."""
    await scene.said(scene.bo, f"/play {scene.words}".strip(), scene.bo.private)
    scene.kept.append(scene.last(scene.bo.private))
    yield
    scene.bo.press(scene.kept[0], buttons.write(OnGame(scene.games[-1].id, Cancel())))
    await scene.handled()
    yield
    assert [game.termination for game in scene.house.waits()] == [Termination.CANCELLED]
    assert "You've stopped looking" in scene.kept[0].text


async def a_never_coming(scene: Scene) -> AsyncIterator[None]:
    """A person whose opponent doesn't come waits again, and keeps their place in the queue."""
    await scene.said(scene.bo, f"/play {scene.words}".strip(), scene.bo.private)
    scene.came = {game.x.seat or 0: game.created_at for game in scene.house.waits()}
    await scene.house.skip(100)
    await scene.said(scene.ann, f"/play {scene.words}".strip(), scene.ann.private)
    await scene.house.quiet()
    await scene.house.skip(140)
    await scene.bot.look()
    await scene.house.quiet()
    await scene.house.skip(60)
    yield
    assert len(scene.games) == 1
    await scene.bot.look()
    yield
    met, waiting = scene.games
    assert waiting.is_wait
    assert met.termination is Termination.EXPIRED
    assert waiting.x.seat == met.seat(met.turn.other)
    assert waiting.created_at == scene.came.get(waiting.x.seat or 0, met.created_at)
    absent = scene.ann if met.seat(met.turn) == scene.ann.id else scene.bo
    assert any("You didn't move for too long" in message.text for message in absent.private.messages.values())


async def a_picture(scene: Scene) -> AsyncIterator[None]:
    await scene.game_that_is_over()
    yield
    await scene.ann.say("/share picture", in_=scene.group)
    await scene.handled()
    yield
    came = [message for message in scene.group.messages.values() if message.photo is not None]
    scene.judge_once(came)


async def a_result_for_who_shared(scene: Scene) -> AsyncIterator[None]:
    """Whoever shared a game is told how another has played their side of it."""
    await scene.game_that_is_over()
    (over,) = scene.games
    key = signing_key(scene.playground.token)
    await scene.said(scene.bo, f"/start {write(over.id, 0, key, BEAT, over.ply - 1)}", scene.bo.private)
    await scene.house.quiet()
    (board,) = (message for message, _ in scene.shown(scene.bo.private))
    await scene.pressed(scene.bo, board, "Resign")
    await scene.house.quiet()
    yield
    await scene.pressed(scene.bo, board, "Yes, resign")
    await scene.bot.sweep()
    yield
    came = [each for each in scene.ann.private.messages.values() if "the game you shared" in each.text]
    scene.judge_once(came)


async def an_export(scene: Scene) -> AsyncIterator[None]:
    """A file with all that is kept about somebody."""
    await scene.game_that_is_over()
    yield
    await scene.ann.say("/export", in_=scene.ann.private)
    await scene.handled()
    yield
    came = [message for message in scene.ann.private.messages.values() if message.document is not None]
    scene.judge_once(came)


async def a_forgetting(scene: Scene) -> AsyncIterator[None]:
    """The confirmation that somebody is forgotten."""
    await scene.game_that_is_over()
    await scene.said(scene.ann, "/forget", scene.ann.private)
    yield
    await scene.ann.say("/forget yes", in_=scene.ann.private)
    await scene.handled()
    yield
    said = scene.ann.private.messages.values()
    came = [message for message in said if "your data is deleted" in message.text]
    scene.judge_once(came)


async def make(bot: Bot) -> None:
    """Make what was asked for; time is skipped only while nothing is made, as making it has a limit."""
    await bot.sweep()
    while (bot.tasks or len(bot.timers)) and not bot.dead:
        await bot.world.still()
        bot.world.clock.skip(0.02)


async def forget(bot: Bot) -> None:
    """Forget those who asked for it, part by part, and tell them."""

    async def all_parts() -> None:
        while await erasing.go_on(bot.services):
            pass

    await bot.do(all_parts())
    await make(bot)


async def a_cup(scene: Scene) -> AsyncIterator[None]:
    """Once a game of a cup is over, it is noted once and one next game begins, and the message says so."""
    cem = scene.playground.add_person("Cem", started=True)
    scene.group.add(cem)
    cup = await scene.said(scene.ann, f"/cup {scene.words}", scene.group)
    await scene.house.quiet()
    for person in (scene.bo, cem):
        await scene.pressed(person, cup, "Join")
    await scene.pressed(scene.ann, cup, "Start")
    await scene.house.quiet()
    (game,) = scene.games
    ((board, _),) = scene.shown(scene.group)
    people = {person.id: person for person in (scene.ann, scene.bo, cem)}
    loser = people[game.o.seat or 0]
    await scene.pressed(loser, board, "Resign")
    await scene.house.quiet()
    yield
    await scene.pressed(loser, board, "Yes, resign")
    await scene.bot.look()
    yield
    first, second = scene.games
    assert first.is_over
    assert not second.is_over
    assert {first.x.seat, first.o.seat} != {second.x.seat, second.o.seat}
    rows = scene.house.sql("SELECT round, game_id, result FROM cup_games ORDER BY number")
    noted: list[tuple[object, ...]] = [tuple(row) for row in rows]
    assert noted == [(1, first.id, "x"), (2, second.id, None), (3, None, None)]
    shown = [plain(each) for each in scene.group.messages.values() if each.from_bot and not each.deleted]
    (table,) = {each for each in shown if each.startswith("🏆 Round 2 of 3")}
    assert f"🥇 {people[first.x.seat or 0].first_name} 1" in table.replace("\u00a0", " ")
    former = ("🏆 Round 1 of 3", "🏆 Cup")
    assert not [each for each in shown if each.startswith(former)]
    assert not scene.house.sql("SELECT id FROM outbox")


async def running_cup(scene: Scene) -> Game:
    """A cup of three in its first round, which all have joined without a word; the game that is played."""
    cem = scene.playground.add_person("Cem", started=True)
    scene.group.add(cem)
    now = int(time.time())
    with scene.house.engine.begin() as connection:
        chats.load_or_add(connection, scene.group.id)
        for each in (scene.ann, scene.bo, cem):
            people.see(connection, Known(each.id, each.first_name))
        opened = Cup(0, scene.group.id, None, "en", "3x3x3", 120, created_at=now, due_at=now, starts_at=now)
        state = cups.add(connection, opened)
        joined = (
            CupPlayer(state.cup.id, number, each.id) for number, each in enumerate((scene.ann, scene.bo, cem))
        )
        cups.save(connection, state._replace(players=tuple(joined)))
    await scene.handled()
    await scene.bot.look()
    await scene.house.quiet()
    return scene.games[-1]


def who(scene: Scene, seat: int | None) -> Person:
    return next(person for person in scene.playground.people.values() if person.id == seat)


def cup_rows(scene: Scene, columns: str, table: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in scene.house.sql(f"SELECT {columns} FROM {table} ORDER BY 1, 2")]  # noqa: S608 - our own


async def a_cups_start(scene: Scene) -> AsyncIterator[None]:
    """A cup starts once, with one game."""
    cem = scene.playground.add_person("Cem", started=True)
    scene.group.add(cem)
    cup = await scene.said(scene.ann, "/cup", scene.group)
    await scene.house.quiet()
    for person in (scene.bo, cem):
        await scene.pressed(person, cup, "Join")
    await scene.house.quiet()
    yield
    await scene.pressed(scene.ann, cup, "Start")
    await scene.bot.look()
    yield
    (game,) = scene.games
    assert cup_rows(scene, "number, game_id", "cup_games") == [(0, game.id), (1, None), (2, None)]
    assert cup_rows(scene, "stage, rounds", "cups") == [("running", 3)]


async def a_cup_that_is_left(scene: Scene) -> AsyncIterator[None]:
    """Whoever leaves a cup loses their game in it once, and the others play on."""
    game = await running_cup(scene)
    (number,) = scene.house.sql(f"SELECT number FROM cup_players WHERE person = {game.x.seat}")  # noqa: S608 - our own
    leaver = who(scene, game.x.seat)
    asked = await scene.said(leaver, "/cup leave", scene.group)
    yield
    await scene.pressed(leaver, asked, "Leave the cup")
    await scene.bot.look()
    yield
    first, second = scene.games
    assert (first.id, first.termination, first.winner) == (game.id, Termination.RESIGNATION, Mark.O)
    assert not second.is_over
    assert cup_rows(scene, "number, is_out", "cup_players").count((number[0], True)) == 1
    assert [row[1] for row in cup_rows(scene, "number, result", "cup_games")].count(None) == 1


async def a_cup_that_is_called_off(scene: Scene) -> AsyncIterator[None]:
    """A cup that has started is called off, and its game goes on as an ordinary one; so does what is planned."""
    game = await running_cup(scene)
    await scene.said(scene.ann, "/cup 20:00 weekly", scene.group)
    await scene.house.quiet()
    yield
    await scene.ann.say("/cup cancel", in_=scene.group)
    await scene.handled()
    await scene.bot.look()
    yield
    (running,) = scene.games
    assert (running.id, running.is_over, running.time_limits) == (game.id, False, Limits.USUAL)
    assert not cup_rows(scene, "id, stage", "cups WHERE stage <> 'over'")
    assert cup_rows(scene, "chat_id, is_weekly", "cup_plans") == [(scene.group.id, True)]


async def a_cup_that_is_joined_late(scene: Scene) -> AsyncIterator[None]:
    """Somebody joins a running cup once, and all play all of them."""
    dee = scene.playground.add_person("Dee", started=True)
    scene.group.add(dee)
    await running_cup(scene)
    yield
    await dee.say("/cup join", in_=scene.group)
    await scene.handled()
    await scene.bot.look()
    yield
    assert len(cup_rows(scene, "number, person", "cup_players")) == 4
    pairs = [frozenset(row) for row in cup_rows(scene, "x, o", "cup_games")]
    assert len(pairs) == len(set(pairs)) == 6
    assert len(scene.games) == 2, "the one who rested plays the newcomer"


async def a_cup_that_ends(scene: Scene) -> AsyncIterator[None]:
    """A cup is over once, with everybody's place."""
    game = await running_cup(scene)
    for number in range(3):
        ((board, _),) = ((each, found) for each, found in scene.shown(scene.group) if found == game.id)
        if number == 2:
            scene.play(who(scene, game.x.seat), board, 0, 4)
            scene.play(who(scene, game.o.seat), board, 1, 0)
            await scene.handled()
        await scene.pressed(who(scene, game.o.seat), board, "Resign")
        await scene.house.quiet()
        if number == 2:
            yield
        await scene.pressed(who(scene, game.o.seat), board, "Yes, resign")
        await scene.bot.look()
        if number < 2:
            await scene.house.quiet()
            game = scene.games[-1]
    yield
    assert cup_rows(scene, "stage, rounds", "cups") == [("over", 3)]
    assert all(game.is_over for game in scene.games)
    assert len(scene.games) == 3
    assert {row[1] for row in cup_rows(scene, "number, place", "cup_players")} <= {1, 2, 3}
    assert not scene.house.sql("SELECT id FROM outbox")


async def a_planned_cup(scene: Scene) -> AsyncIterator[None]:
    """People are called to a planned cup once."""
    await scene.said(scene.ann, "/cup 20:00 weekly", scene.group)
    ((at, _),) = cup_rows(scene, "at, chat_id", "cup_plans")
    await scene.house.quiet()
    await scene.house.skip(int(str(at)) - int(time.time()) - 590)
    yield
    await scene.bot.look()
    yield
    assert cup_rows(scene, "stage, is_planned, starts_at", "cups") == [("open", True, at)]
    assert cup_rows(scene, "chat_id, at", "cup_plans") == [(scene.group.id, int(str(at)) + 7 * 24 * 3600)]


class Scenario(NamedTuple):
    """What a bot is killed in."""

    play: Callable[[Scene], AsyncIterator[None]]
    """Prepares the scene; does what the bot is killed in; and judges what became of it."""
    chats: tuple[str, ...] = ()
    """The places that show games in the end."""
    words: tuple[str, ...] = WORDS
    """What is played. Three by three takes the computer no search."""
    thinks: bool = False
    """Whether a process of the bot's works for it."""
    goes_on: Callable[[Bot], Awaitable[None]] | None = None
    """What a bot then does by itself, whoever began it."""


SCENARIOS: Final = (
    Scenario(a_new_game, chats=("group",)),
    Scenario(a_tap, chats=("group",)),
    Scenario(the_computers_move, chats=("ann",), words=WORDS[1:], thinks=True),
    Scenario(an_acceptance, chats=("group",)),
    Scenario(a_board_that_is_brought_down, chats=("group",)),
    Scenario(a_migration, chats=("new group",)),
    Scenario(a_game_by_link, chats=("ann", "bo")),
    Scenario(a_reminder, chats=("group",)),
    Scenario(a_nudge, chats=("group",)),
    Scenario(a_rematch, chats=("group",)),
    Scenario(a_meeting, chats=("ann", "bo")),
    Scenario(a_leaving),
    Scenario(a_never_coming, chats=("ann", "bo")),
    Scenario(a_picture, words=("",), thinks=True, goes_on=make),
    Scenario(a_result_for_who_shared, chats=("group", "bo"), words=("",), goes_on=make),
    Scenario(an_export, words=("",), goes_on=make),
    Scenario(a_forgetting, words=("",), goes_on=forget),
    Scenario(a_cup, chats=("group",)),
    Scenario(a_cups_start, words=("",)),
    Scenario(a_cup_that_is_left, words=("",)),
    Scenario(a_cup_that_is_called_off, words=("",)),
    Scenario(a_cup_that_is_joined_late, words=("",)),
    Scenario(a_cup_that_ends, words=("",)),
    Scenario(a_planned_cup, words=("",)),
    Scenario(a_button_that_begins_a_game, chats=("ann",), words=("",)),
)

APART: Final = 1 if SOAK else 4
"""Of so many steps one is tried."""

CUTS: Final = [
    (each, words)
    for number, each in enumerate(SCENARIOS)
    for words in (
        [(word,) for word in each.words] if SOAK else [each.words[number % 3 :] + each.words[: number % 3]]
    )
]
"""Each scenario, and what is played in it, kill by kill in turn."""


@pytest.mark.parametrize(
    ("scenario", "words"), CUTS, ids=[f"{scenario.play.__name__}-{words[0] or '3x3'}" for scenario, words in CUTS]
)
async def test_wherever_a_bot_is_killed_nothing_is_lost(
    scenario: Scenario, words: tuple[str, ...], postgres_url: str, figures: Figures
) -> None:
    async with Playground() as playground:
        cut, survivor = SCENARIOS.index(scenario) % APART, None
        while survivor is None:
            survivor = await _killed_at(
                cut, scenario, words[cut // APART % len(words)], playground, postgres_url, figures=figures
            )
            cut += APART
        assert figures.faults > 1, "there were steps to kill at"
        assert ("before it thinks" in survivor.steps) is scenario.thinks


async def _killed_at(
    cut: int, scenario: Scenario, words: str, playground: Playground, url: str, *, figures: Figures
) -> Bot | None:
    """Kill a bot at a step of a scenario; returns the bot if it survived because the scenario has fewer steps."""
    async with world(playground, url) as rooms:
        scene = Scene(rooms, await rooms.start(), words)
        playing = scenario.play(scene)
        await anext(playing)
        await rooms.quiet()
        scene.bot.kill()
        bot = scene.bot = await rooms.start()
        bot.dies_at = cut
        await anext(playing)
        if scenario.goes_on is not None and not bot.dead:
            await scenario.goes_on(bot)
        await bot.fire()
        await bot.fire()
        died = bot.dead
        bot.kill()
        second = await rooms.start()
        await rooms.brought_again(second)
        await rooms.skip(THINKING_SECONDS + 1)
        await second.look()
        if scenario.goes_on is not None:
            await scenario.goes_on(second)
        await rooms.heal()
        step = f"killed at step {cut} of {words or '3x3'}, after {bot.steps[-1:]}"
        assert not rooms.wrong(), step
        assert not rooms.lagging(), step
        assert await anext(playing, "judged") == "judged"
        _judge_places(scene, scenario, bot if died else None)
        figures.faults += died
        await rooms.judge(figures)
        assert not figures.amiss, step
        return None if died else bot


def _judge_places(scene: Scene, scenario: Scenario, killed: Bot | None) -> None:
    """Each place shows each game on one message, or two if a sender was killed before storing its message."""
    places = {
        "group": scene.group,
        "new group": scene.group.migrated_to,
        "ann": scene.ann.private,
        "bo": scene.bo.private,
    }
    sending = killed is not None and any(SEND in step for step in killed.steps)
    for name in scenario.chats:
        chat = places[name]
        assert chat is not None
        games = [game for _, game in scene.shown(chat)]
        known = [
            board
            for record in scene.house.records().values()
            for board in record.boards
            if board.chat_id == chat.id and (message := scene.house.message_of(board)) is not None
            if message.keyboard  # once it's over, the board of a cup's game has no buttons
        ]
        assert len(known) == len(set(games)), "one board a game"
        assert len(games) - len(set(games)) <= sending
