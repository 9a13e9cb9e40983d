"""The use cases of a game against the computer: each rule, and a model that plays along with any taps."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from bot import play
from bot.play import Board, Player, Refusal
from engine import LEVELS, Mark
from storage.game import COMPUTER, Game

ANN: Final = Player(5_000_000_001, "Ann")
STRANGER: Final = 5_000_000_002
NOW: Final = 1_700_000_000

LINES: Final = [
    cells
    for cells in combinations(range(9), 3)
    if cells[0] // 3 == cells[1] // 3 == cells[2] // 3 or cells[0] % 3 == cells[1] % 3 == cells[2] % 3
] + [(0, 4, 8), (2, 4, 6)]


def fresh(level: str = "medium", *, first: str = "me", rng: Random | None = None) -> Game:
    """A new game of Ann's against the computer."""
    seats = (ANN, play.computer()) if first == "me" else (play.computer(), ANN)
    game = play.new_game(
        *seats, board=Board(ANN.id), language="en", now=NOW, due_at=NOW + 60, level=level, update_id=1
    )
    return play.let_computer_move(replace(game, id=1), rng or Random(0))


def tapped(game: Game, cell: int, *, person: int = ANN.id, ply: int | None = None) -> tuple[Game, Refusal | None]:
    """The game after a tap on its board as it is."""
    ply = game.ply if ply is None else ply
    return play.tap(game, person=person, ply=ply, cell=cell, now=NOW, rng=Random(0))


def drawn(*rows: str) -> str:
    """The stored moves that lead to a board drawn with X, O and dots, alternating from X."""
    cells = "".join(rows)
    xs, os = ([cell for cell, mark in enumerate(cells) if mark == wanted] for wanted in "XO")
    order = [cell for pair in zip(xs, [*os, None], strict=False) for cell in pair if cell is not None]
    return "".join(map(str, order))


def test_the_person_begins_where_they_move_first() -> None:
    game = fresh(first="me")
    assert (game.moves, game.mark_of(ANN.id)) == ("", Mark.X)


def test_the_computer_has_moved_where_it_moves_first() -> None:
    game = fresh(first="bot")
    assert (game.ply, game.mark_of(ANN.id)) == (1, Mark.O)


def test_a_tap_is_answered_at_once() -> None:
    game, refusal = tapped(fresh(), 4)
    assert refusal is None
    assert game.ply == 2
    assert game.moves[0] == "4"


@pytest.mark.parametrize("level", LEVELS)
def test_the_answer_is_one_that_the_level_may_choose(level: str) -> None:
    game, _ = tapped(fresh(level), 0)
    before = fresh(level).position.play(0)
    assert int(game.moves[1]) in LEVELS[level].candidates(before)


def test_a_line_ends_the_game_and_the_computer_answers_no_more() -> None:
    game = replace(fresh(), moves=drawn("XX.", "OO.", "..."))
    ended, refusal = tapped(game, 2)
    assert refusal is None
    assert (ended.ply, ended.termination, ended.winner) == (5, "line", "X")


def test_the_computers_line_ends_the_game() -> None:
    game = replace(fresh("perfect"), moves=drawn("XX.", "OO.", "..."))
    ended, _ = tapped(game, 8)
    assert (ended.ply, ended.termination, ended.winner) == (6, "line", "O")


def test_a_full_board_is_a_draw() -> None:
    game = replace(fresh(), moves=drawn("XOX", "XOO", "OX."))
    assert game.position.outcome is None
    ended, _ = tapped(game, 8)
    assert (ended.ply, ended.termination, ended.winner) == (9, "full board", None)


def test_the_last_cell_may_win() -> None:
    """X O X / O X O / O X . : the ninth mark makes a line, so it is a win and no draw."""
    game = replace(fresh(), moves=drawn("XOX", "OXO", "OX."))
    assert game.position.outcome is None
    ended, _ = tapped(game, 8)
    assert (ended.termination, ended.winner) == ("line", "X")


