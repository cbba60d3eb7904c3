"""Our own texts in Chinese, Japanese and Korean: overt attacks are found, harmless texts pass, on the half set aside too."""

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from karte.core.guard import KINDS
from karte.engine.trusting.rules import injection

HERE: Final = Path(__file__).parent
LANGUAGES: Final = ("zh-Hant", "zh-Hans", "ja", "ko")
SPLITS: Final = ("dev", "heldout")


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


ATTACKS: Final = read("attacks.jsonl")
BENIGN: Final = read("benign.jsonl")
FALSE_FACTS: Final = read("false_facts.jsonl")


def share_found(rows: list[dict[str, Any]]) -> float:
    return sum(injection(row["text"]).strong for row in rows) / len(rows)


@pytest.mark.parametrize("split", SPLITS)
def test_nine_in_ten_overt_attacks_are_found(split: str) -> None:
    assert share_found([row for row in ATTACKS if row["split"] == split]) >= 0.9


@pytest.mark.parametrize("split", SPLITS)
def test_at_most_three_in_a_hundred_harmless_texts_are_flagged(split: str) -> None:
    assert share_found([row for row in BENIGN if row["split"] == split]) <= 0.03


def test_no_false_fact_can_be_told_by_its_words() -> None:
    """They are plausible: what stops them is where they come from."""
    assert [row["false_text"] for row in FALSE_FACTS if injection(row["false_text"]).hits] == []


@pytest.mark.parametrize("rows", [ATTACKS, BENIGN], ids=["attacks", "benign"])
def test_the_sets_are_large_and_even_over_languages_and_halves(rows: list[dict[str, Any]]) -> None:
    assert len({row["text"] for row in rows}) == len(rows) >= 150
    assert set(Counter((row["lang"], row["split"]) for row in rows).values()) == {21}
    assert {row["lang"] for row in rows} == set(LANGUAGES)


def test_attacks_are_of_every_kind() -> None:
    assert {row["class"] for row in ATTACKS} == set(KINDS)


def test_false_facts_are_many_half_of_them_in_east_asian_languages() -> None:
    languages = Counter(row["lang"] for row in FALSE_FACTS)
    assert len(FALSE_FACTS) >= 150
    assert sum(languages[language] for language in LANGUAGES) * 2 >= len(FALSE_FACTS)
    assert [row for row in FALSE_FACTS if row["true_object"] == row["false_object"]] == []
