"""Anything in any order, over HTTP: the group sees what the model of a table says.

`tests/bot/game/test_gate.py` has the table of who may do what; `test_machine.py` tries every action anywhere.
"""

from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.boards.buttons import OnGame, write
from bot.game.actions import Action
from bot.game.new_game import Accept, Decline
from bot.game.play import EDITIONS, Move
from bot.game.questions import Agree, ConfirmResign, PlayOn, Refuse, Rematch, Resign, TakeBack
from bot.language import texts
from playground.people import Person
from tests.carried import game_on
from tests.people import is_board, is_chinese, offered, plain, position_of
from tests.two.model import ANN, BO, CEM, Table
from tests.two.presses import IN_THE_MODEL, Press
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


AS_SHOWN: Final = Accept("3x3x3", 0, 1)
OFTEN: Final[tuple[type[Action], ...]] = (
    *(Move, Move, Move, TakeBack, Agree, Refuse, Resign, ConfirmResign),
    *(PlayOn, Rematch, Accept, Decline),
)
ANYTHING: Final = st.builds(
    Press,
    kind=st.sampled_from(OFTEN),
    who=st.sampled_from([ANN, BO, CEM]),
    behind=st.sampled_from([0, 0, 0, 1]),
    cell=st.integers(0, 8),
)
WORDS: Final = {
    "won": ("wins", "赢"),
    "resigned": ("resigned", "认输"),
    "drawn": ("Draw", "平"),
    None: ("turn", "轮到"),
}


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(presses=st.lists(ANYTHING, min_size=8, max_size=25), named=st.booleans())
async def test_the_group_sees_what_the_model_says(
    shared: World, ann: Person, bo: Person, cem: Person, *, presses: list[Press], named: bool
) -> None:
    people = {ANN: ann, BO: bo, CEM: cem}
    group = shared.playground.add_group("Anything goes", [ann, bo, cem])
    message = await ann.ask(f"/newgame @{bo.username}" if named else "/newgame", in_=group)
    game = game_on(message)
    table, edition = Table(ANN, None, BO if named else None), 0
    for press in [*presses[:2], Press(Accept, BO), *presses[2:]]:
        ply = max(0, len(table.cells) - press.behind)
        action = AS_SHOWN if press.kind is Accept else press.on(ply)
        answer = await people[press.who].tap(message, data=write(OnGame(game, action, edition)))
        before = len(table.cells)
        done = IN_THE_MODEL[press.kind](table, press, ply, 0)
        edition += EDITIONS if len(table.cells) < before else 0  # a move was taken back
        assert (answer.text is None) is done, (press, answer.text, table)
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
    assert any(each in plain(message) for each in WORDS[table.end])
    t = texts("zh" if is_chinese(plain(message).replace("小波", "")) else "en")
    if table.followed:
        assert len([m for m in group.messages.values() if is_board(m)]) == 2
    elif table.question is not None:
        assert {t.gettext("Yes, resign")} <= offered(message) or {
            t.gettext("Accept"),
            t.gettext("Decline"),
        } <= offered(message)
