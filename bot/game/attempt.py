"""An attempt at an action: the facts it depends on, a game's states, and why it is refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Final, NamedTuple, TypeAlias

from bot.language import N_, _
from engine import Level, Mark
from storage.columns import DAY
from storage.errors import Refused
from storage.games.game import COMPUTER, RESIGNING, Game, Offer, Termination
from storage.games.record import Place, Record
from storage.people.person import Person

ASK_SECONDS: Final = 10 * 60
"""After so many seconds people who wait for an opponent are asked whether they are still there."""
ANSWER_SECONDS: Final = 3 * 60
"""How many seconds they have to answer that."""

FIRST_MOVE_SECONDS: Final = 3 * 60
"""For each player's first move in a game made by matchmaking; without it the game hasn't begun."""
MOVE_SECONDS: Final = 2 * 60
"""For each move after that."""

CALLED_SECONDS: Final = 60 * 60
"""With a clock of at least so much, or none, a message reminds the player to move; else only the board does."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How many seconds a challenge, a move between two people, and a move against the computer may take."""

    challenge: int = DAY
    move: int = 3 * DAY
    computer: int = 30 * DAY

    @property
    def reminder(self) -> int:
        """After this many seconds without a move, the player to move is reminded."""
        return self.move * 3 // 4

    @property
    def asked(self) -> int:
        """After this many seconds without a sign of life, a waiting person is asked whether they are there."""
        return min(ASK_SECONDS, self.challenge)

    @property
    def answered(self) -> int:
        """How many seconds they have to answer that."""
        return min(ANSWER_SECONDS, self.challenge)


class State(Enum):
    """The state of a game."""

    OPEN = "open"
    """A challenge that nobody has taken yet."""
    WAITING = "waiting"
    """Somebody waits for an opponent: matchmaking may take their challenge, and nobody else."""
    RUNNING = "running"
    THINKING = "thinking"
    """The computer is to move, and needs a search."""
    WATCHED = "watched"
    """A running exhibition."""
    AGREEMENT_ASKED = "agreement asked"
    """Somebody was asked to agree to a takeback, or to a draw."""
    RESIGNATION_ASKED = "resignation asked"
    """Somebody was asked to confirm their resignation."""
    OVER = "over"
    REMATCH_ASKED = "rematch asked"
    FOLLOWED = "followed"
    """Over, and the next game has begun."""
    CLOSED = "closed"
    """A challenge that came to nothing, or a game of two strangers that did."""


class Thought(NamedTuple):
    """Everything the computer's move depends on. A found move counts only if this is unchanged."""

    rules: str
    moves: str
    level: str
    """The name of a level or a strategy."""


class Question(NamedTuple):
    """A question that waits for an answer, and who asked it."""

    offer: Offer
    by: Mark


def question_of(game: Game) -> Question | None:
    """The question that waits for an answer in a game."""
    return None if game.offer is None or game.offered_by is None else Question(game.offer, game.offered_by)


def asking(game: Game, question: Question, *, hushed: bool = False) -> Game:
    """The game with a question that waits for an answer; one that is hushed doesn't reach the opponent."""
    return game._replace(
        offer=question.offer, offered_by=question.by, declined=None, declined_by=None, hushed=hushed
    )


def without_hushed(game: Game, mark: Mark | None) -> Game:
    """The game as a player knows it: without a question from somebody they have blocked."""
    if not game.hushed or (question := question_of(game)) is None or mark is not question.by.other:
        return game
    return game.with_nothing_asked()


def is_asked_to_resign(game: Game, mark: Mark) -> bool:
    """Whether a player was asked to confirm that they resign."""
    question = question_of(game)
    return question is not None and (question.offer is Offer.RESIGN_BOTH or question == (Offer.RESIGN, mark))


def declined_in(game: Game) -> Question | None:
    """What the opponent has just declined, to be shown to the person who asked."""
    if game.declined is None or game.declined_by is None:
        return None
    return Question(game.declined, game.declined_by.other)


def thought_of(game: Game) -> Thought | None:
    """What the computer has to think about in a person's game; None if it isn't to move."""
    return next_thought(game) if is_computers_turn(game) and not game.is_exhibition else None


def is_computers_turn(game: Game) -> bool:
    """Whether a game waits for the computer, perhaps to play itself."""
    return not game.is_over and not game.is_challenge and game.seat(game.turn) == COMPUTER


def next_thought(game: Game) -> Thought:
    """What the computer's next move depends on."""
    return Thought(game.rules, game.moves, game.side(game.turn).level or Level.MEDIUM)


