"""Properties that hold on every board, checked by walking along every direction."""

from hypothesis import given
from hypothesis import strategies as st

from engine import Mark
from engine.rules.geometry import Geometry, packed_images, symmetries
from engine.rules.mnk import MnkRules, mnk_rules


@st.composite
def boards(draw: st.DrawFn) -> MnkRules:
    """Any board, by the usual rules or misère."""
    m, n = draw(st.integers(3, 8)), draw(st.integers(3, 8))
    return mnk_rules(m, n, draw(st.integers(3, max(m, n))), misere=draw(st.booleans()))


@st.composite
def games(draw: st.DrawFn) -> tuple[MnkRules, list[int]]:
    """Rules, and legal moves up to some ply or the end."""
    rules = draw(boards())
    cells = draw(st.permutations(range(rules.cells)))
    position, moves = rules.start(), []
    for cell in cells[: draw(st.integers(0, rules.cells))]:
        if position.is_over:
            break
        position = position.play(cell)
        moves.append(cell)
    return rules, moves


def has_line(geometry: Geometry, cells: set[int]) -> bool:
    """Whether these cells contain a line."""
    points = {(cell % geometry.m, cell // geometry.m) for cell in cells}
    return any(
        all((x + right * step, y + down * step) in points for step in range(geometry.k))
        for x, y in points
        for right, down in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


@given(games())
def test_turn_marks_and_outcome_follow_from_the_moves(game: tuple[MnkRules, list[int]]) -> None:
    rules, moves = game
    position = rules.after(moves)
    x, o = set(moves[::2]), set(moves[1::2])
    assert position.turn is (Mark.O if len(moves) % 2 else Mark.X)
    assert position.ply == len(moves)
    marks = dict.fromkeys(x, Mark.X) | dict.fromkeys(o, Mark.O)
    assert [position.mark_at(cell) for cell in range(rules.cells)] == [
        marks.get(cell) for cell in range(rules.cells)
    ]
    lined = next((mark for mark, own in ((Mark.X, x), (Mark.O, o)) if has_line(rules.geometry, own)), None)
    assert position.is_over == (lined is not None or len(moves) == rules.cells)
    if position.outcome is not None:
        assert position.outcome.winner is (lined.other if lined and rules.misere else lined)
        assert all(set(line) <= (x if lined is Mark.X else o) for line in position.outcome.lines)
        assert all(moves[-1] in line and has_line(rules.geometry, set(line)) for line in position.outcome.lines)
    else:
        assert position.legal_moves == tuple(sorted(set(range(rules.cells)) - x - o))


@given(games())
def test_moves_give_the_position_back(game: tuple[MnkRules, list[int]]) -> None:
    rules, moves = game
    position = rules.after(moves)
    assert rules.replay(rules.moves_text(moves)) == position


@given(boards())
def test_symmetries_keep_the_lines(rules: MnkRules) -> None:
    geometry = rules.geometry
    images = symmetries(geometry.m, geometry.n)
    assert images[0] == tuple(range(geometry.cells))
    assert len(set(images)) == len(images) == (8 if geometry.m == geometry.n else 4)
    lines = {frozenset(line) for line in geometry.lines}
    for image in images:
        assert {frozenset(image[cell] for cell in line) for line in lines} == lines


@given(boards(), st.data())
def test_packed_images_hold_the_image_of_a_set_under_each_symmetry(rules: MnkRules, data: st.DataObject) -> None:
    geometry = rules.geometry
    cells = data.draw(st.sets(st.integers(0, geometry.cells - 1)))
    packed = 0
    for cell in cells:
        packed |= packed_images(geometry, geometry.cells)[cell]
    for lane, image in enumerate(symmetries(geometry.m, geometry.n)):
        mask = packed >> lane * geometry.cells & geometry.full
        assert mask == sum(1 << image[cell] for cell in cells)
