"""What a workspace comes to, without what depends on the order in which it was told: ids, numbers, learning times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from karte.core.memories import Memory
from karte.core.results import Chapter, Item
from karte.core.text import fold_content
from karte.core.timeline import shadows
from karte.engine.asking import asking
from karte.engine.gathering import distinct, timelines
from karte.errors import UnknownMemory
from karte.workspace import Chart

_BY_ARRIVAL: Final = frozenset(
    {"id", "ingested_at", "invalidated_at", "invalidated_by_event", "recall_count", "access_count", "last_accessed"}
)


@dataclass(frozen=True)
class Dump:
    """Chains as sets of statements in words, what holds at each instant asked about (stale or not), and what is shadowed when."""

    chains: frozenset[frozenset[str]]
    holding: Mapping[datetime, tuple[str, ...]]
    shadowed: frozenset[tuple[int, int, str]]


def dump(chart: Chart, ids: Mapping[str, str], instants: Iterable[datetime], known_at: datetime | None = None) -> Dump:
    """Describe the chains of these memories, and all that is in force at these instants, as of `known_at`.

    `ids` are the ids of memories by names that do not depend on the order; parents are shown by them.
    """
    names = {memory_id: name for name, memory_id in sorted(ids.items(), reverse=True)}
    chains = frozenset(_chain(chart, memory_id, names, known_at) for memory_id in names)
    holding = {at: _holding(chart, at, known_at) for at in instants}
    return Dump(chains - {frozenset()}, holding, _shadowed(chart, ids, known_at))


def _chain(chart: Chart, memory_id: str, names: Mapping[str, str], known_at: datetime | None) -> frozenset[str]:
    try:
        chain = chart.history(memory_id, known_at=known_at).chain
    except UnknownMemory:
        return frozenset()
    shown = {chapter.item.id: named(chapter.item.memory) for chapter in chain}
    return frozenset(_words(chapter, shown, names) for chapter in chain)


def _words(chapter: Chapter, shown: Mapping[str, str], names: Mapping[str, str]) -> str:
    told = {name: value for name, value in chapter.to_dict().items() if name not in _BY_ARRIVAL}
    for name in ("supersedes", "superseded_by"):
        told[name] = shown.get(told[name])
    told["derived_from"] = sorted(names[parent] for parent in told["derived_from"])
    told["origins"] = sorted(f"{said['kind']}:{said['container']}:{said['item']}" for said in told["origins"])
    return str(sorted(told.items()))


def named(memory: Memory) -> str:
    """A memory in words, the same for every spelling of it."""
    names = memory.names
    triple = f"{names.subject}/{names.predicate}/{names.object}: " if names else ""
    return f"{memory.scope}/{triple}{fold_content(memory.content)}"


def _holding(chart: Chart, at: datetime, known_at: datetime | None) -> tuple[str, ...]:
    return tuple(sorted(_marked(item) for item in chart.list(1_000, at=at, known_at=known_at).memories))


def _marked(item: Item) -> str:
    return " ".join([named(item.memory), *item.marks])


def _shadowed(chart: Chart, ids: Mapping[str, str], known_at: datetime | None) -> frozenset[tuple[int, int, str]]:
    """The periods in which the guard keeps a statement out of force; no command shows them all, so the fold is asked."""
    services, caller = chart._services, chart._caller  # noqa: SLF001 - see above
    with asking(services, caller, chart._instants(None, known_at)) as question:  # noqa: SLF001 - see above
        kept = question.unit.memories.by_id(caller.namespace, set(ids.values()))
        numbers = [one.memory.number for one in kept.values()]
        lines = distinct(timelines(question.frame, numbers, question.when.known_at))
        return frozenset(
            (spell.start, spell.end, named(line.standings[spell.statement].representative))
            for line in lines
            for spell in shadows(line.segments, line.free_segments)
        )
