"""Buttons that 1.0.0 has sent, which stay in chats: they do what they say, or bring a board up to date."""

from typing import Final

import pytest

import bot.dispatch  # noqa: F401 - with the buttons of all features
from bot.boards.buttons import read
from playground.groups import Group
from playground.people import Person
from tests.people import begun, offered, resigned

pytestmark = pytest.mark.asyncio(loop_scope="module")

OUT_OF_DATE = "That button is out of date. Here's the board as it is now."


SENT: Final = """
accept:6:3x3x3:0:1 again:5 all:3:0 any:6 best:5:2 block:6 blocked:0 boards:4:0 bring:4 c:5.1:4:0 cancel:6
challenge:7:X:AbCdEfGhIjKlMnOp claim:6 clock:6:30 computer:6 cup:1:join cup:1:leave cup:1:start decline:13 delete
download faster:6 find: find:3x3x3 first:4:0 forget:1 from:5:4 giveup:8 goon:8 help:play hint:6 invite leave:5
i:me_bo:5000000001:V5Pya1gy:qyejIouAbCdE level:3:beginner levels:1:0 link:AbCdEfGhIjKlMnOpQrStUv m:1:0:0
meanwhile:9 more:4:0 newseason:1 no:7:2 options:1:0 play puzzle:20784 region:7:2:4 rematch:7 remind:1 resign:7:0
review:5:0 rules:4:4x4x3-misere season:0 series:6:3 set:: set:board: set:theme:sky share:5:0 solve stats:5:0::1
stay:6 stop:10 top:0:0:classic:0 try:5:2 tryagain:20785:1 unblock:5000000002 undo:7:2 watch:10 winner:7
yes:7:5 z:20785:0:24
"""
"""One of each, but for two that are gone."""


def below(*data: str) -> list[list[dict[str, object]]]:
    return [[{"text": each, "callback_data": each}] for each in data]


async def test_all_others_are_read() -> None:
    assert [data for data in SENT.split() if read(data) is None] == []


@pytest.mark.parametrize("gone", ["swap:{}", "ours:{}:0"])
async def test_what_no_board_has_any_more_brings_the_board_up_to_date(ann: Person, gone: str) -> None:
    board = await resigned(ann)
    now, game = board.labels, str(board.button("Play again")["callback_data"]).split(":")[1]
    data = gone.format(game)
    board.keyboard = below(data)
    assert (await ann.tap(board, data=data)).text == OUT_OF_DATE
    await board.until(lambda message: message.labels == now)


async def test_a_list_of_blocked_people_that_carries_their_ids_still_unblocks(
    ann: Person, bo: Person, group: Group
) -> None:
    await begun(ann, bo, group)
    assert "Blocked:" in (await ann.ask(f"/block @{bo.username}")).text
    listed = await ann.ask("/block")
    listed.keyboard = below(f"unblock:{bo.id}", "set::")
    await ann.tap(listed, data=f"unblock:{bo.id}")
    await listed.until(lambda message: "‹ Back" in offered(message))
    assert not any("Unblock" in label for label in offered(await ann.ask("/block")))
