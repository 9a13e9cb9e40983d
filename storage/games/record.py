"""A game with its boards, messages besides boards, and decisions about them, as values.

A board is the message that shows a game to somebody, or that is to be sent for it. It follows its game
by versions. A process that will show a state first stores it as the next version, `wanted`, and so owns it;
`shown` is the version that is confirmed (docs/delivery.md, "The protocol of a board").
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Final, NamedTuple

from storage.columns import ChatId, ColumnKind, Count, Id, Moment, NearTime, PersonId, RowId, Since, Word
from storage.games.game import Game

LOOK_NEVER: Final = 2**62
"""When the sweep looks at a board that is unreachable, or at such a message of a cup: its chat takes nothing from
the bot. It lags again once the bot is let back in, or somebody acts there."""


class Place(NamedTuple):
    """Where a new board goes, and for whom."""

    chat_id: int | None = None
    """None for an inline message."""
    thread_id: int | None = None
    """The topic, in a forum or a private chat."""
    reply_to: int | None = None
    """The message that it replies to, so that it comes among the comments below a channel's post."""
    inline_message_id: str | None = None
    viewer: int | None = None
    """The only person who sees it; None if several do."""
    language: str | None = None
    """The language of its text, an IETF tag: chosen, or as Telegram sends it."""

    def at(self, other: Place) -> Place:
        """The same chat, in the topic of another place there, or in reply to the same message."""
        return self._replace(thread_id=other.thread_id, reply_to=other.reply_to)


class Attention(NamedTuple):
    """What a change of a game means for the people who see one of its boards."""

    acted_at: int
    called: bool
    """Both are the board's new values."""
    to: Place | None = None
    """Where the board comes as a new message if it is out of sight."""
    person: int | None = None
    """The person whom that message calls, unless they want no notices; None if they asked for it."""
    is_last: bool = False
    """Whether they may lose on time: it also comes in a group if they want notices in their own chat alone."""


class Page(NamedTuple):
    """What a board shows of its game, by its columns; by default, all of the game (`bot.game.pages`)."""

    shows: str | None = None
    """A page of a running game with the game's version when it was opened, such as `rules@12`, or a step of a
    review with the ply and perhaps a cell, such as `answer:5:3`; None for the whole game."""
    reviewer: int | None = None
    """The person who has opened the review on a board for several people; None on a board for one."""


WHOLE: Final = Page()


class Board(NamedTuple):
    """One board of a game; the defaults are those of a new board."""

    id: RowId
    game_id: RowId
    chat_id: ChatId | None
    """None for an inline message."""
    thread_id: Id | None = None
    reply_to: Id | None = None
    message_id: Id | None = None
    """The message that is the board; None until Telegram has confirmed it."""
    inline_message_id: Annotated[str, ColumnKind(64)] | None = None
    viewer: PersonId | None = None
    """The only person who sees it; None if several do."""
    language: Word | None = None
    """The language of its text, an IETF tag: chosen, or as Telegram sends it."""
    theme: Word | None = None
    """As chosen in the chat when it was made, like every field that `Chat` has, too; None for the default."""
    as_text: bool = False
    no_comments: bool = False
    shows: Annotated[str, ColumnKind(32)] | None = None
    """This and the next are its `Page`."""
    reviewer: PersonId | None = None
    aside: bool = False
    """Whether it is for one person's review alone, or shares the game, besides the boards it was played on."""
    replaces: RowId | None = None
    """The board that goes once this one has its message, because it takes that one's place."""
    leaving: bool = False
    """Whether another board has taken its place, so that its message is to be removed."""
    wanted: Count = 1
    """The newest version, 1 for a new board; counts the game's changes and whatever else must be shown again."""
    shown: Count = 0
    """The newest version that Telegram is known to show, or that needs no more calls; 0 before the first."""
    shown_at: Since | None = None
    """When Telegram first showed the last move on it, or anything newer; seconds since 1970, None until then.

    It is None again while a group's board can't be seen (`hide` in `storage.games.versions`)."""
    timed_from: Count = 1
    """The version that brought the last move: once Telegram has shown it, or a later one, a clock runs."""
    look_at: NearTime = 0
    """When the sweep may take it up if `wanted` is not shown by then; seconds since 1970, or `LOOK_NEVER`."""
    claims: Count = 0
    """How often the sweep has taken it up since it was last changed."""
    acted_at: Moment = 0
    """When it was made, or when the person to answer on it last acted (its viewer, if it has one); seconds since
    1970."""
    called: bool = False
    """Whether it called somebody who hasn't acted since; until then nothing calls them again."""

    @property
    def is_anywhere(self) -> bool:
        """Whether it has a message, or waits for one: not if the game was over when its group was upgraded."""
        return self.message_id is not None or self.inline_message_id is not None or self.is_lagging

    @property
    def is_lagging(self) -> bool:
        return self.shown < self.wanted

    @property
    def is_unreachable(self) -> bool:
        """Whether nothing is tried until its chat takes something again."""
        return self.look_at == LOOK_NEVER and self.is_lagging

    @property
    def page(self) -> Page:
        return Page(self.shows, self.reviewer)

    def showing(self, page: Page) -> Board:
        return self._replace(**page._asdict())

    def unseen(self) -> Board:
        """The board with a position that nobody has seen yet."""
        return self._replace(timed_from=self.wanted, shown_at=None)

    @property
    def place(self) -> Place:
        """Where it is, as another board of the same kind would be put there."""
        there = self.chat_id, self.thread_id, self.reply_to, self.inline_message_id
        return Place(*there, self.viewer, self.language)


