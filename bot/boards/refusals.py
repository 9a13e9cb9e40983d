"""What people are told when something is refused."""

from __future__ import annotations

from typing import Final

from bot.game.attempt import Refusal
from bot.language import N_

REFUSALS: Final = {
    Refusal.NOT_YOURS: N_("That's someone else's game. Send /newgame to start your own."),
    Refusal.OVER: N_("This game is over."),
    Refusal.STALE: N_("The board has changed. Here's how it looks now."),
    Refusal.TAKEN: N_("That cell is taken. Pick an empty one."),
    Refusal.NOT_YOUR_TURN: N_("It's not your turn yet."),
    Refusal.BEGUN: N_("The game has begun. You can change it in the next game."),
    Refusal.FOLLOWED: N_("The next game has already started, further down."),
    Refusal.NOBODY_YET: N_("Nobody has accepted the challenge yet."),
    Refusal.NOT_OPEN: N_("This challenge is no longer open."),
    Refusal.OWN_CHALLENGE: N_("That's your own challenge: someone else has to accept it."),
    Refusal.NOT_FOR_YOU: N_("This challenge is for someone else."),
    Refusal.NOT_YOUR_CHALLENGE: N_("Only the challenger can do that."),
    Refusal.UNKNOWN: N_(
        "Telegram doesn't tell me whether you're an admin here. Try again in a moment; if it stays so, make me an "
        "admin, too, or send the command as the group."
    ),
    Refusal.NOTHING_TO_TAKE_BACK: N_("You haven't moved yet, so there's nothing to take back."),
    Refusal.NO_TAKEBACKS: N_("Your opponent has turned takebacks off."),
    Refusal.ASKED: N_("Another question is still waiting for an answer."),
    Refusal.ASKED_LATELY: N_("You've asked that a few times just now. Try again in half a minute."),
    Refusal.NOT_ASKED: N_("That's not your question, or it's already answered."),
    Refusal.OWN_QUESTION: N_("You asked this yourself; your opponent has to answer."),
    Refusal.USED: N_("This invite has been used. Type my username in any chat for a new one."),
    Refusal.THINKING: N_("I'm thinking. Ask me again on your turn."),
    Refusal.COMPUTER_ONLY: N_("I only give hints in games against me."),
    Refusal.WATCHED: N_("I'm playing myself here. When it's over, you can play the winner."),
    Refusal.NOT_YOURS_TO_STOP: N_("Only the person who started this or an admin can stop it."),
    Refusal.GROUPS_ARE_SLOW: N_("Telegram limits updates in groups. I can't go faster here."),
    Refusal.FASTEST: N_("That's as fast as I go."),
    Refusal.ELSEWHERE: N_("You can't play there: the last move sends you to another board."),
    Refusal.BOARD_FINISHED: N_("That board is finished. Pick another one."),
    Refusal.NOT_FINISHED: N_("There's no finished game here to review."),
    Refusal.LOOKING_BACK: N_("This is a review: use ‹ and › to step through the game."),
    Refusal.LEFT: N_("Your opponent left. Send /newgame to play someone else."),
    Refusal.STILL_LOOKING: N_("I'm still analysing this game. One moment!"),
}


def words_for(refusal: Refusal | None) -> str | None:
    """The sentence for a refusal, to be translated; None where nothing was refused."""
    return REFUSALS[refusal] if refusal else None
