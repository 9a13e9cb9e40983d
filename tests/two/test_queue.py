"""/play over HTTP: two people who look for an opponent each get a board; people who are gone hold nobody up."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
import pytest_asyncio

from playground.chats import Chat
from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.people import X_WINS, data_of, is_board, is_chinese, offered, plain, position_of, pressed, told
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def nobody_waits(shared: World) -> None:
    """People whom an earlier test left in the queue leave it, so that tests don't interfere."""
    for person in list(shared.playground.people.values()):
        if any(is_waiting(message) for message in shown(person.private)) and not person.blocked_bot:
            await person.ask("/leave")


def shown(chat: Chat) -> list[Message]:
    """What the bot shows in a chat."""
    return [message for message in chat.messages.values() if message.from_bot and not message.deleted]


def is_waiting(message: Message) -> bool:
    """Whether a message says that somebody waits."""
    return any("2nowait" in str(button) for row in message.keyboard for button in row)


def is_game(message: Message) -> bool:
    """Whether a message is a running game's board."""
    return any("2resign" in str(button) for row in message.keyboard for button in row)


async def the_one_left(person: Person) -> Message:
    """The message of somebody who waits, once the one it replaces is gone."""
    *earlier, last = [message for message in shown(person.private) if is_waiting(message)]
    for message in earlier:
        await message.until(lambda message: message.deleted)
    return last


async def met(ann: Person, bo: Person, words: str = "") -> tuple[Message, Message]:
    """Ann and Bo look for an opponent, and are paired; returns the boards, first mover's first."""
    waiting = await ann.ask(f"/play {words}".strip())
    assert is_waiting(waiting)
    hers = asyncio.ensure_future(ann.private.wait_for(is_game, after=waiting))
    his = await bo.ask(f"/play {words}".strip())
    await hers
    await waiting.until(lambda message: message.deleted)
    return hers.result(), his


def mover_first(ann: Person, hers: Message, bo: Person, his: Message) -> list[tuple[Person, Message]]:
    """Both with their boards, the player who moves first first."""
    return [(ann, hers), (bo, his)] if hers.text.startswith("Your turn") else [(bo, his), (ann, hers)]


async def put(person: Person, own: Message, other: Message, cell: int) -> None:
    """Play a cell on a player's own board and wait until both show it."""
    ply = position_of(own).ply + 1
    assert (await person.tap(own, data=data_of(own, cell))).text is None
    for board in (own, other):
        await board.until(lambda message: position_of(message).ply == ply)


async def test_two_people_looking_for_an_opponent_meet_and_play_a_game_to_its_end(ann: Person, bo: Person) -> None:
    hers, his = await met(ann, bo)
    (x, x_board), (o, o_board) = mover_first(ann, hers, bo, his)
    assert "(1500?)" in plain(hers)
    assert "You (" not in plain(hers)
    assert "小波" in plain(hers)
    assert is_chinese(plain(his).splitlines()[1])
    for ply, cell in enumerate(X_WINS):
        mover, own, other = (o, o_board, x_board) if ply % 2 else (x, x_board, o_board)
        await put(mover, own, other, cell)
    assert "2find:3x3x3" in str(hers.keyboard), "a person can look for another opponent"
    assert "Rematch" in offered(hers)


async def test_a_waiting_person_is_told_the_typical_wait_or_that_it_is_unknown(shared: World, ann: Person) -> None:
    waiting = await ann.ask("/play 6x6x5")
    assert "No estimate yet" in waiting.text
    for number in range(3):
        one, other = (shared.playground.add_person(f"P{number}{side}", started=True) for side in "ab")
        await met(one, other, "7x7x5")
    said = await ann.ask("/play 7x7x5")
    assert "Typical wait" in said.text
    assert "7×7" in said.text


async def test_leaving_is_one_tap_and_a_command(ann: Person, bo: Person) -> None:
    waiting = await ann.ask("/play")
    assert "stopped looking" in await told(ann, waiting, "Leave")
    await waiting.until(lambda message: "You've stopped looking" in message.text)
    assert offered(waiting) == {"Look again"}
    assert "not looking" in await told(ann, waiting, data="2nowait")
    again = await ann.ask("/play")
    assert "stopped looking" in (await ann.ask("/leave")).text
    await again.until(lambda message: "You've stopped looking" in message.text)
    third = await ann.ask("/play")
    await ann.say("/cancel")
    await third.until(lambda message: "You've stopped looking" in message.text)
    assert is_waiting(await bo.ask("/play")), "there is nobody for Bo to play"


