"""Of many who come together one gets the seat, by whatever way they come and however many bots there are."""

from collections.abc import AsyncIterator

import pytest

from playground import Playground
from tests.bots import Bot
from tests.people import boards_in, result_named, token_of
from tests.world import World, world


class Crowd:
    """People who all want the same, and bots that take their updates in turn."""

    def __init__(self, house: World, bots: list[Bot]) -> None:
        self.house = house
        self.bots = bots
        self.ann = house.playground.add_person("Ann", started=True)
        self.people = [house.playground.add_person(f"P{number}", started=True) for number in range(8)]
        self.group = house.playground.add_group("Crowd", [self.ann, *self.people])

    async def handled(self) -> None:
        """Let the bots take what waits, and do what follows."""
        mail, self.house.mail[:] = list(self.house.mail), []
        for number, queued in enumerate(mail):
            self.bots[number % len(self.bots)].take(queued)
        await self.house.quiet()


@pytest.fixture(params=[("sqlite_url", 1), ("postgres_url", 2)], ids=["one process", "two processes"])
async def crowd(request: pytest.FixtureRequest) -> AsyncIterator[Crowd]:
    """As many processes as a database takes."""
    database, count = request.param
    async with Playground() as playground, world(playground, request.getfixturevalue(database)) as house:
        yield Crowd(house, [await house.start() for _ in range(count)])


async def in_a_group(crowd: Crowd) -> None:
    """All tap *Accept* below a challenge."""
    await crowd.ann.say("/newgame", in_=crowd.group)
    await crowd.handled()
    challenge = [message for message in crowd.group.messages.values() if message.from_bot][-1]
    for person in crowd.people:
        person.press(challenge, str(challenge.button("Accept")["callback_data"]))


async def in_inline_mode(crowd: Crowd, *, feedback: bool = False) -> None:
    """All tap *Accept* in a chosen message."""
    crowd.house.playground.bot.inline_feedback = feedback
    query = crowd.ann.inline_query("", crowd.group)
    await crowd.handled()
    challenge = crowd.ann.choose(result_named(query.answer.result(), "Challenge"), in_=crowd.group)
    carried = str(challenge.keyboard[0][0]["callback_data"])
    if feedback:
        await crowd.handled()
    for person in crowd.people:
        person.press(challenge, carried)


async def in_inline_mode_with_feedback(crowd: Crowd) -> None:
    """The same, where Telegram tells that it was chosen."""
    await in_inline_mode(crowd, feedback=True)


async def by_a_link(crowd: Crowd) -> None:
    await crowd.ann.say("/challenge")
    await crowd.handled()
    invitation = [message for message in crowd.ann.private.messages.values() if message.from_bot][-1]
    for person in crowd.people:
        person.start(token_of(invitation))


WAYS = (in_a_group, in_inline_mode, in_inline_mode_with_feedback, by_a_link)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__.replace("_", " "))
async def test_of_many_who_accept_together_one_gets_the_seat(crowd: Crowd, way: object) -> None:
    assert callable(way)
    await way(crowd)
    await crowd.handled()
    (record,) = crowd.house.records().values()
    seats = {record.game.x.seat, record.game.o.seat}
    assert crowd.ann.id in seats
    (seated,) = [person for person in crowd.people if person.id in seats]
    assert not crowd.house.wrong()
    if way is by_a_link:
        assert [person for person in crowd.people if boards_in(person.private)] == [seated]
