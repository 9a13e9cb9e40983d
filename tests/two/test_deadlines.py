"""Deadlines over HTTP: an abandoned game ends by itself, once, whatever restarts meanwhile."""

from __future__ import annotations

import asyncio

import pytest

from playground.groups import Group
from playground.people import Person
from tests.people import begun, is_board, mentioned, offered, plain, position_of, put, result_named, told
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def module_settings() -> dict[str, str]:
    """Time limits of seconds."""
    return {"CHALLENGE_TTL": "2s", "MOVE_TTL": "4s", "COMPUTER_TTL": "2s"}


def reminders(oxo: World, group: Group) -> list[str]:
    """The texts of the reminders in a group."""
    return [text for call in oxo.sent(group) if "it's your move" in (text := str(call.parameters["text"]))]


async def test_everything_that_waits_comes_to_its_end(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    """One test, so that all the deadlines pass at the same time."""
    await asyncio.gather(
        a_challenge_expires(shared, ann, bo),
        a_link_expires(ann, bo),
        a_chosen_message_expires(shared, ann, bo),
        a_game_is_lost_on_time_after_one_reminder(shared, ann, bo, group),
        a_game_with_moves_goes_on(shared, ann, bo),
        a_game_against_the_computer_just_closes(shared, ann),
        an_inline_game_shows_that_time_runs_out(shared, ann, bo),
        a_game_by_link_reminds_who_is_to_move(
            shared.playground.add_person("Eve", started=True), shared.playground.add_person("Dee")
        ),
    )
    assert cem.id in group.members


async def a_challenge_expires(shared: World, ann: Person, bo: Person) -> None:
    group = shared.playground.add_group("Nobody", [ann, bo])
    challenge = await ann.ask("/newgame", in_=group)
    accept = str(challenge.button("Accept")["callback_data"])
    await challenge.until(lambda message: "expired" in message.text)
    assert challenge.labels == []
    await told(bo, challenge, data=accept)
    assert len(shared.sent(group)) == 1, "nobody is notified"
    for _ in range(3):
        assert "Accept" in offered(await ann.ask("/newgame", in_=group)), "an expired one doesn't count any more"


async def a_link_expires(ann: Person, bo: Person) -> None:
    invitation = await ann.ask("/challenge")
    token = invitation.text.partition("?start=")[2].split()[0]
    await invitation.until(lambda message: "expired" in message.text)
    said = bo.start(token)
    assert "链接" in (await bo.private.wait_for(after=said)).text


async def a_chosen_message_expires(shared: World, ann: Person, bo: Person) -> None:
    meeting = shared.playground.add_meeting(ann, bo)
    shared.playground.bot.inline_feedback = True
    message = ann.choose(result_named(await ann.inline("", in_=meeting), "Challenge"), in_=meeting)
    await message.until(lambda shown: "expired" in shown.text)
    assert message.labels == []


async def a_game_is_lost_on_time_after_one_reminder(shared: World, ann: Person, bo: Person, group: Group) -> None:
    board = await begun(ann, bo, group)
    await put(ann, board, 4)
    reminder = await group.wait_for(lambda message: "it's your move" in message.text)
    assert "小波, it's your move" in plain(reminder)
    assert mentioned(reminder) == [bo.id]
    await board.until(lambda message: "wins" in message.text)
    assert "❌ Ann wins" in plain(board)
    assert "小波 ran out of time" in plain(board)
    assert offered(board) == {"Rematch", "Play the winner", "Share", "Review"}
    assert "over" in await told(ann, board, data=str(board.keyboard[0][0]["callback_data"]))
    assert len(reminders(shared, group)) == 1


async def a_game_with_moves_goes_on(shared: World, ann: Person, bo: Person) -> None:
    group = shared.playground.add_group("Slow", [ann, bo])
    board = await begun(ann, bo, group)
    for person, cell in ((ann, 4), (bo, 0)):
        reminder = await group.wait_for(lambda message: "it's your move" in message.text, after=board)
        group.delete(reminder)
        await put(person, board, cell)
    assert len(reminders(shared, group)) == 2
    assert position_of(board).outcome is None


async def a_game_against_the_computer_just_closes(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame easy", in_=(group := shared.playground.add_group("Alone", [ann])))
    await board.until(lambda message: "closed" in message.text)
    assert not reminders(shared, group)
    assert offered(board) == {"Play again", "Swap sides"}


async def an_inline_game_shows_that_time_runs_out(shared: World, ann: Person, bo: Person) -> None:
    meeting = shared.playground.add_meeting(ann, bo)
    message = ann.choose(result_named(await ann.inline("", in_=meeting), "Challenge"), in_=meeting)
    await bo.tap(message, "Accept")
    await message.until(is_board)
    await put(ann, message, 4)
    await message.until(lambda shown: "⏰" in shown.text)
    await message.until(lambda shown: "wins" in shown.text)
    assert "小波 ran out of time" in plain(message)


async def an_offer_whose_maker_never_moves_is_nobodys_loss(shared: World, ann: Person, bo: Person) -> None:
    meeting = shared.playground.add_meeting(ann, bo)
    message = ann.choose(result_named(await ann.inline("", in_=meeting), "Challenge"), in_=meeting)
    await bo.tap(message, "Accept")
    await message.until(is_board)
    await message.until(lambda shown: "closed" in shown.text)
    assert "wins" not in message.text


async def a_game_by_link_reminds_who_is_to_move(eve: Person, dee: Person) -> None:
    await eve.ask("/first bot")
    invitation = await eve.ask("/challenge")
    said = dee.start(invitation.text.partition("?start=")[2].split()[0])
    board = await dee.private.wait_for(is_board, after=said)
    await dee.private.wait_for(lambda message: "Dee, it's your move" in plain(message))
    await board.until(lambda message: "You ran out of time" in message.text)
    hers = await eve.private.wait_for(is_board, after=invitation)
    await hers.until(lambda message: "You win" in message.text)
    assert "Dee ran out of time" in plain(hers)


async def test_deadlines_survive_a_crash_and_come_true_once_with_two_processes(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    board = await begun(ann, bo, group)
    challenge = await ann.ask("/newgame", in_=group)
    await shared.has_answered(group, ann)
    shared.kill()
    await shared.serve()
    await shared.serve(WEBHOOK_URL="http://127.0.0.1:1/unused", WEBHOOK_SECRET="unused")  # noqa: S106 - it guards nothing
    await challenge.until(lambda message: "expired" in message.text)
    await board.until(lambda message: "ran out of time" in message.text)
    await shared.has_answered(group, ann)
    assert len(reminders(shared, group)) == 1
