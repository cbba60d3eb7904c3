"""Metrics against examples that were computed by hand."""

import pytest

from karte.bench.metrics import agreement, first_seen, mean, percentile, recall


@pytest.mark.parametrize(
    ("count", "expected"),
    [(1, 0.0), (2, 0.5), (3, 0.5), (4, 1.0), (10, 1.0)],
)
def test_recall_is_the_share_of_the_wanted_among_the_first(count: int, expected: float) -> None:
    assert recall([{"x"}, {"a"}, {"y"}, {"b"}], {"a", "b"}, count) == expected


def test_what_stands_at_one_rank_together_counts_together() -> None:
    assert recall([{"a", "b"}, {"c"}], {"a", "b", "c"}, 1) == 2 / 3


def test_something_found_twice_counts_once() -> None:
    assert recall([{"a"}, {"a"}], {"a", "b"}, 2) == 0.5


@pytest.mark.parametrize(
    ("values", "expected"), [([], 0.0), ([3.0], 3.0), ([1.0, 2.0, 6.0], 3.0), ([True, False], 0.5)]
)
def test_the_mean_is_the_sum_by_the_count(values: list[float], expected: float) -> None:
    assert mean(values) == expected


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.0, 1.0), (0.5, 5.0), (0.51, 6.0), (0.95, 10.0), (0.9, 9.0), (1.0, 10.0)],
)
def test_a_percentile_is_the_least_value_that_the_share_does_not_exceed(share: float, expected: float) -> None:
    assert percentile([10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0], share) == expected


def test_the_percentile_of_nothing_is_nothing() -> None:
    assert percentile([], 0.5) == 0.0


@pytest.mark.parametrize(
    ("found", "best", "expected"),
    [
        ([3.0, 2.0, 1.0], [3.0, 2.0, 1.0], 1.0),
        ([3.0, 2.0, 0.5], [3.0, 2.0, 1.0], 2 / 3),
        ([3.0, 1.0, 2.0], [3.0, 2.0, 1.0], 1.0),
        ([3.0, 2.0], [3.0, 2.0, 1.0], 2 / 3),
        ([3.0, 2.0], [3.0, 2.0, 0.0], 1.0),
        ([3.0, 2.0, 0.0], [3.0, 2.0, 0.0], 2 / 3),
        ([], [0.0, 0.0], 1.0),
        ([1.0], [0.0], 0.0),
    ],
    ids=[
        "the same",
        "one scores less",
        "another order",
        "one is missing",
        "nothing is left",
        "one too many",
        "both none",
        "made up",
    ],
)
def test_a_text_agrees_if_it_scores_as_much_as_the_last_of_the_best(
    found: list[float], best: list[float], expected: float
) -> None:
    assert agreement(found, best) == expected


def test_the_first_of_equal_values_keeps_its_place() -> None:
    assert first_seen(["b", "a", "b", "c", "a"]) == ["b", "a", "c"]
