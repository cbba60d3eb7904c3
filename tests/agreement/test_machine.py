"""The machine bites: a store that differs in one answer is found."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from karte.core.namespaces import Namespace
from karte.core.periods import DAY
from karte.ports import Domain, Store
from karte.stores.memory import MemoryStore
from karte.stores.memory.knowing import MemoryDomains
from karte.stores.memory.parts import MemoryMemories, MemoryRecords, MemoryTimelines
from karte.testing.agreement import StoreAgreement, same

# The same programs in every run: a control must not pass or fail by luck.
SEARCH = settings(
    max_examples=200,
    stateful_step_count=25,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


class _Recent(MemoryMemories):
    def recent(self, namespace: Namespace, before: int, count: int) -> list[int]:
        return super().recent(namespace, before, count)[::-1]


class _NoDescent(MemoryRecords):
    def children(self, namespace: Namespace, keys: Collection[bytes]) -> list[int]:  # noqa: ARG002 - the contract's
        return []


class _Lingering(MemoryTimelines):
    """By a day, so that a few programs find it; the conformance suite asks for the microsecond."""

    def holding(self, namespace: Namespace, numbers: Collection[int], at: int, now: int) -> dict[int, int]:
        return super().holding(namespace, numbers, at - DAY, now) | super().holding(namespace, numbers, at, now)


class _Unsorted(MemoryDomains):
    def all(self) -> list[Domain]:
        return list(self._tables.domains.values())


class Differing(MemoryStore):
    """A store with one part that is not as it should be."""

    def __init__(self, name: str, part: type[Any]) -> None:
        super().__init__()
        self._name, self._part = name, part

    @contextmanager
    def _with_part(self, unit: Any) -> Iterator[Any]:
        setattr(unit, self._name, self._part(unit._tables))
        yield unit

    @contextmanager
    def reading(self) -> Iterator[Any]:
        with super().reading() as unit, self._with_part(unit) as changed:
            yield changed

    @contextmanager
    def writing(self) -> Iterator[Any]:
        with super().writing() as unit, self._with_part(unit) as changed:
            yield changed


@pytest.mark.parametrize(
    ("name", "part"),
    [
        pytest.param("memories", _Recent, id="the order of a list"),
        pytest.param("records", _NoDescent, id="what falls with its parent"),
        pytest.param("timelines", _Lingering, id="the end of a period"),
        pytest.param("domains", _Unsorted, id="the order of domains"),
    ],
)
def test_a_store_that_differs_is_found(name: str, part: type[Any]) -> None:
    class Disagreement(StoreAgreement):
        def stores(self) -> Mapping[str, Store]:
            return {"memory": MemoryStore(), "differing": Differing(name, part)}

    with pytest.raises((AssertionError, ExceptionGroup)):
        run_state_machine_as_test(Disagreement, settings=SEARCH)


class Counted(Differing):
    """A store that differs, and counts how many like it are open."""

    still_open = 0

    def __init__(self) -> None:
        super().__init__("memories", _Recent)
        Counted.still_open += 1

    def close(self) -> None:
        super().close()
        Counted.still_open -= 1


def test_no_store_stays_open_where_a_difference_was_found() -> None:
    class Disagreement(StoreAgreement):
        def stores(self) -> Mapping[str, Store]:
            return {"memory": MemoryStore(), "differing": Counted()}

    with pytest.raises((AssertionError, ExceptionGroup)):
        run_state_machine_as_test(Disagreement, settings=SEARCH)
    assert Counted.still_open == 0


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ({"score": 0.3}, {"score": 0.1 + 0.2}, True),
        ({"score": 0.3}, {"score": 0.3 + 1e-8}, False),
        ([1, {"a": None}], [1, {"a": None}], True),
        ([1, 2], [1], False),
        ({"a": 1}, {"b": 1}, False),
        ("家", "家 ", False),
    ],
)
def test_shapes_are_compared_in_every_part_and_numbers_to_a_billionth(one: object, other: object, equal: bool) -> None:
    assert same(one, other) is equal
