"""Synthetic texts: the same from a seed, and of the sizes that the bench says."""

from statistics import fmean

import pytest

from karte.bench.chance import Chance
from karte.bench.metrics import first_seen
from karte.bench.texts import Chinese, English
from karte.core.text import terms

WORDS = 2_000


@pytest.mark.parametrize("language", [English, Chinese])
def test_a_seed_gives_the_same_texts_again_and_another_seed_gives_others(language: type[English | Chinese]) -> None:
    texts = [language(Chance(seed), WORDS).text() for seed in (7, 7, 8)]
    assert (texts[0] == texts[1], texts[0] == texts[2]) == (True, False)


def test_an_english_text_has_12_to_42_words_and_27_on_average() -> None:
    english = English(Chance(7), WORDS)
    lengths = [len(english.text().split()) for _ in range(2_000)]
    assert (min(lengths), max(lengths), abs(fmean(lengths) - 27) < 1) == (12, 42, True)


def test_a_chinese_text_has_18_to_52_characters_and_35_on_average() -> None:
    chinese = Chinese(Chance(7), WORDS)
    lengths = [len(chinese.text().replace("，", "").replace("。", "")) for _ in range(2_000)]
    assert (min(lengths), max(lengths), abs(fmean(lengths) - 35) < 1) == (18, 52, True)


def test_a_few_words_are_common_and_most_are_rare() -> None:
    english = English(Chance(7), WORDS)
    found = [set(terms(english.text())) for _ in range(500)]
    often = sorted((sum(term in text for text in found) for term in set[str]().union(*found)), reverse=True)
    assert (often[0] > 250, often[len(often) // 2] < 25) == (True, True)


def test_words_are_all_different() -> None:
    english, chinese = English(Chance(7), WORDS), Chinese(Chance(7), WORDS)
    assert [len(set(language._words)) for language in (english, chinese)] == [WORDS, WORDS]


def test_an_english_query_has_6_to_12_words_of_both_texts() -> None:
    english = English(Chance(7), WORDS)
    one, other = "alfa bravo charlie delta echo foxtrot golf", "hotel india juliett kilo lima mike november"
    queries = [english.query(one, other).split() for _ in range(200)]
    lengths = {len(query) for query in queries}
    halves = {(sum(word in one.split() for word in query), len(query)) for query in queries}
    assert (lengths, halves) == (set(range(6, 13)), {(count // 2, count) for count in range(6, 13)})


def test_a_chinese_query_is_a_stretch_of_each_text() -> None:
    chinese = Chinese(Chance(7), WORDS)
    one, other = "甲" * 12 + "，" + "甲" * 12 + "。", "乙" * 30 + "。"
    query = chinese.query(one, other)
    assert (first_seen(query), 11 <= len(query) <= 23) == (["甲", "乙"], True)
