"""Rules and their moves as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import CLASSIC, EngineError, IllegalMove, InvalidRules, Mark, parse_rules
from engine.errors import MalformedMoves
from engine.rules.catalogue import NAMED
from tests.boards import board, drawn


def names() -> list[str]:
    """The text of every board, by the usual rules and misère, and of all rules with a name of their own."""
    sides = range(3, 9)
    boards = [f"{m}x{n}x{k}" for m in sides for n in sides for k in range(3, max(m, n) + 1)]
    return [*boards, *(f"{board}-misere" for board in boards), *(rules.text for rules in NAMED.values())]


def test_every_set_of_rules_has_a_text_that_gives_it_back() -> None:
    assert len(set(names())) == 322 + len(NAMED)
    for text in names():
        rules = parse_rules(text)
        assert rules.text == str(rules) == text
        assert parse_rules(text) is rules
        assert repr(rules) == f"parse_rules({text!r})"
    assert parse_rules("3x3x3") is CLASSIC


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "No rules are called '': a board is written like 5x5x4."),
        ("3x3", "No rules are called '3x3': a board is written like 5x5x4."),
        ("3x3x3x3", "No rules are called '3x3x3x3': a board is written like 5x5x4."),
        ("03x3x3", "No rules are called '03x3x3': a board is written like 5x5x4."),
        ("3x3x³", "No rules are called '3x3x³': a board is written like 5x5x4."),
        ("3X3X3", "No rules are called '3X3X3': a board is written like 5x5x4."),
        (" 3x3x3", "No rules are called ' 3x3x3': a board is written like 5x5x4."),
        ("3x3x3-", "No rules are called '3x3x3-': a board can only be followed by -misere."),
        ("3x3x3-wild", "No rules are called '3x3x3-wild': a board can only be followed by -misere."),
        ("9x3x3", "A board has 3 to 8 columns, not 9."),
        ("3x3x4", "On a board of 3 columns and 3 rows a line has 3 to 3 cells, not 4."),
    ],
)
def test_a_text_that_names_no_rules_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        parse_rules(text)
    assert str(refused.value) == sentence


def test_rules_know_the_shape_of_their_board() -> None:
    rules = parse_rules("5x4x3")
    assert (rules.layout.columns, rules.layout.rows, rules.cells) == (5, 4, 20)
    assert (rules.start().rules, rules.start().ply) == (rules, 0)


def test_a_move_is_one_character_as_it_has_been_stored_all_along() -> None:
    rules = parse_rules("8x8x5")
    written = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
    assert rules.moves_text(range(64)) == "".join(map(rules.move_text, range(64))) == written
    assert rules.read_moves(written) == tuple(range(64))


@given(st.sampled_from(names()), st.data())
def test_moves_and_their_text_are_inverse(text: str, data: st.DataObject) -> None:
    rules = parse_rules(text)
    cells = data.draw(st.lists(st.integers(0, rules.cells - 1)))
    assert rules.read_moves(rules.moves_text(cells)) == tuple(cells)


def test_stored_moves_are_replayed_or_refused() -> None:
    assert CLASSIC.replay("") == CLASSIC.start()
    assert CLASSIC.replay("408") == board("O.. .X. ..X")
    with pytest.raises(IllegalMove, match="Cell 4 is taken"):
        CLASSIC.replay("044")
    with pytest.raises(IllegalMove, match="The game is over"):
        CLASSIC.replay("031425")


@pytest.mark.parametrize(("text", "character"), [("0409", "9"), ("04 ", " "), ("A", "A"), ("04×", "×")])
def test_a_character_that_stands_for_no_cell_is_refused(text: str, character: str) -> None:
    for read in (CLASSIC.read_moves, CLASSIC.replay):
        with pytest.raises(MalformedMoves) as refused:
            read(text)
        assert str(refused.value) == f"The character {character!r} is not one of the 9 cells."


@pytest.mark.parametrize("cell", [-1, 9])
def test_a_cell_off_the_board_cannot_be_written(cell: int) -> None:
    with pytest.raises(EngineError, match=f"There is no cell {cell}"):
        CLASSIC.move_text(cell)
    with pytest.raises(EngineError, match=f"There is no cell {cell}"):
        CLASSIC.moves_text([0, cell])


def test_in_misere_completing_a_line_loses() -> None:
    rules = parse_rules("3x3x3-misere")
    position = rules.replay("04182")
    assert drawn(position) == "XXX.O...O"
    assert position.outcome is not None
    assert position.outcome.winner is Mark.O
    assert position.outcome.lines == ((0, 1, 2),)
    assert position != CLASSIC.replay("04182")
