"""A bot is killed at each step of what people ask for, in turn: before and after each transaction and each call.

Another one starts, Telegram brings again what was not confirmed, and the sweep passes. Whatever the step was,
nothing is lost, nothing is done twice, and each place has one board, which is right.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import pytest

from bot.views.buttons import game_of
from playground import Playground
from storage.game import Termination
from tests.faults.bots import LIMITS, SEND, House, InProcess, house
from tests.two.hands import X_WINS, is_board

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playground.chats import Chat
    from playground.groups import Group
    from playground.messages import Message
    from playground.people import Person
    from storage.game import Game


@dataclass
class Scene:
    """A fresh group and two people, who ask something of a bot that is about to die."""

    house: House
    first: InProcess
    """Who has done everything before."""
    ann: Person
    bo: Person
    group: Group
    kept: list[Message] = field(default_factory=list)

    async def said(self, person: Person, text: str, chat: Chat) -> None:
        """Somebody says something, and the first bot deals with it."""
        await person.say(text, in_=chat)
        await self.house.given(self.first)

    async def tapped(self, person: Person, message: Message, label: str) -> None:
        """Somebody taps a button, and the first bot deals with it."""
        person.press(message, str(message.button(label)["callback_data"]))
        await self.house.given(self.first)

    async def game_of_two(self, cells: tuple[int, ...] = ()) -> Message:
        """Ann and Bo play in the group, Ann first; the result is their board."""
        await self.said(self.ann, "/challenge me", self.group)
        board = self.last(self.group)
        await self.tapped(self.bo, board, "Accept")
        for ply, cell in enumerate(cells):
            person = self.bo if ply % 2 else self.ann
            person.press(board, str(board.button(row=cell // 3, column=cell % 3)["callback_data"]))
            await self.house.given(self.first)
        await self.house.quiet()
        self.kept.append(board)
        return board

    def last(self, chat: Chat) -> Message:
        """The newest message of the bot's in a chat."""
        return [message for message in chat.messages.values() if message.from_bot][-1]

    def shown(self, chat: Chat) -> Iterator[tuple[Message, int]]:
        """The messages of a chat that are boards of a game, with its id."""
        for message in chat.messages.values():
            data = str(message.keyboard[0][0].get("callback_data")) if message.keyboard else None
            if (game_id := game_of(data)) is not None:
                yield message, game_id

    @property
    def games(self) -> list[Game]:
        """The games, oldest first."""
        return [record.game for _, record in sorted(self.house.records().items())]


class ANewGame:
    """`/newgame` makes one game with one board."""

    chats = ("group",)

    async def prepare(self, scene: Scene) -> None:
        """Nothing is there yet."""

    async def act(self, scene: Scene, bot: InProcess) -> None:
        """Ann asks for a game."""
        await scene.ann.say("/newgame easy me", in_=scene.group)
        await scene.house.given(bot)

    def judge(self, scene: Scene) -> None:
        """There is one."""
        (game,) = scene.games
        assert game.is_against_computer


class ATap:
    """A move is played once, and shown."""

    chats = ("group",)

    async def prepare(self, scene: Scene) -> None:
        """A game runs."""
        await scene.game_of_two((4,))

    async def act(self, scene: Scene, bot: InProcess) -> None:
        """Bo moves."""
        (board,) = scene.kept
        scene.bo.press(board, str(board.button(row=0, column=0)["callback_data"]))
        await scene.house.given(bot)

    def judge(self, scene: Scene) -> None:
        """The move is there, on the same message."""
        (game,) = scene.games
        assert game.moves == "40"
        assert not scene.kept[0].deleted


class AnAcceptance:
    """A challenge is taken up once."""

    chats = ("group",)

    async def prepare(self, scene: Scene) -> None:
        """Ann challenges."""
        await scene.said(scene.ann, "/challenge me", scene.group)

    async def act(self, scene: Scene, bot: InProcess) -> None:
        """Bo accepts."""
        board = scene.last(scene.group)
        scene.bo.press(board, str(board.button("Accept")["callback_data"]))
        await scene.house.given(bot)

    def judge(self, scene: Scene) -> None:
        """The game runs."""
        (game,) = scene.games
        assert (game.x_seat, game.o_seat) == (scene.ann.id, scene.bo.id)


class ABoardThatIsBroughtDown:
    """`/board` brings the board down, and the old one goes only once the new one is there."""

    chats = ("group",)

    async def prepare(self, scene: Scene) -> None:
        """A game runs."""
        await scene.game_of_two((4, 0))

    async def act(self, scene: Scene, bot: InProcess) -> None:
        """Ann wants its board."""
        await scene.ann.say("/board", in_=scene.group)
        await scene.house.given(bot)

    def judge(self, scene: Scene) -> None:
        """The board is below what Ann has said."""
        (game,) = scene.games
        assert game.moves == "40"
        assert scene.kept[0].deleted
        assert [message.id > scene.group.last_said for message, _ in scene.shown(scene.group)].count(True) >= 1


