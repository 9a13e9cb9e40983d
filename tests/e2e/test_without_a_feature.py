"""Each feature that the others don't need can be taken out of the list: everything else still runs."""

import re
from collections.abc import Iterator

import pytest

from bot.boards.buttons import NOT_DONE, OnGame, offer, read
from bot.context.feature import Features
from bot.dispatch import FEATURES
from bot.features import (
    basics,
    blocking,
    gauntlets,
    hints,
    inline,
    matchmaking,
    play,
    review,
    settings,
    share,
    stats,
    top,
    watch,
)
from bot.features.cups import handlers as cups
from bot.features.puzzle import handlers as puzzle
from playground import Playground
from playground.chats import Chat
from tests.people import X_WINS, is_board
from tests.world import Room, world

MODULES = (
    blocking,
    cups,
    gauntlets,
    hints,
    inline,
    matchmaking,
    puzzle,
    review,
    settings,
    share,
    stats,
    top,
    watch,
)
OPTIONAL = {module.__name__.removesuffix(".handlers").rpartition(".")[2]: module.FEATURE for module in MODULES}
LAST = ("forget", "start")
"""Commands that need an answer first, or that only greet."""


@pytest.fixture
def all_buttons_again() -> Iterator[None]:
    yield
    offer(FEATURES.taps)


def kinds_in(*chats: Chat) -> set[type]:
    """What the buttons of all messages carry."""
    messages = [message for chat in chats for message in chat.messages.values()]
    data = [str(button.get("callback_data")) for each in messages for row in each.keyboard for button in row]
    return {type(found.action if isinstance(found, OnGame) else found) for found in map(read, data)}


@pytest.mark.usefixtures("all_buttons_again")
@pytest.mark.parametrize("name", OPTIONAL)
async def test_without_a_feature_everything_else_runs(sqlite_url: str, name: str) -> None:
    feature = OPTIONAL[name]
    features = Features(*(each for each in FEATURES.all if each is not feature))
    async with Playground() as playground, world(playground, sqlite_url) as house:
        room = Room(house, await house.start(features))
        (ann, bo, cem), group = (room.ann, room.bo, room.cem), room.group
        alone, elsewhere = ann.private, cem.private
        board = await room.said(ann, "/newgame easy", alone)
        assert is_board(board)
        await room.put(ann, board, 4)
        for words in ("/resign", "yes", "again"):
            await room.said(ann, words, alone)
        board = await room.game_of_two()
        for number, cell in enumerate(X_WINS):
            await room.put((ann, bo)[number % 2], board, cell)
        await house.quiet()
        assert "wins" in board.text
        assert await room.pressed(bo, board, "Rematch") is None
        unknown = {(await room.said(cem, "/nonsense", elsewhere)).text, play.NOTHING_TO_ANSWER}
        for command in features.commands:
            if command not in LAST:
                assert (await room.said(ann, f"/{command}", alone)).text not in unknown, command
        for command in feature.commands:
            if command.name not in features.meanings():  # without strangers, "play" still begins a game
                assert (await room.said(cem, f"/{command.name}", elsewhere)).text in unknown
        page = await room.said(ann, "/help", alone)
        for label in basics.TOPICS.values():
            await room.pressed(ann, page, label)
            await house.quiet()
            assert not [each for each in feature.commands if re.search(rf"/{each.name}\b", page.text)], page.text
        await house.skip(days=1)
        await room.bot.look()
        await house.heal()
        assert not house.lagging()
        assert feature.taps.keys() >= NOT_DONE
        assert not kinds_in(alone, bo.private, elsewhere, group) & NOT_DONE
        assert "ERROR" not in house.logged()
