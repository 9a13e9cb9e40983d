"""People who play by a seeded plan, whatever happens, and a ledger of what the bot promised them."""

import asyncio
import random
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple

from bot.boards import buttons
from bot.boards.buttons import OnGame
from bot.context.services import DOUBLE_SECONDS
from bot.game.attempt import thought_of
from bot.game.pages import ShowRegion
from bot.game.play import Move
from engine import Mark
from playground import Playground
from playground.chats import Chat, Message
from playground.people import Person
from playground.queries import Answer
from storage.games.game import COMPUTER, Game, rules_of
from storage.games.record import Board, Record
from tests.carried import actions_on, game_on
from tests.figures import Figures
from tests.processes import Processes, until
from tests.sight import Sight, compare_results

LABELS: Final = {Mark.X: "❌", Mark.O: "🟡", None: "·"}
BOARDS: Final = ("", "5x5")
"""What /newgame is told to play, person by person, in a crowd that plays more than one board."""
THINKING: Final = "is thinking"
PATIENCE: Final = 3.0
"""Seconds after which a person looks at the board again instead of waiting on."""
LONG_PATIENCE: Final = 20.0
"""Seconds after which nothing comes any more, however busy the machine is."""


class Cell(NamedTuple):
    """A cell of a board as shown at a ply."""

    game_id: int
    ply: int
    cell: int
    edition: int = 0

    @property
    def button(self) -> OnGame:
        return OnGame(self.game_id, Move(self.ply, self.cell), self.edition)


@dataclass
class Ledger:
    """What people tapped, and what they were told."""

    sent: dict[tuple[int, int], set[tuple[int, int]]] = field(default_factory=dict)
    """By game and ply: who tapped which cell."""
    accepted: dict[tuple[int, int], int] = field(default_factory=dict)
    """By game and ply: the cell of a tap that was answered without a complaint."""
    seen: dict[int, str] = field(default_factory=dict)
    """By game: the moves in the database when last checked."""
    taps: int = 0
    late: list[asyncio.Future[Answer]] = field(default_factory=list)
    """The answers that somebody gave up waiting for."""
    _target: int = 0
    _reached: asyncio.Event = field(default_factory=asyncio.Event)

    def tapped(self, person: int, tap: Cell) -> None:
        self.taps += 1
        self.sent.setdefault((tap.game_id, tap.ply), set()).add((person, tap.cell))
        if self.taps >= self._target:
            self._reached.set()

    async def reached(self, taps: int) -> None:
        self._target = taps
        self._reached.clear()
        if self.taps < taps:
            await self._reached.wait()

    @property
    def unanswered(self) -> int:
        return sum(not answer.done() for answer in self.late)

    def look(self, games: dict[int, Game]) -> int:
        """Compare the stored games with earlier states and promises; returns how many moves are lost."""
        lost = sum(not games[game].moves.startswith(moves) for game, moves in self.seen.items())
        for (game, ply), cell in self.accepted.items():
            lost += games[game].moves[ply : ply + 1] != rules_of(games[game].rules).move_text(cell)
        self.seen = {game.id: game.moves for game in games.values()}
        return lost

    def invented(self, games: dict[int, Game]) -> int:
        """How many people's moves nobody tapped."""
        return sum(
            (game.seat(Mark.O if ply % 2 else Mark.X), rules_of(game.rules).read_moves(move)[0])
            not in self.sent.get((game.id, ply), set())
            for game in games.values()
            for ply, move in enumerate(game.moves)
            if game.seat(Mark.O if ply % 2 else Mark.X) != COMPUTER
        )


class Player:
    """A person who plays game after game in a chat, on the board named by these words."""

    def __init__(self, person: Person, chat: Chat, ledger: Ledger, seed: int, rules: str = "") -> None:
        self._rules = rules
        self.person = person
        self.chat = chat
        self._ledger = ledger
        self._random = random.Random(seed)
        self._board: Message | None = None

    async def play(self, stop: asyncio.Event, pause: float = 0.0) -> None:
        """Play until told to stop; the current action is finished first."""
        while not stop.is_set():
            if self._board is None or self._board.deleted or not is_board(self._board):
                await self.begin()
            else:
                await self.tap(self._board)
            if pause:
                await asyncio.sleep(self._random.uniform(0, 2 * pause))

    @property
    def board(self) -> Message:
        assert self._board is not None
        return self._board

    async def begin(self) -> None:
        """Ask for a game and wait for its board, with a timeout."""
        level = self._random.choice(("beginner", "easy", "medium", "perfect"))
        first = self._random.choice(("me", "bot"))
        own = await self.person.say(f"/newgame {self._rules} {level} {first}", in_=self.chat)
        with suppress(TimeoutError):
            self._board = await self.chat.wait_for(
                lambda message: message.from_bot and is_board(message), after=own, within=PATIENCE
            )

    async def tap(self, board: Message) -> None:
        """Tap a cell, usually an empty one, and wait for the answer and the edit, with a timeout."""
        cells = taps_on(board)
        empty = [tap for tap, label in cells if label == LABELS[None]]
        if not empty or over(board):
            self._board = None
            return
        if THINKING in board.text and self._random.random() < 0.9:
            with suppress(TimeoutError):
                await board.until(lambda message: THINKING not in message.text, within=PATIENCE)
            return
        tap = self._random.choice(empty if self._random.random() < 0.9 else [tap for tap, _ in cells])
        if await self.press(board, tap):
            with suppress(TimeoutError):
                await board.until(partial(moved_on, tap), within=PATIENCE)

    async def press(self, board: Message, tap: Cell, *, patience: float = PATIENCE) -> bool:
        """Tap and record what the answer promises; True if the move was accepted."""
        key = tap.game_id, tap.ply
        self._ledger.tapped(self.person.id, tap)
        query = self.person.press(board, buttons.write(tap.button))
        try:
            answer = await asyncio.wait_for(asyncio.shield(query.answer), patience)
        except TimeoutError:
            self._ledger.late.append(query.answer)
            return False
        if answer.text is None:
            self._ledger.accepted[key] = tap.cell
        return answer.text is None


