"""A review by taps and commands: from the finished game through each move and back, even across a kill."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest

from playground.messages import Message
from playground.people import Person
from tests.people import offered, plain, position_of, styles_of, tap_cell
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

WORDS: Final = {
    "en": {
        "review": "Review",
        "again": "Try again",
        "begin": "🔎 Review. 💔 I win this time. Three in a row. Good game!",
        "turned": "⚡ Turning point: move 5.",
        "first": "🔎 Move 1 of 6. ❌ You: top left.",
        "best": "⭐ Best: corners are strong cells.",
        "slip": (
            "💥 Blunder: you could have drawn. Now the opponent can win with the next move. This was the turning "
            "point."
        ),
        "which": "🤔 Which cell is better than middle left?",
        "not": "✖️ Not middle right: the opponent can win with the next move.",
        "found": "🎉 Well spotted! bottom left: it blocks a line.",
    },
    "zh-hans": {
        "review": "复盘",
        "again": "再试一次",
        "begin": "🔎 复盘。💔 这次我赢了。三子连线。下得不错！",
        "turned": "⚡ 转折点：第 5 步。",
        "first": "🔎 第 1 步，共 6 步。❌ 你：左上。",
        "best": "⭐ 最好的一步：角是好位置。",
        "slip": "💥 大漏招：你本来可以打平。现在对方下一步就能赢。这是转折点。",
        "which": "🤔 哪一格比左中更好？",
        "not": "✖️ 右中不行：对方下一步就能赢。",
        "found": "🎉 找得好！左下：挡住了一条线。",
    },
}


async def lost(person: Person) -> Message:
    """A game against perfect play, which answers in the centre, blocks, and wins because it isn't blocked."""
    board = await person.ask("/newgame perfect me")
    for cell in (0, 1, 3):
        await tap_cell(person, board, cell)
    assert position_of(board).outcome is not None
    return board


async def pressed(person: Person, board: Message, label: str) -> Message:
    """Tap a button that shows something else."""
    board.seen = board.revision
    answer = await person.tap(board, label)
    assert answer.text is None, answer.text
    return await board.changed()


def lines(board: Message) -> list[str]:
    return plain(board).splitlines()


@pytest.mark.parametrize("language", WORDS)
async def test_a_whole_review(shared: World, language: str) -> None:
    person = shared.playground.add_person("Ann", language=language, started=True)
    words = WORDS[language]
    board = await lost(person)
    finished, styles = plain(board), styles_of(board)
    edits = len(shared.edits(board))
    assert board.labels[4][0] == words["review"]
    await pressed(person, board, words["review"])
    assert lines(board)[1] == words["slip"], "where the game turned"
    await pressed(person, board, "«")
    assert lines(board)[:2] == [words["begin"], words["turned"]]
    assert position_of(board).ply == 0
    for ply in range(1, 6):
        await pressed(person, board, "›")
        assert position_of(board).ply == ply
        assert str(ply) in lines(board)[0]
        if ply == 1:
            assert lines(board)[:2] == [words["first"], words["best"]]
    assert lines(board)[1] == words["slip"]
    await pressed(person, board, words["again"])
    assert lines(board)[0] == words["which"]
    assert position_of(board).ply == 4
    wrong = await person.tap(board, row=1, column=2)
    assert wrong.text == words["not"]
    await board.changed()
    assert lines(board)[:2] == [words["not"], words["which"]]
    await tap_cell(person, board, 6)
    assert lines(board)[0] == words["found"]
    assert styles_of(board) == {6: "success"}
    await pressed(person, board, "»")
    assert styles_of(board) == styles
    await pressed(person, board, "«")
    await pressed(person, board, "✕")
    assert plain(board) == finished
    assert len(shared.edits(board)) == edits + 13, "each step is one edit"