@pytest.mark.parametrize(
    ("moves", "person", "ply", "cell", "refusal"),
    [
        ("40", STRANGER, 2, 1, Refusal.NOT_YOURS),
        ("40", COMPUTER - 1, 2, 1, Refusal.NOT_YOURS),
        ("40", ANN.id, 0, 1, Refusal.STALE),
        ("40", ANN.id, 1, 1, Refusal.STALE),
        ("40", ANN.id, 3, 1, Refusal.STALE),
        ("40", ANN.id, 2, 9, Refusal.STALE),
        ("40", ANN.id, 2, 64, Refusal.STALE),
        ("40", ANN.id, 2, 4, Refusal.TAKEN),
        ("40", ANN.id, 2, 0, Refusal.TAKEN),
        ("4", ANN.id, 1, 1, Refusal.NOT_YOUR_TURN),
    ],
)
def test_what_may_not_be_played_leaves_the_game_as_it_was(
    moves: str, person: int, ply: int, cell: int, refusal: Refusal
) -> None:
    game = replace(fresh(), moves=moves)
    after, refused = tapped(game, cell, person=person, ply=ply)
    assert refused is refusal
    assert after is game


def test_an_ended_game_takes_no_move_level_or_first_mover() -> None:
    game, _ = tapped(replace(fresh(), moves=drawn("XX.", "OO.", "...")), 2)
    rng = Random(0)
    for after, refusal in (
        tapped(game, 8),
        play.set_level(game, person=ANN.id, level="easy", rng=rng),
        play.set_first(game, person=ANN.id, first="bot", rng=rng),
    ):
        assert refusal is Refusal.OVER
        assert after is game


def test_only_an_ended_game_is_followed_once_and_by_its_player() -> None:
    game = fresh()
    assert play.refuse_to_follow(game, ANN.id) is Refusal.STALE
    ended, _ = tapped(replace(game, moves=drawn("XX.", "OO.", "...")), 2)
    assert play.refuse_to_follow(ended, ANN.id) is None
    assert play.refuse_to_follow(ended, STRANGER) is Refusal.NOT_YOURS
    assert play.refuse_to_follow(replace(ended, next_game=2), ANN.id) is Refusal.FOLLOWED


@pytest.mark.parametrize("swap", [False, True])
def test_the_game_that_follows_is_new_and_keeps_players_and_level(swap: bool) -> None:  # noqa: FBT001 - a parameter
    ended, _ = tapped(replace(fresh("easy"), moves=drawn("XX.", "OO.", "..."), message_id=9, version=7), 2)
    begun = play.follow(ended, swap=swap, update_id=5, now=NOW, due_at=NOW, rng=Random(0))
    assert (begun.message_id, begun.termination, begun.winner, begun.next_game) == (None, None, None, None)
    assert (begun.level, begun.chat_id, begun.update_id, begun.version) == ("easy", ended.chat_id, 5, 1)
    assert begun.mark_of(ANN.id) is (Mark.O if swap else Mark.X)
    assert begun.ply == (1 if swap else 0)
    assert begun.name(Mark.O if swap else Mark.X) == "Ann"


def test_random_is_a_fair_coin() -> None:
    rng = Random(7)
    heads = sum(play.goes_first("random", rng) for _ in range(2000))
    assert 900 < heads < 1100
    assert play.goes_first("me", rng)
    assert not play.goes_first("bot", rng)


