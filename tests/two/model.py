"""The rules of a game as you'd explain them at a table, written without the bot's code."""

from dataclasses import dataclass, field

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
LINES_OF = {
    3: LINES,
    4: (
        *((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11), (12, 13, 14, 15)),
        *((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)),
        *((0, 5, 10, 15), (3, 6, 9, 12)),
    ),
}
"""What wins, by how many cells a side of the board has."""
ANN, BO, CEM = "Ann", "Bo", "Cem"
COMPUTER = "the computer"

CHALLENGE_SECONDS, MOVE_SECONDS, COMPUTER_SECONDS, LEFT_SECONDS = 100, 400, 1000, 60
"""How long a challenge waits, how long who is to move may think, and how long the computer waits for a person."""

HOUR = 3600


@dataclass
class Table:
    """A game between Ann and the computer, or whoever accepts her challenge."""

    x: str | None
    o: str | None
    """Who plays which mark; None is the empty seat of a challenge."""
    named: str | None = None
    """The person whom the challenge names."""
    level: str | None = None
    """The computer's level, if it plays."""
    cells: list[int] = field(default_factory=list)
    end: str | None = None
    """None while the game goes on, else won, drawn, agreed, resigned, timed out, cancelled, declined, expired."""
    winner: str | None = None
    question: tuple[str, str] | None = None
    """The open question and who asked it last: takeback, draw, resign, resign both or rematch."""
    followed: bool = False
    refuses_takebacks: set[str] = field(default_factory=set)
    moved_at: int = 0
    """When the clock of the player to move started."""
    took: list[int] = field(default_factory=list)
    """Between two people, the seconds that each move took."""
    used: int = 0
    """The seconds that the player to move has used before, for the move that was taken back."""
    nudged_at: int | None = None
    """When somebody last nudged the other."""
    lost_at: int | None = None
    """When the game is lost on time, once the person to move was reminded."""
    host: str | None = None
    """The person who lets the computer play itself."""
    pace: int = 0
    """How often somebody asked it to be faster."""
    slow: bool = True
    """Whether it's played where the pace is fixed."""
    levels: tuple[str, str] | None = None
    """The computer's levels as X and O when it plays itself."""
    side: int = 3
    """The number of cells on a side."""
    taken_back: bool = False
    """Whether a move was ever taken back."""
    clock: int = 0
    """The time for a move that two people agreed on; 0 if none."""
    best_of: int = 1
    """The length of the series in games."""
    seeks: bool = False
    """Whether it waits for an opponent who is found for it, instead of whoever accepts."""
    suits_all: bool = False
    """Whether that may be on any board."""
    gone: str | None = None
    """Who has left the group some time ago and hasn't moved since."""

    @property
    def open(self) -> bool:
        return self.x is None or self.o is None

    @property
    def to_move(self) -> str | None:
        return self.o if len(self.cells) % 2 else self.x

    def other(self, who: str) -> str | None:
        return self.o if who == self.x else self.x

    def seated(self, who: str) -> bool:
        return who in (self.x, self.o)

    @property
    def takes_time(self) -> bool:
        return self.side > 3 and self.level != "beginner"

    @property
    def thinking(self) -> bool:
        return self.running and self.host is None and self.to_move == COMPUTER

    @property
    def running(self) -> bool:
        return not self.open and self.end is None

    @property
    def against_computer(self) -> bool:
        return COMPUTER in (self.x, self.o)

    @property
    def fresh(self) -> bool:
        """Whether the person has never moved against the computer."""
        begun = self.taken_back or len(self.cells) >= (1 if self.o == COMPUTER else 2)
        return self.running and self.against_computer and not begun

    # Actions; each returns whether it was done.

    def accept(self, who: str, now: int = 0) -> bool:
        if not self.open or self.seeks or self.end or self.seated(who) or self.named not in (None, who):
            return False
        self._sit_down(who, now)
        return True

    def decline(self, who: str, *, admin: bool) -> bool:
        """Decline a challenge that names this person; whoever may withdraw it does."""
        if not self.open or self.seeks or self.end or self.named is None:
            return False
        if self.named != who:
            return self.cancel(who, admin=admin)
        self.end = "declined"
        return True

    def cancel(self, who: str, *, admin: bool) -> bool:
        if not self.open or self.end or not (admin or self.seated(who)):
            return False
        self.end = "cancelled"
        return True

    def let_computer_play(self, who: str, level: str, now: int = 0) -> bool:
        """Play the computer instead, since nobody accepts the challenge."""
        if not self.open or self.seeks or self.end or not self.seated(who):
            return False
        self.level = level
        self._sit_down(COMPUTER, now)
        return True

    def put(self, who: str, cell: int, ply: int, now: int = 0) -> bool:
        if not self.running or who != self.to_move or ply != len(self.cells) or cell in self.cells:
            return False
        if not 0 <= cell < self.side**2:
            return False
        self.took[len(self.cells) :] = [max(0, self.used + now - self.moved_at)]
        self.used = 0
        self.cells.append(cell)
        self.gone = None if who == self.gone else self.gone
        if who != COMPUTER:
            self.question = None
        if who != COMPUTER or self.takes_time:
            self._time_runs(now)
        own = set(self.cells[(len(self.cells) - 1) % 2 :: 2])
        if any(set(line) <= own for line in LINES_OF[self.side]):
            self.end, self.winner, self.question = "won", who, None
        elif len(self.cells) == self.side**2:
            self.end, self.question = "drawn", None
        return True

    def take_back(self, who: str, ply: int, now: int = 0) -> bool:
        """Take back this person's last move and what followed; a human opponent is asked first."""
        if not self.running or not self.seated(who) or ply != len(self.cells):
            return False
        if len(self.cells) < (1 if who == self.x else 2):
            return False
        if self.against_computer:
            self._take_off(who, now)
            return True
        if self.question or self.other(who) in self.refuses_takebacks:
            return False
        self.question = ("takeback", who)
        return True

    def offer_draw(self, who: str, ply: int) -> bool:
        """Offer a draw, or agree to the opponent's, once ten marks stand on a board of sixteen cells."""
        if not self.running or not self.seated(who) or ply != len(self.cells):
            return False
        if self.against_computer or self.side < 4 or len(self.cells) < 10:
            return False
        if self.question == ("draw", self.other(who)):
            self.end, self.question = "agreed", None
            return True
        if self.question:
            return False
        self.question = ("draw", who)
        return True

    def resign(self, who: str, ply: int) -> bool:
        if not self.running or not self.seated(who) or ply != len(self.cells):
            return False
        if self.question is None or not self.question[0].startswith("resign"):
            self.question = ("resign", who)
        elif self.question == ("resign", self.other(who)):
            self.question = ("resign both", who)
        return True

    def confirm(self, who: str, *, yes: bool) -> bool:
        both = self.question is not None and self.question[0] == "resign both" and self.seated(who)
        if not self.running or not (both or self.question == ("resign", who)):
            return False
        self.question = ("resign", self.other(who) or "") if both and not yes else None
        if yes:
            self.end, self.winner = "resigned", self.other(who)
        return True

    def nudge(self, who: str, ply: int, now: int) -> bool:
        """Call the opponent, who has had the move for half a day, once a day."""
        waits = self.running and not self.thinking and who == self.other(self.to_move or "")
        if not waits or self.question or ply != len(self.cells) or now - self.moved_at < 12 * HOUR:
            return False
        if self.nudged_at is not None and now - self.nudged_at < 24 * HOUR:
            return False
        self.nudged_at = now
        return True

    def claim(self, who: str) -> bool:
        """End a game whose other player has left; with fewer than two moves each nobody wins."""
        if not self.running or not self.seated(who) or self.gone != self.other(who):
            return False
        self.question = None
        self.end, self.winner = ("expired", None) if len(self.cells) < 4 else ("resigned", who)
        return True

    def answer(self, who: str, ply: int, *, yes: bool, now: int = 0) -> bool:
        """Say yes or no to a takeback, a draw or a rematch."""
        if not self.seated(who) or self.question is None or ply != len(self.cells):
            return False
        what, asker = self.question
        if what.startswith("resign") or (yes and who == asker):
            return False
        self.question = None
        if yes and what == "takeback":
            self._take_off(asker, now)
        elif yes and what == "draw":
            self.end = "agreed"
        elif yes:
            self.followed = True
        return True

    def rematch(self, who: str) -> bool:
        """Ask for a rematch, or agree to the opponent's; the computer always agrees."""
        if self.open or self.end is None or not self.seated(who) or self.followed:
            return False
        if self.against_computer or self.question == ("rematch", self.other(who)):
            self.question, self.followed = None, True
            return True
        if self.question:
            return False
        self.question = ("rematch", who)
        return True

    def set_level(self, who: str, level: str) -> bool:
        if not self.fresh or not self.seated(who):
            return False
        if level != self.level:
            self.level, self.cells, self.question = level, [], None
        return True

    def set_first(self, who: str, *, oneself: bool) -> bool:
        if not self.fresh or not self.seated(who):
            return False
        if oneself != (self.x == who):
            self.x, self.o, self.cells, self.question = self.o, self.x, [], None
        return True

    def turn_page(self, who: str, ply: int, *, rules: bool) -> bool:
        if ply != len(self.cells) or not self.seated(who) or self.end:
            return False
        if rules:
            return self.open or self.fresh
        return self.open or self.against_computer or self.to_move == who

    def may_wait_on(self, who: str) -> bool:
        """Whether this person waits for an opponent."""
        return self.seeks and self.seated(who) and self.end is None

    def wait_on(self, who: str, now: int, *, suits_all: bool | None = None) -> bool:
        """Go on waiting for an opponent, perhaps on any board."""
        if not self.may_wait_on(who):
            return False
        self.suits_all = self.suits_all if suits_all is None else suits_all
        self._time_runs(now)
        return True

    def choose_rules(self, who: str, side: int, now: int = 0) -> bool:
        """Choose the board, in this person's own challenge or before their first move."""
        if not self.seated(who) or self.end or not (self.open or self.fresh):
            return False
        if self.seeks and (side != self.side or self.suits_all):
            self.wait_on(who, now, suits_all=False)
        if side != self.side:
            self.side, self.cells, self.question = side, [], None
        return True

    def set_clock(self, who: str, seconds: int) -> bool:
        """Choose the time for a move, in this person's own challenge."""
        if not self.seated(who) or self.end or not self.open or self.seeks:
            return False
        self.clock = seconds
        return True

    def set_series(self, who: str, best_of: int) -> bool:
        """Choose the length of the series, in this person's own challenge."""
        if not self.seated(who) or self.end or not self.open or self.seeks:
            return False
        self.best_of = best_of
        return True

    # The computer plays itself.

    def stop(self, who: str, *, admin: bool) -> bool:
        if not self.host or self.end or not (admin or who == self.host):
            return False
        self.end = "cancelled"
        return True

    def faster(self) -> bool:
        """Let it play faster: there are three paces."""
        if not self.host or self.end or self.slow or self.pace == 2:
            return False
        self.pace += 1
        return True

    def watch_again(self) -> bool:
        if not self.host or self.end is None or self.followed:
            return False
        self.followed = True
        return True

    def may_review(self, who: str) -> bool:
        """Review a finished game, which doesn't change it."""
        return self.end is not None and not self.open and (self.seated(who) or who == self.host)

    def goes_on_at(self, ply: int) -> bool:
        """Whether one could still move then."""
        return ply < len(self.cells) or (ply == len(self.cells) and self.end not in ("won", "drawn"))

    def may_play_out(self, ply: int, cell: int) -> bool:
        """Play on against the computer after another cell than the one that was played then."""
        before = self.cells[:ply]
        own = {*before[ply % 2 :: 2], cell}
        wins = any(set(line) <= own for line in LINES_OF[self.side])
        is_free = 0 <= cell < self.side**2 and cell not in before
        return self.goes_on_at(ply) and is_free and not wins and len(before) + 1 < self.side**2

    def may_be_helped(self, who: str) -> bool:
        """Ask the computer for a hint, against itself."""
        return self.running and self.against_computer and self.seated(who) and not self.thinking

    def play_winner(self) -> bool:
        """Play the side that has won a watched game."""
        return self.winner is not None and self.host is not None and self.watch_again()

    # The clock.

    @property
    def move_seconds(self) -> int:
        """The time for a move; after three quarters of it, the player is reminded."""
        return self.clock or MOVE_SECONDS

    def look_at_the_clock(self, now: int) -> str | None:
        """What the clock does: reminded, expired, timed out, or None."""
        reminder = self.move_seconds * 3 // 4
        if self.end or self.host:
            return None
        if self.seeks and self.lost_at is None:
            if now < self.moved_at + CHALLENGE_SECONDS:
                return None
            self.lost_at = now + CHALLENGE_SECONDS
            return "reminded"
        if self.seeks and now < (self.lost_at or 0):
            return None
        if self.open or self.against_computer:
            if not self.seeks and now < self.moved_at + (CHALLENGE_SECONDS if self.open else COMPUTER_SECONDS):
                return None
            self.end, self.question = "expired", None
        elif self.lost_at is None:
            if now < self.moved_at + reminder - self.used:
                return None
            # If the reminder is late because the bot was down, the player still gets the usual time after it.
            self.lost_at = now + min(self.move_seconds - reminder, max(0, self.move_seconds - self.used))
            return "reminded"
        elif now < self.lost_at:
            return None
        elif self.gone == self.other(self.to_move or ""):
            self.end, self.question = "expired", None
        else:
            self.end, self.winner, self.question = "timed out", self.other(self.to_move or ""), None
        return self.end

    def stand_still(self, seconds: int, now: int) -> bool:
        """Nobody can be heard for a while; whether the time for a move, or an answer, begins again."""
        if self.end or self.host:
            return False
        self.moved_at += seconds
        self.lost_at = None if self.lost_at is None else self.lost_at + seconds
        self.nudged_at = None if self.nudged_at is None else self.nudged_at + seconds
        if self.open or self.against_computer:
            least = CHALLENGE_SECONDS if self.seeks else None
        else:
            least = self.move_seconds
        if least is None or seconds * 4 < least:
            return False
        self.used = 0
        self._time_runs(now)
        return True

    def _sit_down(self, who: str, now: int) -> None:
        if self.x is None:
            self.x = who
        else:
            self.o = who
        self._time_runs(now)

    def _take_off(self, who: str, now: int) -> None:
        """Take back all marks from this person's last one on."""
        self.taken_back = True
        parity = 0 if who == self.x else 1
        while (len(self.cells) - 1) % 2 != parity:
            self.cells.pop()
        self.cells.pop()
        self.question = None
        self._time_runs(now)
        if not self.against_computer:
            self.used = self.took[len(self.cells)]

    def leave(self, who: str) -> None:
        """Somebody has left for a minute, in which the clock stood still; for their own move, it does so once."""
        self.gone = who
        stood = LEFT_SECONDS + (min(0, self.used) if who == self.to_move else 0)
        self.used -= stood
        self.lost_at = None if self.lost_at is None else self.lost_at + stood

    def _time_runs(self, now: int) -> None:
        self.moved_at, self.lost_at = now, None