async def test_play_twice_from_two_devices_waits_once_and_pairs_nobody_with_themselves(
    shared: World, ann: Person, bo: Person
) -> None:
    await asyncio.gather(*(ann.say("/play") for _ in range(4)))
    await shared.has_answered(ann.private, ann)
    waiting = [await the_one_left(ann)]
    assert not [message for message in shown(ann.private) if is_board(message)]
    (data,) = [
        str(button["callback_data"]) for row in waiting[0].keyboard for button in row if "2nowait" in str(button)
    ]
    assert data == "2nowait"
    answers = [ann.press(waiting[0], "2find:") for _ in range(3)]
    assert all(answers)
    await shared.has_answered(ann.private, ann)
    await the_one_left(ann)
    his = await bo.ask("/play")
    assert is_board(his)
    await shared.has_answered(ann.private, ann)
    assert len([message for message in shown(ann.private) if is_board(message)]) == 1


async def test_somebody_already_playing_gets_that_board(ann: Person, bo: Person) -> None:
    hers, his = await met(ann, bo)
    said = await ann.say("/play")
    words = await ann.private.wait_for(lambda message: "You're already playing" in message.text, after=said)
    assert "小波" in plain(words)
    below = next(message for message in shown(ann.private) if is_board(message) and message.id > hers.id)
    (x, x_board), (_, o_board) = mover_first(ann, below, bo, his)
    await put(x, x_board, o_board, 4)


async def test_a_game_against_the_computer_hinders_nobody(ann: Person, bo: Person) -> None:
    await ann.ask("/newgame easy")
    await met(ann, bo)


async def test_only_people_who_want_the_same_meet_and_any_board_suits_all(
    shared: World, ann: Person, bo: Person
) -> None:
    first = await ann.ask("/play ultimate")
    second = await bo.ask("/play 5x5")
    assert is_waiting(first)
    assert is_waiting(second)
    dee = shared.playground.add_person("Dee", started=True)
    eve = shared.playground.add_person("Eve", started=True, language="zh-hans")
    theirs = await dee.ask("/play any")
    assert is_game(theirs)
    assert "Ultimate" in theirs.text, "the longest wait is handled first"
    assert is_waiting(second)
    assert "5×5" in (await eve.ask("/play 随便")).text
    assert "any board" in (await shared.playground.add_person("Fay", started=True).ask("/play any")).text


async def test_another_board_can_be_chosen_while_one_waits(ann: Person, bo: Person) -> None:
    waiting = await ann.ask("/play")
    other = await bo.ask("/play 4x4")
    await pressed(ann, waiting, "Board: 3×3")
    row = next(row for row in waiting.keyboard if any("4x4x4" in str(button) for button in row))
    label = next(str(button["text"]) for button in row if "2want:4x4x4" in str(button))
    await ann.tap(waiting, label)
    await other.until(lambda message: message.deleted or "4×4" in message.text)
    board = await ann.private.wait_for(is_game)
    assert "小波" in plain(board)


async def test_any_board_and_the_rarer_ones_can_be_chosen_too_while_one_waits(ann: Person) -> None:
    waiting = await ann.ask("/play")
    await pressed(ann, waiting, "Board: 3×3")
    await pressed(ann, waiting, "More")
    await pressed(ann, waiting, "6×6")
    await pressed(ann, waiting, "Board: 6×6")
    await pressed(ann, waiting, "Any")
    assert "any board" in waiting.text
    await pressed(ann, waiting, "Board: Any")
    assert "✓ Any" in offered(waiting)
    await pressed(ann, waiting, "More")
    await pressed(ann, waiting, "‹ Back")
    await pressed(ann, waiting, "✓ Any")
    assert "Board: Any" in offered(waiting)


async def test_words_that_mean_nothing_are_answered_with_those_that_do(ann: Person) -> None:
    said = await ann.ask("/play hard")
    assert "I don't know the word hard" in said.text
    assert "any means any board" in said.text
    assert "one board" in (await ann.ask("/play 5x5 6x6")).text
    assert not [message for message in shown(ann.private) if is_waiting(message)]


async def test_in_a_group_it_gives_a_link_into_the_private_chat(ann: Person, bo: Person, group: Group) -> None:
    said = await ann.ask("/play 5x5", in_=group)
    assert "private chat" in said.text
    url = str(said.keyboard[0][0]["url"])
    assert url.endswith("?start=play-5x5x4")
    assert is_chinese(await told(bo, said, data="2find:"))
    sent = ann.start(url.partition("start=")[2])
    assert is_waiting(await ann.private.wait_for(after=sent))
    assert "5×5" in (await ann.ask("/play")).text, "the board that they're waiting for stays"


