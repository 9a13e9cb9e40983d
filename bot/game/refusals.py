"""The reasons for which an action is refused."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Refusal(Enum):
    """Why an action is refused; `bot.boards.refusals` has the sentences. A refused action changes nothing."""

    NOT_YOURS = "not yours"
    OVER = "over"
    STALE = "stale"
    TAKEN = "taken"
    NOT_YOUR_TURN = "not your turn"
    BEGUN = "begun"
    FOLLOWED = "followed"
    NOBODY_YET = "nobody yet"
    NOT_OPEN = "not open"
    OWN_CHALLENGE = "own challenge"
    NOT_FOR_YOU = "not for you"
    NOT_YOUR_CHALLENGE = "not your challenge"
    NOTHING_TO_TAKE_BACK = "nothing to take back"
    NO_TAKEBACKS = "no takebacks"
    ASKED = "asked"
    NOT_ASKED = "not asked"
    OWN_QUESTION = "own question"
    USED = "used"
    """The inline offer has already started its one game, in another message."""
    THINKING = "thinking"
    """The computer is to move."""
    COMPUTER_ONLY = "computer only"
    WATCHED = "watched"
    """It is an exhibition, in which nobody has a seat."""
    NOT_YOURS_TO_STOP = "not yours to stop"
    GROUPS_ARE_SLOW = "groups are slow"
    FASTEST = "fastest"
    ELSEWHERE = "elsewhere"
    """The cell is free, but the rules demand a move elsewhere."""
    BOARD_FINISHED = "board finished"
    NOT_FINISHED = "not finished"
    LOOKING_BACK = "looking back"
    STILL_LOOKING = "still looking"
    LEFT = "left"
    """The opponent has deleted their data."""


OF_AN_OLD_BOARD: Final = frozenset(
    {
        Refusal.STALE,
        Refusal.OVER,
        Refusal.BEGUN,
        Refusal.FOLLOWED,
        Refusal.NOBODY_YET,
        Refusal.NOT_OPEN,
        Refusal.NOT_ASKED,
    }
)
"""The refusals that mean the person sees an old board, which is then shown again if it lags."""
