"""Changes games: as many as share a transaction, each by a pure function.

One SELECT loads all the games. Requests are decided in their order, each on what those before it have made of its
game, and one UPDATE a table writes the changes. Games that follow others are stored together, too: at the end, or
earlier if a request is about a game whose next one is yet to be stored.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from storage.errors import CorruptGame, GameNotFound
from storage.games import boards, games, outbox, versions
from storage.games.game import Game
from storage.games.record import Board, Changed, Decision, Record
from storage.once import Once, Repeated, take
from storage.people import people
from storage.people.person import Person
from storage.results import results


class ChangeRequest(NamedTuple):
    """A request to change one game."""

    game_id: int
    decide: Callable[[Record], Decision]
    by: Person | None = None
    """The person who asks for it; if it changes the game, their row is brought up to date."""
    once: Once | None = None
    """Taken if it changes the game."""


class _Passing(NamedTuple):
    position: int
    record: Record
    decision: Decision
    following: Game


def change_games(connection: Connection, requests: Sequence[ChangeRequest]) -> Sequence[Changed | Exception]:
    """Change games; the results, or the errors, are in the order of the requests."""
    changes = _Batch(connection, requests)
    for position, request in enumerate(requests):
        changes.decide(position, request)
    return changes.save()


class _Batch:
    """The games that a transaction changes: as they were loaded, and as they have become."""

    def __init__(self, connection: Connection, requests: Sequence[ChangeRequest]) -> None:
        self._connection = connection
        self._now = int(time.time())
        asking = [request.by.id for request in requests if request.by is not None]
        self._loaded, self._known = games.load_with_people(
            connection, [request.game_id for request in requests], asking
        )
        self._current = dict(self._loaded)
        self._before: Mapping[int, Mapping[int, Board]] = {
            game_id: {board.id: board for board in record.boards}
            for game_id, record in self._loaded.items()
            if isinstance(record, Record)
        }
        """By game, its boards as they were loaded, by id."""
        self._came: dict[int, Board] = {}
        """By id, boards that were added in this transaction, as they were stored."""
        self._passing: dict[int, _Passing] = {}
        """By the id of the game before, decisions whose next game is yet to be stored."""
        self._acted: dict[int, Person] = {}
        """By id, people who have changed a game."""
        self._done: list[Changed | Exception] = []

    def decide(self, position: int, request: ChangeRequest) -> None:
        if request.game_id in self._passing:
            self._pass_on()
        self._done.append(self._decided(position, request))

    def _decided(self, position: int, request: ChangeRequest) -> Changed | Exception:
        game_id, decide, by, once = request
        record = self._current.get(game_id)
        if record is None or isinstance(record, CorruptGame):
            return record or GameNotFound(game_id)
        try:
            decision = decide(record)
        except Exception as error:  # noqa: BLE001 - a pure function's error is its caller's alone
            return error
        if decision.game is record.game:
            return Changed(record, self._before[game_id])
        if once is not None:
            try:
                take(self._connection, once)
            except Repeated as repeated:
                return repeated
        if by is not None:
            self._acted[by.id] = by
        if decision.following is not None:
            self._passing[game_id] = _Passing(position, record, decision, decision.following)
            return Changed(record, self._before[game_id])  # `_pass_on` replaces it
        return self._become(record, decision, None)

    def _become(self, record: Record, decision: Decision, following: Record | None) -> Changed:
        game = games.next_version(decision.game, self._now)
        if following is not None:
            game = game._replace(next_game=following.game.id)
        attention = decision.attention
        is_new = versions.has_new_position(record.game, game)
        newer = [
            versions.of_changed_game(board, self._now, is_new=is_new, attention=attention.get(board.id))
            for board in record.boards
        ]
        new = Record(game, tuple(newer))
        if attention:
            came = boards.come(self._connection, new, attention)
            self._came |= {board.id: board for board in came}
            new = Record(game, (*new.boards, *came))
        self._current[game.id] = new
        notices = tuple([outbox.add(self._connection, notice) for notice in decision.notices])
        return Changed(new, self._before[game.id], following, notices)

    def _pass_on(self) -> None:
        waiting = list(self._passing.values())
        self._passing.clear()
        passed = boards.pass_on(self._connection, [(each.record, each.following) for each in waiting])
        for each, (staying, following) in zip(waiting, passed, strict=True):
            self._done[each.position] = self._become(staying, each.decision, following)

    def save(self) -> Sequence[Changed | Exception]:
        """Write the changes; the result of each request."""
        if self._passing:
            self._pass_on()
        ended: list[Game] = []
        changes: list[tuple[Game, Game]] = []
        newer: list[tuple[Board, Board]] = []
        for game_id, record in self._current.items():
            old = self._loaded[game_id]
            if record is old or isinstance(record, CorruptGame) or isinstance(old, CorruptGame):
                continue
            changes.append((record.game, old.game))
            if record.game.termination is not None and old.game.termination is None:
                ended.append(record.game)
            before = self._before[game_id]
            for board in record.boards:
                stored = before.get(board.id) or self._came[board.id]
                if board is not stored:
                    newer.append((board, stored))
        games.save_many(self._connection, changes)
        versions.store(self._connection, newer)
        if self._acted:
            people.see_many(self._connection, self._acted.values(), self._known)
        for game in ended:
            outbox.tell_sharer(self._connection, game)
        for game in results.add(self._connection, ended, self._now) if ended else ():
            self._rate(game)
        return self._done

    def _rate(self, rated: Game) -> None:
        for position, done in enumerate(self._done):
            if isinstance(done, Changed) and done.record.game.id == rated.id and done.record.game.is_over:
                game = done.record.game._replace(x=rated.x, o=rated.o, next_level=rated.next_level)
                self._done[position] = done._replace(record=done.record._replace(game=game))
