"""Counting recalls: they wait in memory and are written down in one go."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from karte.core.namespaces import Namespace
from karte.engine.recalling.tally import MOST_WAITING, Tally
from karte.errors import WorkspaceReadOnly
from karte.ports import Usage
from karte.stores.memory import MemoryStore
from karte.testing.conformance.making import DUDU, WORKSPACE, found, keep, memory


def counted(store: MemoryStore, namespace: Namespace = DUDU) -> dict[int, Usage]:
    with store.reading() as unit:
        return unit.usages.of(namespace, [1, 2])


def kept() -> MemoryStore:
    store = MemoryStore()
    with found(store).writing() as unit:
        keep(unit, memory(1), memory(2))
        keep(unit, memory(1), namespace=WORKSPACE)
    return store


def test_counts_wait_until_they_are_written() -> None:
    store = kept()
    tally = Tally(store)
    tally.count(DUDU, [1, 2], 50)
    tally.count(DUDU, [1], 60)
    tally.count(WORKSPACE, [1], 70)
    before = counted(store)
    tally.write()
    assert before == {}
    assert counted(store) == {1: Usage(2, 60), 2: Usage(1, 50)}
    assert counted(store, WORKSPACE) == {1: Usage(1, 70)}


def test_they_are_written_once() -> None:
    store = kept()
    tally = Tally(store)
    tally.count(DUDU, [1], 50)
    for _ in range(2):
        tally.write()
    assert counted(store) == {1: Usage(1, 50)}


def test_when_many_wait_they_are_written_by_themselves() -> None:
    store = kept()
    tally = Tally(store)
    for _ in range(MOST_WAITING):
        tally.count(DUDU, [1], 50)
    assert counted(store) == {1: Usage(MOST_WAITING, 50)}


def test_what_cannot_be_written_is_dropped() -> None:
    class ReadOnly(MemoryStore):
        """A store that may be read."""

        @contextmanager
        def writing(self) -> Iterator[Any]:
            with super().writing() as unit:
                yield unit
            raise WorkspaceReadOnly

    tally = Tally(ReadOnly())
    tally.count(Namespace(), [1], 50)
    tally.write()
    assert tally._recalls == []


def test_where_nothing_was_found_nothing_is_written() -> None:
    store = kept()
    store.close()
    tally = Tally(store)
    tally.count(DUDU, [], 50)
    tally.write()
    assert tally._recalls == []
