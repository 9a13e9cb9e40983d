"""One game, as a value.

A game is stored as its moves, never as a position: the position is replayed from them, and a game that doesn't
replay is refused (`CorruptGame`) instead of being shown wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any, Final, NamedTuple

from engine import EngineError, Mark, Outcome, Position, Rules, parse_rules
from storage.columns import (
    ChatId,
    ColumnKind,
    Count,
    DataKind,
    DueAt,
    Figure,
    Moment,
    PersonId,
    RowId,
    Since,
    Username,
    Word,
)
from storage.errors import CorruptGame, NewerGame

COMPUTER: Final = 0
"""Stands in a seat for the computer; Telegram gives no person the id 0."""

LEFT: Final = -(2**53)
"""Ids below this stand for forgotten people, another one in each game and cup (`storage.privacy.erasure`); no id
of a person or a chat is so low (Bot API, `User.id` and `Chat.id`)."""

ADMINISTRATOR: Final = LEFT
"""Stands for an administrator who has ended a game and is otherwise unknown."""

NO_NAMES: Final[Mapping[int, str]] = MappingProxyType({})


def is_erased(seat: int | None) -> bool:
    """Whether an id stands for somebody who was forgotten."""
    return seat is not None and seat <= LEFT


class GameKind(StrEnum):
    """Who plays a game."""

    SOLO = "solo"
    PAIR = "pair"
    CHALLENGE = "challenge"
    """One person; the other seat is empty, or was when the challenge was closed."""
    EXHIBITION = "exhibition"
    """The computer against itself, for people to watch."""


class Limits(StrEnum):
    """The time limits of a game (`bot.game.attempt`)."""

    USUAL = "usual"
    """As set by the host."""
    STRANGERS = "strangers"
    """Short ones, for two people paired by matchmaking, and for a challenge that matchmaking may accept."""
    MEANWHILE = "meanwhile"
    """Against the computer, while the person waits for an opponent."""
    CUP = "cup"
    """A game of a cup: each player has a few minutes for their first move. Its sides are fixed by the cup."""
    PRACTICE = "practice"
    """The usual ones; against the computer, from a position of a finished game, and it doesn't count."""


class Termination(StrEnum):
    """Why a game is over."""

    LINE = "line"
    FULL_BOARD = "full board"
    MOVE_LIMIT = "move limit"
    """The rules allow no more moves."""
    RESIGNATION = "resignation"
    TIMEOUT = "timeout"
    AGREEMENT = "agreement"
    """Both agreed on a draw."""
    CANCELLED = "cancelled"
    DECLINED = "declined"
    EXPIRED = "expired"
    """Nobody accepted a challenge, or went on with a game that nobody loses on time (`bot.game.deadlines`)."""


DRAWN: Final = frozenset({Termination.FULL_BOARD, Termination.MOVE_LIMIT, Termination.AGREEMENT})

BY_THE_RULES: Final = frozenset({Termination.FULL_BOARD, Termination.MOVE_LIMIT, Termination.LINE})
"""The terminations that the moves themselves bring about."""


class Offer(StrEnum):
    """A player's question that waits for an answer."""

    TAKEBACK = "takeback"
    RESIGN = "resign"
    """The player has to confirm it."""
    RESIGN_BOTH = "resign both"
    """Both players have to."""
    DRAW = "draw"
    REMATCH = "rematch"


RESIGNING: Final = frozenset({Offer.RESIGN, Offer.RESIGN_BOTH})
"""The questions whether somebody really wants to resign."""

QUESTION: Final = ("offer", "offered_by", "declined", "declined_by")

ORIGIN: Final = ("link", "inline_person", "inline_offer")


class Side(NamedTuple):
    """One of the two sides of a game: X's fields are the columns `x_seat`, `x_level` and so on."""

    seat: PersonId | None = None
    """A person's Telegram id, `COMPUTER`, or None while it is empty."""
    level: Word | None = None
    """The level at which the computer plays; None if a person does."""
    wins: Count = 0
    """How many games of this series the player has won before this one."""

    # As they are shown; None without a rating or milestone, or if the player hides their results.
    rating: Figure | None = None
    """The player's rating before the game ended; if matchmaking paired the players, at that moment."""
    rated: Figure | None = None
    """The player's rating after the game; None if the game isn't rated."""
    reached: Annotated[str, ColumnKind(32)] | None = None
    """Milestones that the player has reached by this game: names with a space in between."""


FIGURES: Final = ("rating", "rated", "reached")
"""The fields of a side that show results of its player."""


