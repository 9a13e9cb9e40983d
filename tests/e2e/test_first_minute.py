"""The first minute: /start, typed words, and what somebody who is back finds."""

import pytest

from engine import Mark
from playground.groups import Group
from playground.people import Person
from tests.people import is_board, position_of, tap_cell
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

WAYS = [["Play OXO"], ["Play a friend", "Find an opponent"]]


async def test_start_is_a_game_with_a_word_of_welcome_until_the_first_move(ann: Person) -> None:
    board = await ann.ask("/start")
    assert board.text.startswith("👋 Hi, I'm OXO! Your turn. Tap a cell.")
    assert "OXO (easy, adapts)" in board.text
    assert board.labels[3:] == [["Play a friend", "Find an opponent"]]
    await tap_cell(ann, board, 4)
    assert "Hi" not in board.text
    assert len(board.labels) == 4, "nothing moves under the thumb"
    assert position_of(board).ply == 2


async def test_somebody_who_is_back_sees_what_waits(shared: World) -> None:
    cem = shared.playground.add_person("Cem")
    for _ in range(2):
        await cem.ask("/newgame easy")
    back = await cem.ask("/start")
    assert back.text == "👋 2 games wait for you"
    assert [row[0].split(" · ")[0][:1] for row in back.labels] == ["👉", "👉", "N"]
    await cem.tap(back, row=1)
    assert position_of(await cem.private.wait_for(is_board, after=back)).ply == 0


async def test_a_puzzle_that_was_tried_is_open_until_it_is_solved(shared: World) -> None:
    dora = shared.playground.add_person("Dora")
    puzzle = await dora.ask("/puzzle")
    await dora.tap(puzzle, row=0)
    await puzzle.changed()
    back = await dora.ask("/start")
    assert "🧩 #" in back.text
    assert "is open" in back.text
    await dora.tap(back, "🧩 Solve it")
    again = await dora.private.wait_for(after=back)
    assert again.text.startswith("🧩 #")


@pytest.mark.parametrize("said", ["hi", "Hello!", "thanks", "🙂", "who are you"])
@pytest.mark.parametrize("is_playing", [False, True])
async def test_a_word_is_answered_with_a_smile_and_ways_to_play(
    ann: Person, said: str, *, is_playing: bool
) -> None:
    if is_playing:
        await ann.ask("/newgame easy")
    answer = await ann.ask(said)
    assert answer.text == "🙂 I only play tic-tac-toe. Shall we?"
    assert answer.labels == WAYS


@pytest.mark.parametrize(
    ("said", "level"), [("play", "adapts"), ("Play!", "adapts"), ("easy", "(easy)"), ("Hard.", "(hard)")]
)
async def test_play_and_a_level_begin_a_game_against_oxo_and_call_no_stranger(
    shared: World, said: str, level: str
) -> None:
    board = await shared.playground.add_person("Eli").ask(said)
    assert is_board(board)
    assert level in board.text
    assert position_of(board).turn is Mark.X


async def test_a_move_without_a_game_leads_to_one(shared: World) -> None:
    answer = await shared.playground.add_person("Fay").ask("b2")
    assert answer.text == "You have no game in progress here."
    assert answer.labels == WAYS


async def test_a_group_is_greeted_with_an_invitation(ann: Person, group: Group) -> None:
    greeting = await ann.ask("/start", in_=group)
    assert greeting.text.startswith("👋 Hi, I'm OXO!")
    assert greeting.labels == [["Who's in?", "🏆 Cup", "🧩 Puzzle"]]
    await ann.tap(greeting, "Who's in?")
    challenge = await group.wait_for(after=greeting)
    assert "is looking for an opponent" in challenge.text
    for label, begins in (("🏆 Cup", "🏆"), ("🧩 Puzzle", "🧩 #")):
        newest = max(group.messages.values(), key=lambda message: message.id)
        assert (await ann.tap(greeting, label)).text is None
        assert (await group.wait_for(after=newest)).text.startswith(begins)
