"""A person plays the computer, alone or in a group: taps, the result, and what comes after."""

import pytest

from engine import Mark
from playground.people import Person
from tests.people import DRAW, LOSS, WIN, play_to, position_of, styles_of, tap_cell
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("wanted", "level", "first"),
    [
        (WIN, "easy", "me"),
        (LOSS, "perfect", "me"),
        (DRAW, "perfect", "bot"),
    ],
)
async def test_the_end_is_announced_in_the_message_itself(
    shared: World, ann: Person, wanted: str, level: str, first: str
) -> None:
    board = await ann.ask(f"/newgame {level} {first}")
    position = await play_to(wanted, ann, board, level)
    assert wanted in board.text
    assert sum(words in board.text for words in (WIN, LOSS, DRAW)) == 1
    assert "turn" not in board.text
    assert len(board.text.splitlines()[0]) > len(wanted) + 10, "with a sentence"
    assert position.outcome is not None
    line = {cell for line in position.outcome.lines for cell in line}
    styles = styles_of(board)
    colour = "primary" if LOSS in board.text else "success"
    assert styles == dict.fromkeys(line, colour), "only the line stands out"
    assert board.labels[3:] == [["Play again", "Swap sides"], ["Review", "Share"]]
    await shared.has_answered(ann.private, ann)
    assert len(shared.sent(ann.private)) == 2, "nothing but the board, and the menu at the end"


@pytest.mark.parametrize(("label", "mark"), [("Play again", Mark.X), ("Swap sides", Mark.O)])
async def test_the_next_game_is_a_new_message_and_the_finished_board_stays(
    shared: World, ann: Person, label: str, mark: Mark
) -> None:
    board = await ann.ask("/newgame easy me")
    await play_to(WIN, ann, board, "easy")
    finished = position_of(board)
    again = str(board.button(label)["callback_data"])
    answer = await ann.tap(board, data=again)
    assert answer.text is None
    following = await ann.private.wait_for(after=board)
    assert position_of(following).ply == (0 if mark is Mark.X else 1)
    assert "easy" in following.text
    assert "Your turn" in following.text
    await board.until(lambda message: message.labels[3:] == [["Review", "Share"]])
    assert position_of(board) == finished
    assert WIN in board.text

    await tap_cell(ann, following, position_of(following).legal_moves[0])
    assert position_of(following).turn is mark
    assert position_of(board) == finished
    sent = len(shared.sent(ann.private))
    late = await ann.tap(board, data=again)
    assert late.text, "the second request for another game is told where it is"
    await shared.has_answered(ann.private, ann)
    assert len(shared.sent(ann.private)) == sent + 1, "only the menu at the end"


# In a group.
