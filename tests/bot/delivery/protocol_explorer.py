"""Explores every reachable state of the protocol's model; a path leads to the first forbidden one."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

from tests.bot.delivery.protocol_model import (
    Board,
    Kind,
    News,
    Process,
    Protocol,
    Rules,
    Unawaited,
    is_frozen,
    is_idle,
    is_in_time,
    older,
    older_unawaited,
)

T = TypeVar("T")
State = tuple[int, int, int, int]
"""A board, the edits that nobody awaits, and two processes, by their numbers; as processes are alike, in order."""


class Move(NamedTuple):
    """A step of a process, with its resulting values as numbers."""

    label: str
    kind: Kind
    board: int
    process: int
    news: News | None = None


Moves = tuple[News | None, Unawaited | None, list[Move]]
"""Steps with the same news for others, and the same edit that nobody awaits any more."""


class Numbers(Generic[T]):
    """A number for each value."""

    def __init__(self) -> None:
        self.values: list[T] = []
        self._numbers: dict[T, int] = {}

    def __getitem__(self, value: T) -> int:
        number = self._numbers.setdefault(value, len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number


class Explorer:
    """Follows every step from a board that no process has in memory."""

    def __init__(self, rules: Rules, start: Board, *, unawaited: int, moves: bool = False) -> None:
        """At most `unawaited` different edits may be unawaited at a time; `moves` as in the protocol."""
        self.steps = 0
        self._protocol = Protocol(rules, moves=moves)
        self._most = unawaited
        self._boards: Numbers[Board] = Numbers()
        self._edits: Numbers[frozenset[Unawaited]] = Numbers()
        self._processes: Numbers[Process] = Numbers()
        self._moves: dict[tuple[int, int, bool, bool], list[Moves]] = {}
        self._older: dict[tuple[int, News], int] = {}
        self._joined: dict[tuple[int, News | None, Unawaited | None], int | None] = {}
        self._start = self._boards[start], self._edits[frozenset()], self._processes[Process()], 0
        self.parents: dict[State, State | None] = {self._start: None}

    def find_wrong(self, most: int | None = None) -> list[str] | None:
        """The shortest path, of at most so many steps, to a board that is wrong while nothing is pending."""
        reached, length = [self._start], 0
        while reached and length != most:
            before, reached, length = reached, [], length + 1
            for state in before:
                for _, _, after in self._successors(state):
                    self.steps += 1
                    if after not in self.parents:
                        self.parents[after] = state
                        if self._is_quietly_wrong(after):
                            return self._way_to(after)
                        reached.append(after)
        return None

    def find_unsettled(self, *, by: int = 2) -> list[str] | None:
        """The path to a state from which this many claims don't correct the board though nobody acts any more."""
        claims: dict[State, int] = {}
        for state in self.parents:
            if state not in claims and not self._settles(state, claims, by):
                return self._way_to(state)
        return None

    def _settles(self, state: State, claims: dict[State, int], by: int) -> bool:
        """Whether every path from a state leads to a correct board; `claims` is how many each state needs."""
        path: list[tuple[State, list[tuple[int, State]]]] = [(state, self._by_itself(state))]
        open_states = {state}
        while path:
            here, onwards = path[-1]
            new = next((after for _, after in onwards if after not in claims), None)
            if new is not None:
                if new in open_states:
                    return False
                open_states.add(new)
                path.append((new, self._by_itself(new)))
                continue
            if not onwards and not self._is_at_rest(here):
                return False
            claims[here] = max((cost + claims[after] for cost, after in onwards), default=0)
            if claims[here] > by:
                return False
            path.pop()
            open_states.discard(here)
        return True

    def _by_itself(self, state: State) -> list[tuple[int, State]]:
        """Steps that need nobody to act: work first; when no process has any, the sweep's claim, which costs 1.

        A frozen process stays frozen.
        """
        work: list[tuple[int, State]] = []
        claims: list[tuple[int, State]] = []
        unawaited: list[tuple[int, State]] = []
        for who, move, after in self._successors(state, acts=False):
            if who is None:
                unawaited.append((0, after))
            elif not is_frozen(self._processes.values[state[2 + who]]):
                if move.kind is Kind.WORK:
                    work.append((0, after))
                else:
                    claims.append((1, after))
        return work + unawaited + ([] if work else claims)

    def _is_at_rest(self, state: State) -> bool:
        """Whether a board is correct and confirmed, if any process is left that could correct it.

        A process frozen forever during an unbounded call that wasn't written back counts as killed: see `Rules`.
        """
        board = self._boards.values[state[0]]
        frozen = [process for process in map(self._processes.values.__getitem__, state[2:]) if is_frozen(process)]
        if len(frozen) == 2 or any(process.note is not None and process.note.unbounded for process in frozen):
            return True
        return board.confirmed and board.there and board.right

    def _is_quietly_wrong(self, state: State) -> bool:
        board = self._boards.values[state[0]]
        if board.deleted:
            return True
        if not board.confirmed or (board.there and board.right) or self._edits.values[state[1]]:
            return False
        return all(is_idle(self._processes.values[number]) for number in state[2:])

    def _successors(self, state: State, *, acts: bool = True) -> Iterator[tuple[int | None, Move, State]]:
        """By which process (0, 1, or none), how, and to which state; `acts`: also what somebody has to do."""
        board, edits, one, two = state
        in_time = self._is_in_time(edits, one, two)
        for who, process, other in ((0, one, two), (1, two, one)):
            for news, unawaited, moves in self._moves_of(board, process, in_time, acts):
                beside = other if news is None else self._aged(other, news)
                joined = self._join(edits, news, unawaited)
                if joined is None:
                    continue
                for move in moves:
                    changed = move.process
                    one_and_two = (changed, beside) if changed <= beside else (beside, changed)
                    yield who, move, (move.board, joined, *one_and_two)
        if edits:
            for move, left in self._landings(board, edits):
                if acts or move.kind is not Kind.ACT:
                    yield None, move, (move.board, left, one, two)

    def _is_in_time(self, edits: int, one: int, two: int) -> bool:
        processes = self._processes.values
        return (
            is_in_time(processes[one])
            or is_in_time(processes[two])
            or any(not edit.unbounded for edit in self._edits.values[edits])
        )

    def _moves_of(self, board: int, process: int, in_time: bool, acts: bool) -> list[Moves]:  # noqa: FBT001
        key = board, process, in_time, acts
        if key not in self._moves:
            found: dict[tuple[News | None, Unawaited | None], dict[Move, None]] = {}
            values = self._boards.values[board], self._processes.values[process]
            for step in self._protocol.steps(*values, in_time=in_time):
                if acts or step.kind is not Kind.ACT:
                    after = self._boards[step.board], self._processes[step.process]
                    move = Move(step.label, step.kind, *after, step.news)
                    found.setdefault((step.news, step.unawaited), {})[move] = None
            self._moves[key] = [(news, unawaited, [*moves]) for (news, unawaited), moves in found.items()]
        return self._moves[key]

    def _aged(self, process: int, news: News) -> int:
        key = process, news
        if key not in self._older:
            self._older[key] = self._processes[older(self._processes.values[process], news)]
        return self._older[key]

    def _join(self, edits: int, news: News | None, unawaited: Unawaited | None) -> int | None:
        """The edits that nobody awaits after a step; None if there are more than we follow."""
        key = edits, news, unawaited
        if key not in self._joined:
            values = self._edits.values[edits]
            if news is not None:
                values = frozenset() if news.moves else frozenset(older_unawaited(value, news) for value in values)
            if unawaited is not None:
                values |= {unawaited}
            self._joined[key] = self._edits[values] if len(values) <= self._most else None
        return self._joined[key]

    def _landings(self, board: int, edits: int) -> Iterator[tuple[Move, int]]:
        values = self._edits.values[edits]
        for edit in values:
            left = self._edits[values - {edit}]
            content = "newest" if edit.right else "old"
            landed = self._boards[self._boards.values[board].shows(right=edit.right)]
            process = 0
            if landed != board:
                label = f"the edit of {content} content that nobody awaits lands"
                yield Move(label, Kind.WORK, landed, process), left
                yield Move(f"{label}, one of several", Kind.ACT, landed, process), edits
            label = f"the edit of {content} content that nobody awaits dies"
            yield Move(label, Kind.WORK, board, process), left

    def _way_to(self, state: State) -> list[str]:
        """The steps that led to a state, each by process A, B or none."""
        states = [state]
        while (parent := self.parents[states[-1]]) is not None:
            states.append(parent)
        way = []
        swapped = False
        for before, after in pairwise(reversed(states)):
            who, move = next((who, move) for who, move, state in self._successors(before) if state == after)
            way.append(move.label if who is None else f"{'AB'[who ^ swapped]} {move.label}")
            if who is not None:
                other = before[3 - who]
                beside = other if move.news is None else self._aged(other, move.news)
                first = move.process if who == 0 else beside
                swapped ^= first != after[2]
        return way
