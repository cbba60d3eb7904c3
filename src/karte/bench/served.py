"""A workspace in PostgreSQL among a hundred others, against the same one alone in its database.

Times are on the wall: most of the work is the server's, and a thread here only waits for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final

from karte.bench.chance import Chance
from karte.bench.hybrid import EMBEDDER
from karte.bench.places import Server, opened
from karte.bench.progress import steps
from karte.bench.queries import AGENT, LIMIT, ask, reworded
from karte.bench.results import TIMING, Better, Figure, Target, at_most
from karte.bench.stopwatch import Times
from karte.bench.texts import Texts
from karte.models.embedders import NONE

SINGLES: Final = 300
_MOST_BESIDE: Final = 1.3
_HYBRID_P95: Final = {100_000: 50.0}
_OWN: Final = "own"


@dataclass
class Served:
    """So many memories in a language in one of so many workspaces, each other one with `each` memories."""

    name: str
    language: Texts
    size: int
    server: Server
    batch: int
    workspaces: int
    each: int
    queries: int
    stored: Times = field(default_factory=Times)
    singles: Times = field(default_factory=Times)

    def figures(self, chance: Chance) -> Iterator[Figure]:
        """Fill one workspace, copy the database, fill the others beside it in one of the two, and ask in turns."""
        texts = [self.language.text() for _ in steps(range(self.size), f"{self.name} texts")]
        queries = ask(self.language, texts, chance, self.queries)
        with ExitStack() as made:
            among = made.enter_context(self.server.database())
            self._store(among.workspace(_OWN), texts)
            size = among.size()
            alone = made.enter_context(self.server.database(like=among))
            for number in steps(range(self.workspaces - 1), f"{self.name} other workspaces"):
                self._neighbour(among.workspace(f"other {number}"))
            for database in (among, alone):
                database.settle()
            sides = among.workspace(_OWN), alone.workspace(_OWN)
            yield from self._storing(size)
            yield from self._compared("search", None, _in_turns(sides, NONE, "keyword", queries))
            target = at_most(_HYBRID_P95[self.size]) if self.size in _HYBRID_P95 else None
            yield from self._compared("hybrid search", target, _in_turns(sides, EMBEDDER, "hybrid", queries))

    def _store(self, url: str, texts: Sequence[str]) -> None:
        alone = min(SINGLES, self.size // 2)
        with opened(url) as workspace:
            chart = workspace.agent(AGENT)
            many = texts[:-alone]
            for start in steps(range(0, len(many), self.batch), f"{self.name} batches"):
                self.stored.run(chart.store_many, [{"content": text} for text in many[start : start + self.batch]])
            for text in steps(texts[-alone:], f"{self.name} one by one"):
                self.singles.run(chart.store, text)
        with opened(url, EMBEDDER) as workspace:
            workspace.embed()

    def _neighbour(self, url: str) -> None:
        with opened(url, EMBEDDER) as workspace:
            workspace.agent(AGENT).store_many([{"content": self.language.text()} for _ in range(self.each)])
            workspace.embed()

    def _storing(self, size: int) -> Iterator[Figure]:
        many = self.size - len(self.singles.wall)
        yield Figure(self.name, "store_many", many / sum(self.stored.wall), "/s", None, Better.MORE, TIMING)
        yield Figure(self.name, "store", self.singles.rate, "/s", None, Better.MORE, TIMING)
        yield Figure(self.name, "store p95", self.singles.wall_ms(0.95), "ms", None, Better.LESS, TIMING)
        yield Figure(self.name, "database a memory, with its vector", size / self.size, "bytes", None, Better.LESS)

    def _compared(self, name: str, target: Target | None, times: Sequence[Times]) -> Iterator[Figure]:
        among, alone = times
        yield Figure(self.name, f"{name} p95", among.wall_ms(0.95), "ms", target, Better.LESS, TIMING)
        yield Figure(self.name, f"{name} p50", among.wall_ms(0.5), "ms", None, Better.LESS, TIMING)
        yield Figure(self.name, f"{name} p50 alone", alone.wall_ms(0.5), "ms", None, Better.LESS, TIMING)
        ratio = among.wall_ms(0.5) / alone.wall_ms(0.5)
        beside = f"{name} p50 against alone in its database"
        yield Figure(self.name, beside, ratio, "x", at_most(_MOST_BESIDE), Better.LESS, TIMING)


def _in_turns(sides: Sequence[str], embedder: str, mode: str, queries: Sequence[str]) -> list[Times]:
    """Ask each query of all sides, one after the other, first in another spelling so that all around it is read."""
    with ExitStack() as open_workspaces:
        charts = [open_workspaces.enter_context(opened(side, embedder)).agent(AGENT) for side in sides]
        for asked in ([reworded(query) for query in queries], queries):
            times = [Times() for _ in sides]
            for query in asked:
                for chart, each in zip(charts, times, strict=True):
                    each.run(chart.search, query, limit=LIMIT, mode=mode)
    return times
