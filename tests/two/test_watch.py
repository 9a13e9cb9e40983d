"""/watch over HTTP: the computer plays itself."""

import pytest

from bot.game.exhibitions import GoFaster, Stop, WatchAgain
from bot.game.play import Move
from playground.chats import Message
from playground.groups import Group
from playground.people import Person
from tests.carried import data_with
from tests.people import boards_in, is_board, is_chinese, next_board, offered, plain, position_of, styles_of, told
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

MOVING = {"Faster", "Stop"}


def is_over(board: Message) -> bool:
    return "Again" in {label for row in board.labels for label in row}


async def fast(person: Person, words: str) -> Message:
    """A game in a private chat, at the fastest pace."""
    board = await person.ask(f"/watch {words}")
    for _ in range(2):
        assert (await person.tap(board, "Faster")).text is None
    return board


async def ended(oxo: World, person: Person, words: str) -> Message:
    board = await fast(person, words)
    await oxo.until(lambda: is_over(board), seconds=0.5)
    return board


async def stopped(person: Person, board: Message) -> None:
    assert (await person.tap(board, "Stop")).text is None
    await board.until(is_over)


async def test_a_whole_game_plays_itself_in_one_message_ply_by_ply(shared: World, ann: Person) -> None:
    board = await fast(ann, "perfect random")
    assert plain(board).startswith("❌ Perfect's turn. I'm playing myself.")
    assert "❌ Perfect   🟡 Random" in plain(board)
    assert offered(board) == MOVING
    assert "That's as fast as I go." in await told(ann, board, "Faster")
    seen = []
    while position_of(board).outcome is None:
        seen.append(position_of(board).ply)
        while position_of(board).ply == seen[-1]:
            await shared.skip(0.5)
        assert styles_of(board) or position_of(board).outcome, "the last move is marked"
    assert len(seen) >= position_of(board).ply - 1, "nearly every move is seen"
    await board.until(is_over)
    assert plain(board).partition("\n")[0] in {
        f"🏆 ❌ Perfect wins. {position_of(board).ply} moves.",
        "🤝 Draw. The board is full and nobody has a line. 9 moves.",
    }
    assert len(boards_in(ann.private)) == 1


async def test_only_the_person_who_started_it_or_an_administrator_stops_it(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    board = await bo.ask("/watch easy hard", in_=group)
    assert is_chinese(board.text)
    stop = data_with(board, Stop())
    assert "admin" in await told(cem, board, data=stop)
    assert "Telegram" in await told(bo, board, data=data_with(board, GoFaster()))
    assert "play the winner" in await told(cem, board, data=data_with(board, Move(0, 4)))
    assert (await ann.tap(board, data=stop)).text is None, "Ann owns the group"
    await board.until(lambda message: "Ann" in message.text and "停止" in message.text)
    moves = position_of(board).ply
    await shared.skip(10)
    assert position_of(board).ply == moves
    assert "over" in await told(ann, board, data=stop)


async def test_a_new_one_ends_ones_own_and_waits_for_another_persons(
    ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    first = await bo.ask("/watch", in_=group)
    assert "A computer game is already running here" in (await cem.ask("/watch", in_=group)).text
    third = await bo.ask("/watch easy", in_=group)
    await first.until(lambda message: "停止" in message.text)
    assert is_board(third)
    assert "already" in await told(cem, first, data=data_with(first, WatchAgain()))
    fourth = await ann.ask("/watch hard", in_=group)
    await third.until(lambda message: "停止" in message.text)
    assert is_board(fourth)
    await stopped(ann, fourth)


async def test_again_and_the_winner_follow_a_finished_game(shared: World, ann: Person) -> None:
    for _ in range(20):
        board = await ended(shared, ann, "perfect random")
        if "⚔️ ❌" in offered(board):
            break
    assert (await ann.tap(board, "⚔️ ❌")).text is None
    game = await next_board(ann.private, board)
    assert "❌ OXO (perfect)" in plain(game)
    assert position_of(game).ply == 1
    assert "further down" in await told(ann, board, data=data_with(board, WatchAgain()))
    board = await ended(shared, ann, "perfect perfect")
    assert offered(board) == {"Again", "Send", "🔎"}
    assert (await ann.tap(board, "Again")).text is None
    again = await next_board(ann.private, board)
    assert offered(again) == MOVING
    await shared.until(lambda: position_of(again).ply >= 1, seconds=0.5)
    await stopped(ann, again)


async def test_what_buttons_do_can_be_typed_and_is_drawn_in_text(shared: World, ann: Person) -> None:
    assert "There's no computer game here" in (await ann.ask("/stop")).text
    await ann.ask("/settings text on")
    board = await ann.ask("/watch perfect blocker")
    assert "X Perfect's turn. I'm playing myself." in board.text
    assert board.labels == []
    assert "/faster, /stop" in board.text
    said = await ann.say("/faster")
    await shared.skip(2)
    await ann.private.wait_for(lambda message: "X Perfect: " in message.text, after=said)
    said = await ann.say("/stop")
    stopped = await ann.private.wait_for(lambda message: "Stopped by Ann" in plain(message), after=said)
    assert "/again" in stopped.text
    said = await ann.say("/again")
    await ann.private.wait_for(lambda message: "I'm playing myself" in message.text, after=said)
    await ann.say("/stop")


async def test_it_stays_fast_on_other_boards_where_its_moves_take_a_search(shared: World, ann: Person) -> None:
    board = await fast(ann, "4x4 hard beginner")
    assert "Hard" in board.text
    await shared.until(lambda: sum(label in "❌🟡" for row in board.labels for label in row) >= 4, seconds=0.5)
    await stopped(ann, board)
