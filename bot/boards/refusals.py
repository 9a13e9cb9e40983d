"""What a person is told when something is not done."""

from __future__ import annotations

from typing import Final

from bot.boards.texts import N_
from bot.game.refusals import Refusal

REFUSALS: Final = {
    Refusal.NOT_YOURS: N_("This is somebody else's game. Start your own with /newgame."),
    Refusal.OVER: N_("This game is over."),
    Refusal.STALE: N_("The board has moved on. Here is how it stands now."),
    Refusal.TAKEN: N_("That cell is taken. Choose an empty one."),
    Refusal.NOT_YOUR_TURN: N_("It is not your turn yet."),
    Refusal.BEGUN: N_("The game has begun. You can choose anew in the next one."),
    Refusal.FOLLOWED: N_("The next game is already there, further down."),
    Refusal.NOBODY_YET: N_("Nobody has taken up the challenge yet."),
    Refusal.NOT_OPEN: N_("This challenge is not open any more."),
    Refusal.OWN_CHALLENGE: N_("This is your own challenge: somebody else has to take it up."),
    Refusal.NOT_FOR_YOU: N_("This challenge is meant for somebody else."),
    Refusal.NOT_YOUR_CHALLENGE: N_("Only who made this challenge can do that."),
    Refusal.NOTHING_TO_TAKE_BACK: N_("You have not moved yet, so there is nothing to take back."),
    Refusal.NO_TAKEBACKS: N_("The other player has switched takebacks off."),
    Refusal.ASKED: N_("There is a question open already; it needs its answer first."),
    Refusal.NOT_ASKED: N_("This question is not for you, or is answered already."),
    Refusal.OWN_QUESTION: N_("You have asked this yourself; the other player has to answer it."),
    Refusal.USED: N_("This offer has begun a game elsewhere already. Ask for a new one by my name."),
    Refusal.THINKING: N_("I am thinking. Ask me again when it is your turn."),
    Refusal.COMPUTER_ONLY: N_("Hints are for games against the computer."),
    Refusal.WATCHED: N_("I'm playing myself here. When it's over, you can play the winner."),
    Refusal.NOT_YOURS_TO_STOP: N_("Only who let me begin this, or an administrator, can stop it."),
    Refusal.GROUPS_ARE_SLOW: N_("Telegram lets a group change only so often. It does not allow faster."),
    Refusal.FASTEST: N_("This is as fast as I go."),
    Refusal.ELSEWHERE: N_("You cannot play there now: the last move sends you to another board."),
    Refusal.BOARD_FINISHED: N_("That board is finished. Choose another one."),
    Refusal.NOT_FINISHED: N_("There is no finished game here to look back on."),
    Refusal.LOOKING_BACK: N_("You are looking back on this game: ◀ and ▶ go through it."),
    Refusal.LEFT: N_("The other player has left. /newgame asks who else would like to play."),
    Refusal.STILL_LOOKING: N_("I am still looking at this game. One moment, please."),
}


def words_for(refusal: Refusal | None) -> str | None:
    """The sentence for a refusal, to be translated; None where nothing was refused."""
    return REFUSALS[refusal] if refusal else None
