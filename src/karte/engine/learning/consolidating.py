"""Consolidating: what is worth keeping of sessions is promoted, restatements are merged, what has expired is evicted.

All is found in a view of the store first, and found again in the transaction that changes it, in pages; so whatever is
written or forgotten meanwhile counts. A second run finds nothing to do and writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from karte.core.assertions import Link
from karte.core.memories import Layer, Memory
from karte.core.namespaces import Principal, Scope
from karte.engine.asking import Asking, Instants
from karte.engine.gathering import Frame
from karte.engine.learning.merging import Blocks, Merging, Pair, facts, pages
from karte.engine.learning.promoting import Promotion, Repetition, promote, promotions
from karte.engine.progress import WHOLE, Progress, silent, stage, unhurried
from karte.engine.remembering.erasing import Erasing
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.trusting import auditing
from karte.ports import Reading

PAGE: Final = 200
MOST_NAMED: Final = 1_000
"""How many of each kind a result names; it counts all."""

CONSOLIDATED: Final = "memory.consolidated"

_READ: Final = 800
"""How far the work has come, of a thousand, when all memories are read."""

T = TypeVar("T")


@dataclass(frozen=True)
class Promoted:
    """An item of a session that was promoted, or would be: why, and the id of the memory that it is now."""

    item_id: str
    why: str
    memory_id: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """item_id, why, memory_id; the last is null in a dry run."""
        return {"item_id": self.item_id, "why": self.why, "memory_id": self.memory_id}


@dataclass
class Consolidated:
    """What a run did to the memories of one owner, or would do.

    `examined` counts the memories gone through, `promoted` the items of sessions that became memories, `merged` the pairs
    of memories that became one statement, `parted` those that no longer are, `evicted` the expired items that were
    removed; the first `MOST_NAMED` are named.
    """

    owner: str
    dry_run: bool
    examined: int = 0
    promoted: int = 0
    merged: int = 0
    parted: int = 0
    evicted: int = 0
    promotions: list[Promoted] = field(default_factory=list)
    merges: list[tuple[str, str]] = field(default_factory=list)
    evicted_ids: list[str] = field(default_factory=list)

    @property
    def changes(self) -> bool:
        """Whether there was anything to do."""
        return bool(self.promoted or self.merged or self.parted or self.evicted)

    def to_dict(self) -> dict[str, Any]:
        """owner, dry_run, examined, promoted, merged, parted, evicted, promotions, merges, evicted_ids."""
        return {
            "owner": self.owner,
            "dry_run": self.dry_run,
            "examined": self.examined,
            "promoted": self.promoted,
            "merged": self.merged,
            "parted": self.parted,
            "evicted": self.evicted,
            "promotions": [promotion.to_dict() for promotion in self.promotions],
            "merges": [list(pair) for pair in self.merges],
            "evicted_ids": list(self.evicted_ids),
        }


@repeated
def consolidate(
    services: Services,
    caller: Principal,
    progress: Progress = silent,
    *,
    dry_run: bool = False,
    go_on: Callable[[], bool] = unhurried,
) -> Consolidated:
    """Consolidate the memories of the caller's namespace; a dry run changes nothing and says what a run would do.

    `progress` is told in thousandths of the work; `go_on` is asked between transactions.
    """
    caller.require(Scope.READ if dry_run else Scope.WRITE)
    run = _Run(services, caller, progress, go_on, Consolidated(caller.namespace.owner, dry_run))
    run.promote()
    run.merge()
    run.evict()
    run.log()
    progress(WHOLE, WHOLE)
    return run.result


@dataclass
class _Run:
    services: Services
    caller: Principal
    progress: Progress
    go_on: Callable[[], bool]
    result: Consolidated

    @contextmanager
    def _reading(self) -> Iterator[Asking]:
        with self.services.store.reading() as unit:
            yield self._asked(unit)

    def _asked(self, unit: Reading) -> Asking:
        """A question of the owner's memories, those for sessions included."""
        frame = Frame(unit, self.caller.namespace, self.services.tiers)
        return Asking(unit, frame, Instants().when(self.services, unit), frozenset({Layer.SESSION}))

    def _items(self, unit: Reading) -> list[int]:
        """The numbers of all items of sessions."""
        return sorted(n for n, layer in unit.memories.aside(self.caller.namespace).items() if layer is Layer.SESSION)

    def promote(self) -> None:
        """Promote what is worth keeping of sessions."""
        with self._reading() as question:
            numbers = self._items(question.unit)
            kept = question.unit.memories.get(self.caller.namespace, numbers)
            repetition = Repetition.of(list(kept.values()))
            found = promotions(question, numbers, repetition)
        if self.result.dry_run:
            self._note_promoted(found, [None] * len(found))
            return
        for page in _paged([each.item.number for each in found]):
            self.go_on()
            with self.services.store.writing() as unit:
                still = promotions(self._asked(unit), page, repetition)
                ids = promote(self.services, self.caller, unit, still) if still else []
            self._note_promoted(still, ids)

    def _note_promoted(self, found: Sequence[Promotion], ids: Sequence[str | None]) -> None:
        self.result.promoted += len(found)
        named = [Promoted(each.item.id, each.why, made) for each, made in zip(found, ids, strict=True)]
        self.result.promotions = [*self.result.promotions, *named][:MOST_NAMED]

    def merge(self) -> None:
        """Join facts that say the same in other words, and part those that are not believed alike any more."""
        with self._reading() as question:
            merging = Merging(self.services, question)
            found = [block for block in self._blocks(question) if merging.pairs([block]) or merging.parted([block])]
            if self.result.dry_run:
                self._note_merged(merging.pairs(found), merging.parted(found))
                return
        report = stage(self.progress, _READ, WHOLE)
        for place, page in enumerate(_paged(found)):
            report(place * PAGE, len(found))
            self.go_on()
            with self.services.store.writing() as unit:
                merging = Merging(self.services, self._asked(unit))
                parted = merging.parted(page)
                merging.part(unit, parted)
                still = merging.pairs(page)
                merging.join(unit, still)
            self._note_merged(still, parted)

    def _blocks(self, question: Asking) -> list[list[int]]:
        """The facts that may be restatements of each other."""
        blocks, namespace = Blocks(), self.caller.namespace
        total, report = question.unit.memories.count(namespace), stage(self.progress, 0, _READ)
        for page in pages(question.unit, namespace):
            for fact in facts(question, page):
                blocks.add(fact)
            self.result.examined += len(page)
            report(min(self.result.examined, total), total)
        return blocks.shared()

    def _note_merged(self, found: Sequence[Pair], parted: Sequence[Link]) -> None:
        self.result.merged += len(found)
        self.result.parted += len({(link.left, link.right) for link in parted})
        named = [(pair.one.memory.id, pair.other.memory.id) for pair in found]
        self.result.merges = [*self.result.merges, *named][:MOST_NAMED]

    def evict(self) -> None:
        """Remove what has expired of sessions, unless something was derived from it or linked to it."""
        with self._reading() as question:
            found = self._expired(question, self._items(question.unit))
        if self.result.dry_run:
            self._note_evicted(found)
            return
        for page in _paged([memory.number for memory in found]):
            self.go_on()
            with self.services.store.writing() as unit:
                still = self._expired(self._asked(unit), page)
                Erasing(self.services, self.caller, unit)(still)
            self._note_evicted(still)

    def _expired(self, question: Asking, numbers: Collection[int]) -> list[Memory]:
        """Those of these memories of which all that was said has expired and on which nothing stands."""
        unit, namespace, now = question.unit, self.caller.namespace, question.when.now
        kept = {k.memory.key: k.memory for k in unit.memories.get(namespace, numbers).values()}
        said = unit.records.assertions(namespace, numbers) if numbers else []
        lasting = {a.key for a in said if a.details.expires_at is None or a.details.expires_at > now}
        found = sorted((m for key, m in kept.items() if key not in lasting), key=lambda memory: memory.number)
        return [memory for memory in found if not self._bears(unit, memory)]

    def _bears(self, unit: Reading, memory: Memory) -> bool:
        records, namespace = unit.records, self.caller.namespace
        linked = records.has_links(namespace) and records.memory_links(namespace, [memory.key])
        return bool(linked or records.children(namespace, [memory.key]))

    def _note_evicted(self, found: Sequence[Memory]) -> None:
        self.result.evicted += len(found)
        self.result.evicted_ids = [*self.result.evicted_ids, *(memory.id for memory in found)][:MOST_NAMED]

    def log(self) -> None:
        """Add a line to the audit log, if anything was changed."""
        result = self.result
        if result.dry_run or not result.changes:
            return
        with self.services.store.writing() as unit:
            figures = {name: getattr(result, name) for name in ("promoted", "merged", "parted", "evicted")}
            auditing.record(unit, self.caller, CONSOLIDATED, **figures)


def _paged(things: Sequence[T]) -> Iterator[Sequence[T]]:
    """These in pages."""
    return (things[start : start + PAGE] for start in range(0, len(things), PAGE))
