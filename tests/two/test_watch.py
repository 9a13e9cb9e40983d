"""/watch over HTTP: the computer plays itself, and a killed bot goes on."""

from __future__ import annotations

import asyncio

import pytest

from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.people import data, is_board, is_chinese, next_board, offered, plain, position_of, styles_of, told
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

MOVING = {"Faster", "Stop"}


def ply(board: Message) -> int:
    """How many moves a board shows."""
    return position_of(board).ply


async def shown(board: Message, moves: int) -> None:
    """Wait until a board shows this many moves."""
    await board.until(lambda message: ply(message) >= moves, within=60)


async def fast(person: Person, words: str) -> Message:
    """A game in a private chat, at the fastest pace."""
    board = await person.ask(f"/watch {words}")
    for _ in range(2):
        assert (await person.tap(board, "Faster")).text is None
    return board


async def test_a_game_stays_faster_though_its_moves_take_a_search(ann: Person) -> None:
    board = await fast(ann, "hard hard 5x5")
    for _ in range(3):
        board.seen = board.revision
        await board.changed()
    assert "That's as fast as I go." in await told(ann, board, "Faster")


async def test_a_whole_game_plays_itself_in_one_message_ply_by_ply(ann: Person) -> None:
    board = await fast(ann, "perfect random")
    assert plain(board).startswith("❌ perfect to move. I'm playing myself.")
    assert "❌ perfect   🟡 random" in plain(board)
    assert offered(board) == MOVING
    assert "That's as fast as I go." in await told(ann, board, "Faster")
    seen = []
    while position_of(board).outcome is None:
        seen.append(ply(board))
        board.seen = board.revision
        await board.changed()
        assert len(styles_of(board)) >= 1, "the last move is marked"
    assert seen == sorted(set(seen))
    assert len(seen) >= ply(board) - 1, "nearly every move is seen"
    await board.until(lambda message: "Again" in offered(message))
    assert plain(board).partition("\n")[0] in {
        f"🏆 ❌ perfect wins. {ply(board)} moves.",
        "🤝 Draw. The board is full and nobody has a line. 9 moves.",
    }
    assert len([m for m in ann.private.messages.values() if is_board(m)]) == 1


async def test_only_the_person_who_started_it_or_an_administrator_stops_it(
    ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    board = await bo.ask("/watch easy hard", in_=group)
    assert is_chinese(board.text)
    stop = data(board, "stop")
    assert "admin" in await told(cem, board, data=stop)
    assert "Telegram" in await told(bo, board, data=data(board, "faster"))
    assert (await ann.tap(board, data=stop)).text is None, "Ann owns the group"
    await board.until(lambda message: "Ann" in message.text and "停止" in message.text)
    moves = ply(board)
    await asyncio.sleep(2.5)
    assert ply(board) == moves
    assert "over" in await told(ann, board, data=stop)


async def test_a_cell_cannot_be_played_and_an_old_button_for_a_seat_says_so_and_redraws_the_board(
    ann: Person, cem: Person, group: Group
) -> None:
    board = await ann.ask("/watch perfect tempo", in_=group)
    game = data(board, "stop").split(":")[1]
    assert "play the winner" in await told(cem, board, data=f"2m:{game}:0:4")
    assert (await ann.tap(board, "Stop")).text is None
    await board.until(lambda message: "Again" in offered(message))
    board.keyboard = [*board.keyboard, [{"text": "Play ❌", "callback_data": f"2takex:{game}:0"}]]
    assert "button is out of date" in await told(cem, board, "Play ❌")
    await board.until(lambda message: offered(message) == {"Again"})


async def test_a_new_one_ends_ones_own_and_waits_for_another_persons(
    ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    first = await bo.ask("/watch", in_=group)
    second = await cem.ask("/watch", in_=group)
    assert "A computer game is already running here" in second.text
    third = await bo.ask("/watch easy", in_=group)
    await first.until(lambda message: "停止" in message.text)
    assert is_board(third)
    assert "already" in await told(cem, first, data=data(first, "watch"))
    fourth = await ann.ask("/watch hard", in_=group)
    await third.until(lambda message: "停止" in message.text)
    assert is_board(fourth)
    assert (await ann.tap(fourth, "Stop")).text is None
    await fourth.until(lambda message: "Again" in offered(message))


async def test_again_and_the_winner_follow_a_finished_game(ann: Person) -> None:
    for _ in range(20):
        board = await fast(ann, "perfect random")
        await board.until(lambda message: "Again" in offered(message), within=60)
        if "Play the winner" in offered(board):
            break
    assert (await ann.tap(board, "Play the winner")).text is None
    game = await next_board(ann.private, board)
    assert "❌ OXO (perfect)" in plain(game)
    assert ply(game) == 1
    assert "further down" in await told(ann, board, data=data(board, "watch"))
    board = await fast(ann, "perfect perfect")
    await board.until(lambda message: offered(message) == {"Again", "Share", "Review"}, within=60)
    assert (await ann.tap(board, "Again")).text is None
    again = await next_board(ann.private, board)
    assert offered(again) == MOVING
    await shown(again, 1)
    assert (await ann.tap(again, "Stop")).text is None


@pytest.mark.parametrize("words", ["nonsense", "hard hard hard", "<b>", "hard @somebody", "x" * 300])
async def test_nonsense_is_answered_with_what_makes_sense(ann: Person, words: str) -> None:
    assert "perfect" in (await ann.ask(f"/watch {words}")).text


async def test_what_buttons_do_can_be_typed_and_is_drawn_in_text(ann: Person) -> None:
    assert "There's no computer game here" in (await ann.ask("/stop")).text
    await ann.ask("/settings text on")
    board = await ann.ask("/watch perfect blocker")
    assert "X perfect to move. I'm playing myself." in board.text
    assert board.labels == []
    assert "/faster, /stop" in board.text
    said = await ann.say("/faster")
    await ann.private.wait_for(lambda message: "X perfect: " in message.text, after=said)
    said = await ann.say("/stop")
    stopped = await ann.private.wait_for(lambda message: "Stopped by Ann" in plain(message), after=said)
    assert "/again" in stopped.text
    said = await ann.say("/again")
    await ann.private.wait_for(lambda message: "I'm playing myself" in message.text, after=said)
    await ann.say("/stop")


async def test_a_killed_bot_goes_on_within_a_few_seconds_with_another_one_running(
    shared: World, ann: Person, group: Group
) -> None:
    board = await ann.ask("/watch perfect perfect", in_=group)
    await shown(board, 2)
    shared.kill()
    await shared.serve()
    await shared.serve(WEBHOOK_URL="http://127.0.0.1:1/unused", WEBHOOK_SECRET="unused")  # noqa: S106 - it guards nothing
    await shown(board, 4)
    await board.until(lambda message: offered(message) == {"Again", "Share", "Review"}, within=60)
    assert "9 moves." in board.text


@pytest.mark.parametrize("words", ["4x4 hard beginner", "5x5 strongest easy", "misere hard random"])
async def test_it_plays_itself_on_other_boards(ann: Person, words: str) -> None:
    board = await fast(ann, words)
    levels = words.split()[1:]
    assert all(level in board.text for level in levels)
    await board.until(
        lambda message: sum(label in "❌🟡" for row in message.labels for label in row) >= 4, within=60
    )
    assert (await ann.tap(board, "Stop")).text is None
    await board.until(lambda message: "Again" in {label for row in message.labels for label in row})


async def test_a_strategy_that_does_not_play_there_is_told(ann: Person) -> None:
    assert "only plays on 3×3" in (await ann.ask("/watch 5x5 tempo")).text
