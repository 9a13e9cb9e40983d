"""The pace of calls: each chat's limits, how refusals are obeyed, and how little a flood delays others."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.delivery.pace import Pace, Priority

ANN, BO = 1, 2
GROUP, PRIVATE, INLINE = -7, ANN, "8123456789"
GAPS = st.lists(st.one_of(st.just(0.0), st.floats(0, 8), st.floats(0, 90)), min_size=1, max_size=100)
"""Seconds from one wish to call to the next."""


def eager(
    pace: Pace, chat: int | str, begin: float, seconds: float, priority: Priority = Priority.TAPPED, *people: int
) -> list[float]:
    """When calls to a chat begin if these people in turn, or Ann, always want one; each takes a moment."""
    now = begin
    begun: list[float] = []
    while now < begin + seconds:
        person = people[len(begun) % len(people)] if people else ANN
        if pace.begin(chat, now, priority, person):
            begun.append(now)
            now += 0.05
        else:
            now += max(pace.wait(chat, now, priority, person), pace.wait_of_all(now, priority), 0.001)
    return begun


def together(pace: Pace, now: float, chats: range, priority: Priority = Priority.TAPPED) -> int:
    return sum(pace.begin(chat, now, priority) for chat in chats)


def most_within(seconds: float, begun: list[float]) -> int:
    return max((sum(first <= time < first + seconds for time in begun) for first in begun), default=0)


WHOSE = st.lists(
    st.tuples(st.sampled_from(Priority), st.sampled_from([ANN, ANN, 2, 3, None])), min_size=100, max_size=100
)


@given(GAPS, WHOSE, st.sampled_from([GROUP, INLINE, PRIVATE]))
@example([0.0] * 5 + [22.0] + [0.0] * 13, [(Priority.TAPPED, None)] * 100, GROUP)  # five leave the window together
def test_a_group_gets_18_calls_a_minute_and_a_private_chat_one_a_second_after_a_burst_of_ten_whatever_happens(
    gaps: list[float], whose: list[tuple[Priority, int | None]], chat: int | str
) -> None:
    pace, now, begun = Pace(), 0.0, []
    for gap, (priority, person) in zip(gaps, whose, strict=False):
        now += gap
        wait = pace.wait(chat, now, priority, person)
        assert pace.wait(chat, now + wait / 2, priority, person) == pytest.approx(wait / 2, abs=1e-3), (
            "nor any sooner"
        )
        now += wait
        now += pace.wait_of_all(now, priority)
        assert pace.begin(chat, now, priority, person), "after the wait that was asked for, it may begin"
        begun.append(now)
    for seconds, most in ((1, 12), (10, 21), (60, 71)) if chat == PRIVATE else ((1.999, 10), (59.999, 18)):
        assert most_within(seconds, begun) <= most


@pytest.mark.parametrize(
    ("chat", "priority", "people", "calls"),
    [
        (PRIVATE, Priority.TAPPED, [ANN], 10 + 57),
        (PRIVATE, Priority.NEW, [ANN], 10 + 57),
        (PRIVATE, Priority.TAPPED, [BO], 4 + 57),
        *((chat, Priority.TAPPED, people, 17) for chat in (GROUP, INLINE) for people in ([ANN], [ANN, BO])),
        (GROUP, Priority.NEW, [ANN], 4),
        (GROUP, Priority.UNPROMPTED, [ANN], 9),
    ],
)
def test_what_a_chat_takes_in_a_minute_depends_on_what_it_is_and_whose(
    chat: int | str, priority: Priority, people: list[int], calls: int
) -> None:
    begun = eager(Pace(), chat, 0, 600, priority, *people)
    assert sum(time < 60 for time in begun) == most_within(59.99, begun) == calls
    if priority is Priority.TAPPED:
        assert max(later - earlier for earlier, later in pairwise(begun)) < 8, "there is no long silence"


@pytest.mark.parametrize("chat", [GROUP, PRIVATE, INLINE])
@pytest.mark.parametrize(("ceiling", "of_one_person"), [(1, 1), (6, 6), (12, 11), (100, 92)])
def test_a_host_can_set_how_many_calls_a_chat_takes_in_a_minute(
    chat: int | str, ceiling: int, of_one_person: int
) -> None:
    assert most_within(59.999, eager(Pace(edits_per_minute=ceiling), chat, 0, 180)) == of_one_person


def test_new_boards_words_and_files_take_nine_of_a_groups_calls_whoever_asks() -> None:
    pace = Pace()
    assert [len(eager(pace, GROUP, 10, 1, Priority.NEW, person)) for person in (1, 2, 3, 4)] == [4, 4, 1, 0]


def test_a_call_that_is_taken_back_leaves_room_for_another_of_the_same_person() -> None:
    pace = Pace()
    for number in range(4):
        assert pace.begin(GROUP, 10.0 * number, Priority.NEW, ANN)
        assert pace.begin(GROUP, 10.0 * number, Priority.NEW, BO)
    assert pace.wait(GROUP, 40.0, Priority.NEW, ANN) > 0
    pace.uncount(GROUP, Priority.NEW, ANN)
    assert pace.wait(GROUP, 40.0, Priority.NEW, ANN) == 0
    assert pace.wait(GROUP, 40.0, Priority.NEW, BO) > 0


@pytest.mark.parametrize("at", range(0, 60, 7))
def test_no_flood_delays_tapped_boards_that_need_only_what_is_left(at: int) -> None:
    pace = Pace()
    for second in range(at + 120):
        for person in range(5):
            pace.begin(GROUP, float(second), Priority.NEW, person)
        pace.begin(GROUP, float(second), Priority.UNPROMPTED)
    now, waits = at + 120.0, []
    for _ in range(9):
        waits.append(pace.wait(GROUP, now))
        now += waits[-1]
        assert pace.begin(GROUP, now)
    assert max(waits) <= 2


def test_what_nobody_waits_for_leaves_room_for_a_whole_game() -> None:
    pace = Pace()
    eager(pace, GROUP, 0, 600, Priority.UNPROMPTED)
    assert all(pace.begin(GROUP, 600.0, Priority.NEW if number < 2 else Priority.TAPPED) for number in range(9))
    assert pace.wait_to_spare(GROUP, 600.0) > 0
    pace = Pace()
    while not pace.wait_to_spare(PRIVATE, 0.0):
        assert pace.begin(PRIVATE, 0.0, Priority.UNPROMPTED)
    assert sum(pace.begin(PRIVATE, 0.0) for _ in range(10)) == 6


@pytest.mark.parametrize(
    ("chat", "edits", "begun", "wait"),
    [
        *((PRIVATE, None, 9, 0), (PRIVATE, None, 10, 1.05), (PRIVATE, None, 12, 1.05)),
        *((GROUP, None, 9, 0), (GROUP, None, 10, 7.5), (GROUP, 0, 99, 0)),
    ],
)
def test_the_wait_is_told_where_a_chat_takes_no_more_at_once(
    chat: int, edits: int | None, begun: int, wait: float
) -> None:
    pace = Pace(edits_per_minute=edits)
    for _ in range(begun):
        pace.begin(chat, 0.0)
    assert pace.wait(chat, 0.0) == pytest.approx(wait, abs=0.1)


def test_in_slow_mode_a_group_takes_edits_and_new_messages_only_once_it_is_over() -> None:
    pace = Pace()
    pace.hold_sends(GROUP, 30, 10.0)
    assert [pace.wait(GROUP, 15.0), pace.wait(GROUP, 15.0, is_send=True)] == [0.0, 25.25]
    assert [pace.sends_held(GROUP, 41.0), pace.sends_held(PRIVATE, 15.0)] == [0.0, 0.0]


def test_what_others_cause_in_a_private_chat_leaves_its_person_a_burst_and_most_of_the_pace() -> None:
    pace = Pace()
    eager(pace, PRIVATE, 0, 60, Priority.TAPPED, BO)
    assert [pace.begin(PRIVATE, 60.0, Priority.NEW, ANN) for _ in range(7)] == [True] * 6 + [False]
    both: dict[int, int] = {ANN: 0, BO: 0}
    now = 60.0
    while now < 120.0:
        for person, priority in ((BO, Priority.TAPPED), (ANN, Priority.NEW)):
            both[person] += pace.begin(PRIVATE, now, priority, person)
        now += 0.05
    assert both[BO] == pytest.approx(60 / 4, abs=2), "others are never kept out"
    assert both[ANN] >= 40


def test_without_a_pace_nothing_waits_but_after_a_refusal() -> None:
    pace = Pace(edits_per_minute=0)
    assert all(pace.begin(GROUP, 0.0) for _ in range(1000))
    pace.refused(GROUP, 5, 0.0)
    assert [pace.begin(GROUP, 5.0), pace.begin(PRIVATE, 5.0), pace.begin(GROUP, 5.25)] == [False, True, True]


@pytest.mark.parametrize(
    ("most", "priority", "calls"),
    [(None, Priority.TAPPED, 1000), (28, Priority.TAPPED, 28), (None, Priority.UNPROMPTED, 25)],
)
def test_calls_in_all_are_capped_where_a_host_says_so_and_for_what_nobody_asked_for(
    most: int | None, priority: Priority, calls: int
) -> None:
    pace, chats = Pace(calls_per_second=most), range(1, 1001)
    assert together(pace, 0.0, chats, priority) == calls
    assert pace.wait_of_all(0.25, priority) == (0.75 if calls < 1000 else 0)
    assert pace.begin(1001, 0.0) is (most is None), "others do not wait for what nobody asked for"
    assert together(pace, 1.0, range(2000, 3000), priority) == calls


@given(st.floats(0, 1e6), st.floats(0.001, 100), st.sampled_from([None, 0, 5]))
def test_after_waiting_as_told_a_call_is_accepted(now: float, seconds: float, edits: int | None) -> None:
    for chat in (GROUP, PRIVATE):
        pace = Pace(edits_per_minute=edits)
        pace.refused(chat, seconds, now)
        later = now + max(pace.wait(chat, now), pace.wait_of_all(now))
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
    assert [together(pace, now, range(10, 20)) for now in (0.1, 10.0, 20.3)] == [0, 0, 0]
    assert pace.wait_of_all(10.0) == pytest.approx(10.35)
    assert together(pace, 20.36, range(100, 1100)) == 10
    assert together(pace, 31.0, range(2000, 3000)) == 1000
    pace = Pace()
    for number in range(10):
        pace.refused(-1 - number, 40, 1.5 * number)
    assert pace.wait_of_all(20.0) == 0.0, "one after the other, they close themselves alone"


@pytest.mark.parametrize("chat", [GROUP, PRIVATE])
def test_chats_are_forgotten_once_it_does_not_matter_what_was_sent_there(chat: int) -> None:
    pace = Pace()
    assert sum(pace.begin(chat, 0.0) for _ in range(10)) == 10
    together(pace, 0.5, range(1000, 2000))
    assert not pace.begin(chat, 0.5)
    for other in range(2000, 20_000):
        pace.begin(other, 100.0 + other)
    assert len(pace._chats) < 500  # noqa: SLF001 - how much it remembers shows nowhere else
