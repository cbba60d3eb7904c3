"""The graph voice: which memories a walk reaches that starts at what the query names, and at what others found.

Half of each step the walk goes on along an edge, half it starts again (see `karte.core.graph`). With x the share of time
that the walk spends at a memory, without what it has by being a start itself (what others found they have scored
already), it scores 1 + log10(x) / 4, or nothing below a ten-thousandth: every step and every branching makes a walk
several times less likely, so that shares tell apart in orders of magnitude.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from typing import Final

import numpy as np

from karte.core.graph import DAMPING, Floats, best_paths, pagerank
from karte.core.ranking.profiles import GRAPH
from karte.engine.asking import Asking
from karte.engine.gathering import Frame
from karte.engine.graphs.keeping import Graphs
from karte.engine.graphs.network import Network, View
from karte.engine.graphs.telling import LONGEST_PATH, tell

NAMED: Final = 0.3
"""The share of starts at what the query names; the rest is at memories that other voices found."""

MOST_SEEDS: Final = 3
"""So many memories that others found are starts: those of the highest scores."""

MOST_EDGES: Final = 100_000
"""In a larger graph the walk keeps to what is around its starts."""

MOST_AROUND: Final = 1_000
_GROWTH: Final = 4
_DECADES: Final = 4
_LEAST: Final = 10.0**-_DECADES
_DIGITS: Final = 9

Seeds = Callable[[], Mapping[int, float]]
"""Finds memories with their scores; asked only where the walk can start."""


def hear(graphs: Graphs, question: Asking, query: str, seeds: Seeds) -> GraphVoice | None:
    """The voice for a query; `seeds` gives memories that other voices found, with their scores.

    None where the namespace has no graph, or the query names nothing in it: what others found is then as good as it
    gets, and a walk from there would only bring up whatever is told often.
    """
    when = question.when
    network = graphs.asked(question.frame, when.known_at)
    view = network.at(when.at, when.now)
    starts = _starts(network, view, query, seeds)
    return GraphVoice(question.frame, network, view, starts) if starts.any() else None


def _starts(network: Network, view: View, query: str, find_seeds: Seeds) -> Floats:
    """The shares of starts by node, 1 in all; 0 everywhere where there are none."""
    named = np.zeros(view.graph.nodes)
    for entity in {mention.meaning for mention in network.names.asked(query)}:
        if entity < view.entities:
            named[entity] = view.told[entity]
    found = np.zeros(view.graph.nodes)
    if not named.any():
        return found
    seeds = find_seeds()
    nodes = view.nodes_of(seeds)
    best = sorted((seeds[number] for number in nodes if seeds[number] > 0), reverse=True)[:MOST_SEEDS]
    for number, node in nodes.items():
        if best and seeds[number] >= best[-1]:  # with all that are as good as the last of them
            found[node] = seeds[number]
    found[view.graph.degrees == 0] = 0
    parts = [(share, starts / starts.sum()) for share, starts in ((NAMED, named), (1 - NAMED, found)) if starts.any()]
    whole = sum(share for share, _ in parts) or 1.0
    return sum((share / whole * starts for share, starts in parts), np.zeros(view.graph.nodes))


class GraphVoice:
    """One query asked in one namespace's graph; with more than `most_edges` the walk is bounded."""

    name = GRAPH

    def __init__(
        self, frame: Frame, network: Network, view: View, starts: Floats, most_edges: int = MOST_EDGES
    ) -> None:
        self._frame, self._network, self._view, self._starts = frame, network, view, starts
        whole = view.graph
        self._nodes = np.arange(whole.nodes) if whole.edges <= most_edges else whole.around(starts, MOST_AROUND)
        self._part = whole if len(self._nodes) == whole.nodes else whole.part(self._nodes)
        walked = pagerank(self._part, starts[self._nodes]) - (1 - DAMPING) * starts[self._nodes]
        found: Floats = 1 + np.log10(np.maximum(walked, _LEAST)) / _DECADES
        self._scores = np.zeros(len(view.memories))
        ours = self._nodes >= view.entities
        # Rounded, so that equal ones stay equal in whatever order they are added up.
        self._scores[self._nodes[ours] - view.entities] = np.round(found[ours], _DIGITS)

    @cached_property
    def _order(self) -> list[int]:
        """The memories that the walk reaches, best first, ties by number."""
        places = np.flatnonzero(self._scores)
        order = places[np.lexsort((places, -self._scores[places]))]
        numbers: list[int] = self._view.memories[order].tolist()
        return numbers

    def batches(self, first: int) -> Iterator[list[int]]:
        """All memories that the walk reaches, best first, in batches of growing size; `first` is that of the first."""
        start, size = 0, first
        while start < len(self._order):
            yield self._order[start : start + size]
            start, size = start + size, size * _GROWTH

    def score(self, numbers: Collection[int]) -> dict[int, float]:
        """The scores of these memories, 0..1; those that the walk does not reach are left out."""
        nodes = self._view.nodes_of(numbers)
        scores = {number: float(self._scores[node - self._view.entities]) for number, node in nodes.items()}
        return {number: score for number, score in scores.items() if score > 0}

    def evidence(self, numbers: Collection[int]) -> dict[int, str]:
        """The likeliest way to these memories, in words: `Kai -works_at-> Acme`."""
        nodes = self._view.nodes_of(self.score(numbers))
        ends = np.searchsorted(self._nodes, np.array(sorted(nodes.values()), np.int64))
        ways = best_paths(self._part, self._starts[self._nodes], ends, LONGEST_PATH)
        paths = {int(self._nodes[end]): self._nodes[way].tolist() for end, way in ways.items()}
        return tell(self._frame, self._network, self._view, nodes, paths)
