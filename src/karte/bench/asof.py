"""Facts with periods in any order (YAGO): what held in a given year, exactly.

A fact holds from 1 January of its first year until 1 January after its last one, and on if that is 2017 or later.
Every predicate but `wasBornIn` and `diedIn` has many values; half of them are declared before the first fact, half of
them in the middle of loading, because neither order may matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from karte.bench.chance import Chance
from karte.bench.datasets import DataSets, UnreadableData
from karte.bench.metrics import mean
from karte.bench.places import workspace
from karte.bench.progress import steps
from karte.bench.results import Better, Figure, Measured, at_least, at_most
from karte.core.text import fold_name
from karte.workspace import Chart

FACTS: Final = "yago_intervals/yago_spo_intervals.tsv"
QUERIES: Final = "yago_intervals/asof_queries_{split}.jsonl"
SINGLE_VALUED: Final = frozenset({"wasBornIn", "diedIn"})
OPEN_FROM: Final = 2017
_BATCH: Final = 1_000


@dataclass(frozen=True)
class Query:
    """What held of a subject at the start of a year: exactly `expected`, and none of `must_not`."""

    subject: str
    predicate: str
    year: int
    expected: frozenset[str]
    must_not: frozenset[str]


def measure(data: DataSets, seed: int) -> Measured:
    """Load the facts in a random order and ask every query."""
    facts = data.table(FACTS)
    queries = [read_query(line) for line in data.lines(QUERIES)]
    with workspace() as opened:
        chart = opened.agent("yago")
        _load(chart, facts, Chance(seed))
        found = [_answer(chart, query) for query in steps(queries, "as-of queries")]
    parameters = {"split": data.split, "facts": len(facts), "queries": len(queries)}
    return Measured(parameters, tuple(figures(queries, found)))


def read_query(line: Any) -> Query:
    """Read a query; raises `UnreadableData` for one of another shape."""
    try:
        names = frozenset(map(fold_name, line["expected"])), frozenset(map(fold_name, line["must_not"]))
        return Query(line["subject"], line["predicate"], int(line["as_of"]), *names)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableData(f"This is no as-of query: {error!r}.") from None


def _load(chart: Chart, facts: Sequence[Mapping[str, str]], chance: Chance) -> None:
    order = chance.order(len(facts)).tolist()
    declared = sorted({fact["predicate"] for fact in facts} - SINGLE_VALUED)
    _declare(chart, declared[::2])
    half = len(order) // 2
    for part, late in ((order[:half], declared[1::2]), (order[half:], [])):
        for start in steps(range(0, len(part), _BATCH), "facts"):
            chart.store_many([fact_options(facts[place]) for place in part[start : start + _BATCH]])
        _declare(chart, late)


def _declare(chart: Chart, predicates: Sequence[str]) -> None:
    for predicate in predicates:
        chart.set_predicate(predicate, multi_valued=True)


def fact_options(fact: Mapping[str, str]) -> dict[str, str | None]:
    """What is stored for a row; raises `UnreadableData` for one of another shape."""
    try:
        names = fact["subject"], fact["predicate"], fact["object"]
        first, last = int(fact["from_year"]), int(fact["until_year_inclusive"])
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableData(f"This is no fact with a period: {error!r}.") from None
    return {
        "content": " ".join(names),
        **dict(zip(("subject", "predicate", "object"), names, strict=True)),
        "valid_from": new_year(first),
        "valid_until": None if last >= OPEN_FROM else new_year(last + 1),
    }


def new_year(year: int) -> str:
    """The start of 1 January of a year, in UTC."""
    return f"{year:04d}-01-01T00:00:00Z"


def _answer(chart: Chart, query: Query) -> frozenset[str]:
    held = chart.at(query.subject, query.predicate, new_year(query.year)).memories
    return frozenset(fold_name(item.object or "") for item in held)


def figures(queries: Sequence[Query], found: Sequence[frozenset[str]]) -> Iterator[Figure]:
    """The share of queries answered exactly, how many objects were given that must not be, and both by predicate."""
    pairs = list(zip(queries, found, strict=True))
    yield Figure("all", "exact sets", mean(q.expected == f for q, f in pairs), target=at_least(1.0))
    yield Figure("all", "violations", sum(len(q.must_not & f) for q, f in pairs), "objects", at_most(0), noise=0)
    yield Figure("all", "queries", len(pairs), "queries")
    for predicate in sorted({query.predicate for query in queries}):
        exact = [q.expected == f for q, f in pairs if q.predicate == predicate]
        yield Figure("by predicate", predicate, mean(exact), better=Better.MORE)
