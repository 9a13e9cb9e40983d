"""Two processes with one database: whichever is first, everything happens once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from random import Random

from bot.background.clock import claim_due
from bot.game.actions import Move, Transition
from bot.game.attempt import Attempt, Player, TimeLimits, Where
from bot.game.deadlines import THINKING_SECONDS
from bot.game.machine import Ruling, decide
from bot.game.new_game import against_computer
from storage.games import boards
from storage.games.record import Decision, Place, Record
from storage.people import chats
from storage.store import Store
from tests.two.conftest import Stores

ANN, BO = Player(1, "Ann"), Player(2, "Bo")
GROUP = -1
LIMITS = TimeLimits(challenge=100, move=400, computer=1000)


async def waiting(store: Store) -> Record:
    """Ann's stored game on a board where the computer needs time; it has been its turn since 0."""
    await store.run(partial(chats.choose, chat_id=GROUP, choices={}))
    game = against_computer(
        ANN, first=True, level="hard", chat_id=GROUP, now=0, limits=LIMITS, rng=Random(1), rules="5x5x4"
    )
    record = await store.run(partial(boards.add, game=game, places=[Place(GROUP)]))
    moved = await store.change(record.game.id, done(Move(0, 0), ANN, 0))
    assert moved.record.game.due_at == THINKING_SECONDS
    return moved.record


def by(who: Player, now: int = 1) -> Attempt:
    """Somebody's attempt, from the group."""
    return Attempt(who, Where(GROUP), now, Random(1), LIMITS)


def done(action: Transition, who: Player, now: int = 1) -> Callable[[Record], Decision[Ruling]]:
    """An action, to be decided."""
    return partial(decide, action=action, attempt=by(who, now))


async def test_a_game_that_waits_for_the_computer_is_claimed_by_one_process_and_again_later(
    stores: Stores,
) -> None:
    game_id = (await waiting(stores[0])).game.id
    for now in (THINKING_SECONDS, 2 * THINKING_SECONDS):
        due = partial(claim_due, now=now, limits=LIMITS, held=())
        found = await asyncio.gather(*(stores[number % 2].run(due) for number in range(6)))
        claimed = [game.id for _, games_ in found for game in games_]
        assert claimed == [game_id]
        assert not any(late for late, _ in found)


async def test_no_other_process_takes_up_a_long_search(stores: Stores) -> None:
    one, other = stores
    game_id = (await waiting(one)).game.id
    for now in range(THINKING_SECONDS - 2, 5 * THINKING_SECONDS, 5):
        assert await one.run(partial(claim_due, now=now, limits=LIMITS, held=[game_id])) == ([], [])
        assert await other.run(partial(claim_due, now=now + 4, limits=LIMITS, held=())) == ([], [])
