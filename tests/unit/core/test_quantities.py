"""The values in a statement, whatever they are written as."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.core.quantities import PLACE, Value, read
from karte.core.text.folding import clean, fold_run


def values(text: str) -> list[Value]:
    return read(fold_run(clean(text).lower()))


def amounts(text: str) -> list[tuple[str, tuple[float | str | None, ...]]]:
    return [(value.kind, value.amount) for value in values(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 2027-06-30", ("date", (2027, 6, 30))),
        ("on March 5", ("date", (None, 3, 5))),
        ("on 5 March 2026", ("date", (2026, 3, 5))),
        ("March 5th, 2026", ("date", (2026, 3, 5))),
        ("in May 2024", ("date", (2024, 5, None))),
        ("since 2019", ("date", (2019, None, None))),
        ("last year", ("date", ("-1", None, None))),
        ("3月5日上線", ("date", (None, 3, 5))),
        ("三月五号", ("date", (None, 3, 5))),
        ("農曆八月初三", ("date", (None, 8, 3))),
        ("2026年12月31日", ("date", (2026, 12, 31))),
        ("2024年の売上", ("date", (2024, None, None))),
        ("去年夏天", ("date", ("-1", None, None))),
        ("来週の当番", ("date", (None, "week +1", None))),
        ("2024년 6월 3일", ("date", (2024, 6, 3))),
        ("at 9:30", ("clock", (570,))),
        ("at 3 pm", ("clock", (900,))),
        ("12 am", ("clock", (0,))),
        ("下午三點半", ("clock", (930,))),
        ("午後2時に", ("clock", (840,))),
        ("오후 3시에", ("clock", (900,))),
        ("on Thursdays", ("weekday", (3,))),
        ("星期天", ("weekday", (6,))),
        ("火曜日", ("weekday", (1,))),
        ("금요일에", ("weekday", (4,))),
        ("15 minutes", ("duration", (900,))),
        ("30s", ("duration", (30,))),
        ("兩個月", ("duration", (2 * 2_629_800,))),
        ("半小时", ("duration", (1800,))),
        ("1時間", ("duration", (3600,))),
        ("3か月", ("duration", (3 * 2_629_800,))),
        ("30일 동안", ("duration", (30 * 86_400,))),
        ("4GB", ("bytes", (4e9,))),
        ("50 µg", ("weight", (5e-5,))),
        ("178厘米", ("length", (1.78,))),
        ("$1,200.50", ("money", (1200.5, "usd"))),
        ("3.1 million euros", ("money", (3.1e6, "eur"))),
        ("3億元", ("money", (3e8, "cny"))),
        ("1万円", ("money", (1e4, "jpy"))),
        ("30억 원", ("money", (3e9, "krw"))),
        ("5%", ("percent", (5,))),
        ("port 8080", ("number", (8080,))),
        ("1,204,332 rows", ("number", (1_204_332,))),
        ("seven engineers", ("number", (7,))),
        ("二十八個學生", ("number", (28,))),
        ("七名", ("number", (7,))),
        ("일곱 명", ("number", (7,))),
        ("千二百人", ("number", (1200,))),
        ("v2.14.0", ("version", ("2", "14", "0"))),
        ("Python 3.11", ("version", ("3", "11"))),
    ],
)
def test_a_value_is_read_in_a_common_measure(text: str, expected: tuple[str, tuple[float | str | None, ...]]) -> None:
    assert amounts(text) == [expected]


@pytest.mark.parametrize(
    "text",
    ["us-east-1", "new_checkout2", "maple-syrup-42", "one of them", "一般的に", "唯一的選擇", "may be null", "the sun"],
)
def test_what_is_a_name_or_a_word_has_no_value(text: str) -> None:
    assert values(text) == []


@pytest.mark.parametrize(
    ("text", "counter", "counted"),
    [
        ("猫を三匹", "animals", True),
        ("7名", "people", True),
        ("三個", "", True),
        ("117號", PLACE, False),
        ("第3会議室", PLACE, False),
        ("8080", "", False),
    ],
)
def test_a_number_tells_what_it_counts_or_that_it_gives_a_place(text: str, counter: str, *, counted: bool) -> None:
    (value,) = values(text)
    assert (value.counter, value.counted) == (counter, counted)


@pytest.mark.parametrize(
    ("one", "other", "fits", "comparable"),
    [
        ("March 5", "2026-03-05", True, True),
        ("March 5", "2026-03-06", False, True),
        ("May 2024", "2025", False, False),
        ("3.11", "3.11.4", True, True),
        ("3.1", "3.11", False, True),
        ("16", "16.2", True, True),
        ("90 days", "3 months", True, True),
        ("60 minutes", "61 minutes", False, True),
        ("5 kg", "5 km", False, False),
        ("$5", "5 euros", False, True),
        ("三匹", "五人", False, False),
        ("三個", "五人", False, True),
    ],
)
def test_values_fit_where_one_is_more_exact_and_compare_where_they_answer_alike(
    one: str, other: str, *, fits: bool, comparable: bool
) -> None:
    (first,), (second,) = values(one), values(other)
    assert [first.fits(second), second.fits(first)] == [fits, fits]
    assert [first.comparable(second), second.comparable(first)] == [comparable, comparable]


def test_a_value_is_where_it_stands_in_the_text() -> None:
    text = "each of 3 nodes has 4GB"
    assert [text[value.start : value.end] for value in values(text)] == ["3", "4GB"]


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    found = values(text)
    assert [value.start for value in found] == sorted({value.start for value in found})
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))