class Game(NamedTuple):
    """One game: who plays, the moves, and how it ended. Its boards say where it is shown.

    A named tuple, because a tap makes three of them, in a fifth of the time that a frozen dataclass takes.

    Times are whole seconds since 1970. Every field that a new game need not set has a default, so that a new
    column changes no code that makes games.
    """

    id: RowId
    chat_id: ChatId | None
    """The chat that the game belongs to; None for one of inline mode, whose chat the bot need not know."""
    rules: Word
    """The rules as the engine writes them, such as `3x3x3`."""
    kind: GameKind

    # Who plays.
    x: Side
    o: Side
    next_level: Word | None = None
    """The computer's level in the next game if the level is adaptive; else None."""
    rival_id: PersonId | None = None
    """The person who is challenged; None if the challenge names nobody, or a username."""
    rival_username: Username | None = None
    """The username that is challenged, in lower case: whoever has it may accept."""
    host: PersonId | None = None
    """The person who began an exhibition, and may stop it; None in all other games."""
    any_rules: bool = False
    """Whether somebody who waits for an opponent plays by any rules; two such people play by `rules`."""
    told: Count | None = None
    """How many seconds others typically wait, as somebody who waits is told; None if unknown."""

    # Where it comes from.
    link: Annotated[str, ColumnKind(32, DataKind.LINK)] | None = None
    inline_person: PersonId | None = None
    inline_offer: Annotated[str, ColumnKind(32)] | None = None
    """What tells that offer from the person's others; it can't begin another game."""

    # Play.
    time_limits: Limits = Limits.USUAL
    clock: Count | None = None
    """The seconds that a move may take, if two people have agreed on a clock; else None."""
    round: Count | None = None
    """The round of the cup in which it is played; 0 if it decides the cup, None if it's of none."""
    moves: Annotated[str, ColumnKind(81)] = ""
    """The moves played, X's first; each is one character, as the rules write it."""
    beats: RowId | None = None
    """The shared game of which it began from a position (`bot.features.gauntlets.beat`)."""
    offer: Offer | None = None
    offered_by: Mark | None = None
    declined: Offer | None = None
    """The question that the last change turned down, if any; the board says so until the next change."""
    declined_by: Mark | None = None
    hushed: bool = False
    """Whether the person who is challenged, or asked, has blocked the one who does it: no sound calls them, and
    their own board shows no question. Nobody else is told, and the message looks as always."""
    takebacks: Count = 0
    """How often moves were taken back; with any, the game doesn't count."""
    hints: Count = 0
    """How often the computer has named a good cell; 1 in older games against it, of which that isn't known."""
    spent: Annotated[str, ColumnKind(600)] = ""
    """Between two people, the seconds that each ply took, with a space in between; after a takeback one more: what
    the move that was taken back had taken."""

    left: Mark | None = None
    """Who has left the group where it is shown and isn't back, between two people."""
    removed: bool = False
    """Whether somebody else has removed them from it."""
    due_then: DueAt | None = None
    """While the opponent waits a minute for them to come back: the deadline to look at after that."""

    # End.
    termination: Termination | None = None
    winner: Mark | None = None
    ended_by: PersonId | None = None
    """The person who withdrew or closed the game, or for whom it was because they didn't turn up, if nothing else
    says who; `ADMINISTRATOR` for an unknown one."""

    # Series.
    best_of: Count | None = None
    """The most games in a series, if two people have agreed on one."""
    draws: Count = 0
    next_game: RowId | None = None

    # Times.
    created_at: Since = 0
    """When it was made; between two people whom matchmaking paired, when the later one began to wait."""
    changed_at: Moment = 0
    moved_at: Since = 0
    """Since when the next move is awaited: when the last one was made, or the game began."""
    due_at: DueAt | None = None
    """When to look at the deadline: no later than when something is due."""
    reminded: Count | None = None
    """The ply at which the person to move was reminded, or who waits was asked whether they are there."""

    nudged_at: Since | None = None
    """When a player last nudged the opponent to move."""

    # Record.
    version: Count = 1
    """Counts the changes; 1 for a new game."""

    # Not stored with the game.
    names: Mapping[int, str] = NO_NAMES
    """The names of the people in it, by id, as they were when the game was loaded."""

    def __eq__(self, other: object) -> bool:
        """Whether the stored games are the same, whatever the names."""
        return isinstance(other, Game) and self[:-1] == other[:-1]

    def __ne__(self, other: object) -> bool:
        """The opposite; without this, the tuple's own would count."""
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:-1])

    @classmethod
    def of_row(cls, row: Sequence[Any], names: Mapping[int, str] = NO_NAMES) -> Game:
        """The game of a row of its table."""
        sides = Side._make(row[_X:_O]), Side._make(row[_O:_REST])
        return cls._make((*row[:_X], *sides, *row[_REST:], names))

    @property
    def row(self) -> tuple[Any, ...]:
        """The values of its columns, in the order of its table."""
        return (*self[:_X], *self.x, *self.o, *self[_X + 2 : -1])

    @property
    def position(self) -> Position:
        """The position after all moves.

        Raises:
            CorruptGame: if the moves do not replay.
        """
        try:
            return replay(self.rules, self.moves)
        except EngineError as error:
            raise CorruptGame(self.id, str(error)) from error

    @property
    def ply(self) -> int:
        return len(self.moves)

    @property
    def is_over(self) -> bool:
        return self.termination is not None

    @property
    def turn(self) -> Mark:
        return Mark.O if len(self.moves) % 2 else Mark.X

    def side(self, mark: Mark) -> Side:
        return self.x if mark is Mark.X else self.o

    def with_side(self, mark: Mark, **changes: Any) -> Game:  # noqa: ANN401 - a side's fields
        """The game with some fields of a side changed."""
        side = self.side(mark)._replace(**changes)
        return self._replace(x=side) if mark is Mark.X else self._replace(o=side)

    def seat(self, mark: Mark) -> int | None:
        return self.side(mark).seat

    def name(self, mark: Mark) -> str | None:
        return self.name_of(self.seat(mark))

    def name_of(self, person: int | None) -> str | None:
        return None if person is None else self.names.get(person)

    @property
    def level(self) -> str | None:
        return self.x.level or self.o.level

    @property
    def spent_now(self) -> int:
        """The seconds that were spent on the next ply before its move was taken back."""
        spent = self.spent.split()
        return int(spent[self.ply]) if len(spent) > self.ply else 0

    def mark_of(self, person: int) -> Mark | None:
        if person == self.x.seat:
            return Mark.X
        return Mark.O if person == self.o.seat else None

    @property
    def is_challenge(self) -> bool:
        """Whether a seat is still empty, or was when the challenge was closed."""
        return self.kind is GameKind.CHALLENGE

    @property
    def names_rival(self) -> bool:
        """Whether a challenge is for one person."""
        return self.rival_id is not None or self.rival_username is not None

    @property
    def is_against_computer(self) -> bool:
        return self.kind is GameKind.SOLO

    @property
    def is_exhibition(self) -> bool:
        return self.kind is GameKind.EXHIBITION

    def with_nothing_asked(self) -> Game:
        return self._replace(offer=None, offered_by=None, declined=None, declined_by=None)

    def ended(self, by: Termination, winner: Mark | None = None) -> Game:
        """The game, over for a reason that its moves didn't bring about, with nothing asked."""
        return self.with_nothing_asked()._replace(termination=by, winner=winner)

    @property
    def is_wait(self) -> bool:
        """Whether somebody waits for an opponent: it is a challenge, always by X, that matchmaking may accept."""
        return self.is_challenge and self.time_limits is Limits.STRANGERS

    @property
    def is_between_strangers(self) -> bool:
        return self.time_limits is Limits.STRANGERS and not self.is_challenge

    def check(self) -> Game:
        """Return the game if it is sound.

        Raises:
            CorruptGame: if the moves don't replay, or don't lead to the recorded ending, or a word is unknown.
        """
        asked = (self.offer, self.offered_by, self.declined, self.declined_by)
        words = (self.kind, self.time_limits, *asked, self.left, self.termination, self.winner)
        if not all(word is None or isinstance(word, Enum) for word in words):
            raise NewerGame(self.id, "it has a word of a newer release")
        outcome = self.position.outcome
        found = termination_of(outcome) if outcome else None
        if self.termination != found and (found or self.termination in BY_THE_RULES):
            raise CorruptGame(self.id, f"its moves end by {found}, but {self.termination} is recorded")
        won_by = outcome.winner if outcome else None
        if (self.termination is None or self.termination in BY_THE_RULES) and self.winner != won_by:
            raise CorruptGame(self.id, f"its moves are won by {won_by}, but {self.winner} is recorded")
        return self


# Where the fields of the sides are in a row of the table, which has them in place of `x` and `o`.
_X: Final = Game._fields.index("x")
_O: Final = _X + len(Side._fields)
_REST: Final = _O + len(Side._fields)


def termination_of(outcome: Outcome) -> Termination:
    """The termination of a game that ended by its rules."""
    if outcome.by_limit:
        return Termination.MOVE_LIMIT
    return Termination.FULL_BOARD if outcome.is_draw else Termination.LINE


@lru_cache(maxsize=4096)
def replay(rules: str, moves: str) -> Position:
    """The position that stored moves lead to; the one before the last move is mostly known.

    Raises:
        EngineError: if they do not replay, or the rules are none.
    """
    if not moves:
        return rules_of(rules).start()
    before = replay(rules, moves[:-1])
    (cell,) = before.rules.read_moves(moves[-1])
    return before.play(cell)


@lru_cache(maxsize=256)
def rules_of(text: str) -> Rules:
    """The rules that a game names.

    Raises:
        EngineError: if there are no such rules.
    """
    return parse_rules(text)
