"""OXO's comments on its own moves: a short line on the board when something happens, such as a block or a fork."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Final

from bot.boards.translations import N_
from bot.game.comments import last_reason, times_before
from engine import Reason
from storage.games.board import Board
from storage.games.game import Game

WORDINGS: Final = {
    Reason.WIN: (
        N_("And that's my line!"),
        N_("There it is!"),
        N_("Got it!"),
        N_("That's the one I was waiting for."),
    ),
    Reason.BLOCK: (
        N_("Not so fast!"),
        N_("Nice try! This cell is mine."),
        N_("Ha, blocked!"),
        N_("I saw that line coming."),
        N_("I can't let you have that one."),
        N_("No line for you there."),
    ),
    Reason.FORK: (
        N_("I've got you now!"),
        N_("Two ways to win, and you can only stop one."),
        N_("Which of my two lines will you stop?"),
        N_("That's a fork!"),
    ),
    Reason.BLOCK_FORK: (
        N_("You were setting a trap, weren't you?"),
        N_("No trap for me today."),
        N_("I saw what you were up to."),
        N_("I'd rather not walk into that one."),
    ),
    Reason.THREAT: (
        N_("Watch this…"),
        N_("One more, and it's a line."),
        N_("Can you stop me?"),
        N_("Careful now!"),
        N_("I'm one cell away."),
        N_("Do you see it?"),
    ),
    Reason.TRAP: (N_("Wherever you go now, it's a line."), N_("You can't avoid a line now.")),
    Reason.WIN_BOARD: (
        N_("This little board is mine!"),
        N_("One board for me."),
        N_("I'll take this little board."),
        N_("Thanks, that board suits me."),
    ),
    Reason.BLOCK_BOARD: (
        N_("You won't get this little board."),
        N_("Not this board, my friend!"),
        N_("I need this board too."),
        N_("This little board stays open."),
    ),
    Reason.COMPLETES_LINE: (N_("Oh no, that's a line."), N_("I had no other choice.")),
}
"""What OXO says, by the reason for its move. Moves for any other reason get no comment."""


def comment(game: Game, board: Board, t: NullTranslations) -> str | None:
    """OXO's comment on its last move, as safe HTML; None if it has none.

    A game uses one half of the wordings, each at most once, and the person's next game in that chat the other
    half. The choice depends on the game alone, so a board says the same however often it is drawn.
    """
    reason = None if board.silent else last_reason(game)
    if reason is None or reason not in WORDINGS:
        return None
    wordings = WORDINGS[reason][game.wordings :: 2]
    used = times_before(game, reason)
    return t.gettext(wordings[(game.id // 2 + used) % len(wordings)]) if used < len(wordings) else None


def comment_line(game: Game, board: Board, t: NullTranslations) -> str | None:
    """The comment as the line of a board."""
    said = comment(game, board, t)
    return said and f"💬 <i>{said}</i>"
