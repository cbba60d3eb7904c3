"""The PersistBench bench on a query of another domain and one of the same."""

import json
from pathlib import Path

import pytest

from karte.bench import restraint
from karte.bench.datasets import DataSets, UnreadableData
from karte.bench.restraint import OFF_TOPIC, ON_TOPIC, Returned, curve
from karte.bench.results import Measured, Point
from tests.unit.bench.writing import IN_KEYWORD, write_restraint

ANSWERED = [
    Returned(OFF_TOPIC, 3, {None: 1, 0.0: 3, 0.5: 1, 1.0: 0}),
    Returned(OFF_TOPIC, 1, {None: 0, 0.0: 1, 0.5: 0, 1.0: 0}),
    Returned(ON_TOPIC, 2, {None: 2, 0.0: 2, 0.5: 2, 1.0: 1}),
]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    folder = tmp_path_factory.mktemp("data")
    write_restraint(folder)
    return restraint.measure(DataSets(folder), IN_KEYWORD)


@pytest.mark.parametrize(
    ("group", "name", "expected"),
    [
        ("both", "off-topic against on-topic", 0.0),
        ("off-topic", "returned a query", 0.0),
        ("off-topic", "queries with an empty answer", 1.0),
        ("on-topic", "returned a query", 2.0),
        ("on-topic", "returned of all", 2 / 3),
        ("on-topic", "queries", 1),
    ],
)
def test_what_is_returned_is_counted_by_kind_of_query(
    measured: Measured, group: str, name: str, expected: float
) -> None:
    figures = {(figure.group, figure.name): figure.value for figure in measured.figures}
    assert figures[group, name] == pytest.approx(expected)


def test_the_curve_has_a_point_for_every_floor(measured: Measured) -> None:
    (drawn,) = measured.curves
    assert [point.threshold for point in drawn.points[:3]] == [0.0, 0.02, 0.04]
    assert (len(drawn.points), drawn.points[-1].threshold) == (51, 1.0)
    assert drawn.shipped == Point(0.0, 2 / 3)


def test_a_point_is_the_share_of_all_memories_of_each_kind() -> None:
    drawn = curve(ANSWERED)
    assert drawn.points == (Point(1.0, 1.0, 0.0), Point(0.25, 1.0, 0.5), Point(0.0, 0.5, 1.0))
    assert drawn.shipped == Point(0.25, 1.0)


@pytest.mark.parametrize(
    ("answered", "expected"),
    [
        (ANSWERED, 0.25),
        ([Returned(OFF_TOPIC, 1, {None: 0}), Returned(ON_TOPIC, 1, {None: 0})], 1.0),
    ],
    ids=["half a memory against two", "nothing ever"],
)
def test_the_ratio_is_of_memories_a_query(answered: list[Returned], expected: float) -> None:
    assert next(restraint.figures(answered, {})).value == expected


def test_data_of_another_shape_is_incorrect(tmp_path: Path) -> None:
    write_restraint(tmp_path)
    path = tmp_path / "persistbench" / "cross_domain_dev.jsonl"
    path.write_text(json.dumps({"query": "Heartburn?"}) + "\n", encoding="utf-8")
    with pytest.raises(UnreadableData):
        restraint.measure(DataSets(tmp_path), IN_KEYWORD)
