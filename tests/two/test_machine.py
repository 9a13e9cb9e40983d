"""Two players and a stranger press anything in any order; the bot and a model of the rules must agree."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot import acts, boards, challenges, deadlines, play
from bot.deadlines import Patience, Verdict
from bot.play import Board, Player, Refusal
from storage.game import Game, cell_of
from tests.two.model import ANN, BO, CEM, Table

if TYPE_CHECKING:
    from collections.abc import Callable

IDS = {ANN: 101, BO: 102, CEM: 103}
PLAYERS = {name: Player(number, name, name.lower()) for name, number in IDS.items()}
PEOPLE = st.sampled_from([ANN, BO, CEM])
BEHIND = st.sampled_from([0, 0, 0, 0, 1, 2, -1])
"""By how many plies the board that somebody looks at is behind."""
YES = st.booleans()
ACTIONS = (
    *("accept", "put", "undo", "resign", "confirm", "answer", "rematch", "hint", "choose"),
    *("put", "undo", "answer", "accept", "rematch", "resign", "decline", "cancel"),
)


def new_challenge(*, first: bool, named: str | None, by_username: bool = False) -> Game:
    """Ann's challenge."""
    rival = None
    if named is not None:
        rival = Player(0, f"@{named.upper()}") if by_username else PLAYERS[named]
    return challenges.challenge(
        PLAYERS[ANN], first=first, board=Board(-1), language="en", now=0, due_at=10, rival=rival
    )


@dataclass
class Both:
    """The bot's game and the model's."""

    game: Game
    table: Table


