"""The multi-hop bench on three passages with their triples."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from karte.bench import multihop
from karte.bench.asking import Asker
from karte.bench.datasets import DataSets, UnreadableData
from karte.bench.multihop import GAIN, PASSAGES, load, many_valued, passages_of, read
from karte.bench.options import Mode
from karte.bootstrap import open_workspace
from karte.workspace import Workspace
from tests.unit.bench.writing import IN_KEYWORD, MUSIQUE, packed, write_multihop


@pytest.fixture
def ws() -> Iterator[Workspace]:
    with open_workspace(":memory:") as workspace:
        yield workspace


def test_only_predicates_under_which_a_subject_has_several_objects_are_many_valued() -> None:
    passages, _ = read(MUSIQUE)
    assert many_valued(passages) == ["owns"]


def test_triples_that_are_not_whole_are_left_out() -> None:
    passages, questions = read(MUSIQUE)
    assert [len(passage.triples) for passage in passages] == [1, 3, 1]
    assert questions[0].gold == {"p0", "p1"}


def test_all_facts_of_a_passage_stay_in_force_and_lead_back_to_it(ws: Workspace) -> None:
    chart = ws.agent("library")
    passages, _ = read(MUSIQUE)
    homes = load(chart, passages)
    items = {item.content: item for item in chart.list(limit=99).memories}
    assert len(items) == len(passages) + 5
    assert sorted(homes.values()) == ["p0", "p1", "p2"]
    hits = chart.search("Ada Li owns a boat", mode="keyword").hits
    assert (hits[0].memory.content, passages_of(hits[0], homes)) == ("Ada Li owns a boat", ["p1"])


def test_figures_of_one_way_of_asking(tmp_path: Path) -> None:
    write_multihop(tmp_path)
    measured = multihop.measure(DataSets(tmp_path), IN_KEYWORD)
    figures = {figure.name: figure.value for figure in measured.figures if figure.group == PASSAGES}
    assert figures == {"recall@2": 1.0, "recall@5": 1.0, "all@5": 1.0}
    assert {name: measured.parameters[name] for name in ("passages", "triples", "questions")} == {
        "passages": 3,
        "triples": 5,
        "questions": 1,
    }


def test_the_gain_is_the_difference_between_with_and_without(ws: Workspace) -> None:
    chart = ws.agent("library")
    passages, questions = read(MUSIQUE)
    asking = multihop._Asking(chart, load(chart, passages), questions)
    assert list(asking.gain({})) == []
    asking._at_five = {"all voices": 0.75, "without graph": 0.5}
    assert [(figure.name, figure.value) for figure in asking.gain({})] == [(GAIN, 0.25)]


def test_recall_counts_a_triple_for_its_passage(ws: Workspace) -> None:
    chart = ws.agent("library")
    passages, questions = read(MUSIQUE)
    asking = multihop._Asking(chart, load(chart, passages), questions)
    ranked = asking._ranked(Asker("words", Mode.KEYWORD), questions[0])
    assert ranked[:2] in ([{"p0"}, {"p1"}], [{"p1"}, {"p0"}])


def test_data_of_another_shape_is_refused(tmp_path: Path) -> None:
    packed(tmp_path, "multihop/musique_dev.json.gz", {"passages": [{"id": 1}]})
    with pytest.raises(UnreadableData, match="no MuSiQue"):
        multihop.measure(DataSets(tmp_path), IN_KEYWORD)
