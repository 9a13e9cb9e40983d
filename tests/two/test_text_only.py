"""Text-only games, for people who can't use buttons well: no taps at all once text boards are on."""

import pytest

from playground.chats import Message
from playground.people import Person
from tests.people import opened, plain, token_of
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def in_text(person: Person) -> None:
    await person.ask("/settings text on")


async def says(oxo: World, person: Person, words: str) -> str:
    """Write to the bot in private; returns its answer, which has no buttons."""
    answer = await asks(oxo, words, person)
    assert answer.labels == []
    return plain(answer)


async def asks(oxo: World, words: str, one: Person, other: Person | None = None) -> Message:
    """Write to the bot once it has stored its newest messages as boards; returns its answer."""
    for person in (one, other or one):
        await oxo.has_settled(person.private)
    return await one.ask(words)


def rows(text: str) -> list[str]:
    """The board in a text: its row of letters, and its numbered rows."""
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines) if line.strip() == "a  b  c")
    return [line.rstrip() for line in lines[first : first + 4]]


async def test_a_game_against_the_computer(shared: World, ann: Person) -> None:
    await in_text(ann)
    board = await says(shared, ann, "/newgame perfect")
    assert board.startswith("Your turn.")
    assert rows(board) == ["   a  b  c", "1  a1 b1 c1", "2  a2 b2 c2", "3  a3 b3 c3"]
    assert "Type a cell to play it: b2, 5 or centre." in board
    assert "/hint" in board
    board = await says(shared, ann, "centre")
    assert board.startswith("OXO: ")
    assert "Your turn." in board.splitlines()[0]
    assert rows(board)[2] == "2  a2 X  c2"
    assert "taken" in await says(shared, ann, "5")
    assert "💡" in await says(shared, ann, "Hint?"), "words work without a slash"
    board = await says(shared, ann, "/undo")
    assert board.startswith("Your turn.")
    board = await says(shared, ann, "Ｂ２")
    assert rows(board)[2] == "2  a2 X  c2"
    assert "/yes, /no" in await says(shared, ann, "/resign")
    assert "/yes" not in await says(shared, ann, "/no")
    await says(shared, ann, "/resign")
    over = await says(shared, ann, "yes!")
    assert "You resigned." in over
    assert "/again" in over
    assert (await says(shared, ann, "/again")).startswith("OXO: "), "sides alternate"


@pytest.mark.parametrize("said", ["z9", "d4", "Where am I?", "?"])
async def test_what_is_no_cell_is_answered_with_the_cells_and_whose_move_it_is(
    shared: World, ann: Person, bo: Person, said: str
) -> None:
    await in_text(ann)
    await in_text(bo)
    assert "#" not in (await opened(bo, token_of(await ann.ask("/challenge")))).text
    answer = await says(shared, ann, said)
    assert "a1 to c3. /help has" in answer
    assert answer.splitlines()[-1] == "3×3 · Your turn."
    assert (await says(shared, bo, said)).splitlines()[-1].startswith("3×3 · ")
    if said != "d4":  # a cell of ultimate
        await says(shared, ann, "/newgame ultimate easy")
        assert "a1 to i9." in await says(shared, ann, said)


async def test_a_challenge_a_takeback_and_a_rematch_in_english_and_chinese(
    shared: World, ann: Person, bo: Person
) -> None:
    await in_text(ann)
    await in_text(bo)
    invitation = await ann.ask("/challenge")
    assert invitation.labels == []
    assert "/cancel" in invitation.text
    his = await opened(bo, token_of(invitation))
    assert plain(his).startswith("轮到 Ann 了。")
    assert his.labels == []
    hers = await ann.private.wait_for(after=invitation)
    assert plain(hers).startswith("Your turn.")
    assert plain(await asks(shared, "centre", ann, bo)).startswith("You: centre. 小波's turn.")
    his = await bo.private.wait_for(after=his)
    assert plain(his).startswith("Ann：中间。轮到你了。")
    assert "/undo, /resign" not in plain(his), "as Chinese is written"
    # A takeback: asked, declined, asked again, agreed to.
    asked = await asks(shared, "/undo", ann, bo)
    assert "asked to undo X centre" in plain(asked)
    assert "/cancel" in plain(asked)
    await his.until(lambda message: "/yes、/no" in message.text)
    await asks(shared, "/no", bo, ann)
    assert "小波 said no" in plain(await ann.private.wait_for(after=asked)), "the waiting player is told"
    _, asked_again = await heard_by_both(shared, ann, bo, "/undo")
    assert "/yes、/no" in asked_again
    agreed, hers_again = await heard_by_both(shared, bo, ann, "/yes")
    assert rows(agreed) == rows(hers_again) == ["   a  b  c", "1  a1 b1 c1", "2  a2 b2 c2", "3  a3 b3 c3"]
    # The game, to its end.
    for one, other, words, last in (
        (ann, bo, "top left", "Ann：左上。轮到你了。"),
        (bo, ann, "中间", "小波: centre. Your turn."),
        (ann, bo, "b1", "Ann：上中。轮到你了。"),
        (bo, ann, "左下", "小波: bottom left. Your turn."),
    ):
        assert (await heard_by_both(shared, one, other, words))[1].startswith(last)
    won, lost = await heard_by_both(shared, ann, bo, "1,3")
    assert won.startswith("You: top right.")
    assert "You win!" in won
    assert "/rematch" in won
    assert lost.startswith("Ann：右上。")
    # The rematch: he was called at the end, so the question is on the board that he has.
    assert "/cancel" in plain(await asks(shared, "/rematch", ann, bo))
    await newest(bo).until(lambda message: "/yes、/no" in message.text)
    await shared.has_settled(bo.private)
    said = await bo.say("/accept")
    second = await bo.private.wait_for(lambda message: "轮到你" in message.text, after=said)
    assert rows(plain(second))[1] == "1  a1 b1 c1"
    assert plain(await asks(shared, "左上", bo, ann)).startswith("你：左上。轮到 Ann 了。")


async def heard_by_both(oxo: World, one: Person, other: Person, words: str) -> tuple[str, str]:
    """The new messages that two people get when one of them writes to the bot."""
    before = newest(other)
    own = await asks(oxo, words, one, other)
    return plain(own), plain(await oxo.comes(other.private, before))


def newest(person: Person) -> Message:
    return [m for m in person.private.messages.values() if m.from_bot and not m.deleted][-1]
