"""A weighted undirected graph in compressed rows: where a random walk from some seeds spends its time, and by which way.

Pure arithmetic over node numbers 0..n-1. Personalised PageRank as in HippoRAG (Gutierrez et al., 2024), by power
iteration: x = (1 - d) * s + d * (walked + lost * s), where s are the seeds as shares of one, `walked` is what arrives
along edges, and `lost` what had no edge to leave by, or was kept back from one; so the sum stays one.

Weights at a node are shares of what it passes on, not of its mass: it passes on no more than the most trusted of its
edges lets through. A node whose only edge is little trusted sends little along it, and the rest starts again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

DAMPING: Final = 0.5
"""How likely a walk goes on along an edge instead of starting again at the seeds."""

MOST_ROUNDS: Final = 20
TOLERANCE: Final = 1e-6
"""The iteration ends when the shares changed by no more than this in sum."""

HOPS: Final = 4
"""So far a bounded walk goes: two memories with an entity before each."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Graph:
    """Rows of neighbours: those of node i are `targets[offsets[i]:offsets[i + 1]]`, ascending, with their `weights`.

    `degrees` is what the weights of a node are shares of: the weight of all its edges, of those too that a part of a
    graph leaves out, over the part (0..1) of its mass that it passes on.
    """

    offsets: Ints
    targets: Ints
    weights: Floats
    degrees: Floats

    @classmethod
    def of(
        cls,
        nodes: int,
        left: NDArray[Any],
        right: NDArray[Any],
        weights: NDArray[Any],
        trust: NDArray[Any] | None = None,
    ) -> Graph:
        """The graph of undirected edges between `left[i]` and `right[i]`; edges of no weight are left out.

        `trust` (0..1, above 0 where the weight is) says for each edge what part of a node's mass it lets through at
        most; without it every edge lets through all. Edges between the same two nodes stay side by side and count
        together. The order of the edges changes nothing.
        """
        kept = np.flatnonzero(weights > 0)
        rows = np.concatenate([left[kept], right[kept]]).astype(np.int64)
        columns = np.concatenate([right[kept], left[kept]]).astype(np.int64)
        values = np.concatenate([weights[kept], weights[kept]]).astype(np.float64)
        keys = rows * nodes + columns
        order = np.argsort(keys)
        if np.any(keys[order][1:] == keys[order][:-1]):
            order = np.lexsort((values, keys))
        offsets = np.searchsorted(rows[order], np.arange(nodes + 1)).astype(np.int64)
        degrees = _sums(offsets, values[order])
        if trust is not None:
            degrees /= _limits(offsets, np.concatenate([trust[kept], trust[kept]])[order])
        return cls(offsets, columns[order], values[order], degrees)

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return len(self.degrees)

    @property
    def edges(self) -> int:
        """How many edges there are."""
        return len(self.targets) // 2

    @cached_property
    def _flows(self) -> Floats:
        """For each entry of the rows, what share of the target's time moves on to the row's node."""
        flows: Floats = self.weights / self.degrees[self.targets]
        return flows

    @cached_property
    def _filled(self) -> tuple[Ints, Ints]:
        """The nodes with neighbours, and where their rows start."""
        filled = np.flatnonzero(self.offsets[1:] > self.offsets[:-1])
        return filled, self.offsets[filled]

    def arriving(self, shares: Floats) -> Floats:
        """What arrives at each node when every share moves on along the edges of its node."""
        return self._by_row(np.add, self._flows * shares.take(self.targets))

    def likeliest(self, shares: Floats) -> Floats:
        """The greatest part of what arrives at each node along a single edge."""
        return self._by_row(np.maximum, self._flows * shares.take(self.targets))

    def _by_row(self, gather: np.ufunc, values: Floats) -> Floats:
        gathered = np.zeros(self.nodes)
        filled, starts = self._filled
        if len(filled):
            gathered[filled] = gather.reduceat(values, starts)
        return gathered

    def part(self, nodes: Ints) -> Graph:
        """The graph of these nodes (ascending) alone, by their place in `nodes`; degrees stay as they are."""
        places, rows = self._edges_of(nodes)
        at = np.searchsorted(nodes, self.targets[places])
        kept = np.flatnonzero(nodes.take(at, mode="clip") == self.targets[places])
        offsets = np.searchsorted(rows[kept], np.arange(len(nodes) + 1)).astype(np.int64)
        return Graph(offsets, at[kept], self.weights[places[kept]], self.degrees[nodes])

    def _edges_of(self, nodes: Ints) -> tuple[Ints, Ints]:
        """The places of all edges of these nodes, and for each the place of its node in `nodes`."""
        sizes = self.offsets[nodes + 1] - self.offsets[nodes]
        rows = np.repeat(np.arange(len(nodes)), sizes)
        starts = np.cumsum(sizes) - sizes
        return np.arange(len(rows)) - starts[rows] + self.offsets[nodes][rows], rows

    def around(self, seeds: Floats, most: int, hops: int = HOPS) -> Ints:
        """The nodes within `hops` edges of the seeds, ascending; of each hop the `most` at which most arrives.

        Equal shares are told apart by the number of the node.
        """
        frontier: Ints = np.flatnonzero(seeds > 0)
        reached = frontier
        shares = seeds[frontier]
        for _ in range(hops):
            places, rows = self._edges_of(frontier)
            moved = self.weights[places] * (shares / np.maximum(self.degrees[frontier], _TINY))[rows]
            frontier, inverse = np.unique(self.targets[places], return_inverse=True)
            shares = np.bincount(inverse, moved, len(frontier)).astype(np.float64)
            best = _greatest(shares, most)
            frontier, shares = frontier[best], shares[best]
            reached = np.union1d(reached, frontier)
        return reached


