"""Two players and a stranger press anything in any order in a group; the message shows what the model says."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.boards.translations import texts
from playground.people import Person
from tests.people import data_for, is_board, is_chinese, offered, plain, position_of
from tests.two.model import ANN, BO, CEM, Table
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Press(NamedTuple):
    """What somebody presses, on a board that may be behind."""

    who: str
    action: str
    cell: int = 0
    behind: int = 0


ACTIONS = ("put", "put", "put", "undo", "yes", "no", "resign", "giveup", "goon", "rematch", "accept", "decline")
ANYTHING = st.builds(
    Press,
    who=st.sampled_from([ANN, BO, CEM]),
    action=st.sampled_from(ACTIONS),
    cell=st.integers(0, 8),
    behind=st.sampled_from([0, 0, 0, 1]),
)


def done(table: Table, press: Press, ply: int) -> bool:
    """Do in the model what a press asks for; returns whether it was done."""
    who = press.who
    match press.action:
        case "put":
            return table.put(who, press.cell, ply)
        case "undo":
            return table.take_back(who, ply)
        case "resign":
            return table.resign(who, ply)
        case "yes" | "no":
            return table.answer(who, ply, yes=press.action == "yes")
        case "giveup" | "goon":
            return table.confirm(who, yes=press.action == "giveup")
        case "rematch":
            return table.rematch(who)
        case "accept":
            return table.accept(who)
        case _:
            return table.decline(who)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(presses=st.lists(ANYTHING, min_size=8, max_size=25), named=st.booleans())
async def test_the_group_sees_what_the_model_says(
    shared: World, ann: Person, bo: Person, cem: Person, *, presses: list[Press], named: bool
) -> None:
    people = {ANN: ann, BO: bo, CEM: cem}
    group = shared.playground.add_group("Anything goes", [ann, bo, cem])
    message = await ann.ask(f"/newgame @{bo.username}" if named else "/newgame", in_=group)
    game = str(message.keyboard[0][0]["callback_data"]).split(":")[1]
    table = Table(ANN, None, BO if named else None)
    for press in [*presses[:2], Press(BO, "accept"), *presses[2:]]:
        ply = max(0, len(table.cells) - press.behind)
        carried = (
            f"2m:{game}:{ply}:{press.cell}" if press.action == "put" else data_for(int(game), press.action, ply)
        )
        answer = await people[press.who].tap(message, data=carried)
        assert (answer.text is None) is done(table, press, ply), (press, answer.text, table)
        if table.followed:
            break
    await shared.has_answered(group, ann)
    if table.open:
        assert is_board(message) is False
        assert bool({"Accept", "接受"} & offered(message)) is (table.end is None)
        return
    position = position_of(message)
    assert position.ply == len(table.cells)
    marks = ["X" if cell in table.cells[::2] else "O" if cell in table.cells else "." for cell in range(9)]
    assert [position.mark_at(cell) or "." for cell in range(9)] == marks
    t = texts("zh" if is_chinese(plain(message).replace("小波", "")) else "en")
    words = {
        "won": ("wins", "赢"),
        "resigned": ("resigned", "认输"),
        "drawn": ("Draw", "平"),
        None: ("turn", "轮到"),
    }
    assert any(each in plain(message) for each in words[table.end])
    if table.followed:
        assert len([m for m in group.messages.values() if is_board(m)]) == 2
    elif table.question is not None:
        assert {t.gettext("Yes, resign")} <= offered(message) or {
            t.gettext("Accept"),
            t.gettext("Decline"),
        } <= offered(message)
