"""Explores every reachable state of the protocol's model; a path leads to the first forbidden one."""

from __future__ import annotations

from collections import deque
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
    news: News | None
    unawaited: Unawaited | None


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
        self._moves: dict[tuple[int, int, bool], list[Move]] = {}
        self._older: dict[tuple[int, News], int] = {}
        self._joined: dict[tuple[int, News | None, Unawaited | None], int | None] = {}
        self._start = self._boards[start], self._edits[frozenset()], self._processes[Process()], 0
        self.parents: dict[State, State | None] = {self._start: None}

    def find_wrong(self) -> list[str] | None:
        """The shortest path to a board that is wrong while nothing is pending, or None."""
        queue = deque([self._start])
        while queue:
            state = queue.popleft()
            for _, _, after in self._successors(state):
                self.steps += 1
                if after not in self.parents:
                    self.parents[after] = state
                    if self._is_quietly_wrong(after):
                        return self._way_to(after)
                    queue.append(after)
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
        frozen = [is_frozen(self._processes.values[number]) for number in state[2:]]
        work: list[tuple[int, State]] = []
        claims: list[tuple[int, State]] = []
        unawaited: list[tuple[int, State]] = []
        for who, move, after in self._successors(state):
            if who is None:
                if move.kind is Kind.WORK:
                    unawaited.append((0, after))
            elif not frozen[who]:
                if move.kind is Kind.WORK:
                    work.append((0, after))
                elif move.kind is Kind.CLAIM:
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

    def _successors(self, state: State) -> Iterator[tuple[int | None, Move, State]]:
        """By which process (0, 1, or none), how, and to which state."""
        board, edits, one, two = state
        in_time = self._is_in_time(edits, one, two)
        for who, process, other in ((0, one, two), (1, two, one)):
            for move in self._moves_of(board, process, in_time):
                _, _, after, changed, news, unawaited = move
                joined, beside = edits, other
                if news is not None:
                    beside = self._aged(other, news)
                if news is not None or unawaited is not None:
                    found = self._join(edits, news, unawaited)
                    if found is None:
                        continue
                    joined = found
                yield (
                    who,
                    move,
                    ((after, joined, changed, beside) if changed <= beside else (after, joined, beside, changed)),
                )
        if edits:
            for move, left in self._landings(board, edits):
                yield None, move, (move.board, left, one, two)

    def _is_in_time(self, edits: int, one: int, two: int) -> bool:
        """Whether an edit is under way that will be over by the next claim."""
        processes = self._processes.values
        return (
            is_in_time(processes[one])
            or is_in_time(processes[two])
            or any(not edit.unbounded for edit in self._edits.values[edits])
        )

    def _moves_of(self, board: int, process: int, in_time: bool) -> list[Move]:  # noqa: FBT001
        key = board, process, in_time
        moves = self._moves.get(key)
        if moves is None:
            moves = self._moves[key] = [
                Move(
                    step.label,
                    step.kind,
                    self._boards[step.board],
                    self._processes[step.process],
                    step.news,
                    step.unawaited,
                )
                for step in self._protocol.steps(
                    self._boards.values[board], self._processes.values[process], in_time=in_time
                )
            ]
        return moves

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
        """Edits that nobody awaits land or are lost; several may be equal."""
        values = self._edits.values[edits]
        for edit in values:
            left = self._edits[values - {edit}]
            content = "newest" if edit.right else "old"
            landed = self._boards[self._boards.values[board].shows(right=edit.right)]
            process = 0
            if landed != board:
                label = f"the edit of {content} content that nobody awaits lands"
                yield Move(label, Kind.WORK, landed, process, None, None), left
                yield Move(f"{label}, one of several", Kind.ACT, landed, process, None, None), edits
            label = f"the edit of {content} content that nobody awaits dies"
            yield Move(label, Kind.WORK, board, process, None, None), left

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
