"""The games, reimplemented as plainly as possible: a board is a string, nothing is shared with the engine."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, partial
from typing import NamedTuple

from hypothesis import strategies as st

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))


class Game:
    """`k` in a row on `m` columns and `n` rows, which in misère loses. Cells are numbered in reading order."""

    def __init__(self, m: int, n: int, k: int, *, misere: bool = False) -> None:
        self.m, self.n, self.k, self.misere = m, n, k, misere
        self.text = f"{m}x{n}x{k}" + "-misere" * misere
        self.empty = "." * (m * n)
        self.lines = tuple(
            tuple((row + down * step) * m + column + right * step for step in range(k))
            for right, down in DIRECTIONS
            for row in range(n - down * (k - 1))
            for column in range(m)
            if 0 <= column + right * (k - 1) < m
        )

    def __repr__(self) -> str:
        return self.text

    def lined(self, board: str) -> str | None:
        for line in self.lines:
            mark = board[line[0]]
            if mark != "." and board[line[1]] == mark and all(board[cell] == mark for cell in line):
                return mark
        return None

    def winner(self, board: str) -> str | None:
        mark = self.lined(board)
        return opponent(mark) if mark and self.misere else mark

    def is_over(self, board: str) -> bool:
        return "." not in board or self.lined(board) is not None


CLASSIC = Game(3, 3, 3)
MISERE = Game(3, 3, 3, misere=True)


def free(board: str) -> list[int]:
    return [cell for cell, mark in enumerate(board) if mark == "."]


def turn(board: str) -> str:
    return "X" if board.count("X") == board.count("O") else "O"


def opponent(mark: str) -> str:
    return "O" if mark == "X" else "X"


def put(board: str, cell: int, mark: str) -> str:
    return board[:cell] + mark + board[cell + 1 :]


def play(board: str, cell: int) -> str:
    return put(board, cell, turn(board))


@cache
def reachable(game: Game) -> frozenset[str]:
    found, fringe = {game.empty}, [game.empty]
    while fringe:
        board = fringe.pop()
        if not game.is_over(board):
            after = {play(board, cell) for cell in free(board)} - found
            found |= after
            fringe += after
    return frozenset(found)


@cache
def unfinished(game: Game) -> list[str]:
    """Every reachable board on which somebody is to move."""
    return sorted(board for board in reachable(game) if not game.is_over(board))


@st.composite
def boards(draw: st.DrawFn, game: Game, least: int) -> str:
    """A board that isn't over, with at least this many marks if no line comes before."""
    board = game.empty
    cells = draw(st.permutations(range(len(board))))
    for cell in cells[: draw(st.integers(least, len(cells) - 1))]:
        after = play(board, cell)
        if game.is_over(after):
            break
        board = after
    return board


@cache
def value(game: Game, board: str) -> tuple[int, int]:
    """1, 0 or -1 for the side to move, and the plies to the end if the winner hurries and the loser delays."""
    if game.is_over(board):
        winner = game.winner(board)
        return 0 if winner is None else 1 if winner == turn(board) else -1, 0
    after = [value(game, play(board, cell)) for cell in free(board)]
    best = max(-score for score, _ in after)
    plies = [1 + left for score, left in after if -score == best]
    return (best, min(plies) if best > 0 else max(plies)) if best else (0, 0)


def score(game: Game, board: str) -> int:
    return value(game, board)[0]


def keeping(game: Game, board: str) -> list[int]:
    return [cell for cell in free(board) if -score(game, play(board, cell)) == score(game, board)]


@cache
def perfect(game: Game, board: str) -> tuple[int, ...]:
    """The cells that perfect play may choose, literally by its definition."""
    cells = {cell: play(board, cell) for cell in keeping(game, board)}
    if score(game, board) > 0:
        return highest(cells, lambda after: -value(game, after)[1])
    if score(game, board) == 0:
        return highest(cells, lambda after: random_to_move(game, after)[0])
    longest = highest(cells, lambda after: value(game, after)[1])
    return highest({cell: cells[cell] for cell in longest}, partial(errors, game))


def errors(game: Game, board: str) -> int:
    return 0 if game.is_over(board) else len(free(board)) - len(keeping(game, board))


@cache
def random_to_move(game: Game, board: str) -> tuple[Fraction, Fraction]:
    """How likely perfect play wins and loses from here, with a random player to move."""
    if game.is_over(board):
        return Fraction(-score(game, board) > 0), Fraction(score(game, board) > 0)
    return mean([perfect_to_move(game, play(board, cell)) for cell in free(board)])


@cache
def perfect_to_move(game: Game, board: str) -> tuple[Fraction, Fraction]:
    """How likely perfect play wins and loses from here, when it is to move itself."""
    if game.is_over(board):
        return Fraction(score(game, board) > 0), Fraction(score(game, board) < 0)
    return mean([random_to_move(game, play(board, cell)) for cell in perfect(game, board)])


