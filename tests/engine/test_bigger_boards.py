"""Properties that hold on every board, against a plain look along every direction."""

from hypothesis import given
from hypothesis import strategies as st

from engine import CLASSIC, Geometry, Mark, Position
from engine.symmetry import packed_images, symmetries


@st.composite
def geometries(draw: st.DrawFn) -> Geometry:
    """Any board."""
    m, n = draw(st.integers(3, 8)), draw(st.integers(3, 8))
    return Geometry(m, n, draw(st.integers(3, max(m, n))))


@st.composite
def games(draw: st.DrawFn) -> tuple[Geometry, list[int]]:
    """A board, and moves on it up to some ply or the end."""
    geometry = draw(geometries())
    cells = draw(st.permutations(range(geometry.cells)))
    position, moves = Position.start(geometry), []
    for cell in cells[: draw(st.integers(0, geometry.cells))]:
        if position.is_over:
            break
        position = position.play(cell)
        moves.append(cell)
    return geometry, moves


def has_line(geometry: Geometry, cells: set[int]) -> bool:
    """Whether these cells hold a line."""
    points = {(cell % geometry.m, cell // geometry.m) for cell in cells}
    return any(
        all((x + right * step, y + down * step) in points for step in range(geometry.k))
        for x, y in points
        for right, down in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


@given(games())
def test_turn_marks_and_outcome_follow_from_the_moves(game: tuple[Geometry, list[int]]) -> None:
    geometry, moves = game
    position = Position.replay(moves, geometry)
    x, o = set(moves[::2]), set(moves[1::2])
    assert position.turn is (Mark.O if len(moves) % 2 else Mark.X)
    assert position.ply == len(moves)
    marks = dict.fromkeys(x, Mark.X) | dict.fromkeys(o, Mark.O)
    assert [position.mark_at(cell) for cell in range(geometry.cells)] == [
        marks.get(cell) for cell in range(geometry.cells)
    ]
    winner = Mark.X if has_line(geometry, x) else Mark.O if has_line(geometry, o) else None
    assert position.is_over == (winner is not None or len(moves) == geometry.cells)
    if position.outcome is not None:
        assert position.outcome.winner is winner
        assert all(set(line) <= (x if winner is Mark.X else o) for line in position.outcome.lines)
        assert all(moves[-1] in line and has_line(geometry, set(line)) for line in position.outcome.lines)
    else:
        assert position.legal_moves == tuple(sorted(set(range(geometry.cells)) - x - o))


@given(games())
def test_text_repr_and_bitmasks_give_the_position_back(game: tuple[Geometry, list[int]]) -> None:
    geometry, moves = game
    position = Position.replay(moves, geometry)
    assert Position.parse(position.format(), geometry) == position
    assert Position.parse(str(position), geometry) == position
    assert Position.parse(position.format().replace("/", ""), geometry) == position
    assert eval(repr(position), {"Position": Position, "Geometry": Geometry}) == position  # noqa: S307 - the promise
    again = Position(position.x, position.o, geometry)
    assert (again, again.outcome) == (position, position.outcome)


@given(geometries())
def test_symmetries_keep_the_lines(geometry: Geometry) -> None:
    images = symmetries(geometry)
    assert images[0] == tuple(range(geometry.cells))
    assert len(set(images)) == len(images) == (8 if geometry.m == geometry.n else 4)
    lines = {frozenset(line) for line in geometry.lines}
    for image in images:
        assert {frozenset(image[cell] for cell in line) for line in lines} == lines


@given(geometries(), st.data())
def test_packed_images_hold_the_image_of_a_set_under_each_symmetry(
    geometry: Geometry, data: st.DataObject
) -> None:
    cells = data.draw(st.sets(st.integers(0, geometry.cells - 1)))
    packed = 0
    for cell in cells:
        packed |= packed_images(geometry, geometry.cells)[cell]
    for lane, image in enumerate(symmetries(geometry)):
        mask = packed >> lane * geometry.cells & geometry.full
        assert mask == sum(1 << image[cell] for cell in cells)


def test_a_position_shows_its_board_where_it_is_not_the_classic_one() -> None:
    geometry = Geometry(4, 3, 3)
    position = Position.replay([0, 11], geometry)
    assert position.format() == "X.../..../...O"
    assert repr(position) == "Position.parse('X.../..../...O', Geometry(4, 3, 3))"
    assert repr(Position.replay([0, 8])) == "Position.parse('X.......O')"
    assert Position.start(geometry) != Position.start(CLASSIC)
