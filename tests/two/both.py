"""A game in the bot's state machine and at the table of the model: whatever is pressed, they agree."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Final

from bot.game import deadlines
from bot.game.acts import Act, Player, Wish
from bot.game.gate import Access, Where
from bot.game.machine import decide, decide_by_clock, decide_by_computer
from bot.game.refusals import Refusal
from bot.game.states import State, free_seat, question_of, state_of, thought_of
from bot.game.time_limits import TimeLimits
from bot.game.watched import chosen, pace_of
from bot.views.boards import board_view
from engine import Mark
from storage.game import COMPUTER as COMPUTER_SEAT
from storage.game import Game, rules_of
from storage.record import Record
from tests.bot.games import GROUP, HERE, board_in
from tests.two.model import (
    ANN,
    BO,
    CEM,
    CHALLENGE_SECONDS,
    COMPUTER,
    COMPUTER_SECONDS,
    MOVE_SECONDS,
    Table,
)
from tests.two.presses import IN_THE_MODEL, Press

if TYPE_CHECKING:
    from bot.game.machine import Ruling
    from storage.record import Decision

IDS: Final = {ANN: 101, BO: 102, CEM: 103, COMPUTER: COMPUTER_SEAT}
PLAYERS: Final = {name: Player(IDS[name], name, name.lower()) for name in (ANN, BO, CEM)}
LIMITS: Final = TimeLimits(CHALLENGE_SECONDS, MOVE_SECONDS, COMPUTER_SECONDS)
ENDS: Final = {"line": "won", "full board": "drawn", "resignation": "resigned", "timeout": "timed out"}
NOBODY: Final = Player(COMPUTER_SEAT, "")


@dataclass
class Both:
    """The bot's game and the model's, side by side."""

    game: Game
    table: Table
    now: int = 0
    rng: Random = field(default_factory=lambda: Random(0))
    cells: set[tuple[State, Act]] = field(default_factory=set)
    """The cells of the machine that were reached."""
    done: set[tuple[State, Act]] = field(default_factory=set)
    """Those in which something was done."""
    old: Both | None = None
    """The last game that was over and has been followed."""

    def copy(self) -> Both:
        """The same situation, to go on from in another way."""
        table = replace(self.table, cells=list(self.table.cells))
        return Both(self.game, table, self.now)

    def press(self, press: Press) -> bool:
        """Let both do the same and compare; the result is whether it was done."""
        before, state = self.game, state_of(self.game)
        decision = decide(Record(before, (board_in(),)), self.wish(press))
        refusal = decision.result.refusal
        expected = self.ask_the_model(press)
        assert (refusal is None) is expected, f"{press}: the bot says {refusal}, the model {expected}"
        if decision.result.access is Access.ACT:
            self.cells.add((state, press.act))
        if refusal is not None:
            assert decision.game is before, "a refusal changes nothing"
            assert decision.following is None
            return False
        self.done.add((state, press.act))
        assert (decision.following is not None) is (self.table.followed and state is not State.FOLLOWED)
        if decision.following is not None:
            self.begin_anew(press, decision)
        else:
            self.game = decision.game
        self.let_the_computer_put()
        self.agree()
        return True

    def wish(self, press: Press) -> Wish:
        """What is pressed, as the bot hears it."""
        table = self.table
        return Wish(
            press.act,
            PLAYERS[press.who],
            HERE,
            self.now,
            self.rng,
            LIMITS,
            ply=max(0, self.game.ply - press.behind),
            cell=press.cell,
            value=press.value,
            is_admin=press.admin,
            takebacks_allowed=table.other(press.who) not in table.refuses_takebacks,
        )

    def ask_the_model(self, press: Press) -> bool:
        """Do in the model what is pressed; the result is whether it was done."""
        ply = max(0, len(self.table.cells) - press.behind)
        return IN_THE_MODEL[press.act](self.table, press, ply, self.now)

    def let_the_computer_put(self) -> None:
        """Let the computer's move, which it must have made if it is its turn, be the model's."""
        if self.table.thinking and not self.table.takes_time:
            assert self.game.ply == len(self.table.cells) + 1
            (*_, cell) = rules_of(self.game.rules).read_moves(self.game.moves)
            assert self.table.put(COMPUTER, cell, len(self.table.cells))

    def begin_anew(self, press: Press, decision: Decision[Ruling]) -> None:
        """The game that follows is the game now: the series is counted on, and sides change but for `again`."""
        game, table, following = decision.game, self.table, decision.following
        assert following is not None
        assert game is not self.game, "only what has become another is stored"
        assert game.offer is None
        self.old = Both(game._replace(next_game=99), table, self.now)
        if table.host is not None:
            self.begin_after_the_watched(press, following)
            return
        swap = not (table.against_computer and press.act is Act.AGAIN)
        seats = (game.o_seat, game.x_seat) if swap else (game.x_seat, game.o_seat)
        assert (following.x_seat, following.o_seat) == seats
        names = (game.o_name, game.x_name) if swap else (game.x_name, game.o_name)
        assert (following.x_name, following.o_name) == names
        wins = {game.x_seat: game.x_wins, game.o_seat: game.o_wins}
        if table.winner is not None:
            wins[IDS[table.winner]] += 1
        assert (following.x_wins, following.o_wins) == (wins[following.x_seat], wins[following.o_seat])
        assert following.draws == game.draws + (table.end == "drawn"), "what was closed is no draw"
        assert (following.id, following.version, following.token, following.next_game) == (0, 1, None, None)
        self.game = following
        x, o = (table.o, table.x) if swap else (table.x, table.o)
        off = table.refuses_takebacks
        self.table = Table(x, o, level=table.level, refuses_takebacks=off, moved_at=self.now, side=table.side)

    def begin_after_the_watched(self, press: Press, following: Game) -> None:
        """The computer plays itself once more for who asked, or the winner plays them; there is no series."""
        game, table = self.game, self.table
        who, levels = press.who, table.levels
        assert levels is not None
        assert (following.x_wins, following.o_wins, following.draws) == (0, 0, 0)
        assert (following.id, following.version, following.token, following.next_game) == (0, 1, None, None)
        if press.act is Act.WATCH:
            assert following.host == IDS[who]
            self.table = Table(COMPUTER, COMPUTER, host=who, levels=levels, slow=table.slow, side=table.side)
        else:
            assert following.host is None
            x, o = (COMPUTER, who) if game.winner is Mark.X else (who, COMPUTER)
            level = levels[game.winner is Mark.O]
            self.table = Table(x, o, level=level, moved_at=self.now, side=table.side)
        self.game = following

    def answer(self) -> None:
        """Let the computer move against itself."""
        game, state = self.game, state_of(self.game)
        cell = chosen(game, self.rng)
        wish = Wish(Act.ANSWER, Player(-1, ""), Where(), self.now, self.rng, LIMITS, ply=game.ply, cell=cell)
        decision = decide_by_computer(Record(game, (board_in(),)), wish)
        again = decide_by_computer(Record(decision.game, (board_in(),)), wish)
        assert again.result.refusal in (Refusal.STALE, Refusal.OVER), "each ply once"
        pace = pace_of(game)
        self.game = decision.game
        assert self.table.put(COMPUTER, cell, len(self.table.cells))
        assert pace_of(self.game) == pace
        self.cells.add((state, Act.ANSWER))
        self.done.add((state, Act.ANSWER))
        self.agree()

    def think(self) -> None:
        """Let the computer move in a game of a person, after a while; an answer to anything else is none."""
        game, state = self.game, state_of(self.game)
        cell = game.position.legal_moves[-1]
        thought = thought_of(game)
        assert thought is not None
        for late in (thought._replace(moves=f"{thought.moves}01"), thought._replace(level="another"), thought):
            wish = Wish(Act.ANSWER, NOBODY, Where(), self.now, self.rng, LIMITS, cell=cell, thought=late)
            decision = decide_by_computer(Record(game, (board_in(),)), wish)
            assert (decision.result.refusal is Refusal.STALE) is (late is not thought)
            again = decide_by_computer(Record(decision.game, (board_in(),)), wish)
            assert late is not thought or again.result.refusal in (Refusal.STALE, Refusal.OVER), "once"
        self.game = decision.game
        assert self.table.put(COMPUTER, cell, len(self.table.cells), self.now)
        self.cells.add((state, Act.ANSWER))
        self.done.add((state, Act.ANSWER))
        self.agree()

    def close(self) -> None:
        """Nobody can see it any more."""
        clock = Wish(Act.EXPIRE, Player(-1, ""), Where(), self.now, self.rng, LIMITS)
        self.game = decide_by_computer(Record(self.game, (board_in(),)), clock).game
        self.table.end = "expired"
        self.cells.add((State.WATCHED, Act.EXPIRE))
        self.done.add((State.WATCHED, Act.EXPIRE))
        self.agree()

    def pass_time(self, seconds: int) -> str | None:
        """Let time pass, and both look at the clock; the result is what they find."""
        self.now += seconds
        state = state_of(self.game)
        found = deadlines.look(self.game, self.now, LIMITS)
        if found.due is None:
            self.game = self.game._replace(due_at=found.again_at)  # as the handler puts it off
        if found.due is Act.ANSWER:
            assert self.table.thinking
            self.game = self.game._replace(due_at=self.now + deadlines.THINKING_SECONDS)  # likewise
        clock = Wish(Act.EXPIRE, Player(-1, ""), Where(), self.now, self.rng, LIMITS)
        decision = decide_by_clock(Record(self.game, (board_in(),)), clock)
        happened = self.table.look_at_the_clock(self.now)
        assert (decision.result.refusal is None) is (happened is not None), f"{decision.result}, but {happened}"
        assert [notice.chat_id for notice in decision.notices] == ([GROUP] if happened == "reminded" else [])
        assert decision.following is None
        self.game = decision.game
        if happened is not None:
            assert found.due is (Act.REMIND if happened == "reminded" else Act.EXPIRE)
            self.cells.add((state, found.due))
            self.done.add((state, found.due))
        self.agree()
        return happened

    def agree(self) -> None:
        """Both tell the same of the game."""
        game, table = self.game, self.table
        game.check()
        assert list(rules_of(game.rules).read_moves(game.moves)) == table.cells
        assert (game.x_seat, game.o_seat) == tuple(IDS[who] if who else None for who in (table.x, table.o))
        if table.levels is None:
            assert game.level == table.level
        else:
            assert (game.x_level, game.o_level) == table.levels
            assert pace_of(game) == (2.0, 1.0, 0.5)[table.pace]
        assert game.host == (None if table.host is None else IDS[table.host])
        assert free_seat(game) == (None if table.free is None else Mark(table.free.upper()))
        assert ENDS.get(game.termination or "", game.termination) == table.end
        winner = None if game.winner is None else game.seat(game.winner)
        assert winner == (IDS[table.winner] if table.winner else None)
        question = question_of(game)
        asked = None if question is None else (question.offer, game.seat(question.by))
        assert asked == (None if table.question is None else (table.question[0], IDS[table.question[1]]))
        assert table.takes_time or not table.thinking, "the computer lets nobody wait without need"
        assert (thought_of(game) is not None) is table.thinking
        assert not table.thinking or game.due_at is not None
        assert game.is_over or game.due_at is not None, "whatever waits comes to its end by itself"

    def check_the_message(self) -> None:
        """The message keeps Telegram's limits and has the buttons that the model allows."""
        game, table = self.game, self.table
        for viewer in (None, IDS[ANN], IDS[BO]):
            view = board_view(game, board_in(viewer=viewer), "oxo_bot")
            keyboard = view.keyboard or ""
            assert 0 < len(view.text) < 4096
            for carried in keyboard.split('"callback_data":"')[1:]:
                assert 1 <= len(carried.partition('"')[0]) <= 64
            assert (":takex" in keyboard) is (table.running and (table.host is not None or table.free == "x"))
            assert (":stop" in keyboard) is (table.running and table.host is not None)
            if table.running and table.question is None and table.cells and not table.fresh and not table.host:
                assert ":undo" in keyboard
            offers = (table.open and table.end is None) or (
                table.question is not None and table.question[0] != "resign"
            )
            asks = table.question is not None and IDS[table.question[1]] == viewer
            assert ("Accept" in keyboard) is (offers and not asks)
            assert ("Withdraw" in keyboard) is (offers and asks)
