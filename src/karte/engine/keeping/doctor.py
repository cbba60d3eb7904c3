"""The doctor: rebuilds everything that is kept for speed, and compares it with what is there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from karte.core.namespaces import Namespace, Principal, Scope
from karte.core.periods import FOREVER
from karte.core.standing import Timeline
from karte.core.timeline import Segment
from karte.engine import indexing
from karte.engine.asking import owners_of
from karte.engine.gathering import Frame, Refold, shared_tier, timelines
from karte.engine.progress import Progress, silent
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.errors import WorkspaceReadOnly
from karte.ports import Kept, Reading, Writing

_PAGE: Final = 500
_BEGINNING: Final = -FOREVER


@dataclass(frozen=True)
class Findings:
    """What the doctor saw: how many memories were examined, and every difference as a sentence."""

    examined: int
    differences: tuple[str, ...]
    repaired: bool = False

    def to_dict(self) -> dict[str, Any]:
        """examined, differences, repaired, healthy."""
        healthy = not self.differences
        return {
            "examined": self.examined,
            "differences": list(self.differences),
            "repaired": self.repaired,
            "healthy": healthy,
        }


@repeated
def examine(services: Services, caller: Principal, progress: Progress = silent, *, repair: bool = False) -> Findings:
    """Fold and index every memory of the workspace anew and compare; with `repair`, keep the new results.

    Needs the scope admin. `progress` is called with the memories examined so far and their number in all. Raises
    `WorkspaceDamaged` where the store itself is: what a damaged file answers shows nothing, and a repair would rest on it.
    """
    caller.require(Scope.ADMIN)
    services.store.check()
    with services.store.reading() as unit:
        agents = owners_of(unit)
        total = sum(unit.memories.count(namespace) for namespace in agents)
        examined, differences, ill = 0, [], []
        for namespace in agents:
            folded: dict[int, Timeline] = {}
            for numbers in _pages(unit, namespace):
                found = list(_compare(Frame(unit, namespace, services.tiers), numbers, folded))
                differences += found
                examined += len(numbers)
                progress(examined, total)
                if found:
                    ill.append((namespace, numbers))
            if unit.lexicon.size(namespace).documents != unit.memories.count(namespace) - _unindexed(unit, namespace):
                differences.append(f"{namespace.owner}: the index does not hold as many texts as there are memories")
                ill.append((namespace, []))
    if repair:
        _repair(services, ill)
    return Findings(examined, tuple(differences), repair and bool(ill))


def _unindexed(unit: Reading, namespace: Namespace) -> int:
    """How many memories say something and are not found by their words."""
    kept = unit.memories.get(namespace, list(unit.memories.aside(namespace)))
    return sum(not one.memory.indexed and not one.memory.nothing for one in kept.values())


def _pages(unit: Reading, namespace: Namespace) -> Iterator[list[int]]:
    before = FOREVER
    while numbers := unit.memories.recent(namespace, before, _PAGE):
        yield numbers
        before = numbers[-1]


def _compare(frame: Frame, numbers: list[int], folded: dict[int, Timeline]) -> Iterator[str]:
    kept = frame.unit.memories.get(frame.namespace, numbers)
    folded |= timelines(frame, [number for number in numbers if number not in folded])
    for number in numbers:
        yield from _compare_fold(frame, kept[number], folded.pop(number))
    yield from _compare_index(frame, list(kept.values()))


def _compare_fold(frame: Frame, kept: Kept, timeline: Timeline) -> Iterator[str]:
    chain = min(member.number for member in timeline.chain.members)
    statement = timeline.statements[kept.memory.number]
    if (kept.chain, kept.statement) != (chain, statement):
        yield f"{kept.memory.id}: kept in chain {kept.chain} as {kept.statement}, belongs to {chain} as {statement}"
    if kept.memory.number == chain:
        stored = frame.unit.timelines.segments(frame.namespace, chain, _BEGINNING, FOREVER)
        free = frame.unit.timelines.segments(frame.namespace, chain, _BEGINNING, FOREVER, free=True)
        head = frame.unit.timelines.heads(frame.namespace, [chain])[chain]
        if head.tier != shared_tier(timeline):
            yield f"{kept.memory.id}: its chain is kept as of tier {head.tier}, its claims say {shared_tier(timeline)}"
        if _facts(stored) != _facts(timeline.segments):
            yield f"{kept.memory.id}: the segments of its chain differ from the fold"
        if _facts(free) != _facts(timeline.free_segments if timeline.mixed else ()):
            yield f"{kept.memory.id}: the unguarded segments of its chain differ from the fold"


def _facts(segments: tuple[Segment, ...] | list[Segment]) -> list[tuple[Any, ...]]:
    return [(s.start, s.end, s.rank, s.statement, s.expires_at) for s in segments]


def _compare_index(frame: Frame, kept: list[Kept]) -> Iterator[str]:
    lexicon, namespace = frame.unit.lexicon, frame.namespace
    hashed = indexing.hasher(lexicon.key())
    texts = {k.memory.number: k.memory for k in kept if k.memory.indexed}
    rows = {document.number: document for document in lexicon.documents(namespace, texts.keys())}
    for number, memory in texts.items():
        if rows.get(number) != indexing.document(number, indexing.indexed_terms(memory), hashed):
            yield f"{memory.id}: its text is not indexed as it is"
    yield from _compare_postings(frame, list(rows))


def _compare_postings(frame: Frame, numbers: list[int]) -> Iterator[str]:
    lexicon, namespace = frame.unit.lexicon, frame.namespace
    compacted = lexicon.size(namespace).compacted
    documents = [d for d in lexicon.documents(namespace, numbers) if d.number <= compacted]
    expected = {(p.term, p.chunk): p for p in indexing.postings(documents)}
    terms = {term for term, _ in expected}
    present = {(p.term, p.chunk): indexing.places(p) for p in lexicon.postings(namespace, terms)}
    missing = [key for key, posting in expected.items() if not indexing.places(posting) <= present.get(key, set())]
    if missing:
        yield f"{namespace.owner}: {len(missing)} posting rows lack a text"


@repeated
def _repair(services: Services, ill: list[tuple[Namespace, list[int]]]) -> None:
    for namespace, numbers in ill:
        with services.store.writing() as unit:
            refold = Refold(Frame(unit, namespace, services.tiers), unit, unit.learn(services.clock.now()))
            refold(numbers)
    for namespace in dict.fromkeys(namespace for namespace, _ in ill):
        with services.store.writing() as unit:
            _index_anew(unit, namespace)


def _index_anew(unit: Writing, namespace: Namespace) -> None:
    hashed = indexing.hasher(unit.lexicon.key())
    unit.lexicon.clear(namespace)
    for numbers in reversed(list(_pages(unit, namespace))):
        kept = unit.memories.get(namespace, numbers)
        texts = [k.memory for _, k in sorted(kept.items()) if k.memory.indexed]
        documents = [indexing.document(m.number, indexing.indexed_terms(m), hashed) for m in texts]
        indexing.add(unit.lexicon, namespace, documents)


@repeated
def keep_current(services: Services) -> None:
    """Make anew what is kept for speed where the tiers of trust or the analysis of text are no longer the same.

    A workspace that cannot be written is left as it is.
    """
    mark = indexing.made_by(services.tiers)
    with services.store.reading() as unit:
        kept = unit.made_with()
        namespaces = owners_of(unit)
    if kept == mark:
        return
    with suppress(WorkspaceReadOnly), services.store.writing() as unit:
        changed = unit.learn(services.clock.now())
        for namespace in namespaces:
            for numbers in _pages(unit, namespace):
                Refold(Frame(unit, namespace, services.tiers), unit, changed)(numbers)
            _index_anew(unit, namespace)
        unit.set_made_with(mark)
