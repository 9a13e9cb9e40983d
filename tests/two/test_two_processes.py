"""Two processes with one database: whichever is first, everything happens once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from bot.background.clock import claim_due
from bot.game.actions import Accept, Answer, Move, Resign, TakeBack, Transition
from bot.game.attempt import Attempt, Player, Refusal, TimeLimits, Where, position_of
from bot.game.deadlines import THINKING_SECONDS
from bot.game.machine import Ruling, decide, decide_by_clock, decide_by_computer
from bot.game.new_game import against_computer, challenge
from storage.games import boards, games, lookups, outbox
from storage.games.game import Offer, Termination
from storage.games.record import Changed, Decision, NoticeKind, Place, Record
from storage.people import chats
from storage.store import Store
from tests.two.conftest import Stores

ANN, BO = Player(1, "Ann"), Player(2, "Bo")
GROUP = -1
LIMITS = TimeLimits(challenge=100, move=400, computer=1000)
CLOCK = Player(-1, "")


async def challenged(store: Store) -> Record:
    """Ann's stored challenge in a group."""
    await store.run(partial(chats.choose, chat_id=GROUP, choices={}))
    game = challenge(ANN, first=True, chat_id=GROUP, now=0, limits=LIMITS, update_id=1)
    return await store.run(partial(boards.add, game=game, places=[Place(GROUP)]))


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


def refusals(changes: Sequence[Changed[Ruling | None]]) -> list[Refusal | None]:
    """Each one's refusal; None if it was done."""
    return [changed.result.refusal for changed in changes if changed.result is not None]


async def test_a_deadline_comes_true_in_one_process(stores: Stores) -> None:
    game_id = (await challenged(stores[0])).game.id
    await stores[0].change(game_id, done(Accept(), BO, 0))
    for now in (LIMITS.reminder, LIMITS.move):
        for store in stores:
            (late,) = await store.run(partial(lookups.due, now=now, limit=10))
            assert late.id == game_id
        look = partial(decide_by_clock, attempt=by(CLOCK, now))
        found = await asyncio.gather(*(stores[n % 2].change(game_id, look) for n in range(6)))
        assert refusals(found).count(None) == 1
    stored = (await stores[1].run(partial(games.load, game_id=game_id))).game
    assert stored.termination is Termination.TIMEOUT
    notices = await stores[1].run(partial(outbox.claim, now=2**40, limit=10))
    assert [notice.kind for notice in notices] == [NoticeKind.REMINDER], "one reminder, whichever process looked"
    assert not await stores[1].run(partial(lookups.due, now=10_000, limit=10))


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


async def test_the_computer_moves_once_whoever_has_thought(stores: Stores) -> None:
    record = await waiting(stores[0])
    answers = [Answer(cell, position_of(record.game)) for cell in range(1, 7)]
    found = await asyncio.gather(
        *(
            stores[number % 2].change(
                record.game.id, partial(decide_by_computer, action=answer, attempt=by(CLOCK))
            )
            for number, answer in enumerate(answers)
        )
    )
    assert refusals(found).count(None) == 1
    assert set(refusals(found)) == {None, Refusal.STALE}
    stored = (await stores[1].run(partial(games.load, game_id=record.game.id))).game
    assert stored.ply == 2


async def test_a_resignation_and_a_takeback_do_not_both_wait(stores: Stores) -> None:
    game_id = (await challenged(stores[0])).game.id
    for first in (done(Accept(), BO), done(Move(0, 4), ANN)):
        await stores[0].change(game_id, first)
    asked = await asyncio.gather(
        stores[0].change(game_id, done(TakeBack(1), ANN)),
        stores[1].change(game_id, done(Resign(1), BO)),
    )
    assert set(refusals(asked)) in ({None}, {None, Refusal.ASKED})
    newest = await stores[0].run(partial(games.load, game_id=game_id))
    assert newest.game.offer is Offer.RESIGN, "whichever came first"
