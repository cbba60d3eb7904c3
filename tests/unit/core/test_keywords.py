"""What of a question is looked for in texts, in five languages."""

from datetime import UTC, datetime

import pytest

from karte.core.keywords import keywords
from karte.core.moments import find_moments
from karte.core.periods import instant_of
from karte.core.text import Query, parse_query, terms

NOW = instant_of(datetime(2026, 3, 18, 10, 30, tzinfo=UTC))


def kept(query: str) -> Query:
    return keywords(parse_query(query), query, find_moments(query, NOW, UTC))


@pytest.mark.parametrize(
    ("query", "rest"),
    [
        ("How many days ago did I meet Emma?", "did I meet Emma"),
        ("How often do I water the fern?", "do I water the fern"),
        ("How old is Mina?", "is Mina"),
        ("What appliance did I buy 10 days ago?", "What appliance did I buy"),
        ("What did Mina say yesterday about 10 apples?", "What did Mina say about 10 apples"),
        ("Which song did we hear last Friday?", "Which song did we hear Friday"),
        ("Where did we go last summer?", "Where did we go summer"),
        ("Who came on May 8, 2023?", "Who came on May 8, 2023"),
        ("How does the valve work?", "How does the valve work"),
        ("What was said in session 3?", "What was said in session 3"),
    ],
)
def test_measures_and_times_counted_from_now_are_not_looked_for(query: str, rest: str) -> None:
    assert set(kept(query).terms) == set(parse_query(rest).terms)


@pytest.mark.parametrize(
    ("query", "gone", "stays"),
    [
        ("我多久去一次健身房？", "多久", "健身房"),
        ("小雨三天前買了什麼水果？", "三天前", "水果"),
        ("小雨三天前买了什么水果？", "三天前", "水果"),
        ("上週二的會議說了什麼？", "上週", "會議"),
        ("三日前に買った果物は何ですか？", "三日前", "果物"),
        ("美咲は何回ジムに行きましたか？", "何回", "ジム"),
        ("사흘 전에 산 과일이 뭐야?", "사흘", "과일"),
        ("미나는 얼마나 자주 수영해요?", "얼마나", "수영"),
    ],
)
def test_so_it_is_without_blanks_between_words(query: str, gone: str, stays: str) -> None:
    whole, left = set(terms(query)), set(kept(query).terms)
    assert left < whole
    assert not left & set(terms(gone))
    assert set(terms(stays)) & whole <= left


@pytest.mark.parametrize("query", ["How many?", "多久？", "三天前", "yesterday", "", "?!"])
def test_where_nothing_else_is_left_all_is_looked_for(query: str) -> None:
    assert kept(query) == parse_query(query)


def test_what_stands_in_quotes_is_looked_for() -> None:
    query = kept('Who wrote "how many days ago" last week?')
    assert query.phrases == parse_query('"how many days ago"').phrases
    assert {"mani", "ago"} <= set(query.terms)
    assert "last" not in query.terms


def test_a_word_that_is_there_again_outside_of_a_time_stays() -> None:
    assert "week" in kept("What is the plan of the week that we made last week?").terms