async def test_nobody_waits_for_somebody_who_has_blocked_the_bot(shared: World, ann: Person, bo: Person) -> None:
    waiting = await bo.ask("/play")
    bo.block()
    await shared.has_answered(ann.private, ann)
    hers = await ann.ask("/play")
    assert is_waiting(hers), "Telegram says at once who blocks the bot"
    assert not waiting.deleted
    bo.unblock()
    assert is_board(await bo.ask("/play"))


async def test_blocking_the_bot_before_moving_gives_the_opponent_their_old_place_back(
    shared: World, ann: Person, bo: Person
) -> None:
    hers, _ = await met(ann, bo)
    bo.block()
    await hers.until(is_waiting)
    assert "Looking for an opponent" in hers.text
    theirs = await shared.playground.add_person("Dee", started=True).ask("/play")
    assert is_board(theirs)
    assert "Ann" in plain(theirs)
    bo.unblock()


async def test_forgetting_somebody_before_they_move_gives_the_opponent_their_old_place_back(
    ann: Person, bo: Person
) -> None:
    hers, _ = await met(ann, bo)
    await bo.ask("/forget")
    await bo.say("/forget yes")
    await hers.until(is_waiting, within=60)
    assert "Looking for an opponent" in hers.text


async def test_somebody_gone_without_a_word_is_found_out_by_their_board_and_the_opponent_waits_on(
    shared: World, ann: Person, bo: Person
) -> None:
    waiting = await bo.ask("/play")
    assert is_waiting(waiting)
    bo.blocked_bot = True  # Telegram hasn't told anybody yet
    hers = await ann.ask("/play")
    await hers.until(is_waiting)
    bo.blocked_bot = False
    theirs = await shared.playground.add_person("Dee", started=True).ask("/play")
    assert is_game(theirs)
    assert "Ann" in plain(theirs)


async def test_blocking_the_bot_in_the_middle_of_a_game_resigns_it(ann: Person, bo: Person) -> None:
    hers, his = await met(ann, bo)
    (x, x_board), (o, o_board) = mover_first(ann, hers, bo, his)
    await put(x, x_board, o_board, 4)
    await put(o, o_board, x_board, 0)
    bo.block()
    await hers.until(lambda message: "You win" in message.text)
    assert "resigned" in plain(hers)
    bo.unblock()


async def test_many_who_come_together_are_each_paired_once(shared: World) -> None:
    people = [shared.playground.add_person(f"M{number}", started=True) for number in range(12)]
    await asyncio.gather(*(person.say("/play 8x8") for person in people))
    boards = await asyncio.gather(*(person.private.wait_for(is_game) for person in people))
    numbers = [next(word for word in board.text.split() if word.startswith("#")) for board in boards]
    assert sorted(numbers.count(number) for number in set(numbers)) == [2] * 6
    assert all(one is not other for one, other in pairwise(boards))


async def test_somebody_who_hides_results_is_shown_without_a_rating(ann: Person, bo: Person) -> None:
    await ann.ask("/settings hidden on")
    hers, his = await met(ann, bo)
    assert "(1500?)" in plain(hers)
    assert "(1500?)" not in plain(his)


async def test_a_restart_while_people_wait_loses_nobody(shared: World, ann: Person, bo: Person) -> None:
    waiting = await ann.ask("/play 5x4")
    shared.kill()
    await shared.serve()
    his = await bo.ask("/play 5x4")
    assert is_game(his)
    await ann.private.wait_for(is_game, after=waiting)


async def test_a_waiting_person_plays_the_computer_meanwhile_and_leaves_it_without_a_trace(
    ann: Person, bo: Person
) -> None:
    waiting = await ann.ask("/play")
    await ann.tap(waiting, "Play OXO meanwhile")
    board = await ann.private.wait_for(is_board, after=waiting)
    assert "OXO" in board.text
    await ann.tap(board, data=data_of(board, 4))
    await board.changed()
    hers = asyncio.ensure_future(ann.private.wait_for(is_game, after=board))
    await bo.say("/play")
    other = await hers
    await board.until(lambda message: message.deleted)
    assert "小波" in other.text
    assert "No finished game" in (await ann.ask("/stats")).text