def state_of(game: Game) -> State:
    """The state of a game."""
    if game.is_over:
        if game.is_challenge or (game.is_between_strangers and game.termination is Termination.EXPIRED):
            return State.CLOSED
        if game.next_game is not None:
            return State.FOLLOWED
        return State.OVER if question_of(game) is None else State.REMATCH_ASKED
    if game.is_challenge:
        return State.WAITING if game.is_wait else State.OPEN
    question = question_of(game)
    if question is None:
        if game.is_exhibition:
            return State.WATCHED
        return State.THINKING if game.seat(game.turn) == COMPUTER else State.RUNNING
    return State.RESIGNATION_ASKED if question.offer in RESIGNING else State.AGREEMENT_ASKED


class Refusal(Enum):
    """Why an action is refused: what the person is told, to be translated. A refused action changes nothing."""

    NOT_YOURS = N_("That's someone else's game. Send /newgame to start your own.")
    OVER = N_("This game is over.")
    STALE = N_("The board has changed. Here's how it looks now.")
    OUT_OF_REACH = N_("I can't write here at the moment. The game goes on once I can.")
    TAKEN = N_("That cell is taken. Pick an empty one.")
    NOT_YOUR_TURN = N_("It's not your turn yet.")
    YOUR_TURN = N_("It's your own turn, so there's nobody to nudge.")
    NUDGED_SOON = N_("You can nudge your opponent 12 hours after the last move.")
    NUDGED = N_("One nudge a day is enough. Try again tomorrow.")
    BEGUN = N_("The game has begun. You can change it in the next game.")
    FOLLOWED = N_("The next game has already started, further down.")
    NOBODY_YET = N_("Nobody has accepted the challenge yet.")
    NOT_OPEN = N_("This challenge is no longer open. Send /newgame for a fresh board.")
    OWN_CHALLENGE = N_("That's your own challenge: someone else has to accept it.")
    NOT_FOR_YOU = N_("This challenge is for someone else. Send /newgame for a fresh board.")
    OTHER_NAME = N_(
        "This challenge is for another username. If that's you, too, ask for a new challenge: in reply to one "
        "of your messages, or by link."
    )
    """Telegram tells a bot one username of a person who may have several."""
    NOT_YOUR_CHALLENGE = N_("Only the challenger can do that.")
    NOTHING_TO_TAKE_BACK = N_("You haven't moved yet, so there's nothing to undo.")
    NO_TAKEBACKS = N_("Your opponent doesn't allow undoing moves.")
    NO_DRAW = N_("Two people can agree on a draw from move 10 on, on boards of 4×4 and more, but not in a cup.")
    NO_TAKEBACKS_IN_CUPS = N_("There's no undo in a cup: others are waiting.")
    ASKED = N_("Another question is still waiting for an answer.")
    ASKED_LATELY = N_("You've asked that a few times just now. Try again in half a minute.")
    NOT_ASKED = N_("That's not your question, or it's already answered.")
    OWN_QUESTION = N_("You asked this yourself; your opponent has to answer.")
    USED = N_("This invite has already been used. Type my username in any chat for a new one.")
    """The inline offer has already started its one game, in another message."""
    THINKING = N_("I'm thinking. Ask me again on your turn.")
    COMPUTER_ONLY = N_("I only give hints in games against me.")
    WATCHED = N_("I'm playing myself here. When it's over, you can play the winner.")
    """It is an exhibition, in which nobody has a seat."""
    EXHIBITION_GOES_ON = N_(
        "A computer game is already running here. Only the person who started it or an admin can stop it."
    )
    TOO_MANY_EXHIBITIONS = N_("Too many computer games are running right now. Try again in a minute.")
    NOT_YOURS_TO_STOP = N_("Only the person who started this or an admin can stop it.")
    GROUPS_ARE_SLOW = N_("Telegram limits updates in groups. I can't go faster here.")
    FASTEST = N_("That's as fast as I go.")
    ELSEWHERE = N_("You can't play there: the last move sends you to another board.")
    """The cell is free, but the rules demand a move elsewhere."""
    BOARD_FINISHED = N_("That board is finished. Pick another one.")
    NOT_FINISHED = N_("There's no finished game here to review. Send /newgame for a fresh board.")
    LOOKING_BACK = N_("This is a review: use ‹ and › to step through the game.")
    STILL_LOOKING = N_("I'm still analysing this game. One moment!")
    UNKNOWN = N_(
        "Telegram doesn't tell me whether you're an admin here. Try again in a moment. If that doesn't help, make "
        "me an admin, too, or send the command as the group."
    )
    ONESELF = N_("You can't challenge yourself. To play me, send /newgame with a level.")
    LEFT = N_("Your opponent left. Send /newgame to play someone else.")
    """The opponent has deleted their data."""
    MET = N_("Your opponent is already here! The board is below.")
    """The person who acts waits no more: matchmaking has found somebody."""
    NOT_WAITING = N_("You're not looking for an opponent. Send /play to find one.")
    ANONYMOUS = N_("I can't tell who you are when you post as a group or channel. Please post as yourself.")
    ADMINISTRATORS_ONLY = N_("In a group, only admins can change this.")
    MEANINGLESS = N_("That button is out of date. Send /newgame for a fresh board.")
    ONLY_IN_PRIVATE = N_("That only works in our private chat.")
    TOO_MANY_GAMES = N_("That's the most games at once here ({count}). Finish one first; /games shows them all.")
    TOO_MANY_SENT = N_(
        "The sender has as many games as can run at once ({count}). Once one of them is over, this one can begin."
    )
    TOO_MANY_OPEN = N_("That's the most open challenges here ({count}). Cancel one to send a new one.")
    ENOUGH_FROM_YOU = N_("This player has had enough challenges from you today. Please try again tomorrow.")
    ENOUGH_WAITING = N_("This player has plenty of challenges waiting. Please try again later.")
    SENT_LONG_AGO = N_("I was away when you sent that. If you'd still like it, please send it again.")
    ENOUGH_TODAY = N_("That's enough challenges for today. Please try again tomorrow.")


