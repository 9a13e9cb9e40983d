"""What somebody wants of a cup, as far as it may be."""

from collections.abc import Callable
from random import Random
from typing import Final

from bot.game import cups as rules
from bot.game.cups import FEWEST_IN, MOST_IN
from bot.language import N_
from storage.people.person import CupPlayer, CupStage, CupState

HAS_BEGUN: Final = N_("This cup has started. You can join the next one.")
JOINED_LATE: Final = N_("You're in! The first round has already started, so you play from the second one on.")
JOINED: Final = N_("You're in!")
IS_IN: Final = N_("You're in already.")
NOT_IN: Final = N_("You aren't in this cup.")
HAS_LEFT: Final = N_("You've left the cup.")
HAS_LOST: Final = N_("You've left the cup. Your games in it are lost.")
IS_FULL: Final = N_("This cup is full.")
TOO_FEW: Final = N_("A cup takes at least three people.")
HAS_STARTED: Final = N_("The cup has started!")

Wish = Callable[[CupState], "tuple[CupState, str]"]
"""What somebody wants of a cup: the cup as it becomes, and what they are told, to be translated."""


def join(state: CupState, *, person: int, now: int, rng: Random, number: int = 1) -> tuple[CupState, str]:
    """The cup with somebody in it, if they may join, and what they are told; whoever holds it has the number 0."""
    if (player := state.player(person)) is not None:
        back = rules.with_back(state, person)
        return back, HAS_LOST if player.is_out else IS_IN
    if state.cup.stage is CupStage.OVER:
        return state, HAS_BEGUN
    if len(state.players) >= MOST_IN:
        return state, IS_FULL
    number = max([number, *(player.number + 1 for player in state.players)])
    newcomer = CupPlayer(state.cup.id, number, person)
    if state.cup.stage is CupStage.OPEN:
        return rules.timed(state._replace(players=(*state.players, newcomer)), now, has_joined=True), JOINED
    late = rules.joined_late(state, newcomer, rng)
    if late is None:
        return state, HAS_BEGUN
    return late, JOINED_LATE if any(game.x == number and game.o is None for game in late.games) else JOINED


def leave(state: CupState, *, person: int, now: int) -> tuple[CupState, str]:
    """The cup that somebody has left, and what they are told; their running game is ended by the next look."""
    player = state.player(person)
    if player is None or player.is_out:
        return state, NOT_IN
    if state.cup.stage is CupStage.OPEN:
        others = [each for each in state.players if each is not player]
        if others and player.number == 0:
            others[0] = others[0]._replace(number=0)
        return rules.timed(state._replace(players=tuple(others)), now), HAS_LEFT
    players = tuple(each._replace(is_out=True) if each is player else each for each in state.players)
    return state._replace(players=players), HAS_LOST


def start(state: CupState, *, now: int) -> tuple[CupState, str]:
    """The cup that is about to start, if it may, and what whoever starts it is told."""
    if state.cup.stage is not CupStage.OPEN:
        return state, HAS_BEGUN
    if len(state.players) < FEWEST_IN:
        return state, TOO_FEW
    return state._replace(cup=state.cup._replace(starts_at=now)), HAS_STARTED
