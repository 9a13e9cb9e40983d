"""The gate in action: in every situation, people who may not do something change nothing, from anywhere (D1).

`tests/bot/game/test_gate.py` has the whole table; here its refusals are tried on the running bot, by taps with
forged data and by commands, and nobody else may notice: no message is sent, edited or deleted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple, TypeAlias, get_args

import pytest

from bot.boards import buttons
from bot.boards.buttons import Begin
from bot.game.actions import Accept, Action, InReview, PlayWinner, Share
from playground.chats import Chat
from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.carried import action_of, carried_by
from tests.people import X_WINS, accepted, begun, data_for, played, pressed, put, result_named, tap_cell
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

NOTICED: Final = ("editMessageText", "sendMessage", "deleteMessage")
"""The calls that others would notice."""


class Pair(NamedTuple):
    """The challenger and the opponent."""

    ann: Person
    bo: Person


@pytest.fixture
def pair(ann: Person, bo: Person) -> Pair:
    """Ann and Bo."""
    return Pair(ann, bo)


async def an_open_challenge(pair: Pair, group: Group) -> Message:
    return await pair.ann.ask("/challenge", in_=group)


async def a_challenge_for_bo(pair: Pair, group: Group) -> Message:
    return await pair.ann.ask(f"/challenge @{pair.bo.username}", in_=group)


async def a_fresh_game_against_the_computer(pair: Pair, group: Group) -> Message:
    return await pair.ann.ask("/newgame easy me", in_=group)


async def a_game_against_the_computer(pair: Pair, group: Group) -> Message:
    board = await pair.ann.ask("/newgame easy me", in_=group)
    await tap_cell(pair.ann, board, 4)
    return board


async def a_game_of_two(pair: Pair, group: Group) -> Message:
    board = await begun(*pair, group)
    await put(pair.ann, board, 4)
    return board


async def a_question_about_resigning(pair: Pair, group: Group) -> Message:
    return await pressed(pair.ann, await a_game_of_two(pair, group), "Resign")


async def a_question_about_a_takeback(pair: Pair, group: Group) -> Message:
    return await pressed(pair.ann, await a_game_of_two(pair, group), "Undo")


async def a_game_that_is_over(pair: Pair, group: Group) -> Message:
    return await played(*pair, await begun(*pair, group), X_WINS)


async def a_question_about_a_rematch(pair: Pair, group: Group) -> Message:
    return await pressed(pair.ann, await a_game_that_is_over(pair, group), "Rematch")


Situation: TypeAlias = "Callable[[Pair, Group], Awaitable[Message]]"
# fmt: off
BYSTANDERS: Final[tuple[tuple[Situation, set[type[Action]]], ...]] = (
    # the situation                     what a bystander in the chat may do
    (an_open_challenge,                 {Accept}),
    (a_challenge_for_bo,                set()),
    (a_fresh_game_against_the_computer, set()),
    (a_game_against_the_computer,       set()),
    (a_game_of_two,                     set()),
    (a_question_about_resigning,        set()),
    (a_question_about_a_takeback,       set()),
    (a_game_that_is_over,               {PlayWinner}),
    (a_question_about_a_rematch,        {PlayWinner}),
)
# fmt: on
NAMES: Final = [situation.__name__ for situation, _ in BYSTANDERS]
FEW: Final = {an_open_challenge, a_game_against_the_computer, a_question_about_a_rematch}
"""What a release tries from everywhere: the gate itself is walked whole in `tests/bot/game/test_gate.py`."""


def everything_but(may: set[type[Action]], game: int) -> Sequence[str]:
    """All data that a game's buttons can carry at its plies so far, except for some actions."""
    return [buttons.write(button) for button in carried_by(game, (0, 1, 2, 5), (0, 5, 8), may)]


def without_meaning(game: int) -> Sequence[str]:
    """Data that they can't."""
    offer = buttons.write(Begin(f"me:{game}:AAAAAAAA:AAAAAAAAAAAA"))
    return [f"2remind:{game}:1", f"2takex:{game}:1", f"2expire:{game}", f"2m:{game}:1", offer]


def game_in(message: Message) -> int:
    """The game that a message shows."""
    game = buttons.game_of(str(message.keyboard[0][0]["callback_data"]))
    assert game is not None
    return game


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


async def tried(oxo: World, person: Person, message: Message, carried: Sequence[str]) -> None:
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
    assert "Traceback" not in oxo.logged()