async def test_a_tap_that_leads_nowhere_says_so_and_edits_nothing(shared: World, ann: Person) -> None:
    board = await lost(ann)
    await pressed(ann, board, "Review")
    await pressed(ann, board, "«")
    edits = len(shared.edits(board))
    assert (await ann.tap(board, "‹")).text == "This is the start of the game."
    assert "‹ and ›" in ((await ann.tap(board, row=0, column=0)).text or "")
    await shared.has_answered(ann.private, ann)
    assert len(shared.edits(board)) == edits


async def test_the_answer_is_shown_after_a_try_in_vain(ann: Person) -> None:
    board = await lost(ann)
    await pressed(ann, board, "Review")
    await pressed(ann, board, "Try again")
    assert "Show me" not in offered(board)
    await ann.tap(board, row=2, column=2)
    await board.changed()
    await pressed(ann, board, "Show me")
    assert lines(board)[0] == "💡 A better move was bottom left: it blocks a line."


async def test_taps_on_what_a_review_showed_before_do_no_harm(shared: World, ann: Person) -> None:
    board = await lost(ann)
    await pressed(ann, board, "Review")
    await pressed(ann, board, "«")
    at_start = board.keyboard
    await pressed(ann, board, "⚡ Turning point")
    await pressed(ann, board, "Try again")
    trying = board.keyboard
    await pressed(ann, board, "✕")
    finished = board.keyboard
    # Cells of an abandoned try, and of a ply that isn't shown.
    for keyboard in (trying, at_start):
        answer = await ann.tap(board, data=str(keyboard[2][0]["callback_data"]))
        assert answer.text
    await shared.has_answered(ann.private, ann)
    assert board.keyboard == finished
    # After many quick taps, the last one decides.
    await pressed(ann, board, "Review")
    await pressed(ann, board, "«")
    one = [str(each["callback_data"]) for each in board.keyboard[4][1:]]
    taps = [ann.press(board, data) for data in (one[2], one[2], one[3], one[0], one[2])]
    await asyncio.gather(*(tap.answer for tap in taps))
    await board.until(lambda message: position_of(message).ply == 1)
    await shared.has_answered(ann.private, ann)
    assert position_of(board).ply == 1


async def test_the_next_game_begins_from_a_review_and_the_old_one_can_still_be_looked_at(ann: Person) -> None:
    board = await lost(ann)
    await pressed(ann, board, "Review")
    await pressed(ann, board, "«")
    await pressed(ann, board, "›")
    assert (await ann.tap(board, "Play again")).text is None
    following = await ann.private.wait_for(lambda message: "Your turn" in message.text, after=board)
    await board.until(lambda message: "Play again" not in offered(message))
    await pressed(ann, board, "›")
    assert position_of(board).ply == 2
    await tap_cell(ann, following, 4)
    await pressed(ann, board, "✕")
    assert board.labels[3:] == [["Review", "Share"]]
    assert position_of(following).ply == 2


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
    assert "/again, /swap, /review" in said.text
    assert said.labels == []
    said = await ann.ask("/review")
    assert lines(said)[0].startswith("🔎 Move 5 of 6.")
    assert lines(said)[1].startswith("💥 Blunder")
    assert lines(said)[-1] == "/next, /back, /try, /leave"
    assert lines(await ann.ask("/try"))[0].startswith("🤔")
    assert lines(await ann.ask("/try b1"))[0] == "That cell is taken. Pick an empty one."
    assert lines(await ann.ask("/try 6"))[0].startswith("✖️ Not middle right")
    assert lines(await ann.ask("/try bottom left"))[0].startswith("🎉 Well spotted")
    assert lines(await ann.ask("/back"))[0].startswith("🔎 Move 3 of 6.")
    assert "I win" in (await ann.ask("/leave")).text


@pytest.mark.parametrize("command", ["/review", "/next", "/try", "/answer", "/leave"])
async def test_without_a_finished_game_there_is_nothing_to_look_back_on(ann: Person, command: str) -> None:
    await ann.ask("/newgame")
    assert (await ann.ask(command)).text == "There's no finished game here to review."
