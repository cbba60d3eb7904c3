"""Times as chats write them."""

from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.errors import InvalidTime
from karte.importers.chat.times import STAMP, Calendar, Numbers, Stamp, is_day_first, read_stamp, read_time

MARCH_15 = date(2024, 3, 15)


def naive(*parts: int) -> datetime:
    return datetime(*parts)  # type: ignore[arg-type]  # noqa: DTZ001 - up to seven numbers, of a file without a zone


class TestStamps:
    @pytest.mark.parametrize(
        "text",
        [
            "2024-03-15",
            "2024/3/15",
            "2024.03.15.",
            "2024年3月15日",
            "2024년 3월 15일",
            "15 March 2024",
            "15th of March, 2024",
            "Mar 15, 2024",
            "March 15th 2024",
            "Friday, March 15, 2024",
            "Fri 15 Mar 2024",
            "2024/03/15（五）",
            "2024年3月15日金曜日",
            "2024년 3월 15일 금요일",
            "2024-03-15 星期五",
        ],
    )
    def test_a_day(self, text: str) -> None:
        assert read_stamp(text) == Stamp(MARCH_15, None)

    @pytest.mark.parametrize(
        ("text", "clock"),
        [
            ("18:37", time(18, 37)),
            ("18:37:05", time(18, 37, 5)),
            ("18:37:05.25", time(18, 37, 5, 250_000)),
            ("9:04", time(9, 4)),
            ("00:00", time(0, 0)),
            ("18:37Z", time(18, 37, tzinfo=UTC)),
            ("18:37 utc", time(18, 37, tzinfo=UTC)),
            ("18:37 +08:00", time(18, 37, tzinfo=timezone(timedelta(hours=8)))),
        ],
    )
    def test_a_clock_of_24_hours(self, text: str, clock: time) -> None:
        assert read_stamp(text) == Stamp(None, clock)

    @pytest.mark.parametrize(
        ("text", "hour"),
        [
            ("6:37 PM", 18),
            ("6:37pm", 18),
            ("6:37 p.m.", 18),
            ("6:37 a.m.", 6),
            ("12:37 AM", 0),
            ("12:37 PM", 12),
            ("下午6:37", 18),
            ("上午 6:37", 6),
            ("午後6:37", 18),
            ("오후 6:37", 18),
            ("오전 12:37", 0),
        ],
    )
    def test_a_clock_of_12_hours(self, text: str, hour: int) -> None:
        assert read_stamp(text) == Stamp(None, time(hour, 37), half=True)

    @pytest.mark.parametrize(
        "text",
        [
            "2024-03-15 18:37",
            "2024-03-15T18:37",
            "2024-03-15, 18:37",
            "18:37, 15 March 2024",
            "18:37 on 15 March 2024",
            "15 Mar 2024 at 18:37",
            "Fri, 15 Mar 2024 18:37",
            "2024年3月15日 18:37",
        ],
    )
    def test_a_day_with_a_clock_in_either_order(self, text: str) -> None:
        assert read_stamp(text) == Stamp(MARCH_15, time(18, 37))

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "hello",
            "18:37 hello",
            "2024-03-15 or so",
            "24:00",
            "12:60",
            "2024-13-01",
            "2024-02-30",
            "31 April 2024",
            "99/99/24",
            "18:37 +99:99",
            "1:2",
            "1.2.3",
            "192.168.10.10",
            "12345",
        ],
    )
    def test_what_is_none(self, text: str) -> None:
        assert read_stamp(text) is None

    @given(st.text(st.sampled_from("0123456789:/.-, TZ+apmPM年月日下午오후Mar"), max_size=30))
    def test_no_text_breaks_it(self, text: str) -> None:
        stamp = read_stamp(text)
        assert stamp is None or STAMP.fullmatch(text.strip())


class TestOrders:
    def test_a_year_that_stands_last_leaves_the_order_open(self) -> None:
        assert read_stamp("3/4/26") == Stamp(Numbers(3, 4, 2026, dotted=False), None)

    @pytest.mark.parametrize(
        ("texts", "expected"),
        [
            (["15/03/24, 18:37"], True),
            (["3/15/24, 18:37"], False),
            (["01/02/24, 18:37", "15/02/24, 18:37"], True),
            (["01/02/24 6:37 PM", "15/02/24 6:37 PM"], True),
            (["3/4/26, 6:37 PM"], False),
            (["3/4/26, 18:37"], True),
            (["3.4.26, 6:37 PM"], True),
            (["2026-03-04 6:37 PM"], True),
            ([], True),
        ],
    )
    def test_the_order_is_that_of_dates_with_one_reading_else_of_the_clock(
        self, texts: list[str], expected: bool
    ) -> None:
        stamps = [stamp for text in texts if (stamp := read_stamp(text))]
        assert (len(stamps), is_day_first(stamps)) == (len(texts), expected)

    @pytest.mark.parametrize("day_first", [True, False])
    def test_a_date_with_one_reading_is_read_so_in_any_file(self, day_first: bool) -> None:
        days = [Numbers(15, 3, 2024, dotted=False), Numbers(3, 15, 2024, dotted=False)]
        assert [day.date(day_first=day_first) for day in days] == [MARCH_15, MARCH_15]


