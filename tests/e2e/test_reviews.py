"""A review by taps and commands: from the finished game through each move and back, on boards of every size."""

from typing import Final

import pytest

from bot.game.pages import LookBack
from bot.game.play import Move
from playground.chats import Message
from playground.groups import Group
from playground.people import Person
from tests.carried import actions_on, data_with
from tests.people import (
    EMPTY,
    X_WINS,
    begun,
    given_up,
    is_board,
    is_over,
    looked_back,
    offered,
    plain,
    played,
    ply_of,
    position_of,
    pressed,
    put,
    styles_of,
    tap_cell,
)
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

BLUNDER: Final = (
    "💥 Blunder: you could have drawn. Now OXO can win with the next move. This was the turning point."
)
NOT_THAT: Final = "✖️ middle right: OXO can win with the next move."


async def lost(person: Person) -> Message:
    """A game against perfect play, which answers in the centre, blocks, and wins because it isn't blocked."""
    board = await person.ask("/newgame perfect me")
    for cell in (0, 1, 3):
        await tap_cell(person, board, cell)
    assert position_of(board).outcome is not None
    return board


def lines(board: Message) -> list[str]:
    return plain(board).splitlines()


async def test_a_whole_review(shared: World, ann: Person) -> None:
    board = await lost(ann)
    finished, styles = plain(board), styles_of(board)
    edits = len(shared.edits(board))
    await looked_back(ann, board)
    assert lines(board)[1] == BLUNDER, "where the game turned"
    for _ in range(2):
        await pressed(ann, board, "›")
    assert lines(board)[:2] == [
        "🔎 Review. 💔 I win this time. Three in a row. Good game!",
        "⚡ Turning point: move 5.",
    ]
    assert position_of(board).ply == 0
    for ply in range(1, 6):
        await pressed(ann, board, "›")
        assert position_of(board).ply == ply
        assert lines(board)[0].startswith(f"🔎 Move {ply} of 6. ")
        if ply == 1:
            assert lines(board)[0].endswith("❌ You: top left.")
            assert lines(board)[1] == "⭐ Best: corners are strong."
    assert lines(board)[1] == BLUNDER
    await pressed(ann, board, "Find a better move")
    which = "🤔 Which cell is better? Played: middle left."
    assert lines(board)[0] == which
    assert position_of(board).ply == 4
    assert (await ann.tap(board, row=1, column=2)).text == NOT_THAT
    await board.changed()
    assert lines(board)[:2] == [NOT_THAT, which]
    await tap_cell(ann, board, 6)
    assert lines(board)[0] == "🎉 Well spotted! It blocks a line."
    assert styles_of(board) == {6: "success"}
    assert offered(board) == {"Play it out", "✕"}
    await pressed(ann, board, "✕")
    assert lines(board)[1] == BLUNDER
    await pressed(ann, board, "›")
    assert styles_of(board) == styles
    await pressed(ann, board, "✕")
    assert plain(board) == finished
    assert len(shared.edits(board)) == edits + 14, "each step is one edit"


async def test_a_better_move_is_played_out_with_that_move_made(ann: Person) -> None:
    board = await lost(ann)
    await looked_back(ann, board)
    await pressed(ann, board, "Find a better move")
    await tap_cell(ann, board, 6)
    await ann.tap(board, "Play it out")
    game = await ann.private.wait_for(is_board, after=board)
    assert position_of(game).ply == 6, "after her move, and the answer to it"
    assert "❌ You" in game.text
    assert game.labels[2][0] == "❌"
    assert "Your turn" in game.text


async def test_a_review_has_the_ways_to_share_a_game_on_a_page(ann: Person, bo: Person, group: Group) -> None:
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    await looked_back(bo, board)
    await pressed(bo, board, "⋯")
    assert len(board.labels) == 5
    assert (await bo.tap(board, board.labels[4][0])).text
    await group.wait_for(lambda message: message.animation is not None, after=board, within=60)
    await bo.tap(board, board.labels[4][2])
    said = await group.wait_for(lambda message: "⚔️" in message.text, after=board)
    assert said.labels == []
    await pressed(bo, board, board.labels[3][1])
    await pressed(bo, board, "✕")
    assert is_over(board)


