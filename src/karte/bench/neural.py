"""What it takes to embed a query with an embedder of choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from karte.bench.results import TIMING, Better, Figure
from karte.bench.stopwatch import Times
from karte.bench.timings import timings
from karte.errors import InvalidValue
from karte.models.embedders import open_embedder

_QUERIES: Final = 50


def embedder_figures(name: str, queries: Sequence[str]) -> Iterator[Figure]:
    """Embed 50 queries one by one; raises `InvalidValue` for none, `EmbedderMissing` where it is not installed."""
    embedder = open_embedder(name)
    if embedder is None:
        raise InvalidValue(f"{name!r} is no embedder that could be measured here.")
    group = f"embedder {embedder.identity.name}"
    first, times = Times(), Times()
    first.run(embedder.embed, queries[:1], query=True)
    for query in queries[1 : _QUERIES + 1]:
        times.run(embedder.embed, [query], query=True)
    yield Figure(group, "loaded by the first query", first.wall_ms(1), "ms", None, Better.LESS, TIMING)
    yield from timings(group, "a query embedded", times)
