"""Which of many words are in a text: the same as looking for each of them."""

from hypothesis import given
from hypothesis import strategies as st

from karte.core.guard.literals import Words

WORDS = (
    "a",
    "<|",
    "any",
    "忘",
    "ignore",
    "ignor",
    "ign",
    "指令",
    "指令に",
    "무시",
    "ñandu",
    "e a",
    "ab\n",
    "🙂",
    "gnor",
)
MANY = [*WORDS, *(f"filler {number}" for number in range(200))]
"""So many that they are not looked for one by one."""

PIECES = st.sampled_from([*WORDS, "x", " ", "\n", "令", "\ud800", "\0", "ig", "nore", "指"])
TEXTS = st.lists(PIECES, max_size=12).map("".join)


def standing_in(text: str) -> list[tuple[int, int]]:
    places = [(text.find(word, start), number) for number, word in enumerate(WORDS) for start in range(len(text))]
    return sorted({(place, number) for place, number in places if place >= 0})


@given(st.lists(TEXTS, max_size=5))
def test_each_text_has_the_words_that_stand_in_it(texts: list[str]) -> None:
    expected = [{number for _, number in standing_in(text)} for text in texts]
    assert [set(found) for found in Words(MANY).in_each(texts)] == expected
    assert [set(found) for found in Words(WORDS).in_each(texts)] == expected


def test_long_words_come_in_the_order_of_the_text() -> None:
    text = "무시 指令に ignore"
    (found,) = Words(MANY).in_each([text])
    assert [MANY[number] for number in found] == ["무시", "指令", "指令に", "ignore", "ignor", "ign", "gnor"]


def test_a_word_that_begins_in_one_text_and_ends_in_the_next_is_in_neither() -> None:
    assert Words(MANY).in_each(["ign", "ore", "指", "令"]) == [[MANY.index("ign")], [], [], []]


def test_more_texts_than_are_looked_through_together_are_each_found_in() -> None:
    texts = [f"{number} any" if number % 3 else "none" for number in range(700)]
    there = [MANY.index("any") in found for found in Words(MANY).in_each(texts)]
    assert there == [number % 3 != 0 for number in range(700)]


def test_no_words_and_no_texts_find_nothing() -> None:
    assert Words([]).in_each(["a", "b"]) == [[], []]
    assert Words(MANY).in_each([]) == []
