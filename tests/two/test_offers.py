"""What inline mode's buttons carry, and what a hint says: pure functions."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import acts, buttons, inline, play
from bot.acts import Why
from bot.inline import Offer
from bot.play import Board, Player, Refusal
from engine import Position
from storage.game import moves_text
from tests.two.model import LINES

KEY = inline.signing_key("8123456789:AATokenForTests")
KINDS = st.sampled_from([*play.FIRSTS, "beginner", "perfect"])
PEOPLE = st.integers(1, 2**52)
"""Telegram's ids have up to 52 bits (Bot API, User)."""


@given(kind=KINDS, person=PEOPLE)
def test_an_offer_is_read_as_it_was_written_and_fits_a_button(kind: str, person: int) -> None:
    text = inline.write(Offer(kind, person), KEY)
    assert inline.read(text, KEY) == (kind, person)
    assert len(buttons.write(buttons.Begin(text)).encode()) <= 64
    assert buttons.read(buttons.write(buttons.Begin(text))) == buttons.Begin(text)


@given(kind=KINDS, person=PEOPLE, place=st.integers(0, 63), character=st.characters(codec="utf-8"))
def test_an_altered_offer_is_none(kind: str, person: int, place: int, character: str) -> None:
    text = inline.write(Offer(kind, person), KEY)
    place %= len(text)
    altered = text[:place] + character + text[place + 1 :]
    if altered != text:
        assert inline.read(altered, KEY) is None
    assert inline.read(text, inline.signing_key("8123456789:AAAnotherToken")) is None


@given(st.text())
def test_any_other_text_is_no_offer(text: str) -> None:
    assert inline.read(text, KEY) is None


@pytest.mark.parametrize(
    ("board", "cell", "why"),
    [
        ("XX. OO. ...", 2, Why.WIN),
        ("X.O .O. ..X", 6, Why.BLOCK),
        ("X.. .O. O.X", 2, Why.BLOCK),
        ("XOX O.. ...", 4, Why.FORK),
        ("... .O. ..X", 5, Why.BEST),
    ],
)
def test_a_hint_names_the_best_cell_and_why(board: str, cell: int, why: Why) -> None:
    position = Position.parse(board.replace(" ", "/"))
    game = play.new_game(
        Player(1, "Ann"), play.computer(), board=Board(1), language="en", now=0, due_at=9, level="easy"
    )
    crosses = [c for c in range(9) if str(position.mark_at(c)) == "X"]
    rings = [c for c in range(9) if str(position.mark_at(c)) == "O"]
    moves = [c for pair in zip(crosses, rings, strict=False) for c in pair]
    assert acts.hint(replace(game, moves=moves_text(moves)), person=1) == (cell, why)


def test_the_reason_of_a_hint_is_true_wherever_the_fifth_move_is_due() -> None:
    game = play.new_game(
        Player(1, "Ann"), play.computer(), board=Board(1), language="en", now=0, due_at=9, level="easy"
    )
    for first, second, third, fourth in permutations(range(9), 4):
        crosses, rings = {first, third}, {second, fourth}
        found = acts.hint(replace(game, moves=moves_text((first, second, third, fourth))), person=1)
        assert not isinstance(found, Refusal)
        cell, why = found
        assert cell not in crosses | rings
        threats = [line for line in LINES if len(crosses & set(line)) == 2 and not rings & set(line)]
        dangers = [line for line in LINES if len(rings & set(line)) == 2 and not crosses & set(line)]
        after = [line for line in LINES if len((crosses | {cell}) & set(line)) == 2 and not rings & set(line)]
        assert (why is Why.WIN) is bool(threats)
        if why is Why.WIN:
            assert any(cell in line for line in threats)
        elif why is Why.BLOCK:
            assert any(cell in line for line in dangers)
        else:
            assert not dangers
            assert why is Why.BEST or len(after) >= 2
