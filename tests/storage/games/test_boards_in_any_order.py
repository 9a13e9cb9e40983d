"""Boards under any order of what processes do to them, each of which may know a board as it once was.

Every rule does one thing, says what the rows are then, and compares all of them. Besides, no version has two
owners, nothing is confirmed but what its owner has shown, a game has one board where it was begun, and once
everybody rests, the sweep brings every board to where it belongs. Until then, every board shows its game, or will
be looked at, unless its chat has refused it; and a clock runs once the last move was shown, and not before.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final
from unittest.mock import patch

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import Engine, select

from storage import clock
from storage.errors import ConcurrentChange
from storage.games import boards, games, versions
from storage.games.boards import Sent
from storage.games.changes import ChangeRequest, change_games
from storage.games.game import Side
from storage.games.games import BOARD_COLUMNS
from storage.games.record import LOOK_NEVER, WHOLE, Attention, Board, Changed, Decision, Page, Place, Record
from storage.games.versions import CLAIM_SECONDS, GRACE_SECONDS, Again, BoardCall, Stored
from tests.soak import SOAK
from tests.storage.examples import ANN, BOB, BOBS, HALL, HOME, INLINE, NEW, put

REVIEW: Final = Page("look:1")
HOUR: Final = 3600

WHICH = st.integers(0, 5)
"""One of the newest boards, messages or versions, counted from the last."""
AGE = st.sampled_from([0, 0, 0, 0, 1, 2])
"""How many states ago somebody has loaded a board."""
PAGES = st.sampled_from([WHOLE, Page("4@1"), REVIEW])
FEW = st.lists(WHICH, max_size=2)
TIMES = st.sampled_from([0, 1, GRACE_SECONDS, CLAIM_SECONDS - 1, CLAIM_SECONDS, HOUR, -2 * HOUR])
SOME = st.lists(st.tuples(WHICH, AGE), min_size=1, max_size=3)


def raised(board: Board, now: int, **columns: object) -> Board:
    """A board's next version, which its process has to itself for a while."""
    board = board._replace(wanted=board.wanted + 1, look_at=now + GRACE_SECONDS, claims=0)
    return board._replace(**columns)  # type: ignore[arg-type] # columns of a board


def lagging(board: Board, now: int, **columns: object) -> Board:
    """A board's next version, which is anybody's."""
    return raised(board, now, **columns)._replace(look_at=now)


def hidden(board: Board) -> Board:
    """A board that may have lost its message or its chat: what several people have seen is to be shown again."""
    following = board.wanted + 1
    return board if board.viewer else board._replace(wanted=following, timed_from=following, shown_at=None)


def seen(board: Board, now: int, version: int) -> Board:
    """A board of which Telegram has shown a version: a clock runs if that has the last move."""
    is_first = board.shown_at is None and version >= board.timed_from
    return board._replace(shown_at=now) if is_first else board


def has_message(board: Board) -> bool:
    """Whether there is something to edit."""
    return (board.message_id is not None or board.inline_message_id is not None) and not board.leaving


