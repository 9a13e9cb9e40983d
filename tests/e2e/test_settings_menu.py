"""/settings: one message that edits itself, and its effect on new boards."""

from __future__ import annotations

import pytest

from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.people import data_of, offered, plain, position_of
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def chosen(person: Person, menu: Message, page: str, label: str) -> str:
    """Open a page of the settings and tap a value; the result is the toast."""
    name = next(label for label in offered(menu) if label.startswith(page))
    await person.tap(menu, name)
    await menu.until(lambda message: "‹ Back" in offered(message))
    answer = await person.tap(menu, label)
    await menu.until(lambda message: "‹ Back" not in offered(message))
    return answer.text or ""


async def test_all_of_a_persons_choices_are_in_one_message(shared: World, ann: Person) -> None:
    menu = await ann.ask("/settings")
    assert menu.labels == [
        ["Board: 3×3"],
        ["Difficulty: adaptive"],
        ["First: Me"],
        ["Language: Automatic"],
        ["Turn reminders: on"],
        ["Theme: ❌ 🟡", "More ›"],
    ]
    sent = len(shared.sent(ann.private))
    assert await chosen(ann, menu, "Difficulty", "hard") == "Difficulty: hard"
    assert await chosen(ann, menu, "First", "OXO") == "First: OXO"
    assert await chosen(ann, menu, "Theme", "▲ ●") == "Theme: ▲ ●"
    await ann.tap(menu, "Turn reminders: on")
    await menu.until(lambda message: "Turn reminders: off" in offered(message))
    await ann.tap(menu, "More ›")
    await menu.until(
        lambda message: (
            message.labels
            == [
                ["Text boards: off"],
                ["OXO's comments: on"],
                ["Takebacks: on"],
                ["Hide my stats: off"],
                ["‹ Back"],
            ]
        )
    )
    for switch, then in (
        ("Text boards: off", "Text boards: on"),
        ("Takebacks: on", "Takebacks: off"),
        ("OXO's comments: on", "OXO's comments: off"),
        ("Text boards: on", "Text boards: off"),
    ):
        answer = await ann.tap(menu, switch)
        assert answer.text == then
        await menu.until(lambda message, then=then: then in offered(message))  # type: ignore[misc] # bound
    assert len(shared.sent(ann.private)) == sent
    assert "✓ hard" in offered(await ann.ask("/difficulty"))
    assert "✓ off" in offered(await ann.ask("/notify"))
    board = await ann.ask("/newgame")
    assert "OXO (hard)" in board.text
    assert sum(row.count("▲") for row in board.labels[:3]) == 1
    assert "▲ OXO" in plain(board)
    assert "● You" in plain(board)
    assert "💬" not in board.text


async def test_a_page_is_left_without_a_choice(ann: Person) -> None:
    menu = await ann.ask("/settings")
    await ann.tap(menu, "Theme: ❌ 🟡")
    await menu.until(lambda message: "✓ ❌ 🟡" in offered(message))
    assert {"X O", "▲ ●", "⭐ 🌙"} <= offered(menu)
    await ann.tap(menu, "‹ Back")
    await menu.until(lambda message: "Theme: ❌ 🟡" in offered(message))


async def test_a_running_board_keeps_its_look_and_the_next_has_the_new_one(ann: Person) -> None:
    old = await ann.ask("/newgame easy")
    await ann.ask("/settings theme letters")
    await ann.tap(old, data=data_of(old, 4))
    await old.until(lambda message: message.labels[1][1] == "❌")
    board = await ann.ask("/board")
    assert board.labels[1][1] == "X"
    await ann.say("/resign")
    await board.until(lambda message: "Yes, resign" in offered(message))
    await ann.tap(board, "Yes, resign")
    await board.until(lambda message: "Play again" in offered(message))
    await ann.ask("/settings theme sky")
    await ann.tap(board, "Play again")
    following = await ann.private.wait_for(lambda message: len(message.labels) > 3, after=board)
    assert "⭐ You" in plain(following)


async def test_a_chosen_language_holds_everywhere_whatever_telegram_says(ann: Person, bo: Person) -> None:
    menu = await ann.ask("/settings")
    await ann.tap(menu, "Language: Automatic")
    await menu.until(lambda message: "中文" in offered(message))
    answer = await ann.tap(menu, "中文")
    assert answer.text == "语言：中文"
    await menu.until(lambda message: "语言：中文" in offered(message))
    board = await ann.ask("/newgame easy")
    assert "轮到你" in board.text
    await ann.tap(board, data=data_of(board, 0))
    await board.until(lambda message: message.labels[0][0] == "❌")
    toast = await ann.tap(board, data=data_of(board, 0).replace(":2:", ":0:"))
    assert "棋盘" in (toast.text or "")
    assert "English" in (await ann.ask("/settings language en")).text
    assert "Your" in (await ann.ask("/newgame easy")).text
    await ann.ask("/settings language auto")
    assert "Your" in (await ann.ask("/newgame easy")).text
    assert "轮到你" in (await bo.ask("/newgame easy")).text
    await bo.ask("/settings language en")
    assert "Your" in (await bo.ask("/newgame easy")).text


async def test_a_group_has_choices_of_its_own_made_by_its_administrators(
    ann: Person, bo: Person, group: Group
) -> None:
    menu = await ann.ask("/settings", in_=group)
    assert menu.labels == [
        ["Board: 3×3"],
        ["Difficulty: adaptive"],
        ["First: Challenger"],
        ["Language: Automatic"],
        ["Theme: ❌ 🟡", "More ›"],
    ]
    assert "管理员" in ((await bo.tap(menu, "Difficulty: adaptive")).text or "")
    assert "管理员" in (await bo.ask("/difficulty hard", in_=group)).text
    assert (await bo.ask("/settings", in_=group)).labels, "anybody may look at them"
    assert await chosen(ann, menu, "Theme", "X O") == "Theme: X O"
    assert await chosen(ann, menu, "Language", "中文") == "Language: 中文"
    board = await ann.ask("/newgame easy", in_=group)
    assert "X" in board.text
    assert "轮到你" in board.text
    assert "Your turn" in (await ann.ask("/newgame")).text, "in private she has her own"
    assert (await bo.ask("/settings reminders off", in_=group)).text == "轮到你的提醒：关"


@pytest.mark.parametrize("words", ["theme pink", "colour red", "text on off", "<b> on"])
async def test_a_setting_that_there_is_not_is_answered_with_those_that_there_are(ann: Person, words: str) -> None:
    answer = await ann.ask(f"/settings {words}")
    assert ("I don't know the word" in answer.text) is (words != "theme")
    known = words.split(maxsplit=1)[0] in ("theme", "text")
    assert ("/settings theme classic, letters, shapes, sky" in answer.text) is not words.startswith("text")
    assert ("/settings level" in answer.text) is not known, "the old word is understood"


@pytest.mark.parametrize(
    "data", ["2set:theme:pink", "2set:takebacks:", "2set:nothing:on", "2set:theme:", "2set::on", "2set:text:on"]
)
async def test_what_a_changed_client_sends_edits_no_board(shared: World, ann: Person, data: str) -> None:
    board = await ann.ask("/newgame easy")
    await ann.tap(board, data=data)
    await shared.has_answered(ann.private, ann)
    assert position_of(board).ply == 0
    assert not shared.edits(board)
