"""What differs between two texts that are nearly the same."""

import pytest

from karte.core.difference import Apart, apart, breaks, difference, exchanged, similarity, skeleton
from karte.core.text import terms
from karte.core.wording import read_wording


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


def found(one: str, other: str) -> Apart:
    return apart(read_wording(one), read_wording(other))


def test_what_stands_at_the_same_place_is_a_swap() -> None:
    (first, second) = found("The cat of my friend Ada sleeps", "The dog of my friend Bo sleeps").swaps
    assert [first.shown, second.shown] == ["cat / dog", "Ada / Bo"]
    assert [(first.first, first.last), (second.first, second.last)] == [(True, False), (False, False)]


def test_values_that_answer_one_question_are_pairs_and_the_others_single() -> None:
    between = found("4 GB for 30 days", "8 GB at 9:00")
    assert [(a.shown, b.shown) for a, b in between.values] == [("4 gb", "8 gb")]
    assert [item.shown for item in between.single] == ["30 days", "9:00"]


def test_the_share_of_common_words_is_dices_coefficient() -> None:
    assert found("red green blue", "red green gold white").share == 1 - 3 / 7
    assert found("red", "blue").share == 0.0
    assert found("80", "81").share == 0.0


def test_a_word_may_be_said_by_its_beginning() -> None:
    assert found("config of prod", "configuration of production").alike
    assert not found("car of port", "cart of porter").alike


def test_order_is_told_of_the_words_that_both_have() -> None:
    assert found("red green blue", "red white green").ordered
    assert not found("red green", "green white red").ordered


@pytest.mark.parametrize(
    ("one", "other", "places"),
    [
        ("Anna reports to Bob", "Bob reports to Anna", (0, 2)),
        ("Since 2022 we use Kafka", "We use Kafka since 2022", None),
        ("min 10 max 20", "min 20 max 10", (1, 3)),
        ("犬が猫を追う", "猫が犬を追う", (0, 1)),
        ("猫は犬が好き", "猫は犬が好き", None),
        ("On Mondays we meet in Berlin", "In Berlin we meet on Mondays", None),
    ],
)
def test_two_that_have_changed_parts_are_found(one: str, other: str, places: tuple[int, int] | None) -> None:
    assert exchanged(read_wording(one), read_wording(other)) == places


def test_breaks_are_neighbours_that_are_none_in_the_other_text() -> None:
    row = read_wording("red green blue white")
    moved = read_wording("blue red green white")
    assert [breaks(row, row), breaks(row, moved), breaks(row, read_wording("white blue green red"))] == [0, 2, 3]
