"""Random and mutated updates: no exception escapes, and only offered buttons and commands change anything."""

import asyncio
import copy
import json
import logging
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, Final, NamedTuple, Self

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection
from telegram import Update

from bot.intake.updates import Intake, strip_payload
from bot.network.transport import HttpAnswer, Transport
from bot.settings import Settings
from bot.wiring import Ground, Parts, close, make
from playground.texts import parse_html
from storage.errors import CorruptGame
from storage.games import games
from storage.games.game import Game
from storage.games.record import Record
from tests.faults.odd_updates import ANN, BO, BOT, GROUP, Odd, updates
from tests.figures import Figures
from tests.soak import SOAK

BATCH: Final = 20
EXAMPLES: Final = 1_500 if SOAK else 12

TOKEN: Final = "123456:AAnothingButATest"  # noqa: S105 - opens nothing


class Telegram(Transport):
    """A Telegram that accepts every well-formed call, and remembers which buttons it has shown."""

    def __init__(self) -> None:
        super().__init__()
        self.offered: set[str] = set()
        self.refused: list[str] = []
        self._ids = count(1000)

    async def initialize(self) -> None:
        """Nothing to open."""

    async def shutdown(self) -> None:
        """Nothing to close."""

    async def exchange(self, url: str, body: bytes, **_: object) -> HttpAnswer:
        name = url.rpartition("/")[2]
        parameters = json.loads(body) if body else {}
        self._look(name, parameters)
        result: object = True
        if name == "getMe":
            result = BOT
        elif name == "sendMessage":
            chat = {"id": parameters["chat_id"], "type": "private"}
            result = {"message_id": next(self._ids), "date": 1, "chat": chat}
        elif name == "getChatMember":
            result = {"status": "member", "user": ANN}
        return HttpAnswer(200, json.dumps({"ok": True, "result": result}).encode())

    def _look(self, name: str, parameters: dict[str, Any]) -> None:
        if parameters.get("parse_mode") == "HTML":
            text, _ = parse_html(parameters["text"], lambda _: None)
            if not 1 <= len(text) <= 4096:
                self.refused.append(f"{name} with {len(text)} characters")
        if name == "answerCallbackQuery" and len(parameters.get("text", "")) > 200:
            self.refused.append(f"an answer of {len(parameters['text'])} characters")
        markup = parameters.get("reply_markup", {})
        for row in markup.get("inline_keyboard", ()):
            for button in row:
                data = button.get("callback_data")
                if data is not None:
                    self.offered.add(data)
                    if not 1 <= len(data.encode()) <= 64:
                        self.refused.append(f"callback data of {len(data.encode())} bytes")


class Bot(NamedTuple):
    """The bot without a network."""

    telegram: Telegram
    parts: Parts
    intake: Intake

    @classmethod
    @asynccontextmanager
    async def running(cls, url: str) -> AsyncIterator[Self]:
        telegram = Telegram()
        given = {"bot_api_url": "http://telegram.invalid", "database_url": url, "edits_per_minute": "0"}
        parts = make(Settings(**given), TOKEN, Ground(transport=lambda _: telegram))  # type: ignore[arg-type] # they are read from text
        await parts.app.initialize()
        try:
            yield cls(telegram, parts, Intake(parts.app))
        finally:
            await close(parts)

    async def take(self, update: dict[str, Any]) -> None:
        strip_payload(update)
        try:
            parsed = Update.de_json(update, self.parts.app.bot)
        except Exception:  # noqa: BLE001 - python-telegram-bot raises all kinds of errors over what it cannot read
            return
        task = self.intake.begin(parsed, comes_again=True)
        if task is not None:
            await asyncio.shield(task)

    async def games(self) -> dict[int, Game]:
        def load(connection: Connection) -> Mapping[int, Record | CorruptGame]:
            ids = connection.exec_driver_sql("SELECT id FROM games").scalars().all()
            return games.load_many(connection, ids)

        loaded = await self.parts.services.store.run(load)
        assert not [game for game in loaded.values() if isinstance(game, CorruptGame)]
        return {game_id: found.game for game_id, found in loaded.items() if not isinstance(found, CorruptGame)}

    async def forget(self) -> None:
        def delete(connection: Connection) -> None:
            for table in ("messages", "outbox", "boards", "games", "people", "chats"):
                connection.exec_driver_sql(f"DELETE FROM {table}")  # noqa: S608 - of these

        await self.parts.services.store.run(delete)
        self.telegram.offered.clear()


