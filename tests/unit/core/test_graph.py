"""Walks over tiny graphs computed by hand, and against an oracle that solves the equations of the walk."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import karte.core.graph as module
from karte.core.graph import Graph, best_paths, pagerank, specificity

Floats = NDArray[np.float64]
Edge = tuple[int, int, float]


def graph_of(nodes: int, *edges: Edge) -> Graph:
    left, right, weights = (np.array([edge[place] for edge in edges]) for place in range(3))
    return Graph.of(nodes, left.astype(np.int64), right.astype(np.int64), weights.astype(np.float64))


def seeds(nodes: int, **weights: float) -> Floats:
    found = np.zeros(nodes)
    for name, weight in weights.items():
        found[int(name[1:])] = weight
    return found


def converged(graph: Graph, start: Floats) -> Floats:
    return pagerank(graph, start, rounds=200, tolerance=1e-15)


def solved(nodes: int, edges: list[Edge], start: Floats, damping: float = 0.5) -> Floats:
    """The fixed point of x = (1 - d) s + d (walked + lost s) as a linear system over a dense matrix."""
    matrix = np.zeros((nodes, nodes))
    for left, right, weight in edges:
        matrix[left, right] += weight
        matrix[right, left] += weight
    degrees = matrix.sum(axis=1)
    share = start / start.sum()
    steps = np.array([row / degree if degree > 0 else share for row, degree in zip(matrix, degrees, strict=True)])
    return np.linalg.solve(np.eye(nodes) - damping * steps.T, (1 - damping) * share)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[Edge], Floats]:
    nodes = draw(st.integers(1, 9))
    node = st.integers(0, nodes - 1)
    edges = draw(st.lists(st.tuples(node, node, st.sampled_from([0.25, 0.5, 1.0, 3.0])), max_size=20))
    start = draw(st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=nodes, max_size=nodes).filter(any))
    return nodes, [edge for edge in edges if edge[0] != edge[1]], np.array(start)


def test_two_nodes_share_time_two_to_one() -> None:
    # x0 = 1/2 + x1 / 2 and x1 = x0 / 2, so x0 = 2/3.
    shares = converged(graph_of(2, (0, 1, 1.0)), seeds(2, n0=1.0))
    assert shares == pytest.approx([2 / 3, 1 / 3])


def test_weights_decide_where_a_walk_goes_on() -> None:
    # Node 0 leads to 1 with weight 3 and to 2 with 1; x0 = 1/2 + (x1 + x2) / 2, x1 = 3/8 x0, x2 = 1/8 x0.
    shares = converged(graph_of(3, (0, 1, 3.0), (0, 2, 1.0)), seeds(3, n0=1.0))
    assert shares == pytest.approx([2 / 3, 1 / 4, 1 / 12])


def test_a_seed_without_edges_keeps_all_its_time() -> None:
    assert converged(graph_of(3, (1, 2, 1.0)), seeds(3, n0=5.0)).tolist() == [1.0, 0.0, 0.0]


def trusted(nodes: int, *edges: tuple[int, int, float]) -> Graph:
    """A graph whose edges weigh what they are trusted."""
    left, right, trust = (np.array([edge[place] for edge in edges]) for place in range(3))
    return Graph.of(nodes, left.astype(np.int64), right.astype(np.int64), trust, trust)


def amplified() -> str | None:
    """What is wrong where a single untrusted edge is the only one of the node that a walk starts at.

    Node 0 has one edge, of trust 0.3, to node 1; the edge of trust 1 between 2 and 3 is elsewhere. 0 passes on 0.3 of
    its mass, and so does 1: x1 = 0.15 x0, and x0 + x1 = 1, so x0 = 1 / 1.15. Were shares taken of what is there, all
    would pass, and x1 would have 1/3.
    """
    shares = converged(trusted(4, (0, 1, 0.3), (2, 3, 1.0)), seeds(4, n0=1.0)).tolist()
    due = [1 / 1.15, 0.15 / 1.15, 0.0, 0.0]
    return None if shares == pytest.approx(due) else f"shares are {shares}, due are {due}"


def test_a_single_untrusted_edge_is_not_amplified() -> None:
    assert amplified() is None


def test_a_walk_that_takes_shares_of_what_is_there_amplifies_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_limits", lambda offsets, _: np.ones(len(offsets) - 1))
    assert amplified() is not None


def test_an_untrusted_edge_beside_a_trusted_one_has_its_share_and_no_more() -> None:
    # Node 0 passes all on: 10/13 to node 1 by trust 1, 3/13 to node 2 by 0.3. Node 2 sends 0.3 of its mass back:
    # x1 = 5/13 x0 and x2 = 1.5/13 x0, with x0 + x1 + x2 = 1.
    shares = converged(trusted(3, (0, 1, 1.0), (0, 2, 0.3)), seeds(3, n0=1.0))
    assert shares == pytest.approx([13 / 19.5, 5 / 19.5, 1.5 / 19.5])


def test_more_untrusted_edges_let_no_more_through() -> None:
    # Node 0 sends 0.3 of its mass out, whether by one edge or by nine, and each of them sends 0.3 back.
    edges = [(0, node, 0.3) for node in range(1, 10)]
    assert converged(trusted(10, *edges), seeds(10, n0=1.0))[0] == pytest.approx(1 / 1.15)


@given(graphs())
def test_where_every_edge_lets_all_through_not_one_bit_changes(made: tuple[int, list[Edge], Floats]) -> None:
    nodes, edges, start = made
    left, right = (np.array([edge[place] for edge in edges], np.int64) for place in range(2))
    weights = np.array([edge[2] for edge in edges])
    free = Graph.of(nodes, left, right, weights)
    limited = Graph.of(nodes, left, right, weights, np.ones(len(edges)))
    assert pagerank(limited, start).tobytes() == pagerank(free, start).tobytes()


def test_nothing_to_start_from_reaches_nothing() -> None:
    assert pagerank(graph_of(2, (0, 1, 1.0)), np.zeros(2)).tolist() == [0.0, 0.0]


def test_twenty_rounds_come_within_a_millionth_of_the_fixed_point() -> None:
    edges = [(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0)]
    start = seeds(4, n0=1.0)
    assert np.abs(pagerank(graph_of(4, *edges), start) - solved(4, edges, start)).sum() < 2e-6


def test_edges_of_no_weight_are_no_edges() -> None:
    graph = graph_of(3, (0, 1, 0.0), (1, 2, 1.0))
    assert (graph.edges, graph.degrees.tolist()) == (1, [0.0, 1.0, 1.0])


@given(graphs())
def test_shares_solve_the_equations_of_the_walk(made: tuple[int, list[Edge], Floats]) -> None:
    nodes, edges, start = made
    assert converged(graph_of(nodes, *edges), start) == pytest.approx(solved(nodes, edges, start), abs=1e-12)


@given(graphs())
def test_shares_sum_to_one_in_every_round(made: tuple[int, list[Edge], Floats]) -> None:
    nodes, edges, start = made
    graph = graph_of(nodes, *edges)
    for rounds in range(1, 4):
        assert pagerank(graph, start, rounds=rounds).sum() == pytest.approx(1.0)
    around = graph.around(start, 2)
    assert pagerank(graph.part(around), start[around]).sum() == pytest.approx(1.0)


@given(graphs(), st.randoms(use_true_random=False))
def test_the_order_of_edges_changes_not_one_bit(made: tuple[int, list[Edge], Floats], chance: Any) -> None:
    nodes, edges, start = made
    turned = [
        (right, left, weight) if chance.random() < 0.5 else (left, right, weight) for left, right, weight in edges
    ]
    chance.shuffle(turned)
    assert pagerank(graph_of(nodes, *edges), start).tobytes() == pagerank(graph_of(nodes, *turned), start).tobytes()


@given(graphs())
def test_a_bounded_walk_over_all_there_is_agrees_with_the_whole(made: tuple[int, list[Edge], Floats]) -> None:
    nodes, edges, start = made
    graph = graph_of(nodes, *edges)
    around = graph.around(start, nodes, hops=nodes)
    part = pagerank(graph.part(around), start[around], rounds=200, tolerance=1e-15)
    whole = converged(graph, start)
    assert part == pytest.approx(whole[around], abs=1e-12)
    assert whole.sum() == pytest.approx(whole[around].sum())


def test_a_bounded_walk_keeps_the_nodes_at_which_most_arrives() -> None:
    # From 0: to 1 with 3/5, to 2 and 3 with 1/5 each; of the equal ones the lower number is kept.
    graph = graph_of(5, (0, 1, 3.0), (0, 2, 1.0), (0, 3, 1.0), (3, 4, 1.0))
    assert graph.around(seeds(5, n0=1.0), most=2, hops=1).tolist() == [0, 1, 2]


def test_what_leaves_the_bounds_starts_again() -> None:
    # The part {0, 1} of a path 0 - 1 - 2: node 1 sends half of its time out. x1 = x0 / 2, x0 = 1 - x1.
    graph = graph_of(3, (0, 1, 1.0), (1, 2, 1.0))
    part = graph.part(np.array([0, 1]))
    shares = pagerank(part, np.array([1.0, 0.0]), rounds=200, tolerance=1e-15)
    assert shares == pytest.approx([2 / 3, 1 / 3])


def test_rare_entities_tell_more_than_ubiquitous_ones() -> None:
    # ln(1 + 10 / 1), ln(1 + 10 / 10), and nothing for an entity that is nowhere.
    assert specificity(np.array([1, 10, 0]), 10) == pytest.approx([2.397895, 0.693147, 0.0])


def test_the_likeliest_path_prefers_the_heavier_edge() -> None:
    # 0 to 3 by 1 (3/4) or by 2 (1/4).
    graph = graph_of(4, (0, 1, 3.0), (0, 2, 1.0), (1, 3, 1.0), (2, 3, 1.0))
    assert best_paths(graph, seeds(4, n0=1.0), np.array([3, 0]), 4) == {3: [0, 1, 3], 0: [0]}


def test_of_equal_paths_the_one_by_lower_numbers_is_told() -> None:
    graph = graph_of(4, (0, 2, 1.0), (0, 1, 1.0), (2, 3, 1.0), (1, 3, 1.0))
    assert best_paths(graph, seeds(4, n0=1.0), np.array([3]), 4) == {3: [0, 1, 3]}


def test_a_node_out_of_reach_has_no_path() -> None:
    graph = graph_of(4, (0, 1, 1.0), (1, 2, 1.0))
    assert best_paths(graph, seeds(4, n0=1.0), np.array([2, 3]), 1) == {}
