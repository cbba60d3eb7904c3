"""The graph that the speed bench measures: different triples that are all in force, and walks that begin in it."""

from collections import Counter
from pathlib import Path

import pytest

from karte.bench.places import opened
from karte.bench.queries import AGENT
from karte.bench.stopwatch import Times
from karte.bench.triples import Triples, Woven, _difference, triple_figures

COUNT = 120


@pytest.fixture(scope="module")
def triples() -> Triples:
    return Triples(COUNT, 5, 7)


def test_the_same_seed_makes_the_same_triples(triples: Triples) -> None:
    again = Triples(COUNT, 5, 7)
    assert (again.items, again.queries) == (triples.items, triples.queries)


def test_no_triple_comes_twice_and_none_joins_an_entity_with_itself(triples: Triples) -> None:
    told = [(item["subject"], item["predicate"], item["object"]) for item in triples.items]
    assert len(set(told)) == COUNT
    assert [each for each in told if each[0] == each[2]] == []


def test_a_few_subjects_are_in_many_triples() -> None:
    counts = Counter(item["subject"] for item in Triples(1_000, 5, 7).items).values()
    assert max(counts) > 10 * sum(counts) / len(counts)


def test_a_query_names_the_subject_of_a_triple_first(triples: Triples) -> None:
    subjects = {item["subject"] for item in triples.items}
    assert [query.split()[0] in subjects for query in triples.queries] == [True] * 5


def test_all_triples_are_in_force_and_in_the_graph(triples: Triples, tmp_path: Path) -> None:
    woven = Woven(triples, tmp_path / "graph.karte", 50)
    before = len(triples.items)
    view = woven.measure()
    with opened(tmp_path / "graph.karte") as workspace:
        kept = workspace.agent(AGENT).list(limit=1_000)
    written = len(woven.stale.cpu)
    assert (before, len(kept.memories), len(view.memories)) == (COUNT, COUNT + written, COUNT + written)
    assert view.graph.edges >= 2 * (COUNT + written)


def test_each_query_is_searched_with_and_without_the_graph_and_walked_twice(triples: Triples, tmp_path: Path) -> None:
    woven = Woven(triples, tmp_path / "graph.karte", 50)
    woven.measure()
    counts = [len(times.cpu) for times in (woven.first, woven.loud, woven.quiet, woven.whole, woven.around)]
    assert counts == [1, 5, 5, 5, 5]
    assert len(woven.stale.cpu) == len(woven.fresh.cpu) == 5


def test_a_graph_of_another_size_is_not_judged(triples: Triples) -> None:
    assert [figure.name for figure in triple_figures(triples, 50, "graph 120 triples") if figure.target] == []


def test_a_difference_is_taken_run_by_run() -> None:
    longer, shorter = Times([0.5, 0.25], [0.25, 0.5]), Times([0.25, 0.125], [0.125, 0.125])
    assert _difference(longer, shorter) == Times([0.25, 0.125], [0.125, 0.375])
