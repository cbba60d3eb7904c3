"""How fast memories are stored and found, in synthetic English and Chinese, against FTS5 and a bare insert in one run.

Times of searches are those of the thread on a processor, so that a busy machine does not change them much; rates of
storing are on the wall, those that are compared taken in turns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from karte.bench.chains import CHAIN, chain_figures
from karte.bench.chance import Chance
from karte.bench.corpora import AGENT, LIMIT, QUERIES, WARM_UP, Corpus, ask
from karte.bench.places import folder, opened
from karte.bench.progress import steps
from karte.bench.results import TIMING, Figure, Measured, at_most
from karte.bench.stopwatch import Times
from karte.bench.texts import Chinese, English, Texts
from karte.errors import InvalidValue

_SIZE: Final = re.compile(r"(\d+)([kM]?)")
_UNITS: Final = {"": 1, "k": 1_000, "M": 1_000_000}
_LANGUAGES: Final[dict[str, type[English | Chinese]]] = {"en": English, "zh": Chinese}


@dataclass(frozen=True)
class Plan:
    """What is measured.

    So many memories, in each of the languages, stored in batches; so many agents with so many memories each; so many
    assertions in a chain; so many processes that open a file anew.
    """

    sizes: tuple[int, ...] = (10_000, 100_000)
    languages: tuple[str, ...] = tuple(_LANGUAGES)
    agents: int = 100
    each: int = 1_000
    batch: int = 1_000
    chain: int = CHAIN
    processes: int = 5


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
    """Measure every size in every language, then namespaces beside each other, then a long chain."""
    figures: list[Figure] = []
    for language in plan.languages:
        for size in plan.sizes:
            name = f"{language} {size_name(size)}"
            corpus = Corpus(name, texts_in(language, seed), size, plan.batch, plan.processes)
            figures += corpus.figures(Chance(seed + size))
    figures += _namespaces(plan, seed)
    figures += chain_figures(plan.chain, plan.batch, seed)
    parameters = {
        "sizes": list(plan.sizes),
        "languages": list(plan.languages),
        "namespaces": f"{plan.agents}x{size_name(plan.each)}",
        "batch": plan.batch,
        "queries": QUERIES,
        "limit": LIMIT,
        "chain": plan.chain,
        "processes": plan.processes,
    }
    return Measured(parameters, tuple(figures))


def texts_in(language: str, seed: int) -> Texts:
    """Texts in a language; raises `InvalidValue` for one that there are no texts in."""
    if language not in _LANGUAGES:
        raise InvalidValue(f"{language!r} is no language that texts are made in; use {' or '.join(_LANGUAGES)}.")
    return _LANGUAGES[language](Chance(seed))


def _namespaces(plan: Plan, seed: int) -> Iterator[Figure]:
    """One agent in the midst of others, against the same memories alone in a file."""
    language = texts_in("en", seed)
    beside, alone = Times(), Times()
    chosen = plan.agents // 2
    with folder() as place, opened(place / "many.karte") as many, opened(place / "one.karte") as one:
        texts: list[str] = []
        for number in steps(range(plan.agents), "namespaces"):
            drawn = [language.text() for _ in range(plan.each)]
            many.agent(f"agent {number}").store_many([{"content": text} for text in drawn])
            texts = drawn if number == chosen else texts
        one.agent(AGENT).store_many([{"content": text} for text in texts])
        queries = ask(language, texts, Chance(seed + 1))
        charts = (many.agent(f"agent {chosen}"), beside), (one.agent(AGENT), alone)
        for number, query in enumerate([*queries[:WARM_UP], *queries]):
            for chart, times in charts:
                (times if number >= WARM_UP else Times()).run(chart.search, query, limit=LIMIT, mode="keyword")
    group = f"1 of {plan.agents} namespaces of {size_name(plan.each)}"
    ratio = beside.cpu_ms(0.5) / alone.cpu_ms(0.5)
    yield Figure(group, "search p50 against alone in its file", ratio, "x", at_most(1.3), noise=TIMING)
    yield Figure(group, "search p50", beside.cpu_ms(0.5), "ms cpu", noise=TIMING)
    yield Figure(group, "search p50 alone", alone.cpu_ms(0.5), "ms cpu", noise=TIMING)
