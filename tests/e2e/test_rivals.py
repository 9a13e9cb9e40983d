"""Challenging a player of a shared game by the link below it."""

import pytest

from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.people import X_WINS, begun, is_board, is_chinese, linked, offered, opened, plain, played, pressed
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def shared_game(ann: Person, bo: Person, group: Group) -> str:
    """The start parameter of the link below a shared game of two."""
    board = await begun(ann, bo, group)
    await played(ann, bo, board, X_WINS)
    await ann.tap(board, "Share")
    film = await group.wait_for(lambda message: message.animation is not None, after=board, within=60)
    return linked(film)


async def challenged(person: Person, link: str, name: str) -> tuple[str | None, Message]:
    """Open a link and challenge a player of its game; what one is told, and what was opened."""
    choice = await opened(person, link)
    (button,) = [label for label in offered(choice) if name in label]
    return (await person.tap(choice, button)).text, choice


async def test_opening_the_link_lets_one_choose_a_player_who_is_told_and_may_accept(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    link = await shared_game(ann, bo, group)
    dee = shared.playground.add_person("Dee", started=True)
    choice = await opened(dee, link)
    assert plain(choice) == "⚔️ Who do you want to challenge? Board: 3×3."
    (button,) = [label for label in offered(choice) if "Ann" in label]
    assert (await dee.tap(choice, button)).text is None
    own = await dee.private.wait_for(after=choice)
    assert plain(own).startswith("⚔️ You challenged Ann.")
    assert offered(own) == {"Send to a friend", "Cancel", "Board: 3×3", "Clock: none", "Series: 1 game"}
    hers = await ann.private.wait_for(lambda message: "Accept" in offered(message))
    assert "Dee" in plain(hers)
    assert offered(hers) == {"Accept", "Decline", "Block"}
    assert (await ann.tap(hers, "Accept")).text is None
    await hers.until(is_board)
    await dee.private.wait_for(is_board, after=choice)


async def test_the_challenged_person_may_decline_and_the_challenger_is_told(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    link = await shared_game(ann, bo, group)
    dee = shared.playground.add_person("Dee", started=True)
    _, choice = await challenged(dee, link, "小波")
    own = await dee.private.wait_for(after=choice)
    his = await bo.private.wait_for(lambda message: len(offered(message)) == 3 and is_chinese(message.text))
    await pressed(bo, his, his.labels[0][1])
    await own.until(lambda message: plain(message) == "小波 declined your challenge.")


async def test_the_link_of_the_challenge_is_for_its_rival_alone_and_makes_no_second_board(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    link = await shared_game(ann, bo, group)
    dee = shared.playground.add_person("Dee", started=True)
    _, choice = await challenged(dee, link, "Ann")
    own = await dee.private.wait_for(after=choice)
    token = next(word for word in own.text.split() if "?start=" in word).partition("?start=")[2]
    assert "doesn't work" in (await opened(shared.playground.add_person("Eve", started=True), token)).text
    await ann.private.wait_for(lambda message: "Accept" in offered(message))
    said = ann.start(token)
    await ann.private.wait_for(is_board, after=said)
    boards = [message for message in ann.private.messages.values() if is_board(message) and message.id > said.id]
    assert len(boards) == 1


async def test_nobody_is_flooded_with_challenges(shared: World, ann: Person, bo: Person, group: Group) -> None:
    link = await shared_game(ann, bo, group)
    people = [shared.playground.add_person(f"P{number}", started=True) for number in range(4)]
    answers = [(await challenged(person, link, "Ann"))[0] for person in people]
    assert answers[:3] == [None] * 3
    assert answers[3] == "They have plenty of challenges waiting. Please try again later."
    assert (await challenged(people[0], link, "Ann"))[0] == answers[3], "nor does one person ask twice"


async def test_a_stranger_sends_a_few_challenges_a_day_silently_and_takes_them_back(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    """Withdrawing, and deleting one's data, makes room for no more."""
    link = await shared_game(ann, bo, group)
    dee = shared.playground.add_person("Dee", started=True)
    answers = []
    for _ in range(5):
        told, choice = await challenged(dee, link, "Ann")
        answers.append(told)
        if answers[-1] is None:
            own = await dee.private.wait_for(lambda message: "Cancel" in offered(message), after=choice)
            hers = await ann.private.wait_for(lambda message: "Accept" in offered(message))
            await pressed(dee, own, "Cancel")
            await hers.until(lambda message: message.deleted)
    enough = "They've had enough challenges from you for today. Please try again tomorrow."
    assert answers == [None] * 3 + [enough] * 2
    calls = [call for call in shared.sent(ann.private) if "Dee" in str(call.parameters["text"])]
    assert len(calls) == 3
    assert all(call.parameters.get("disable_notification") for call in calls)
    await shared.forgets(dee)
    told, _ = await challenged(dee, link, "Ann")
    assert told == "That's enough challenges for today. Please try again tomorrow."


async def test_people_without_reminders_are_told_of_no_challenge_and_a_player_may_challenge_the_other(
    ann: Person, bo: Person, group: Group
) -> None:
    link = await shared_game(ann, bo, group)
    await bo.ask("/notify off")
    before = len(bo.private.messages)
    choice = await opened(ann, link)
    (button,) = offered(choice)
    assert "小波" in button, "people can't challenge themselves"
    await ann.tap(choice, button)
    own = await ann.private.wait_for(after=choice)
    assert plain(own).startswith("⚔️ You challenged 小波.")
    await ann.ask("/help")
    assert len(bo.private.messages) == before
