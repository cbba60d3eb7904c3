"""The archive: listing what was moved out of recall, and bringing it back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from karte.core.namespaces import Principal, Scope
from karte.core.periods import DAY, FOREVER, write_instant
from karte.core.ranking.retention import PURGE_AFTER
from karte.core.results import Item
from karte.engine.asking import asking
from karte.engine.given import read_limit, read_texts
from karte.engine.reading.describing import Describing
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.errors import InvalidValue
from karte.ports import Kept, Reading

MOST_LISTED: Final = 1_000


@dataclass(frozen=True)
class Archived:
    """A memory in the archive: since when, and from when it may be purged (microseconds)."""

    memory: Item
    archived_at: int

    @property
    def purge_at(self) -> int:
        """From when the next run purges it, unless others stand on it."""
        return self.archived_at + round(PURGE_AFTER * DAY)

    def to_dict(self) -> dict[str, Any]:
        """The shape `memory` with archived_at and purge_at."""
        return {
            **self.memory.to_dict(),
            "archived_at": write_instant(self.archived_at),
            "purge_at": write_instant(self.purge_at),
        }


@dataclass(frozen=True)
class ArchiveListing:
    """Some memories of the archive, those kept last first."""

    memories: tuple[Archived, ...]

    def to_dict(self) -> dict[str, Any]:
        """Memories."""
        return {"memories": [archived.to_dict() for archived in self.memories]}


@dataclass(frozen=True)
class Restored:
    """What is in recall again; what was not in the archive is named in `missing_ids`."""

    memory_ids: tuple[str, ...]
    missing_ids: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """memory_ids, missing_ids."""
        return {"memory_ids": list(self.memory_ids), "missing_ids": list(self.missing_ids)}


@repeated
def listed(services: Services, caller: Principal, limit: int) -> ArchiveListing:
    """The memories of the archive, at most `limit` (1..1,000); what has expired is left out."""
    read_limit(limit, MOST_LISTED)
    found: dict[str, Archived] = {}
    with asking(services, caller) as question:
        describing = Describing(question.frame, question.when)
        before = FOREVER
        while len(found) < limit:
            entered = dict(question.unit.archive.entered(caller.namespace, FOREVER, before, limit))
            if not entered:
                break
            items = describing.items(list(entered))
            found |= {
                items[number].id: Archived(items[number], at) for number, at in entered.items() if number in items
            }
            before = min(entered)
    return ArchiveListing(tuple(found.values())[:limit])


@repeated
def restore(services: Services, caller: Principal, ids: Sequence[str]) -> Restored:
    """Bring memories back into recall as they were, with every memory that makes the same statement.

    It counts as a use of each, so that they do not fade again at once. Raises `InvalidValue` for no ids.
    """
    caller.require(Scope.WRITE)
    wanted = list(dict.fromkeys(read_texts("ids", ids)))
    if not wanted:
        raise InvalidValue("Give at least one id.")
    with services.store.writing() as unit:
        kept = unit.memories.by_id(caller.namespace, wanted)
        archived = {memory_id: _archived(unit, caller, k) for memory_id, k in kept.items()}
        numbers = {number for found in archived.values() for number in found}
        unit.archive.remove(caller.namespace, numbers)
        unit.usages.count(caller.namespace, numbers, services.clock.now())
    back = [memory_id for memory_id in wanted if archived.get(memory_id)]
    return Restored(tuple(back), tuple(memory_id for memory_id in wanted if memory_id not in back))


def _archived(unit: Reading, caller: Principal, kept: Kept) -> set[int]:
    """The memories of a statement that are archived."""
    members = unit.memories.get(caller.namespace, unit.memories.in_chain(caller.namespace, kept.chain)).values()
    same = [k.memory.number for k in members if k.statement == kept.statement]
    return set(unit.archive.of(caller.namespace, same))
