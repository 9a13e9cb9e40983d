"""/newgame with words: which are known, in any order and case, and the answer to unknown ones."""

from __future__ import annotations

import pytest

from engine import LEVELS
from playground.people import Person
from tests.people import boards_in, position_of
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("said", "level", "ply"),
    [
        ("/newgame hard bot", "hard", 1),
        ("/newgame bot hard", "hard", 1),
        ("/newgame HARD Bot", "hard", 1),
        ("/newgame pErFeCt", "perfect", 0),
        ("/NewGame easy ME", "easy", 0),
        ("/newgame   me \n  beginner  ", "beginner", 0),
        ("/newgame\nbot", "easy", 1),
        ("/newgame easy easy", "easy", 0),
        ("/newgame@oxo_playground_bot bot easy", "easy", 1),
        ("/newgame@OXO_Playground_Bot bot easy", "easy", 1),
    ],
)
async def test_the_words_come_in_any_order_and_case(ann: Person, said: str, level: str, ply: int) -> None:
    board = await ann.ask(said)
    assert level in board.text
    assert position_of(board).ply == ply


async def test_random_lets_both_begin_sooner_or_later(ann: Person) -> None:
    begun: set[int] = set()
    while begun != {0, 1}:
        begun.add(position_of(await ann.ask("/newgame random")).ply)


@pytest.mark.parametrize(
    "word",
    [
        "nightmare",
        "<b>bold</b>",
        "</code><a",
        "&lt;script&gt;",
        "*_`[",
        "me,",
        "\u202eevil\u202c",
        "\u2066\u2066\u2066",
        "🦄",
        "0",
        "-1",
        "/help",
        "x" * 4000,
        "é" * 2000,
        "<" * 3000,
    ],
)
async def test_an_unknown_word_gets_a_sentence_with_the_words_that_work(
    shared: World, ann: Person, word: str
) -> None:
    answer = await ann.ask(f"/newgame {word}")
    for known in (*LEVELS, "me", "bot", "random"):
        assert known in answer.text
    assert answer.labels == []
    assert "/challenge" in answer.text, "a person may have been meant"
    assert len(answer.text) < 600
    (call,) = shared.sent(ann.private)
    assert call.ok


@pytest.mark.parametrize("words", ["easy hard", "me bot", "easy me hard", "easy random me"])
async def test_two_answers_to_the_same_question_are_one_too_many(ann: Person, words: str) -> None:
    answer = await ann.ask(f"/newgame {words}")
    assert answer.labels == []
    for known in (*LEVELS, "me", "bot", "random"):
        assert known in answer.text


async def test_hundreds_of_words_are_answered_with_one_sentence(shared: World, ann: Person) -> None:
    answer = await ann.ask("/newgame " + " ".join(["me", "easy"] * 300 + ["what"]))
    assert "what" in answer.text
    assert len(shared.sent(ann.private)) == 1


async def test_the_words_of_ones_own_language_work_too(bo: Person) -> None:
    board = await bo.ask("/newgame 困难 bot")
    assert "困难" in board.text
    assert position_of(board).ply == 1


async def test_an_edited_message_starts_no_game(shared: World, ann: Person) -> None:
    said = await ann.say("/newgame easy")
    board = await ann.private.wait_for(after=said)
    await ann.edit(said, "/newgame hard bot")
    plain = await ann.say("/help")
    await ann.private.wait_for(after=plain)
    await ann.edit(plain, "/newgame")
    await shared.has_answered(ann.private, ann)
    assert boards_in(ann.private) == [board]


async def test_a_second_delivery_of_the_same_wish_makes_no_second_game(shared: World, ann: Person) -> None:
    fault = shared.playground.faults.add(kind="duplicate", update="message", chat=ann.private, delay=0, times=1)
    await ann.ask("/newgame")
    await shared.has_answered(ann.private, ann)
    assert fault.struck == 1
    assert len(boards_in(ann.private)) == 1
