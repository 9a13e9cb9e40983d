"""Random and mutated updates: no exception escapes, and only buttons, commands and leaving change a game."""

import asyncio
import copy
import logging
import math
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from telegram import Update

from playground import Playground
from playground.telegram import Telegram
from playground.updates import Queued
from storage.games.game import Game
from tests.conftest import EMPTYING
from tests.faults.odd_updates import ANN, GROUP, Odd, updates
from tests.soak import SOAK
from tests.world import Room, world

BATCH: Final = 20
EXAMPLES: Final = 1_500 if SOAK else 12

OUR_FAULT: Final = re.compile("too long|TOO_LONG|empty|(BUTTON|MESSAGE|RESULT|URL)[A-Z_]*_INVALID|parse (?!Reply)")
"""What Telegram says of texts, answers and buttons that it never takes.

An answer to a message whose number was spoiled may have waited until another update came, and so may one to an
inline query, whose results carry whoever asks.
"""
LOGGED_BY: Final = {"bot.intake.updates", "bot.delivery.lanes", "bot.delivery.recovery"}
"""Who logs an error: whoever handles an update, and whoever sends the answer to a chat that was spoiled."""

NOWHERE: Final = {
    "message_id": 1,
    "date": 1,
    "chat": {"id": None, "type": "private"},
    "from": ANN,
    "text": "/help",
}
"""A message of no chat, to which no answer can be sent."""


@asynccontextmanager
async def one_bot(url: str) -> AsyncIterator[Room]:
    async with Playground() as playground, world(playground, url) as rooms:
        yield Room(rooms, await rooms.start())


def refused_since(telegram: Telegram, called: int, query: object) -> list[str]:
    """What Telegram never takes, of the calls after so many, but for answers to another inline query than this."""
    errors = [
        call.error.description
        for call in telegram.calls[called:]
        if call.error is not None and call.parameters.get("inline_query_id", query) == query
    ]
    return [each for each in errors if OUR_FAULT.search(each)]


async def take(room: Room, body: dict[str, Any]) -> None:
    try:
        Update.de_json(copy.deepcopy(body), room.bot.telegram)
    except Exception:  # noqa: BLE001 - python-telegram-bot raises all kinds of errors over what it cannot read
        return
    await asyncio.wait_for(room.bot.poll(Queued(body, "", ("chat", 0), math.inf)), 60)
    await room.house.still()


def offered_in(room: Room) -> set[str]:
    """The data of all buttons that were shown since the last beginning."""
    shown = (call.parameters.get("reply_markup") or {} for call in room.playground.calls if call.ok)
    rows = (row for markup in shown for row in markup.get("inline_keyboard", ()))
    return {str(each["callback_data"]) for row in rows for each in row if "callback_data" in each}


# Invariants.

Essence = tuple[object, ...]


def essence(game: Game) -> Essence:
    """What a game is, apart from where it is shown."""
    return game.moves, game.x.seat, game.o.seat, game.termination, game.winner, game.level, game.offer


def check(update: dict[str, Any], before: dict[int, Game], after: dict[int, Game], offered: set[str]) -> set[int]:
    """Only a command, an offered button or a player's leaving changes games, and only theirs; returns which.

    *Play* starts a game as /newgame does, whoever sends its data without having seen the button.
    """
    changed = {
        game_id
        for game_id, game in after.items()
        if game_id not in before or essence(game) != essence(before[game_id])
    }
    if not changed:
        return changed
    (kind,) = update.keys() - {"update_id"}
    sender = update[kind]["from"]["id"]
    assert kind in {"message", "callback_query", "chat_member"}, update
    if kind == "callback_query":
        assert update[kind]["data"] in offered | {"play"}, update
    for game_id in changed:
        old = before.get(game_id, after[game_id])
        assert sender in {old.x.seat, old.o.seat} - {0} or old.is_challenge, update
    assert before.keys() <= after.keys()
    return changed


@pytest.mark.timeout(3600 if SOAK else 300)
def test_any_update_at_all_does_no_harm(sqlite_url: str, caplog: pytest.LogCaptureFixture) -> None:
    numbers, changed = count(1), set[int]()
    with asyncio.Runner() as runner:
        context = one_bot(sqlite_url)
        room = runner.run(context.__aenter__())
        telegram = room.playground.telegram

        async def begin() -> None:
            """A game of Ann's in private, one of Bo's in the group, and Ann's challenge there."""
            for statement in EMPTYING:
                room.house.sql(statement)
            telegram.calls.clear()
            await room.said(room.ann, "/newgame easy me", room.ann.private)
            await room.said(room.bo, "/newgame easy me", room.group)
            await room.said(room.ann, "/challenge", room.group)

        async def play(batch: list[Odd]) -> None:
            await begin()
            before = room.house.games()
            assert len(before) == 3
            for drawn, spoiled in batch:
                update, number = copy.deepcopy(drawn), next(numbers)
                if not spoiled and "inline_query" in update:
                    update["inline_query"]["id"] = f"inline {number}"
                query, offered = update.get("callback_query"), offered_in(room)
                called = len(telegram.calls)
                if isinstance(query, dict) and type(query.get("data")) is int:
                    some = sorted(offered)
                    query["data"] = some[query["data"] % len(some)]
                await take(room, {"update_id": number, **copy.deepcopy(update)})
                errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
                caplog.clear()
                assert spoiled or not errors, update
                assert {error.name for error in errors} <= LOGGED_BY, update
                assert spoiled or not refused_since(telegram, called, f"inline {number}"), update
                after = room.house.games()
                changed.update(check(update, before, after, offered))
                before = after

        @settings(
            max_examples=EXAMPLES,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.explicit, Phase.generate),
        )
        @example([Odd({"my_chat_member": {"chat": GROUP, "from": ANN, "date": 1}}, spoiled=True)])
        @example([Odd({"message": NOWHERE}, spoiled=True)])
        @given(st.lists(updates(), min_size=BATCH, max_size=BATCH))
        def run(batch: list[Odd]) -> None:
            runner.run(play(batch))

        run()
        assert changed, "offered buttons do change games"
        outcomes = set(re.findall('oxo_updates_total{.*outcome="([a-z]+)"', room.bot.metrics.text().decode()))
        assert {"done", "failed"} <= outcomes <= {"done", "failed", "unreadable"}
        runner.run(context.__aexit__(None, None, None))
