"""People on big boards, whose opponent searches all the time while the others play."""

import asyncio
import random

from benchmarks.keyboards import Keyboard
from benchmarks.players import Players
from benchmarks.telegram import Message, Telegram
from bot.context.double_taps import DOUBLE_SECONDS

FIRST_PERSON = 2_000_000
OPENINGS = ("/newgame 8x8 perfect", "/newgame ultimate perfect")
THINKING = b"is thinking"


class Thinkers:
    """People on boards where the computer needs time; each taps soon after their turn begins.

    They get every event first and pass on to the other players what isn't theirs.
    """

    def __init__(self, telegram: Telegram, players: Players, number: int, seed: int) -> None:
        self._telegram = telegram
        self._players = players
        self._rng = random.Random(seed)
        self._people = range(FIRST_PERSON, FIRST_PERSON + number)
        self._queries = 0
        telegram.listener = self

    def begin(self) -> None:
        """Let everybody ask for their boards."""
        for person in self._people:
            self._ask(person)

    def sent(self, message: Message) -> None:
        """A board appears."""
        self._players.sent(message)
        self.edited(message)

    def edited(self, message: Message) -> None:
        """A board changes."""
        if message.chat_id not in self._people:
            self._players.edited(message)
        elif THINKING not in message.text_json and message.keyboard:
            self._go_on(message)

    def answered(self, query_id: str, text: str) -> None:
        """A tap is answered."""
        self._players.answered(query_id, text)

    def _go_on(self, message: Message) -> None:
        buttons = [button for row in message.keyboard for button in row]
        free = [button["callback_data"] for button in buttons if _is_free(button)]
        if not free or _is_over(message.keyboard):
            self._ask(message.chat_id)
        else:
            # Nobody looks at a new board for less time than a double tap takes.
            asyncio.get_running_loop().call_later(DOUBLE_SECONDS, self._tap, message, self._rng.choice(free))

    def _ask(self, person: int) -> None:
        text = OPENINGS[person % len(OPENINGS)].encode()
        self._telegram.post(
            b"message",
            b'{"message_id":%d,"from":%b,"chat":%b,"date":%d,"text":"%b",'
            b'"entities":[{"type":"bot_command","offset":0,"length":8}]}'
            % (
                self._telegram.next_message_id(),
                _person(person),
                self._telegram.chat(person),
                self._telegram.date(),
                text,
            ),
        )

    def _tap(self, message: Message, data: str) -> None:
        self._queries += 1
        self._telegram.post(
            b"callback_query",
            b'{"id":"thinker%d","from":%b,"message":%b,"chat_instance":"%d","data":"%b"}'
            % (self._queries, _person(message.chat_id), message.json(), message.chat_id, data.encode()),
        )


def _is_free(button: dict[str, str]) -> bool:
    """Whether a button is an empty cell, or a little board to open."""
    data, label = button.get("callback_data", ""), button["text"]
    if data.startswith("2m:"):
        return label == "·"
    return data.startswith("2region:") and label not in ("❌", "🟡", "–", "·")


def _is_over(keyboard: Keyboard) -> bool:
    return any(button.get("callback_data", "").startswith("2again:") for row in keyboard for button in row)


def _person(person: int) -> bytes:
    return b'{"id":%d,"is_bot":false,"first_name":"Alan","language_code":"en"}' % person