class TestCalendars:
    def test_a_clock_alone_is_of_the_day_named_last(self) -> None:
        calendar = Calendar(day_first=True)
        assert calendar.moment(Stamp(None, time(9))) is None
        assert calendar.turn_to(Stamp(MARCH_15, None)) == naive(2024, 3, 15)
        assert calendar.moment(Stamp(None, time(9))) == naive(2024, 3, 15, 9)

    def test_a_clock_that_goes_back_by_more_than_twelve_hours_has_passed_midnight(self) -> None:
        calendar = Calendar(day_first=True)
        calendar.turn_to(Stamp(MARCH_15, None))
        clocks = [time(23, 50), time(23, 40), time(0, 10), time(12, 0), time(0, 0)]
        assert [calendar.moment(Stamp(None, clock)) for clock in clocks] == [
            naive(2024, 3, 15, 23, 50),
            naive(2024, 3, 15, 23, 40),
            naive(2024, 3, 16, 0, 10),
            naive(2024, 3, 16, 12, 0),
            naive(2024, 3, 16, 0, 0),
        ]

    def test_but_not_where_a_heading_names_the_day(self) -> None:
        calendar = Calendar(day_first=True)
        calendar.turn_to(Stamp(MARCH_15, None))
        calendar.moment(Stamp(None, time(23)))
        calendar.turn_to(Stamp(date(2024, 3, 20), None))
        assert calendar.moment(Stamp(None, time(1))) == naive(2024, 3, 20, 1)

    def test_the_zone_of_the_file_is_that_of_times_without_one(self) -> None:
        calendar = Calendar(day_first=True)
        calendar.zone = timezone(timedelta(hours=8))
        moments = [calendar.moment(Stamp(MARCH_15, time(8))), calendar.moment(Stamp(MARCH_15, time(8, tzinfo=UTC)))]
        assert moments == [datetime(2024, 3, 15, 0, tzinfo=UTC), datetime(2024, 3, 15, 8, tzinfo=UTC)]

    def test_the_last_day_of_all_has_no_morrow(self) -> None:
        calendar = Calendar(day_first=True)
        calendar.turn_to(Stamp(date.max, None))
        calendar.moment(Stamp(None, time(23)))
        assert calendar.moment(Stamp(None, time(1))) == naive(9999, 12, 31, 1)


class TestValues:
    @pytest.mark.parametrize(
        "value",
        [
            1_710_527_825,
            1_710_527_825.0,
            1_710_527_825_000,
            1_710_527_825_000_000,
            1_710_527_825_000_000_000,
            "1710527825",
            "1710527825.000000",
            "1710527825000",
            "2024-03-15T18:37:05Z",
            "2024-03-15T18:37:05+00:00",
            "2024-03-15 18:37:05 UTC",
            "Fri, 15 Mar 2024 18:37:05 +0000",
            "6:37:05 pm on 15 March, 2024 UTC",
        ],
    )
    def test_an_instant(self, value: object) -> None:
        moment = Calendar(day_first=True).moment(read_time(value))
        assert moment == datetime(2024, 3, 15, 18, 37, 5, tzinfo=UTC)

    @pytest.mark.parametrize("value", ["20240315", "20240315000000", "2024-03-15"])
    def test_a_day_in_digits(self, value: str) -> None:
        assert read_time(value) == naive(2024, 3, 15)

    @pytest.mark.parametrize("value", [None, "", "  ", 0, 0.0, "0001-01-01T00:00:00Z"])
    def test_a_value_that_says_nothing(self, value: object) -> None:
        assert read_time(value) is None

    @pytest.mark.parametrize(
        "value", ["yesterday", "12", True, [2024, 3, 15], {}, float("nan"), float("inf"), 10**400, 1e30, "2024-02-30"]
    )
    def test_a_value_that_is_no_time_is_refused(self, value: object) -> None:
        with pytest.raises(InvalidTime):
            read_time(value)
