"""A game in the bot's state machine and in the model: whatever is pressed, they agree."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Final

from bot.boards.board import board_view
from bot.boards.players import scene_of
from bot.game import deadlines, departures
from bot.game.actions import Action, Permission
from bot.game.attempt import (
    Access,
    Attempt,
    Facts,
    NotAllowed,
    Player,
    Refusal,
    State,
    TimeLimits,
    Where,
    next_thought,
    question_of,
    state_of,
    thought_of,
)
from bot.game.deadlines import BeginAgain, Due, Expire, Remind
from bot.game.exhibitions import ComputerMove, WatchAgain, next_move, tempo_of
from bot.game.gate import decide, decide_again, decide_by_clock, decide_by_computer
from bot.game.new_game import Accept, LetComputerPlay, seen_with
from engine import Level, Mark
from storage.columns import Time
from storage.games.game import COMPUTER as COMPUTER_SEAT
from storage.games.game import Game, rules_of
from storage.games.record import Decision, Record
from storage.schema import GAMES
from tests.bot.games import GROUP, HERE, board_in, why_not
from tests.bot.reading import labels
from tests.two.model import ANN, BO, CEM, CHALLENGE_SECONDS, COMPUTER, COMPUTER_SECONDS, MOVE_SECONDS, Table
from tests.two.presses import IN_THE_MODEL, Press

IDS: Final = {ANN: 101, BO: 102, CEM: 103, COMPUTER: COMPUTER_SEAT}
PLAYERS: Final = {name: Player(IDS[name], name, name.lower()) for name in (ANN, BO, CEM)}
LIMITS: Final = TimeLimits(CHALLENGE_SECONDS, MOVE_SECONDS, COMPUTER_SECONDS)
ENDS: Final = {
    "line": "won",
    "full board": "drawn",
    "resignation": "resigned",
    "timeout": "timed out",
    "agreement": "agreed",
}


@dataclass
class Both:
    """The bot's game and the model's, side by side."""

    game: Game
    table: Table
    now: int = 0
    rng: Random = field(default_factory=lambda: Random(0))
    cells: set[tuple[State, type[Action]]] = field(default_factory=set)
    """The cells of the machine's table that were reached."""
    done: set[tuple[State, type[Action]]] = field(default_factory=set)
    """Those in which an action succeeded."""
    old: Both | None = None
    """The last finished game that had a next one."""

    def copy(self) -> Both:
        table = replace(self.table, cells=list(self.table.cells))
        return Both(self.game, table, self.now)

    def note(self, state: State, kind: type[Action]) -> None:
        self.cells.add((state, kind))
        self.done.add((state, kind))

    def press(self, press: Press) -> bool:
        """Do the same in both and compare; returns whether it was done."""
        before, state = self.game, state_of(self.game)
        record, action, attempt = Record(before, (board_in(),)), self.action(press), self.attempt(press)
        expected = self.ask_the_model(press)
        try:
            decision = decide(record, action, attempt)
        except NotAllowed as refused:
            if expected:
                raise
            if refused.access is Access.ACT and not isinstance(action, Permission):
                self.cells.add((state, press.kind))
            return False
        assert expected, f"{press}: the bot does it"
        if isinstance(action, Permission):
            return False
        self.cells.add((state, press.kind))
        self.done.add((state, press.kind))
        assert (decision.following is not None) is (self.table.followed and state is not State.FOLLOWED)
        if decision.following is not None:
            self.begin_anew(press, decision)
        else:
            self.game = decision.game
        self.let_the_computer_put()
        self.agree()
        return True

    def action(self, press: Press) -> Action:
        if press.kind is Accept:
            return seen_with(self.game)
        return press.on(max(0, self.game.ply - press.behind))

    def attempt(self, press: Press) -> Attempt:
        """The person who presses, as the bot sees them."""
        level = press.value if press.kind is LetComputerPlay and isinstance(press.value, Level) else Level.MEDIUM
        allowed = self.table.other(press.who) not in self.table.refuses_takebacks
        facts = Facts(press.admin, allowed, level)
        return Attempt(PLAYERS[press.who], HERE, self.now, self.rng, LIMITS, facts=facts)

    def ask_the_model(self, press: Press) -> bool:
        """Do in the model what is pressed; returns whether it was done."""
        ply = max(0, len(self.table.cells) - press.behind)
        return IN_THE_MODEL[press.kind](self.table, press, ply, self.now)

    def let_the_computer_put(self) -> None:
        """Copy the computer's move, which it must have made if it's its turn, to the model."""
        if self.table.thinking and not self.table.takes_time:
            assert self.game.ply == len(self.table.cells) + 1
            (*_, cell) = rules_of(self.game.rules).read_moves(self.game.moves)
            assert self.table.put(COMPUTER, cell, len(self.table.cells))

    def begin_anew(self, press: Press, decision: Decision) -> None:
        """Continue with the next game: the series goes on, and sides change."""
        game, table, following = decision.game, self.table, decision.following
        assert following is not None
        assert game is not self.game, "only changes are stored"
        assert game.offer is None
        self.old = Both(game._replace(next_game=99), table, self.now)
        if table.host is not None:
            self.begin_after_the_watched(press, following)
            return
        assert (following.x.seat, following.o.seat) == (game.o.seat, game.x.seat)
        assert following.names == game.names
        wins = {game.x.seat: game.x.wins, game.o.seat: game.o.wins}
        counts = not game.takebacks and len(table.cells) >= 2
        if table.winner is not None and counts:
            wins[IDS[table.winner]] += 1
        assert (following.x.wins, following.o.wins) == (wins[following.x.seat], wins[following.o.seat])
        assert following.draws == game.draws + (table.end in ("drawn", "agreed") and counts), (
            "a closed game isn't a draw"
        )
        assert (following.id, following.version, following.link, following.next_game) == (0, 1, None, None)
        self.game = following
        off = table.refuses_takebacks
        self.table = Table(
            table.o, table.x, level=table.level, refuses_takebacks=off, moved_at=self.now, side=table.side
        )
        self.table.clock, self.table.best_of = table.clock, table.best_of

    def begin_after_the_watched(self, press: Press, following: Game) -> None:
        """The computer plays itself once more, or the winner plays the person who asked; there is no series."""
        game, table = self.game, self.table
        who, levels = press.who, table.levels
        assert levels is not None
        assert (following.x.wins, following.o.wins, following.draws) == (0, 0, 0)
        assert (following.id, following.version, following.link, following.next_game) == (0, 1, None, None)
        if press.kind is WatchAgain:
            assert following.host == IDS[who]
            self.table = Table(COMPUTER, COMPUTER, host=who, levels=levels, slow=table.slow, side=table.side)
        else:
            assert following.host is None
            x, o = (COMPUTER, who) if game.winner is Mark.X else (who, COMPUTER)
            level = levels[game.winner is Mark.O]
            self.table = Table(x, o, level=level, moved_at=self.now, side=table.side)
        self.game = following

    def clock(self) -> Attempt:
        return Attempt(Player(COMPUTER_SEAT, ""), Where(), self.now, self.rng, LIMITS)

    def answer(self) -> None:
        """Let the computer move against itself."""
        game, state = self.game, state_of(self.game)
        cell = next_move(game, self.rng)
        action, attempt = ComputerMove(cell, next_thought(game)), self.clock()
        decision = decide_by_computer(Record(game, (board_in(),)), action, attempt)
        again = why_not(decide_by_computer, Record(decision.game, (board_in(),)), action, attempt)
        assert again in (Refusal.STALE, Refusal.OVER), "each ply once"
        pace = tempo_of(game)
        self.game = decision.game
        assert self.table.put(COMPUTER, cell, len(self.table.cells))
        assert tempo_of(self.game) == pace
        self.note(state, ComputerMove)
        self.agree()

    def think(self) -> None:
        """Let the computer move after a while in a person's game; an answer for any other position is ignored."""
        game, state = self.game, state_of(self.game)
        cell = game.position.legal_moves[-1]
        thought = thought_of(game)
        assert thought is not None
        for late in (thought._replace(moves=f"{thought.moves}01"), thought._replace(level="another"), thought):
            action, attempt = ComputerMove(cell, late), self.clock()
            refused = why_not(decide_by_computer, Record(game, (board_in(),)), action, attempt)
            assert (refused is Refusal.STALE) is (late is not thought)
        self.game = decide_by_computer(Record(game, (board_in(),)), action, attempt).game
        again = why_not(decide_by_computer, Record(self.game, (board_in(),)), action, attempt)
        assert again in (Refusal.STALE, Refusal.OVER), "once"
        assert self.table.put(COMPUTER, cell, len(self.table.cells), self.now)
        self.note(state, ComputerMove)
        self.agree()

    def close(self) -> None:
        self.game = decide_by_computer(Record(self.game, (board_in(),)), Expire(), self.clock()).game
        self.table.end = "expired"
        self.note(State.WATCHED, Expire)
        self.agree()

    def leave(self, who: str) -> None:
        """Somebody leaves the group, and a minute passes."""
        record, removed = Record(self.game, ()), False
        self.game = departures.note_left(
            record, person=IDS[who], chat_id=GROUP, now=self.now, removed=removed
        ).game
        self.now += departures.LEFT_SECONDS
        assert deadlines.look(Record(self.game, ()), self.now, LIMITS).due is Due.CLAIM_WIN
        self.game = decide_by_clock(Record(self.game, ()), self.clock()).game
        assert departures.may_claim_win(self.game)
        self.table.leave(who)
        self.agree()

    def pass_time(self, seconds: int) -> str | None:
        """Let time pass, then both check the clock; returns what they find."""
        self.now += seconds
        state = state_of(self.game)
        found = deadlines.look(Record(self.game, ()), self.now, LIMITS)
        if found.due is None:
            self.game = self.game._replace(due_at=found.again_at)  # as the handler postpones it
        if found.due is Due.ANSWER:
            assert self.table.thinking
            self.game = self.game._replace(due_at=self.now + deadlines.THINKING_SECONDS)  # likewise
        decision = decide_by_clock(Record(self.game, (board_in(),)), self.clock())
        # While the computer thinks, the deadline isn't checked for that long.
        put_off = (found.again_at or self.now) - self.now if self.table.thinking and found.due is None else 0
        assert put_off <= deadlines.THINKING_SECONDS
        happened = self.table.look_at_the_clock(self.now) if put_off <= 0 else None
        assert (decision.game is not self.game) is (happened is not None), happened
        assert decision.following is None
        self.game = decision.game
        if happened is not None:
            assert found.due is (Due.REMINDER if happened == "reminded" else Due.END)
            kind = Remind if found.due is Due.REMINDER else Expire
            self.note(state, kind)
        self.agree()
        return happened

    def stand_still(self, seconds: int) -> None:
        """Nobody can be heard for a while; then all times move, and a move that was cut short begins again."""
        self.now += seconds
        moving = {column.name for column in GAMES.c if column.info["time"] in (Time.DUE, Time.SINCE)}
        times = {name: at + seconds for name in moving if (at := getattr(self.game, name)) is not None}
        self.game = self.game._replace(**times)
        begins = self.table.stand_still(seconds, self.now)
        if deadlines.is_cut_short(self.game, seconds, LIMITS):
            state, record = state_of(self.game), Record(self.game, (board_in(),))
            assert decide_again(record, self.clock(), self.game.version + 1).game is self.game, "it has gone on"
            again = partial(decide_again, record, self.clock(), self.game.version)
            assert (why_not(again) is None) is begins
            decision = again() if begins else Decision(self.game)
            calls = any(each.called for each in decision.attention.values())
            is_there = not self.table.seeks and self.table.gone != self.table.to_move
            assert calls is (begins and is_there and self.game.moved_at != decision.game.moved_at)
            self.game = decision.game
            if begins:
                self.note(state, BeginAgain)
        else:
            assert not begins
        self.agree()

    def agree(self) -> None:
        game, table = self.game, self.table
        game.check()
        assert list(rules_of(game.rules).read_moves(game.moves)) == table.cells
        assert (game.x.seat, game.o.seat) == tuple(IDS[who] if who else None for who in (table.x, table.o))
        if table.levels is None:
            assert game.level == table.level
        else:
            assert (game.x.level, game.o.level) == table.levels
            assert tempo_of(game) == (2.0, 1.0, 0.5)[table.pace]
        assert game.host == (None if table.host is None else IDS[table.host])
        assert ENDS.get(game.termination or "", game.termination) == table.end
        winner = None if game.winner is None else game.seat(game.winner)
        assert winner == (IDS[table.winner] if table.winner else None)
        question = question_of(game)
        asked = None if question is None else (question.offer, game.seat(question.by))
        assert asked == (None if table.question is None else (table.question[0], IDS[table.question[1]]))
        assert table.takes_time or not table.thinking, "the computer keeps nobody waiting without need"
        assert (thought_of(game) is not None) is table.thinking
        assert not table.thinking or game.due_at is not None
        assert game.is_over or game.due_at is not None, "a waiting game ends by itself"
        gone = None if game.left is None else game.seat(game.left)
        assert gone == (IDS[table.gone] if table.gone else None)
        assert (game.is_wait, game.any_rules) == (table.seeks, table.suits_all)

    def check_the_message(self) -> None:
        """The message stays within Telegram's limits and has the buttons that the model allows."""
        game, table = self.game, self.table
        for viewer in (None, IDS[ANN], IDS[BO]):
            view = board_view(scene_of(game, board_in(viewer=viewer)))
            keyboard = view.keyboard or ""
            scene = scene_of(game, board_in(viewer=viewer))
            cells = 0 if scene.is_folded else rules_of(game.rules).layout.rows
            is_empty = game.is_over and not table.cells
            assert len(labels(view.keyboard)) == cells + 1 or game.is_challenge or is_empty, "nothing moves"
            assert 0 < len(view.text) < 4096
            for carried in keyboard.split('"callback_data":"')[1:]:
                assert 1 <= len(carried.partition('"')[0]) <= 64
            assert ("stop:" in keyboard) is (table.running and table.host is not None)
            is_left = table.running and table.gone is not None
            plays = table.running and table.question is None and not table.host and not is_left
            if plays and table.cells and not table.fresh:
                assert "undo:" in keyboard
            offers = (table.open and table.end is None and not table.seeks) or (
                table.question is not None and not table.question[0].startswith("resign")
            )
            asks = table.question is not None and IDS[table.question[1]] == viewer
            again = game.is_over and offers
            assert ("Accept" in keyboard) is (offers and not asks and not again and not is_left)
            assert ("Withdraw" in keyboard) is (offers and asks and not again and not is_left)
            assert ("✓" in keyboard) is (again and not asks)
            assert ("✕" in keyboard) is again
            assert ("claim:" in keyboard) is (table.running and table.gone is not None)