NO_ATTENTION: Final[Mapping[int, Attention]] = MappingProxyType({})


class Record(NamedTuple):
    """A game with its boards, oldest board first."""

    game: Game
    boards: tuple[Board, ...]

    def boards_in(self, chat_id: int | None) -> list[Board]:
        """The boards in a chat, without those that are moving elsewhere."""
        return [board for board in self.boards if board.chat_id == chat_id and not board.leaving]


class Decision(NamedTuple):
    """A decision about a game: what it becomes, and perhaps the next game."""

    game: Game
    following: Game | None = None
    notices: tuple[Notice, ...] = ()
    attention: Mapping[int, Attention] = NO_ATTENTION
    """By the id of a board, what the change means for the people who see it; for other boards, nothing."""


class Changed(NamedTuple):
    """A game after a request to change it."""

    record: Record
    before: Mapping[int, Board]
    """Its boards before the transaction, by id."""
    following: Record | None = None
    notices: tuple[Notice, ...] = ()


SHARED_PAGE: Final = "gauntlet@"
"""How the page begins of a message that shares a won game; the ply from which others play follows."""


class TryScore(NamedTuple):
    """Somebody on the scoreboard of a shared game."""

    name: str
    plies: int | None
    """How many moves their quickest win had; None if they haven't won."""


class Gauntlet(NamedTuple):
    """A game that was shared for others to do better."""

    game: Game
    scores: tuple[TryScore, ...] = ()
    """If it was won: who has played the winner's side, the winner included, best first; nobody who hides."""
    is_told: bool = False
    """Whether its player may hear how the reader does."""


class NoticeKind(StrEnum):
    """What a notice is about."""

    ANIMATION = "animation"
    STILL = "still"
    CHART = "chart"
    RIVALS = "rivals"
    """How two people's games with each other went."""
    EXPORT = "export"
    PUZZLE = "puzzle"
    """A person's reminder of the day's puzzle, or the message of a group's."""
    CUP = "cup"
    """The message of a cup is edited where it is, or sent again if it is gone."""
    ROUND = "round"
    """The message of a cup comes below as a new one, as it was announced, a round begins, or it is over."""
    FORMER_CUP = "former cup"
    """A message of a cup, which another one has replaced: it goes."""
    BEATEN = "beaten"
    """How somebody did from a position of a game that the person has shared."""
    FORGOTTEN = "forgotten"
    """Somebody's data are deleted: the last message to them."""


UNASKED: Final = (
    NoticeKind.PUZZLE,
    NoticeKind.CUP,
    NoticeKind.ROUND,
    NoticeKind.FORMER_CUP,
    NoticeKind.BEATEN,
)
"""What nobody waits for, so that one that Telegram may have isn't sent again soon."""


class Notice(NamedTuple):
    """A message to be sent to a chat."""

    id: RowId
    kind: NoticeKind
    game_id: RowId | None
    ply: Count | None
    chat_id: ChatId
    thread_id: Id | None
    language: Word | None
    look_at: NearTime
    """When another process may take it up or, once it is said, when the same may be asked for again; seconds since
    1970."""
    person: PersonId | None = None
    subject: PersonId | None = None
    """The person whose results or data it contains."""
    family: Word = ""
    """The family of rules whose results a chart shows; all if empty."""
    here: bool = False
    said: bool = False
    """Whether it was sent, and is only kept so that the same can't be asked for again right away."""
    reply_to: Id | None = None
    """The message that it replies to, or that is to go."""
    cup: RowId | None = None
    """The cup that it is about."""

    @property
    def is_of_group_puzzle(self) -> bool:
        """Whether it is the message of the day's puzzle in a group, which is sent or edited."""
        return self.kind is NoticeKind.PUZZLE and self.chat_id < 0


class PictureKey(NamedTuple):
    """Everything on which a picture of a finished game depends."""

    game_id: RowId
    form: Word
    """`animation` or `still`."""
    look: Annotated[str, ColumnKind(32)]
    """A digest of all else: the theme, and what is written in it."""
