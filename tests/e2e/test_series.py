"""A series in a group: each game is a board of its own, and one names the winner."""

from __future__ import annotations

from tests.people import X_WINS, accepted, is_board, next_board, offered, plain, played, position_of, pressed
from tests.world import World


async def test_a_series_is_played_to_its_end_and_its_winner_is_announced_once(oxo: World) -> None:
    ann = oxo.playground.people["ann"]
    bo = oxo.playground.add_person("Bo", started=True)
    group = oxo.playground.add_group("The Noughts", [ann, bo])
    first = await accepted(bo, await ann.ask("/challenge best of 3", in_=group))
    await played(ann, bo, first, X_WINS)
    taps = [person.press(first, str(first.button("Next game")["callback_data"])) for person in (ann, bo, ann)]
    for tap in taps:
        await tap.answer
    second = await next_board(group, first)
    assert "0 – 1" in plain(second), "Bo, who has X now, comes first"
    await played(bo, ann, second, X_WINS)
    assert "1 – 1" in plain(second)
    await pressed(bo, second, "Next game")
    assert "Bo is ready for the next game" in plain(second)
    await ann.tap(second, "Next game")
    third = await next_board(group, second)
    await played(ann, bo, third, X_WINS)
    assert "Ann wins the series!" in plain(third)
    assert "2 – 1" in plain(third)
    assert "Rematch" in offered(third)
    boards = [message for message in group.messages.values() if is_board(message)]
    assert len(boards) == len({first, second, third}) == 3, "a double tap starts no second game"
    assert sum("wins the series" in plain(message) for message in boards) == 1
    await pressed(bo, third, "Rematch")
    await ann.tap(third, "Accept")
    fourth = await next_board(group, third)
    assert (position_of(fourth).ply, "Best of 3\n" in plain(fourth) + "\n") == (0, True)
