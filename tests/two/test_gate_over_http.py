"""The gate in action: in every situation, people who may not do something change nothing (D1).

`tests/bot/game/test_gate.py` has the whole table; here its refusals are tried on the running bot, by taps with
forged data and by commands, and nobody else may notice: no message is sent, edited or deleted.
"""

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.boards import buttons
from bot.boards.buttons import Begin, OnGame, write
from bot.game.actions import KINDS, Action
from bot.game.exhibitions import PlayWinner
from bot.game.new_game import Accept, Decline
from bot.game.pages import InReview, Share
from bot.game.play import EDITIONS, Move
from bot.game.questions import Agree, ConfirmResign, PlayOn, Refuse, Rematch, Resign, TakeBack
from bot.language import texts
from playground.chats import Chat
from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.carried import action_of, carried_by, game_on
from tests.people import X_WINS, accepted, is_board, is_chinese, offered, plain, played, position_of, pressed
from tests.two.model import ANN, BO, CEM, Table
from tests.two.presses import IN_THE_MODEL, Press
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

NOTICED: Final = ("editMessageText", "sendMessage", "deleteMessage")
"""The calls that others would notice."""


class Situation(NamedTuple):
    """What Ann asks for, what she and Bo play then, what she taps, and what a bystander in the chat may do."""

    said: str
    cells: tuple[int, ...] | None = None
    label: str = ""
    may: frozenset[type[Action]] = frozenset()

    async def made(self, ann: Person, bo: Person, group: Group) -> Message:
        """Come to it."""
        message = await ann.ask(self.said.format(bo=bo.username), in_=group)
        if self.cells is not None:
            await played(ann, bo, await accepted(bo, message), self.cells)
        return await pressed(ann, message, self.label) if self.label else message


SITUATIONS: Final = {
    "an open challenge": Situation("/challenge", may=frozenset({Accept})),
    "a challenge for Bo": Situation("/challenge @{bo}"),
    "a game against the computer": Situation("/newgame easy me"),
    "a game of two": Situation("/challenge", (4,)),
    "a question about resigning": Situation("/challenge", (4,), "Resign"),
    "a question about a takeback": Situation("/challenge", (4,), "Undo"),
    "a game that is over": Situation("/challenge", X_WINS, may=frozenset({PlayWinner})),
    "a question about a rematch": Situation("/challenge", X_WINS, "Rematch", frozenset({PlayWinner})),
}


def everything_but(may: frozenset[type[Action]], game: int) -> Sequence[str]:
    """All data that a game's buttons can carry at its plies so far, except for some actions."""
    return [buttons.write(button) for button in carried_by(game, (0, 1, 2, 5), (0, 5, 8), may)]


def without_meaning(game: int) -> Sequence[str]:
    """Data that they can't."""
    offer = buttons.write(Begin(f"me:{game}:AAAAAAAA:AAAAAAAAAAAA"))
    return [f"remind:{game}:1", f"takex:{game}:1", f"expire:{game}", f"m:{game}:1", offer]


def noticed(oxo: World, chat: Chat) -> object:
    """What can be seen of a chat, and the bot's calls there: they must not change."""
    seen = [
        (message.id, message.text, message.keyboard, message.revision)
        for message in chat.messages.values()
        if message.from_bot
    ]
    # People of other tests may still be waiting for answers elsewhere.
    return seen, [call.method for call in oxo.playground.calls if call.method in NOTICED and call.chat == chat.id]


async def tried(person: Person, message: Message, carried: Sequence[str]) -> None:
    """Tap a message with this data; each tap must be refused in words, or lead to the person's private chat."""
    taps = [person.press(message, data) for data in carried]
    answers = await asyncio.wait_for(asyncio.gather(*(tap.answer for tap in taps)), 60)
    unanswered = [data for data, answer in zip(carried, answers, strict=True) if not (answer.text or answer.url)]
    assert not unanswered
    led = {data for data, answer in zip(carried, answers, strict=True) if answer.url}
    reviewing = (*(kind for kind in KINDS if issubclass(kind, InReview)), Share)
    assert not [data for data in led if not isinstance(action_of({"callback_data": data}), reviewing)], led
    # Anything the taps could have caused goes out before the answer to a later question.
    await person.ask("/privacy")


@pytest.mark.parametrize("name", SITUATIONS)
async def test_a_bystander_may_do_what_the_table_says_and_nothing_else(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group, *, name: str
) -> None:
    message = await SITUATIONS[name].made(ann, bo, group)
    await shared.has_answered(group, bo)
    before = noticed(shared, group)
    asked = len(shared.playground.calls_of("getChatMember"))
    game = game_on(message)
    await tried(cem, message, [*everything_but(SITUATIONS[name].may, game), *without_meaning(game)])
    assert noticed(shared, group) == before
    asked = len(shared.playground.calls_of("getChatMember")) - asked
    assert asked == ("a challenge" in name or "an open" in name), (
        "whether Cem is an administrator matters only for a challenge, and is cached"
    )
    for command in ("/move 1", "/undo", "/resign", "/hint", "/board", "1,1"):
        answer = await cem.ask(command, in_=group, reply_to=message)
        assert not answer.keyboard, command
        answer.chat.delete(answer)
    assert not message.deleted


# Anything in any order.


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
