"""What is left of people who are gone: nothing that leads from one of their games to another, or to them."""

import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from sqlalchemy import URL, Connection, Engine, select, update

from storage.columns import DAY
from storage.database import empty_log
from storage.games import games, outbox
from storage.games.game import COMPUTER, LEFT, GameKind, Limits, Side, Termination, is_erased
from storage.games.record import Notice, NoticeKind, PictureKey, Place
from storage.people import blocks, cups, matchmaking, people, puzzles
from storage.people.person import Cup, CupGame, CupPlayer, CupResult, CupStage, Meeting, Person, Solving
from storage.privacy import erasure, retention
from storage.results import leaderboards, ratings, results
from storage.schema import CUP_GAMES, FORMER_PAIRS, GAMES, METADATA, REPLAYS
from tests.soak import SOAK
from tests.storage.examples import GROUP, HALL, WON, X_WINS, finish, pass_on, put
from tests.storage.people_everywhere import begin, go_on

NOW: Final = int(time.time())
SEEDS: Final = range(20 if SOAK else 1)
IN_GAMES: Final = {"games": "id", "results": "game_id"}
"""The tables in which aliases of games are, and their columns that say of which game."""


class Thirty:
    """Thirty people who have played each other in every way, of whom ten will be gone."""

    def __init__(self, connection: Connection, rng: Random) -> None:
        """Let them play."""
        self.connection, self.rng = connection, rng
        self.everybody = [Person(rng.randrange(2**44, 2**47), f"Quorb{number}") for number in range(30)]
        self.gone = rng.sample(self.everybody, 10)
        self.others = [person for person in self.everybody if person not in self.gone]
        for person in self.everybody:
            people.see(connection, person)
        for _ in range(45):
            rng.choice((self._in_the_group, self._in_the_group, self._in_private, self._alone))()
        for _ in range(6):
            self._others_than_players()
        self._cup(CupStage.OVER)
        self._cup(CupStage.RUNNING)
        for _ in range(20):
            one, other = self._two()
            blocks.add(connection, one, other)
        for person in rng.sample(self.everybody, 15):
            people.leave(connection, chat_id=GROUP, person=person.id)
            puzzles.save(connection, person, Solving(person.id, NOW // DAY, solved_at=NOW))

    def _two(self) -> Sequence[Person]:
        return self.rng.sample(self.everybody, 2)

    def _seats(self, one: Person, other: Person) -> dict[str, Any]:
        return {"x": Side(one.id), "o": Side(other.id), "names": {}}

    def _in_the_group(self) -> None:
        """Some games that follow each other, the last of them perhaps not over, one with a picture kept."""
        seats = self._seats(*self._two())
        record = put(self.connection, HALL, **seats, chat_id=GROUP, moves=X_WINS[:-1], best_of=3)
        for _ in range(self.rng.randrange(3)):
            finish(self.connection, record.game.id)
            games.keep_picture(self.connection, PictureKey(record.game.id, "still", "look"), "file")
            record = games.load(self.connection, record.game.id)
            following = record.game._replace(termination=None, winner=None)
            _, record = pass_on(self.connection, record, following._replace(moves=X_WINS[:-1]))
            lead = update(GAMES).where(GAMES.c.id == record.game.id - 1)
            self.connection.execute(lead.values(next_game=record.game.id))
        if self.rng.randrange(4):
            finish(self.connection, record.game.id)
        else:
            alone = update(GAMES).where(GAMES.c.id == record.game.id)
            self.connection.execute(alone.values(moves=X_WINS[:1]))

    def _in_private(self) -> None:
        one, other = self._two()
        places = [Place(chat_id=each.id, viewer=each.id) for each in (one, other)]
        met = {"chat_id": one.id, "time_limits": Limits.STRANGERS, "moves": X_WINS[:-1]}
        game_id = put(self.connection, *places, **self._seats(one, other), **met).game.id
        finish(self.connection, game_id)
        matchmaking.note(self.connection, Meeting(game_id, one.id, other.id, "3x3x3", NOW, NOW, NOW))
        outbox.ask(
            self.connection, Notice(0, NoticeKind.RIVALS, game_id, None, one.id, None, None, NOW, one.id, other.id)
        )

    def _alone(self) -> None:
        (person, _), place = self._two(), self.rng.choice((HALL, None))
        place = place or Place(chat_id=person.id, viewer=person.id)
        shared = self.connection.execute(select(GAMES.c.id).limit(1)).scalar()
        own: dict[str, Any] = {
            "x": Side(person.id),
            "moves": X_WINS[:-1],
            "names": {},
            "chat_id": place.chat_id,
            "next_level": "easy",
        }
        finish(self.connection, put(self.connection, place, **own, beats=shared).game.id)

    def _others_than_players(self) -> None:
        """Challenges, an exhibition, and a game that somebody else has closed."""
        one, other = self._two()
        empty: dict[str, Any] = {"x": Side(one.id), "o": Side(), "names": {}, "chat_id": GROUP}
        declined = {"termination": Termination.DECLINED, "rival_id": other.id}
        put(self.connection, HALL, **empty, **self.rng.choice(({"rival_id": other.id}, declined)))
        closed = self._seats(*self._two()) | {"termination": Termination.CANCELLED, "ended_by": one.id}
        record = put(self.connection, HALL, **closed, chat_id=GROUP)
        watched = {"x": Side(COMPUTER, "easy"), "o": Side(COMPUTER, "easy"), "host": one.id, "names": {}}
        over = {**WON, "kind": GameKind.EXHIBITION, "next_game": record.game.id}
        put(self.connection, HALL, **watched, **over, chat_id=GROUP)

    def _cup(self, stage: CupStage) -> None:
        state = cups.add(self.connection, Cup(0, GROUP, None, None, "3x3x3", 60, stage))
        joined = self.rng.sample(self.everybody, 8)
        players = [CupPlayer(state.cup.id, number, person.id) for number, person in enumerate(joined)]
        played = []
        for number in range(16):
            x, o = self.rng.sample(range(8), 2)
            seats = self._seats(joined[x], joined[o])
            record = put(self.connection, HALL, **seats, chat_id=GROUP, moves=X_WINS[:-1], time_limits=Limits.CUP)
            finish(self.connection, record.game.id)
            played.append(CupGame(state.cup.id, number, 1, x, o, record.game.id, CupResult.X))
        cups.save(self.connection, state._replace(players=tuple(players), games=tuple(played)))

    def seen(self) -> list[object]:
        """What those who stay see of themselves and of each other."""
        connection, ids = self.connection, sorted(person.id for person in self.others)
        seen: list[object] = []
        for chat_id in (0, GROUP):
            for person in ids:
                newest = results.newest(connection, person, 1000, chat_id)
                others = [each.opponent if each.opponent in ids else None for each in newest]
                seen += [results.sums_of(connection, person, chat_id), others]
                seen.append([each._replace(opponent=0, chat_id=(each.chat_id or 0) < 0) for each in newest])
            rated = (leaderboards.by_rating(connection, family="", offset=n, chat_id=chat_id) for n in (0, 10, 20))
            # Whoever is gone leaves their place to the next.
            seen.append([each._replace(place=0) for page in rated for each in page if each.person in ids])
        for person in ids:
            seen.append(results.rivalry(connection, ids[0], person).games)
            seen.append(ratings.curve(connection, person, "", 99))
            seen.append(leaderboards.opponents_of(connection, person, ""))
            seen += [results.milestones_of(connection, person), blocks.count(connection, person)]
        theirs = (
            select(GAMES)
            .where(GAMES.c.termination == Termination.LINE, GAMES.c.x_seat.in_(ids))
            .order_by(GAMES.c.id)
        )
        rows = connection.execute(theirs).mappings()
        seen.append([[row[name] for name in ("id", "moves", "winner", "x_rated", "changed_at")] for row in rows])
        return [*seen, ratings.standings_of(connection, ids), blocks.between(connection, ids)]


def links(connection: Connection) -> list[object]:
    """What leads from one game of somebody who is gone to another, or to anything but itself."""
    games_of: dict[int, int] = {}
    found: list[object] = []
    for table in METADATA.sorted_tables:
        for row in connection.execute(select(table)).mappings():
            for alias in (value for value in row.values() if isinstance(value, int) and value < LEFT):
                if table.name in IN_GAMES:
                    of = row[IN_GAMES[table.name]]
                    found += [] if games_of.setdefault(alias, of) == of else [row]
                elif not (
                    table.name == "blocks" or (table.name == "cup_players" and row["number"] == LEFT - 1 - alias)
                ):
                    found.append(row)
    rows = connection.execute(select(GAMES)).mappings().all()
    gone = {row["id"] for row in rows if any(is_erased(row[name]) for name in ("x_seat", "o_seat", "host"))}
    found += [row["id"] for row in rows if row["id"] in gone and {row["next_game"], row["beats"]} - {None}]
    for table in (CUP_GAMES, REPLAYS):
        found += gone & set(connection.execute(select(table.c.game_id)).scalars())
    return [*found, *connection.execute(select(FORMER_PAIRS)).all()]


def found_in_files(url: URL, gone: Sequence[Person]) -> list[Person]:
    """Those of people of whom a file has the id, as a number of SQLite's or as text, or the name."""
    content = b"".join(path.read_bytes() for path in Path(url.database or "").parent.rglob("*") if path.is_file())
    forms = ((each, (each.id.to_bytes(6), str(each.id).encode(), f"{each.name}\0".encode())) for each in gone)
    return [each for each, patterns in forms if any(part in content for part in patterns)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_two_days_after_people_have_gone_nothing_links_two_of_their_games_and_others_see_what_they_saw(
    url: URL, engine: Engine, seed: int
) -> None:
    with engine.begin() as connection:
        thirty = Thirty(connection, Random(seed))
        before = thirty.seen()
    with engine.begin() as connection:
        thirty.connection = connection
        asked, quiet = thirty.gone[:5], thirty.gone[5:]
        for person in quiet:
            erasure.begin_quietly(connection, person.id, NOW)
        begin(connection, *(person.id for person in asked))
        go_on(connection, NOW)
        retention.drop_former_pairs(connection, today=NOW // DAY + 2)
        assert links(connection) == []
        rows = [str(row) for table in METADATA.sorted_tables for row in connection.execute(select(table))]
        assert [each for each in thirty.gone if any(str(each.id) in row for row in rows)] == []
        assert [pair for pair in zip(thirty.seen(), before, strict=True) if pair[0] != pair[1]] == []
    if url.get_backend_name() == "sqlite":
        engine.dispose()
        assert empty_log(url, gaps=True)
        assert found_in_files(url, thirty.gone) == []
