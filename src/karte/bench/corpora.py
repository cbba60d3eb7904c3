"""One size in one language: stored, found by words, compared with FTS5 and with exact BM25; then with vectors.

FTS5 gives row ids by score and nothing else: what it is compared with is the lexical voice alone. A whole search also
sees what holds, describes its hits and explains them; that figure stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from karte.bench import probe
from karte.bench.baselines import BareInserts, PlainFTS5
from karte.bench.chance import Chance
from karte.bench.hybrid import MOST_BESIDE, Hybrid
from karte.bench.lexical import LexicalAlone
from karte.bench.metrics import agreement, mean, percentile
from karte.bench.places import folder, opened
from karte.bench.probe import Residence
from karte.bench.progress import steps
from karte.bench.queries import AGENT, LIMIT, QUERIES, WARM_UP, ask
from karte.bench.ranking import ExactBM25, best
from karte.bench.results import TIMING, Better, Figure, Target, at_least, at_most
from karte.bench.stopwatch import Times
from karte.bench.texts import Texts
from karte.core.text import parse_query, terms

SINGLES: Final = 500
QUIET_MS: Final = 1.0
"""What a bare durable insert takes at most, in the middle, where a comparison with it is judged.

Where other programs keep the disk busy both wait for it, and the ratio goes to 1 whatever Karte costs.
"""

_FEW_FTS: Final = 8
_MANY_FTS: Final = 60
_FTS_BOUND: Final = 100_000
_SEARCH_P95: Final = {10_000: 5.0, 100_000: 15.0, 1_000_000: 60.0}
_FTS_SHARE: Final = {"en 100k": 1 / 20, "zh 100k": 1 / 8}
_OPENING: Final = {100_000: 500.0}
_MEGABYTE: Final = 1_000_000
_LAST_TENTH: Final = 10


@dataclass
class Corpus:
    """So many texts in a language, under the name that its figures go by, asked so many queries.

    `processes` open the file anew.
    """

    name: str
    language: Texts
    size: int
    batch: int
    processes: int
    queries: int = QUERIES
    stored: Times = field(default_factory=Times)
    singles: Times = field(default_factory=Times)
    bare: Times = field(default_factory=Times)
    found: Times = field(default_factory=Times)
    voice: Times = field(default_factory=Times)
    plain: Times = field(default_factory=Times)

    def figures(self, chance: Chance) -> list[Figure]:
        """Make the texts, store them, search them, compare; then the same with vectors."""
        texts = [self.language.text() for _ in steps(range(self.size), f"{self.name} texts")]
        queries = ask(self.language, texts, chance, self.queries)
        with folder() as place:
            path = place / "bench.karte"
            self._store(path, texts)
            processes = [probe.run(path, AGENT, queries) for _ in range(self.processes)]
            ranked = self._search(path, queries)
            self._rank(path, queries)
            exact = self._compare(place / "plain.db", texts, queries)
            agreed = _agreed(exact, texts, queries, ranked)
            by_words = [*self._storing(), *self._searching(agreed), *self._standing(path.stat().st_size, processes)]
            return [*by_words, *Hybrid(self.name, self.size, path, queries).figures()]

    def _store(self, path: Path, texts: Sequence[str]) -> None:
        """Store most texts in batches, and the last ones one by one, in turns with bare inserts."""
        alone = min(SINGLES, self.size // 2)
        bare = BareInserts(path.with_name("bare.db"))
        with opened(path) as workspace:
            chart = workspace.agent(AGENT)
            many = texts[:-alone]
            for start in steps(range(0, len(many), self.batch), f"{self.name} batches"):
                self.stored.run(chart.store_many, [{"content": text} for text in many[start : start + self.batch]])
            for text in steps(texts[-alone:], f"{self.name} one by one"):
                self.singles.run(chart.store, text)
                self.bare.run(bare.store, text)
        bare.close()

    def _search(self, path: Path, queries: Sequence[str]) -> list[list[str]]:
        """Search; gives the contents found for each query."""
        ranked = []
        with opened(path) as workspace:
            chart = workspace.agent(AGENT)
            for query in queries[:WARM_UP]:
                chart.search(query, limit=LIMIT, mode="keyword")
            for query in steps(queries, f"{self.name} searches"):
                recall = self.found.run(chart.search, query, limit=LIMIT, mode="keyword")
                ranked.append([hit.memory.content for hit in recall.hits])
        return ranked

    def _rank(self, path: Path, queries: Sequence[str]) -> None:
        """Ask the lexical voice alone, for what FTS5 is asked for."""
        alone = LexicalAlone(path, AGENT)
        for query in queries[:WARM_UP]:
            alone.search(query, LIMIT)
        for query in steps(queries, f"{self.name} rankings"):
            self.voice.run(alone.search, query, LIMIT)
        alone.close()

    def _compare(self, path: Path, texts: Sequence[str], queries: Sequence[str]) -> ExactBM25:
        """Give the terms of all texts to FTS5 and to exact BM25, and ask FTS5 some of the queries."""
        asked = [parse_query(query).terms for query in queries]
        exact = ExactBM25({term for query in asked for term in query})
        plain = PlainFTS5(path)
        plain.add(_shared(steps(texts, f"{self.name} FTS5"), exact))
        for query in asked[:2]:
            plain.search(query, LIMIT)
        for query in steps(asked[: _MANY_FTS if self.size <= _FTS_BOUND else _FEW_FTS], f"{self.name} FTS5 searches"):
            self.plain.run(plain.search, query, LIMIT)
        plain.close()
        return exact

    def _storing(self) -> Iterator[Figure]:
        last = max(len(self.stored.wall) // _LAST_TENTH, 1)
        whole = self.stored.wall[-last - 1 : -1] or self.stored.wall
        batches = min(self.batch, self.size - len(self.singles.wall)) * len(whole) / sum(whole)
        stored = self.size - len(self.singles.wall)
        durable = self.singles.rate
        quiet = self.bare.wall_ms(0.5) <= QUIET_MS
        against_bare, against_store = (at_least(0.5), at_least(2)) if quiet else (None, None)
        yield self._figure("store against bare insert", durable / self.bare.rate, "x", against_bare, Better.MORE)
        share = mean(self.bare.cpu) / mean(self.singles.cpu)
        yield self._figure("store against bare insert, processor", share, "x", better=Better.MORE)
        yield self._figure("store", durable, "/s", better=Better.MORE)
        yield self._figure("bare insert", self.bare.rate, "/s")
        yield self._figure("bare insert p50", self.bare.wall_ms(0.5), "ms")
        yield self._figure("store p95", self.singles.wall_ms(0.95), "ms", better=Better.LESS)
        yield self._figure("store mean, processor", 1_000 * mean(self.singles.cpu), "ms cpu", better=Better.LESS)
        yield self._figure("store_many", batches, "/s", at_least(3_000))
        yield self._figure("store_many against store", batches / durable, "x", against_store, Better.MORE)
        cpu = 1_000 * sum(self.stored.cpu) / stored
        yield self._figure("store_many mean, processor", cpu, "ms cpu", better=Better.LESS)

    def _searching(self, agreed: float) -> Iterator[Figure]:
        bound = _SEARCH_P95.get(self.size)
        p95 = self.found.cpu_ms(0.95)
        target = None if bound is None else at_most(bound)
        yield self._figure("search p95", p95, "ms cpu", target, Better.LESS)
        yield self._figure("search p50", self.found.cpu_ms(0.5), "ms cpu", better=Better.LESS)
        yield self._figure("search p95, wall", self.found.wall_ms(0.95), "ms", better=Better.LESS)
        yield self._figure("FTS5 bm25() p95", self.plain.cpu_ms(0.95), "ms cpu")
        yield self._figure("FTS5 bm25() p50", self.plain.cpu_ms(0.5), "ms cpu")
        share, voice, fts = _FTS_SHARE.get(self.name), self.voice.cpu_ms(0.95), self.plain.cpu_ms(0.95)
        against = None if share is None else at_most(share)
        yield self._figure("lexical voice alone p95", voice, "ms cpu", better=Better.LESS)
        yield self._figure("lexical voice alone p95 against FTS5", voice / fts, "x", against, Better.LESS)
        yield self._figure("search with its hits described p95 against FTS5", p95 / fts, "x", against, Better.LESS)
        yield Figure(self.name, "overlap@10 with exact BM25", agreed, target=at_least(0.999))

    def _standing(self, size: int, processes: Sequence[Residence]) -> Iterator[Figure]:
        """What a fresh process needs, and what the file takes."""
        bound = _OPENING.get(self.size)
        target = None if bound is None else at_most(bound)
        opening = 1_000 * percentile([each.first_search for each in processes], 0.5)
        yield self._figure("open to first search", opening, "ms", target, Better.LESS)
        if resident := max(each.most_resident for each in processes) / _MEGABYTE:
            yield self._figure("resident memory", resident, "MB", at_most(MOST_BESIDE))
        yield self._figure("file", size / _MEGABYTE, "MB", better=Better.LESS)
        yield self._figure("file a memory", size / self.size, "bytes", better=Better.LESS)

    def _figure(
        self, name: str, value: float, unit: str, target: Target | None = None, better: Better | None = None
    ) -> Figure:
        return Figure(self.name, name, value, unit, target, better, TIMING)


def _shared(texts: Iterable[str], exact: ExactBM25) -> Iterator[list[str]]:
    """The terms of each text, given to the exact ranking on the way."""
    for text in texts:
        found = terms(text)
        exact.add(found)
        yield found


def _agreed(exact: ExactBM25, texts: Sequence[str], queries: Sequence[str], ranked: Sequence[Sequence[str]]) -> float:
    """How far the rankings agree with the exact one, as the mean over the queries."""
    returned = {content for contents in ranked for content in contents}
    numbers = {text: number for number, text in enumerate(texts) if text in returned}
    agreements = []
    for query, contents in zip(queries, ranked, strict=True):
        scores = exact.scores(parse_query(query).terms)
        found = [float(scores[numbers[content]]) for content in contents]
        agreements.append(agreement(found, scores[best(scores, LIMIT)].tolist()))
    return mean(agreements)
