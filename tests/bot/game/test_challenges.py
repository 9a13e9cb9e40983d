"""Challenges: who they are for, and how they end."""

from __future__ import annotations

import pytest

from bot.game.actions import Accept, Cancel, Decline, LetComputerPlay, SetRules, Transition
from bot.game.attempt import Player, Refusal, State, state_of
from bot.game.new_game import challenger_of, closed_by_other, is_for, seen_with
from engine import Level, Mark
from storage.games.game import COMPUTER, Termination
from tests.bot.games import ANN, BO, CEM, LIMITS, NOW, UNKNOWN, done, open_challenge, refused


@pytest.mark.parametrize("first", [True, False])
def test_accepting_gives_the_empty_seat_and_starts_the_time(first: bool) -> None:  # noqa: FBT001 - a parameter
    challenge = open_challenge(first=first)
    assert challenger_of(challenge) is (Mark.X if first else Mark.O)
    accepted = done(challenge, Accept(), BO, now=NOW + 50)
    own, other = (Mark.O, Mark.X) if first else (Mark.X, Mark.O)
    assert (accepted.seat(own), accepted.name(own)) == (BO.id, BO.name)
    assert (accepted.seat(other), accepted.name(other)) == (ANN.id, ANN.name)
    assert (accepted.moved_at, accepted.due_at) == (NOW + 50, NOW + 50 + LIMITS.reminder)
    assert state_of(accepted) is State.RUNNING


@pytest.mark.parametrize(
    ("username", "meant"),
    [("bo", True), ("BO", True), ("Bo", True), ("bob", False), ("", False), (None, False)],
)
def test_a_username_is_the_same_in_any_case(username: str | None, *, meant: bool) -> None:
    challenge = open_challenge(rival=UNKNOWN)
    assert is_for(challenge, BO._replace(username=username)) is meant


def test_a_rival_known_by_id_is_nobody_else_whatever_their_name() -> None:
    challenge = open_challenge(rival=BO)
    assert is_for(challenge, BO._replace(name="?", username=None))
    assert not is_for(challenge, CEM._replace(name=BO.name, username=BO.username))


def test_a_challenge_is_accepted_by_the_rules_it_was_seen_with() -> None:
    challenge = done(open_challenge(), SetRules("5x5x4"), ANN)
    assert refused(challenge, Accept("3x3x3"), BO) is Refusal.STALE
    for changed in (challenge._replace(clock=30), challenge._replace(best_of=3)):
        assert refused(changed, Accept("5x5x4"), BO) is Refusal.STALE
        assert done(changed, seen_with(changed), BO).o_seat == BO.id
    assert refused(challenge, Accept(""), BO) is Refusal.STALE
    assert done(challenge, Accept("5x5x4"), BO).rules == "5x5x4"


def test_once_it_is_accepted_nobody_is_named_any_more() -> None:
    accepted = done(open_challenge(rival=BO), Accept(), BO)
    assert accepted.rival_id is None


def test_only_the_person_it_names_may_decline_it() -> None:
    declined = done(open_challenge(rival=BO), Decline(), BO)
    assert (declined.termination, state_of(declined)) == (Termination.DECLINED, State.CLOSED)
    assert refused(open_challenge(), Decline(), BO) is Refusal.NOT_FOR_YOU


def test_somebody_challenged_by_username_declines_by_name() -> None:
    declined = done(open_challenge(rival=UNKNOWN), Decline(), BO)
    assert (declined.rival_id, declined.name_of(declined.rival_id)) == (BO.id, "小波")


def test_the_challenger_and_administrators_may_withdraw_it_and_the_record_says_who_did() -> None:
    withdrawn = done(open_challenge(), Cancel(), ANN, is_admin=True)
    closed = done(open_challenge(), Cancel(), CEM, is_admin=True)
    assert withdrawn.termination is closed.termination is Termination.CANCELLED
    assert (withdrawn.ended_by, closed_by_other(withdrawn)) == (ANN.id, False)
    assert (closed.ended_by, closed_by_other(closed)) == (CEM.id, True)
    assert refused(open_challenge(), Cancel(), CEM) is Refusal.NOT_YOUR_CHALLENGE


@pytest.mark.parametrize("first", [True, False])
def test_the_computer_takes_the_seat_and_moves_if_it_is_the_first(first: bool) -> None:  # noqa: FBT001 - likewise
    game = done(open_challenge(first=first), LetComputerPlay(), ANN, now=NOW + 50, level=Level.HARD)
    assert game.seat(Mark.O if first else Mark.X) == COMPUTER
    assert (game.level, game.ply) == ("hard", 0 if first else 1)
    assert game.due_at == NOW + 50 + LIMITS.computer


@pytest.mark.parametrize("rival", [BO, UNKNOWN])
def test_playing_oxo_instead_uncounts_no_challenge_to_somebody(rival: Player) -> None:
    named = open_challenge(rival=rival)
    game = done(named, LetComputerPlay(), ANN)
    assert (game.rival_id, game.rival_username) == (named.rival_id, named.rival_username)
    assert refused(open_challenge(rival=BO, link="a" * 22), LetComputerPlay(), ANN) is Refusal.STALE


@pytest.mark.parametrize("action", [Accept(), Decline(), Cancel(), LetComputerPlay()])
@pytest.mark.parametrize("termination", [Termination.CANCELLED, Termination.DECLINED, Termination.EXPIRED])
def test_what_came_to_nothing_stays_so(action: Transition, termination: Termination) -> None:
    closed = open_challenge(rival=BO)._replace(termination=termination)
    for who in (ANN, BO, CEM):
        assert refused(closed, action, who, is_admin=True) is Refusal.NOT_OPEN
