"""People, chats, pairings, puzzles and cups, as values."""

from enum import StrEnum
from typing import Final, NamedTuple

from storage.columns import ChatId, Count, DueAt, Id, Moment, NearTime, PersonId, RowId, Since, Word, ZoneName


class Person(NamedTuple):
    """A person: their Telegram id, name, username and language."""

    id: int
    name: str
    username: str | None = None
    """As Telegram writes it, without its @."""
    language: str | None = None
    """An IETF tag as Telegram sends it."""


class Chat(NamedTuple):
    """What is chosen in a chat for new games; None is the default."""

    id: ChatId
    level: Word | None = None
    first: Word | None = None
    theme: Word | None = None
    as_text: bool = False
    language: Word | None = None
    """The language of its boards, instead of Telegram's; that of a private chat is its person's everywhere."""
    rules: Word | None = None
    """The rules of new games, as the engine writes them."""
    no_comments: bool = False
    """Whether OXO doesn't comment on its moves."""
    left_at: Moment | None = None
    """When the bot left it; None while it's there."""
    season_at: Moment | None = None
    """When the season of a group's leaderboard began; None if it never had one."""
    timezone: ZoneName | None = None
    """Where a group's clocks go by which a cup is planned; None for UTC, which nobody has chosen."""


class Meeting(NamedTuple):
    """Two people who were paired; in the order of the table's columns."""

    game_id: RowId
    person: PersonId
    opponent: PersonId
    rules: Word
    person_since: Moment
    """When each began to wait; seconds since 1970, as is `met_at`, when they were paired."""
    opponent_since: Moment
    met_at: NearTime
    person_any: bool = False
    """Whether each was waiting for any board."""
    opponent_any: bool = False


HEARTS: Final = 3
"""How many wrong tries a puzzle allows."""


class Solving(NamedTuple):
    """How far a person is with the daily puzzle; in the order of the table's columns."""

    person: PersonId
    day: Count
    """The puzzle, by the days since 1970."""
    moves: Word = ""
    """The moves after the puzzle's position: right ones and replies, and perhaps a wrong one, with its reply once
    the person has asked for it. Of a lost puzzle whose solution they have asked for, the solution."""
    missed: bool = False
    """Whether the last try in `moves` is wrong."""
    wrong: Count = 0
    streak: Count = 0
    """How many puzzles in a row they have solved, up to this one or the one before."""
    version: Count = 0
    """Counts tries, so that each tap takes effect once."""
    solved_at: Moment | None = None

    @property
    def is_lost(self) -> bool:
        """Whether all hearts are gone."""
        return self.solved_at is None and self.wrong >= HEARTS


class GroupPuzzle(NamedTuple):
    """The message of the day's puzzle in a group, and its streak; in the order of the table's columns."""

    chat_id: ChatId
    day: Count
    """The puzzle that the message shows, by the days since 1970."""
    thread_id: Id | None = None
    reply_to: Id | None = None
    language: Word | None = None
    """The language of the message, an IETF tag: chosen, or as Telegram sends it."""
    message_id: Id | None = None
    """The message; None until Telegram has confirmed it."""
    solved: Count = 0
    """The last puzzle that somebody there has solved."""
    streak: Count = 0
    """How many puzzles in a row somebody there has solved, up to that one."""


class CupStage(StrEnum):
    """How far a cup is."""

    OPEN = "open"
    """People join it."""
    RUNNING = "running"
    OVER = "over"


class CupResult(StrEnum):
    """How a game of a cup ended."""

    X = "x"
    O = "o"  # noqa: E741 - the mark
    DRAW = "draw"
    NOBODY = "nobody"
    """Nobody gets anything for it: both have left the cup, it wasn't played in time, or the game was deleted."""
    BYE = "bye"
    """A player without an opponent, who gets as much as for a draw."""


class Cup(NamedTuple):
    """A cup of a group, which has one that isn't over, and the last one that is."""

    id: RowId
    chat_id: ChatId
    thread_id: Id | None
    language: Word | None
    """The language of its message, an IETF tag: chosen, or as Telegram sends it."""
    rules: Word
    clock: Count
    """The seconds for each move."""
    stage: CupStage = CupStage.OPEN
    rounds: Count = 0
    """How many rounds it has; 0 before it starts."""
    created_at: Since = 0
    """Since when it is announced or, once it has started, since when its round is played."""
    due_at: DueAt | None = None
    """When to look at it besides at the end of a game: to start it, to drop it, or to make its message again."""
    message_id: Id | None = None
    """Its message; None until Telegram has confirmed it."""
    reply_to: Id | None = None
    drawn_at: NearTime = 0
    """When its message was last to be made again: for all its games together, once in a few seconds."""
    starts_at: DueAt | None = None
    """When it starts by itself; None while too few have joined for that, and once it has started."""
    is_planned: bool = False
    """Whether that is the time that was said for it (`CupPlan`), whoever joins."""


class CupPlan(NamedTuple):
    """A cup of a group that was said to be held later."""

    chat_id: ChatId
    at: Moment
    """When it starts: a time of day, so it stays what it is."""
    is_weekly: bool
    thread_id: Id | None
    language: Word | None
    rules: Word
    clock: Count


class CupPlayer(NamedTuple):
    """Somebody in a cup."""

    cup: RowId
    number: Count
    """In the order in which they joined; the first may start it."""
    person: PersonId
    missed: Count = 0
    """In how many games they haven't made their first move in time."""
    is_out: bool = False
    """Whether they have left since it started or, once it's over, never made a move."""
    place: Count | None = None
    """Their place once it's over, which they share with whoever is equal."""
    away_at: Since | None = None
    """Since when they are out of the group, as somebody has removed them; None while they're there."""


class CupGame(NamedTuple):
    """A game of a cup, by the numbers of its players, or a bye."""

    cup: RowId
    number: Count
    round: Count
    """From 1; beyond the cup's rounds are games that decided between its first two, as cups had once."""
    x: Count
    o: Count | None
    """None for a bye."""
    game_id: RowId | None = None
    """The game; None until it has begun."""
    result: CupResult | None = None
    plies: Count | None = None
    """How many moves were made in it until then; 0 if it is to be played again, as it was cut short."""


class CupState(NamedTuple):
    """A cup with its players and games, each in order."""

    cup: Cup
    players: tuple[CupPlayer, ...] = ()
    games: tuple[CupGame, ...] = ()

    def player(self, person: int) -> CupPlayer | None:
        return next((player for player in self.players if player.person == person), None)

    @property
    def running(self) -> dict[int, CupGame]:
        """Its games under way, by the id of each."""
        return {game.game_id: game for game in self.games if game.result is None and game.game_id is not None}

    @property
    def champions(self) -> tuple[CupPlayer, ...]:
        """Whoever has won it, several if they are equal; nobody before it's over, or if nobody played."""
        return tuple(player for player in self.players if player.place == 1 and not player.is_out)
