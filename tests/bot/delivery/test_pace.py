"""The pace of calls: what each chat takes at first, and what is learnt from refusals and silences."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.delivery.pace import Pace
from bot.delivery.window import WORDS_SECONDS

GROUP, PRIVATE, INLINE = -7, 7, "8123456789"
GAPS = st.lists(st.one_of(st.just(0.0), st.floats(0, 8), st.floats(0, 90)), min_size=1, max_size=150)
"""Seconds from one wish to call to the next."""


def eager(pace: Pace, chat: int | str, begin: float, seconds: float) -> list[float]:
    """When calls begin to a chat for which something always waits; each takes a moment."""
    now, begun = begin, []
    while now < begin + seconds:
        if pace.begin(chat, now):
            begun.append(now)
            pace.ended(chat, now, now + 0.05)
            now += 0.05
        else:
            now += pace.wait(chat, now)
    return begun


def most_within(seconds: float, begun: list[float]) -> int:
    return max(sum(first <= time < first + seconds for time in begun) for first in begun)


@given(GAPS, st.sampled_from([GROUP, INLINE]))
def test_a_group_gets_at_most_18_calls_in_any_minute_whatever_happens(gaps: list[float], chat: int | str) -> None:
    pace, now, begun = Pace(), 0.0, []
    for gap in gaps:
        now += gap
        now += pace.wait(chat, now)
        assert pace.begin(chat, now), "who has waited as told may begin"
        begun.append(now)
    assert most_within(59.999, begun) <= 18
    assert most_within(2.0, begun) <= 10


@pytest.mark.parametrize("chat", [GROUP, INLINE])
def test_a_group_gets_ten_calls_at_once_and_18_in_every_minute(chat: int | str) -> None:
    begun = eager(Pace(), chat, 0, 600)
    assert [sum(60 * minute <= time < 60 * minute + 60 for time in begun) for minute in range(10)] == [18] * 10
    assert begun[9] < 1
    gaps = [later - earlier for earlier, later in pairwise(begun)]
    assert max(gaps) < 7, "what is left after a burst is spread evenly"


def test_a_group_that_plays_a_board_in_four_seconds_never_waits() -> None:
    pace = Pace()
    assert all(pace.begin(GROUP, 4.0 * number) for number in range(10))
    assert not any(pace.wait(GROUP, 4.0 * number) > 4 for number in range(10, 200))


@given(GAPS)
def test_a_private_chat_gets_a_burst_of_ten_and_then_less_than_one_a_second(gaps: list[float]) -> None:
    pace, now, begun = Pace(), 0.0, []
    for gap in gaps:
        now += gap
        now += pace.wait(PRIVATE, now)
        assert pace.begin(PRIVATE, now), "who has waited as told may begin"
        begun.append(now)
    for seconds in (1, 10, 60):
        assert most_within(seconds, begun) <= 11 + 0.95 * seconds


def test_a_private_chat_gets_57_calls_a_minute_after_its_burst() -> None:
    begun = eager(Pace(), PRIVATE, 0, 660)
    assert begun[9] < 1
    assert sum(60 <= time < 660 for time in begun) == pytest.approx(570, abs=1)


def test_who_waits_behind_others_is_told_how_long() -> None:
    pace = Pace()
    assert pace.expect(PRIVATE, 0.0, ahead=9) == 0.0
    assert pace.expect(PRIVATE, 0.0, ahead=12) == pytest.approx(3 * 60 / 57)
    assert pace.expect(GROUP, 0.0, ahead=9) == 0.0
    told = pace.expect(GROUP, 0.0, ahead=14)
    assert told == pytest.approx(eager(pace, GROUP, 0, 60)[14], abs=1)


@pytest.mark.parametrize("chat", [GROUP, PRIVATE, INLINE])
@pytest.mark.parametrize("ceiling", [1, 6, 12, 100])
def test_a_host_can_set_how_many_calls_a_chat_takes_in_a_minute(chat: int | str, ceiling: int) -> None:
    begun = eager(Pace(edits_per_minute=ceiling), chat, 0, 300)
    assert most_within(59.999, begun) == ceiling


def test_without_a_pace_nothing_waits_but_after_a_refusal() -> None:
    pace = Pace(edits_per_minute=0)
    assert all(pace.begin(GROUP, 0.0) for _ in range(1000))
    assert pace.expect(GROUP, 0.0, ahead=99) == 0.0
    assert len(pace) == 0, "nothing needs to be known"
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
def test_who_waits_after_a_refusal_as_told_may_begin(now: float, seconds: float, edits: int | None) -> None:
    for refused in (GROUP, PRIVATE, None):
        pace = Pace(edits_per_minute=edits)
        pace.refused(refused, seconds, now)
        chat = refused or PRIVATE
        later = now + pace.expect(chat, now)
        assert later >= now + seconds
        assert pace.begin(chat, later)


@pytest.mark.parametrize("chat", [GROUP, PRIVATE])
def test_a_refusal_closes_the_chat_for_as_long_as_asked_and_no_other(chat: int) -> None:
    pace = Pace()
    pace.begin(chat, 0.0)
    pace.refused(chat, 30, 1.0)
    assert not any(pace.begin(chat, 1.0 + tenth / 10) for tenth in range(301))
    assert pace.wait(chat, 11.0) == pytest.approx(20.25)
    assert pace.begin(chat + 1, 1.0)
    assert pace.begin(chat, 31.25)


@pytest.mark.parametrize(("chat", "at_first"), [(GROUP, 18), (PRIVATE, 57)])
def test_a_refused_chat_is_half_as_fast_and_grows_back_once_a_call_succeeds(chat: int, at_first: int) -> None:
    pace = Pace()
    pace.refused(chat, 10, 0.0)
    begun = eager(pace, chat, 10.25, 900)
    by_minute = [sum(10.25 + 60 * n <= time < 70.25 + 60 * n for time in begun) for n in range(15)]
    assert len([time for time in begun if time < 20.25]) <= at_first * (5 / 18 + 10 / 60)
    assert by_minute[0] < at_first
    assert by_minute == sorted(by_minute)
    assert by_minute[-1] == at_first


def test_a_chat_that_refuses_everything_is_asked_less_and_less_but_six_times_a_minute() -> None:
    pace, now, begun = Pace(), 0.0, []
    for _ in range(20):
        now += pace.wait(PRIVATE, now)
        assert pace.begin(PRIVATE, now)
        begun.append(now)
        pace.refused(PRIVATE, 1, now)
        pace.ended(PRIVATE, now, now)
    gaps = [later - earlier for earlier, later in pairwise(begun)]
    assert gaps == [1.25] * 19, "each call finds out whether the refusal is over"
    assert pace.wait(PRIVATE, now, ahead=1) == pytest.approx(11.25)


def test_refusals_of_calls_that_were_under_way_together_count_once() -> None:
    once, thrice = Pace(), Pace()
    once.refused(GROUP, 10, 0.0)
    for _ in range(3):
        thrice.refused(GROUP, 10, 0.0)
    assert eager(once, GROUP, 10.25, 60) == eager(thrice, GROUP, 10.25, 60)


def test_a_pause_is_kept_and_changes_no_rate() -> None:
    pace = Pace()
    pace.pause(GROUP, 3, 0.0)
    assert not pace.begin(GROUP, 2.9)
    assert len(eager(pace, GROUP, 3.0, 60)) == 18


def test_several_chats_refused_together_that_are_not_to_blame_close_everything() -> None:
    pace = Pace()
    for chat in (-1, 2, "3"):
        assert pace.begin(chat, 0.0)
        pace.refused(chat, 20, 0.1)
    assert not any(pace.begin(chat, now) for chat in range(10, 20) for now in (0.1, 10.0, 20.3))
    assert pace.wait_of_all(10.0) == pytest.approx(10.35)
    now = 20.35
    assert pace.begin(10, now)
    assert not pace.begin(11, now), "one call finds out whether it is over"
    pace.ended(10, now, now + 0.05)
    by_second = []
    for second in range(40):
        times = [now + 0.05 + second + ms / 1000 for ms in range(1000)]
        by_second.append(
            sum(pace.begin(100 + (second * 1000 + number), time) for number, time in enumerate(times))
        )
    assert by_second[0] in range(8, 13)
    assert by_second[8] in range(32, 52)
    assert by_second[-1] == 1000, "no limit any more"
    assert len(eager(pace, -1, 70.0, 60)) == 18, "the chats were not to blame"


def test_a_refusal_of_everything_that_goes_on_is_asked_one_call_after_the_other() -> None:
    pace, now, tried = Pace(), 0.0, 0
    pace.refused(None, 3, now)
    while now < 60:
        now += pace.wait_of_all(now)
        assert pace.begin(1000 + tried, now)
        tried += 1
        pace.refused(1000 + tried, 3, now)
    assert tried == math.ceil(60 / 3.25)


def test_a_refused_call_without_a_chat_closes_everything() -> None:
    pace = Pace(edits_per_minute=0)
    pace.refused(None, 3, 0.0)
    assert not pace.begin(PRIVATE, 3.0)
    assert pace.expect(PRIVATE, 1.0) == pytest.approx(2.25)
    assert pace.begin(PRIVATE, 3.25)


def test_a_call_that_was_under_way_does_not_end_a_refusal_of_everything() -> None:
    pace = Pace()
    pace.begin(PRIVATE, 0.0)
    pace.refused(None, 10, 0.1)
    pace.ended(PRIVATE, 0.0, 0.2)
    assert pace.begin(10, 10.35)
    assert not pace.begin(11, 10.5)


@pytest.mark.parametrize("chats", [(-1, -2, -3), (1, 2, 3), ("1", "2", "3")])
def test_busy_chats_refused_together_close_themselves_alone(chats: tuple[int | str, ...]) -> None:
    pace = Pace()
    for chat in chats:
        assert sum(pace.begin(chat, 0.0) for _ in range(10)) == 10
        pace.refused(chat, 40, 1.0)
    assert pace.begin(-4, 1.0)
    assert pace.wait_of_all(1.0) == 0.0


def test_chats_refused_one_after_the_other_close_themselves_alone() -> None:
    pace = Pace()
    for number in range(10):
        pace.begin(-1 - number, 1.5 * number)
        pace.refused(-1 - number, 40, 1.5 * number)
    assert pace.wait_of_all(20.0) == 0.0


def test_a_call_that_took_long_where_others_are_fast_makes_its_chat_a_little_slower() -> None:
    pace = Pace()
    for chat in range(100, 120):
        pace.begin(chat, 0.0)
        pace.ended(chat, 0.0, 0.05)
    pace.begin(GROUP, 1.0)
    pace.ended(GROUP, 1.0, 7.0)
    assert len(eager(pace, GROUP, 61.0, 60)) == 17
    assert len(eager(pace, GROUP - 1, 61.0, 60)) == 18


def test_where_all_calls_take_long_no_chat_is_to_blame() -> None:
    pace = Pace()
    for chat in (*range(100, 120), GROUP):
        pace.begin(chat, 0.0)
        pace.ended(chat, 0.0, 3.0)
    assert len(eager(pace, GROUP, 61.0, 60)) == 18


def test_what_nobody_asked_for_goes_three_at_once_and_25_a_second() -> None:
    pace = Pace()
    assert [pace.begin(chat, 0.0, unprompted=True) for chat in range(1, 5)] == [True, True, True, False]
    assert pace.wait_of_all(0.0, unprompted=True) == math.inf
    assert pace.begin(5, 0.0), "others do not wait for it"
    for _ in range(3):
        pace.unprompted_ended()
    begun = 3
    for chat in range(10, 60):
        if pace.begin(chat, 0.5, unprompted=True):
            begun += 1
            pace.unprompted_ended()
    assert begun == 25
    assert pace.wait_of_all(0.5, unprompted=True) == pytest.approx(0.5)


def test_idle_chats_are_forgotten() -> None:
    pace = Pace()
    for chat in range(1, 100_001):
        pace.begin(chat if chat % 2 else -chat, chat / 100)
        if not chat % 50:
            pace.refused(-chat, 1, chat / 100)
    assert len(pace) < 30_000
    for chat in range(1, 60_001):
        pace.begin(-chat, 10_000.0 + chat)
    assert len(pace) < 500


@pytest.mark.parametrize("chat", [GROUP, PRIVATE])
def test_a_chat_is_not_forgotten_while_it_matters_what_was_sent_to_it(chat: int) -> None:
    pace = Pace()
    assert sum(pace.begin(chat, 0.0) for _ in range(10)) == 10
    for other in range(1000, 2000):
        pace.begin(other, 0.5)
    assert not pace.begin(chat, 0.5)


def test_words_are_said_at_once_where_none_were_lately_or_boards_have_room_left() -> None:
    pace = Pace()
    for _ in range(9):
        assert pace.begin(GROUP, 0)
    assert pace.wait_for_words(GROUP, 0) == 0, "nothing was said yet"
    pace.words_begin(GROUP, 0)
    assert pace.wait_for_words(GROUP, 0) == WORDS_SECONDS
    assert pace.wait_for_words(GROUP, WORDS_SECONDS) == 0
    assert pace.wait_for_words(GROUP, 60) == 0, "the calls are a minute old"
    pace.words_begin(GROUP, 60)
    for number in range(6):
        assert (pace.wait_for_words(GROUP, 60) == 0) is (number <= 5)
        assert pace.begin(GROUP, 60)
    assert pace.wait_for_words(GROUP, 60) > 0


@pytest.mark.parametrize("edits", [None, 0])
def test_in_a_private_chat_and_without_a_pace_words_never_wait_for_boards(edits: int | None) -> None:
    pace = Pace(edits_per_minute=edits)
    for _ in range(10):
        assert pace.begin(PRIVATE, 0)
        pace.words_begin(PRIVATE, 0)
    assert pace.wait_for_words(PRIVATE, 0) == 0
    assert pace.wait_for_words(GROUP if edits == 0 else 99, 0) == 0


def spared(pace: Pace, chat: int, begin: float, seconds: float) -> list[float]:
    """When calls begin that nobody waits for, where there always is one."""
    now, begun = begin, []
    while now < begin + seconds:
        if wait := pace.wait_to_spare(chat, now):
            now += wait
            continue
        assert pace.begin(chat, now, unprompted=True), "what may be spared may begin"
        pace.unprompted_ended()
        begun.append(now)
        now += 2.0
    return begun


def test_what_nobody_waits_for_takes_two_thirds_of_a_groups_calls_at_the_most() -> None:
    begun = spared(Pace(), GROUP, 0, 600)
    assert most_within(60, begun) <= 12
    assert len(begun) >= 90
    assert begun[:5] == [0, 2, 4, 6, 8]


@pytest.mark.parametrize("at", range(60, 120, 7))
def test_who_plays_beside_it_has_a_whole_game_at_once(at: int) -> None:
    """However long nobody else has wanted anything of the chat."""
    pace = Pace()
    spared(pace, GROUP, 0, at)
    assert all(pace.begin(GROUP, float(at)) for _ in range(6))
    assert pace.wait_to_spare(GROUP, float(at)) > 0
    late = [pace.wait(GROUP, at + 4.0 * tap) for tap in range(1, 20) if not pace.begin(GROUP, at + 4.0 * tap)]
    assert max(late, default=0.0) < 4, "and then as good as without"


def test_in_a_private_chat_it_leaves_most_of_the_burst() -> None:
    pace = Pace()
    begun = spared(pace, PRIVATE, 0, 60)
    assert len(begun) >= 25
    assert sum(pace.begin(PRIVATE, 60) for _ in range(10)) >= 6
