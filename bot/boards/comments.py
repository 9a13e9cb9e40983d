"""The computer's reason for its last move in its own words: one short line on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.boards.texts import N_
from bot.game.remarks import reason_spoken
from engine import Reason

if TYPE_CHECKING:
    from gettext import NullTranslations

    from storage.games.board import Board
    from storage.games.game import Game

WORDINGS: Final = {
    Reason.WIN: (N_("And that is my line!"), N_("There it is!"), N_("Got it!")),
    Reason.BLOCK: (
        N_("Ha ha, I am going to block you!"),
        N_("Not so fast!"),
        N_("Nice try. This cell is mine."),
    ),
    Reason.FORK: (
        N_("I have you now!"),
        N_("Two ways to win, and you can stop one."),
        N_("Which of my two lines will you stop?"),
    ),
    Reason.BLOCK_FORK: (
        N_("You had a trap in mind, had you not?"),
        N_("No trap for me today."),
        N_("I saw what you were up to."),
    ),
    Reason.THREAT: (N_("Watch this…"), N_("One more, and it is a line."), N_("Can you stop me?")),
    Reason.TRAP: (N_("Wherever you go now, it is a line."), N_("There is no way round a line for you now.")),
    Reason.WIN_BOARD: (N_("This little board is mine!"), N_("One board for me.")),
    Reason.BLOCK_BOARD: (N_("You will not get this little board."), N_("Not this board, my friend!")),
    Reason.CENTRE: (N_("The centre is mine."), N_("I do like the centre.")),
    Reason.CORNER: (N_("A corner for me."), N_("Corners are good places.")),
    Reason.LINE: (N_("There is room for a line here."), N_("I have plans with this one.")),
    Reason.SAFE: (N_("Nothing can happen to me here."), N_("A safe place.")),
    Reason.PREFERENCE: (N_("Why not here?"), N_("I just felt like it."), N_("Let us see what you make of this.")),
    Reason.COMPLETES_LINE: (N_("Oh no, that is a line."), N_("There was no other way for me.")),
    Reason.ALLOWS_WIN: (N_("I hope you do not see it."), N_("Hm, this could go wrong."), N_("Please look away.")),
    Reason.ALLOWS_BOARD: (N_("I hope you do not like the board I send you to."), N_("This may cost me a board.")),
    Reason.FREE_CHOICE: (N_("Choose your board."), N_("Play on any board you like.")),
}
"""What the computer says, by the reason of its move; each sentence stands for one reason alone."""


def remark(game: Game, board: Board, t: NullTranslations) -> str | None:
    """What the computer says about its last move, as safe HTML; None if it says nothing.

    Which wording it is depends on the game and the ply alone, so that a board that is drawn anew says the same.
    """
    if board.silent:
        return None
    reason = reason_spoken(game)
    wordings = None if reason is None else WORDINGS.get(reason)
    if wordings is None:
        return None
    return t.gettext(wordings[(game.id + len(game.moves) // 2) % len(wordings)])


def remark_line(game: Game, board: Board, t: NullTranslations) -> str | None:
    """The same as the line of a board."""
    said = remark(game, board, t)
    return said and f"💬 <i>{said}</i>"