def mean(chances: list[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    wins, losses = zip(*chances, strict=True)
    return sum(wins, Fraction()) / len(chances), sum(losses, Fraction()) / len(chances)


def highest(cells: Mapping[int, str], value: Callable[[str], float | Fraction]) -> tuple[int, ...]:
    """The cells that lead to the most valuable boards, ascending."""
    best = max(map(value, cells.values()))
    return tuple(cell for cell, after in sorted(cells.items()) if value(after) == best)


def blocker(board: str) -> int:
    own = turn(board)
    wins = [cell for cell in free(board) if CLASSIC.winner(put(board, cell, own))]
    safe = [cell for cell in free(board) if not can_win(put(board, cell, own), opponent(own))]
    return (wins or safe or free(board))[0]


def can_win(board: str, mark: str) -> bool:
    """Whether one more of this mark fills a line."""
    return any(CLASSIC.winner(put(board, cell, mark)) == mark for cell in free(board))


def open_lines(board: str) -> int:
    own = turn(board)
    return two_plies(board, lambda after: open_lines_value(after, own), win_is_leaf=True)


def open_lines_value(board: str, own: str) -> int:
    """The value e(P) for one side."""
    if won_by := CLASSIC.winner(board):
        return 60 if won_by == own else -20
    lines = ["".join(board[cell] for cell in line) for line in CLASSIC.lines]
    return sum(opponent(own) not in line for line in lines) - sum(own not in line for line in lines)


def tempo(board: str) -> int:
    own = turn(board)
    return two_plies(board, lambda after: tempo_value(after, own), win_is_leaf=False)


def tempo_value(board: str, own: str) -> int:
    """The tempo evaluation for one side, after other's reply."""
    weights = {
        (own, 1): 100,
        (own, 2): 1000,
        (own, 3): 999999,
        (opponent(own), 1): -100,
        (opponent(own), 2): -10000,
        (opponent(own), 3): -99999,
    }
    value = 0
    for line in CLASSIC.lines:
        marks = [board[cell] for cell in line if board[cell] != "."]
        if len(set(marks)) == 1:
            value += weights[marks[0], len(marks)]
    return value


def two_plies(board: str, value: Callable[[str], int], *, win_is_leaf: bool) -> int:
    """The first cell after which the worst reply is best; a full board has no reply."""
    own = turn(board)
    values = {}
    for cell in free(board):
        after = put(board, cell, own)
        if "." not in after or (win_is_leaf and CLASSIC.winner(after)):
            values[cell] = value(after)
        else:
            values[cell] = min(value(put(after, reply, opponent(own))) for reply in free(after))
    return next(cell for cell in values if values[cell] == max(values.values()))


def rules(board: str) -> int:
    own = turn(board)
    marks = 9 - board.count(".")
    if marks == 2 and board.index("O") in (1, 3, 5, 7) and board[4] == ".":
        return 4
    if marks == 3 and ("X" == board[0] == board[8] or "X" == board[2] == board[6]) and board[1] == ".":
        return 1
    columns = [cell for cell in (0, 3, 6, 1, 4, 7, 2, 5, 8) if board[cell] == "."]
    for mark in (own, opponent(own)):
        for cell in columns:
            if CLASSIC.winner(put(board, cell, mark)) == mark:
                return cell
    for cell in columns:
        through = ["".join(sorted(board[each] for each in line)) for line in CLASSIC.lines if cell in line]
        if through.count(f"..{own}") > 1:
            return cell
    preference = (0, 8, 2, 6, 4, 1, 3, 5, 7) if own == "X" else (4, 0, 8, 2, 6, 1, 3, 5, 7)
    return next(cell for cell in preference if board[cell] == ".")


CANDIDATES: dict[str, Callable[[str], tuple[int, ...]]] = {
    "random": lambda board: tuple(free(board)),
    "blocker": lambda board: (blocker(board),),
    "open-lines": lambda board: (open_lines(board),),
    "tempo": lambda board: (tempo(board),),
    "rules": lambda board: (rules(board),),
    "alpha-beta": lambda board: (keeping(CLASSIC, board)[0],),
    "minimax": lambda board: tuple(keeping(CLASSIC, board)),
    "perfect": partial(perfect, CLASSIC),
}


class Ultimate(NamedTuple):
    """Nine boards, the side to move, and the board to move in (None: any unfinished one)."""

    boards: tuple[str, ...] = (CLASSIC.empty,) * 9
    turn: str = "X"
    board: int | None = None


def whole(game: Ultimate) -> str:
    """The nine boards as one: each one's winner, `#` for a draw, a full stop for an unfinished one."""
    return "".join(CLASSIC.winner(board) or ("." if "." in board else "#") for board in game.boards)


def won_by(game: Ultimate) -> str | None:
    return CLASSIC.winner(whole(game).replace("#", "."))


def has_ended(game: Ultimate) -> bool:
    return won_by(game) is not None or "." not in whole(game)


def moves_in(game: Ultimate) -> list[int]:
    if has_ended(game):
        return []
    boards = range(9) if game.board is None else [game.board]
    return [
        9 * board + cell
        for board in boards
        if not CLASSIC.is_over(game.boards[board])
        for cell in free(game.boards[board])
    ]


def play_in(game: Ultimate, move: int) -> Ultimate:
    board, cell = divmod(move, 9)
    boards = list(game.boards)
    boards[board] = put(boards[board], cell, game.turn)
    return Ultimate(tuple(boards), opponent(game.turn), None if CLASSIC.is_over(boards[cell]) else cell)


def perft(game: Ultimate, depth: int) -> int:
    """How many games of exactly this many more plies there are."""
    if not depth:
        return 1
    return sum(perft(play_in(game, move), depth - 1) for move in moves_in(game))
