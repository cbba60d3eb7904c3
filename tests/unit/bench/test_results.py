"""Figures, their targets, and what counts as a change."""

import pytest

from karte.bench.results import (
    TIMING,
    Better,
    Curve,
    Figure,
    Measured,
    Point,
    Result,
    at_least,
    at_most,
    number,
)


@pytest.mark.parametrize(
    ("figure", "expected"),
    [
        (Figure("g", "n", 0.58, target=at_least(0.58)), True),
        (Figure("g", "n", 0.5799, target=at_least(0.58)), False),
        (Figure("g", "n", 5.0, "ms", at_most(5)), True),
        (Figure("g", "n", 5.1, "ms", at_most(5)), False),
        (Figure("g", "n", 5.1, "ms"), None),
    ],
)
def test_a_figure_meets_its_target_or_not_and_one_without_does_neither(figure: Figure, expected: bool | None) -> None:
    assert figure.met is expected


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (Figure("g", "n", 0.58, better=Better.MORE), Figure("g", "n", 0.59, better=Better.MORE), 1),
        (Figure("g", "n", 0.58, better=Better.MORE), Figure("g", "n", 0.57, better=Better.MORE), -1),
        (Figure("g", "n", 0.58, better=Better.MORE), Figure("g", "n", 0.5803, better=Better.MORE), 0),
        (Figure("g", "n", 10, "ms", at_most(5)), Figure("g", "n", 12, "ms", at_most(5), noise=TIMING), 0),
        (Figure("g", "n", 10, "ms", at_most(5)), Figure("g", "n", 13, "ms", at_most(5), noise=TIMING), -1),
        (Figure("g", "n", 10, "ms", at_most(5)), Figure("g", "n", 7, "ms", at_most(5), noise=TIMING), 1),
        (Figure("g", "n", 10, "rows"), Figure("g", "n", 20, "rows"), 0),
    ],
    ids=["more", "less", "share within noise", "time within noise", "slower", "faster", "context"],
)
def test_a_change_is_better_worse_or_within_the_noise(before: Figure, now: Figure, expected: int) -> None:
    assert now.change(before) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.58123, "0.5812"),
        (12.3456, "12.35"),
        (3000.4, "3,000"),
        (1.0, "1"),
        (0.0, "0"),
        (20459, "20,459"),
        (0.05, "0.05"),
    ],
)
def test_a_number_is_written_in_four_digits(value: float, expected: str) -> None:
    assert number(value) == expected


def test_a_target_is_written_with_its_direction() -> None:
    assert [str(at_least(3000)), str(at_most(0.05))] == [">= 3,000", "<= 0.05"]


def test_a_result_can_be_read_back_from_its_shape() -> None:
    figures = (
        Figure("g", "a", 0.5, target=at_least(0.4)),
        Figure("g", "b", 2.0, "ms", better=Better.LESS, noise=TIMING),
        Figure("g", "c", 3.0, "rows"),
    )
    result = Result(
        "speed", "karte bench speed", "2026-12-01T00:00:00Z", "abc", {"cpu": "x"}, 7, Measured({"n": 1}, figures)
    )
    again = Result.from_dict(result.to_dict())
    assert again.to_dict() == result.to_dict()
    assert [(f.target, f.direction, f.noise) for f in again.figures] == [
        (at_least(0.4), Better.MORE, 0.0005),
        (None, Better.LESS, TIMING),
        (None, None, 0.0005),
    ]


def test_curves_and_lists_of_cases_are_read_back_too() -> None:
    curve = Curve("floors", "off", "on", (Point(1.0, 1.0, 0.0), Point(0.0, 0.5, 1.0)), Point(0.25, 0.75))
    measured = Measured({}, (), (curve,), {"not passed": {"one": "relevant lacks rust"}})
    result = Result("restraint", "karte bench restraint", "2026-12-01T00:00:00Z", "abc", {}, None, measured)
    shape = result.to_dict()
    assert shape["curves"] == [
        {
            "name": "floors",
            "across": "off",
            "up": "on",
            "points": [{"x": 1.0, "y": 1.0, "threshold": 0.0}, {"x": 0.0, "y": 0.5, "threshold": 1.0}],
            "shipped": {"x": 0.25, "y": 0.75, "threshold": None},
        }
    ]
    assert Result.from_dict(shape) == result
