"""The PrecisionMemBench bench on eight beliefs and nine cases."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from karte.bench import precision
from karte.bench.beliefs import Case, Found, judge
from karte.bench.datasets import DataSets, UnreadableData
from karte.bench.results import Measured
from tests.unit.bench.writing import CASES, IN_KEYWORD, write_precision

NOTHING = Found((), frozenset(), frozenset(), "")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    folder = tmp_path_factory.mktemp("data")
    write_precision(folder)
    return precision.measure(DataSets(folder), IN_KEYWORD)


def case(**expect: Any) -> Case:
    return Case.read({"caseId": "c", "category": "k", "scope": ["domain:code"], "query": "?", "expect": expect})


def test_figures_are_means_over_the_cases_that_measure_them_and_passes_over_all(measured: Measured) -> None:
    figures = {figure.name: (figure.value, figure.unit) for figure in measured.figures}
    # Precision: one 1, relation 1, lacking 0, noisy 1 of the 2 found; recall: 1, 1, 0, 1.
    assert figures == {
        "mean precision": (0.625, ""),
        "mean recall": (0.75, ""),
        "passes": (7, "of 9"),
        "passes where precision is measured": (2, "of 4"),
        "passes of the search alone": (7, "of 9"),
        "A category": (7, "of 9"),
    }


def test_what_is_not_passed_is_listed_with_the_reasons(measured: Measured) -> None:
    assert measured.listed["not passed"] == {
        "lacking": "relevant lacks rust",
        "noisy": "relevant holds link",
    }


def test_what_asks_for_more_than_search_is_listed_with_its_tiers(measured: Measured) -> None:
    assert measured.listed["asking for more than search: policies or notes"] == {
        "superseded": "pinned facts",
        "question": "open questions",
        "prelude": "prelude",
    }


@pytest.mark.parametrize(
    ("expect", "found", "expected"),
    [
        ({"relevantBeliefs": {"shouldOnlyInclude": ["a", "b"]}}, ("a", "c", "d", "e"), (0.25, 0.5)),
        ({"relevantBeliefs": {"shouldOnlyInclude": ["a"]}}, (), (0.0, 0.0)),
        ({"relevantBeliefs": {"shouldOnlyInclude": []}}, (), (None, None)),
        ({"relevantBeliefs": {"shouldOnlyInclude": []}}, ("a",), (0.0, None)),
        ({"relevantBeliefs": {"mustInclude": ["a", "p"]}}, ("a",), (1.0, 1.0)),
        ({}, ("a",), (0.0, None)),
    ],
)
def test_precision_and_recall_are_measured_where_something_is_expected_or_found(
    expect: dict[str, Any], found: tuple[str, ...], expected: tuple[float | None, float | None]
) -> None:
    judged = judge(case(**expect), replace(NOTHING, relevant=found, pinned=frozenset({"p"})))
    assert (judged.precision, judged.recall) == expected


@pytest.mark.parametrize(
    ("expect", "found", "expected"),
    [
        (
            {"relevantBeliefs": {"shouldOnlyInclude": ["a"]}},
            replace(NOTHING, relevant=("b",)),
            ("relevant lacks a", "relevant holds b"),
        ),
        ({"relevantBeliefs": {"mustInclude": ["p"]}}, replace(NOTHING, pinned=frozenset({"p"})), ()),
        (
            {"relevantBeliefs": {"mustExclude": ["p"]}},
            replace(NOTHING, pinned=frozenset({"p"})),
            ("either tier holds p",),
        ),
        ({"pinnedFacts": {"mustInclude": ["p"], "mustExclude": ["q"]}}, NOTHING, ("pinned lacks p",)),
        (
            {"openQuestions": {"mustExclude": ["q"]}},
            replace(NOTHING, questions=frozenset({"q"})),
            ("questions holds q",),
        ),
        ({"personaPrelude": {"nonEmpty": True, "contains": ["x"]}}, NOTHING, ("prelude is empty", "prelude lacks 'x'")),
        (
            {"personaPrelude": {"isNull": True, "mustNotContain": ["y"]}},
            replace(NOTHING, prelude="y"),
            ("prelude is not empty", "prelude holds 'y'"),
        ),
    ],
)
def test_a_case_passes_only_if_each_tier_is_right(
    expect: dict[str, Any], found: Found, expected: tuple[str, ...]
) -> None:
    assert judge(case(**expect), found).failures == expected


@pytest.mark.parametrize(
    "wrong", [{"caseId": "x"}, {**CASES[0], "expect": {"relevantBeliefs": {"orderedBefore": [["rust", "link"]]}}}]
)
def test_data_of_another_shape_is_incorrect(tmp_path: Path, wrong: dict[str, Any]) -> None:
    write_precision(tmp_path, [wrong])
    with pytest.raises(UnreadableData):
        precision.measure(DataSets(tmp_path), IN_KEYWORD)