# Invariants.

Essence = tuple[object, ...]


def essence(game: Game) -> Essence:
    """What a game is, apart from where it is shown."""
    return game.moves, game.x_seat, game.o_seat, game.termination, game.winner, game.level, game.offer


def people_of(game: Game) -> set[int | None]:
    return {game.x_seat, game.o_seat} - {0}


def check(update: dict[str, Any], before: dict[int, Game], after: dict[int, Game], offered: set[str]) -> int:
    """Only a command or an offered button changes games, and only its sender's; returns how many it changed."""
    changed = [
        game_id
        for game_id, game in after.items()
        if game_id not in before or essence(game) != essence(before[game_id])
    ]
    if not changed:
        return 0
    (kind,) = update.keys() - {"update_id"}
    sender = update[kind]["from"]["id"]
    assert kind in {"message", "callback_query"}, update
    if kind == "callback_query":
        assert update[kind]["data"] in offered, update
    for game_id in changed:
        old = before.get(game_id, after[game_id])
        assert sender in people_of(old) or old.is_challenge, update
    assert before.keys() <= after.keys()
    return len(changed)


@pytest.mark.timeout(3600 if SOAK else 300)
def test_any_update_at_all_does_no_harm(
    sqlite_url: str, figures: Figures, caplog: pytest.LogCaptureFixture
) -> None:
    numbers = count(1)
    with asyncio.Runner() as runner:
        context = Bot.running(sqlite_url)
        bot = runner.run(context.__aenter__())

        async def begin() -> None:
            """A game of Ann's in private, one of Bo's in a group, and Ann's challenge there."""
            await bot.forget()
            for person, chat, text in (
                (ANN, ANN, "/newgame easy me"),
                (BO, GROUP, "/newgame easy me"),
                (ANN, GROUP, "/challenge"),
            ):
                place = chat if chat is GROUP else {"id": chat["id"], "type": "private"}
                entity = {"type": "bot_command", "offset": 0, "length": len(text.split()[0])}
                message = {
                    "message_id": next(numbers),
                    "date": 1,
                    "chat": place,
                    "from": person,
                    "text": text,
                    "entities": [entity],
                }
                await bot.take({"update_id": next(numbers), "message": message})

        async def play(batch: list[Odd]) -> None:
            await begin()
            before = await bot.games()
            assert len(before) == 3
            for drawn, spoiled in batch:
                update = copy.deepcopy(drawn)
                query = update.get("callback_query")
                if isinstance(query, dict) and type(query.get("data")) is int:
                    some = sorted(bot.telegram.offered)
                    query["data"] = some[query["data"] % len(some)]
                offered = set(bot.telegram.offered)
                await asyncio.wait_for(bot.take({"update_id": next(numbers), **copy.deepcopy(update)}), 60)
                errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
                caplog.clear()
                assert spoiled or not errors, update
                assert all(error.name == "bot.intake.updates" for error in errors), update
                after = await bot.games()
                figures.faults += spoiled
                figures.moves_made += check(update, before, after, offered)
                before = after
                figures.taps += 1
            assert not bot.telegram.refused

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.explicit, Phase.generate),
        )
        @example([Odd({"my_chat_member": {"chat": GROUP, "from": ANN, "date": 1}}, spoiled=True)])
        @given(st.lists(updates(), min_size=BATCH, max_size=BATCH))
        def run(batch: list[Odd]) -> None:
            runner.run(play(batch))

        run()
        figures.runs = EXAMPLES
        assert figures.moves_made, "offered buttons do change games"
        outcomes = set(
            re.findall('oxo_updates_total{.*outcome="([a-z]+)"', bot.parts.services.metrics.text().decode())
        )
        assert outcomes == {"done", "failed"}
        runner.run(context.__aexit__(None, None, None))
