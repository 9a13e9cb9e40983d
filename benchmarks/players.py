"""People who play: each waits until its tap is both answered and shown, then taps again."""

import random
import statistics
from collections import deque
from typing import Protocol

from benchmarks.keyboards import CHOICES, is_board, is_over
from benchmarks.telegram import Message, Telegram

FIRST_PERSON = 1_000_000


class Seat:
    """A person at a board."""

    __slots__ = ("again", "answered", "board", "chat_id", "person", "shown", "since", "tapped_at", "tapping")

    def __init__(self, person: int, chat_id: int) -> None:
        self.person = person
        self.chat_id = chat_id
        self.board: Message | None = None
        self.tapping = self.answered = self.shown = False
        self.again = False
        self.tapped_at = 0.0
        """When the tap was due: earlier than it was made, where the schedule was missed."""
        self.since = 0.0
        """When the seat last did something."""


class Pace(Protocol):
    """Decides when a free seat taps again."""

    def free(self, seat: Seat) -> None:
        """A seat has its board and nothing under way."""


class Recorder:
    """Latencies in seconds of the taps completed while measuring was on."""

    def __init__(self) -> None:
        self.on = False
        self.taps = 0
        self.new_games = 0
        """How many of the taps asked for another game."""
        self.to_edit: list[float] = []
        self.to_answer: list[float] = []

    def figures(self) -> dict[str, float]:
        """Percentiles in milliseconds."""
        found: dict[str, float] = {}
        for name, taken in (("edit", self.to_edit), ("answer", self.to_answer)):
            if taken:
                in_order = sorted(taken)
                found[f"{name}_median_ms"] = statistics.median(in_order) * 1000
                found[f"{name}_p90_ms"] = in_order[len(in_order) * 90 // 100] * 1000
                found[f"{name}_p99_ms"] = in_order[len(in_order) * 99 // 100] * 1000
        return found


class Players:
    """All seats of a run; listens to its Telegram."""

    def __init__(self, telegram: Telegram, *, choice: str, opening: str, seed: int) -> None:
        self._telegram = telegram
        self._loop_time = telegram.time
        self._choose = CHOICES[choice]
        self._in_game = choice == "game"
        self._opening = opening
        self._rng = random.Random(seed)
        self.seats: list[Seat] = []
        self._expecting: dict[int, deque[Seat]] = {}
        self._by_board: dict[tuple[int, int], Seat] = {}
        self._by_query: dict[str, Seat] = {}
        self._queries = 0
        self.pace: Pace | None = None
        self.recorder = Recorder()
        self.stuck = 0
        self.refused = 0
        """How many taps were answered with words: they met a taken cell, or a game that was over."""
        telegram.listener = self

    def sit_down(self, chat_id: int | None = None) -> None:
        """Another person asks for a game, in a private chat or in the given group."""
        person = FIRST_PERSON + len(self.seats)
        seat = Seat(person, chat_id or person)
        self.seats.append(seat)
        self._ask(seat)

    def _ask(self, seat: Seat) -> None:
        seat.since = self._loop_time()
        seat.board = None
        seat.tapping = False
        self._expect(seat)
        text = self._opening.encode()
        self._telegram.post(
            b"message",
            b'{"message_id":%d,"from":%b,"chat":%b,"date":%d,"text":"%b",'
            b'"entities":[{"type":"bot_command","offset":0,"length":%d}]}'
            % (
                self._telegram.next_message_id(),
                self._person(seat),
                self._telegram.chat(seat.chat_id),
                self._telegram.date(),
                text,
                len(text.split(b" ")[0]),
            ),
        )

    def _expect(self, seat: Seat) -> None:
        self._expecting.setdefault(seat.chat_id, deque()).append(seat)

    @staticmethod
    def _person(seat: Seat) -> bytes:
        return (
            b'{"id":%d,"is_bot":false,"first_name":"Ada","last_name":"Lovelace",'
            b'"username":"ada%d","language_code":"en"}' % (seat.person, seat.person)
        )

    def tap(self, seat: Seat, due: float) -> None:
        """Tap a button of the seat's board; `due` is when the schedule wanted it."""
        board = seat.board
        if board is None:
            raise RuntimeError("a seat without a board cannot tap")
        data = self._choose(board.keyboard, self._rng)
        if data is None:
            self._ask(seat)
            return
        seat.again = self._in_game and is_over(board.keyboard)
        if seat.again:
            self._expect(seat)
        seat.tapping, seat.answered, seat.shown = True, False, False
        seat.tapped_at = due
        seat.since = self._loop_time()
        self._queries += 1
        query_id = str(self._queries)
        self._by_query[query_id] = seat
        self._telegram.post(
            b"callback_query",
            b'{"id":"%d","from":%b,"message":%b,"chat_instance":"%d","data":"%b"}'
            % (self._queries, self._person(seat), board.json(), seat.chat_id, data.encode()),
        )

    def sent(self, message: Message) -> None:
        """A requested board appears."""
        expecting = self._expecting.get(message.chat_id)
        if not expecting or not is_board(message.keyboard):
            return
        seat = expecting.popleft()
        if seat.board is not None:
            self._by_board.pop((seat.board.chat_id, seat.board.message_id), None)
        seat.board = message
        self._by_board[message.chat_id, message.message_id] = seat
        if seat.tapping:
            self._showed(seat)
        elif self.pace is not None:
            self.pace.free(seat)

    def edited(self, message: Message) -> None:
        """A board changes."""
        seat = self._by_board.get((message.chat_id, message.message_id))
        if seat is None or not seat.tapping or seat.shown:
            return
        if seat.again:
            if not is_board(message.keyboard) or is_over(message.keyboard):
                return
            self._expecting[seat.chat_id].remove(seat)
        self._showed(seat)

    def _showed(self, seat: Seat) -> None:
        seat.shown = True
        if self.is_recorded(seat):
            self.recorder.to_edit.append(self._loop_time() - seat.tapped_at)
        if seat.answered:
            self._completed(seat)

    def answered(self, query_id: str, text: str) -> None:
        """A tap is answered."""
        self.refused += bool(text)
        seat = self._by_query.pop(query_id, None)
        if seat is None or not seat.tapping or seat.answered:
            return
        seat.answered = True
        if self.is_recorded(seat):
            self.recorder.to_answer.append(self._loop_time() - seat.tapped_at)
        if seat.shown:
            self._completed(seat)

    def is_recorded(self, seat: Seat) -> bool:
        """Whether a seat's taps count now: those in groups do not, as groups are flood-limited."""
        return self.recorder.on and seat.chat_id > 0

    def _completed(self, seat: Seat) -> None:
        seat.tapping = False
        if self.is_recorded(seat):
            self.recorder.taps += 1
            self.recorder.new_games += seat.again
        if self.pace is not None:
            self.pace.free(seat)

    def free_the_stuck(self, patience: float) -> None:
        """Let people who waited `patience` seconds in a private chat ask for a new game."""
        now = self._loop_time()
        for seat in self.seats:
            waiting = seat.tapping or seat.board is None
            if waiting and seat.chat_id > 0 and now - seat.since > patience:
                self.stuck += 1
                self._expecting[seat.chat_id].clear()
                self._ask(seat)