def crowd(
    playground: Playground, size: int, ledger: Ledger, seed: int, boards: Sequence[str] = ("",)
) -> list[Player]:
    people = [playground.add_person(f"Player {number}", started=True) for number in range(size)]
    return [
        Player(person, person.private, ledger, seed + number, boards[number % len(boards)])
        for number, person in enumerate(people)
    ]


def taps_on(message: Message) -> list[tuple[Cell, str]]:
    found = [
        (buttons.read(str(each.get("callback_data"))), str(each["text"]))
        for row in message.keyboard
        for each in row
    ]
    return [
        (Cell(button.game_id, button.action.ply, button.action.cell, button.edition), label)
        for button, label in found
        if isinstance(button, OnGame) and isinstance(button.action, Move)
    ]


def is_board(message: Message) -> bool:
    """Whether a message shows a game, of any size, with cells or little boards to tap."""
    return any(isinstance(action, Move | ShowRegion) for action, _ in actions_on(message))


def free_tap(board: Message) -> Cell:
    return next(tap for tap, label in taps_on(board) if label == LABELS[None])


def moved_on(tap: Cell, message: Message) -> bool:
    return tap not in [offered for offered, _ in taps_on(message)]


def over(board: Message) -> bool:
    """Whether a board offers another game, which means that this one has ended."""
    return any("Again" in label or "again" in label for row in board.labels for label in row)


def spare_boards(seen: Processes | Sight) -> list[Message]:
    """The messages that show a game whose board is another message: sent, but never confirmed to us."""
    records = seen.records()
    known = {(board.chat_id, board.message_id) for record in records.values() for board in record.boards}
    return [
        message
        for chat in seen.playground.world.chats.values()
        if chat.migrated_to is None
        for message in chat.messages.values()
        if is_board(message) and (chat.id, message.id) not in known and game_on(message) in records
    ]


async def settled(rig: Processes, *, within: float = 60) -> Sequence[Board | Game]:
    """Wait, while nobody acts, until every board is right; returns what is still wrong."""
    started = time.monotonic()
    while True:
        wrong: Sequence[Board | Game] = rig.wrong() or [
            game for game in rig.games().values() if thought_of(game) is not None
        ]
        if not (wrong or len(rig.playground.world.updates)) or time.monotonic() - started > within:
            return wrong
        await asyncio.sleep(0.2)


async def judge(rig: Processes, players: list[Player], ledger: Ledger, figures: Figures) -> None:
    """Note, once the faults are over, what is lost, doubled or wrong."""
    wrong = await settled(rig)
    figures.games_stuck += len(await stuck(rig, players))
    await _tap_spare_boards(rig, players)
    left = await settled(rig)
    assert not len(rig.playground.world.updates), "every update was taken"
    figures.boards_wrong += len(wrong) + len(left)
    figures.twins_unhealed += len(spare_boards(rig))
    games = rig.games()
    figures.moves_lost += ledger.look(games)
    figures.moves_invented = ledger.invented(games)
    compare_results(rig.engine, games.values(), figures)


async def _tap_spare_boards(rig: Processes, players: list[Player]) -> None:
    """Let people tap each of their messages that is no board, after which it is one or is deleted."""
    spare = spare_boards(rig)
    if spare:
        await asyncio.gather(*(_tap_all(player, spare) for player in players))
        with suppress(TimeoutError):
            await until(lambda: not spare_boards(rig), within=LONG_PATIENCE)


async def _tap_all(player: Player, spare: list[Message]) -> None:
    for message in player.chat.messages.copy().values():
        if message in spare and not message.deleted:
            await asyncio.sleep(DOUBLE_SECONDS)
            await player.press(message, taps_on(message)[0][0], patience=LONG_PATIENCE)


async def stuck(rig: Processes, players: list[Player], most: int = 40) -> list[Game]:
    """The running games whose player to move doesn't see them, or whose next move isn't accepted and shown.

    All people move in parallel, each in one game after another.
    """
    await asyncio.sleep(DOUBLE_SECONDS)  # since their last tap, or this one would be taken for a double tap
    by_id = {player.person.id: player for player in players}
    running = [record for record in rig.records().values() if not record.game.is_over][-most:]
    nobodys = [game for game, _ in running if game.seat(game.turn) not in by_id]
    looks = [
        _stuck_for(player, [record for record in running if record.game.seat(record.game.turn) == person])
        for person, player in by_id.items()
    ]
    return nobodys + [game for found in await asyncio.gather(*looks) for game in found]


async def _stuck_for(player: Player, records: Sequence[Record]) -> list[Game]:
    """The games of a person in which they see no board, or whose moves are not taken and shown."""
    found = []
    for game, boards in records:
        board = player.chat.messages.get(boards[0].message_id or 0)
        if board is None:
            found.append(game)
            continue
        tap = free_tap(board)
        taken = await player.press(board, tap, patience=LONG_PATIENCE)
        try:
            await board.until(partial(moved_on, tap), within=LONG_PATIENCE)
        except TimeoutError:
            taken = False
        if not taken:
            found.append(game)
    return found
