"""The game, reimplemented as plainly as possible: boards of nine characters, nothing shared with the engine."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
EMPTY = "........."


def winner(board: str) -> str | None:
    """Whose line is full."""
    for a, b, c in LINES:
        if board[a] == board[b] == board[c] != ".":
            return board[a]
    return None


def is_over(board: str) -> bool:
    """Whether somebody has won or the board is full."""
    return winner(board) is not None or "." not in board


def free(board: str) -> list[int]:
    """The empty cells."""
    return [cell for cell in range(9) if board[cell] == "."]


def turn(board: str) -> str:
    """The side to move."""
    return "X" if board.count("X") == board.count("O") else "O"


def opponent(mark: str) -> str:
    """The other mark."""
    return "O" if mark == "X" else "X"


def put(board: str, cell: int, mark: str) -> str:
    """The board with one more mark."""
    return board[:cell] + mark + board[cell + 1 :]


def play(board: str, cell: int) -> str:
    """The board after the side to move has marked a cell."""
    return put(board, cell, turn(board))


@cache
def reachable() -> frozenset[str]:
    """Every reachable board."""
    found, fringe = {EMPTY}, [EMPTY]
    while fringe:
        board = fringe.pop()
        if not is_over(board):
            after = {play(board, cell) for cell in free(board)} - found
            found |= after
            fringe += after
    return frozenset(found)


def unfinished() -> list[str]:
    """Every reachable board on which somebody is to move."""
    return sorted(board for board in reachable() if not is_over(board))


@cache
def score(board: str) -> int:
    """The value for the side to move: 1, 0 or -1."""
    if is_over(board):
        return -1 if winner(board) else 0
    return max(-score(play(board, cell)) for cell in free(board))


@cache
def plies_left(board: str) -> int:
    """The plies to the end if the winner hurries and the loser delays; meaningless for drawn boards."""
    if is_over(board):
        return 0
    lengths = [1 + plies_left(play(board, cell)) for cell in keeping(board)]
    return min(lengths) if score(board) > 0 else max(lengths)


def keeping(board: str) -> list[int]:
    """The cells that keep the game's value."""
    return [cell for cell in free(board) if -score(play(board, cell)) == score(board)]


@cache
def perfect(board: str) -> tuple[int, ...]:
    """The cells that perfect play may choose, literally by its definition."""
    cells = {cell: play(board, cell) for cell in keeping(board)}
    if score(board) > 0:
        return highest(cells, lambda after: -plies_left(after))
    if score(board) == 0:
        return highest(cells, lambda after: random_to_move(after)[0])
    longest = highest(cells, plies_left)
    return highest({cell: cells[cell] for cell in longest}, errors)


def errors(board: str) -> int:
    """How many replies do not keep the value."""
    return len(free(board)) - len(keeping(board))


@cache
def random_to_move(board: str) -> tuple[Fraction, Fraction]:
    """How likely perfect play wins and loses from here, with a random player to move."""
    if is_over(board):
        return Fraction(bool(winner(board))), Fraction(0)
    return mean([perfect_to_move(play(board, cell)) for cell in free(board)])


@cache
def perfect_to_move(board: str) -> tuple[Fraction, Fraction]:
    """How likely perfect play wins and loses from here, when it is to move itself."""
    if is_over(board):
        return Fraction(0), Fraction(bool(winner(board)))
    return mean([random_to_move(play(board, cell)) for cell in perfect(board)])


def mean(chances: list[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """The average of equally likely chances of winning and losing."""
    wins, losses = zip(*chances, strict=True)
    return sum(wins, Fraction()) / len(chances), sum(losses, Fraction()) / len(chances)


def highest(cells: Mapping[int, str], value: Callable[[str], float | Fraction]) -> tuple[int, ...]:
    """The cells that lead to the most valuable boards, ascending."""
    best = max(map(value, cells.values()))
    return tuple(cell for cell, after in sorted(cells.items()) if value(after) == best)


def blocker(board: str) -> int:
    """The strategy `blocker`."""
    own = turn(board)
    wins = [cell for cell in free(board) if winner(put(board, cell, own))]
    safe = [cell for cell in free(board) if not can_win(put(board, cell, own), opponent(own))]
    return (wins or safe or free(board))[0]


def can_win(board: str, mark: str) -> bool:
    """Whether one more of this mark fills a line."""
    return any(winner(put(board, cell, mark)) == mark for cell in free(board))


def open_lines(board: str) -> int:
    """The strategy `open-lines`."""
    own = turn(board)
    return two_plies(board, lambda after: open_lines_value(after, own), win_is_leaf=True)


def open_lines_value(board: str, own: str) -> int:
    """The value e(P) for one side."""
    if won_by := winner(board):
        return 60 if won_by == own else -20
    lines = ["".join(board[cell] for cell in line) for line in LINES]
    return sum(opponent(own) not in line for line in lines) - sum(own not in line for line in lines)


def tempo(board: str) -> int:
    """The strategy `tempo`."""
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
    for line in LINES:
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
        if "." not in after or (win_is_leaf and winner(after)):
            values[cell] = value(after)
        else:
            values[cell] = min(value(put(after, reply, opponent(own))) for reply in free(after))
    return next(cell for cell in values if values[cell] == max(values.values()))


def rules(board: str) -> tuple[int, str]:
    """The strategy `rules`: the cell, and which rule it is."""
    own = turn(board)
    marks = 9 - board.count(".")
    if marks == 2 and board.index("O") in (1, 3, 5, 7) and board[4] == ".":
        return 4, "opening"
    if marks == 3 and ("X" == board[0] == board[8] or "X" == board[2] == board[6]) and board[1] == ".":
        return 1, "opening"
    columns = [cell for cell in (0, 3, 6, 1, 4, 7, 2, 5, 8) if board[cell] == "."]
    for mark, reason in ((own, "win"), (opponent(own), "block")):
        for cell in columns:
            if winner(put(board, cell, mark)) == mark:
                return cell, reason
    for cell in columns:
        through = ["".join(sorted(board[each] for each in line)) for line in LINES if cell in line]
        if through.count(f"..{own}") > 1:
            return cell, "fork"
    preference = (0, 8, 2, 6, 4, 1, 3, 5, 7) if own == "X" else (4, 0, 8, 2, 6, 1, 3, 5, 7)
    return next(cell for cell in preference if board[cell] == "."), "preference"


CANDIDATES: dict[str, Callable[[str], tuple[int, ...]]] = {
    "random": lambda board: tuple(free(board)),
    "blocker": lambda board: (blocker(board),),
    "open-lines": lambda board: (open_lines(board),),
    "tempo": lambda board: (tempo(board),),
    "rules": lambda board: (rules(board)[0],),
    "alpha-beta": lambda board: (keeping(board)[0],),
    "minimax": lambda board: tuple(keeping(board)),
    "perfect": perfect,
}
