"""Exporting a graph: entities and memories as nodes, predicates as labels, only what is in force."""

from datetime import UTC, datetime, timedelta

import pytest

from karte.core.namespaces import Scope
from karte.errors import InvalidValue, MissingScope
from karte.workspace import Chart

NOW = datetime(2026, 7, 1, tzinfo=UTC)


@pytest.fixture
def filled(dudu: Chart) -> Chart:
    letter = dudu.store("Lunch with the people of Acme")
    dudu.store("Kai works at Acme", subject="Kai", predicate="works_at", object="Acme", derived_from=[letter.memory_id])
    dudu.store(
        "小雨住台北", subject="小雨", predicate="住在", object="台北", valid_from=NOW, valid_until=NOW + timedelta(1)
    )
    return dudu


def drawn(chart: Chart, **options: object) -> set[str]:
    """The edges of an export in words."""
    shape = chart.export_graph(**options).to_dict()  # type: ignore[arg-type]  # options of several types
    labels = {node["id"]: node["label"] for node in shape["nodes"]}
    return {f"{labels[edge['source']]} -{edge['label']}-> {labels[edge['target']]}" for edge in shape["edges"]}


def test_a_triple_is_a_memory_between_two_entities(filled: Chart) -> None:
    assert drawn(filled) == {
        "Kai -works_at-> Kai works at Acme",
        "Kai works at Acme -works_at-> Acme",
        "Acme -named in-> Lunch with the people of Acme",
        "Kai works at Acme -derived from-> Lunch with the people of Acme",
        "小雨 -住在-> 小雨住台北",
        "小雨住台北 -住在-> 台北",
    }


def test_only_what_is_in_force_as_asked_is_exported(filled: Chart) -> None:
    later = filled.export_graph(at=NOW + timedelta(2))
    assert sorted(node.label for node in later.nodes) == [
        "Acme",
        "Kai",
        "Kai works at Acme",
        "Lunch with the people of Acme",
    ]
    assert drawn(filled, known_at=NOW - timedelta(1)) == set()


def test_the_nodes_with_the_heaviest_edges_come_first_and_the_rest_is_counted(filled: Chart) -> None:
    # Acme is on two of three memories and tells ln(2.5) / ln(4) = 0.66 of what the other entities tell, so the weights
    # are 1 + 0.66 + 0.3 for Kai's fact, 2 for 小雨's, 0.66 * 2 for Acme, 1 for the other entities.
    graph = filled.export_graph(3)
    labels = ["Acme", "Kai works at Acme", "小雨住台北"]
    assert [node.label for node in graph.nodes] == labels
    assert (len(graph.edges), graph.nodes_in_all, graph.edges_in_all) == (1, 7, 6)


def test_ids_of_memories_are_theirs(filled: Chart) -> None:
    ids = {node.id for node in filled.export_graph().nodes if node.kind.value == "memory"}
    assert ids == {item.id for item in filled.list().memories}


def test_an_empty_namespace_has_an_empty_graph(dudu: Chart) -> None:
    assert dudu.export_graph().to_dict() == {
        "owner": "dudu",
        "nodes": [],
        "edges": [],
        "nodes_in_all": 0,
        "edges_in_all": 0,
    }


@pytest.mark.parametrize("limit", [0, 10_001, True, "9"])
def test_a_limit_out_of_range_is_refused(dudu: Chart, limit: int) -> None:
    with pytest.raises(InvalidValue, match="limit is a number from 1 to 10000"):
        dudu.export_graph(limit)


def test_whoever_may_not_read_gets_no_graph(filled: Chart) -> None:
    with pytest.raises(MissingScope):
        filled.acting(scopes={Scope.WRITE}).export_graph()
