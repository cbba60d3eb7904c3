"""Readings, weights, zones and the other rules of times in a question."""

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.core.moments import LONGEST_QUESTION, Kind, Moment, find_moments
from karte.core.periods import FOREVER, LATEST, instant_of

NOW = instant_of(datetime(2026, 3, 18, 10, 30, tzinfo=UTC))
TAIPEI = ZoneInfo("Asia/Taipei")


def at(year: int, month: int, day: int, hour: int = 0, minute: int = 0) -> int:
    return instant_of(datetime(year, month, day, hour, minute, tzinfo=UTC))


def days(text: str, now: int = NOW, zone: tzinfo = UTC) -> list[tuple[int, int]]:
    return [(moment.start, moment.end) for moment in find_moments(text, now, zone)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("this morning", Kind.HOURS),
        ("昨天", Kind.DAY),
        ("先週", Kind.WEEK),
        ("2023년 5월", Kind.MONTH),
        ("Q1 2025", Kind.QUARTER),
        ("last summer", Kind.SEASON),
        ("in 2022", Kind.YEAR),
        ("since 2022", Kind.SPAN),
        ("recently", Kind.RECENT),
        ("第三次對話", Kind.SESSION),
    ],
)
def test_a_moment_says_how_it_was_named(text: str, kind: Kind) -> None:
    assert {moment.kind for moment in find_moments(text, NOW, UTC)} == {kind}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What did we do On  May 8th, 2023, and why?", "May 8th, 2023"),
        ("What changed since last Friday?", "since last Friday"),
        ("between May 8, 2023 and June 9, 2023", "between May 8, 2023 and June 9, 2023"),
        ("我們在２０２３年５月談了什麼", "２０２３年５月"),
        ("上週二的會議", "上週二"),
    ],
)
def test_a_moment_keeps_the_words_as_they_were_written(text: str, words: str) -> None:
    assert [moment.text for moment in find_moments(text, NOW, UTC) if moment.weight == 1] == [words]


def test_a_month_without_a_year_is_the_latest_and_less_likely_the_one_before_or_after() -> None:
    assert find_moments("in May", NOW, UTC) == (
        Moment(at(2025, 5, 1), at(2025, 6, 1), "May", Kind.MONTH, 1.0),
        Moment(at(2024, 5, 1), at(2024, 6, 1), "May", Kind.MONTH, 0.5),
        Moment(at(2026, 5, 1), at(2026, 6, 1), "May", Kind.MONTH, 0.5),
    )


def test_the_last_weekday_can_also_be_that_of_the_week_before() -> None:
    assert find_moments("last Friday", NOW, UTC) == (
        Moment(at(2026, 3, 13), at(2026, 3, 14), "last Friday", Kind.DAY, 1.0, relative=True),
        Moment(at(2026, 3, 6), at(2026, 3, 7), "last Friday", Kind.DAY, 0.5, relative=True),
    )


def test_the_next_weekday_can_also_be_the_one_of_this_week() -> None:
    assert days("next Friday") == [(at(2026, 3, 27), at(2026, 3, 28)), (at(2026, 3, 20), at(2026, 3, 21))]


def test_day_and_month_in_digits_are_read_in_both_orders_where_both_are_possible() -> None:
    assert days("on 05/08/2023") == [(at(2023, 5, 8), at(2023, 5, 9)), (at(2023, 8, 5), at(2023, 8, 6))]


def test_a_winter_of_a_year_can_also_be_the_one_that_ends_in_it() -> None:
    assert days("2024年冬天") == [(at(2024, 12, 1), at(2025, 3, 1)), (at(2023, 12, 1), at(2024, 3, 1))]


def test_beside_a_date_a_relative_time_weighs_half() -> None:
    found = find_moments("What did she do last week, as mentioned on June 9, 2023?", NOW, UTC)
    assert [(moment.text, moment.weight) for moment in found] == [("last week", 0.5), ("June 9, 2023", 1.0)]


def test_a_vague_time_weighs_half_and_beside_another_nothing() -> None:
    assert [(moment.start, moment.end, moment.weight) for moment in find_moments("最近", NOW, UTC)] == [
        (at(2026, 2, 16), at(2026, 3, 19), 0.5)
    ]
    assert days("What did we do recently, on June 9, 2023?") == [(at(2023, 6, 9), at(2023, 6, 10))]


