"""Metrics against examples that were computed by hand."""

import pytest

from karte.bench.metrics import agreement, area, first_seen, mean, percentile, recall, stands_above


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


@pytest.mark.parametrize(
    ("upper", "lower", "expected"),
    [("a", "b", True), ("b", "a", False), ("a", "z", True), ("z", "a", False), ("z", "y", False), ("c", "bz", False)],
)
def test_something_stands_above_what_comes_later_or_not_at_all(upper: str, lower: str, expected: bool) -> None:
    assert stands_above("abc", upper, lower) is expected


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([], 0.5),
        ([(0.0, 1.0)], 1.0),
        ([(1.0, 0.0)], 0.0),
        # From (0, 0) by (0, 0.5) and (0.25, 1) to (1, 1): 0.25 * 0.75 + 0.75.
        ([(0.25, 1.0), (0.0, 0.5)], 0.9375),
    ],
)
def test_the_area_under_a_curve_is_made_of_trapezoids(points: list[tuple[float, float]], expected: float) -> None:
    assert area(points) == expected
