"""No store skips or replaces a part of the suite, and the suite calls every method of the contract."""

import inspect
import pkgutil
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest

from karte import stores
from karte.stores.memory import MemoryStore
from karte.testing.conformance import StoreConformance
from tests.conformance import test_stores
from tests.conformance.recording import RecordingStore, contract

TESTS = sorted(name for name in dir(StoreConformance) if name.startswith("test_"))
SUBCLASSES: list[Any] = [
    found for _, found in inspect.getmembers(test_stores, inspect.isclass) if found.__module__ == test_stores.__name__
]


def changed(subclass: type) -> list[str]:
    """What a subclass has of its own beside the fixture: a test replaced, taken away or marked, a mark on the class."""
    own = {name for name in vars(subclass) if not (name.startswith("__") and name.endswith("__"))} - {"store"}
    lost = {name for name in TESTS if getattr(subclass, name, None) is not getattr(StoreConformance, name)}
    return sorted(own | lost | {"a base" for base in subclass.__mro__[1:2] if base is not StoreConformance})


@pytest.mark.parametrize("subclass", SUBCLASSES)
def test_a_store_takes_over_the_whole_suite_and_gives_only_itself(subclass: type) -> None:
    assert changed(subclass) == []


def test_nothing_in_the_module_of_the_stores_skips() -> None:
    source = inspect.getsource(test_stores)
    assert [word for word in ("skip", "xfail", "pytestmark", "importorskip") if word in source] == []


def exported(package: ModuleType) -> set[type]:
    """The stores that the packages inside a package export: their classes whose names end with `Store`."""
    inside = (module.name for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}.") if module.ispkg)
    public = (vars(import_module(name)) for name in inside)
    return {each[name] for each in public for name in each.get("__all__", ()) if name.endswith("Store")}


def proved(subclass: Any) -> type:
    """The class of the store that a subclass of the suite makes."""
    given: type = inspect.get_annotations(subclass.store.__wrapped__)["return"]
    return next(iter(get_args(given)), given)


def test_every_store_of_the_package_runs_the_suite() -> None:
    assert {proved(subclass) for subclass in SUBCLASSES} == exported(stores)


def test_the_suite_calls_every_method_of_the_contract() -> None:
    called: set[str] = set()
    suite = StoreConformance()
    for name in TESTS:
        getattr(suite, name)(RecordingStore(MemoryStore(), called))
    assert sorted(contract() - called) == []


class TestControls:
    """Each check bites on a class made to break it."""

    def test_a_replaced_test_is_seen(self) -> None:
        replacing = type("Replacing", (StoreConformance,), {TESTS[0]: lambda *_: None})
        assert changed(replacing) == [TESTS[0]]

    def test_a_test_that_is_taken_away_is_seen(self) -> None:
        assert changed(type("Without", (StoreConformance,), {TESTS[0]: None})) == [TESTS[0]]

    def test_a_mark_on_the_class_is_seen(self) -> None:
        assert changed(type("Marked", (StoreConformance,), {"pytestmark": []})) == ["pytestmark"]

    def test_a_part_in_the_place_of_the_whole_is_seen(self) -> None:
        part = StoreConformance.__mro__[1]
        assert "a base" in changed(type("Part", (part,), {}))

    def test_a_package_counts_as_a_store_if_it_exports_one(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        room = tmp_path / "made_up_stores"
        for name, text in (
            (".", ""),
            ("shared", "class Rows: ...\n__all__ = ['Rows']"),
            ("paper", "class PaperStore: ...\n__all__ = ['PaperStore']"),
        ):
            (room / name).mkdir(exist_ok=True)
            (room / name / "__init__.py").write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        assert [store.__name__ for store in exported(import_module("made_up_stores"))] == ["PaperStore"]

    def test_the_contract_is_read_from_the_protocols(self) -> None:
        expected = {"Store.writing", "Writing.learn", "Reading.agents", "Memories.by_id", "Usages.count"}
        assert expected <= contract()
        assert "Clock.now" not in contract()

    def test_a_method_that_is_not_called_is_missed(self) -> None:
        called: set[str] = set()
        with RecordingStore(MemoryStore(), called).reading() as unit:
            unit.agents.all()
        assert called == {"Store.reading", "Reading.agents", "Agents.all"}
