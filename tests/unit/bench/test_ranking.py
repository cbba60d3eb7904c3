"""The second writing of BM25, against the formula computed by hand."""

import math

import numpy as np
import pytest

from karte.bench.ranking import ExactBM25, best


def test_a_text_of_average_length_with_a_term_once_scores_the_idf_of_the_term() -> None:
    exact = ExactBM25(["port"])
    exact.add(["port", "opens"])
    assert exact.scores(["port"]).tolist() == [pytest.approx(math.log(1 + 0.5 / 1.5))]


def test_counts_and_lengths_weigh_as_the_formula_says() -> None:
    exact = ExactBM25(["port", "opens"])
    exact.add(["opens"])
    exact.add(["port", "port", "closes"])
    # N = 2, average length 2; port: df 1, idf ln 2, tf 2 in a text of 3: 2 * 1.9 / (2 + 0.9 * (0.6 + 0.4 * 1.5))
    # opens: df 1, idf ln 2, tf 1 in a text of 1: 1.9 / (1 + 0.9 * (0.6 + 0.4 * 0.5))
    expected = [math.log(2) * 1.9 / 1.72, math.log(2) * 3.8 / 3.08]
    assert exact.scores(["port", "opens", "port"]).tolist() == pytest.approx(expected)


def test_a_term_that_no_text_has_adds_nothing() -> None:
    exact = ExactBM25(["port", "harbour"])
    exact.add(["port"])
    assert exact.scores(["harbour"]).tolist() == [0.0]


@pytest.mark.parametrize(("count", "expected"), [(1, [2]), (2, [2, 1]), (3, [2, 1, 3]), (9, [2, 1, 3, 0])])
def test_the_best_come_first_and_ties_by_number(count: int, expected: list[int]) -> None:
    assert best(np.array([0.0, 1.5, 2.0, 1.5]), count).tolist() == expected