class GameModel(RuleBasedStateMachine):
    """A board of nine cells beside the game: whatever is tapped, both must agree."""

    @initialize(
        level=st.sampled_from(sorted(LEVELS)), first=st.sampled_from(["me", "bot"]), seed=st.integers(0, 99)
    )
    def begin(self, level: str, first: str, seed: int) -> None:
        """Start a game, and draw the same beside it."""
        self.rng = Random(seed)
        self.game = fresh(level, first=first, rng=self.rng)
        self.level = level
        self.mine = "X" if first == "me" else "O"
        self.cells = ["."] * 9
        self.plies = 0
        self.take_over()

    def mark(self) -> str:
        """The mark that moves next."""
        return "XO"[self.plies % 2]

    def winner(self) -> str | None:
        """Who has a line."""
        return next(
            (self.cells[a] for a, b, c in LINES if "." != self.cells[a] == self.cells[b] == self.cells[c]), None
        )

    def over(self) -> bool:
        """Whether nothing can be played any more."""
        return self.winner() is not None or "." not in self.cells

    def take_over(self) -> None:
        """Let the computer's move, if it must have made one, be the model's."""
        if not self.over() and self.mark() != self.mine:
            assert self.game.ply == self.plies + 1
            cell = int(self.game.moves[-1])
            assert self.cells[cell] == "."
            self.cells[cell] = self.mark()
            self.plies += 1

    @rule(
        person=st.sampled_from([ANN.id, ANN.id, ANN.id, STRANGER]),
        late=st.integers(-2, 2),
        cell=st.integers(0, 12),
    )
    def tap(self, person: int, late: int, cell: int) -> None:
        """Tap any cell of the board, as it is or as it was."""
        late = 0 if cell % 3 else late
        before = self.game
        self.game, refusal = play.tap(
            before, person=person, ply=max(0, self.plies + late), cell=cell, now=NOW, rng=self.rng
        )
        if person != ANN.id:
            expected: Refusal | None = Refusal.NOT_YOURS
        elif self.over():
            expected = Refusal.OVER
        elif max(0, self.plies + late) != self.plies or cell > 8:
            expected = Refusal.STALE
        elif self.cells[cell] != ".":
            expected = Refusal.TAKEN
        else:
            expected = None
            self.cells[cell] = self.mine
            self.plies += 1
            self.take_over()
        assert refusal is expected
        assert (self.game is before) == (expected is not None)

    @rule(level=st.sampled_from(sorted(LEVELS)), person=st.sampled_from([ANN.id, STRANGER]))
    def set_level(self, level: str, person: int) -> None:
        """Change the level."""
        fresh_still = not self.over() and self.plies == (0 if self.mine == "X" else 1)
        before = self.game
        self.game, refusal = play.set_level(before, person=person, level=level, rng=self.rng)
        self.check_choice(person, refusal, fresh_still=fresh_still)
        if refusal is None and level != self.level:
            self.level = level
            self.restart()

    @rule(first=st.sampled_from(["me", "bot"]), person=st.sampled_from([ANN.id, STRANGER]))
    def set_first(self, first: str, person: int) -> None:
        """Change who moves first."""
        fresh_still = not self.over() and self.plies == (0 if self.mine == "X" else 1)
        before = self.game
        self.game, refusal = play.set_first(before, person=person, first=first, rng=self.rng)
        self.check_choice(person, refusal, fresh_still=fresh_still)
        if refusal is None and (first == "me") != (self.mine == "X"):
            self.mine = "X" if first == "me" else "O"
            self.restart()

    def check_choice(self, person: int, refusal: Refusal | None, *, fresh_still: bool) -> None:
        """A choice is refused to strangers, after the end and after the person's first move."""
        if person != ANN.id:
            assert refusal is Refusal.NOT_YOURS
        elif self.over():
            assert refusal is Refusal.OVER
        else:
            assert refusal is (None if fresh_still else Refusal.BEGUN)

    def restart(self) -> None:
        """Empty the model's board."""
        self.cells, self.plies = ["."] * 9, 0
        self.take_over()

    @rule(swap=st.booleans())
    def follow(self, swap: bool) -> None:  # noqa: FBT001 - drawn by Hypothesis
        """Have another game after an ended one."""
        refusal = play.refuse_to_follow(self.game, ANN.id)
        assert (refusal is None) == self.over()
        if refusal is None:
            self.game = play.follow(self.game, swap=swap, update_id=2, now=NOW, due_at=NOW, rng=self.rng)
            self.mine = {"X": "O", "O": "X"}[self.mine] if swap else self.mine
            self.restart()

    @invariant()
    def they_agree(self) -> None:
        """The game's board, turn, end and winner are the model's."""
        position = self.game.position
        assert "".join(str(position.mark_at(cell) or ".") for cell in range(9)) == "".join(self.cells)
        assert self.game.ply == self.plies
        assert self.game.mark_of(ANN.id) == self.mine
        assert self.game.level == self.level
        assert self.game.is_over == self.over()
        assert self.game.winner == self.winner()
        assert self.game.check() is self.game
        assert self.over() or self.mark() == self.mine, "the computer never lets one wait"


TestGameModel = GameModel.TestCase
TestGameModel.settings = settings(max_examples=100, stateful_step_count=30, deadline=None)
