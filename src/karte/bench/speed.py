"""How fast memories are stored and found, in synthetic English and Chinese, against FTS5, numpy and a bare insert.

Times of searches are those of the thread on a processor, so that a busy machine does not change them much; rates of
storing are on the wall, those that are compared taken in turns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from karte.bench.chains import CHAIN, chain_figures
from karte.bench.chance import Chance
from karte.bench.corpora import Corpus
from karte.bench.hybrid import EMBEDDER
from karte.bench.neighbours import Neighbours
from karte.bench.neural import embedder_figures
from karte.bench.places import Server
from karte.bench.queries import LIMIT, QUERIES, ask
from karte.bench.results import Figure, Measured
from karte.bench.served import Served
from karte.bench.texts import Chinese, English, Texts
from karte.bench.triples import TRIPLES, Triples, triple_figures
from karte.errors import InvalidValue

_SIZE: Final = re.compile(r"(\d+)([kM]?)")
_UNITS: Final = {"": 1, "k": 1_000, "M": 1_000_000}
_LANGUAGES: Final[dict[str, type[English | Chinese]]] = {"en": English, "zh": Chinese}


@dataclass(frozen=True)
class Plan:
    """What is measured.

    So many memories, in each of the languages, stored in batches; so many agents with so many memories each; so many
    assertions in a chain; so many processes that open a file anew; so many triples in a graph. With an `embedder` by
    name, what embedding a query with it takes. With a `server`, that, and nothing of files; agents are workspaces then.
    """

    sizes: tuple[int, ...] = (10_000, 100_000)
    languages: tuple[str, ...] = tuple(_LANGUAGES)
    agents: int = 100
    each: int = 1_000
    batch: int = 1_000
    chain: int = CHAIN
    processes: int = 5
    triples: int = TRIPLES
    queries: int = QUERIES
    embedder: str | None = None
    server: str | None = None


def read_size(text: str) -> int:
    """Read a size such as 500, 10k or 1M; raises `InvalidValue`."""
    found = _SIZE.fullmatch(text.strip())
    if found is None or int(found[1]) == 0:
        raise InvalidValue(f"{text!r} is no size; write it as 500, 10k or 1M.")
    return int(found[1]) * _UNITS[found[2]]


def size_name(size: int) -> str:
    """A size as it is written: 500, 10k, 1M."""
    unit = next((unit for unit in ("M", "k") if size % _UNITS[unit] == 0), "")
    return f"{size // _UNITS[unit]}{unit}"


def measure(plan: Plan, seed: int) -> Measured:
    """Measure every size in every language, then namespaces beside each other, a long chain, and a graph.

    On a server, every size in every language among other workspaces.
    """
    if plan.server:
        return _on_a_server(plan, plan.server, seed)
    figures: list[Figure] = []
    for language in plan.languages:
        for size in plan.sizes:
            name = f"{language} {size_name(size)}"
            corpus = Corpus(name, texts_in(language, seed), size, plan.batch, plan.processes, plan.queries)
            figures += corpus.figures(Chance(seed + size))
    neighbours = Neighbours(texts_in("en", seed), plan.agents, plan.each, plan.queries)
    figures += neighbours.figures(f"1 of {plan.agents} namespaces of {size_name(plan.each)}", Chance(seed + 1))
    figures += chain_figures(plan.chain, plan.batch, seed)
    triples = Triples(plan.triples, plan.queries, seed)
    figures += triple_figures(triples, plan.batch, f"graph {size_name(plan.triples)} triples")
    if plan.embedder:
        figures += embedder_figures(plan.embedder, _queries(plan, seed))
    parameters = {
        "sizes": list(plan.sizes),
        "languages": list(plan.languages),
        "namespaces": f"{plan.agents}x{size_name(plan.each)}",
        "batch": plan.batch,
        "queries": plan.queries,
        "limit": LIMIT,
        "chain": plan.chain,
        "processes": plan.processes,
        "vectors": EMBEDDER,
        "triples": plan.triples,
        **({"embedder": plan.embedder} if plan.embedder else {}),
    }
    return Measured(parameters, tuple(figures))


def _on_a_server(plan: Plan, url: str, seed: int) -> Measured:
    figures: list[Figure] = []
    for language in plan.languages:
        for size in plan.sizes:
            name = f"{language} {size_name(size)} in 1 of {plan.agents} workspaces"
            beside = plan.batch, plan.agents, plan.each, plan.queries
            served = Served(name, texts_in(language, seed), size, Server(url), *beside)
            figures += served.figures(Chance(seed + size))
    parameters = {
        "sizes": list(plan.sizes),
        "languages": list(plan.languages),
        "workspaces": f"{plan.agents}x{size_name(plan.each)}",
        "batch": plan.batch,
        "queries": plan.queries,
        "limit": LIMIT,
        "vectors": EMBEDDER,
    }
    return Measured(parameters, tuple(figures))


def _queries(plan: Plan, seed: int) -> list[str]:
    """Queries of all languages, one after the other in turns."""
    asked = []
    for name in plan.languages:
        language = texts_in(name, seed)
        asked.append(ask(language, [language.text() for _ in range(QUERIES)], Chance(seed)))
    return [query for together in zip(*asked, strict=True) for query in together]


def texts_in(language: str, seed: int) -> Texts:
    """Texts in a language; raises `InvalidValue` for one that there are no texts in."""
    if language not in _LANGUAGES:
        raise InvalidValue(f"{language!r} is no language that texts are made in; use {' or '.join(_LANGUAGES)}.")
    return _LANGUAGES[language](Chance(seed))
