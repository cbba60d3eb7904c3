"""A graph as callers get it: nodes and labelled edges, as plain JSON."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Shape = dict[str, Any]


class NodeKind(StrEnum):
    """What a node is."""

    ENTITY = "entity"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Node:
    """An entity by its name, or a memory by its text; the id of a memory is that of the memory itself."""

    id: str
    kind: NodeKind
    label: str

    def to_dict(self) -> Shape:
        """id, kind, label."""
        return {"id": self.id, "kind": self.kind.value, "label": self.label}


@dataclass(frozen=True, slots=True)
class Edge:
    """What joins two nodes, from `source` to `target`; the weight is that of a walk, 0..1."""

    source: str
    target: str
    label: str
    weight: float

    def to_dict(self) -> Shape:
        """source, target, label, weight."""
        return {"source": self.source, "target": self.target, "label": self.label, "weight": round(self.weight, 6)}


@dataclass(frozen=True)
class ExportedGraph:
    """The nodes with the heaviest edges, all edges between them, and how many of both there are in all."""

    owner: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    nodes_in_all: int
    edges_in_all: int

    def to_dict(self) -> Shape:
        """owner, nodes, edges, nodes_in_all, edges_in_all."""
        return {
            "owner": self.owner,
            "nodes": [node.to_dict() for node in self.nodes],
            "edges": [edge.to_dict() for edge in self.edges],
            "nodes_in_all": self.nodes_in_all,
            "edges_in_all": self.edges_in_all,
        }