async def test_by_commands_about_an_old_game_and_in_text(ann: Person) -> None:
    old = await lost(ann)
    await ann.ask("/newgame easy")
    await ann.ask("/settings text off")
    shown = await ann.ask("/review", reply_to=old)
    assert lines(shown)[0].startswith("🔎 Move 5 of 6.")
    await ann.say("/next")
    await shown.until(lambda message: plain(message).startswith("🔎 Move 6 of 6."))
    await ann.say("/leave")
    await shown.until(lambda message: "I win" in message.text)
    await ann.ask("/settings text on")
    said = await ann.ask("/newgame perfect me")
    for move in ("1", "2", "4"):
        said = await ann.ask(move)
    assert "/again, /review" in said.text
    assert said.labels == []
    said = await ann.ask("/review")
    assert lines(said)[0].startswith("🔎 Move 5 of 6.")
    assert lines(said)[1].startswith("💥 Blunder")
    assert lines(said)[-1] == "/next, /back, /try, /fromhere, /leave"
    assert lines(await ann.ask("/try"))[0].startswith("🤔")
    assert lines(await ann.ask("/try b1"))[0] == "That cell is taken. Pick an empty one."
    assert lines(await ann.ask("/try 6"))[0].startswith("✖️ middle right")
    assert lines(await ann.ask("/try bottom left"))[0].startswith("🎉 Well spotted")
    assert lines(await ann.ask("/back"))[0].startswith("🔎 Move 3 of 6.")
    assert "I win" in (await ann.ask("/leave")).text


# On bigger boards, which worker processes search.


LOOKED = 30.0
"""Seconds in which a game is looked at, on a machine that does other things too."""


async def moved(person: Person, board: Message, cell: int) -> None:
    """Play a cell, and wait for the computer's answer or the end."""
    ply = ply_of(board)
    await put(person, board, cell)
    await board.until(lambda shown: ply_of(shown) == ply + 2 or is_over(shown), within=60)


async def reviewed(person: Person, board: Message) -> None:
    """Open a review, and wait for its verdicts."""
    await person.tap(board, data=data_with(board, LookBack(0)))
    await board.until(lambda shown: shown.text.startswith("🔎") and "Analysing" not in shown.text, within=LOOKED)


async def test_a_lost_game_on_five_by_five_is_analysed_and_tried_again(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.delivery.analyses.LEAST_SECONDS", 60)  # on a busy machine it sees as far as elsewhere
    monkeypatch.setattr("bot.delivery.analyses.MOST_SECONDS", 60)
    board = await ann.ask("/newgame 5x5 perfect me")
    while not is_over(board):
        free = [a.cell for a, each in actions_on(board) if isinstance(a, Move) and each["text"] == EMPTY]
        await moved(ann, board, free[-1])
    assert "I win" in board.text
    await reviewed(ann, board)
    if "⚡ Turning point" in offered(board):
        await ann.tap(board, "⚡ Turning point")
    await board.until(lambda shown: "This was the turning point" in shown.text, within=LOOKED)
    await ann.tap(board, "Find a better move")
    await board.until(lambda shown: shown.text.startswith("🤔 Which cell is better"))
    row, column = next((row, board.labels[row].index(EMPTY)) for row in range(5) if EMPTY in board.labels[row])
    await ann.tap(board, row=row, column=column)
    await board.until(lambda shown: shown.text.startswith(("✖️", "🎉")), within=LOOKED)
    if board.text.startswith("✖️"):
        await ann.tap(board, "Show me")
        await board.until(lambda shown: shown.text.startswith("💡"), within=LOOKED)
    await ann.tap(board, "✕")
    await board.until(lambda shown: "⋯" in offered(shown))
    await ann.tap(board, "✕")
    await board.until(lambda shown: "I win" in shown.text.splitlines()[0])


async def test_a_game_of_ultimate_is_analysed_and_stepped_through(ann: Person) -> None:
    board = await ann.ask("/newgame ultimate easy me")
    await ann.say("/move 5 5")
    await board.until(lambda shown: "Resign" in offered(shown) and "Your turn" in shown.text, within=60)
    await given_up(ann, board)
    await reviewed(ann, board)
    for ply in (1, 2):
        await pressed(ann, board, "›")
        assert f"Move {ply} of 2." in lines(board)[0]
        assert [len(row) for row in board.labels[:3]] == [3, 3, 3]
        assert "🟦" in board.text or ply == 2, "the nine boards are drawn"


async def test_a_position_of_a_review_is_played_on_against_oxo_and_does_not_count(ann: Person) -> None:
    board = await lost(ann)
    await looked_back(ann, board)
    await pressed(ann, board, "›")
    assert "Play from here" not in offered(board), "it is over there"
    for _ in range(3):  # from the end on to the start, and two moves further
        await pressed(ann, board, "›")
    shown = position_of(board)
    await ann.tap(board, "Play from here")
    game = await ann.private.wait_for(is_board, after=board)
    assert position_of(game).ply == shown.ply == 2
    assert "Your turn" in game.text
    while "Play again" not in offered(game):
        await moved(ann, game, position_of(game).legal_moves[0])
    assert "It started in the middle of a game, so it doesn't count." in game.text
    await pressed(ann, board, "›")
    typed = await ann.say("/fromhere", reply_to=board)
    again = await ann.private.wait_for(is_board, after=typed)
    assert position_of(again).ply == 3
    assert "🟡 You" in again.text
    assert "Levels:" in (await ann.ask("/fromhere stupid", reply_to=board)).text
    harder = await ann.ask("/fromhere hard", reply_to=board)
    assert (position_of(harder).ply, "OXO (hard)" in harder.text) == (3, True)