def rule_for(
    fits: Callable[[Machine, Board], bool], ages: st.SearchStrategy[int] = AGE, **more: st.SearchStrategy[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A rule for one board that fits, as somebody knows it; it does nothing where there is none."""

    def decorate(body: Callable[..., None]) -> Callable[..., None]:
        def with_board(machine: Machine, which: int, age: int, **drawn: Any) -> None:  # noqa: ANN401 - of any kind
            if (board := machine.pick(which, age, partial(fits, machine))) is not None:
                body(machine, board, **drawn)

        with_board.__name__ = body.__name__
        return rule(which=WHICH, age=ages, **more)(with_board)  # type: ignore[call-overload, no-any-return]

    return decorate


def is_in_chat(board: Board) -> bool:
    """Whether a board stays in a chat, rather than being a message of inline mode."""
    return board.chat_id is not None and not board.leaving


class Machine(RuleBasedStateMachine):
    """All that happens to boards, in one transaction that is rolled back in the end."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self.now = 2_000_000_000
        self.clock = patch.object(time, "time", lambda: float(self.now))
        self.clock.start()
        self.connection = engine.connect()
        self.rows: dict[int, Board] = {}
        self.states: dict[int, list[Board]] = {}
        """All that each board has been."""
        self.begun: dict[int, Sequence[Place]] = {}
        """By game, where it was begun."""
        self.owners: set[BoardCall] = set()
        """The versions that some process has stored as its own."""
        self.owned: list[BoardCall] = []
        """Those that an edit may show."""
        self.told: set[BoardCall] = set()
        """Those that were shown."""
        self.refused: set[int] = set()
        """The boards that their chats take no more, as far as is known."""
        self.seen: set[BoardCall] = set()
        """The versions that Telegram has shown, also if others have been stored since."""
        self.messages = 900

    def teardown(self) -> None:
        try:
            self.rest()
        finally:
            self.connection.close()
            self.clock.stop()

    @contextmanager
    def step(self) -> Iterator[dict[int, Board]]:
        """Let the rows become what they are expected to be."""
        expected = dict(self.rows)
        try:
            with self.connection.begin_nested():
                yield expected
        finally:
            before, self.rows = self.rows, self.stored()
            for board_id, board in self.rows.items():
                if board_id not in self.states and board.replaces is not None and before[board.replaces].shown_at:
                    self.seen.add(BoardCall(board_id, 1))  # its people have seen the one that it replaces
                states = self.states.setdefault(board_id, [])
                if board not in states[-1:]:
                    states.append(board)
        assert self.rows == expected

    def stored(self) -> dict[int, Board]:
        return {row.id: Board._make(row) for row in self.connection.execute(select(*BOARD_COLUMNS))}

    def own(self, board: Board) -> Board:
        """Note that a process owns a version of a board, which no other may."""
        version = BoardCall(board.id, board.wanted)
        assert version not in self.owners
        self.owners.add(version)
        if has_message(board):
            self.owned.append(version)
        return board

    def pick(self, which: int, age: int = 0, fits: Callable[[Board], bool] = lambda _: True) -> Board | None:
        known = [states[max(0, len(states) - 1 - age)] for _, states in sorted(self.states.items())]
        found = [board for board in known if fits(board)]
        return found[-1 - which % len(found)] if found else None

    def record(self, which: int) -> Record:
        return games.load(self.connection, sorted(self.begun)[-1 - which % len(self.begun)])

    def send_away(self, expected: dict[int, Board], board_id: int | None) -> None:
        """Expect a board to go because another has taken its place."""
        if board_id in expected and not expected[board_id].leaving:
            expected[board_id] = lagging(expected[board_id], self.now, leaving=True)

    @initialize(shared=st.booleans(), shown=st.booleans())
    def begin(self, *, shared: bool, shown: bool) -> None:
        """A game starts: in a group and in a private chat, or in a message of inline mode."""
        places = (HALL, HOME) if shared else (INLINE,)
        with self.step() as expected:
            side = {} if shared else {"o": Side(BOB)}
            record = put(self.connection, *places, chat_id=places[0].chat_id, **side)
            for board, place in zip(record.boards, places, strict=True):
                assert board.place == place
                assert (board.wanted, board.shown, board.look_at) == (1, 0, self.now + GRACE_SECONDS)
                expected[board.id] = self.own(board)
        self.begun[record.game.id] = places
        if shown:
            self.show()

    # A game changes.

    @rule(which=WHICH, moves=st.booleans(), calls=st.booleans(), anew=st.booleans())
    def change(self, which: int, *, moves: bool, calls: bool, anew: bool) -> None:
        """A change, which may be a move, and may call somebody: where the board is, or to a new one."""
        record = self.record(which)
        game = record.game._replace(due_at=record.game.version, moved_at=record.game.moved_at + moves)
        board = next((board for board in record.boards if self.is_free(board)), None)
        called = {}
        if calls and board is not None:
            called = {board.id: Attention(self.now + 9, called=True, to=board.place if anew else None)}
        self.store(record, Decision(game, attention=called), moves=moves)

    @precondition(lambda self: len(self.begun) < 3)
    @rule(which=WHICH)
    def follow(self, which: int) -> None:
        """The next game starts, where this one is played."""
        record = self.record(which)
        following = NEW._replace(chat_id=record.game.chat_id, kind=record.game.kind, o=record.game.o)
        offered = record.game._replace(due_at=record.game.version)
        places = [
            board.place
            for board in record.boards
            if not board.leaving and board.replaces is None and not board.aside
        ]
        begun = self.store(record, Decision(offered, following))
        assert begun is not None
        assert {board.place for board in begun.boards} == {*places}
        self.begun[begun.game.id] = places
        if INLINE in places:
            del self.begun[record.game.id]

    def store(self, record: Record, decision: Decision, *, moves: bool = False) -> Record | None:
        """Change a game, which raises all its boards; returns the next game, if there is one."""
        with self.step() as expected:
            (done,) = change_games(self.connection, [ChangeRequest(record.game.id, lambda _: decision)])
            assert isinstance(done, Changed)
            for board in record.boards:
                after = raised(board, self.now)
                if board.is_unreachable and is_in_chat(board):
                    after = after._replace(look_at=LOOK_NEVER)
                if moves:
                    after = after.unseen()
                if (attention := decision.attention.get(board.id)) is not None:
                    after = after._replace(acted_at=attention.acted_at, called=attention.called)
                if done.following is not None and board.inline_message_id is not None:
                    after = after.unseen().showing(WHOLE)._replace(game_id=done.following.game.id)
                expected[board.id] = after
            for board in (*done.record.boards, *(done.following.boards if done.following else ())):
                if board.id not in self.states:
                    assert (board.wanted, board.shown, board.message_id) == (1, 0, None)
                    assert board.called is (board.replaces in decision.attention)
                    assert board.replaces is None or board.shown_at == expected[board.replaces].shown_at
                expected.setdefault(board.id, board)
                assert self.own(board) == expected[board.id]
        return done.following

    # One board changes.

    @rule_for(lambda *_: True, page=PAGES)
    def turn(self, board: Board, page: Page) -> None:
        """Somebody turns a page, unless the board has changed since they looked."""
        record = self.record(0)
        if not self.is_newest(board):
            with pytest.raises(ConcurrentChange), self.step():
                boards.turn(self.connection, record, board, page)
            return
        with self.step() as expected:
            turned = boards.turn(self.connection, record, board, page)
            expected[board.id] = raised(self.rows[board.id], self.now, **page._asdict())
            assert turned == Stored(record, self.own(turned.board), board)

    @rule_for(lambda *_: True, anything=st.booleans())
    def show_again(self, board: Board, *, anything: bool) -> None:
        """A board is shown again: as it is, or only if it still is the version that was meant."""
        again = None
        with self.step() as expected:
            (again,) = versions.store_again(self.connection, [Again(board.id, None if anything else board.wanted)])
            if board.id in expected and (anything or self.is_newest(board)):
                expected[board.id] = raised(self.rows[board.id], self.now)
                assert again is not None
                assert (self.own(again.board), again.before) == (expected[board.id], self.rows[board.id])
            else:
                assert again is None
        if again is not None:
            assert again.board in again.record.boards or again.before in again.record.boards

    @rule(which=WHICH)
    def open_review(self, which: int) -> None:
        """Somebody looks a game up on a board of their own, as they have none in their chat."""
        record = self.record(which)
        if not record.boards_in(BOBS.chat_id):
            with self.step() as expected:
                board = boards.put(self.connection, record.game.id, BOBS, page=REVIEW, aside=True)
                assert (board.page, board.place, board.aside) == (REVIEW, BOBS, True)
                expected[board.id] = self.own(board)

    @rule_for(lambda self, board: board.aside and not board.leaving and self.is_newest(board))
    def close_review(self, board: Board) -> None:
        record = self.record(0)
        with self.step() as expected:
            (left,) = boards.retire(self.connection, record, [board], self.now)
            expected[board.id] = raised(self.rows[board.id], self.now, leaving=True)
            assert self.own(left.board) == raised(board, self.now, leaving=True)

    # A board moves.

    @rule_for(
        lambda self, board: self.stays(board) and is_in_chat(board),
        st.just(0),
        to=st.sampled_from([Place(), Place(thread_id=3), Place(reply_to=8)]),
        page=st.none() | PAGES,
    )
    def move_down(self, board: Board, to: Place, page: Page | None) -> None:
        """A board is asked for at the end of its chat; one that isn't there yet is asked for again."""
        record = games.load(self.connection, board.game_id or 0)
        waiting = next((other for other in record.boards if other.replaces == board.id), board)
        with self.step() as expected:
            down = boards.move_down(self.connection, record, board, to, page)
            if waiting.message_id is not None:
                assert down.before is None
                assert (down.board.replaces, down.board.wanted, down.board.shown) == (board.id, 1, 0)
                assert down.board.place == board.place.at(to)
                assert (down.board.message_id, down.board.shown_at) == (None, board.shown_at)
                assert (down.board.page, down.board.aside) == (page or WHOLE, page is not None and board.aside)
                expected[down.board.id] = down.board
            else:
                shown = {} if page is None else {**page._asdict(), "aside": board.aside}
                expected[waiting.id] = raised(
                    waiting, self.now, thread_id=to.thread_id, reply_to=to.reply_to, **shown
                )
                assert down == Stored(record, expected[waiting.id], waiting)
            self.own(down.board)

    @rule()
    def show(self) -> None:
        """The owners of what lags show it, and say so."""
        for board in [board for board in self.rows.values() if board.is_lagging]:
            if has_message(board):
                self.told_shown({board.id: board.wanted}, {}, [])
            elif not board.leaving:
                self.settled([Sent(board, self.new_message(), is_new=True)])

    @rule(some=SOME, is_new=st.booleans())
    def settle(self, some: Sequence[tuple[int, int]], *, is_new: bool) -> None:
        """Telegram has answered; a board takes the first message that it's told of, however often."""
        known = [self.pick(*each, lambda board: not has_message(board) and not board.leaving) for each in some]
        found = {board.id: board for board in known if board is not None}
        if found:
            self.settled([Sent(board, self.new_message(), is_new) for board in found.values()])

    def settled(self, sent: Sequence[Sent]) -> None:
        """Store which messages were sent as boards, which may be as they once were."""
        fits = [self.takes(each.board, each.message_id) for each in sent]
        if len(sent) > 1 and not all(fits):
            with pytest.raises(ConcurrentChange), self.step():
                boards.settle(self.connection, sent)
            return
        with self.step() as expected:
            for _ in range(2):
                assert boards.settle(self.connection, sent) == fits
            for board, message, is_new in itertools.compress(sent, fits):
                row = self.rows[board.id]._replace(message_id=message, replaces=None)
                if is_new:
                    self.told.add(BoardCall(board.id, board.wanted))
                    self.seen.add(BoardCall(board.id, board.wanted))
                    row = seen(row, self.now, board.wanted)
                    row = row._replace(shown=row.wanted) if row.wanted == board.wanted else row
                expected[board.id] = row
            for board, *_ in itertools.compress(sent, fits):
                self.send_away(expected, board.replaces)
        if not all(fits):
            self.delete_twin(sent[0].board, sent[0].message_id)

    def new_message(self) -> int:
        self.messages += 10
        return self.messages

    def takes(self, board: Board, message: int) -> bool:
        return board.id in self.rows and self.rows[board.id].message_id in (None, message)

    def delete_twin(self, board: Board, message: int) -> None:
        """A message of which there are two is sent away, if it's no board, and is nobody's any more."""
        known = [
            other for other in self.rows.values() if (other.chat_id, other.message_id) == (board.chat_id, message)
        ]
        with self.step() as expected:
            twin = boards.retire_twin(self.connection, board.game_id, chat_id=board.chat_id, message_id=message)
            assert (twin is None) == bool(known)
            if twin is not None:
                assert (twin.leaving, twin.is_lagging, twin.look_at) == (True, True, self.now + GRACE_SECONDS)
                expected[twin.id] = self.own(twin)

    @rule_for(lambda _, board: is_in_chat(board), ahead=st.sampled_from([1, 0, -1, 2, -2]))
    def tap(self, board: Board, ahead: int) -> None:
        """A message whose sending had no answer is tapped: a newer one becomes the board, an older one goes."""
        message = self.new_message() if board.message_id is None else board.message_id + ahead
        if any(other.message_id == message for other in self.rows.values()):
            self.delete_twin(board, message)
            return
        adopted = board.id in self.rows and (self.rows[board.id].message_id or 0) <= message
        with self.step() as expected:
            assert boards.adopt(self.connection, board, message) == adopted
            if adopted:
                expected[board.id] = self.rows[board.id]._replace(message_id=message, replaces=None)
                self.send_away(expected, board.replaces)
        if not adopted:
            self.delete_twin(board, message)

    @rule_for(lambda _, board: board.message_id is not None)
    def lose(self, board: Board) -> None:
        """A message is gone; a board that isn't moving gets another one."""
        row = self.rows.get(board.id)
        is_its = row is not None and row.message_id == board.message_id and not row.leaving
        moves = any(other.replaces == board.id for other in self.rows.values())
        with self.step() as expected:
            again = boards.lost(self.connection, board)
            assert (again is not None) == (is_its and not moves)
            if again is not None:
                expected[board.id] = raised(hidden(self.rows[board.id]), self.now, message_id=None)
                assert self.own(again.board) == expected[board.id]
            elif is_its:
                del expected[board.id]
            for other in [] if board.viewer else [*expected.values()]:
                if moves and other.replaces == board.id and other.game_id == board.game_id:
                    expected[other.id] = hidden(other)

    @rule_for(lambda _, board: not board.leaving)
    def give_up(self, board: Board) -> None:
        """A chat takes nothing: a board is unreachable, and where one was to come, the old one stays."""
        row = self.rows.get(board.id)
        with self.step() as expected:
            boards.unreachable(self.connection, board)
            if board.message_id is None and board.replaces in expected:
                expected[board.replaces] = lagging(expected[board.replaces], self.now)
                if row is not None and row.replaces == board.replaces:
                    del expected[board.id]
            elif row is not None and self.is_newest(board):
                self.refused.add(board.id)
                expected[board.id] = hidden(row)._replace(look_at=LOOK_NEVER)

    @rule_for(lambda self, board: board.inline_message_id is not None and len(self.boards_with(board)) <= 1)
    def go_home(self, board: Board) -> None:
        """A message of inline mode is gone; its game goes on in the private chats of both."""
        with self.step() as expected:
            stored = boards.go_home(self.connection, board)
            if self.rows.get(board.id, board._replace(game_id=0)).game_id != board.game_id:
                assert stored == ()
            else:
                del expected[board.id]
                expected |= {each.board.id: self.own(each.board) for each in stored}
                self.begun[board.game_id] = [each.board.place for each in stored]
                assert [place.chat_id for place in self.begun[board.game_id]] == [ANN, BOB]

    @rule_for(lambda _, board: has_message(board))
    def close(self, board: Board) -> None:
        """A board needs no more calls until it changes: somebody has deleted its message."""
        with self.step() as expected:
            boards.close(self.connection, board)
            if self.is_newest(board):
                self.told.add(BoardCall(board.id, board.wanted))
                self.seen.add(BoardCall(board.id, board.wanted))
                row = seen(self.rows[board.id], self.now, board.wanted)
                expected[board.id] = row._replace(shown=board.wanted)

    @rule_for(lambda _, board: board.leaving)
    def remove(self, board: Board) -> None:
        with self.step() as expected:
            boards.drop(self.connection, board)
            expected.pop(board.id, None)

    @rule_for(lambda _, board: board.thread_id is not None)
    def lose_topic(self, board: Board) -> None:
        with self.step() as expected:
            boards.lose_topic(self.connection, board)
            if board.id in expected:
                expected[board.id] = self.rows[board.id]._replace(thread_id=None)

    @rule(place=st.sampled_from([HALL, HOME, BOBS]), under_way=st.booleans())
    def let_in(self, place: Place, *, under_way: bool) -> None:
        """A chat takes messages again."""
        with self.step() as expected:
            versions.lag_again(self.connection, place.chat_id or 0, under_way=under_way)
            self.refused -= {board.id for board in self.rows.values() if board.chat_id == place.chat_id}
            for board in self.rows.values():
                if board.chat_id == place.chat_id and (board.is_unreachable or (under_way and board.is_lagging)):
                    expected[board.id] = lagging(board, self.now)

    # Versions are shown.

    @precondition(lambda self: self.owned)
    @rule(shown=FEW, contested=FEW, late=FEW)
    def confirm(self, shown: Sequence[int], contested: Sequence[int], late: Sequence[int]) -> None:
        """Processes tell what Telegram has shown, after what an older edit may land, and what took long."""
        calls = [[self.owned[-1 - which % len(self.owned)] for which in some] for some in (shown, contested, late)]
        self.told_shown(dict(calls[0]), dict(calls[1]), calls[2])

    def told_shown(self, calls: Mapping[int, int], others: Mapping[int, int], late: Sequence[BoardCall]) -> None:
        with self.step() as expected:
            back = versions.confirm(self.connection, calls, late, others)
            for board_id, version in {**others, **calls}.items():
                self.seen.add(BoardCall(board_id, version))
                if (board := expected.get(board_id)) is not None:
                    expected[board_id] = seen(board, self.now, version)
                    if calls.get(board_id) == board.wanted:
                        self.told.add(BoardCall(board_id, version))
                        expected[board_id] = expected[board_id]._replace(shown=version)
            for board_id in {call.board_id for call in late if call.board_id in expected}:
                board = expected[board_id]
                if any(call.version < board.wanted for call in late if call.board_id == board_id):
                    expected[board_id] = lagging(board, self.now)
        assert back == [call for call in late if call.board_id not in self.rows]

    @rule(some=SOME)
    def hold(self, some: Sequence[tuple[int, int]]) -> None:
        waiting = {board.id: board.wanted for each in some if (board := self.pick(*each)) is not None}
        with self.step() as expected:
            held = versions.hold(self.connection, waiting, self.now)
            newest = [each for each in waiting if each in expected and expected[each].wanted == waiting[each]]
            for board_id in newest:
                pause = CLAIM_SECONDS if expected[board_id].claims else GRACE_SECONDS
                expected[board_id] = expected[board_id]._replace(look_at=self.now + pause)
        assert sorted(held) == sorted(newest)

    @rule(seconds=TIMES, limit=st.sampled_from([1, 2, 100]))
    def sweep(self, seconds: int, limit: int) -> None:
        """Time passes, or the clock is set back; then a process takes up what lags and is due."""
        self.now += seconds
        if seconds < 0:
            self.set_back(seconds)
        self.claim(limit)

    def set_back(self, seconds: int) -> None:
        for now in (self.now - seconds, self.now):
            with self.step() as expected:
                if (leap := clock.go_on(self.connection, now)) == 0:
                    continue
                for board in self.rows.values():
                    is_ahead = leap < 0 and now <= board.look_at < LOOK_NEVER
                    seen = board.shown_at and min(board.shown_at + leap, now - 1)
                    look_at = board.look_at + (leap if is_ahead else 0)
                    expected[board.id] = board._replace(look_at=look_at, shown_at=seen)

    def claim(self, limit: int) -> Sequence[Board]:
        """The boards that a sweep takes up: those that have waited longest."""
        waits = {board.id: board.look_at for board in self.rows.values() if board.is_lagging}
        due = {board_id: look_at for board_id, look_at in waits.items() if look_at <= self.now}
        assert versions.is_any_due(self.connection, self.now) == bool(due)
        with self.step() as expected:
            claimed, broken = versions.claim_lagging(self.connection, now=self.now, limit=limit)
            for board, record in claimed:
                row = self.rows[board.id]
                expected[board.id] = raised(row, self.now, claims=row.claims + 1, look_at=self.now + CLAIM_SECONDS)
                assert self.own(board) == expected[board.id]
                assert isinstance(record, Record)
                assert record.game.id == board.game_id
                assert board in record.boards
        taken = {board.id for board, _ in claimed}
        assert list(broken) == []
        assert len(taken) == len(claimed) == min(limit, len(due))
        assert taken <= due.keys()
        assert max(map(due.__getitem__, taken), default=0) <= min(
            (due[n] for n in due.keys() - taken), default=LOOK_NEVER
        )
        return [board for board, _ in claimed]

    # What is always so, and what is so in the end.

    def is_newest(self, board: Board) -> bool:
        """Whether nobody has stored a newer version."""
        return board.id in self.rows and self.rows[board.id].wanted == board.wanted

    def stays(self, board: Board) -> bool:
        return self.rows.get(board.id) == board and not board.leaving

    def is_free(self, board: Board) -> bool:
        """Whether a board has a message and isn't moving."""
        moves = any(other.replaces == board.id for other in self.rows.values())
        return has_message(board) and is_in_chat(board) and not moves and not board.aside

    @invariant()
    def only_the_newest_version_is_confirmed_and_only_if_its_owner_has_shown_it(self) -> None:
        for board in self.rows.values():
            assert board.shown <= board.wanted
            assert board.shown == 0 or BoardCall(board.id, board.shown) in self.told

    @invariant()
    def every_board_shows_its_game_or_will_be_looked_at_unless_its_chat_has_refused_it(self) -> None:
        for board in self.rows.values():
            if board.is_lagging:
                assert board.look_at < LOOK_NEVER or board.id in self.refused
            else:
                assert has_message(board)

    @invariant()
    def a_clock_runs_once_the_last_move_is_shown_and_not_before(self) -> None:
        for board in self.rows.values():
            was_seen = any(each == board.id and version >= board.timed_from for each, version in self.seen)
            assert was_seen or board.shown_at is None
            assert board.is_lagging or board.shown_at is not None

    @invariant()
    def no_message_is_two_boards(self) -> None:
        found = [(board.chat_id, board.message_id) for board in self.rows.values() if board.message_id is not None]
        assert len(found) == len(set(found))

    @invariant()
    def one_board_shows_a_game_to_a_chat(self) -> None:
        for game_id, places in self.begun.items():
            for place in places:
                here = self.boards_of(game_id, place)
                standing = [board for board in here if board.replaces not in {other.id for other in here}]
                assert len(standing) == 1
                assert len(here) <= 2, "there's one to come at most"

    def boards_with(self, board: Board) -> Sequence[Board]:
        """All boards of the game of this one."""
        return [other for other in self.rows.values() if other.game_id == board.game_id]

    def boards_of(self, game_id: int, place: Place) -> Sequence[Board]:
        """A game's boards in a chat, without those that go, or are for one person's review."""
        same = (place.chat_id, place.inline_message_id)
        return [
            board
            for board in self.rows.values()
            if board.game_id == game_id and (board.chat_id, board.inline_message_id) == same
            if not board.leaving and not board.aside
        ]

    def rest(self) -> None:
        """Nobody does anything any more, and all chats take messages: the sweep shows every board."""
        for place in (HALL, HOME, BOBS):
            self.let_in(place, under_way=False)
        for board in [board for board in self.rows.values() if board.is_unreachable]:
            assert versions.store_again(self.connection, [Again(board.id)]) != [None]
        self.rows = self.stored()
        for _ in range(3):
            self.now += CLAIM_SECONDS
            for board in self.claim(100):
                if board.leaving:
                    boards.drop(self.connection, board)
                elif board.message_id is None and board.inline_message_id is None:
                    assert boards.settle(self.connection, [Sent(board, self.new_message())]) == [True]
                else:
                    assert versions.confirm(self.connection, {board.id: board.wanted}, ()) == []
            self.rows = self.stored()
        assert [board for board in self.rows.values() if board.is_lagging or board.leaving] == []
        for game_id, places in self.begun.items():
            assert all(len(self.boards_of(game_id, place)) == 1 for place in places)


@pytest.mark.slow
def test_boards_are_right_in_any_order_of_what_processes_do(engine: Engine) -> None:
    examples = 5000 if SOAK else 25
    if engine.dialect.name != "sqlite":
        examples //= 10  # no statement here is written for one database alone
    run_state_machine_as_test(
        partial(Machine, engine),  # type: ignore[arg-type] # anything that makes one
        settings=settings(max_examples=examples, stateful_step_count=80),
    )
