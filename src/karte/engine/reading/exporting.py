"""Exporting the graph of a namespace: what is in force, as nodes and labelled edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from karte.core.exported_graph import Edge, ExportedGraph, Node, NodeKind
from karte.core.graph import Ints
from karte.core.memories import Memory
from karte.core.namespaces import Principal
from karte.engine.asking import Asking, Instants, asking
from karte.engine.given import read_limit
from karte.engine.graphs.keeping import Graphs
from karte.engine.graphs.network import Joint, Network, View
from karte.engine.repeating import repeated
from karte.engine.services import Services

MOST_NODES: Final = 10_000
ENTITY_PREFIX: Final = "ent_"

_LABELS: Final = {
    Joint.MENTION: "named in",
    Joint.DERIVED: "derived from",
    Joint.FOLLOWING: "said before",
    Joint.SIMILAR: "like",
}


@repeated
def export_graph(services: Services, caller: Principal, limit: int, instants: Instants | None = None) -> ExportedGraph:
    """The nodes with the heaviest edges, at most `limit` (1..10,000), with all edges between them.

    A triple is a memory between two entities: an edge from its subject and one to its object, both with its predicate.
    """
    read_limit(limit, MOST_NODES)
    with asking(services, caller, instants) as question:
        return _export(services.graphs, question, limit)


def _export(graphs: Graphs, question: Asking, limit: int) -> ExportedGraph:
    frame, when = question.frame, question.when
    network = _in_recall(question, graphs.asked(frame, when.known_at))
    view = network.at(when.at, when.now)
    weights = view.weights
    joined = np.flatnonzero(view.graph.degrees > 0)
    chosen = joined[np.lexsort((joined, -view.graph.degrees[joined]))][:limit]
    numbers = view.memories[chosen[chosen >= view.entities] - view.entities].tolist()
    kept = frame.unit.memories.get(frame.namespace, numbers)
    memories = {number: k.memory for number, k in kept.items() if not k.memory.nothing}
    exporting = _Exporting(network, view, memories)
    nodes = {node: exporting.node(node) for node in sorted(chosen.tolist())}
    edges = tuple(exporting.edges(nodes, np.flatnonzero(weights > 0)))
    return ExportedGraph(
        frame.namespace.owner, tuple(nodes.values()), edges, len(joined), int(np.count_nonzero(weights > 0))
    )


def _in_recall(question: Asking, network: Network) -> Network:
    """A network without what is archived or not to be shown: that is never in force in it."""
    numbers = network.memories.tolist()
    absent = (set(numbers) - question.shown(numbers)).union(question.archived(numbers))
    if not absent:
        return network
    shown = ~np.isin(network.spells[:, 0], list(absent))
    return replace(network, spells=network.spells[shown], _views={})


@dataclass(frozen=True)
class _Exporting:
    network: Network
    view: View
    memories: Mapping[int, Memory]

    def node(self, node: int) -> Node:
        if node < self.view.entities:
            return Node(f"{ENTITY_PREFIX}{node}", NodeKind.ENTITY, self.network.labels[node])
        memory = self._memory(node)
        return Node(memory.id, NodeKind.MEMORY, memory.content)

    def edges(self, nodes: Mapping[int, Node], rows: Ints) -> Iterator[Edge]:
        joints = self.network.joints
        columns = (joints.left[rows], joints.right[rows], joints.kinds[rows], self.view.weights[rows])
        for left, right, kind, weight in zip(*(column.tolist() for column in columns), strict=True):
            if left in nodes and right in nodes:
                yield self._edge(nodes[left], nodes[right], Joint(kind), weight, right)

    def _edge(self, left: Node, right: Node, kind: Joint, weight: float, node: int) -> Edge:
        if kind not in (Joint.SUBJECT, Joint.OBJECT):
            return Edge(left.id, right.id, _LABELS[kind], weight)
        triple = self._memory(node).triple
        label = triple.predicate if triple else ""
        ends = (left, right) if kind is Joint.SUBJECT else (right, left)
        return Edge(ends[0].id, ends[1].id, label, weight)

    def _memory(self, node: int) -> Memory:
        return self.memories[int(self.view.memories[node - self.view.entities])]
