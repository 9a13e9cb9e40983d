"""If the board must wait, the toast says so, whatever the tapped button does (P3)."""

from __future__ import annotations

from typing import Final

import pytest

from bot.boards import buttons
from bot.boards.buttons import OnGame, Play
from bot.boards.translations import texts
from bot.context.acting import SLOW
from bot.game.actions import Accept, Action, Bring, Move, SetLevel, Stop
from engine import Level
from storage import telegram
from tests.faults.rooms import Room

CLOSED_SECONDS: Final = 30
WISHES: Final[dict[str, tuple[str, Action | None]]] = {
    "a level": ("/newgame easy me", SetLevel(Level.HARD)),
    "a move that takes a search": ("/newgame 5x5 hard me", Move(0, 12)),
    "an acceptance": ("/challenge", Accept()),
    "a board that comes down": ("/games", Bring()),
    "the end of a watched game": ("/watch", Stop()),
    "a first game": ("/start", None),
}
"""What Ann says, and the button that is then tapped; None begins a game."""


@pytest.mark.parametrize(("said", "action"), WISHES.values(), ids=WISHES)
async def test_a_tap_whose_board_has_to_wait_is_told_so(room: Room, said: str, action: Action | None) -> None:
    room.ann.started = True
    person = room.bo if isinstance(action, Accept) else room.ann
    if said == "/games":
        await room.said(room.ann, "/newgame easy me", room.group)
    message = await room.said(room.ann, said, room.group if action else room.ann.private)
    button = OnGame(room.house.newest().game.id, action) if action else Play()
    await room.house.still()
    until = int(room.house.clock.now()) + CLOSED_SECONDS
    with room.house.engine.begin() as connection:  # another process was refused there
        telegram.note_pause(connection, str(message.chat.id), until)
    await room.bot.hold()
    told = await room.tapped(person, message, buttons.write(button))
    assert told is not None
    assert texts(person.language).gettext(SLOW) in told
    await room.house.skip(CLOSED_SECONDS + 1)
    await room.house.heal()
    assert not room.house.wrong()
