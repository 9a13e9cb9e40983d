"""The record of a game: its moves define it, and a record that contradicts them is refused."""

from __future__ import annotations

import pytest
from sqlalchemy import String

from engine import STRATEGIES, Level, Mark
from storage.errors import CorruptGame
from storage.games.game import Offer, Termination
from storage.schema import CHATS, GAMES
from tests.boards import board
from tests.storage.examples import ANN, NEW

# X . O     X plays 0, 4 and 8, and O plays 2 and 6:
# . X .     the fifth ply wins.
# O . X
WON = "02468"
#          X O X   A full board without a line:
#          X O O   0 1 2 4 3 5 7 6 8
#          O X X
DRAWN = "012435768"


@pytest.mark.parametrize(
    "values",
    [
        {"moves": ""},
        {"moves": "04"},
        {"moves": WON, "termination": Termination.LINE, "winner": Mark.X},
        {"moves": DRAWN, "termination": Termination.FULL_BOARD},
        {"moves": "04", "termination": Termination.RESIGNATION, "winner": Mark.O},
        {"moves": "0", "termination": Termination.TIMEOUT, "winner": Mark.X},
        {"moves": "0H", "rules": "8x8x5"},
        {"moves": WON, "rules": "3x3x3-misere", "termination": Termination.LINE, "winner": Mark.O},
    ],
)
def test_a_sound_game_is_given_back(values: dict[str, object]) -> None:
    game = NEW._replace(**values)  # type: ignore[arg-type] # the table names fields of a game
    assert game.check() is game


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"moves": "00"}, "Cell 0 is taken"),
        ({"moves": "9"}, "The character '9' is not one"),
        ({"moves": "é"}, "The character 'é' is not one"),
        ({"moves": WON + "1", "termination": Termination.LINE, "winner": Mark.X}, "The game is over"),
        ({"moves": "04", "rules": "three"}, "three"),
        ({"moves": "04", "rules": "99x99x3"}, "99"),
        ({"moves": WON}, "end by line, but None"),
        ({"moves": WON, "termination": Termination.FULL_BOARD, "winner": Mark.X}, "end by line, but full board"),
        ({"moves": WON, "termination": Termination.RESIGNATION, "winner": Mark.X}, "end by line, but resignation"),
        ({"moves": WON, "termination": Termination.LINE, "winner": Mark.O}, "won by X, but O"),
        ({"moves": WON, "termination": Termination.LINE}, "won by X, but None"),
        ({"moves": DRAWN, "termination": Termination.FULL_BOARD, "winner": Mark.O}, "won by None, but O"),
        ({"moves": "04", "termination": Termination.LINE, "winner": Mark.X}, "end by None, but line"),
        ({"moves": "04", "winner": Mark.X}, "won by None, but X"),
    ],
)
def test_a_game_that_contradicts_itself_is_refused(values: dict[str, object], reason: str) -> None:
    game = NEW._replace(id=77, **values)  # type: ignore[arg-type] # the table names fields of a game
    with pytest.raises(CorruptGame, match=r"^game 77 cannot be read: ") as refusal:
        game.check()
    assert reason in refusal.value.reason


def test_moves_and_seats_tell_the_position_whose_turn_it_is_and_at_which_level() -> None:
    assert NEW._replace(moves=WON).position == board("X.O/.X./O.X")
    assert [NEW._replace(moves=moves).turn for moves in ("", "4")] == [Mark.X, Mark.O]
    assert [NEW.mark_of(person) for person in (ANN, ANN + 1)] == [Mark.X, None]
    assert [NEW.name(mark) for mark in Mark] == ["Ann", None]
    assert [NEW.level_of(mark) for mark in Mark] == [None, NEW.level] == [None, "medium"]
    assert NEW.is_against_computer


def test_every_word_fits_into_its_column() -> None:
    levels = [*Level, *STRATEGIES]
    for column, words in (
        (GAMES.c.termination, list(Termination)),
        (GAMES.c.offer, [f"{offer}:{mark}" for offer in Offer for mark in Mark]),
        (GAMES.c.x_level, levels),
        (GAMES.c.o_level, levels),
        (CHATS.c.level, levels),
    ):
        assert isinstance(column.type, String)
        assert max(map(len, words)) <= (column.type.length or 0), column
