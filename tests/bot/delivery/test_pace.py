"""The pace of calls: each chat's limits, how refusals are obeyed, and how little a flood delays others."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.delivery.pace import Kind, Pace

ANN, BO = 1, 2
GROUP, PRIVATE, INLINE = -7, ANN, "8123456789"
GAPS = st.lists(st.one_of(st.just(0.0), st.floats(0, 8), st.floats(0, 90)), min_size=1, max_size=100)
"""Seconds from one wish to call to the next."""


def eager(
    pace: Pace, chat: int | str, begin: float, seconds: float, *, kind: Kind = Kind.TAPPED, person: int = ANN
) -> list[float]:
    """When calls to a chat begin if something is always waiting; each call takes a moment."""
    now, begun = begin, []
    while now < begin + seconds:
        if pace.begin(chat, now, kind, person):
            begun.append(now)
            now += 0.05
        else:
            now += max(pace.wait(chat, now, kind, person), pace.wait_of_all(now, kind), 0.001)
    return begun


def most_within(seconds: float, begun: list[float]) -> int:
    return max((sum(first <= time < first + seconds for time in begun) for first in begun), default=0)


WHOSE = st.lists(
    st.tuples(st.sampled_from(Kind), st.sampled_from([ANN, ANN, 2, 3, None])), min_size=100, max_size=100
)


@given(GAPS, WHOSE, st.sampled_from([GROUP, INLINE]))
@example([0.0] * 5 + [22.0] + [0.0] * 13, [(Kind.TAPPED, None)] * 100, GROUP)  # five leave the window together
def test_a_group_gets_18_calls_in_any_minute_and_ten_in_a_burst_whatever_happens(
    gaps: list[float], whose: list[tuple[Kind, int | None]], chat: int | str
) -> None:
    pace, now, begun = Pace(), 0.0, []
    for gap, (kind, person) in zip(gaps, whose, strict=False):
        now += gap
        wait = pace.wait(chat, now, kind, person)
        assert pace.wait(chat, now + wait / 2, kind, person) == pytest.approx(wait / 2, abs=1e-3), "nor any sooner"
        now += wait
        now += pace.wait_of_all(now, kind)
        assert pace.begin(chat, now, kind, person), "after the wait that was asked for, it may begin"
        begun.append(now)
    assert most_within(59.999, begun) <= 18
    assert most_within(1.999, begun) <= 10


@pytest.mark.parametrize("chat", [GROUP, INLINE])
def test_a_busy_group_is_shown_17_boards_in_every_minute_with_no_long_silence(chat: int | str) -> None:
    begun = eager(Pace(), chat, 0, 600)
    assert [sum(60 * minute <= time < 60 * minute + 60 for time in begun) for minute in range(10)] == [17] * 10
    assert max(later - earlier for earlier, later in pairwise(begun)) < 8


def test_two_who_play_as_fast_as_boards_are_shown_share_the_calls_with_no_long_silence() -> None:
    pace, now = Pace(), 0.0
    begun: list[float] = []
    while now < 600:
        person = len(begun) % 2
        now += pace.wait(GROUP, now, Kind.TAPPED, person)
        assert pace.begin(GROUP, now, Kind.TAPPED, person)
        begun.append(now)
        now += 0.05
    assert len(begun) >= 170
    assert max(later - earlier for earlier, later in pairwise(begun)) < 8


@given(GAPS)
def test_a_private_chat_gets_a_burst_of_ten_and_then_one_a_second(gaps: list[float]) -> None:
    pace, now, begun = Pace(), 0.0, []
    for gap in gaps:
        now += gap
        now += pace.wait(PRIVATE, now)
        assert pace.begin(PRIVATE, now), "after the wait that was asked for, it may begin"
        begun.append(now)
    for seconds in (1, 10, 60):
        assert most_within(seconds, begun) <= 11 + seconds
    assert len(eager(Pace(), PRIVATE, 0, 60)) == 10 + 57


def test_new_boards_words_and_files_take_nine_of_a_groups_calls_and_four_of_them_are_one_persons() -> None:
    assert most_within(59.99, eager(Pace(), GROUP, 0, 300, kind=Kind.NEW)) == 4
    pace = Pace()
    begun = [time for person in (1, 2, 3, 4) for time in eager(pace, GROUP, 10, 1, kind=Kind.NEW, person=person)]
    assert len(begun) == 9
    assert len(eager(Pace(), PRIVATE, 0, 60, kind=Kind.NEW)) > 60, "each private chat has its own limit"


@pytest.mark.parametrize("at", range(0, 60, 7))
def test_no_flood_delays_tapped_boards_that_need_only_what_is_left(at: int) -> None:
    pace = Pace()
    for second in range(at + 120):
        for person in range(5):
            pace.begin(GROUP, float(second), Kind.NEW, person)
        pace.begin(GROUP, float(second), Kind.UNPROMPTED)
    now, waits = at + 120.0, []
    for _ in range(9):
        waits.append(pace.wait(GROUP, now))
        now += waits[-1]
        assert pace.begin(GROUP, now)
    assert max(waits) <= 2


def test_what_nobody_waits_for_leaves_room_for_a_whole_game() -> None:
    pace = Pace()
    begun = eager(pace, GROUP, 0, 600, kind=Kind.UNPROMPTED)
    assert most_within(59.99, begun) == 9
    assert all(pace.begin(GROUP, 600.0, Kind.NEW if number < 2 else Kind.TAPPED) for number in range(9))
    assert pace.wait_to_spare(GROUP, 600.0) > 0
    pace = Pace()
    while not pace.wait_to_spare(PRIVATE, 0.0):
        assert pace.begin(PRIVATE, 0.0, Kind.UNPROMPTED)
    assert sum(pace.begin(PRIVATE, 0.0) for _ in range(10)) == 6


def test_the_wait_behind_others_is_told() -> None:
    pace = Pace()
    assert pace.expect(PRIVATE, 0.0, ahead=[(Kind.TAPPED, None)] * 9) == 0.0
    assert pace.expect(PRIVATE, 0.0, ahead=[(Kind.TAPPED, None)] * 12) == pytest.approx(3 * 1.05)
    told = pace.expect(GROUP, 0.0, ahead=[(Kind.TAPPED, None)] * 14)
    assert told == pytest.approx(eager(pace, GROUP, 0, 60)[14], abs=1)


def test_what_others_cause_in_a_private_chat_leaves_its_person_a_burst_and_most_of_the_pace() -> None:
    pace = Pace()
    assert len(eager(pace, PRIVATE, 0, 60, person=BO)) == 4 + 57, "while its person does nothing"
    assert [pace.begin(PRIVATE, 60.0, Kind.NEW, ANN) for _ in range(7)] == [True] * 6 + [False]
    both: dict[int, int] = {ANN: 0, BO: 0}
    now = 60.0
    while now < 120.0:
        for person, kind in ((BO, Kind.TAPPED), (ANN, Kind.NEW)):
            both[person] += pace.begin(PRIVATE, now, kind, person)
        now += 0.05
    assert both[BO] == pytest.approx(60 / 4, abs=2), "others are never kept out"
    assert both[ANN] >= 40


@pytest.mark.parametrize("chat", [GROUP, PRIVATE, INLINE])
@pytest.mark.parametrize("ceiling", [1, 6, 12, 100])
def test_a_host_can_set_how_many_calls_a_chat_takes_in_a_minute(chat: int | str, ceiling: int) -> None:
    of_one_person = ceiling - ceiling // 12
    assert most_within(59.999, eager(Pace(edits_per_minute=ceiling), chat, 0, 180)) == of_one_person


def test_without_a_pace_nothing_waits_but_after_a_refusal() -> None:
    pace = Pace(edits_per_minute=0)
    assert all(pace.begin(GROUP, 0.0) for _ in range(1000))
    assert pace.expect(GROUP, 0.0, ahead=[(Kind.TAPPED, None)] * 99) == 0.0
    pace.refused(GROUP, 5, 0.0)
    assert not pace.begin(GROUP, 5.0)
    assert pace.begin(PRIVATE, 5.0)
    assert pace.begin(GROUP, 5.25)


def test_calls_in_all_are_capped_only_where_a_host_says_so() -> None:
    free, capped = Pace(), Pace(calls_per_second=28)
    assert all(free.begin(chat, 0.0) for chat in range(1, 1001))
    assert sum(capped.begin(chat, 0.0) for chat in range(1, 1001)) == 28
    assert capped.wait_of_all(0.25) == pytest.approx(0.75)
    assert sum(capped.begin(chat, 1.0) for chat in range(1, 1001)) == 28


@given(st.floats(0, 1e6), st.floats(0.001, 100), st.sampled_from([None, 0, 5]))
def test_after_waiting_as_told_a_call_is_accepted(now: float, seconds: float, edits: int | None) -> None:
    for chat in (GROUP, PRIVATE):
        pace = Pace(edits_per_minute=edits)
        pace.refused(chat, seconds, now)
        later = now + pace.expect(chat, now)
        assert later >= now + seconds
        assert pace.begin(chat, later)


@pytest.mark.parametrize(("chat", "at_first"), [(GROUP, 18), (PRIVATE, 57)])
def test_a_refused_chat_goes_on_at_half_its_rate_which_is_given_back_slowly(chat: int, at_first: int) -> None:
    pace = Pace()
    for _ in range(3):  # calls under way at the same time count once
        pace.refused(chat, 10, 0.0)
    assert pace.begin(chat + 1, 0.0), "no other chat is closed"
    assert not any(pace.begin(chat, tenth / 10) for tenth in range(102))
    begun = eager(pace, chat, 10.25, 420)
    by_minute = [sum(10.25 + 60 * n <= time < 70.25 + 60 * n for time in begun) for n in range(7)]
    assert at_first * 0.45 <= by_minute[0] <= at_first * 0.75
    assert by_minute[-1] == pytest.approx(at_first, abs=1)


def test_a_chat_that_refuses_everything_is_still_asked_now_and_then() -> None:
    pace, now = Pace(), 0.0
    for _ in range(20):
        assert pace.wait(GROUP, now) <= 60
        now += pace.wait(GROUP, now)
        assert pace.begin(GROUP, now)
        pace.refused(GROUP, 1, now)


def test_several_chats_refused_together_close_everything_which_then_reopens_gently() -> None:
    pace = Pace()
    for chat in (-1, 2, "3"):
        assert pace.begin(chat, 0.0)
        pace.refused(chat, 20, 0.1)
    assert not any(pace.begin(chat, now) for chat in range(10, 20) for now in (0.1, 10.0, 20.3))
    assert pace.wait_of_all(10.0) == pytest.approx(10.35)
    assert sum(pace.begin(100 + chat, 20.36) for chat in range(1000)) == 10
    assert sum(pace.begin(2000 + chat, 31.0) for chat in range(1000)) == 1000


def test_chats_refused_one_after_the_other_close_themselves_alone() -> None:
    pace = Pace()
    for number in range(10):
        pace.refused(-1 - number, 40, 1.5 * number)
    assert pace.wait_of_all(20.0) == 0.0


def test_a_pause_is_kept_and_changes_no_rate() -> None:
    pace = Pace()
    pace.pause(GROUP, 3, 0.0)
    assert not pace.begin(GROUP, 2.9)
    assert len(eager(pace, GROUP, 3.0, 60)) == 17


def test_what_nobody_asked_for_goes_25_a_second_and_others_do_not_wait_for_it() -> None:
    pace = Pace()
    assert sum(pace.begin(chat, 0.0, Kind.UNPROMPTED) for chat in range(1, 100)) == 25
    assert pace.begin(500, 0.0)
    assert pace.wait_of_all(0.25, Kind.UNPROMPTED) == pytest.approx(0.75)


@pytest.mark.parametrize("chat", [GROUP, PRIVATE])
def test_chats_are_forgotten_once_it_does_not_matter_what_was_sent_there(chat: int) -> None:
    pace = Pace()
    assert sum(pace.begin(chat, 0.0) for _ in range(10)) == 10
    for other in range(1000, 2000):
        pace.begin(other, 0.5)
    assert not pace.begin(chat, 0.5)
    for other in range(2000, 20_000):
        pace.begin(other, 100.0 + other)
    assert len(pace._chats) < 500  # noqa: SLF001 - how much it remembers shows nowhere else