_TINY: Final = float(np.finfo(np.float64).tiny)


def _greatest(shares: Floats, most: int) -> Ints:
    """The places of the `most` greatest shares, ascending; of equal ones the first."""
    if len(shares) <= most:
        return np.arange(len(shares))
    least = np.partition(shares, -most)[-most]
    above = np.flatnonzero(shares > least)
    return np.sort(np.concatenate([above, np.flatnonzero(shares == least)[: most - len(above)]]))


def _sums(offsets: Ints, values: Floats) -> Floats:
    """The sum of each row; an empty row has none."""
    return _gathered(np.add, offsets, values, 0.0)


def _gathered(gather: np.ufunc, offsets: Ints, values: Floats, nothing: float) -> Floats:
    """What the values of each row come to; `nothing` for an empty row."""
    gathered = np.full(len(offsets) - 1, nothing)
    filled = np.flatnonzero(offsets[1:] > offsets[:-1])
    if len(filled):
        gathered[filled] = gather.reduceat(values, offsets[filled])
    return gathered


def _limits(offsets: Ints, trust: Floats) -> Floats:
    """What part of its mass each node passes on: the trust of its most trusted edge, 1 where it has none."""
    return _gathered(np.maximum, offsets, trust, 1.0)


def specificity(degrees: Ints, memories: int) -> Floats:
    """How much an entity tells by being on a memory: ln(1 + memories / degree), as inverse document frequency.

    `degrees` says on how many memories each entity is; one on none tells nothing.
    """
    told = np.log1p(memories / np.maximum(degrees, 1))
    return np.where(degrees > 0, told, 0.0)


def pagerank(
    graph: Graph, seeds: Floats, damping: float = DAMPING, rounds: int = MOST_ROUNDS, tolerance: float = TOLERANCE
) -> Floats:
    """Personalised PageRank: for each node the share of its time that a walk from the seeds spends there, 1 in all.

    `seeds` are weights of 0 or more, one for each node; 0 everywhere where no seed has any.
    """
    whole = float(seeds.sum())
    if whole <= 0:
        return np.zeros(graph.nodes)
    start = seeds / whole
    shares = start
    for _ in range(rounds):
        walked = graph.arriving(shares)
        lost = shares.sum() - walked.sum()
        following = (1 - damping + damping * lost) * start + damping * walked
        change = np.abs(following - shares).sum()
        shares = following
        if change <= tolerance:
            break
    return shares


def best_paths(graph: Graph, seeds: Floats, ends: Ints, longest: int) -> dict[int, list[int]]:
    """For each of `ends` the likeliest way of a walk to it from a seed, as nodes; those out of reach are left out.

    A way is as likely as its seed times each step's share of the weight at its node, with at most `longest` steps.
    Of equally likely ways the shorter one is taken, then the one by lower numbers.
    """
    likeliest = [seeds / max(float(seeds.sum()), _TINY)]
    for _ in range(longest):
        likeliest.append(graph.likeliest(likeliest[-1]))
    found = {}
    for end in ends.tolist():
        steps = int(np.argmax([level[end] for level in likeliest]))
        if likeliest[steps][end] > 0:
            found[end] = _way(graph, likeliest[: steps + 1], end)
    return found


def _way(graph: Graph, levels: list[Floats], end: int) -> list[int]:
    way = [end]
    for level, _ in reversed(list(pairwise(levels))):
        start, stop = graph.offsets[way[-1] : way[-1] + 2]
        before = graph.targets[start:stop]
        share = graph.weights[start:stop] / graph.degrees[before] * level[before]
        way.append(int(before[np.argmax(share)]))
    return way[::-1]
