"""3 by 3 counted in full: games, positions, symmetry classes."""

from collections import Counter

from engine import CLASSIC, Mark
from engine.rules.geometry import symmetries
from engine.rules.mnk import MnkPosition
from tests.boards import drawn


def all_positions() -> set[MnkPosition]:
    """Every position that `play` can reach."""
    found, fringe = {CLASSIC.start()}, [CLASSIC.start()]
    while fringe:
        position = fringe.pop()
        after = {position.play(cell) for cell in position.legal_moves} - found
        found |= after
        fringe += after
    return found


def classes(positions: set[MnkPosition]) -> int:
    """How many positions there are up to turns and reflections."""
    boards = {drawn(position) for position in positions}
    return len({min("".join(board[cell] for cell in image) for image in symmetries(3, 3)) for board in boards})


def count_games(position: MnkPosition, games: Counter[tuple[int, Mark | None]]) -> None:
    """Play every game from here on, and count them by length and winner."""
    if position.outcome is not None:
        games[position.ply, position.outcome.winner] += 1
    for cell in position.legal_moves:
        count_games(position.play(cell), games)


def test_every_game_is_counted_by_its_result_and_its_length() -> None:
    games: Counter[tuple[int, Mark | None]] = Counter()
    count_games(CLASSIC.start(), games)
    by_result: Counter[Mark | None] = Counter()
    by_length: Counter[int] = Counter()
    for (length, winner), number in games.items():
        by_result[winner] += number
        by_length[length] += number
    assert games.total() == 255_168
    assert by_result == {Mark.X: 131_184, Mark.O: 77_904, None: 46_080}
    assert by_length == {5: 1_440, 6: 5_328, 7: 47_952, 8: 72_576, 9: 127_872}


def test_5478_positions_can_be_reached_and_958_of_them_are_over() -> None:
    positions = all_positions()
    assert len(positions) == 5_478
    assert sum(position.is_over for position in positions) == 958


def test_up_to_symmetry_there_are_765_positions_and_138_of_them_are_over() -> None:
    positions = all_positions()
    assert classes(positions) == 765
    assert classes({position for position in positions if position.is_over}) == 138