@pytest.mark.parametrize(("situation", "may"), BYSTANDERS, ids=NAMES)
async def test_a_bystander_may_do_what_the_table_says_and_nothing_else(
    shared: World, pair: Pair, cem: Person, group: Group, *, situation: Situation, may: set[type[Action]]
) -> None:
    message = await situation(pair, group)
    await shared.has_answered(group, pair.bo)
    watch = Watch(shared, group)
    asked = len(shared.playground.calls_of("getChatMember"))
    game = game_in(message)
    await tried(shared, cem, message, [*everything_but(may, game), *without_meaning(game)])
    watch.sees_nothing()
    asked = len(shared.playground.calls_of("getChatMember")) - asked
    is_open = situation in (an_open_challenge, a_challenge_for_bo)
    assert asked == is_open, "whether Cem is an administrator matters only for a challenge, and is cached"


@pytest.mark.parametrize(
    "situation",
    [
        pytest.param(each, id=each.__name__, marks=[] if each in FEW else pytest.mark.soak)
        for each, _ in BYSTANDERS
    ],
)
async def test_from_anywhere_else_nobody_does_anything_players_included(
    shared: World, pair: Pair, cem: Person, group: Group, *, situation: Situation
) -> None:
    ann, bo = pair
    message = await situation(pair, group)
    await shared.has_answered(group, bo)
    other = shared.playground.add_group("Elsewhere", [ann, bo, cem])
    meeting = shared.playground.add_meeting(ann, bo)
    meeting.members[cem.id] = cem
    inline = ann.choose(result_named(await ann.inline("", in_=meeting), "Challenge"), in_=meeting)
    await accepted(bo, inline)
    copy = other.post(shared.playground.bot, message.content, keyboard=message.keyboard)
    own = {
        person: [
            await person.ask("/start"),
            await person.ask("/newgame easy", in_=other),
            inline,
        ]
        for person in (ann, bo, cem)
    }
    own[cem].append(copy)
    await shared.has_answered(other, bo)
    carried = everything_but(set(), game_in(message))
    watch = Watch(shared, group, other, meeting)
    for person, messages in own.items():
        for elsewhere in messages:
            await tried(shared, person, elsewhere, carried)
    watch.sees_nothing()


async def test_the_game_of_a_message_of_inline_mode_is_played_there_alone(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    meeting = shared.playground.add_meeting(ann, bo)
    inline = ann.choose(result_named(await ann.inline("", in_=meeting), "Challenge"), in_=meeting)
    await accepted(bo, inline)
    boards = {person: await person.ask("/newgame easy", in_=group) for person in (ann, bo, cem)}
    await shared.has_answered(group, bo)
    watch = Watch(shared, group, meeting)
    for person, board in boards.items():
        await tried(shared, person, board, everything_but(set(), game_in(inline)))
    watch.sees_nothing()


COMMANDS: Final = ("/move 1", "/undo", "/resign", "/hint", "/board", "1,1")


async def test_a_bystanders_commands_in_answer_to_a_board_get_words_and_do_nothing(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    boards = [await situation(Pair(ann, bo), group) for situation, _ in BYSTANDERS]
    await shared.has_answered(group, bo)
    before = [(board.text, board.keyboard, board.revision, board.deleted) for board in boards]
    for board in boards:
        for command in COMMANDS:
            answer = await cem.ask(command, in_=group, reply_to=board)
            assert not answer.keyboard, (command, board)
    assert [(board.text, board.keyboard, board.revision, board.deleted) for board in boards] == before


async def test_two_hundred_taps_of_a_stranger_reach_nobody_and_bring_no_deleted_board_back(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    own = await cem.ask("/start")
    boards = [await situation(Pair(ann, bo), group) for situation, _ in BYSTANDERS]
    hers = [await ann.ask("/newgame easy"), await ann.ask("/challenge")]
    await shared.has_answered(group, bo)
    await shared.has_answered(ann.private, ann)
    deleted = boards[::2]
    last = game_in(boards[-1]) + 3
    for board in deleted:
        group.delete(board)
    watch = Watch(shared, group, ann.private)
    words = ("accept", "decline", "cancel", "computer", "bring")
    counted = [data_for(game, word) for word in words for game in range(max(1, last - 50), last)]
    assert len(counted) >= 50 * len(words) or last < 50
    await tried(shared, cem, own, counted)
    watch.sees_nothing()
    assert {message.id for message in group.messages.values()}.isdisjoint({board.id for board in deleted})
    assert hers[0].labels
