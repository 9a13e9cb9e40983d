"""The other commands, the lists that Telegram gets, and texts that are no commands."""

from __future__ import annotations

import pytest

from bot.boards.translations import LANGUAGES
from bot.commands import COMMANDS, MENU, MENU_OF_GROUPS
from engine import Level
from playground.groups import Group
from playground.people import Person
from tests.people import boards_in, is_chinese, position_of
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

EXPLAINED = {"help", "newgame", "difficulty", "first", "stats", "privacy"}


async def test_start_greets_and_says_how_to_begin(ann: Person) -> None:
    for said in ("/start", "/START", "/start@oxo_playground_bot"):
        answer = await ann.ask(said)
        assert "/newgame" in answer.text
    assert (await ann.ask("/start payload_of-no_link")).text


async def test_help_is_short_and_its_pages_explain_every_command(shared: World, ann: Person) -> None:
    answer = await ann.ask("/help")
    assert len(answer.text.splitlines()) == 3
    text = ""
    for label in [label for row in answer.labels for label in row]:
        assert (await ann.tap(answer, label)).text is None
        await answer.until(lambda message, label=label: message.text.startswith(label))  # type: ignore[misc] # bound
        text += answer.text
    for command in EXPLAINED:
        assert f"/{command}" in text
    for word in (*Level, "me", "bot", "random"):
        assert word in text
    await shared.has_answered(ann.private, ann)
    assert len(shared.sent(ann.private)) == 2, "one message that edits itself, and the menu at the end"


async def test_play_starts_a_game_as_newgame_does_and_a_hasty_second_tap_no_other(
    shared: World, ann: Person
) -> None:
    await ann.ask("/difficulty hard")
    await ann.ask("/first bot")
    greeting = await ann.ask("/start")
    assert greeting.labels[0] == ["Play"]
    taps = [ann.press(greeting, str(greeting.button("Play")["callback_data"])) for _ in range(2)]
    assert [(await tap.answer).text for tap in taps] == [None, None]
    await shared.has_answered(ann.private, ann)
    (board,) = boards_in(ann.private)
    assert "OXO (hard)" in board.text
    assert position_of(board).ply == 1


async def test_only_the_help_turns_its_pages(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame")
    text = board.text
    await ann.tap(board, data="2help:friends")
    await ann.tap(board, data="2help:nonsense")
    await shared.has_answered(ann.private, ann)
    assert board.text == text


async def test_privacy_says_what_is_kept_with_buttons_to_download_and_delete_it(
    ann: Person, bo: Person, group: Group
) -> None:
    answer = await ann.ask("/privacy")
    for kept in ("id", "name", "language", "moves"):
        assert kept in answer.text
    assert "as a file" in ((await ann.tap(answer, "Download my data")).text or "")
    file = await ann.private.wait_for(lambda message: message.document is not None, after=answer)
    assert (await ann.tap(answer, "Delete my data")).text is None
    question = await ann.private.wait_for(lambda message: "Delete all" in message.text, after=file)
    assert question.labels == [["Yes, delete it", "No"]]
    in_group = await ann.ask("/privacy", in_=group)
    assert in_group.labels == []
    assert is_chinese((await bo.tap(in_group, data="2download")).text), "that is between the two of them"
    assert is_chinese((await bo.tap(in_group, data="2delete")).text)


async def test_commands_are_registered_for_private_chats_and_groups_in_both_languages(shared: World) -> None:
    commands = shared.playground.world.commands
    await shared.stop()
    await shared.serve(introduces=True)
    await shared.playground.called(
        "setMyCommands",
        lambda _: (
            len(shared.playground.calls_of("setMyCommands")) >= 3 * len(LANGUAGES)
            and all(call.ok is not None for call in shared.playground.calls_of("setMyCommands"))
        ),
    )
    for scope in (None, {"type": "all_private_chats"}, {"type": "all_group_chats"}):
        for language in ("", "zh"):
            registered = {entry["command"]: entry["description"] for entry in commands.get(scope, language)}
            assert list(registered) == list(MENU_OF_GROUPS if scope == {"type": "all_group_chats"} else MENU)
            assert all(description.isascii() == (language == "") for description in registered.values())
            assert len(set(registered.values())) == len(registered)


async def test_every_command_is_answered(shared: World, ann: Person) -> None:
    unknown = (await ann.ask("what is this?")).text
    for start in range(0, len(COMMANDS), 3):  # nobody gets an unlimited number of answers at once
        person = shared.playground.add_person("Dan", started=True)
        for command in COMMANDS[start : start + 3]:
            await person.say(f"/{command.name}")
        await shared.has_answered(person.private, person)
        said = [message.text for message in person.private.messages.values() if message.from_bot]
        assert said
        assert unknown not in said


@pytest.mark.parametrize("said", ["hello", "/unknown", "newgame", "❌", "\u202e", "<b>", "x" * 4096, "/" * 50])
async def test_what_is_no_command_is_answered_in_private(shared: World, ann: Person, said: str) -> None:
    if said == "\u202e":
        said = "\u2066"
    answer = await ann.ask(said)
    assert "/newgame" in answer.text
    assert len(shared.sent(ann.private)) == 1


async def test_commands_for_another_bot_are_left_alone(shared: World, ann: Person) -> None:
    for said in ("/newgame@another_bot", "/start@another_bot", "/unknown@another_bot", "/help@oxo_playground_bo"):
        await ann.say(said)
    await shared.has_answered(ann.private, ann)
    assert len(shared.sent(ann.private)) == 1, "the menu at the end"


async def test_edited_messages_are_left_alone(shared: World, ann: Person) -> None:
    said = await ann.say("/help")
    await ann.private.wait_for(after=said)
    for text in ("/start", "/privacy", "hello", "/first bot"):
        await ann.edit(said, text)
    await shared.has_answered(ann.private, ann)
    assert len(shared.sent(ann.private)) == 2
    assert position_of(await ann.ask("/newgame")).ply == 0
