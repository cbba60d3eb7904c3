"""Names in running text: whole words, places in runs without blanks, and what is no name to look for."""

import pytest

from karte.core.mentions import Mention, Names, read_name


def names_of(*names: str) -> Names:
    found = Names()
    for meaning, name in enumerate(names):
        sought = read_name(name)
        assert sought is not None
        found.add(sought, meaning)
    return found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Acme", "we met (ACME), twice"),
        ("New York", "in new  york today"),
        ("老闆", "我跟老板吃飯"),
        ("老板", "李老闆來了"),
        ("東京", "昨日東京に行った"),
        ("카이", "카이가 왔다"),
        ("กรุงเทพ", "ไปกรุงเทพมา"),
        ("C++", "rewritten in C++17"),
        ("C#", "rewritten in C#, then"),
        ("GPT-4", "with GPT-4."),
        ("Ｋａｉ", "kai"),
        ("café", "the CAFE there"),
    ],
)
def test_a_name_is_mentioned(name: str, text: str) -> None:
    assert names_of(name).mentioned(text) == {0}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Kai", "the Kaiser"),
        ("New York", "York is new"),
        ("老闆", "老的闆"),
        ("C", "C++ and C#"),
        ("C++", "plan C"),
        ("art", "start of the artist"),
    ],
)
def test_a_name_is_not_mentioned(name: str, text: str) -> None:
    sought = read_name(f"{name}")
    names = Names()
    if sought is not None:
        names.add(sought, 0)
    assert names.mentioned(text) == set()


@pytest.mark.parametrize("name", ["A", "李", "7", "!!", " ", "🚀"])
def test_single_characters_and_signs_are_not_sought(name: str) -> None:
    assert read_name(name) is None


def test_all_names_in_a_text_are_mentioned_shorter_ones_inside_longer_ones_too() -> None:
    assert names_of("New York", "New York City", "York", "Boston").mentioned("new york city") == {0, 1, 2}


def test_a_query_names_the_longest() -> None:
    assert names_of("New York", "New York City", "york").asked("york or New York City?") == [
        Mention(0, 1, 2),
        Mention(2, 5, 1),
    ]


def test_names_may_share_a_meaning() -> None:
    names = Names()
    for name in ("李老闆", "老闆"):
        sought = read_name(name)
        assert sought is not None
        names.add(sought, 7)
    assert names.mentioned("李老闆") == {7}
    assert names.asked("老闆好") == [Mention(0, 2, 7)]
