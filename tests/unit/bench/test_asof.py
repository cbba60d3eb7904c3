"""The as-of bench on four facts."""

from pathlib import Path
from typing import Any

import pytest

from karte.bench import asof
from karte.bench.datasets import DataSets, UnreadableData
from tests.unit.bench.writing import QUESTIONS, write_yago


def measured(folder: Path, questions: list[dict[str, Any]], seed: int = 7) -> dict[str, float]:
    write_yago(folder, questions)
    figures = asof.measure(DataSets(folder), seed).figures
    return {figure.name: figure.value for figure in figures if figure.group == "all"}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_set_is_exact_whatever_the_order_of_arrival(tmp_path: Path, seed: int) -> None:
    assert measured(tmp_path, QUESTIONS, seed) == {"exact sets": 1.0, "violations": 0, "queries": 5}


def test_a_set_that_lacks_or_adds_something_is_not_exact_and_what_must_not_be_given_is_counted(tmp_path: Path) -> None:
    wrong = [
        {"as_of": 2002, "expected": [], "must_not": ["Harbour FC", "National team"]},
        {"as_of": 2004, "expected": ["Harbour FC", "National team", "Others"], "must_not": []},
        QUESTIONS[0],
        QUESTIONS[1],
    ]
    assert measured(tmp_path, wrong) == {"exact sets": 0.5, "violations": 1, "queries": 4}


@pytest.mark.parametrize(
    ("last", "expected"),
    [("2016", "2017-01-01T00:00:00Z"), ("2017", None), ("2018", None), ("1899", "1900-01-01T00:00:00Z")],
)
def test_a_fact_holds_until_the_year_after_its_last_one_and_on_from_2017(last: str, expected: str | None) -> None:
    fact = {"subject": "a", "predicate": "p", "object": "b", "from_year": "1850", "until_year_inclusive": last}
    options = asof.fact_options(fact)
    assert (options["valid_from"], options["valid_until"]) == ("1850-01-01T00:00:00Z", expected)


def test_data_of_another_shape_is_incorrect() -> None:
    with pytest.raises(UnreadableData):
        asof.read_query({"subject": "a"})
    with pytest.raises(UnreadableData):
        asof.fact_options({"subject": "a", "predicate": "p", "object": "b", "from_year": "then"})
