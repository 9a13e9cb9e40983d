"""The gate in action: in every situation, people who may not do something change nothing, from anywhere (D1).

`tests/bot/game/test_gate.py` has the whole table; here its refusals are tried on the running bot, by taps with
forged data and by commands, and nobody else may notice: no message is sent, edited or deleted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple, get_args

import pytest

from bot.boards import buttons
from bot.boards.buttons import Begin
from bot.game.actions import Accept, Action, InReview, PlayWinner, Share
from playground.chats import Chat
from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.carried import action_of, carried_by, game_on
from tests.people import X_WINS, accepted, played, pressed
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
    return [f"2remind:{game}:1", f"2takex:{game}:1", f"2expire:{game}", f"2m:{game}:1", offer]


class Watch:
    """What can be seen of some chats, and the bot's calls: they must not change."""

    def __init__(self, oxo: World, *chats: Chat) -> None:
        self._oxo = oxo
        self._chats = chats
        self._before = self._look()

    def _look(self) -> object:
        seen = [
            (message.id, message.text, message.keyboard, message.revision)
            for chat in self._chats
            for message in chat.messages.values()
            if message.from_bot
        ]
        # People of other tests may still be waiting for answers here.
        calls = [
            call.method
            for call in self._oxo.playground.calls
            if call.method in NOTICED and call.chat in {chat.id for chat in self._chats}
        ]
        return seen, calls

    def sees_nothing(self) -> None:
        """Check that nothing has happened."""
        assert self._look() == self._before


async def tried(person: Person, message: Message, carried: Sequence[str]) -> None:
    """Tap a message with this data; each tap must be refused in words, or lead to the person's private chat."""
    taps = [person.press(message, data) for data in carried]
    answers = await asyncio.wait_for(asyncio.gather(*(tap.answer for tap in taps)), 60)
    unanswered = [data for data, answer in zip(carried, answers, strict=True) if not (answer.text or answer.url)]
    assert not unanswered
    led = {data for data, answer in zip(carried, answers, strict=True) if answer.url}
    reviewing = (*get_args(InReview), Share)
    assert not [data for data in led if not isinstance(action_of({"callback_data": data}), reviewing)], led
    # Anything the taps could have caused goes out before the answer to a later question.
    await person.ask("/privacy")


@pytest.mark.parametrize("name", SITUATIONS)
async def test_a_bystander_may_do_what_the_table_says_and_nothing_else(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group, *, name: str
) -> None:
    message = await SITUATIONS[name].made(ann, bo, group)
    await shared.has_answered(group, bo)
    watch = Watch(shared, group)
    asked = len(shared.playground.calls_of("getChatMember"))
    game = game_on(message)
    await tried(cem, message, [*everything_but(SITUATIONS[name].may, game), *without_meaning(game)])
    watch.sees_nothing()
    asked = len(shared.playground.calls_of("getChatMember")) - asked
    assert asked == ("a challenge" in name or "an open" in name), (
        "whether Cem is an administrator matters only for a challenge, and is cached"
    )
    for command in ("/move 1", "/undo", "/resign", "/hint", "/board", "1,1"):
        answer = await cem.ask(command, in_=group, reply_to=message)
        assert not answer.keyboard, command
        answer.chat.delete(answer)
    assert not message.deleted