def test_times_in_a_list_are_all_meant() -> None:
    found = [moment for moment in find_moments("in January and March 2025", NOW, UTC) if moment.weight == 1]
    assert [(moment.start, moment.end) for moment in found] == [
        (at(2026, 1, 1), at(2026, 2, 1)),
        (at(2025, 3, 1), at(2025, 4, 1)),
    ]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("on 29 February 2024", at(2024, 2, 29), at(2024, 3, 1)),
        ("on February 29", at(2024, 2, 29), at(2024, 3, 1)),
        ("2月29日", at(2024, 2, 29), at(2024, 3, 1)),
        ("in February 2024", at(2024, 2, 1), at(2024, 3, 1)),
        ("in February 2025", at(2025, 2, 1), at(2025, 3, 1)),
        ("in February 2000", at(2000, 2, 1), at(2000, 3, 1)),
    ],
)
def test_leap_days_are_in_leap_years_only(text: str, start: int, end: int) -> None:
    assert days(text)[0] == (start, end)


def test_a_month_back_from_a_long_one_ends_with_the_short_one() -> None:
    last_of_march = at(2026, 3, 31, 12)
    assert days("over the last month", last_of_march) == [(at(2026, 2, 28), at(2026, 4, 1))]


@pytest.mark.parametrize(
    ("now", "start"),
    [(at(2026, 3, 15, 23, 59), at(2026, 3, 9)), (at(2026, 3, 16), at(2026, 3, 16))],
    ids=["Sunday", "Monday"],
)
def test_weeks_begin_on_monday(now: int, start: int) -> None:
    assert days("this week", now) == [(start, start + at(2026, 3, 8) - at(2026, 3, 1))]


def test_days_are_those_of_the_zone() -> None:
    evening = at(2026, 3, 18, 20)
    assert days("today", evening) == [(at(2026, 3, 18), at(2026, 3, 19))]
    assert days("今天", evening, TAIPEI) == [(at(2026, 3, 18, 16), at(2026, 3, 19, 16))]
    assert days("on May 8, 2023", evening, TAIPEI) == [(at(2023, 5, 7, 16), at(2023, 5, 8, 16))]


def test_the_day_on_which_a_clock_goes_forward_has_23_hours() -> None:
    (moment,) = find_moments("on 29 March 2026", NOW, ZoneInfo("Europe/Berlin"))
    assert (moment.start, moment.end) == (at(2026, 3, 28, 23), at(2026, 3, 29, 22))


@pytest.mark.parametrize("quoted", ['"May 8, 2023"', "「昨天」", "『先週』", "«yesterday»", "“last week”"])
def test_what_is_quoted_is_not_asked_for(quoted: str) -> None:
    assert find_moments(f"Who said {quoted}?", NOW, UTC) == ()


def test_a_long_text_asks_for_no_time() -> None:
    longest = "yesterday".rjust(LONGEST_QUESTION)
    assert len(find_moments(longest, NOW, UTC)) == 1
    assert find_moments(f" {longest}", NOW, UTC) == ()


@pytest.mark.parametrize(
    "text", ["9999 years ago", "in the next 9999 years", "session 0", "第〇次對話", "sessions 3 to 1"]
)
def test_what_no_calendar_and_no_count_has_is_nothing(text: str) -> None:
    assert [moment for moment in find_moments(text, NOW, UTC) if moment.kind is not Kind.SESSION] == []


@given(
    st.text(
        st.one_of(
            st.sampled_from("0123456789 -/.,'月日年週前後去上下今昨春첫번째전주일last may on in to the of"),
            st.characters(),
        ),
        max_size=60,
    ),
    st.integers(instant_of(datetime(2, 1, 1, tzinfo=UTC)), LATEST - 10**15),
    st.sampled_from([UTC, TAIPEI, timezone(timedelta(hours=-12))]),
)
def test_any_text_is_read_at_any_time_into_periods_that_have_a_length(text: str, now: int, zone: tzinfo) -> None:
    for moment in find_moments(text, now, zone):
        assert moment.kind is Kind.SESSION or moment.start < moment.end <= FOREVER
        assert 0 < moment.weight <= 1
        assert moment.text in text
