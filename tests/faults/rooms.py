"""A setup for tests of one bot that is led step by step."""

from playground.chats import Chat
from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.bots import Bot
from tests.world import World


class Room:
    """Three people, their group, and a bot in this process."""

    def __init__(self, rooms: World, bot: Bot) -> None:
        self.house = rooms
        self.bot = bot
        self.playground = rooms.playground
        self.ann, self.bo, self.cem = (self.playground.people[name] for name in ("ann", "bo", "cem"))
        self.group: Group = self.playground.groups["noughts"]

    async def said(self, person: Person, text: str, chat: Chat, reply_to: Message | None = None) -> Message:
        """Somebody sends a text, and the bot handles it; returns the bot's last message."""
        await person.say(text, in_=chat, reply_to=reply_to)
        await self.house.given(self.bot)
        return self.last(chat)

    async def tapped(self, person: Person, message: Message, data: str) -> str | None:
        """Somebody taps; returns what they are told."""
        tap = person.press(message, data)
        await self.house.given(self.bot)
        return tap.answer.result().text

    async def game_of_two(self, words: str = "") -> Message:
        """Ann and Bo play in the group, Ann first."""
        board = await self.said(self.ann, f"/challenge {words} me", self.group)
        await self.tapped(self.bo, board, str(board.button("Accept")["callback_data"]))
        await self.house.quiet()
        assert "Accept" not in str(board.labels)
        return board

    async def put(self, person: Person, board: Message, cell: int) -> str | None:
        return await self.tapped(person, board, str(board.button(row=cell // 3, column=cell % 3)["callback_data"]))

    def last(self, chat: Chat) -> Message:
        """The bot's newest message."""
        return [message for message in chat.messages.values() if message.from_bot][-1]

    def moves(self) -> list[str]:
        """The moves of all games, oldest game first."""
        return [record.game.moves for _, record in sorted(self.house.records().items())]

    def calls(self, method: str, since: int = 0) -> int:
        return sum(call.method == method for call in self.playground.calls[since:])

    async def pass_time(self, seconds: float, *, step: float = 2.0, bot: Bot | None = None) -> None:
        bot = bot or self.bot
        for _ in range(int(seconds / step)):
            await self.house.skip(step)
            await bot.hold()
            await bot.sweep()
            await bot.fire()
