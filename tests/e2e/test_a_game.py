"""A game: taps, the result, what comes after, and how many calls that takes."""

from collections import Counter

import pytest

from engine import Mark
from playground.chats import Chat
from playground.groups import Group
from playground.people import Person
from tests.people import (
    NOBODY_WINS,
    WIN,
    accepted,
    next_board,
    plain,
    play_to,
    played,
    position_of,
    pressed,
    tap_cell,
)
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_the_next_game_is_a_new_message_and_the_finished_board_folds(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame easy me")
    await play_to(WIN, ann, board, "easy")
    again = str(board.button("Play again")["callback_data"])
    answer = await ann.tap(board, data=again)
    assert answer.text is None
    following = await ann.private.wait_for(after=board)
    assert position_of(following).ply == 1, "the sides alternate"
    assert "easy" in following.text
    assert "Your turn" in following.text
    await board.until(lambda message: message.labels == [["Send", "🔎"]])
    assert plain(board).startswith("🏆 ❌ Ann wins · ")
    assert board.text.count("❎") >= 3, "its line can be seen"
    folded = board.text

    await tap_cell(ann, following, position_of(following).legal_moves[0])
    assert position_of(following).turn is Mark.O
    assert board.text == folded
    sent = len(shared.sent(ann.private))
    late = await ann.tap(board, data=again)
    assert late.text, "the second request for another game is told where it is"
    await shared.has_answered(ann.private, ann)
    assert len(shared.sent(ann.private)) == sent + 1, "only the menu at the end"


# How many calls that costs: nothing is sent or edited without need (docs/hosting.md has the table).


COUNTED = ("sendMessage", "editMessageText", "answerCallbackQuery", "deleteMessage")


class Meter:
    """The calls that the bot makes from now until all is quiet."""

    def __init__(self, oxo: World) -> None:
        self._oxo = oxo
        self._before = len(oxo.playground.calls)

    async def read(self, chat: Chat, person: Person) -> dict[str, int]:
        """The calls by method, except for the question that shows when all is quiet."""
        calls = self._oxo.playground.calls[self._before :]
        counted = Counter(call.method for call in calls if call.method in COUNTED)
        await self._oxo.has_answered(chat, person)
        more = Counter(
            call.method for call in self._oxo.playground.calls[self._before :] if call.method in COUNTED
        )
        assert more - counted == Counter({"sendMessage": 1}), "nothing came after"
        self._before = len(self._oxo.playground.calls)
        return dict(counted)


async def test_a_game_against_the_computer_costs_a_message_and_an_edit_and_an_answer_a_tap(
    shared: World, ann: Person
) -> None:
    meter = Meter(shared)
    board = await ann.ask("/newgame perfect")
    taps = 0
    while (position := position_of(board)).outcome is None:
        await tap_cell(ann, board, position.legal_moves[0])
        taps += 1
    assert await meter.read(ann.private, ann) == {
        "sendMessage": 1,
        "editMessageText": taps,
        "answerCallbackQuery": taps,
    }
    await ann.tap(board, "Play again")
    await next_board(ann.private, board)
    await board.until(lambda message: "Play again" not in str(message.labels))
    again = await meter.read(ann.private, ann)
    assert again == {"sendMessage": 1, "editMessageText": 1, "answerCallbackQuery": 1}


async def test_a_challenge_costs_a_message_an_edit_and_an_answer_and_a_rematch_two_edits(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    meter = Meter(shared)
    board = await accepted(bo, await ann.ask("/newgame", in_=group))
    assert await meter.read(group, ann) == {"sendMessage": 1, "editMessageText": 1, "answerCallbackQuery": 1}
    await played(ann, bo, board, NOBODY_WINS)
    assert await meter.read(group, ann) == {"editMessageText": 9, "answerCallbackQuery": 9}
    await pressed(ann, board, "Rematch")
    await pressed(bo, board, "Rematch ✓")
    await next_board(group, board)
    assert await meter.read(group, ann) == {"sendMessage": 1, "editMessageText": 2, "answerCallbackQuery": 2}
