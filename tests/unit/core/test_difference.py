"""What differs between two texts that are nearly the same."""

import pytest

from karte.core.difference import difference, similarity, skeleton
from karte.core.text import terms


@pytest.mark.parametrize(
    ("one", "other", "kinds"),
    [
        ("The lease ends in 12 weeks", "the lease ends, in 12 weeks!", ""),
        ("The lease ends in 12 weeks", "The lease ends in 13 weeks", "value"),
        ("port 8080 is open", "port 8080 is not open", "polarity"),
        ("Ada lives in Paris", "Ada lives in London", "words"),
        ("version 1.2 is out", "version 1.3 is not here", "value, polarity, words"),
        ("小雨喜歡茶", "小雨不喜歡茶", "polarity, words"),
        ("会议在3点", "会议在4点", "value"),
    ],
)
def test_it_is_named_by_its_kind(one: str, other: str, kinds: str) -> None:
    assert difference(terms(one), terms(other)) == kinds
    assert difference(terms(other), terms(one)) == kinds


def test_similarity_is_the_share_of_common_terms() -> None:
    assert [similarity(["a", "b", "b"], ["b", "c"]), similarity(["a"], ["a"]), similarity([], [])] == [1 / 3, 1.0, 0.0]


def test_the_skeleton_of_a_text_is_its_terms_without_values() -> None:
    assert skeleton(["weeks", "12", "lease", "v2", "lease"]) == ["lease", "weeks"]
