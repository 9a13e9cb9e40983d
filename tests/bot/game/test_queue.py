"""The game of who waits in the queue, and of two who met there: what its token says, and when time is over."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from bot.game.acts import Act, Player, Wish
from bot.game.deadlines import look
from bot.game.gate import Where
from bot.game.machine import decide, decide_by_clock
from bot.game.queue import (
    Terms,
    gone,
    has_not_begun,
    is_asked,
    met,
    never_begun,
    passed_over,
    plays,
    rating_of,
    stay,
    terms_of,
    waiting,
    waits,
    with_terms,
)
from bot.game.time_limits import ANSWERED_SECONDS, ASKED_SECONDS, FIRST_MOVE_SECONDS, MOVE_SECONDS, TimeLimits
from engine import Mark
from storage.game import Termination
from storage.record import Record
from tests.bot.games import ANN, BO, LIMITS, NOW, board_in

if TYPE_CHECKING:
    from storage.game import Game


def of_ann(terms: Terms | None = None, since: int | None = None) -> Game:
    """Ann's game while she waits."""
    terms = terms or Terms()
    game = waiting(ANN, rules="3x3x3", terms=terms, now=NOW, since=since, limits=LIMITS, secret="s" * 16)
    return game._replace(id=1)


def wish(act: Act = Act.ACCEPT, now: int = NOW, who: Player = BO) -> Wish:
    """A wish, Bo's unless it is said whose, from their own chat."""
    return Wish(act, who, Where(who.id), now, Random(1), LIMITS)


def of_both(*, swap: bool = False, ratings: tuple[str, str] = ("1612", "1500?")) -> Game:
    """The game in which Ann and Bo have met."""
    game = met(of_ann(), wish(), "5x5x4", ratings, swap=swap)
    assert game is not None
    return game


@pytest.mark.parametrize("terms", [Terms(), Terms(0), Terms(86400, any_rules=True)])
def test_the_token_says_what_else_is_known_and_fits_its_column(terms: Terms) -> None:
    game = of_ann(terms)
    assert terms_of(game) == terms
    assert len(game.token or "") <= 32
    changed = with_terms(game, Terms(7))
    assert terms_of(changed) == Terms(7)
    assert (changed.token or "").endswith("s" * 16)
    assert len(of_both(ratings=("1500?", "1500?")).token or "") <= 32


def test_who_waits_has_a_place_since_when_they_have_waited() -> None:
    assert waits(of_ann())
    assert of_ann().created_at == NOW
    assert of_ann(since=NOW - 99).created_at == NOW - 99
    assert not plays(of_ann())


@pytest.mark.parametrize("swap", [False, True])
def test_two_who_meet_play_with_what_is_told_of_their_ratings(*, swap: bool) -> None:
    game = of_both(swap=swap)
    ann, bo = (Mark.O, Mark.X) if swap else (Mark.X, Mark.O)
    assert (game.seat(ann), game.seat(bo)) == (ANN.id, BO.id)
    assert (rating_of(game, ann), rating_of(game, bo)) == ("1612", "1500?")
    assert game.rules == "5x5x4"
    assert plays(game)
    assert has_not_begun(game)
    assert rating_of(of_both(ratings=("", "1")), Mark.X) is None


def test_nobody_meets_themselves() -> None:
    assert met(of_ann(), wish(who=ANN), "3x3x3", ("", ""), swap=False) is None


def test_a_game_that_the_computer_takes_over_is_the_queues_no_more() -> None:
    game = of_ann()._replace(o_seat=0, o_level="easy")
    assert not game.is_of_queue
    assert not waits(game)


def record_of(game: Game) -> Record:
    """The game with Ann's board."""
    return Record(game, (board_in(ANN.id, viewer=ANN.id),))


def test_who_waits_for_long_is_asked_by_a_new_message_and_dropped_if_they_do_not_answer() -> None:
    game = of_ann()
    assert game.due_at == NOW + ASKED_SECONDS
    assert look(game, NOW + ASKED_SECONDS - 1, LIMITS).due is None
    asked = decide_by_clock(record_of(game), wish(Act.EXPIRE, NOW + ASKED_SECONDS))
    assert is_asked(asked.game)
    (heed,) = asked.heeds.values()
    assert heed.to is not None
    assert heed.whom == ANN.id
    assert not asked.notices
    late = NOW + ASKED_SECONDS + ANSWERED_SECONDS
    assert look(asked.game, late - 1, LIMITS).due is None
    dropped = decide_by_clock(record_of(asked.game), wish(Act.EXPIRE, late)).game
    assert dropped.termination is Termination.EXPIRED
    there = stay(record_of(asked.game), late - 1, LIMITS)
    assert there.result
    assert not is_asked(there.game)
    assert there.game.due_at == late - 1 + ASKED_SECONDS
    assert there.game.created_at == NOW, "the place is kept"
    assert not stay(record_of(dropped), late, LIMITS).result


def test_a_challenge_to_others_is_not_asked_about() -> None:
    plain = of_ann()._replace(token=str(NOW))
    assert look(plain, NOW + ASKED_SECONDS, LIMITS).due is None


def test_two_who_have_met_have_little_time_and_least_of_all_to_come() -> None:
    game = of_both()
    assert game.due_at == NOW + FIRST_MOVE_SECONDS * 3 // 4
    reminded = decide_by_clock(record_of(game), wish(Act.EXPIRE, game.due_at or 0)).game
    assert reminded.due_at == NOW + FIRST_MOVE_SECONDS
    assert look(reminded, NOW + FIRST_MOVE_SECONDS, LIMITS).due is Act.EXPIRE
    ended = decide_by_clock(record_of(reminded), wish(Act.EXPIRE, NOW + FIRST_MOVE_SECONDS)).game
    assert (ended.termination, ended.winner) == (Termination.EXPIRED, None), "nobody loses who has not come"
    begun = game._replace(moves="04", moved_at=NOW + 60)
    first = look(begun, game.due_at or 0, LIMITS)
    assert (first.due, first.again_at) == (None, NOW + 60 + MOVE_SECONDS * 3 // 4)
    lost = begun._replace(reminded=2, due_at=NOW + 60 + MOVE_SECONDS)
    over = decide_by_clock(record_of(lost), wish(Act.EXPIRE, NOW + 60 + MOVE_SECONDS)).game
    assert (over.termination, over.winner) == (Termination.TIMEOUT, Mark.O)


def test_what_hosts_allow_is_the_most_that_anybody_has() -> None:
    limits = TimeLimits(challenge=9, move=8)
    assert (limits.asked, limits.answered) == (9, 9)
    assert limits.of_strangers(begun=False).move == limits.of_strangers(begun=True).move == 8


def test_who_cannot_be_reached_waits_no_more_and_has_resigned_what_had_begun() -> None:
    assert gone(record_of(of_ann()), ANN.id).game.termination is Termination.CANCELLED
    begun = of_both()._replace(moves="04")
    assert gone(record_of(begun), BO.id).game.winner is Mark.X
    for untouched, person in ((of_both(), BO.id), (begun, 999), (never_begun(of_both()), BO.id)):
        assert gone(record_of(untouched), person).game is untouched


def test_a_wait_that_another_game_ends_leads_there() -> None:
    ended = passed_over(of_ann(), 7)
    assert (ended.next_game, ended.due_at, waits(ended)) == (7, None, False)


def test_leaving_withdraws_what_one_waits_with() -> None:
    record = record_of(of_ann())
    assert decide(record, wish(Act.CANCEL, who=ANN)).game.termination is Termination.CANCELLED
    assert decide(record, wish(Act.CANCEL)).game is record.game
