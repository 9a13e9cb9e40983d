"""A series in a group, with kills in the middle: no game starts twice, and one board names the winner."""

from __future__ import annotations

from tests.people import is_board, next_board, offered, plain, played, position_of, pressed
from tests.world import World

WINS = (0, 3, 1, 4, 2)


async def test_a_series_outlives_kills_and_its_winner_is_announced_once(oxo: World) -> None:
    ann = oxo.playground.people["ann"]
    bo = oxo.playground.add_person("Bo", started=True)
    group = oxo.playground.add_group("The Noughts", [ann, bo])
    challenge = await ann.ask("/challenge best of 3", in_=group)
    assert "Best of 3" in plain(challenge)
    await bo.tap(challenge, "Accept")
    first = await challenge.until(is_board)
    await played(ann, bo, first, WINS)
    taps = [person.press(first, str(first.button("Next game")["callback_data"])) for person in (ann, bo, ann)]
    oxo.kill()
    await oxo.serve()
    for tap in taps:
        await tap.answer
    second = await next_board(group, first)
    assert "0 – 1" in plain(second), "Bo, who has X now, comes first"
    await played(bo, ann, second, WINS)
    assert "1 – 1" in plain(second)
    await pressed(bo, second, "Next game")
    assert "Bo is ready for the next game" in plain(second)
    await ann.tap(second, "Next game")
    third = await next_board(group, second)
    await played(ann, bo, third, WINS[:-1])
    tap = ann.press(third, str(third.keyboard[0][2]["callback_data"]))
    oxo.kill()
    await oxo.serve()
    await tap.answer
    await third.until(lambda now: "Ann wins the series!" in plain(now))
    assert "2 – 1" in plain(third)
    assert "Rematch" in offered(third)
    boards = [message for message in group.messages.values() if is_board(message)]
    assert len(boards) == len({first, second, third}) == 3, (
        "a double tap or a repeated update starts no second game"
    )
    assert sum("wins the series" in plain(message) for message in boards) == 1
    await pressed(bo, third, "Rematch")
    await ann.tap(third, "Accept")
    fourth = await next_board(group, third)
    assert (position_of(fourth).ply, "Best of 3\n" in plain(fourth) + "\n") == (0, True)
