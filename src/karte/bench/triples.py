"""A graph of synthetic triples: what its voice adds to a search, what a walk in it takes, and what a write costs it.

Subjects, objects and predicates are drawn by the same law as words are: a few entities are in very many triples.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from karte.bench.chance import Chance
from karte.bench.places import folder, opened
from karte.bench.progress import steps
from karte.bench.queries import AGENT, LIMIT, WARM_UP
from karte.bench.results import TIMING, Better, Figure
from karte.bench.stopwatch import Times
from karte.bench.texts import English, Ranks
from karte.bench.timings import bound_at, timings
from karte.config import Settings
from karte.core.graph import Floats, Graph, pagerank
from karte.core.namespaces import Namespace
from karte.engine.gathering import Frame
from karte.engine.graphs.keeping import Graphs
from karte.engine.graphs.network import Network, View
from karte.engine.recalling.voices.graph import MOST_AROUND, MOST_EDGES, MOST_SEEDS, NAMED
from karte.stores.sqlite import SQLiteStore
from karte.workspace import Chart

TRIPLES: Final = 100_000
WRITES: Final = 20

_WALK_P95: Final = {100_000: 25.0}
_A_SUBJECT: Final = 5
_PREDICATES: Final = (
    "works at",
    "lives in",
    "knows",
    "owns",
    "visited",
    "runs",
    "teaches",
    "plays",
    "studied at",
    "supplies",
    "reports to",
    "maintains",
)
_SYLLABLES: Final = [onset + vowel for onset in "bcdfghjklmnprstvwyz" for vowel in "aeiou"]
_SYLLABLES_A_NAME: Final = 5
"""More than any word of a text has, so that only whom a text is about is named in it."""

_LOUD: Final = ["lexical", "graph"]
_QUIET: Final = ["lexical"]


class Triples:
    """So many different triples, each with a sentence that says it and goes on with other words; so many queries."""

    def __init__(self, count: int, queries: int, seed: int) -> None:
        chance = Chance(seed)
        self._language = English(chance)
        self._names = _names(chance, max(count // _A_SUBJECT, 2 * len(_PREDICATES)))
        self._entities, self._predicates = Ranks(chance, len(self._names)), Ranks(chance, len(_PREDICATES))
        self._known: set[tuple[str, str, str]] = set()
        self.items = [self.draw() for _ in steps(range(count), "triples")]
        self.queries = self._asked(chance, queries)

    def draw(self) -> dict[str, Any]:
        """The next triple, as it is stored."""
        while True:
            subject, value = (self._names[rank] for rank in self._entities.draw(2))
            predicate = _PREDICATES[self._predicates.draw(1)[0]]
            told = subject, predicate, value
            if subject != value and told not in self._known:
                self._known.add(told)
                content = f"{subject} {predicate} {value}. {self._language.text()}"
                return {"content": content, "subject": subject, "predicate": predicate, "object": value}

    def _asked(self, chance: Chance, count: int) -> list[str]:
        """Queries that name the subject of one triple and the object of another."""
        pairs = chance.integers(0, len(self.items) - 1, 2 * count).reshape(-1, 2).tolist()
        return [f"{self.items[one]['subject']} {self._said(other)}" for one, other in pairs]

    def _said(self, place: int) -> str:
        return f"{self.items[place]['predicate']} {self.items[place]['object']}"


def _names(chance: Chance, count: int) -> list[str]:
    """Different names of five syllables."""
    names: dict[str, None] = {}
    while len(names) < count:
        draws = chance.integers(0, len(_SYLLABLES) - 1, _SYLLABLES_A_NAME).tolist()
        names["".join(_SYLLABLES[draw] for draw in draws).capitalize()] = None
    return list(names)


@dataclass
class Woven:
    """A file with so many triples in it, and how long things took."""

    triples: Triples
    path: Path
    batch: int
    stored: Times = field(default_factory=Times)
    first: Times = field(default_factory=Times)
    loud: Times = field(default_factory=Times)
    quiet: Times = field(default_factory=Times)
    stale: Times = field(default_factory=Times)
    fresh: Times = field(default_factory=Times)
    whole: Times = field(default_factory=Times)
    around: Times = field(default_factory=Times)

    def measure(self) -> View:
        """Store, search, write and search again, walk; gives the graph."""
        with opened(self.path) as workspace:
            chart = workspace.agent(AGENT)
            self._store(chart)
            self._search(chart)
            self._write(chart)
        return self._walk()

    def _store(self, chart: Chart) -> None:
        for predicate in _PREDICATES:
            chart.set_predicate(predicate, multi_valued=True)
        items = self.triples.items
        for start in steps(range(0, len(items), self.batch), "triples stored"):
            self.stored.run(chart.store_many, items[start : start + self.batch])

    def _search(self, chart: Chart) -> None:
        queries = self.triples.queries
        self.first.run(chart.search, queries[0], limit=LIMIT, voices=_LOUD)
        for query in queries[:WARM_UP]:
            chart.search(query, limit=LIMIT, voices=_LOUD)
        for query in steps(queries, "searches of the graph"):
            self.quiet.run(chart.search, query, limit=LIMIT, voices=_QUIET)
            self.loud.run(chart.search, query, limit=LIMIT, voices=_LOUD)

    def _write(self, chart: Chart) -> None:
        """Search right after a write, and again."""
        for query in self.triples.queries[:WRITES]:
            written = self.triples.draw()
            chart.store(written.pop("content"), **written)
            self.stale.run(chart.search, query, limit=LIMIT, voices=_LOUD)
            self.fresh.run(chart.search, query, limit=LIMIT, voices=_LOUD)

    def _walk(self) -> View:
        """Walk in the graph alone, in all of it and around the starts."""
        with closing(SQLiteStore(self.path, create=False)) as store, store.reading() as unit:
            network = Graphs().present(Frame(unit, Namespace(AGENT), Settings().tiers))
            now = unit.last_learned()
        view = network.at(now, now)
        for query in steps(self.triples.queries, "walks"):
            starts = _starts(network, view, query)
            self.whole.run(pagerank, view.graph, starts)
            self.around.run(_walk_around, view.graph, starts)
        return view


def _starts(network: Network, view: View, query: str) -> Floats:
    """Where a walk starts: at what the query names, and at some memories that name it, too."""
    named, found = np.zeros(view.graph.nodes), np.zeros(view.graph.nodes)
    for mention in network.names.asked(query):
        named[mention.meaning] = view.told[mention.meaning]
        near = view.graph.targets[view.graph.offsets[mention.meaning] : view.graph.offsets[mention.meaning + 1]]
        found[near[:MOST_SEEDS]] = 1.0
    starts: Floats = NAMED * named / named.sum() + (1 - NAMED) * found / found.sum()
    return starts


def _walk_around(graph: Graph, starts: Floats) -> Floats:
    """Walk as the voice does in a large graph: in what is around the starts alone."""
    nodes = graph.around(starts, MOST_AROUND)
    return pagerank(graph.part(nodes), starts[nodes])


def triple_figures(triples: Triples, batch: int, group: str) -> Iterator[Figure]:
    """Store triples, and measure everything about their graph."""
    count = len(triples.items)
    with folder() as place:
        woven = Woven(triples, place / "graph.karte", batch)
        view = woven.measure()
    target = bound_at(_WALK_P95, count)
    bounded = view.graph.edges > MOST_EDGES
    yield Figure(group, "edges", float(view.graph.edges), "edges", noise=TIMING)
    yield Figure(group, "store_many", count / sum(woven.stored.wall), "/s", None, Better.MORE, TIMING)
    yield from timings(group, "PageRank over all of it", woven.whole, target)
    yield from timings(group, "PageRank around its starts", woven.around, target if bounded else None)
    yield from timings(group, "search by words and graph", woven.loud)
    yield from timings(group, "search by words alone", woven.quiet)
    yield from timings(group, "what the graph adds", _difference(woven.loud, woven.quiet))
    yield Figure(group, "graph read by the first search", woven.first.wall_ms(1), "ms", None, Better.LESS, TIMING)
    yield from timings(group, "what one write adds", _difference(woven.stale, woven.fresh))


def _difference(longer: Times, shorter: Times) -> Times:
    """How much longer each run took than the one that it belongs to."""
    pairs = zip(longer.wall, shorter.wall, strict=True), zip(longer.cpu, shorter.cpu, strict=True)
    return Times(*([more - less for more, less in pair] for pair in pairs))