class Access(Enum):
    """How far an attempt gets."""

    ACT = "act"
    SEE = "see"
    """The person may only see this game here."""
    NOTHING = "nothing"
    """Not even that: nothing happens, and nothing is revealed."""


class NotAllowed(Refused):
    """What is asked for is refused, wherever it is raised: `bot.dispatch` tells the person why."""

    def __init__(
        self, refusal: Refusal, access: Access = Access.ACT, record: Record | None = None, **figures: int
    ) -> None:
        """Refuse it: how far it got, on which game, and the `figures` that the refusal's text names."""
        super().__init__(refusal)
        self.refusal = refusal
        self.access = access
        self.record = record
        self._figures = figures

    @property
    def words(self) -> str:
        return _(self.refusal.value).format(**self._figures)


class OnlyInPrivate(Refused):
    """Somebody can't have that in the chat where they asked, but in their private chat."""


class Unclear(ValueError):
    """What somebody has typed makes no sense; the error's text says why, which `bot.dispatch` tells them."""


OLD_BOARD_REFUSALS: Final = frozenset(
    {
        Refusal.STALE,
        Refusal.OVER,
        Refusal.BEGUN,
        Refusal.FOLLOWED,
        Refusal.NOBODY_YET,
        Refusal.NOT_OPEN,
        Refusal.NOT_ASKED,
        Refusal.MET,
        Refusal.NOT_WAITING,
    }
)
"""The refusals that mean the person sees an old board, which is then shown again if it lags."""


Player: TypeAlias = Person
"""The person who acts."""


class Where(NamedTuple):
    """Where an attempt comes from. Telegram vouches for the message, so a client can't forge it."""

    chat_id: int | None = None
    thread_id: int | None = None
    """The topic in that chat."""
    reply_to: int | None = None
    """What an answer in that chat replies to (`Place`)."""
    message_id: int | None = None
    """The tapped message."""
    inline_message_id: str | None = None
    """The tapped message, where inline mode has sent it."""
    first: str | None = None
    """The data of the first button of the tapped message, which tells what that message is."""
    is_lost: bool = False
    """Whether the bot can't read the tapped message any more, nor edit it: its button alone says what it is."""
    said: str | None = None
    """What the tapped message says, if Telegram tells it."""
    shows: int | None = None
    """The game that the tapped message is a board of, by its first button."""
    link: str | None = None
    """The token of the link that somebody followed."""

    @property
    def place(self) -> Place:
        return Place(self.chat_id, self.thread_id, self.reply_to)


class Facts(NamedTuple):
    """What some decisions need besides the game."""

    is_admin: bool | None = False
    """Whether the person is an administrator of the chat; None if Telegram doesn't say."""
    takebacks_allowed: bool = True
    """Whether the opponent allows takeback requests."""
    level: Level = Level.MEDIUM
    """The computer's level, where it takes a seat or an adaptive game changes its board."""
    adaptive: bool = False
    """Whether that level follows how the person fares."""
    is_blocked: bool = False
    """Whether the opponent, or the challenger, has blocked the person; they never learn it."""
    asked_lately: bool = False
    """Whether the person has asked the opponent the same a moment ago."""
    typical_wait: int | None = None
    """How many seconds people typically wait for an opponent by the rules that are chosen; None if unknown."""


NO_FACTS: Final = Facts()


class Attempt(NamedTuple):
    """Somebody's attempt at an action: who, where, when, and what the decision needs to know."""

    who: Player
    where: Where
    now: int
    """Seconds since 1970."""
    rng: Random
    limits: TimeLimits
    below: int | None = None
    """The message of the command, if it is one; a board out of sight from there moves down to it."""
    facts: Facts = NO_FACTS
    edition: int | None = None
    """The edition of the position that was tapped; None for a command, which means the game as it is."""
