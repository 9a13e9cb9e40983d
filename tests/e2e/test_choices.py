"""/difficulty and /first: a chat's choices for its new games."""

from __future__ import annotations

import pytest

from bot.boards.players import DIFFICULTIES
from bot.game.new_game import DEFAULT_LEVEL
from engine import LEVELS, Level
from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.people import offered, position_of
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

FIRSTS = ("me", "bot", "random")
USUAL = DIFFICULTIES.index(DEFAULT_LEVEL)


def marked(menu: Message) -> list[int]:
    """The highlighted buttons of a menu, by position."""
    buttons = [button for row in menu.keyboard for button in row]
    styled = [number for number, button in enumerate(buttons) if "style" in button]
    ticked = [number for number, button in enumerate(buttons) if "✓" in button["text"]]
    assert styled == ticked, "the choice is shown by more than a colour"
    return styled


@pytest.mark.parametrize("level", LEVELS)
async def test_a_chosen_level_holds_for_the_chats_new_games(ann: Person, level: str) -> None:
    answer = await ann.ask(f"/difficulty {level.upper()}")
    assert level in answer.text
    assert level in (await ann.ask("/newgame")).text
    assert level in (await ann.ask("/newgame bot")).text


@pytest.mark.parametrize(("first", "plies"), [("me", {0}), ("bot", {1}), ("random", {0, 1})])
async def test_who_moves_first_holds_for_the_chats_new_games(ann: Person, first: str, plies: set[int]) -> None:
    await ann.ask(f"/first {first.title()}")
    assert {position_of(await ann.ask("/newgame hard")).ply for _ in range(20)} == plies


async def test_a_word_of_newgame_is_for_that_game_alone(ann: Person) -> None:
    await ann.ask("/difficulty easy")
    await ann.ask("/first bot")
    other = await ann.ask("/newgame hard me")
    assert "hard" in other.text
    assert position_of(other).ply == 0
    usual = await ann.ask("/newgame")
    assert "easy" in usual.text
    assert position_of(usual).ply == 1


async def test_a_choice_is_for_its_chat_alone(ann: Person, group: Group, bo: Person) -> None:
    await ann.ask("/difficulty perfect", in_=group)
    await ann.ask("/first bot", in_=group)
    menu = await bo.ask("/difficulty", in_=group)
    assert marked(menu) == [DIFFICULTIES.index(Level.PERFECT)]
    assert "easy" in (await ann.ask("/newgame")).text, "where newcomers start"


@pytest.mark.parametrize(
    ("command", "words", "default"), [("/difficulty", DIFFICULTIES, "adaptive"), ("/first", FIRSTS, "me")]
)
async def test_without_a_word_the_settings_open_at_the_right_page(
    ann: Person, command: str, words: tuple[str, ...], default: str
) -> None:
    menu = await ann.ask(command)
    *buttons, _ = [button for row in menu.keyboard for button in row]
    assert len(buttons) == len(words)
    assert marked(menu) == [words.index(default)]
    for number, button in enumerate(buttons):
        answer = await ann.tap(menu, data=str(button["callback_data"]))
        assert answer.text, "the toast says what was chosen"
        assert marked(await ann.ask(command)) == [number], "and a new menu shows it"
    await menu.until(lambda message: "Your settings" in message.text)


async def test_tapping_the_choice_that_holds_changes_nothing(ann: Person) -> None:
    menu = await ann.ask("/first")
    answer = await ann.tap(menu, row=0)
    assert answer.text == "First: Me"
    assert marked(await ann.ask("/first")) == [0]


@pytest.mark.parametrize("word", ["me", "<b>", "hardest", "x" * 3000, "\u2066", "easy hard"])
async def test_difficulty_refuses_other_words_with_the_ones_that_work(ann: Person, word: str) -> None:
    answer = await ann.ask(f"/difficulty {word}")
    for level in LEVELS:
        assert level in answer.text
    assert marked(await ann.ask("/difficulty")) == [USUAL], "nothing was changed"


@pytest.mark.parametrize("word", ["easy", "<b>", "you", "x" * 3000, "\u2066", "me bot"])
async def test_first_refuses_other_words_with_the_ones_that_work(ann: Person, word: str) -> None:
    answer = await ann.ask(f"/first {word}")
    for first in FIRSTS:
        assert first in answer.text
    assert marked(await ann.ask("/first")) == [0], "nothing was changed"


@pytest.mark.parametrize("said", ["/difficulty easy me", "/difficulty me easy"])
async def test_the_word_complained_of_is_the_one_that_does_not_fit(ann: Person, said: str) -> None:
    answer = await ann.ask(said)
    assert "word me" in answer.text


async def test_takebacks_offers_both_answers_and_says_what_it_did_not_understand(ann: Person) -> None:
    assert "I don't know the word maybe" in (await ann.ask("/takebacks maybe")).text
    menu = await ann.ask("/takebacks")
    assert marked(menu) == [0]
    assert (await ann.tap(menu, "off")).text == "Takebacks: off"
    await menu.until(lambda message: "Takebacks: off" in offered(message))
    assert marked(await ann.ask("/takebacks")) == [1]
    assert (await ann.ask("/takebacks ON")).text == "Takebacks: on"
    assert marked(await ann.ask("/takebacks")) == [0]
    assert (await ann.tap(menu, data="2set:takebacks:maybe")).text, "no such button"


async def test_in_a_group_each_chooses_about_takebacks_for_themselves(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    menu = await ann.ask("/takebacks", in_=group)
    text = menu.text
    assert (await bo.tap(menu, "off")).text
    await shared.has_answered(group, ann)
    assert menu.text == text, "Bo's choice only concerns Bo"
    assert marked(await bo.ask("/takebacks", in_=group)) == [1]
    assert marked(await ann.ask("/takebacks", in_=group)) == [0]


async def test_edited_messages_choose_nothing(shared: World, ann: Person) -> None:
    said = await ann.say("/help")
    await ann.private.wait_for(after=said)
    await ann.edit(said, "/difficulty perfect")
    await shared.has_answered(ann.private, ann)
    assert marked(await ann.ask("/difficulty")) == [USUAL]
