"""/difficulty, /first, /takebacks and /settings: what people and groups choose, and what comes of it."""

import pytest

from bot.boards.players import DIFFICULTIES
from engine import Level
from playground.chats import Message
from playground.groups import Group
from playground.people import Person
from tests.people import offered, plain, position_of, told
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


def marked(menu: Message) -> list[int]:
    """The highlighted buttons of a menu, by position."""
    buttons = [button for row in menu.keyboard for button in row]
    styled = [number for number, button in enumerate(buttons) if "style" in button]
    ticked = [number for number, button in enumerate(buttons) if "✓" in button["text"]]
    assert styled == ticked, "the choice is shown by more than a colour"
    return styled


async def chosen(person: Person, menu: Message, page: str, label: str) -> str:
    """Open a page of the settings and tap a value; the result is the toast."""
    name = next(label for label in offered(menu) if label.startswith(page))
    await person.tap(menu, name)
    await menu.until(lambda message: "‹ Back" in offered(message))
    answer = await person.tap(menu, label)
    await menu.until(lambda message: "‹ Back" not in offered(message))
    return answer.text or ""


async def test_what_is_chosen_holds_for_a_chats_new_games_and_a_word_of_newgame_for_one(
    ann: Person, group: Group
) -> None:
    assert "perfect" in (await ann.ask("/difficulty PERFECT")).text
    await ann.ask("/first bot")
    other = await ann.ask("/newgame hard me")
    assert "hard" in other.text
    assert position_of(other).ply == 0
    usual = await ann.ask("/newgame")
    assert "perfect" in usual.text
    assert position_of(usual).ply == 1
    await ann.ask("/first Random")
    begun: set[int] = set()
    while begun != {0, 1}:
        begun.add(position_of(await ann.ask("/newgame easy")).ply)
    assert marked(await ann.ask("/difficulty", in_=group)) == [DIFFICULTIES.index("adaptive")], "chosen elsewhere"
    await ann.ask("/difficulty hard", in_=group)
    assert marked(await ann.ask("/difficulty")) == [DIFFICULTIES.index(Level.STRONGEST)]


async def test_all_of_a_persons_choices_are_in_one_message(shared: World, ann: Person) -> None:
    menu = await ann.ask("/settings")
    sent = len(shared.sent(ann.private))
    assert await chosen(ann, menu, "Difficulty", "hard") == "Difficulty: hard"
    assert await chosen(ann, menu, "First", "OXO") == "First: OXO"
    assert await chosen(ann, menu, "Theme", "▲ ●") == "Theme: ▲ ●"
    await chosen(ann, menu, "Theme", "‹ Back")
    assert await chosen(ann, menu, "Turn reminders", "off") == "Turn reminders: off"
    await ann.tap(menu, "More ›")
    await menu.until(lambda message: "Text boards: off" in offered(message))
    for switch in ("Text boards", "Undo requests", "OXO's comments", "Text boards"):
        before = next(label for label in offered(menu) if label.startswith(switch))
        then = f"{switch}: {'off' if before.endswith('on') else 'on'}"
        assert (await ann.tap(menu, before)).text == then
        await menu.until(lambda message, then=then: then in offered(message))  # type: ignore[misc] # bound
    assert len(shared.sent(ann.private)) == sent
    assert "✓ hard" in offered(await ann.ask("/difficulty"))
    assert "✓ off" in offered(await ann.ask("/notify"))
    assert "✓ off" in offered(await ann.ask("/takebacks"))
    board = await ann.ask("/newgame")
    assert "OXO (hard)" in board.text
    assert sum(row.count("▲") for row in board.labels[:3]) == 1
    assert "▲ OXO" in plain(board)
    assert "● You" in plain(board)
    assert "💬" not in board.text


async def test_a_group_has_choices_of_its_own_made_by_its_administrators(
    ann: Person, bo: Person, group: Group
) -> None:
    menu = await ann.ask("/settings", in_=group)
    assert "First: Challenger" in offered(menu)
    assert "Turn reminders" not in " ".join(offered(menu)), "each chooses that for themselves"
    page = await ann.ask("/notify", in_=group)
    assert "✓ in our chat" in offered(page)
    assert await told(bo, page, "off") == "轮到你时提醒：关"
    assert await told(ann, page, "on") == "Turn reminders: on"
    assert "✓ in our chat" in offered(page), "nobody else is shown what either has chosen"
    assert "✓ on" in offered(await ann.ask("/notify")), "it's one choice, wherever it's made"
    assert "管理员" in ((await bo.tap(menu, "Difficulty: adaptive")).text or "")
    assert "管理员" in (await bo.ask("/difficulty hard", in_=group)).text
    assert (await bo.ask("/settings", in_=group)).labels, "anybody may look at them"
    assert await chosen(ann, menu, "Theme", "X O") == "Theme: X O"
    assert await chosen(ann, menu, "Language", "简体中文") == "Language: 简体中文"
    board = await ann.ask("/newgame easy", in_=group)
    assert "X" in board.text
    assert "轮到你" in board.text
    assert "Your turn" in (await ann.ask("/newgame")).text, "in private she has her own"
    assert (await bo.ask("/settings reminders off", in_=group)).text == "轮到你时提醒：关"
