"""Mutants of the engine and of a store: mistakes that the laws of a whole workspace must catch."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from karte.core.memories import Memory
from karte.core.namespaces import Namespace
from karte.engine.asking import Asking
from karte.engine.gathering import Refold
from karte.engine.remembering.placing import Placing
from karte.ports import Document, Kept
from karte.stores.memory.parts import MemoryLexicon, MemoryMemories, MemoryRecords, MemoryTimelines

_erase, _holding = MemoryMemories.erase, MemoryTimelines.holding


@dataclass(frozen=True)
class Mutant:
    """A mistake: what it does, the law that it breaks, and what it replaces."""

    name: str
    law: str
    owner: Any
    attribute: str
    value: Any

    def __str__(self) -> str:
        return self.name


def _never_the_same_meaning(self: Placing, memory: Memory, chain: int) -> bool:  # noqa: ARG001 - as it is called
    return False


def _always_simple(self: Placing, kept: Kept, assertion: Any) -> bool:  # noqa: ARG001 - as it is called
    return not assertion.parents


def _folded_alone(self: Refold, members: Any) -> list[bytes]:  # noqa: ARG001 - as it is called
    return []


def _never_changed(self: Asking, numbers: Collection[int]) -> tuple[list[int], list[int]]:  # noqa: ARG001 - as it is called
    return [], list(numbers)


def _always_new(self: MemoryRecords, namespace: Namespace, number: int, identity: bytes) -> bool:  # noqa: ARG001 - as it is called
    return False


def _links_stay(self: MemoryMemories, namespace: Namespace, numbers: Collection[int]) -> None:
    room = self._known_room(namespace)
    links, withdrawals = dict(room.links), [*room.withdrawals]
    _erase(self, namespace, numbers)
    room.links, room.withdrawals = links, withdrawals


def _nothing_revives(self: Refold, seeds: Any) -> None:
    """Folds nothing anew."""


def _to_the_end(self: MemoryTimelines, namespace: Namespace, numbers: Collection[int], at: int, now: int) -> Any:
    """What ends at an instant still holds then."""
    return _holding(self, namespace, numbers, at - 1, now) | _holding(self, namespace, numbers, at, now)


def _whatever_there_is(self: Asking, numbers: Collection[int]) -> dict[int, int]:  # noqa: ARG001 - as it is called
    return {number: number for number in numbers}


def _of_any_namespace(self: MemoryMemories, namespace: Namespace, ids: Collection[str]) -> dict[str, Kept]:  # noqa: ARG001 - as it is called
    rooms = self._tables.rooms.values()
    return {kept.memory.id: kept for room in rooms for kept in room.kept.values() if kept.memory.id in ids}


def _no_tail(self: MemoryLexicon, namespace: Namespace) -> list[Document]:  # noqa: ARG001 - as it is called
    return []


MUTANTS: Final = (
    Mutant(
        "a row that says the same is not recognised",
        "order of retellings",
        Placing,
        "_same_meaning",
        _never_the_same_meaning,
    ),
    Mutant("whatever is said again is inserted in place", "order of retellings", Placing, "_simple", _always_simple),
    Mutant("what was derived is not folded anew", "order of what is derived", Refold, "_keys", _folded_alone),
    Mutant("as of then from the present fold", "replay", Asking, "_changed", _never_changed),
    Mutant("the very same is kept twice", "again", MemoryRecords, "has_assertion", _always_new),
    Mutant("nothing revives when a memory is erased", "erasing", Refold, "__call__", _nothing_revives),
    Mutant("what ended is still found at its end", "holds", MemoryTimelines, "holding", _to_the_end),
    Mutant("what does not hold is found", "holds", Asking, "holding", _whatever_there_is),
    Mutant("an id of any namespace is found", "foreign", MemoryMemories, "by_id", _of_any_namespace),
    Mutant("a search does not see what was just written", "acknowledged", MemoryLexicon, "tail", _no_tail),
)