class AMigration:
    """A game follows its group, and has one board there."""

    chats = ("new group",)

    async def prepare(self, scene: Scene) -> None:
        """A game runs, and one is over."""
        await scene.game_of_two((4, 0))
        await scene.game_of_two(X_WINS)

    async def act(self, scene: Scene, bot: InProcess) -> None:
        """The group becomes a supergroup."""
        scene.group.migrate()
        await scene.house.given(bot)

    def judge(self, scene: Scene) -> None:
        """Both games are in the new chat, and the one that runs is shown there."""
        assert scene.group.migrated_to is not None
        running, over = scene.games
        assert running.chat_id == over.chat_id == scene.group.migrated_to.id
        assert running.moves == "40"
        assert {game for _, game in scene.shown(scene.group.migrated_to)} == {running.id}


class AGameByLink:
    """Whoever opens a link plays, and both have a board of their own."""

    chats = ("ann", "bo")

    async def prepare(self, scene: Scene) -> None:
        """Ann has made a link."""
        await scene.said(scene.ann, "/challenge me", scene.ann.private)
        invitation = scene.last(scene.ann.private)
        await scene.house.quiet()
        scene.kept.append(invitation)

    async def act(self, scene: Scene, bot: InProcess) -> None:
        """Bo opens it."""
        scene.bo.start(scene.kept[0].text.partition("?start=")[2].split()[0])
        await scene.house.given(bot)

    def judge(self, scene: Scene) -> None:
        """Both see the game, Ann in a new message."""
        (game,) = scene.games
        assert (game.x_seat, game.o_seat) == (scene.ann.id, scene.bo.id)
        assert scene.kept[0].deleted
        for person in (scene.ann, scene.bo):
            assert any(is_board(message) for message, _ in scene.shown(person.private))


class AReminder:
    """Who is to move is told so, and the game is not lost without that."""

    chats = ("group",)

    async def prepare(self, scene: Scene) -> None:
        """Nobody has moved for long."""
        await scene.game_of_two((4,))
        await scene.house.skip(LIMITS.reminder + 1)

    async def act(self, scene: Scene, bot: InProcess) -> None:  # noqa: ARG002 - nobody does anything
        """The clock is looked at."""
        await bot.look()

    def judge(self, scene: Scene) -> None:
        """It was said, once, or twice where nobody knows whether it was."""
        (game,) = scene.games
        assert not game.is_over
        said = [
            message
            for message in scene.group.messages.values()
            if "轮到你" in message.text or "⏰" in message.text
        ]
        reminders = [message for message in said if not message.keyboard]
        assert len(reminders) in (1, 2)


class ARematch:
    """A rematch that both want is one new game, in a new message, and the old board stays."""

    chats = ("group",)

    async def prepare(self, scene: Scene) -> None:
        """Ann would like one."""
        board = await scene.game_of_two(X_WINS)
        await scene.tapped(scene.ann, board, "Rematch")
        await scene.house.quiet()

    async def act(self, scene: Scene, bot: InProcess) -> None:
        """Bo agrees."""
        (board,) = scene.kept
        scene.bo.press(board, str(board.button("Accept")["callback_data"]))
        await scene.house.given(bot)

    def judge(self, scene: Scene) -> None:
        """There are two games, and the first is shown as it ended."""
        old, new = scene.games
        assert old.termination is Termination.LINE
        assert old.next_game == new.id
        assert not new.is_over
        assert not scene.kept[0].deleted


SCENARIOS: Final = (
    ANewGame,
    ATap,
    AnAcceptance,
    ABoardThatIsBroughtDown,
    AMigration,
    AGameByLink,
    AReminder,
    ARematch,
)
Scenario = (
    ANewGame | ATap | AnAcceptance | ABoardThatIsBroughtDown | AMigration | AGameByLink | AReminder | ARematch
)


@pytest.mark.parametrize("scenario", [kind() for kind in SCENARIOS], ids=[kind.__name__ for kind in SCENARIOS])
async def test_wherever_a_bot_is_killed_nothing_is_lost(scenario: Scenario, quick_database: str) -> None:
    async with Playground() as playground:
        cut, survived = 0, False
        while not survived:
            survived = await _killed_at(cut, scenario, playground, quick_database)
            cut += 1
        assert cut > 4, "there was something to cut"


async def _killed_at(cut: int, scenario: Scenario, playground: Playground, url: str) -> bool:
    """Let a bot die at a step of a scenario; True if it has survived, because it takes fewer."""
    async with house(playground, url) as rooms:
        ann = playground.add_person("Ann", started=True)
        bo = playground.add_person("Bo", started=True)
        scene = Scene(rooms, await rooms.start(), ann, bo, playground.add_group("Noughts", [ann, bo]))
        await scenario.prepare(scene)
        await rooms.quiet()
        scene.first.kill()
        bot = await rooms.start()
        bot.dies_at = cut
        await scenario.act(scene, bot)
        await bot.fire()
        await bot.fire()
        died = bot.dead
        bot.kill()
        second = await rooms.start()
        await rooms.brought_again(second)
        await second.look()
        await rooms.heal()
        step = f"killed at step {cut}, after {bot.steps[-1:]}"
        assert not rooms.wrong(), step
        assert not rooms.lagging(), step
        scenario.judge(scene)
        _judge_places(scene, scenario, bot if died else None)
        return not died


def _judge_places(scene: Scene, scenario: Scenario, killed: InProcess | None) -> None:
    """Each place shows each game on one message; one more is left where a sender did not live to store it."""
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
            if board.chat_id == chat.id and scene.house.message_of(board) is not None
        ]
        assert len(known) == len(set(games)), "one board a game"
        assert len(games) - len(set(games)) <= sending
