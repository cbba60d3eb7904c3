"""Searching by all voices, with vectors of the built-in embedder, against one matrix product over the same vectors.

Each query is asked three times: in another spelling, so that everything around it has been read; then as it is, when
its vector has to be made; and again, when that is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from karte.bench import probe
from karte.bench.bruteforce import BruteForce
from karte.bench.places import opened
from karte.bench.probe import Residence
from karte.bench.progress import steps
from karte.bench.queries import AGENT, LIMIT, reworded
from karte.bench.results import TIMING, Better, Figure, at_most
from karte.bench.stopwatch import Times
from karte.bench.timings import bound_at, timings
from karte.models.embedders.hashing import HashEmbedder
from karte.workspace import Chart

EMBEDDER: Final = "hash"
MOST_BESIDE: Final = 150.0
"""Megabytes of memory that a process may hold beside the vectors."""

_SEARCH_P95: Final = {10_000: 10.0, 100_000: 30.0, 1_000_000: 120.0}
_OPENING: Final = {100_000: 500.0}
_MEGABYTE: Final = 1_000_000
_FASTEST: Final = 0.0
"""Where the machine is busy the threads of a matrix product wait for each other: its fastest run tells what it takes."""


@dataclass
class Hybrid:
    """A file with so many memories of the bench's agent, under the name that its figures go by."""

    name: str
    size: int
    path: Path
    queries: Sequence[str]
    filled: Times = field(default_factory=Times)
    cached: Times = field(default_factory=Times)
    embedding: Times = field(default_factory=Times)
    plain: Times = field(default_factory=Times)

    def figures(self) -> Iterator[Figure]:
        """Fill in vectors, search, compare."""
        before = self.path.stat().st_size
        self._search()
        added = self.path.stat().st_size - before
        residence = probe.run(self.path, AGENT, self.queries, EMBEDDER)
        kept = self._compare()
        yield from self._filling(added)
        yield from self._searching()
        yield from self._standing(residence, kept)

    def _search(self) -> None:
        with opened(self.path, EMBEDDER) as workspace:
            self.filled.run(workspace.embed)
            chart = workspace.agent(AGENT)
            self._ask(chart, [reworded(query) for query in self.queries], Times())
            self._ask(chart, self.queries, self.embedding)
            self._ask(chart, self.queries, self.cached)

    def _ask(self, chart: Chart, queries: Sequence[str], times: Times) -> None:
        for query in steps(queries, f"{self.name} hybrid searches"):
            times.run(chart.search, query, limit=LIMIT)

    def _compare(self) -> int:
        """Ask numpy the same; gives how many bytes Karte keeps of these vectors."""
        brute = BruteForce(self.path, AGENT)
        vectors = HashEmbedder().embed(self.queries, query=True)
        brute.nearest(vectors[0], LIMIT)
        for vector in vectors:
            self.plain.run(brute.nearest, vector, LIMIT)
        return brute.kept

    def _filling(self, added: int) -> Iterator[Figure]:
        rate, cpu = self.size * self.filled.rate, 1_000 * sum(self.filled.cpu) / self.size
        yield Figure(self.name, "vectors filled in", rate, "/s", None, Better.MORE, TIMING)
        yield Figure(self.name, "a vector filled in, processor", cpu, "ms cpu", None, Better.LESS, TIMING)
        yield Figure(self.name, "file, a vector", added / self.size, "bytes", None, Better.LESS, TIMING)

    def _searching(self) -> Iterator[Figure]:
        target = bound_at(_SEARCH_P95, self.size)
        yield from timings(self.name, "hybrid search", self.cached, wall=target)
        yield from timings(self.name, "hybrid search, its query embedded", self.embedding)
        yield from timings(self.name, "numpy over all vectors", self.plain)
        ratio = self.cached.wall_ms(_FASTEST) / self.plain.wall_ms(_FASTEST)
        yield Figure(self.name, "fastest hybrid search against numpy's", ratio, "x", None, Better.LESS, TIMING)

    def _standing(self, residence: Residence, kept: int) -> Iterator[Figure]:
        opening, target = 1_000 * residence.first_search, bound_at(_OPENING, self.size)
        yield Figure(self.name, "open to first hybrid search", opening, "ms", target, Better.LESS, TIMING)
        vectors = kept / _MEGABYTE
        yield Figure(self.name, "vectors in memory", vectors, "MB", None, Better.LESS, TIMING)
        if whole := residence.most_resident / _MEGABYTE:
            target = at_most(MOST_BESIDE)
            yield Figure(self.name, "resident memory with vectors", whole, "MB", None, Better.LESS, TIMING)
            yield Figure(self.name, "resident memory beside vectors", whole - vectors, "MB", target, noise=TIMING)
