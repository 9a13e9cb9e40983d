"""The SQL that hides a person's results from others, also on boards that have shown a rating or a milestone."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, or_, update

from storage.games import gauntlets, outbox, versions
from storage.games.game import FIGURES
from storage.games.versions import Stored
from storage.people import people, puzzles
from storage.people.person import Person
from storage.privacy.personal import game_ids
from storage.results import ratings
from storage.schema import GAMES, SIDE_COLUMNS

SHOWN_AGAIN: Final = 20
"""How many games are cleared in one transaction; the first, with the newest, also redraws them."""

ABOVE_ALL: Final = 2**62
"""Above all ids of games."""


def hide(connection: Connection, person: Person) -> None:
    """Hide a person's results from others; then call `clear` as long as there is more."""
    people.choose(connection, person, "hidden", is_so=True)
    outbox.put_puzzles(connection, puzzles.shown_in(connection, person.id))
    tried = game_ids(connection, person.id, GAMES.c.beats.is_not(None), SHOWN_AGAIN)
    gauntlets.note_gone(connection, tried)
    ratings.lock(connection)  # whatever ends before this is committed shows them, and is found by `clear`


def clear(
    connection: Connection, person: int, now: int, before: int = ABOVE_ALL
) -> tuple[Sequence[Stored], int | None]:
    """Take the results of somebody who hides them out of some of their games: the newest `before` a game.

    The boards that are to be redrawn, which are those of the newest games of all, and before which game the next
    portion begins; None at the end.
    """
    own = [(side["seat"] == person, [side[name] for name in FIGURES]) for side in SIDE_COLUMNS.values()]
    shown = or_(*(is_theirs & figure.is_not(None) for is_theirs, figures in own for figure in figures))
    newest = game_ids(connection, person, shown & (GAMES.c.id < before), SHOWN_AGAIN)
    if not newest or not people.is_hidden(connection, person):
        return (), None
    for is_theirs, figures in own:
        gone = {**dict.fromkeys(figures), GAMES.c.version: GAMES.c.version + 1}
        connection.execute(update(GAMES).where(GAMES.c.id.in_(newest), is_theirs).values(gone))
    return versions.redraw(connection, newest, now) if before == ABOVE_ALL else (), newest[-1]