class Machine(RuleBasedStateMachine):
    """Every rule does the same to both, and compares."""

    both: Both

    @initialize(
        first=YES,
        named=st.sampled_from([None, None, BO]),
        by_username=YES,
        off=st.sampled_from([set(), set(), set(), {ANN}, {BO, CEM}]),
    )
    def challenge(self, *, first: bool, named: str | None, by_username: bool, off: set[str]) -> None:
        """Ann challenges everybody, or Bo."""
        game = new_challenge(first=first, named=named, by_username=by_username)
        table = Table(ANN if first else None, None if first else ANN, named, refuses_takebacks=off)
        self.both = Both(game, table)

    def same(self, done: object, change: Callable[[Game], tuple[Game, Refusal | None]]) -> None:
        """Let the bot do what the model did, and compare whether it was done."""
        before = self.both.game
        game, refusal = change(before)
        assert (refusal is None) is done, f"the bot says {refusal}, the model {done}"
        if refusal is not None:
            assert game == before, "a refusal changes nothing"
        self.both.game = game

    def ply(self, behind: int) -> int:
        """The ply of a board that is behind."""
        return max(0, self.both.game.ply - behind)

    def accept(self, who: str) -> None:
        """Somebody accepts."""
        self.same(
            self.both.table.accept(who), lambda game: challenges.accept(game, PLAYERS[who], now=1, due_at=20)
        )

    def decline(self, who: str) -> None:
        """Somebody declines."""
        self.same(self.both.table.decline(who), lambda game: challenges.decline(game, PLAYERS[who]))

    def cancel(self, who: str, *, admin: bool) -> None:
        """Somebody cancels."""
        done = self.both.table.cancel(who, admin=admin)
        self.same(done, lambda game: challenges.cancel(game, PLAYERS[who], is_admin=admin))

    def put(self, who: str, cell: int, behind: int) -> None:
        """Somebody taps a cell, perhaps on an old board."""
        ply = self.ply(behind)
        done = cell < 9 and self.both.table.put(who, cell, ply)
        self.same(
            done,
            lambda game: play.tap(game, person=IDS[who], ply=ply, cell=cell, now=2, rng=Random(0)),
        )

    def undo(self, who: str, behind: int) -> None:
        """Somebody presses Undo."""
        ply, table = self.ply(behind), self.both.table
        allowed = table.seated(who) and table.other(who) not in table.refuses_takebacks
        self.same(
            table.undo(who, ply),
            lambda game: acts.undo(game, person=IDS[who], ply=ply, allowed=allowed, now=3),
        )

    def resign(self, who: str, behind: int) -> None:
        """Somebody presses Resign."""
        ply = self.ply(behind)
        self.same(self.both.table.resign(who, ply), lambda game: acts.resign(game, person=IDS[who], ply=ply))

    def confirm(self, who: str, *, yes: bool) -> None:
        """Somebody answers the second thought."""
        self.same(self.both.table.confirm(who, yes=yes), lambda game: acts.confirm(game, person=IDS[who], yes=yes))

    def answer(self, who: str, behind: int, *, yes: bool) -> None:
        """Somebody answers a question."""
        ply, game = self.ply(behind), self.both.game
        offer = acts.offer_of(game)
        if yes and offer is not None and offer.kind == acts.REMATCH and ply == game.ply:
            self.rematch_agreed(who)
        else:
            done = self.both.table.answer(who, ply, yes=yes)
            self.same(done, lambda game: acts.answer(game, person=IDS[who], ply=ply, yes=yes, now=4))

    def rematch_agreed(self, who: str) -> None:
        """Saying yes to a rematch, which the bot takes as asking for one too."""
        agreed = acts.wants_rematch(self.both.game, IDS[who])
        assert self.both.table.answer(who, self.both.game.ply, yes=True) == agreed
        if agreed:
            self.begin_anew()

    def rematch(self, who: str) -> None:
        """Somebody presses Rematch."""
        done = self.both.table.rematch(who)
        if self.both.table.followed:
            assert done
            assert acts.wants_rematch(self.both.game, IDS[who])
            self.begin_anew()
        else:
            self.same(done, lambda game: acts.ask_rematch(game, person=IDS[who]))

    def begin_anew(self) -> None:
        """The rematch is the game now: sides swapped, and the series counted on."""
        game, table = self.both.game, self.both.table
        assert play.refuse_to_follow(game, game.x_seat or 0) is None
        following = play.follow(game, swap=True, update_id=1, now=5, due_at=30, rng=Random(0))
        assert (following.x_seat, following.o_seat) == (game.o_seat, game.x_seat)
        assert (following.x_name, following.o_name) == (game.o_name, game.x_name)
        wins = {game.x_seat: game.x_wins, game.o_seat: game.o_wins}
        if table.winner is not None:
            wins[IDS[table.winner]] += 1
        assert (following.x_wins, following.o_wins) == (wins[following.x_seat], wins[following.o_seat])
        assert following.draws == game.draws + (table.end == "drawn")
        assert following.offer is None
        self.both.game = following
        self.both.table = Table(table.o, table.x, refuses_takebacks=table.refuses_takebacks)

    def hint(self, who: str) -> None:
        """Somebody wants a hint."""
        assert isinstance(acts.hint(self.both.game, person=IDS[who]), Refusal), "never between people"

    def choose(self, who: str, level: str, first: str) -> None:
        """Somebody sends the buttons of a game against the computer."""
        self.same(False, lambda game: play.set_level(game, person=IDS[who], level=level, rng=Random(0)))
        self.same(False, lambda game: play.set_first(game, person=IDS[who], first=first, rng=Random(0)))

    @invariant()
    def agree(self) -> None:
        """Both tell the same of the game."""
        game, table = self.both.game, self.both.table
        game.check()
        assert [cell_of(character) for character in game.moves] == table.cells
        assert (game.x_seat, game.o_seat) == tuple(IDS[who] if who else None for who in (table.x, table.o))
        ends = {"line": "won", "full board": "drawn", "resignation": "resigned"}
        assert ends.get(game.termination or "", game.termination) == table.end
        winner = None if game.winner is None else game.x_seat if game.winner == "X" else game.o_seat
        assert winner == (IDS[table.winner] if table.winner else None)
        offer = acts.offer_of(game)
        asked = None if offer is None else (offer.kind, game.seat(offer.by))
        assert asked == (None if table.question is None else (table.question[0], IDS[table.question[1]]))

    @invariant()
    def the_message_fits_and_says_it(self) -> None:
        """The message keeps Telegram's limits and has the buttons that the model allows."""
        game, table = self.both.game, self.both.table
        view = boards.board(game, "oxo_bot")
        assert 0 < len(view.text) < 4096
        for carried in (view.keyboard or "").split('"callback_data":"')[1:]:
            assert 1 <= len(carried.partition('"')[0]) <= 64
        if table.running and table.question is None and table.cells:
            assert ":undo" in (view.keyboard or "")
        assert ("Accept" in (view.keyboard or "")) == (
            (table.open and table.end is None) or (table.question is not None and table.question[0] != "resign")
        )

    # What people do.

    @rule(action=st.sampled_from(ACTIONS), who=PEOPLE, behind=BEHIND, cell=st.integers(0, 9), yes=YES)
    def press(self, action: str, who: str, behind: int, cell: int, *, yes: bool) -> None:
        """Anybody presses anything."""
        match action:
            case "put":
                self.put(who, cell, behind)
            case "undo" | "resign":
                getattr(self, action)(who, behind)
            case "answer":
                self.answer(who, behind, yes=yes)
            case "confirm":
                self.confirm(who, yes=yes)
            case "cancel":
                self.cancel(who, admin=yes and cell == 0)
            case "choose":
                self.choose(who, "easy" if yes else "perfect", "bot")
            case _:
                getattr(self, action)(who)

    @rule(who=st.sampled_from([BO, CEM]))
    @precondition(lambda self: self.both.table.open)
    def take_up(self, who: str) -> None:
        """Somebody else than Ann accepts, so that games begin."""
        self.accept(who)

    @rule(cell=st.integers(0, 8))
    @precondition(lambda self: self.both.table.running)
    def move(self, cell: int) -> None:
        """Whose turn it is taps a cell, so that games end."""
        who = self.both.table.to_move
        assert who is not None
        self.put(who, cell, 0)

    @rule(cells=st.lists(st.integers(0, 8), min_size=2, max_size=9, unique=True))
    @precondition(lambda self: self.both.table.running)
    def play_on(self, cells: list[int]) -> None:
        """Both move in turn, perhaps until it is over."""
        for cell in cells:
            if self.both.table.running:
                self.move(cell)

    @rule(asks=YES, what=st.sampled_from(["undo", "undo", "undo", "resign"]))
    @precondition(lambda self: self.both.table.running and bool(self.both.table.cells))
    def ask(self, what: str, *, asks: bool) -> None:
        """A player asks for something in a game that runs."""
        who = self.both.table.x if asks else self.both.table.o
        assert who is not None
        getattr(self, what)(who, 0)

    @rule(yes=YES)
    @precondition(lambda self: self.both.table.question is not None)
    def reply(self, *, yes: bool) -> None:
        """Who is asked says yes or no."""
        assert self.both.table.question is not None
        what, asker = self.both.table.question
        if what == "resign":
            self.confirm(asker, yes=yes)
        else:
            self.answer(self.both.table.other(asker) or "", 0, yes=yes)

    @rule(asks=YES)
    @precondition(lambda self: self.both.table.end is not None and not self.both.table.open)
    def want_more(self, *, asks: bool) -> None:
        """A player of a finished game asks for a rematch."""
        who = self.both.table.x if asks else self.both.table.o
        assert who is not None
        self.rematch(who)

    @rule(seconds=st.integers(0, 5))
    def time_does_not_end_what_is_not_due(self, seconds: int) -> None:
        """Looks at the deadline before it come to nothing."""
        game, verdict = deadlines.look(self.both.game, now=seconds, patience=Patience(100, 100, 100))
        assert verdict is Verdict.WAIT
        assert game.termination == self.both.game.termination


Machine.TestCase.settings = settings(max_examples=200, stateful_step_count=40, deadline=None)
TestMachine = Machine.TestCase
